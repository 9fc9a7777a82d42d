//! Rows and statements of commit statuses.

use super::ListStatuses;
use crate::call::in_project;
use crate::commits::sql::{abbreviation, commit_id};
use crate::error::{Error, Result};
use crate::page::Page;
use crate::sql;
use crate::store::{Rows, Statement, Store, Value};
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
    pub sha: String,
    /// The branch of statuses that name none.
    pub branch: Option<String>,
}

/// Which commit is named by `?7`, and to which branch does it belong?
const TARGET: &str = in_project!(
    "union all select json_object('commit_id', c.id, 'sha', c.sha, 'branch', c.branch) from commits c where c.id = ",
    commit_id!()
);

pub fn target(name: &str) -> Statement {
    sql!(TARGET, name, abbreviation(name))
}

/// What there is one unfinished status of at most.
#[derive(Debug)]
pub struct Key {
    pub project_id: i64,
    pub commit_id: i64,
    /// Empty: none.
    pub git_ref: String,
    pub name: String,
    pub user_id: i64,
}

#[derive(Debug)]
pub struct Post {
    pub key: Key,
    pub state: String,
    pub target_url: Option<String>,
    pub description: Option<String>,
    pub coverage: Option<f64>,
    /// Whether an unfinished status' own state posted again is an error.
    pub repeat_is_refused: bool,
    pub now: i64,
}

pub enum Outcome {
    Stored(StatusRow),
    /// The state of the unfinished status that cannot become what was posted.
    Refused(String),
}

/// Moves the unfinished status of the key on, unless it would go back.
const MOVE: &str = concat!(
    "update statuses set state = ?5, target_url = coalesce(?6, target_url), description = coalesce(?7, description),
  coverage = coalesce(?8, coverage),
  started_at = case when ?5 = 'running' then coalesce(started_at, ?9) else started_at end,
  finished_at = case when ?5 in ('success', 'failed', 'canceled') then ?9 end
where commit_id = ?1 and ref = ?2 and name = ?3 and user_id = ?4 and state in ('pending', 'running')
  and not (state = 'running' and ?5 = 'pending') and not (?10 and state = ?5)
returning ", status_json!("")
);

/// Else adds one, unless there is an unfinished one that stayed.
const ADD: &str = concat!(
    "insert into statuses (project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, created_at,
  started_at, finished_at)
select ?10, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, case when ?5 = 'running' then ?9 end,
  case when ?5 in ('success', 'failed', 'canceled') then ?9 end
where changes() = 0 and not exists (select 1 from statuses
  where commit_id = ?1 and ref = ?2 and name = ?3 and user_id = ?4 and state in ('pending', 'running'))
returning ", status_json!("")
);

/// What stayed.
const STAYED: &str = "select json_quote(state) from statuses
where commit_id = ?1 and ref = ?2 and name = ?3 and user_id = ?4 and state in ('pending', 'running')";

/// Adds or updates a status: one transaction decides.
pub async fn post(store: &Store<'_>, post: &Post) -> Result<Outcome> {
    let Post { key, state, target_url, description, coverage, repeat_is_refused, now } = post;
    let identity = || -> Vec<Value> {
        vec![key.commit_id.into(), key.git_ref.as_str().into(), key.name.as_str().into(), key.user_id.into()]
    };
    let values = |last: Value| {
        let mut binds = identity();
        binds.push(state.as_str().into());
        binds.extend([target_url.as_deref().into(), description.as_deref().into()]);
        binds.push(coverage.map_or(Value::Null, Value::Real));
        binds.extend([Value::Int(*now), last]);
        binds
    };
    let batch = vec![
        Statement { sql: MOVE.into(), binds: values((*repeat_is_refused).into()) },
        Statement { sql: ADD.into(), binds: values(key.project_id.into()) },
        Statement { sql: STAYED.into(), binds: identity() },
    ];
    let mut answers = store.batch(batch).await?.into_iter();
    let (moved, added, stayed) = (answers.next(), answers.next(), answers.next());
    for rows in [moved, added].into_iter().flatten() {
        if let Some(row) = rows.first()? {
            return Ok(Outcome::Stored(row));
        }
    }
    let state = stayed.unwrap_or_default().first()?;
    state
        .map(Outcome::Refused)
        .ok_or_else(|| Error::Internal("a status was neither stored nor refused".to_owned()))
}

/// One row of a list's answer.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// The commit's hash and the list's length.
    Commit(String, i64),
    Status(StatusRow, UserRow),
}

pub struct Listed {
    pub sha: String,
    pub total: i64,
    pub statuses: Vec<(StatusRow, UserRow)>,
}

impl Listed {
    /// None if there is no such commit.
    pub fn from(rows: &Rows) -> Result<Option<Listed>> {
        let mut listed = None;
        for part in rows.all()? {
            match (part, &mut listed) {
                (Part::Commit(sha, total), _) => listed = Some(Listed { sha, total, statuses: Vec::new() }),
                (Part::Status(row, author), Some(Listed { statuses, .. })) => statuses.push((row, author)),
                (Part::Status(..), None) => {}
            }
        }
        Ok(listed)
    }
}

/// The refs asked for, of the commit `?7`: `?9`; without it any (`?10`), or the default branch and none.
macro_rules! counts_of_refs {
    () => {
        concat!(
            "status_counts n where n.commit_id = ",
            commit_id!(),
            " and case when ?9 is not null then n.ref = ?9
    when ?10 then 1 else n.ref in ('', coalesce((select default_branch from scope), '')) end"
        )
    };
}

/// Which statuses of the commit `?7` come on this page? `{source}`: the newest of each name, or all.
const LIST: &str = in_project!(
    "union all select json_object('commit', json_array(c.sha, case when ?11 is null and ?12 is null
  then (select coalesce(sum({counted}), 0) from ", counts_of_refs!(), ")
  else (select count(*) from (select * from ", counts_of_refs!(), ") n join {table} x on x.commit_id = n.commit_id and x.ref = n.ref
    join statuses s on s.id = x.{id} where s.name = coalesce(?11, s.name) and s.stage = coalesce(?12, s.stage)) end))
from commits c where c.id = ", commit_id!(), "
union all select json_object('status', json_array(json(", status_json!("s."), "), json(", user_by_id!("s.user_id"), ")))
from (select x.{id} as id from (select * from ", counts_of_refs!(), ") n cross join {table} x
    on x.commit_id = n.commit_id and x.ref = n.ref and x.{id} in (
      select y.{id} from {table} y cross join statuses s on s.id = y.{id}
      where y.commit_id = n.commit_id and y.ref = n.ref and s.name = coalesce(?11, s.name) and s.stage = coalesce(?12, s.stage)
      order by y.{id} limit ?13 + ?14)
  order by 1 limit ?14 offset ?13) page
cross join statuses s on s.id = page.id"
);

pub fn list(name: &str, filter: &ListStatuses, any_ref: bool, page: &Page) -> Statement {
    let (table, id, counted) = if filter.all {
        ("statuses", "id", "n.posted")
    } else {
        ("status_heads", "status_id", "n.pending + n.running + n.success + n.failed + n.canceled")
    };
    let mut statement = sql!(
        "",
        name,
        abbreviation(name),
        filter.ref_name.as_deref().or(filter.git_ref.as_deref()),
        any_ref,
        filter.name.as_deref(),
        filter.stage.as_deref(),
        page.offset(),
        page.size
    );
    let text = LIST.replace("{table}", table).replace("{id}", id).replace("{counted}", counted);
    statement.sql = text.into();
    statement
}
