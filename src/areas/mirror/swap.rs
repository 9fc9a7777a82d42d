use super::{body, branches, references, sql, unknown};
use crate::kernel::call::Resource;
use crate::kernel::store::Rows;
use crate::kernel::text::names::is_ref_name;
use crate::kernel::{Call, Error, Reply, Result, Statement};
use edgeforge_wire::text::is_hash;
use edgeforge_wire::{Swap, Swapped, limits};
use serde_json::json;
use std::collections::BTreeSet;

/// `portion` of the changes in this request.
const OWN: i64 = -1;

pub async fn swap(call: &Call<'_>) -> Result<Reply> {
    let (entry, before) = call.authorize(references::before()).await?;
    let project_id = entry.resource.id;
    let swap = body::<Swap>(call).await?;
    let swap = validated(swap)?;
    if swap.more {
        run(call, project_id, &swap, 0, stage(project_id, &swap, swap.portion).into()).await?;
        return Ok(Reply::json(200, &Swapped { pending: true, ..Swapped::default() }));
    }
    let work = references::read(call, &entry, before, &swap).await?;
    let mut batch = moves(&swap, &entry.resource, work.steps(call, project_id));
    batch.extend(branches::begin(project_id));
    let rows = run(call, project_id, &swap, work.writes(), batch).await?;
    let settled = branches::settle(call, project_id, rows).await?;
    Ok(Reply::json(200, &Swapped { refs: swap.changes.len(), pending: !settled, skipped: work.skipped }))
}

fn stage(project_id: i64, swap: &Swap, portion: i64) -> [Statement; 2] {
    let sync = swap.sync.as_deref().unwrap_or_default();
    let changes = json!(swap.changes).to_string();
    [sql::stage { project_id, portion, sync, changes }.into(), sql::expect_ends { project_id, portion }.into()]
}

/// Moves all refs or none, with the steps of `further`. Empty if nothing changes.
fn moves(swap: &Swap, project: &Resource, further: Vec<Statement>) -> Vec<Statement> {
    let Swap { default_branch, changes, sync, portion: earlier, recheck, .. } = swap;
    let project_id = project.id;
    if changes.is_empty() && sync.is_none() && !recheck && *default_branch == project.default_branch {
        return Vec::new();
    }
    let mut batch = Vec::new();
    if let Some(sync) = sync {
        batch.push(sql::expect_staged { project_id, portions: *earlier, sync }.into());
    }
    let mut portions: Vec<i64> = if sync.is_some() { (0..*earlier).collect() } else { Vec::new() };
    if !changes.is_empty() {
        batch.extend(stage(project_id, swap, OWN));
        portions.push(OWN);
    }
    batch.extend(portions.iter().map(|portion| sql::expect_unmoved { project_id, portion: *portion }.into()));
    batch.push(sql::count_version { project_id }.into());
    for portion in portions {
        batch.push(sql::queue_ends { project_id, portion }.into());
        batch.push(sql::delete_refs { project_id, portion }.into());
        batch.push(sql::move_refs { project_id, portion }.into());
        batch.push(sql::keep_tag_objects { project_id, portion }.into());
    }
    batch.push(sql::set_default_branch { project_id, default_branch: default_branch.as_deref() }.into());
    batch.push(sql::unstage { project_id, all: sync.is_some() }.into());
    if *recheck {
        batch.push(sql::scan_all { project_id }.into());
    }
    batch.extend(further);
    batch
}

/// `comments`: how many writes the batch counts as, in addition to the move.
async fn run(call: &Call<'_>, project_id: i64, swap: &Swap, comments: i64, batch: Vec<Statement>) -> Result<Vec<Rows>> {
    match call.write_many(1 + comments, batch).await {
        Err(failure) if failure.is_expectation() => {
            let ends: Vec<&String> = swap.changes.iter().filter_map(|change| change.new.as_ref()).collect();
            let unknown = unknown(call, project_id, vec![json!(ends).to_string()]).await?;
            Err(match unknown.first() {
                Some(sha) => Error::message(format!("commit {sha} is not known")),
                None => Error::Refused(409, "409 Conflict: refs have moved".to_owned()),
            })
        }
        outcome => Ok(outcome?),
    }
}

fn validated(swap: Swap) -> Result<Swap> {
    let refused = |index: usize, text: &str| Err(Error::message(format!("change {index}: {text}")));
    if swap.changes.len() > limits::CHANGES {
        return Err(Error::message(format!("more than {} changes at once", limits::CHANGES)));
    }
    if !(0..=limits::PORTIONS).contains(&swap.portion) {
        return Err(Error::message(format!("more than {} portions", limits::PORTIONS)));
    }
    if swap.sync.as_ref().is_some_and(|sync| sync.is_empty() || sync.len() > 64) || (swap.more && swap.sync.is_none()) {
        return Err(Error::message("sync: a name of 1 to 64 bytes is needed"));
    }
    let is_refused = |name: &String| name.len() > limits::REF || name.contains('\0') || name.starts_with('-');
    if swap.default_branch.as_ref().is_some_and(is_refused) {
        return Err(Error::message("default_branch: not the name of a branch"));
    }
    let mut names = BTreeSet::new();
    for (index, change) in swap.changes.iter().enumerate() {
        let is_branch_or_tag = ["refs/heads/", "refs/tags/"].iter().any(|kind| {
            let name = change.name.strip_prefix(kind);
            // a ref with an invalid name may be stored already, and can be removed
            name.is_some_and(|name| !name.is_empty() && (change.new.is_none() || is_ref_name(name)))
        });
        if !is_branch_or_tag || change.name.len() > limits::REF || change.name.contains('\0') {
            return refused(index, "not the name of a branch or tag");
        }
        let hashes = [&change.old, &change.new, &change.tag_sha].into_iter().flatten();
        if !hashes.chain(&change.inner_tags).all(|sha| is_hash(sha)) {
            return refused(index, "not a hash");
        }
        if change.inner_tags.len() > limits::INNER_TAGS {
            return refused(index, &format!("more than {} inner tags", limits::INNER_TAGS));
        }
        if change.message.as_ref().is_some_and(|text| text.len() > limits::TAG_MESSAGE) {
            return refused(index, &format!("the message is too long (maximum is {} bytes)", limits::TAG_MESSAGE));
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
        return Err(Error::message(format!("more than {} bytes of changes at once", limits::CHANGES_AS_JSON)));
    }
    Ok(swap)
}
