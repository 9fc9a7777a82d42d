//! The pieces of the lists, and which of them begin a list.

use crate::kernel::call::Call;
use crate::kernel::sql::Piece;
use crate::kernel::store::Scope;

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
