//! Deployments and environments (specification, "Deployments"; behaviour 10). The job of a deployment is a commit
//! status, so posts to the status also change the deployment.

pub mod v3;
pub mod v4;

use crate::call::{Call, Entry, Key, Links};
use crate::commits::CommitRow;
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::params::Parameters;
use crate::person::UserRow;
use crate::settings::forms::is_address;
use crate::statuses::job::JobRow;
use crate::statuses::jobs::{Post, refused_by};
use crate::statuses::{self, transition_refused};
use crate::store::{Row, Rows, Statement};
use crate::users::ProfileRow;
use serde::Serialize;

crate::sql::include_statements!(mod sql: "src/deployments/deployments.sql", "src/deployments/environments.sql");

#[derive(Debug, Row)]
struct DeploymentRow {
    id: i64,
    iid: i64,
    created_at: i64,
    user: UserRow,
    environment: EnvironmentRow,
    job: JobRow,
    /// The user of the job.
    author: ProfileRow,
    commit: CommitRow,
}

#[derive(Debug, Row)]
struct EnvironmentRow {
    id: i64,
    /// Counts from 1 within the project.
    number: i64,
    name: String,
    external_url: Option<String>,
    created_at: i64,
    updated_at: i64,
    state: String,
    /// None if the tier follows from the name.
    tier: Option<String>,
    description: Option<String>,
}

#[derive(Row)]
struct Total {
    total: i64,
}

#[derive(Clone, Copy, Parameters)]
#[param(rename_all = "lowercase")]
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
    #[param(skip)]
    needs_ref: bool,
}

impl NewDeployment {
    fn validated(self) -> Result<NewDeployment> {
        let mut errors = ValidationErrors::default();
        errors.check_length("ref", self.git_ref.as_deref(), 255);
        if self.external_url.as_deref().is_some_and(|url| !is_address(url)) {
            errors.add("external_url", "must be a valid URL");
        }
        errors.result().map(|()| self)
    }

    fn job(&self, entry: &Entry, target: Target, now: i64) -> Result<Post> {
        Ok(Post {
            project_id: entry.resource.id,
            commit_id: target.commit_id,
            git_ref: self.git_ref.clone().or(target.branch).unwrap_or_default(),
            name: self.name.clone().unwrap_or_else(|| self.environment.clone()),
            user_id: entry.caller()?.user.id,
            state: self.status.map(|state| state.word().to_owned()),
            coverage: self.coverage,
            stage: self.stage.clone().unwrap_or_else(|| "deploy".to_owned()),
            tag: self.tag,
            // another deployment of the same job is allowed
            repeat_is_refused: false,
            now,
        })
    }
}

#[derive(Row)]
struct Target {
    commit_id: i64,
    /// The branch of a status without `ref`.
    branch: Option<String>,
    ref_is_known: bool,
}

async fn create<T: Serialize>(
    call: &Call<'_>,
    input: Result<NewDeployment>,
    shown: impl Fn(DeploymentRow, &Entry, &Links) -> T,
) -> Result<Reply> {
    let input = input.and_then(NewDeployment::validated);
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let query = |(new, key): &(NewDeployment, Option<Key>)| {
        let target = statuses::sql::target { sha: new.sha.as_str(), ref_name: new.git_ref.as_deref() };
        let kept = key.as_ref().map(|key| key.kept(call));
        [target.into()].into_iter().chain(kept).collect::<Vec<Statement>>()
    };
    let batch = input.as_ref().map(query).unwrap_or_default();
    // disabled builds come before input errors
    let ((), entry) = call.authorize_builds(Ok(()), |()| batch).await?;
    let (new, key) = input?;
    if let Some(kept) = crate::call::idempotency::read(key.as_ref(), &entry.more)? {
        return kept.reply(201, |row, links| shown(row, &entry, links));
    }
    let target: Target = entry.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    if new.needs_ref && !target.ref_is_known {
        return Err(Error::field("ref", "The branch or tag does not exist"));
    }
    let job = new.job(&entry, target, call.now)?;
    let batch = creation(&new, &job, key.as_ref(), &entry.links);
    // a key makes it safe to run the batch again
    let made = if key.is_some() { call.write_safely(batch).await } else { call.write(batch).await };
    match made {
        // another request started the job, or had the same key
        Err(failure) if failure.is_expectation() => {
            let kept = match &key {
                Some(key) => key.find(&call.store, job.user_id, call.now).await?,
                None => None,
            };
            let kept = kept.ok_or_else(|| transition_refused(Some("pending"), "running"))?;
            kept.reply(201, |row, links| shown(row, &entry, links))
        }
        made => {
            let row = made?.last().map(Rows::first).transpose()?.flatten();
            let row = row.ok_or_else(|| Error::Internal("a new deployment was not found".to_owned()))?;
            Ok(Reply::json(201, &shown(row, &entry, &entry.links)))
        }
    }
}

