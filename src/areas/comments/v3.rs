use super::lines::Anchor;
use super::{CommentRow, LineType, NewComment};
use crate::areas::users::entity::BriefUser;
use crate::kernel::answers::person::UserRow;
use crate::kernel::params::Integer;
use crate::kernel::time;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Comment<T> {
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<String>,
    created_at: String,
    author: T,
}

#[derive(Debug, Serialize)]
struct Author {
    id: i64,
    username: String,
    email: String,
    name: String,
    state: String,
    created_at: String,
}

impl Author {
    fn new(user: UserRow, created_at: i64) -> Author {
        let UserRow { id, username, name, state, email } = user;
        Author { id, username, email, name, state, created_at: time::utc(created_at) }
    }
}

impl<T> Comment<T> {
    fn new(row: CommentRow, author: impl FnOnce(UserRow, i64) -> T) -> Comment<T> {
        let CommentRow { note, path, line, line_type, .. } = row;
        let author = author(row.author, row.author_created_at);
        Comment { note, path, line, line_type, created_at: time::utc(row.created_at), author }
    }
}

pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (_, comments) = super::list(call, sha).await?;
    comments.reply_at(call, &[("id", &call.named()), ("sha", sha)], |row| Comment::new(row, Author::new))
}

#[derive(Debug, Parameters)]
struct Creation {
    note: String,
    path: Option<String>,
    line: Option<Integer>,
    line_type: Option<LineType>,
}

impl Creation {
    fn comment(self) -> NewComment {
        let Creation { note, path, line, line_type } = self;
        let line_type = if line_type == Some(LineType::Old) { "old" } else { "new" };
        let anchor = match (&line, path) {
            (Some(Integer::Number(line)), Some(path)) => Some(Anchor { path, line: *line, line_type }),
            _ => None,
        };
        let line_is_no_number = line.is_some_and(|line| !matches!(line, Integer::Number(_)));
        NewComment { note, anchor, line_is_no_number }
    }
}

pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.creation().map(Creation::comment);
    let shown = |row, links: &Links| Comment::new(row, |user, _| BriefUser::new(user, links));
    Ok(super::create(call, sha, input).await?.reply(201, shown))
}
