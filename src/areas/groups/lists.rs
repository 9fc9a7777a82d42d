use super::GroupRow;
use crate::areas::projects::NamespaceRow;
use crate::kernel::lists::Listed;
use crate::kernel::policy::Visibility;
use crate::kernel::text::fold::patterns;
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
    /// None: the list is empty.
    pub fn query(&self, page: Page) -> Option<PreparedQuery<Listed<GroupRow>>> {
        let list = ordered::list {
            order: self.order,
            ascending: !self.descending,
            least: self.least,
            all_available: self.all_available,
            search: self.search.as_deref().map(patterns),
            without: (!self.without.is_empty()).then(|| json!(self.without).to_string()),
            visibility: self.visibility.map(Visibility::level),
            page,
        };
        (!self.matches_nothing).then(|| list.prepare())
    }
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
