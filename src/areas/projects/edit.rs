use super::{ProjectRow, constraint_error, row, sql};
use crate::areas::events::system;
use crate::areas::tokens::revoke_all_of_project;
use crate::kernel::call::{Call, Entry, path_id};
use crate::kernel::error::{Error, Result, ValidationErrors};
use crate::kernel::names;
use crate::kernel::params::Patch;
use crate::kernel::policy::{Access, Action};
use crate::kernel::store::{Batch, Row, Statement};

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
        names::needed(&mut errors, "name", &mut self.name);
        names::needed(&mut errors, "path", &mut self.path);
        names::needed(&mut errors, "default_branch", &mut self.default_branch);
        if let Some(name) = self.name.set() {
            names::check_name(&mut errors, name);
        }
        if let Some(path) = self.path.set() {
            names::check_project_path(&mut errors, path);
        }
        errors.check_length("description", self.description.set().map(String::as_str), 2000);
        self.visibility = self.visibility.map(|level| names::check_visibility(&mut errors, level));
        errors.result().map(|()| self)
    }
}

#[derive(Debug, Row)]
struct BeforeEdit {
    visibility: i64,
    branch_exists: bool,
    restricted: Vec<i64>,
}

pub async fn update(call: &Call<'_>, change: Result<ProjectChange>) -> Result<(ProjectRow, Entry)> {
    let change = change.and_then(ProjectChange::validate);
    let query = |change: &ProjectChange| sql::before_edit { branch: change.default_branch.set().cloned() };
    let (change, entry) = call.authorize_rows_with(change, query).await?;
    let before: BeforeEdit = entry.rows.first()?.ok_or_else(|| Error::missing("Project"))?;
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
    write(call, entry, id, unmodified, vec![update.into(), event]).await
}

async fn write(
    call: &Call<'_>,
    entry: Entry,
    id: i64,
    unmodified: Option<Statement>,
    mut batch: Vec<Statement>,
) -> Result<(ProjectRow, Entry)> {
    batch.push(sql::seen { id, user_id: entry.user_id() }.into());
    let outcome = call.write_unmodified(unmodified, batch).await;
    let rows = outcome.map_err(constraint_error)?.pop().unwrap_or_default();
    Ok((rows.first()?.ok_or_else(|| Error::missing("Project"))?, entry))
}

pub async fn set_archived(call: &Call<'_>, archived: bool) -> Result<(ProjectRow, Entry)> {
    let entry = call.authorize_rows(Batch::default()).await?;
    let id = entry.resource.id;
    write(call, entry, id, None, vec![sql::set_archived { archived, now: call.now, id }.into()]).await
}

/// Hides the project until [`restore`] or retention, and revokes its tokens.
pub async fn delete(call: &Call<'_>) -> Result<()> {
    let entry = call.authorize_rows(sql::one {}).await?;
    let ProjectRow { project, namespace, .. } = row(&entry)?;
    call.expect_unmodified(project.updated_at)?;
    let deletion = [
        system::project_gone(call, project.id),
        sql::delete { now: call.now, id: project.id }.into(),
        sql::count_personal { change: -1, namespace_id: namespace.id }.into(),
    ];
    let tokens = revoke_all_of_project(project.id, call.now);
    call.write_safely(deletion.into_iter().chain(tokens).collect::<Vec<_>>()).await?;
    Ok(())
}

#[derive(Row)]
struct DeletedProject {
    id: i64,
    namespace_id: i64,
}

/// Restores a deleted project (behaviour 3.1). Its tokens stay revoked.
pub async fn restore(call: &Call<'_>, id: &str) -> Result<(ProjectRow, Entry)> {
    let (_, entry) = call.authorize_rows_with(path_id(id), |id| sql::deleted { id: *id }).await?;
    let DeletedProject { id, namespace_id } = entry.rows.first()?.ok_or_else(|| Error::missing("Project"))?;
    let batch = vec![
        sql::restore { now: call.now, id, namespace_id }.into(),
        sql::count_personal { change: 1, namespace_id }.into(),
        sql::follow_members { id, namespace_id }.into(),
    ];
    write(call, entry, id, None, batch).await
}
