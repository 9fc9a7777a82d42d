//! Access to the database: atomic batches of statements, rows as JSON texts, and the cost of a request.

mod failure;
mod growing;
mod near;
mod objects;
mod outgoing;
mod query;
mod reading;
mod row;
mod statement;
mod tree;

use crate::kernel::limits::rate::{Limit, Memory};
use crate::kernel::limits::spending::Work;
use futures_util::future::{Either, select};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;

pub use edgeforge_row::Row;
pub use failure::{Failure, StoreFuture, UNMIGRATED};
pub use growing::GrowingObject;
pub use objects::{OBJECTS_OF_A_PAGE, Objects, PART, PackedObject, Piece, Span, Upload};
pub use outgoing::{AnswerFuture, OutgoingRequest, RemoteAnswer, VerdictFuture};
pub use query::{Answers, PreparedQuery, Query};
pub use reading::{Reading, is_bookmark};
pub(crate) use row::decode;
pub use row::{Column, Members, Row, WrongColumns, read_text};
pub use statement::{Rows, Scope, Statement, Value};
pub use tree::Tree;

/// The rows of one statement as JSON texts, and what they cost.
#[derive(Debug, Default, Clone)]
pub struct Answer {
    pub rows: Vec<String>,
    pub rows_read: u64,
    pub rows_written: u64,
    /// Milliseconds, measured by the database.
    pub millis: f64,
}

#[derive(Debug, Default)]
pub struct BatchResult {
    pub answers: Vec<Answer>,
    /// The state of the database after the batch. None for [`Reading::Primary`].
    pub bookmark: Option<String>,
}

/// The seam to the platform: D1, KV, R2, rate limits and requests to other servers. It promises no more than these do.
pub trait Backend {
    fn batch(&self, statements: Vec<Statement>, reading: Reading) -> StoreFuture<'_, BatchResult>;
    /// Counts one more, and returns whether the count is within the limit.
    fn count<'a>(&'a self, _: Limit, _: &'a str) -> Pin<Box<dyn Future<Output = bool> + 'a>> {
        Box::pin(std::future::ready(true))
    }
    /// Lets `look` read and change what this instance remembers.
    fn remember(&self, _: &mut dyn FnMut(&mut Memory)) {}
    /// Milliseconds. It advances only while the Worker waits for an answer.
    fn clock(&self) -> f64 {
        0.0
    }
    fn pause(&self, millis: u64) -> Pin<Box<dyn Future<Output = ()> + '_>>;
    fn read_blob<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Rc<str>>>;
    /// Whether the store has this blob now. Does not read the cache.
    fn has_blob<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move { Ok(self.read_blob(key).await?.is_some()) })
    }
    /// Sends a request to another server. The error says why there is no answer.
    fn send(&self, _: OutgoingRequest) -> AnswerFuture<'_> {
        Box::pin(std::future::ready(Err("this server sends nothing".to_owned())))
    }
    /// Gets a document of another server, and at least `most` bytes and one of a longer one. `is_fresh`: no cache may answer.
    fn fetch<'a>(&'a self, address: &'a str, most: usize, is_fresh: bool) -> AnswerFuture<'a>;
    /// Whether the text was signed (RS256) by the RSA key with this modulus, in base64url, and the exponent 65,537.
    fn has_signed<'a>(&'a self, modulus: &'a str, text: &'a str, signature: &'a [u8]) -> VerdictFuture<'a>;
    /// The store of long diffs and of contents. None if diffs are in the database, and contents are not kept.
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
    /// Rows that were read to count the total of a list. `rows_read` includes them.
    #[serde(rename = "d1_rows_counted")]
    pub rows_counted: u64,
    #[serde(rename = "d1_rows_written")]
    pub rows_written: u64,
    #[serde(rename = "d1_ms")]
    pub millis: f64,
    /// Estimated milliseconds of [`Work`].
    #[serde(rename = "work_ms")]
    pub work: f64,
}

pub struct Store<'a> {
    backend: &'a dyn Backend,
    cost: Cell<Cost>,
    reading: RefCell<Reading>,
    /// The newest state that a batch read or left.
    bookmark: RefCell<Option<String>>,
    /// Whether a batch has written an event for hooks.
    has_events: Cell<bool>,
    /// Random, so that clients hit by the same failure do not all retry at once.
    jitter: u8,
}

