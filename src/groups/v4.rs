//! Groups and namespaces as answers of v4 show them (behaviour 13.4).

pub mod list;
pub mod namespaces;
mod sql;

use super::sql::{GroupRow, Shown, one};
use super::{EditGroup, NewGroup, apply, end, make};
use crate::call::{Call, Links};
use crate::constants::{Constant, Constants};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use crate::projects::list::Level;
use crate::projects::v4::edit::accepted;
use crate::projects::v4::{Extras, Project, visibility_word};
use crate::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Group {
    id: i64,
    web_url: String,
    name: String,
    full_name: String,
    path: String,
    full_path: String,
    description: String,
    visibility: &'static str,
    default_branch_protection: i64,
    created_at: String,
    #[serde(flatten)]
    constants: Constants,
}

const OF_GROUP: Constants = Constants(&[
    (
        Constant::Bool(false),
        &[
            "share_with_group_lock",
            "require_two_factor_authentication",
            "emails_disabled",
            "lfs_enabled",
            "archived",
            "request_access_enabled",
        ],
    ),
    (Constant::Bool(true), &["emails_enabled"]),
    (Constant::Number(48), &["two_factor_grace_period"]),
    (Constant::Text("developer"), &["project_creation_level"]),
    (Constant::Text("owner"), &["subgroup_creation_level"]),
    (Constant::Text("enabled"), &["shared_runners_setting"]),
    (
        Constant::Null,
        &["auto_devops_enabled", "mentions_disabled", "default_branch", "avatar_url", "parent_id"],
    ),
]);

impl Group {
    pub fn new(row: GroupRow, links: &Links) -> Group {
        let GroupRow { id, name, path, description, visibility, created_at, branch_protection } = row;
        Group {
            id,
            web_url: format!("{}/groups/{path}", links.base),
            full_name: name.clone(),
            name,
            full_path: path.clone(),
            path,
            description,
            visibility: visibility_word(visibility),
            default_branch_protection: branch_protection,
            created_at: time::utc(created_at),
            constants: OF_GROUP,
        }
    }
}

/// The form of a single group.
#[derive(Debug, Serialize)]
struct GroupWithProjects {
    #[serde(flatten)]
    group: Group,
    shared_with_groups: [(); 0],
    /// Those that the caller may see, a hundred at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    projects: Option<Vec<Project>>,
    shared_projects: [(); 0],
}

#[derive(Debug, Parameters)]
struct Show {
    with_projects: Option<bool>,
}

/// GET /groups/:id
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |_: &Show| one();
    let (show, visited) = call.visit_group_with(id, Action::ReadProject, call.filters(), query).await?;
    let Shown { group, projects } = Shown::from(&visited.rows)?.ok_or_else(|| Error::missing("Group"))?;
    let (caller, links) = (visited.caller.as_ref(), &visited.links);
    let shown = |row| Project::new(row, caller, Extras::default(), links);
    let projects = (show.with_projects != Some(false)).then(|| projects.into_iter().map(shown).collect());
    let group = Group::new(group, links);
    Ok(Reply::json(200, &GroupWithProjects { group, shared_with_groups: [], projects, shared_projects: [] }))
}

/// Parameters of a new group.
#[derive(Debug, Parameters)]
struct New {
    name: String,
    path: String,
    #[param(default)]
    description: String,
    visibility: Option<Level>,
    parent_id: Option<String>,
}

/// There are no groups in groups.
fn without_parent(parent_id: Option<&String>) -> Result<()> {
    match parent_id {
        Some(_) => Err(Error::field("parent_id", "is not supported")),
        None => Ok(()),
    }
}

/// POST /groups
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<New>().and_then(|new| {
        without_parent(new.parent_id.as_ref())?;
        let visibility_level = new.visibility.map(|word| word as i64);
        Ok(NewGroup { name: new.name, path: new.path, description: new.description, visibility_level })
    });
    let (row, entered) = make(call, input).await?;
    Ok(Reply::json(201, &Group::new(row, &entered.links)))
}

/// Parameters of a change.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    visibility: Patch<Level>,
    parent_id: Patch<String>,
}

/// PUT /groups/:id
pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.edit::<Edit>().and_then(|edit| {
        without_parent(edit.parent_id.set())?;
        let visibility_level = edit.visibility.set().map_or(Patch::Keep, |word| Patch::Set(*word as i64));
        Ok(EditGroup { name: edit.name, path: edit.path, description: edit.description, visibility_level })
    });
    let (row, entered) = apply(call, id, input).await?;
    Ok(Reply::json(200, &Group::new(row, &entered.links)))
}

/// DELETE /groups/:id
pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    end(call, id).await?;
    Ok(accepted())
}
