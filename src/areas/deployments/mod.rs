//! Deployments and environments (specification, "Deployments"; behaviour 10). v3 shows the state of a deployment as
//! that of a job. It is no status of the commit.

pub mod naming;
pub mod v3;
pub mod v4;

use crate::areas::commits::CommitRow;
use crate::areas::events;
use crate::areas::projects::{Columns, NamespaceRow, RootFiles};
use crate::areas::statuses::{self, transition_refused};
use crate::areas::users::ProfileRow;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::{Caller, Key, idempotency};
use crate::kernel::store::Value;
use crate::kernel::text::names::check_letters;
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::{Call, Entry, Error, Links, Parameters, Query, Reply, Result, Row, Statement, ValidationErrors};
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/deployments/deployments.sql", "src/areas/deployments/environments.sql");

#[derive(Debug, Row)]
struct DeploymentRow {
    id: i64,
    iid: i64,
    created_at: i64,
    user: UserRow,
    environment: EnvironmentRow,
    job: JobRow,
    /// Who changed the state last.
    author: ProfileRow,
    #[row(long)]
    commit: CommitRow,
}

#[derive(Debug, Row)]
struct JobRow {
    /// Empty without a ref.
    git_ref: String,
    state: String,
    name: String,
    stage: String,
    tag: bool,
    /// Percent.
    coverage: Option<f64>,
    started_at: Option<i64>,
    finished_at: Option<i64>,
}

#[derive(Debug, Row)]
struct EnvironmentRow {
    id: i64,
    name: String,
    external_url: Option<String>,
    created_at: i64,
    updated_at: i64,
    state: String,
    /// None if the tier follows from the name.
    tier: Option<String>,
    description: Option<String>,
    /// None for an environment of a version before, without a plain name.
    #[row(default)]
    slug: Option<String>,
}

#[derive(Clone, Copy, Parameters)]
enum State {
    Pending,
    Running,
    Success,
    Failed,
    Canceled,
}

#[derive(Parameters)]
struct NewDeployment {
    environment: String,
    sha: String,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    tag: Option<bool>,
    status: Option<State>,
    external_url: Option<String>,
    name: Option<String>,
    stage: Option<String>,
    coverage: Option<f64>,
}

impl NewDeployment {
    fn validated(self) -> Result<NewDeployment> {
        let mut errors = ValidationErrors::default();
        errors.check_length("ref", self.git_ref.as_deref(), 255);
        check_letters(&mut errors, "environment", Some(&self.environment));
        check_letters(&mut errors, "name", self.name.as_deref());
        if self.external_url.as_deref().is_some_and(|url| !is_address(url, WEB)) {
            errors.add("external_url", "must be a valid URL");
        }
        errors.result().map(|()| self)
    }
}

/// The project of a list of environments.
#[derive(Row)]
struct ListProject {
    project: Columns,
    namespace: NamespaceRow,
    root_files: Option<RootFiles>,
}

#[derive(Row)]
struct DeploymentRemoval {
    state: String,
    is_last: bool,
    updated_at: i64,
}

#[derive(Row)]
struct EnvironmentRemoval {
    state: String,
    is_large: bool,
    updated_at: i64,
}

