//! Statements that find the branches of commits, a portion at a time.

use crate::mirror::sql::moves::COUNT;
use crate::store::{Statement, sql};
use serde_json::json;
use std::collections::BTreeMap;

/// How far the branches are judged.
#[derive(Debug, Default, crate::store::Row)]
pub struct Progress {
    #[row(default)]
    pub version: i64,
    /// Commits with a greater hash are to be looked at, too; none: no commit.
    pub scan_after: Option<String>,
}

/// What a portion of the queue comes to.
#[derive(Debug, Default, PartialEq)]
pub struct Judged {
    /// Commits whose branch changes.
    pub moved: Vec<(i64, Option<String>)>,
    /// Their parents outside the portion, with dates: to be judged next.
    pub queued: BTreeMap<i64, i64>,
    /// Commits that need not be judged any more.
    pub done: Vec<i64>,
}

/// A commit whose branch may be judged. The default branch is called "", so that it is the least.
#[derive(Debug, crate::store::Row)]
pub struct Row {
    pub id: i64,
    pub committed_at: i64,
    pub branch: Option<String>,
    pub queued: bool,
    /// The best of the branches that end here.
    pub tip: Option<String>,
    /// The best of the branches that the children outside this portion belong to.
    pub above: Option<String>,
    /// Id and date of each.
    pub parents: Vec<(i64, i64)>,
}

/// First row: a [`Progress`]. Then the newest of the queue and what they reach, `?2` commits at most, as [`Row`]s.
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

pub fn read(project_id: i64, size: i64) -> Statement {
    sql!(PORTION, project_id, size)
}

/// Nobody moved refs or stored branches since version `?2`.
const EXPECT_VERSION: &str = "insert into expectations (holds) select exists (select 1 from mirrors where project_id = (select ?1) and version = (select ?2))";

const STORE: &str = "update commits set branch = case when moved.value ->> 1 = '' then p.default_branch
  else moved.value ->> 1 end
from json_each(?2) moved, projects p where commits.id = moved.value ->> 0 and p.id = (select ?1)";

/// Counts the commits that [`STORE`] is going to move, for the branches that they leave and come to.
const COUNT_MOVED: &str = "insert into branch_counts (project_id, branch, commits)
select ?1, branch, sum(more) from (
  select case when moved.value ->> 1 = '' then p.default_branch else moved.value ->> 1 end as branch, 1 as more
  from projects p cross join json_each(?2) moved where p.id = (select ?1)
  union all
  select c.branch, -1 from json_each(?2) moved cross join commits c on c.id = moved.value ->> 0
) where branch is not null group by branch
on conflict (project_id, branch) do update set commits = commits + excluded.commits";

const UNQUEUE: &str = "delete from branch_queue where commit_id in (select value from json_each(?1))";

const QUEUE_PARENTS: &str = "insert into branch_queue (commit_id, project_id, committed_at)
select value ->> 0, ?1, value ->> 1 from json_each(?2) where true on conflict do nothing";

/// Stores what came of a portion.
pub fn store(project_id: i64, version: i64, judged: &Judged) -> Vec<Statement> {
    let mut statements = vec![
        sql!(EXPECT_VERSION, project_id, version),
        sql!(COUNT, project_id),
        sql!(UNQUEUE, json!(judged.done).to_string()),
    ];
    if !judged.moved.is_empty() {
        let moved = json!(judged.moved).to_string();
        statements.push(sql!(COUNT_MOVED, project_id, moved.as_str()));
        statements.push(sql!(STORE, project_id, moved));
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
        sql!(COUNT, project_id),
        sql!(SCAN, project_id, after, SCANNED),
        sql!(SCANNED_TO, project_id, after, SCANNED),
    ]
}
