//! Writing in one trip: the authorization's query and the statements that write go to the database together, and those that
//! write do so only where the caller may (`if_allowed!`). Whether they may is judged twice, by the statements and by the
//! code here, from the same rows: what was refused has written nothing.

use super::authorization::{PROJECT, Repeat};
use super::idempotency::{self, again};
use super::key::Key;
use super::{Call, Entered, Links, scope};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::policy::Action;
use crate::store::{Column, Rows, Statement};
use serde::Serialize;

/// The statements of a write, each behind a head of `scope`.
pub struct Plan {
    /// The authorization, and what is to be known for a refusal.
    pub query: Statement,
    /// None: the request is refused anyway. The last one's row is what the answer is made of.
    pub steps: Vec<Statement>,
    /// Counts it among what the caller writes in an hour.
    pub count: Option<Statement>,
    /// Keeps that row under the request's key.
    pub keep: Option<Statement>,
    pub key: Option<Key>,
}

impl Plan {
    /// The query, what was answered before, the steps, and the keeping.
    fn batch(self) -> Vec<Statement> {
        let kept = self.key.as_ref().map(|_| idempotency::kept());
        // what writes nothing leaves the key free
        let keep = self.keep.filter(|_| !self.steps.is_empty());
        [self.query].into_iter().chain(kept).chain(self.steps).chain(keep).collect()
    }

    /// The query alone.
    pub fn new(query: Statement) -> Plan {
        Plan { query, steps: Vec::new(), count: None, keep: None, key: None }
    }
}

/// What was written, now or by the first of these requests.
pub struct Written<T> {
    pub row: T,
    pub links: Links,
    again: bool,
}

impl<T> Written<T> {
    pub fn reply<B: Serialize>(self, status: u16, body: impl FnOnce(T, &Links) -> B) -> Reply {
        let reply = Reply::json(status, &body(self.row, &self.links));
        if self.again { again(reply) } else { reply }
    }
}

impl Call<'_> {
    /// 401, then 404, then 403, then the plan's own error, then what `check` says: else it is written.
    pub async fn write<T: Column>(
        &self,
        project: &str,
        action: Action,
        plan: Result<Plan>,
        check: impl FnOnce(&mut Entered) -> Result<()>,
    ) -> Result<Written<T>> {
        let key = plan.as_ref().ok().and_then(|plan| plan.key.clone());
        let most = self.config.quotas.hourly_writes;
        let plan = plan.map(|mut plan| {
            if let (Some(count), 1.., false) = (plan.count.take(), most, plan.steps.is_empty()) {
                plan.steps.insert(0, count);
            }
            plan
        });
        let last = plan.as_ref().map_or(0, |plan| plan.steps.len());
        let resource = [scope::reference(project), scope::needs(action, self.reads(), key.as_ref(), most)];
        // with a key it is done once, however often it is sent
        let repeat = if key.is_some() { Repeat::Harmless } else { Repeat::Doubles };
        let (batch, error) = plan.map_or_else(|error| (None, Some(error)), |plan| (Some(plan.batch()), None));
        let (mut entered, answers) = self
            .enter_to_write(PROJECT, action, resource, batch, repeat)
            .await
            .map_err(|error| self.in_this_hour(error))?;
        error.map_or(Ok(()), Err)?;
        if let Some(kept) = idempotency::read(key.as_ref(), &answers)? {
            let (row, links) = kept.read()?;
            return Ok(Written { row, links, again: true });
        }
        check(&mut entered)?;
        let at = last + usize::from(key.is_some());
        let row = at.checked_sub(1).and_then(|at| answers.get(at)).map(Rows::first).transpose()?.flatten();
        let row = row.ok_or_else(|| Error::Internal("it was not written".to_owned()))?;
        Ok(Written { row, links: entered.links, again: false })
    }
}
