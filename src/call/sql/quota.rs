//! Counts what somebody writes in an hour (behaviour 4.4), and ends the batch that would be one too many.

use crate::call::{Call, Caller};
use crate::error::{Error, Excess};
use crate::store::{Statement, sql};

const HOUR: i64 = 3_600_000;

/// Adds one to what a user wrote in this hour; a trigger ends the batch if that is one too many.
macro_rules! count_write {
    ($($from:expr),+) => {
        concat!(
            "insert into hourly_writes (user_id, hour, writes, most) ",
            $($from),+,
            " on conflict (user_id) do update
set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour, most = excluded.most"
        )
    };
}

/// [`count_write`] behind `if_allowed!`: administrators and those whom they act as are not counted.
macro_rules! count_if_allowed {
    () => {
        crate::call::sql::quota::count_write!(
            "select s.user_id, cast((select ?4) / 3600000 as integer), 1, (select ?6 ->> 4) from scope s
where s.access < ",
            crate::policy::level!(Administrator),
            " and ?1 is null"
        )
    };
}

pub(crate) use {count_if_allowed, count_write};

const COUNT: &str = count_write!("select ?1, ?2, 1, ?3 where true");

impl Call<'_> {
    /// Counts one write of the caller, for a batch behind no `scope`.
    pub fn counted_write(&self, caller: &Caller) -> Option<Statement> {
        let most = self.config.quotas.hourly_writes;
        let counts = most > 0 && !caller.admin && self.actor_id.get().is_none();
        counts.then(|| sql!(COUNT, caller.user.id, self.now / HOUR, most))
    }

    /// What a batch failed of, with the time when the hour ends.
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
