//! Statements of the mirror's index.

pub mod moves;
pub mod portion;

use super::push::{Lies, Read};
use crate::call::in_project;
use crate::quota::Quotas;
use crate::store::{Column, Members, Statement, Tree, Value, Wrong, sql};
use edgeforge_wire::object::Object;
use edgeforge_wire::{Belonging, Ref};
use serde::Serialize;
use serde_json::json;

/// How many refs one answer has at most, and about how many bytes of names and messages.
pub const REFS_OF_A_PAGE: usize = 5000;
pub const BYTES_OF_A_PAGE: usize = 1_000_000;

impl Column for Ref {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Ref {
        let mut from = Members::of(from, wrong);
        Ref {
            name: from.column("name"),
            sha: from.column("sha"),
            tag_sha: from.column("tag_sha"),
            message: from.column("message"),
        }
    }
}

impl Column for Belonging {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Belonging {
        let mut from = Members::of(from, wrong);
        Belonging { id: from.column("id"), branch: from.column("branch") }
    }
}

/// First row: are there commits whose branch is still to be judged, and which are forgotten? Then the refs whose names come after `?7`, with
/// messages if `?8`, up to the one that passes `?9` bytes, `?10` at most.
const REFS: &str = in_project!(
    "union all select json_object('pending', json(case when exists (
      select 1 from branch_queue q where q.project_id = scope.project_id)
    or exists (select 1 from mirrors m where m.project_id = scope.project_id and m.scan_after is not null)
  then 'true' else 'false' end),
    'bytes', (select m.bytes from mirrors m where m.project_id = scope.project_id),
    'forgotten', json((select json_group_array(c.sha) from (
      select f.commit_id from forgotten_commits f where f.project_id = scope.project_id limit 1000) f
      cross join commits c on c.id = f.commit_id))) from scope
union all select json_object('name', name, 'sha', sha, 'tag_sha', tag_sha, 'message', message) from (
  select r.name, c.sha, r.tag_sha, r.message, coalesce(sum(octet_length(r.name) + coalesce(octet_length(r.message), 0))
    over (order by r.name rows between unbounded preceding and 1 preceding), 0) as before
  from (select name, commit_id, tag_sha, case when (select ?8) then message end as message from refs
    where project_id = (select project_id from scope) and name > (select ?7) order by name limit (select ?10)) r
  cross join commits c on c.id = r.commit_id order by r.name)
where before <= (select ?9)"
);

pub fn refs(after: &str, messages: bool) -> Statement {
    sql!(REFS, after, messages, BYTES_OF_A_PAGE as i64, REFS_OF_A_PAGE as i64)
}

/// How many commits one answer has at most.
pub const COMMITS_OF_A_PAGE: usize = 4000;

/// The commits whose hashes come after `?7`, `?8` at most.
const LABELS: &str = in_project!(
    "union all select v from (select json_object('id', c.sha, 'branch', c.branch) as v from commits c
  where c.project_id = (select project_id from scope) and c.sha > (select ?7) order by c.sha limit (select ?8))"
);

pub fn labels(after: &str) -> Statement {
    sql!(LABELS, after, COMMITS_OF_A_PAGE as i64)
}

/// Which of the hashes `?7` are there? Before them, true if there are forgotten commits.
const KNOWN: &str = in_project!(
    "union all select json(iif(exists (select 1 from forgotten_commits f where f.project_id = scope.project_id), 'true', 'false'))
  from scope
union all select json_quote(c.sha) from json_each(?7) named
  cross join commits c on c.project_id = (select project_id from scope) and c.sha = named.value"
);

pub fn known(shas: &[&str]) -> Statement {
    sql!(KNOWN, json!(shas).to_string())
}

/// Before a push: whether there are forgotten commits, bytes of the project and of all, and how keys of its objects begin.
const PUSHING: &str = in_project!(
    "union all select json_array(
  json(iif(exists (select 1 from forgotten_commits f where f.project_id = scope.project_id), 'true', 'false')),
  coalesce((select m.bytes from mirrors m where m.project_id = scope.project_id), 0), (select s.bytes from stored s)) from scope
union all select json_quote(w.store || '/' || scope.project_id || '/') from scope cross join object_sweeps w"
);

pub fn pushing() -> Statement {
    sql!(PUSHING)
}

/// All of the hashes `?2` are there.
pub(super) const EXPECT_KNOWN: &str = "insert into expectations (holds) select not exists (
  select 1 from json_each(?2) named left join commits c on c.project_id = (select ?1) and c.sha = named.value where c.id is null)";

/// Those of the hashes `?2` that are not.
const UNKNOWN: &str = "select json_quote(named.value) as v from json_each(?2) named
left join commits c on c.project_id = (select ?1) and c.sha = named.value where c.id is null";

pub fn unknown(project_id: i64, shas: &[&str]) -> Vec<Statement> {
    shas.chunks(MOST_ITEMS).map(|shas| sql!(UNKNOWN, project_id, json!(shas).to_string())).collect()
}

