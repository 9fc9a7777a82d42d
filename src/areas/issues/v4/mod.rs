//! Issues in v4 (behaviour 13.2). Paths have the number of an issue in its project.

pub mod entity;
pub mod events;
mod input;
pub use input::NUMBERS;
pub mod milestone;
mod tasks;
mod time_stats;
pub mod times;

use super::moves::Move;
use super::{IssueRef, IssueRow, change, creation, sql};
use crate::areas::labels;
use crate::areas::users::v4::BasicUser;
use crate::kernel::call::path_number;
use crate::kernel::empty_answers;
use crate::kernel::{Call, Error, Links, Page, Reply, Result};
use entity::{Issue, RelativeTo, View};
use input::{Creation, Edit, Neighbours, ShowParams, Target};

pub fn by_number(iid: &str) -> Result<IssueRef> {
    path_number("issue_iid", iid).map(|iid| IssueRef { id: None, iid: Some(iid) })
}

fn reply(call: &Call<'_>, status: u16, (row, links): (IssueRow, Links)) -> Reply {
    Reply::json(status, &Issue::single(row, &links, call.now))
}

/// Headers have the caller's role, and whether the project is archived, so that a client knows which changes to offer.
pub async fn show(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input = by_number(iid).and_then(|issue| Ok((issue, call.filters::<ShowParams>()?)));
    let ((_, shown), entry, row) = call.authorize_with(input, |(issue, _)| issue.query()).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let whole = match shown.with_labels_details {
        Some(true) => Some(labels::v4::of_page(call.store, &[(row.project_id, &row.labels)]).await?.0),
        _ => None,
    };
    let (links, relative_to, labels) = (&entry.links, RelativeTo::Project, whole.as_ref());
    let view = View { links, now: call.now, relative_to, labels, single: true };
    let level = entry.resource.access.level().to_string();
    let reply = Reply::json(200, &Issue::new(row, &view)).with("X-Access-Level", level);
    Ok(reply.with("X-Archived", entry.resource.archived.to_string()))
}

/// The issue with this id, for administrators.
pub async fn show_anywhere(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (_, entry, row) = call.authorize_with(path_number("id", id), |id| sql::anywhere { id: *id }).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let view =
        View { links: &entry.links, now: call.now, relative_to: RelativeTo::Nowhere, labels: None, single: true };
    Ok(Reply::json(200, &Issue::new(row, &view)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let made = creation::create(call, Creation::read(call)).await?;
    Ok(made.reply(201, |row, links| Issue::single(row, links, call.now)))
}

pub async fn update(call: &Call<'_>, iid: &str) -> Result<Reply> {
    Ok(reply(call, 200, change::change(call, by_number(iid), Edit::read(call)).await?))
}

/// The issue as it is: issues have no order of their own.
pub async fn reorder(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input = call.edit::<Neighbours>().and_then(|_| {
        call.params()?.require_one_of(&["move_after_id", "move_before_id"])?;
        Ok(Default::default())
    });
    Ok(reply(call, 200, change::change(call, by_number(iid), input).await?))
}

pub async fn delete(call: &Call<'_>, iid: &str) -> Result<Reply> {
    super::delete(call, by_number(iid), Error::FORBIDDEN).await?;
    Ok(Reply::empty(204))
}

pub async fn relocate(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let to = call.creation::<Target>().map(|input| input.to_project_id.0);
    Ok(reply(call, 201, Move::WHOLE.run(call, by_number(iid), to, Error::no_record()).await?))
}

pub async fn clone(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input = call.creation::<Target>();
    let with_notes = input.as_ref().is_ok_and(|input| input.with_notes);
    let clone = Move { clones: true, with_notes };
    let to = input.map(|input| input.to_project_id.0);
    Ok(reply(call, 201, clone.run(call, by_number(iid), to, Error::no_record()).await?))
}

pub async fn subscribe(call: &Call<'_>, iid: &str, subscribed: bool) -> Result<Reply> {
    let changed = super::subscribe(call, by_number(iid), subscribed).await?;
    Ok(changed.map_or(Reply::empty(304), |issue| reply(call, 201, issue)))
}

/// Author, assignee, commenters and mentioned users.
pub async fn participants(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, call.page()?)));
    let query =
        |(iid, page): &(i64, Page)| (sql::seen { iid: *iid }, sql::participants { iid: *iid, page: page.clone() });
    let (_, entry, (seen, users)) = call.authorize_with(input, query).await?;
    seen.ok_or_else(Error::no_record)?;
    users.reply(call, |user| BasicUser::new(user, &entry.links))
}

/// The lists of an issue that are always empty: merge requests (behaviour 13.4).
pub async fn nothing(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, call.page()?)));
    let query = |(iid, _): &(i64, Page)| sql::seen { iid: *iid };
    let ((_, page), _, seen) = call.authorize_with(input, query).await?;
    seen.ok_or_else(Error::no_record)?;
    empty_answers::reply(call, &page)
}