/// One transaction, which an expectation ends if the job is running or the key was used.
fn creation(new: &NewDeployment, job: &Post, key: Option<&Key>, links: &Links) -> Vec<Statement> {
    let Post { project_id, commit_id, user_id, now, .. } = *job;
    let (ref_name, name) = (job.git_ref.as_str(), job.name.as_str());
    let mut batch: Vec<Statement> = key.iter().map(|key| key.expect_unused(user_id, now)).collect();
    if job.state.as_deref() == Some("pending") {
        batch.push(sql::expect_not_running { commit_id, ref_name, job: name, user_id }.into());
    }
    let (environment, external_url) = (new.environment.as_str(), new.external_url.as_deref());
    batch.push(sql::environment { project_id, name: environment, external_url, now }.into());
    batch.extend(job.statements());
    batch.push(sql::insert { project_id, environment, commit_id, ref_name, job: name, user_id, now }.into());
    batch.extend(key.map(|key| {
        let (digest, base) = (key.digest.as_str(), links.base.as_str());
        sql::keep { user_id, key: key.hash.as_str(), digest, base, project_id, now }.into()
    }));
    batch.push(sql::last { project_id }.into());
    batch
}

#[derive(Parameters)]
struct Move {
    status: State,
    coverage: Option<f64>,
}

async fn update(call: &Call<'_>, entry: &Entry, change: Result<Move>) -> Result<DeploymentRow> {
    let before: DeploymentRow = entry.rows.first()?.ok_or_else(Error::no_record)?;
    let change = change?;
    let user_id = entry.caller()?.user.id;
    let repeat_is_refused = call.dialect.refuses_repeated_state();
    // the caller takes over another user's job, unless the job refuses the state
    let is_of_other_user = before.author.user.id != user_id;
    let (old, new) = (before.job.status.state.as_str(), change.status.word());
    if is_of_other_user && (old == "running" && new == "pending" || repeat_is_refused && old == new) {
        return Err(transition_refused(Some(new), old));
    }
    let (id, job_id) = (before.id, before.job.status.id);
    let job = Post {
        project_id: entry.resource.id,
        commit_id: before.job.commit_id,
        git_ref: before.job.status.git_ref,
        name: before.job.status.name,
        user_id,
        state: Some(new.to_owned()),
        coverage: change.coverage,
        stage: before.job.stage,
        tag: Some(before.job.tag),
        repeat_is_refused,
        now: call.now,
    };
    let (commit_id, ref_name, name) = (job.commit_id, job.git_ref.as_str(), job.name.as_str());
    let mut batch = vec![sql::take_over { id: job_id, user_id }.into()];
    batch.extend(job.statements());
    batch.push(sql::follow { id, state: new, commit_id, ref_name, job: name, user_id }.into());
    batch.push(sql::by_id { id }.into());
    let answers = call.write(batch).await?;
    let [_, open, posted, _, row] = answers.as_slice() else {
        return Err(Error::Internal("a batch has not returned five answers".to_owned()));
    };
    match refused_by(open, posted)? {
        None => row.first()?.ok_or_else(|| Error::Internal("an updated deployment was not found".to_owned())),
        Some(stored) => Err(transition_refused(job.state.as_deref(), &stored)),
    }
}
