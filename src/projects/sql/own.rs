//! Statements of `projects/own.rs`.

use crate::call::signed_in;
use crate::projects::sql::list::filtered;
use crate::projects::sql::project_json;

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

pub const OWNED: &str = own!(owned!(), owned_counted!(), owned_ids!());

/// There, and where they or their group is a member.
pub const AUTHORIZED: &str = own!(
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
