//! Rows and statements of projects.

pub mod edit;
pub mod list;

use crate::call::{Caller, in_project, signed_in};
use crate::error::{Error, Result};
use crate::person::UserRow;
use crate::policy::{self, Access, Action, Visibility, level};
use crate::store::{Failure, Row, Statement, Store, sql};

/// A project as one caller stands to it.
#[derive(Debug, Clone, Row)]
pub struct ProjectRow {
    pub project: Columns,
    pub namespace: NamespaceRow,
    /// Open issues, and how many of them are confidential in addition.
    pub opened: Option<(i64, i64)>,
    /// The caller's levels, as a member of the project and of its group.
    pub project_access: Option<i64>,
    pub group_access: Option<i64>,
    /// Of the default branch, where a query asks for them.
    pub commits: Option<i64>,
}

impl ProjectRow {
    /// How the caller stands to it; none: they brought no token.
    pub fn access(&self, caller: Option<&Caller>) -> Access {
        let level = self.project_access.unwrap_or(0).max(self.group_access.unwrap_or(0));
        match caller {
            None => Access::None,
            Some(caller) if caller.admin => Access::Administrator,
            Some(caller) if self.namespace.owner.as_ref().is_some_and(|owner| owner.id == caller.user.id) => {
                Access::Owner
            }
            Some(_) => Access::from(level),
        }
    }

    /// How many open issues those see who stand so; none where issues are switched off.
    pub fn open_issues(&self, access: Access) -> Option<i64> {
        let (opened, hidden) = self.opened.unwrap_or_default();
        let visibility = Visibility::from(self.project.visibility);
        let sees_hidden = policy::may(Action::ReadConfidentialIssues, access, visibility);
        self.project.issues_enabled.then_some(if sees_hidden { opened + hidden } else { opened })
    }
}

/// The project's own columns.
#[derive(Debug, Clone, Row)]
pub struct Columns {
    pub id: i64,
    pub name: String,
    pub path: String,
    pub full_name: String,
    pub full_path: String,
    pub description: Option<String>,
    pub visibility: i64,
    pub default_branch: Option<String>,
    pub issues_enabled: bool,
    pub builds_enabled: bool,
    pub archived: bool,
    pub creator_id: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// A user's or a group's namespace.
#[derive(Debug, Clone, Row)]
pub struct NamespaceRow {
    pub id: i64,
    pub kind: String,
    pub path: String,
    pub name: String,
    pub description: String,
    pub created_at: i64,
    /// The user whose own namespace it is.
    pub owner: Option<UserRow>,
}

/// A [`NamespaceRow`] looked up by an id.
macro_rules! namespace_json {
    ($id:literal) => {
        concat!(
            "json((select json_array(n.id, n.kind, n.path, coalesce(g.name, n.path),
    coalesce(g.description, ''),
    coalesce(g.created_at, (select u.created_at from users u where u.id = n.id)),
    ",
            crate::person::user_by_id!("n.id"),
            ")
  from namespaces n left join groups g on g.id = n.id where n.id = ",
            $id,
            "))"
        )
    };
}

/// A [`ProjectRow`] of the alias `p` as the user sees it whose id is `$user`.
macro_rules! project_json {
    ($user:literal) => {
        crate::projects::sql::project_json!($user, "")
    };
    // `$more`: further members
    ($user:literal, $more:literal) => {
        concat!(
            "json_array(json_array(p.id, p.name, p.path, p.full_name,
    p.full_path, p.description, p.visibility,
    p.default_branch, p.issues_enabled, p.builds_enabled,
    p.archived, p.creator_id, p.created_at, p.updated_at),
  ",
            crate::projects::sql::namespace_json!("p.namespace_id"),
            ",
  json((select json_array(c.opened, c.opened_hidden) from issue_counts c where c.project_id = p.id)),
  (select m.access from project_members m where m.user_id = ",
            $user,
            " and m.project_id = p.id),
  (select m.access from group_members m where m.user_id = ",
            $user,
            " and m.group_id = p.namespace_id)",
            $more,
            ")"
        )
    };
}

pub(crate) use {namespace_json, project_json};

/// The project that was asked for.
const ONE: &str = in_project!(
    "union all select ",
    project_json!("(select id from caller)"),
    " from scope s cross join projects p on p.id = s.project_id"
);

pub fn one() -> Statement {
    sql!(ONE)
}

/// The project that was asked for, with how many commits its default branch has.
const WITH_COMMITS: &str = in_project!(
    "union all select ",
    project_json!(
        "(select id from caller)",
        ", (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch)"
    ),
    " from scope s cross join projects p on p.id = s.project_id"
);

pub fn one_with_commits() -> Statement {
    sql!(WITH_COMMITS)
}

/// What a new project would find.
#[derive(Debug, Row)]
pub struct Before {
    pub creator_id: Option<i64>,
    pub namespace: Option<Target>,
    /// 0, 1 or 2.
    pub default_visibility: i64,
    /// The levels 0, 1 and 2 that only administrators may give.
    pub restricted: Vec<i64>,
}

/// A namespace, and what the caller may do there.
#[derive(Debug, Row)]
pub struct Target {
    pub id: i64,
    pub access: Access,
    /// Of a group; its projects are at most as visible.
    pub visibility: Option<i64>,
    /// How many projects a personal namespace may hold; a group's may hold any number.
    pub limit: Option<i64>,
    pub count: i64,
}

/// What does the caller find in the namespace `?7` (or in their own), and is there a user `?8`?
const BEFORE: &str = signed_in!(
    "union all select json_object(
  'creator_id', (select u.id from users u where u.id = (select ?8)),
  'namespace', json((select json_object('id', n.id,
      'access', case when c.admin then ",
    level!(Administrator),
    " when n.id = c.id then ",
    level!(Owner),
    " else
        coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = n.id), 0) end,
      'visibility', (select g.visibility from groups g where g.id = n.id),
      'limit', iif(u.id is null, null, coalesce(u.projects_limit, s.default_projects_limit)),
      'count', coalesce(u.projects_count, 0))
    from caller c join namespaces n on n.id = coalesce(?7, c.id)
    left join users u on u.id = n.id where n.path <> '/' and n.id > 0)),
  'default_visibility', s.default_project_visibility, 'restricted', json(s.restricted_visibility_levels))
