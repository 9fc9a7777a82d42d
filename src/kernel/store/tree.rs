//! A row as a tree. JSON is parsed into this one type, so the parser is compiled once.

use super::failure::Failure;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Texts without escapes are slices of the row.
pub enum Tree<'a> {
    Null,
    Truth(bool),
    Int(i64),
    Real(f64),
    Text(Cow<'a, str>),
    List(Vec<Tree<'a>>),
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

pub(super) fn parse(row: &str) -> Result<Tree<'_>, Failure> {
    serde_json::from_str(row).map_err(|error| Failure::Other(format!("unexpected row: {error}")))
}

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
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
        while let Some((Name(name), value)) = from.next_entry()? {
            members.push((name, value));
        }
        Ok(Tree::Object(members))
    }
}

impl<'de> Deserialize<'de> for Tree<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TreeVisitor)
    }
}
