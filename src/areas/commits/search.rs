//! Commits found by a text of their messages, or by their hash (behaviour 17).

use super::history::{Bounds, CommitPage, Listing};
use super::v4::{Commit, CommitExtras};
use super::{Builds, CommitRow, SingleRow, one, sql};
use crate::kernel::paging::Total;
use crate::kernel::{Call, Entry, Page, Parameters, Reply, Result, Row, Statement};
use serde_json::json;
use std::collections::HashMap;

/// Digits of a hash that name a commit.
const SHORTEST_HASH: usize = 7;

#[derive(Parameters)]
struct Search {
    search: Option<String>,
    #[param(rename = "ref")]
    name: Option<String>,
}

impl Search {
    /// The commits with the text, and the commit with the hash.
    fn queries(&self, page: &Page) -> Result<(Statement, Option<Statement>)> {
        let text = self.search.as_deref().unwrap_or_default().trim();
        let listing = Listing { name: self.name.as_deref(), message: Some(text), ..Listing::default() };
        let is_hash = text.len() >= SHORTEST_HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let named = (is_hash && !page.follows()).then(|| one(text));
        Ok((listing.query(page)?, named))
    }
}

#[derive(Row)]
struct CommitBuilds {
    sha: String,
    #[row(flatten)]
    builds: Builds,
}

fn shown(row: CommitRow, builds: Builds, entry: &Entry) -> Commit {
    Commit::single(row, builds, entry, CommitExtras { stats: true, trailers: false })
}

/// Lists the matches in the order of the list of commits.
pub async fn in_project(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| {
        let page = call.page()?;
        Ok((search.queries(&page)?, page))
    });
    let ((_, page), entry, (rows, named)) = call.authorize_with(input, |(queries, _)| queries.clone()).await?;
    if let Some(row) = named.unwrap_or_default().first::<SingleRow>()? {
        let commit = shown(row.commit, row.builds, &entry);
        let first: Vec<Commit> = page.is_first().then_some(commit).into_iter().collect();
        return call.listing(&page, Total::Hidden(false), &[], None, &first);
    }
    let listed = CommitPage::read(&rows, None, Bounds::default(), &page)?;
    let commits = with_builds(call, &entry, listed.commits).await?;
    call.listing(&page, Total::Hidden(listed.has_more), &[], listed.cursor, &commits)
}

async fn with_builds(call: &Call<'_>, entry: &Entry, commits: Vec<CommitRow>) -> Result<Vec<Commit>> {
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    let shas: Vec<&str> = commits.iter().map(|row| row.sha.as_str()).collect();
    let query = sql::built { project_id: entry.resource.id, shas: json!(shas).to_string() };
    let built: Vec<CommitBuilds> = call.store.ask(query).await?.all()?;
    let mut builds: HashMap<String, Builds> = built.into_iter().map(|row| (row.sha, row.builds)).collect();
    let with = |row: CommitRow| {
        let builds = builds.remove(&row.sha).unwrap_or_default();
        shown(row, builds, entry)
    };
    Ok(commits.into_iter().map(with).collect())
}
