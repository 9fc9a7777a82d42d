//! What differs between two commits (behaviour 15.1).

mod changes;
mod diff;
mod files;
mod reading;
mod renames;

use super::reader::{Reader, Revision};
use super::sql;
use crate::areas::commits::CommitRow;
use crate::areas::commits::diffs::StoredDiff;
use crate::areas::commits::history::rank;
use crate::areas::commits::sides::{Sides, SidesWanted};
use crate::kernel::{Call, Entry, Error, Result, Row};
use files::files;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// The most commits of an answer, and the most bytes of them as JSON.
const MOST_COMMITS: usize = 10_000;
const MOST_BYTES: i64 = 8_000_000;

pub struct CompareResult {
    /// The oldest comes first.
    pub commits: Vec<CommitRow>,
    pub files: Vec<StoredDiff>,
    /// Whether something was left out.
    pub is_cut: bool,
    pub is_same: bool,
    /// The hashes between which the files are compared.
    pub ends: [String; 2],
}

#[derive(Row)]
pub struct ListedCommit {
    pub commit: CommitRow,
}

/// `straight`: the comparison starts at `from` itself, not at the common ancestor.
pub async fn compare_commits(call: &Call<'_>, [from, to]: [&str; 2], straight: bool) -> Result<(CompareResult, Entry)> {
    let (entry, sides) = Sides::find(call, [from, to], SidesWanted::All).await?;
    let sides = sides.map_err(|_| Error::missing("Ref"))?;
    if sides.ahead.len() > MOST_COMMITS {
        return Err(Error::unprocessable(format!("more than {MOST_COMMITS} commits to compare")));
    }
    let begin = if straight { Some(sides.from) } else { sides.base };
    let (commits, ats) = read(call, entry.resource.id, &sides, begin).await?;
    let is_same = sides.from == sides.to;
    // without a common ancestor the first is that of `from`
    let ends = [begin.unwrap_or(sides.from), sides.to].map(|id| sha_of(&ats, id).to_owned());
    let mut result = CompareResult { commits, files: Vec::new(), is_cut: false, is_same, ends };
    let old = begin.and_then(|id| ats.iter().find(|end| end.id == id));
    let new = ats.iter().find(|end| end.id == sides.to);
    if let (Some(old), Some(new)) = (old, new)
        && old.id != new.id
    {
        let old = Reader::of(call, &entry, Some(old.at.clone()), "Ref")?;
        (result.files, result.is_cut) = files([&old, &old.beside(&new.at)]).await?;
    }
    Ok((result, entry))
}

#[derive(Row)]
struct End {
    id: i64,
    #[row(flatten)]
    at: Revision,
}

fn sha_of(ats: &[End], id: i64) -> &str {
    ats.iter().find(|end| end.id == id).map_or("", |end| &end.at.sha)
}

async fn read(
    call: &Call<'_>,
    project_id: i64,
    sides: &Sides,
    begin: Option<i64>,
) -> Result<(Vec<CommitRow>, Vec<End>)> {
    let ids = json!([Some(sides.from), Some(sides.to), begin]).to_string();
    let all = json!(sides.ahead).to_string();
    let (ends, length) = call.store.ask((sql::ends { project_id, ids }, sql::length_of { ids: all })).await?;
    let (ends, length): (Vec<End>, Option<i64>) = (ends.all()?, length.first()?);
    if length.is_some_and(|bytes| bytes > MOST_BYTES) {
        return Err(Error::unprocessable(format!("the commits have more than {MOST_BYTES} bytes")));
    }
    let listed = |ids: &[i64]| sql::commits { project_id, ids: json!(ids).to_string() };
    let queries: Vec<_> = sides.ahead.chunks(1000).map(listed).collect();
    let mut commits: Vec<CommitRow> = Vec::new();
    for rows in call.store.ask(queries).await? {
        commits.extend(rows.all::<ListedCommit>()?.into_iter().map(|listed| listed.commit));
    }
    let mut commits = as_git_lists(commits, sha_of(&ends, sides.to));
    commits.reverse();
    Ok((commits, ends))
}

/// The order in which git lists commits. It starts at `tip`. Next is always the newest of the parents seen so far; of equal dates, the one seen first.
fn as_git_lists(commits: Vec<CommitRow>, tip: &str) -> Vec<CommitRow> {
    let mut left: HashMap<String, CommitRow> = commits.into_iter().map(|commit| (commit.sha.clone(), commit)).collect();
    let mut queue = BTreeMap::new();
    let mut listed: Vec<CommitRow> = Vec::with_capacity(left.len());
    let mut queued = 0_u64;
    let mut next = left.remove(tip);
    while let Some(commit) = next {
        for parent in commit.parent_shas.iter().filter_map(|sha| left.remove(sha)) {
            queued += 1;
            queue.insert((rank(parent.committed_at), Reverse(queued)), parent);
        }
        listed.push(commit);
        next = queue.pop_last().map(|(_, commit)| commit);
    }
    listed
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/compare.rs"]
mod tests;
