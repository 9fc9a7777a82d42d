//! The lenient deserializer: text is read as whatever the field asks for, and every failing field is reported at once.

use super::field::Reading;
use super::problems::{DeserializeError, Problems};
use super::scalar::Scalar;
use super::{Param, Params};
use crate::error::{Error, Result, ValidationErrors};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::cell::RefCell;

impl Params {
    /// Reads the endpoint's own struct.
    pub fn read<T: de::DeserializeOwned>(&self, reading: Reading) -> Result<T> {
        let (value, errors) = self.read_and_errors(reading)?;
        errors.result().map(|()| value)
    }

    /// The same for an endpoint with more to say about the fields: a field of another type is among the errors, and
    /// its value is a default that nobody sent.
    pub fn read_and_errors<T: de::DeserializeOwned>(
        &self,
        reading: Reading,
    ) -> Result<(T, ValidationErrors)> {
        let problems = self.problems();
        match T::deserialize(self.fields(reading, &[], &problems)) {
            Ok(value) => Ok((value, problems.into_inner().of_fields()?)),
            Err(stopped) => {
                let again = |fields: Fields<'_>| T::deserialize(fields).err();
                Err(self.stopped(reading, problems.into_inner(), stopped, &again))
            }
        }
    }

    fn problems(&self) -> RefCell<Problems> {
        RefCell::new(Problems { dialect: self.dialect, ..Problems::default() })
    }

    /// What is told where reading stopped, in v4 of every required field that was not sent. Reading stops at the first one, so
    /// each is given a blank value in turn, and the rest is read `again`.
    fn stopped(
        &self,
        reading: Reading,
        mut problems: Problems,
        stopped: DeserializeError,
        again: &dyn Fn(Fields<'_>) -> Option<DeserializeError>,
    ) -> Error {
        let blank = Param::Text(String::new());
        let mut given = Vec::new();
        let mut next = missing_field(Some(&stopped)).filter(|_| self.dialect.has_strict_types());
        while let Some(name) = next {
            given.push((name, &blank));
            let found = self.problems();
            next = missing_field(again(self.fields(reading, &given, &found)).as_ref());
            // what is to be one of some words is told to be none of them, too
            let none = format!("{name} {}", self.dialect.no_valid_value(&[]));
            let is_word = found.into_inner().framework.contains(&none);
            problems.framework.extend(match (self.sent.contains_key(name), is_word) {
                (false, _) => Some(format!("{name} is missing")),
                (true, false) => Some(format!("{name} is empty")),
                (true, true) => None,
            });
            problems.framework.extend(is_word.then_some(none));
        }
        problems.told(Some(stopped))
    }

    /// The parameters that count as sent, and what is `given` beside them.
    fn fields<'a>(
        &'a self,
        reading: Reading,
        given: &[(&'a str, &'a Param)],
        problems: &'a RefCell<Problems>,
    ) -> Fields<'a> {
        let is_blank = |value: &Param| match value {
            Param::List(items) if reading == Reading::Query => items.iter().all(Param::is_blank),
            value => value.is_blank(),
        };
        let counts = |value: &Param| reading == Reading::Edit || !is_blank(value);
        let present = self.sent.iter().map(|(name, value)| (name.as_str(), value));
        let present = present.filter(|(_, value)| counts(value));
        let present: Vec<(&str, &Param)> = present.chain(given.iter().copied()).collect();
        Fields { present: present.into_iter(), value: None, reading, problems, params: self }
    }
}

/// The field whose lack ended the reading.
fn missing_field(stopped: Option<&DeserializeError>) -> Option<&'static str> {
    match stopped {
        Some(DeserializeError::Missing(name)) => Some(name),
        _ => None,
    }
}

/// The parameters on their way into a struct.
struct Fields<'a> {
    present: std::vec::IntoIter<(&'a str, &'a Param)>,
    value: Option<Scalar<'a>>,
    reading: Reading,
    problems: &'a RefCell<Problems>,
    params: &'a Params,
}

impl<'a> Fields<'a> {
    /// The next name. What no struct makes different is there once.
    #[inline(never)]
    fn advance(&mut self) -> Option<&'a str> {
        let (name, param) = self.present.next()?;
        self.value = Some(Scalar { name, param, reading: self.reading, problems: self.problems });
        Some(name)
    }
}

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, DeserializeError> {
        visitor.visit_map(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        self.params.know(fields);
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> de::MapAccess<'de> for Fields<'_> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, DeserializeError> {
        self.advance().map(|name| seed.deserialize(name.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        match self.value.take() {
            Some(scalar) => seed.deserialize(scalar),
            None => Err(DeserializeError::Other("value without a name".to_owned())),
        }
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
        Params::from_urlencoded(text).unwrap().read(reading)
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
            Error::bad_request(json!({"message": {"number": ["is invalid"], "truth": ["is invalid"]}}))
        );
        let error = read("number=x", Reading::Query).unwrap_err();
        assert_eq!(error, Error::framework("number is invalid"));
        let error = read("state=odd", Reading::Query).unwrap_err();
        assert_eq!(error, Error::framework("state does not have a valid value (opened, closed)"));
    }
}
