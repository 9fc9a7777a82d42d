use super::reply;
use crate::areas::projects::edit::{self, ProjectChange};
use crate::areas::projects::{self, NewProject};
use crate::kernel::call::Call;
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::params::read::Parameters as _;
use crate::kernel::params::{Parameters, Patch};
use crate::kernel::policy::Visibility;
use serde_json::json;

/// `private` counts as enabled, because a project stores only on and off.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum Feature {
    Disabled,
    Private,
    Enabled,
}

fn first_sent(flags: [Option<bool>; 2], feature: Option<Feature>) -> Option<bool> {
    flags.into_iter().flatten().next().or(feature.map(|feature| feature != Feature::Disabled))
}

fn level(word: Option<Visibility>, number: Option<i64>) -> Option<i64> {
    word.map(Visibility::level).or(number)
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct NewParams {
    name: Option<String>,
    path: Option<String>,
    namespace_id: Option<i64>,
    description: Option<String>,
    default_branch: Option<String>,
    visibility: Option<Visibility>,
    visibility_level: Option<i64>,
    issues_enabled: Option<bool>,
    issues_access_level: Option<Feature>,
    jobs_enabled: Option<bool>,
    builds_enabled: Option<bool>,
    builds_access_level: Option<Feature>,
    autoclose_referenced_issues: Option<bool>,
}

fn read_new(call: &Call<'_>) -> Result<NewProject> {
    let new: NewParams = call.creation()?;
    if new.name.is_none() && new.path.is_none() {
        call.params()?.require_one_of(&["name", "path"])?;
    }
    Ok(NewProject {
        name: new.name.or_else(|| new.path.clone()).unwrap_or_default(),
        path: new.path,
        namespace_id: new.namespace_id,
        description: new.description,
        default_branch: new.default_branch,
        visibility: level(new.visibility, new.visibility_level),
        issues_enabled: first_sent([new.issues_enabled, None], new.issues_access_level),
        builds_enabled: first_sent([new.jobs_enabled, new.builds_enabled], new.builds_access_level),
        autoclose: new.autoclose_referenced_issues,
    })
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    reply(201, projects::create(call, read_new(call)).await?)
}

pub async fn create_for_user(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    reply(201, projects::create_for_user(call, user_id, read_new(call)).await?)
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    default_branch: Patch<String>,
    visibility: Option<Visibility>,
    visibility_level: Option<i64>,
    issues_enabled: Option<bool>,
    issues_access_level: Option<Feature>,
    jobs_enabled: Option<bool>,
    builds_enabled: Option<bool>,
    builds_access_level: Option<Feature>,
    autoclose_referenced_issues: Option<bool>,
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    let change = call.edit::<Edit>().and_then(|edit| {
        call.params()?.require_one_of(Edit::NAMES)?;
        Ok(ProjectChange {
            visibility: level(edit.visibility, edit.visibility_level),
            issues_enabled: first_sent([edit.issues_enabled, None], edit.issues_access_level),
            builds_enabled: first_sent([edit.jobs_enabled, edit.builds_enabled], edit.builds_access_level),
            autoclose: edit.autoclose_referenced_issues,
            name: edit.name,
            path: edit.path,
            description: edit.description,
            default_branch: edit.default_branch,
        })
    });
    reply(200, edit::update(call, change).await?)
}

pub async fn archive(call: &Call<'_>) -> Result<Reply> {
    reply(201, edit::set_archived(call, true).await?)
}

pub async fn unarchive(call: &Call<'_>) -> Result<Reply> {
    reply(201, edit::set_archived(call, false).await?)
}

/// Clients expect that a deletion happens later, so the answer is 202.
pub fn accepted() -> Reply {
    Reply::json(202, &json!({ "message": "202 Accepted" }))
}

pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    edit::delete(call).await?;
    Ok(accepted())
}

pub async fn restore(call: &Call<'_>, id: &str) -> Result<Reply> {
    reply(201, edit::restore(call, id).await?)
}
