//! The statements of a new comment on an issue: one trip with that of authorization (behaviour 6.8).

use super::note_json;
use crate::call::Key;
use crate::call::sql::idempotency::{answer_json, replacing};
use crate::call::sql::quota::count_if_allowed;
use crate::call::write::Plan;
use crate::call::{if_allowed, in_project};
use crate::issues::mentions;
use crate::issues::sql::{IssueRef, issue_id, take_part, todo_mentioned};
use crate::notes::NewNote;
use crate::person::user_by_id;
use crate::policy::{self, Action};
use crate::store::{Statement, Value, sql};
use crate::time;
use serde_json::json;

/// The issue `?7` is in the project `$resource`, this caller sees it, and it holds.
///
/// Binds of all these: `?7` issue (an [`IssueRef`]), `?8` `[level that sees confidential ones, level that sets times, whether the time is one]`.
macro_rules! seen {
    ($resource:literal) => {
        concat!(
            "exists (select 1 from issues i where i.id = ",
            issue_id!("?7"),
            " and i.project_id = ",
            $resource,
            ".project_id and i.deleted_at is null
    and (i.confidential = 0 or ",
            $resource,
            ".access >= (select ?8 ->> 0) or ",
            $resource,
            ".user_id in (i.author_id, i.assignee_id))"
        )
    };
}

/// In a locked discussion members alone comment.
macro_rules! may_comment {
    ($resource:literal) => {
        concat!(seen!($resource), " and (", $resource, ".access > 0 or i.discussion_locked is not 1))")
    };
}

/// A row if there is such an issue: whether the caller may comment on it.
const BEFORE: &str =
    in_project!("union all select json_quote(", may_comment!("s"), ") from scope s where ", seen!("s"), ")");

/// Whether the comment is made.
macro_rules! if_made {
    ($($text:expr),+ $(,)?) => {
        if_allowed!(
            concat!("issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2)) and ", may_comment!("resource"));
            $($text),+
        )
    };
}

/// The issue's id, looked for only where the comment is made: else the cost would tell whether there is such an issue.
macro_rules! issue {
    () => {
        concat!("(select ", issue_id!("?7"), " from scope)")
    };
}

/// The comment that this batch made: the issue's newest.
macro_rules! made {
    () => {
        concat!("(select max(k.id) from notes k where k.issue_id = ", issue!(), ")")
    };
}

const COUNT: &str = if_made!(count_if_allowed!());

const INSERT: &str = if_made!(
    "insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
select s.project_id, ",
    issue_id!("?7"),
    ", s.user_id, ?9, coalesce(t.at, ?4), coalesce(t.at, ?4)
from scope s cross join (select iif(access >= (select ?8 ->> 1), ?10, null) as at from scope) t"
);

/// Its author takes part from now on.
const COMMENTER: &str = if_made!(
    "insert into participants (issue_id, user_id, note_id) select ",
    issue_id!("?7"),
    ", s.user_id, ",
    made!(),
    " from scope s where true on conflict do nothing"
);

/// What its author had to do about the issue is done.
const SETTLE_TODOS: &str = if_made!(
    "update todos set state = 'done', updated_at = ?4
where issue_id = ",
    issue!(),
    " and user_id = (select user_id from scope) and state = 'pending'"
);

const TAKE_PART: &str = if_made!(take_part!(issue!(), "?9", made!(), "?8 ->> 0"));

const TODO_MENTIONED: &str =
    if_made!(todo_mentioned!(issue!(), "?9", made!(), "(select user_id from scope)", "?4", "?8 ->> 0"));

macro_rules! result {
    () => {
        concat!("select ", note_json!(), " as v from notes n where n.id = ", made!())
    };
}

const RESULT: &str = if_made!(result!());

const KEEP: &str = if_made!(
    "insert into idempotency_keys (user_id, key, digest, answer, created_at)
select k.user_id, (select ?6 ->> 3), ?9, ",
    answer_json!("?10", result!()),
    ", ?4 from scope k where true",
    replacing!()
);

/// None: what was sent is refused anyway.
pub fn plan(issue: IssueRef, input: Option<&(NewNote, Option<Key>)>, base: &str) -> Plan {
    let created_at = input.and_then(|(new, _)| new.created_at.as_deref());
    let created_at = (created_at, created_at.and_then(time::read));
    let step = |text: &'static str, own: Vec<Value>| step(text, issue, created_at, own);
    let mut plan = Plan::new(step(BEFORE, Vec::new()));
    let Some((new, key)) = input else { return plan };
    plan.count = Some(step(COUNT, Vec::new()));
    plan.steps = vec![
        step(INSERT, vec![new.body.as_str().into(), created_at.1.into()]),
        step(COMMENTER, Vec::new()),
        step(SETTLE_TODOS, Vec::new()),
    ];
    let mentioned = mentions(&[&new.body]);
    if !mentioned.is_empty() {
        let names = Value::from(json!(mentioned).to_string());
        plan.steps.extend([TAKE_PART, TODO_MENTIONED].map(|text| step(text, vec![names.clone()])));
    }
    plan.steps.push(step(RESULT, Vec::new()));
    plan.keep = key.as_ref().map(|key| step(KEEP, vec![key.digest.as_str().into(), base.into()]));
    plan.key = key.clone();
    plan
}

fn step(
    text: &'static str,
    issue: IssueRef,
    (sent, created_at): (Option<&str>, Option<i64>),
    own: Vec<Value>,
) -> Statement {
    let (sees_hidden, _) = policy::least(Action::ReadConfidentialIssues);
    let (sets_times, _) = policy::least(Action::SetTimes);
    let is_time = sent.is_none() || created_at.is_some();
    let levels = json!([sees_hidden.level(), sets_times.level(), i64::from(is_time)]).to_string();
    let mut statement = sql!(text, issue, levels);
    statement.binds.extend(own);
    statement
}
