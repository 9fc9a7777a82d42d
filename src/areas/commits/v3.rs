use super::history::{self, Bounds, Listing};
use super::{CommitRow, SingleRow, Stats, diffs, sql, title};
use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Page, Total};
use crate::kernel::params::Parameters;
use crate::kernel::store::{Row, Statement};
use crate::kernel::time;
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
    pub fn new(row: &mut CommitRow) -> Base {
        let message = std::mem::take(&mut row.message);
        Base {
            short_id: row.sha.chars().take(8).collect(),
            id: std::mem::take(&mut row.sha),
            title: title(&message),
            author_name: std::mem::take(&mut row.author_name),
            author_email: std::mem::take(&mut row.author_email),
            created_at: time::offset(row.committed_at, row.committer_zone),
            message,
        }
    }
}

impl ListedCommit {
    fn new(mut row: CommitRow) -> ListedCommit {
        ListedCommit { base: Base::new(&mut row), allow_failure: false }
    }
}

impl Commit {
    fn new(row: SingleRow) -> Commit {
        let status = row.builds.status();
        let mut row = row.commit;
        Commit {
            base: Base::new(&mut row),
            committed_date: time::offset(row.committed_at, row.committer_zone),
            authored_date: time::offset(row.authored_at, row.author_zone),
            stats: Stats::new(&row),
            status,
            parent_ids: row.parent_shas,
        }
    }
}

#[derive(Debug, Parameters, Default)]
struct Filter {
    ref_name: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

#[derive(Row)]
struct Count {
    total: Option<i64>,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = read(call);
    let ((bounds, page, _), entry) =
        call.authorize_rows_with(input, |(_, _, statements)| statements.clone()).await?;
    let listed = history::CommitPage::read(&entry.rows, bounds, &page)?;
    let commits: Vec<ListedCommit> = listed.commits.into_iter().map(ListedCommit::new).collect();
    let count: Option<Count> = entry.more.first().map(|rows| rows.first()).transpose()?.flatten();
    let total = match count.and_then(|count| count.total) {
        Some(total) => Total::Both(total, listed.has_more),
        None => Total::More(listed.has_more),
    };
    call.listing(&page, total, &[("id", &call.named())], listed.cursor, &commits)
}

fn read(call: &Call<'_>) -> Result<(Bounds, Page, Vec<Statement>)> {
    let filter: Filter = call.filters()?;
    let bounds = Bounds::read(filter.since.as_deref(), filter.until.as_deref())?;
    // the original counted the pages of this list from 0
    let page = call.page_counted_from(call.dialect.first_page_of_commits())?;
    let name = filter.ref_name.as_deref();
    let mut statements = vec![Listing { name, bounds, ..Listing::default() }.query(&page)?];
    if bounds == Bounds::default() {
        statements.push(sql::total { name }.into());
    }
    Ok((bounds, page, statements))
}

pub async fn show(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let entry = call.authorize_rows(super::one(sha)).await?;
    let row: SingleRow = entry.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &Commit::new(row)))
}

pub async fn diff(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let entry = call.authorize_rows(sql::diff { name: sha }).await?;
    diffs::reply(call, &entry.rows).await?.ok_or_else(|| Error::missing("Commit"))
}
