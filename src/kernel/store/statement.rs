//! A statement as it is sent, and its rows as they come.

use super::failure::Failure;
use super::row::{Column, decode};
use serde::Serialize;
use std::borrow::Cow;

/// D1 binds every number as REAL. Write `cast(?n as integer)` where that matters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    Null,
    /// At most 2^53 in size.
    Int(i64),
    Real(f64),
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}
impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Int(i64::from(value))
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}
impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Value::Text(value.clone())
    }
}
impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// How a statement begins (`sql.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    None,
    Project,
    Group,
    Caller,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub sql: Cow<'static, str>,
    pub binds: Vec<Value>,
    /// Module and name of the statement.
    pub name: &'static str,
    /// Its binds are not in `binds` yet.
    pub scope: Scope,
    /// Whether it writes events for hooks.
    pub writes_events: bool,
}

/// JSON texts of the rows of one statement.
#[derive(Debug, Default, Clone)]
pub struct Rows(pub Vec<String>);

impl Rows {
    // compiled once, not in each handler that reads such rows
    #[inline(never)]
    pub fn all<T: Column>(&self) -> Result<Vec<T>, Failure> {
        self.0.iter().map(|row| decode(row)).collect()
    }

    #[inline(never)]
    pub fn first<T: Column>(&self) -> Result<Option<T>, Failure> {
        self.0.first().map(|row| decode(row)).transpose()
    }

    pub fn one<T: Column>(&self) -> Result<T, Failure> {
        self.first()?.ok_or_else(|| Failure::Other("a statement returned no row".to_owned()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
