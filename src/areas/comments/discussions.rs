//! Comments on commits as discussions of v4 (behaviour 13.2): each comment is a discussion of its own, and can be
//! changed and deleted.

use super::lines::Anchor;
use super::{CommentRow, NewComment, sql};
use crate::areas::notes;
use crate::areas::notes::v4::{Discussion, Note};
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::discussion::note_id;
use crate::kernel::call::path_number;
use crate::kernel::params::scalar::Record;
use crate::kernel::{Call, Entry, Error, Links, Parameters, Reply, Result};

pub fn note(row: CommentRow, links: &Links) -> Note {
    let CommentRow { id, note, project_id, position, created_at, updated_at, .. } = row;
    Note::on_commit(id, note, BasicUser::new(row.author, links), [created_at, updated_at], project_id, position)
}

fn discussion(row: CommentRow, links: &Links) -> Discussion {
    Discussion::of(note(row, links))
}

pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (entry, comments) = super::list(call, sha).await?;
    comments.reply(call, |row| discussion(row, &entry.links))
}

#[derive(Debug, Parameters)]
struct Creation {
    body: String,
    /// A path and a line in it, in the form of an answer.
    position: Option<Record>,
}

impl Creation {
    fn comment(self) -> Result<NewComment> {
        let invalid = || Error::framework("position is invalid");
        let anchor = self.position.map(|position| anchor(&position).ok_or_else(invalid)).transpose()?;
        Ok(NewComment { note: self.body, anchor, line_is_no_number: false })
    }
}

/// If the position has a line on both sides, the comment is on the new one.
fn anchor(position: &Record) -> Option<Anchor> {
    let line = |name| position.get(name).map(|line| line.parse().ok());
    let (line, line_type) = line("new_line").map(|line| (line, "new")).or(line("old_line").map(|line| (line, "old")))?;
    let path = position.get("new_path").or(position.get("old_path"))?.clone();
    Some(Anchor { path, line: line?, line_type })
}

pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.creation().and_then(Creation::comment);
    Ok(super::create(call, sha, input).await?.reply(201, discussion))
}

/// 404 unless `discussion` is the id of a discussion of this commit.
async fn find(call: &Call<'_>, sha: &str, discussion: &str) -> Result<(CommentRow, Entry)> {
    let missing = || Error::missing("Discussion");
    let id = note_id(discussion).ok_or_else(missing);
    let (_, entry, row) = call.authorize_with(id, |id| sql::one { name: sha, id: *id }).await?;
    Ok((row.ok_or_else(missing)?, entry))
}

pub async fn show(call: &Call<'_>, sha: &str, name: &str) -> Result<Reply> {
    let (row, entry) = find(call, sha, name).await?;
    Ok(Reply::json(200, &discussion(row, &entry.links)))
}

#[derive(Debug, Parameters)]
struct Text {
    body: String,
}

/// A reply is a comment at the same place, and so a discussion of its own.
pub async fn answer(call: &Call<'_>, sha: &str, name: &str) -> Result<Reply> {
    let input = call.creation::<Text>();
    let (CommentRow { path, line, line_type, .. }, _) = find(call, sha, name).await?;
    let line_type = if line_type.as_deref() == Some("old") { "old" } else { "new" };
    let anchor = path.zip(line).map(|(path, line)| Anchor { path, line, line_type });
    let input = input.map(|Text { body }| NewComment { note: body, anchor, line_is_no_number: false });
    Ok(super::add(call, sha, input).await?.reply(201, note))
}

/// The comment, if the caller may change it.
async fn find_own(call: &Call<'_>, sha: &str, name: &str, id: &str) -> Result<(CommentRow, Entry)> {
    let (row, entry) = find(call, sha, name).await?;
    if path_number("note_id", id)? != row.id {
        return Err(Error::missing("Discussion"));
    }
    notes::may_change_of(&entry, row.author.id)?;
    Ok((row, entry))
}

pub async fn update(call: &Call<'_>, sha: &str, name: &str, id: &str) -> Result<Reply> {
    let input = call.creation();
    let (row, entry) = find_own(call, sha, name, id).await?;
    let (Text { body }, id) = (input?, row.id);
    if body == row.note {
        return Ok(Reply::json(200, &note(row, &entry.links)));
    }
    let unmodified = call.unmodified_since().map(|since| sql::expect_unmodified { id, since, note: &body });
    let update = (sql::update { id, note: &body }, sql::one { name: sha, id });
    let (quotas, end) = call.quotas();
    let batch = (quotas, unmodified, update, end);
    let (_, (.., (_, row), _)) = call.authorize(batch).await.map_err(Error::or_changed)?;
    Ok(Reply::json(200, &note(row.ok_or_else(Error::no_record)?, &entry.links)))
}

pub async fn delete(call: &Call<'_>, sha: &str, name: &str, id: &str) -> Result<Reply> {
    let (row, _) = find_own(call, sha, name, id).await?;
    call.expect_unmodified(row.updated_at)?;
    call.write_safely(sql::delete { id: row.id }).await?;
    Ok(Reply::empty(204))
}
