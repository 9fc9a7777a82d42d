//! Application settings, one record for administrators (specification, "Application settings"; behaviour 9).

mod change;
pub mod forms;
mod row;
pub mod v3;
pub mod v4;

use crate::kernel::store::Failure;
use crate::kernel::{Call, Error, Result, ValidationErrors};
use change::{EMPTY_BLACKLIST, EditSettings};
use row::SettingsRow;

edgeforge_row::statements!(mod sql: "src/areas/settings/settings.sql");

async fn current(call: &Call<'_>) -> Result<SettingsRow> {
    Ok(call.authorize(sql::current {}).await?.1)
}

/// Calls `read` after the authorization, so 401 and 403 come before input errors.
async fn update(
    call: &Call<'_>,
    read: impl FnOnce() -> Result<(EditSettings, ValidationErrors)>,
) -> Result<SettingsRow> {
    let stored = current(call).await?;
    let (edit, errors) = read()?;
    let mut change = edit.validated(errors, &stored, &call.config.repository_storages)?;
    let known = serde_json::to_value(&stored).unwrap_or_default();
    change.retain(|name, value| match name.as_str() {
        // the form of v3 lacks it
        "push_event_hooks_limit" => *value != stored.push_event_hooks_limit,
        name => known.get(name) != Some(value),
    });
    if change.is_empty() {
        return Ok(stored);
    }
    call.changes.set(Some(change.keys().map(String::as_str).collect::<Vec<_>>().join(", ")));
    let update = sql::update { change: serde_json::Value::Object(change).to_string(), now: call.now };
    let unmodified = call.unmodified_since().map(|since| sql::expect_unmodified { since }.into());
    let outcome = call.write_unmodified(unmodified, update).await;
    outcome.map_err(|failure| match failure {
        failure if failure.is_expectation() => Error::changed(),
        // a concurrent change has emptied or enabled the blacklist
        Failure::Constraint(text) if text.contains("Domain blacklist") => {
            Error::field("domain_blacklist", EMPTY_BLACKLIST)
        }
        other => other.into(),
    })
}
