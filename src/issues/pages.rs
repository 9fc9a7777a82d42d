//! The statements of issue lists: one for each kind of list, whatever is filtered and ordered by.
//!
//! Every list is the union of some ranges of `issue_postings`, each in the list's order (see the migrations). A statement
//! works out in turn, each in one row:
//!
//! * `asked`: the caller, the projects whose issues they see there (`places`), and whom the list is about (`person_id`);
//! * `chosen`: where the issues stand (`ranges`), and what counters know of the total (`known`);
//! * `walked`: the first postings behind the cursor (`candidates`), in order, and what had to be counted;
//! * `page`: which of them are shown, and one more if there is one (`shown`, with how many of them are closed).
//!
//! Then come the issues of the page in no order, and the total. Where the filter has conditions that no index knows (`rest`),
//! a fixed number of candidates is looked at, `steps`, and the total tells where to go on.
//!
//! Every reference to a common table expression counts the table cursors of all that it stands on again, of which a
//! statement may have 100: hence each is referred to once, and lists go from one to the next as JSON.
//!
//! Binds: `?7` the filter (see [`super::filter::Filter::question`]), `?8` and `?9` time and id that the page comes after,
//! `?10` how many to pass over from there, `?11` how many to show.

use super::sql::moved_to;
use super::sql::parts::{
    counted, known, list, person_id, picked, picked_by_day, reads_hidden, shelves, viewer,
};
use super::sql::rest::meets;
use super::sql::shelves::{position, walk, walked_at, way};
use crate::call::sql::scope::project_access;
use crate::call::{in_group, in_project, signed_in};
use crate::page::bounded;
use crate::policy::level;

/// A list of one project, or of one of its milestones.
macro_rules! of_project {
    (candidates: $candidates:expr, picked: $picked:expr, known: $known:expr, counted: $counted:expr) => {
        bounded!(in_project!(list!(
            asked: concat!(
                "select user_id, full_path, access, json_array(json_array(project_id, access, issues_enabled)) as places, ",
                person_id!("user_id"), " as person_id from scope"
            ),
            shelves: shelves!("json_each(asked.places)", "0", "v.value ->> 0", viewer!()),
            candidates: $candidates,
            picked: $picked,
            path: "page.full_path",
            moved_to: moved_to!("page.user_id", reads_hidden!()),
            read: "0",
            known: $known,
            counted: $counted
        )))
    };
}

macro_rules! project_walk {
    () => {
        walk!("")
    };
}
macro_rules! of_project_searched {
    (candidates: $candidates:expr, known: $known:expr, counted: $counted:expr) => {
        of_project!(candidates: $candidates, picked: picked!("0"), known: $known, counted: $counted)
    };
}

/// A list of one project, by time, or by a day of the newest that are looked at. Where a counter knows the total, a caller who
/// does not read all of the hidden issues has the own ones counted.
pub const OF_PROJECT: &str = of_project!(
    candidates: project_walk!(),
    picked: concat!("iif(?7 ->> '$.day' is null, ", picked!("0"), ", ", picked_by_day!(), ")"),
    known: known!(),
    counted: counted!(
        "iif(?7 ->> '$.counter' is null, r.value ->> 5, '$.hidden_classes')",
        "(r.value ->> 4 > 0 or ?7 ->> '$.counter' is null)", "true", "1"
    )
);

/// Whether the issue `i` is past where the list stands.
macro_rules! is_past {
    () => {
        concat!(
            "(",
            way!(),
            " * iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at), ",
            way!(),
            " * i.id) > (",
            way!(),
            " * ?8, ",
            way!(),
            " * ?9)"
        )
    };
}

/// The issues that have the numbers asked for and meet the filter.
macro_rules! numbered {
    ($what:expr, $end:expr) => {
        concat!(
            "(select ", $what, " from (select iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at) as at, i.id, i.project_id,
    i.state = 'closed' as closed
  from json_each(chosen.places) v cross join json_each(?7, '$.iids') d
  cross join issues i on i.project_id = v.value ->> 0 and i.iid = d.value
  where v.value ->> 2 and i.deleted_at is null and iif(i.state = 'closed', ?7 ->> '$.closed', ?7 ->> '$.opened')
    and (not i.confidential or v.value ->> 1 >= ", reads_hidden!(), " or chosen.user_id in (i.author_id, i.assignee_id))
    and ", meets!("chosen.user_id", "0"), $end, "))"
        )
    };
}

