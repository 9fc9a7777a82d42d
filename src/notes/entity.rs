//! Comments as answers show them (behaviour 6.8).

use super::sql::NoteRow;
use crate::call::Links;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Note {
    id: i64,
    body: String,
    /// Files cannot be attached here.
    attachment: Option<String>,
    author: Brief,
    created_at: String,
    updated_at: String,
    system: bool,
    noteable_id: i64,
    noteable_type: &'static str,
    upvote: bool,
    downvote: bool,
}

impl Note {
    pub fn new(row: NoteRow, links: &Links) -> Note {
        let NoteRow { id, issue_id, author, body, system, created_at, updated_at, .. } = row;
        Note {
            id,
            body,
            attachment: None,
            author: Brief::new(author, links),
            created_at: time::utc(created_at),
            updated_at: time::utc(updated_at),
            system,
            noteable_id: issue_id,
            noteable_type: "Issue",
            upvote: false,
            downvote: false,
        }
    }
}
