//! What the statements of a list return.

use crate::areas::issues::IssueRow;
use crate::kernel::store::Row;

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
