//! Changes of projects, and their end.

use super::entity::Project;
use super::sql::{ProjectRow, taken};
use crate::call::{Call, Entered, SignedIn, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::names;
use crate::params::{Parameters, Patch};
use crate::policy::{Access, Action, visible};
use crate::projects::sql::edit::{
    ARCHIVE, BEFORE, DELETED, RECOUNT, REMOVE, RESTORE, RESULT, UNCOUNT, UPDATE,
};
use crate::store::{Row, Store, sql};
use crate::tokens;

/// Parameters of `PUT /projects/:id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub(super) struct EditProject {
    pub(super) name: Patch<String>,
    pub(super) path: Patch<String>,
    pub(super) description: Patch<String>,
    pub(super) visibility_level: Patch<i64>,
    pub(super) public: Patch<bool>,
    pub(super) default_branch: Patch<String>,
    pub(super) issues_enabled: Patch<bool>,
    pub(super) builds_enabled: Patch<bool>,
}

/// What is to change; none: it stays.
#[derive(Debug)]
struct Change {
    name: Option<String>,
    path: Option<String>,
    /// Empty: none.
    description: Option<String>,
    visibility: Option<i64>,
    default_branch: Option<String>,
    issues_enabled: Option<bool>,
    builds_enabled: Option<bool>,
}

impl EditProject {
    fn checked(self) -> Result<Change> {
        let mut errors = ValidationErrors::default();
        let name = names::needed(&mut errors, "name", self.name);
        let path = names::needed(&mut errors, "path", self.path);
        if let Some(name) = &name {
            names::check_name(&mut errors, name);
        }
        if let Some(path) = &path {
            names::check_project_path(&mut errors, path);
        }
        let description = names::text(self.description);
        errors.check_length("description", description.as_deref(), 2000);
        let of_flag =
            self.public.set().map(|public| if *public { visible!(Public) } else { visible!(Private) });
        let level = self.visibility_level.set().copied().or(of_flag);
        let change = Change {
            name,
            path,
            description,
            visibility: level.map(|level| names::check_visibility(&mut errors, level)),
            default_branch: names::needed(&mut errors, "default_branch", self.default_branch),
            issues_enabled: self.issues_enabled.set().copied(),
            builds_enabled: self.builds_enabled.set().copied(),
        };
        errors.result().map(|()| change)
    }
}

/// What the change would find.
#[derive(Debug, Row)]
struct Before {
    visibility: i64,
    branch_exists: bool,
    /// The levels 0, 1 and 2 that only administrators may give.
    restricted: Vec<i64>,
}

/// Makes a change that was read.
pub(super) async fn apply(
    call: &Call<'_>,
    id: &str,
    input: Result<EditProject>,
) -> Result<(ProjectRow, Entered)> {
    let input = input.and_then(EditProject::checked);
    let query = |change: &Change| sql!(BEFORE, change.default_branch.as_deref());
    let (change, entered) = call.enter_with(id, Action::EditProject, input, query).await?;
    let before: Before = entered.rows.first()?.ok_or_else(|| Error::missing("Project"))?;
    let mut errors = ValidationErrors::default();
    if let Some(level) = change.visibility.filter(|level| *level != before.visibility) {
        // who may see it is for its owners to say
        if !entered.resource.may(Action::DeleteProject) {
            return Err(Error::FORBIDDEN);
        }
        if entered.resource.access != Access::Administrator {
            names::check_restriction(&mut errors, level, &before.restricted);
        }
    }
    if change.default_branch.is_some() && !before.branch_exists {
        errors.add("default_branch", "is invalid");
    }
    errors.result()?;
    let update = sql!(
        UPDATE,
        entered.resource.id,
        change.name,
        change.path,
        change.description,
        change.visibility,
        change.default_branch,
        change.issues_enabled,
        change.builds_enabled,
        call.now
    );
    let result = sql!(RESULT, entered.resource.id, entered.caller.user.id);
    let rows = call.store.repeat(vec![update, result]).await.map_err(taken)?.pop().unwrap_or_default();
    Ok((rows.first()?.ok_or_else(|| Error::missing("Project"))?, entered))
}

/// PUT /projects/:id
pub async fn edit(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = apply(call, id, call.edit()).await?;
    Ok(Reply::json(200, &Project::new(row, &entered.caller, &entered.links)))
}

pub(super) async fn set_archived(call: &Call<'_>, id: &str, archived: bool) -> Result<(ProjectRow, Entered)> {
    let entered = call.enter(id, Action::DeleteProject, super::sql::one()).await?;
    let (project_id, user_id) = (entered.resource.id, entered.caller.user.id);
    let batch = vec![sql!(ARCHIVE, project_id, archived, call.now), sql!(RESULT, project_id, user_id)];
    let rows = call.store.repeat(batch).await?.pop().unwrap_or_default();
    Ok((rows.first()?.ok_or_else(|| Error::missing("Project"))?, entered))
}

/// POST /projects/:id/archive
pub async fn archive(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = set_archived(call, id, true).await?;
    Ok(Reply::json(201, &Project::new(row, &entered.caller, &entered.links)))
}

/// POST /projects/:id/unarchive
pub async fn unarchive(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = set_archived(call, id, false).await?;
    Ok(Reply::json(201, &Project::new(row, &entered.caller, &entered.links)))
}

async fn bury(store: &Store<'_>, project_id: i64, now: i64) -> Result<()> {
    let batch = [sql!(REMOVE, project_id, now), sql!(UNCOUNT, project_id)];
    store.repeat(batch.into_iter().chain(tokens::revoke_all_of_project(project_id, now)).collect()).await?;
    Ok(())
}

/// Ends a project.
pub(super) async fn end(call: &Call<'_>, id: &str) -> Result<()> {
    let entered = call.enter(id, Action::DeleteProject, super::sql::one()).await?;
    let row: Option<ProjectRow> = entered.rows.first()?;
    row.map_or(Ok(()), |row| call.expect_unmodified(row.project.updated_at))?;
    bury(&call.store, entered.resource.id, call.now).await
}

/// DELETE /projects/:id
pub async fn remove(call: &Call<'_>, id: &str) -> Result<Reply> {
    end(call, id).await?;
    Ok(Reply::json(200, &true))
}

/// Brings a deleted project back.
pub(super) async fn restore(call: &Call<'_>, id: &str) -> Result<(ProjectRow, SignedIn)> {
    let (_, entered) = call.administer_with(path_id(id), |id| sql!(DELETED, *id)).await?;
    let project_id: i64 = entered.rows.first()?.ok_or_else(|| Error::missing("Project"))?;
    let batch = vec![
        sql!(RESTORE, project_id, call.now),
        sql!(RECOUNT, project_id),
        sql!(RESULT, project_id, entered.caller.user.id),
    ];
    let rows = call.store.repeat(batch).await.map_err(taken)?.pop().unwrap_or_default();
    Ok((rows.first()?.ok_or_else(|| Error::missing("Project"))?, entered))
}
