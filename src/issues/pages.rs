//! The statements of issue lists: one for each kind of list and direction, whatever is filtered and ordered by.
//!
//! Every list is the union of some ranges of `issue_postings`, each in the list's order (see the migrations). A statement
//! works out in turn, each in one row:
//!
//! * `asked`: the caller, the projects whose issues they see there (`places`), and what counters know of the total;
//! * `chosen`: under which lists, labels, milestones, viewers and states the issues to show stand (`ranges`);
//! * `page`: the ids of the page and of one issue more if there is one, and what had to be counted.
//!
//! Then come the issues of the page in no order, and the total. Every reference to a common table expression counts the
//! table cursors of all that it stands on again, of which a statement may have 100: hence each is referred to once, and lists
//! go from one to the next as JSON.
//!
//! Binds: `?7` the filter (see [`super::list::ListIssues::query`]), `?8` and `?9` time and id that the page comes after,
//! `?10` how many to pass over from there, `?11` how many to show.

use super::sql::issue_json;
use crate::call::scope::project_access;
use crate::call::{in_group, in_project, signed_in};
use crate::page::bounded;

/// The least access that sees every confidential issue.
macro_rules! reads_hidden {
    () => {
        "(select ?7 ->> '$.hidden')"
    };
}

/// Where a posting stands in its list, and of which issue and project it is: time, id and project as one text, of which a
/// subquery can give back all at once. Times before 1970 are negative.
macro_rules! position {
    ($at:literal, $id:literal, $project:literal) => {
        concat!("format('%017d%017d%d', (1 << 53) + ", $at, ", ", $id, ", ", $project, ")")
    };
}
macro_rules! time_at {
    ($position:literal) => {
        concat!("cast(substr(", $position, ", 1, 17) as integer) - (1 << 53)")
    };
}
macro_rules! issue_at {
    ($position:literal) => {
        concat!("cast(substr(", $position, ", 18, 17) as integer)")
    };
}
macro_rules! project_at {
    ($position:literal) => {
        concat!("cast(substr(", $position, ", 35) as integer)")
    };
}

/// `ranges` of the places `v`: under which `$kind`, `$owner` and `$viewer` their issues stand. Of the filter, a number is a
/// label or milestone (or 0 and -1, as in the postings), a text its name; `$label`: the label `y` of the name `l.value`; `s`:
/// closed or not, for everyone or not.
macro_rules! ranges {
    (places: $places:literal, label: $label:literal, kind: $kind:literal, owner: $owner:literal, viewer: $viewer:expr) => {
        concat!(
            "select json_array(", $kind, ", ", $owner, ", iif(l.type = 'integer', l.value, y.id), iif(m.type = 'integer', m.value, z.id),
      ", $viewer, ", s.value ->> 0) as range
    from ", $places, " v cross join json_each(?7, '$.labels') l left join labels y on l.type <> 'integer' and ", $label, "
    cross join json_each(?7, '$.milestones') m
    left join milestones z on m.type = 'text' and z.project_id = v.value ->> 0 and z.title = m.value
    cross join json_each(?7, '$.stands') s
    where (l.type = 'integer' or y.id is not null) and (m.type = 'integer' or z.id is not null) and v.value ->> 2"
        )
    };
}

/// Of confidential issues, those who read them see all, others what is theirs.
macro_rules! viewer {
    ($access:literal) => {
        concat!("iif(s.value ->> 1, iif(", $access, " >= ", reads_hidden!(), ", -1, asked.user_id), 0)")
    };
}

/// The next posting of a range, in the direction `$sort`, `$past` where the list stands.
macro_rules! successor {
    ($range:expr, $past:literal, $at:expr, $id:expr, $sort:literal) => {
        concat!(
            "(select ",
            position!("x.at", "x.issue_id", "x.project_id"),
            " from issue_postings x
    where ",
            $range,
            " and x.updated = (select ?7 ->> '$.updated') and (x.at, x.issue_id) ",
            $past,
            " (",
            $at,
            ", ",
            $id,
            ")
    order by x.at ",
            $sort,
            ", x.issue_id ",
            $sort,
            " limit 1)"
        )
    };
}

/// The posting `x` is in the range `r`.
macro_rules! in_range {
    () => {
        "x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1 and x.label_id = r.value ->> 2
      and x.milestone_id = r.value ->> 3 and x.viewer_id = r.value ->> 4 and x.closed = r.value ->> 5"
    };
}

