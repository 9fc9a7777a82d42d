//! Statements of the mirror's index.

use super::Change;
use super::push::Commit;
use crate::call::in_project;
use crate::sql;
use crate::store::Statement;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Deserialize, Serialize)]
pub struct RefRow {
    pub name: String,
    pub sha: String,
    /// An annotated tag's own hash.
    pub tag_sha: Option<String>,
}

/// Which refs does the index hold?
const REFS: &str = in_project!(
    "union all select v from (select json_object('name', r.name, 'sha', c.sha, 'tag_sha', r.tag_sha) as v from refs r
  join commits c on c.id = r.commit_id where r.project_id = (select project_id from scope) order by r.name)"
);

pub fn refs() -> Statement {
    Statement { sql: REFS.into(), binds: Vec::new() }
}

/// Which of the hashes `?7` are there?
const KNOWN: &str = in_project!(
    "union all select json_quote(c.sha) from json_each(?7) named
  cross join commits c on c.project_id = (select project_id from scope) and c.sha = named.value"
);

pub fn known(shas: &[&str]) -> Statement {
    sql!(KNOWN, json!(shas).to_string())
}

/// All of the hashes `?2` are there.
const EXPECT_KNOWN: &str = "insert into expectations (holds) select not exists (
  select 1 from json_each(?2) named left join commits c on c.project_id = (select ?1) and c.sha = named.value where c.id is null)";

pub fn expect_known(project_id: i64, shas: &[&str]) -> Statement {
    sql!(EXPECT_KNOWN, project_id, json!(shas).to_string())
}

/// Adds the commits `?2` that are not there yet.
const COMMITS: &str = "insert into commits (project_id, sha, author_name, author_email, authored_at, author_zone,
  committer_name, committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas)
select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  value ->> 8, value ->> 9, value ->> 10, value ->> 11, value -> 12
from json_each(?2) where true on conflict do nothing";

/// Adds their edges: child, position, parent.
const PARENTS: &str = "insert into parents (child_id, position, parent_id, parent_committed_at)
select c.id, value ->> 1, p.id, p.committed_at from json_each(?2) edge
cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 0
cross join commits p on p.project_id = (select ?1) and p.sha = value ->> 2
where true on conflict do nothing";

/// Adds parts of their diffs: commit, part, text.
const DIFFS: &str = "insert into diffs (commit_id, part, text)
select c.id, value ->> 1, value ->> 2 from json_each(?2)
cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 0
where true on conflict do nothing";

/// Stores commits whose parents are known, in one batch.
pub fn additions(project_id: i64, commits: &[Commit]) -> Vec<Statement> {
    let rows = commits.iter().map(|c| {
        row(&(
            &c.id,
            &c.author_name,
            &c.author_email,
            c.authored_at,
            c.author_zone,
            &c.committer_name,
            &c.committer_email,
            c.committed_at,
            c.committer_zone,
            &c.message,
            c.additions,
            c.deletions,
            &c.parents,
        ))
    });
    let edges = commits.iter().flat_map(|commit| {
        commit.parents.iter().enumerate().map(|(position, parent)| row(&(&commit.id, position, parent)))
    });
    let diffs = commits.iter().flat_map(|commit| {
        // a short diff is part 0, found by its key alone; a long one has parts from 1
        let first = usize::from(commit.diff.len() > MOST_PART);
        parts(&commit.diff).enumerate().map(move |(at, text)| row(&(&commit.id, first + at, text)))
    });
    let lists = [(COMMITS, binds(rows)), (PARENTS, binds(edges)), (DIFFS, binds(diffs))];
    let statements = lists
        .into_iter()
        .flat_map(|(text, lists)| lists.into_iter().map(move |list| sql!(text, project_id, list)));
    statements.collect()
}

/// One row as a JSON array.
fn row(fields: &impl Serialize) -> String {
    // texts and numbers can always be written
    serde_json::to_string(fields).unwrap_or_default()
}

/// Bytes of a diff in one row.
const MOST_PART: usize = 600_000;

/// A diff's text in pieces that fit a row.
fn parts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let mut end = text.len().min(MOST_PART);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (part, rest) = text.split_at(end);
        text = rest;
        Some(part)
    })
}

