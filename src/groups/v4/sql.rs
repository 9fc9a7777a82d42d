//! Statements of groups and namespaces in v4.

use crate::call::signed_in;
use crate::groups::sql::group_json;
use crate::policy::visible;
use crate::projects::sql::namespace_json;

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
pub const GROUPS: &str = signed_in!(
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
    select w.items, (select json_group_array(json(v)) from (select json_object('row', ", group_json!(), ") as v
      from json_each(w.items) e cross join groups g on g.id = e.value ->> 0
      where (?13 is null or instr(lower(g.name), lower(?13)) or instr(lower(g.path), lower(?13)))
        and g.visibility = coalesce(?14, g.visibility) and g.id not in (select value from json_each(?15))
      limit (select ?11) offset (select ?12))) as found from walk w
  )
  select d.value as v from page cross join json_each(json_insert(page.found, '$[#]', json_object('end',
    json(iif(json_array_length(page.found) < ?11, page.items -> cast(?10 - 1 as integer), null))))) d)"
);

/// Of the first `?9` namespaces behind the id `?7` those with `?12` in path or name, `?11` at most behind `?8` others.
/// `?10`: the level of their groups that the caller must have; an administrator of all, without one.
pub const NAMESPACES: &str = signed_in!(
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
    json_object('row', ", namespace_json!("d.value"), ")) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d)"
);

/// The namespace with the id `?7` or the path `?8`, if it is the caller's.
pub const NAMESPACE: &str = signed_in!(
    "union all select ",
    namespace_json!("w.id"),
    " from caller c cross join namespaces w on w.id = coalesce(?7, (select y.id from namespaces y where y.path_key = (select ?8)))
  where w.id > 0 and w.path <> '/' and (c.admin or w.id = c.id
    or exists (select 1 from group_members m where m.user_id = c.id and m.group_id = w.id))"
);

/// Has somebody the path `?7`?
pub const EXISTS: &str = signed_in!(
    "union all select json(iif(exists (select 1 from namespaces where path_key = (select ?7)), 'true', 'false')) from caller"
);
