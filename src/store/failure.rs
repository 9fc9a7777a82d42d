//! Why a batch has no answer, and what D1 says in each case.

use crate::error::Error;
use std::future::Future;
use std::pin::Pin;

/// The future of a method of [`Backend`](super::Backend), which is used as a trait object.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + 'a>>;

/// Why a batch has no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// A constraint or a trigger refused it; the text names which. Nothing of it was written.
    Constraint(String),
    /// The database went away. All of the batch was written or nothing: nobody can tell.
    Interrupted(String),
    /// The database ran out of time or memory, or has too many requests waiting. As above.
    Overloaded(String),
    /// The statement is at fault. Nothing of it was written.
    Other(String),
}

/// What D1 says when trying again helps, by its list of errors and its guide to retries:
/// <https://developers.cloudflare.com/d1/observability/debug-d1/>,
/// <https://developers.cloudflare.com/d1/best-practices/retry-queries/>.
const INTERRUPTIONS: &[&str] = &[
    "Network connection lost",
    "reset because its code was updated",
    "storage caused object to be reset",
    "Cannot resolve D1 DB due to transient issue",
    "Replica disconnected from primary",
    "client disconnected",
    // the runtime's own words for what it does not tell: `renderInternalError` in workerd's `jsg/util.c++`
    "internal error; reference",
    // an answer that is no JSON comes from a proxy before the database: `toJson` in workerd's `d1-api.ts`
    "Failed to parse body as JSON",
];

/// What D1 says when trying again at once makes it worse. A statement is ended after 30 seconds, and with it whatever
/// else the database was doing.
const OVERLOADS: &[&str] = &[
    "overloaded",
    "queued for too long",
    "Too many requests queued",
    "exceeded timeout",
    "exceeded its memory limit",
    "exceeded its CPU time limit",
    // a local database while something else writes to its file, as the import of a backup does
    "SQLITE_BUSY",
];

impl Failure {
    /// Of the message of an error that D1 threw.
    pub fn from_d1(message: &str) -> Failure {
        let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
        let text = message.to_owned();
        if text.contains("SQLITE_CONSTRAINT") {
            Failure::Constraint(text)
        } else if says(OVERLOADS) {
            Failure::Overloaded(text)
        } else if says(INTERRUPTIONS) {
            Failure::Interrupted(text)
        } else {
            Failure::Other(text)
        }
    }

    /// Whether a constraint or a trigger refused the batch.
    pub fn is_constraint(&self) -> bool {
        matches!(self, Failure::Constraint(_))
    }

    /// Whether an `expectations` row did not hold: somebody else was faster.
    pub fn is_expectation(&self) -> bool {
        matches!(self, Failure::Constraint(text) if text.contains("E_EXPECTATION"))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            failure if failure.is_expectation() => Error::Expectation,
            Failure::Constraint(text) if text.contains("E_TOO_MANY_WRITES") => Error::TooMany(Box::default()),
            // who asked for a number that was given out
            Failure::Constraint(text) if text.contains("issues.iid") => {
                Error::Refused(409, "Duplicated issue".to_owned())
            }
            Failure::Constraint(text) | Failure::Other(text) => Error::Internal(text),
            Failure::Interrupted(cause) => Error::Unavailable { cause, retry_after: 1 },
            Failure::Overloaded(cause) => Error::Unavailable { cause, retry_after: 5 },
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/store/failure.rs"]
mod tests;
