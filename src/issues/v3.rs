//! Issues as answers show them (specification, "Issue").

use super::{IssueRow, MilestoneRow};
use crate::call::Links;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, Serialize)]
pub struct Issue {
    id: i64,
    iid: i64,
    project_id: i64,
    title: String,
    description: Option<String>,
    state: String,
    created_at: String,
    updated_at: String,
    /// Titles in ascending order.
    labels: BTreeSet<String>,
    milestone: Option<Milestone>,
    assignee: Option<Brief>,
    author: Brief,
    subscribed: bool,
    user_notes_count: i64,
    due_date: Option<String>,
    confidential: bool,
    web_url: String,
}

impl Issue {
    pub fn new(row: IssueRow, links: &Links) -> Issue {
        let web_url = format!("{}/{}/issues/{}", links.base, row.full_path, row.iid);
        let (author, assignee) = (row.author(), row.assignee());
        Issue {
            id: row.id,
            iid: row.iid,
            project_id: row.project_id,
            title: row.title,
            description: row.description,
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            labels: row.labels,
            milestone: row.milestone.map(Milestone::new),
            assignee: assignee.map(|user| Brief::new(user, links)),
            author: Brief::new(author, links),
            subscribed: row.subscribed,
            user_notes_count: row.user_notes_count,
            due_date: row.due_date,
            confidential: row.confidential,
            web_url,
        }
    }
}

impl Issue {
    pub fn web_url(&self) -> &str {
        &self.web_url
    }
}

/// Specification, "Milestone".
#[derive(Debug, Serialize)]
pub struct Milestone {
    id: i64,
    iid: i64,
    project_id: i64,
    title: String,
    description: Option<String>,
    state: String,
    created_at: String,
    updated_at: String,
    due_date: Option<String>,
}

impl Milestone {
    pub fn new(row: MilestoneRow) -> Milestone {
        let MilestoneRow { id, iid, project_id, title, description, state, due_date, .. } = row;
        let (created_at, updated_at) = (time::utc(row.created_at), time::utc(row.updated_at));
        Milestone { id, iid, project_id, title, description, state, created_at, updated_at, due_date }
    }
}
