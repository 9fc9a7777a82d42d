use super::Param;
use super::field::{Integer, Patch, Reading, RecordId, Sent, real};
use super::limits::too_long;
use super::number::MOST_VALUES;
use super::problems::Problems;
use crate::kernel::gather::Gather;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[diagnostic::on_unimplemented(message = "`{Self}` cannot be read from a parameter: derive `Parameters` for an enum")]
pub trait Parameter: Default {
    /// Whether a field of this type may be absent.
    const IS_OPTIONAL: bool = false;
    /// The words of an enumeration.
    const WORDS: &'static [&'static str] = &[];
    /// Reads the value. If it has another form, adds an error and returns a default.
    fn read(from: Scalar<'_>) -> Self;
}

/// One parameter that was sent, and where its errors are collected.
#[derive(Clone, Copy)]
pub struct Scalar<'a> {
    pub(super) name: &'a str,
    pub(super) param: &'a Param,
    pub(super) reading: Reading,
    pub(super) problems: &'a RefCell<Problems>,
}

/// D1 has no exact integers beyond this, and all ids are below.
const EXACT: i64 = 1 << 53;

impl Scalar<'_> {
    fn is_invalid(&self) {
        self.problems.borrow_mut().mistyped(self.name, self.reading);
    }

    /// The value that was read. Without one the parameter is invalid, and a default takes its place.
    fn valid<T: Default>(&self, read: Option<T>) -> T {
        if read.is_none() {
            self.is_invalid();
        }
        read.unwrap_or_default()
    }

    fn is_unknown(&self, values: &[&str]) {
        self.problems.borrow_mut().unknown(self.name, values, self.reading);
    }

    /// Checks the length. A text that is too long loses the blanks at both ends first.
    fn short(&self, text: String) -> String {
        if too_long(self.name, &text).is_none() {
            return text;
        }
        let text = text.trim();
        if let Some(fault) = too_long(self.name, text) {
            let mut problems = self.problems.borrow_mut();
            if self.reading == Reading::Query {
                problems.refuse(self.name, &fault);
            } else {
                problems.fields.add(self.name, &fault);
            }
        }
        text.to_owned()
    }

    fn integer(&self) -> Option<i64> {
        let whole = match self.param {
            Param::Number(number) => {
                number.as_i64().or_else(|| number.as_f64().filter(|real| real.fract() == 0.0).map(|real| real as i64))
            }
            Param::Text(text) => text.trim().parse::<i64>().ok(),
            _ => None,
        };
        whole.filter(|number| (-EXACT..=EXACT).contains(number))
    }

    fn boolean(&self) -> Option<bool> {
        match self.param {
            Param::Bool(truth) => Some(*truth),
            Param::Number(number) => match number.as_i64() {
                Some(1) => Some(true),
                Some(0) => Some(false),
                _ => None,
            },
            Param::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "t" | "yes" | "y" | "1" | "on" => Some(true),
                "false" | "f" | "no" | "n" | "0" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the value is null, or blank in an edit.
    fn is_nothing(&self) -> bool {
        *self.param == Param::Null || (self.reading == Reading::Edit && self.param.is_blank())
    }

    /// The position of the value in `words`.
    pub fn word(self, words: &[&str]) -> usize {
        let text = self.param.text().unwrap_or_default();
        let known = words.iter().position(|word| *word == text);
        if known.is_none() {
            self.is_unknown(words);
        }
        known.unwrap_or_default()
    }

    /// Reads a list, one value, or comma-separated text. Blank items are left out. An error above [`MOST_VALUES`].
    fn items(&self) -> std::vec::IntoIter<Param> {
        let items: Vec<Param> = match self.param {
            Param::List(items) => items.clone(),
            Param::Text(text) => text.split(',').map(|item| Param::Text(item.trim().to_owned())).collect(),
            Param::Number(_) | Param::Bool(_) => vec![self.param.clone()],
            Param::Null => Vec::new(),
            Param::Nested(_) | Param::Object(_) => {
                self.is_invalid();
                Vec::new()
            }
        };
        let mut items: Vec<Param> = items.into_iter().filter(|item| !item.is_blank()).collect();
        if items.len() > MOST_VALUES {
            self.is_invalid();
            items.clear();
        }
        items.into_iter()
    }
}

impl Parameter for i64 {
    fn read(from: Scalar<'_>) -> i64 {
        from.valid(from.integer())
    }
}

impl Parameter for RecordId {
    fn read(from: Scalar<'_>) -> RecordId {
        from.valid(match Integer::from(from.param.text().unwrap_or_default().as_str()) {
            Integer::Number(id) => Some(RecordId(id.clamp(-EXACT, EXACT))),
            Integer::Fraction | Integer::NoNumber => None,
        })
    }
}

impl Parameter for bool {
    fn read(from: Scalar<'_>) -> bool {
        let truth = from.boolean();
        // an unclear value of a filter is ignored
        if truth.is_none() && from.problems.borrow().refuses_booleans(from.reading) {
            from.is_invalid();
        }
        truth.unwrap_or_default()
    }
}

impl Parameter for Sent {
    fn read(_: Scalar<'_>) -> Sent {
        Sent(true)
    }
}

impl Parameter for f64 {
    fn read(from: Scalar<'_>) -> f64 {
        from.valid(from.param.text().and_then(|text| real(&text)))
    }
}

impl Parameter for String {
    fn read(from: Scalar<'_>) -> String {
        let text = from.param.text();
        if text.is_none() && *from.param != Param::Null {
            from.is_invalid();
        }
        from.short(text.unwrap_or_default())
    }
}

/// A name with a value, as `{"key": .., "value": ..}` in JSON.
#[derive(Debug, Clone, Default)]
pub struct KeyValue {
    pub key: String,
    pub value: String,
}

impl Parameter for KeyValue {
    fn read(from: Scalar<'_>) -> KeyValue {
        let member = |name: &str| match from.param {
            Param::Object(members) => members.get(name).filter(|value| matches!(value, Param::Text(_)))?.text(),
            _ => None,
        };
        from.valid(member("key").zip(member("value")).map(|(key, value)| KeyValue { key, value }))
    }
}

/// The members of an object that are texts or numbers.
pub type Record = BTreeMap<String, String>;

fn record(param: &Param) -> Option<Record> {
    let Param::Object(members) = param else { return None };
    Some(members.iter().filter_map(|(name, value)| Some((name.clone(), value.text()?))).gather())
}

impl Parameter for Record {
    fn read(from: Scalar<'_>) -> Record {
        from.valid(record(from.param))
    }
}

/// `{"links": [{"name": ..}, ..]}`. Without the list it is empty.
#[derive(Debug, Clone, Default)]
pub struct Assets {
    pub links: Vec<Record>,
}

impl Parameter for Assets {
    fn read(from: Scalar<'_>) -> Assets {
        let links = match from.param {
            Param::Object(assets) => match assets.get("links") {
                Some(Param::List(items)) => items.iter().map(record).collect(),
                Some(Param::Null) | None => Some(Vec::new()),
                Some(_) => None,
            },
            _ => None,
        };
        Assets { links: from.valid(links) }
    }
}

impl Parameter for Integer {
    fn read(from: Scalar<'_>) -> Integer {
        Integer::from(String::read(from).as_str())
    }
}

impl<T: Parameter> Parameter for Option<T> {
    const IS_OPTIONAL: bool = true;

    fn read(from: Scalar<'_>) -> Option<T> {
        if from.is_nothing() { None } else { Some(T::read(from)) }
    }
}

impl<T: Parameter> Parameter for Patch<T> {
    const IS_OPTIONAL: bool = true;

    fn read(from: Scalar<'_>) -> Patch<T> {
        if from.is_nothing() { Patch::Clear } else { Patch::Set(T::read(from)) }
    }
}

impl<T: Parameter> Parameter for Vec<T> {
    fn read(from: Scalar<'_>) -> Vec<T> {
        from.items().map(|item| T::read(Scalar { param: &item, ..from })).collect()
    }
}

impl<T: Parameter + Ord> Parameter for BTreeSet<T> {
    fn read(from: Scalar<'_>) -> BTreeSet<T> {
        from.items().map(|item| T::read(Scalar { param: &item, ..from })).gather()
    }
}
