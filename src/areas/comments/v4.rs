use super::lines::Anchor;
use super::{CommentRow, LineType, NewComment};
use crate::areas::users::v4::BasicUser;
use crate::kernel::time;
use crate::kernel::{Call, Error, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Comment {
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<String>,
    author: BasicUser,
    created_at: String,
}

impl Comment {
    fn new(row: CommentRow, links: &Links) -> Comment {
        let CommentRow { note, path, line, line_type, .. } = row;
        let (author, created_at) = (BasicUser::new(row.author, links), time::utc(row.created_at));
        Comment { note, path, line, line_type, author, created_at }
    }
}

pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (entry, comments) = super::list(call, sha).await?;
    comments.reply(call, |row| Comment::new(row, &entry.links))
}

#[derive(Parameters)]
struct Creation {
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<LineType>,
}

impl Creation {
    /// `path` requires `line`. Without `path` a line is ignored.
    fn comment(self) -> Result<NewComment> {
        let Creation { note, path, line, line_type } = self;
        if path.is_some() && line.is_none() {
            return Err(Error::framework("line is missing"));
        }
        let line_type = if line_type == Some(LineType::Old) { "old" } else { "new" };
        let anchor = path.zip(line).map(|(path, line)| Anchor { path, line, line_type });
        Ok(NewComment { note, anchor, line_is_no_number: false })
    }
}

pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.creation().and_then(Creation::comment);
    Ok(super::create(call, sha, input).await?.reply(201, Comment::new))
}
