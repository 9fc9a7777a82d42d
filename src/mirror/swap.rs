//! `PUT /projects/:id/mirror/refs`: all refs of a sync move together, and then each commit learns its branch.

use super::sql::moves;
use super::{body, branches, sql, which_unknown};
use crate::call::{Call, Resource};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::policy::Action;
use crate::store::{Rows, Statement};
use edgeforge_wire::object::is_hash;
use edgeforge_wire::{Swap, Swapped, limits};
use std::collections::BTreeSet;

/// PUT /projects/:id/mirror/refs
pub async fn swap(call: &Call<'_>, id: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::PushMirror, sql::known(&[])).await?;
    let project_id = entered.resource.id;
    let swap = body::<Swap>(call).await.and_then(checked)?;
    if let Some(sync) = swap.sync.as_deref().filter(|_| swap.more) {
        let portion = moves::stage(project_id, swap.portion, sync, &swap.changes);
        run(call, project_id, &swap, portion).await?;
        return Ok(Reply::json(200, &Swapped { refs: 0, pending: true }));
    }
    let mut statements = moves_of(&swap, &entered.resource);
    statements.push(branches::begin(project_id));
    let rows = run(call, project_id, &swap, statements).await?;
    let settled = branches::settle(call, project_id, rows).await?;
    Ok(Reply::json(200, &Swapped { refs: swap.changes.len(), pending: !settled }))
}

/// The statements that move the refs; none where nothing moves.
fn moves_of(swap: &Swap, project: &Resource) -> Vec<Statement> {
    let nothing_moves = swap.changes.is_empty()
        && swap.sync.is_none()
        && !swap.recheck
        && swap.default_branch == project.default_branch;
    if nothing_moves {
        return Vec::new();
    }
    let staged = swap.sync.as_deref().map(|sync| (sync, swap.portion));
    moves::swap(project.id, staged, &swap.changes, swap.default_branch.as_deref(), swap.recheck)
}

/// Runs them as one transaction; the rows of the last one.
async fn run(call: &Call<'_>, project_id: i64, swap: &Swap, statements: Vec<Statement>) -> Result<Rows> {
    match call.store.batch(statements).await {
        Err(failure) if failure.is_expectation() => Err(refusal(call, project_id, swap).await?),
        outcome => Ok(outcome?.pop().unwrap_or_default()),
    }
}

/// Why a swap was not made: a commit is not known, or else a ref is not where the hook saw it.
async fn refusal(call: &Call<'_>, project_id: i64, swap: &Swap) -> Result<Error> {
    let unknown = which_unknown(call, project_id, &moves::ends(&swap.changes)).await?;
    Ok(match unknown.first() {
        Some(sha) => Error::message(format!("commit {sha} is not known")),
        None => Error::Refused(409, "409 Conflict: refs have moved".to_owned()),
    })
}

fn checked(swap: Swap) -> Result<Swap> {
    let refused = |index: usize, text: &str| Err(Error::message(format!("change {index}: {text}")));
    if swap.changes.len() > limits::CHANGES {
        return Err(Error::message(format!("more than {} changes at once", limits::CHANGES)));
    }
    if !(0..=limits::PORTIONS).contains(&swap.portion) {
        return Err(Error::message(format!("more than {} portions", limits::PORTIONS)));
    }
    if swap.sync.as_ref().is_some_and(|sync| sync.is_empty() || sync.len() > 64)
        || (swap.more && swap.sync.is_none())
    {
        return Err(Error::message("sync: a name of 1 to 64 bytes is needed"));
    }
    if swap.default_branch.as_ref().is_some_and(|name| name.len() > limits::REF || name.contains('\0')) {
        return Err(Error::message("default_branch: not the name of a branch"));
    }
    let mut names = BTreeSet::new();
    for (index, change) in swap.changes.iter().enumerate() {
        let shaped = ["refs/heads/", "refs/tags/"].iter().any(|kind| {
            change.name.strip_prefix(kind).is_some_and(|name| !name.is_empty() && !name.contains('\0'))
        });
        if !shaped || change.name.len() > limits::REF {
            return refused(index, "not the name of a branch or tag");
        }
        if ![&change.old, &change.new, &change.tag_sha].into_iter().flatten().all(|sha| is_hash(sha)) {
            return refused(index, "not a hash");
        }
        if change.message.as_ref().is_some_and(|text| text.len() > limits::TAG_MESSAGE) {
            return refused(
                index,
                &format!("the message is too long (maximum is {} bytes)", limits::TAG_MESSAGE),
            );
        }
        if change.commits.is_some_and(|commits| commits > limits::COUNT) {
            return refused(index, "not a number of commits");
        }
        if change.message.as_ref().is_some_and(|text| text.contains('\0')) {
            return refused(index, "the message holds a NUL");
        }
        if !names.insert(&change.name) {
            return refused(index, "the ref is named twice");
        }
    }
    if serde_json::to_string(&swap.changes).map_or(0, |text| text.len()) > limits::CHANGES_AS_JSON {
        return Err(Error::message(format!(
            "more than {} bytes of changes at once",
            limits::CHANGES_AS_JSON
        )));
    }
    Ok(swap)
}
