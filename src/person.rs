use crate::store::Row;

/// The user of ADMIN_TOKEN if `SUDO` is not sent: always active and an administrator.
pub const ROOT: i64 = 1;

/// A user as author, assignee or caller.
#[derive(Debug, Clone, Default, Row)]
pub struct UserRow {
    pub id: i64,
    pub username: String,
    pub name: String,
    pub state: String,
    pub email: String,
}
