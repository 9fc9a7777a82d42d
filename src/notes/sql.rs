//! Rows and statements of comments.

pub mod creation;

use crate::call::in_project;
use crate::call::sql::scope::sees;
use crate::error::Result;
use crate::issues::sql::{IssueRef, seen, take_part};
use crate::page::{Key, Page, bounded};
use crate::person::{UserRow, user_by_id};
use crate::policy::confidential_level;
use crate::store::{Row, Statement, Store, sql};
use serde_json::json;

#[derive(Debug, Row)]
pub struct NoteRow {
    pub id: i64,
    #[row(default)]
    pub project_id: i64,
    pub issue_id: i64,
    pub author: UserRow,
    pub body: String,
    pub system: bool,
    pub created_at: i64,
    pub updated_at: i64,
}

/// One row of an answer; no total: the issue is not there for this caller.
#[derive(Debug, Row)]
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
            "json_array(n.id, n.project_id, n.issue_id, ",
            user_by_id!("n.author_id"),
            ", ",
            $body,
            ", n.system, n.created_at, n.updated_at)"
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

pub(crate) use note_json;

/// The issue `?7` of this project, if this caller sees it.
macro_rules! seen_issue {
    () => {
        concat!("(select i.id from ", seen!("?7"), ")")
    };
}

/// How many comments has the issue `?7`, and which come on this page: after the id `?8`, `?9` passed over, `?10` at most?
const LIST: &str = bounded!(in_project!(
    "union all select v from (
  with seen as materialized (select i.id, i.user_notes_count + i.system_notes_count as total from issues i where i.id = ",
    seen_issue!(),
    ")
  select json_object('total', total) as v from seen
  union all
  select json_object('note', json(",
    note_json!(body_for_caller!()),
    ")) from (select n.* from seen cross join notes n on n.issue_id = seen.id
    where n.id > (select ?8) order by n.id limit (select ?10) offset (select ?9)) n)"
));

pub fn list(issue: IssueRef, page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST, issue, after, offset, page.size + 1)
}

/// Of so many comments the ids are read at once.
pub const MOST_IDS: usize = 10_000;

/// The ids of the comments on the issue `?7` behind `?8`, in their order and `?9` at most.
const IDS: &str = in_project!(
    "union all select json_group_array(id) from (select n.id from issues i cross join notes n on n.issue_id = i.id
  where i.id = ",
    seen_issue!(),
    " and n.id > (select ?8) order by n.id limit (select ?9))"
);

pub fn ids(issue: IssueRef, after: i64) -> Statement {
    sql!(IDS, issue, after, i64::try_from(MOST_IDS).unwrap_or(i64::MAX))
}

/// The same newest first: before the id `?8`.
const NEWEST_FIRST: &str = bounded!(in_project!(
    "union all select v from (
  with seen as materialized (select i.id, i.user_notes_count + i.system_notes_count as total from issues i where i.id = ",
    seen_issue!(),
    ")
  select json_object('total', total) as v from seen
  union all
  select json_object('note', json(",
    note_json!(body_for_caller!()),
    ")) from (select n.* from seen cross join notes n on n.issue_id = seen.id
    where n.id < (select ?8) order by n.id desc limit (select ?10) offset (select ?9)) n)"
));

/// The same of the thousand newest, in an order of their own: `?11` `[whether by the last change, 1 or -1 backwards, whether
/// those of the service, or null]`. Behind the position `?8` and id `?12`.
const SORTED: &str = bounded!(in_project!(
    "union all select v from (
  with seen as materialized (select i.id from issues i where i.id = ",
    seen_issue!(),
    "), newest as materialized (
    select n.*, (select ?11 ->> 1) * iif((select ?11 ->> 0), n.updated_at, n.id) as position, (select ?11 ->> 1) * n.id as place
    from (select n.* from seen cross join notes n on n.issue_id = seen.id order by n.id desc limit 1000) n
    where (select ?11 ->> 2) is null or n.system = (select ?11 ->> 2))
  select json_object('total', (select count(*) from newest)) as v from seen
  union all
  select json_object('note', json(",
    note_json!(body_for_caller!()),
    ")) from (select * from newest where (position, place) > ((select ?8), (select ?12))
    order by position, place limit (select ?10) offset (select ?9)) n)"
));

/// Which comments, and in which order.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub ascending: bool,
    /// By the last change instead of in the order of writing.
    pub by_update: bool,
    /// Those of the service alone, or all others.
    pub system: Option<bool>,
}

impl Shown {
    /// Whether the order of writing is all that is asked for.
    fn is_plain(&self) -> bool {
        !self.by_update && self.system.is_none()
    }

    fn direction(&self) -> i64 {
        if self.ascending { 1 } else { -1 }
    }

    /// Where a comment stands, for the cursor behind it.
    pub fn position(&self, row: &NoteRow) -> [i64; 2] {
        if self.is_plain() {
            return [row.id, 0];
        }
        let position = if self.by_update { row.updated_at } else { row.id };
        [self.direction() * position, self.direction() * row.id]
    }
}

pub fn shown(issue: IssueRef, shown: &Shown, page: &Page) -> Statement {
    const END: i64 = 1 << 53;
    let first = if shown.is_plain() && shown.ascending { 0 } else { -END };
    let first = if shown.is_plain() && !shown.ascending { END } else { first };
    let ([after, id], offset) = page.begin([Key::from(first), Key::from(-END)]);
    let size = page.size + 1;
    if shown.is_plain() {
        return sql!(if shown.ascending { LIST } else { NEWEST_FIRST }, issue, after, offset, size);
    }
    let order = json!([i64::from(shown.by_update), shown.direction(), shown.system.map(i64::from)]);
    sql!(SORTED, issue, after, offset, size, order.to_string(), id)
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

pub fn one(issue: IssueRef, note_id: i64) -> Statement {
    sql!(ONE, issue, note_id)
}

const UPDATE: &str = "update notes set body = ?2, updated_at = ?3 where id = (select ?1) and system = 0";

/// Whom the comment mentioned take part no more by it; its author still does.
const LEAVE: &str =
    "delete from participants where issue_id = (select issue_id from notes where id = (select ?1)) and note_id = (select ?1)
  and user_id <> (select author_id from notes where id = (select ?1))";

/// The user names `?2` take part by the comment `?1`. `?3`: the level that reads confidential issues.
const TAKE_PART: &str = take_part!("(select issue_id from notes where id = (select ?1))", "?2", "?1", "?3");

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
        batch.push(sql!(TAKE_PART, note_id, json!(mentioned).to_string(), confidential_level()));
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