/// The ids of the page: the ranges merged by a queue that holds the next posting of each. Whichever comes first leaves it and
/// puts its successor in, so that a page costs its own postings and one for each range. `$sort` and `$past`: the direction.
/// `$kept`: which of the postings are shown.
macro_rules! walk {
    ($sort:literal, $past:literal, $kept:expr) => {
        concat!(
            "(with recursive walk(position, kind, owner_id, label_id, milestone_id, viewer_id, closed) as (
  select ", successor!(in_range!(), $past, "(select ?8)", "(select ?9)", $sort), ",
    r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5 from json_each(chosen.ranges) r
  union all
  select ", successor!(
                "x.kind = w.kind and x.owner_id = w.owner_id and x.label_id = w.label_id
      and x.milestone_id = w.milestone_id and x.viewer_id = w.viewer_id and x.closed = w.closed",
                $past, time_at!("w.position"), issue_at!("w.position"), $sort
            ), ",
    w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, w.closed from walk w where w.position is not null
  order by 1 ", $sort, "
) select json_group_array(", issue_at!("position"), ") from (select distinct position from walk
  where position is not null", $kept, " limit (select 1 + ?11) offset (select ?10)))"
        )
    };
}

/// What is counted of the postings `x` in the ranges `r`, those for which `$of` holds: how many rows are read, `$each` for a
/// posting, and of how many issues it is `$kept`; null: there are more postings than are looked at.
macro_rules! counted {
    ($of:expr, $kept:expr, $each:expr) => {
        counted!(concat!("json_each(chosen.ranges) r cross join issue_postings x on ", in_range!()), $of, $kept, $each)
    };
    ($from:expr, $of:expr, $kept:expr, $each:expr) => {
        concat!(
            "(select json_array(count(*) * ", $each, ",
    iif(count(*) < ?7 ->> '$.rows', count(distinct iif(kept, issue_id, null)), null)) from (select x.issue_id, ", $kept, " as kept
    from ", $from, " and x.updated = 0
    where ", $of, " limit (select ?7 ->> '$.rows')))"
        )
    };
}

/// The issues that have the numbers asked for and meet the filter.
macro_rules! numbered {
    ($what:expr, $end:expr) => {
        concat!(
            "(select ", $what, " from (select i.id, iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at) as at
  from json_each(chosen.places) v cross join json_each(?7, '$.iids') d
  cross join issues i on i.project_id = v.value ->> 0 and i.iid = d.value
  where v.value ->> 2 and i.deleted_at is null and iif(i.state = 'closed', ?7 ->> '$.closed_too', ?7 ->> '$.opened')
    and (not i.confidential or v.value ->> 1 >= ", reads_hidden!(), " or chosen.user_id in (i.author_id, i.assignee_id))
    and (i.unlabeled - 1 in (select value from json_each(?7, '$.labels')) or exists (select 1 from issue_labels b
      cross join labels y on y.id = b.label_id where b.issue_id = i.id and y.title in (select value from json_each(?7, '$.names'))))
    and (-(i.milestone_id is not null) in (select value from json_each(?7, '$.milestones'))
      or i.milestone_id = (select ?7 ->> '$.milestone') or exists (select 1 from milestones m
        where m.id = i.milestone_id and m.title in (select value from json_each(?7, '$.milestones'))))
", $end, "))"
        )
    };
}
macro_rules! numbered_page {
    ($sort:literal, $past:literal) => {
        numbered!(
            "json_group_array(id)",
            concat!(
                "  and (iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at), i.id) ",
                $past,
                " (?8, ?9)
  order by at ",
                $sort,
                ", i.id ",
                $sort,
                " limit (select 1 + ?11) offset (select ?10)"
            )
        )
    };
}

/// What the counters `a`, `b` or `c` know of a list's total, of how many places, and whether the milestone whose list it is
/// belongs to one: JSON `[total, places, milestones]`.
macro_rules! known {
    () => {
        concat!(
            "(select json_array(coalesce(sum((?7 ->> '$.opened') * (coalesce(a.opened, b.opened, c.opened, 0)
      + (v.value ->> 1 >= ", reads_hidden!(), ") * coalesce(a.opened_hidden, b.opened_hidden, c.opened_hidden, 0))
    + (?7 ->> '$.closed_too') * (coalesce(a.closed, b.closed, c.closed, 0)
      + (v.value ->> 1 >= ", reads_hidden!(), ") * coalesce(a.closed_hidden, b.closed_hidden, c.closed_hidden, 0))), 0),
    count(*), count(e.id))
  from json_each(asked.places) v
  left join issue_counts a on ?7 ->> '$.counter' = 'project' and a.project_id = v.value ->> 0
  left join labels b on ?7 ->> '$.counter' = 'label' and b.project_id = v.value ->> 0 and b.title = (select ?7 ->> '$.names[0]')
  left join milestones e on e.id = (select ?7 ->> '$.milestone') and e.project_id = v.value ->> 0
  left join milestones c on ?7 ->> '$.counter' = 'milestone' and c.project_id = v.value ->> 0
    and c.title = coalesce(e.title, (select ?7 ->> '$.milestones[0]')))"
        )
    };
}

