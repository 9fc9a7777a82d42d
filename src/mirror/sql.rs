//! Statements of the mirror's index.

use super::branches::Judged;
use super::push::Read;
use crate::call::in_project;
use crate::sql;
use crate::store::Statement;
use edgeforge_wire::Change;
use edgeforge_wire::object::Object;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How many refs one answer has at most, and about how many bytes of names and messages.
pub const REFS_OF_A_PAGE: usize = 5000;
pub const BYTES_OF_A_PAGE: usize = 1_000_000;

/// First row: are there commits whose branch is still to be judged, and which are forgotten? Then the refs whose names come after `?7`, with
/// messages if `?8`, up to the one that passes `?9` bytes, `?10` at most.
const REFS: &str = in_project!(
    "union all select json_object('pending', json(case when exists (
      select 1 from branch_queue q where q.project_id = scope.project_id)
    or exists (select 1 from mirrors m where m.project_id = scope.project_id and m.scan_after is not null)
  then 'true' else 'false' end),
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

/// All of the hashes `?2` are there.
const EXPECT_KNOWN: &str = "insert into expectations (holds) select not exists (
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

/// Adds parts of the diffs of those that this batch brings, and of those that were forgotten: commit, part, text.
const DIFFS: &str = "insert into diffs (commit_id, part, text)
select c.id, value ->> 1, value ->> 2 from json_each(?2)
cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 0
where c.id > (select m.before_batch from mirrors m where m.project_id = (select ?1))
  or exists (select 1 from forgotten_commits f where f.commit_id = c.id)
on conflict do nothing";

/// What was forgotten is there again.
const REMEMBER: &str = "delete from forgotten_commits where project_id = (select ?1) and commit_id in (
  select c.id from json_each(?2) cross join commits c on c.project_id = (select ?1) and c.sha = value)";

/// Takes the diff of the commit `?2` away and has it sent anew.
const FORGET: &str = "insert into forgotten_commits (commit_id, project_id)
select c.id, c.project_id from commits c where c.project_id = (select ?1) and c.sha = (select ?2) on conflict do nothing";
const FORGET_DIFF: &str = "delete from diffs where commit_id = (
  select c.id from commits c where c.project_id = (select ?1) and c.sha = (select ?2))";

pub fn forget(project_id: i64, sha: &str) -> Vec<Statement> {
    vec![sql!(FORGET, project_id, sha), sql!(FORGET_DIFF, project_id, sha)]
}

/// Stores commits, if all parents from `outside` are there, in one batch; some may have been forgotten (`remember`).
pub fn additions(project_id: i64, commits: &[Read], outside: &[&str], remember: bool) -> Vec<Statement> {
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
        parts(&commit.diff).enumerate().map(move |(at, text)| row(&(&commit.id, first + at, text)))
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
        statements.push(sql!(REMEMBER, project_id, json!(shas).to_string()));
    }
    statements
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

/// The commits that changes lead to.
pub fn ends(changes: &[Change]) -> Vec<&str> {
    changes.iter().filter_map(|change| change.new.as_deref()).collect()
}

/// Keeps a portion of changes, whose commits are known, until the last one comes.
const STAGE: &str = "insert into staged_swaps (project_id, portion, sync, changes) values (?1, ?2, ?3, ?4)
on conflict (project_id, portion) do update set sync = excluded.sync, changes = excluded.changes";

pub fn stage(project_id: i64, portion: i64, sync: &str, changes: &[Change]) -> Vec<Statement> {
    vec![expect_ends(project_id, changes), sql!(STAGE, project_id, portion, sync, json!(changes).to_string())]
}

fn expect_ends(project_id: i64, changes: &[Change]) -> Statement {
    sql!(EXPECT_KNOWN, project_id, json!(ends(changes)).to_string())
}

/// All earlier portions of the sync `?2` are there.
const EXPECT_STAGED: &str = "insert into expectations (holds) select ?3 = (
  select count(*) from staged_swaps where project_id = (select ?1) and portion < (select ?3) and sync = (select ?2))";

/// The changes that come with the request, or (`?2` is null) those of the staged portion `?3`.
macro_rules! changes {
    () => {
        "json_each(coalesce(?2, (select s.changes from staged_swaps s where s.project_id = (select ?1) and s.portion = (select ?3)))) change"
    };
}

/// Every ref of the changes still is where the hook saw it.
const EXPECT: &str = concat!(
    "insert into expectations (holds) select not exists (select 1 from ",
    changes!(),
    " left join refs r on r.project_id = (select ?1) and r.name = value ->> 'name'
  left join commits c on c.id = r.commit_id where c.sha is not value ->> 'old')"
);

