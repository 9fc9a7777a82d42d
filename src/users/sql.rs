//! Rows and statements of users.

pub mod change;
pub mod list;
pub mod rename;

use crate::call::signed_in;
use crate::error::{Error, Result};
use crate::params::Parameters;
use crate::person::UserRow;
use crate::store::{Failure, Row, Statement, Store, sql};

/// Parameters of `POST /users`.
#[derive(Debug, Parameters)]
pub struct NewUser {
    pub email: String,
    pub name: String,
    pub username: String,
    #[param(default)]
    pub admin: bool,
    #[param(default)]
    pub external: bool,
    pub bio: Option<String>,
    pub location: Option<String>,
    #[param(default)]
    pub skype: String,
    #[param(default)]
    pub linkedin: String,
    #[param(default)]
    pub twitter: String,
    #[param(default)]
    pub website_url: String,
    pub projects_limit: Option<i64>,
}

/// What the full form needs.
#[derive(Debug, Clone, Row)]
pub struct ProfileRow {
    pub user: UserRow,
    pub created_at: i64,
    pub admin: bool,
    pub external: bool,
    pub bio: Option<String>,
    pub location: Option<String>,
    pub skype: String,
    pub linkedin: String,
    pub twitter: String,
    pub website_url: String,
    pub projects_limit: i64,
    pub projects_count: i64,
}

/// A [`ProfileRow`] of the alias `u`.
macro_rules! profile_json {
    () => {
        concat!(
            "json_array(",
            crate::person::user_json!("u"),
            ", u.created_at, u.admin, u.external,
  u.bio, u.location, u.skype,
  u.linkedin, u.twitter, u.website_url,
  coalesce(u.projects_limit, (select default_projects_limit from settings)),
  u.projects_count)"
        )
    };
}

pub(crate) use profile_json;

/// Who calls?
const OWN: &str =
    signed_in!("union all select ", profile_json!(), " from caller c cross join users u on u.id = c.id");

pub fn own() -> Statement {
    sql!(OWN)
}

/// Who is `?7`?
const ONE: &str = signed_in!(
    "union all select ",
    profile_json!(),
    " from caller c cross join users u on u.id = (select ?7)"
);

pub fn one(user_id: i64) -> Statement {
    sql!(ONE, user_id)
}

/// What stands against a new user: who else has that e-mail or name, and which domains may sign up.
#[derive(Debug, Row)]
pub struct Before {
    pub email_taken: bool,
    pub username_taken: bool,
    pub domain_whitelist: Vec<String>,
    pub domain_blacklist_enabled: bool,
    pub domain_blacklist: Vec<String>,
}

/// Is the e-mail `?7` or the name `?8` taken by another than `?9`, and which e-mail domains may sign up?
const BEFORE: &str = signed_in!(
    "union all select json_object(
  'email_taken', exists (select 1 from users where email_key = (select ?7) and id is not (select ?9)),
  'username_taken', exists (select 1 from namespaces where path_key = (select ?8) and id is not (select ?9)),
  'domain_whitelist', json(coalesce(domain_whitelist, '[]')), 'domain_blacklist_enabled', domain_blacklist_enabled,
  'domain_blacklist', json(domain_blacklist))
from caller cross join settings"
);

pub fn before_create(email: &str, username: &str) -> Statement {
    sql!(BEFORE, email.to_lowercase(), username.to_lowercase(), None::<i64>)
}

/// Takes the name, and with it the next id.
const NAME: &str = "insert into namespaces (kind, path, path_key) values ('user', ?1, ?2)";

/// Makes the user of that name.
const INSERT: &str =
    "insert into users (id, username, name, email, email_key, admin, bio, location, skype, linkedin,
  twitter, website_url, projects_limit, created_at, external)
select id, path, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14 from namespaces where path_key = (select ?1)";

/// The user with the name `?1`.
const RESULT: &str = concat!(
    "select ",
    profile_json!(),
    " as v from users u where u.id = (select id from namespaces where path_key = (select ?1))"
);

/// Makes a user and their namespace: one transaction.
pub async fn create(store: &Store<'_>, new: NewUser, now: i64) -> Result<ProfileRow> {
    let key = new.username.to_lowercase();
    let batch = vec![
        sql!(NAME, new.username, key.as_str()),
        sql!(
            INSERT,
            key.as_str(),
            new.name,
            new.email.as_str(),
            new.email.to_lowercase(),
            new.admin,
            new.bio,
            new.location,
            new.skype,
            new.linkedin,
            new.twitter,
            new.website_url,
            new.projects_limit,
            now,
            new.external
        ),
        sql!(RESULT, key),
    ];
    let rows = store.batch(batch).await.map_err(taken)?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::Internal("a new user is not there".to_owned()))
}

/// Says which of the two unique names another user has.
pub fn taken(failure: Failure) -> Error {
    match failure {
        Failure::Constraint(text) if text.contains("users.email_key") => email_taken(),
        Failure::Constraint(text)
            if text.contains("namespaces.path_key") || text.contains("users.username") =>
        {
            username_taken()
        }
        other => other.into(),
    }
}

pub fn email_taken() -> Error {
    Error::Refused(409, "Email has already been taken".to_owned())
}

pub fn username_taken() -> Error {
    Error::Refused(409, "Username has already been taken".to_owned())
}
