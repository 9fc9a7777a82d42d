//! Commit statuses (specification, "Commits"; behaviour 8).

pub mod entity;
pub mod input;
pub mod sql;
pub mod v4;

use crate::call::write::Written;
use crate::call::{Call, Entered, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::person::UserRow;
use crate::policy::Action;
use entity::Status;
use input::{ListStatuses, NewStatus};
use serde::Serialize;
use sql::creation::{Before, Draft, Posted};
use sql::{Listed, StatusRow};

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewStatus>();
    // what is wrong with it is told after the commit is found
    let judged = input.as_ref().map_err(Error::clone).and_then(NewStatus::check);
    let (written, hint) = post(call, id, sha, input, judged).await?;
    Ok(hinted(written.reply(201, Posted::shown), hint))
}

/// Stores a status, and says whether its ref is unknown. `judged`: what is wrong with the input.
async fn post(
    call: &Call<'_>,
    id: &str,
    sha: &str,
    input: Result<NewStatus>,
    judged: Result<()>,
) -> Result<(Written<Posted>, bool)> {
    let key = judged.and(call.idempotency_key());
    let (repeat_is_refused, base) = (call.dialect.refuses_repeated_state(), call.links(false).base);
    let plan = input.as_ref().map_err(Error::clone).map(|new| {
        let draft = Draft { sha, new, repeat_is_refused, base: &base };
        key.as_ref().map_or_else(|_| draft.query(), |key| draft.plan(key.clone()))
    });
    let mut ref_is_unknown = false;
    let check = |entered: &mut Entered| {
        let before: Before = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
        key?;
        ref_is_unknown = before.ref_is_unknown;
        let state = input.as_ref().ok().map(NewStatus::stored_state);
        before.refused.map_or(Ok(()), |stored| Err(refusal(state, &stored)))
    };
    let written = call.write(id, Action::PostStatus, plan, check).await?;
    Ok((written, ref_is_unknown))
}

/// A misspelt ref hides the status from most lists.
fn hinted(reply: Reply, ref_is_unknown: bool) -> Reply {
    if ref_is_unknown {
        reply.with("X-Hint", "ref is the name of no branch or tag of this project")
    } else {
        reply
    }
}

/// Clients know these texts by heart.
pub fn refusal(posted: Option<&str>, stored: &str) -> Error {
    let event = if posted == Some("running") { "run" } else { "enqueue" };
    Error::message(format!(
        "Cannot transition status via :{event} from :{stored} (Reason(s): Status cannot transition via \"{event}\")"
    ))
}

/// GET /projects/:id/repository/commits/:sha/statuses
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let path = [("id", id), ("sha", sha)];
    answer(call, (id, sha), &path, call.filters(), Status::new).await
}

/// A list as either API shows it. `path`: what its links repeat.
async fn answer<T: Serialize>(
    call: &Call<'_>,
    (id, sha): (&str, &str),
    path: &[(&str, &str)],
    filter: Result<ListStatuses>,
    shown: impl Fn(StatusRow, String, UserRow, &Links) -> T,
) -> Result<Reply> {
    let input = filter.and_then(|filter| Ok((filter, call.page()?)));
    let any_ref = call.dialect.lists_statuses_of_all_refs();
    let ((filter, page), entered) = call
        .enter_with(id, Action::ReadStatuses, input, |(filter, page)| sql::list(sha, filter, any_ref, page))
        .await?;
    let mut listed = Listed::from(&entered.rows)?.ok_or_else(|| Error::missing("Commit"))?;
    if let (Some(_), Some(_), Some(count)) = (&filter.name, &filter.stage, listed.total) {
        call.store.note_counted(count.unsigned_abs());
    }
    let total = page.cut_counted(&mut listed.statuses, listed.total);
    // the next page begins behind this one's last id
    let cursor = listed.statuses.last().and_then(|(row, _)| page.next([row.id.into()]));
    let shown = |(row, author)| shown(row, listed.sha.clone(), author, &entered.links);
    let statuses: Vec<T> = listed.statuses.into_iter().map(shown).collect();
    call.listing(&page, total, path, cursor, &statuses)
}
