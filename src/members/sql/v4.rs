//! Statements of `members/v4.rs`.

use crate::call::{in_group, in_project};
use crate::members::sql::member_row;
use crate::policy::level;

/// Which users behind the id `?7`, of the first `?9` who are members here, or with `?10` by what it lies in, have `?12` in
/// their names, are among `?13` and not among `?14`? `?11` at most behind `?8` others. `$of`: a project or group.
macro_rules! listed {
    ($head:ident, $of:literal, $inherited:expr) => {
        $head!(
            "union all select v from (
  with walk as materialized (
    select (select json_group_array(json_array(user_id, access, created_at)) from (
      select user_id, max(access) as access, created_at from (
        select user_id, access, created_at from (select m.user_id, m.access, m.created_at from ", $of, "_members m
          where m.", $of, "_id = s.", $of, "_id and m.user_id > (select ?7) order by m.user_id limit (select ?9))",
            $inherited,
            ") group by user_id order by user_id limit (select ?9))) as items
    from scope s
  ), page as materialized (
    select w.items, (select json_group_array(json(v)) from (select json_object('row', ",
            member_row!("e.value ->> 1", "e.value ->> 2"),
            ") as v
      from json_each(w.items) e cross join users u on u.id = e.value ->> 0
      where (?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)))
        and (?13 is null or u.id in (select value from json_each(?13))) and u.id not in (select value from json_each(?14))
      limit (select ?11) offset (select ?8))) as found from walk w
  )
  select d.value as v from page cross join json_each(json_insert(page.found, '$[#]', json_object('end',
    iif(json_array_length(page.found) < ?11, page.items -> cast(?9 - 1 as integer) ->> 0, null)))) d)"
        )
    };
}

pub const OF_PROJECT: &str = listed!(
    in_project,
    "project",
    concat!(
        "
        union all select user_id, access, created_at from (select m.user_id, m.access, m.created_at from projects p cross join group_members m
          where ?10 and p.id = s.project_id and m.group_id = p.namespace_id and m.user_id > (select ?7) order by m.user_id limit (select ?9))
        union all select o.id, ",
        level!(Owner),
        ", p.created_at from projects p cross join users o on o.id = p.namespace_id
          where ?10 and p.id = s.project_id and o.id > (select ?7)"
    )
);

pub const OF_GROUP: &str = listed!(in_group, "group", "");

/// The endpoints of one kind of place.
macro_rules! endpoints {
    ($module:ident, $home:ident, $doc:literal) => {
        #[doc = $doc]
        pub mod $module {
            use super::*;

            /// GET ../members
            pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
                super::list(call, Home::$home, id, false, Member::new).await
            }

            /// GET ../members/all
            pub async fn list_all(call: &Call<'_>, id: &str) -> Result<Reply> {
                super::list(call, Home::$home, id, true, Member::new).await
            }

            /// GET ../members/all/:user_id
            pub async fn show_any(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
                find_any(call, Home::$home, id, user_id).await
            }

            /// GET ../members/:user_id
            pub async fn show(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
                let (row, links) = find(call, Home::$home, id, path_number("user_id", user_id)).await?;
                Ok(Reply::json(200, &Member::new(row, &links)))
            }

            /// POST ../members
            pub async fn add(call: &Call<'_>, id: &str) -> Result<Reply> {
                super::add(call, Home::$home, id).await
            }

            /// PUT ../members/:user_id
            pub async fn update(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
                super::update(call, Home::$home, id, user_id).await
            }

            /// DELETE ../members/:user_id
            pub async fn remove(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
                end(call, Home::$home, id, path_number("user_id", user_id)).await?;
                Ok(Reply::empty(204))
            }
        }
    };
}

pub(crate) use endpoints;
