//! Deployments and environments in v4 (behaviour 13.3).

mod entity;
pub mod environments;

use super::pages::{self, Filter, Order};
use super::sql::environments as one_by_one;
use super::sql::{self, DeploymentRow};
use super::{EditDeployment, NewDeployment, State, change, store};
use crate::call::path_number;
use crate::call::{Call, Entered};
use crate::empty;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Sort, Total};
use crate::params::Parameters;
use crate::policy::Action;
use crate::store::{Column, Row, Statement, decode};
use entity::Deployment;

/// Authorizes an action on deployments with the request's checked input.
async fn enter<T>(
    call: &Call<'_>,
    id: &str,
    action: Action,
    input: Result<T>,
    query: impl FnOnce(&T) -> Statement,
) -> Result<(T, Entered)> {
    let (input, entered) = call.enter_with(id, action, input, query).await?;
    if entered.resource.has_builds() { Ok((input, entered)) } else { Err(Error::FORBIDDEN) }
}

/// The first row of a list, and one of those behind it.
#[derive(Row)]
struct Ended {
    end: Option<i64>,
}

/// Parameters of `GET /projects/:id/deployments`.
#[derive(Parameters, Default)]
#[param(default)]
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

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "snake_case")]
enum OrderBy {
    Id,
    Iid,
    CreatedAt,
    UpdatedAt,
    FinishedAt,
    Ref,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum Status {
    Created,
    Running,
    Success,
    Failed,
    Canceled,
    Skipped,
    Blocked,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Status::Created => "created",
            Status::Running => "running",
            Status::Success => "success",
            Status::Failed => "failed",
            Status::Canceled => "canceled",
            Status::Skipped => "skipped",
            Status::Blocked => "blocked",
        }
    }
}

impl ListParams {
    fn filter(self) -> Result<Filter> {
        let time = |name: &str, text: &Option<String>| match text.as_deref() {
            None => Ok(None),
            Some(text) => crate::time::read(text).map(Some).ok_or_else(|| Error::invalid(name)),
        };
        Ok(Filter {
            updated: [
                time("updated_after", &self.updated_after)?,
                time("updated_before", &self.updated_before)?,
            ],
            finished: [
                time("finished_after", &self.finished_after)?,
                time("finished_before", &self.finished_before)?,
            ],
            environment: self.environment,
            status: self.status.map(Status::name),
            order: match self.order_by.unwrap_or(OrderBy::Id) {
                // all three ascend together
                OrderBy::Id | OrderBy::Iid | OrderBy::CreatedAt => Order::Number,
                OrderBy::UpdatedAt => Order::Updated,
                OrderBy::FinishedAt => Order::Finished,
                OrderBy::Ref => Order::Ref,
            },
            descends: self.sort == Some(Sort::Desc),
        })
    }
}

/// GET /projects/:id/deployments
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|params| Ok((params.filter()?, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| pages::list(filter, page);
    let ((filter, page), mut entered) = enter(call, id, Action::ReadDeployments, input, query).await?;
    let end =
        entered.rows.shift::<Ended>()?.and_then(|row| row.end).filter(|_| filter.order == Order::Number);
    let mut rows: Vec<DeploymentRow> = entered.rows.all()?;
    let more = page.has_more(&mut rows);
    let last = rows.last().map(|row| row.iid);
    let behind = if more || call.is_cut.get() { last } else { end };
    let cursor = behind.and_then(|iid| filter.next(&page, iid));
    let shown = |row| Deployment::new(row, &entered.resource, &entered.links);
    let deployments: Vec<Deployment> = rows.into_iter().map(shown).collect();
    call.listing(&page, Total::More(behind.is_some()), &[], cursor, &deployments)
}

/// GET /projects/:id/deployments/:deployment_id
pub async fn show(call: &Call<'_>, id: &str, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let (_, entered) = enter(call, id, Action::ReadDeployments, number, |id| sql::one(*id)).await?;
    let row = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Deployment::new(row, &entered.resource, &entered.links)))
}

/// GET /projects/:id/deployments/:deployment_id/merge_requests
pub async fn merge_requests(call: &Call<'_>, id: &str, deployment_id: &str) -> Result<Reply> {
    let input = path_number("deployment_id", deployment_id).and_then(|number| Ok((number, call.page()?)));
    let query = |(id, _): &(i64, Page)| sql::one(*id);
    let ((_, page), entered) = enter(call, id, Action::ReadDeployments, input, query).await?;
    entered.rows.first::<DeploymentRow>()?.ok_or_else(Error::no_record)?;
    empty::reply(call, &page)
}

/// The states that a deployment can be given.
#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum Given {
    Running,
    Success,
    Failed,
    Canceled,
}

impl From<Given> for State {
    fn from(given: Given) -> State {
        match given {
            Given::Running => State::Running,
            Given::Success => State::Success,
            Given::Failed => State::Failed,
            Given::Canceled => State::Canceled,
        }
    }
}

/// Parameters of `POST /projects/:id/deployments`.
#[derive(Parameters)]
struct NewParams {
    environment: String,
    sha: String,
    #[param(rename = "ref")]
    git_ref: String,
    tag: bool,
    status: Given,
    external_url: Option<String>,
    name: Option<String>,
    stage: Option<String>,
    coverage: Option<f64>,
}

/// POST /projects/:id/deployments
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
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
        needs_ref: true,
    });
    store(call, id, input, Deployment::new).await
}

/// Parameters of `PUT /projects/:id/deployments/:deployment_id`.
#[derive(Parameters)]
struct EditParams {
    status: Given,
}

/// PUT /projects/:id/deployments/:deployment_id
pub async fn update(call: &Call<'_>, id: &str, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let edit = call.creation::<EditParams>();
    let edit = edit.map(|edit| EditDeployment { status: edit.status.into(), coverage: None });
    let (_, entered) = enter(call, id, Action::CreateDeployment, number, |id| sql::one(*id)).await?;
    let row = change(call, &entered, edit).await?;
    Ok(Reply::json(200, &Deployment::new(row, &entered.resource, &entered.links)))
}

/// DELETE /projects/:id/deployments/:deployment_id: not while it runs, and not what is deployed now.
pub async fn remove(call: &Call<'_>, id: &str, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let query = |id: &i64| one_by_one::deployment_before(*id);
    let (number, entered) = enter(call, id, Action::CreateDeployment, number, query).await?;
    let before: Option<(String, i64, i64)> = entered.rows.first()?;
    let (state, is_last, updated_at) = before.ok_or_else(Error::no_record)?;
    match state.as_str() {
        "running" => Err(Error::message("Cannot destroy running deployment")),
        "success" if is_last == 1 => Err(Error::message("Deployment currently deployed to environment")),
        _ => {
            call.expect_unmodified(updated_at)?;
            call.store.run(one_by_one::remove_deployment(number)).await?;
            Ok(Reply::empty(204))
        }
    }
}

/// A row of an environment's own answer: itself, or its last deployment.
fn two<A: Column, B: Column>(rows: &[String]) -> Result<Option<(A, Option<B>)>> {
    let Some(first) = rows.first() else { return Ok(None) };
    let second = rows.get(1).map(|row| decode(row)).transpose()?;
    Ok(Some((decode(first)?, second)))
}
