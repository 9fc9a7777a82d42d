//! Commit statuses as answers show them (specification, "Commit status").

use super::sql::StatusRow;
use crate::call::Links;
use crate::person::UserRow;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Status {
    id: i64,
    sha: String,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    status: String,
    name: String,
    target_url: Option<String>,
    description: Option<String>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    allow_failure: bool,
    author: Brief,
}

impl Status {
    pub fn new(row: StatusRow, sha: String, author: UserRow, links: &Links) -> Status {
        Status {
            id: row.id,
            sha,
            git_ref: Some(row.git_ref).filter(|name| !name.is_empty()),
            status: row.state,
            name: row.name,
            target_url: row.target_url,
            description: row.description,
            created_at: time::utc(row.created_at),
            started_at: row.started_at.map(time::utc),
            finished_at: row.finished_at.map(time::utc),
            // a posted status has no field that lets it fail without failing the commit
            allow_failure: false,
            author: Brief::new(author, links),
        }
    }
}
