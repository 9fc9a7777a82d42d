//! Commit statuses in v4 (behaviour 13.3).

use super::{Filter, ListedStatus, NewStatus, STATES};
use crate::call::{Call, Links};
use crate::error::Result;
use crate::http::Reply;
use crate::page::Sort;
use crate::params::Parameters;
use crate::time;
use crate::users::v4::Basic;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Status {
    id: i64,
    sha: String,
    /// Empty where it has none: never null.
    #[serde(rename = "ref")]
    git_ref: String,
    status: String,
    name: String,
    target_url: Option<String>,
    description: Option<String>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    /// Nothing that is posted may fail.
    allow_failure: bool,
    coverage: Option<f64>,
    /// There are no pipelines.
    pipeline_id: Option<()>,
    author: Basic,
}

impl Status {
    fn new(listed: ListedStatus, links: &Links) -> Status {
        let ListedStatus { status: row, sha, author, .. } = listed;
        Status {
            id: row.id,
            status: row.v4_state(),
            sha,
            git_ref: row.git_ref,
            name: row.name,
            target_url: row.target_url,
            description: row.description,
            created_at: time::utc(row.created_at),
            started_at: row.started_at.map(time::utc),
            finished_at: row.finished_at.map(time::utc),
            allow_failure: false,
            coverage: row.coverage,
            pipeline_id: None,
            author: Basic::new(author, links),
        }
    }
}

/// Parameters of `POST /projects/:id/statuses/:sha`.
#[derive(Parameters)]
struct Creation {
    state: State,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    name: Option<String>,
    context: Option<String>,
    target_url: Option<String>,
    description: Option<String>,
    coverage: Option<f64>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum State {
    Pending,
    Running,
    Success,
    Failed,
    Canceled,
    Skipped,
}

impl From<Creation> for NewStatus {
    fn from(new: Creation) -> NewStatus {
        let Creation { state, git_ref, name, context, target_url, description, coverage } = new;
        // both in the order of their declaration
        let state = STATES.get(state as usize).copied().unwrap_or_default().to_owned();
        let name = name.or(context).unwrap_or_else(|| "default".to_owned());
        NewStatus { state, git_ref, name, target_url, description, coverage }
    }
}

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let validate = |new: &NewStatus| new.check_texts(255, "is blocked: Only allowed schemes are http, https");
    let posted = super::post(call, sha, call.creation::<Creation>().map(NewStatus::from), validate).await?;
    Ok(super::posted(posted, Status::new))
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/statuses`.
#[derive(Parameters, Default)]
#[param(default)]
struct List {
    #[param(rename = "ref")]
    git_ref: Option<String>,
    stage: Option<String>,
    name: Option<String>,
    all: bool,
    #[expect(dead_code, reason = "both are the order of ids")]
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

#[derive(Parameters)]
#[param(rename_all = "snake_case")]
enum OrderBy {
    Id,
    PipelineId,
}

/// GET /projects/:id/repository/commits/:sha/statuses
pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let filter = call.filters::<List>().map(|List { git_ref, stage, name, all, sort, .. }| Filter {
        git_ref,
        stage,
        name,
        all,
        descends: sort == Some(Sort::Desc),
    });
    super::list(call, sha, &[], filter, Status::new).await
}
