//! A commit as it is sent to the server.

use serde::Serialize;

/// A commit with its statistics and its diff against the first parent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Commit {
    pub id: String,
    pub parents: Vec<String>,
    pub author_name: String,
    pub author_email: String,
    /// Seconds since 1970, may be negative.
    pub authored_at: i64,
    /// `+hhmm` or `-hhmm`.
    pub author_zone: String,
    pub committer_name: String,
    pub committer_email: String,
    pub committed_at: i64,
    pub committer_zone: String,
    /// The whole message, as UTF-8.
    pub message: String,
    pub additions: u64,
    pub deletions: u64,
    /// The finished JSON text of the diff.
    pub diff: String,
}
