//! The statement of `users/list.rs`.

use crate::call::signed_in;
use crate::users::sql::profile_json;

/// The first `?10` of those behind `?8` others, past the id `?7` and among the first `?9` there, who have the username `?11`
/// and `?12` in their names. `?13` and `?14`: made not before and not after; `?15`: their state, `other` for none that is
/// active. `?16`, `?17`: external ones, and administrators, which administrators may ask for; others are not told who is one, nor by the cost, nor which of the two times is missed.
pub const LIST: &str = signed_in!(
    "union all select v from (
  with walk as materialized (select (select json_group_array(json_array(id, fits)) from (
      select u.id, ((?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)) or c.admin and u.email_key = lower(?12))
        and coalesce(?13 <= ?14, 1) and min(max(u.created_at, coalesce(?13, u.created_at)), coalesce(?14, u.created_at)) = u.created_at
        and (?15 is null or ?15 = iif(u.state = 'active', 'active', 'other'))
        and (?16 is null or not coalesce(c.admin, 0) or u.external) and (?17 is null or not coalesce(c.admin, 0) or u.admin)) as fits
      from users u not indexed where u.id {past} (select ?7) and u.id > 0 and {named} order by u.id {sort} limit (select ?9))) as found from caller c
  ), page as materialized (
    select w.found, (select json_group_array(id) from (
      select e.value ->> 0 as id from json_each(w.found) e where e.value ->> 1 limit (select ?10) offset (select ?8))) as ids from walk w
  )
  select iif(d.value = 0,
    json_object('end', iif(json_array_length(page.ids) < ?10, page.found -> cast(?9 - 1 as integer) ->> 0, null)), json_object('row', json(",
    profile_json!(),
    "))) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d left join users u on u.id = d.value)"
);

/// The user with the username `?11`.
pub const BY_USERNAME: &str = "u.id = (select n.id from namespaces n where n.path_key = lower(?11))";
