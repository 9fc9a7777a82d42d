//! Todos as answers show them (specification, "Todo").

use super::sql::{Project, TodoRow};
use crate::call::Links;
use crate::issues::entity::Issue;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Todo {
    id: i64,
    project: Project,
    author: Brief,
    action_name: String,
    target_type: &'static str,
    target: Target,
    target_url: String,
    body: String,
    state: String,
    created_at: String,
}

/// An issue in a todo also counts its votes, which nobody can cast here.
#[derive(Debug, Serialize)]
struct Target {
    #[serde(flatten)]
    issue: Issue,
    upvotes: i64,
    downvotes: i64,
}

impl Todo {
    pub fn new(row: TodoRow, links: &Links) -> Todo {
        let TodoRow { id, project, author, action, note_id, body, state, created_at, issue, .. } = row;
        let body = body.unwrap_or_else(|| issue.title.clone());
        let issue = Issue::new(issue, links);
        let anchor = note_id.map(|note_id| format!("#note_{note_id}")).unwrap_or_default();
        Todo {
            id,
            project,
            author: Brief::new(author, links),
            action_name: action,
            target_type: "Issue",
            target_url: format!("{}{anchor}", issue.web_url()),
            target: Target { issue, upvotes: 0, downvotes: 0 },
            body,
            state,
            created_at: time::utc(created_at),
        }
    }
}
