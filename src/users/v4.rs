//! Users as answers of v4 show them (behaviour 13.4).

pub mod admin;
pub mod list;

use super::entity::avatar;
use super::sql::{self, ProfileRow};
use crate::call::{Call, Links, path_id};
use crate::constants::{Constant, Constants};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::person::UserRow;
use crate::time;
use serde::Serialize;

/// `UserBasic`: wherever another record names a user.
#[derive(Debug, Serialize)]
pub struct Basic {
    id: i64,
    username: String,
    /// Always empty: no address is public.
    public_email: &'static str,
    pub name: String,
    state: String,
    locked: bool,
    pub avatar_url: Option<String>,
    web_url: String,
}

impl Basic {
    pub fn new(row: UserRow, links: &Links) -> Basic {
        let UserRow { id, username, name, state, email } = row;
        let avatar_url = links.avatars.then(|| avatar(&email, &links.base));
        let web_url = format!("{}/{username}", links.base);
        Basic { id, username, public_email: "", name, state, locked: false, avatar_url, web_url }
    }
}

/// `User`: what everybody signed in may know of a user.
#[derive(Debug, Serialize)]
#[allow(dead_code)]
pub struct User {
    #[serde(flatten)]
    basic: Basic,
    created_at: String,
    bio: Option<String>,
    location: Option<String>,
    skype: String,
    linkedin: String,
    twitter: String,
    website_url: String,
    discord: &'static str,
    github: &'static str,
    job_title: &'static str,
    pronouns: Option<()>,
    organization: &'static str,
    bot: bool,
    work_information: Option<()>,
    local_time: Option<()>,
    followers: i64,
    following: i64,
    is_followed: bool,
}

#[allow(dead_code)]
impl User {
    pub fn new(row: ProfileRow, links: &Links) -> User {
        User {
            basic: Basic::new(row.user, links),
            created_at: time::utc(row.created_at),
            bio: row.bio,
            location: row.location,
            skype: row.skype,
            linkedin: row.linkedin,
            twitter: row.twitter,
            website_url: row.website_url,
            discord: "",
            github: "",
            job_title: "",
            pronouns: None,
            organization: "",
            bot: false,
            work_information: None,
            local_time: None,
            followers: 0,
            following: 0,
            is_followed: false,
        }
    }
}

/// `UserPublic`: what people see of themselves. With `is_admin` and what follows: `UserWithAdmin`, which administrators see.
#[derive(Debug, Serialize)]
pub struct Own {
    #[serde(flatten)]
    user: User,
    confirmed_at: String,
    email: String,
    commit_email: String,
    projects_limit: i64,
    can_create_project: bool,
    external: bool,
    #[serde(flatten)]
    constants: Constants,
    #[serde(flatten)]
    known: Option<ForAdministrators>,
}

/// What administrators see beside.
#[derive(Debug, Serialize)]
struct ForAdministrators {
    is_admin: bool,
    namespace_id: i64,
    note: Option<()>,
    created_by: Option<()>,
}

const OF_OWN: Constants = Constants(&[
    (Constant::Null, &["last_sign_in_at", "last_activity_on", "current_sign_in_at"]),
    (Constant::Number(1), &["theme_id", "color_scheme_id"]),
    (Constant::Nothing([]), &["identities"]),
    (Constant::Bool(true), &["can_create_group"]),
    (Constant::Bool(false), &["two_factor_enabled", "private_profile"]),
    (Constant::Text("en"), &["preferred_language"]),
]);

impl Own {
    pub fn new(row: ProfileRow, is_for_administrator: bool, links: &Links) -> Own {
        let (namespace_id, is_admin) = (row.user.id, row.admin);
        let known = ForAdministrators { is_admin, namespace_id, note: None, created_by: None };
        Own {
            confirmed_at: time::utc(row.created_at),
            email: row.user.email.clone(),
            commit_email: row.user.email.clone(),
            projects_limit: row.projects_limit,
            can_create_project: row.admin || row.projects_count < row.projects_limit,
            external: row.external,
            constants: OF_OWN,
            known: is_for_administrator.then_some(known),
            user: User::new(row, links),
        }
    }
}

/// GET /user
pub async fn show_own(call: &Call<'_>) -> Result<Reply> {
    let entered = call.sign_in_with_any_token(sql::own()).await?;
    let row: ProfileRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Own::new(row, entered.caller.admin, &entered.links)))
}

/// GET /users/:id
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    if !call.has_credentials() {
        return Err(Error::Forbidden("Not authorized!"));
    }
    let (_, entered) = call.sign_in_with(user_id(id), |id| sql::one(*id)).await?;
    let row: ProfileRow = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    Ok(if entered.caller.admin {
        Reply::json(200, &Own::new(row, true, &entered.links))
    } else {
        Reply::json(200, &User::new(row, &entered.links))
    })
}

/// A user's id in a path.
pub fn user_id(text: &str) -> Result<i64> {
    path_id(text).map_err(|_| Error::invalid("id"))
}
