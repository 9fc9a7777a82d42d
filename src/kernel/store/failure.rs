use crate::kernel::error::{Error, Full};
use serde_json::json;
use std::future::Future;
use std::pin::Pin;

pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + 'a>>;

#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// A constraint or a trigger failed; the text names it. Nothing was written.
    Constraint(String),
    /// The connection was lost. Either the whole batch was written or nothing.
    Interrupted(String),
    /// Out of time or memory, or the queue is full. Either the whole batch was written or nothing.
    Overloaded(String),
    /// A table or a column is missing. Nothing was written.
    Unmigrated(String),
    /// The statement is wrong. Nothing was written.
    Other(String),
    /// The caller may no longer write. Nothing was written.
    Refused(Box<Error>),
}

/// D1's errors if migrations are not applied. Otherwise no statement fails so: tests send all of them to a migrated
/// database.
const MISSING: &[&str] = &["no such table: ", "no such column: ", "has no column named "];

pub const UNMIGRATED: &str = "the database lacks tables of this version: run scripts/migrate, or npx wrangler d1 migrations apply DB --local for a local server";

/// D1's errors that are worth a retry, from its documentation:
/// <https://developers.cloudflare.com/d1/observability/debug-d1/>,
/// <https://developers.cloudflare.com/d1/best-practices/retry-queries/>.
const INTERRUPTIONS: &[&str] = &[
    "Network connection lost",
    "reset because its code was updated",
    "storage caused object to be reset",
    "Cannot resolve D1 DB due to transient issue",
    "Replica disconnected from primary",
    "client disconnected",
    // an error that the runtime hides: `renderInternalError` in workerd's `jsg/util.c++`
    "internal error; reference",
    // a proxy before the database answered without JSON: `toJson` in workerd's `d1-api.ts`
    "Failed to parse body as JSON",
];

/// D1's errors that an immediate retry makes worse. A statement ends after 30 seconds, together with all else
/// that the database was doing.
const OVERLOADS: &[&str] = &[
    "overloaded",
    "queued for too long",
    "Too many requests queued",
    "exceeded timeout",
    "exceeded its memory limit",
    "exceeded its CPU time limit",
    // a local database while another process writes to it, such as an import of a backup
    "SQLITE_BUSY",
];

impl Failure {
    pub fn from_d1(message: &str) -> Failure {
        let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
        let text = message.to_owned();
        if text.contains("SQLITE_CONSTRAINT") {
            Failure::Constraint(text)
        } else if says(OVERLOADS) {
            Failure::Overloaded(text)
        } else if says(INTERRUPTIONS) {
            Failure::Interrupted(text)
        } else if says(MISSING) {
            Failure::Unmigrated(text)
        } else {
            Failure::Other(text)
        }
    }

    /// Whether a unique column or index has the value already.
    pub fn is_duplicate(&self) -> bool {
        matches!(self, Failure::Constraint(text) if text.contains("UNIQUE"))
    }

    /// Whether the batch may have been written.
    pub fn is_doubtful(&self) -> bool {
        matches!(self, Failure::Interrupted(_) | Failure::Overloaded(_))
    }

    /// Whether an expectation of the batch failed.
    pub fn is_expectation(&self) -> bool {
        matches!(self, Failure::Constraint(text) if text.contains("E_EXPECTATION"))
    }
}

fn too_many(text: &str) -> Error {
    Error::Unprocessable(Box::new(json!({ "message": { "base": [text] } })))
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            failure if failure.is_expectation() => Error::Expectation,
            Failure::Constraint(text) if text.contains("E_TOO_MANY_WRITES") => Error::TooMany(Box::default()),
            Failure::Constraint(text) if text.contains("E_PROJECT_FULL") => Error::Full(Full::Project),
            Failure::Constraint(text) if text.contains("E_FULL_FOR_OTHERS") => Error::Full(Full::ForOthers),
            Failure::Constraint(text) if text.contains("E_PERSON_FULL") => Error::Full(Full::ProjectsOfPerson),
            Failure::Constraint(text) if text.contains("E_SERVER_FULL") => Error::Full(Full::Server),
            Failure::Constraint(text) if text.contains("E_OBJECTS_FULL") => Error::Full(Full::Objects),
            Failure::Constraint(text) if text.contains("E_SHARE_FULL") => Error::Full(Full::ObjectsOfPerson),
            Failure::Constraint(text) if text.contains("E_PART_FULL") => Error::Full(Full::PartOfProject),
            Failure::Constraint(text) if text.contains("E_TOO_MANY_TOKENS") => {
                Error::message("400 Bad request - Too many active tokens: revoke one first")
            }
            Failure::Constraint(text) if text.contains("E_TOO_MANY_REFS") => {
                Error::message("400 Bad request - A commit has statuses of at most 1000 refs")
            }
            Failure::Constraint(text) if text.contains("E_HOOKS_OF_PROJECT") => {
                too_many("Maximum number of project hooks (20) exceeded")
            }
            Failure::Constraint(text) if text.contains("E_HOOKS_OF_SYSTEM") => {
                too_many("Maximum number of system hooks (20) exceeded")
            }
            // the caller asked for a number that exists
            Failure::Constraint(text) if text.contains("issues.iid") => {
                Error::Refused(409, "Duplicated issue".to_owned())
            }
            Failure::Constraint(text) | Failure::Other(text) => Error::Internal(text),
            Failure::Refused(error) => *error,
            Failure::Interrupted(cause) => Error::Unavailable { cause, retry_after: 1, remedy: "" },
            Failure::Overloaded(cause) => Error::Unavailable { cause, retry_after: 5, remedy: "" },
            Failure::Unmigrated(cause) => Error::Unavailable { cause, retry_after: 60, remedy: UNMIGRATED },
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/store/failure.rs"]
mod tests;
