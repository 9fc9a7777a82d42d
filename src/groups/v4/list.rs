//! The list of groups in v4: those that the caller may see.

use super::Group;
use super::sql::GROUPS;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::groups::sql::GroupRow;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::policy::level;
use crate::projects::list::Level;
use crate::store::{Statement, fill, sql};
use crate::walk;
use serde_json::json;

/// Parameters of `GET /groups`.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
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
#[serde(rename_all = "snake_case")]
enum Order {
    #[default]
    Name,
    Path,
    Id,
}

impl Order {
    /// The order's expression of the alias `x`.
    fn key(self) -> &'static str {
        match self {
            Order::Name => "lower(x.name)",
            Order::Path => "lower(x.path)",
            Order::Id => "x.id",
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    fn of_row(self, row: &GroupRow) -> Key {
        match self {
            Order::Name => Key::Text(row.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.path.to_ascii_lowercase()),
            Order::Id => Key::Int(row.id),
        }
    }
}

fn query((filter, page): &(Filter, Page)) -> Statement {
    let order = filter.order_by.unwrap_or_default();
    let ascending = filter.sort != Some(Sort::Desc);
    let end = if ascending { 0 } else { 1 << 53 };
    let beginning = match order {
        Order::Id => Key::Int(end),
        Order::Name | Order::Path => Key::from(if ascending { "" } else { "\u{10ffff}" }),
    };
    let ([key, id], offset) = page.begin([beginning, Key::Int(end)]);
    let owned = filter.owned.then_some(level!(Owner));
    let least = owned.max(filter.min_access_level);
    let is_filtered =
        filter.search.is_some() || filter.visibility.is_some() || !filter.skip_groups.is_empty();
    let (past, sort) = if ascending { (">", "asc") } else { ("<", "desc") };
    let groups = fill(GROUPS, &[("key", order.key()), ("past", past), ("sort", sort)]);
    sql!(
        groups,
        least,
        key,
        id,
        walk::steps(page, offset, is_filtered),
        page.size + 1,
        offset,
        filter.search.as_deref(),
        filter.visibility.map(|level| level as i64),
        json!(filter.skip_groups).to_string()
    )
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
    let order = filter.order_by.unwrap_or_default();
    let key = |row: &GroupRow| [order.of_row(row), row.id.into()];
    walk::read(&found.rows, &page, key)?.reply(call, &page, |row| Group::new(row, &found.links))
}
