//! Projects.

pub mod edit;
pub mod entity;
pub mod list;
pub mod listing;
pub mod own;
pub mod sql;
pub mod v4;

use crate::call::{Call, SignedIn, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::names;
use crate::params::Parameters;
use crate::policy::{self, Access, Action, Visibility, visible};
use entity::Project;
use sql::{Before, Draft, ProjectRow};

/// Parameters of `POST /projects`.
#[derive(Debug, Parameters)]
pub struct NewProject {
    name: String,
    path: Option<String>,
    namespace_id: Option<i64>,
    description: Option<String>,
    visibility_level: Option<i64>,
    public: Option<bool>,
    issues_enabled: Option<bool>,
    builds_enabled: Option<bool>,
}

impl NewProject {
    /// The parameters as far as they can be judged alone; the path is made of the name where there is none.
    fn checked(mut self) -> Result<NewProject> {
        self.name = self.name.trim().to_owned();
        let path = self.path.take().map_or_else(|| names::slug(&self.name), |path| path.trim().to_owned());
        let mut errors = ValidationErrors::default();
        names::check_name(&mut errors, &self.name);
        names::check_project_path(&mut errors, &path);
        errors.check_length("description", self.description.as_deref(), 2000);
        let of_flag = self.public.map(|public| if public { visible!(Public) } else { visible!(Private) });
        let level = self.visibility_level.or(of_flag);
        self.visibility_level = level.map(|level| names::check_visibility(&mut errors, level));
        self.path = Some(path);
        errors.result().map(|()| self)
    }
}

/// Makes a project of the caller's.
async fn make(call: &Call<'_>, input: Result<NewProject>) -> Result<(ProjectRow, SignedIn)> {
    if input.as_ref().is_err_and(|error| error.names("namespace_id")) {
        call.hint("namespace_id is a number: GET /namespaces?search=.. tells it");
    }
    let (new, entered) = call.sign_in_with(input, |new| sql::before_create(new.namespace_id, None)).await?;
    let draft = draft(new, entered.rows.first()?, entered.caller.user.id, call.now)?;
    Ok((sql::create(&call.store, draft).await?, entered))
}

/// POST /projects
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (row, entered) = make(call, call.creation().and_then(NewProject::checked)).await?;
    Ok(Reply::json(201, &Project::new(row, &entered.caller, &entered.links)))
}

/// Makes a project of somebody else's.
async fn make_for_user(
    call: &Call<'_>,
    user_id: &str,
    input: Result<NewProject>,
) -> Result<(ProjectRow, SignedIn)> {
    let input = path_id(user_id).and_then(|id| Ok((id, input?)));
    let ((_, new), entered) = call
        .administer_with(input, |(id, new)| sql::before_create(new.namespace_id.or(Some(*id)), Some(*id)))
        .await?;
    let before: Before = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    let creator_id = before.creator_id.ok_or_else(|| Error::missing("User"))?;
    let draft = draft(new, Some(before), creator_id, call.now)?;
    Ok((sql::create(&call.store, draft).await?, entered))
}

/// POST /projects/user/:user_id
pub async fn create_for_user(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let input = call.creation().and_then(NewProject::checked);
    let (row, entered) = make_for_user(call, user_id, input).await?;
    Ok(Reply::json(201, &Project::new(row, &entered.caller, &entered.links)))
}

/// The project that may be made of the parameters.
fn draft(new: NewProject, before: Option<Before>, creator_id: i64, now: i64) -> Result<Draft> {
    let before = before.ok_or_else(|| Error::Internal("no settings".to_owned()))?;
    let namespace = before
        .namespace
        .filter(|namespace| policy::may(Action::CreateProject, namespace.access, Visibility::Private))
        .ok_or_else(|| Error::field("namespace", "is not valid"))?;
    let is_admin = namespace.access == Access::Administrator;
    let most = namespace.visibility.unwrap_or(Visibility::Public.level());
    let visibility = new.visibility_level.unwrap_or((before.default_visibility * 10).min(most));
    let mut errors = ValidationErrors::default();
    if !is_admin {
        names::check_restriction(&mut errors, visibility, &before.restricted);
    }
    errors.result()?;
    if let Some(limit) = namespace.limit.filter(|limit| !is_admin && namespace.count >= *limit) {
        return Err(sql::limit_reached(limit));
    }
    let path = new.path.unwrap_or_default();
    Ok(Draft {
        namespace_id: namespace.id,
        is_personal: namespace.limit.is_some(),
        is_limited: namespace.limit.is_some() && !is_admin,
        limit: namespace.limit.unwrap_or_default(),
        creator_id,
        name: new.name,
        path,
        description: new.description,
        visibility,
        issues_enabled: new.issues_enabled.unwrap_or(true),
        builds_enabled: new.builds_enabled.unwrap_or(true),
        now,
    })
}

/// GET /projects/:id
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::ReadProject, sql::one()).await?;
    let row: ProjectRow = entered.rows.first()?.ok_or_else(|| Error::missing("Project"))?;
    Ok(Reply::json(200, &Project::new(row, &entered.caller, &entered.links)))
}
