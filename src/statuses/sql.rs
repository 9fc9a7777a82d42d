//! Rows and statements of commit statuses.

use super::ListStatuses;
use crate::call::in_project;
use crate::commits::sql::{abbreviation, commit_id};
use crate::error::Result;
use crate::page::Page;
use crate::sql;
use crate::store::{Rows, Statement};
use crate::users::sql::{UserRow, user_by_id};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct StatusRow {
    pub id: i64,
    /// Empty: none.
    pub git_ref: String,
    pub state: String,
    pub name: String,
    pub target_url: Option<String>,
    pub description: Option<String>,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
}

/// A [`StatusRow`] of columns that stand alone (`""`) or behind an alias (`"s."`).
macro_rules! status_json {
    ($s:literal) => {
        concat!(
            "json_object('id', ",
            $s,
            "id, 'git_ref', ",
            $s,
            "ref, 'state', ",
            $s,
            "state, 'name', ",
            $s,
            "name, 'target_url', ",
            $s,
            "target_url, 'description', ",
            $s,
            "description, 'created_at', ",
            $s,
            "created_at, 'started_at', ",
            $s,
            "started_at, 'finished_at', ",
            $s,
            "finished_at)"
        )
    };
}

pub(crate) use status_json;

/// How many of a commit's newest statuses are in each state.
#[derive(Debug, Clone, Copy, Deserialize, Default)]
pub struct Counts {
    pub pending: i64,
    pub running: i64,
    pub success: i64,
    pub failed: i64,
    pub canceled: i64,
}

impl Counts {
    /// The one status that stands for all (contract B 4.4.3); none without statuses.
    pub fn aggregate(&self) -> Option<&'static str> {
        let Counts { pending, running, success, failed, canceled } = *self;
        let total = pending + running + success + failed + canceled;
        match total {
            0 => None,
            _ if success == total => Some("success"),
            _ if pending == total => Some("pending"),
            _ if canceled + success == total => Some("canceled"),
            _ if running + pending > 0 => Some("running"),
            _ => Some("failed"),
        }
    }
}

/// The commit that a status is for.
#[derive(Debug, Deserialize)]
pub struct Target {
    pub commit_id: i64,
    /// The branch of statuses that name none.
    pub branch: Option<String>,
}

/// The branch that `?7` names, if the commit `$commit` is its tip: statuses for the branch's name are the branch's.
macro_rules! named_branch {
    ($commit:literal) => {
        concat!(
            "(select substr(r.name, 12) from refs r where r.project_id = (select project_id from scope)
    and r.commit_id = ",
            $commit,
            " and r.name = ",
            crate::commits::sql::branch_name!("(select project_id from scope)"),
            ")"
        )
    };
}

pub(crate) use named_branch;

/// Which commit is named by `?7`, and to which branch does it belong?
const TARGET: &str = in_project!(
    "union all select json_object('commit_id', c.id, 'branch', coalesce(",
    named_branch!("c.id"),
    ", c.branch)) from commits c where c.id = ",
    commit_id!()
);

pub fn target(name: &str) -> Statement {
    sql!(TARGET, name, abbreviation(name))
}

/// One row of a list's answer.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// The commit's hash and the list's length; none: very long.
    Commit(String, Option<i64>),
    Status(Box<(StatusRow, UserRow)>),
}

pub struct Listed {
    pub sha: String,
    pub total: Option<i64>,
    pub statuses: Vec<(StatusRow, UserRow)>,
}

impl Listed {
    /// None if there is no such commit.
    pub fn from(rows: &Rows) -> Result<Option<Listed>> {
        let mut listed = None;
        for part in rows.all()? {
            match (part, &mut listed) {
                (Part::Commit(sha, total), _) => listed = Some(Listed { sha, total, statuses: Vec::new() }),
                (Part::Status(status), Some(Listed { statuses, .. })) => statuses.push(*status),
                (Part::Status(_), None) => {}
            }
        }
        Ok(listed)
    }
}

