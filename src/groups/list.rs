//! Lists of groups: what is asked for in v3 and v4, and v3's lists of groups and namespaces.

use super::entity::Group;
use super::sql::GroupRow;
use super::sql::list::{GROUPS, NAMESPACES};
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::projects::sql::NamespaceRow;
use crate::store::{Statement, fill, sql};
use crate::walk;
use serde::Serialize;
use serde_json::json;

/// Beyond every id.
const EVER: i64 = 1 << 53;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Order {
    Name,
    Path,
    #[default]
    Id,
}

impl Order {
    /// What the statement calls it.
    fn word(self) -> Option<&'static str> {
        match self {
            Order::Name => Some("name"),
            Order::Path => Some("path"),
            Order::Id => None,
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    pub fn of_row(self, row: &GroupRow) -> [Key; 2] {
        let key = match self {
            Order::Name => Key::Text(row.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.path.to_ascii_lowercase()),
            Order::Id => Key::Int(row.id),
        };
        [key, Key::Int(row.id)]
    }
}

#[derive(Debug, Default)]
pub struct Question<'a> {
    pub order: Order,
    pub ascending: bool,
    /// The least level that the caller must have as a member.
    pub least: Option<i64>,
    pub search: Option<&'a str>,
    pub visibility: Option<i64>,
    pub without: &'a [i64],
}

impl Question<'_> {
    pub fn statement(&self, page: &Page) -> Statement {
        let end = if self.ascending { 0 } else { EVER };
        let beginning = match self.order {
            Order::Id => Key::Int(end),
            Order::Name | Order::Path => Key::from(if self.ascending { "" } else { "\u{10ffff}" }),
        };
        let ([key, id], offset) = page.begin([beginning, Key::Int(end)]);
        let is_filtered = self.search.is_some() || !self.without.is_empty();
        let (past, sort) = if self.ascending { (">", Sort::Asc) } else { ("<", Sort::Desc) };
        let number = if is_filtered { walk::NUMBER } else { "0" };
        let groups = fill(GROUPS, &[("past", past), ("sort", Sort::word(Some(sort))), ("number", number)]);
        sql!(
            groups,
            self.least,
            key,
            id,
            walk::steps(page, offset, is_filtered),
            page.size + 1,
            offset,
            self.search,
            self.visibility,
            Some(json!(self.without).to_string()).filter(|_| !self.without.is_empty()),
            self.order.word()
        )
    }
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    search: Option<String>,
}

/// GET /groups
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| {
        Question { ascending: true, search: filter.search.as_deref(), ..Question::default() }.statement(page)
    };
    let ((_, page), entered) = call.sign_in_with(input, query).await?;
    let groups = walk::read(&entered.rows, &page, |row: &GroupRow| Order::Id.of_row(row))?;
    groups.reply(call, &page, |row| Group::new(row, &entered.links))
}

/// Those with the word in their paths; `by_name`: or in their names. `least`: the level that the caller must have.
pub fn namespaces_with(search: Option<&str>, by_name: bool, least: Option<i64>, page: &Page) -> Statement {
    let (after, offset) = page.after();
    let steps = walk::steps(page, offset, search.is_some());
    sql!(NAMESPACES, after, offset, steps, least, page.size + 1, search, by_name)
}

/// A name under which projects live.
#[derive(Debug, Serialize)]
struct Namespace {
    id: i64,
    path: String,
    kind: String,
}

/// GET /namespaces
pub async fn namespaces(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let query =
        |(filter, page): &(Filter, Page)| namespaces_with(filter.search.as_deref(), false, None, page);
    let ((_, page), entered) = call.sign_in_with(input, query).await?;
    let namespaces = walk::read(&entered.rows, &page, |row: &NamespaceRow| [row.id.into()])?;
    namespaces.reply(call, &page, |NamespaceRow { id, path, kind, .. }| Namespace { id, path, kind })
}
