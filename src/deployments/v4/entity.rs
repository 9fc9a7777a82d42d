use crate::call::{Links, Resource};
use crate::commits::v4::page_of;
use crate::deployments::{DeploymentRow, EnvironmentRow};
use crate::projects::v4::Simple;
use crate::statuses::job::WholeJob;
use crate::time;
use crate::users::v4::Basic;
use edgeforge_wire::text::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

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
    user: Basic,
    environment: Environment,
    deployable: WholeJob,
}

impl Deployment {
    pub fn new(row: DeploymentRow, resource: &Resource, links: &Links) -> Deployment {
        let DeploymentRow { id, iid, created_at, user, environment, job, author, commit } = row;
        let page = page_of(resource, links);
        let status = &job.status;
        let updated_at = status.finished_at.or(status.started_at).unwrap_or(created_at).max(created_at);
        let (git_ref, state) = (status.git_ref.clone(), status.v4_state());
        Deployment {
            id,
            iid,
            git_ref,
            sha: commit.sha.clone(),
            created_at: time::utc(created_at),
            updated_at: time::utc(updated_at),
            finished_at: status.finished_at.map(time::utc),
            status: if state == "pending" { "created".to_owned() } else { state },
            user: Basic::new(user, links),
            environment: Environment::new(environment),
            deployable: WholeJob::new(job, author, commit, &page, page.clone(), links),
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
            slug: slug(&row.name),
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
    project: Option<Simple>,
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

    pub fn listed(row: EnvironmentRow, project: Simple) -> WholeEnvironment {
        WholeEnvironment { project: Some(project), ..WholeEnvironment::new(row) }
    }

    pub fn alone(row: EnvironmentRow, last: Option<Deployment>) -> WholeEnvironment {
        WholeEnvironment { last_deployment: Some(last), ..WholeEnvironment::new(row) }
    }
}

/// The name if it fits an address, otherwise 17 characters of it and a hash.
fn slug(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if begins && name.len() <= 24 && name.bytes().all(plain) {
        return name.to_owned();
    }
    let letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    let kept = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let piece: String = letters.map(|letter| if kept(letter) { letter } else { '-' }).take(17).collect();
    let mut hash = hex(&Sha256::digest(name.as_bytes()));
    hash.truncate(6);
    format!("{piece}-{hash}")
}

/// The first tier with a word that the name contains
/// (<https://docs.gitlab.com/ci/environments/#deployment-tier-of-environments>).
fn tier(name: &str) -> &'static str {
    const TIERS: [(&str, &[&str]); 4] = [
        ("development", &["dev", "review", "trunk"]),
        ("testing", &["test", "tst", "int", "accept", "acpt", "qa", "qc", "control", "quality"]),
        ("staging", &["stag", "stg", "model", "modl", "pre", "demo", "non"]),
        ("production", &["prod", "prd", "live"]),
    ];
    let name = name.to_ascii_lowercase();
    let holds = |words: &&[&str]| words.iter().any(|word| name.contains(word));
    TIERS.iter().find(|(_, words)| holds(words)).map_or("other", |(tier, _)| tier)
}

#[cfg(test)]
#[path = "../../../tests/unit/deployments/v4/entity.rs"]
mod tests;
