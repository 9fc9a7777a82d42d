//! The row of application settings and its statements.

use crate::call::signed_in;
use crate::error::{Error, Result};
use crate::store::{Failure, Row, Rows, Statement, Store, sql};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Row)]
pub struct SettingsRow {
    pub id: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub default_projects_limit: i64,
    pub signup_enabled: bool,
    pub signin_enabled: bool,
    pub avatar_enabled: bool,
    pub sign_in_text: Option<String>,
    pub home_page_url: Option<String>,
    pub default_branch_protection: i64,
    pub restricted_visibility_levels: Vec<i64>,
    pub max_attachment_size: i64,
    pub session_expire_delay: i64,
    pub default_project_visibility: i64,
    pub default_snippet_visibility: i64,
    pub domain_whitelist: Option<Vec<String>>,
    pub domain_blacklist_enabled: bool,
    pub domain_blacklist: Vec<String>,
    pub user_oauth_applications: bool,
    pub after_sign_out_path: Option<String>,
    pub container_registry_token_expire_delay: i64,
    pub repository_storage: String,
    pub enabled_git_access_protocol: Option<String>,
}

/// Settings and their new values, all of them valid.
#[derive(Debug, Clone, PartialEq)]
pub struct Change(pub Map<String, Value>);

impl Change {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As a JSON object of columns.
    pub fn text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

/// The refusal of an enabled blacklist without domains.
pub fn empty_blacklist() -> Error {
    Error::field("domain_blacklist", EMPTY_BLACKLIST)
}

pub const EMPTY_BLACKLIST: &str = "Domain blacklist cannot be empty if Blacklist is enabled.";

/// A [`SettingsRow`] of the table `settings`.
macro_rules! settings_json {
    () => {
        "json_object('id', id, 'created_at', created_at, 'updated_at', updated_at,
  'default_projects_limit', default_projects_limit, 'signup_enabled', signup_enabled,
  'signin_enabled', signin_enabled, 'avatar_enabled', avatar_enabled, 'sign_in_text', sign_in_text,
  'home_page_url', home_page_url, 'default_branch_protection', default_branch_protection,
  'restricted_visibility_levels', json(restricted_visibility_levels),
  'max_attachment_size', max_attachment_size, 'session_expire_delay', session_expire_delay,
  'default_project_visibility', default_project_visibility,
  'default_snippet_visibility', default_snippet_visibility, 'domain_whitelist', json(domain_whitelist),
  'domain_blacklist_enabled', domain_blacklist_enabled, 'domain_blacklist', json(domain_blacklist),
  'user_oauth_applications', user_oauth_applications, 'after_sign_out_path', after_sign_out_path,
  'container_registry_token_expire_delay', container_registry_token_expire_delay,
  'repository_storage', repository_storage, 'enabled_git_access_protocol', enabled_git_access_protocol)"
    };
}

/// What are the settings now?
const CURRENT: &str = signed_in!(
    "union all select ",
    settings_json!(),
    " from settings where (select id from caller) is not null"
);

pub fn current() -> Statement {
    sql!(CURRENT)
}

/// `column = ..` for each column: the value that the JSON object `?1` has for it, null included, else what is there.
macro_rules! changed {
    ($($column:literal),+ $(,)?) => {
        concat!($($column, " = iif(?1 -> '$.", $column, "' is null, ", $column, ", ?1 ->> '$.", $column, "'),\n  "),+)
    };
}

/// Changes the settings that are members of `?1`, and no other: a change of another field at the same time stays.
const CHANGE: &str = concat!(
    "update settings set ",
    changed!(
        "default_projects_limit",
        "signup_enabled",
        "signin_enabled",
        "avatar_enabled",
        "sign_in_text",
        "home_page_url",
        "default_branch_protection",
        "restricted_visibility_levels",
        "max_attachment_size",
        "session_expire_delay",
        "default_project_visibility",
        "default_snippet_visibility",
        "domain_whitelist",
        "domain_blacklist_enabled",
        "domain_blacklist",
        "user_oauth_applications",
        "after_sign_out_path",
        "container_registry_token_expire_delay",
        "repository_storage",
        "enabled_git_access_protocol",
    ),
    "updated_at = ?2 where id = 1 returning ",
    settings_json!(),
    " as v"
);

/// Makes the change and reads what the settings are then.
pub async fn change(store: &Store<'_>, change: &Change, now: i64) -> Result<SettingsRow> {
    let rows = store.ask(sql!(CHANGE, change.text(), now)).await.map_err(|failure| match failure {
        // of the two that made this so, the other came between our look and our change
        Failure::Constraint(text) if text.contains("Domain blacklist") => empty_blacklist(),
        other => other.into(),
    })?;
    read(&rows)
}

pub fn read(rows: &Rows) -> Result<SettingsRow> {
    rows.first()?.ok_or_else(|| Error::Internal("there are no settings".to_owned()))
}
