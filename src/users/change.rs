//! Changes of users and their statements.

use super::sql::{ProfileRow, profile_json, taken};
use crate::call::signed_in;
use crate::error::{Error, Result};
use crate::store::{Row, Statement, Store, sql};

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
    pub email_taken: bool,
    pub username_taken: bool,
}

/// Is there a user `?9`, and has another the e-mail `?7` or the name `?8`?
const BEFORE_EDIT: &str = signed_in!(
    "union all select json_object('id', u.id,
  'email_taken', exists (select 1 from users where email_key = (select ?7) and id <> u.id),
  'username_taken', exists (select 1 from namespaces where path_key = (select ?8) and id <> u.id))
from caller cross join users u on u.id = (select ?9)"
);

pub fn before_edit(user_id: i64, change: &Change) -> Statement {
    let key = |text: &Option<String>| text.as_ref().map(|text| text.to_lowercase());
    sql!(BEFORE_EDIT, key(&change.email), key(&change.username), user_id)
}

/// Changes the user `?1`.
const UPDATE: &str = "update users set email = coalesce(?2, email), email_key = coalesce(?3, email_key),
  name = coalesce(?4, name), username = coalesce(?5, username), admin = coalesce(?6, admin),
  bio = nullif(coalesce(?7, bio), ''), location = nullif(coalesce(?8, location), ''), skype = coalesce(?9, skype),
  linkedin = coalesce(?10, linkedin), twitter = coalesce(?11, twitter), website_url = coalesce(?12, website_url),
  projects_limit = iif(?13, ?14, projects_limit), external = coalesce(?15, external)
where id = (select ?1)";

/// Gives the user's namespace the user's new name.
const RENAME: &str = "update namespaces set path = ?2, path_key = ?3 where id = (select ?1)";

/// Gives the projects of the namespace `?1` the addresses that its new path `?2` makes.
pub const RENAME_PROJECTS: &str =
    "update projects set full_path = ?2 || '/' || path, path_key = lower(?2 || '/' || path)
where namespace_id = (select ?1) and deleted_at is null";

/// Gives them the names that its new name `?2` makes.
pub const RETITLE_PROJECTS: &str =
    "update projects set full_name = ?2 || ' / ' || name where namespace_id = (select ?1)";

/// The user `?1`.
const PROFILE: &str = concat!("select ", profile_json!(), " as v from users u where u.id = (select ?1)");

/// Changes a user, and with the name the addresses of their projects: one transaction.
pub async fn apply(store: &Store<'_>, user_id: i64, change: Change) -> Result<ProfileRow> {
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
        batch.push(sql!(RENAME_PROJECTS, user_id, username));
    }
    if let Some(name) = change.name {
        batch.push(sql!(RETITLE_PROJECTS, user_id, name));
    }
    batch.push(sql!(PROFILE, user_id));
    let rows = store.repeat(batch).await.map_err(taken)?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::missing("User"))
}

/// Blocks or unblocks, but nobody whom the directory blocked.
const SET_STATE: &str = "update users set state = ?2 where id = (select ?1) and state <> 'ldap_blocked'";

pub async fn set_state(store: &Store<'_>, user_id: i64, state: &str) -> Result<()> {
    store.ask(sql!(SET_STATE, user_id, state)).await?;
    Ok(())
}

/// Revokes what the user `?1` comes in with.
const REVOKE_ALL: &str =
    "update tokens set revoked_at = ?2 where user_id = (select ?1) and revoked_at is null";

/// Shuts out the users of the projects' tokens that the user `?1` made and nobody took over.
const END_ALL: &str = "update users set state = 'blocked' where state = 'active'
  and id in (select bot_id from tokens where user_id = (select ?1) and revoked_at is null)";

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
