use super::{NoteRef, NoteRow, Order, commands};
use crate::areas::issues::v3::by_id;
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::path_id;
use crate::kernel::time;
use crate::kernel::{Call, Links, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Note {
    id: i64,
    body: String,
    /// Always null: comments have no files.
    attachment: Option<String>,
    author: BriefUser,
    created_at: String,
    updated_at: String,
    system: bool,
    noteable_id: i64,
    noteable_type: &'static str,
    upvote: bool,
    downvote: bool,
}

impl Note {
    fn new(row: NoteRow, links: &Links) -> Note {
        Note {
            id: row.id,
            body: row.body(),
            attachment: None,
            author: BriefUser::new(row.author, links),
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            system: row.system,
            noteable_id: row.issue_id,
            noteable_type: "Issue",
            upvote: false,
            downvote: false,
        }
    }
}

fn named(issue_id: &str, note_id: &str) -> Result<NoteRef> {
    Ok(NoteRef { issue: by_id(issue_id)?, id: path_id(note_id)? })
}

pub async fn list(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let input =
        by_id(issue_id).and_then(|issue| Ok((issue, Order { events: true, ..Order::OLDEST_FIRST }, call.page()?)));
    let (notes, links) = super::page_of(call, input).await?;
    let path = [("id", &*call.named()), ("issue_id", issue_id)];
    notes.reply_at(call, &path, |row| Note::new(row, &links))
}

pub async fn show(call: &Call<'_>, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (row, entry) = super::find(call, named(issue_id, note_id)).await?;
    Ok(Reply::json(200, &Note::new(row, &entry.links)))
}

pub async fn create(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    Ok(commands::reply(commands::create(call, by_id(issue_id), call.creation()).await?, Note::new))
}

pub async fn update(call: &Call<'_>, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (row, links) = super::update(call, named(issue_id, note_id), call.creation()).await?;
    Ok(Reply::json(200, &Note::new(row, &links)))
}

pub async fn delete(call: &Call<'_>, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (row, links) = super::delete(call, named(issue_id, note_id)).await?;
    Ok(Reply::json(200, &Note::new(row, &links)))
}
