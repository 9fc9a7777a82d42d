//! Comments on commits (specification, "Commits"; contract B 4.3.4, B 4.3.5).

pub mod entity;
pub mod lines;
pub mod sql;

use crate::call::Call;
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::page::Total;
use crate::policy::Action;
use entity::{Listed, Posted};
use lines::Anchor;
use serde::Deserialize;

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
    // a number that is none anchors nothing, like one that no line has
    line: Option<String>,
    line_type: Option<String>,
}

/// POST /projects/:id/repository/commits/:sha/comments
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewComment>().and_then(|new| {
        let mut faults = Faults::default();
        faults.check_length("note", Some(&new.note), 1_000_000);
        faults.result().map(|()| new)
    });
    let wanted = input.as_ref().ok().and_then(|new| {
        let line = new.line.as_deref()?.trim().parse().ok()?;
        Anchor::new(new.path.as_deref()?, line, new.line_type.as_deref()?)
    });
    let question = input.as_ref().map(|_| sql::target(sha, wanted.is_some())).map_err(Error::clone);
    let mut entered = call.enter(id, Action::CommentCommit, question).await?;
    let new = input?;
    let commit_id: i64 = entered.rows.shift()?.ok_or_else(no_commit)?;
    let diff = entered.rows.all::<String>()?.concat();
    // what fits no changed line is a comment on the whole commit
    let anchor = wanted.filter(|anchor| anchor.is_in(&diff));
    let place = (entered.place.id, commit_id);
    let row =
        sql::create(&call.store, place, entered.caller.user.id, &new.note, anchor.as_ref(), call.now).await?;
    Ok(Reply::json(201, &Posted::new(row, &entered.links)))
}
