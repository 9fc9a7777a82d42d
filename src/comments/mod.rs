//! Comments on commits (specification, "Commits"; contract B 4.3.4, B 4.3.5).

pub mod entity;
pub mod lines;
pub mod sql;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::Total;
use crate::params::Whole;
use crate::policy::Action;
use entity::{Listed, Posted};
use lines::{Anchor, Found};
use serde::Deserialize;
use sql::Target;

fn no_commit() -> Error {
    Error::missing("Commit")
}

/// GET /projects/:id/repository/commits/:sha/comments
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.page();
    let question = input.as_ref().map(|page| sql::list(sha, page)).map_err(Error::clone);
    let mut entered = call.enter(id, Action::ReadCommits, question).await?;
    let page = input?;
    let total: i64 = entered.rows.shift()?.ok_or_else(no_commit)?;
    let comments: Vec<Listed> = entered.rows.all()?.into_iter().map(Listed::new).collect();
    call.listing(&page, Total::Known(total), &[("id", id), ("sha", sha)], None, &comments)
}

/// Parameters of `POST /projects/:id/repository/commits/:sha/comments`.
#[derive(Debug, Deserialize)]
struct NewComment {
    note: String,
    path: Option<String>,
    line: Option<Whole>,
    line_type: Option<LineType>,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum LineType {
    New,
    Old,
}

impl NewComment {
    /// The line that is named, if one is: without a type it is an added one.
    fn anchor(&self) -> Option<Anchor> {
        let Some(Whole::Number(line)) = self.line else { return None };
        let line_type = if self.line_type == Some(LineType::Old) { "old" } else { "new" };
        Some(Anchor::new(self.path.as_deref()?, line, line_type))
    }

    /// Whether it names a line that no file can have.
    fn names_no_line(&self) -> bool {
        self.line.is_some() && self.anchor().is_none_or(|anchor| anchor.line < 1)
    }
}

/// POST /projects/:id/repository/commits/:sha/comments
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation_and_faults::<NewComment>().and_then(|(new, mut faults)| {
        faults.check_length("note", Some(&new.note), 1_000_000);
        faults.result().map(|()| new)
    });
    let wanted = input.as_ref().ok().and_then(NewComment::anchor);
    let question = input.as_ref().map(|_| sql::target(sha, wanted.is_some())).map_err(Error::clone);
    let mut entered = call.enter(id, Action::CommentCommit, question).await?;
    let new = input?;
    let target: Target = entered.rows.shift()?.ok_or_else(no_commit)?;
    let diff = entered.rows.all::<String>()?.concat();
    let found = wanted.as_ref().map_or(Found::Nothing, |anchor| anchor.found_in(&diff));
    // what names a branch or tag is at its end, wherever it wanted to be; so is a line that is not there
    if target.is_by_hash && (found == Found::Unchanged || new.names_no_line()) {
        return Err(Error::field("line", "is invalid"));
    }
    let anchor = wanted.filter(|_| found == Found::Changed);
    let place = (entered.place.id, target.commit_id);
    let row =
        sql::create(&call.store, place, entered.caller.user.id, &new.note, anchor.as_ref(), call.now).await?;
    Ok(Reply::json(201, &Posted::new(row, &entered.links)))
}
