//! Lists of projects.

use super::entity::Project;
use super::sql::{ProjectRow, project_json};
use crate::call::{Call, SignedIn, signed_in};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Total};
use crate::sql;
use crate::store::{Rows, Statement};
use serde::Deserialize;

/// Parameters of the lists of the caller's projects.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
struct ListProjects {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Level>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

/// Parameters of the lists of whole servers: their orders are those that an index has.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
struct ListAll {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Level>,
    order_by: Option<Age>,
    sort: Option<Sort>,
}

#[derive(Debug, Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Level {
    Private = 0,
    Internal = 10,
    Public = 20,
}

#[derive(Debug, Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum OrderBy {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
}

/// A project with a higher id was made later.
#[derive(Debug, Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Age {
    Id,
    CreatedAt,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Asc,
    Desc,
}

impl Sort {
    fn word(sort: Option<Sort>) -> &'static str {
        if sort == Some(Sort::Asc) { "asc" } else { "desc" }
    }
}

/// The filters on the alias `p`: `?7` search, `?8` archived, `?9` visibility.
macro_rules! filtered {
    () => {
        "p.deleted_at is null and p.visibility = coalesce(?9, p.visibility) and p.archived = coalesce(?8, p.archived)
    and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path), lower(?7))
      or instr(lower(p.description), lower(?7)))"
    };
}

/// Which of the caller's projects (`{whose}`) come on this page, and how many are there? Every one of them is looked
/// at, and no other.
const OWN: &str = signed_in!(
    "union all select v from (
  with mine as materialized (select p.id, {key} as k from ({whose}) w cross join projects p on p.id = w.id where ",
    filtered!(),
    ")
  select json_object('total', (select count(*) from mine)) as v
  union all select json_object('project', json(",
    project_json!("(select id from caller)"),
    ")) from (select id from mine order by k {sort}, id {sort} limit (select ?11) offset (select ?10)) page
  cross join projects p on p.id = page.id)"
);

/// In the caller's own namespace.
const OWNED: &str = "select id from projects where namespace_id = (select id from caller)";

/// There, and where he or his group is a member.
const AUTHORIZED: &str = "select id from projects where namespace_id = (select id from caller)
    union select project_id from project_members where user_id = (select id from caller)
    union select g.id from group_members m cross join projects g on g.namespace_id = m.group_id
      where m.user_id = (select id from caller)";

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Total(i64),
    Project(Box<ProjectRow>),
}

fn own(whose: &str, filter: &ListProjects, page: &Page) -> Statement {
    let key = match filter.order_by.unwrap_or(OrderBy::CreatedAt) {
        OrderBy::Id => "p.id",
        OrderBy::Name => "lower(p.name)",
        OrderBy::Path => "lower(p.path)",
        OrderBy::CreatedAt => "p.created_at",
        OrderBy::UpdatedAt | OrderBy::LastActivityAt => "p.updated_at",
    };
    let text = OWN.replace("{whose}", whose).replace("{key}", key).replace("{sort}", Sort::word(filter.sort));
    let visibility = filter.visibility.map(|level| level as i64);
    let mut statement =
        sql!("", filter.search.as_deref(), filter.archived, visibility, page.offset(), page.size);
    statement.sql = text.into();
    statement
}

async fn list_own(call: &Call<'_>, whose: &str) -> Result<Reply> {
    let input = call.query::<ListProjects>(&[]).and_then(|filter| Ok((filter, call.page()?)));
    let question = input.as_ref().map(|(filter, page)| own(whose, filter, page)).map_err(Error::clone);
    let entered = call.sign_in(question).await?;
    let (_, page) = input?;
    let (mut projects, mut total) = (Vec::new(), 0);
    for part in entered.rows.all()? {
        match part {
            Part::Total(number) => total = number,
            Part::Project(row) => projects.push(Project::new(*row, &entered.caller, &entered.links)),
        }
    }
    call.listing(&page, Total::Known(total), &[], None, &projects)
}

/// GET /projects
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    list_own(call, AUTHORIZED).await
}

/// GET /projects/owned
pub async fn list_owned(call: &Call<'_>) -> Result<Reply> {
    list_own(call, OWNED).await
}

/// Which projects past `?10`, and after `?11` others, are there? `?12` at most.
const ALL: &str = signed_in!(
    "union all select v from (select ",
    project_json!("(select id from caller)"),
    " as v from caller cross join projects p where p.id {past} ?10 and caller.admin and ",
    filtered!(),
    " order by p.id {sort} limit (select ?12) offset (select ?11))"
);

/// One range of an index: projects past `?10`.
macro_rules! range {
    ($from:literal) => {
        concat!(
            "select id from (select p.id from ",
            $from,
            " and p.id {past} ?10 and ",
            filtered!(),
            " order by p.id {sort} limit (select ?11 + ?12))"
        )
    };
}

/// Which projects past `?10`, and after `?11` others, may the caller see: internal and public ones and his own?
const VISIBLE: &str = signed_in!(
    "union all select v from (select ",
    project_json!("(select id from caller)"),
    " as v from (select id from (",
    range!("projects p where p.visibility = (select 10 from caller where sees_from <= 10)"),
    " union ",
    range!("projects p where p.visibility = (select 20 from caller)"),
    " union ",
    range!("projects p where p.namespace_id = (select id from caller)"),
    " union ",
    range!(
        "project_members m cross join projects p on p.id = m.project_id where m.user_id = (select id from caller)"
    ),
    " union ",
    range!(
        "group_members m cross join projects p on p.namespace_id = m.group_id where m.user_id = (select id from caller)"
    ),
    ") order by id {sort} limit (select ?12) offset (select ?11)) page cross join projects p on p.id = page.id)"
);

/// One row more than the page has tells that there is a further one.
fn all(text: &'static str, filter: &ListAll, page: &Page) -> Statement {
    let ascending = filter.sort == Some(Sort::Asc);
    let ([past], offset) = page.begin([Key::Int(if ascending { 0 } else { 1 << 53 })]);
    let visibility = filter.visibility.map(|level| level as i64);
    let mut statement =
        sql!("", filter.search.as_deref(), filter.archived, visibility, past, offset, page.size + 1);
    let text = text.replace("{past}", if ascending { ">" } else { "<" });
    statement.sql = text.replace("{sort}", Sort::word(filter.sort)).into();
    statement
}

fn read_all(call: &Call<'_>) -> Result<(ListAll, Page)> {
    let filter: ListAll = call.query(&[])?;
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
    let question = input.as_ref().map(|(filter, page)| all(ALL, filter, page)).map_err(Error::clone);
    let entered = call.administer(question).await?;
    answer_all(call, &input?.1, &entered, &entered.rows)
}

/// GET /projects/visible
pub async fn list_visible(call: &Call<'_>) -> Result<Reply> {
    let input = read_all(call);
    let question = input.as_ref().map(|(filter, page)| all(VISIBLE, filter, page)).map_err(Error::clone);
    let entered = call.sign_in(question).await?;
    answer_all(call, &input?.1, &entered, &entered.rows)
}