/// The page and the total: what follows the head of a list. `$read`: how many rows are read for each
/// resource whose counter is summed, where they may be many.
macro_rules! list {
    (asked: $asked:expr, ranges: $ranges:expr, ids: $ids:expr, path: $path:literal, read: $read:literal, known: $known:expr,
      counted: $counted:expr) => {
        concat!(
            "union all select v from (with asked as materialized (",
            $asked,
            "
), chosen as materialized (
  select asked.*, (select json_group_array(json(range)) from (",
            $ranges,
            ")) as ranges, ",
            $known,
            " as known from asked
), page as materialized (
  select chosen.*, ",
            $ids,
            " as ids, ",
            $counted,
            " as counted from chosen
) select iif(i.id is null,
    json_object('total', json_object(
      'count', iif(page.counted ->> 1 <= ?7 ->> '$.most', page.known ->> 0 + page.counted ->> 1, null),
      'more', json_array_length(page.ids) > ?11, 'counted', page.known ->> 1 * ",
            $read,
            " + page.counted ->> 0,
      'exists', page.known ->> 2 > 0 or ?7 ->> '$.milestone' is null)),
    json_object('issue', ",
            issue_json!("page.user_id", $path),
            ")) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d left join issues i on i.id = d.value
  where d.key < ?11 or d.value = 0)"
        )
    };
}

/// A list of one project, or of one of its milestones.
macro_rules! of_project {
    (ids: $ids:expr, counted: $counted:expr) => {
        bounded!(in_project!(list!(
            asked: "select user_id, full_path, access, json_array(json_array(project_id, access, issues_enabled)) as places from scope",
            ranges: ranges!(
                places: "json_each(asked.places)",
                label: "y.project_id = v.value ->> 0 and y.title = l.value",
                kind: "0",
                owner: "v.value ->> 0",
                viewer: viewer!("v.value ->> 1")
            ),
            ids: $ids,
            path: "page.full_path",
            read: "0",
            known: known!(),
            counted: $counted
        )))
    };
}

/// Nothing, where a counter knows the total and the caller reads all of the hidden issues.
macro_rules! counted_by_some {
    () => {
        concat!(
            "iif(?7 ->> '$.counter' is not null and chosen.access >= ",
            reads_hidden!(),
            ", '[0, 0]', ",
            counted!("(r.value ->> 4 > 0 or ?7 ->> '$.counter' is null)", "true", "1"),
            ")"
        )
    };
}

/// A list of one project: newest first, oldest first.
pub const OF_PROJECT: [&str; 2] = [
    of_project!(ids: walk!("desc", "<", ""), counted: counted_by_some!()),
    of_project!(ids: walk!("asc", ">", ""), counted: counted_by_some!()),
];

/// The same of the issues that have the numbers asked for.
pub const NUMBERED: [&str; 2] = [
    of_project!(ids: numbered_page!("desc", "<"), counted: numbered!("json_array(0, count(*))", "")),
    of_project!(ids: numbered_page!("asc", ">"), counted: numbered!("json_array(0, count(*))", "")),
];

/// Whether an issue bears all of several names.
macro_rules! bears {
    ($project:expr, $issue:expr) => {
        concat!(
            "(?7 ->> '$.every' is null or (select count(*) from json_each(?7, '$.every') d
    cross join labels y on y.project_id = ",
            $project,
            " and y.title = d.value
    cross join issue_labels b on b.issue_id = ",
            $issue,
            " and b.label_id = y.id) = json_array_length(?7, '$.every'))"
        )
    };
}

/// The posting `x` is in the class `$class` of the shelf whose columns are the rest.
macro_rules! in_class {
    ($class:literal, $kind:literal, $owner:literal, $label:literal, $milestone:literal, $viewer:literal) => {
        concat!(
            "x.kind = ",
            $kind,
            " and x.owner_id = ",
            $owner,
            "
      and x.label_id = coalesce(",
            $label,
            ", ",
            $class,
            " ->> 0) and x.milestone_id = coalesce(",
            $milestone,
            ", ",
            $class,
            " ->> 1)
      and x.viewer_id = iif(",
            $class,
            " ->> 2, ",
            $viewer,
            ", 0) and x.closed = ",
            $class,
            " ->> 3"
        )
    };
}
macro_rules! in_class_of_shelf {
    () => {
        in_class!(
            "k.value",
            "r.value ->> 0",
            "r.value ->> 1",
            "r.value ->> 2",
            "r.value ->> 3",
            "r.value ->> 4"
        )
    };
}
macro_rules! in_class_of_walk {
    ($class:literal) => {
        in_class!($class, "w.kind", "w.owner_id", "w.label_id", "w.milestone_id", "w.viewer_id")
    };
}

/// The ids of a group's page. Its ranges are many: some for each project. So the queue begins with one entry for each shelf,
/// its first posting. Only when that leaves the queue, each class of the shelf (`class`) goes on by itself, behind it.
macro_rules! walk_shelves {
    ($sort:literal, $past:literal, $first:literal, $kept:expr) => {
        concat!(
            "(with recursive walk(position, kind, owner_id, label_id, milestone_id, viewer_id, classes, class) as (
  select (select ", $first, "(", successor!(in_class_of_shelf!(), $past, "(select ?8)", "(select ?9)", $sort), ")
      from json_each(?7, r.value ->> 5) k),
    r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, null from json_each(chosen.ranges) r
  union all
  select ", successor!(in_class_of_walk!("k.value"), $past, time_at!("w.position"), issue_at!("w.position"), $sort), ",
    w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, null, k.value
  from walk w cross join json_each(?7, w.classes) k where w.position is not null and w.class is null
  union all
  select ", successor!(in_class_of_walk!("w.class"), $past, time_at!("w.position"), issue_at!("w.position"), $sort), ",
    w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, null, w.class
  from walk w where w.position is not null and w.class is not null
  order by 1 ", $sort, "
) select json_group_array(", issue_at!("position"), ") from (select distinct position from walk
  where position is not null", $kept, " limit (select 1 + ?11) offset (select ?10)))"
        )
    };
}

/// A list of a group. For its members, who see every project of it, these are read from the postings of the namespace
/// (`together`), and a guest's hidden issues from the projects where they are more. For others, and where labels or milestones
/// are named, they are read resource by resource: the namespace's postings have those of projects that strangers do not see, and
/// what passing over these costs would tell of them.
///
/// A shelf is a project or the namespace as the caller sees it: JSON `[kind, owner, label, milestone, whose hidden issues,
/// path of its classes in the filter]`, its label and milestone null where none is named. A class has the rest of a range: see
/// [`super::list::ListIssues::classes`].
macro_rules! of_group {
    ($sort:literal, $past:literal, $first:literal) => {
        bounded!(in_group!(list!(
            asked: concat!(
                "select g.*, (select json_group_array(json_array(id, access, 1)) from (
      select p.id, iif(g.access >= ", reads_hidden!(), ", g.access, max(g.access, coalesce((select m.access
        from project_members m where m.user_id = g.user_id and m.project_id = p.id), 0))) as access
      from projects p indexed by projects_of_namespace_by_visibility where p.namespace_id = g.group_id
        and p.visibility >= iif(g.access > 0, 0, g.sees_from) and p.deleted_at is null and p.issues_enabled
      union
      select p.id, m.access from project_members m cross join projects p on p.id = m.project_id
      where g.access = 0 and m.user_id = g.user_id and p.namespace_id = g.group_id and p.visibility < g.sees_from
        and p.deleted_at is null and p.issues_enabled)) as places
  from (select s.user_id, s.group_id, s.access, s.sees_from, iif(s.access > 0 and ?7 ->> '$.unnamed',
      not exists (select 1 from projects q indexed by projects_without_issues
        where q.namespace_id = s.group_id and (q.deleted_at is not null or not q.issues_enabled)), 0) as together
    from scope s) g"
            ),
            ranges: concat!(
                // of several names an issue bears all: it is looked for under the rarest
                "select json_array(0, v.value ->> 0, y.id, z.id, iif(v.value ->> 1 >= ", reads_hidden!(), ", -1, asked.user_id), '$.classes') as range
    from json_each(iif(asked.together, '[]', asked.places)) v
    left join labels y on y.id = (select b.id from json_each(?7, '$.names') d cross join labels b on b.project_id = v.value ->> 0
      and b.title = d.value order by b.opened + b.closed + b.opened_hidden + b.closed_hidden limit 1)
    left join milestones z on z.project_id = v.value ->> 0 and z.title = (select ?7 ->> '$.title')
    where (?7 ->> '$.names' is null or y.id is not null) and (?7 ->> '$.title' is null or z.id is not null)
    union all
    select json_array(1, asked.group_id, null, null, iif(asked.access >= ", reads_hidden!(), ", -1, asked.user_id), '$.classes')
    where asked.together
    union all
    select json_array(0, o.project_id, null, null, -1, '$.hidden_classes')
    from project_members o cross join projects p on p.id = o.project_id and p.namespace_id = asked.group_id
    where o.user_id = asked.user_id and o.access >= ", reads_hidden!(), " and asked.together
      and asked.access < ", reads_hidden!()
            ),
            ids: walk_shelves!($sort, $past, $first, concat!(" and ", bears!(project_at!("position"), issue_at!("position")))),
            path: "(select p.full_path from projects p where p.id = i.project_id)",
            // the project in its index and itself, in the list of places, and its counter
            read: "4",
            known: known!(),
            counted: counted!(
                concat!(
                    "json_each(chosen.ranges) r
    cross join json_each(?7, iif(?7 ->> '$.counter' is null, r.value ->> 5, '$.hidden_classes')) k
    cross join issue_postings x on ",
                    in_class_of_shelf!()
                ),
                concat!(
                    "(?7 ->> '$.counter' is null or r.value ->> 4 > 0) and (?7 ->> '$.counter' is null or r.value ->> 0 = 0
      or not exists (select 1 from project_members m where m.user_id = chosen.user_id and m.project_id = x.project_id
        and m.access >= ", reads_hidden!(), "))"
                ),
                bears!("x.project_id", "x.issue_id"),
                "iif(?7 ->> '$.every' is null, 1, 1 + 2 * json_array_length(?7, '$.every'))"
            )
        )))
    };
}

