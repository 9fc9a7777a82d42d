//! What administrators change of users.

use super::rename::{MOST_PROJECTS, renamed, too_many};
use super::{ProfileRow, Taken, check_email, check_projects_limit, found, sql, taken};
use crate::call::{Call, Entry};
use crate::error::{Error, Result, ValidationErrors};
use crate::names::{self, needed, text};
use crate::params::{Parameters, Patch};
use crate::person::ROOT;
use crate::store::{Row, Statement};

/// Parameters of `PUT /users/:id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Edit {
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

/// A change of the user `id` that can be made.
struct Change {
    id: i64,
    email_key: Option<String>,
    username: Option<String>,
    /// Whether the names of the user's projects follow.
    renames: bool,
    admin: Option<bool>,
    update: Statement,
}

impl Edit {
    fn validated(self, id: i64) -> Result<Change> {
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
        let projects_limit = self.projects_limit.set().copied();
        check_projects_limit(&mut errors, projects_limit);
        names::check_letters(&mut errors, "name", name.as_deref());
        errors.result()?;
        let email_key = email.as_ref().map(|email| email.to_lowercase());
        let (renames, admin) = (name.is_some() || username.is_some(), self.admin.set().copied());
        let update = sql::update {
            id,
            email,
            email_key: email_key.clone(),
            name,
            username: username.clone(),
            admin,
            external: self.external.set().copied(),
            bio: text(self.bio),
            location: text(self.location),
            skype: text(self.skype),
            linkedin: text(self.linkedin),
            twitter: text(self.twitter),
            website_url: text(self.website_url),
            keeps_limit: self.projects_limit.is_keep(),
            projects_limit,
        };
        Ok(Change { id, email_key, username, renames, admin, update: update.into() })
    }
}

impl Change {
    fn username_key(&self) -> Option<String> {
        self.username.as_ref().map(|username| username.to_lowercase())
    }

    fn query(&self) -> Statement {
        sql::before_update { id: self.id, email: self.email_key.clone(), username: self.username_key() }
            .into()
    }

    /// One transaction, with the addresses of so many projects.
    fn batch(self, projects: i64) -> Vec<Statement> {
        let (id, username_key) = (self.id, self.username_key());
        let mut batch = vec![self.update];
        if let Some(username) = self.username {
            batch.push(sql::change_username { id, username, username_key }.into());
        }
        if self.renames {
            batch = renamed(id, projects, batch);
        }
        batch.push(sql::profile { id }.into());
        batch
    }
}

/// What may refuse a change.
#[derive(Debug, Row)]
struct BeforeUpdate {
    /// How many the user has.
    projects: i64,
    #[row(flatten)]
    taken: Taken,
}

/// Changes the user with this id as the parameters say.
pub(super) async fn update(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let input = id.and_then(|id| call.edit::<Edit>()?.validated(id));
    let (change, entry) = call.authorize_with(input, Change::query).await?;
    let before: BeforeUpdate = entry.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    before.taken.check()?;
    if change.id == ROOT && change.admin == Some(false) {
        return Err(Error::FORBIDDEN);
    }
    if change.renames && before.projects > MOST_PROJECTS {
        return Err(too_many());
    }
    let batch = change.batch(before.projects);
    let rows = call.store.repeat(batch).await.map_err(taken)?.pop().unwrap_or_default();
    Ok((rows.first()?.ok_or_else(|| Error::missing("User"))?, entry))
}

/// The user whom an administrator asks for.
async fn subject(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let (_, entry) = call.authorize_with(id, |id| sql::one { id: *id }).await?;
    Ok((found(&entry)?, entry))
}

/// The same if the administrator may lock them out: neither root nor themselves.
async fn other(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let (row, entry) = subject(call, id).await?;
    let is_spared = row.user.id == ROOT || Some(row.user.id) == entry.user_id();
    if is_spared { Err(Error::FORBIDDEN) } else { Ok((row, entry)) }
}

/// Blocks or unblocks; whether that changed anything.
pub(super) async fn set_blocked(call: &Call<'_>, id: Result<i64>, blocked: bool) -> Result<bool> {
    let (row, _) = if blocked { other(call, id).await? } else { subject(call, id).await? };
    if row.user.state == "ldap_blocked" {
        return Err(Error::Forbidden(if blocked {
            "LDAP blocked users cannot be modified by the API"
        } else {
            "LDAP blocked users cannot be unblocked by the API"
        }));
    }
    let new_state = if blocked { "blocked" } else { "active" };
    call.store.ask(sql::set_state { id: row.user.id, new_state }).await?;
    Ok(row.user.state != new_state)
}

/// Blocks a user and revokes all their tokens: what they wrote goes on naming them.
pub(super) async fn delete(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let (row, entry) = other(call, id).await?;
    let id = row.user.id;
    let batch = vec![
        sql::set_state { id, new_state: "blocked" }.into(),
        sql::block_bots { id }.into(),
        sql::revoke_tokens { id, now: call.now }.into(),
        sql::profile { id }.into(),
    ];
    let rows = call.store.repeat(batch).await?.pop().unwrap_or_default();
    Ok((rows.first()?.ok_or_else(|| Error::missing("User"))?, entry))
}
