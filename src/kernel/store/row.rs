//! Reads rows into types that derive `Row` (`row/src/lib.rs` shows the JSON).
//!
//! A value of another type does not stop the reading: it is noted, a default takes its place, and the row is
//! refused at the end. Code that stops at each column would be three times as long.

use super::failure::Failure;
use super::tree::{self, Tree};
use crate::kernel::gather::Gather;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;

/// The current column, and the first column with a value of another type.
#[derive(Default)]
pub struct WrongColumns {
    column: Cell<&'static str>,
    first: Cell<Option<&'static str>>,
}

impl WrongColumns {
    fn note(&self) {
        self.first.set(self.first.get().or(Some(self.column.get())));
    }
}

/// A type read from an object, or from a list of its columns in order.
pub trait Row: Sized {
    fn read_members(from: &mut Members<'_, '_>) -> Self;

    /// The columns, `[name]`, in the order in which they are read. None if they do not cross as one list.
    fn columns() -> Option<Vec<&'static str>>;
}

/// A type read from one value, or from a row: a value is a row with one column.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be read from a row: derive `Row` for it, not `Deserialize`")]
pub trait Column: Sized {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Self;

    fn read_row(from: Tree<'_>, wrong: &WrongColumns) -> Self {
        Self::read(from, wrong)
    }

    /// The columns of the row, if they may cross as a list.
    fn crossing() -> Vec<&'static str> {
        Vec::new()
    }
}

pub(crate) fn decode<T: Column>(row: &str) -> Result<T, Failure> {
    let wrong = WrongColumns::default();
    let read = T::read_row(tree::parse(row)?, &wrong);
    check(&wrong).map(|()| read)
}

/// Reads a text that holds a JSON object or list.
pub fn read_text<T: Column>(text: &str, wrong: &WrongColumns) -> T {
    match tree::parse(text) {
        Ok(Tree::Text(_)) | Err(_) => {
            wrong.note();
            T::read(Tree::Null, wrong)
        }
        Ok(tree) => T::read(tree, wrong),
    }
}

fn check(wrong: &WrongColumns) -> Result<(), Failure> {
    match wrong.first.get() {
        None => Ok(()),
        Some(column) => Err(Failure::Other(format!("unexpected row: wrong value in column {column:?}"))),
    }
}

pub struct Members<'a, 'w> {
    left: MembersLeft<'a>,
    wrong: &'w WrongColumns,
}

enum MembersLeft<'a> {
    /// The position is where the next member is expected, because members are usually read in the order in which they
    /// are written.
    Named(Vec<(Cow<'a, str>, Tree<'a>)>, usize),
    InOrder(std::vec::IntoIter<Tree<'a>>),
}

impl<'a, 'w> Members<'a, 'w> {
    pub fn of(from: Tree<'a>, wrong: &'w WrongColumns) -> Self {
        let left = match from {
            Tree::List(items) => MembersLeft::InOrder(items.into_iter()),
            Tree::Object(members) => MembersLeft::Named(members, 0),
            _ => {
                wrong.note();
                MembersLeft::Named(Vec::new(), 0)
            }
        };
        Members { left, wrong }
    }

    /// A column that an object must have.
    pub fn column<T: Column>(&mut self, name: &'static str) -> T {
        let value = self.take(name).unwrap_or_else(|| {
            self.wrong.note();
            Tree::Null
        });
        T::read(value, self.wrong)
    }

    /// A column that may be absent or null.
    pub fn optional<T: Column + Default>(&mut self, name: &'static str) -> T {
        let value = self.take(name).unwrap_or(Tree::Null);
        Option::<T>::read(value, self.wrong).unwrap_or_default()
    }

    /// Whether an object has the member, or a list one more item.
    pub fn has(&self, name: &str) -> bool {
        match &self.left {
            MembersLeft::Named(left, _) => left.iter().any(|(known, _)| known == name),
            MembersLeft::InOrder(items) => items.len() > 0,
        }
    }

