//! The lenient deserializer: text is read as whatever the field asks for, and every failing field is reported at once.

use super::{Param, Params};
use crate::error::{Error, Faults, Result};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::cell::RefCell;
use std::fmt;

/// What blanks and nulls mean, and how a failing field is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Filters of a list: blank is absent; errors are the framework's.
    Query,
    /// A new record: null and blank are absent.
    Create,
    /// A change: null and blank clear a [`Patch`](super::Patch).
    Edit,
}

impl Params {
    /// Reads the endpoint's own struct. `kept`: parameters that mean something when blank, too.
    pub fn read<T: de::DeserializeOwned>(&self, reading: Reading, kept: &[&str]) -> Result<T> {
        let (value, faults) = self.read_and_faults(reading, kept)?;
        faults.result().map(|()| value)
    }

    /// The same for an endpoint with more to say about the fields: a field of another type is among the faults, and
    /// its value is none that was sent.
    pub fn read_and_faults<T: de::DeserializeOwned>(
        &self,
        reading: Reading,
        kept: &[&str],
    ) -> Result<(T, Faults)> {
        let problems = RefCell::new(Problems::default());
        let outcome = T::deserialize(self.fields(reading, kept, &problems));
        let problems = problems.into_inner();
        match outcome {
            Ok(value) if problems.framework.is_empty() => Ok((value, problems.fields)),
            outcome => Err(problems.told(outcome.err())),
        }
    }

    /// The parameters that count as sent.
    fn fields<'a>(&'a self, reading: Reading, kept: &[&str], problems: &'a RefCell<Problems>) -> Fields<'a> {
        let counts =
            |name: &str, value: &Param| reading == Reading::Edit || !value.is_blank() || kept.contains(&name);
        let present = self.0.iter().map(|(name, value)| (name.as_str(), value));
        let present: Vec<(&str, &Param)> = present.filter(|(name, value)| counts(name, value)).collect();
        Fields { present: present.into_iter(), value: None, reading, problems }
    }
}

#[derive(Default)]
struct Problems {
    framework: Vec<String>,
    fields: Faults,
}

impl Problems {
    /// What the caller is told; what halted may be the want of a field that failed.
    fn told(self, halt: Option<Halt>) -> Error {
        match halt {
            Some(Halt::Missing(name)) => Error::not_given(name),
            _ if !self.framework.is_empty() => Error::framework(self.framework.join(", ")),
            halt => {
                let text = halt.map(|halt| halt.to_string()).unwrap_or_default();
                self.fields.result().err().unwrap_or_else(|| Error::framework(text))
            }
        }
    }
}

/// Why deserializing stopped; anything else is recorded and passed over.
#[derive(Debug)]
enum Halt {
    Missing(&'static str),
    Other(String),
}

impl fmt::Display for Halt {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Missing(name) => write!(to, "{name} is missing"),
            Halt::Other(text) => to.write_str(text),
        }
    }
}

impl std::error::Error for Halt {}

impl de::Error for Halt {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Halt::Other(text.to_string())
    }

    fn missing_field(name: &'static str) -> Self {
        Halt::Missing(name)
    }
}

/// The parameters on their way into a struct.
struct Fields<'a> {
    present: std::vec::IntoIter<(&'a str, &'a Param)>,
    value: Option<Leaf<'a>>,
    reading: Reading,
    problems: &'a RefCell<Problems>,
}

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = Halt;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> de::MapAccess<'de> for Fields<'_> {
    type Error = Halt;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, Halt> {
        let Some((name, param)) = self.present.next() else { return Ok(None) };
        self.value = Some(Leaf { name, param, reading: self.reading, problems: self.problems });
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> std::result::Result<V::Value, Halt> {
        match self.value.take() {
            Some(leaf) => seed.deserialize(leaf),
            None => Err(Halt::Other("value without a name".to_owned())),
        }
    }
}

/// One parameter being read.
#[derive(Clone, Copy)]
struct Leaf<'a> {
    name: &'a str,
    param: &'a Param,
    reading: Reading,
    problems: &'a RefCell<Problems>,
}

impl Leaf<'_> {
    /// Notes that the value is of another type.
    fn is_invalid(&self) {
        let mut problems = self.problems.borrow_mut();
        if self.reading == Reading::Query {
            problems.framework.push(format!("{} is invalid", self.name));
        } else if !problems.fields.has(self.name) {
            problems.fields.add(self.name, "is invalid");
        }
    }

    /// Notes that the value is none of the known ones.
    fn is_unknown(&self) {
        self.problems.borrow_mut().framework.push(format!("{} does not have a valid value", self.name));
    }

    fn integer(&self) -> Option<i64> {
        const EXACT: i64 = 1 << 53;
        let whole = match self.param {
            Param::Number(number) => number
                .as_i64()
                .or_else(|| number.as_f64().filter(|real| real.fract() == 0.0).map(|real| real as i64)),
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

    fn text(&self) -> Option<String> {
        match self.param {
            Param::Text(text) => Some(text.clone()),
            Param::Number(number) => Some(number.to_string()),
            Param::Bool(truth) => Some(truth.to_string()),
            Param::Null | Param::List(_) | Param::Nested => None,
        }
    }
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
            let number = self.integer();
            if number.is_none() {
                self.is_invalid();
            }
            visitor.visit_i64(number.unwrap_or_default())
        }
    )*};
}

