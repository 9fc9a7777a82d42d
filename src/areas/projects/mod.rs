//! Projects (behaviour 3.1).

pub mod edit;
pub mod lists;
pub mod v3;
pub mod v4;

use crate::areas::events::system;
use crate::kernel::answers::page_address::segment;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::{Caller, path_id};
use crate::kernel::policy::{self, Access, Visibility};
use crate::kernel::store::Failure;
use crate::kernel::text::names;
use crate::kernel::{Action, Call, Entry, Error, Links, Result, Row, ValidationErrors};
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(pub mod sql: "src/areas/projects/projects.sql");

/// A row of the view `project_rows` with the caller's levels in the project and its group.
#[derive(Debug, Clone, Row)]
pub struct ProjectRow {
    #[row(flatten)]
    pub project: Columns,
    pub namespace: NamespaceRow,
    pub opened: Option<i64>,
    pub opened_hidden: Option<i64>,
    /// The number of commits on the default branch.
    pub commits: Option<i64>,
    pub sizes: Option<Sizes>,
    pub root_files: Option<RootFiles>,
    pub has_branches: bool,
    pub project_access: Option<i64>,
    pub group_access: Option<i64>,
    /// The level of a token of the project, for answers. What the token may read also depends on its scopes.
    pub token_access: Option<i64>,
}

/// The names of files at the root of the default branch, if its tree is stored.
#[derive(Debug, Clone, Default, Row)]
pub struct RootFiles {
    readme: Option<String>,
    license: Option<String>,
}

/// The addresses of the pages that show these files.
#[derive(Debug, Clone, Default)]
pub struct RootAddresses {
    pub readme: Option<String>,
    pub license: Option<String>,
}

impl RootFiles {
    /// The addresses. All are None unless the caller may read commits, `reads_code`.
    pub fn addresses(files: Option<RootFiles>, project: &Columns, reads_code: bool, links: &Links) -> RootAddresses {
        let readable = files.filter(|_| reads_code).zip(project.default_branch.as_deref());
        let Some((RootFiles { readme, license }, branch)) = readable else { return RootAddresses::default() };
        let (path, branch) = (&project.full_path, segment(branch).replace("%2F", "/"));
        let address = |name: String| format!("{}/{path}/-/blob/{branch}/{}", links.base, segment(&name));
        RootAddresses { readme: readme.map(address), license: license.map(address) }
    }
}

/// Bytes.
#[derive(Debug, Clone, Default, Row)]
pub struct Sizes {
    pub contents: i64,
    pub uploads: i64,
    pub packages: i64,
    /// A part of the bytes of uploads.
    #[row(default)]
    pub reports: i64,
}

#[derive(Debug, Clone, Row)]
pub struct Columns {
    pub id: i64,
    pub name: String,
    pub path: String,
    pub full_name: String,
    pub full_path: String,
    pub description: Option<String>,
    pub visibility: Visibility,
    pub default_branch: Option<String>,
    pub issues_enabled: bool,
    pub builds_enabled: bool,
    pub autoclose: bool,
    pub archived: bool,
    pub creator_id: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Debug, Clone, Row)]
pub struct NamespaceRow {
    pub id: i64,
    pub kind: String,
    pub path: String,
    pub name: String,
    pub description: String,
    pub created_at: i64,
    /// None for a group.
    pub owner: Option<UserRow>,
}

impl ProjectRow {
    fn access(&self, caller: Option<&Caller>) -> Access {
        let owner_id = self.namespace.owner.as_ref().map(|owner| owner.id);
        match caller {
            None => Access::None,
            Some(caller) if caller.admin => Access::Administrator,
            Some(caller) if owner_id == Some(caller.user.id) => Access::Owner,
            Some(_) => Access::from(self.project_access.max(self.group_access).unwrap_or(0)),
        }
    }

    /// Whether the caller may do this in the project.
    fn may(&self, action: Action, caller: Option<&Caller>) -> bool {
        let visibility = self.project.visibility;
        let visibility = caller.map_or(visibility, |caller| caller.visibility(visibility));
        policy::may(action, self.access(caller), visibility)
    }

    /// Counts the open issues that the caller may see. None if issues are disabled.
    fn open_issues(&self, caller: Option<&Caller>) -> Option<i64> {
        let sees_confidential = self.may(Action::ReadConfidentialIssues, caller);
        let confidential = self.opened_hidden.filter(|_| sees_confidential).unwrap_or(0);
        self.project.issues_enabled.then_some(self.opened.unwrap_or(0) + confidential)
    }
}

#[derive(Debug, Serialize)]
pub struct Permissions {
    project_access: Option<Permission>,
    group_access: Option<Permission>,
}

#[derive(Debug, Serialize)]
struct Permission {
    access_level: i64,
    /// Always 3: as set for all projects.
    notification_level: i64,
}

impl Permissions {
    pub fn new(row: &ProjectRow) -> Permissions {
        let permission =
            |level: Option<i64>| level.map(|access_level| Permission { access_level, notification_level: 3 });
        let [project_access, group_access] = [row.project_access, row.group_access].map(permission);
        Permissions { project_access, group_access }
    }
}

struct NewProject {
    name: String,
    /// By default it is made from the name.
    path: Option<String>,
    /// By default the creator's own namespace.
    namespace_id: Option<i64>,
    description: Option<String>,
    /// The first push replaces it with the default branch of the repository.
    default_branch: Option<String>,
    visibility: Option<i64>,
    issues_enabled: Option<bool>,
    builds_enabled: Option<bool>,
    autoclose: Option<bool>,
}

