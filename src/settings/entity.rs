//! Application settings as answers show them (specification, "Application settings").

use super::sql::SettingsRow;
use crate::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Settings {
    id: i64,
    created_at: String,
    updated_at: String,
    default_projects_limit: i64,
    signup_enabled: bool,
    signin_enabled: bool,
    avatar_enabled: bool,
    sign_in_text: Option<String>,
    home_page_url: Option<String>,
    default_branch_protection: i64,
    restricted_visibility_levels: Vec<i64>,
    max_attachment_size: i64,
    session_expire_delay: i64,
    default_project_visibility: i64,
    default_snippet_visibility: i64,
    domain_whitelist: Option<Vec<String>>,
    domain_blacklist_enabled: bool,
    domain_blacklist: Vec<String>,
    user_oauth_applications: bool,
    after_sign_out_path: Option<String>,
    container_registry_token_expire_delay: i64,
    repository_storage: String,
    enabled_git_access_protocol: Option<String>,
}

impl Settings {
    pub fn new(row: SettingsRow) -> Settings {
        Settings {
            id: row.id,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            default_projects_limit: row.default_projects_limit,
            signup_enabled: row.signup_enabled,
            signin_enabled: row.signin_enabled,
            avatar_enabled: row.avatar_enabled,
            sign_in_text: row.sign_in_text,
            home_page_url: row.home_page_url,
            default_branch_protection: row.default_branch_protection,
            restricted_visibility_levels: row.restricted_visibility_levels,
            max_attachment_size: row.max_attachment_size,
            session_expire_delay: row.session_expire_delay,
            default_project_visibility: row.default_project_visibility,
            default_snippet_visibility: row.default_snippet_visibility,
            domain_whitelist: row.domain_whitelist,
            domain_blacklist_enabled: row.domain_blacklist_enabled,
            domain_blacklist: row.domain_blacklist,
            user_oauth_applications: row.user_oauth_applications,
            after_sign_out_path: row.after_sign_out_path,
            container_registry_token_expire_delay: row.container_registry_token_expire_delay,
            repository_storage: row.repository_storage,
            enabled_git_access_protocol: row.enabled_git_access_protocol,
        }
    }
}
