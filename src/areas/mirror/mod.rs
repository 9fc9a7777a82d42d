//! The index of a repository mirror (behaviour 12). The hook `edgeforge-mirror` reads the refs, pushes the missing
//! commits, parents first, and then swaps the refs. It may repeat every step. A batch is stored whole or not at all.

mod branches;
pub mod contents;
mod lists;
mod long_diffs;
mod lost;
mod messages;
pub mod objects;
pub mod pairs;
mod paths;
pub mod proof;
pub mod push;
mod references;
pub mod store;
pub mod swap;

use crate::kernel::http::Body;
use crate::kernel::policy;
use crate::kernel::store::{Column, Members, Rows, Tree, WrongColumns};
use crate::kernel::{Action, Call, Entry, Error, Parameters, PreparedQuery, Query, Reply, Result, Row, Statement};
use edgeforge_wire::{Belonging, Commits, Mirror, Ref, Unreferenced};
use serde::de::DeserializeOwned;
use serde_json::json;

use edgeforge_wire::contents::{Extent, Stored};

edgeforge_row::statements!(mod sql: "src/areas/mirror/mirror.sql", "src/areas/mirror/branches.sql", "src/areas/mirror/swaps.sql", "src/areas/mirror/references.sql", "src/areas/mirror/objects.sql", "src/areas/mirror/lost.sql");

const REFS_OF_A_PAGE: usize = 5000;
const BYTES_OF_A_PAGE: usize = 600_000;

const COMMITS_OF_A_PAGE: usize = 4000;

impl Column for Ref {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Ref {
        let mut from = Members::of(from, wrong);
        Ref {
            name: from.column("name"),
            sha: from.column("sha"),
            tag_sha: from.column("tag_sha"),
            message: from.column("message"),
            contents: from.column("contents"),
        }
    }
}

impl Column for Belonging {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Belonging {
        let mut from = Members::of(from, wrong);
        Belonging { id: from.column("id"), branch: from.column("branch") }
    }
}

#[derive(Parameters, Default)]
#[param(default)]
struct After {
    after: String,
}

#[derive(Parameters, Default)]
#[param(default)]
struct RefsAfter {
    after: String,
    messages: bool,
}

#[derive(Row, Default)]
struct State {
    pending: bool,
    bytes: i64,
    forgotten: Vec<String>,
    unreferenced: Vec<Unreferenced>,
    contents: Option<String>,
}

impl RefsAfter {
    fn query(&self) -> PreparedQuery<(Option<State>, Vec<Ref>)> {
        let (bytes, most) = (BYTES_OF_A_PAGE as i64, REFS_OF_A_PAGE as i64);
        let refs = sql::refs { after: self.after.as_str(), messages: self.messages, bytes, most };
        (sql::state {}, refs).prepare()
    }
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let (_, entry, (state, refs)) = call.authorize_with(call.filters(), RefsAfter::query).await?;
    let state = state.unwrap_or_default();
    let mirror = Mirror {
        default_branch: entry.resource.default_branch.clone(),
        pending: state.pending,
        next: refs.last().filter(|_| is_full(&refs)).map(|row| row.name.clone()),
        refs,
        forgotten: state.forgotten,
        bytes: shows_bytes(&entry)?.then_some(state.bytes),
        most_bytes: call.config.quotas.project_bytes,
        most_file_bytes: contents::most_file_bytes(call),
        contents: state.contents.as_deref().and_then(Extent::read).unwrap_or_default(),
        unreferenced: state.unreferenced,
    };
    Ok(Reply::json(200, &mirror))
}

/// Whether the answer has the bytes of the project, which include those of confidential issues.
fn shows_bytes(entry: &Entry) -> Result<bool> {
    let action = Action::ReadConfidentialIssues;
    Ok(entry.resource.may(action) && entry.caller()?.has_scope(policy::scopes(action, true)))
}