/// The branches of the commits where branches ended and end are to be judged anew.
const QUEUE: &str = concat!(
    "insert into branch_queue (commit_id, project_id, committed_at) select c.id, ?1, c.committed_at from ",
    changes!(),
    " cross join commits c on c.project_id = (select ?1) and c.sha in (value ->> 'old', value ->> 'new')
where value ->> 'name' >= 'refs/heads/' and value ->> 'name' < 'refs/heads0' on conflict do nothing"
);

const DELETE: &str = concat!(
    "delete from refs where project_id = (select ?1) and name in (select value ->> 'name' from ",
    changes!(),
    " where value ->> 'new' is null)"
);

const UPSERT: &str = concat!(
    "insert into refs (project_id, name, commit_id, tag_sha, message)
select ?1, value ->> 'name', c.id, value ->> 'tag_sha', value ->> 'message' from ",
    changes!(),
    " cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 'new'
where true on conflict (project_id, name) do update
set commit_id = excluded.commit_id, tag_sha = excluded.tag_sha, message = excluded.message"
);

const UNSTAGE: &str = "delete from staged_swaps where project_id = (select ?1)";

/// From here on nobody stores branches that were judged before.
const COUNT_SWAP: &str = "insert into mirrors (project_id, version) values (?1, 1)
on conflict (project_id) do update set version = version + 1";

/// A trigger queues what that changes.
const DEFAULT_BRANCH: &str =
    "update projects set default_branch = ?2 where id = (select ?1) and default_branch is not (select ?2)";

/// Every commit is looked at again.
const SCAN_ALL: &str = "update mirrors set scan_after = '' where project_id = (select ?1)";

/// The staged portions that a swap makes along with its own changes: whose, and how many.
pub type Staged<'a> = Option<(&'a str, i64)>;

/// Compares, then swaps: all or nothing.
pub fn swap(
    project_id: i64,
    staged: Staged<'_>,
    changes: &[Change],
    default_branch: Option<&str>,
    scan: bool,
) -> Vec<Statement> {
    let portions = 0..staged.map_or(0, |(_, portions)| portions);
    let mut lists: Vec<(Option<String>, i64)> = portions.map(|portion| (None, portion)).collect();
    if !changes.is_empty() {
        lists.push((Some(json!(changes).to_string()), 0));
    }
    let on_lists = |texts: &'static [&'static str]| {
        let statement = |text: &'static str, (list, portion): &(Option<String>, i64)| {
            sql!(text, project_id, list.as_deref(), *portion)
        };
        lists
            .iter()
            .flat_map(move |list| texts.iter().map(move |text| statement(text, list)))
            .collect::<Vec<_>>()
    };
    let mut statements = Vec::new();
    statements.extend(staged.map(|(sync, portions)| sql!(EXPECT_STAGED, project_id, sync, portions)));
    statements.push(expect_ends(project_id, changes));
    statements.extend(on_lists(&[EXPECT]));
    statements.push(sql!(COUNT_SWAP, project_id));
    statements.push(sql!(DEFAULT_BRANCH, project_id, default_branch));
    statements.extend(on_lists(&[QUEUE, DELETE, UPSERT]));
    statements.extend(staged.map(|_| sql!(UNSTAGE, project_id)));
    statements.extend(scan.then(|| sql!(SCAN_ALL, project_id)));
    statements
}

/// How far the branches are judged.
#[derive(Debug, Default, Deserialize)]
pub struct Place {
    #[serde(default)]
    pub version: i64,
    /// Commits with a greater hash are to be looked at, too; none: no commit.
    pub scan_after: Option<String>,
}

/// A commit whose branch may be judged. The default branch is called "", so that it is the least.
#[derive(Debug, Deserialize)]
pub struct Row {
    pub id: i64,
    pub committed_at: i64,
    pub branch: Option<String>,
    #[serde(with = "crate::store::flag")]
    pub queued: bool,
    /// The best of the branches that end here.
    pub tip: Option<String>,
    /// The best of the branches that the children outside this portion belong to.
    pub above: Option<String>,
    /// Id and date of each.
    pub parents: Vec<(i64, i64)>,
}

/// First row: a [`Place`]. Then the newest of the queue and what they reach, `?2` commits at most, as [`Row`]s.
const PORTION: &str = "with recursive project as materialized (
  select default_branch as main, 'refs/heads/' || default_branch as main_ref from projects where id = (select ?1)
), first as materialized (
  select commit_id, committed_at from branch_queue where project_id = (select ?1) order by committed_at desc limit (select ?2)
), area(id, at) as materialized (
  select commit_id, committed_at from first
  union
  select p.parent_id, p.parent_committed_at from area join parents p on p.child_id = area.id
  order by 2 desc limit (select ?2)
)
select coalesce((select json_object('version', version, 'scan_after', scan_after) from mirrors where project_id = (select ?1)),
  '{}') as v
