//! Rows and statements of single issues.

pub mod creation;
pub mod delete;
pub mod edit;
pub mod moves;
pub mod parts;
pub mod rest;
pub mod shelves;
pub mod subscriptions;
pub mod v4_participants;

use crate::call::{in_project, signed_in};
use crate::dialect::Dialect;
use crate::error::ValidationErrors;
use crate::store::{Row, Statement, sql};

pub use super::{IssueRef, IssueRow, MilestoneRow};

/// The id of the issue of this project that the bind `$named` names, an [`IssueRef`]. By an id no row is read for it.
macro_rules! issue_id {
    ($named:literal) => {
        concat!(
            "coalesce(",
            $named,
            " ->> 0, (select n.id from issues n where n.iid = (select ",
            $named,
            " ->> 1)
    and n.project_id = coalesce(?5 ->> 0, (select y.id from projects y where y.path_key = (select ?5 ->> 1)))))"
        )
    };
}

/// A [`MilestoneRow`] of the alias `m`.
macro_rules! milestone_json {
    () => {
        "json_array(m.id, m.iid, m.project_id, m.title, m.description,
    m.state, m.due_date, m.start_date, m.created_at, m.updated_at)"
    };
}

/// The id of the issue that the issue `i` became in another project, if the user `$user` sees that one; else null: who does
/// not would learn of a hidden project. `$hidden`: the level that reads confidential issues. `$access` (to the
/// project `q`) and `$sees_from`: of the user, where the statement knows these.
macro_rules! moved_to {
    ($user:expr, $hidden:expr) => {
        crate::issues::sql::moved_to!(
            concat!(" left join users z on z.id = (select ", $user, ")"),
            "z.id",
            crate::call::sql::scope::project_access!("z", "q"),
            crate::call::sql::scope::sees_from!("z"),
            $hidden
        )
    };
    ($user:expr, $access:expr, $sees_from:expr, $hidden:expr) => {
        crate::issues::sql::moved_to!("", $user, $access, $sees_from, $hidden)
    };
    ($join:expr, $user:expr, $access:expr, $sees_from:expr, $hidden:expr) => {
        concat!(
            // most went nowhere, and cost nothing
            "iif(i.moved_to_id is null, null, (select n.id from issues n cross join projects q on q.id = n.project_id",
            $join,
            "
      where n.id = i.moved_to_id and n.deleted_at is null and q.deleted_at is null and q.issues_enabled
        and ((q.visibility >= ",
            $sees_from,
            " and (n.confidential = 0 or ",
            $user,
            " in (n.author_id, n.assignee_id)))
          or ",
            $access,
            "
            >= iif(n.confidential and not coalesce(",
            $user,
            " in (n.author_id, n.assignee_id), 0), ",
            $hidden,
            ", 1))))"
        )
    };
}

/// An [`IssueRow`] of the alias `i` as the user sees it whose id is `$user`. A label behind a comma is being deleted.
/// `$hidden`: the level that reads confidential issues. `$path`: the path of its project. `$moved_to`: see [`moved_to`].
macro_rules! issue_json {
    ($user:expr, $hidden:expr) => {
        crate::issues::sql::issue_json!($user, $hidden, "(select p.full_path from projects p where p.id = i.project_id)")
    };
    ($user:expr, $hidden:expr, $path:literal) => {
        crate::issues::sql::issue_json!(whole: $user, $path, crate::issues::sql::moved_to!($user, $hidden))
    };
    // of one that has just been made, and went nowhere yet
    (new: $user:expr) => {
        crate::issues::sql::issue_json!(whole: $user, "(select p.full_path from projects p where p.id = i.project_id)", "null")
    };
    (whole: $user:expr, $path:literal, $moved_to:expr) => {
        concat!(
            "json_array(i.id, i.iid, i.project_id, ", $path, ", i.title, i.description, i.state, i.created_at, i.updated_at,
    json((select json_group_array(l.title) from issue_labels il cross join labels l on l.id = il.label_id
      where il.issue_id = i.id and substr(l.title, 1, 1) <> ',')),
    json((select ", crate::issues::sql::milestone_json!(), " from milestones m where m.id = i.milestone_id and m.iid > 0)),
    json((select json_group_array(json(", crate::person::user_json!("u"), ")) from users u
      where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id)),
    i.author_id, i.assignee_id, coalesce((select s.subscribed from subscriptions s where s.issue_id = i.id and s.user_id = ", $user, "),
      ", $user, " in (i.author_id, i.assignee_id)
        or exists (select 1 from participants t where t.issue_id = i.id and t.user_id = ", $user, "), 0),
    i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, ", $moved_to, ")"
        )
    };
}

pub(crate) use {issue_json, milestone_json, moved_to};

/// The issue `i` of this project that the bind `$named` names, if this caller sees it. What they do not see is looked up, and no more.
macro_rules! seen {
    ($named:literal) => {
        concat!(
            "scope s cross join issues i on i.id = ",
            crate::issues::sql::issue_id!($named),
            " and i.project_id = s.project_id and i.deleted_at is null
    and (i.confidential = 0 or s.access >= (select ?6 ->> 5) or s.user_id in (i.author_id, i.assignee_id)) and s.issues_enabled"
        )
    };
}

pub(crate) use {issue_id, seen};

/// Which issue of this project is `?7`?
const ONE: &str = in_project!(
    "union all select ",
    issue_json!("(select id from caller)", "(select ?6 ->> 5)"),
    " from ",
    seen!("?7")
);

pub fn one(issue: IssueRef) -> Statement {
    sql!(ONE, issue)
}

/// Which issue has the id `?7`, in whatever project?
const ANYWHERE: &str = signed_in!(
    "union all select ",
    issue_json!("c.id", "0", "p.full_path"),
    " from caller c cross join issues i on i.id = (select ?7) and i.deleted_at is null
  cross join projects p on p.id = i.project_id and p.deleted_at is null and p.issues_enabled"
);

pub fn anywhere(issue_id: i64) -> Statement {
    sql!(ANYWHERE, issue_id)
}

/// May the caller see the issue `?7`?
const IS_SEEN: &str = in_project!("union all select 'true' from ", seen!("?7"));

/// By its number in the project.
pub fn is_seen(iid: i64) -> Statement {
    sql!(IS_SEEN, IssueRef::Number(iid))
}

/// May `?7` be assigned in the project `p`?
macro_rules! assignable {
    () => {
        concat!(
            "(?7 is null or exists (select 1 from users u where u.id = (select ?7) and u.id > 0 and u.state = 'active'
    and ",
            crate::call::sql::scope::sees!("u", "p"),
            "))"
        )
    };
}

/// The id of the milestone of the project `$project` that `?8` names, a number or a title.
macro_rules! milestone_id {
    ($project:literal) => {
        concat!(
            "(select m.id from milestones m where m.id = iif(typeof(?8) = 'text', (select t.id from milestones t
      where t.project_id = ", $project, " and t.title = (select ?8)), ?8) and m.project_id = ", $project, " and m.iid > 0)"
        )
    };
}

