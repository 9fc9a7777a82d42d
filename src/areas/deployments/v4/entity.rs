use crate::areas::deployments::naming::{old_slug, tier};
use crate::areas::deployments::{DeploymentRow, EnvironmentRow};
use crate::areas::projects::v4::SimpleProject;
use crate::areas::users::v4::BasicUser;
use crate::kernel::Links;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Deployment {
    id: i64,
    iid: i64,
    /// Empty without a ref, never null.
    #[serde(rename = "ref")]
    git_ref: String,
    sha: String,
    created_at: String,
    updated_at: String,
    finished_at: Option<String>,
    status: String,
    user: BasicUser,
    environment: Environment,
    /// Always null: a deployment that was made by the API has no job.
    deployable: Option<()>,
}

impl Deployment {
    pub fn new(row: DeploymentRow, links: &Links) -> Deployment {
        let DeploymentRow { id, iid, created_at, user, environment, job, commit, .. } = row;
        let updated_at = job.finished_at.or(job.started_at).unwrap_or(created_at).max(created_at);
        Deployment {
            id,
            iid,
            git_ref: job.git_ref,
            sha: commit.sha,
            created_at: time::utc(created_at),
            updated_at: time::utc(updated_at),
            finished_at: job.finished_at.map(time::utc),
            status: if job.state == "pending" { "created".to_owned() } else { job.state },
            user: BasicUser::new(user, links),
            environment: Environment::new(environment),
            deployable: None,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Environment {
    id: i64,
    name: String,
    slug: String,
    external_url: Option<String>,
    created_at: String,
    updated_at: String,
    tier: String,
    state: String,
}

impl Environment {
    fn new(row: EnvironmentRow) -> Environment {
        Environment {
            id: row.id,
            slug: row.slug.unwrap_or_else(|| old_slug(&row.name)),
            external_url: row.external_url,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at.max(row.created_at)),
            tier: row.tier.unwrap_or_else(|| tier(&row.name).to_owned()),
            state: row.state,
            name: row.name,
        }
    }
}

/// Lists have `project`, a single environment has `last_deployment`.
#[derive(Debug, Serialize)]
pub struct WholeEnvironment {
    #[serde(flatten)]
    environment: Environment,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<SimpleProject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_deployment: Option<Option<Deployment>>,
    auto_stop_at: Option<()>,
    description: Option<String>,
    auto_stop_setting: &'static str,
}

impl WholeEnvironment {
    fn new(mut row: EnvironmentRow) -> WholeEnvironment {
        WholeEnvironment {
            project: None,
            last_deployment: None,
            auto_stop_at: None,
            description: row.description.take(),
            auto_stop_setting: "always",
            environment: Environment::new(row),
        }
    }

    pub fn listed(row: EnvironmentRow, project: SimpleProject) -> WholeEnvironment {
        WholeEnvironment { project: Some(project), ..WholeEnvironment::new(row) }
    }

    pub fn alone(row: EnvironmentRow, last: Option<Deployment>) -> WholeEnvironment {
        WholeEnvironment { last_deployment: Some(last), ..WholeEnvironment::new(row) }
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/deployments/v4/entity.rs"]
mod tests;
