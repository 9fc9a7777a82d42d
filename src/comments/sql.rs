//! Rows and statements of comments on commits.

use super::lines::Anchor;
use crate::call::Key;
use crate::call::sql::idempotency::{answer_json, replacing};
use crate::call::write::Plan;
use crate::call::{if_allowed, in_project};
use crate::commits::sql::{abbreviation, commit_id};
use crate::page::{Page, bounded};
use crate::person::{UserRow, user_by_id};
use crate::store::{Row, Statement, sql};

#[derive(Debug, Row)]
pub struct CommentRow {
    pub id: i64,
    pub note: String,
    pub path: Option<String>,
    pub line: Option<i64>,
    pub line_type: Option<String>,
    pub created_at: i64,
    pub author: UserRow,
    pub author_created_at: i64,
}

/// A [`CommentRow`] of the alias `k`.
macro_rules! comment_json {
    () => {
        concat!(
            "json_array(k.id, k.note, k.path, k.line, k.line_type, k.created_at,
  ",
            user_by_id!("k.author_id"),
            ",
  (select u.created_at from users u where u.id = k.author_id))"
        )
    };
}

/// How many comments has the commit that `?7` names (no row: there is none; null: very many)? Then those of this page,
/// oldest first: after the id `?9`, `?10` passed over, `?11` at most.
const LIST: &str = bounded!(in_project!(
    "union all select v from (
  with target as materialized (select c.id from commits c where c.id = ",
    commit_id!(),
    ")
  select json_object('total', (select iif(count(*) > 10000, null, count(*)) from (
    select 1 from commit_comments k where k.commit_id = t.id limit 10001))) as v from target t
  union all
  select json_object('comment', json(",
    comment_json!(),
    ")) from (select k.* from target t cross join commit_comments k on k.commit_id = t.id
    where k.id > (select ?9) order by k.id limit (select ?11) offset (select ?10)) k)"
));

pub fn list(name: &str, page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST, name, abbreviation(name), after, offset, page.size + 1)
}

/// One row of a list's answer.
#[derive(Debug, Row)]
pub enum Part {
    Total(Option<i64>),
    Comment(Box<CommentRow>),
}

/// The commit that a comment is for.
#[derive(Debug, Row)]
pub struct Target {
    /// Whether it was named by its hash, not by a branch or tag.
    pub is_by_hash: bool,
}

/// Whether the commit `c` was named by its hash.
macro_rules! is_by_hash {
    () => {
        "substr(c.sha, 1, length(?7)) = lower(?7)"
    };
}

/// The commit that `?7` names.
const TARGET: &str = in_project!(
    "union all select json_object('is_by_hash', ",
    is_by_hash!(),
    ") from commits c where c.id = ",
    commit_id!()
);

/// Not where `?13`: the line that was named is none to stand on.
const INSERT: &str = if_allowed!("true";
    "insert into commit_comments (project_id, commit_id, author_id, note, path, line, line_type, created_at)
select s.project_id, c.id, s.user_id, ?9, ?10, ?11, ?12, ?4 from scope s cross join commits c on c.id = ",
    commit_id!(),
    " where not (?13 and ",
    is_by_hash!(),
    ")"
);

/// The comment that the statement before made.
macro_rules! result {
    () => {
        concat!(
            "select ",
            comment_json!(),
            " as v from commit_comments k where changes() = 1 and k.id = last_insert_rowid()"
        )
    };
}

const RESULT: &str = if_allowed!("true"; result!(), " and exists (select 1 from scope)");

const KEEP: &str = if_allowed!("true";
    "insert into idempotency_keys (user_id, key, digest, answer, created_at)
select k.user_id, (select ?6 ->> 3), ?7, ",
    answer_json!("?8", result!()),
    ", ?4 from scope k where changes() = 1",
    replacing!()
);

/// A comment to be made.
pub struct Draft<'a> {
    pub note: &'a str,
    pub anchor: Option<Anchor>,
    /// Whether a line was named that no comment can stand on.
    pub no_line: bool,
}

/// Adds a comment to the commit of that name.
pub fn plan(name: &str, draft: Draft<'_>, key: Option<Key>, base: &str) -> Plan {
    let mut plan = Plan::new(sql!(TARGET, name, abbreviation(name)));
    let Draft { note, anchor, no_line } = draft;
    let insert = sql!(
        INSERT,
        name,
        abbreviation(name),
        note,
        anchor.as_ref().map(|anchor| anchor.path.as_str()),
        anchor.as_ref().map(|anchor| anchor.line),
        anchor.as_ref().map(|anchor| anchor.line_type),
        no_line
    );
    plan.steps = vec![insert, sql!(RESULT)];
    plan.keep = key.as_ref().map(|key| sql!(KEEP, key.digest.as_str(), base));
    plan.key = key;
    plan
}
