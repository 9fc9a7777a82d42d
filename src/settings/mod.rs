//! Application settings (specification, "Application settings"; behaviour 9): one record, for administrators.

mod change;
pub mod forms;
pub mod v3;
pub mod v4;

use crate::call::Call;
use crate::error::{Error, Result, ValidationErrors};
use crate::store::{Failure, Row, Rows};
use crate::time;
use change::{EMPTY_BLACKLIST, EditSettings};
use serde::{Serialize, Serializer};

mod sql {
    use crate::sql::{impl_sql, include_sql};
    include_sql!("src/settings/settings.sql");
}

/// The row of the table `settings`, and v3's form of it.
#[derive(Debug, Clone, Row, Serialize)]
struct SettingsRow {
    id: i64,
    #[serde(serialize_with = "utc")]
    created_at: i64,
    #[serde(serialize_with = "utc")]
    updated_at: i64,
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

fn utc<S: Serializer>(millis: &i64, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(&time::utc(*millis))
}

fn row(rows: &Rows) -> Result<SettingsRow> {
    rows.first()?.ok_or_else(|| Error::Internal("there are no settings".to_owned()))
}

async fn current(call: &Call<'_>) -> Result<SettingsRow> {
    row(&call.authorize(sql::current {}).await?.rows)
}

/// Changes the settings as `read` says, and returns them as they are then.
async fn update(
    call: &Call<'_>,
    read: impl FnOnce() -> Result<(EditSettings, ValidationErrors)>,
) -> Result<SettingsRow> {
    let stored = current(call).await?;
    let (edit, errors) = read()?;
    let change = edit.validated(errors, &stored, &call.config.repository_storages)?;
    if change.is_empty() {
        return Ok(stored);
    }
    let update = sql::update { change: serde_json::Value::Object(change).to_string(), now: call.now };
    row(&call.store.ask(update).await.map_err(|failure| match failure {
        // of two changes at once, the other one emptied or enabled it
        Failure::Constraint(text) if text.contains("Domain blacklist") => {
            Error::field("domain_blacklist", EMPTY_BLACKLIST)
        }
        other => other.into(),
    })?)
}
