//! `PUT /projects/:id/mirror/refs`: all refs of a sync move together, and then each commit learns its branch.

use super::{body, branches, push, sql};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::policy::Action;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// The refs as they are to be. A sync with more changes than one request takes sends them in portions 0, 1, .. of the
/// same `sync`; they are kept, and made together with the last one, which says how many came before it.
#[derive(Deserialize)]
struct Swap {
    default_branch: Option<String>,
    changes: Vec<Change>,
    /// A name that the hook made up for this sync; absent: there is only this request.
    sync: Option<String>,
    /// The number of this portion.
    #[serde(default)]
    portion: i64,
    /// Further portions follow.
    #[serde(default)]
    more: bool,
    /// Look at every commit's branch again, not only at those that the changes concern.
    #[serde(default)]
    recheck: bool,
}

/// One ref on its way from `old` (null: new) to `new` (null: deleted).
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Change {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
    /// An annotated tag's own hash and message.
    #[serde(default)]
    pub tag_sha: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
}

/// What one request takes, and how many portions one sync: each is four statements of the last request.
const MOST_CHANGES: usize = 1000;
const MOST_PORTIONS: i64 = 200;
/// Bytes of the changes as JSON text: what fits a bind.
const MOST_BYTES: usize = 1_500_000;
const LONGEST_REF: usize = 1024;
const LONGEST_MESSAGE: usize = 64 << 10;

/// PUT /projects/:id/mirror/refs
pub async fn swap(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = body::<Swap>(call).and_then(checked);
    let question = input.as_ref().map(|swap| sql::before_swap(&swap.changes)).map_err(Error::clone);
    let entered = call.enter(id, Action::PushMirror, question).await?;
    let (swap, project_id) = (input?, entered.place.id);
    let unknown: Vec<String> = entered.rows.first()?.unwrap_or_default();
    if let Some(sha) = unknown.first() {
        return Err(Error::message(format!("commit {sha} is not known")));
    }
    if let Some(sync) = swap.sync.as_deref().filter(|_| swap.more) {
        call.store.run(sql::stage(project_id, swap.portion, sync, &swap.changes)).await?;
        return Ok(Reply::json(200, &json!({ "refs": 0, "pending": true })));
    }
    let nothing_moves = swap.changes.is_empty()
        && swap.sync.is_none()
        && !swap.recheck
        && swap.default_branch == entered.place.default_branch;
    let staged = swap.sync.as_deref().map(|sync| (sync, swap.portion));
    let default = swap.default_branch.as_deref();
    let mut statements = match nothing_moves {
        true => Vec::new(),
        false => sql::swap(project_id, staged, &swap.changes, default, swap.recheck),
    };
    statements.push(branches::begin(project_id));
    let rows = match call.store.batch(statements).await {
        Err(failure) if failure.is_expectation() => {
            return Err(Error::Refused(409, "409 Conflict: refs have moved".to_owned()));
        }
        outcome => outcome?.pop().unwrap_or_default(),
    };
    let settled = branches::settle(call, project_id, rows).await?;
    Ok(Reply::json(200, &json!({ "refs": swap.changes.len(), "pending": !settled })))
}

fn checked(swap: Swap) -> Result<Swap> {
    let refused = |index: usize, text: &str| Err(Error::message(format!("change {index}: {text}")));
    if swap.changes.len() > MOST_CHANGES {
        return Err(Error::message(format!("more than {MOST_CHANGES} changes at once")));
    }
    if !(0..=MOST_PORTIONS).contains(&swap.portion) {
        return Err(Error::message(format!("more than {MOST_PORTIONS} portions")));
    }
    if swap.sync.as_ref().is_some_and(|sync| sync.is_empty() || sync.len() > 64)
        || (swap.more && swap.sync.is_none())
    {
        return Err(Error::message("sync: a name of 1 to 64 bytes is needed"));
    }
    if swap.default_branch.as_ref().is_some_and(|name| name.len() > LONGEST_REF || name.contains('\0')) {
        return Err(Error::message("default_branch: not the name of a branch"));
    }
    let mut names = BTreeSet::new();
    for (index, change) in swap.changes.iter().enumerate() {
        let shaped = ["refs/heads/", "refs/tags/"].iter().any(|kind| {
            change.name.strip_prefix(kind).is_some_and(|name| !name.is_empty() && !name.contains('\0'))
        });
        if !shaped || change.name.len() > LONGEST_REF {
            return refused(index, "not the name of a branch or tag");
        }
        if ![&change.old, &change.new, &change.tag_sha].into_iter().flatten().all(|sha| push::is_sha(sha)) {
            return refused(index, "not a hash");
        }
        if change.message.as_ref().is_some_and(|text| text.len() > LONGEST_MESSAGE) {
            return refused(index, &format!("the message is too long (maximum is {LONGEST_MESSAGE} bytes)"));
        }
        if change.message.as_ref().is_some_and(|text| text.contains('\0')) {
            return refused(index, "the message holds a NUL");
        }
        if !names.insert(&change.name) {
            return refused(index, "the ref is named twice");
        }
    }
    if serde_json::to_string(&swap.changes).map_or(0, |text| text.len()) > MOST_BYTES {
        return Err(Error::message(format!("more than {MOST_BYTES} bytes of changes at once")));
    }
    Ok(swap)
}
