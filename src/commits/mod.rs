//! Commits of a project's repository mirror (specification, "Commits"; behaviour 7).

pub mod counts;
pub mod diffs;
pub mod entity;
mod history;
pub mod sql;
mod trailers;
pub mod v4;

use crate::call::Call;
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::params::Parameters;
use crate::policy::Action;
use entity::{Commit, Listed};
use history::{Asked, Bounds};
use sql::Judged;

/// Parameters of `GET /projects/:id/repository/commits`.
#[derive(Debug, Parameters, Default)]
pub struct ListCommits {
    ref_name: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

/// GET /projects/:id/repository/commits
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<ListCommits>().and_then(|filter| {
        let (bounds, page) = (bounds(filter.since.as_deref(), filter.until.as_deref())?, page(call)?);
        let name = filter.ref_name.as_deref();
        let asked = Asked { name, bounds, all: false, first_parent: false, counts: true, kept: None };
        let query = history::query(asked, &page)?;
        Ok((bounds, page, query))
    });
    let ((bounds, page, _), entered) =
        call.enter_with(id, Action::ReadCommits, input, |(_, _, query)| query.clone()).await?;
    let listed = history::Listed::from(&entered.rows, bounds, None, &page, call.is_cut.get())?;
    let commits: Vec<Listed> = listed.commits.into_iter().map(Listed::new).collect();
    let total =
        listed.total.map_or(Total::More(listed.has_more), |total| Total::Both(total, listed.has_more));
    call.listing(&page, total, &[("id", id)], listed.cursor, &commits)
}

/// The page asked for; the original counted the pages of this list from 0.
fn page(call: &Call<'_>) -> Result<Page> {
    call.page_counted_from(call.dialect.first_page_of_commits())
}

/// `since` and `until` in seconds, both inclusive.
fn bounds(since: Option<&str>, until: Option<&str>) -> Result<Bounds> {
    let mut errors = ValidationErrors::default();
    let since = errors.read_time("since", since);
    let until = errors.read_time("until", until);
    errors.result()?;
    let up = |millis: i64| millis.div_euclid(1000) + i64::from(millis % 1000 != 0);
    Ok(Bounds { since: since.map(up), until: until.map(|millis| millis.div_euclid(1000)) })
}

/// GET /projects/:id/repository/commits/:sha
pub async fn show(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::ReadCommits, sql::one(sha)).await?;
    let row: Judged = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    Ok(Reply::json(200, &Commit::new(row)))
}

/// GET /projects/:id/repository/commits/:sha/diff
pub async fn diff(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::ReadCommits, sql::diff(sha)).await?;
    diffs::reply(call, &entered.rows).await?.ok_or_else(|| Error::missing("Commit"))
}
