use super::history::{self, Bounds, Listing};
use super::{CommitRow, SingleRow, Stats, diffs, sql};
use crate::kernel::paging::Total;
use crate::kernel::text::title::title;
use crate::kernel::time;
use crate::kernel::{Call, Error, Page, Parameters, Reply, Result, Statement};
use serde::Serialize;

/// The fields that lists, single commits and deployments share.
#[derive(Debug, Serialize)]
pub struct Base {
    id: String,
    short_id: String,
    title: String,
    author_name: String,
    author_email: String,
    created_at: String,
    message: String,
}

#[derive(Debug, Serialize)]
struct ListedCommit {
    #[serde(flatten)]
    base: Base,
    allow_failure: bool,
}

#[derive(Debug, Serialize)]
struct Commit {
    #[serde(flatten)]
    base: Base,
    committed_date: String,
    authored_date: String,
    parent_ids: Vec<String>,
    stats: Stats,
    status: Option<&'static str>,
}

impl Base {
    pub fn new(row: CommitRow) -> Base {
        Base {
            short_id: row.sha.chars().take(8).collect(),
            id: row.sha,
            title: title(&row.message),
            author_name: row.author_name,
            author_email: row.author_email,
            created_at: time::offset(row.committed_at, row.committer_zone),
            message: row.message,
        }
    }
}

impl Commit {
    fn new(SingleRow { commit: row, builds }: SingleRow) -> Commit {
        Commit {
            committed_date: time::offset(row.committed_at, row.committer_zone),
            authored_date: time::offset(row.authored_at, row.author_zone),
            stats: Stats::new(&row),
            status: builds.status(),
            parent_ids: row.parent_shas.clone(),
            base: Base::new(row),
        }
    }
}

#[derive(Debug, Parameters, Default)]
struct Filter {
    ref_name: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = read(call);
    let ((bounds, page, _), _, (rows, length)) = call.authorize_with(input, |(_, _, queries)| queries.clone()).await?;
    let listed = history::CommitPage::read(&rows, length.as_ref(), bounds, &page)?;
    let shown = |row| ListedCommit { base: Base::new(row), allow_failure: false };
    let commits: Vec<ListedCommit> = listed.commits.into_iter().map(shown).collect();
    let total = match listed.length.filter(|_| bounds == Bounds::default()) {
        Some(total) => Total::Both(total, listed.has_more),
        None => Total::More(listed.has_more),
    };
    call.listing(&page, total, &[("id", &call.named())], listed.cursor, &commits)
}

fn read(call: &Call<'_>) -> Result<(Bounds, Page, (Statement, Option<Statement>))> {
    let filter: Filter = call.filters()?;
    let bounds = Bounds::read(filter.since.as_deref(), filter.until.as_deref())?;
    // the original counted the pages of this list from 0
    let page = call.page_counted_from(call.dialect.first_page_of_commits())?;
    let page = bounds.within_reach(page, false, false);
    let name = filter.ref_name.as_deref();
    let list = Listing { name, bounds, ..Listing::default() };
    let length = (bounds == Bounds::default() || page.is_beyond()).then(|| list.length());
    let queries = (list.query(&page)?, length);
    Ok((bounds, page, queries))
}

pub async fn show(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (_, rows) = call.authorize(super::one(sha)).await?;
    let row: SingleRow = rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &Commit::new(row)))
}

pub async fn diff(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (_, rows) = call.authorize(sql::diff { name: sha }).await?;
    diffs::reply(call, &rows).await?.ok_or_else(|| Error::missing("Commit"))
}
