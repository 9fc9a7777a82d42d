//! Tokens as answers show them.

use super::sql::TokenRow;
use crate::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Token {
    id: i64,
    name: String,
    revoked: bool,
    created_at: String,
    scopes: [&'static str; 1],
    user_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    active: bool,
    expires_at: Option<String>,
    /// Shown once, by the answer to its making.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl Token {
    pub fn new(row: TokenRow, now: i64, token: Option<String>) -> Token {
        let TokenRow { id, user_id, project_id, name, created_at, expires_at, revoked_at } = row;
        let revoked = revoked_at.is_some();
        Token {
            id,
            name,
            revoked,
            created_at: time::utc(created_at),
            scopes: [if project_id.is_some() { "mirror" } else { "api" }],
            user_id,
            project_id,
            active: !revoked && expires_at.is_none_or(|expiry| expiry > now),
            expires_at: expires_at.map(time::utc),
            token,
        }
    }
}
