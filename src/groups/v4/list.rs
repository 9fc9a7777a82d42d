//! The list of groups in v4: those that the caller may see.

use super::Group;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::groups::list::{self, Question};
use crate::groups::sql::GroupRow;
use crate::http::Reply;
use crate::page::{Page, Sort};
use crate::params::Parameters;
use crate::policy::level;
use crate::projects::list::Level;
use crate::store::Statement;
use crate::walk;

/// Parameters of `GET /groups`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    search: Option<String>,
    owned: bool,
    min_access_level: Option<i64>,
    visibility: Option<Level>,
    skip_groups: Vec<i64>,
    order_by: Option<Order>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq, Default)]
#[param(rename_all = "snake_case")]
enum Order {
    #[default]
    Name,
    Path,
    Id,
}

impl From<Order> for list::Order {
    fn from(order: Order) -> list::Order {
        match order {
            Order::Name => list::Order::Name,
            Order::Path => list::Order::Path,
            Order::Id => list::Order::Id,
        }
    }
}

fn query((filter, page): &(Filter, Page)) -> Statement {
    let owned = filter.owned.then_some(level!(Owner));
    let question = Question {
        order: filter.order_by.unwrap_or_default().into(),
        ascending: filter.sort != Some(Sort::Desc),
        least: owned.max(filter.min_access_level),
        search: filter.search.as_deref(),
        visibility: filter.visibility.map(|level| level as i64),
        without: &filter.skip_groups,
    };
    question.statement(page)
}

impl Filter {
    fn checked(self) -> Result<Filter> {
        match self.min_access_level {
            Some(level) if ![5, 10, 15, 20, 30, 40, 50].contains(&level) => {
                Err(Error::framework("min_access_level does not have a valid value"))
            }
            _ => Ok(self),
        }
    }
}

/// GET /groups
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters().and_then(|filter: Filter| Ok((filter.checked()?, call.page_or_keyset()?)));
    let ((filter, page), found) = call.browse_with(input, query).await?;
    let order = list::Order::from(filter.order_by.unwrap_or_default());
    walk::read(&found.rows, &page, |row: &GroupRow| order.of_row(row))?
        .reply(call, &page, |row| Group::new(row, &found.links))
}
