//! Reads query, form, multipart and JSON into one map, and the map into an endpoint's struct (behaviour 4).

mod field;
pub mod limits;
mod multipart;
mod number;
pub mod parsing;
mod problems;
pub mod read;
pub mod scalar;
pub mod sent;
pub use edgeforge_row::Parameters;
pub use field::{Integer, Patch, Reading, RecordId, Sent};

use crate::kernel::dialect::Dialect;
use crate::kernel::error::{Error, Result};
use crate::kernel::gather::Gather;
use crate::kernel::time;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Number;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Param {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Param>),
    /// `name[key]=..` in a form: what follows the name, and the value. Only links repeat them.
    Nested(Vec<(String, String)>),
    /// A JSON object, or `name[list][][member]=..` in a form.
    Object(BTreeMap<String, Param>),
}

/// Excluding filters are sent as `not[name]`, or as members of the JSON object `not`.
const EXCLUDING: &str = "not";

/// Parameters that every request may have.
const COMMON: [&str; 5] = ["private_token", "access_token", "sudo", "format", "_method"];

impl Param {
    pub fn is_blank(&self) -> bool {
        match self {
            Param::Null => true,
            Param::Text(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    fn text(&self) -> Option<String> {
        match self {
            Param::Text(text) => Some(text.clone()),
            Param::Number(number) => Some(number.to_string()),
            Param::Bool(truth) => Some(truth.to_string()),
            Param::Null | Param::List(_) | Param::Nested(_) | Param::Object(_) => None,
        }
    }

    /// As in a query: what follows the name, and each value.
    fn parts(&self) -> Vec<(String, String)> {
        let below =
            |at: String, value: &Param| value.parts().into_iter().map(move |(rest, text)| (at.clone() + &rest, text));
        match self {
            Param::Nested(parts) => parts.clone(),
            Param::List(items) => items.iter().flat_map(|item| below("[]".to_owned(), item)).collect(),
            Param::Object(members) => {
                members.iter().flat_map(|(key, value)| below(format!("[{key}]"), value)).collect()
            }
            one => one.text().map(|text| (String::new(), text)).into_iter().collect(),
        }
    }
}

/// Parameters by name. The body overrides the query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    sent: BTreeMap<String, Param>,
    /// Decides how a wrong type is reported.
    dialect: Dialect,
    known: RefCell<BTreeSet<&'static str>>,
}

#[cfg(not(target_arch = "wasm32"))]
thread_local! {
    /// The names that endpoints read on this thread. Tests compare them with openapi/.
    static KNOWN: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Takes the names of the parameters that endpoints on this thread read since the last call.
#[cfg(not(target_arch = "wasm32"))]
pub fn take_known() -> BTreeSet<&'static str> {
    KNOWN.take()
}

impl Params {
    pub fn of(self, dialect: Dialect) -> Params {
        Params { dialect, ..self }
    }

    pub fn merged(mut self, later: Params) -> Params {
        self.sent.extend(later.sent);
        self
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.sent.insert(name.to_owned(), Param::Text(value.to_owned()));
    }

    pub fn only(&self, names: &[&str]) -> Params {
        let mut kept = self.clone();
        kept.sent.retain(|name, _| names.contains(&name.as_str()));
        kept
    }

    pub fn without(&self, names: &[&str]) -> Params {
        let mut kept = self.clone();
        kept.sent.retain(|name, _| !names.contains(&name.as_str()));
        kept
    }

    pub fn sent(&self) -> &BTreeMap<String, Param> {
        &self.sent
    }

    /// Whether the parameter was sent and is not blank.
    pub fn has(&self, name: &'static str) -> bool {
        self.know(&[name]);
        self.sent.get(name).is_some_and(|value| !value.is_blank())
    }

    /// Whether the parameter was sent as a blank text. For a field where that means something else than null.
    pub fn has_blank_text(&self, name: &'static str) -> bool {
        self.know(&[name]);
        self.sent.get(name).is_some_and(|value| *value != Param::Null && value.is_blank())
    }

    /// 400 if one of these parameters was sent blank.
    pub fn refuse_blank(&self, names: &[&str]) -> Result<()> {
        let is_blank = |name: &&&str| self.sent.get(**name).is_some_and(Param::is_blank);
        let blank: Vec<String> = names.iter().filter(is_blank).map(|name| format!("{name} is empty")).collect();
        if blank.is_empty() { Ok(()) } else { Err(Error::framework(blank.join(", "))) }
    }

    /// 400 if none of these parameters was sent.
    pub fn require_one_of(&self, names: &[&str]) -> Result<()> {
        if names.iter().any(|name| self.sent.contains_key(*name)) {
            return Ok(());
        }
        let is_state = names.contains(&"state_event") && self.sent.contains_key("state");
        let hint =
            if is_state { "the parameter that changes the state is state_event: close, for example" } else { "" };
        let text = format!("{} are missing, at least one parameter must be provided", names.join(", "));
        Err(Error::hinted(serde_json::json!({ "error": text }), hint.to_owned()))
    }

    pub fn know(&self, names: &[&'static str]) {
        #[cfg(not(target_arch = "wasm32"))]
        KNOWN.with_borrow_mut(|known| known.extend(names));
        self.known.borrow_mut().extend(names);
    }

    /// Whether none of the parameters that the endpoint has read so far was sent.
    pub fn lacks_all(&self) -> bool {
        let known = self.known.borrow();
        !self.sent.keys().any(|name| known.contains(name.as_str()))
    }

    /// Marks a parameter as not read. For an endpoint that ignores a field of a struct which it shares with other
    /// endpoints.
    pub fn pass_over(&self, name: &str) {
        #[cfg(not(target_arch = "wasm32"))]
        KNOWN.with_borrow_mut(|known| known.remove(name));
        self.known.borrow_mut().remove(name);
    }

    /// Marks all other parameters as not read. For an endpoint that calls another one, which reads more.
    pub fn pass_over_all_but(&self, names: &[&str]) {
        #[cfg(not(target_arch = "wasm32"))]
        KNOWN.with_borrow_mut(|known| known.retain(|name| names.contains(name)));
        self.known.borrow_mut().retain(|name| names.contains(name));
    }

    /// Names that were sent and that the endpoint does not read. `repeated`: names and values of the path, which may be
    /// sent as parameters, too.
    pub fn unread(&self, repeated: &[(String, String)]) -> BTreeSet<String> {
        let known = self.known.borrow();
        let is_repeated = |sent: &String, value: &Param| {
            repeated.iter().any(|(name, text)| name == sent && value.text().as_ref() == Some(text))
        };
        let unread = self.sent.iter().filter(|(name, value)| {
            !known.contains(name.as_str()) && !COMMON.contains(&name.as_str()) && !is_repeated(name, value)
        });
        unread.map(|(name, _)| shown(name)).gather()
    }

    /// The same for a request that is refused. A list may be refused for its page before it reads its filters, or for
    /// these before it reads its page.
    pub fn unread_by_refusal(&self, repeated: &[(String, String)]) -> BTreeSet<String> {
        const OF_PAGE: [&str; 4] = ["page", "per_page", "cursor", "pagination"];
        let has_read = self.known.borrow().iter().any(|name| !OF_PAGE.contains(name) && !COMMON.contains(name));
        let unread = if has_read { self.unread(repeated) } else { BTreeSet::new() };
        unread.into_iter().filter(|name| !OF_PAGE.contains(&name.as_str())).gather()
    }

    /// Numbers count as text.
    pub fn text(&self, name: &'static str) -> Option<String> {
        self.know(&[name]);
        match self.sent.get(name)? {
            Param::Text(text) => Some(text.clone()),
            Param::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Name and value pairs as in a query, sorted, `name[]` for lists.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let named = |(name, value): (&String, &Param)| {
            let name = name.clone();
            value.parts().into_iter().map(move |(rest, text)| (name.clone() + &rest, text))
        };
        self.sent.iter().flat_map(named).collect()
    }
}

/// A parameter's name for a header. A long name may be a misplaced token if it has characters that no name of this API
/// has: it becomes `?`.
fn shown(name: &str) -> String {
    const SHORTEST_TOKEN: usize = 20;
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');
    let name = if name.starts_with(EXCLUDING) { name.split('[').next().unwrap_or(name) } else { name };
    let usual = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.".contains(&byte);
    let is_shown = name.len() < SHORTEST_TOKEN || name.len() <= 40 && name.bytes().all(usual);
    if is_shown && !name.is_empty() { utf8_percent_encode(name, PLAIN).to_string() } else { "?".to_owned() }
}

/// Reads a time in milliseconds since 1970. A `+` that was not encoded arrives as a blank.
pub fn instant(name: &str, text: Option<&str>) -> Result<Option<i64>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let with_plus = || text.rsplit_once(' ').and_then(|(time, zone)| time::read(&format!("{time}+{zone}")));
    time::read(text).or_else(with_plus).map(Some).ok_or_else(|| Error::invalid(name))
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/params.rs"]
mod tests;
