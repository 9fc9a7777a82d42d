//! Application settings under the names and in the types of v4 (behaviour 13.4).

use super::change::EditSettings;
use super::row::SettingsRow;
use crate::call::Call;
use crate::constants::{Constant, Constants};
use crate::error::{Result, ValidationErrors};
use crate::http::Reply;
use crate::params::{Integer, Parameters, Patch};
use crate::policy::Visibility;
use crate::time;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
struct Settings {
    id: i64,
    created_at: String,
    updated_at: String,
    default_projects_limit: i64,
    signup_enabled: bool,
    password_authentication_enabled: bool,
    password_authentication_enabled_for_web: bool,
    signin_enabled: bool,
    gravatar_enabled: bool,
    sign_in_text: Option<String>,
    home_page_url: Option<String>,
    default_branch_protection: i64,
    restricted_visibility_levels: Vec<&'static str>,
    max_attachment_size: i64,
    session_expire_delay: i64,
    default_project_visibility: &'static str,
    default_snippet_visibility: &'static str,
    domain_allowlist: Option<Vec<String>>,
    domain_whitelist: Option<Vec<String>>,
    domain_denylist_enabled: bool,
    domain_blacklist_enabled: bool,
    domain_denylist: Vec<String>,
    domain_blacklist: Vec<String>,
    user_oauth_applications: bool,
    after_sign_out_path: Option<String>,
    container_registry_token_expire_delay: i64,
    repository_storages: [String; 1],
    repository_storages_weighted: BTreeMap<String, i64>,
    enabled_git_access_protocol: Option<String>,
    #[serde(flatten)]
    constants: Constants,
}

const OF_SETTINGS: Constants = Constants(&[
    (Constant::Text("private"), &["default_group_visibility"]),
    (Constant::Text(""), &["after_sign_up_text"]),
    (Constant::Bool(true), &["can_create_group", "password_authentication_enabled_for_git"]),
    (Constant::Bool(false), &["usage_ping_enabled", "version_check_enabled"]),
    (Constant::Null, &["default_branch_name"]),
]);

/// The word for a level of 0, 1 or 2.
fn word(level: i64) -> &'static str {
    Visibility::from(level * 10).word()
}

impl Settings {
    fn new(row: SettingsRow) -> Settings {
        Settings {
            id: row.id,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            default_projects_limit: row.default_projects_limit,
            signup_enabled: row.signup_enabled,
            password_authentication_enabled: row.signin_enabled,
            password_authentication_enabled_for_web: row.signin_enabled,
            signin_enabled: row.signin_enabled,
            gravatar_enabled: row.avatar_enabled,
            sign_in_text: row.sign_in_text,
            home_page_url: row.home_page_url,
            default_branch_protection: row.default_branch_protection,
            restricted_visibility_levels: row.restricted_visibility_levels.into_iter().map(word).collect(),
            max_attachment_size: row.max_attachment_size,
            session_expire_delay: row.session_expire_delay,
            default_project_visibility: word(row.default_project_visibility),
            default_snippet_visibility: word(row.default_snippet_visibility),
            domain_allowlist: row.domain_whitelist.clone(),
            domain_whitelist: row.domain_whitelist,
            domain_denylist_enabled: row.domain_blacklist_enabled,
            domain_blacklist_enabled: row.domain_blacklist_enabled,
            domain_denylist: row.domain_blacklist.clone(),
            domain_blacklist: row.domain_blacklist,
            user_oauth_applications: row.user_oauth_applications,
            after_sign_out_path: row.after_sign_out_path,
            container_registry_token_expire_delay: row.container_registry_token_expire_delay,
            repository_storages_weighted: BTreeMap::from([(row.repository_storage.clone(), 100)]),
            repository_storages: [row.repository_storage],
            enabled_git_access_protocol: row.enabled_git_access_protocol,
            constants: OF_SETTINGS,
        }
    }
}

/// The settings that v4 calls otherwise, or writes otherwise, than v3.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Renamed {
    password_authentication_enabled: Option<bool>,
    password_authentication_enabled_for_web: Option<bool>,
    restricted_visibility_levels: Patch<Vec<String>>,
    default_project_visibility: Option<String>,
    default_snippet_visibility: Option<String>,
    domain_allowlist: Patch<Vec<String>>,
    domain_denylist_enabled: Option<bool>,
    domain_denylist: Patch<Vec<String>>,
}

/// 0, 1 or 2 of a word or of a number in either scale; anything else is told as no level.
fn level(text: &str) -> Integer {
    match text.trim() {
        "private" | "0" => Integer::Number(0),
        "internal" | "1" | "10" => Integer::Number(1),
        "public" | "2" | "20" => Integer::Number(2),
        _ => Integer::NoNumber,
    }
}

/// A level as v3 writes it in a list; what is none stays, and is refused there.
fn level_text(text: String) -> String {
    match level(&text) {
        Integer::Number(level) => level.to_string(),
        _ => text,
    }
}

/// The change with v4's names in the place of v3's.
fn read(call: &Call<'_>) -> Result<(EditSettings, ValidationErrors)> {
    let (mut sent, errors) = call.edit_and_errors::<EditSettings>()?;
    let named: Renamed = call.edit()?;
    let signin = named.password_authentication_enabled_for_web.or(named.password_authentication_enabled);
    sent.signin_enabled = signin.or(sent.signin_enabled);
    sent.default_project_visibility = named.default_project_visibility.as_deref().map(level);
    sent.default_snippet_visibility = named.default_snippet_visibility.as_deref().map(level);
    sent.restricted_visibility_levels = match named.restricted_visibility_levels {
        Patch::Set(words) => Patch::Set(words.into_iter().map(level_text).collect()),
        other => other,
    };
    if !named.domain_allowlist.is_keep() {
        sent.domain_whitelist = named.domain_allowlist;
    }
    sent.domain_blacklist_enabled = named.domain_denylist_enabled.or(sent.domain_blacklist_enabled);
    if !named.domain_denylist.is_keep() {
        sent.domain_blacklist = named.domain_denylist;
    }
    Ok((sent, errors))
}

/// GET /application/settings
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &Settings::new(super::current(call).await?)))
}

/// PUT /application/settings
pub async fn update(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &Settings::new(super::update(call, || read(call)).await?)))
}
