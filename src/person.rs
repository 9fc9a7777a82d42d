//! Users as everything refers to them: authors, assignees, callers.

use crate::store::Row;

/// The administrator whose token is the Worker's secret: always active, always an administrator.
pub const ROOT: i64 = 1;

/// What the brief form needs.
#[derive(Debug, Clone, Default, Row)]
pub struct UserRow {
    pub id: i64,
    pub username: String,
    pub name: String,
    pub state: String,
    pub email: String,
}
