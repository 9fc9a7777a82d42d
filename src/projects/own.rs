//! The lists of the caller's projects. Each namespace gives no more of them than the page reaches.

use super::entity::Project;
use super::list::{Level, filtered};
use super::sql::{ProjectRow, project_json};
use crate::call::{Call, signed_in};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::store::{Row, Statement, fill, sql};

/// Parameters of the lists of the caller's projects.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
struct ListProjects {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Level>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

/// A project with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum OrderBy {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
}

/// What is listed of the alias `$p`: behind the key `?10` and the id `?11`, and by the filters `?7` search, `?8` archived,
/// `?9` visibility. `{p.key}` is the order's expression.
macro_rules! found {
    ($p:literal) => {
        concat!(
            "{",
            $p,
            ".key} {past}= (select ?10) and ({",
            $p,
            ".key} {past} (select ?10) or ",
            $p,
            ".id {past} (select ?11)) and ",
            filtered!($p)
        )
    };
}

/// The first of the alias `$p` in the list's order.
macro_rules! first {
    ($p:literal) => {
        concat!(" order by {", $p, ".key} {sort}, ", $p, ".id {sort} limit (select ?12 + ?13)")
    };
}

/// Which of the caller's (`c`) projects come on this page, and how many are there (null: very many)? `?12` passed over,
/// `?13` at most.
macro_rules! own {
    ($ranges:expr, $counted:expr, $whose:expr) => {
        signed_in!(
            "union all select v from (
  with page as materialized (
    select c.id as user_id, (select json_group_array(id) from (select id from (",
            $ranges,
            ") order by k {sort}, id {sort} limit (select ?13) offset (select ?12))) as ids,
    iif(?7 is null and ?8 is null and ?9 is null, ",
            $counted,
            ", (select iif(count(*) > 10000, null, count(*)) from (select 1 from (",
            $whose,
            ") w cross join projects p on p.id = w.id
      where ",
            filtered!("p"),
            " limit 10001))) as total from caller c
  )
  select iif(d.value = 0, json_object('total', page.total), json_object('project', json(",
            project_json!("page.user_id"),
            "))) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d left join projects p on p.id = d.value)"
        )
    };
}

/// In the caller's own namespace.
macro_rules! owned {
    () => {
        concat!(
            "select id, k from (select p.id, {p.key} as k from projects p where p.namespace_id = c.id and ",
            found!("p"),
            first!("p"),
            ")"
        )
    };
}

macro_rules! owned_counted {
    () => {
        "(select u.projects_count from users u where u.id = c.id)"
    };
}

macro_rules! owned_ids {
    () => {
        "select id from projects where namespace_id = c.id"
    };
}

const OWNED: &str = own!(owned!(), owned_counted!(), owned_ids!());

/// There, and where they or their group is a member.
const AUTHORIZED: &str = own!(
    concat!(
        owned!(),
        " union select id, k from (select p.id, {p.key} as k from project_members m cross join projects p on p.id = m.project_id
    where m.user_id = c.id and ", found!("p"), first!("p"), ")
  union select e.value ->> 0, e.value ->> 1 from group_members m cross join json_each((
    select json_group_array(json_array(id, k)) from (select x.id, {x.key} as k from projects x where x.namespace_id = m.group_id and ",
        found!("x"), first!("x"), "))) e where m.user_id = c.id"
    ),
    concat!(
        owned_counted!(),
        " + coalesce((select sum(g.projects_count) from group_members m cross join groups g on g.id = m.group_id
      where m.user_id = c.id), 0)
    + (select count(*) from project_members m cross join projects p on p.id = m.project_id
      where m.user_id = c.id and p.deleted_at is null and p.namespace_id <> c.id
        and not exists (select 1 from group_members g where g.user_id = c.id and g.group_id = p.namespace_id))"
    ),
    concat!(
        owned_ids!(),
        " union select project_id from project_members where user_id = c.id
    union select g.id from group_members m cross join projects g on g.namespace_id = m.group_id where m.user_id = c.id"
    )
);

#[derive(Row)]
enum Part {
    Total(Option<i64>),
    Project(Box<ProjectRow>),
}

impl OrderBy {
    fn of(filter: &ListProjects) -> OrderBy {
        match filter.order_by {
            None | Some(OrderBy::CreatedAt) => OrderBy::Id,
            Some(OrderBy::LastActivityAt) => OrderBy::UpdatedAt,
            Some(order) => order,
        }
    }

    /// The order's expression of an alias.
    fn key(self, alias: &str) -> String {
        match self {
            OrderBy::Name => format!("lower({alias}.name)"),
            OrderBy::Path => format!("lower({alias}.path)"),
            OrderBy::UpdatedAt | OrderBy::LastActivityAt => format!("{alias}.updated_at"),
            OrderBy::Id | OrderBy::CreatedAt => format!("{alias}.id"),
        }
    }

    /// What comes before all.
    fn beginning(self, ascending: bool) -> Key {
        match self {
            OrderBy::Name | OrderBy::Path => Key::from(if ascending { "" } else { "\u{10ffff}" }),
            _ => Key::Int(if ascending { 0 } else { 1 << 53 }),
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    fn of_row(self, row: &ProjectRow) -> Key {
        match self {
            OrderBy::Name => Key::Text(row.project.name.to_ascii_lowercase()),
            OrderBy::Path => Key::Text(row.project.path.to_ascii_lowercase()),
            OrderBy::UpdatedAt | OrderBy::LastActivityAt => Key::Int(row.project.updated_at),
            OrderBy::Id | OrderBy::CreatedAt => Key::Int(row.project.id),
        }
    }
}

fn query(text: &str, filter: &ListProjects, page: &Page) -> Statement {
    let (order, ascending) = (OrderBy::of(filter), filter.sort == Some(Sort::Asc));
    let beginning = [order.beginning(ascending), Key::Int(if ascending { 0 } else { 1 << 53 })];
    let ([key, id], offset) = page.begin(beginning);
    let visibility = filter.visibility.map(|level| level as i64);
    let (p, x) = (order.key("p"), order.key("x"));
    let pieces = [
        ("p.key", p.as_str()),
        ("x.key", x.as_str()),
        ("past", if ascending { ">" } else { "<" }),
        ("sort", Sort::word(filter.sort)),
    ];
    let list = fill(text, &pieces);
    sql!(list, filter.search.as_deref(), filter.archived, visibility, key, id, offset, page.size + 1)
}

async fn listed(call: &Call<'_>, text: &str) -> Result<Reply> {
    let input = call.filters::<ListProjects>().and_then(|filter| Ok((filter, call.page()?)));
    let ((filter, page), entered) =
        call.sign_in_with(input, |(filter, page)| query(text, filter, page)).await?;
    let (mut rows, mut total) = (Vec::new(), None);
    for part in entered.rows.all()? {
        match part {
            Part::Total(count) => total = count,
            Part::Project(row) => rows.push(*row),
        }
    }
    if filter.search.is_some() || filter.archived.is_some() || filter.visibility.is_some() {
        // where it stands in its index, and itself
        call.store.note_counted(2 * total.unwrap_or(10_001).unsigned_abs());
    }
    let total = page.cut_counted(&mut rows, total);
    let order = OrderBy::of(&filter);
    let cursor = rows.last().and_then(|row| page.next([order.of_row(row), row.project.id.into()]));
    let shown = |row| Project::new(row, &entered.caller, &entered.links);
    let projects: Vec<Project> = rows.into_iter().map(shown).collect();
    call.listing(&page, total, &[], cursor, &projects)
}

/// GET /projects
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    listed(call, AUTHORIZED).await
}

/// GET /projects/owned
pub async fn list_owned(call: &Call<'_>) -> Result<Reply> {
    listed(call, OWNED).await
}
