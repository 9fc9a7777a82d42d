//! How many of a commit's newest statuses are in each state, and what that makes of the commit.

use crate::store::Row;

/// How many of a commit's newest statuses are in each state.
#[derive(Debug, Clone, Copy, Row, Default)]
pub struct Counts {
    pub pending: i64,
    pub running: i64,
    pub success: i64,
    pub failed: i64,
    pub canceled: i64,
}

impl Counts {
    /// The one status that stands for all (behaviour 8.3); none without statuses.
    pub fn aggregate(&self) -> Option<&'static str> {
        let Counts { pending, running, success, failed, canceled } = *self;
        let total = pending + running + success + failed + canceled;
        match total {
            0 => None,
            _ if success == total => Some("success"),
            _ if pending == total => Some("pending"),
            _ if canceled + success == total => Some("canceled"),
            _ if running + pending > 0 => Some("running"),
            _ => Some("failed"),
        }
    }
}
