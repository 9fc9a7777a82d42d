//! Statements of `projects/v4/list.rs`.

use crate::call::sql::scope::project_access;
use crate::call::{in_group, signed_in};
use crate::policy::{level, visible};
use crate::projects::sql::project_json;

/// The first `?10` projects `x` of a range in the list's order, behind the key `?8`.
macro_rules! range {
    ($of:expr) => {
        concat!(
            "(select json_group_array(json_array(id, k)) from (select x.id, {key} as k from ",
            $of,
            " and x.deleted_at is null and {behind} order by {key} {sort}, x.id {sort} limit (select ?10)))"
        )
    };
}

/// A list of the projects in the three `$ranges`, arrays of id and key, for who asks: the row `s` of `$of`. Of the first `?10`
/// of them those that fit the filters, `?11` at most behind `?12` others. `?7` least level as a member, `?13` search, `?14`
/// in whole paths, `?15` archived, `?16` visibility, `?17` issues, `?18` and `?19` times of change, `?20` and `?21` ids. A
/// common table expression that is named twice counts twice against the limit of cursors, so none is.
macro_rules! listed {
    ($head:ident, $of:expr, $first:expr, $second:expr, $third:expr) => {
        $head!(
            "union all select v from (
  with walk as materialized (
    select s.user_id, (select json_group_array(json_array(id, k)) from (select id, k from (
      select e.value ->> 0 as id, e.value ->> 1 as k from ", $first, " e
      union select e.value ->> 0, e.value ->> 1 from ", $second, " e
      union select e.value ->> 0, e.value ->> 1 from ", $third, " e
    ) order by k {sort}, id {sort} limit (select ?10))) as items
    from (", $of, ") s
  ), page as materialized (
    select w.user_id, w.items, (select json_group_array(id) from (select p.id from json_each(w.items) e cross join projects p on p.id = e.value ->> 0
      where (?13 is null or instr(lower(p.name), lower(?13)) or instr(lower(p.path), lower(?13)) or ?14 and instr(lower(p.full_path), lower(?13)))
        and p.archived = coalesce(?15, p.archived) and p.visibility = coalesce(?16, p.visibility)
        and p.issues_enabled >= coalesce(?17, 0) and p.updated_at >= coalesce(?18, p.updated_at)
        and p.updated_at <= coalesce(?19, p.updated_at) and p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1)
        and (?7 is null or ", project_access!("w.user_id", "false", "p"), " >= (select ?7))
      limit (select ?11) offset (select ?12))) as ids
    from walk w
  )
  select iif(d.value = 0,
    json_object('end', json(iif(json_array_length(page.ids) < ?11, page.items -> cast(?10 - 1 as integer), null))),
    json_object('row', json(", project_json!("page.user_id", "{commits}"), "))) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d left join projects p on p.id = d.value)"
        )
    };
}

/// What the caller may see, or with `?7` what they are a member of with at least that level.
pub const EVERYWHERE: &str = listed!(
    signed_in,
    "select id as user_id, admin, sees_from from caller",
    concat!(
        "json_each(iif(?7 is not null, '[]', iif(s.admin, json_array(", visible!(Private), ", ", visible!(Internal), ", ", visible!(Public),
        "), iif(s.sees_from <= ", visible!(Internal), ", json_array(", visible!(Internal), ", ", visible!(Public), "), json_array(", visible!(Public), "))))) l
        cross join json_each(", range!("projects x where x.visibility = l.value and l.value = coalesce(?16, l.value)"), ")"
    ),
    concat!(
        "(select s.user_id as id union all select m.group_id from group_members m where m.user_id = s.user_id and m.access >= coalesce(?7, 0)) own
        cross join json_each(", range!("projects x where x.namespace_id = own.id"), ")"
    ),
    concat!(
        "json_each(",
        range!("project_members m cross join projects x on x.id = m.project_id where m.user_id = s.user_id and m.access >= coalesce(?7, 0)"),
        ")"
    )
);

/// Those in one namespace: members see all, others by visibility and where they are members.
macro_rules! in_namespace {
    ($head:ident, $of:expr) => {
        listed!(
            $head,
            $of,
            concat!("json_each(", range!("projects x where x.namespace_id = iif(s.access > 0, s.group_id, null)"), ")"),
            concat!(
                "json_each(iif(s.access > 0, '[]', iif(s.sees_from <= ", visible!(Internal), ", json_array(", visible!(Internal), ", ", visible!(Public),
                "), json_array(", visible!(Public), ")))) l
        cross join json_each(",
                range!("projects x indexed by projects_seen_of_namespace where x.visibility = l.value and x.namespace_id = s.group_id"),
                ")"
            ),
            concat!(
                "json_each(",
                range!("project_members m cross join projects x on x.id = m.project_id
          where m.user_id = iif(s.access = 0, s.user_id, null) and x.namespace_id = s.group_id"),
                ")"
            )
        )
    };
}

/// Those of the group.
pub const OF_GROUP: &str = in_namespace!(in_group, "select user_id, sees_from, group_id, access from scope");

/// Those in the own namespace of the user with the id `?22` or the name `?23`.
pub const OF_USER: &str = in_namespace!(
    signed_in,
    concat!(
        "select c.id as user_id, u.id as group_id, c.sees_from, iif(c.admin or c.id = u.id, ",
        level!(Owner),
        ", 0) as access
    from caller c cross join users u on u.id = coalesce(?22, (select n.id from namespaces n where n.path_key = (select ?23))) and u.id > 0"
    )
);

/// How many commits the default branch of the project `p` has, for its statistics.
pub const COMMITS: &str =
    ", (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch)";

/// What a list by id shows: past the id `?8`, until the id `?9`.
pub const BEHIND_ID: &str = "x.id {past} (select ?8) and x.id {until} (select ?9)";

/// What a list by another key shows: past the key `?8` and, where it is the same, the id `?9`.
pub const BEHIND: &str =
    "{key} {past}= (select ?8) and ({key} {past} (select ?8) or x.id {past} (select ?9))";
