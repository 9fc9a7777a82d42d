//! Commits found by a text of their messages, or by their hash (behaviour 17).

use super::counts::Counts;
use super::history::{Bounds, Listed, Listing};
use super::pipeline::{Basic as Pipeline, PipelineRow};
use super::v4::{Commit, With, page_of};
use super::{CommitRow, SingleRow, one, sql};
use crate::call::{Call, Entry};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::params::Parameters;
use crate::store::{Row, Statement};
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
    fn queries(&self, page: &Page) -> Result<Vec<Statement>> {
        let text = self.search.as_deref().unwrap_or_default().trim();
        let listing = Listing { name: self.name.as_deref(), message: Some(text), ..Listing::default() };
        let is_hash = text.len() >= SHORTEST_HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let named = (is_hash && !page.follows()).then(|| one(text));
        Ok([listing.query(page)?].into_iter().chain(named).collect())
    }
}

/// What is known of the builds of a commit.
#[derive(Row, Default)]
struct Built {
    sha: String,
    counts: Option<Counts>,
    last_pipeline: Option<PipelineRow>,
}

fn shown(row: CommitRow, built: Built, entry: &Entry) -> Commit {
    let (project_id, page) = (entry.resource.id, page_of(&entry.resource, &entry.links));
    let status = built.counts.and_then(|counts| counts.aggregate());
    let pipeline = built.last_pipeline.map(|row| Pipeline::new(row, project_id, &page));
    Commit::new(row, &page, With { stats: true, trailers: true }).alone(status, project_id, pipeline)
}

/// In the order of the list of commits.
pub async fn in_project(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| {
        let page = call.page()?;
        Ok((search.queries(&page)?, page))
    });
    let ((_, page), entry) = call.authorize_with(input, |(queries, _)| queries.clone()).await?;
    if let Some(row) = entry.more.first().map(|rows| rows.first::<SingleRow>()).transpose()?.flatten() {
        let SingleRow { commit, counts, last_pipeline } = row;
        let built = Built { counts, last_pipeline, ..Built::default() };
        return call.listing(&page, Total::Untold(false), &[], None, &[shown(commit, built, &entry)]);
    }
    let listed = Listed::read(&entry.rows, Bounds::default(), &page)?;
    let commits = with_builds(call, &entry, listed.commits).await?;
    call.listing(&page, Total::Untold(listed.has_more), &[], listed.cursor, &commits)
}

async fn with_builds(call: &Call<'_>, entry: &Entry, commits: Vec<CommitRow>) -> Result<Vec<Commit>> {
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    let shas: Vec<&str> = commits.iter().map(|row| row.sha.as_str()).collect();
    let query = sql::built { project_id: entry.resource.id, shas: json!(shas).to_string() };
    let built: Vec<Built> = call.store.ask(query).await?.all()?;
    let mut built: HashMap<String, Built> = built.into_iter().map(|row| (row.sha.clone(), row)).collect();
    let with = |row: CommitRow| {
        let built = built.remove(&row.sha).unwrap_or_default();
        shown(row, built, entry)
    };
    Ok(commits.into_iter().map(with).collect())
}
