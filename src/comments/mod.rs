//! Comments on commits (specification, "Commits"; behaviour 7.4).

pub mod entity;
pub mod lines;
pub mod sql;
pub mod v4;

use crate::call::Key;
use crate::call::write::Written;
use crate::call::{Call, Entered};
use crate::commits::{self, diffs};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::params::{Integer, Parameters};
use crate::policy::Action;
use crate::store::Rows;
use entity::{Listed, Posted};
use lines::{Anchor, Found};
use sql::{CommentRow, Draft, Target};

fn no_commit() -> Error {
    Error::missing("Commit")
}

/// GET /projects/:id/repository/commits/:sha/comments
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let (page, entered) =
        call.enter_with(id, Action::ReadCommits, call.page(), |page| sql::list(sha, page)).await?;
    let (rows, total, cursor) = read(call, &entered.rows, &page)?;
    let comments: Vec<Listed> = rows.into_iter().map(Listed::new).collect();
    call.listing(&page, total, &[("id", id), ("sha", sha)], cursor, &comments)
}

/// The comments of a page, how many there are, and the cursor of the next one. 404 if there is no such commit.
fn read(call: &Call<'_>, rows: &Rows, page: &Page) -> Result<(Vec<CommentRow>, Total, Option<String>)> {
    let (mut total, mut comments) = (None, Vec::new());
    for part in rows.all()? {
        match part {
            sql::Part::Total(count) => {
                total = Some(count);
                call.store.note_counted(count.unwrap_or(10_001).unsigned_abs());
            }
            sql::Part::Comment(row) => comments.push(*row),
        }
    }
    let total = page.cut_counted(&mut comments, total.ok_or_else(no_commit)?);
    let cursor = comments.last().and_then(|row| page.next([row.id.into()]));
    Ok((comments, total, cursor))
}

/// Parameters of `POST /projects/:id/repository/commits/:sha/comments`.
#[derive(Debug, Parameters)]
struct NewComment {
    note: String,
    path: Option<String>,
    line: Option<Integer>,
    line_type: Option<LineType>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum LineType {
    New,
    Old,
}

impl NewComment {
    /// The line that is named, if one is: without a type it is an added one.
    fn anchor(&self) -> Option<Anchor> {
        let Some(Integer::Number(line)) = self.line else { return None };
        let line_type = if self.line_type == Some(LineType::Old) { "old" } else { "new" };
        Some(Anchor::new(self.path.as_deref()?, line, line_type))
    }

    /// Whether it names a line that no file can have.
    fn names_no_line(&self) -> bool {
        self.line.is_some() && self.anchor().is_none_or(|anchor| anchor.line < 1)
    }
}

impl NewComment {
    /// The parameters as far as they can be judged alone, and the request's key.
    fn read(call: &Call<'_>) -> Result<(NewComment, Option<Key>)> {
        Ok((call.creation()?, call.idempotency_key()?))
    }
}

/// POST /projects/:id/repository/commits/:sha/comments
///
/// One trip, and one before it where a line is named, for that line is looked for in the diff.
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    Ok(post(call, id, sha, NewComment::read(call)).await?.reply(201, Posted::new))
}

async fn post(
    call: &Call<'_>,
    id: &str,
    sha: &str,
    input: Result<(NewComment, Option<Key>)>,
) -> Result<Written<CommentRow>> {
    let mut anchor = input.as_ref().ok().and_then(|(new, _)| new.anchor());
    let mut found = Found::Nothing;
    if let Some(anchor) = &anchor {
        let entered = call.enter(id, Action::CommentCommit, commits::sql::diff(sha)).await?;
        found = anchor.found_in(&diffs::text(call, &entered.rows).await?.unwrap_or_default());
    }
    anchor = anchor.filter(|_| found == Found::Changed);
    let no_line = found == Found::Unchanged || input.as_ref().is_ok_and(|(new, _)| new.names_no_line());
    let plan = input.map(|(new, key)| {
        sql::plan(sha, Draft { note: &new.note, anchor, no_line }, key, &call.links(false).base)
    });
    let check = |entered: &mut Entered| {
        let target: Target = entered.rows.first()?.ok_or_else(no_commit)?;
        // what names a branch or tag is at its end, wherever it wanted to be; so is a line that is not there
        if target.is_by_hash && no_line { Err(Error::field("line", "is invalid")) } else { Ok(()) }
    };
    call.write(id, Action::CommentCommit, plan, check).await
}
