use super::{DeploymentRow, EnvironmentRow, sql};
use crate::areas::commits::v3::Base;
use crate::areas::users::entity::{BriefUser, FullUser};
use crate::kernel::params::Integer;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Deployment {
    id: i64,
    iid: i64,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    sha: String,
    created_at: String,
    user: BriefUser,
    environment: Environment,
    deployable: Deployable,
}

#[derive(Debug, Serialize)]
pub struct Environment {
    id: i64,
    name: String,
    external_url: Option<String>,
}

#[derive(Debug, Serialize)]
struct Deployable {
    /// The id of the deployment, which has only this job.
    id: i64,
    status: String,
    stage: String,
    name: String,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    tag: bool,
    coverage: Option<f64>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    user: FullUser,
    commit: Base,
    /// Always null: jobs run elsewhere.
    runner: Option<()>,
}

impl Deployment {
    fn new(row: DeploymentRow, links: &Links) -> Deployment {
        let DeploymentRow { id, iid, created_at, user, environment, job, author, commit } = row;
        let git_ref = Some(job.git_ref).filter(|name| !name.is_empty());
        let created_at = time::utc(created_at);
        Deployment {
            id,
            iid,
            git_ref: git_ref.clone(),
            sha: commit.sha.clone(),
            created_at: created_at.clone(),
            user: BriefUser::new(user, links),
            environment: Environment::new(environment),
            deployable: Deployable {
                id,
                status: job.state,
                stage: job.stage,
                name: job.name,
                git_ref,
                tag: job.tag,
                coverage: job.coverage,
                created_at,
                started_at: job.started_at.map(time::utc),
                finished_at: job.finished_at.map(time::utc),
                user: FullUser::new(author, links),
                commit: Base::new(commit),
                runner: None,
            },
        }
    }
}

impl Environment {
    fn new(row: EnvironmentRow) -> Environment {
        let EnvironmentRow { id, name, external_url, .. } = row;
        Environment { id, name, external_url }
    }
}

/// Returns the error of a wrong number after 401, but before looking for the project.
async fn number_after_401<T>(call: &Call<'_>, number: Result<T>) -> Result<T> {
    if number.is_err() {
        call.identify().await?;
    }
    number
}

async fn find(call: &Call<'_>, deployment_id: &str) -> Result<(Entry, Option<DeploymentRow>)> {
    let number = match Integer::from(deployment_id) {
        // D1 has no exact integers beyond 2^53, and all ids are below
        Integer::Number(number) => Ok(number.clamp(-1, 1 << 53)),
        Integer::Fraction | Integer::NoNumber => Err(Error::invalid("deployment_id")),
    };
    let id = number_after_401(call, number).await?;
    let ((), entry, row) = call.authorize_builds(Ok(()), |()| sql::one { id }).await?;
    Ok((entry, row))
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let page = number_after_401(call, call.page()).await?;
    let query = |page: &Page| sql::list { page: page.clone() };
    let (_, entry, listed) = call.authorize_builds(Ok(page), query).await?;
    listed.reply_at(call, &[("id", &call.named())], |row| Deployment::new(row, &entry.links))
}

pub async fn show(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let (entry, row) = find(call, deployment_id).await?;
    Ok(Reply::json(200, &Deployment::new(row.ok_or_else(Error::no_record)?, &entry.links)))
}

pub async fn list_environments(call: &Call<'_>) -> Result<Reply> {
    let page = number_after_401(call, call.page()).await?;
    let query = |page: &Page| sql::environments { page: page.clone() };
    let (_, _, listed) = call.authorize_builds(Ok(page), query).await?;
    listed.reply_at(call, &[("id", &call.named())], Environment::new)
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    super::create(call, call.creation(), false, Deployment::new).await
}

pub async fn update(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let (entry, row) = find(call, deployment_id).await?;
    let row = super::update(call, &entry, row, call.creation()).await?;
    Ok(Reply::json(200, &Deployment::new(row, &entry.links)))
}
