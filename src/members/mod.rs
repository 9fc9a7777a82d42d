//! Members of projects and of groups.

pub mod entity;
pub mod sql;
pub mod v4;

use crate::call::{Call, Entered, Links, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use crate::policy::{Access, Action, level};
use crate::store::Statement;
use crate::walk;
use entity::Member;
use serde_json::{Value, json};
use sql::{MemberRow, Outcome, Questions, Search, Subject};

/// What somebody is a member of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Project,
    Group,
}

impl Home {
    async fn enter<T>(
        self,
        call: &Call<'_>,
        id: &str,
        action: Action,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> Result<(T, Entered)> {
        match self {
            Home::Project => call.enter_with(id, action, input, query).await,
            Home::Group => call.enter_group_with(id, action, input, query).await,
        }
    }

    fn queries(self) -> &'static Questions {
        match self {
            Home::Project => &sql::OF_PROJECT,
            Home::Group => &sql::OF_GROUP,
        }
    }

    /// What managing its members asks for.
    fn management(self) -> Action {
        match self {
            Home::Project => Action::ManageMembers,
            Home::Group => Action::ManageGroup,
        }
    }
}

/// Parameters of a new member.
#[derive(Debug, Parameters)]
struct NewMember {
    user_id: i64,
    access_level: i64,
}

/// Parameters of a member's change.
#[derive(Debug, Parameters)]
struct EditMember {
    access_level: i64,
}

fn check_level(level: i64) -> Result<()> {
    let mut errors = ValidationErrors::default();
    if ![level!(Guest), level!(Reporter), level!(Developer), level!(Master), level!(Owner)].contains(&level) {
        errors.add("access_level", "is not included in the list");
    }
    errors.result()
}

/// Nobody gives, changes or takes away a level above their own.
fn outranks(entered: &Entered, level: i64) -> Result<()> {
    if Access::from(level) > entered.resource.access { Err(Error::FORBIDDEN) } else { Ok(()) }
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct ListMembers {
    query: Option<String>,
}

async fn list(call: &Call<'_>, home: Home, id: &str) -> Result<Reply> {
    let input = call.filters::<ListMembers>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(ListMembers, Page)| {
        home.queries().list(&Search { word: filter.query.as_deref(), ..Search::default() }, page)
    };
    let ((_, page), entered) = home.enter(call, id, Action::ReadMembers, input, query).await?;
    let members = walk::read(&entered.rows, &page, |row: &MemberRow| [row.user.id.into()])?;
    members.reply(call, &page, |row| Member::new(row, &entered.links))
}

/// The member with this id.
async fn find(call: &Call<'_>, home: Home, id: &str, user_id: Result<i64>) -> Result<(MemberRow, Links)> {
    let query = |user_id: &i64| home.queries().subject(*user_id);
    let (_, entered) = home.enter(call, id, Action::ReadMembers, user_id, query).await?;
    let subject: Option<Subject> = entered.rows.first()?;
    Ok((subject.and_then(Subject::member).ok_or_else(Error::no_record)?, entered.links))
}

async fn show(call: &Call<'_>, home: Home, id: &str, user_id: &str) -> Result<Reply> {
    let (row, links) = find(call, home, id, path_id(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &links)))
}

/// Makes users members, all or none of them; the last one. `input`: the level, and users by ids and names in lower case.
async fn join(
    call: &Call<'_>,
    home: Home,
    id: &str,
    input: Result<(i64, Vec<Value>)>,
) -> Result<(MemberRow, Links)> {
    let query = |(_, users): &(i64, Vec<Value>)| home.queries().subjects(users);
    let ((level, users), entered) = home.enter(call, id, home.management(), input, query).await?;
    outranks(&entered, level)?;
    let subjects: Vec<Subject> = entered.rows.all()?;
    if subjects.len() < users.len() {
        return Err(Error::missing("User"));
    }
    let known = || Error::Refused(409, "Member already exists".to_owned());
    if subjects.iter().any(Subject::is_member) {
        return Err(known());
    }
    let ids: Vec<i64> = subjects.iter().map(Subject::user_id).collect();
    let made = home.queries().add(&call.store, entered.resource.id, &ids, level, call.now).await?;
    Ok((made.ok_or_else(known)?, entered.links))
}

