//! Writing in one round trip: authorization and the statements that write go to the database together. Each statement begins with
//! `scope`, which has no row where the caller may not, so what is refused writes nothing.

use super::idempotency::{self, again, kept_answers};
use super::key::Key;
use super::quota::sql;
use super::{Call, Entry, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::store::{Batch, Column, Statement};
use serde::Serialize;

/// What a request writes, in a project.
#[derive(Default)]
pub struct Change {
    /// Each in the scope of the route. The row of the last one that has one is what the answer is made of. A step that inserts an
    /// expectation which does not hold ends the batch. No steps: it is refused anyway, and `query` asks why.
    pub steps: Vec<Statement>,
    pub keep: Option<Statement>,
    pub key: Option<Key>,
    /// Whether it counts among what the caller writes in an hour.
    pub is_counted: bool,
    /// Asked where an expectation did not hold: what is to be known for the refusal.
    pub query: Option<Statement>,
}

/// What was written, now or by the first of these requests.
pub struct Committed<T> {
    pub row: T,
    pub links: Links,
    again: bool,
}

impl<T> Committed<T> {
    pub fn reply<B: Serialize>(self, status: u16, body: impl FnOnce(T, &Links) -> B) -> Reply {
        let reply = Reply::json(status, &body(self.row, &self.links));
        if self.again { again(reply) } else { reply }
    }
}

impl Call<'_> {
    /// 401, then 404, then 403, then the change's own error: else it is written. Where an expectation of the steps did not hold,
    /// a second round trip asks why: `refusal` is given the rows of `query` and says what is wrong.
    pub async fn commit<T: Column>(
        &self,
        change: Result<Change>,
        refusal: impl FnOnce(&Entry) -> Result<Error>,
    ) -> Result<Committed<T>> {
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
        // with a key it is done once, however often it is sent
        match self.enter_gate(Some(self.batch_of(change)), key.is_some()).await {
            Ok(mut entry) => {
                entry.more.insert(0, entry.rows);
                let last = entry.more.iter().rev().find(|rows| !rows.is_empty());
                let row = last
                    .map(|rows| rows.first())
                    .transpose()?
                    .flatten()
                    .ok_or_else(|| Error::Internal("it was not written".to_owned()))?;
                Ok(Committed { row, links: entry.links, again: false })
            }
            Err(Error::Expectation) => self.explain(key, query, refusal).await,
            Err(error) => Err(self.in_this_hour(error)),
        }
    }

    fn batch_of(&self, change: Change) -> Batch {
        let Change { steps, keep, key, is_counted, .. } = change;
        let most = self.config.quotas.hourly_writes;
        let unused = key.map(|key| kept_answers::expect_unused { key: key.hash }.into());
        let count = (is_counted && most > 0).then(|| sql::count_write { most }.into());
        Batch(unused.into_iter().chain(steps).chain(count).chain(keep).collect())
    }

    /// The first answer to this key, or the refusal.
    async fn explain<T: Column>(
        &self,
        key: Option<Key>,
        query: Option<Statement>,
        refusal: impl FnOnce(&Entry) -> Result<Error>,
    ) -> Result<Committed<T>> {
        let kept = key.as_ref().map(|key| kept_answers::kept { key: key.hash.as_str() }.into());
        let asked = kept.into_iter().chain(query).collect();
        let mut entry = self.enter_gate(Some(Batch(asked)), true).await?;
        if key.is_some() {
            let kept = std::mem::take(&mut entry.rows);
            if let Some(kept) = idempotency::read(key.as_ref(), &[kept])? {
                let (row, links) = kept.read()?;
                return Ok(Committed { row, links, again: true });
            }
            entry.rows = entry.more.pop().unwrap_or_default();
        }
        Err(refusal(&entry)?)
    }
}
