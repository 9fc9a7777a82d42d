//! Deployments and environments in v4 (behaviour 13.3).

mod entity;
pub mod environments;

use super::{DeploymentRow, Move, NewDeployment, State, authorize, sql};
use crate::call::{Call, path_number};
use crate::empty;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::store::{Row, Statement};
use crate::walk;
use entity::Deployment;

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

#[derive(Parameters, Clone, Copy, PartialEq)]
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

/// What a list of deployments is asked for.
struct Filter {
    environment: Option<String>,
    state: Option<&'static str>,
    /// Milliseconds, both inclusive.
    updated: [Option<i64>; 2],
    finished: [Option<i64>; 2],
    order_by: OrderBy,
    descends: bool,
}

impl ListParams {
    fn filter(self) -> Result<Filter> {
        let time = |name: &str, text: &Option<String>| match text.as_deref() {
            None => Ok(None),
            Some(text) => crate::time::read(text).map(Some).ok_or_else(|| Error::invalid(name)),
        };
        let updated_after = time("updated_after", &self.updated_after)?;
        let updated = [updated_after, time("updated_before", &self.updated_before)?];
        let finished_after = time("finished_after", &self.finished_after)?;
        Ok(Filter {
            updated,
            finished: [finished_after, time("finished_before", &self.finished_before)?],
            environment: self.environment,
            state: self.status.map(Status::name),
            order_by: self.order_by.unwrap_or(OrderBy::Id),
            descends: self.sort == Some(Sort::Desc),
        })
    }
}

impl Filter {
    /// Whether the order is that of the numbers: ids, numbers and times of creation ascend together.
    fn is_by_number(&self) -> bool {
        matches!(self.order_by, OrderBy::Id | OrderBy::Iid | OrderBy::CreatedAt)
    }

    fn query(&self, page: &Page) -> Statement {
        let environment = self.environment.as_deref();
        let (descends, state, most) = (self.descends, self.state, page.size + 1);
        let ([updated_from, updated_to], [finished_from, finished_to]) = (self.updated, self.finished);
        if !self.is_by_number() {
            let (by_ref, by_finish) = (self.order_by == OrderBy::Ref, self.order_by == OrderBy::FinishedAt);
            let skip = page.offset();
            return sql::newest {
                environment,
                descends,
                by_ref,
                by_finish,
                state,
                updated_from,
                updated_to,
                finished_from,
                finished_to,
                most,
                skip,
            }
            .into();
        }
        let ([after], skip) = page.begin([Key::Int(if descends { 1 << 53 } else { 0 })]);
        let times = self.updated.iter().chain(&self.finished).any(Option::is_some);
        let looks = walk::steps(page, skip, state.is_some() || times);
        sql::filtered {
            environment,
            descends,
            after,
            looks,
            state,
            updated_from,
            updated_to,
            finished_from,
            finished_to,
            most,
            skip,
        }
        .into()
    }
}

/// GET /projects/:id/deployments
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|params| Ok((params.filter()?, call.page()?)));
    let ((filter, page), entry) = authorize(call, input, |(filter, page)| filter.query(page)).await?;
    // another order's page is found by its number
    let by_number = filter.is_by_number();
    let key = |row: &DeploymentRow| [if by_number { row.iid.into() } else { "".into() }];
    let shown = |row| Deployment::new(row, &entry.resource, &entry.links);
    walk::page(&entry.rows, &page, key)?.reply(call, &page, shown)
}

/// GET /projects/:id/deployments/:deployment_id
pub async fn show(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let (_, entry) = authorize(call, number, |id| sql::one { id: *id }).await?;
    let row = entry.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Deployment::new(row, &entry.resource, &entry.links)))
}

/// GET /projects/:id/deployments/:deployment_id/merge_requests
pub async fn merge_requests(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let input = path_number("deployment_id", deployment_id).and_then(|number| Ok((number, call.page()?)));
    let ((_, page), entry) = authorize(call, input, |(id, _)| sql::one { id: *id }).await?;
    entry.rows.first::<DeploymentRow>()?.ok_or_else(Error::no_record)?;
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
        needs_ref: true,
    });
    super::create(call, input, |row, entry, links| Deployment::new(row, &entry.resource, links)).await
}

/// Parameters of `PUT /projects/:id/deployments/:deployment_id`.
#[derive(Parameters)]
struct EditParams {
    status: Given,
}

/// PUT /projects/:id/deployments/:deployment_id
pub async fn update(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let change = call.creation::<EditParams>();
    let change = change.map(|edit| Move { status: edit.status.into(), coverage: None });
    let (_, entry) = authorize(call, number, |id| sql::one { id: *id }).await?;
    let row = super::update(call, &entry, change).await?;
    Ok(Reply::json(200, &Deployment::new(row, &entry.resource, &entry.links)))
}

/// A deployment that is to be removed.
#[derive(Row)]
struct Removal {
    state: String,
    is_last: bool,
    updated_at: i64,
}

/// DELETE /projects/:id/deployments/:deployment_id: not while it runs, and not what is deployed now.
pub async fn remove(call: &Call<'_>, deployment_id: &str) -> Result<Reply> {
    let number = path_number("deployment_id", deployment_id);
    let (id, entry) = authorize(call, number, |id| sql::removal { id: *id }).await?;
    let before: Removal = entry.rows.first()?.ok_or_else(Error::no_record)?;
    match before.state.as_str() {
        "running" => Err(Error::message("Cannot destroy running deployment")),
        "success" if before.is_last => Err(Error::message("Deployment currently deployed to environment")),
        _ => {
            call.expect_unmodified(before.updated_at)?;
            call.store.run(sql::remove { id }).await?;
            Ok(Reply::empty(204))
        }
    }
}
