//! Comments on commits in v3 (specification, "Commit comment").

use super::lines::Anchor;
use super::{CommentRow, LineType, NewComment};
use crate::call::{Call, Links};
use crate::error::Result;
use crate::http::Reply;
use crate::params::{Integer, Parameters};
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
struct Listed {
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
struct Posted {
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
    fn new(mut row: CommentRow) -> Listed {
        let base = Base::new(&mut row);
        let created_at = time::utc(row.author_created_at);
        let crate::person::UserRow { id, username, name, state, email } = row.author;
        Listed { base, author: Author { id, username, email, name, state, created_at } }
    }
}

impl Posted {
    fn new(mut row: CommentRow, links: &Links) -> Posted {
        Posted { base: Base::new(&mut row), author: Brief::new(row.author, links) }
    }
}

/// GET /projects/:id/repository/commits/:sha/comments
pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (page, _, walked) = super::list(call, sha).await?;
    walked.reply_at(call, &page, &[("id", &call.named()), ("sha", sha)], Listed::new)
}

/// Parameters of `POST /projects/:id/repository/commits/:sha/comments`.
#[derive(Debug, Parameters)]
struct Creation {
    note: String,
    path: Option<String>,
    line: Option<Integer>,
    line_type: Option<LineType>,
}

impl From<Creation> for NewComment {
    /// Without a type a line is an added one.
    fn from(new: Creation) -> NewComment {
        let Creation { note, path, line, line_type } = new;
        let line_type = if line_type == Some(LineType::Old) { "old" } else { "new" };
        let anchor = match (&line, path) {
            (Some(Integer::Number(line)), Some(path)) => Some(Anchor { path, line: *line, line_type }),
            _ => None,
        };
        let names_no_line = line.is_some() && anchor.as_ref().is_none_or(|anchor| anchor.line < 1);
        NewComment { note, anchor, names_no_line }
    }
}

/// POST /projects/:id/repository/commits/:sha/comments
pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.creation::<Creation>().map(NewComment::from);
    Ok(super::create(call, sha, input).await?.reply(201, Posted::new))
}
