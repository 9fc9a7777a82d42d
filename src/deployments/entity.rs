//! Deployments as answers show them (specification, "Deployment").

use super::sql::{DeploymentRow, EnvironmentRow, JobRow};
use crate::call::Links;
use crate::commits::entity::Base;
use crate::commits::sql::CommitRow;
use crate::time;
use crate::users::entity::{Brief, Full};
use crate::users::sql::ProfileRow;
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
    user: Full,
    commit: Base,
    /// Always null: jobs run elsewhere.
    runner: Option<()>,
}

impl Deployment {
    pub fn new(row: DeploymentRow, links: &Links) -> Deployment {
        let DeploymentRow { id, iid, created_at, user, environment, job, author, commit } = row;
        Deployment {
            id,
            iid,
            git_ref: Some(job.status.git_ref.clone()).filter(|name| !name.is_empty()),
            sha: commit.sha.clone(),
            created_at: time::utc(created_at),
            user: Brief::new(user, links),
            environment: Environment::new(environment),
            deployable: Deployable::new(job, author, commit, links),
        }
    }
}

impl Environment {
    pub fn new(row: EnvironmentRow) -> Environment {
        let EnvironmentRow { id, name, external_url, .. } = row;
        Environment { id, name, external_url }
    }
}

impl Deployable {
    fn new(job: JobRow, author: ProfileRow, mut commit: CommitRow, links: &Links) -> Deployable {
        let JobRow { status, stage, tag, .. } = job;
        Deployable {
            id: status.id,
            status: status.state,
            stage,
            name: status.name,
            git_ref: Some(status.git_ref).filter(|name| !name.is_empty()),
            tag,
            coverage: status.coverage,
            created_at: time::utc(status.created_at),
            started_at: status.started_at.map(time::utc),
            finished_at: status.finished_at.map(time::utc),
            user: Full::new(author, links),
            commit: Base::new(&mut commit),
            runner: None,
        }
    }
}