async fn create<T: Serialize>(
    call: &Call<'_>,
    input: Result<NewDeployment>,
    needs_ref: bool,
    shown: impl Fn(DeploymentRow, &Links) -> T,
) -> Result<Reply> {
    let input = input.and_then(NewDeployment::validated);
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let query = |(new, key): &(NewDeployment, Option<Key>)| {
        let target = statuses::sql::target { sha: new.sha.as_str(), ref_name: new.git_ref.as_deref() };
        (target, key.as_ref().map(|key| key.kept(call))).prepare()
    };
    let query = input.as_ref().ok().map(query);
    // disabled builds come before input errors
    let ((), entry, answer) = call.authorize_builds(Ok(()), |()| query).await?;
    let (new, key) = input?;
    let (target, kept) = answer.unwrap_or_default();
    if let Some(kept) = idempotency::read(key.as_ref(), kept.as_ref())? {
        return kept.reply(201, shown);
    }
    let target = target.ok_or_else(|| Error::missing("Commit"))?;
    if needs_ref && !target.ref_is_known {
        return Err(Error::field("ref", "The branch or tag does not exist"));
    }
    let caller = entry.caller()?;
    let user_id = caller.user.id;
    let project_id = entry.resource.id;
    let creation = creation(&new, target, &entry, caller, key.as_ref(), call.now);
    let kind = [naming::old_slug(&new.environment), naming::tier(&new.environment).to_owned()];
    let event = events::deployment(call, project_id, user_id, None, kind);
    let batch = (creation, event, sql::last { project_id });
    // a key makes it safe to run the batch again
    let made = if key.is_some() { call.write_safely(batch).await } else { call.write(batch).await };
    match (made, &key) {
        // another request had the same key
        (Err(failure), Some(key)) if failure.is_expectation() => {
            let kept = key.find(call.store, user_id, call.now).await?;
            let kept = kept.ok_or_else(|| Error::Internal("the answer of a key was not found".to_owned()))?;
            kept.reply(201, shown)
        }
        (made, _) => {
            let (.., row) = made?;
            let row = row.ok_or_else(|| Error::Internal("a new deployment was not found".to_owned()))?;
            Ok(Reply::json(201, &shown(row, &entry.links)))
        }
    }
}

/// One transaction, which an expectation ends if the key was used.
fn creation(
    new: &NewDeployment,
    target: statuses::Target,
    entry: &Entry,
    caller: &Caller,
    key: Option<&Key>,
    now: i64,
) -> Vec<Statement> {
    let (user_id, person_id) = (caller.user.id, caller.member_id);
    let (project_id, environment) = (entry.resource.id, new.environment.as_str());
    let insert = sql::insert {
        project_id,
        environment,
        commit_id: target.commit_id,
        ref_name: new.git_ref.clone().or(target.branch).unwrap_or_default(),
        tag: new.tag.unwrap_or_default(),
        user_id,
        job: new.name.as_deref().unwrap_or(environment),
        stage: new.stage.as_deref().unwrap_or("deploy"),
        state: new.status.unwrap_or(State::Pending).word(),
        coverage: new.coverage.map_or(Value::Null, Value::Real),
        now,
    };
    let mut batch: Vec<Statement> = key.iter().map(|key| key.expect_unused(user_id, now)).collect();
    let external_url = new.external_url.as_deref();
    let slugs = naming::slugs(environment);
    batch.push(sql::environment { project_id, name: environment, slugs, external_url, now }.into());
    batch.push(insert.into());
    batch.extend(key.map(|key| {
        let (digest, base) = (key.digest.as_str(), entry.links.base.as_str());
        sql::keep { user_id, person_id, key: key.hash.as_str(), digest, base, project_id, now }.into()
    }));
    batch
}

#[derive(Parameters)]
struct Move {
    status: State,
    coverage: Option<f64>,
}

/// A retry of a finished deployment changes it, too.
async fn update(
    call: &Call<'_>,
    entry: &Entry,
    row: Option<DeploymentRow>,
    change: Result<Move>,
) -> Result<DeploymentRow> {
    let DeploymentRow { id, environment, job, .. } = row.ok_or_else(Error::no_record)?;
    let Move { status, coverage } = change?;
    let user_id = entry.caller()?.user.id;
    let change = sql::change {
        id,
        state: status.word(),
        coverage: coverage.map_or(Value::Null, Value::Real),
        user_id,
        repeat_is_refused: call.dialect.refuses_repeated_state(),
        now: call.now,
    };
    let tier = environment.tier.unwrap_or_else(|| naming::tier(&environment.name).to_owned());
    let (changed, kind) = (Some((id, status.word())), [naming::old_slug(&environment.name), tier]);
    let event = events::deployment(call, entry.resource.id, user_id, changed, kind);
    let event = (job.state != status.word()).then_some(event);
    let (changed, _, row) = call.write((change, event, sql::by_id { id })).await?;
    // removed in the meantime
    let row = row.ok_or_else(Error::no_record)?;
    if changed.is_empty() {
        return Err(transition_refused(Some(status.word()), &row.job.state));
    }
    Ok(row)
}
