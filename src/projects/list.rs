//! The lists of a whole server's projects.

use super::entity::Project;
use super::sql::{ProjectRow, project_json};
use crate::call::{Call, SignedIn, signed_in};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::policy::visible;
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

/// The filters on an alias: `?7` search, `?8` archived, `?9` visibility.
macro_rules! filtered {
    ($p:literal) => {
        concat!(
            $p,
            ".deleted_at is null and ",
            $p,
            ".visibility = coalesce(?9, ",
            $p,
            ".visibility) and ",
            $p,
            ".archived = coalesce(?8, ",
            $p,
            ".archived) and (?7 is null or instr(lower(",
            $p,
            ".name), lower(?7)) or instr(lower(",
            $p,
            ".path), lower(?7))
      or instr(lower(",
            $p,
            ".description), lower(?7)))"
        )
    };
}

pub(super) use filtered;

/// Which projects past `?10`, and after `?11` others, are there? `?12` at most.
const ALL: &str = signed_in!(
    "union all select v from (select ",
    project_json!("(select id from caller)"),
    " as v from caller cross join projects p where p.id {past} ?10 and caller.admin and ",
    filtered!("p"),
    " order by p.id {sort} limit (select ?12) offset (select ?11))"
);

/// One range of an index: projects past `?10`.
macro_rules! range {
    ($from:expr) => {
        concat!(
            "select id from (select p.id from ",
            $from,
            " and p.id {past} ?10 and ",
            filtered!("p"),
            " order by p.id {sort} limit (select ?11 + ?12))"
        )
    };
}

/// Which projects past `?10`, and after `?11` others, may the caller `c` see: internal and public ones and their own?
const VISIBLE: &str = signed_in!(
    "union all select v from (
  with page as materialized (select c.id as user_id, (select json_group_array(id) from (select id from (",
    range!(concat!("projects p where p.visibility = iif(c.sees_from <= ", visible!(Internal), ", ", visible!(Internal), ", null)")),
    " union ",
    range!(concat!("projects p where p.visibility = ", visible!(Public))),
    " union ",
    range!("project_members m cross join projects p on p.id = m.project_id where m.user_id = c.id"),
    " union ",
    "select e.value from (select c.id as id union all select m.group_id from group_members m where m.user_id = c.id) own
    cross join json_each((select json_group_array(id) from (select x.id from projects x
      where x.namespace_id = own.id and x.id {past} ?10 and ",
    filtered!("x"),
    " order by x.id {sort} limit (select ?11 + ?12)))) e)
    order by id {sort} limit (select ?12) offset (select ?11))) as ids from caller c)
  select ",
    project_json!("page.user_id"),
    " as v from page cross join json_each(page.ids) d cross join projects p on p.id = d.value)"
);

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
