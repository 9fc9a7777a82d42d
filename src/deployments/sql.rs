//! Rows and statements of deployments and environments.

pub mod environments;

use crate::call::Key;
use crate::call::sql::idempotency::{answer_json, replacing};
use crate::call::{Links, in_project, scope};
use crate::commits::sql::CommitRow;
use crate::error::{Error, Result};
use crate::page::{Page, bounded};
use crate::person::UserRow;
use crate::statuses::sql::StatusRow;
use crate::statuses::sql::posts::{Outcome, Post};
use crate::store::{Failure, Row, Statement, Store, sql};
use crate::users::sql::ProfileRow;

#[derive(Debug, Row)]
pub struct DeploymentRow {
    pub id: i64,
    pub iid: i64,
    pub created_at: i64,
    pub user: UserRow,
    pub environment: EnvironmentRow,
    pub job: JobRow,
    /// Who runs the job.
    pub author: ProfileRow,
    pub commit: CommitRow,
}

#[derive(Debug, Row)]
pub struct EnvironmentRow {
    pub id: i64,
    /// Within the project, from 1.
    pub number: i64,
    pub name: String,
    pub external_url: Option<String>,
    /// What v4 shows beside.
    #[row(default)]
    pub created_at: i64,
    #[row(default)]
    pub updated_at: i64,
    #[row(default)]
    pub state: String,
    /// None: what the name says.
    pub tier: Option<String>,
    pub description: Option<String>,
}

/// A commit status as a job.
#[derive(Debug, Row)]
pub struct JobRow {
    pub status: StatusRow,
    pub commit_id: i64,
    pub stage: String,
    pub tag: bool,
}

