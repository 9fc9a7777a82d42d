//! The lists of a whole server's projects.

use super::entity::Project;
use super::sql::ProjectRow;
use crate::call::{Call, SignedIn};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::policy::visible;
use crate::projects::sql::list::{ALL, VISIBLE};
use crate::store::{Rows, Statement, fill, sql};

/// Parameters of the lists of whole servers: their orders are those that an index has.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
struct ListAll {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Level>,
    order_by: Option<Age>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Private = visible!(Private),
    Internal = visible!(Internal),
    Public = visible!(Public),
}

/// A project with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Age {
    Id,
    CreatedAt,
}

/// One row more than the page has tells that there is a further one.
fn all(text: &'static str, filter: &ListAll, page: &Page) -> Statement {
    let ascending = filter.sort == Some(Sort::Asc);
    let ([past], offset) = page.begin([Key::Int(if ascending { 0 } else { 1 << 53 })]);
    let visibility = filter.visibility.map(|level| level as i64);
    let list = fill(text, &[("past", if ascending { ">" } else { "<" }), ("sort", Sort::word(filter.sort))]);
    sql!(list, filter.search.as_deref(), filter.archived, visibility, past, offset, page.size + 1)
}

fn read_all(call: &Call<'_>) -> Result<(ListAll, Page)> {
    let filter: ListAll = call.filters()?;
    // both orders are the same one
    let _ = filter.order_by;
    Ok((filter, call.page()?))
}

fn answer_all(call: &Call<'_>, page: &Page, entered: &SignedIn, rows: &Rows) -> Result<Reply> {
    let mut rows: Vec<ProjectRow> = rows.all()?;
    let total = page.cut(&mut rows);
    let cursor = rows.last().and_then(|row| page.next([row.project.id.into()]));
    let shown = |row| Project::new(row, &entered.caller, &entered.links);
    let projects: Vec<Project> = rows.into_iter().map(shown).collect();
    call.listing(page, total, &[], cursor, &projects)
}

/// GET /projects/all
pub async fn list_all(call: &Call<'_>) -> Result<Reply> {
    let input = read_all(call);
    let ((_, page), entered) = call.administer_with(input, |(filter, page)| all(ALL, filter, page)).await?;
    answer_all(call, &page, &entered, &entered.rows)
}

/// GET /projects/visible
pub async fn list_visible(call: &Call<'_>) -> Result<Reply> {
    let input = read_all(call);
    let ((_, page), entered) = call.sign_in_with(input, |(filter, page)| all(VISIBLE, filter, page)).await?;
    answer_all(call, &page, &entered, &entered.rows)
}