/// What comes after belongs to this batch.
const BEGIN_BATCH: &str = "insert into mirrors (project_id, version, before_batch)
values (?1, 0, (select coalesce(max(id), 0) from commits))
on conflict (project_id) do update set before_batch = excluded.before_batch";

/// Adds the commits `?2` that are not there yet, and writes anew what was forgotten.
const COMMITS: &str = "insert into commits (project_id, sha, author_name, author_email, authored_at, author_zone,
  committer_name, committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas)
select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  value ->> 8, value ->> 9, value ->> 10, value ->> 11, value -> 12
from json_each(?2) where true on conflict (project_id, sha) do update
set author_name = excluded.author_name, author_email = excluded.author_email,
  committer_name = excluded.committer_name, committer_email = excluded.committer_email, message = excluded.message,
  additions = excluded.additions, deletions = excluded.deletions
where exists (select 1 from forgotten_commits f where f.commit_id = commits.id)";

/// Adds the edges of those that this batch brings: child, position, parent.
const PARENTS: &str = "insert into parents (child_id, position, parent_id, parent_committed_at)
select c.id, value ->> 1, p.id, p.committed_at from json_each(?2) edge
cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 0
  and c.id > (select m.before_batch from mirrors m where m.project_id = (select ?1))
cross join commits p on p.project_id = (select ?1) and p.sha = value ->> 2
where true on conflict do nothing";

/// Adds parts of the diffs of those that this batch brings, and of those that were forgotten: commit, part, text, and where it
/// lies elsewhere its object, bytes and digest.
const DIFFS: &str = "insert into diffs (commit_id, part, text, object, bytes, digest)
select c.id, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?2)
cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 0
where c.id > (select m.before_batch from mirrors m where m.project_id = (select ?1))
  or exists (select 1 from forgotten_commits f where f.commit_id = c.id)
on conflict do nothing";

/// What was forgotten is there again.
const REMEMBER: &str = "delete from forgotten_commits where project_id = (select ?1) and commit_id in (
  select c.id from json_each(?2) cross join commits c on c.project_id = (select ?1) and c.sha = value)";

/// The key of the object that the diff of the commit `?2` lies in, if it does, and in none but `?3` where that is not null.
const KEY: &str = "select json_quote(w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object) as v
from object_sweeps w cross join commits c cross join diffs d on d.commit_id = c.id
where c.project_id = (select ?1) and c.sha = (select ?2) and d.object = coalesce((select ?3), d.object)";

/// Takes the diff of the commit `?2` away and has it sent anew; only if it lies in the object `?3` where that is not null.
const FORGET: &str = "insert into forgotten_commits (commit_id, project_id)
select c.id, c.project_id from commits c where c.project_id = (select ?1) and c.sha = (select ?2)
  and ((select ?3) is null or exists (select 1 from diffs d where d.commit_id = c.id and d.object = (select ?3)))
on conflict do nothing";
const FORGET_DIFF: &str = "delete from diffs where commit_id = (
  select c.id from commits c where c.project_id = (select ?1) and c.sha = (select ?2))
and ((select ?3) is null or object = (select ?3))";

/// Those of the diff no longer count.
const FORGET_BYTES: &str = "update mirrors set bytes = bytes - (select coalesce(sum(coalesce(d.bytes, octet_length(d.text))), 0)
  from commits c cross join diffs d on d.commit_id = c.id where c.project_id = (select ?1) and c.sha = (select ?2)
  and ((select ?3) is null or d.object = (select ?3)))
where project_id = (select ?1)";

/// The first answer has the key of the object that the diff lay in.
pub fn forget(project_id: i64, sha: &str) -> Vec<Statement> {
    [KEY, FORGET, FORGET_BYTES, FORGET_DIFF].map(|text| sql!(text, project_id, sha, Value::Null)).into()
}

/// The same of the diff that lies in the object of this key, if it still does.
pub fn lose(key: &str) -> Vec<Statement> {
    let (_, rest) = key.split_once('/').unwrap_or_default();
    let (project_id, rest) = rest.split_once('/').unwrap_or_default();
    let (sha, object) = rest.split_once('-').unwrap_or_default();
    let project_id: i64 = project_id.parse().unwrap_or_default();
    [FORGET, FORGET_BYTES, FORGET_DIFF].map(|text| sql!(text, project_id, sha, object)).into()
}

/// Counts the bytes of the commits that this batch brings.
const COUNT_BYTES: &str = "update mirrors set bytes = bytes + (
  select coalesce(sum(octet_length(c.message) + octet_length(c.author_name) + octet_length(c.author_email)
    + octet_length(c.committer_name) + octet_length(c.committer_email) + octet_length(c.parent_shas)
    + coalesce((select sum(coalesce(d.bytes, octet_length(d.text))) from diffs d where d.commit_id = c.id), 0)), 0)
  from commits c where c.id > mirrors.before_batch) where project_id = (select ?1)";

