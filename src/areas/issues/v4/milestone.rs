use crate::areas::issues::MilestoneRow;
use crate::kernel::Links;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Milestone {
    #[serde(flatten)]
    row: MilestoneRow,
    start_date: Option<String>,
    /// Whether the due date is before today in UTC.
    expired: bool,
    web_url: String,
}

impl Milestone {
    pub fn new(row: MilestoneRow, full_path: &str, links: &Links, now: i64) -> Milestone {
        let today = time::utc(now);
        let expired = row.due_date.as_deref().zip(today.get(..10)).is_some_and(|(due, today)| due < today);
        let web_url = format!("{}/{full_path}/-/milestones/{}", links.base, row.iid);
        Milestone { start_date: row.start_date.clone(), row, expired, web_url }
    }
}
