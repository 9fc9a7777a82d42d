//! Deployments and their environments (specification, "Deployments"; behaviour 10). A deployment's job is a commit
//! status, so posts to the status move it along.

pub mod entity;
mod pages;
pub mod sql;
pub mod v4;

use crate::call::Key;
use crate::call::sql::scope::caller_head;
use crate::call::{Call, Entered, Links, Resource};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::params::{Integer, Parameters};
use crate::policy::Action;
use crate::settings::forms::is_address;
use crate::statuses::refusal;
use crate::statuses::sql::posts::{self, Outcome, Post};
use crate::statuses::sql::{Target, target};
use crate::store::Statement;
use entity::{Deployment, Environment};
use serde::Serialize;
use sql::{DeploymentRow, Draft, EnvironmentRow};

/// Authorizes an action on deployments, which needs a project whose builds are switched on.
async fn enter(call: &Call<'_>, id: &str, action: Action, query: Statement) -> Result<Entered> {
    let entered = call.enter(id, action, query).await?;
    if entered.resource.has_builds() { Ok(entered) } else { Err(Error::FORBIDDEN) }
}

/// A number in path or query is judged after 401, and before the project is looked for.
async fn typed<T>(call: &Call<'_>, number: Result<T>) -> Result<T> {
    match number {
        Err(error) => {
            call.sign_in_with_any_token(caller_head()).await?;
            Err(error)
        }
        number => number,
    }
}

fn number(deployment_id: &str) -> Result<i64> {
    match Integer::from(deployment_id) {
        // D1's numbers end there, and so do ids
        Integer::Number(number) => Ok(number.clamp(-1, 1 << 53)),
        Integer::Fraction | Integer::NoNumber => Err(Error::invalid("deployment_id")),
    }
}

/// GET /projects/:id/deployments
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let page = typed(call, call.page()).await?;
    let mut entered = enter(call, id, Action::ReadDeployments, sql::list(&page)).await?;
    let total = entered.rows.shift()?.unwrap_or_default();
    let mut rows: Vec<DeploymentRow> = entered.rows.all()?;
    let total = page.cut_counted(&mut rows, Some(total));
    let cursor = rows.last().and_then(|row| page.next([row.iid.into()]));
    let shown = |row| Deployment::new(row, &entered.links);
    let deployments: Vec<Deployment> = rows.into_iter().map(shown).collect();
    call.listing(&page, total, &[("id", id)], cursor, &deployments)
}

/// GET /projects/:id/deployments/:deployment_id
pub async fn show(call: &Call<'_>, id: &str, deployment_id: &str) -> Result<Reply> {
    let number = typed(call, number(deployment_id)).await?;
    let entered = enter(call, id, Action::ReadDeployments, sql::one(number)).await?;
    let row = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Deployment::new(row, &entered.links)))
}

/// GET /projects/:id/environments
pub async fn list_environments(call: &Call<'_>, id: &str) -> Result<Reply> {
    let page = typed(call, call.page()).await?;
    let mut entered = enter(call, id, Action::ReadDeployments, sql::environments(&page)).await?;
    let total = entered.rows.shift()?.unwrap_or_default();
    let mut rows: Vec<EnvironmentRow> = entered.rows.all()?;
    let total = page.cut_counted(&mut rows, Some(total));
    let cursor = rows.last().and_then(|row| page.next([row.number.into()]));
    let environments: Vec<Environment> = rows.into_iter().map(Environment::new).collect();
    call.listing(&page, total, &[("id", id)], cursor, &environments)
}

#[derive(Debug, Clone, Copy, Parameters, Serialize, PartialEq)]
#[param(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum State {
    Pending,
    Running,
    Success,
    Failed,
    Canceled,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Running => "running",
            State::Success => "success",
            State::Failed => "failed",
            State::Canceled => "canceled",
        }
    }
}

/// Parameters of `POST /projects/:id/deployments`.
#[derive(Debug, Parameters)]
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
    /// Not a parameter: whether the ref must be a branch or tag.
    #[param(skip)]
    needs_ref: bool,
}

impl NewDeployment {
    fn check(&self) -> Result<()> {
        let mut errors = ValidationErrors::default();
        errors.check_length("ref", self.git_ref.as_deref(), 255);
        if self.external_url.as_deref().is_some_and(|url| !is_address(url)) {
            errors.add("external_url", "must be a valid URL");
        }
        errors.result()
    }
}

/// POST /projects/:id/deployments
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    store(call, id, call.creation::<NewDeployment>(), |row, _, links| Deployment::new(row, links)).await
}