async fn add(call: &Call<'_>, home: Home, id: &str) -> Result<Reply> {
    let input = call.creation::<NewMember>();
    let input = input
        .and_then(|new| check_level(new.access_level).map(|()| (new.access_level, vec![json!(new.user_id)])));
    let (row, links) = join(call, home, id, input).await?;
    Ok(Reply::json(201, &Member::new(row, &links)))
}

/// Gives a member another level. `input`: whom, and the level.
async fn promote(
    call: &Call<'_>,
    home: Home,
    id: &str,
    input: Result<(i64, i64)>,
) -> Result<(MemberRow, Links)> {
    let query = |(user_id, _): &(i64, i64)| home.queries().subject(*user_id);
    let ((_, level), entered) = home.enter(call, id, home.management(), input, query).await?;
    let subject: Option<Subject> = entered.rows.first()?;
    let before = subject.and_then(Subject::member).ok_or_else(Error::no_record)?;
    outranks(&entered, level.max(before.access))?;
    match home.queries().change(&call.store, entered.resource.id, before.user.id, level).await? {
        Outcome::Done(Some(row)) => Ok((row, entered.links)),
        Outcome::Done(None) => Err(Error::no_record()),
        Outcome::LastOwner => Err(last_owner()),
    }
}

async fn edit(call: &Call<'_>, home: Home, id: &str, user_id: &str) -> Result<Reply> {
    let input = path_id(user_id).and_then(|user_id| {
        let edit = call.creation::<EditMember>()?;
        check_level(edit.access_level)?;
        Ok((user_id, edit.access_level))
    });
    let (row, links) = promote(call, home, id, input).await?;
    Ok(Reply::json(200, &Member::new(row, &links)))
}

/// A group without an owner would be nobody's.
fn last_owner() -> Error {
    Error::Refused(403, "403 Forbidden - the last owner of a group stays its owner".to_owned())
}

/// Ends a membership; the member as they were.
async fn end(call: &Call<'_>, home: Home, id: &str, user_id: Result<i64>) -> Result<(MemberRow, Links)> {
    let query = |user_id: &i64| home.queries().subject(*user_id);
    let (user_id, entered) = home.enter(call, id, Action::ReadMembers, user_id, query).await?;
    let subject: Option<Subject> = entered.rows.first()?;
    let leaves = user_id == entered.caller.user.id;
    if !leaves && !entered.resource.may(home.management()) {
        return Err(Error::FORBIDDEN);
    }
    let row = subject.and_then(Subject::member).ok_or_else(Error::no_record)?;
    if !leaves {
        outranks(&entered, row.access)?;
    }
    match home.queries().remove(&call.store, entered.resource.id, row.user.id).await? {
        Outcome::Done(_) => Ok((row, entered.links)),
        Outcome::LastOwner => Err(last_owner()),
    }
}

async fn remove(call: &Call<'_>, home: Home, id: &str, user_id: &str) -> Result<Reply> {
    let (row, links) = end(call, home, id, path_id(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &links)))
}

/// GET /projects/:id/members
pub async fn list_in_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    list(call, Home::Project, id).await
}

/// GET /projects/:id/members/:user_id
pub async fn show_in_project(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    show(call, Home::Project, id, user_id).await
}

/// POST /projects/:id/members
pub async fn add_to_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    add(call, Home::Project, id).await
}

/// PUT /projects/:id/members/:user_id
pub async fn edit_in_project(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    edit(call, Home::Project, id, user_id).await
}

/// DELETE /projects/:id/members/:user_id
pub async fn remove_from_project(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    remove(call, Home::Project, id, user_id).await
}

/// GET /groups/:id/members
pub async fn list_in_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    list(call, Home::Group, id).await
}

/// GET /groups/:id/members/:user_id
pub async fn show_in_group(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    show(call, Home::Group, id, user_id).await
}

/// POST /groups/:id/members
pub async fn add_to_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    add(call, Home::Group, id).await
}

/// PUT /groups/:id/members/:user_id
pub async fn edit_in_group(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    edit(call, Home::Group, id, user_id).await
}

/// DELETE /groups/:id/members/:user_id
pub async fn remove_from_group(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    remove(call, Home::Group, id, user_id).await
}
