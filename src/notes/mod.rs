//! Comments on issues (behaviour 6.8).

mod creation;
pub mod entity;
pub mod sql;

use crate::call::{Call, Entered, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::issues::mentions;
use crate::policy::Action;
use entity::Note;
use serde::Deserialize;
use sql::{NoteRow, Part};

/// Parameters of `POST` and `PUT` of notes.
#[derive(Debug, Deserialize)]
struct NewNote {
    body: String,
    created_at: Option<String>,
}

/// GET /projects/:id/issues/:issue_id/notes
pub async fn list(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let input = path_id(issue_id).and_then(|issue_id| Ok((issue_id, call.page()?)));
    let ((_, page), entered) =
        call.enter_with(id, Action::ReadIssues, input, |(issue_id, page)| sql::list(*issue_id, page)).await?;
    let (total, mut notes) = read(&entered)?;
    let total = page.cut_counted(&mut notes, Some(total));
    let cursor = notes.last().and_then(|row| page.next([row.id.into()]));
    let notes: Vec<Note> = notes.into_iter().map(|row| Note::new(row, &entered.links)).collect();
    call.listing(&page, total, &[("id", id), ("issue_id", issue_id)], cursor, &notes)
}

/// GET /projects/:id/issues/:issue_id/notes/:note_id
pub async fn show(call: &Call<'_>, id: &str, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (entered, row) = find(call, id, issue_id, note_id).await?;
    Ok(Reply::json(200, &Note::new(row, &entered.links)))
}

/// POST /projects/:id/issues/:issue_id/notes
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let input = call.creation::<NewNote>();
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let base = call.links(false).base;
    let plan = path_id(issue_id).map(|issue_id| creation::plan(issue_id, input.as_ref().ok(), &base));
    let check = |entered: &mut Entered| {
        if entered.rows.is_empty() || !entered.resource.has_issues() {
            return Err(Error::no_record());
        }
        check(entered, input?.0)
    };
    Ok(call.write(id, Action::ReadIssues, plan, check).await?.reply(201, Note::new))
}

/// Only who may set it hears that a time is none.
fn check(entered: &Entered, new: NewNote) -> Result<()> {
    let mut errors = ValidationErrors::default();
    errors.read_time(
        "created_at",
        new.created_at.as_deref().filter(|_| entered.resource.may(Action::SetTimes)),
    );
    errors.result()
}

/// PUT /projects/:id/issues/:issue_id/notes/:note_id
pub async fn update(call: &Call<'_>, id: &str, issue_id: &str, note_id: &str) -> Result<Reply> {
    let input = call.creation::<NewNote>();
    let (entered, row) = find(call, id, issue_id, note_id).await?;
    may_change(&entered, &row)?;
    let new = input?;
    let row = sql::update(&call.store, row.id, &new.body, &mentions(&[&new.body]), call.now).await?;
    Ok(Reply::json(200, &Note::new(row.ok_or_else(Error::no_record)?, &entered.links)))
}

/// DELETE /projects/:id/issues/:issue_id/notes/:note_id
pub async fn delete(call: &Call<'_>, id: &str, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (entered, row) = find(call, id, issue_id, note_id).await?;
    may_change(&entered, &row)?;
    sql::delete(&call.store, row.id).await?;
    Ok(Reply::json(200, &Note::new(row, &entered.links)))
}

/// A comment is its author's, or a master's; what the service wrote is nobody's.
fn may_change(entered: &Entered, row: &NoteRow) -> Result<()> {
    let allowed = row.author.id == entered.caller.user.id || entered.resource.may(Action::EditAnyNote);
    if row.system || !allowed { Err(Error::FORBIDDEN) } else { Ok(()) }
}

async fn find(call: &Call<'_>, id: &str, issue_id: &str, note_id: &str) -> Result<(Entered, NoteRow)> {
    let input = path_id(issue_id).and_then(|issue_id| Ok((issue_id, path_id(note_id)?)));
    let (_, entered) =
        call.enter_with(id, Action::ReadIssues, input, |(issue_id, id)| sql::one(*issue_id, *id)).await?;
    let (_, notes) = read(&entered)?;
    let row = notes.into_iter().next().ok_or_else(Error::no_record)?;
    Ok((entered, row))
}

/// The notes that a query found, and how many there are, if the caller may see the issue.
fn read(entered: &Entered) -> Result<(i64, Vec<NoteRow>)> {
    let (mut total, mut notes) = (None, Vec::new());
    for part in entered.rows.all()? {
        match part {
            Part::Total(count) => total = Some(count),
            Part::Note(row) => notes.push(row),
        }
    }
    let total = total.filter(|_| entered.resource.has_issues()).ok_or_else(Error::no_record)?;
    Ok((total, notes))
}