/// Records a deployment, and answers it as it is `shown`.
async fn store<T: Serialize>(
    call: &Call<'_>,
    id: &str,
    input: Result<NewDeployment>,
    shown: impl Fn(DeploymentRow, &Resource, &Links) -> T,
) -> Result<Reply> {
    let input = input.and_then(|new| new.check().map(|()| new));
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let query =
        input.as_ref().map_or_else(|_| sql::nothing(), |(new, _)| target(&new.sha, new.git_ref.as_deref()));
    let key = input.as_ref().ok().and_then(|(_, key)| key.as_ref());
    let (entered, kept) = call.enter_again(id, Action::CreateDeployment, key, Some(query)).await?;
    if !entered.resource.has_builds() {
        return Err(Error::FORBIDDEN);
    }
    let (new, key) = input?;
    if let Some(kept) = kept {
        return kept.reply(201, |row, links| shown(row, &entered.resource, links));
    }
    let target: Target = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    if new.needs_ref && !target.ref_is_known {
        return Err(Error::field("ref", "The branch or tag does not exist"));
    }
    let draft = new.draft(&entered, target, call.now);
    make(call, draft, key, &entered.links, |row, links| shown(row, &entered.resource, links)).await
}

async fn make<T: Serialize>(
    call: &Call<'_>,
    draft: Draft,
    key: Option<Key>,
    links: &Links,
    shown: impl FnOnce(DeploymentRow, &Links) -> T,
) -> Result<Reply> {
    match sql::create(&call.store, &draft, key.as_ref(), links).await {
        // somebody was faster: another job of that name, or the same request
        Err(failure) if failure.is_expectation() => {
            let kept = match &key {
                Some(key) => key.find(&call.store, draft.job.key.user_id, call.now).await?,
                None => None,
            };
            kept.ok_or_else(|| refusal(Some("pending"), "running"))?.reply(201, shown)
        }
        made => {
            let row = made?.ok_or_else(|| Error::Internal("a new deployment is not there".to_owned()))?;
            Ok(Reply::json(201, &shown(row, links)))
        }
    }
}

impl NewDeployment {
    /// The deployment and its job: a commit status of the caller's.
    fn draft(self, entered: &Entered, target: Target, now: i64) -> Draft {
        let job = Post {
            key: posts::Key {
                project_id: entered.resource.id,
                commit_id: target.commit_id,
                git_ref: self.git_ref.or(target.branch).unwrap_or_default(),
                name: self.name.unwrap_or_else(|| self.environment.clone()),
                user_id: entered.caller.user.id,
            },
            state: self.status.map(|state| state.name().to_owned()),
            target_url: None,
            description: None,
            coverage: self.coverage,
            stage: Some(self.stage.unwrap_or_else(|| "deploy".to_owned())),
            tag: self.tag,
            // a second deployment of the same job is no repeat
            repeat_is_refused: false,
            now,
        };
        Draft { job, environment: self.environment, external_url: self.external_url }
    }
}

/// Parameters of `PUT /projects/:id/deployments/:deployment_id`.
#[derive(Debug, Parameters)]
struct EditDeployment {
    status: State,
    coverage: Option<f64>,
}

/// PUT /projects/:id/deployments/:deployment_id
pub async fn update(call: &Call<'_>, id: &str, deployment_id: &str) -> Result<Reply> {
    let number = typed(call, number(deployment_id)).await?;
    let entered = enter(call, id, Action::CreateDeployment, sql::one(number)).await?;
    let row = change(call, &entered, call.creation::<EditDeployment>()).await?;
    Ok(Reply::json(200, &Deployment::new(row, &entered.links)))
}

/// Moves the deployment on that was found.
async fn change(call: &Call<'_>, entered: &Entered, edit: Result<EditDeployment>) -> Result<DeploymentRow> {
    let before: DeploymentRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    let edit = edit?;
    let user_id = entered.caller.user.id;
    let repeat_is_refused = call.dialect.refuses_repeated_state();
    // who moves another's job on takes it over, unless the job itself would refuse
    let (others, was, is) =
        (before.author.user.id != user_id, before.job.status.state.as_str(), edit.status.name());
    if others && (was == "running" && is == "pending" || repeat_is_refused && was == is) {
        return Err(refusal(Some(is), was));
    }
    let job = Post {
        key: posts::Key {
            project_id: entered.resource.id,
            commit_id: before.job.commit_id,
            git_ref: before.job.status.git_ref,
            name: before.job.status.name,
            user_id,
        },
        state: Some(edit.status.name().to_owned()),
        target_url: None,
        description: None,
        coverage: edit.coverage,
        stage: Some(before.job.stage),
        tag: Some(before.job.tag),
        repeat_is_refused,
        now: call.now,
    };
    let (outcome, row) = sql::update(&call.store, (before.id, before.job.status.id), &job).await?;
    match outcome {
        Outcome::Stored => Ok(row),
        Outcome::Refused(stored) => Err(refusal(job.state.as_deref(), &stored)),
    }
}
