//! Writes in one round trip: a batch of the authorization query and the steps that write. Each step begins
//! with `scope`, which has no row if the caller may not write, so an unauthorized request writes nothing.

use super::idempotency::{self, StoredAnswer, again, kept_answers};
use super::key::Key;
use super::{Call, Entry, Links, writes};
use crate::kernel::error::{Error, Full, Result};
use crate::kernel::http::Reply;
use crate::kernel::store::{Column, Query, Rows, Statement};
use serde::Serialize;

pub struct Change<Q> {
    /// In the scope of the route. The answer is made of the last row that a step returns. Without such a row the
    /// request is refused, and `query` returns the reason.
    pub steps: Vec<Statement>,
    /// Stores the row of the answer under `key`.
    pub keep: Option<Statement>,
    pub key: Option<Key>,
    /// Whether each step makes the project longer, and an expectation has the piece `leaves_room`.
    pub only_adds: bool,
    /// Returns the reason for a failed expectation, or for no row.
    pub query: Q,
}

impl<Q> Change<Q> {
    /// A change without an `Idempotency-Key`.
    pub fn new(steps: Vec<Statement>, query: Q) -> Change<Q> {
        Change { steps, keep: None, key: None, only_adds: false, query }
    }
}

/// The written row, or the row of the first request with the same key.
pub struct WrittenRow<T> {
    pub row: T,
    pub links: Links,
    again: bool,
}

impl<T: Column> WrittenRow<T> {
    /// The row of a kept answer.
    pub fn kept(kept: StoredAnswer) -> Result<WrittenRow<T>> {
        let (row, links) = kept.read()?;
        Ok(WrittenRow { row, links, again: true })
    }
}

impl<T> WrittenRow<T> {
    pub fn reply<B: Serialize>(self, status: u16, body: impl FnOnce(T, &Links) -> B) -> Reply {
        let reply = Reply::json(status, &body(self.row, &self.links));
        if self.again { again(reply) } else { reply }
    }
}

impl Call<'_> {
    /// Errors take precedence in this order: 401, 404, 403, the error of `change`. If an expectation fails or
    /// no step returns a row, a second round trip runs `query`, and `refusal` makes the error from its answer.
    pub async fn commit<T: Column, Q: Query>(
        &self,
        change: Result<Change<Q>>,
        refusal: impl FnOnce(&Entry, Q::Answer) -> Result<Error>,
    ) -> Result<WrittenRow<T>> {
        let Change { steps, keep, key, only_adds, query } = match change {
            Ok(change) => change,
            Err(error) => {
                self.enter_gate(None, true).await?;
                return Err(error);
            }
        };
        if !steps.is_empty() {
            let unused = key.as_ref().map(|key| kept_answers::expect_unused { key: key.hash.as_str() }.into());
            let (mark, unmark) = self.silence().unzip();
            let (quotas, end) = self.quotas_of(only_adds);
            let before = unused.into_iter().chain(quotas).chain(mark);
            let batch = before.chain(steps).chain(keep).chain(unmark).chain(end).chain(self.audit_of_sudo()).collect();
            // safe to repeat with a key, which allows one write
            match self.enter_gate(Some(batch), key.is_some()).await {
                Ok((entry, answers)) => {
                    if let Some(row) = answers.last_rows().first()? {
                        return Ok(WrittenRow { row, links: entry.links, again: false });
                    }
                }
                Err(Error::Expectation) => {}
                Err(error) => return Err(error),
            }
        }
        let kept = key.as_ref().map(|key| kept_answers::kept { key: key.hash.as_str() });
        let full = only_adds.then_some(writes::sql::full_for_caller {});
        let (entry, (kept, full, answer)) = self.authorize_first((kept, full, query)).await?;
        match idempotency::read(key.as_ref(), kept.as_ref())? {
            Some(kept) => WrittenRow::kept(kept),
            None => Err(match refusal(&entry, answer)? {
                Error::Expectation if full.is_some_and(|rows: Rows| !rows.is_empty()) => Error::Full(Full::ForOthers),
                error => error,
            }),
        }
    }
}
