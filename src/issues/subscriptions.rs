//! Who wants to hear of an issue (behaviour 6.6).

use super::entity::Issue;
use super::{seen, sql};
use crate::call::{Call, path_id};
use crate::error::Result;
use crate::http::Reply;
use crate::policy::Action;
use crate::sql;

/// POST /projects/:id/issues/:issue_id/subscription
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    say(call, id, issue_id, true).await
}

/// DELETE /projects/:id/issues/:issue_id/subscription
pub async fn delete(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    say(call, id, issue_id, false).await
}

async fn say(call: &Call<'_>, id: &str, issue_id: &str, subscribed: bool) -> Result<Reply> {
    let (_, entered) = call.enter_with(id, Action::ReadIssues, path_id(issue_id), |id| sql::one(*id)).await?;
    let mut row = seen(&entered)?;
    if row.subscribed == subscribed {
        return Ok(Reply::empty(304));
    }
    let said = call.store.run(sql!(SAY, row.id, entered.caller.user.id, subscribed)).await?;
    if said.is_empty() {
        return Ok(Reply::empty(304));
    }
    row.subscribed = subscribed;
    Ok(Reply::json(if subscribed { 201 } else { 200 }, &Issue::new(row, &entered.links)))
}

/// What the user `?2` says himself, over what taking part would say. No row: it was said already.
const SAY: &str = "insert into subscriptions (issue_id, user_id, subscribed)
select id, ?2, ?3 from issues where id = (select ?1) and deleted_at is null
on conflict do update set subscribed = excluded.subscribed where subscribed <> excluded.subscribed
returning json_quote(subscribed) as v";
