//! Changes of the estimate and of the time spent (behaviour 13.2).

use crate::kernel::time::duration;
use crate::kernel::{Error, Result};

/// A change of one of the two times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Times {
    Estimate(i64),
    Spend(i64),
    ResetSpent,
}

/// 68 years.
pub const MOST_SECONDS: i64 = i32::MAX as i64;

impl Times {
    pub fn seconds(self) -> i64 {
        if let Times::Estimate(seconds) | Times::Spend(seconds) = self { seconds } else { 0 }
    }

    /// The text of the comment. None if nothing changes in an issue with these times.
    pub fn comment_text(self, [estimate, spent]: [i64; 2]) -> Option<String> {
        match self {
            Times::Estimate(seconds) if seconds == estimate => None,
            Times::Estimate(0) => Some("removed time estimate".to_owned()),
            Times::Estimate(seconds) => Some(format!("changed time estimate to {}", duration::write(seconds))),
            Times::ResetSpent => (spent != 0).then(|| "removed time spent".to_owned()),
            Times::Spend(seconds) => {
                let verb = if seconds < 0 { "subtracted" } else { "added" };
                Some(format!("{verb} {} of time spent", duration::write(seconds.abs())))
            }
        }
    }

    /// The sentence of a command.
    pub fn sentence(self) -> String {
        let time = duration::write(self.seconds().abs());
        match self {
            Times::Estimate(0) => "Removed time estimate.".to_owned(),
            Times::Estimate(_) => format!("Set time estimate to {time}."),
            Times::Spend(..0) => format!("Subtracted {time} spent time."),
            _ => format!("Added {time} spent time."),
        }
    }

    /// `spent`: the time spent until now.
    pub fn check(self, spent: i64) -> Result<()> {
        let Times::Spend(seconds) = self else { return Ok(()) };
        match spent + seconds {
            ..0 => Err(Error::field("base", "Time to subtract exceeds the total time spent")),
            0..=MOST_SECONDS => Ok(()),
            _ => Err(Error::field("base", "Time spent is too long")),
        }
    }

    /// Whether an issue with this time spent may have the change.
    pub fn fits(self, spent: i64) -> bool {
        let is_estimate = matches!(self, Times::Estimate(_));
        self.seconds().abs() <= MOST_SECONDS && self.check(spent).is_ok() && (!is_estimate || self.seconds() >= 0)
    }
}
