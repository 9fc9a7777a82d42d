//! The lists of the caller's projects. Each namespace gives no more of them than the page reaches.

use super::entity::Project;
use super::list::Level;
use super::sql::ProjectRow;
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::projects::sql::own::{AUTHORIZED, OWNED};
use crate::store::{Row, Statement, fill, sql};

/// Parameters of the lists of the caller's projects.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
struct ListProjects {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Level>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

/// A project with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum OrderBy {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
}

#[derive(Row)]
enum Part {
    Total(Option<i64>),
    Project(Box<ProjectRow>),
}

impl OrderBy {
    fn of(filter: &ListProjects) -> OrderBy {
        match filter.order_by {
            None | Some(OrderBy::CreatedAt) => OrderBy::Id,
            Some(OrderBy::LastActivityAt) => OrderBy::UpdatedAt,
            Some(order) => order,
        }
    }

    /// The order's expression of an alias.
    fn key(self, alias: &str) -> String {
        match self {
            OrderBy::Name => format!("lower({alias}.name)"),
            OrderBy::Path => format!("lower({alias}.path)"),
            OrderBy::UpdatedAt | OrderBy::LastActivityAt => format!("{alias}.updated_at"),
            OrderBy::Id | OrderBy::CreatedAt => format!("{alias}.id"),
        }
    }

    /// What comes before all.
    fn beginning(self, ascending: bool) -> Key {
        match self {
            OrderBy::Name | OrderBy::Path => Key::from(if ascending { "" } else { "\u{10ffff}" }),
            _ => Key::Int(if ascending { 0 } else { 1 << 53 }),
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    fn of_row(self, row: &ProjectRow) -> Key {
        match self {
            OrderBy::Name => Key::Text(row.project.name.to_ascii_lowercase()),
            OrderBy::Path => Key::Text(row.project.path.to_ascii_lowercase()),
            OrderBy::UpdatedAt | OrderBy::LastActivityAt => Key::Int(row.project.updated_at),
            OrderBy::Id | OrderBy::CreatedAt => Key::Int(row.project.id),
        }
    }
}

fn query(text: &str, filter: &ListProjects, page: &Page) -> Statement {
    let (order, ascending) = (OrderBy::of(filter), filter.sort == Some(Sort::Asc));
    let beginning = [order.beginning(ascending), Key::Int(if ascending { 0 } else { 1 << 53 })];
    let ([key, id], offset) = page.begin(beginning);
    let visibility = filter.visibility.map(|level| level as i64);
    let (p, x) = (order.key("p"), order.key("x"));
    let pieces = [
        ("p.key", p.as_str()),
        ("x.key", x.as_str()),
        ("past", if ascending { ">" } else { "<" }),
        ("sort", Sort::word(filter.sort)),
    ];
    let list = fill(text, &pieces);
    sql!(list, filter.search.as_deref(), filter.archived, visibility, key, id, offset, page.size + 1)
}

async fn listed(call: &Call<'_>, text: &str) -> Result<Reply> {
    let input = call.filters::<ListProjects>().and_then(|filter| Ok((filter, call.page()?)));
    let ((filter, page), entered) =
        call.sign_in_with(input, |(filter, page)| query(text, filter, page)).await?;
    let (mut rows, mut total) = (Vec::new(), None);
    for part in entered.rows.all()? {
        match part {
            Part::Total(count) => total = count,
            Part::Project(row) => rows.push(*row),
        }
    }
    if filter.search.is_some() || filter.archived.is_some() || filter.visibility.is_some() {
        // where it stands in its index, and itself
        call.store.note_counted(2 * total.unwrap_or(10_001).unsigned_abs());
    }
    let total = page.cut_counted(&mut rows, total);
    let order = OrderBy::of(&filter);
    let cursor = rows.last().and_then(|row| page.next([order.of_row(row), row.project.id.into()]));
    let shown = |row| Project::new(row, &entered.caller, &entered.links);
    let projects: Vec<Project> = rows.into_iter().map(shown).collect();
    call.listing(&page, total, &[], cursor, &projects)
}

/// GET /projects
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    listed(call, AUTHORIZED).await
}

/// GET /projects/owned
pub async fn list_owned(call: &Call<'_>) -> Result<Reply> {
    listed(call, OWNED).await
}
