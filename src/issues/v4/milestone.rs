//! A milestone as v4 tells it, of an issue and alone (behaviour 13.2).

use crate::call::Links;
use crate::issues::sql::MilestoneRow;
use crate::time;
use serde::Serialize;

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
    start_date: Option<String>,
    /// Whether it was due before today.
    expired: bool,
    web_url: String,
}

impl Milestone {
    /// `full_path`: of its project.
    pub fn new(row: MilestoneRow, full_path: &str, links: &Links, now: i64) -> Milestone {
        let today = time::utc(now);
        let expired = row.due_date.as_deref().zip(today.get(..10)).is_some_and(|(due, today)| due < today);
        Milestone {
            id: row.id,
            iid: row.iid,
            project_id: row.project_id,
            title: row.title,
            description: row.description,
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            due_date: row.due_date,
            start_date: row.start_date,
            expired,
            web_url: format!("{}/{full_path}/-/milestones/{}", links.base, row.iid),
        }
    }
}
