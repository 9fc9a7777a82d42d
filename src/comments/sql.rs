//! Rows and statements of comments on commits.

use super::lines::Anchor;
use crate::call::in_project;
use crate::commits::sql::{abbreviation, commit_id};
use crate::error::{Error, Result};
use crate::page::Page;
use crate::sql;
use crate::store::{Statement, Store};
use crate::users::sql::{UserRow, user_by_id};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct CommentRow {
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
            "json_object('note', k.note, 'path', k.path, 'line', k.line, 'line_type', k.line_type, 'created_at', k.created_at,
  'author', ", user_by_id!("k.author_id"), ",
  'author_created_at', (select u.created_at from users u where u.id = k.author_id))"
        )
    };
}

/// How many comments has the commit that `?7` names (no row: there is none)? Then those of this page, oldest first:
/// `?9` passed over, `?10` at most.
const LIST: &str = in_project!(
    "union all select json_quote((select count(*) from commit_comments k where k.commit_id = c.id))
from commits c where c.id = ",
    commit_id!(),
    "
union all select v from (select ",
    comment_json!(),
    " as v from commit_comments k where k.commit_id = ",
    commit_id!(),
    " order by k.id limit (select ?10) offset (select ?9))"
);

pub fn list(name: &str, page: &Page) -> Statement {
    sql!(LIST, name, abbreviation(name), page.offset(), page.size)
}

/// The commit that a comment is for.
#[derive(Debug, Deserialize)]
pub struct Target {
    pub commit_id: i64,
    /// Whether it was named by its hash, not by a branch or tag.
    #[serde(with = "crate::store::flag")]
    pub is_by_hash: bool,
}

/// The commit that `?7` names; then, if `?9`, the parts of its diff.
const TARGET: &str = in_project!(
    "union all select json_object('commit_id', c.id, 'is_by_hash', substr(c.sha, 1, length(?7)) = lower(?7))
from commits c where c.id = ",
    commit_id!(),
    "
union all select v from (select json_quote(d.text) as v from diffs d where ?9 and d.commit_id = ",
    commit_id!(),
    " order by d.part)"
);

pub fn target(name: &str, with_diff: bool) -> Statement {
    sql!(TARGET, name, abbreviation(name), with_diff)
}

const CREATE: &str =
    "insert into commit_comments (project_id, commit_id, author_id, note, path, line, line_type, created_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

const CREATED: &str =
    concat!("select ", comment_json!(), " as v from commit_comments k where k.id = last_insert_rowid()");

/// Adds a comment. `place`: project and commit.
pub async fn create(
    store: &Store<'_>,
    place: (i64, i64),
    author_id: i64,
    note: &str,
    anchor: Option<&Anchor>,
    now: i64,
) -> Result<CommentRow> {
    let insert = sql!(
        CREATE,
        place.0,
        place.1,
        author_id,
        note,
        anchor.map(|anchor| anchor.path.as_str()),
        anchor.map(|anchor| anchor.line),
        anchor.map(|anchor| anchor.line_type),
        now
    );
    let created = Statement { sql: CREATED.into(), binds: Vec::new() };
    let rows = store.batch(vec![insert, created]).await?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::Internal("a new comment is not there".to_owned()))
}
