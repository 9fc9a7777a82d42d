//! Projects made, changed and ended in v4.

use super::{Extras, Project};
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::params::{Parameters, Patch};
use crate::projects::edit::{self, EditProject};
use crate::projects::list::Level;
use crate::projects::{NewProject, make, make_for_user};
use serde_json::json;

/// Whether a part of the project is switched on; `private` is: there are no others here.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum Feature {
    Disabled,
    Private,
    Enabled,
}

/// The first of these that was sent.
fn switch(flags: [Option<bool>; 2], feature: Option<Feature>) -> Option<bool> {
    flags.into_iter().flatten().next().or(feature.map(|feature| feature != Feature::Disabled))
}

/// What a visibility is stored as.
fn level(word: Option<Level>, number: Option<i64>) -> Option<i64> {
    word.map(|word| word as i64).or(number)
}

/// Parameters of a new project. One of name and path must be there.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct New {
    name: Option<String>,
    path: Option<String>,
    namespace_id: Option<i64>,
    description: Option<String>,
    visibility: Option<Level>,
    visibility_level: Option<i64>,
    issues_enabled: Option<bool>,
    issues_access_level: Option<Feature>,
    jobs_enabled: Option<bool>,
    builds_enabled: Option<bool>,
    builds_access_level: Option<Feature>,
}

fn read_new(call: &Call<'_>) -> Result<NewProject> {
    let new: New = call.creation()?;
    if new.name.is_none() && new.path.is_none() {
        call.params()?.require_one_of(&["name", "path"])?;
    }
    let project = NewProject {
        name: new.name.or_else(|| new.path.clone()).unwrap_or_default(),
        path: new.path,
        namespace_id: new.namespace_id,
        description: new.description,
        visibility_level: level(new.visibility, new.visibility_level),
        public: None,
        issues_enabled: switch([new.issues_enabled, None], new.issues_access_level),
        builds_enabled: switch([new.jobs_enabled, new.builds_enabled], new.builds_access_level),
    };
    project.checked()
}

/// POST /projects
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (row, entered) = make(call, read_new(call)).await?;
    let project = Project::new(row, Some(&entered.caller), Extras::default(), &entered.links);
    Ok(Reply::json(201, &project))
}

/// POST /projects/user/:user_id
pub async fn create_for_user(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let (row, entered) = make_for_user(call, user_id, read_new(call)).await?;
    let project = Project::new(row, Some(&entered.caller), Extras::default(), &entered.links);
    Ok(Reply::json(201, &project))
}

/// Parameters of a change.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    default_branch: Patch<String>,
    visibility: Patch<Level>,
    visibility_level: Patch<i64>,
    issues_enabled: Patch<bool>,
    issues_access_level: Patch<Feature>,
    jobs_enabled: Patch<bool>,
    builds_enabled: Patch<bool>,
    builds_access_level: Patch<Feature>,
}

const FIELDS: [&str; 11] = [
    "name",
    "path",
    "description",
    "default_branch",
    "visibility",
    "visibility_level",
    "issues_enabled",
    "issues_access_level",
    "jobs_enabled",
    "builds_enabled",
    "builds_access_level",
];

fn patch<T>(value: Option<T>) -> Patch<T> {
    value.map_or(Patch::Keep, Patch::Set)
}

fn read_edit(call: &Call<'_>) -> Result<EditProject> {
    let sent: Edit = call.edit()?;
    call.params()?.require_one_of(&FIELDS)?;
    let level = level(sent.visibility.set().copied(), sent.visibility_level.set().copied());
    let builds = [sent.jobs_enabled.set().copied(), sent.builds_enabled.set().copied()];
    Ok(EditProject {
        name: sent.name,
        path: sent.path,
        description: sent.description,
        visibility_level: patch(level),
        public: Patch::Keep,
        default_branch: sent.default_branch,
        issues_enabled: patch(switch(
            [sent.issues_enabled.set().copied(), None],
            sent.issues_access_level.set().copied(),
        )),
        builds_enabled: patch(switch(builds, sent.builds_access_level.set().copied())),
    })
}

/// PUT /projects/:id
pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = edit::apply(call, id, read_edit(call)).await?;
    let project = Project::new(row, Some(&entered.caller), Extras::default(), &entered.links);
    Ok(Reply::json(200, &project))
}

async fn set_archived(call: &Call<'_>, id: &str, archived: bool) -> Result<Reply> {
    let (row, entered) = edit::set_archived(call, id, archived).await?;
    let project = Project::new(row, Some(&entered.caller), Extras::default(), &entered.links);
    Ok(Reply::json(201, &project))
}

/// POST /projects/:id/archive
pub async fn archive(call: &Call<'_>, id: &str) -> Result<Reply> {
    set_archived(call, id, true).await
}

/// POST /projects/:id/unarchive
pub async fn unarchive(call: &Call<'_>, id: &str) -> Result<Reply> {
    set_archived(call, id, false).await
}

/// What clients are told who may count on that it will be done.
pub fn accepted() -> Reply {
    Reply::json(202, &json!({ "message": "202 Accepted" }))
}

/// DELETE /projects/:id
pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    edit::end(call, id).await?;
    Ok(accepted())
}

/// POST /projects/:id/restore
pub async fn restore(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = edit::restore(call, id).await?;
    let project = Project::new(row, Some(&entered.caller), Extras::default(), &entered.links);
    Ok(Reply::json(201, &project))
}
