use super::lists::lists;
use super::long_diffs::put_objects;
use super::push::{self, ParsedCommit, StoredObject};
use super::{body, sql, unknown};
use crate::kernel::call::reserving::Reservation;
use crate::kernel::{Call, Error, Reply, Result, Row, Statement};
use edgeforge_wire::limits;
use edgeforge_wire::object::{Object, Texts};
use edgeforge_wire::text::cut;
use edgeforge_wire::{Push, Received};
use serde::Serialize;

#[derive(Serialize)]
struct CommitItem<'a> {
    sha: &'a str,
    #[serde(flatten)]
    texts: &'a Texts,
    authored_at: i64,
    author_zone: i32,
    committed_at: i64,
    committer_zone: i32,
    additions: u64,
    deletions: u64,
    parent_shas: &'a [String],
    tree: &'a str,
}

impl CommitItem<'_> {
    fn new(commit: &ParsedCommit) -> CommitItem<'_> {
        let Object { tree, parents, texts, authored, committed, .. } = &commit.object;
        CommitItem {
            sha: &commit.id,
            texts,
            authored_at: authored.seconds,
            author_zone: authored.zone,
            committed_at: committed.seconds,
            committer_zone: committed.zone,
            additions: commit.additions,
            deletions: commit.deletions,
            parent_shas: parents,
            tree,
        }
    }
}

#[derive(Serialize)]
struct Edge<'a> {
    child: &'a str,
    position: usize,
    parent: &'a str,
}

/// A row of the table `diffs`: a part of a diff, or the paths of a diff in the object store.
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
    pub fn new(commit: &'a str, part: i64, text: &'a str, stored: Option<&'a StoredObject>) -> DiffItem<'a> {
        DiffItem {
            commit,
            part,
            text,
            object: stored.map(|stored| stored.object.as_str()),
            bytes: stored.map(|stored| stored.bytes),
            digest: stored.map(|stored| stored.digest.as_str()),
        }
    }
}

#[derive(Serialize)]
struct PathsItem<'a> {
    commit: &'a str,
    part: usize,
    text: &'a str,
}

#[derive(Row)]
pub struct PushState {
    has_forgotten: bool,
    extra_parents: i64,
    /// The start of the keys of the project's objects.
    place: String,
}

pub async fn push(call: &Call<'_>) -> Result<Reply> {
    let (entry, before) = call.authorize(sql::before_push {}).await?;
    let has_store = call.store.objects().is_some();
    let push = body::<Push>(call).await?;
    let received = push.commits.len();
    let mut commits = push::read(push.commits, has_store)?;
    check_extra_parents(before.extra_parents, &commits)?;
    let mut reserved = Reservation::none(call, entry.resource.id, 1);
    let outcome = store(call, entry.resource.id, &before, &mut commits, &mut reserved).await;
    reserved.end(outcome).await?;
    Ok(Reply::json(201, &Received { received }))
}

fn extra_parents(commits: &[ParsedCommit]) -> i64 {
    commits.iter().map(|commit| commit.object.parents.len().saturating_sub(2) as i64).sum()
}

/// 507 if the project gets too many parents beyond the second: a list reads all parents of the commits that it passes.
fn check_extra_parents(before: i64, commits: &[ParsedCommit]) -> Result<()> {
    let (sent, most) = (extra_parents(commits), limits::EXTRA_PARENTS);
    if sent == 0 || before + sent <= most {
        return Ok(());
    }
    let text = format!(
        "507 Insufficient Storage: the commits of this project have {before} of {most} parents beyond the second, and these have {sent}"
    );
    Err(Error::Refused(507, text))
}

/// Looks for the missing parent only if the batch is refused.
async fn store(
    call: &Call<'_>,
    project_id: i64,
    before: &PushState,
    commits: &mut [ParsedCommit],
    reserved: &mut Reservation<'_, '_>,
) -> Result<()> {
    put_objects(call, project_id, &before.place, before.has_forgotten, commits, reserved).await?;
    let outside = lists(push::outside_parents(commits));
    let batch = additions(project_id, call.person_id.get(), commits, &outside, before.has_forgotten);
    match reserved.write(batch).await {
        Err(failure) if failure.is_expectation() => {
            let unknown = unknown(call, project_id, outside).await?;
            match push::orphan(commits, &unknown) {
                Some(orphan) => Err(orphan),
                None => Err(Error::message("another push came meanwhile; send it again")),
            }
        }
        stored => Ok(stored.map(drop)?),
    }
}

/// `outside`: JSON arrays of the parents that must already be stored.
fn additions(
    project_id: i64,
    person_id: Option<i64>,
    commits: &[ParsedCommit],
    outside: &[String],
    has_forgotten: bool,
) -> Vec<Statement> {
    let edges = commits.iter().flat_map(|commit| {
        let parents = commit.object.parents.iter().enumerate();
        parents.map(|(position, parent)| Edge { child: &commit.id, position, parent })
    });
    let diffs = commits.iter().flat_map(|commit| {
        // a short diff is part 0, a long one has parts from 1
        let first = i64::from(commit.diff.len() > MOST_PART);
        let item = |(part, text)| DiffItem::new(&commit.id, part, text, commit.stored.as_ref());
        (first..).zip(parts(&commit.diff)).map(item)
    });
    let more_paths = commits.iter().flat_map(|commit| {
        let item = |(part, text)| PathsItem { commit: &commit.id, part, text };
        (0..).zip(parts_of_paths(&commit.more_paths)).map(item)
    });
    let expect = |shas: &String| sql::expect_known { project_id, shas }.into();
    let mut batch: Vec<Statement> = outside.iter().map(expect).collect();
    batch.push(sql::begin_batch { project_id }.into());
    let rows = lists(commits.iter().map(CommitItem::new)).into_iter();
    batch.extend(rows.map(|commits| sql::add_commits { project_id, commits }.into()));
    batch.extend(lists(edges).into_iter().map(|edges| sql::add_parents { project_id, edges }.into()));
    batch.extend(lists(diffs).into_iter().map(|parts| sql::add_diffs { project_id, person_id, parts }.into()));
    batch.extend(lists(more_paths).into_iter().map(|parts| sql::add_more_paths { project_id, parts }.into()));
    if has_forgotten {
        let shas = lists(commits.iter().map(|commit| &commit.id)).into_iter();
        batch.extend(shas.map(|shas| sql::remember { project_id, shas }.into()));
    }
    if extra_parents(commits) > 0 {
        batch.push(sql::count_extra_parents { project_id }.into());
        batch.push(sql::expect_extra_parents { project_id, most: limits::EXTRA_PARENTS }.into());
    }
    batch
}

/// Cuts the text between paths, so that each path is whole in one part. JSON may write a byte in six, and a bind has 2
/// MB.
fn parts_of_paths(mut text: &str) -> impl Iterator<Item = &str> {
    const MOST: usize = 300_000;
    std::iter::from_fn(move || {
        // both the part and the next one have the two slashes between them
        let end = match text.len() {
            0..=2 => return None,
            length if length <= MOST => length,
            _ => cut(text, MOST).rfind("//").filter(|at| *at > 0).map_or(text.len(), |at| at + 2),
        };
        let (part, _) = text.split_at_checked(end)?;
        text = text.get(end - 2..).unwrap_or_default();
        Some(part)
    })
}

const MOST_PART: usize = 600_000;

fn parts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let part = cut(text, MOST_PART);
        text = text.get(part.len()..).unwrap_or_default();
        (!part.is_empty()).then_some(part)
    })
}