/// Is `?8` a milestone of the project `p`, or none?
macro_rules! has_milestone {
    () => {
        concat!("(?8 is null or ", crate::issues::sql::milestone_id!("p.id"), " is not null)")
    };
}

/// May `?7` be assigned in the project `p`, and which milestone of it is `?8`? Null: none of it; 0: none is asked for.
macro_rules! before_json {
    () => {
        concat!(
            "json_object('assignee', ",
            crate::issues::sql::assignable!(),
            ", 'milestone', iif(?8 is null, 0, ",
            crate::issues::sql::milestone_id!("p.id"),
            "))"
        )
    };
}

pub(crate) use {assignable, before_json, has_milestone, milestone_id};

/// Whether what an issue is to refer to is there.
#[derive(Debug, Row, Default)]
pub struct Before {
    assignee: bool,
    /// The id; none: there is no such milestone here.
    milestone: Option<i64>,
}

impl Before {
    /// The milestone that was asked for.
    pub fn milestone_id(&self) -> Option<i64> {
        self.milestone
    }

    pub fn check(&self, dialect: Dialect, errors: &mut ValidationErrors) {
        if !self.assignee {
            errors.add(dialect.assignee_parameter(), "is invalid");
        }
        if self.milestone.is_none() {
            errors.add("milestone_id", "is invalid");
        }
    }
}

