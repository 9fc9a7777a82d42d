//! JSON without what no reader asks for. Snippets, code flows and the texts of rules are most of a file of SARIF.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// GitHub takes as many results and rules of a run.
pub const MOST: usize = 25_000;

/// Members with these names are kept, and the first of a list or of a dictionary: one more than [`MOST`], so that the
/// reader sees that there are more.
#[derive(Clone, Copy)]
pub struct Kept {
    pub names: &'static [&'static str],
    /// Whose members have names that the file chooses.
    pub dictionaries: &'static [&'static str],
    pub is_dictionary: bool,
}

impl Kept {
    pub fn read(self, text: &str) -> Value {
        let mut reader = serde_json::Deserializer::from_str(text);
        self.deserialize(&mut reader).ok().filter(|_| reader.end().is_ok()).unwrap_or_default()
    }
}

impl<'de> DeserializeSeed<'de> for Kept {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Kept {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut kept = Vec::new();
        while kept.len() <= MOST {
            let Some(item) = items.next_element_seed(self)? else { return Ok(kept.into()) };
            kept.push(item);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(kept.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut kept = serde_json::Map::new();
        while let Some(name) = members.next_key::<Cow<'_, str>>()? {
            if kept.len() <= MOST && (self.is_dictionary || self.names.contains(&&*name)) {
                let within = Kept { is_dictionary: self.dictionaries.contains(&&*name), ..self };
                kept.insert(name.into_owned(), members.next_value_seed(within)?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(kept.into())
    }
}
