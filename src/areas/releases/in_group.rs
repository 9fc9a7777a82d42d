//! The newest releases of a group's projects.

use super::entity::Release;
use super::{GroupReleaseRow, sql};
use crate::kernel::paging::{MOST_FOUND, Sort};
use crate::kernel::{Call, Page, Parameters, Reply, Result};

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    sort: Option<Sort>,
    simple: bool,
}

/// Sorted by the day of the release.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?.reaching(MOST_FOUND))));
    let query = |(filter, page): &(Filter, Page)| sql::in_group {
        ascending: filter.sort == Some(Sort::Asc),
        page: page.clone(),
    };
    let ((filter, _), entry, releases) = call.authorize_with(input, query).await?;
    releases.reply(call, |GroupReleaseRow { release, project }| {
        let release = Release::new(release, call, &entry.of_project(project));
        if filter.simple { release.simple() } else { release }
    })
}
