//! The index of a repository mirror, as the hook `edgeforge-mirror` keeps it: ask for the refs, push the commits that
//! are missing, parents first, then swap the refs. Every step may be repeated; a batch is stored whole or not at all.

mod branches;
pub mod objects;
pub mod push;
pub mod sql;
pub mod swap;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::{Body, Reply};
use crate::params::Parameters;
use crate::policy::Action;
use crate::quota::Quotas;
use crate::store::{Row, Rows};
use edgeforge_wire::{Belonging, Commits, Mirror, Push, Received, Ref};
use serde::de::DeserializeOwned;
use serde_json::json;

/// Parameters of a page of commits.
#[derive(Parameters, Default)]
#[param(default)]
struct Behind {
    /// The last hash of the page before.
    after: String,
}

/// Parameters of a page of refs.
#[derive(Parameters, Default)]
#[param(default)]
struct From {
    /// The last name of the page before.
    after: String,
    /// Tags with their messages.
    messages: bool,
}

#[derive(Row, Default)]
struct State {
    pending: bool,
    forgotten: Vec<String>,
    bytes: Option<i64>,
}

/// GET /projects/:id/mirror
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let from = call.filters::<From>();
    let query = |from: &From| sql::refs(&from.after, from.messages);
    let (_, mut entered) = call.enter_with(id, Action::PushMirror, from, query).await?;
    let state: State = entered.rows.shift()?.unwrap_or_default();
    let refs: Vec<Ref> = entered.rows.all()?;
    let mirror = Mirror {
        default_branch: entered.resource.default_branch,
        pending: state.pending,
        next: refs.last().filter(|_| is_full(&refs)).map(|row| row.name.clone()),
        refs,
        forgotten: state.forgotten,
        bytes: state.bytes.unwrap_or_default(),
        most_bytes: call.config.quotas.project_bytes,
    };
    Ok(Reply::json(200, &mirror))
}

/// Whether a page of refs ended because of its length.
fn is_full(refs: &[Ref]) -> bool {
    let bytes: usize =
        refs.iter().map(|row| row.name.len() + row.message.as_ref().map_or(0, String::len)).sum();
    refs.len() >= sql::REFS_OF_A_PAGE || bytes > sql::BYTES_OF_A_PAGE
}

/// GET /projects/:id/mirror/commits
pub async fn commits(call: &Call<'_>, id: &str) -> Result<Reply> {
    let from = call.filters::<Behind>();
    let (_, entered) = call.enter_with(id, Action::PushMirror, from, |from| sql::labels(&from.after)).await?;
    let commits: Vec<Belonging> = entered.rows.all()?;
    let next = commits.last().filter(|_| commits.len() >= sql::COMMITS_OF_A_PAGE).map(|row| row.id.clone());
    Ok(Reply::json(200, &Commits { commits, next }))
}

/// GET /projects/:id/mirror/commits/:sha
pub async fn has(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::PushMirror, sql::known(&[sha])).await?;
    entered.rows.drop_first();
    let sha: String = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &json!({ "id": sha })))
}

/// DELETE /projects/:id/mirror/commits/:sha
pub async fn forget(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ForgetCommit, sql::known(&[sha])).await?;
    entered.rows.drop_first();
    let sha: String = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    let project_id = entered.resource.id;
    let forgotten = call.store.batch(sql::forget(project_id, &sha)).await?;
    let keys: Vec<String> = forgotten.first().map(Rows::all).transpose()?.unwrap_or_default();
    if let (Some(objects), false) = (call.store.objects(), keys.is_empty()) {
        // what stays where this fails, the sweep finds
        objects.delete(keys).await.ok();
    }
    Ok(Reply::json(200, &json!({ "id": sha })))
}

/// POST /projects/:id/mirror/commits
pub async fn push(call: &Call<'_>, id: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::PushMirror, sql::pushing()).await?;
    let (remember, of_project, of_all): (bool, i64, i64) = entered.rows.shift()?.unwrap_or_default();
    let place: String = entered.rows.first()?.unwrap_or_default();
    let apart = call.store.objects().is_some();
    let mut commits = body::<Push>(call).await.and_then(|push| push::read(push.commits, apart))?;
    // where there may be no room, the batch judges, and nothing lies about that it then refuses
    if call.config.quotas.leave(of_project, of_all, bytes(&commits)) {
        objects::put(call, &place, &mut commits).await?;
    }
    store(call, entered.resource.id, &commits, remember).await?;
    Ok(Reply::json(201, &Received { received: commits.len() }))
}

/// Stores the commits, or says why not: a parent is missing, or there is no room. Which of them is asked for only then.
async fn store(call: &Call<'_>, project_id: i64, commits: &[push::Read], remember: bool) -> Result<()> {
    let outside = push::outside_parents(commits);
    let statements = sql::additions(project_id, commits, &outside, remember, call.config.quotas);
    match call.store.batch(statements).await {
        Err(failure) if failure.is_expectation() => {
            let unknown = which_unknown(call, project_id, &outside).await?;
            match push::orphan(commits, &unknown) {
                Some(orphan) => Err(orphan),
                None => Err(no_room(call, project_id, commits).await?),
            }
        }
        stored => Ok(stored.map(drop)?),
    }
}

/// As quotas count them.
fn bytes(commits: &[push::Read]) -> i64 {
    i64::try_from(commits.iter().map(push::Read::bytes).sum::<usize>()).unwrap_or(i64::MAX)
}

/// Why commits whose parents are there were not stored.
async fn no_room(call: &Call<'_>, project_id: i64, commits: &[push::Read]) -> Result<Error> {
    let Quotas { project_bytes, instance_bytes, .. } = call.config.quotas;
    let used: Option<(Option<i64>, Option<i64>)> = call.store.ask(sql::bytes(project_id)).await?.first()?;
    let (of_project, of_all) = used.unwrap_or_default();
    let (of_project, of_all) = (of_project.unwrap_or_default(), of_all.unwrap_or_default());
    let sent = bytes(commits);
    let full = |what: &str, used: i64, most: i64| {
        let text = format!(
            "507 Insufficient Storage: {what} has {used} of {most} bytes of commits and diffs, and these need up to {sent}"
        );
        Error::Refused(507, text)
    };
    Ok(if project_bytes > 0 && of_project.saturating_add(sent) > project_bytes {
        full("this project", of_project, project_bytes)
    } else if instance_bytes > 0 && of_all.saturating_add(sent) > instance_bytes {
        full("this server", of_all, instance_bytes)
    } else {
        Error::message("a parent came meanwhile; send it again")
    })
}

/// Those of the hashes that are not there.
pub(super) async fn which_unknown(call: &Call<'_>, project_id: i64, shas: &[&str]) -> Result<Vec<String>> {
    let mut unknown = Vec::new();
    for rows in call.store.batch(sql::unknown(project_id, shas)).await? {
        unknown.extend(rows.all::<String>()?);
    }
    Ok(unknown)
}

/// The hook's own JSON bodies, read once its token is known to be good.
pub(super) async fn body<T: DeserializeOwned>(call: &Call<'_>) -> Result<T> {
    let read = match &call.request.body {
        Body::Unread(source) => source.0().await,
        body => body.clone(),
    };
    match read {
        Body::Bytes(bytes) => {
            serde_json::from_slice(&bytes).map_err(|error| Error::message(format!("body: {error}")))
        }
        Body::TooLarge => Err(Error::Refused(413, "413 Request Entity Too Large".to_owned())),
        Body::Broken | Body::Unread(_) => Err(Error::message("body: not gzip")),
    }
}