/// Which statuses of the commit `?7` come on this page? Of the refs `{refs}`, out of the table `{table}` whose `{id}` is a
/// status. First row: the commit's hash and how many there are. `?9` ref, `?10` name, `?11` stage (null: any), `?12`
/// passed over, `?13` at most, `?14` the last id of the page before.
const LIST: &str = in_project!(
    "union all select v from (
  with target as materialized (select c.id, c.sha from commits c where c.id = ",
    commit_id!(),
    "),
  counted as materialized (
    select n.* from target t cross join status_counts n on n.commit_id = t.id {refs} and n.stage = coalesce(?11, n.stage)
  ),
  page as (select x.{id} as id {found} and x.{id} in (
      select y.{id} {range} and y.{id} > (select ?14) order by y.{id} limit (select ?12 + ?13))
    order by 1 limit (select ?13) offset (select ?12))
  select json_object('commit', json_array(t.sha, (select {total}))) as v from target t
  union all
  select json_object('status', json_array(json(",
    status_json!("s."),
    "), json(",
    user_by_id!("s.user_id"),
    ")))
  from page cross join statuses s on s.id = page.id
)"
);

/// The ref that was asked for; else the branch that names the commit or the default branch, and none; else any.
const NAMED: &str = "and n.ref = (select ?9)";
const DEFAULT: &str = concat!(
    "and n.ref in (select '' union all select coalesce(",
    named_branch!("t.id"),
    ", default_branch, '') from scope)"
);
const ANY: &str = "";

/// Every ref and stage is one range of an index, and the counters know how long it is.
const STAGES: [(&str, &str); 3] = [
    (
        "{found}",
        "from counted n cross join {table} x on x.commit_id = n.commit_id and x.ref = n.ref and x.stage = n.stage",
    ),
    ("{range}", "from {table} y where y.commit_id = n.commit_id and y.ref = n.ref and y.stage = n.stage"),
    ("{total}", "coalesce(sum({counted}), 0) from counted n"),
];

/// So is every ref and name.
const NAMES: [(&str, &str); 3] = [
    (
        "{found}",
        "from (select distinct commit_id, ref from counted) n
    cross join {table} x on x.commit_id = n.commit_id and x.ref = n.ref and x.name = (select ?10)",
    ),
    (
        "{range}",
        "from {table} y where y.commit_id = n.commit_id and y.ref = n.ref and y.name = (select ?10) and y.stage = coalesce(?11, y.stage)",
    ),
    (
        "{total}",
        "case when ?11 is null then (select coalesce(sum({posted}), 0) from (select distinct commit_id, ref from counted) n
      cross join status_heads h on h.commit_id = n.commit_id and h.ref = n.ref and h.name = (select ?10))
    else (select iif(count(*) > 10000, null, count(*)) from (select 1 {found} and x.stage = (select ?11) limit 10001)) end",
    ),
];

pub fn list(name: &str, filter: &ListStatuses, any_ref: bool, page: &Page) -> Statement {
    let git_ref = filter.ref_name.as_deref().or(filter.git_ref.as_deref());
    let refs = match git_ref {
        Some(_) => NAMED,
        None if any_ref => ANY,
        None => DEFAULT,
    };
    let (table, id, counted, posted) = if filter.all {
        ("statuses", "id", "n.posted", "h.posted")
    } else {
        ("status_heads", "status_id", "n.pending + n.running + n.success + n.failed + n.canceled", "1")
    };
    let (cursor, offset) = page.after();
    let mut statement = sql!(
        "",
        name,
        abbreviation(name),
        git_ref,
        filter.name.as_deref(),
        filter.stage.as_deref(),
        offset,
        page.size + 1,
        cursor
    );
    let [found, range, total] = if filter.name.is_some() { NAMES } else { STAGES };
    let places = [("{refs}", refs), total, found, range, ("{table}", table), ("{id}", id)];
    let pieces = places.into_iter().chain([("{counted}", counted), ("{posted}", posted)]);
    let text = pieces.fold(LIST.to_owned(), |text, (place, piece)| text.replace(place, piece));
    statement.sql = text.into();
    statement
}