    /// Checks that a list has no further items.
    pub fn end(self) {
        if let MembersLeft::InOrder(mut items) = self.left
            && items.next().is_some()
        {
            self.wrong.note();
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Tree<'a>> {
        self.wrong.column.set(name);
        let (left, next) = match &mut self.left {
            MembersLeft::InOrder(items) => return Some(items.next().unwrap_or(Tree::Null)),
            MembersLeft::Named(left, next) => (left, next),
        };
        let is_next = left.get(*next).is_some_and(|(known, _)| known == name);
        let at = if is_next { Some(*next) } else { left.iter().position(|(known, _)| known == name) };
        let found = at.and_then(|at| {
            *next = at + 1;
            left.get_mut(at)
        });
        found.map(|(_, value)| std::mem::replace(value, Tree::Null))
    }
}

impl<'a> Tree<'a> {
    /// Returns the position in `known` of an object's only member, and its value.
    pub fn variant(self, known: &[&str], wrong: &WrongColumns) -> (usize, Tree<'a>) {
        let only = if let Tree::Object(mut members) = self { members.pop() } else { None };
        let found = only.and_then(|(name, value)| Some((known.iter().position(|known| *known == name)?, value)));
        found.unwrap_or_else(|| {
            wrong.note();
            (0, Tree::Null)
        })
    }

    fn items(self, wrong: &WrongColumns) -> std::vec::IntoIter<Tree<'a>> {
        let Tree::List(items) = self else {
            wrong.note();
            return Vec::new().into_iter();
        };
        items.into_iter()
    }

    /// The value of an object's only member.
    fn only(self) -> Tree<'a> {
        match self {
            Tree::Object(mut members) if members.len() == 1 => members.pop().map_or(Tree::Null, |(_, value)| value),
            // an object fits no column, so a statement with several is an error
            other => other,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Tree::Null)
    }
}

impl<T: Column> Column for Option<T> {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Option<T> {
        if from.is_null() { None } else { Some(T::read(from, wrong)) }
    }

    fn read_row(from: Tree<'_>, wrong: &WrongColumns) -> Option<T> {
        Self::read(from.only(), wrong)
    }
}

impl<T: Column> Column for Box<T> {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Box<T> {
        Box::new(T::read(from, wrong))
    }
}

impl<T: Column> Column for Vec<T> {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Vec<T> {
        if let Tree::Text(text) = &from {
            return read_text(text, wrong);
        }
        from.items(wrong).map(|item| T::read(item, wrong)).collect()
    }

    fn read_row(from: Tree<'_>, wrong: &WrongColumns) -> Vec<T> {
        Self::read(from.only(), wrong)
    }
}

impl<T: Column + Ord> Column for BTreeSet<T> {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> BTreeSet<T> {
        if let Tree::Text(text) = &from {
            return read_text(text, wrong);
        }
        from.items(wrong).map(|item| T::read(item, wrong)).gather()
    }
}

macro_rules! tuples {
    ($($($part:ident)+;)+) => {$(
        impl<$($part: Column),+> Column for ($($part,)+) {
            fn read(from: Tree<'_>, wrong: &WrongColumns) -> Self {
                if let Tree::Text(text) = &from {
                    return read_text(text, wrong);
                }
                let mut items = from.items(wrong);
                ($($part::read(items.next().unwrap_or(Tree::Null), wrong),)+)
            }
        }
    )+};
}

tuples! { A B; A B C; }

macro_rules! values {
    ($($kind:ty: $($pattern:pat => $value:expr),+;)+) => {$(
        impl Column for $kind {
            fn read(from: Tree<'_>, wrong: &WrongColumns) -> $kind {
                match from {
                    $($pattern => $value,)+
                    _ => {
                        wrong.note();
                        Default::default()
                    }
                }
            }

            fn read_row(from: Tree<'_>, wrong: &WrongColumns) -> $kind {
                Self::read(from.only(), wrong)
            }
        }
    )+};
}

values! {
    i64: Tree::Int(number) => number;
    f64: Tree::Int(number) => number as f64, Tree::Real(number) => number;
    String: Tree::Text(text) => text.into_owned();
    // SQLite has 0 and 1 for booleans
    bool: Tree::Truth(truth) => truth, Tree::Int(number) => number != 0;
}

impl Column for u64 {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> u64 {
        i64::read(from, wrong).max(0) as u64
    }
}

impl Column for i32 {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> i32 {
        i64::read(from, wrong) as i32
    }
}
