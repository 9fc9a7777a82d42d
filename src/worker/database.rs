//! A batch is one call out of wasm and its answers are one string, because each value that crosses costs microseconds.

use super::error::message;
use crate::kernel::store::{Answer, BatchResult, Failure, Reading, Statement, Value};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/worker/database.mjs")]
extern "C" {
    #[derive(Clone)]
    pub type Database;
    /// Returns the bookmark, then for each statement "milliseconds rows_read rows_written" and its rows.
    #[wasm_bindgen(catch)]
    fn batch(database: &Database, constraint: Option<&str>, statements: &str) -> Result<js_sys::Promise, JsValue>;
}

thread_local! {
    /// Keys of the texts that were sent to JavaScript: a few hundred constants of up to six thousand characters.
    static SENT: RefCell<HashSet<u64>> = RefCell::default();
}

/// Key, text and binds.
#[derive(Serialize)]
struct SentStatement<'a>(Option<u64>, Option<&'a str>, &'a [Value]);

impl SentStatement<'_> {
    fn new(statement: &Statement) -> SentStatement<'_> {
        let Cow::Borrowed(text) = statement.sql else {
            return SentStatement(None, Some(&statement.sql), &statement.binds);
        };
        // address and length identify a constant, and fit a number of JavaScript
        let key = ((text.as_ptr() as u64) << 20) | text.len() as u64;
        let is_new = SENT.with_borrow_mut(|sent| sent.insert(key));
        SentStatement(Some(key), is_new.then_some(text), &statement.binds)
    }
}

impl Database {
    pub async fn run(&self, statements: &[Statement], reading: &Reading) -> Result<BatchResult, Failure> {
        let statements: Vec<SentStatement> = statements.iter().map(SentStatement::new).collect();
        let statements = serde_json::to_string(&statements).map_err(|error| Failure::Other(error.to_string()))?;
        let failure = |error| Failure::from_d1(&message(&error));
        let promise = batch(self, reading.constraint(), &statements).map_err(failure)?;
        let answers = JsFuture::from(promise).await.map_err(failure)?.as_string().unwrap_or_default();
        let mut answers = answers.split('\x01');
        let bookmark = answers.next().filter(|bookmark| !bookmark.is_empty()).map(str::to_owned);
        Ok(BatchResult { answers: answers.map(answer).collect(), bookmark })
    }
}

fn answer(text: &str) -> Answer {
    let mut rows = text.split('\0').map(str::to_owned);
    let cost = rows.next().unwrap_or_default();
    let mut cost = cost.split(' ').map(|number| number.parse::<f64>().unwrap_or_default());
    let mut next = || cost.next().unwrap_or_default();
    let (millis, rows_read, rows_written) = (next(), next() as u64, next() as u64);
    Answer { rows: rows.collect(), rows_read, rows_written, millis }
}
