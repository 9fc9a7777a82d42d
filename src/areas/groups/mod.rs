//! Groups (behaviour 3.1). A namespace is the path of a group or of a user.

pub mod lists;
pub mod v3;
pub mod v4;

use crate::areas::events::system::{self, Life};
use crate::areas::projects::ProjectRow;
use crate::areas::projects::lists::{Filter, Place};
use crate::areas::users::rename::{MOST_PROJECTS, renamed, too_many};
use crate::kernel::call::place_named;
use crate::kernel::chunks::run_in_chunks;
use crate::kernel::store::Failure;
use crate::kernel::text::names;
use crate::kernel::{Call, Entry, Error, Page, Parameters, Patch, Result, Row, Statement, ValidationErrors};

edgeforge_row::statements!(mod sql: "src/areas/groups/groups.sql");

#[derive(Debug, Clone, Row)]
pub struct GroupRow {
    pub id: i64,
    pub name: String,
    pub path: String,
    pub description: String,
    pub visibility: i64,
    pub created_at: i64,
    /// From the settings, the same for every group.
    pub branch_protection: i64,
}

/// Returns the group and the first hundred of its projects that the caller sees.
async fn show<T>(call: &Call<'_>, input: Result<T>) -> Result<(T, GroupRow, Vec<ProjectRow>, Entry)> {
    let projects = Filter { ascending: true, ..Filter::default() };
    let page = Page::first().whole_up_to(100).uncounted();
    let place = Place::Namespace(place_named(&call.named()));
    let query = |_: &T| (sql::one {}, projects.query(place, page));
    let (input, entry, (group, projects)) = call.authorize_with(input, query).await?;
    let group = group.ok_or_else(|| Error::missing("Group"))?;
    Ok((input, group, projects.rows, entry))
}

#[derive(Parameters)]
struct NewGroup {
    name: String,
    path: String,
    #[param(default)]
    description: String,
    /// Default: private.
    #[param(rename = "visibility_level")]
    visibility: Option<i64>,
}

#[derive(Debug, Row)]
struct StateBefore {
    visibility: Option<i64>,
    projects: i64,
    path_taken: bool,
    restricted: Vec<i64>,
    #[row(default)]
    creator_id: i64,
}

impl StateBefore {
    /// `level`: the new visibility, None for an administrator.
    fn check(&self, level: Option<i64>) -> Result<()> {
        if self.path_taken {
            return Err(path_taken());
        }
        let mut errors = ValidationErrors::default();
        if let Some(level) = level {
            names::check_restriction(&mut errors, level, &self.restricted);
        }
        errors.result()
    }
}

impl NewGroup {
    fn validate(mut self) -> Result<NewGroup> {
        self.name = self.name.trim().to_owned();
        self.path = self.path.trim().to_owned();
        let mut errors = ValidationErrors::default();
        names::check_name(&mut errors, &self.name);
        names::check_namespace(&mut errors, "path", &self.path);
        errors.check_length("description", Some(&self.description), 2000);
        self.visibility = Some(names::check_visibility(&mut errors, self.visibility.unwrap_or(0)));
        errors.result().map(|()| self)
    }
}

async fn create(call: &Call<'_>, new: Result<NewGroup>) -> Result<(GroupRow, Entry)> {
    let query = |new: &NewGroup| sql::before_create { path_key: new.path.to_lowercase() };
    let (new, entry, before) = call.authorize_with(new.and_then(NewGroup::validate), query).await?;
    let NewGroup { name, path, description, visibility } = new;
    let caller = entry.caller()?;
    before.check(visibility.filter(|_| !caller.admin))?;
    let (now, path_key) = (call.now, path.to_lowercase());
    let batch = (
        sql::take_path { path, path_key: &path_key },
        sql::create { path_key: &path_key, name, description, visibility, creator_id: caller.user.id, now },
        sql::own { path_key: &path_key, user_id: caller.user.id, now },
        system::group(call, Life::Begins { key: &path_key }),
        sql::by_path { path_key: &path_key },
    );
    let (.., row) = call.write(batch).await.map_err(constraint_error)?;
    Ok((row, entry))
}

#[derive(Parameters)]
struct GroupChange {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    #[param(rename = "visibility_level")]
    visibility: Option<i64>,
}