/// Makes the labels `?2` that the project does not have yet.
pub const NEW_LABELS: &str = "insert into labels (project_id, title, color, created_at)
select ?1, value, '#428BCA', ?3 from json_each(?2) where true on conflict do nothing";

/// Of the user names `$names`: who can read the issue `i` with the id `$issue`. `$least`: the level that reads confidential ones.
macro_rules! mentioned {
    ($issue:expr, $names:literal, $least:literal) => {
        concat!(
            "issues i cross join json_each(",
            $names,
            ") named cross join users u on u.username = named.value and u.id > 0 and u.state = 'active'
join projects p on p.id = i.project_id
where i.id = ",
            $issue,
            " and i.deleted_at is null and case when i.confidential then u.id in (i.author_id, i.assignee_id) or ",
            crate::call::sql::scope::project_access!("u", "p"),
            " >= (select ",
            $least,
            ")
  else ",
            crate::call::sql::scope::sees!("u", "p"),
            " end"
        )
    };
}

/// The mentioned take part in the issue, by the comment `$note` (0: by the issue's own texts).
macro_rules! take_part {
    ($issue:expr, $names:literal, $note:expr, $least:literal) => {
        concat!(
            "insert into participants (issue_id, user_id, note_id) select i.id, u.id, ",
            $note,
            " from ",
            crate::issues::sql::mentioned!($issue, $names, $least),
            " on conflict do nothing"
        )
    };
}

/// A todo for each of the mentioned but the caller, from the comment `$note` or none.
macro_rules! todo_mentioned {
    ($issue:expr, $names:literal, $note:expr, $caller:literal, $now:literal, $least:literal) => {
        concat!(
            "insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
select u.id, ", $caller, ", i.project_id, i.id, ", $note, ", 'mentioned', ", $now, ", ", $now, " from ",
            crate::issues::sql::mentioned!($issue, $names, $least),
            " and u.id <> ", $caller, "
  and not exists (select 1 from todos t where t.issue_id = i.id and t.user_id = u.id and t.state = 'pending')"
        )
    };
}

pub(crate) use {mentioned, take_part, todo_mentioned};

/// The user names `?2` take part by the texts of the issue `?1`. `?3`: the level that reads confidential ones.
pub const TAKE_PART: &str = take_part!("(select ?1)", "?2", "0", "?3");

/// Nobody takes part by the issue's own texts any more.
pub const LEAVE: &str = "delete from participants where issue_id = (select ?1) and note_id = 0";

/// A todo for each of the user names `?2` but the caller `?3`. `?5`: the level that reads confidential issues.
pub const TODO_MENTIONED: &str = todo_mentioned!("(select ?1)", "?2", "null", "(select ?3)", "?4", "?5");

/// A todo for the assignee `?3`, caused by `?2`.
pub const TODO_ASSIGNED: &str =
    "insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select ?3, ?2, i.project_id, i.id, 'assigned', ?4, ?4 from issues i where i.id = (select ?1) and i.deleted_at is null";

/// What the user `?2` had to do about the issue is done.
pub const SETTLE_TODOS: &str = "update todos set state = 'done', updated_at = ?3
where issue_id = (select ?1) and user_id = (select ?2) and state = 'pending'";
