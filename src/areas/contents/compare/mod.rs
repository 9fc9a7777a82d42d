//! What differs between two commits (behaviour 15.1).

mod budget;
mod changes;
mod files;
mod lines;
mod order;
mod patch;
mod reading;
mod renames;
mod search;
mod similar;
mod sliding;

use super::reader::{Reader, Revision};
use super::sql;
use crate::areas::commits::CommitRow;
use crate::areas::commits::diffs::StoredDiff;
use crate::areas::commits::sides::{Sides, SidesWanted};
use crate::kernel::{Call, Entry, Error, Result, Row};
use files::files;
use order::as_git_lists;
use serde_json::json;

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
pub async fn compare(call: &Call<'_>, [from, to]: [&str; 2], straight: bool) -> Result<(CompareResult, Entry)> {
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
    let mut compared = CompareResult { commits, files: Vec::new(), is_cut: false, is_same, ends };
    let old = begin.and_then(|id| ats.iter().find(|end| end.id == id));
    let new = ats.iter().find(|end| end.id == sides.to);
    if let (Some(old), Some(new)) = (old, new)
        && old.id != new.id
    {
        let old = Reader::at(call, &entry, &old.at)?;
        (compared.files, compared.is_cut) = files([&old, &old.beside(&new.at)]).await?;
    }
    Ok((compared, entry))
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
