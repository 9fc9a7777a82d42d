use super::{GroupRow, sql};
use crate::areas::projects::NamespaceRow;
use crate::kernel::fold::patterns;
use crate::kernel::paging::{EVER, Key};
use crate::kernel::policy::Visibility;
use crate::kernel::walk::{self, WalkPage, WalkRow, WalkTotal};
use crate::kernel::{Page, PreparedQuery, Query, Row};
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(mod ordered: "src/areas/groups/lists.sql");

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Order {
    Name,
    Path,
    #[default]
    Id,
}

impl Order {
    /// Changes only ASCII letters to lower case, like SQLite's `lower`.
    fn keys(self, row: &GroupRow) -> [Key; 2] {
        let key = match self {
            Order::Name => Key::Text(row.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.path.to_ascii_lowercase()),
            Order::Id => Key::Int(row.id),
        };
        [key, Key::Int(row.id)]
    }
}

#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub order: Order,
    pub descending: bool,
    /// The lowest level of the caller as a member.
    pub least: Option<i64>,
    /// None means true for administrators and callers without a token, and otherwise false.
    pub all_available: Option<bool>,
    pub search: Option<String>,
    pub visibility: Option<Visibility>,
    pub without: Vec<i64>,
    pub matches_nothing: bool,
}

impl Filter {
    pub fn page(&self, page: &Page) -> PreparedQuery<Vec<WalkRow<GroupRow>>> {
        let (order, ascending) = (self.order, !self.descending);
        let (low, high) = match order {
            Order::Id => (Key::Int(-EVER), Key::Int(EVER)),
            Order::Name | Order::Path => ("".into(), "\u{10ffff}".into()),
        };
        let ([low, high, at, id], skip) = page.range(ascending, low, high);
        let search = self.search.as_deref().map(patterns);
        let looks = walk::steps(page, skip, search.is_some() || !self.without.is_empty());
        let (least, without, most) = (self.least, json!(self.without).to_string(), page.size + 1);
        let visibility = self.visibility.map(Visibility::level);
        ordered::list {
            order,
            ascending,
            least,
            all_available: self.all_available,
            search,
            without,
            low,
            high,
            at,
            id,
            visibility,
            looks: if self.matches_nothing { 0 } else { looks },
            most,
            skip,
        }
        .prepare()
    }

    pub fn total(&self) -> PreparedQuery<Option<WalkTotal>> {
        walk::count(Filter { order: Order::Id, descending: false, ..self.clone() }.page(&Page::to_count()))
    }

    pub fn read(&self, rows: Vec<WalkRow<GroupRow>>, page: &Page) -> WalkPage<GroupRow> {
        walk::page(rows, page, |row| self.order.keys(row))
    }
}

/// `by_name`: `search` also looks in names. `least`: the lowest level of the caller as a member.
pub fn namespaces(
    search: Option<&str>,
    by_name: bool,
    least: Option<i64>,
    page: &Page,
) -> PreparedQuery<Vec<WalkRow<CountedRow>>> {
    let (after, skip) = page.after();
    let looks = walk::steps(page, skip, search.is_some());
    let (search, most) = (search.map(patterns), page.size + 1);
    sql::namespaces { search, by_name, after, least, looks, most, skip }.prepare()
}

#[derive(Debug, Row)]
pub struct CountedRow {
    #[row(flatten)]
    pub namespace: NamespaceRow,
    /// None unless the caller owns the namespace or is an administrator.
    pub counts: Option<Counts>,
}

/// As v4 shows them.
#[derive(Debug, Row, Serialize)]
pub struct Counts {
    /// None for the namespace of a user.
    #[serde(rename = "members_count_with_descendants", skip_serializing_if = "Option::is_none")]
    members_count: Option<i64>,
    projects_count: i64,
}

pub fn read_namespaces(rows: Vec<WalkRow<CountedRow>>, page: &Page) -> WalkPage<CountedRow> {
    walk::page(rows, page, |row| [row.namespace.id.into()])
}
