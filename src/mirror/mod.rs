//! The index of a repository mirror, as the hook `edgeforge-mirror` keeps it: ask for the refs, push the commits that
//! are missing, parents first, then swap the refs. Every step may be repeated; a batch is stored whole or not at all.

pub mod push;
pub mod sql;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::{Body, Reply};
use crate::policy::Action;
use push::Commit;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sql::RefRow;
use std::collections::BTreeSet;

/// What the index holds.
#[derive(Serialize)]
struct Mirror {
    default_branch: Option<String>,
    refs: Vec<RefRow>,
}

/// GET /projects/:id/mirror
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::PushMirror, Ok(sql::refs())).await?;
    let mirror = Mirror { default_branch: entered.place.default_branch, refs: entered.rows.all()? };
    Ok(Reply::json(200, &mirror))
}

/// GET /projects/:id/mirror/commits/:sha
pub async fn has(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::PushMirror, Ok(sql::known(&[sha]))).await?;
    let sha: String = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &json!({ "id": sha })))
}

#[derive(Deserialize)]
struct Push {
    commits: Vec<Commit>,
}

/// POST /projects/:id/mirror/commits
pub async fn push(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = body::<Push>(call);
    let outside = input.as_ref().map_err(Error::clone).and_then(|push| push::outside_parents(&push.commits));
    let question = outside.as_ref().map(|shas| sql::known(shas)).map_err(Error::clone);
    let entered = call.enter(id, Action::PushMirror, question).await?;
    let mut statements = Vec::new();
    let known: Vec<String> = entered.rows.all()?;
    let commits = &input.as_ref().map_err(Error::clone)?.commits;
    // the batch that brings a missing parent may be on its way: when this one is stored it may be there
    let orphan = push::orphan(commits, &known);
    if orphan.is_some() {
        statements.push(sql::expect_known(entered.place.id, &outside?));
    }
    statements.extend(sql::additions(entered.place.id, commits));
    let received = commits.len();
    // megabytes, while the database works
    drop(input);
    if !statements.is_empty() {
        let stored = call.store.batch(statements).await;
        stored.map_err(|failure| match orphan {
            Some(refusal) if failure.is_expectation() => refusal,
            _ => failure.into(),
        })?;
    }
    Ok(Reply::json(201, &json!({ "received": received })))
}

/// The refs as they are to be.
#[derive(Deserialize)]
struct Swap {
    default_branch: Option<String>,
    changes: Vec<Change>,
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
    /// `new` does not descend from `old`.
    #[serde(default)]
    pub forced: bool,
}

impl Change {
    /// The branch's name, if it is one.
    fn branch(&self) -> Option<&str> {
        self.name.strip_prefix("refs/heads/")
    }
}

/// As many branches fit one swap: each is a statement of its batch.
const MOST_BRANCHES: usize = 400;

/// PUT /projects/:id/mirror/refs
pub async fn swap(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = body::<Swap>(call).and_then(checked);
    let question = input.as_ref().map(|swap| sql::before_swap(&swap.changes)).map_err(Error::clone);
    let entered = call.enter(id, Action::PushMirror, question).await?;
    let swap = input?;
    let mut found = entered.rows.clone();
    let unknown: Vec<String> = found.shift()?.unwrap_or_default();
    if let Some(sha) = unknown.first() {
        return Err(Error::message(format!("commit {sha} is not known")));
    }
    let branches: Vec<String> = found.all()?;
    let statements = plan(entered.place.id, entered.place.default_branch.as_deref(), &swap, branches);
    match call.store.batch(statements).await {
        Err(failure) if failure.is_expectation() => {
            Err(Error::Refused(409, "409 Conflict: refs have moved".to_owned()))
        }
        outcome => {
            outcome?;
            Ok(Reply::json(200, &json!({ "refs": swap.changes.len() })))
        }
    }
}

fn checked(swap: Swap) -> Result<Swap> {
    let refused = |index: usize, text: &str| Err(Error::message(format!("change {index}: {text}")));
    if swap.changes.iter().filter(|change| change.branch().is_some()).count() > MOST_BRANCHES {
        return Err(Error::message(format!("more than {MOST_BRANCHES} branches at once")));
    }
    let mut names = BTreeSet::new();
    for (index, change) in swap.changes.iter().enumerate() {
        let shaped = ["refs/heads/", "refs/tags/"].iter().any(|kind| {
            change.name.strip_prefix(kind).is_some_and(|name| !name.is_empty() && !name.contains('\0'))
        });
        if !shaped || change.name.len() > 1024 {
            return refused(index, "not the name of a branch or tag");
        }
        if ![&change.old, &change.new, &change.tag_sha].into_iter().flatten().all(|sha| push::is_sha(sha)) {
            return refused(index, "not a hash");
        }
        if !names.insert(&change.name) {
            return refused(index, "the ref is named twice");
        }
    }
    Ok(swap)
}

/// The statements of a swap. Afterwards each commit knows its branch: the default branch if that contains it, else the
/// first in byte order that does. A branch that only grew is walked from its new tip to the first commit that is its
/// own; one that lost commits gives all of them back first, and every branch may take them.
fn plan(
    project_id: i64,
    default: Option<&str>,
    swap: &Swap,
    present: Vec<String>,
) -> Vec<crate::store::Statement> {
    let default_moved = default != swap.default_branch.as_deref();
    let lost: Vec<&str> = swap
        .changes
        .iter()
        .filter(|change| change.new.is_none() || change.forced)
        .filter_map(Change::branch)
        .collect();
    let touched = swap.changes.iter().filter(|change| change.new.is_some()).filter_map(Change::branch);
    let mut walked: BTreeSet<&str> = touched.collect();
    if default_moved || !lost.is_empty() {
        walked.extend(present.iter().map(String::as_str));
    }
    let first = swap.default_branch.as_deref();
    let (mut ordered, others): (Vec<&str>, Vec<&str>) =
        walked.into_iter().partition(|name| Some(*name) == first);
    ordered.extend(others);
    let mut statements = sql::swap(project_id, &swap.changes, first);
    match (default_moved, default.is_some()) {
        (true, true) => statements.push(sql::give_back(project_id, None)),
        _ => statements.extend(lost.into_iter().map(|name| sql::give_back(project_id, Some(name)))),
    }
    // D1 takes a thousand statements in one invocation
    statements.extend(ordered.into_iter().take(900).map(|name| sql::take(project_id, name, first)));
    statements
}

/// The hook's own JSON bodies.
fn body<T: DeserializeOwned>(call: &Call<'_>) -> Result<T> {
    match &call.request.body {
        Body::Bytes(bytes) => {
            serde_json::from_slice(bytes).map_err(|error| Error::message(format!("body: {error}")))
        }
        Body::TooLarge => Err(Error::Refused(413, "413 Request Entity Too Large".to_owned())),
        Body::Broken => Err(Error::message("body: not gzip")),
    }
}
