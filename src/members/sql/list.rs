//! Lists of members.

use crate::call::{in_group, in_project};
use crate::members::sql::member_row;
use crate::policy::level;

/// Which users behind the id `?7`, of the first `?9` who are members here, or with `?10` by what it lies in, have `?12` in
/// their names, are among `?13` and not among `?14`? `?11` at most behind `?8` others. `$of`: a project or group. `$more`: further ids,
/// and `$standings`: levels and times of the user `u`, by what it lies in, of which the highest counts.
macro_rules! listed {
    ($head:ident, $of:literal, $more:expr, $standings:expr) => {
        $head!(
            "union all select v from (
  with walk as materialized (
    select s.", $of, "_id as home, (select json_group_array(id) from (select id from (
        select id from (select m.user_id as id from ", $of, "_members m
          where m.", $of, "_id = s.", $of, "_id and m.user_id > (select ?7) order by m.user_id limit (select ?9))",
            $more,
            ") order by id limit (select ?9))) as items
    from scope s
  ), page as materialized (
    select w.items, (select json_group_array(json(v)) from (select json_object('row', ",
            member_row!("u.standing ->> 0", "u.standing ->> 1"),
            ") as v from (
      select u.*, (select json_array(max(access), created_at) from (
        select m.access, m.created_at from ", $of, "_members m where m.user_id = u.id and m.", $of, "_id = w.home",
            $standings,
            ")) as standing
      from json_each(w.items) e cross join users u on u.id = e.value
      where (?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)))
        and (?13 is null or u.id in (select value from json_each(?13))) and u.id not in (select value from json_each(?14))
      limit (select ?11) offset (select ?8)) u)) as found from walk w
  )
  select d.value as v from page cross join json_each(json_insert(page.found, '$[#]', json_object('end',
    iif(json_array_length(page.found) < ?11, page.items ->> cast(?9 - 1 as integer), null)))) d)"
        )
    };
}

pub const OF_PROJECT: &str = listed!(
    in_project,
    "project",
    "
        union select id from (select m.user_id as id from projects p cross join group_members m
          where ?10 and p.id = s.project_id and m.group_id = p.namespace_id and m.user_id > (select ?7) order by m.user_id limit (select ?9))
        union select o.id from projects p cross join users o on o.id = p.namespace_id
          where ?10 and p.id = s.project_id and o.id > (select ?7)",
    concat!(
        "
        union all select m.access, m.created_at from projects p cross join group_members m
          where ?10 and p.id = w.home and m.group_id = p.namespace_id and m.user_id = u.id
        union all select ",
        level!(Owner),
        ", p.created_at from projects p where ?10 and p.id = w.home and p.namespace_id = u.id"
    )
);

pub const OF_GROUP: &str = listed!(in_group, "group", "", "");

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