from caller cross join settings s"
);

pub fn before_create(namespace_id: Option<i64>, creator_id: Option<i64>) -> Statement {
    sql!(BEFORE, namespace_id, creator_id)
}

/// A project to be made.
#[derive(Debug)]
pub struct Draft {
    pub namespace_id: i64,
    /// Whether it lies in a user's own namespace, and counts there.
    pub is_personal: bool,
    /// Whether the number of projects there is limited, and to how many.
    pub is_limited: bool,
    pub limit: i64,
    pub creator_id: i64,
    pub name: String,
    pub path: String,
    pub description: Option<String>,
    pub visibility: i64,
    pub issues_enabled: bool,
    pub builds_enabled: bool,
    pub now: i64,
}

/// Makes the project, unless its namespace has the `?10` projects that it may hold.
const INSERT: &str = "insert into projects (namespace_id, creator_id, name, path, full_path, path_key, full_name,
  description, visibility, issues_enabled, builds_enabled, created_at, updated_at)
select n.id, ?2, ?3, ?4, n.path || '/' || ?4, lower(n.path || '/' || ?4), coalesce(g.name, u.name) || ' / ' || ?3,
  ?5, ?6, ?7, ?8, ?9, ?9
from namespaces n left join groups g on g.id = n.id left join users u on u.id = n.id
where n.id = (select ?1) and n.path <> '/' and (?10 is null or u.projects_count < (select ?10))
returning json_quote(id) as v";

/// Counts it in its personal namespace.
const COUNT: &str =
    "update users set projects_count = projects_count + 1 where id = (select ?1) and changes() = 1";

/// The project that this batch made, in the namespace `?1`.
macro_rules! newest {
    () => {
        "(select max(id) from projects where namespace_id = (select ?1))"
    };
}

/// Its issues are numbered and counted from here on.
const ISSUE_COUNTS: &str = concat!(
    "insert into issue_counts (project_id) select id from projects where id = ",
    newest!(),
    " on conflict do nothing"
);

/// The new project as `?2` sees it.
const RESULT: &str =
    concat!("select ", project_json!("?2"), " as v from projects p where p.id = ", newest!());

/// Makes a project with its counters: one transaction.
pub async fn create(store: &Store<'_>, draft: Draft) -> Result<ProjectRow> {
    let limit = draft.is_limited.then_some(draft.limit);
    let mut batch = vec![sql!(
        INSERT,
        draft.namespace_id,
        draft.creator_id,
        draft.name,
        draft.path,
        draft.description,
        draft.visibility,
        draft.issues_enabled,
        draft.builds_enabled,
        draft.now,
        limit
    )];
    if draft.is_personal {
        batch.push(sql!(COUNT, draft.namespace_id));
    }
    batch.push(sql!(ISSUE_COUNTS, draft.namespace_id));
    batch.push(sql!(RESULT, draft.namespace_id, draft.creator_id));
    let mut answers = store.batch(batch).await.map_err(taken)?;
    let rows = answers.pop().unwrap_or_default();
    if answers.first().is_none_or(|made| made.is_empty()) {
        let gone = || Error::field("namespace", "is not valid");
        return Err(limit.map_or_else(gone, limit_reached));
    }
    rows.first()?.ok_or_else(|| Error::Internal("a new project is not there".to_owned()))
}

/// Says that another project has the path.
pub fn taken(failure: Failure) -> Error {
    match failure {
        Failure::Constraint(text) if text.contains("projects.path_key") => name_taken(),
        Failure::Constraint(text) if text.contains("E_VISIBILITY") => {
            Error::field("visibility_level", "cannot be higher than that of its group")
        }
        Failure::Constraint(text) if text.contains("FOREIGN KEY") => {
            Error::field("namespace", "is not valid")
        }
        other => other.into(),
    }
}

pub fn name_taken() -> Error {
    Error::bad_request(serde_json::json!({ "message": {
        "name": ["has already been taken"], "path": ["has already been taken"]
    } }))
}

/// How v3 says that a personal namespace is full.
pub fn limit_reached(limit: i64) -> Error {
    let text =
        format!("Your project limit is {limit} projects! Please contact your administrator to increase it");
    Error::Refused(403, text)
}