impl<'de> Deserializer<'de> for Leaf<'_> {
    type Error = Halt;

    integers! { deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        self.deserialize_string(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        let truth = self.boolean();
        // an unclear filter counts as not given
        if truth.is_none() && self.reading != Reading::Query {
            self.is_invalid();
        }
        visitor.visit_bool(truth.unwrap_or_default())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        let real =
            self.text().and_then(|text| text.trim().parse::<f64>().ok()).filter(|real| real.is_finite());
        if real.is_none() {
            self.is_invalid();
        }
        visitor.visit_f64(real.unwrap_or_default())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        let text = self.text();
        if text.is_none() && *self.param != Param::Null {
            self.is_invalid();
        }
        visitor.visit_string(text.unwrap_or_default())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        let blank = *self.param == Param::Null || (self.reading == Reading::Edit && self.param.is_blank());
        if blank { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// A list, one value, or comma-joined text; blank items are left out.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        let items: Vec<Param> = match self.param {
            Param::List(items) => items.clone(),
            Param::Text(text) => text.split(',').map(|item| Param::Text(item.trim().to_owned())).collect(),
            Param::Number(_) | Param::Bool(_) => vec![self.param.clone()],
            Param::Null => Vec::new(),
            Param::Nested => {
                self.is_invalid();
                Vec::new()
            }
        };
        let items: Vec<Param> = items.into_iter().filter(|item| !item.is_blank()).collect();
        visitor.visit_seq(Items { left: items.iter(), whole: self })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Halt> {
        let text = self.text().unwrap_or_default();
        let known = variants.iter().find(|variant| **variant == text);
        if known.is_none() {
            self.is_unknown();
        }
        let variant = known.or(variants.first()).copied().unwrap_or_default();
        visitor.visit_enum(variant.into_deserializer())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, Halt> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Halt> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        f32 char str bytes byte_buf unit unit_struct tuple tuple_struct map struct identifier
    }
}

struct Items<'a, 'b> {
    left: std::slice::Iter<'b, Param>,
    whole: Leaf<'a>,
}

impl<'de> de::SeqAccess<'de> for Items<'_, '_> {
    type Error = Halt;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> std::result::Result<Option<T::Value>, Halt> {
        let Some(param) = self.left.next() else { return Ok(None) };
        seed.deserialize(Leaf { param, ..self.whole }).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Patch;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize, PartialEq, Default)]
    #[serde(default)]
    struct Sample {
        number: Option<i64>,
        truth: Option<bool>,
        text: Patch<String>,
        list: Vec<i64>,
        state: Option<State>,
    }

    #[derive(Debug, Deserialize, PartialEq, Clone, Copy)]
    #[serde(rename_all = "lowercase")]
    enum State {
        Opened,
        Closed,
    }

    fn read(text: &str, reading: Reading) -> Result<Sample> {
        Params::from_urlencoded(text).unwrap().read(reading, &[])
    }

    #[test]
    fn text_is_read_as_what_the_field_asks_for() {
        let sample =
            read("number=7&truth=YeS&text=a&list[]=1&list[]=2&state=closed&unknown=x", Reading::Create)
                .unwrap();
        assert_eq!(
            sample,
            Sample {
                number: Some(7),
                truth: Some(true),
                text: Patch::Set("a".into()),
                list: vec![1, 2],
                state: Some(State::Closed)
            }
        );
        assert_eq!(read("list=1,2, 3", Reading::Edit).unwrap().list, [1, 2, 3]);
        assert_eq!(read("list[]=", Reading::Edit).unwrap().list, Vec::<i64>::new());
    }

    #[test]
    fn blank_clears_on_edit_and_is_absent_on_create() {
        assert_eq!(read("text=", Reading::Edit).unwrap().text, Patch::Clear);
        assert_eq!(read("text=", Reading::Create).unwrap().text, Patch::Keep);
    }

    #[test]
    fn all_failing_fields_are_named_at_once() {
        let error = read("number=x&truth=maybe", Reading::Edit).unwrap_err();
        assert_eq!(
            error,
            Error::BadRequest(json!({"message": {"number": ["is invalid"], "truth": ["is invalid"]}}))
        );
        let error = read("number=x", Reading::Query).unwrap_err();
        assert_eq!(error, Error::framework("number is invalid"));
        let error = read("state=odd", Reading::Query).unwrap_err();
        assert_eq!(error, Error::framework("state does not have a valid value"));
    }
}
