use super::super::{TokenFields, TokenRow};
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Token {
    #[serde(flatten)]
    begin: TokenFields,
    active: bool,
    expires_at: Option<String>,
    /// Only in the answer that creates the token. Null for a trust.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<Option<String>>,
    description: Option<String>,
    last_used_at: Option<String>,
    #[serde(flatten)]
    of_project: Option<ProjectToken>,
}

/// Members of the tokens of a project and of its hooks.
#[derive(Debug, Serialize)]
struct ProjectToken {
    /// Only of a token of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    access_level: Option<i64>,
    /// Only of a token of a hook.
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_project: Option<bool>,
    #[serde(flatten)]
    trust: Option<Trust>,
    resource_type: &'static str,
    resource_id: i64,
}

/// Members of the tokens of a project, null unless the token is a trust.
#[derive(Debug, Serialize)]
struct Trust {
    issuer: Option<String>,
    claims: Option<Vec<String>>,
    audience: Option<String>,
}

impl Token {
    pub fn new(mut row: TokenRow, now: i64, token: Option<String>) -> Token {
        let (active, expires_at) = (row.is_active(now), row.expires_at.map(time::day));
        let (description, last_used_at) = (row.description.take(), row.last_used_at.map(time::utc));
        let token = token.map(|token| row.issuer.is_none().then_some(token));
        let (issuer, claims, audience) = (row.issuer.take(), row.claims.take(), row.audience.take());
        let of_project = row.project_id.map(|resource_id| ProjectToken {
            access_level: row.access,
            cross_project: row.access.is_none().then_some(row.cross_project),
            trust: row.access.map(|_| Trust { issuer, claims, audience }),
            resource_type: "project",
            resource_id,
        });
        let begin = TokenFields::new(row);
        Token { begin, active, expires_at, token, description, last_used_at, of_project }
    }
}
