//! Writes in one round trip: a batch of the authorization query and the steps that write. Each step begins
//! with `scope`, which has no row if the caller may not write, so an unauthorized request writes nothing.

use super::idempotency::{self, again, kept_answers};
use super::key::Key;
use super::{Call, Entry, Links};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::store::{Batch, Column, Statement};
use serde::Serialize;

#[derive(Default)]
pub struct Change {
    /// In the scope of the route. The answer is made of the last row that a step returns. Without steps the
    /// request is refused, and `query` returns the reason.
    pub steps: Vec<Statement>,
    /// Stores the row of the answer under `key`.
    pub keep: Option<Statement>,
    pub key: Option<Key>,
    /// Returns the reason for a failed expectation.
    pub query: Option<Statement>,
}

/// The written row, or the row of the first request with the same key.
pub struct WrittenRow<T> {
    pub row: T,
    pub links: Links,
    again: bool,
}

impl<T> WrittenRow<T> {
    pub fn reply<B: Serialize>(self, status: u16, body: impl FnOnce(T, &Links) -> B) -> Reply {
        let reply = Reply::json(status, &body(self.row, &self.links));
        if self.again { again(reply) } else { reply }
    }
}

impl Call<'_> {
    /// Errors take precedence in this order: 401, 404, 403, the error of `change`. If an expectation fails, a
    /// second round trip runs `query`, and `refusal` makes the error from its rows.
    pub async fn commit<T: Column>(
        &self,
        change: Result<Change>,
        refusal: impl FnOnce(&Entry) -> Result<Error>,
    ) -> Result<WrittenRow<T>> {
        let change = match change {
            Ok(change) => change,
            Err(error) => {
                self.enter_gate(None, true).await?;
                return Err(error);
            }
        };
        let key = change.key.clone();
        let query = change.query.clone();
        if change.steps.is_empty() {
            return self.explain(key, query, refusal).await;
        }
        // safe to repeat with a key, which allows one write
        match self.enter_gate(Some(self.batch_of(change)), key.is_some()).await {
            Ok(mut entry) => {
                entry.more.insert(0, entry.rows);
                let last = entry.more.iter().rev().find(|rows| !rows.is_empty());
                let row =
                    last.map(|rows| rows.first()).transpose()?.flatten().ok_or_else(|| {
                        Error::Internal("no step returned the row of the answer".to_owned())
                    })?;
                Ok(WrittenRow { row, links: entry.links, again: false })
            }
            Err(Error::Expectation) => self.explain(key, query, refusal).await,
            Err(error) => Err(error),
        }
    }

    fn batch_of(&self, change: Change) -> Batch {
        let Change { steps, keep, key, .. } = change;
        let unused = key.map(|key| kept_answers::expect_unused { key: key.hash }.into());
        let (mark, unmark) = self.silence().unzip();
        let before = unused.into_iter().chain(self.quotas()).chain(mark);
        Batch(before.chain(steps).chain(keep).chain(unmark).collect())
    }

    /// Returns the kept answer of the key, or else the error.
    async fn explain<T: Column>(
        &self,
        key: Option<Key>,
        query: Option<Statement>,
        refusal: impl FnOnce(&Entry) -> Result<Error>,
    ) -> Result<WrittenRow<T>> {
        let kept = key.as_ref().map(|key| kept_answers::kept { key: key.hash.as_str() }.into());
        let asked = kept.into_iter().chain(query).collect();
        let mut entry = self.enter_gate(Some(Batch(asked)), true).await?;
        if key.is_some() {
            let kept = std::mem::take(&mut entry.rows);
            if let Some(kept) = idempotency::read(key.as_ref(), &[kept])? {
                let (row, links) = kept.read()?;
                return Ok(WrittenRow { row, links, again: true });
            }
            entry.rows = entry.more.pop().unwrap_or_default();
        }
        Err(refusal(&entry)?)
    }
}
