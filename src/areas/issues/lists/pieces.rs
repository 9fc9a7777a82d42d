//! The pieces of the lists, which of them begin a list, and what its statements return.

use crate::areas::issues::IssueRow;
use crate::kernel::sql::Piece;
use crate::kernel::store::Scope;
use crate::kernel::{Call, Row};

edgeforge_row::statements!(pub(super) mod sql: "src/areas/issues/lists/lists.sql", "src/areas/issues/lists/ranges.sql", "src/areas/issues/lists/conditions.sql");

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListPlace {
    Project,
    Group,
    /// Issues that the caller wrote or is assigned to.
    Caller,
    Anywhere,
}

impl ListPlace {
    pub fn of(call: &Call<'_>) -> ListPlace {
        match call.gate.borrow().place {
            place if place.is_project() => ListPlace::Project,
            place if place.is_group() => ListPlace::Group,
            _ => ListPlace::Caller,
        }
    }

    pub fn scope(self) -> Scope {
        match self {
            ListPlace::Project => Scope::Project,
            ListPlace::Group => Scope::Group,
            ListPlace::Caller | ListPlace::Anywhere => Scope::Caller,
        }
    }

    pub fn visible(self) -> Piece {
        match self {
            ListPlace::Project => sql::in_project,
            ListPlace::Group => sql::in_group,
            ListPlace::Caller => sql::of_caller,
            ListPlace::Anywhere => sql::anywhere,
        }
    }
}

#[derive(Debug, Row)]
pub struct IssueListRow {
    #[row(flatten)]
    pub issue: IssueRow,
    /// Whether the issue is in the list. The last issue read is returned in any case.
    pub fits: bool,
    /// Whether the read stopped here and more issues may follow. In a sorted list: whether there are too many to sort.
    pub ends: bool,
    /// Bytes of the page up to and including this issue.
    pub until: i64,
}

#[derive(Debug, Row)]
pub struct Count {
    /// None if there are more issues than the statement counts.
    pub total: Option<i64>,
    #[row(default)]
    pub closed: Option<i64>,
    pub looked: i64,
}

#[derive(Debug, Row)]
pub struct Width {
    pub is_wide: bool,
}
