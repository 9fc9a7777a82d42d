//! Commits found by a text of their messages, or by their hash (behaviour 17).

use super::{Commit, Pipeline, With, page_of};
use crate::call::{Call, Entry};
use crate::commits::counts::Counts;
use crate::commits::history::{Bounds, Listed, Listing};
use crate::commits::pipeline::PipelineRow;
use crate::commits::{CommitRow, SingleRow, one, sql};
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
pub async fn search(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| {
        let page = call.page()?;
        Ok((search.queries(&page)?, page))
    });
    let ((_, page), entry) = call.authorize_with(input, |(queries, _)| queries.clone()).await?;
    let named: Option<SingleRow> = entry.more.first().map(|rows| rows.first()).transpose()?.flatten();
    if let Some(SingleRow { commit, counts, last_pipeline }) = named {
        let built = Built { counts, last_pipeline, ..Built::default() };
        return call.listing(&page, Total::Untold(false), &[], None, &[shown(commit, built, &entry)]);
    }
    let listed = Listed::read(&entry.rows, Bounds::default(), &page)?;
    let mut built = built(call, &entry, &listed.commits).await?;
    let commits: Vec<Commit> = listed
        .commits
        .into_iter()
        .map(|row| {
            let built = built.remove(&row.sha).unwrap_or_default();
            shown(row, built, &entry)
        })
        .collect();
    call.listing(&page, Total::Untold(listed.has_more), &[], listed.cursor, &commits)
}

async fn built(call: &Call<'_>, entry: &Entry, commits: &[CommitRow]) -> Result<HashMap<String, Built>> {
    if commits.is_empty() {
        return Ok(HashMap::new());
    }
    let shas: Vec<&str> = commits.iter().map(|row| row.sha.as_str()).collect();
    let query = sql::built { project_id: entry.resource.id, shas: json!(shas).to_string() };
    let rows: Vec<Built> = call.store.ask(query).await?.all()?;
    Ok(rows.into_iter().map(|row| (row.sha.clone(), row)).collect())
}
