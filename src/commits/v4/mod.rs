//! Commits in v4 (behaviour 13.3).

pub mod entity;

use super::history::{self, Asked, Bounds, Kept};
use super::{bounds, sql};
use crate::call::{Call, Visited};
use crate::commits::diffs;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::params::Parameters;
use crate::policy::Action;
use crate::store::{self, Statement};
use entity::{Changed, Commit, Stored, With, page_of};
use serde::Serialize;

/// Parameters of `GET /projects/:id/repository/commits`.
#[derive(Parameters, Default)]
#[param(default)]
struct ListParams {
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
#[param(rename_all = "lowercase")]
enum WalkOrder {
    Default,
    Topo,
}

/// `a..b`: what the one name has and the other has not. A name that is left out is the default branch.
fn range(name: Option<&str>) -> Option<[Option<&str>; 2]> {
    let (without, with) = name?.split_once("..")?;
    Some([without, with].map(|name| Some(name).filter(|name| !name.is_empty())))
}

/// A list as it was asked for.
struct Listing {
    params: ListParams,
    bounds: Bounds,
    page: Page,
}

impl Listing {
    fn read(call: &Call<'_>) -> Result<Listing> {
        let params: ListParams = call.filters()?;
        let bounds = read_bounds(&params)?;
        Ok(Listing { params, bounds, page: call.page()? })
    }

    /// The names of a range, where one is asked for.
    fn range(&self) -> Option<[Option<&str>; 2]> {
        range(self.params.ref_name.as_deref()).filter(|_| !self.params.all)
    }

    /// Which of the commits that are walked are listed. `without`: none of these.
    fn kept(&self, without: Vec<i64>) -> Option<Kept> {
        let path = self.params.path.as_deref().map(|path| path.trim_matches('/').to_owned());
        let path = path.filter(|path| !path.is_empty());
        Some(Kept { author: self.params.author.clone(), path, without })
            .filter(|kept| *kept != Kept::default())
    }

    fn query(&self, kept: Option<&Kept>) -> Result<Statement> {
        let ListParams { ref_name, all, first_parent, .. } = &self.params;
        let name = self.range().map_or(ref_name.as_deref(), |[_, with]| with).filter(|_| !all);
        let asked =
            Asked { name, bounds: self.bounds, all: *all, first_parent: *first_parent, counts: false, kept };
        history::query(asked, &self.page)
    }

    fn reply(&self, call: &Call<'_>, visited: &Visited, kept: Option<&Kept>) -> Result<Reply> {
        let Listing { params, bounds, page } = self;
        let listed = history::Listed::from(&visited.rows, *bounds, kept, page, call.is_cut.get())?;
        let at = page_of(&visited.resource, &visited.links);
        let with = With { stats: params.with_stats, trailers: params.trailers };
        let commits: Vec<Commit> =
            listed.commits.into_iter().map(|row| Commit::new(row, &at, with)).collect();
        call.listing(page, Total::Untold(listed.has_more), &[], listed.cursor, &commits)
    }
}

/// GET /projects/:id/repository/commits
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = Listing::read(call);
    let mut without = Vec::new();
    if let Some([name, _]) = input.as_ref().ok().and_then(Listing::range) {
        let visited = call.visit(id, Action::ReadCommits, history::left_out(name)?).await?;
        without = history::walked(&visited.rows)?;
        if without.is_empty() {
            return call.listing(&input?.page, Total::Untold(false), &[], None, &[] as &[Commit]);
        }
    }
    let kept = input.as_ref().ok().and_then(|listing| listing.kept(without));
    let input = input.and_then(|listing| Ok((listing.query(kept.as_ref())?, listing)));
    let ((_, listing), visited) =
        call.visit_with(id, Action::ReadCommits, input, |(query, _)| query.clone()).await?;
    listing.reply(call, &visited, kept.as_ref())
}

/// What is no time is told as the framework tells it.
fn read_bounds(params: &ListParams) -> Result<Bounds> {
    let given = [("since", &params.since), ("until", &params.until)];
    let wrong =
        given.iter().find(|(_, text)| text.as_deref().is_some_and(|text| crate::time::read(text).is_none()));
    match wrong {
        Some((name, _)) => Err(Error::invalid(name)),
        None => bounds(params.since.as_deref(), params.until.as_deref()),
    }
}

/// Parameters of `GET /projects/:id/repository/commits/:sha`.
#[derive(Parameters)]
struct ShowParams {
    stats: Option<bool>,
}

/// GET /projects/:id/repository/commits/:sha
pub async fn show(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.filters::<ShowParams>();
    let (params, visited) = call.visit_with(id, Action::ReadCommits, input, |_| sql::one(sha)).await?;
    let row: sql::Judged = visited.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    let with = With { stats: params.stats.unwrap_or(true), trailers: true };
    let status = row.counts.and_then(|counts| counts.aggregate());
    let commit = Commit::new(row.commit, &page_of(&visited.resource, &visited.links), with);
    Ok(Reply::json(200, &commit.alone(status, visited.resource.id)))
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/diff`.
#[derive(Parameters, Default)]
#[param(default)]
struct DiffParams {
    unidiff: bool,
}

/// GET /projects/:id/repository/commits/:sha/diff
pub async fn diff(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.filters::<DiffParams>().and_then(|params| Ok((params, call.page()?)));
    let ((params, page), visited) =
        call.visit_with(id, Action::ReadCommits, input, |_| sql::diff(sha)).await?;
    let text = diffs::text(call, &visited.rows).await?.ok_or_else(|| Error::missing("Commit"))?;
    let stored: Vec<Stored> = store::decode(&text)?;
    let count = stored.len() as i64;
    let shown = stored.into_iter().skip(usize::try_from(page.offset()).unwrap_or(usize::MAX));
    let mut shown: Vec<Changed> = shown
        .take(usize::try_from(page.size + 1).unwrap_or_default())
        .map(|stored| Changed::new(stored, params.unidiff))
        .collect();
    let total = page.cut_counted(&mut shown, Some(count));
    Ok(call.listing(&page, total, &[], None, &shown)?.with_strong_tag())
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/sequence`.
#[derive(Parameters, Default)]
#[param(default)]
struct SequenceParams {
    first_parent: bool,
}

#[derive(Serialize)]
struct Sequence {
    count: i64,
}

/// GET /projects/:id/repository/commits/:sha/sequence
pub async fn sequence(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.filters::<SequenceParams>();
    let query = |params: &SequenceParams| sql::reached(sha, params.first_parent);
    let (_, visited) = call.visit_with(id, Action::ReadCommits, input, query).await?;
    let count: i64 = visited.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    if count == 10_001 {
        return Err(Error::message("400 Bad request - More than 10000 commits would have to be counted"));
    }
    Ok(Reply::json(200, &Sequence { count }))
}

/// GET /projects/:id/repository/commits/:sha/signature: of a commit that is there, none is kept.
pub async fn signature(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let visited = call.visit(id, Action::ReadCommits, sql::one(sha)).await?;
    let commit: Option<sql::Judged> = visited.rows.first()?;
    Err(Error::missing(if commit.is_some() { "Signature" } else { "Commit" }))
}

/// GET /projects/:id/repository/commits/:sha/merge_requests
pub async fn merge_requests(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let (page, visited) = call.visit_with(id, Action::ReadCommits, call.page(), |_| sql::one(sha)).await?;
    visited.rows.first::<sql::Judged>()?.ok_or_else(|| Error::missing("Commit"))?;
    crate::empty::reply(call, &page)
}
