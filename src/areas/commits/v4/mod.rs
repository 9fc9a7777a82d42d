mod diff;

use super::history::{Bounds, CommitPage, Listing, Range, check_tips, last_parent};
use super::pipeline::BasicPipeline as Pipeline;
use super::{Builds, CommitRow, SingleRow, Stats, sql, trailers::Trailers};
use crate::kernel::paging::Total;
use crate::kernel::store::Rows;
use crate::kernel::text::title::title;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Page, Parameters, Reply, Result};
pub use diff::{FileDiff, diff};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Lists have `stats` on request. Only a single commit has `status`, `project_id` and `last_pipeline`.
#[derive(Debug, Serialize)]
pub struct Commit {
    id: String,
    short_id: String,
    created_at: String,
    parent_ids: Vec<String>,
    title: String,
    message: String,
    author_name: String,
    author_email: String,
    authored_date: String,
    committer_name: String,
    committer_email: String,
    committed_date: String,
    trailers: BTreeMap<String, String>,
    extended_trailers: BTreeMap<String, Vec<String>>,
    web_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Option<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_pipeline: Option<Option<Pipeline>>,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct CommitExtras {
    pub stats: bool,
    pub trailers: bool,
}

impl Commit {
    pub fn new(row: CommitRow, page: &str, with: CommitExtras) -> Commit {
        let created_at = time::offset_with_millis(row.committed_at, row.committer_zone);
        let trailers = if with.trailers { Trailers::of(&row.message) } else { Trailers::default() };
        Commit {
            short_id: row.sha.chars().take(8).collect(),
            committed_date: created_at.clone(),
            created_at,
            title: title(&row.message),
            authored_date: time::offset_with_millis(row.authored_at, row.author_zone),
            trailers: trailers.last,
            extended_trailers: trailers.all,
            web_url: format!("{page}/-/commit/{}", row.sha),
            stats: with.stats.then(|| Stats::new(&row)),
            id: row.sha,
            parent_ids: row.parent_shas,
            message: row.message,
            author_name: row.author_name,
            author_email: row.author_email,
            committer_name: row.committer_name,
            committer_email: row.committer_email,
            status: None,
            project_id: None,
            last_pipeline: None,
        }
    }

    /// A single commit, with its builds.
    pub(super) fn single(row: CommitRow, builds: Builds, entry: &Entry, with: CommitExtras) -> Commit {
        let (project_id, page) = (entry.resource.id, entry.resource.page(&entry.links));
        let status = builds.status();
        let pipeline = builds.last_pipeline.map(|row| Pipeline::new(row, project_id, &page));
        Commit {
            status: Some(status),
            project_id: Some(project_id),
            last_pipeline: Some(pipeline),
            ..Commit::new(row, &page, with)
        }
    }
}

#[derive(Parameters, Default)]
#[param(default)]
struct Filter {
    ref_name: Option<String>,
    since: Option<String>,
    until: Option<String>,
    with_stats: bool,
    trailers: bool,
    all: bool,
    first_parent: bool,
    #[expect(dead_code, reason = "both are the order of git's own walk")]
    order: Option<WalkOrder>,
    path: Option<String>,
    author: Option<String>,
}

#[derive(Parameters)]
enum WalkOrder {
    Default,
    Topo,
}

struct ListRequest {
    filter: Filter,
    bounds: Bounds,
    page: Page,
}

impl ListRequest {
    fn read(call: &Call<'_>) -> Result<ListRequest> {
        let mut filter: Filter = call.filters()?;
        // as git reads a path
        let path = filter.path.iter().flat_map(|path| path.split('/')).filter(|name| !name.is_empty());
        filter.path = Some(path.collect::<Vec<_>>().join("/")).filter(|path| !path.is_empty());
        // the framework's error comes before those of `Bounds::read`
        for (name, text) in [("since", &filter.since), ("until", &filter.until)] {
            if text.as_deref().is_some_and(|text| time::read(text).is_none()) {
                return Err(Error::invalid(name));
            }
        }
        let bounds = Bounds::read(filter.since.as_deref(), filter.until.as_deref())?;
        let mut asked = ListRequest { filter, bounds, page: call.page()? };
        asked.page = bounds.within_reach(asked.page.clone(), asked.range().is_some(), asked.filter.all);
        Ok(asked)
    }

