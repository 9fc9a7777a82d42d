//! Labels as answers show them.

use super::sql::LabelRow;
use crate::call::Resource;
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
    pub fn new(row: LabelRow, resource: &Resource) -> Label {
        let (open_issues_count, closed_issues_count) = row.counts(resource);
        Label {
            name: row.title,
            color: row.color,
            description: row.description,
            open_issues_count,
            closed_issues_count,
            open_merge_requests_count: 0,
            subscribed: false,
        }
    }
}