/// The same of the issues that have the numbers asked for.
pub const NUMBERED: &str = of_project!(
    candidates: numbered!(
        concat!("json_group_array(", position!("at", "id", "project_id", "closed"), ")"),
        concat!(
            " and ", is_past!(), "
  order by at * ", way!(), ", i.id * ", way!(), " limit (select 1 + ?11) offset (select ?10)"
        )
    ),
    picked: "json_array(json(walked.candidates))",
    known: known!(),
    counted: numbered!("json_array(0, count(*), coalesce(sum(closed), 0))", "")
);

/// Whether an issue bears all of several labels.
macro_rules! bears {
    ($issue:expr) => {
        concat!(
            "(?7 ->> '$.bears' is null or json_array_length(?7, '$.every') = (select count(*)
    from issue_labels b cross join labels y on y.id = b.label_id
    where b.issue_id = ",
            $issue,
            " and instr(?7 ->> '$.bears', ',' || y.title || ',')))"
        )
    };
}

/// Whether the project `p` has issues that are asked for.
macro_rules! lists {
    () => {
        "p.deleted_at is null and p.issues_enabled and not (p.archived and ?7 ->> '$.active' is not null)"
    };
}

/// What the caller of a group's list may do in the project `q`, as far as that is known without another look-up, for which the
/// statement has no room: where they are a member of that project alone, or of another group, nothing.
macro_rules! access_to_target {
    () => {
        concat!(
            "case when page.access >= ",
            level!(Administrator),
            " then page.access when q.namespace_id = page.user_id then ",
            level!(Owner),
            "
            when q.namespace_id = page.group_id then page.access else 0 end"
        )
    };
}

/// A list of a group. For its members, who see every project of it, these are read from the postings of the namespace
/// (`together`), and a guest's hidden issues from the projects where they are more. For others, and where labels, milestones
/// or people are named, they are read place by place: the namespace's postings have those of projects that strangers do not
/// see, and what passing over these costs would tell of them.
macro_rules! of_group {
    (candidates: $candidates:expr, known: $known:expr, counted: $counted:expr) => {
        bounded!(in_group!(list!(
            asked: concat!(
                "select g.*, ", person_id!("g.user_id"), " as person_id, (select json_group_array(json_array(id, access, 1)) from (
      select p.id, iif(g.access >= ", reads_hidden!(), ", g.access, max(g.access, coalesce((select m.access
        from project_members m where m.user_id = g.user_id and m.project_id = p.id), 0))) as access
      from projects p indexed by projects_of_namespace_by_visibility where p.namespace_id = g.group_id
        and p.visibility >= iif(g.access > 0, 0, g.sees_from) and ", lists!(), "
      union
      select p.id, m.access from project_members m cross join projects p on p.id = m.project_id
      where g.access = 0 and m.user_id = g.user_id and p.namespace_id = g.group_id and p.visibility < g.sees_from
        and ", lists!(), ")) as places
  from (select s.user_id, s.group_id, s.access, s.sees_from, iif(s.access > 0 and ?7 ->> '$.unnamed',
      not exists (select 1 from projects q indexed by projects_without_issues
        where q.namespace_id = s.group_id and (q.deleted_at is not null or not q.issues_enabled))
      and not exists (select 1 from projects q indexed by projects_archived
        where q.namespace_id = s.group_id and q.archived and q.deleted_at is null and ?7 ->> '$.active' is not null), 0) as together
    from scope s) g"
            ),
            shelves: concat!(
                shelves!("json_each(iif(asked.together, '[]', asked.places))", "0", "v.value ->> 0", viewer!()), "
    union all
    select json_array(1, asked.group_id, null, null, iif(asked.access >= ", reads_hidden!(), ", -1, asked.user_id), '$.classes')
    where asked.together
    union all
    select json_array(0, o.project_id, null, null, -1, '$.hidden_classes')
    from project_members o cross join projects p on p.id = o.project_id and p.namespace_id = asked.group_id
    where o.user_id = asked.user_id and o.access >= ", reads_hidden!(), " and asked.together
      and asked.access < ", reads_hidden!()
            ),
            candidates: $candidates,
            picked: picked!("0"),
            path: "(select p.full_path from projects p where p.id = i.project_id)",
            moved_to:  moved_to!("page.user_id", access_to_target!(), "page.sees_from", reads_hidden!()),
            // the project in its index and itself, in the list of places, and its counter
            read: "4",
            known: $known,
            counted: $counted
        )))
    };
}

