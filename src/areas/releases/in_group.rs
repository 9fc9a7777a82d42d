//! The newest releases of a group's projects.

use super::entity::Release;
use super::{GroupReleaseRow, sql};
use crate::kernel::paging::{EVER, Key, MOST_FOUND, Sort};
use crate::kernel::walk::{self, CountedRows};
use crate::kernel::{Call, Page, Parameters, PreparedQuery, Query, Reply, Result};

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    sort: Option<Sort>,
    simple: bool,
}

fn query(filter: &Filter, page: &Page) -> PreparedQuery<CountedRows<GroupReleaseRow>> {
    let ascends = filter.sort == Some(Sort::Asc);
    let start = Key::Int(if ascends { -EVER } else { EVER });
    let ([at, id], skip) = page.begin([start.clone(), start]);
    (sql::in_group { ascends, at, id, most: page.size + 1, skip }, sql::count_in_group {}).prepare()
}

/// Sorted by the day of the release.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?.reaching(MOST_FOUND))));
    let ((filter, page), entry, (rows, total)) =
        call.authorize_with(input, |(filter, page)| query(filter, page)).await?;
    let rows = walk::page(rows, &page, |row| [row.release.released_at.into(), row.release.id.into()]).with_count(total);
    rows.reply(call, &page, |GroupReleaseRow { release, project }| {
        let release = Release::new(release, call, &entry.of_project(project));
        if filter.simple { release.simple() } else { release }
    })
}
