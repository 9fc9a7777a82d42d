use crate::kernel::store::Row;
use edgeforge_wire::text::hex;
use md5::{Digest, Md5};

/// The id of the user who calls with ADMIN_TOKEN and without `SUDO`. They are always active, and an administrator.
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

/// The address of the picture of a user.
pub fn avatar(email: &str, base: &str) -> String {
    let host = if base.starts_with("https:") { "https://secure.gravatar.com" } else { "http://www.gravatar.com" };
    let digest = Md5::digest(email.trim().to_lowercase().as_bytes());
    format!("{host}/avatar/{}?s=80&d=identicon", hex(&digest))
}
