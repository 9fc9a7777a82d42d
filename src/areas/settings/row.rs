use crate::kernel::Row;
use crate::kernel::time;
use serde::Serialize;

/// The row of the table `settings`. It is also the form of v3, which has only the settings of the specification.
#[derive(Debug, Clone, Row, Serialize)]
pub struct SettingsRow {
    pub id: i64,
    #[serde(serialize_with = "time::as_utc")]
    pub created_at: i64,
    #[serde(serialize_with = "time::as_utc")]
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
    #[serde(skip)]
    pub push_event_hooks_limit: i64,
}
