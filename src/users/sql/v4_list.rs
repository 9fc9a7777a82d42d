//! Statements of `users/v4/list.rs`.

use crate::call::signed_in;
use crate::users::sql::profile_json;

/// The first `?10` of those behind `?8` others, past the id `?7` and among the first `?9` there, who have the username `?11`
/// and `?12` in their names. `?13` and `?14`: made not before and not after; `?15`: their state, `other` for none that is
/// active. `?16`, `?17`: external ones, and administrators, which administrators may ask for; others are not told who is one, nor by the cost.
pub const LIST: &str = signed_in!(
    "union all select v from (
  with found as materialized (select id from (select u.id, u.name, u.username, u.email_key, u.state, u.created_at, u.external, u.admin,
      c.admin as knows from caller c cross join {people} where u.id {past} (select ?7) and u.id > 0 and {named}
      order by u.id {sort} limit (select ?9)) u
    where (?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)) or u.knows and u.email_key = lower(?12))
      and u.created_at >= coalesce(?13, u.created_at) and u.created_at <= coalesce(?14, u.created_at)
      and (?15 is null or ?15 = iif(u.state = 'active', 'active', 'other'))
      and (?16 is null or not u.knows or u.external) and (?17 is null or not u.knows or u.admin)
    limit (select ?10) offset (select ?8))
  select v from (select json_object('row', json(",
    profile_json!(),
    ")) as v from found f cross join users u on u.id = f.id order by f.id {sort})
  union all select json_object('end', (select u.id from caller c cross join {people}
      where u.id {past} (select ?7) and u.id > 0 and {named} order by u.id {sort} limit 1 offset (select ?9 - 1)))
    where (select count(*) from found) < (select ?10))"
);

/// The user with the username `?11`.
pub const BY_USERNAME: &str = "u.id = (select n.id from namespaces n where n.path_key = lower(?11))";
