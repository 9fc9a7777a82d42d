//! Groups: a namespace with members (behaviour 3.1).

pub mod entity;
pub mod list;
pub mod sql;
pub mod v4;

use crate::call::{Call, Entered, SignedIn};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::names;
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use entity::{Group, GroupWithProjects};
use sql::{Before, Change, Draft, GroupRow, Shown};

/// Parameters of `POST /groups`.
#[derive(Debug, Parameters)]
pub struct NewGroup {
    name: String,
    path: String,
    #[param(default)]
    description: String,
    visibility_level: Option<i64>,
}

impl NewGroup {
    /// The parameters as far as they can be judged alone. A group is private unless it says otherwise.
    fn checked(mut self) -> Result<NewGroup> {
        self.name = self.name.trim().to_owned();
        self.path = self.path.trim().to_owned();
        let mut errors = ValidationErrors::default();
        names::check_name(&mut errors, &self.name);
        names::check_namespace(&mut errors, "path", &self.path);
        errors.check_length("description", Some(&self.description), 2000);
        self.visibility_level =
            Some(names::check_visibility(&mut errors, self.visibility_level.unwrap_or(0)));
        errors.result().map(|()| self)
    }
}

/// Makes a group of the caller's.
async fn make(call: &Call<'_>, input: Result<NewGroup>) -> Result<(GroupRow, SignedIn)> {
    let input = input.and_then(NewGroup::checked);
    let (new, entered) = call.sign_in_with(input, |new| sql::before_create(&new.path)).await?;
    let NewGroup { name, path, description, visibility_level } = new;
    let before: Before = entered.rows.first()?.ok_or_else(|| Error::Internal("no settings".to_owned()))?;
    let visibility = visibility_level.unwrap_or(0);
    before.check(Some(visibility).filter(|_| !entered.caller.admin))?;
    let draft =
        Draft { name, path, description, visibility, owner_id: entered.caller.user.id, now: call.now };
    Ok((sql::create(&call.store, draft).await?, entered))
}

/// POST /groups
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (row, entered) = make(call, call.creation()).await?;
    Ok(Reply::json(201, &Group::new(row, &entered.links)))
}

impl Before {
    /// `level`: the visibility to be, of a caller whom the settings bind.
    fn check(&self, level: Option<i64>) -> Result<()> {
        if self.path_taken {
            return Err(sql::path_taken());
        }
        let mut errors = ValidationErrors::default();
        if let Some(level) = level {
            names::check_restriction(&mut errors, level, &self.restricted);
        }
        errors.result()
    }
}

/// GET /groups/:id
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let entered = call.enter_group(id, Action::ReadProject, sql::one()).await?;
    let shown = Shown::from(&entered.rows)?.ok_or_else(|| Error::missing("Group"))?;
    Ok(Reply::json(200, &GroupWithProjects::new(shown, &entered.caller, &entered.links)))
}

/// Parameters of `PUT /groups/:id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct EditGroup {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    visibility_level: Patch<i64>,
}

impl EditGroup {
    fn checked(self) -> Result<Change> {
        let mut errors = ValidationErrors::default();
        let name = names::needed(&mut errors, "name", self.name);
        let path = names::needed(&mut errors, "path", self.path);
        if let Some(name) = &name {
            names::check_name(&mut errors, name);
        }
        if let Some(path) = &path {
            names::check_namespace(&mut errors, "path", path);
        }
        let level = self.visibility_level.set();
        let visibility = level.map(|level| names::check_visibility(&mut errors, *level));
        let description = names::text(self.description);
        errors.check_length("description", description.as_deref(), 2000);
        errors.result().map(|()| Change { name, path, description, visibility })
    }
}

/// Makes a change that was read.
async fn apply(call: &Call<'_>, id: &str, input: Result<EditGroup>) -> Result<(GroupRow, Entered)> {
    let input = input.and_then(EditGroup::checked);
    let (change, entered) = call.enter_group_with(id, Action::ManageGroup, input, sql::before_edit).await?;
    let before: Before = entered.rows.first()?.ok_or_else(|| Error::missing("Group"))?;
    let level = change.visibility.filter(|level| Some(*level) != before.visibility);
    before.check(level.filter(|_| !entered.caller.admin))?;
    Ok((sql::change(&call.store, entered.resource.id, before.projects, change).await?, entered))
}

/// PUT /groups/:id
pub async fn edit(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = apply(call, id, call.edit()).await?;
    Ok(Reply::json(200, &Group::new(row, &entered.links)))
}

/// Ends a group. Its projects would lose their address: one that has any stays.
async fn end(call: &Call<'_>, id: &str) -> Result<(GroupRow, Entered)> {
    let entered = call.enter_group(id, Action::ManageGroup, sql::one()).await?;
    let shown = Shown::from(&entered.rows)?.ok_or_else(|| Error::missing("Group"))?;
    if sql::remove(&call.store, entered.resource.id).await? {
        Ok((shown.group, entered))
    } else {
        Err(Error::Refused(409, "Group still has projects: delete them first".to_owned()))
    }
}

/// DELETE /groups/:id
pub async fn remove(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, entered) = end(call, id).await?;
    Ok(Reply::json(200, &Group::new(row, &entered.links)))
}
