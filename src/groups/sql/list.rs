//! Statements of lists of groups and namespaces.

use crate::call::signed_in;
use crate::groups::sql::group_json;
use crate::policy::visible;
use crate::projects::sql::namespace_json;

/// The group that comes next in the range of `w`, the groups of one visibility, in the order of `$key`: of those with the
/// same key by id. SQLite finds each of the two at once, but not both together.
macro_rules! next_by {
    ($key:literal) => {
        concat!(
            "coalesce((select x.id from groups x where x.visibility = w.level and ",
            $key,
            " = w.k and x.id {past} w.id order by x.id {sort} limit 1),
        (select x.id from groups x where x.visibility = w.level and ",
            $key,
            " {past} w.k order by ",
            $key,
            " {sort}, x.id {sort} limit 1))"
        )
    };
}

/// The key of the group `g` in the order `?16`.
macro_rules! key {
    () => {
        "case ?16 when 'name' then lower(g.name) when 'path' then lower(g.path) else g.id end"
    };
}

/// Whether the group `g` has `?13` in name or path and is none of `?15`.
macro_rules! fits {
    () => {
        "((?13 is null or instr(lower(g.name), lower(?13)) or instr(lower(g.path), lower(?13)))
        and (?15 is null or g.id not in (select value from json_each(?15)))) is true"
    };
}

/// Which groups does the caller see (an administrator all, with `?17`), or with `?7` is a member of with at least that level? Of the first `?10` in the order
/// `?16` (null: by id) behind the key `?8` and the id `?9` those that have `?13` in name or path, the visibility `?14`, and are none of `?15`; `?11` at most
/// behind `?12` others. Groups of one visibility are a range of an index; `walk` is a queue of one group of each range, and of those that the caller
/// belongs to and does not see otherwise: SQLite takes the first of it, and puts the next one of the same range in.
pub const GROUPS: &str = signed_in!(
    "union all select v from (
  with asked as materialized (
    select (select json_group_array(json(start)) from (
      select json_array(l.value, ?9, ?8, null) as start from json_each(json_array(", visible!(Private), ", ", visible!(Internal), ", ", visible!(Public), ")) l
      where l.value >= c.below and l.value = coalesce(?14, l.value)
      union all select json_array(null, g.id, ", key!(), ", ", fits!(), ") from (
        select m.group_id as id from group_members m where m.user_id = c.id and m.access >= coalesce(?7, 0)
        union select p.namespace_id from project_members m cross join projects p on p.id = m.project_id and p.deleted_at is null
          where m.user_id = iif(?7 is null, c.id, null)) y
      cross join groups g on g.id = y.id where g.visibility < c.below and g.visibility = coalesce(?14, g.visibility)
        and (", key!(), ", g.id) {past} (?8, ?9))) as queue
    from (select id, iif(?7 is not null, 99, iif(admin, ", visible!(Private), ", sees_from)) as below from caller) c
  )
  select iif(w.fits, json_object(iif(w.number = ?10, 'last', 'row'), ", group_json!(), "), json_object('end', json_array(w.id, w.k))) as v
  from (select *, {number} as number from (
    with recursive walk(level, id, k, fits) as (
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from asked cross join json_each(asked.queue)
      union all
      select w.level, g.id, ", key!(), ", ", fits!(), " from walk w cross join groups g on g.id = case ?16 when 'name' then ",
    next_by!("lower(x.name)"), " when 'path' then ", next_by!("lower(x.path)"), "
        else (select x.id from groups x where x.visibility = w.level and x.id {past} w.id order by x.id {sort} limit 1) end
      where w.level is not null order by 3 {sort}, 2 {sort}
    ) select id, k, fits from walk where fits is not null limit (select ?10))) w
  left join groups g on g.id = iif(w.fits, w.id, null)
  where w.fits or w.number = (select ?10) limit (select ?11) offset (select ?12))"
);

/// Of the first `?9` namespaces behind the id `?7` those with `?12` in path or (`?13`) name, `?11` at most behind `?8` others.
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
      where ?12 is null or instr(n.path_key, lower(?12)) or ?13 and instr(lower(coalesce((select g.name from groups g where g.id = n.id),
        (select u.name from users u where u.id = n.id))), lower(?12))
      limit (select ?11) offset (select ?8))) as ids from walk w
  )
  select iif(d.value = 0, json_object('end', iif(json_array_length(page.ids) < ?11, page.items ->> cast(?9 - 1 as integer), null)),
    json_object('row', ", namespace_json!("d.value"), ")) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d)"
);
