//! Labels as answers show them.

use super::sql::LabelRow;
use crate::call::Resource;
use crate::policy::Action;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Label {
    name: String,
    color: String,
    description: Option<String>,
    open_issues_count: i64,
    closed_issues_count: i64,
    open_merge_requests_count: i64,
    /// Subscribing to labels is not offered.
    subscribed: bool,
}

impl Label {
    /// Hidden issues count only for those who see all of them, and none where issues are switched off.
    pub fn new(row: LabelRow, resource: &Resource) -> Label {
        let shown = i64::from(resource.has_issues());
        let hidden = i64::from(resource.may(Action::ReadConfidentialIssues));
        Label {
            name: row.title,
            color: row.color,
            description: row.description,
            open_issues_count: shown * (row.opened + hidden * row.opened_hidden),
            closed_issues_count: shown * (row.closed + hidden * row.closed_hidden),
            open_merge_requests_count: 0,
            subscribed: false,
        }
    }
}
