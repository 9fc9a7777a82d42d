//! Comments on commits in v4 (behaviour 13.3).

use super::sql::{self, CommentRow};
use super::{LineType, NewComment, post, read};
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::notes::v4::{Discussion, Note};
use crate::params::{Integer, Parameters};
use crate::policy::Action;
use crate::time;
use crate::users::v4::Basic;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Comment {
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<String>,
    author: Basic,
    created_at: String,
}

impl Comment {
    fn new(row: CommentRow, links: &Links) -> Comment {
        Comment {
            note: row.note,
            path: row.path,
            line: row.line,
            line_type: row.line_type,
            author: Basic::new(row.author, links),
            created_at: time::utc(row.created_at),
        }
    }
}

/// GET /projects/:id/repository/commits/:sha/comments
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let (page, visited) =
        call.visit_with(id, Action::ReadCommits, call.page(), |page| sql::list(sha, page)).await?;
    let (rows, total, cursor) = read(call, &visited.rows, &page)?;
    let comments: Vec<Comment> = rows.into_iter().map(|row| Comment::new(row, &visited.links)).collect();
    call.listing(&page, total, &[], cursor, &comments)
}

/// GET /projects/:id/repository/commits/:sha/discussions: each is one comment. Like those of issues they want a token.
pub async fn list_discussions(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let (page, entered) =
        call.enter_with(id, Action::ReadCommits, call.page(), |page| sql::list(sha, page)).await?;
    let (rows, total, cursor) = read(call, &entered.rows, &page)?;
    let (project_id, links) = (entered.resource.id, &entered.links);
    let shown = |row: CommentRow| {
        let author = Basic::new(row.author, links);
        Discussion::of(Note::on_commit(row.id, row.note, author, row.created_at, project_id))
    };
    let discussions: Vec<Discussion> = rows.into_iter().map(shown).collect();
    call.listing(&page, total, &[], cursor, &discussions)
}

/// Parameters of `POST /projects/:id/repository/commits/:sha/comments`.
#[derive(Parameters)]
struct NewParams {
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<LineType>,
}

impl NewParams {
    /// A line belongs to a path: it must be there with one, and does not count without.
    fn comment(self) -> Result<NewComment> {
        let NewParams { note, path, line, line_type } = self;
        if path.is_some() && line.is_none() {
            return Err(Error::framework("line is missing"));
        }
        let line = line.filter(|_| path.is_some()).map(Integer::Number);
        Ok(NewComment { note, path, line, line_type })
    }
}

/// POST /projects/:id/repository/commits/:sha/comments
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewParams>().and_then(NewParams::comment);
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    Ok(post(call, id, sha, input).await?.reply(201, Comment::new))
}
