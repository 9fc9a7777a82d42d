use super::entity::Pipeline;
use super::{SingleRow, sql};
use crate::areas::commits::pipeline::{BasicPipeline, PipelineRow};
use crate::kernel::call::path_number;
use crate::kernel::empty_answers;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::{Call, Entry, Error, Page, Parameters, PreparedQuery, Query, Reply, Result, instant};

#[derive(Parameters, Clone, Copy, PartialEq)]
enum Scope {
    Running,
    Pending,
    Finished,
    Branches,
    Tags,
}

#[derive(Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    Id,
    Status,
    Ref,
    UpdatedAt,
    UserId,
}

/// The states of pipelines and jobs in the original. Posted statuses have only some of them.
#[derive(Parameters, Clone, Copy, PartialEq)]
pub(super) enum Status {
    Created,
    WaitingForResource,
    Preparing,
    Pending,
    Running,
    Success,
    Failed,
    Canceled,
    Skipped,
    Manual,
    Scheduled,
}

#[derive(Parameters, Clone, Default)]
#[param(default)]
struct ListParams {
    scope: Option<Scope>,
    status: Option<Status>,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    sha: Option<String>,
    username: Option<String>,
    source: Option<String>,
    name: Option<String>,
    yaml_errors: bool,
    updated_after: Option<String>,
    updated_before: Option<String>,
    created_after: Option<String>,
    created_before: Option<String>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

/// Milliseconds since 1970, inclusive.
#[derive(Clone, Copy)]
struct Times {
    updated_from: Option<i64>,
    updated_to: Option<i64>,
    created_from: Option<i64>,
    created_to: Option<i64>,
}

impl ListParams {
    fn times(&self) -> Result<Times> {
        Ok(Times {
            updated_from: instant("updated_after", self.updated_after.as_deref())?,
            updated_to: instant("updated_before", self.updated_before.as_deref())?,
            created_from: instant("created_after", self.created_after.as_deref())?,
            created_to: instant("created_before", self.created_before.as_deref())?,
        })
    }

    /// Whether no pipeline can match: they have no names and no YAML, and come from outside.
    fn is_empty(&self) -> bool {
        self.name.is_some() || self.yaml_errors || self.source.as_ref().is_some_and(|from| from != "external")
    }

    fn query(&self, times: Times, page: Page) -> PreparedQuery<Listed<PipelineRow>> {
        let Times { updated_from, updated_to, created_from, created_to } = times;
        let state = match self.scope {
            Some(Scope::Running) => Some("running"),
            Some(Scope::Pending) => Some("pending"),
            _ => self.status.map(Status::word),
        };
        let is_contradicted = self.status.is_some_and(|status| state != Some(status.word()));
        let state = if is_contradicted { Some("") } else { state };
        let finished = (self.scope == Some(Scope::Finished)).then_some(true);
        let newest_of = match self.scope {
            Some(Scope::Branches) => Some("refs/heads/"),
            Some(Scope::Tags) => Some("refs/tags/"),
            _ => None,
        };
        let (ref_name, commit, username) = (self.git_ref.as_deref(), self.sha.as_deref(), self.username.as_deref());
        let ascending = self.sort == Some(Sort::Asc);
        match self.order_by.filter(|order| *order != OrderBy::Id) {
            None => sql::list {
                ascending,
                ref_name,
                commit,
                state,
                finished,
                newest_of,
                username,
                updated_from,
                updated_to,
                created_from,
                created_to,
                page,
            }
            .prepare(),
            Some(by) => sql::sorted {
                descends: !ascending,
                by: by.word(),
                ref_name,
                commit,
                state,
                finished,
                newest_of,
                username,
                updated_from,
                updated_to,
                created_from,
                created_to,
                page,
            }
            .prepare(),
        }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|list| Ok((list.times()?, list, call.page()?)));
    let query =
        |(times, list, page): &(Times, ListParams, Page)| (!list.is_empty()).then(|| list.query(*times, page.clone()));
    let ((.., page), entry, pipelines) = call.authorize_builds(input, query).await?;
    let project = entry.resource.page(&entry.links);
    let shown = |row| BasicPipeline::new(row, entry.resource.id, &project);
    Listed::or_empty(pipelines, page).reply(call, shown)
}

async fn find(call: &Call<'_>, pipeline_id: &str) -> Result<(SingleRow, Entry)> {
    let (_, row, entry, ()) = find_and(call, pipeline_id, Ok(()), |(), _| ()).await?;
    Ok((row, entry))
}

/// A pipeline, and what `query` returns. 404 if the pipeline is not there.
pub async fn find_and<T, Q: Query>(
    call: &Call<'_>,
    pipeline_id: &str,
    input: Result<T>,
    query: impl Fn(&T, i64) -> Q,
) -> Result<(T, SingleRow, Entry, Q::Answer)> {
    let input = input.and_then(|input| Ok((input, path_number("pipeline_id", pipeline_id)?)));
    let query = |(input, id): &(T, i64)| (sql::one { id: Some(*id), ref_name: None::<&str> }, query(input, *id));
    let ((input, _), entry, (row, answer)) = call.authorize_builds(input, query).await?;
    Ok((input, row.ok_or_else(Error::no_record)?, entry, answer))
}

pub async fn show(call: &Call<'_>, pipeline_id: &str) -> Result<Reply> {
    let (row, entry) = find(call, pipeline_id).await?;
    Ok(Reply::json(200, &Pipeline::new(row, &entry.resource, &entry.links)))
}

#[derive(Parameters)]
struct LatestParams {
    #[param(rename = "ref")]
    git_ref: Option<String>,
}

/// 403 if there is no pipeline, like the original.
pub async fn latest(call: &Call<'_>) -> Result<Reply> {
    let query = |latest: &LatestParams| sql::one { id: None::<i64>, ref_name: latest.git_ref.as_deref() }.prepare();
    let (_, entry, row) = call.authorize_builds(call.filters::<LatestParams>(), query).await?;
    let row = row.ok_or(Error::FORBIDDEN)?;
    Ok(Reply::json(200, &Pipeline::new(row, &entry.resource, &entry.links)))
}

/// The bridges and variables of a pipeline: it has none.
pub async fn nothing(call: &Call<'_>, pipeline_id: &str) -> Result<Reply> {
    let page = call.page()?;
    find(call, pipeline_id).await?;
    empty_answers::reply(call, &page)
}

/// Pipelines run elsewhere.
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    call.authorize_builds(Ok(()), |()| ()).await?;
    let text = "Nothing is built here, and no .gitlab-ci.yml is read: a build that runs elsewhere posts its result to \
        /projects/:id/statuses/:sha";
    Err(Error::field("base", text))
}
