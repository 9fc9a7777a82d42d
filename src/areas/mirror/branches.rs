//! Assigns each commit to the default branch if that contains it, otherwise to the first branch in byte order that does
//! (behaviour 8.2). That is the least of the branches that end at the commit and of its children's branches, if the
//! default branch counts as "".
//!
//! When a ref moves, its old and its new commit are queued. Queued commits are assigned again, newest first. If the
//! branch of a commit changes, its parents are queued. An empty queue means that all branches are right. One request
//! handles a bounded number of commits. The rest stays queued with the old branches until the next request.

use super::sql;
use crate::kernel::gather::Gather;
use crate::kernel::store::Rows;
use crate::kernel::{Call, Result, Row, Statement};
use serde::Serialize;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

/// Commits that one statement reads: few at first, because most pushes are small, and later as many as 10,000 rows
/// allow.
const FIRST_CHUNKS: [i64; 2] = [24, 200];
const CHUNK: i64 = 650;

/// A request stops after so many chunks or milliseconds of the database.
const MOST_CHUNKS: usize = 24;
const MOST_MILLIS: f64 = 2000.0;

const SCANNED_AT_ONCE: i64 = 1000;

#[derive(Debug, Default, Row)]
struct Progress {
    version: i64,
    /// The scan continues after this hash. None without a scan.
    scan_after: Option<String>,
}

/// The default branch is "" in all fields, so that it is the least.
#[derive(Debug, Row)]
struct Commit {
    id: i64,
    committed_at: i64,
    branch: Option<String>,
    queued: bool,
    /// The least of the branches that end here.
    tip: Option<String>,
    /// The least branch of the children outside the chunk.
    above: Option<String>,
    parents: Vec<CommitDate>,
}

#[derive(Debug, Row, Serialize, PartialEq)]
struct CommitDate {
    id: i64,
    committed_at: i64,
}

#[derive(Debug, Serialize, PartialEq)]
struct BranchMove {
    id: i64,
    branch: Option<String>,
}

#[derive(Debug, Default, PartialEq)]
struct SettledChunk {
    moved: Vec<BranchMove>,
    /// The parents of `moved` outside the chunk: dates by id.
    queued: BTreeMap<i64, i64>,
    done: Vec<i64>,
}

/// [`settle`] takes the rows of both statements.
pub fn begin(project_id: i64) -> [Statement; 2] {
    next(project_id, FIRST_CHUNKS[0])
}

fn next(project_id: i64, size: i64) -> [Statement; 2] {
    [sql::progress { project_id }.into(), sql::chunk { project_id, size }.into()]
}

fn read(mut answers: Vec<Rows>) -> Result<(Progress, Vec<Commit>)> {
    let chunk = answers.pop().unwrap_or_default();
    let progress = answers.pop().unwrap_or_default();
    Ok((progress.first()?.unwrap_or_default(), chunk.all()?))
}

/// Handles the chunk in the last two answers, and then the next ones. True if all branches are right.
pub async fn settle(call: &Call<'_>, project_id: i64, mut answers: Vec<Rows>) -> Result<bool> {
    let sizes = FIRST_CHUNKS.into_iter().skip(1).chain(std::iter::repeat(CHUNK)).take(MOST_CHUNKS);
    for size in sizes {
        let (Progress { version, scan_after }, chunk) = read(answers)?;
        let mut batch = match scan_after {
            None if chunk.is_empty() => return Ok(true),
            Some(after) if chunk.is_empty() => scan(project_id, version, &after),
            _ => store(project_id, version, &find(&chunk)),
        };
        batch.extend(next(project_id, size));
        answers = match call.store.batch(batch).await {
            // another request has moved refs or assigned branches, so read the queue again
            Err(failure) if failure.is_expectation() => call.store.batch(next(project_id, size).into()).await?,
            outcome => outcome?,
        };
        if call.store.cost().millis > MOST_MILLIS {
            break;
        }
    }
    let (progress, chunk) = read(answers)?;
    Ok(chunk.is_empty() && progress.scan_after.is_none())
}

fn store(project_id: i64, version: i64, found: &SettledChunk) -> Vec<Statement> {
    let mut batch: Vec<Statement> = vec![
        sql::expect_version { project_id, version }.into(),
        sql::count_version { project_id }.into(),
        sql::unqueue { commits: json!(found.done).to_string() }.into(),
    ];
    if !found.moved.is_empty() {
        let moved = json!(found.moved).to_string();
        batch.push(sql::count_moved { project_id, moved: &moved }.into());
        batch.push(sql::move_commits { project_id, moved }.into());
    }
    if !found.queued.is_empty() {
        let queued = found.queued.iter().map(|(id, committed_at)| CommitDate { id: *id, committed_at: *committed_at });
        let commits = json!(queued.collect::<Vec<_>>()).to_string();
        batch.push(sql::queue { project_id, commits }.into());
    }
    batch
}

fn scan(project_id: i64, version: i64, after: &str) -> Vec<Statement> {
    vec![
        sql::expect_version { project_id, version }.into(),
        sql::count_version { project_id }.into(),
        sql::scan { project_id, after, size: SCANNED_AT_ONCE }.into(),
        sql::scanned_to { project_id, after, size: SCANNED_AT_ONCE }.into(),
    ]
}

/// Assigns the queued commits of a chunk, and the commits in it whose children change their branch.
fn find(chunk: &[Commit]) -> SettledChunk {
    let rows: HashMap<i64, &Commit> = chunk.iter().map(|row| (row.id, row)).collect();
    // for each parent: the children in the chunk that are not done, and the least branch of those that are done
    let mut open: HashMap<i64, usize> = HashMap::new();
    let mut above: HashMap<i64, &str> = HashMap::new();
    for parent in chunk.iter().flat_map(|row| &row.parents) {
        *open.entry(parent.id).or_default() += 1;
    }
    let mut due: BTreeSet<i64> = chunk.iter().filter(|row| row.queued).map(|row| row.id).gather();
    let mut found = SettledChunk { done: due.iter().copied().collect(), ..SettledChunk::default() };
    // children before parents
    let mut ready: BinaryHeap<(i64, Reverse<i64>)> =
        chunk.iter().filter(|row| !open.contains_key(&row.id)).map(|row| (row.committed_at, Reverse(row.id))).collect();
    while let Some((_, Reverse(id))) = ready.pop() {
        let Some(row) = rows.get(&id) else { continue };
        let mut branch = row.branch.as_deref();
        if due.remove(&id) {
            let ends = [row.tip.as_deref(), row.above.as_deref(), above.get(&id).copied()];
            branch = ends.into_iter().flatten().min();
            if branch != row.branch.as_deref() {
                found.moved.push(BranchMove { id, branch: branch.map(str::to_owned) });
                for parent in &row.parents {
                    if rows.contains_key(&parent.id) {
                        due.insert(parent.id);
                    } else {
                        found.queued.insert(parent.id, parent.committed_at);
                    }
                }
            }
        }
        for parent in &row.parents {
            if let Some(branch) = branch {
                above.entry(parent.id).and_modify(|least| *least = branch.min(*least)).or_insert(branch);
            }
            let left = open.entry(parent.id).or_default();
            *left = left.saturating_sub(1);
            if let Some(row) = rows.get(&parent.id).filter(|_| *left == 0) {
                ready.push((row.committed_at, Reverse(row.id)));
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/mirror/branches.rs"]
mod tests;
