use super::{Filter, ListedStatus, NewStatus, Status};
use crate::areas::users::v4::BasicUser;
use crate::kernel::paging::Sort;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Extra {
    coverage: Option<f64>,
    pipeline_id: i64,
    author: BasicUser,
}

/// A missing `ref` is an empty text, not null.
fn shown(listed: ListedStatus, links: &Links) -> Status<Extra> {
    let ListedStatus { status: row, pipeline_id, sha, author, .. } = listed;
    let (git_ref, state) = (Some(row.git_ref.clone()), row.v4_state());
    let extra = Extra { coverage: row.coverage, pipeline_id, author: BasicUser::new(author, links) };
    Status::new(row, sha, git_ref, state, extra)
}

#[derive(Parameters, Clone, Copy)]
enum State {
    Pending,
    Running,
    Success,
    Failed,
    Canceled,
    Skipped,
}

impl AsRef<str> for State {
    fn as_ref(&self) -> &str {
        self.word()
    }
}

#[derive(Parameters)]
struct PipelineParams {
    pipeline_id: Option<i64>,
}

pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let no_link = "is blocked: Only allowed schemes are http, https";
    let validate = |new: &NewStatus<State>| new.check_texts(255, no_link);
    call.will_read::<PipelineParams>();
    let input = call.creation().and_then(|new: NewStatus<State>| {
        let PipelineParams { pipeline_id } = call.creation()?;
        Ok((new, pipeline_id))
    });
    super::post(call, sha, input, validate, shown).await
}

#[derive(Parameters, Default)]
#[param(default)]
struct List {
    #[param(rename = "ref")]
    git_ref: Option<String>,
    stage: Option<String>,
    name: Option<String>,
    pipeline_id: Option<i64>,
    all: bool,
    #[expect(dead_code, reason = "both are the order of ids")]
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

#[derive(Parameters)]
enum OrderBy {
    Id,
    PipelineId,
}

pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let filter = call.filters::<List>().map(|List { git_ref, stage, name, pipeline_id, all, sort, .. }| {
        let descends = sort == Some(Sort::Desc);
        Filter { git_ref, stage, name, pipeline_id, all, descends }
    });
    super::list(call, sha, &[], filter, shown).await
}
