//! The statements of lists beyond one project: a group's, and of what the caller wrote. They are put together from the
//! pieces of `pages.rs`, with the same places and binds.

use crate::call::scope::{projects_in_group, sees};
use crate::call::{in_group, signed_in};
use crate::issues::sql::issue_json;

/// The projects of the group whose issues the caller sees, and his standing in each.
macro_rules! visible {
    () => {
        concat!(
            "(select p.id as project_id, max((select access from scope), coalesce((select m.access from project_members m
    where m.user_id = (select user_id from scope) and m.project_id = p.id), 0)) as access
  from (",
            projects_in_group!("-1"),
            ") w cross join projects p on p.id = w.id where p.issues_enabled) v"
        )
    };
}

/// A list of a group: each visible project's own page, merged.
pub const OF_GROUP: &str = in_group!(page_of!(
    "select found.value ->> 0 as id, found.value ->> 1 as at from {visible}{bearing}
  cross join json_each((select json_group_array(json_array(id, at)) from ({candidates}))) found
  where true order by at {sort}, id {sort} limit (select ?11) offset (select ?10)",
    "(select coalesce(sum({total}), 0) from {visible})"
));
pub const GROUP: [(&str, &str); 7] = [
    ("{place}", "v.project_id"),
    ("{label}", "l.id"),
    ("{limit}", "limit (select ?10 + ?11)"),
    ("{visible}", visible!()),
    ("{project}", "v.project_id"),
    ("{access}", "v.access"),
    ("{user}", "(select user_id from scope)"),
];

/// The label in each project of a group.
pub const BEARING: &str =
    " cross join labels l on l.project_id = v.project_id and l.title = (select ?12) ->> '$[0]'";

/// Whether the caller still sees the project `p`.
macro_rules! still_seen {
    () => {
        concat!("p.deleted_at is null and p.issues_enabled and (select ", sees!("c", "p"), " from caller c)")
    };
}

/// What the caller wrote where he still sees it.
pub const OF_CALLER: &str = signed_in!(page_of!("{candidates}", "{total}"));
pub const CALLER: [(&str, &str); 1] = [("{limit}", "limit (select ?11) offset (select ?10)")];

/// The projects where the caller wrote something that he still sees.
macro_rules! own_projects {
    ($what:literal) => {
        concat!(
            "(select ",
            $what,
            " from issue_authors n cross join projects p on p.id = n.project_id
    where n.author_id = (select id from caller) and ",
            still_seen!(),
            ")"
        )
    };
}

macro_rules! own_range {
    ($state:literal) => {
        range!(
            "issues_of_author_by_{by}",
            $state,
            "i.author_id = (select id from caller) and i.project_id in ",
            own_projects!("n.project_id")
        )
    };
}

pub const OWN: (&str, &str) = (
    concat!(own_range!("opened"), "union all ", own_range!("closed"), ordered!()),
    own_projects!(
        "coalesce(sum((coalesce(?7, 'opened') = 'opened') * n.opened + (coalesce(?7, 'closed') = 'closed') * n.closed), 0)"
    ),
);

/// The issues that the caller wrote and that meet the filters.
macro_rules! own_matches {
    () => {
        concat!(
            "from issues i indexed by issues_of_author_by_{by} where i.author_id = (select id from caller)
  and i.deleted_at is null and i.state = coalesce(?7, i.state) and i.project_id in ",
            own_projects!("n.project_id"),
            "
  and case when ?12 is null then 1
    when ?12 = '[\"No Label\"]' then not exists (select 1 from issue_labels y where y.issue_id = i.id)
    else exists (select 1 from issue_labels y join labels l on l.id = y.label_id
      where y.issue_id = i.id and l.title in (select value from json_each(?12))) end
  and case when ?13 is null then 1 when ?13 = 'No Milestone' then i.milestone_id is null
    else exists (select 1 from milestones m where m.id = i.milestone_id and m.title = (select ?13)) end"
        )
    };
}

/// Filters have no counters here: the cost is that of all that the caller wrote.
pub const OWN_MATCHED: (&str, &str) = (
    concat!(
        "select i.id as id, i.{at} as at ",
        own_matches!(),
        " and (i.{at}, i.id) {past} (?8, ?9)",
        ordered!()
    ),
    concat!("(select count(*) from (select i.id ", own_matches!(), "))"),
);
