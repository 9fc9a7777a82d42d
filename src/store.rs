//! Storage as the service sees it: statements in one atomic batch, rows as JSON texts, and what that cost.

mod failure;
mod near;
mod objects;
mod reading;
mod row;
mod tree;

use crate::rate::{Limit, Memory};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

pub use edgeforge_row::Row;
pub use failure::{Failure, Later};
pub use objects::{OBJECTS_OF_A_PAGE, Objects};
pub use reading::{Reading, is_bookmark};
pub(crate) use row::decode;
pub use row::{Column, Members, Row, Wrong, read_text};
pub use tree::Tree;

/// A value bound to a statement. D1 binds every number as REAL: `cast(?n as integer)` where that would show.
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

/// What a statement begins with (`sql.rs`), and so which binds come before its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    None,
    Project,
    Group,
    Caller,
}

/// One SQL statement and its binds. A row is read by the names of its columns, or is the one column `row`, a JSON text.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub sql: Cow<'static, str>,
    pub binds: Vec<Value>,
    /// The module and the name of a statement of a `.sql` file.
    pub name: &'static str,
    /// What it begins with, whose binds come before its own.
    pub scope: Scope,
}

/// Statements for one round trip, in order.
#[derive(Debug, Clone, Default)]
pub struct Batch(pub Vec<Statement>);

impl From<Statement> for Batch {
    fn from(statement: Statement) -> Batch {
        Batch(vec![statement])
    }
}

impl From<Vec<Statement>> for Batch {
    fn from(statements: Vec<Statement>) -> Batch {
        Batch(statements)
    }
}

impl<const N: usize> From<[Statement; N]> for Batch {
    fn from(statements: [Statement; N]) -> Batch {
        Batch(statements.into())
    }
}

/// What the backend gives back for one statement.
#[derive(Debug, Default, Clone)]
pub struct Answer {
    /// Each row as a JSON text.
    pub rows: Vec<String>,
    pub rows_read: u64,
    pub rows_written: u64,
    /// Milliseconds as the database measured them.
    pub millis: f64,
}

/// What the backend gives back for a batch.
#[derive(Debug, Default)]
pub struct Done {
    pub answers: Vec<Answer>,
    /// The state that was read or left, where the batch was not for the primary alone.
    pub bookmark: Option<String>,
}

/// What the service asks of its surroundings. No wider than D1 and KV promise.
pub trait Backend {
    /// Runs the statements in order as one transaction and one round trip, on a copy of the database that `reading` allows.
    fn batch(&self, statements: Vec<Statement>, reading: Reading) -> Later<'_, Done>;
    /// Counts one more of what is limited, and says whether that is within the limit.
    fn count<'a>(&'a self, _: Limit, _: &'a str) -> Pin<Box<dyn Future<Output = bool> + 'a>> {
        Box::pin(std::future::ready(true))
    }
    /// Lets something look at what this instance saw, and change it.
    fn remember(&self, _: &mut dyn FnMut(&mut Memory)) {}
    /// Waits that many milliseconds.
    fn pause(&self, millis: u64) -> Pin<Box<dyn Future<Output = ()> + '_>>;
    /// A blob's text; none if there is no such key.
    fn read_blob<'a>(&'a self, key: &'a str) -> Later<'a, Option<Rc<str>>>;
    /// Where long diffs lie; none: in the database, like all else.
    fn objects(&self) -> Option<&dyn Objects> {
        None
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    #[serde(rename = "d1_trips")]
    pub trips: u32,
    #[serde(rename = "d1_rows_read")]
    pub rows_read: u64,
    /// Of these, what was read to count the total of a list.
    #[serde(rename = "d1_rows_counted")]
    pub rows_counted: u64,
    #[serde(rename = "d1_rows_written")]
    pub rows_written: u64,
    #[serde(rename = "d1_ms")]
    pub millis: f64,
}

/// The backend during one request, keeping account of its cost.
pub struct Store<'a> {
    backend: &'a dyn Backend,
    cost: Cell<Cost>,
    /// Where batches go.
    reading: RefCell<Reading>,
    /// The newest state that a batch read or left.
    bookmark: RefCell<Option<String>>,
    /// Random, so that those whom one failure hit do not all come back at once.
    jitter: u8,
}

