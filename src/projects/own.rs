//! The lists of the caller's projects in v3.

use super::list::{Level, answer, question};
use super::listing::{Order, Question, Whose};
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Page, Sort};
use crate::params::Parameters;
use crate::policy::level;

/// Parameters of the lists of the caller's projects.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
pub struct ListProjects {
    pub search: Option<String>,
    pub archived: Option<bool>,
    pub visibility: Option<Level>,
    pub order_by: Option<OrderBy>,
    pub sort: Option<Sort>,
}

/// A project with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
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

fn read(call: &Call<'_>) -> Result<(ListProjects, Page)> {
    Ok((call.filters()?, call.page()?))
}

/// The caller's projects, with how many there are.
async fn list_counted(call: &Call<'_>, whose: Whose<'_>, least: Option<i64>) -> Result<Reply> {
    let query = |(filter, page): &(ListProjects, Page)| {
        Question { least, total: true, ..question(filter) }.statement(whose, page)
    };
    let (input, entered) = call.sign_in_with(read(call), query).await?;
    answer(call, &input, &entered)
}

/// GET /projects
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    list_counted(call, Whose::Everywhere, Some(level!(Guest))).await
}

/// GET /projects/owned
pub async fn list_owned(call: &Call<'_>) -> Result<Reply> {
    list_counted(call, Whose::Own, None).await
}
