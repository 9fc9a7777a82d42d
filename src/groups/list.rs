//! Lists of groups and namespaces.

use super::entity::Group;
use super::sql::GroupRow;
use crate::call::Call;
use crate::error::Result;
use crate::groups::sql::list::{LIST, NAMESPACES};
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use crate::store::{Row, Statement, sql};
use serde::Serialize;

#[derive(Debug, Parameters, Default)]
#[serde(default)]
struct Filter {
    search: Option<String>,
}

fn query(text: &'static str, filter: &Filter, page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(text, after, offset, page.size + 1, filter.search.as_deref())
}

/// GET /groups
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let ((_, page), entered) = call.sign_in_with(input, |(filter, page)| query(LIST, filter, page)).await?;
    let mut rows: Vec<GroupRow> = entered.rows.all()?;
    let total = page.cut(&mut rows);
    let cursor = rows.last().and_then(|row| page.next([row.id.into()]));
    let groups: Vec<Group> = rows.into_iter().map(|row| Group::new(row, &entered.links)).collect();
    call.listing(&page, total, &[], cursor, &groups)
}

/// A name under which projects live.
#[derive(Debug, Row, Serialize)]
struct Namespace {
    id: i64,
    path: String,
    kind: String,
}

/// GET /namespaces
pub async fn namespaces(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let ((_, page), entered) =
        call.sign_in_with(input, |(filter, page)| query(NAMESPACES, filter, page)).await?;
    let mut rows: Vec<Namespace> = entered.rows.all()?;
    let total = page.cut(&mut rows);
    let cursor = rows.last().and_then(|row| page.next([row.id.into()]));
    call.listing(&page, total, &[], cursor, &rows)
}
