use super::{ProjectRow, constraint_error, sql};
use crate::areas::events::system;
use crate::areas::tokens::revoke_all_of_project;
use crate::kernel::call::path_id;
use crate::kernel::policy::Access;
use crate::kernel::text::names;
use crate::kernel::{Action, Call, Entry, Error, Patch, Query, Result, Row, Statement, ValidationErrors};

pub struct ProjectChange {
    pub name: Patch<String>,
    pub path: Patch<String>,
    pub description: Patch<String>,
    pub visibility: Option<i64>,
    pub default_branch: Patch<String>,
    pub issues_enabled: Option<bool>,
    pub builds_enabled: Option<bool>,
    pub autoclose: Option<bool>,
}

impl ProjectChange {
    fn validate(mut self) -> Result<ProjectChange> {
        let mut errors = ValidationErrors::default();
        names::needed(&mut errors, "name", &mut self.name, names::check_name);
        names::needed(&mut errors, "path", &mut self.path, names::check_project_path);
        names::needed(&mut errors, "default_branch", &mut self.default_branch, |_, _| {});
        errors.check_length("description", self.description.set().map(String::as_str), 2000);
        self.visibility = self.visibility.map(|level| names::check_visibility(&mut errors, level));
        errors.result().map(|()| self)
    }
}

#[derive(Debug, Row)]
pub struct BeforeEdit {
    visibility: i64,
    branch_exists: bool,
    restricted: Vec<i64>,
}

pub async fn update(call: &Call<'_>, change: Result<ProjectChange>) -> Result<(ProjectRow, Entry)> {
    let change = change.and_then(ProjectChange::validate);
    let query = |change: &ProjectChange| sql::before_edit { branch: change.default_branch.set().cloned() };
    let (change, entry, before) = call.authorize_with(change, query).await?;
    let before = before.ok_or_else(|| Error::missing("Project"))?;
    let mut errors = ValidationErrors::default();
    if let Some(level) = change.visibility.filter(|level| *level != before.visibility) {
        if !entry.resource.may(Action::DeleteProject) {
            return Err(Error::FORBIDDEN);
        }
        if entry.resource.access != Access::Administrator {
            names::check_restriction(&mut errors, level, &before.restricted);
        }
    }
    if change.default_branch.set().is_some() && !before.branch_exists {
        errors.add("default_branch", "is invalid");
    }
    errors.result()?;
    let id = entry.resource.id;
    let update = sql::update {
        name: change.name.set(),
        path: change.path.set(),
        description: names::text(change.description),
        visibility: change.visibility,
        default_branch: change.default_branch.set(),
        issues_enabled: change.issues_enabled,
        builds_enabled: change.builds_enabled,
        autoclose: change.autoclose,
        now: call.now,
        id,
    };
    let event = system::project_changed(call, id, &entry.resource.full_path);
    let unmodified = call.unmodified_since().map(|since| sql::expect_unmodified { id, since }.into());
    write(call, entry, id, unmodified, (update, event)).await
}

async fn write(
    call: &Call<'_>,
    entry: Entry,
    id: i64,
    unmodified: Option<Statement>,
    change: impl Query,
) -> Result<(ProjectRow, Entry)> {
    let batch = (change, sql::seen { id, user_id: entry.user_id() });
    let (_, row) = call.write_unmodified(unmodified, batch).await.map_err(constraint_error)?;
    Ok((row.ok_or_else(|| Error::missing("Project"))?, entry))
}

pub async fn set_archived(call: &Call<'_>, archived: bool) -> Result<(ProjectRow, Entry)> {
    let (entry, ()) = call.authorize(()).await?;
    let id = entry.resource.id;
    write(call, entry, id, None, sql::set_archived { archived, now: call.now, id }).await
}

/// Hides the project until [`restore`] or retention, and revokes its tokens.
pub async fn delete(call: &Call<'_>) -> Result<()> {
    let (_, row) = call.authorize(sql::one {}).await?;
    let ProjectRow { project, namespace, .. } = row.ok_or_else(|| Error::missing("Project"))?;
    call.expect_unmodified(project.updated_at)?;
    call.acts_on("Project", Some(project.id), Some(project.creator_id));
    let deletion = (
        system::project_gone(call, project.id),
        sql::delete { now: call.now, id: project.id },
        sql::count_personal { change: -1, namespace_id: namespace.id },
        revoke_all_of_project(project.id, call.now),
    );
    call.write_safely(deletion).await?;
    Ok(())
}

#[derive(Row)]
pub struct DeletedProject {
    id: i64,
    namespace_id: i64,
}

/// Restores a deleted project (behaviour 3.1). Its tokens stay revoked.
pub async fn restore(call: &Call<'_>, id: &str) -> Result<(ProjectRow, Entry)> {
    let (_, entry, deleted) = call.authorize_with(path_id(id), |id| sql::deleted { id: *id }).await?;
    let DeletedProject { id, namespace_id } = deleted.ok_or_else(|| Error::missing("Project"))?;
    let batch = (
        sql::restore { now: call.now, id, namespace_id },
        sql::count_personal { change: 1, namespace_id },
        sql::follow_members { id, namespace_id },
    );
    write(call, entry, id, None, batch).await
}
