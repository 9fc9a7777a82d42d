//! Comments on issues (behaviour 6.8).

pub mod entity;
pub mod sql;
pub mod v4;

use crate::call::write::Written;
use crate::call::{Call, Entered, Links, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::issues::sql::IssueRef;
use crate::issues::{by_id, mentions};
use crate::params::Parameters;
use crate::policy::Action;
use entity::Note;
use sql::{NoteRow, Part};

/// Parameters of `POST` and `PUT` of notes.
#[derive(Debug, Parameters)]
pub struct NewNote {
    body: String,
    created_at: Option<String>,
}

/// GET /projects/:id/issues/:issue_id/notes
pub async fn list(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let input = by_id(issue_id).and_then(|issue| Ok((issue, call.page()?)));
    let ((_, page), entered) =
        call.enter_with(id, Action::ReadIssues, input, |(issue, page)| sql::list(*issue, page)).await?;
    let (total, mut notes) = read(&entered)?;
    let total = page.cut_counted(&mut notes, Some(total));
    let cursor = notes.last().and_then(|row| page.next([row.id.into()]));
    let notes: Vec<Note> = notes.into_iter().map(|row| Note::new(row, &entered.links)).collect();
    call.listing(&page, total, &[("id", id), ("issue_id", issue_id)], cursor, &notes)
}

/// GET /projects/:id/issues/:issue_id/notes/:note_id
pub async fn show(call: &Call<'_>, id: &str, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (entered, row) = find(call, id, named(issue_id, note_id)).await?;
    Ok(Reply::json(200, &Note::new(row, &entered.links)))
}

/// The issue and the comment that a path names.
fn named(issue_id: &str, note_id: &str) -> Result<(IssueRef, i64)> {
    Ok((by_id(issue_id)?, path_id(note_id)?))
}

/// POST /projects/:id/issues/:issue_id/notes
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    Ok(make(call, id, by_id(issue_id), call.creation()).await?.reply(201, Note::new))
}

/// Makes a comment of what was sent.
async fn make(
    call: &Call<'_>,
    id: &str,
    issue: Result<IssueRef>,
    input: Result<NewNote>,
) -> Result<Written<NoteRow>> {
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let base = call.links(false).base;
    let plan = issue.map(|issue| sql::creation::plan(issue, input.as_ref().ok(), &base));
    let check = |entered: &mut Entered| {
        let may = entered.rows.first::<i64>()?.filter(|_| entered.resource.has_issues());
        if may.ok_or_else(Error::no_record)? == 0 {
            return Err(Error::FORBIDDEN);
        }
        check(entered, input?.0)
    };
    call.write(id, Action::ReadIssues, plan, check).await
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
    let (row, links) = change(call, id, named(issue_id, note_id), call.creation()).await?;
    Ok(Reply::json(200, &Note::new(row, &links)))
}

/// Another text for a comment; as it is then.
async fn change(
    call: &Call<'_>,
    id: &str,
    note: Result<(IssueRef, i64)>,
    input: Result<NewNote>,
) -> Result<(NoteRow, Links)> {
    let (entered, row) = find(call, id, note).await?;
    may_change(&entered, &row)?;
    let new = input?;
    let row = sql::update(&call.store, row.id, &new.body, &mentions(&[&new.body]), call.now).await?;
    Ok((row.ok_or_else(Error::no_record)?, entered.links))
}

/// DELETE /projects/:id/issues/:issue_id/notes/:note_id
pub async fn delete(call: &Call<'_>, id: &str, issue_id: &str, note_id: &str) -> Result<Reply> {
    let (row, links) = remove(call, id, named(issue_id, note_id)).await?;
    Ok(Reply::json(200, &Note::new(row, &links)))
}

/// Deletes a comment; as it was.
async fn remove(call: &Call<'_>, id: &str, note: Result<(IssueRef, i64)>) -> Result<(NoteRow, Links)> {
    let (entered, row) = find(call, id, note).await?;
    may_change(&entered, &row)?;
    call.expect_unmodified(row.updated_at)?;
    sql::delete(&call.store, row.id).await?;
    Ok((row, entered.links))
}

/// A comment is its author's, or a master's; what the service wrote is nobody's.
fn may_change(entered: &Entered, row: &NoteRow) -> Result<()> {
    let allowed = row.author.id == entered.caller.user.id || entered.resource.may(Action::EditAnyNote);
    if row.system || !allowed { Err(Error::FORBIDDEN) } else { Ok(()) }
}

async fn find(call: &Call<'_>, id: &str, note: Result<(IssueRef, i64)>) -> Result<(Entered, NoteRow)> {
    let query = |(issue, id): &(IssueRef, i64)| sql::one(*issue, *id);
    let (_, entered) = call.enter_with(id, Action::ReadIssues, note, query).await?;
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
