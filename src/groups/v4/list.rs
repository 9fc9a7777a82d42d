//! The list of groups in v4: those that the caller may see.

use super::Group;
use crate::call::{Call, signed_in};
use crate::error::{Error, Result};
use crate::groups::sql::{GroupRow, group_json};
use crate::http::Reply;
use crate::page::{Key, Page};
use crate::policy::{level, visible};
use crate::projects::list::{Level, Sort};
use crate::store::Statement;
use crate::{sql, walk};
use serde::Deserialize;
use serde_json::json;

/// Parameters of `GET /groups`.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
struct Filter {
    search: Option<String>,
    owned: bool,
    min_access_level: Option<i64>,
    visibility: Option<Level>,
    skip_groups: Vec<i64>,
    order_by: Option<Order>,
    sort: Option<Sort>,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Default)]
#[serde(rename_all = "snake_case")]
enum Order {
    #[default]
    Name,
    Path,
    Id,
}

impl Order {
    /// The order's expression of the alias `x`.
    fn key(self) -> &'static str {
        match self {
            Order::Name => "lower(x.name)",
            Order::Path => "lower(x.path)",
            Order::Id => "x.id",
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    fn of_row(self, row: &GroupRow) -> Key {
        match self {
            Order::Name => Key::Text(row.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.path.to_ascii_lowercase()),
            Order::Id => Key::Int(row.id),
        }
    }
}

/// The first `?10` groups `x` of a range in the list's order, behind the key `?8` and the id `?9`.
macro_rules! range {
    ($of:expr) => {
        concat!(
            "json_each((select json_group_array(json_array(id, k)) from (select distinct x.id, {key} as k from ",
            $of,
            " and {key} {past}= (select ?8) and ({key} {past} (select ?8) or x.id {past} (select ?9))
          order by {key} {sort}, x.id {sort} limit (select ?10)))) e"
        )
    };
}

/// Which groups does the caller see, or with `?7` is a member of with at least that level? Of the first `?10` those that
/// have `?13` in name or path, the visibility `?14`, and are none of `?15`; `?11` at most behind `?12` others.
const LIST: &str = signed_in!(
    "union all select v from (
  with walk as materialized (
    select (select json_group_array(json_array(id, k)) from (select id, k from (
      select e.value ->> 0 as id, e.value ->> 1 as k from json_each(iif(?7 is not null, '[]', iif(s.admin, json_array(",
    visible!(Private), ", ", visible!(Internal), ", ", visible!(Public), "), iif(s.sees_from <= ", visible!(Internal),
    ", json_array(", visible!(Internal), ", ", visible!(Public), "), json_array(", visible!(Public), "))))) l
        cross join ", range!("groups x where x.visibility = l.value"), "
      union select e.value ->> 0, e.value ->> 1 from ",
    range!("group_members m cross join groups x on x.id = m.group_id where m.user_id = s.id and m.access >= coalesce(?7, 0)"), "
      union select e.value ->> 0, e.value ->> 1 from ",
    range!("project_members m cross join projects p on p.id = m.project_id and p.deleted_at is null
          cross join groups x on x.id = p.namespace_id where m.user_id = iif(?7 is null, s.id, null)"),
    ") order by k {sort}, id {sort} limit (select ?10))) as items from caller s
  ), page as materialized (
    select w.items, (select json_group_array(json(v)) from (select json_object('group', ", group_json!(), ") as v
      from json_each(w.items) e cross join groups g on g.id = e.value ->> 0
      where (?13 is null or instr(lower(g.name), lower(?13)) or instr(lower(g.path), lower(?13)))
        and g.visibility = coalesce(?14, g.visibility) and g.id not in (select value from json_each(?15))
      limit (select ?11) offset (select ?12))) as found from walk w
  )
  select d.value as v from page cross join json_each(json_insert(page.found, '$[#]', json_object('end',
    json(iif(json_array_length(page.found) < ?11, page.items -> cast(?10 - 1 as integer), null))))) d)"
);

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Group(Box<GroupRow>),
    /// Id and key where the walk for the page ended.
    End(Option<(i64, Key)>),
}

fn query((filter, page): &(Filter, Page)) -> Statement {
    let order = filter.order_by.unwrap_or_default();
    let ascending = filter.sort != Some(Sort::Desc);
    let end = if ascending { 0 } else { 1 << 53 };
    let beginning = match order {
        Order::Id => Key::Int(end),
        Order::Name | Order::Path => Key::from(if ascending { "" } else { "\u{10ffff}" }),
    };
    let ([key, id], offset) = page.begin([beginning, Key::Int(end)]);
    let owned = filter.owned.then_some(level!(Owner));
    let least = owned.max(filter.min_access_level);
    let is_filtered =
        filter.search.is_some() || filter.visibility.is_some() || !filter.skip_groups.is_empty();
    let mut statement = sql!(
        "",
        least,
        key,
        id,
        walk::steps(page, offset, is_filtered),
        page.size + 1,
        offset,
        filter.search.as_deref(),
        filter.visibility.map(|level| level as i64),
        json!(filter.skip_groups).to_string()
    );
    let (past, sort) = if ascending { (">", "asc") } else { ("<", "desc") };
    let pieces = [("{key}", order.key()), ("{past}", past), ("{sort}", sort)];
    let text = pieces.iter().fold(LIST.to_owned(), |text, (place, piece)| text.replace(place, piece));
    statement.sql = text.into();
    statement
}

/// GET /groups
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| {
        if filter.min_access_level.is_some_and(|level| ![5, 10, 15, 20, 30, 40, 50].contains(&level)) {
            return Err(Error::framework("min_access_level does not have a valid value"));
        }
        Ok((filter, call.page_or_keyset()?))
    });
    let ((filter, page), found) = call.browse_with(input, query).await?;
    let (mut rows, mut end) = (Vec::new(), None);
    for part in found.rows.all()? {
        match part {
            Part::Group(row) => rows.push(*row),
            Part::End(place) => end = place.map(|(id, key)| [key, Key::Int(id)]),
        }
    }
    let order = filter.order_by.unwrap_or_default();
    let (total, cursor) =
        walk::cut(&page, &mut rows, end, |row: &GroupRow| [order.of_row(row), row.id.into()]);
    let groups: Vec<Group> = rows.into_iter().map(|row| Group::new(row, &found.links)).collect();
    call.listing(&page, total, &[], cursor, &groups)
}