/// Asks the platform directly for what is not counted. [`Store::batch`] hides that of the platform.
impl<'a> Deref for Store<'a> {
    type Target = dyn Backend + 'a;

    fn deref(&self) -> &Self::Target {
        self.backend
    }
}

impl<'a> Store<'a> {
    pub fn new(backend: &'a dyn Backend, jitter: u8) -> Self {
        Store {
            backend,
            cost: Cell::default(),
            reading: RefCell::default(),
            bookmark: RefCell::default(),
            has_events: Cell::default(),
            jitter,
        }
    }

    pub fn objects(&self) -> Option<&'a dyn Objects> {
        let backend: &'a dyn Backend = self.backend;
        backend.objects()
    }

    /// Fails if the outcome takes longer than so many milliseconds.
    pub async fn within<T>(&self, millis: u64, outcome: StoreFuture<'_, T>) -> Result<T, Failure> {
        match select(outcome, self.backend.pause(millis)).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right(_) => Err(Failure::Interrupted(format!("no answer within {millis} ms"))),
        }
    }

    pub fn cost(&self) -> Cost {
        self.cost.get()
    }

    /// Whether a batch has written an event for hooks.
    pub fn has_events(&self) -> bool {
        self.has_events.get()
    }

    pub fn note_counted(&self, rows: u64) {
        self.note(|cost| cost.rows_counted += rows);
    }

    /// Adds work of the Worker.
    pub fn work(&self, work: Work) {
        self.note(|cost| cost.work += work.millis());
    }

    fn note(&self, change: impl FnOnce(&mut Cost)) {
        let mut cost = self.cost.get();
        change(&mut cost);
        self.cost.set(cost);
    }

    /// Runs one atomic round trip without a retry: if the answer is lost, the batch may have been written.
    pub async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, Failure> {
        let reading = self.reading.borrow().clone();
        self.batch_at(statements, reading).await
    }

    async fn batch_at(&self, statements: Vec<Statement>, reading: Reading) -> Result<Vec<Rows>, Failure> {
        // D1 refuses an empty batch
        if statements.is_empty() {
            return Ok(Vec::new());
        }
        self.note(|cost| cost.trips += 1);
        let began = self.backend.clock();
        let events: Vec<bool> = statements.iter().map(|statement| statement.writes_events).collect();
        let outcome = self.backend.batch(statements, reading).await;
        // the database reports no cost of a batch that fails, so the clock measures it; an outage counts for no caller
        if let Err(Failure::Constraint(_)) = &outcome {
            self.note(|cost| cost.millis += self.backend.clock() - began);
        }
        let BatchResult { answers, bookmark } = outcome?;
        if let Some(bookmark) = bookmark {
            // later reads must not see an older state
            if self.is_away() {
                self.turn_to(Reading::AtLeast(bookmark.clone()));
            }
            self.bookmark.replace(Some(bookmark));
        }
        if events.iter().zip(&answers).any(|(is_event, answer)| *is_event && answer.rows_written > 0) {
            self.has_events.set(true);
        }
        self.note(|cost| {
            for answer in &answers {
                cost.rows_read += answer.rows_read;
                cost.rows_written += answer.rows_written;
                cost.millis += answer.millis;
                let bytes: usize = answer.rows.iter().map(String::len).sum();
                cost.work += Work::Bytes(bytes as u64).millis();
            }
        });
        Ok(answers.into_iter().map(|answer| Rows(answer.rows)).collect())
    }

    /// Runs a batch that is safe to repeat, and retries it once if the database was interrupted.
    pub async fn repeat(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, Failure> {
        match self.batch(statements.clone()).await {
            Err(Failure::Interrupted(_)) => {
                self.backend.pause(50 + u64::from(self.jitter)).await;
                self.batch(statements).await
            }
            outcome => outcome,
        }
    }

    /// Runs a query without a retry.
    pub async fn run<Q: Query>(&self, query: Q) -> Result<Q::Answer, Failure> {
        let mut batch = Vec::new();
        let sent = query.add_to(&mut batch);
        Q::read(sent, &mut self.batch(batch).await?.into())
    }

    /// Runs a query that is safe to repeat.
    pub async fn ask<Q: Query>(&self, query: Q) -> Result<Q::Answer, Failure> {
        let mut batch = Vec::new();
        let sent = query.add_to(&mut batch);
        Q::read(sent, &mut self.repeat(batch).await?.into())
    }
}
