use super::change::EditSettings;
use super::row::SettingsRow;
use crate::kernel::params::Integer;
use crate::kernel::policy::Visibility;
use crate::kernel::time;
use crate::kernel::{Call, Parameters, Patch, Reply, Result, ValidationErrors};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Names and values in the order of the answer.
struct Settings(Vec<(&'static str, Value)>);

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Settings {
    fn new(row: &SettingsRow) -> Settings {
        let word = |level: &i64| Visibility::from(level * 10).word();
        let restricted: Vec<&str> = row.restricted_visibility_levels.iter().map(word).collect();
        let storage = &row.repository_storage;
        Settings(vec![
            ("id", json!(row.id)),
            ("created_at", json!(time::utc(row.created_at))),
            ("updated_at", json!(time::utc(row.updated_at))),
            ("default_projects_limit", json!(row.default_projects_limit)),
            ("signup_enabled", json!(row.signup_enabled)),
            ("password_authentication_enabled", json!(row.signin_enabled)),
            ("password_authentication_enabled_for_web", json!(row.signin_enabled)),
            ("signin_enabled", json!(row.signin_enabled)),
            ("gravatar_enabled", json!(row.avatar_enabled)),
            ("sign_in_text", json!(row.sign_in_text)),
            ("home_page_url", json!(row.home_page_url)),
            ("default_branch_protection", json!(row.default_branch_protection)),
            ("restricted_visibility_levels", json!(restricted)),
            ("max_attachment_size", json!(row.max_attachment_size)),
            ("session_expire_delay", json!(row.session_expire_delay)),
            ("default_project_visibility", json!(word(&row.default_project_visibility))),
            ("default_snippet_visibility", json!(word(&row.default_snippet_visibility))),
            ("domain_allowlist", json!(row.domain_whitelist)),
            ("domain_whitelist", json!(row.domain_whitelist)),
            ("domain_denylist_enabled", json!(row.domain_blacklist_enabled)),
            ("domain_blacklist_enabled", json!(row.domain_blacklist_enabled)),
            ("domain_denylist", json!(row.domain_blacklist)),
            ("domain_blacklist", json!(row.domain_blacklist)),
            ("user_oauth_applications", json!(row.user_oauth_applications)),
            ("after_sign_out_path", json!(row.after_sign_out_path)),
            ("container_registry_token_expire_delay", json!(row.container_registry_token_expire_delay)),
            ("repository_storages", json!([storage])),
            ("repository_storages_weighted", json!({ (storage.as_str()): 100 })),
            ("enabled_git_access_protocol", json!(row.enabled_git_access_protocol)),
            ("push_event_hooks_limit", json!(row.push_event_hooks_limit)),
            // the same on every server
            ("default_group_visibility", json!("private")),
            ("after_sign_up_text", json!("")),
            ("can_create_group", json!(true)),
            ("password_authentication_enabled_for_git", json!(true)),
            ("usage_ping_enabled", json!(false)),
            ("version_check_enabled", json!(false)),
            ("default_branch_name", Value::Null),
        ])
    }
}

/// Settings with another name or type than in v3, or that v3 does not have.
#[derive(Debug, Parameters)]
struct RenamedSettings {
    password_authentication_enabled: Option<bool>,
    password_authentication_enabled_for_web: Option<bool>,
    restricted_visibility_levels: Patch<Vec<String>>,
    default_project_visibility: Option<String>,
    default_snippet_visibility: Option<String>,
    domain_allowlist: Patch<Vec<String>>,
    domain_denylist_enabled: Option<bool>,
    domain_denylist: Patch<Vec<String>>,
    push_event_hooks_limit: Option<Integer>,
}

fn level(text: &str) -> Integer {
    match text.trim() {
        "private" | "0" => Integer::Number(0),
        "internal" | "1" | "10" => Integer::Number(1),
        "public" | "2" | "20" => Integer::Number(2),
        _ => Integer::NoNumber,
    }
}

/// Returns a wrong level unchanged, so that the validation refuses it.
fn level_text(text: String) -> String {
    match level(&text) {
        Integer::Number(level) => level.to_string(),
        _ => text,
    }
}

fn read(call: &Call<'_>) -> Result<(EditSettings, ValidationErrors)> {
    call.will_read::<RenamedSettings>();
    let (mut sent, errors) = call.edit_and_errors::<EditSettings>()?;
    let named: RenamedSettings = call.edit()?;
    let signin = named.password_authentication_enabled_for_web.or(named.password_authentication_enabled);
    sent.signin_enabled = signin.or(sent.signin_enabled);
    sent.default_project_visibility = named.default_project_visibility.as_deref().map(level);
    sent.default_snippet_visibility = named.default_snippet_visibility.as_deref().map(level);
    let levels = |words: Vec<String>| words.into_iter().map(level_text).collect();
    sent.restricted_visibility_levels = named.restricted_visibility_levels.map(levels);
    if !named.domain_allowlist.is_keep() {
        sent.domain_whitelist = named.domain_allowlist;
    }
    sent.domain_blacklist_enabled = named.domain_denylist_enabled.or(sent.domain_blacklist_enabled);
    if !named.domain_denylist.is_keep() {
        sent.domain_blacklist = named.domain_denylist;
    }
    sent.push_event_hooks_limit = named.push_event_hooks_limit;
    Ok((sent, errors))
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &Settings::new(&super::current(call).await?)))
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &Settings::new(&super::update(call, || read(call)).await?)))
}
