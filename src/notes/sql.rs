//! Rows and statements of comments.

use crate::call::in_project;
use crate::call::scope::sees;
use crate::error::{Error, Result};
use crate::issues::sql::{SETTLE_TODOS, TAKE_PART, TODO_MENTIONED, seen};
use crate::page::Page;
use crate::sql;
use crate::store::{Statement, Store, Value, flag};
use crate::users::sql::{UserRow, user_by_id};
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize)]
pub struct NoteRow {
    pub id: i64,
    pub issue_id: i64,
    pub author: UserRow,
    pub body: String,
    #[serde(with = "flag")]
    pub system: bool,
    pub created_at: i64,
    pub updated_at: i64,
}

/// One row of an answer; no total: the issue is not there for this caller.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Total(i64),
    Note(NoteRow),
}

/// A [`NoteRow`] of the alias `n`. `$body`: its text, if it may be one of the service.
macro_rules! note_json {
    () => {
        note_json!("n.body")
    };
    ($body:expr) => {
        concat!(
            "json_object('id', n.id, 'issue_id', n.issue_id, 'author', ",
            user_by_id!("n.author_id"),
            ", 'body', ",
            $body,
            ", 'system', n.system, 'created_at', n.created_at, 'updated_at', n.updated_at)"
        )
    };
}

/// The text as this caller may read it: what it refers to is named to those who see its project.
macro_rules! body_for_caller {
    () => {
        concat!(
            "n.body || iif(n.reference is null, '', ' ' || coalesce((select n.reference from caller c cross join projects p
      on p.id = n.reference_project_id where p.deleted_at is null and ",
            sees!("c", "p"),
            "), 'another project'))"
        )
    };
}

/// The issue `?7` of this project, if this caller sees it.
macro_rules! seen_issue {
    () => {
        concat!("(select i.id from ", seen!("?7"), ")")
    };
}

/// How many comments has the issue `?7`, and which come on this page (`?8` rows passed over, `?9` at most)?
const LIST: &str = in_project!(
    "union all select json_object('total', (select count(*) from notes n where n.issue_id = seen.id)) from ",
    seen_issue!(),
    " seen
union all select v from (select json_object('note', json(",
    note_json!(body_for_caller!()),
    ")) as v from notes n where n.issue_id = ",
    seen_issue!(),
    " order by n.id limit (select ?9) offset (select ?8))"
);

pub fn list(issue_id: i64, page: &Page) -> Statement {
    sql!(LIST, issue_id, page.offset(), page.size)
}

/// Which comment of the issue `?7` has the id `?8`?
const ONE: &str = in_project!(
    "union all select json_object('total', 1) from ",
    seen_issue!(),
    " seen
union all select json_object('note', json(",
    note_json!(body_for_caller!()),
    ")) from ",
    seen_issue!(),
    " seen cross join notes n on n.id = (select ?8) and n.issue_id = seen.id"
);

pub fn one(issue_id: i64, note_id: i64) -> Statement {
    sql!(ONE, issue_id, note_id)
}

/// What the service says about changes of the issue `?1` by the user `?2`: the texts `?3`. It knows the new assignee's
/// name and milestone's number itself.
pub const ADD_SYSTEM_NOTES: &str = "insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
select i.project_id, i.id, ?2, case value
    when 'Reassigned to @{assignee}' then 'Reassigned to @' || (select username from users where id = i.assignee_id)
    when 'Milestone changed to %{milestone}' then
      'Milestone changed to %' || (select iid from milestones where id = i.milestone_id)
    else value end, 1, ?4, ?4
from issues i, json_each(?3) where i.id = (select ?1) and i.deleted_at is null order by key";

const INSERT: &str = "insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
select i.project_id, i.id, ?2, ?3, ?4, ?4 from issues i where i.id = (select ?1) and i.deleted_at is null";

/// The comment that this batch made: the issue's newest.
macro_rules! newest {
    () => {
        "(select max(k.id) from notes k where k.issue_id = (select ?1))"
    };
}

const COMMENTER: &str = concat!(
    "insert into participants (issue_id, user_id, note_id) select ?1, ?2, ",
    newest!(),
    " where ",
    newest!(),
    " is not null on conflict do nothing"
);

const NEWEST: &str = concat!("select ", note_json!(), " as v from notes n where n.id = ", newest!());

/// Adds a comment; its author and whom it mentions take part from now on.
pub async fn create(
    store: &Store<'_>,
    issue_id: i64,
    author_id: i64,
    body: &str,
    mentioned: &[String],
    created_at: i64,
    now: i64,
) -> Result<NoteRow> {
    let mut batch = vec![
        sql!(INSERT, issue_id, author_id, body, created_at),
        sql!(COMMENTER, issue_id, author_id),
        sql!(SETTLE_TODOS, issue_id, author_id, now),
    ];
    if !mentioned.is_empty() {
        let names = Value::from(json!(mentioned).to_string());
        // the statements of issues, for the comment that this batch makes
        let part = Statement {
            sql: TAKE_PART.replace("?3", newest!()).into(),
            binds: vec![issue_id.into(), names.clone()],
        };
        let todo = Statement {
            sql: TODO_MENTIONED.replace("?4", newest!()).replace("?5", "?4").into(),
            binds: vec![issue_id.into(), names, author_id.into(), now.into()],
        };
        batch.extend([part, todo]);
    }
    batch.push(sql!(NEWEST, issue_id));
    let rows = store.batch(batch).await?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(Error::no_record)
}

const UPDATE: &str = "update notes set body = ?2, updated_at = ?3 where id = (select ?1) and system = 0";

/// Whom the comment mentioned take part no more by it; its author still does.
const LEAVE: &str =
    "delete from participants where issue_id = (select issue_id from notes where id = (select ?1)) and note_id = (select ?1)
  and user_id <> (select author_id from notes where id = (select ?1))";

const BY_ID: &str = concat!("select ", note_json!(), " as v from notes n where n.id = (select ?1)");

/// Another text for a comment; none if it is gone.
pub async fn update(
    store: &Store<'_>,
    note_id: i64,
    body: &str,
    mentioned: &[String],
    now: i64,
) -> Result<Option<NoteRow>> {
    let mut batch = vec![sql!(UPDATE, note_id, body, now), sql!(LEAVE, note_id)];
    if !mentioned.is_empty() {
        let issue = "i.id = (select issue_id from notes where id = (select ?1))";
        let text = TAKE_PART.replace("i.id = (select ?1)", issue).replace("?3", "?1");
        let binds = vec![note_id.into(), json!(mentioned).to_string().into()];
        batch.push(Statement { sql: text.into(), binds });
    }
    batch.push(sql!(BY_ID, note_id));
    let rows = store.repeat(batch).await?.pop().unwrap_or_default();
    Ok(rows.first()?)
}

const DELETE: [&str; 3] = [
    "delete from participants where note_id = (select ?1) and issue_id = (select issue_id from notes where id = (select ?1))",
    "update todos set note_id = null where note_id = (select ?1) and issue_id = (select issue_id from notes where id = (select ?1))",
    "delete from notes where id = (select ?1)",
];

pub async fn delete(store: &Store<'_>, note_id: i64) -> Result<()> {
    store.repeat(DELETE.into_iter().map(|text| sql!(text, note_id)).collect()).await?;
    Ok(())
}
