//! A batch is one call out of wasm and its answers are one string, because each value that crosses costs microseconds.
//! Its first two statements are sent as one where they can be: a statement takes D1 and its client 0.04 of the 0.9 ms of a
//! small request.

use super::error::message;
use crate::kernel::sql;
use crate::kernel::store::{Answer, BatchResult, Failure, Reading, Statement, Value};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
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
    /// Unions of two constants, by their addresses: one for each statement that begins a read.
    static UNIONS: RefCell<HashMap<[usize; 2], &'static str>> = RefCell::default();
}

/// The first two statements as one: that which authorizes, of one row, and the first of the route. None unless both are
/// constants with rows of one column, and the binds of the second begin with those of the first.
fn union_of(statements: &[Statement]) -> Option<SentStatement<'_>> {
    let [first, second, ..] = statements else { return None };
    let (Cow::Borrowed(one), Cow::Borrowed(other)) = (&first.sql, &second.sql) else { return None };
    // it alone is sure to have one row
    if !first.name.starts_with("call::gate::") || !second.binds.starts_with(&first.binds) {
        return None;
    }
    let key = [one, other].map(|text| text.as_ptr() as usize);
    if let Some(known) = UNIONS.with_borrow(|unions| unions.get(&key).copied()) {
        return Some(SentStatement::constant(known, &second.binds));
    }
    let text: &'static str = Box::leak(sql::union_of(one, other)?.into_boxed_str());
    UNIONS.with_borrow_mut(|unions| unions.insert(key, text));
    Some(SentStatement::constant(text, &second.binds))
}

/// Key, text and binds.
#[derive(Serialize)]
struct SentStatement<'a>(Option<u64>, Option<&'a str>, &'a [Value]);

impl SentStatement<'_> {
    fn new(statement: &Statement) -> SentStatement<'_> {
        match statement.sql {
            Cow::Borrowed(text) => SentStatement::constant(text, &statement.binds),
            Cow::Owned(ref text) => SentStatement(None, Some(text), &statement.binds),
        }
    }

    fn constant<'a>(text: &'static str, binds: &'a [Value]) -> SentStatement<'a> {
        // address and length identify a constant, and fit a number of JavaScript
        let key = ((text.as_ptr() as u64) << 20) | text.len() as u64;
        let is_new = SENT.with_borrow_mut(|sent| sent.insert(key));
        SentStatement(Some(key), is_new.then_some(text), binds)
    }
}

impl Database {
    pub async fn run(&self, statements: &[Statement], reading: &Reading) -> Result<BatchResult, Failure> {
        let union = union_of(statements);
        let is_union = union.is_some();
        let rest = if is_union { statements.get(2..).unwrap_or_default() } else { statements };
        let statements: Vec<SentStatement> = union.into_iter().chain(rest.iter().map(SentStatement::new)).collect();
        let statements = serde_json::to_string(&statements).map_err(|error| Failure::Other(error.to_string()))?;
        let failure = |error| Failure::from_d1(&message(&error));
        let promise = batch(self, reading.constraint(), &statements).map_err(failure)?;
        let answers = JsFuture::from(promise).await.map_err(failure)?.as_string().unwrap_or_default();
        let mut answers = answers.split('\x01');
        let bookmark = answers.next().filter(|bookmark| !bookmark.is_empty()).map(str::to_owned);
        let mut answers: Vec<Answer> = answers.map(answer).collect();
        if is_union && let Some(both) = answers.first_mut() {
            let rows = both.rows.split_off(both.rows.len().min(1));
            answers.insert(1, Answer { rows, ..Answer::default() });
        }
        Ok(BatchResult { answers, bookmark })
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
