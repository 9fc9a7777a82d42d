//! Users as answers show them (specification, "User").

use super::sql::ProfileRow;
use crate::call::Links;
use crate::person::UserRow;
use crate::time;
use edgeforge_wire::text::hex;
use md5::{Digest, Md5};
use serde::Serialize;

/// The brief form: author, assignee, user.
#[derive(Debug, Serialize)]
pub struct Brief {
    name: String,
    username: String,
    id: i64,
    state: String,
    avatar_url: Option<String>,
    web_url: String,
}

impl Brief {
    pub fn new(row: UserRow, links: &Links) -> Brief {
        let UserRow { id, username, name, state, email } = row;
        let avatar_url = links.avatars.then(|| avatar(&email, &links.base));
        let web_url = format!("{}/{username}", links.base);
        Brief { name, username, id, state, avatar_url, web_url }
    }
}

/// The full form.
#[derive(Debug, Serialize)]
pub struct Full {
    #[serde(flatten)]
    brief: Brief,
    created_at: String,
    is_admin: bool,
    bio: Option<String>,
    location: Option<String>,
    skype: String,
    linkedin: String,
    twitter: String,
    website_url: String,
}

impl Full {
    pub fn new(row: ProfileRow, links: &Links) -> Full {
        Full {
            brief: Brief::new(row.user, links),
            created_at: time::utc(row.created_at),
            is_admin: row.admin,
            bio: row.bio,
            location: row.location,
            skype: row.skype,
            linkedin: row.linkedin,
            twitter: row.twitter,
            website_url: row.website_url,
        }
    }
}

/// What only the user himself and administrators see.
#[derive(Debug, Serialize)]
pub struct Own {
    #[serde(flatten)]
    full: Full,
    last_sign_in_at: Option<String>,
    confirmed_at: String,
    email: String,
    theme_id: i64,
    color_scheme_id: i64,
    projects_limit: i64,
    current_sign_in_at: Option<String>,
    identities: [String; 0],
    can_create_group: bool,
    can_create_project: bool,
    two_factor_enabled: bool,
    external: bool,
}

impl Own {
    pub fn new(row: ProfileRow, links: &Links) -> Own {
        Own {
            last_sign_in_at: None,
            confirmed_at: time::utc(row.created_at),
            email: row.user.email.clone(),
            theme_id: 1,
            color_scheme_id: 1,
            projects_limit: row.projects_limit,
            current_sign_in_at: None,
            identities: [],
            can_create_group: true,
            can_create_project: row.admin || row.projects_count < row.projects_limit,
            two_factor_enabled: false,
            external: row.external,
            full: Full::new(row, links),
        }
    }
}

/// The address of a picture at the avatar service.
pub(super) fn avatar(email: &str, base: &str) -> String {
    let host =
        if base.starts_with("https:") { "https://secure.gravatar.com" } else { "http://www.gravatar.com" };
    let digest = Md5::digest(email.trim().to_lowercase().as_bytes());
    format!("{host}/avatar/{}?s=80&d=identicon", hex(&digest))
}