/// A [`DeploymentRow`] for every row that the condition picks of `d`, in this order.
macro_rules! deployments {
    ($picked:expr) => {
        concat!(
            "select json_array(d.id, d.iid, d.created_at, ",
            crate::person::user_by_id!("d.user_id"),
            ", json((select ",
            crate::deployments::sql::environment_json!(),
            " from environments e where e.id = d.environment_id)),
  json_array(json(",
            crate::statuses::sql::status_json!("s."),
            "), s.commit_id, s.stage, s.tag),
  json((select ",
            crate::users::sql::profile_json!(),
            " from users u where u.id = s.user_id)),
  ",
            crate::commits::sql::commit_json!(),
            ") as v
from (select * from deployments ",
            $picked,
            ") d cross join statuses s on s.id = d.status_id cross join commits c on c.id = s.commit_id"
        )
    };
}

/// An [`EnvironmentRow`] of the alias `e`.
macro_rules! environment_json {
    () => {
        "json_array(e.id, e.number, e.name, e.external_url,
    e.created_at, e.updated_at, e.state, e.tier, e.description)"
    };
}

/// How many of the numbers `$number` of `$table` are there: the greatest that was given out, less those that are gone.
macro_rules! counted {
    ($table:literal, $number:literal, $kind:literal) => {
        concat!(
            "select json_quote(max(coalesce(max(",
            $number,
            "), 0), coalesce((select x.last from removed_numbers x where x.project_id = t.project_id and x.kind = '",
            $kind,
            "'), 0)) - coalesce((select x.removed from removed_numbers x where x.project_id = t.project_id and x.kind = '",
            $kind,
            "'), 0)) from ",
            $table,
            " t where t.project_id = (select project_id from scope where builds_enabled)"
        )
    };
}

/// The next number.
macro_rules! next_number {
    ($table:literal, $number:literal, $kind:literal, $project:literal) => {
        concat!(
            "max(coalesce((select max(",
            $number,
            ") from ",
            $table,
            " where project_id = ",
            $project,
            "), 0), coalesce((select last from removed_numbers where project_id = ",
            $project,
            " and kind = '",
            $kind,
            "'), 0)) + 1"
        )
    };
}

/// How many rows are passed over by the number, where there are no gaps (`$by_number`), else one by one.
macro_rules! passed {
    ($kind:literal, $by_number:literal) => {
        concat!(
            "(select iif(",
            $by_number,
            " = exists (select 1 from removed_numbers x where x.project_id = (select project_id from scope) and x.kind = '",
            $kind,
            "'), 0, ?8))"
        )
    };
}
pub(super) use {deployments, environment_json, next_number};

/// Nothing but authorization.
pub fn nothing() -> Statement {
    sql!(scope::PROJECT_HEAD)
}

/// First row: how many are there? Then those after the number `?7` and `?8` further ones, `?9` at most.
const LIST: &str = bounded!(in_project!(
    "union all ",
    counted!("deployments", "iid", "deployment"),
    " union all select v from (",
    deployments!(concat!(
        "where project_id = (select project_id from scope where builds_enabled) and iid > (select ?7) + ",
        passed!("deployment", "1"),
        " order by iid limit (select ?9) offset ",
        passed!("deployment", "0")
    )),
    ")"
));

pub fn list(page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST, after, offset, page.size + 1)
}

/// Which deployment of this project has the id `?7`?
const ONE: &str = in_project!(
    "union all ",
    deployments!(
        "where id = (select ?7 from scope where builds_enabled) and project_id = (select project_id from scope)"
    )
);

pub fn one(deployment_id: i64) -> Statement {
    sql!(ONE, deployment_id)
}

/// The same of environments.
const ENVIRONMENTS: &str = in_project!(
    "union all ",
    counted!("environments", "number", "environment"),
    "
union all select v from (select ",
    environment_json!(),
    " as v from environments e
  where e.project_id = (select project_id from scope where builds_enabled) and e.number > (select ?7) + ",
    passed!("environment", "1"),
    "
  order by e.number limit (select ?9) offset ",
    passed!("environment", "0"),
    ")"
);

pub fn environments(page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(ENVIRONMENTS, after, offset, page.size + 1)
}

/// A deployment to be made.
pub struct Draft {
    pub job: Post,
    pub environment: String,
    pub external_url: Option<String>,
}

/// A running job does not become pending.
const EXPECT: &str = "insert into expectations (holds) select not exists (select 1 from statuses
  where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3) and user_id = (select ?4) and state = 'running')";

/// The environment of that name, made if it is new, at the address that was given last. If it was stopped, it no longer is.
const ENVIRONMENT: &str = concat!(
    "insert into environments (project_id, number, name, external_url, created_at, updated_at)
select ?1, ",
    next_number!("environments", "number", "environment", "(select ?1)"),
    ", ?2, ?3, ?4, ?4 where true
on conflict (project_id, name) do update set external_url = coalesce(excluded.external_url, external_url), state = 'available', updated_at = excluded.updated_at
where excluded.external_url is not null or state <> 'available'"
);

/// The newest status of the key `?1` to `?4`: what was just posted, for an unfinished one is never older.
macro_rules! posted {
    () => {
        "select id from statuses where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3) and user_id = (select ?4) order by id desc limit 1"
    };
}

/// The project's next deployment.
const INSERT: &str = concat!(
    "insert into deployments (project_id, iid, environment_id, status_id, user_id, created_at)
select ?5, ",
    next_number!("deployments", "iid", "deployment", "(select ?5)"),
    ",
  (select id from environments where project_id = (select ?5) and name = (select ?6)), (",
    posted!(),
    "), ?4, ?7"
);

macro_rules! newest {
    () => {
        deployments!("where project_id = (select ?1) order by iid desc limit 1")
    };
}

/// The project's newest deployment.
const NEWEST: &str = newest!();

/// Keeps the newest deployment of the project `?1` for the user `?2` under the key `?3`.
const KEEP: &str = concat!(
    "insert into idempotency_keys (user_id, key, created_at, digest, answer) select ?2, ?3, ?4, ?5, ",
    answer_json!("?6", newest!()),
    " where true",
    replacing!()
);

/// Makes a deployment with its environment and job: one transaction. It ends at an expectation if the job is running
/// already, or the key was used.
pub async fn create(
    store: &Store<'_>,
    draft: &Draft,
    key: Option<&Key>,
    links: &Links,
) -> std::result::Result<Option<DeploymentRow>, Failure> {
    let Draft { job, environment, external_url } = draft;
    let (project_id, user_id, now) = (job.key.project_id, job.key.user_id, job.now);
    let mut batch: Vec<Statement> = key.iter().map(|key| key.expect_unused(user_id, now)).collect();
    if job.state.as_deref() == Some("pending") {
        batch.push(sql!(EXPECT; job.key.binds()));
    }
    batch.push(sql!(ENVIRONMENT, project_id, environment.as_str(), external_url.as_deref(), now));
    batch.extend(job.statements());
    let mut binds = job.key.binds();
    binds.extend([project_id.into(), environment.as_str().into(), now.into()]);
    batch.push(sql!(INSERT; binds));
    let keep = |key: &Key| {
        let (hash, digest, base) = (key.hash.as_str(), key.digest.as_str(), links.base.as_str());
        sql!(KEEP, project_id, user_id, hash, now, digest, base)
    };
    batch.extend(key.map(keep));
    batch.push(sql!(NEWEST, project_id));
    // with a key it is done once, however often it is tried
    let answers = if key.is_some() { store.repeat(batch).await? } else { store.batch(batch).await? };
    answers.last().map(|rows| rows.first()).transpose().map(Option::flatten)
}

/// The unfinished status `?1` becomes the user's `?2` who moves it on, unless they have one of the same key.
const TAKE_OVER: &str = "update statuses as s set user_id = ?2
where s.id = (select ?1) and s.user_id <> (select ?2) and s.state in ('pending', 'running')
  and not exists (select 1 from statuses o where o.commit_id = s.commit_id and o.ref = s.ref and o.name = s.name
    and o.user_id = (select ?2) and o.state in ('pending', 'running'))";

/// The deployment `?5` follows its job, where that is now in the state `?6`: a finished one had a successor.
const FOLLOW: &str = concat!(
    "update deployments set status_id = (",
    posted!(),
    ")
where id = (select ?5) and ?6 = (select state from statuses where id = (",
    posted!(),
    "))"
);

const SAME: &str = deployments!("where id = (select ?1)");

/// Moves the deployment's job on, and the deployment as it is afterwards: one transaction. `ids`: of the deployment and
/// of the status that is its job.
pub async fn update(store: &Store<'_>, ids: (i64, i64), job: &Post) -> Result<(Outcome, DeploymentRow)> {
    let (id, status_id) = ids;
    let mut batch = vec![sql!(TAKE_OVER, status_id, job.key.user_id)];
    batch.extend(job.statements());
    let mut binds = job.key.binds();
    binds.extend([id.into(), job.state.as_deref().into()]);
    batch.push(sql!(FOLLOW; binds));
    batch.push(sql!(SAME, id));
    let answers = store.batch(batch).await?;
    let row = answers.last().map(|rows| rows.first()).transpose()?.flatten();
    let row = row.ok_or_else(|| Error::Internal("a deployment is gone".to_owned()))?;
    Ok((Outcome::from(answers.get(1..).unwrap_or_default())?, row))
}
