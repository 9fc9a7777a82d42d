//! Deployments and environments as answers of v4 show them.

use crate::call::{Links, Resource};
use crate::commits::v4::{Commit, With, page_of};
use crate::deployments::{DeploymentRow, EnvironmentRow, JobRow};
use crate::projects::v4::Simple;
use crate::time;
use crate::users::ProfileRow;
use crate::users::v4::{Basic, User};
use edgeforge_wire::text::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

#[derive(Debug, Serialize)]
pub struct Deployment {
    id: i64,
    iid: i64,
    /// Empty where there is none: never null.
    #[serde(rename = "ref")]
    git_ref: String,
    sha: String,
    created_at: String,
    updated_at: String,
    finished_at: Option<String>,
    status: String,
    user: Basic,
    environment: Environment,
    deployable: Deployable,
}

/// The job.
#[derive(Debug, Serialize)]
struct Deployable {
    id: i64,
    status: String,
    stage: String,
    name: String,
    #[serde(rename = "ref")]
    git_ref: String,
    tag: bool,
    coverage: Option<f64>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    /// Seconds.
    duration: Option<f64>,
    user: User,
    commit: Commit,
    web_url: String,
    project: OfJob,
    artifacts: [(); 0],
    /// Jobs run elsewhere.
    runner: Option<()>,
}

#[derive(Debug, Serialize)]
struct OfJob {
    ci_job_token_scope_enabled: bool,
}

impl Deployment {
    pub fn new(row: DeploymentRow, resource: &Resource, links: &Links) -> Deployment {
        let DeploymentRow { id, iid, created_at, user, environment, job, author, commit } = row;
        let page = page_of(resource, links);
        let status = &job.status;
        let updated_at = status.finished_at.or(status.started_at).unwrap_or(created_at).max(created_at);
        let state = status.v4_state();
        Deployment {
            id,
            iid,
            git_ref: status.git_ref.clone(),
            sha: commit.sha.clone(),
            created_at: time::utc(created_at),
            updated_at: time::utc(updated_at),
            finished_at: status.finished_at.map(time::utc),
            status: if state == "pending" { "created".to_owned() } else { state },
            user: Basic::new(user, links),
            environment: Environment::new(environment),
            deployable: Deployable::new(
                job,
                author,
                Commit::new(commit, &page, With::default()),
                page,
                links,
            ),
        }
    }
}

impl Deployable {
    fn new(job: JobRow, author: ProfileRow, commit: Commit, page: String, links: &Links) -> Deployable {
        let JobRow { status, stage, tag, .. } = job;
        let span = status.started_at.zip(status.finished_at);
        Deployable {
            id: status.id,
            status: status.v4_state(),
            stage,
            name: status.name,
            git_ref: status.git_ref,
            tag,
            coverage: status.coverage,
            created_at: time::utc(status.created_at),
            started_at: status.started_at.map(time::utc),
            finished_at: status.finished_at.map(time::utc),
            duration: span.map(|(start, end)| (end - start).max(0) as f64 / 1000.0),
            user: User::new(author, links),
            commit,
            web_url: page,
            project: OfJob { ci_job_token_scope_enabled: false },
            artifacts: [],
            runner: None,
        }
    }
}

/// As deployments show it; lists have the project, too, and a single one its last deployment.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<Simple>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_deployment: Option<Option<Box<Deployment>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_stop_at: Option<Option<()>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_stop_setting: Option<&'static str>,
}

impl Environment {
    pub fn new(row: EnvironmentRow) -> Environment {
        Environment {
            id: row.id,
            slug: slug(&row.name),
            external_url: row.external_url,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at.max(row.created_at)),
            tier: row.tier.unwrap_or_else(|| tier(&row.name).to_owned()),
            state: row.state,
            name: row.name,
            project: None,
            last_deployment: None,
            auto_stop_at: None,
            description: None,
            auto_stop_setting: None,
        }
    }

    /// By itself.
    fn whole(mut row: EnvironmentRow) -> Environment {
        let description = Some(row.description.take());
        Environment {
            description,
            auto_stop_at: Some(None),
            auto_stop_setting: Some("always"),
            ..Environment::new(row)
        }
    }

    /// The list form.
    pub fn listed(row: EnvironmentRow, project: Simple) -> Environment {
        Environment { project: Some(project), ..Environment::whole(row) }
    }

    /// The single form.
    pub fn alone(row: EnvironmentRow, last: Option<Deployment>) -> Environment {
        Environment { last_deployment: Some(last.map(Box::new)), ..Environment::whole(row) }
    }
}

/// The name as a part of an address: itself if it can be, else what can be of it with a hash.
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

/// What the name says: the first of these whose words it holds
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
