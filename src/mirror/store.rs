//! `POST /projects/:id/mirror/commits`: stores commits with their edges and diffs, all or none.

use super::push::{self, Lies, Read};
use super::{body, sql, unknown};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::etag;
use crate::http::Reply;
use crate::quota::Quotas;
use crate::store::{Row, Statement};
use edgeforge_wire::object::Object;
use edgeforge_wire::text::hex;
use edgeforge_wire::{Push, Received};
use serde::Serialize;
use std::mem;

/// A row of the table `commits`.
#[derive(Serialize)]
struct CommitItem<'a> {
    sha: &'a str,
    author_name: &'a str,
    author_email: &'a str,
    authored_at: i64,
    author_zone: i32,
    committer_name: &'a str,
    committer_email: &'a str,
    committed_at: i64,
    committer_zone: i32,
    message: &'a str,
    additions: u64,
    deletions: u64,
    parent_shas: &'a [String],
}

impl CommitItem<'_> {
    fn new(commit: &Read) -> CommitItem<'_> {
        let Object { parents, texts, authored, committed, .. } = &commit.object;
        CommitItem {
            sha: &commit.id,
            author_name: &texts.author_name,
            author_email: &texts.author_email,
            authored_at: authored.seconds,
            author_zone: authored.zone,
            committer_name: &texts.committer_name,
            committer_email: &texts.committer_email,
            committed_at: committed.seconds,
            committer_zone: committed.zone,
            message: &texts.message,
            additions: commit.additions,
            deletions: commit.deletions,
            parent_shas: parents,
        }
    }
}

/// A row of the table `parents`.
#[derive(Serialize)]
struct Edge<'a> {
    child: &'a str,
    position: usize,
    parent: &'a str,
}

/// A row of the table `diffs`: a part of a diff, or what the database has of one that lies in the object store.
#[derive(Serialize)]
pub struct DiffItem<'a> {
    /// Hash or id.
    commit: &'a str,
    part: i64,
    text: &'a str,
    object: Option<&'a str>,
    bytes: Option<usize>,
    digest: Option<&'a str>,
}

