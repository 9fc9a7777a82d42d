//! Rows and statements of commits.

pub mod history;

use super::counts::Counts;
use crate::call::in_project;
use crate::store::{Row, Statement, sql};

#[derive(Debug, Row)]
pub struct CommitRow {
    pub sha: String,
    pub author_name: String,
    pub author_email: String,
    /// Seconds since 1970.
    pub authored_at: i64,
    /// Minutes east of UTC.
    pub author_zone: i32,
    pub committer_name: String,
    pub committer_email: String,
    pub committed_at: i64,
    pub committer_zone: i32,
    pub message: String,
    pub additions: i64,
    pub deletions: i64,
    pub parent_shas: Vec<String>,
}

/// A [`CommitRow`] of the alias `c`.
macro_rules! commit_json {
    () => {
        "json_array(c.sha, c.author_name, c.author_email, c.authored_at,
    c.author_zone, c.committer_name, c.committer_email,
    c.committed_at, c.committer_zone, c.message,
    c.additions, c.deletions, json(c.parent_shas))"
    };
}

/// A commit with what its statuses say.
#[derive(Debug, Row)]
pub struct Judged {
    pub commit: CommitRow,
    /// None: no status was ever posted.
    pub counts: Option<Counts>,
}

/// The whole name of the branch that `?7` may be: `HEAD` is the default branch, and a whole name is itself.
macro_rules! branch_name {
    ($project:expr) => {
        concat!(
            "case when ?7 = 'HEAD' then (select 'refs/heads/' || h.default_branch from projects h where h.id = ",
            $project,
            ") when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end"
        )
    };
}

/// The id of the commit that `?7` names in this project, by git's rules: a full hash, a tag, a branch, or an
/// abbreviation of at least four digits (`?8`, else null) that fits one commit only. Tags and branches may have their
/// whole names, and `HEAD` is the default branch.
macro_rules! commit_id {
    () => {
        concat!("(select ", crate::commits::sql::commit_id!("here.project_id"), " from scope here)")
    };
    ($project:expr) => {
        concat!(
            "coalesce(
    (select k.id from commits k where k.project_id = ",
            $project,
            " and k.sha = lower(?7)),
    (select r.commit_id from refs r where r.project_id = ",
            $project,
            " and r.name = case when substr(?7, 1, 10) = 'refs/tags/' then ?7 else 'refs/tags/' || ?7 end),
    (select r.commit_id from refs r where r.project_id = ",
            $project,
            " and r.name = ",
            crate::commits::sql::branch_name!($project),
            "),
    case when ?8 is not null then (select case when count(*) = 1 then max(id) end from (
      select k.id from commits k where k.project_id = ",
            $project,
            " and k.sha >= (select ?8) and k.sha < (select ?8) || 'g' limit 2)) end)"
        )
    };
}

pub(crate) use {branch_name, commit_id, commit_json};

/// The abbreviated hash that a name may be, in lower case.
pub fn abbreviation(name: &str) -> Option<String> {
    let fits = (4..64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| name.to_ascii_lowercase())
}

/// Which commit is named by `?7`?
const ONE: &str = in_project!(
    "union all select json_array(",
    commit_json!(),
    ",
  json((select json_array(sum(n.pending), sum(n.running), sum(n.success),
    sum(n.failed), sum(n.canceled)) from status_counts n where n.commit_id = c.id having count(*) > 0)))
from commits c where c.id = ",
    commit_id!()
);

pub fn one(name: &str) -> Statement {
    sql!(ONE, name, abbreviation(name))
}

/// How many commits does the commit `?7` reach, itself included? What the hook counted where it is the tip of a ref, else a
/// walk of 10,001 at most; `?9`: the last parent of each that is followed.
const REACHED: &str = in_project!(
    "union all select json_quote(coalesce(
  (select r.commits from refs r where r.commit_id = c.id and r.commits is not null and ?9 > 0 limit 1),
  (with recursive down (id) as (
    select c.id union select p.parent_id from down cross join parents p on p.child_id = down.id and p.position <= (select ?9)
    limit 10001) select count(*) from down)))
from commits c where c.id = ",
    commit_id!()
);

pub fn reached(name: &str, first_parent: bool) -> Statement {
    sql!(REACHED, name, abbreviation(name), if first_parent { 0 } else { 1_000_000 })
}

/// The finished diff of the commit that `?7` names: part 0, or parts from 1 where it is long, or the object that it lies in. No
/// row: no such commit, or none that has its diff yet. No `order by`: it would read every part once more.
const DIFF: &str = in_project!(
    "union all select json_object('part', d.part, 'text', iif(d.object is null, d.text, d.digest), 'bytes', d.bytes,
  'key', (select w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object from object_sweeps w cross join commits c
    where c.id = d.commit_id and d.object is not null))
from diffs d where d.commit_id = ",
    commit_id!()
);

/// A part of a diff; they sort in order.
#[derive(Debug, Row, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiffPart {
    pub part: i64,
    /// Of a diff that lies in an object its digest.
    pub text: String,
    /// Of the object.
    pub key: Option<String>,
    pub bytes: Option<i64>,
}

pub fn diff(name: &str) -> Statement {
    sql!(DIFF, name, abbreviation(name))
}
