//! What administrators change of users.

use super::change::{self, BeforeEdit, Change};
use super::entity::Own;
use super::sql::{self, ProfileRow};
use super::{check_email, check_projects_limit, user_id};
use crate::call::{Call, Links, SignedIn};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::names::{self, needed, text};
use crate::params::{Parameters, Patch};
use crate::person::ROOT;

/// Parameters of `PUT /users/:id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct EditUser {
    email: Patch<String>,
    name: Patch<String>,
    username: Patch<String>,
    admin: Patch<bool>,
    external: Patch<bool>,
    bio: Patch<String>,
    location: Patch<String>,
    skype: Patch<String>,
    linkedin: Patch<String>,
    twitter: Patch<String>,
    website_url: Patch<String>,
    projects_limit: Patch<i64>,
}

impl EditUser {
    fn checked(self) -> Result<Change> {
        let mut errors = ValidationErrors::default();
        let email = needed(&mut errors, "email", self.email);
        let name = needed(&mut errors, "name", self.name);
        let username = needed(&mut errors, "username", self.username);
        if let Some(email) = &email {
            check_email(&mut errors, email);
        }
        if let Some(username) = &username {
            names::check_namespace(&mut errors, "username", username);
        }
        check_projects_limit(&mut errors, self.projects_limit.set().copied());
        let change = Change {
            email,
            name,
            username,
            admin: self.admin.set().copied(),
            external: self.external.set().copied(),
            bio: text(self.bio),
            location: text(self.location),
            skype: text(self.skype),
            linkedin: text(self.linkedin),
            twitter: text(self.twitter),
            website_url: text(self.website_url),
            limit_is_given: !self.projects_limit.is_keep(),
            projects_limit: self.projects_limit.set().copied(),
        };
        names::check_letters(&mut errors, "name", change.name.as_deref());
        errors.result().map(|()| change)
    }
}

/// Changes the user with this id as the parameters say.
pub async fn apply(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Links)> {
    let input = id.and_then(|id| Ok((id, call.edit().and_then(EditUser::checked)?)));
    let ((_, new), entered) = call.administer_with(input, |(id, new)| change::before_edit(*id, new)).await?;
    let before: BeforeEdit = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    if before.email_taken {
        return Err(sql::email_taken());
    }
    if before.username_taken {
        return Err(sql::username_taken());
    }
    if before.id == ROOT && new.admin == Some(false) {
        return Err(Error::FORBIDDEN);
    }
    Ok((change::apply(&call.store, &before, new).await?, entered.links))
}

/// PUT /users/:id
pub async fn edit(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = apply(call, user_id(call, id)).await?;
    Ok(Reply::json(200, &Own::new(row, &links)))
}

/// Lets administrators through to a user.
async fn subject(call: &Call<'_>, id: Result<i64>) -> Result<(SignedIn, ProfileRow)> {
    let (_, entered) = call.administer_with(id, |id| sql::one(*id)).await?;
    let row: ProfileRow = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    Ok((entered, row))
}

/// The same to one whom they may shut out: neither root nor themselves.
async fn other(call: &Call<'_>, id: Result<i64>) -> Result<(SignedIn, ProfileRow)> {
    let (entered, row) = subject(call, id).await?;
    let spared = row.user.id == ROOT || row.user.id == entered.caller.user.id;
    if spared { Err(Error::FORBIDDEN) } else { Ok((entered, row)) }
}

/// Blocks or unblocks; false if that changed nothing.
pub async fn set_blocked(call: &Call<'_>, id: Result<i64>, blocked: bool) -> Result<bool> {
    let (_, row) = if blocked { other(call, id).await? } else { subject(call, id).await? };
    if row.user.state == "ldap_blocked" {
        return Err(Error::Forbidden(if blocked {
            "LDAP blocked users cannot be modified by the API"
        } else {
            "LDAP blocked users cannot be unblocked by the API"
        }));
    }
    let state = if blocked { "blocked" } else { "active" };
    change::set_state(&call.store, row.user.id, state).await?;
    Ok(row.user.state != state)
}

/// PUT /users/:id/block
pub async fn block(call: &Call<'_>, id: &str) -> Result<Reply> {
    set_blocked(call, user_id(call, id), true).await?;
    Ok(Reply::json(200, &true))
}

/// PUT /users/:id/unblock
pub async fn unblock(call: &Call<'_>, id: &str) -> Result<Reply> {
    set_blocked(call, user_id(call, id), false).await?;
    Ok(Reply::json(200, &true))
}

/// What a user wrote goes on naming them: they are blocked, and every token of theirs revoked.
pub async fn shut_out(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Links)> {
    let (entered, row) = other(call, id).await?;
    Ok((change::shut_out(&call.store, row.user.id, call.now).await?, entered.links))
}

/// DELETE /users/:id
pub async fn remove(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = shut_out(call, user_id(call, id)).await?;
    Ok(Reply::json(200, &Own::new(row, &links)))
}
