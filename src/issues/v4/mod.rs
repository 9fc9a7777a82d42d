//! Issues in v4 (behaviour 13.2): the same issues, named by their number in the project.

pub mod entity;
mod filter;
mod input;
pub mod lists;
pub mod milestone;
pub mod nothing;
pub mod participants;
mod tasks;

use super::moves::{How, carry};
use super::sql::{IssueRef, IssueRow};
use super::subscriptions::say;
use super::{edit, make, remove, seen_by, sql};
use crate::call::path_number;
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::policy::Action;
use entity::{Issue, Seat, TIME_STATS, View};
use input::{Edit, Move, New};

/// The issue that a path of v4 names.
pub fn by_number(iid: &str) -> Result<IssueRef> {
    path_number("issue_iid", iid).map(IssueRef::Number)
}

/// The issue that a path names, for anybody who may see it.
async fn find(call: &Call<'_>, id: &str, iid: &str) -> Result<(IssueRow, Links)> {
    let query = |issue: &IssueRef| sql::one(*issue);
    let (_, visited) = call.visit_with(id, Action::ReadIssues, by_number(iid), query).await?;
    let row = seen_by(visited.user_id(), &visited.resource, &visited.rows)?;
    Ok((row, visited.links))
}

/// One issue as the answer.
fn reply(call: &Call<'_>, status: u16, (row, links): (IssueRow, Links)) -> Reply {
    Reply::json(status, &Issue::single(row, &links, call.now))
}

/// GET /projects/:id/issues/:issue_iid
pub async fn show(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    Ok(reply(call, 200, find(call, id, iid).await?))
}

/// GET /issues/:id: by its id, for administrators.
pub async fn show_anywhere(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (_, mut found) = call.administer_with(path_number("id", id), |id| sql::anywhere(*id)).await?;
    let row: IssueRow = found.rows.shift()?.ok_or_else(Error::no_record)?;
    let view = View { links: &found.links, now: call.now, seat: Seat::Nowhere, labels: None, single: true };
    Ok(Reply::json(200, &Issue::new(row, &view)))
}

/// POST /projects/:id/issues
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let written = make(call, id, New::read(call)).await?;
    Ok(written.reply(201, |row, links| Issue::single(row, links, call.now)))
}

/// PUT /projects/:id/issues/:issue_iid
pub async fn update(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    Ok(reply(call, 200, edit::change(call, id, by_number(iid), Edit::read(call)).await?))
}

/// DELETE /projects/:id/issues/:issue_iid
pub async fn delete(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    remove(call, id, by_number(iid), Error::FORBIDDEN).await?;
    Ok(Reply::empty(204))
}

/// POST /projects/:id/issues/:issue_iid/move
pub async fn relocate(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let how = How { verb: "move", clones: false, with_notes: true };
    let to = Move::read(call).map(|input| input.to_project_id);
    Ok(reply(call, 201, carry(call, id, by_number(iid), to, how, Error::no_record()).await?))
}

/// POST /projects/:id/issues/:issue_iid/clone
pub async fn clone(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let input = Move::read(call);
    let with_notes = input.as_ref().is_ok_and(|input| input.with_notes);
    let how = How { verb: "clone", clones: true, with_notes };
    let to = input.map(|input| input.to_project_id);
    Ok(reply(call, 201, carry(call, id, by_number(iid), to, how, Error::no_record()).await?))
}

/// POST /projects/:id/issues/:issue_iid/subscribe
pub async fn subscribe(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let said = say(call, id, by_number(iid), true).await?;
    Ok(said.map_or(Reply::empty(304), |found| reply(call, 201, found)))
}

/// POST /projects/:id/issues/:issue_iid/unsubscribe
pub async fn unsubscribe(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let said = say(call, id, by_number(iid), false).await?;
    Ok(said.map_or(Reply::empty(304), |found| reply(call, 201, found)))
}

/// GET /projects/:id/issues/:issue_iid/time_stats: nobody's time is kept.
pub async fn time_stats(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    find(call, id, iid).await?;
    Ok(Reply::json(200, &TIME_STATS))
}
