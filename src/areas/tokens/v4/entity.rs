use super::super::{TokenFields, TokenRow};
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Token {
    #[serde(flatten)]
    begin: TokenFields,
    active: bool,
    expires_at: Option<String>,
    /// Only in the answer that creates the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
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
    resource_type: &'static str,
    resource_id: i64,
}

impl Token {
    pub fn new(mut row: TokenRow, now: i64, token: Option<String>) -> Token {
        let (active, expires_at) = (row.is_active(now), row.expires_at.map(time::day));
        let (description, last_used_at) = (row.description.take(), row.last_used_at.map(time::utc));
        let of_project = row.project_id.map(|resource_id| ProjectToken {
            access_level: row.access,
            cross_project: row.access.is_none().then_some(row.cross_project),
            resource_type: "project",
            resource_id,
        });
        let begin = TokenFields::new(row);
        Token { begin, active, expires_at, token, description, last_used_at, of_project }
    }
}
