use crate::kernel::Row;

/// Counts only the newest status of each ref and name.
#[derive(Debug, Clone, Copy, Row, Default)]
pub struct Counts {
    pub pending: i64,
    pub running: i64,
    pub success: i64,
    pub failed: i64,
    pub canceled: i64,
}

impl Counts {
    /// The status of the commit (behaviour 8.3). None if it has no statuses.
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
