//! Statements that move refs.

use super::EXPECT_KNOWN;
use crate::store::{Statement, sql};
use edgeforge_wire::Change;
use serde_json::json;

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
    "insert into refs (project_id, name, commit_id, tag_sha, message, commits, committed_at)
select ?1, value ->> 'name', c.id, value ->> 'tag_sha', value ->> 'message', nullif(value ->> 'commits', 0), c.committed_at from ",
    changes!(),
    " cross join commits c on c.project_id = (select ?1) and c.sha = value ->> 'new'
where true on conflict (project_id, name) do update
set commit_id = excluded.commit_id, tag_sha = excluded.tag_sha, message = excluded.message, commits = excluded.commits,
  committed_at = excluded.committed_at"
);

const UNSTAGE: &str = "delete from staged_swaps where project_id = (select ?1)";

/// From here on nobody stores branches that were judged before.
pub(super) const COUNT: &str = "insert into mirrors (project_id, version) values (?1, 1)
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
    statements.push(sql!(COUNT, project_id));
    statements.push(sql!(DEFAULT_BRANCH, project_id, default_branch));
    statements.extend(on_lists(&[QUEUE, DELETE, UPSERT]));
    statements.extend(staged.map(|_| sql!(UNSTAGE, project_id)));
    statements.extend(scan.then(|| sql!(SCAN_ALL, project_id)));
    statements
}
