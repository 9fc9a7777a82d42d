//! Users as answers of v4 show them.
#![allow(dead_code)]

use super::entity::avatar;
use super::sql::ProfileRow;
use crate::call::Links;
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
    name: String,
    state: String,
    locked: bool,
    avatar_url: Option<String>,
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
