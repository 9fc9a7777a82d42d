//! The index of a repository mirror, as the hook `edgeforge-mirror` keeps it: ask for the refs, push the commits that
//! are missing, parents first, then swap the refs. Every step may be repeated; a batch is stored whole or not at all.

mod branches;
pub mod push;
pub mod sql;
pub mod swap;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::{Body, Reply};
use crate::policy::Action;
use edgeforge_wire::{Belonging, Commits, Mirror, Push, Received, Ref};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Parameters of the pages here.
#[derive(Deserialize, Default)]
#[serde(default)]
struct From {
    /// The last name or hash of the page before.
    after: String,
    /// Tags with their messages.
    messages: bool,
}

#[derive(Deserialize, Default)]
struct State {
    pending: bool,
    forgotten: Vec<String>,
}

/// GET /projects/:id/mirror
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let from = call.query::<From>(&[]);
    let question = from.map(|from| sql::refs(&from.after, from.messages));
    let mut entered = call.enter(id, Action::PushMirror, question).await?;
    let state: State = entered.rows.shift()?.unwrap_or_default();
    let refs: Vec<Ref> = entered.rows.all()?;
    let bytes: usize =
        refs.iter().map(|row| row.name.len() + row.message.as_ref().map_or(0, String::len)).sum();
    let full = refs.len() >= sql::REFS_OF_A_PAGE || bytes > sql::BYTES_OF_A_PAGE;
    let next = refs.last().filter(|_| full).map(|row| row.name.clone());
    let default_branch = entered.place.default_branch;
    Ok(Reply::json(
        200,
        &Mirror { default_branch, pending: state.pending, refs, forgotten: state.forgotten, next },
    ))
}

/// GET /projects/:id/mirror/commits
pub async fn commits(call: &Call<'_>, id: &str) -> Result<Reply> {
    let question = call.query::<From>(&[]).map(|from| sql::labels(&from.after));
    let entered = call.enter(id, Action::PushMirror, question).await?;
    let commits: Vec<Belonging> = entered.rows.all()?;
    let next = commits.last().filter(|_| commits.len() >= sql::COMMITS_OF_A_PAGE).map(|row| row.id.clone());
    Ok(Reply::json(200, &Commits { commits, next }))
}

/// GET /projects/:id/mirror/commits/:sha
pub async fn has(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::PushMirror, Ok(sql::known(&[sha]))).await?;
    entered.rows.drop_first();
    let sha: String = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &json!({ "id": sha })))
}

/// DELETE /projects/:id/mirror/commits/:sha
pub async fn forget(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ForgetCommit, Ok(sql::known(&[sha]))).await?;
    entered.rows.drop_first();
    let sha: String = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    call.store.batch(sql::forget(entered.place.id, &sha)).await?;
    Ok(Reply::json(200, &json!({ "id": sha })))
}

/// POST /projects/:id/mirror/commits
pub async fn push(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = body::<Push>(call).and_then(|push| push::read(push.commits));
    let outside = input.as_ref().map(|commits| push::outside_parents(commits));
    let question = outside.as_ref().map(|shas| sql::known(shas)).map_err(|error| Error::clone(error));
    let mut entered = call.enter(id, Action::PushMirror, question).await?;
    let mut statements = Vec::new();
    let remember: bool = entered.rows.shift()?.unwrap_or_default();
    let known: Vec<String> = entered.rows.all()?;
    let commits = input.as_ref().map_err(Error::clone)?;
    // the batch that brings a missing parent may be on its way: when this one is stored it may be there
    let orphan = push::orphan(commits, &known);
    if orphan.is_some() {
        statements.push(sql::expect_known(entered.place.id, &push::outside_parents(commits)));
    }
    statements.extend(sql::additions(entered.place.id, commits, remember));
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
    Ok(Reply::json(201, &Received { received }))
}

/// The hook's own JSON bodies.
pub(super) fn body<T: DeserializeOwned>(call: &Call<'_>) -> Result<T> {
    match &call.request.body {
        Body::Bytes(bytes) => {
            serde_json::from_slice(bytes).map_err(|error| Error::message(format!("body: {error}")))
        }
        Body::TooLarge => Err(Error::Refused(413, "413 Request Entity Too Large".to_owned())),
        Body::Broken => Err(Error::message("body: not gzip")),
    }
}
