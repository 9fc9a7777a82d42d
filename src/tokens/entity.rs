//! Tokens as answers of both APIs show them.

use super::sql::TokenRow;
use crate::constants::{Constant, Constants};
use crate::dialect::Dialect;
use crate::policy::scopes;
use crate::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Token {
    id: i64,
    name: String,
    revoked: bool,
    created_at: String,
    scopes: Vec<&'static str>,
    user_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    access_level: Option<i64>,
    active: bool,
    expires_at: Option<String>,
    /// Shown once, by the answer to its making.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(flatten)]
    constants: Option<Constants>,
}

/// What v4 tells besides.
const OF_TOKEN: Constants = Constants(&[(Constant::Null, &["description", "last_used_at"])]);

impl Token {
    pub fn new(row: TokenRow, now: i64, token: Option<String>, dialect: Dialect) -> Token {
        let TokenRow { id, user_id, project_id, name, created_at, expires_at, .. } = row;
        let revoked = row.revoked_at.is_some();
        let known = scopes::PERSONAL.iter().chain(scopes::PROJECT).chain(scopes::HOOK);
        Token {
            id,
            name,
            revoked,
            created_at: time::utc(created_at),
            scopes: known.filter(|(_, bit)| row.scopes & bit != 0).map(|(name, _)| *name).collect(),
            user_id: row.bot_id.unwrap_or(user_id),
            project_id: project_id.filter(|_| !dialect.is_v4()),
            access_level: row.access.filter(|_| !dialect.is_v4()),
            active: !revoked && expires_at.is_none_or(|expiry| expiry > now),
            expires_at: expires_at.map(|at| if dialect.is_v4() { time::day(at) } else { time::utc(at) }),
            token,
            constants: dialect.is_v4().then_some(OF_TOKEN),
        }
    }
}
