//! Ids of discussions, each of which has one comment, and the place of a comment in a diff.

use crate::kernel::store::Row;
use edgeforge_wire::text::sha1;
use serde::Serialize;

/// The id of the discussion of a comment: 24 digits of a hash and 16 of the comment's id. Clients expect 40 digits.
pub fn discussion_id(note_id: i64) -> String {
    let hash = sha1(&format!("note:{note_id}"));
    format!("{}{note_id:016x}", hash.get(..24).unwrap_or_default())
}

/// The id of the comment of a discussion. None if there cannot be such a discussion.
pub fn note_id(discussion: &str) -> Option<i64> {
    let id = i64::from_str_radix(discussion.get(24..)?, 16).ok()?;
    (discussion_id(id) == discussion).then_some(id)
}

/// Where a comment is in the diff of a commit. Only one of the two lines is set.
#[derive(Debug, Row, Serialize)]
pub struct Position {
    /// The first parent of the commit. Null if it has none.
    base_sha: Option<String>,
    start_sha: Option<String>,
    head_sha: String,
    old_path: String,
    new_path: String,
    position_type: String,
    old_line: Option<i64>,
    new_line: Option<i64>,
}
