//! Comments on commits as answers show them (specification, "Commit comment").

use super::sql::CommentRow;
use crate::call::Links;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;

/// Where and when; the same in both forms.
#[derive(Debug, Serialize)]
struct Base {
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<String>,
    created_at: String,
}

/// The list entry.
#[derive(Debug, Serialize)]
pub struct Listed {
    #[serde(flatten)]
    base: Base,
    author: Author,
}

/// The comment-author form of a user.
#[derive(Debug, Serialize)]
struct Author {
    id: i64,
    username: String,
    email: String,
    name: String,
    state: String,
    created_at: String,
}

/// The answer to a post.
#[derive(Debug, Serialize)]
pub struct Posted {
    #[serde(flatten)]
    base: Base,
    author: Brief,
}

impl Base {
    fn new(row: &mut CommentRow) -> Base {
        Base {
            note: std::mem::take(&mut row.note),
            path: row.path.take(),
            line: row.line,
            line_type: row.line_type.take(),
            created_at: time::utc(row.created_at),
        }
    }
}

impl Listed {
    pub fn new(mut row: CommentRow) -> Listed {
        let base = Base::new(&mut row);
        let created_at = time::utc(row.author_created_at);
        let crate::person::UserRow { id, username, name, state, email } = row.author;
        Listed { base, author: Author { id, username, email, name, state, created_at } }
    }
}

impl Posted {
    pub fn new(mut row: CommentRow, links: &Links) -> Posted {
        Posted { base: Base::new(&mut row), author: Brief::new(row.author, links) }
    }
}
