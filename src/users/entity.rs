//! Users as answers show them (specification, "User").

use super::sql::UserRow;
use crate::call::Links;
use md5::{Digest, Md5};
use serde::Serialize;
use std::fmt::Write;

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

/// The address of a picture at the avatar service.
fn avatar(email: &str, base: &str) -> String {
    let host =
        if base.starts_with("https:") { "https://secure.gravatar.com" } else { "http://www.gravatar.com" };
    let digest = Md5::digest(email.trim().to_lowercase().as_bytes());
    let mut address = format!("{host}/avatar/");
    digest.iter().for_each(|byte| {
        let _ = write!(address, "{byte:02x}");
    });
    address.push_str("?s=80&d=identicon");
    address
}
