//! Statements of v4 about one environment, and of a deployment that is removed.

use super::{deployments, environment_json, next_number};
use crate::call::in_project;
use crate::store::{Statement, Value, sql};

/// The environment with the id `?7`.
macro_rules! picked {
    () => {
        "from environments e where e.id = (select ?7) and e.project_id = (select project_id from scope where builds_enabled)"
    };
}

/// First row: the environment. Then its last deployment that succeeded, among the thousand newest.
const ONE: &str = in_project!(
    "union all select ",
    environment_json!(),
    picked!(),
    "
union all ",
    deployments!(concat!(
        "where id = (select w.id from (select n.id, n.status_id from deployments n where n.environment_id = (select e.id ",
        picked!(),
        ") order by n.iid desc limit 1000) w where (select o.state from statuses o where o.id = w.status_id) = 'success' limit 1)"
    ))
);

pub fn one(id: i64) -> Statement {
    sql!(ONE, id)
}

/// What is to be known before an environment is removed: its state, whether it has more than 9,000 deployments, and when it was changed.
const BEFORE: &str = in_project!(
    "union all select json_array(e.state, exists (select 1 from deployments d where d.environment_id = e.id limit 1 offset 9000), e.updated_at) ",
    picked!()
);

pub fn before(id: i64) -> Statement {
    sql!(BEFORE, id)
}

/// Makes an environment of the name `?2`, unless there is one.
const INSERT: &str = concat!(
    "insert into environments (project_id, number, name, external_url, tier, description, created_at, updated_at)
select ?1, ",
    next_number!("environments", "number", "environment", "(select ?1)"),
    ", ?2, ?3, ?4, ?5, ?6, ?6 where true on conflict (project_id, name) do nothing"
);

/// The one that was just made.
const MADE: &str = concat!(
    "select ",
    environment_json!(),
    " as v from environments e where changes() = 1 and e.id = last_insert_rowid()"
);

pub struct Draft<'a> {
    pub name: &'a str,
    pub external_url: Option<&'a str>,
    pub tier: Option<&'a str>,
    pub description: Option<&'a str>,
}

pub fn make(project_id: i64, draft: &Draft<'_>, now: i64) -> Vec<Statement> {
    let Draft { name, external_url, tier, description } = *draft;
    vec![sql!(INSERT, project_id, name, external_url, tier, description, now), sql!(MADE)]
}

/// Changes what is set (`?3`, `?5`, `?7`) of the environment `?1`; `?9`: its state, null: as it is.
const UPDATE: &str = "update environments set external_url = iif(?3, ?4, external_url), tier = iif(?5, ?6, tier),
  description = iif(?7, ?8, description), state = coalesce(?9, state), updated_at = ?2 where id = (select ?1)";

const CHANGED: &str =
    concat!("select ", environment_json!(), " as v from environments e where e.id = (select ?1)");

/// A field that is changed, and its value.
pub type Change<'a> = Option<Option<&'a str>>;

pub fn change(id: i64, now: i64, changes: [Change<'_>; 3], state: Option<&str>) -> Vec<Statement> {
    let mut update = sql!(UPDATE, id, now);
    for change in changes {
        update.binds.extend([Value::from(change.is_some()), change.flatten().into()]);
    }
    update.binds.push(state.into());
    vec![update, sql!(CHANGED, id)]
}

/// So many of its deployments, only while it is stopped.
const REMOVE_DEPLOYMENTS: &str = "delete from deployments where id in (select d.id from environments e
  cross join deployments d on d.environment_id = e.id where e.id = (select ?1) and e.state = 'stopped' limit (select ?2))";

/// How many that is, so that a statement touches few rows, and how many of them are enough for the 9,000 that it has at most.
const PORTION: i64 = 1000;
const PORTIONS: usize = 10;

const REMOVE: &str = "delete from environments where id = (select ?1) and state = 'stopped'";

/// The environment and its deployments.
pub fn remove(id: i64) -> Vec<Statement> {
    let mut batch = vec![sql!(REMOVE_DEPLOYMENTS, id, PORTION); PORTIONS];
    batch.push(sql!(REMOVE, id));
    batch
}

/// The state of the deployment `?7`, whether none of the thousand after it in its environment succeeded, and when it was changed.
const DEPLOYMENT_BEFORE: &str = in_project!(
    "union all select json_array(s.state, not exists (select 1 from (
    select n.status_id from deployments n where n.environment_id = d.environment_id and n.iid > d.iid order by n.iid limit 1000) n
    cross join statuses o on o.id = n.status_id where o.state = 'success'),
    coalesce(s.finished_at, s.started_at, s.created_at))
  from deployments d cross join statuses s on s.id = d.status_id
  where d.id = (select ?7) and d.project_id = (select project_id from scope where builds_enabled)"
);

pub fn deployment_before(id: i64) -> Statement {
    sql!(DEPLOYMENT_BEFORE, id)
}

const REMOVE_DEPLOYMENT: &str = "delete from deployments where id = (select ?1)
  and (select s.state from statuses s where s.id = status_id) <> 'running'";

pub fn remove_deployment(id: i64) -> Statement {
    sql!(REMOVE_DEPLOYMENT, id)
}
