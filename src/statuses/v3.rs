//! Commit statuses in v3 (specification, "Commit status").

use super::{Filter, LONGEST_TEXT, ListedStatus, NewStatus, STATES};
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::params::Parameters;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Status {
    id: i64,
    sha: String,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    status: String,
    name: String,
    target_url: Option<String>,
    description: Option<String>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    allow_failure: bool,
    author: Brief,
}

impl Status {
    fn new(listed: ListedStatus, links: &Links) -> Status {
        let ListedStatus { status: row, sha, author, .. } = listed;
        Status {
            id: row.id,
            sha,
            git_ref: Some(row.git_ref).filter(|name| !name.is_empty()),
            status: row.state,
            name: row.name,
            target_url: row.target_url,
            description: row.description,
            created_at: time::utc(row.created_at),
            started_at: row.started_at.map(time::utc),
            finished_at: row.finished_at.map(time::utc),
            // a posted status has no field that lets it fail without failing the commit
            allow_failure: false,
            author: Brief::new(author, links),
        }
    }
}

/// Parameters of `POST /projects/:id/statuses/:sha`.
#[derive(Debug, Parameters)]
struct Creation {
    state: String,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    name: Option<String>,
    context: Option<String>,
    target_url: Option<String>,
    description: Option<String>,
    coverage: Option<f64>,
}

impl From<Creation> for NewStatus {
    fn from(new: Creation) -> NewStatus {
        let Creation { state, git_ref, name, context, target_url, description, coverage } = new;
        let name = name.or(context).unwrap_or_else(|| "default".to_owned());
        NewStatus { state, git_ref, name, target_url, description, coverage }
    }
}

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let validate = |new: &NewStatus| {
        if !STATES.contains(&new.state.as_str()) {
            return Err(Error::message(format!("invalid state: it is none of {}", STATES.join(", "))));
        }
        new.check_texts(LONGEST_TEXT, "must be a valid URL")
    };
    let posted = super::post(call, sha, call.creation::<Creation>().map(NewStatus::from), validate).await?;
    Ok(super::posted(posted, Status::new))
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/statuses`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct List {
    ref_name: Option<String>,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    stage: Option<String>,
    name: Option<String>,
    all: bool,
}

/// GET /projects/:id/repository/commits/:sha/statuses
pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let filter = call.filters::<List>().map(|List { ref_name, git_ref, stage, name, all }| Filter {
        git_ref: ref_name.or(git_ref),
        stage,
        name,
        all,
        descends: false,
    });
    super::list(call, sha, &[("id", &call.named()), ("sha", sha)], filter, Status::new).await
}