union all
select json_object('id', c.id, 'committed_at', c.committed_at,
  'branch', case when c.branch = (select main from project) then '' else c.branch end,
  'queued', exists (select 1 from branch_queue q where q.commit_id = c.id),
  'tip', case when exists (select 1 from refs r where r.project_id = (select ?1) and r.name = (select main_ref from project)
      and r.commit_id = c.id) then ''
    else (select substr(min(r.name), 12) from refs r
      where r.commit_id = c.id and r.name >= 'refs/heads/' and r.name < 'refs/heads0') end,
  'above', (select min(case when k.branch = (select main from project) then '' else k.branch end) from parents p
    cross join commits k on k.id = p.child_id where p.parent_id = c.id and p.child_id not in (select id from area)),
  'parents', json((select json_group_array(json_array(p.parent_id, p.parent_committed_at)) from parents p
    where p.child_id = c.id)))
from area cross join commits c on c.id = area.id";

pub fn portion(project_id: i64, size: i64) -> Statement {
    sql!(PORTION, project_id, size)
}

/// Nobody moved refs or stored branches since version `?2`.
const EXPECT_VERSION: &str = "insert into expectations (holds) select exists (select 1 from mirrors where project_id = (select ?1) and version = (select ?2))";

const STORE: &str = "update commits set branch = case when moved.value ->> 1 = '' then p.default_branch
  else moved.value ->> 1 end
from json_each(?2) moved, projects p where commits.id = moved.value ->> 0 and p.id = (select ?1)";

const UNQUEUE: &str = "delete from branch_queue where commit_id in (select value from json_each(?1))";

const QUEUE_PARENTS: &str = "insert into branch_queue (commit_id, project_id, committed_at)
select value ->> 0, ?1, value ->> 1 from json_each(?2) where true on conflict do nothing";

/// Stores what came of a portion.
pub fn store(project_id: i64, version: i64, judged: &Judged) -> Vec<Statement> {
    let mut statements = vec![
        sql!(EXPECT_VERSION, project_id, version),
        sql!(COUNT_SWAP, project_id),
        sql!(UNQUEUE, json!(judged.done).to_string()),
    ];
    if !judged.moved.is_empty() {
        statements.push(sql!(STORE, project_id, json!(judged.moved).to_string()));
    }
    if !judged.queued.is_empty() {
        let parents: Vec<(&i64, &i64)> = judged.queued.iter().collect();
        statements.push(sql!(QUEUE_PARENTS, project_id, json!(parents).to_string()));
    }
    statements
}

/// How many commits one step of a scan looks at.
const SCANNED: i64 = 1000;

/// Queues those of the next commits after the hash `?2` that may belong elsewhere: another branch ends there, or a
/// child belongs to another, or neither branch nor child is a reason for their own.
const SCAN: &str = "insert into branch_queue (commit_id, project_id, committed_at)
select c.id, ?1, c.committed_at
from (select * from commits where project_id = (select ?1) and sha > (select ?2) order by sha limit (select ?3)) c
where exists (select 1 from refs r where r.commit_id = c.id and r.name >= 'refs/heads/' and r.name < 'refs/heads0'
    and substr(r.name, 12) is not c.branch)
  or exists (select 1 from parents p join commits k on k.id = p.child_id
    where p.parent_id = c.id and k.branch is not null and k.branch is not c.branch)
  or (c.branch is not null
    and not exists (select 1 from refs r where r.project_id = (select ?1) and r.name = 'refs/heads/' || c.branch
      and r.commit_id = c.id)
    and not exists (select 1 from parents p join commits k on k.id = p.child_id
      where p.parent_id = c.id and k.branch = c.branch))
on conflict do nothing";

const SCANNED_TO: &str = "update mirrors set scan_after = (
  select sha from commits where project_id = (select ?1) and sha > (select ?2) order by sha limit 1 offset (select ?3 - 1))
where project_id = (select ?1)";

/// The next step of a scan.
pub fn scan(project_id: i64, version: i64, after: &str) -> Vec<Statement> {
    vec![
        sql!(EXPECT_VERSION, project_id, version),
        sql!(COUNT_SWAP, project_id),
        sql!(SCAN, project_id, after, SCANNED),
        sql!(SCANNED_TO, project_id, after, SCANNED),
    ]
}
