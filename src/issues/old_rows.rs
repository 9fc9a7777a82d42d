//! Rows by position, until all areas read issues and milestones by the names of their columns.

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
