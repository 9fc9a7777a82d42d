//! The statements of a posted status: one trip with that of authorization (behaviour 8.2).

use super::{StatusRow, named_branch, status_json};
use crate::call::Key;
use crate::call::sql::idempotency::{answer_json, replacing};
use crate::call::write::Plan;
use crate::call::{Links, if_allowed, in_project};
use crate::commits::sql::{abbreviation, commit_id};
use crate::person::{UserRow, user_by_id};
use crate::statuses::entity::Status;
use crate::statuses::input::{NewStatus, SKIPPED};
use crate::statuses::sql::posts::{moves_on, open_status, post};
use crate::store::{Row, Statement, Value, sql};

/// A stored status, and what its answer has beside it.
#[derive(Debug, Row)]
pub struct Posted {
    pub status: StatusRow,
    pub sha: String,
    pub author: UserRow,
}

impl Posted {
    pub fn shown(self, links: &Links) -> Status {
        Status::new(self.status, self.sha, self.author, links)
    }
}

/// The key of the post, if there is such a commit: `?7` and `?8` its name, `?9` ref, `?10` name of the job.
macro_rules! key {
    () => {
        concat!(
            "select s.project_id, c.id as commit_id, coalesce(?9, ",
            named_branch!("c.id", "s.project_id"),
            ", c.branch, '') as ref, ?10 as name, s.user_id
  from scope s cross join commits c on c.id = ",
            commit_id!("s.project_id")
        )
    };
}

/// A [`Posted`] of columns that stand alone or behind the alias `s`.
macro_rules! posted_json {
    ($s:literal, $user:literal) => {
        concat!(
            "json_object('status', json(",
            status_json!($s),
            "), 'sha', (select c.sha from commits c where c.id = ",
            $s,
            "commit_id), 'author', ",
            user_by_id!($user),
            ")"
        )
    };
}

/// What is to be known before: a row if there is such a commit.
#[derive(Debug, Row)]
pub struct Before {
    /// The state of the unfinished status, if it cannot become `?11`.
    pub refused: Option<String>,
    /// Whether the ref that was sent is no branch or tag, as when the push is still to come.
    pub ref_is_unknown: bool,
}

const BEFORE: &str = in_project!(
    "union all select json_object('refused', iif(",
    moves_on!(),
    ", null, o.state), 'ref_is_unknown', json(iif(?9 is not null and not exists (select 1 from refs r
    where r.project_id = t.project_id and r.name in (?9, 'refs/heads/' || ?9, 'refs/tags/' || ?9)), 'true', 'false'))) from (",
    key!(),
    ") t left join ",
    open_status!()
);

const POST: &str = if_allowed!("true"; post!(key!()), posted_json!("", "user_id"), " as v");

/// Takes the request's key, and notes which status the post is going to move on.
const TAKE_KEY: &str = if_allowed!("true";
    "insert into idempotency_keys (user_id, key, digest, record_id, created_at)
select t.user_id, (select ?6 ->> 3), ?13, o.id, ?4 from (",
    key!(),
    ") t left join ",
    open_status!(),
    " where ",
    moves_on!(),
    replacing!()
);

/// Keeps the answer under the key that this batch took.
const KEEP: &str = if_allowed!("true";
    "update idempotency_keys set answer = ",
    answer_json!(
        "?7",
        concat!(
            "select ",
            posted_json!("s.", "s.user_id"),
            " from statuses s where s.id = coalesce(record_id, last_insert_rowid())"
        )
    ),
    " where user_id = (select user_id from scope) and key = (select ?6 ->> 3) and answer is null"
);

/// A status to be posted.
pub struct Draft<'a> {
    pub sha: &'a str,
    pub new: &'a NewStatus,
    /// Whether an unfinished status' own state posted again is an error.
    pub repeat_is_refused: bool,
    pub base: &'a str,
}

impl Draft<'_> {
    /// Authorization alone, for what is refused anyway.
    pub fn query(&self) -> Plan {
        Plan::new(self.step(BEFORE, []))
    }

    pub fn plan(&self, key: Option<Key>) -> Plan {
        let NewStatus { target_url, description, coverage, .. } = self.new;
        let skipped = (self.new.state == SKIPPED).into();
        let coverage = coverage.map_or(Value::Null, Value::Real);
        let (target_url, description) = (target_url.as_deref().into(), description.as_deref().into());
        let mut plan = self.query();
        plan.steps.extend(key.as_ref().map(|key| self.step(TAKE_KEY, [key.digest.as_str().into()])));
        plan.steps
            .push(self.step(POST, [target_url, description, coverage, Value::Null, Value::Null, skipped]));
        plan.keep = key.as_ref().map(|_| sql!(KEEP, self.base));
        plan.key = key;
        plan
    }

    fn step<const N: usize>(&self, text: &'static str, own: [Value; N]) -> Statement {
        let NewStatus { git_ref, name, context, .. } = self.new;
        let state = self.new.stored_state();
        let name = name.as_deref().or(context.as_deref()).unwrap_or("default");
        let sha = (self.sha, abbreviation(self.sha));
        let mut statement = sql!(text, sha.0, sha.1, git_ref.as_deref(), name, state, self.repeat_is_refused);
        statement.binds.extend(own);
        statement
    }
}