/// A list of a group: newest first, oldest first.
pub const OF_GROUP: [&str; 2] = [of_group!("desc", "<", "max"), of_group!("asc", ">", "min")];

/// Whether the caller still sees the issues of a project.
macro_rules! still_seen {
    ($project:expr) => {
        concat!(
            "exists (select 1 from projects p where p.id = ",
            $project,
            " and p.deleted_at is null and p.issues_enabled
      and (p.visibility >= chosen.sees_from or ",
            project_access!("chosen", "p"),
            " > 0))"
        )
    };
}

/// What the caller wrote in the projects that they still see.
macro_rules! of_caller {
    ($sort:literal, $past:literal) => {
        bounded!(signed_in!(list!(
            asked: concat!(
                "select c.id, c.id as user_id, c.admin, c.sees_from, (select json_group_array(json_array(p.id, 0, 1)) from issue_authors n
    cross join projects p on p.id = n.project_id
    where n.author_id = c.id and p.deleted_at is null and p.issues_enabled
      and (p.visibility >= c.sees_from or ", project_access!("c", "p"), " > 0)) as places,
    (select count(*) from issue_authors n where n.author_id = c.id) as projects
  from caller c"
            ),
            ranges: concat!(
                ranges!(
                    places: "json_each(iif(?7 ->> '$.unnamed', '[]', asked.places))",
                    label: "y.project_id = v.value ->> 0 and y.title = l.value",
                    kind: "2",
                    owner: "asked.user_id",
                    viewer: "0"
                ),
                " and not s.value ->> 1
    union all
    select json_array(2, asked.user_id, l.value, m.value, 0, s.value ->> 0)
    from json_each(?7, '$.labels') l cross join json_each(?7, '$.milestones') m cross join json_each(?7, '$.stands') s
    where ?7 ->> '$.unnamed' and not s.value ->> 1"
            ),
            ids: walk!(
                $sort,
                $past,
                concat!(" and (not ?7 ->> '$.unnamed' or json_array_length(chosen.places) = chosen.projects or ", still_seen!(project_at!("position")), ")")
            ),
            path: "(select p.full_path from projects p where p.id = i.project_id)",
            // the counter, the project, and both again
            read: "4",
            known: "(select json_array(coalesce(sum((?7 ->> '$.opened') * n.opened + (?7 ->> '$.closed_too') * n.closed), 0),
      json_array_length(asked.places), 0)
    from json_each(asked.places) v cross join issue_authors n on n.author_id = asked.user_id and n.project_id = v.value ->> 0
    where ?7 ->> '$.counter' = 'project')",
            counted: counted!(
                "?7 ->> '$.counter' is not 'project'",
                concat!("not ?7 ->> '$.unnamed' or json_array_length(chosen.places) = chosen.projects or ", still_seen!("x.project_id")),
                "iif(?7 ->> '$.unnamed' and json_array_length(chosen.places) < chosen.projects, 2, 1)"
            )
        )))
    };
}

/// What the caller wrote: newest first, oldest first.
pub const OF_CALLER: [&str; 2] = [of_caller!("desc", "<"), of_caller!("asc", ">")];
