//! Ids of discussions: each comment is one of its own. And the place of a comment on a commit.

use crate::kernel::store::Row;
use edgeforge_wire::text::sha1;
use serde::Serialize;

/// As long as clients expect: the first 24 digits of a hash, and the comment's id.
pub fn discussion_id(note_id: i64) -> String {
    let hash = sha1(&format!("note:{note_id}"));
    format!("{}{note_id:016x}", hash.get(..24).unwrap_or_default())
}

/// The comment of the discussion with this id.
pub fn note_id(discussion: &str) -> Option<i64> {
    let id = i64::from_str_radix(discussion.get(24..)?, 16).ok()?;
    (discussion_id(id) == discussion).then_some(id)
}

/// Where in the diff of a commit a comment is. The line is that of one side, and the other side has none.
#[derive(Debug, Row, Serialize)]
pub struct Position {
    /// Of the first parent, null without one.
    base_sha: Option<String>,
    start_sha: Option<String>,
    head_sha: String,
    old_path: String,
    new_path: String,
    position_type: String,
    old_line: Option<i64>,
    new_line: Option<i64>,
}
