//! Changes of users and their statements.

use super::sql::{ProfileRow, taken};
use crate::error::{Error, Result};
use crate::store::{Row, Statement, Store, sql};
use crate::users::sql::change::{BEFORE_EDIT, END_ALL, PROFILE, RENAME, REVOKE_ALL, SET_STATE, UPDATE};
use crate::users::sql::rename::{MOST_PROJECTS, renamed, too_many};

/// What is to change of a user; none: it stays.
#[derive(Debug)]
pub struct Change {
    pub email: Option<String>,
    pub name: Option<String>,
    pub username: Option<String>,
    pub admin: Option<bool>,
    pub external: Option<bool>,
    // empty: none
    pub bio: Option<String>,
    pub location: Option<String>,
    pub skype: Option<String>,
    pub linkedin: Option<String>,
    pub twitter: Option<String>,
    pub website_url: Option<String>,
    pub limit_is_given: bool,
    pub projects_limit: Option<i64>,
}

/// What stands against a change.
#[derive(Debug, Row)]
pub struct BeforeEdit {
    pub id: i64,
    /// How many the user has.
    pub projects: i64,
    pub email_taken: bool,
    pub username_taken: bool,
}

pub fn before_edit(user_id: i64, change: &Change) -> Statement {
    let key = |text: &Option<String>| text.as_ref().map(|text| text.to_lowercase());
    sql!(BEFORE_EDIT, key(&change.email), key(&change.username), user_id)
}

/// Changes a user, and with the name the addresses of their projects: one transaction.
pub async fn apply(store: &Store<'_>, before: &BeforeEdit, change: Change) -> Result<ProfileRow> {
    let user_id = before.id;
    let renames = change.username.is_some() || change.name.is_some();
    if renames && before.projects > MOST_PROJECTS {
        return Err(too_many());
    }
    let mut batch = vec![sql!(
        UPDATE,
        user_id,
        change.email.as_deref(),
        change.email.as_ref().map(|email| email.to_lowercase()),
        change.name.as_deref(),
        change.username.as_deref(),
        change.admin,
        change.bio,
        change.location,
        change.skype,
        change.linkedin,
        change.twitter,
        change.website_url,
        change.limit_is_given,
        change.projects_limit,
        change.external
    )];
    if let Some(username) = change.username {
        batch.push(sql!(RENAME, user_id, username.as_str(), username.to_lowercase()));
    }
    if renames {
        batch = renamed(user_id, before.projects, batch);
    }
    batch.push(sql!(PROFILE, user_id));
    let rows = store.repeat(batch).await.map_err(taken)?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::missing("User"))
}

pub async fn set_state(store: &Store<'_>, user_id: i64, state: &str) -> Result<()> {
    store.ask(sql!(SET_STATE, user_id, state)).await?;
    Ok(())
}

/// Blocks a user and revokes all their tokens: one transaction.
pub async fn shut_out(store: &Store<'_>, user_id: i64, now: i64) -> Result<ProfileRow> {
    let batch = [
        sql!(SET_STATE, user_id, "blocked"),
        sql!(END_ALL, user_id),
        sql!(REVOKE_ALL, user_id, now),
        sql!(PROFILE, user_id),
    ];
    let rows = store.repeat(batch.into()).await?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::missing("User"))
}
