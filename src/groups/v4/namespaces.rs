//! Namespaces in v4: the caller's own and those of their groups; administrators' are all.

use crate::call::{Call, path_id, signed_in};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page};
use crate::policy::level;
use crate::projects::sql::{NamespaceRow, namespace_json};
use crate::projects::v4::Namespace;
use crate::store::Statement;
use crate::{sql, walk};
use serde::Deserialize;
use serde_json::json;

/// Parameters of `GET /namespaces`. All of them lie at the top.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
struct Filter {
    search: Option<String>,
    owned_only: bool,
    top_level_only: bool,
}

/// Of the first `?9` namespaces behind the id `?7` those with `?12` in path or name, `?11` at most behind `?8` others.
/// `?10`: the level of their groups that the caller must have; an administrator of all, without one.
const LIST: &str = signed_in!(
    "union all select v from (
  with walk as materialized (
    select (select json_group_array(id) from (select id from (
      select id from (select n.id from namespaces n where n.id > iif(s.admin and ?10 is null, (select ?7), null) and n.path <> '/'
        order by n.id limit (select ?9))
      union select id from (select s.id as id union all
        select m.group_id from group_members m where m.user_id = s.id and m.access >= coalesce(?10, 0)) where id > (select ?7)
    ) order by id limit (select ?9))) as items from caller s
  ), page as materialized (
    select w.items, (select json_group_array(id) from (select n.id from json_each(w.items) e cross join namespaces n on n.id = e.value
      left join groups g on g.id = n.id left join users u on u.id = n.id
      where ?12 is null or instr(n.path_key, lower(?12)) or instr(lower(coalesce(g.name, u.name)), lower(?12))
      limit (select ?11) offset (select ?8))) as ids from walk w
  )
  select iif(d.value = 0, json_object('end', iif(json_array_length(page.ids) < ?11, page.items ->> cast(?9 - 1 as integer), null)),
    json_object('namespace', ", namespace_json!("d.value"), ")) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d)"
);

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Namespace(Box<NamespaceRow>),
    /// Where the walk for the page ended.
    End(Option<i64>),
}

fn query((filter, page): &(Filter, Page)) -> Statement {
    let (after, offset) = page.after();
    let steps = walk::steps(page, offset, filter.search.is_some());
    let least = filter.owned_only.then_some(level!(Owner));
    sql!(LIST, after, offset, steps, least, page.size + 1, filter.search.as_deref())
}

/// GET /namespaces
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| {
        let _ = filter.top_level_only;
        Ok((filter, call.page()?))
    });
    let ((_, page), found) = call.sign_in_with(input, query).await?;
    let (mut rows, mut end) = (Vec::new(), None);
    for part in found.rows.all()? {
        match part {
            Part::Namespace(row) => rows.push(*row),
            Part::End(id) => end = id.map(|id| [Key::Int(id)]),
        }
    }
    let (total, cursor) = walk::cut(&page, &mut rows, end, |row| [row.id.into()]);
    let shown: Vec<Namespace> = rows.into_iter().map(|row| Namespace::new(row, &found.links)).collect();
    call.listing(&page, total, &[], cursor, &shown)
}

/// The namespace with the id `?7` or the path `?8`, if it is the caller's.
const ONE: &str = signed_in!(
    "union all select ",
    namespace_json!("w.id"),
    " from caller c cross join namespaces w on w.id = coalesce(?7, (select y.id from namespaces y where y.path_key = (select ?8)))
  where w.id > 0 and w.path <> '/' and (c.admin or w.id = c.id
    or exists (select 1 from group_members m where m.user_id = c.id and m.group_id = w.id))"
);

/// GET /namespaces/:id
///
/// By id or path.
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let number = path_id(id).ok();
    let path = number.is_none().then(|| id.to_lowercase());
    let found = call.sign_in(sql!(ONE, number, path)).await?;
    let row: NamespaceRow = found.rows.first()?.ok_or_else(|| Error::missing("Namespace"))?;
    Ok(Reply::json(200, &Namespace::new(row, &found.links)))
}

/// Has somebody the path `?7`?
const EXISTS: &str = signed_in!(
    "union all select json(iif(exists (select 1 from namespaces where path_key = (select ?7)), 'true', 'false')) from caller"
);

/// GET /namespaces/:path/exists
pub async fn exists(call: &Call<'_>, path: &str) -> Result<Reply> {
    let found = call.sign_in(sql!(EXISTS, path.to_lowercase())).await?;
    let exists: bool = found.rows.first()?.unwrap_or_default();
    Ok(Reply::json(200, &json!({ "exists": exists, "suggests": [] })))
}
