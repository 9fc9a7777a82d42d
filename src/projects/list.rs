//! The lists of a whole server's projects in v3.

use super::entity::Project;
use super::listing::{Order, Question, Searched, Whose};
use super::sql::ProjectRow;
use crate::call::{Call, SignedIn};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Page, Sort};
use crate::params::Parameters;
use crate::policy::visible;
use crate::walk;

/// Parameters of the lists of whole servers.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct ListAll {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Level>,
    order_by: Option<Age>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
pub enum Level {
    Private = visible!(Private),
    Internal = visible!(Internal),
    Public = visible!(Public),
}

/// A project with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy)]
#[param(rename_all = "snake_case")]
enum Age {
    Id,
    CreatedAt,
}

/// Parameters of the lists of the caller's projects.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct ListProjects {
    pub search: Option<String>,
    pub archived: Option<bool>,
    pub visibility: Option<Level>,
    pub order_by: Option<OrderBy>,
    pub sort: Option<Sort>,
}

/// A project with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
pub enum OrderBy {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
}

impl ListProjects {
    pub fn order(&self) -> Order {
        match self.order_by {
            None | Some(OrderBy::Id | OrderBy::CreatedAt) => Order::Id,
            Some(OrderBy::Name) => Order::Name,
            Some(OrderBy::Path) => Order::Path,
            Some(OrderBy::UpdatedAt | OrderBy::LastActivityAt) => Order::Update,
        }
    }
}

fn read_all(call: &Call<'_>) -> Result<(ListProjects, Page)> {
    let ListAll { search, archived, visibility, order_by, sort } = call.filters()?;
    // both orders are the same one
    let _ = order_by;
    Ok((ListProjects { search, archived, visibility, order_by: None, sort }, call.page()?))
}

/// What a list of v3 asks for.
pub fn question(filter: &ListProjects) -> Question<'_> {
    Question {
        order: filter.order(),
        ascending: filter.sort == Some(Sort::Asc),
        search: filter.search.as_deref(),
        searched: Searched::Descriptions,
        archived: filter.archived,
        visibility: filter.visibility.map(|level| level as i64),
        ..Question::default()
    }
}

pub fn answer(call: &Call<'_>, (filter, page): &(ListProjects, Page), entered: &SignedIn) -> Result<Reply> {
    let order = filter.order();
    let projects = walk::read(&entered.rows, page, |row: &ProjectRow| order.of_row(row))?;
    projects.reply(call, page, |row| Project::new(row, &entered.caller, &entered.links))
}

/// GET /projects/all
pub async fn list_all(call: &Call<'_>) -> Result<Reply> {
    let query = |(filter, page): &(ListProjects, Page)| {
        Question { all: true, ..question(filter) }.statement(Whose::Everywhere, page)
    };
    let (input, entered) = call.administer_with(read_all(call), query).await?;
    answer(call, &input, &entered)
}

/// GET /projects/visible
pub async fn list_visible(call: &Call<'_>) -> Result<Reply> {
    let query = |(filter, page): &(ListProjects, Page)| question(filter).statement(Whose::Everywhere, page);
    let (input, entered) = call.sign_in_with(read_all(call), query).await?;
    answer(call, &input, &entered)
}