impl NewProject {
    fn validate(mut self) -> Result<NewProject> {
        self.name = self.name.trim().to_owned();
        let path = self.path.take().map_or_else(|| names::slug(&self.name), |path| path.trim().to_owned());
        let mut errors = ValidationErrors::default();
        names::check_name(&mut errors, &self.name);
        names::check_project_path(&mut errors, &path);
        errors.check_length("description", self.description.as_deref(), 2000);
        if self.default_branch.as_deref().is_some_and(|name| !names::is_branch(name)) {
            errors.add("default_branch", "is invalid");
        }
        self.visibility = self.visibility.map(|level| names::check_visibility(&mut errors, level));
        self.path = Some(path);
        errors.result().map(|()| self)
    }
}

#[derive(Debug, Row)]
pub struct BeforeCreate {
    creator_id: Option<i64>,
    namespace: Option<Target>,
    /// 0, 1 or 2, like `restricted`.
    default_visibility: i64,
    restricted: Vec<i64>,
}

#[derive(Debug, Row)]
pub struct Target {
    id: i64,
    access: Access,
    /// The visibility of a group, which its projects cannot exceed.
    visibility: Option<i64>,
    /// The most projects of a personal namespace. None for a group.
    limit: Option<i64>,
    count: i64,
}

async fn create(call: &Call<'_>, new: Result<NewProject>) -> Result<(ProjectRow, Entry)> {
    let new = new.and_then(NewProject::validate);
    if new.as_ref().is_err_and(|error| error.names("namespace_id")) {
        call.hint("namespace_id is a number: GET /namespaces?search=.. tells it");
    }
    let query = |new: &NewProject| sql::before_create { namespace_id: new.namespace_id, creator_id: None::<i64> };
    let (new, entry, before) = call.authorize_with(new, query).await?;
    let before = before.ok_or_else(|| Error::Internal("the settings row was not found".to_owned()))?;
    let creator_id = entry.caller()?.user.id;
    Ok((insert(call, new, before, creator_id).await?, entry))
}

async fn create_for_user(call: &Call<'_>, user_id: &str, new: Result<NewProject>) -> Result<(ProjectRow, Entry)> {
    let input = path_id(user_id).and_then(|id| Ok((id, new?.validate()?)));
    let query = |(id, new): &(i64, NewProject)| sql::before_create {
        namespace_id: new.namespace_id.unwrap_or(*id),
        creator_id: *id,
    };
    let ((_, new), entry, before) = call.authorize_with(input, query).await?;
    let before = before.ok_or_else(|| Error::missing("User"))?;
    let creator_id = before.creator_id.ok_or_else(|| Error::missing("User"))?;
    call.acts_on("Project", None, Some(creator_id));
    Ok((insert(call, new, before, creator_id).await?, entry))
}

async fn insert(call: &Call<'_>, new: NewProject, before: BeforeCreate, creator_id: i64) -> Result<ProjectRow> {
    let invalid = || Error::field("namespace", "is not valid");
    let may_create = |target: &Target| policy::may(Action::CreateProject, target.access, Visibility::Private);
    let Target { id: namespace_id, access, visibility, limit, count } =
        before.namespace.filter(may_create).ok_or_else(invalid)?;
    let is_admin = access == Access::Administrator;
    let most = visibility.unwrap_or(Visibility::Public.level());
    let visibility = new.visibility.unwrap_or((before.default_visibility * 10).min(most));
    let mut errors = ValidationErrors::default();
    if !is_admin {
        names::check_restriction(&mut errors, visibility, &before.restricted);
    }
    errors.result()?;
    let limit = limit.filter(|_| !is_admin);
    if let Some(limit) = limit.filter(|limit| count >= *limit) {
        return Err(limit_reached(limit));
    }
    let project = sql::create {
        namespace_id,
        creator_id,
        name: new.name,
        path: new.path,
        description: new.description,
        default_branch: new.default_branch,
        visibility,
        issues_enabled: new.issues_enabled.unwrap_or(true),
        builds_enabled: new.builds_enabled.unwrap_or(true),
        autoclose: new.autoclose.unwrap_or(true),
        now: call.now,
        limit,
    };
    let batch = (
        project,
        sql::count_personal { namespace_id, change: 1 },
        sql::count_issues {},
        system::project_made(call, creator_id),
        sql::seen { id: None::<i64>, user_id: creator_id },
    );
    let (made, .., row) = call.write(batch).await.map_err(constraint_error)?;
    if made.is_empty() {
        return Err(limit.map_or_else(invalid, limit_reached));
    }
    row.ok_or_else(|| Error::Internal("a new project was not found".to_owned()))
}

fn constraint_error(failure: Failure) -> Error {
    match failure {
        failure if failure.is_expectation() => Error::changed(),
        Failure::Constraint(text) if text.contains("projects.path_key") => {
            let taken = ["has already been taken"];
            Error::bad_request(json!({ "message": { "name": taken, "path": taken } }))
        }
        Failure::Constraint(text) if text.contains("projects.namespace_id, projects.name") => {
            Error::field("name", "has already been taken")
        }
        Failure::Constraint(text) if text.contains("E_VISIBILITY") => {
            Error::field("visibility_level", "cannot be higher than that of its group")
        }
        Failure::Constraint(text) if text.contains("FOREIGN KEY") => Error::field("namespace", "is not valid"),
        other => other.into(),
    }
}

fn limit_reached(limit: i64) -> Error {
    let text = format!("Your project limit is {limit} projects! Please contact your administrator to increase it");
    Error::Refused(403, text)
}
