//! Commit statuses in v4 (behaviour 13.3).

use super::input::{ListStatuses, NewStatus};
use super::sql::StatusRow;
use super::sql::creation::Posted;
use super::{answer, hinted, post};
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::Sort;
use crate::params::Parameters;
use crate::person::UserRow;
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
    pub fn new(row: StatusRow, sha: String, author: UserRow, links: &Links) -> Status {
        Status {
            id: row.id,
            sha,
            status: row.state_of_today(),
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
struct NewParams {
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

impl From<NewParams> for NewStatus {
    fn from(new: NewParams) -> NewStatus {
        let NewParams { state, git_ref, name, context, target_url, description, coverage } = new;
        // both in the order of their declaration
        let state = super::input::STATES.get(state as usize).copied().unwrap_or_default().to_owned();
        NewStatus { state, git_ref, name, context, target_url, description, coverage }
    }
}

fn shown(posted: Posted, links: &Links) -> Status {
    Status::new(posted.status, posted.sha, posted.author, links)
}

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewParams>().map(NewStatus::from);
    let no_link = "is blocked: Only allowed schemes are http, https";
    let judged = input.as_ref().map_err(Error::clone).and_then(|new| new.check_texts(255, no_link));
    let (written, hint) = post(call, id, sha, input, judged).await?;
    Ok(hinted(written.reply(201, shown), hint))
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/statuses`.
#[derive(Parameters, Default)]
#[param(default)]
struct ListParams {
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
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let filter = call.filters::<ListParams>().map(|params| {
        let ListParams { git_ref, stage, name, all, sort, .. } = params;
        ListStatuses { ref_name: None, git_ref, stage, name, all, descends: sort == Some(Sort::Desc) }
    });
    answer(call, (id, sha), &[], filter, Status::new).await
}
