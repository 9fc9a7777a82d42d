//! Who wants to hear of an issue (behaviour 6.6).

use super::entity::Issue;
use super::sql::{IssueRef, IssueRow};
use super::{by_id, seen, sql};
use crate::call::{Call, Links};
use crate::error::Result;
use crate::http::Reply;
use crate::issues::sql::subscriptions::SAY;
use crate::policy::Action;
use crate::store::sql;

/// POST /projects/:id/issues/:issue_id/subscription
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let said = say(call, id, by_id(issue_id), true).await?;
    Ok(said.map_or(Reply::empty(304), |(row, links)| Reply::json(201, &Issue::new(row, &links))))
}

/// DELETE /projects/:id/issues/:issue_id/subscription
pub async fn delete(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let said = say(call, id, by_id(issue_id), false).await?;
    Ok(said.map_or(Reply::empty(304), |(row, links)| Reply::json(200, &Issue::new(row, &links))))
}

/// The issue as it is then; none: it was so already.
pub async fn say(
    call: &Call<'_>,
    id: &str,
    issue: Result<IssueRef>,
    subscribed: bool,
) -> Result<Option<(IssueRow, Links)>> {
    let (_, entered) = call.enter_with(id, Action::ReadIssues, issue, |issue| sql::one(*issue)).await?;
    let mut row = seen(&entered)?;
    if row.subscribed == subscribed {
        return Ok(None);
    }
    let said = call.store.run(sql!(SAY, row.id, entered.caller.user.id, subscribed)).await?;
    row.subscribed = subscribed;
    Ok((!said.is_empty()).then_some((row, entered.links)))
}
