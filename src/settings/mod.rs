//! Application settings (specification, "Application settings"; behaviour 9): one record, for administrators.

pub mod change;
pub mod entity;
pub mod forms;
pub mod sql;
pub mod v4;

use crate::call::Call;
use crate::error::{Result, ValidationErrors};
use crate::http::Reply;
use change::EditSettings;
use entity::Settings;
use sql::SettingsRow;

/// GET /application/settings
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let entered = call.administer(sql::current()).await?;
    Ok(Reply::json(200, &Settings::new(sql::read(&entered.rows)?)))
}

/// Makes the change that `read` tells.
async fn apply(
    call: &Call<'_>,
    read: impl FnOnce() -> Result<(EditSettings, ValidationErrors)>,
) -> Result<SettingsRow> {
    let entered = call.administer(sql::current()).await?;
    let stored = sql::read(&entered.rows)?;
    let (sent, errors) = read()?;
    let change = sent.judged(errors, &stored, &call.config.repository_storages)?;
    if change.is_empty() { Ok(stored) } else { sql::change(&call.store, &change, call.now).await }
}

/// PUT /application/settings
pub async fn edit(call: &Call<'_>) -> Result<Reply> {
    let row = apply(call, || call.edit_and_errors()).await?;
    Ok(Reply::json(200, &Settings::new(row)))
}