impl<'a> DiffItem<'a> {
    pub fn new(commit: &'a str, part: i64, text: &'a str, lies: Option<&'a Lies>) -> DiffItem<'a> {
        let (object, bytes) = (lies.map(|lies| lies.object.as_str()), lies.map(|lies| lies.bytes));
        DiffItem { commit, part, text, object, bytes, digest: lies.map(|lies| lies.digest.as_str()) }
    }
}

/// What there is before a push.
#[derive(Row)]
struct Before {
    has_forgotten: bool,
    project_bytes: i64,
    all_bytes: i64,
    /// How the keys of its objects begin.
    place: String,
}

/// POST /projects/:id/mirror/commits
pub async fn push(call: &Call<'_>) -> Result<Reply> {
    let entry = call.authorize(sql::before_push {}).await?;
    let before: Option<Before> = entry.rows.first()?;
    let before = before.ok_or_else(|| Error::Internal("no row before a push".to_owned()))?;
    let apart = call.store.objects().is_some();
    let mut commits = body::<Push>(call).await.and_then(|push| push::read(push.commits, apart))?;
    // where there may be no room, the batch is refused, and no object is put that nothing names
    if call.config.quotas.leave(before.project_bytes, before.all_bytes, bytes(&commits)) {
        put_objects(call, &before.place, &mut commits).await?;
    }
    store(call, entry.resource.id, &commits, before.has_forgotten).await?;
    Ok(Reply::json(201, &Received { received: commits.len() }))
}

/// Puts the long diffs of commits into the object store (behaviour 7.3), before the rows that name them and under keys that
/// no other push uses: so a row always names what it was written for, and an object without a row is of no use to anybody.
async fn put_objects(call: &Call<'_>, place: &str, commits: &mut [Read]) -> Result<()> {
    let Some(objects) = call.store.objects() else { return Ok(()) };
    let mut random = hex(&call.random);
    random.truncate(16);
    let mut bodies = Vec::new();
    for (index, commit) in commits.iter_mut().enumerate() {
        let Some(paths) = commit.paths.take() else { continue };
        let diff = mem::replace(&mut commit.diff, paths);
        // a push may bring a commit twice
        let object = format!("{random}{index:x}");
        let digest = etag::digest(&diff);
        let key = format!("{place}{}-{object}", commit.id);
        commit.lies = Some(Lies { object, bytes: diff.len(), digest });
        bodies.push((key, diff));
    }
    if bodies.is_empty() { Ok(()) } else { Ok(objects.put(bodies).await?) }
}

/// Stores the commits, or says why not: a parent is missing, or there is no room. Which of them is asked for only then.
async fn store(call: &Call<'_>, project_id: i64, commits: &[Read], has_forgotten: bool) -> Result<()> {
    let outside = lists(push::outside_parents(commits));
    let batch = additions(project_id, commits, &outside, has_forgotten, call.config.quotas);
    match call.store.batch(batch).await {
        Err(failure) if failure.is_expectation() => {
            let unknown = unknown(call, project_id, outside).await?;
            match push::orphan(commits, &unknown) {
                Some(orphan) => Err(orphan),
                None => Err(no_room(call, project_id, commits).await?),
            }
        }
        stored => Ok(stored.map(drop)?),
    }
}

/// As quotas count them.
fn bytes(commits: &[Read]) -> i64 {
    i64::try_from(commits.iter().map(Read::bytes).sum::<usize>()).unwrap_or(i64::MAX)
}

#[derive(Row)]
struct Used {
    of_project: i64,
    of_all: i64,
}

/// Why commits whose parents are there were not stored.
async fn no_room(call: &Call<'_>, project_id: i64, commits: &[Read]) -> Result<Error> {
    let Quotas { project_bytes, instance_bytes, .. } = call.config.quotas;
    let used: Option<Used> = call.store.ask(sql::used { project_id }).await?.first()?;
    let Used { of_project, of_all } = used.unwrap_or(Used { of_project: 0, of_all: 0 });
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

/// Stores commits, if all parents from `outside` are there, in one batch; some may have been forgotten.
fn additions(
    project_id: i64,
    commits: &[Read],
    outside: &[String],
    has_forgotten: bool,
    quotas: Quotas,
) -> Vec<Statement> {
    let edges = commits.iter().flat_map(|commit| {
        let parents = commit.object.parents.iter().enumerate();
        parents.map(|(position, parent)| Edge { child: &commit.id, position, parent })
    });
    let diffs = commits.iter().flat_map(|commit| {
        // a short diff is part 0, found by its key alone; a long one has parts from 1
        let first = i64::from(commit.diff.len() > MOST_PART);
        let item = |(part, text)| DiffItem::new(&commit.id, part, text, commit.lies.as_ref());
        (first..).zip(parts(&commit.diff)).map(item)
    });
    let expect = |shas: &String| sql::expect_known { project_id, shas }.into();
    let mut batch: Vec<Statement> = outside.iter().map(expect).collect();
    batch.push(sql::begin_batch { project_id }.into());
    let rows = lists(commits.iter().map(CommitItem::new)).into_iter();
    batch.extend(rows.map(|commits| sql::add_commits { project_id, commits }.into()));
    batch.extend(lists(edges).into_iter().map(|edges| sql::add_parents { project_id, edges }.into()));
    batch.extend(lists(diffs).into_iter().map(|parts| sql::add_diffs { project_id, parts }.into()));
    if has_forgotten {
        for shas in lists(commits.iter().map(|commit| &commit.id)) {
            batch.push(sql::remember_bytes { project_id, shas: &shas }.into());
            batch.push(sql::remember { project_id, shas }.into());
        }
    }
    batch.push(sql::count_bytes { project_id }.into());
    let Quotas { project_bytes: of_project, instance_bytes: of_all, .. } = quotas;
    if of_project + of_all > 0 {
        batch.push(sql::expect_room { project_id, of_project, of_all }.into());
    }
    batch
}

/// Bytes of a diff in one row.
const MOST_PART: usize = 600_000;

/// A diff's text in pieces that fit a row.
fn parts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let mut end = text.len().min(MOST_PART);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (part, rest) = text.split_at(end);
        text = rest;
        Some(part)
    })
}

/// JSON arrays of the items, each short enough for one bind: D1 takes 2 MB, and a single item (a message of 900 kB with four
/// names) is below. And of so few items that a statement touches less than 10,000 rows.
pub fn lists(items: impl IntoIterator<Item = impl Serialize>) -> Vec<String> {
    const MOST_ITEMS: usize = 1500;
    const MOST_BYTES: usize = 600_000;
    let (mut lists, mut count): (Vec<String>, usize) = (Vec::new(), 0);
    for item in items {
        // texts and numbers can always be written
        let item = serde_json::to_string(&item).unwrap_or_default();
        match lists.last_mut() {
            Some(list) if list.len() + item.len() < MOST_BYTES && count < MOST_ITEMS => {
                count += 1;
                list.push(',');
                list.push_str(&item);
            }
            _ => {
                count = 1;
                lists.push(format!("[{item}"));
            }
        }
    }
    lists.iter_mut().for_each(|list| list.push(']'));
    lists
}