/// Counts those of diffs that were forgotten and are there again: of the commits `?2`.
const REMEMBER_BYTES: &str = "update mirrors set bytes = bytes + (
  select coalesce(sum(coalesce(d.bytes, octet_length(d.text))), 0) from json_each(?2) named
  cross join commits c on c.project_id = (select ?1) and c.sha = named.value
  cross join forgotten_commits f on f.commit_id = c.id cross join diffs d on d.commit_id = c.id)
where project_id = (select ?1)";

/// If there are new commits, the bytes of the project are no more than `?2`, and of all no more than `?3`; 0: any number.
const EXPECT_ROOM: &str = "insert into expectations (holds)
select (?2 = 0 or m.bytes <= ?2) and (?3 = 0 or s.bytes <= ?3) from mirrors m cross join stored s
where m.project_id = (select ?1) and exists (select 1 from commits c where c.id > m.before_batch)";

/// Bytes of the project, and of all.
const BYTES: &str = "select json_array(m.bytes, s.bytes) as v from stored s left join mirrors m on m.project_id = (select ?1)";

pub fn bytes(project_id: i64) -> Statement {
    sql!(BYTES, project_id)
}

/// Stores commits, if all parents from `outside` are there, in one batch; some may have been forgotten (`remember`).
pub fn additions(
    project_id: i64,
    commits: &[Read],
    outside: &[&str],
    remember: bool,
    quotas: Quotas,
) -> Vec<Statement> {
    let rows = commits.iter().map(|commit| {
        let Object { parents, texts, authored, committed, .. } = &commit.object;
        row(&(
            &commit.id,
            &texts.author_name,
            &texts.author_email,
            authored.seconds,
            authored.zone,
            &texts.committer_name,
            &texts.committer_email,
            committed.seconds,
            committed.zone,
            &texts.message,
            commit.additions,
            commit.deletions,
            parents,
        ))
    });
    let edges = commits.iter().flat_map(|commit| {
        commit
            .object
            .parents
            .iter()
            .enumerate()
            .map(|(position, parent)| row(&(&commit.id, position, parent)))
    });
    let diffs = commits.iter().flat_map(|commit| {
        // a short diff is part 0, found by its key alone; a long one has parts from 1
        let first = usize::from(commit.diff.len() > MOST_PART);
        let lies = commit.lies.as_ref();
        parts(&commit.diff)
            .enumerate()
            .map(move |(at, text)| diff_row(&commit.id, (first + at) as i64, text, lies))
    });
    let lists = [(COMMITS, binds(rows)), (PARENTS, binds(edges)), (DIFFS, binds(diffs))];
    let expect = |shas: &[&str]| sql!(EXPECT_KNOWN, project_id, json!(shas).to_string());
    let mut statements: Vec<Statement> = outside.chunks(MOST_ITEMS).map(expect).collect();
    statements.push(sql!(BEGIN_BATCH, project_id));
    for (text, lists) in lists {
        statements.extend(lists.into_iter().map(|list| sql!(text, project_id, list)));
    }
    if remember {
        let shas: Vec<&str> = commits.iter().map(|commit| commit.id.as_str()).collect();
        statements
            .extend([REMEMBER_BYTES, REMEMBER].map(|text| sql!(text, project_id, json!(shas).to_string())));
    }
    statements.push(sql!(COUNT_BYTES, project_id));
    if quotas.project_bytes + quotas.instance_bytes > 0 {
        statements.push(sql!(EXPECT_ROOM, project_id, quotas.project_bytes, quotas.instance_bytes));
    }
    statements
}

/// A part of a diff, or what is known here of one that lies elsewhere.
pub fn diff_row(commit: &str, part: i64, text: &str, lies: Option<&Lies>) -> String {
    let object = lies.map(|lies| &lies.object);
    row(&(commit, part, text, object, lies.map(|lies| lies.bytes), lies.map(|lies| &lies.digest)))
}

/// A JSON array of rows.
pub fn list(rows: &[String]) -> String {
    format!("[{}]", rows.join(","))
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

/// So many items keep a statement below 10,000 rows.
const MOST_ITEMS: usize = 1500;

/// JSON arrays of the items, each short enough for one bind: D1 takes 2 MB, a bind is escaped already, and a single
/// item (a message of 900 kB with four names) is below. And few enough that a statement touches less than 10,000 rows.
fn binds(items: impl Iterator<Item = String>) -> Vec<String> {
    const MOST_BYTES: usize = 600_000;
    let (mut lists, mut count): (Vec<String>, usize) = (Vec::new(), 0);
    for item in items {
        match lists.last_mut() {
            Some(list) if list.len() + item.len() < MOST_BYTES && count < MOST_ITEMS => {
                count += 1;
                list.push(',');
                list.push_str(&item);
            }
            _ => {
                count = 1;
                lists.push(format!("[{item}"));
            }
        }
    }
    lists.iter_mut().for_each(|list| list.push(']'));
    lists
}
