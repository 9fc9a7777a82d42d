//! Hourly limit of issues and comments (behaviour 4.4). A trigger ends a batch that exceeds it.

use super::{Call, Caller};
use crate::error::{Error, Excess};
use crate::store::Statement;

crate::sql::include_statements!(pub mod sql: "src/call/quota.sql");

const HOUR: i64 = 3_600_000;

impl Call<'_> {
    /// For batches without a scope. None without a limit, for administrators and for requests with `SUDO`.
    pub fn counted_write(&self, caller: &Caller) -> Option<Statement> {
        let most = self.config.quotas.hourly_writes;
        let counts = most > 0 && !caller.admin && self.actor_id.get().is_none();
        let (user_id, hour) = (caller.user.id, self.now / HOUR);
        counts.then(|| sql::count_write_of { user_id, hour, most }.into())
    }

    /// Adds the end of the hour to a 429.
    pub fn in_this_hour(&self, error: Error) -> Error {
        let Error::TooMany(_) = error else { return error };
        let next_hour = (self.now / HOUR + 1) * HOUR;
        Error::TooMany(Box::new(Excess {
            most: self.config.quotas.hourly_writes,
            what: "issues and comments in an hour",
            wait: (next_hour - self.now + 999) / 1000,
            until: next_hour / 1000,
        }))
    }
}