macro_rules! group_walk {
    () => {
        walk!(concat!(" and ", bears!(walked_at!("position", "issue"))))
    };
}

/// A list of a group.
pub const OF_GROUP: &str = of_group!(candidates: group_walk!(), known: known!(), counted: counted!(
    "iif(?7 ->> '$.counter' is null, r.value ->> 5, '$.hidden_classes')",
    concat!(
        "(?7 ->> '$.counter' is null or r.value ->> 4 > 0) and (?7 ->> '$.counter' is null or r.value ->> 0 = 0
      or not exists (select 1 from project_members m where m.user_id = chosen.user_id and m.project_id = x.project_id
        and m.access >= ", reads_hidden!(), "))"
    ),
    bears!("x.issue_id"),
    "iif(?7 ->> '$.every' is null, 1, 1 + 2 * json_array_length(?7, '$.every'))"
));

/// Whether the caller `$c` sees the issues of the project `p`.
macro_rules! seen {
    ($c:literal) => {
        concat!(lists!(), " and (p.visibility >= ", $c, ".sees_from or ", project_access!($c, "p"), " > 0)")
    };
}

/// Whether they still do.
macro_rules! still_seen {
    ($project:expr) => {
        concat!(
            "?7 ->> '$.scope' <> 1 or not ?7 ->> '$.unnamed' or json_array_length(chosen.places) = chosen.projects
      or exists (select 1 from projects p where p.id = ", $project, " and ", seen!("chosen"), ")"
        )
    };
}

/// What the caller wrote (scope 1) in the projects that they still see, what is assigned to them there (2), or all that they
/// see (0).
macro_rules! of_caller {
    (candidates: $candidates:expr, known: $known:expr, counted: $counted:expr) => {
        bounded!(signed_in!(list!(
            asked: concat!(
                "select c.id, c.id as user_id, c.admin, c.sees_from, ", person_id!("c.id"), " as person_id, iif(?7 ->> '$.scope' = 1,
    (select json_group_array(json_array(p.id, 0, 1)) from issue_authors n
      cross join projects p on p.id = n.project_id where n.author_id = c.id and ", seen!("c"), "),
    (select json_group_array(json_array(p.id, ", project_access!("c", "p"), ", 1)) from (
      select id from (select p.id from projects p indexed by projects_by_visibility
        where p.visibility >= iif(c.admin, 0, c.sees_from) and ?7 ->> '$.scope' = 0 and ", lists!(), " limit (select 1 + coalesce(?7 ->> '$.wide', 0)))
      union select id from (select p.id from project_members m cross join projects p on p.id = m.project_id
        where m.user_id = c.id and ?7 ->> '$.scope' = 0 and ", lists!(), " limit (select 1 + coalesce(?7 ->> '$.wide', 0)))
      union select id from (select p.id from projects p where p.namespace_id = c.id and ?7 ->> '$.scope' = 0 and ", lists!(), "
        limit (select 1 + coalesce(?7 ->> '$.wide', 0)))
      union select id from (select p.id from group_members m cross join projects p on p.namespace_id = m.group_id
        where m.user_id = c.id and ?7 ->> '$.scope' = 0 and ", lists!(), " limit (select 1 + coalesce(?7 ->> '$.wide', 0)))) o
      cross join projects p on p.id = o.id)) as places,
    (select count(*) from issue_authors n where n.author_id = c.id and ?7 ->> '$.scope' = 1) as projects
  from caller c"
            ),
            shelves: concat!(
                shelves!(
                    "json_each(iif(?7 ->> '$.scope' = 1 and ?7 ->> '$.unnamed', '[]', asked.places))",
                    "iif(?7 ->> '$.scope' = 1, 2, 0)",
                    "iif(?7 ->> '$.scope' = 1, asked.user_id, v.value ->> 0)",
                    concat!("iif(?7 ->> '$.scope' = 1, 0, ", viewer!(), ")")
                ),
                "
    union all
    select json_array(2, asked.user_id, iif(?7 ->> '$.scope' = 1, null, -2), iif(?7 ->> '$.scope' = 1, null, 0), 0, '$.classes')
    where ?7 ->> '$.scope' = 2 or (?7 ->> '$.scope' = 1 and ?7 ->> '$.unnamed')"
            ),
            candidates: $candidates,
            picked: picked!(concat!("exists (select 1 from projects p where p.id = i.project_id and ", seen!("walked"), ")")),
            path: "(select p.full_path from projects p where p.id = i.project_id)",
            moved_to: moved_to!("page.user_id", project_access!("page.user_id", "page.admin", "q"), "page.sees_from", reads_hidden!()),
            // the counter, the project, and both again
            read: "4",
            known: $known,
            counted: $counted
        )))
    };
}

