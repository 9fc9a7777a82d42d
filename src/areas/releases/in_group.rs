//! The newest releases of a group's projects.

use super::ReleaseRow;
use super::entity::Release;
use super::sql;
use crate::kernel::call::{Call, Resource};
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::paging::{EVER, Key, MOST_FOUND, Page, Sort};
use crate::kernel::params::Parameters;
use crate::kernel::store::{Row, Statement};
use crate::kernel::walk;

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    sort: Option<Sort>,
    simple: bool,
}

#[derive(Debug, Row)]
struct GroupReleaseRow {
    #[row(flatten)]
    release: ReleaseRow,
    project: Resource,
}

fn query(filter: &Filter, page: &Page) -> Statement {
    let ascends = filter.sort == Some(Sort::Asc);
    let start = Key::Int(if ascends { -EVER } else { EVER });
    let ([at, id], skip) = page.begin([start.clone(), start]);
    sql::in_group { ascends, at, id, most: page.size + 1, skip }.into()
}

/// By the day of the release.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| {
        let page = call.page()?;
        page.check_within(MOST_FOUND)?;
        Ok((filter, page))
    });
    let ((filter, page), entry) =
        call.authorize_rows_with(input, |(filter, page)| query(filter, page)).await?;
    let rows = walk::page_of_rows(&entry.rows, &page, |row: &GroupReleaseRow| {
        [row.release.released_at.into(), row.release.id.into()]
    })?;
    rows.reply(call, &page, |GroupReleaseRow { release, project }| {
        let release = Release::new(release, call, &entry.of_project(project));
        if filter.simple { release.simple() } else { release }
    })
}
