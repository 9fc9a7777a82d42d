//! Statements of `projects/list.rs`.

use crate::call::sql::scope::project_access;
use crate::call::{in_group, signed_in};
use crate::policy::{level, visible};
use crate::projects::sql::project_json;

/// The project that comes next in the range of `w`, of the projects that `$of` names, in the order of `$key`: of those with
/// the same key by id. SQLite finds each of the two at once, but not both together.
macro_rules! next_by {
    ($of:literal, $key:literal) => {
        concat!(
            "coalesce((select x.id from projects x where ",
            $of,
            " and ",
            $key,
            " = w.k and x.id {past} w.id order by x.id {sort} limit 1),
          (select x.id from projects x where ",
            $of,
            " and ",
            $key,
            " {past} w.k order by ",
            $key,
            " {sort}, x.id {sort} limit 1))"
        )
    };
}

/// The same in the order `?22`.
macro_rules! next {
    ($of:literal) => {
        concat!(
            "case ?22 when 'name' then ",
            next_by!($of, "lower(x.name)"),
            "
        when 'path' then ",
            next_by!($of, "lower(x.path)"),
            "
        when 'update' then ",
            next_by!($of, "x.updated_at"),
            "
        else (select x.id from projects x where ",
            $of,
            " and x.id {past} w.id order by x.id {sort} limit 1) end"
        )
    };
}

/// The next one of the range of `w`, where ranges are of namespaces, and where some are of everything.
macro_rules! next_within {
    () => {
        next!("x.namespace_id = w.namespace and x.visibility = w.level and x.deleted_at is null")
    };
}

macro_rules! next_anywhere {
    () => {
        concat!(
            "iif(w.namespace is null, ",
            next!("x.visibility = w.level and x.deleted_at is null"),
            ",\n      ",
            next_within!(),
            ")"
        )
    };
}

/// Every visibility.
macro_rules! each_level {
    () => {
        concat!(visible!(Private), ", ", visible!(Internal), ", ", visible!(Public))
    };
}

/// The key of the project `p` in the order `?22`.
macro_rules! key {
    () => {
        "case ?22 when 'name' then lower(p.name) when 'path' then lower(p.path) when 'update' then p.updated_at else p.id end"
    };
}

/// Whether the project `p` is within the bounds `?18` to `?21` as far as they are of the order: a range ends where it is not.
macro_rules! within {
    () => {
        "(?22 is not null or p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1))
        and (?22 is not 'update' or p.updated_at >= coalesce(?18, p.updated_at) and p.updated_at <= coalesce(?19, p.updated_at))"
    };
}

/// Whether the project `p` meets the filters that no index knows: `?13` search (`?14`: 1 in whole paths, too, 2 in descriptions), `?15` archived, `?17` issues, `?18` and
/// `?19` times of change, `?20` and `?21` ids.
macro_rules! fits {
    () => {
        "((?13 is null or instr(lower(p.name), lower(?13)) or instr(lower(p.path), lower(?13))
          or ?14 = 1 and instr(lower(p.full_path), lower(?13)) or ?14 = 2 and instr(lower(p.description), lower(?13)))
        and p.archived = coalesce(?15, p.archived) and p.issues_enabled >= coalesce(?17, 0) and p.updated_at >= coalesce(?18, p.updated_at)
        and p.updated_at <= coalesce(?19, p.updated_at) and p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1)) is true"
    };
}

/// With `$.total` of `?23`: how many projects there are in the places of `a` and beside, and how many rows were read to count them. Counters know it, but for filters:
/// then they are counted as long as there are at most 10,000.
macro_rules! counted {
    () => {
        concat!(
            ",
      case when not ?23 ->> '$.total' then null
        when coalesce(?13, ?15, ?16) is null then (select json_array(sum(coalesce((select u.projects_count from users u where u.id = y.value ->> 0),
          (select g.projects_count from groups g where g.id = y.value ->> 0))) + json_array_length(a.others), 0) from json_each(a.places) y)
        else (select json_array(iif(count(*) > 10000, null, coalesce(sum(f), 0)), iif(coalesce(?13, ?15) is null, 1, 2) * count(*)) from (
          select iif(coalesce(?13, ?15) is null, 1, (select ", fits!(), " from projects p where p.id = y.id)) as f from (
            select x.id from json_each(a.places) y cross join json_each(json_array(", each_level!(), ")) l
              cross join projects x on x.namespace_id = y.value ->> 0 and x.visibility = l.value and x.deleted_at is null
            where l.value = coalesce(?16, l.value)
            union all select value from json_each(a.others) limit 10001) y)) end as total"
        )
    };
}

/// A row that is there even where no project is: it tells that there is the user whose they are.
macro_rules! total {
    () => {
        "select json_object('total', json(coalesce(total, '[null,0]'))) as v from asked
  union all
  "
    };
}