macro_rules! caller_walk {
    () => {
        walk!(concat!(" and (", still_seen!(walked_at!("position", "project")), ")"))
    };
}

/// A list of the caller.
pub const OF_CALLER: &str = of_caller!(
    candidates: caller_walk!(),
    known: known!("coalesce(n.opened, 0)", "coalesce(n.closed, 0)", "
  left join issue_authors n on ?7 ->> '$.counter' = 'author' and n.author_id = asked.user_id and n.project_id = v.value ->> 0"),
    counted: counted!(
        "iif(?7 ->> '$.counter' is null, r.value ->> 5, '$.hidden_classes')",
        "(?7 ->> '$.counter' is null or (?7 ->> '$.counter' <> 'author' and r.value ->> 4 > 0))",
        still_seen!("x.project_id"),
        "iif(?7 ->> '$.unnamed' and json_array_length(chosen.places) < chosen.projects, 2, 1)"
    )
);

/// The words `x` of the issues that the caller of `$of` sees in its places.
macro_rules! standing_under {
    ($of:literal) => {
        concat!(
            "json_each(",
            $of,
            ".places) v cross join json_each(json_array(0, iif(v.value ->> 1 >= ",
            reads_hidden!(),
            ", -1, ",
            $of,
            ".user_id))) w
    cross join issue_words x on v.value ->> 2 and x.project_id = v.value ->> 0 and x.viewer_id = w.value"
        )
    };
}

/// The lists in which words are looked for. Where the rarest word has few issues in the places, these are the candidates, in
/// one go; else, and where issues were made before words were kept, the list is walked like the others. What is searched for is
/// JSON `[first word, behind the last]` of each word and whatever begins with it.
macro_rules! searched {
    ($list:ident, $walk:ident) => {
        $list!(
            candidates: concat!(
                "iif(chosen.known ->> 4 <= ?7 ->> '$.few', (select json_group_array(position) from (
    select distinct ", position!("iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at)", "i.id", "i.project_id", "(i.state = 'closed')"), " as position
    from ", standing_under!("chosen"), " and x.word >= chosen.known ->> '$[5][0]' and x.word < chosen.known ->> '$[5][1]'
    cross join issues i on i.id = x.issue_id
    where ", is_past!(), "
    order by 1)), ", $walk!(), ")"
            ),
            known: concat!(
                "coalesce((select json_array(0, 0, json_array_length(asked.places), 1, q.count, json(q.value)) from (select d.value,
    iif(?7 ->> '$.scope' = 2 or exists (select 1 from json_each(asked.places) v cross join issues u indexed by issues_without_words
        on u.project_id = v.value ->> 0 where u.words is null and u.deleted_at is null), ?7 ->> '$.few' + 1,
      (select count(*) from (select 1 from ", standing_under!("asked"), " and x.word >= d.value ->> 0 and x.word < d.value ->> 1
        limit (select 1 + ?7 ->> '$.few')))) as count
    from json_each(?7, '$.words') d order by 2 limit 1) q), '[0, 0, 0, 1]')"
            ),
            counted: "'[0, null, null]'"
        )
    };
}

pub const SEARCHED_IN_PROJECT: &str = searched!(of_project_searched, project_walk);
pub const SEARCHED_IN_GROUP: &str = searched!(of_group, group_walk);
pub const SEARCHED_OF_CALLER: &str = searched!(of_caller, caller_walk);
