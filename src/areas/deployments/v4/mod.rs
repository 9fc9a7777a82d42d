mod entity;
pub mod environments;

use super::{DeploymentRow, Move, NewDeployment, State, sql};
use crate::kernel::call::path_number;
use crate::kernel::empty_answers;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::{Call, Error, Page, Parameters, PreparedQuery, Query, Reply, Result, instant};
use entity::Deployment;

#[derive(Parameters)]
struct ListParams {
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
    environment: Option<String>,
    status: Option<Status>,
    updated_after: Option<String>,
    updated_before: Option<String>,
    finished_after: Option<String>,
    finished_before: Option<String>,
}

#[derive(Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    Id,
    Iid,
    CreatedAt,
    UpdatedAt,
    FinishedAt,
    Ref,
}

#[derive(Parameters, Clone, Copy)]
enum Status {
    Created,
    Running,
    Success,
    Failed,
    Canceled,
    Skipped,
    Blocked,
}

impl ListParams {
    /// Milliseconds since 1970, inclusive.
    fn times(&self) -> Result<[Option<i64>; 4]> {
        Ok([
            instant("updated_after", self.updated_after.as_deref())?,
            instant("updated_before", self.updated_before.as_deref())?,
            instant("finished_after", self.finished_after.as_deref())?,
            instant("finished_before", self.finished_before.as_deref())?,
        ])
    }

    /// Ids, numbers and times of creation ascend together.
    fn is_by_number(&self) -> bool {
        matches!(self.order_by, None | Some(OrderBy::Id | OrderBy::Iid | OrderBy::CreatedAt))
    }

    fn query(&self, times: [Option<i64>; 4], page: Page) -> PreparedQuery<Listed<DeploymentRow>> {
        let [updated_from, updated_to, finished_from, finished_to] = times;
        let (environment, state) = (self.environment.as_deref(), self.status.map(Status::word));
        let descends = self.sort == Some(Sort::Desc);
        if self.is_by_number() {
            return sql::filtered {
                ascending: !descends,
                environment,
                state,
                updated_from,
                updated_to,
                finished_from,
                finished_to,
                page,
            }
            .prepare();
        }
        sql::newest {
            environment,
            descends,
            by_ref: self.order_by == Some(OrderBy::Ref),
            by_finish: self.order_by == Some(OrderBy::FinishedAt),
            state,
            updated_from,
            updated_to,
            finished_from,
            finished_to,
            page,
        }
        .prepare()
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|list| Ok((list.times()?, list, call.page()?)));
    let query = |(times, list, page): &([Option<i64>; 4], ListParams, Page)| list.query(*times, page.clone());
    let (_, entry, deployments) = call.authorize_builds(input, query).await?;
    deployments.reply(call, |row| Deployment::new(row, &entry.links))
}

pub async fn show(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let (_, entry, row) = call.authorize_builds(number, |id| sql::one { id: *id }).await?;
    Ok(Reply::json(200, &Deployment::new(row.ok_or_else(Error::no_record)?, &entry.links)))
}

pub async fn merge_requests(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let input = path_number("deployment_id", deployment_id).and_then(|number| Ok((number, call.page()?)));
    let ((_, page), _, row) = call.authorize_builds(input, |(id, _)| sql::one { id: *id }).await?;
    row.ok_or_else(Error::no_record)?;
    empty_answers::reply(call, &page)
}

#[derive(Parameters, Clone, Copy)]
enum StatusParam {
    Running,
    Success,
    Failed,
    Canceled,
}

impl From<StatusParam> for State {
    fn from(given: StatusParam) -> State {
        match given {
            StatusParam::Running => State::Running,
            StatusParam::Success => State::Success,
            StatusParam::Failed => State::Failed,
            StatusParam::Canceled => State::Canceled,
        }
    }
}

#[derive(Parameters)]
struct NewParams {
    environment: String,
    sha: String,
    #[param(rename = "ref")]
    git_ref: String,
    tag: bool,
    status: StatusParam,
    external_url: Option<String>,
    name: Option<String>,
    stage: Option<String>,
    coverage: Option<f64>,
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<NewParams>().map(|new| NewDeployment {
        environment: new.environment,
        sha: new.sha,
        git_ref: Some(new.git_ref),
        tag: Some(new.tag),
        status: Some(new.status.into()),
        external_url: new.external_url,
        name: new.name,
        stage: new.stage,
        coverage: new.coverage,
    });
    super::create(call, input, true, Deployment::new).await
}

#[derive(Parameters)]
struct EditParams {
    status: StatusParam,
}

pub async fn update(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let change = call.creation::<EditParams>();
    let change = change.map(|edit| Move { status: edit.status.into(), coverage: None });
    let (_, entry, row) = call.authorize_builds(number, |id| sql::one { id: *id }).await?;
    let row = super::update(call, &entry, row, change).await?;
    Ok(Reply::json(200, &Deployment::new(row, &entry.links)))
}

/// Refuses a running deployment and the current one.
pub async fn remove(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let (id, _, before) = call.authorize_builds(number, |id| sql::removal { id: *id }).await?;
    let before = before.ok_or_else(Error::no_record)?;
    match before.state.as_str() {
        "running" => Err(Error::message("Cannot destroy running deployment")),
        "success" if before.is_last => Err(Error::message("Deployment currently deployed to environment")),
        _ => {
            call.expect_unmodified(before.updated_at)?;
            call.write(sql::remove { id }).await?;
            Ok(Reply::empty(204))
        }
    }
}
