//! A row as a tree: JSON is parsed by code that is there once, and each struct is read from what that made. Read from
//! JSON itself, every struct would hold a parser of its own, and there are a hundred of them.

use super::failure::Failure;
use serde::de::value::{Error, MapAccessDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;

/// A JSON value; its texts are pieces of the row where nothing in them is escaped.
enum Tree<'a> {
    Null,
    Truth(bool),
    Int(i64),
    Real(f64),
    Text(Cow<'a, str>),
    List(Vec<Tree<'a>>),
    Object(Vec<(Name<'a>, Tree<'a>)>),
}

/// The name of an object's member.
struct Name<'a>(Cow<'a, str>);

/// A row's text as a `T`.
pub(crate) fn decode<T: DeserializeOwned>(row: &str) -> Result<T, Failure> {
    T::deserialize(parse(row)?).map_err(misshapen)
}

fn parse(row: &str) -> Result<Tree<'_>, Failure> {
    serde_json::from_str(row).map_err(misshapen)
}

fn misshapen(error: impl fmt::Display) -> Failure {
    Failure::Other(format!("row of another shape: {error}"))
}

struct Namer;

impl<'de> Visitor<'de> for Namer {
    type Value = Name<'de>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Owned(text.to_owned())))
    }
}

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(Namer)
    }
}

struct Planter;

impl<'de> Visitor<'de> for Planter {
    type Value = Tree<'de>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree<'de>, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Tree<'de>, E> {
        Ok(Tree::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Tree<'de>, E> {
        Ok(Tree::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Tree<'de>, E> {
        Ok(i64::try_from(number).map_or(Tree::Real(number as f64), Tree::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Tree<'de>, E> {
        Ok(Tree::Real(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Tree<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Tree<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = from.next_entry()? {
            members.push(member);
        }
        Ok(Tree::Object(members))
    }
}

impl<'de> Deserialize<'de> for Tree<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Planter)
    }
}

impl<'de> IntoDeserializer<'de> for Tree<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// An object on its way into a struct.
struct Members<'a> {
    left: std::vec::IntoIter<(Name<'a>, Tree<'a>)>,
    name: Name<'a>,
    value: Tree<'a>,
}

impl<'a> Members<'a> {
    fn of(members: Vec<(Name<'a>, Tree<'a>)>) -> Self {
        Members { left: members.into_iter(), name: Name(Cow::Borrowed("")), value: Tree::Null }
    }

    /// The next name. Here and below: what no struct makes different is there once.
    #[inline(never)]
    fn advance(&mut self) -> Option<&str> {
        (self.name, self.value) = self.left.next()?;
        Some(&self.name.0)
    }

    #[inline(never)]
    fn take(&mut self) -> Tree<'a> {
        std::mem::replace(&mut self.value, Tree::Null)
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.advance().map(|name| seed.deserialize(StrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.take())
    }
}

/// Each asks a visitor for nothing but what its type is made of: a struct is never read from a list.
macro_rules! only {
    ($($method:ident: $($kind:pat => $visit:expr),+;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                $($kind => $visit(visitor),)+
                _ => Err(another_type()),
            }
        }
    )+};
}

fn another_type() -> Error {
    de::Error::custom("a value of another type")
}

impl<'de> Deserializer<'de> for Tree<'de> {
    type Error = Error;

    only! {
        deserialize_bool: Tree::Truth(truth) => |visitor: V| visitor.visit_bool(truth);
        deserialize_i64: Tree::Int(number) => |visitor: V| visitor.visit_i64(number);
        deserialize_u64: Tree::Int(number) => |visitor: V| visitor.visit_i64(number);
        deserialize_f64:
            Tree::Int(number) => |visitor: V| visitor.visit_f64(number as f64),
            Tree::Real(number) => |visitor: V| visitor.visit_f64(number);
        deserialize_string: Tree::Text(text) => |visitor: V| visitor.visit_string(text.into_owned());
        deserialize_identifier: Tree::Text(text) => |visitor: V| visitor.visit_str(&text);
        deserialize_seq: Tree::List(items) => |visitor: V| visitor.visit_seq(SeqDeserializer::new(items.into_iter()));
        deserialize_map: Tree::Object(members) => |visitor: V| visitor.visit_map(Members::of(members));
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Tree::Null => visitor.visit_unit(),
            Tree::Truth(_) => self.deserialize_bool(visitor),
            Tree::Int(_) => self.deserialize_i64(visitor),
            Tree::Real(_) => self.deserialize_f64(visitor),
            Tree::Text(_) => self.deserialize_string(visitor),
            Tree::List(_) => self.deserialize_seq(visitor),
            Tree::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if matches!(self, Tree::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    /// A variant is a text, or an object of one member that holds its value.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Tree::Object(members) => visitor.visit_enum(MapAccessDeserializer::new(Members::of(members))),
            Tree::Text(text) => visitor.visit_enum(text.into_deserializer()),
            _ => Err(another_type()),
        }
    }

    forward_to_deserialize_any! { i8 i16 i32 u8 u16 u32 f32 char str bytes byte_buf unit unit_struct }
}