    /// Both names of `a..b`, the commits of `b` that `a` lacks. A name that is None is the default branch.
    fn range(&self) -> Option<[Option<&str>; 2]> {
        let (without, with) = self.filter.ref_name.as_deref()?.split_once("..").filter(|_| !self.filter.all)?;
        Some([without, with].map(|name| Some(name).filter(|name| !name.is_empty())))
    }

    fn listing<'a>(&'a self, range: Option<&'a Range>) -> Listing<'a> {
        let Filter { ref_name, all, first_parent, author, path, .. } = &self.filter;
        let name = ref_name.as_deref();
        let (all, first_parent, author, path) = (*all, *first_parent, author.as_deref(), path.as_deref());
        Listing { name, bounds: self.bounds, all, first_parent, author, message: None, path, range }
    }

    fn reply(&self, call: &Call<'_>, entry: &Entry, rows: &Rows, length: Option<&Rows>) -> Result<Reply> {
        let ListRequest { filter, bounds, page } = self;
        let listed = CommitPage::read(rows, length, *bounds, page)?;
        let at = entry.resource.page(&entry.links);
        let with = CommitExtras { stats: filter.with_stats, trailers: filter.trailers };
        let commits: Vec<Commit> = listed.commits.into_iter().map(|row| Commit::new(row, &at, with)).collect();
        call.listing(page, Total::Hidden(listed.has_more), &[], listed.cursor, &commits)
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let asked = ListRequest::read(call);
    let range = match asked.as_ref().ok().and_then(|asked| Some((asked.range()?, &asked.page))) {
        Some((names, page)) => Some(Range::find(call, names, page).await?),
        None => None,
    };
    if range.as_ref().is_some_and(|range| range.waiting.is_empty()) {
        return call.listing(&asked?.page, Total::Hidden(false), &[], None, &[] as &[Commit]);
    }
    let input = asked.and_then(|asked| Ok((asked.listing(range.as_ref()).queries(&asked.page)?, asked)));
    let ((_, asked), entry, (rows, tips, length)) = call.authorize_with(input, |(queries, _)| queries.clone()).await?;
    tips.as_ref().map_or(Ok(()), check_tips)?;
    asked.reply(call, &entry, &rows, length.as_ref())
}

#[derive(Parameters)]
struct ShowParams {
    stats: Option<bool>,
}

pub async fn show(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (params, entry, rows) = call.authorize_with(call.filters::<ShowParams>(), |_| super::one(sha)).await?;
    let row: SingleRow = rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    let with = CommitExtras { stats: params.stats.unwrap_or(true), trailers: false };
    Ok(Reply::json(200, &Commit::single(row.commit, row.builds, &entry, with)))
}

#[derive(Parameters, Default)]
#[param(default)]
struct SequenceParams {
    first_parent: bool,
}

pub async fn sequence(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.filters::<SequenceParams>();
    let query = |params: &SequenceParams| sql::reached { name: sha, last_parent: last_parent(params.first_parent) };
    let (_, _, rows) = call.authorize_with(input, query).await?;
    let count: i64 = rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    if count == 10_001 {
        return Err(Error::message("400 Bad request - More than 10000 commits would have to be counted"));
    }
    Ok(Reply::json(200, &json!({ "count": count })))
}

/// Always 404, because signatures are not stored.
pub async fn signature(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (_, rows) = call.authorize(super::one(sha)).await?;
    Err(Error::missing(if rows.is_empty() { "Commit" } else { "Signature" }))
}

pub async fn merge_requests(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (page, _, rows) = call.authorize_with(call.page(), |_| super::one(sha)).await?;
    if rows.is_empty() {
        return Err(Error::missing("Commit"));
    }
    crate::kernel::empty_answers::reply(call, &page)
}
