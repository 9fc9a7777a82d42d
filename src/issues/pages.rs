//! The statements of issue lists, put together from a closed set of pieces. A piece finds the issues of one project: up
//! to five ranges of an index, each in the list's order, which SQLite merges and reads no further than the page
//! reaches. A list is one project, the visible projects of a group, or what the caller wrote.
//!
//! `indexed by`, because D1 keeps no statistics and the planner would take another index of as many columns.
//!
//! Places in the pieces: `{place}` the project, `{project}` the same while its issues are switched on, `{access}` the
//! caller's standing in it, `{user}` the caller,
//! `{at}`, `{by}`, `{sort}`, `{past}` the order, `{limit}` what is taken of it. Binds: `?7` state, `?8` and `?9` start,
//! `?10` rows to pass over, `?11` how many, `?12` labels, `?13` milestone, `?14` iids.

use super::sql::issue_json;
use crate::call::in_project;

/// The end of a piece: its order and how much is taken.
macro_rules! ordered {
    () => {
        " order by at {sort}, id {sort} {limit}"
    };
}

/// One range of an index of issues.
macro_rules! range {
    ($index:literal, $state:literal, $($condition:expr),+) => {
        concat!("select i.id as id, i.{at} as at from issues i indexed by ", $index, " where ", $($condition),+,
            " and i.state = '", $state, "' and coalesce(?7, '", $state, "') = '", $state, "'
    and i.deleted_at is null and (i.{at}, i.id) {past} (?8, ?9)\n")
    };
}

/// Conditions on the caller as keys of an index: null finds nothing at once, where a condition apart would be asked of
/// every row.
macro_rules! if_reporter {
    () => {
        "(case when {access} >= 20 then 1 end)"
    };
}
macro_rules! if_below {
    () => {
        "(case when {access} < 20 then {user} end)"
    };
}

/// The hidden issues that a caller below reporter sees because they are his. They are few.
macro_rules! own_hidden {
    ($what:literal, $condition:expr) => {
        concat!(
            "select ",
            $what,
            " from issues i indexed by issues_hidden_of_author
    where i.confidential = 1 and i.project_id = {project}
    and i.author_id = ",
            if_below!(),
            " and i.state = coalesce(?7, i.state) and i.deleted_at is null",
            $condition,
            "
  union all select ",
            $what,
            " from issues i indexed by issues_hidden_of_assignee
    where i.confidential = 1 and i.project_id = {project}
    and i.assignee_id = ",
            if_below!(),
            " and i.author_id <> {user} and i.state = coalesce(?7, i.state) and i.deleted_at is null",
            $condition
        )
    };
}

/// All ranges of a place: open to all, hidden for reporters, then what a caller below them sees of the hidden.
macro_rules! ranges {
    ($index:literal, $place:expr, $own:expr) => {
        concat!(
            range!($index, "opened", $place, " and i.confidential = 0"),
            "union all ",
            range!($index, "closed", $place, " and i.confidential = 0"),
            "union all ",
            range!($index, "opened", $place, " and i.confidential = ", if_reporter!()),
            "union all ",
            range!($index, "closed", $place, " and i.confidential = ", if_reporter!()),
            "union all select id, at from (",
            own_hidden!("i.id as id, i.{at} as at", concat!($own, " and (i.{at}, i.id) {past} (?8, ?9)")),
            ")",
            ordered!()
        )
    };
}

/// What the counters `n` say to this caller, and what he sees of the hidden beyond them.
macro_rules! counted {
    ($condition:expr) => {
        concat!(
            "(coalesce(?7, 'opened') = 'opened') * (n.opened + ({access} >= 20) * n.opened_hidden)
    + (coalesce(?7, 'closed') = 'closed') * (n.closed + ({access} >= 20) * n.closed_hidden)
    + (select count(*) from (",
            own_hidden!("i.id", $condition),
            "))"
        )
    };
}

/// A list without filters, or with a state.
pub const PLAIN: (&str, &str) = (
    ranges!("issues_by_{by}", "i.project_id = {project}", ""),
    concat!("(select ", counted!(""), " from issue_counts n where n.project_id = {project})"),
);

macro_rules! the_milestone {
    () => {
        "(select m.id from milestones m where m.project_id = {project} and {milestone} = (select ?13))"
    };
}

/// The issues of a milestone, in order of creation.
pub const IN_MILESTONE: (&str, &str) = (
    ranges!(
        "issues_of_milestone",
        concat!("i.milestone_id = ", the_milestone!()),
        concat!(" and i.milestone_id = ", the_milestone!())
    ),
    concat!(
        "(select ",
        counted!(" and i.milestone_id = n.id"),
        " from milestones n where n.id = (select m.id from milestones m where m.project_id = {place} and {milestone} = (select ?13))",
        ")"
    ),
);

/// One range of a label's index.
macro_rules! label_range {
    ($label:expr, $state:literal, $confidential:expr) => {
        concat!(
            "select x.issue_id as id, x.created_at as at from issue_labels x indexed by issue_labels_by_creation
    where x.label_id = ", $label, " and x.confidential = ", $confidential, " and x.state = '", $state, "'
    and coalesce(?7, '", $state, "') = '", $state, "' and (x.created_at, x.issue_id) {past} (?8, ?9)\n"
        )
    };
}

/// The ranges of one label, in order of creation.
macro_rules! label_ranges {
    ($label:expr) => {
        concat!(
            label_range!($label, "opened", "0"),
            "union all ",
            label_range!($label, "closed", "0"),
            "union all ",
            label_range!($label, "opened", if_reporter!()),
            "union all ",
            label_range!($label, "closed", if_reporter!())
        )
    };
}

/// An issue `i` that bears one of the labels `?12`.
macro_rules! labeled {
    () => {
        " and exists (select 1 from issue_labels y join labels l on l.id = y.label_id
      where y.issue_id = i.id and l.title in (select value from json_each(?12)))"
    };
}

/// The issues that bear the one label `{label}`, in order of creation.
pub const LABELED: (&str, &str) = (
    concat!(
        label_ranges!("{label}"),
        "union all select id, at from (",
        own_hidden!(
            "i.id as id, i.{at} as at",
            " and exists (select 1 from issue_labels y where y.issue_id = i.id and y.label_id = {label})
    and (i.{at}, i.id) {past} (?8, ?9)"
        ),
        ")",
        ordered!()
    ),
    concat!(
        "coalesce((select ",
        counted!(" and exists (select 1 from issue_labels y where y.issue_id = i.id and y.label_id = n.id)"),
        " from labels n where n.project_id = {project} and n.title = (select ?12) ->> '$[0]'), 0)"
    ),
);

/// The issues that bear any of the labels, in order of creation: a page of each, merged.
pub const ANY_LABELED: (&str, &str) = (
    concat!(
        "select found.value ->> 0 as id, found.value ->> 1 as at from json_each(?12) named
  cross join labels l on l.project_id = {project} and l.title = named.value
  cross join json_each((select json_group_array(json_array(id, at)) from (",
        label_ranges!("l.id"),
        " order by at {sort}, id {sort} limit (select ?10 + ?11)))) found
union select id, at from (",
        own_hidden!("i.id as id, i.{at} as at", concat!(labeled!(), " and (i.{at}, i.id) {past} (?8, ?9)")),
        ")", ordered!()
    ),
    concat!(
        "(select count(*) from (select x.issue_id from json_each(?12) named
    cross join labels l on l.project_id = {project} and l.title = named.value
    cross join issue_labels x on x.label_id = l.id and x.state = coalesce(?7, x.state) and x.confidential <= ({access} >= 20)
    union ", own_hidden!("i.id", labeled!()), "))"
    ),
);

/// The issues of `{base}` that meet every filter given; `{labels}` says how.
macro_rules! matches {
    () => {
        concat!(
            "from {base} where i.project_id = {project} and i.deleted_at is null and i.state = coalesce(?7, i.state)
  and (i.confidential = 0 or {access} >= 20 or {user} in (i.author_id, i.assignee_id))
  and (?14 is null or i.iid in (select value from json_each(?14)))
  and case when ?12 is null then 1
    when ?12 = '[\"No Label\"]' then not exists (select 1 from issue_labels y where y.issue_id = i.id)
    else {labels} (select count(*) from issue_labels y join labels l on l.id = y.label_id
      where y.issue_id = i.id and l.title in (select value from json_each(?12))) end
  and case when ?13 is null then 1 when ?13 = 'No Milestone' then i.milestone_id is null
    else i.milestone_id = ", the_milestone!(), " end"
        )
    };
}

/// Any combination of filters; its cost is that of the matches of `{base}`.
pub const MATCHED: (&str, &str) = (
    concat!(
        "select i.id as id, i.{at} as at ",
        matches!(),
        " and (i.{at}, i.id) {past} (?8, ?9)",
        ordered!()
    ),
    concat!("(select count(*) from (select i.id ", matches!(), "))"),
);

/// How many of the labels an issue must bear.
pub const ANY_LABEL: &str = "0 <";
pub const ALL_LABELS: &str = "json_array_length(?12) =";

/// The issues of one place that the caller sees: what is hidden is not read.
macro_rules! base_of {
    ($index:literal, $place:literal) => {
        concat!(
            "(select i.id as id from issues i indexed by ",
            $index,
            " where ",
            $place,
            " and i.confidential = 0 and i.deleted_at is null
  union all select i.id from issues i indexed by ",
            $index,
            " where ",
            $place,
            " and i.confidential = ",
            if_reporter!(),
            " and i.deleted_at is null
  union all select id from (",
            own_hidden!("i.id as id", concat!(" and ", $place)),
            ")) b cross join issues i on i.id = b.id"
        )
    };
}

/// Where [`MATCHED`] begins: the most telling filter.
pub const BASE_IIDS: &str = "(select distinct value from json_each(?14)) w cross join issues i on i.project_id = {project} and i.iid = w.value";
pub const BASE_LABELS: &str = concat!(
    "(select x.issue_id as id from json_each(?12) w cross join labels l on l.project_id = {project} and l.title = w.value
    cross join issue_labels x indexed by issue_labels_by_creation on x.label_id = l.id and x.confidential = 0
  union select x.issue_id from json_each(?12) w cross join labels l on l.project_id = {project} and l.title = w.value
    cross join issue_labels x indexed by issue_labels_by_creation on x.label_id = l.id and x.confidential = ",
    if_reporter!(),
    " union select id from (",
    own_hidden!("i.id as id", labeled!()),
    ")) b cross join issues i on i.id = b.id"
);
pub const BASE_MILESTONE: &str = base_of!(
    "issues_of_milestone",
    "i.milestone_id = (select m.id from milestones m where m.project_id = {project} and {milestone} = (select ?13))"
);
pub const BASE_PROJECT: &str = base_of!("issues_by_creation", "i.project_id = {project}");

/// The page of candidates as issues, and the total.
macro_rules! page_of {
    ($candidates:literal, $total:literal) => {
        concat!(
            "union all select json_object('issue', json(v)) from (select ",
            issue_json!("(select id from caller)"),
            " as v from (",
            $candidates,
            ") c cross join issues i on i.id = c.id order by c.at {sort}, c.id {sort})
union all select json_object('total', ",
            $total,
            ")"
        )
    };
}

/// A list of one project.
pub const OF_PROJECT: &str = in_project!(page_of!("{candidates}", "{total}"));
pub const PROJECT: [(&str, &str); 6] = [
    ("{place}", "(select project_id from scope)"),
    (
        "{label}",
        "(select l.id from labels l where l.project_id = {project} and l.title = (select ?12) ->> '$[0]')",
    ),
    ("{limit}", "limit (select ?11) offset (select ?10)"),
    ("{project}", "(select project_id from scope where issues_enabled)"),
    ("{access}", "(select access from scope)"),
    ("{user}", "(select user_id from scope)"),
];

mod wider;
pub use wider::{BEARING, CALLER, GROUP, OF_CALLER, OF_GROUP, OWN, OWN_MATCHED};
