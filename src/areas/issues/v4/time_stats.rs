use crate::areas::issues::IssueRow;
use crate::kernel::time::duration;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct TimeStats {
    /// Seconds.
    time_estimate: i64,
    total_time_spent: i64,
    human_time_estimate: Option<String>,
    human_total_time_spent: Option<String>,
}

impl TimeStats {
    pub fn of(row: &IssueRow) -> TimeStats {
        let human = |seconds| (seconds != 0).then(|| duration::write(seconds));
        TimeStats {
            time_estimate: row.time_estimate,
            total_time_spent: row.time_spent,
            human_time_estimate: human(row.time_estimate),
            human_total_time_spent: human(row.time_spent),
        }
    }
}
