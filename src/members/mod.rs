//! Members of projects.

pub mod entity;
pub mod sql;

use crate::call::{Call, Entered, path_id};
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::policy::{Access, Action};
use entity::Member;
use serde::Deserialize;
use sql::{MemberRow, Subject};

/// Parameters of `POST /projects/:id/members`.
#[derive(Debug, Deserialize)]
struct NewMember {
    user_id: i64,
    access_level: i64,
}

impl NewMember {
    fn checked(self) -> Result<NewMember> {
        check_level(self.access_level).map(|()| self)
    }
}

fn check_level(level: i64) -> Result<()> {
    let mut faults = Faults::default();
    if ![10, 20, 30, 40, 50].contains(&level) {
        faults.add("access_level", "is not included in the list");
    }
    faults.result()
}

/// Nobody gives, changes or takes away more than he has himself.
fn outranks(entered: &Entered, level: i64) -> Result<()> {
    if Access::from(level) > entered.place.access { Err(Error::FORBIDDEN) } else { Ok(()) }
}

/// POST /projects/:id/members
pub async fn add_to_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation().and_then(NewMember::checked);
    let question = input.as_ref().map(|new| sql::project_subject(new.user_id)).map_err(Error::clone);
    let entered = call.enter(id, Action::ManageMembers, question).await?;
    let new = input?;
    outranks(&entered, new.access_level)?;
    let subject: Subject = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    if subject.access.is_some() {
        return Err(already_member());
    }
    let made =
        sql::add_to_project(&call.store, entered.place.id, new.user_id, new.access_level, call.now).await?;
    let row = made.ok_or_else(already_member)?;
    Ok(Reply::json(201, &Member::new(row, &entered.links)))
}

fn already_member() -> Error {
    Error::Refused(409, "Member already exists".to_owned())
}

/// GET /projects/:id/members/:user_id
pub async fn show_in_project(call: &Call<'_>, id: &str, user_id: &str) -> Result<Reply> {
    let question = path_id(user_id).map(sql::project_member);
    let entered = call.enter(id, Action::ReadMembers, question).await?;
    let row: MemberRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Member::new(row, &entered.links)))
}
