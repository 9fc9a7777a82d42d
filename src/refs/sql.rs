//! Rows and statements of branches and tags.

use crate::call::in_project;
use crate::sql;
use crate::store::Statement;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct RefRow {
    /// Whole, with `refs/heads/` or `refs/tags/`.
    pub name: String,
    pub tag_message: Option<String>,
    pub sha: String,
    pub message: String,
    pub parent_shas: Vec<String>,
    pub author_name: String,
    pub author_email: String,
    pub authored_at: i64,
    pub author_zone: i32,
    pub committer_name: String,
    pub committer_email: String,
    pub committed_at: i64,
    pub committer_zone: i32,
}

/// First row: the setting default_branch_protection. Then the refs of this project that meet a condition.
macro_rules! refs {
    ($condition:literal) => {
        in_project!(
            "union all select json_quote(default_branch_protection) from scope cross join settings
union all select v from (select json_object('name', r.name, 'tag_message', r.message, 'sha', c.sha, 'message', c.message,
    'parent_shas', json(c.parent_shas), 'author_name', c.author_name, 'author_email', c.author_email,
    'authored_at', c.authored_at, 'author_zone', c.author_zone, 'committer_name', c.committer_name,
    'committer_email', c.committer_email, 'committed_at', c.committed_at, 'committer_zone', c.committer_zone) as v
  from refs r join commits c on c.id = r.commit_id where r.project_id = (select project_id from scope) and ",
            $condition, " order by r.name)"
        )
    };
}

/// `?7`: how the names begin, `?8`: what comes after all of them.
const LIST: &str = refs!("r.name >= ?7 and r.name < (select ?8)");
const ONE: &str = refs!("r.name = (select ?7)");

/// All refs of a kind, in byte order of their names.
pub fn list(kind: &str) -> Statement {
    sql!(LIST, kind, format!("{}0", kind.trim_end_matches('/')))
}

pub fn one(kind: &str, name: &str) -> Statement {
    sql!(ONE, format!("{kind}{name}"))
}