impl<'a> Store<'a> {
    pub fn new(backend: &'a dyn Backend, jitter: u8) -> Self {
        Store {
            backend,
            cost: Cell::default(),
            reading: RefCell::default(),
            bookmark: RefCell::default(),
            jitter,
        }
    }

    /// [`Backend::objects`]
    pub fn objects(&self) -> Option<&'a dyn Objects> {
        let backend: &'a dyn Backend = self.backend;
        backend.objects()
    }

    pub fn cost(&self) -> Cost {
        self.cost.get()
    }

    /// Tells how many of the rows read were read to count a total.
    pub fn note_counted(&self, rows: u64) {
        let mut cost = self.cost.get();
        cost.rows_counted += rows;
        self.cost.set(cost);
    }

    /// Runs one atomic round trip and never tries again: when the answer is lost, nobody knows whether it was done.
    pub async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, Failure> {
        let reading = self.reading.borrow().clone();
        self.batch_at(statements, reading).await
    }

    async fn batch_at(&self, statements: Vec<Statement>, reading: Reading) -> Result<Vec<Rows>, Failure> {
        // D1 refuses a batch of nothing
        if statements.is_empty() {
            return Ok(Vec::new());
        }
        let mut cost = self.cost.get();
        cost.trips += 1;
        self.cost.set(cost);
        let Done { answers, bookmark } = self.backend.batch(statements, reading).await?;
        if let Some(bookmark) = bookmark {
            // what a request reads next is not older than what it has read
            if self.is_away() {
                self.turn_to(Reading::AtLeast(bookmark.clone()));
            }
            self.bookmark.replace(Some(bookmark));
        }
        let mut cost = self.cost.get();
        for answer in &answers {
            cost.rows_read += answer.rows_read;
            cost.rows_written += answer.rows_written;
            cost.millis += answer.millis;
        }
        self.cost.set(cost);
        Ok(answers.into_iter().map(|answer| Rows(answer.rows)).collect())
    }

    /// Runs a batch that is harmless when it is done twice, and answers the same. If the database went away, the batch is
    /// tried once more after a short wait.
    pub async fn repeat(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, Failure> {
        match self.batch(statements.clone()).await {
            Err(Failure::Interrupted(_)) => {
                self.backend.pause(50 + u64::from(self.jitter)).await;
                self.batch(statements).await
            }
            outcome => outcome,
        }
    }

    /// Runs a batch of one statement and never tries again.
    pub async fn run(&self, statement: impl Into<Statement>) -> Result<Rows, Failure> {
        Ok(self.batch(vec![statement.into()]).await?.pop().unwrap_or_default())
    }

    /// Runs a batch of one statement that reads, or is harmless when it is done twice.
    pub async fn ask(&self, statement: impl Into<Statement>) -> Result<Rows, Failure> {
        Ok(self.repeat(vec![statement.into()]).await?.pop().unwrap_or_default())
    }

    /// [`Backend::count`]
    pub async fn count(&self, limit: Limit, key: &str) -> bool {
        self.backend.count(limit, key).await
    }

    /// [`Backend::remember`]
    pub fn remember(&self, look: &mut dyn FnMut(&mut Memory)) {
        self.backend.remember(look);
    }

    pub async fn read_blob(&self, key: &str) -> Result<Option<Rc<str>>, Failure> {
        self.backend.read_blob(key).await
    }
}

#[derive(Debug, Default, Clone)]
pub struct Rows(pub Vec<String>);

impl Rows {
    /// Every row as a `T`.
    pub fn all<T: Column>(&self) -> Result<Vec<T>, Failure> {
        self.0.iter().map(|row| decode(row)).collect()
    }

    /// The first row as a `T`, if there is one.
    pub fn first<T: Column>(&self) -> Result<Option<T>, Failure> {
        self.0.first().map(|row| decode(row)).transpose()
    }

    /// Takes the first row off.
    pub fn shift<T: Column>(&mut self) -> Result<Option<T>, Failure> {
        if self.0.is_empty() { Ok(None) } else { decode(&self.0.remove(0)).map(Some) }
    }

    pub fn drop_first(&mut self) {
        self.0.drain(..self.0.len().min(1));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
