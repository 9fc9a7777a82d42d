//! Moves or clones an issue into another project in one transaction (behaviour 6.5).

use super::moved_uploads::MovedUploads;
use super::{IssueRef, IssueRow, writing};
use crate::areas::events;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::paging::EVER;
use crate::kernel::policy::{Access, Visibility, may};
use crate::kernel::store::Store;
use crate::kernel::{Action, Call, Error, Links, Result, Row, Statement};

edgeforge_row::statements!(mod sql: "src/areas/issues/moves.sql");

#[derive(Clone, Copy)]
pub struct Move {
    /// Whether the old issue stays unchanged.
    pub clones: bool,
    pub with_notes: bool,
}

impl Move {
    pub const WHOLE: Move = Move { clones: false, with_notes: true };

    /// Returns the new issue in the project `to`. `absent` is the error if the caller does not see the issue.
    pub async fn run(
        self,
        call: &Call<'_>,
        issue: Result<IssueRef>,
        to: Result<i64>,
        absent: Error,
    ) -> Result<(IssueRow, Links)> {
        let to_project_id = to.as_ref().ok().copied();
        let query = |issue: &IssueRef| {
            let IssueRef { id, iid } = *issue;
            (issue.query(), sql::target { to_project_id }, sql::extent { id, iid, chunk: CHUNK })
        };
        let (_, entry, (row, target, extent)) = call.authorize_with(issue, query).await?;
        let row = row.ok_or(absent)?;
        let to = to?;
        let target = target
            .filter(|target| may(Action::ReadProject, target.access, target.visibility))
            .ok_or_else(|| Error::missing("Project"))?;
        if to == row.project_id && !self.clones {
            return Err(Error::message("Cannot move issue to project it originates from!"));
        }
        let verb = if self.clones { "clone" } else { "move" };
        let refused = || Error::message(format!("Cannot {verb} issue due to insufficient permissions!"));
        let allowed = entry.resource.may(Action::MoveIssue)
            && may(Action::MoveIssue, target.access, target.visibility)
            && target.issues_enabled
            && !target.archived;
        let extent = extent.unwrap_or_default();
        if (extent.has_moved && !self.clones) || !allowed {
            return Err(refused());
        }
        // within its project, the links of a clone stay valid
        let uploads = match extent.may_have_uploads && to != row.project_id {
            true => MovedUploads::find(call, row.id, to).await?,
            false => MovedUploads::default(),
        };
        let user_id = entry.caller()?.user.id;
        let steps = self.statements(call, (row.id, to, user_id), &extent, &uploads).await?;
        let comments = if self.with_notes { extent.notes } else { 0 };
        let mut reserved = Reservation::none(call, to, 1 + comments);
        let outcome = uploads.write(call, &mut reserved, (steps, sql::arrived { user_id })).await;
        let (_, moved) = match reserved.end(outcome).await {
            Err(Error::Expectation) => return Err(refused()),
            outcome => outcome?,
        };
        Ok((moved.ok_or_else(|| Error::Internal("a move returned no issue".to_owned()))?, entry.links))
    }

    async fn statements(
        self,
        call: &Call<'_>,
        (id, to_project_id, user_id): (i64, i64, i64),
        extent: &Extent,
        uploads: &MovedUploads,
    ) -> Result<Vec<Statement>> {
        let now = call.now;
        let mut batch: Vec<Statement> = vec![sql::expect_movable { id, clones: self.clones }.into()];
        batch.extend(uploads.statement.clone());
        let (before, after) = events::issue_moved(call, id, user_id);
        if !self.clones {
            batch.push(before);
        }
        batch.push(sql::mark_copy { user_id }.into());
        batch.extend([writing::copy { id, to_project_id, now }.into(), sql::copy_labels { id }.into()]);
        if extent.awards > 0 {
            batch.push(sql::copy_awards { id }.into());
        }
        if self.with_notes {
            let ends = ends_of_chunks(call.store, id, extent.notes).await?;
            let afters = [0].into_iter().chain(ends.clone());
            let lasts = ends.into_iter().chain([EVER]);
            for (after, last) in afters.zip(lasts) {
                let texts = uploads.texts(after, last);
                batch.push(sql::copy_notes { id, to_project_id, texts, after, last }.into());
                if extent.awards > 0 {
                    batch.push(sql::copy_awards_of_notes { id, after, last }.into());
                }
            }
        }
        batch.push(sql::unmark_copy {}.into());
        let chunks = chunks_of_participants(call.store, id, extent.participants).await?;
        batch.extend((0..chunks).map(|_| sql::copy_participants { id, chunk: CHUNK }.into()));
        let text = if self.clones { "Cloned from" } else { "Moved from" };
        batch.push(sql::note_arrival { id, user_id, text, now }.into());
        batch.push(sql::describe { id, texts: uploads.texts(-1, 0) }.into());
        if !self.clones {
            batch.push(sql::note_departure { id, user_id, now }.into());
            batch.push(sql::add_event_of_closing { id, user_id, now }.into());
            batch.push(sql::close { id, user_id, now }.into());
            batch.extend(after);
        }
        batch.push(events::issue_opened(call, Some(user_id)));
        Ok(batch)
    }
}

#[derive(Debug, Row)]
struct Target {
    visibility: Visibility,
    access: Access,
    issues_enabled: bool,
    archived: bool,
}

#[derive(Debug, Row, Default)]
struct Extent {
    has_moved: bool,
    /// Includes system comments.
    notes: i64,
    /// Emoji of the issue and its comments.
    awards: i64,
    /// Rows of `participants`, counted up to one more than [`CHUNK`].
    participants: i64,
    may_have_uploads: bool,
}

const CHUNK: i64 = 400;

const MOST_COMMENTS: i64 = 300_000;

#[derive(Row)]
struct End {
    id: i64,
}

#[derive(Row)]
struct Chunk {
    number: i64,
    last: Option<i64>,
}

/// The id of the last comment of each chunk, without the last chunk.
async fn ends_of_chunks(store: &Store<'_>, id: i64, notes: i64) -> Result<Vec<i64>> {
    if notes > MOST_COMMENTS {
        let text = format!("400 Bad request - The issue has more than {MOST_COMMENTS} comments");
        return Err(Error::message(text));
    }
    let mut ends: Vec<i64> = Vec::new();
    // the last chunk also takes comments that arrive meanwhile
    while notes > CHUNK * (ends.len() as i64 + 1) {
        let after = ends.last().copied().unwrap_or_default();
        let further = store.ask(sql::ends_of_chunks { id, after, chunk: CHUNK }).await?;
        if further.is_empty() {
            break;
        }
        ends.extend(further.into_iter().map(|end| end.id));
    }
    Ok(ends)
}

/// The number of statements that copy the participants. Each one continues after the last user copied.
async fn chunks_of_participants(store: &Store<'_>, id: i64, rows: i64) -> Result<usize> {
    let (mut chunks, mut after) = (1, (rows > CHUNK).then_some(-EVER));
    while let Some(last) = after {
        let Chunk { number, last } = store.ask(sql::chunk_of_participants { id, after: last, chunk: CHUNK }).await?;
        after = last.filter(|_| number == CHUNK);
        chunks += usize::from(after.is_some());
    }
    Ok(chunks)
}