/// JSON arrays of the items, each short enough for one bind: D1 takes 2 MB, and an escape may double a text.
fn binds(items: impl Iterator<Item = String>) -> Vec<String> {
    const MOST: usize = 600_000;
    let mut lists: Vec<String> = Vec::new();
    for item in items {
        match lists.last_mut() {
            Some(list) if list.len() + item.len() < MOST => {
                list.push(',');
                list.push_str(&item);
            }
            _ => lists.push(format!("[{item}")),
        }
    }
    lists.iter_mut().for_each(|list| list.push(']'));
    lists
}

/// First row: which of the new hashes `?7` are not known? Then the branches there are.
const BEFORE_SWAP: &str = in_project!(
    "union all select json_group_array(named.value) from json_each(?7) named
  left join commits c on c.project_id = (select project_id from scope) and c.sha = named.value where c.id is null
union all select json_quote(substr(r.name, 12)) from refs r
  where r.project_id = (select project_id from scope) and r.name >= 'refs/heads/' and r.name < 'refs/heads0'"
);

pub fn before_swap(changes: &[Change]) -> Statement {
    let new: Vec<&str> = changes.iter().filter_map(|change| change.new.as_deref()).collect();
    sql!(BEFORE_SWAP, json!(new).to_string())
}

/// Every ref of the changes `?2` still is where the hook saw it.
const EXPECT: &str = "insert into expectations (holds) select not exists (
  select 1 from json_each(?2) change left join refs r on r.project_id = (select ?1) and r.name = value ->> 'name'
  left join commits c on c.id = r.commit_id where c.sha is not value ->> 'old')";

const DELETE: &str = "delete from refs where project_id = (select ?1)
  and name in (select value ->> 'name' from json_each(?2) where value ->> 'new' is null)";

const UPSERT: &str = "insert into refs (project_id, name, commit_id, tag_sha, message)
select ?1, value ->> 'name', c.id, value ->> 'tag_sha', value ->> 'message' from json_each(?2)
cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 'new'
where true on conflict (project_id, name) do update
set commit_id = excluded.commit_id, tag_sha = excluded.tag_sha, message = excluded.message";

const DEFAULT_BRANCH: &str =
    "update projects set default_branch = ?2 where id = (select ?1) and default_branch is not (select ?2)";

/// Compare, then swap.
pub fn swap(project_id: i64, changes: &[Change], default_branch: Option<&str>) -> Vec<Statement> {
    let list = json!(changes).to_string();
    vec![
        sql!(EXPECT, project_id, list.as_str()),
        sql!(DELETE, project_id, list.as_str()),
        sql!(UPSERT, project_id, list),
        sql!(DEFAULT_BRANCH, project_id, default_branch),
    ]
}

/// The commits of the branch `?2`, or (null) of all, belong to none.
const GIVE_BACK: &str =
    "update commits set branch = null where project_id = (select ?1) and branch = (select ?2)";
const GIVE_ALL_BACK: &str =
    "update commits set branch = null where project_id = (select ?1) and branch is not null";

pub fn give_back(project_id: i64, branch: Option<&str>) -> Statement {
    match branch {
        Some(name) => sql!(GIVE_BACK, project_id, name),
        None => sql!(GIVE_ALL_BACK, project_id),
    }
}

/// The branch `?2` takes the commits that it contains and that belong to none or to a lesser one; `?3` is the default.
/// What belongs to a branch of its own rank or better has ancestors that do, so the walk ends there.
const TAKE: &str = "with recursive mine(id) as (
  select c.id from refs r join commits c on c.id = r.commit_id
  where r.project_id = (select ?1) and r.name = 'refs/heads/' || ?2
    and (c.branch is null or (c.branch <> (select ?2) and (?2 is ?3 or (c.branch is not (select ?3) and ?2 < c.branch))))
  union
  select c.id from mine join parents p on p.child_id = mine.id join commits c on c.id = p.parent_id
  where c.branch is null or (c.branch <> (select ?2) and (?2 is ?3 or (c.branch is not (select ?3) and ?2 < c.branch)))
)
update commits set branch = ?2 where id in (select id from mine)";

pub fn take(project_id: i64, branch: &str, default_branch: Option<&str>) -> Statement {
    sql!(TAKE, project_id, branch, default_branch)
}
