use super::{DeploymentRow, EnvironmentRow, Total, sql};
use crate::call::{Call, Entry, Links};
use crate::commits::v3::Base;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::Page;
use crate::params::Integer;
use crate::statuses::job::Job;
use crate::store::Statement;
use crate::time;
use crate::users::entity::{Brief, Full};
use crate::walk;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Deployment {
    id: i64,
    iid: i64,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    sha: String,
    created_at: String,
    user: Brief,
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
    #[serde(flatten)]
    job: Job,
    user: Full,
    commit: Base,
    /// Always null: jobs run elsewhere.
    runner: Option<()>,
}

impl Deployment {
    fn new(row: DeploymentRow, links: &Links) -> Deployment {
        let DeploymentRow { id, iid, created_at, user, environment, job, author, mut commit } = row;
        let git_ref = Some(job.status.git_ref.clone()).filter(|name| !name.is_empty());
        let state = job.status.state.clone();
        Deployment {
            id,
            iid,
            git_ref: git_ref.clone(),
            sha: commit.sha.clone(),
            created_at: time::utc(created_at),
            user: Brief::new(user, links),
            environment: Environment::new(environment),
            deployable: Deployable {
                job: Job::new(job, git_ref, state),
                user: Full::new(author, links),
                commit: Base::new(&mut commit),
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

async fn find(call: &Call<'_>, deployment_id: &str) -> Result<Entry> {
    let number = match Integer::from(deployment_id) {
        // D1's numbers and all ids end there
        Integer::Number(number) => Ok(number.clamp(-1, 1 << 53)),
        Integer::Fraction | Integer::NoNumber => Err(Error::invalid("deployment_id")),
    };
    let id = number_after_401(call, number).await?;
    Ok(call.authorize_builds(Ok(()), |()| sql::one { id }).await?.1)
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let page = number_after_401(call, call.page()).await?;
    let query = |page: &Page| -> [Statement; 2] {
        let (after, skip) = page.after();
        [sql::list { after, most: page.size + 1, skip }.into(), sql::total {}.into()]
    };
    let (page, entry) = call.authorize_builds(Ok(page), query).await?;
    let rows = walk::page(&entry.rows, &page, |row: &DeploymentRow| [row.iid.into()])?;
    let rows = rows.with_total(entry.more.first().unwrap_or(&Default::default()))?;
    rows.reply_at(call, &page, &[("id", &call.named())], |row| Deployment::new(row, &entry.links))
}

pub async fn show(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let entry = find(call, deployment_id).await?;
    let row = entry.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Deployment::new(row, &entry.links)))
}

pub async fn list_environments(call: &Call<'_>) -> Result<Reply> {
    let page = number_after_401(call, call.page()).await?;
    let query = |page: &Page| -> [Statement; 2] {
        let (after, skip) = page.after();
        [sql::environments { after, most: page.size + 1, skip }.into(), sql::total_environments {}.into()]
    };
    let (page, entry) = call.authorize_builds(Ok(page), query).await?;
    let mut rows: Vec<EnvironmentRow> = entry.rows.all()?;
    let total = entry.more.first().map(|rows| rows.first::<Total>()).transpose()?.flatten();
    let total = page.cut_counted(&mut rows, total.map(|total| total.total));
    let cursor = rows.last().and_then(|row| page.next([row.number.into()]));
    let environments: Vec<Environment> = rows.into_iter().map(Environment::new).collect();
    call.listing(&page, total, &[("id", &call.named())], cursor, &environments)
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    super::create(call, call.creation(), |row, _, links| Deployment::new(row, links)).await
}

pub async fn update(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let entry = find(call, deployment_id).await?;
    let row = super::update(call, &entry, call.creation()).await?;
    Ok(Reply::json(200, &Deployment::new(row, &entry.links)))
}
