//! One parameter read as what its field asks for.

use super::Param;
use super::field::Reading;
use super::limits::too_long;
use super::problems::{DeserializeError, Problems};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::cell::RefCell;

/// One parameter being read.
#[derive(Clone, Copy)]
pub(super) struct Scalar<'a> {
    pub name: &'a str,
    pub param: &'a Param,
    pub reading: Reading,
    pub problems: &'a RefCell<Problems>,
}

impl Scalar<'_> {
    /// Notes that the value is of another type.
    fn is_invalid(&self) {
        self.problems.borrow_mut().mistyped(self.name, self.reading);
    }

    /// Notes that the value is none of the known ones.
    fn is_unknown(&self, values: &[&str]) {
        self.problems.borrow_mut().unknown(self.name, values, self.reading);
    }

    /// The text, if it is not too long; blanks at its ends do not make it so.
    fn short(&self, text: String) -> String {
        if too_long(self.name, &text).is_none() {
            return text;
        }
        let text = text.trim();
        if let Some(fault) = too_long(self.name, text) {
            let mut problems = self.problems.borrow_mut();
            if self.reading == Reading::Query {
                problems.framework.push(format!("{} {fault}", self.name));
            } else {
                problems.fields.add(self.name, &fault);
            }
        }
        text.to_owned()
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
        fn $method<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, DeserializeError> {
            let number = self.integer();
            if number.is_none() {
                self.is_invalid();
            }
            visitor.visit_i64(number.unwrap_or_default())
        }
    )*};
}

impl<'de> Deserializer<'de> for Scalar<'_> {
    type Error = DeserializeError;

    integers! { deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, DeserializeError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        let truth = self.boolean();
        // an unclear filter counts as not given
        if truth.is_none() && self.problems.borrow().refuses_booleans(self.reading) {
            self.is_invalid();
        }
        visitor.visit_bool(truth.unwrap_or_default())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, DeserializeError> {
        let real =
            self.text().and_then(|text| text.trim().parse::<f64>().ok()).filter(|real| real.is_finite());
        if real.is_none() {
            self.is_invalid();
        }
        visitor.visit_f64(real.unwrap_or_default())
    }

    fn deserialize_string<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        let text = self.text();
        if text.is_none() && *self.param != Param::Null {
            self.is_invalid();
        }
        visitor.visit_string(self.short(text.unwrap_or_default()))
    }

    fn deserialize_option<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        let blank = *self.param == Param::Null || (self.reading == Reading::Edit && self.param.is_blank());
        if blank { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// A list, one value, or comma-joined text; blank items are left out.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, DeserializeError> {
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
    ) -> std::result::Result<V::Value, DeserializeError> {
        let text = self.text().unwrap_or_default();
        let known = variants.iter().find(|variant| **variant == text);
        if known.is_none() {
            self.is_unknown(variants);
        }
        let variant = known.or(variants.first()).copied().unwrap_or_default();
        visitor.visit_enum(variant.into_deserializer())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> std::result::Result<V::Value, DeserializeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        f32 char str bytes byte_buf unit unit_struct tuple tuple_struct map struct identifier
    }
}

struct Items<'a, 'b> {
    left: std::slice::Iter<'b, Param>,
    whole: Scalar<'a>,
}

impl<'de> de::SeqAccess<'de> for Items<'_, '_> {
    type Error = DeserializeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> std::result::Result<Option<T::Value>, DeserializeError> {
        let Some(param) = self.left.next() else { return Ok(None) };
        seed.deserialize(Scalar { param, ..self.whole }).map(Some)
    }
}