/// A page of the projects that `$of` tells, one row `s`: for whom (`user_id`); `places`, JSON of `[namespace or null for all, from
/// which visibility, below which]`; `home`, the namespace of the list, or null; and `below` which visibility those are listed, too, that they
/// are a member of. `$next`: one of the above. `$kept`: of which of these.
///
/// What a place holds of one visibility is a range of an index, and no project is in two of them. `walk` is a queue of one
/// project of each range, and of those that the user is a member of: SQLite takes the first of it, and puts the next one of the same range in.
/// So a page costs what is on it, however many there are, and a look at each range. `{number}`: how many were looked at, where a filter may leave some out.
///
/// Binds: `?7` least level as a member, `?8` and `?9` key and id before the page, `?10` how many projects are looked at, of which `?11` at most are shown behind `?12` others;
/// filters of [`fits`], `?16` visibility; `?22` the order, null: by id; `?23` what is told beside: `$.commits` of the default branch, `$.total`;
/// `$.all`: an administrator sees everything.
macro_rules! listed {
    ($head:ident, $of:expr, $next:expr, $kept:expr) => {
        listed!($head, $of, $next, $kept, "", "")
    };
    ($head:ident, $of:expr, $next:expr, $kept:expr, $counted:expr, $total:expr) => {
        $head!(
            "union all select v from (
  with place as materialized (
    select s.*, (select json_group_array(p.id) from project_members m cross join projects p on p.id = m.project_id and p.deleted_at is null
      where m.user_id = iif(s.below > ", visible!(Private), ", s.user_id, null) and m.access >= coalesce(?7, 0) and p.visibility < s.below
        and p.visibility = coalesce(?16, p.visibility) and p.namespace_id = coalesce(s.home, p.namespace_id)
        and (s.home is not null or not exists (select 1 from json_each(s.places) y where y.value ->> 0 = p.namespace_id))) as others
    from (", $of, ") s
  ), asked as materialized (
    select a.user_id, (select json_group_array(json(start)) from (
      select json_array(l.value, y.value ->> 0, ?9, ?8, null) as start from json_each(a.places) y
      cross join json_each(json_array(", each_level!(), ")) l
      where l.value >= y.value ->> 1 and l.value < y.value ->> 2 and l.value = coalesce(?16, l.value)
      union all select json_array(null, null, p.id, ", key!(), ", ", fits!(), ") from json_each(a.others) o cross join projects p on p.id = o.value
      where (", key!(), ", p.id) {past} (?8, ?9) and ", within!(), ")) as queue", $counted, "
    from place a
  )
  ", $total, "select * from (select iif(w.fits, json_object(iif(w.number = ?10, 'last', 'row'), json(", project_json!("w.user_id", ", iif(?23 ->> '$.commits',
      (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch), null)"), ")), json_object('end', json_array(w.id, w.k))) as v
  from (select *, {number} as number from (
    with recursive walk(user_id, level, namespace, id, k, fits) as (
      select q.user_id, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from asked q cross join json_each(q.queue)
      union all
      select w.user_id, w.level, w.namespace, p.id, ", key!(), ", ", fits!(), $kept, "
      from walk w cross join projects p on p.id = ", $next, " and ", within!(), " where w.level is not null
      order by 5 {sort}, 4 {sort}
    ) select user_id, id, k, fits from walk where fits is not null limit (select ?10))) w
  left join projects p on p.id = iif(w.fits, w.id, null)
  where w.fits or w.number = (select ?10) limit (select ?11) offset (select ?12)))"
        )
    };
}

/// What the caller may see, or with `?7` what they are a member of with at least that level.
pub const EVERYWHERE: &str = listed!(
    signed_in,
    concat!(
        "select c.user_id, c.below, null as home, (select json_group_array(json_array(id, least, below)) from (
      select null as id, c.below as least, 99 as below where ?7 is null
      union all select c.user_id, ", visible!(Private), ", c.below where c.user_id is not null
      union all select m.group_id, ", visible!(Private), ", c.below from group_members m where m.user_id = c.user_id and m.access >= coalesce(?7, 0))
      where least < below) as places
    from (select id as user_id, iif(?7 is not null, 99, iif(admin and ?23 ->> '$.all', ", visible!(Private), ", sees_from)) as below from caller) c"
    ),
    next_anywhere!(),
    "",
    counted!(),
    total!()
);

/// With `?7` only those that the user has at least that level in.
macro_rules! with_level {
    () => {
        concat!(" and (?7 is null or ", project_access!("w.user_id", "false", "p"), " >= (select ?7))")
    };
}

/// Those of the group: members see all, others by visibility and where they are members.
pub const OF_GROUP: &str = listed!(
    in_group,
    concat!(
        "select *, json_array(json_array(home, below, 99)) as places from (
      select user_id, group_id as home, iif(access > ",
        level!(None),
        ", ",
        visible!(Private),
        ", sees_from) as below from scope)"
    ),
    next_within!(),
    with_level!()
);

/// The same in the own namespace of the user with the id `$[0]` or the name `$[1]` of `?24`, or of the caller.
pub const OF_USER: &str = listed!(
    signed_in,
    concat!(
        "select *, json_array(json_array(home, below, 99)) as places from (
      select c.id as user_id, u.id as home, iif(c.admin or c.id = u.id, ",
        visible!(Private),
        ", c.sees_from) as below
    from caller c cross join users u on u.id = coalesce(?24 ->> 0, (select n.id from namespaces n where n.path_key = (select ?24 ->> 1)),
      iif(?24 is null, c.id, null)) and u.id > 0)"
    ),
    next_within!(),
    with_level!(),
    counted!(),
    total!()
);