impl GroupChange {
    fn validate(mut self) -> Result<GroupChange> {
        let mut errors = ValidationErrors::default();
        let check_path = |errors: &mut ValidationErrors, path: &str| names::check_namespace(errors, "path", path);
        names::needed(&mut errors, "name", &mut self.name, names::check_name);
        names::needed(&mut errors, "path", &mut self.path, check_path);
        self.visibility = self.visibility.map(|level| names::check_visibility(&mut errors, level));
        errors.check_length("description", self.description.set().map(String::as_str), 2000);
        errors.result().map(|()| self)
    }
}

/// A new name or path also changes the full names and addresses of the group's projects.
async fn update(call: &Call<'_>, change: Result<GroupChange>) -> Result<(GroupRow, Entry)> {
    let query = |change: &GroupChange| sql::before_edit { path_key: change.path.set().map(|path| path.to_lowercase()) };
    let (change, entry, before) = call.authorize_with(change.and_then(GroupChange::validate), query).await?;
    let before = before.ok_or_else(|| Error::missing("Group"))?;
    let is_admin = entry.caller()?.admin;
    before.check(change.visibility.filter(|level| Some(*level) != before.visibility && !is_admin))?;
    let (id, name, path) = (entry.resource.id, change.name.set(), change.path.set());
    let renames = name.is_some() || path.is_some();
    if renames && before.projects > MOST_PROJECTS {
        return Err(too_many());
    }
    let (description, visibility) = (names::text(change.description), change.visibility);
    let mut batch = vec![sql::update { name, path, description, visibility, id }.into()];
    if let Some(path) = path {
        batch.push(sql::change_path { path_key: path.to_lowercase(), path, id }.into());
    }
    if renames {
        batch = renamed(id, before.projects, batch);
    }
    batch.push(system::group(call, Life::Renamed { id, old: &entry.resource.full_path }));
    let (_, row) = call.write((batch, sql::by_id { id })).await.map_err(constraint_error)?;
    Ok((row.ok_or_else(|| Error::missing("Group"))?, entry))
}

/// The most projects that are deleted with their group.
const MOST_DELETED: i64 = 10_000;

/// Projects, and tokens of them, that one step deletes.
const CHUNK: i64 = 100;

/// Deletes the group and, if it may, up to [`MOST_DELETED`] projects in it. Refuses a group with more of them, because
/// their addresses begin with its path. Of very many tokens one request revokes a limited number. The next deletion of
/// the group continues.
async fn delete(call: &Call<'_>, with_projects: bool) -> Result<(GroupRow, Entry)> {
    let before = sql::before_edit { path_key: None::<String> };
    let (entry, (group, before)) = call.authorize((sql::one {}, before)).await?;
    let (group, id) = (group.ok_or_else(|| Error::missing("Group"))?, entry.resource.id);
    let (projects, creator_id) = before.map_or((0, 0), |before| (before.projects, before.creator_id));
    call.acts_on("Group", Some(id), Some(creator_id));
    let last: [Statement; 5] = [
        system::group(call, Life::Ends { id }),
        sql::remove_members { id }.into(),
        sql::remove { id }.into(),
        sql::free_path { id }.into(),
        sql::by_id { id }.into(),
    ];
    let refused = |text: &str| Err(Error::Refused(409, format!("Group still has projects: {text}")));
    if !with_projects || projects > MOST_DELETED {
        let left = call.write_safely(last.to_vec()).await?.pop().unwrap_or_default();
        return if left.is_empty() { Ok((group, entry)) } else { refused("delete them first") };
    }
    let (now, most) = (call.now, CHUNK);
    let chunk = [
        sql::block_bots { id, most }.into(),
        sql::revoke_tokens { id, most, now }.into(),
        sql::delete_projects { id, most, now }.into(),
    ];
    match run_in_chunks(call, Vec::new(), &chunk, projects / CHUNK + 1, &last).await? {
        true => refused("delete it again, until all of them are gone"),
        false => Ok((group, entry)),
    }
}

fn constraint_error(failure: Failure) -> Error {
    match failure {
        Failure::Constraint(text) if text.contains("namespaces.path_key") => path_taken(),
        Failure::Constraint(text) if text.contains("E_VISIBILITY") => {
            Error::field("visibility_level", "cannot be lower than that of a project in it")
        }
        other => other.into(),
    }
}

fn path_taken() -> Error {
    Error::field("path", "has already been taken")
}