fn is_full(refs: &[Ref]) -> bool {
    let bytes: usize = refs.iter().map(|row| row.name.len() + row.message.as_ref().map_or(0, String::len)).sum();
    refs.len() >= REFS_OF_A_PAGE || bytes > BYTES_OF_A_PAGE
}

pub async fn commits(call: &Call<'_>) -> Result<Reply> {
    let query =
        |After { after }: &After| sql::commits { after: after.as_str(), most: COMMITS_OF_A_PAGE as i64 }.prepare();
    let (_, _, commits) = call.authorize_with(call.filters(), query).await?;
    let next = commits.last().filter(|_| commits.len() >= COMMITS_OF_A_PAGE).map(|row| row.id.clone());
    Ok(Reply::json(200, &Commits { commits, next }))
}

pub async fn has(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (_, known) = call.authorize(sql::known { sha }).await?;
    let id = known.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &json!({ "id": id })))
}

/// Deletes the diff, so that the hook sends it again.
pub async fn forget(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (entry, known) = call.authorize(sql::known { sha }).await?;
    let id = known.ok_or_else(|| Error::missing("Commit"))?;
    let project_id = entry.resource.id;
    let mut batch: Vec<Statement> = vec![sql::key { project_id, sha }.into()];
    batch.extend(forget_diff(project_id, sha, None));
    let forgotten = call.write(batch).await?;
    let key: Option<String> = forgotten.first().map(Rows::first).transpose()?.flatten();
    if let (Some(objects), Some(key)) = (call.store.objects(), key) {
        // if this fails, the sweep deletes the object
        objects.delete(vec![key]).await.ok();
    }
    Ok(Reply::json(200, &json!({ "id": id })))
}

/// Deletes the diff of a commit. With `object`, only if the diff is in that object.
fn forget_diff(project_id: i64, sha: &str, object: Option<&str>) -> [Statement; 3] {
    [
        sql::forget { project_id, sha, object }.into(),
        sql::forget_diff { project_id, sha, object }.into(),
        sql::forget_more_paths { project_id, sha }.into(),
    ]
}

/// Forgets the diff that is in the object of this key.
pub fn lose(key: &str) -> Vec<Statement> {
    let (_, rest) = key.split_once('/').unwrap_or_default();
    let (project_id, rest) = rest.split_once('/').unwrap_or_default();
    let (sha, object) = rest.split_once('-').unwrap_or_default();
    forget_diff(project_id.parse().unwrap_or_default(), sha, Some(object)).into()
}

/// `shas`: JSON arrays. Returns the hashes that are not commits of the project.
async fn unknown(call: &Call<'_>, project_id: i64, shas: Vec<String>) -> Result<Vec<String>> {
    let query = |shas| sql::unknown { project_id, shas }.into();
    let mut unknown: Vec<String> = Vec::new();
    for rows in call.store.batch(shas.into_iter().map(query).collect()).await? {
        unknown.extend(rows.all::<String>()?);
    }
    Ok(unknown)
}

/// The JSON body.
async fn body<T: DeserializeOwned>(call: &Call<'_>) -> Result<T> {
    serde_json::from_slice(&body_bytes(call).await?).map_err(|error| Error::message(format!("body: {error}")))
}

/// The body, which stays unread until the request is authorized. 429 if this instance reads too many pushes at once: the
/// hook sends them again.
pub async fn body_bytes(call: &Call<'_>) -> Result<Vec<u8>> {
    let read = match &call.request.body {
        Body::Unread(source) => source.0().await,
        body => body.clone(),
    };
    match read {
        Body::Bytes(bytes) => Ok(bytes),
        Body::TooLarge => Err(Error::too_large()),
        Body::Late => Err(Error::late()),
        Body::NoRoom => Err(Error::at_once(12, "MiB of pushes at once, yours and those of others", call.now)),
        Body::Broken | Body::Unread(_) | Body::Pieces(_) => Err(Error::message("body: not gzip")),
    }
}
