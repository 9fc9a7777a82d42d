//! Application settings (specification, "Application settings"; behaviour 9): one record, for administrators.

pub mod change;
pub mod entity;
pub mod forms;
pub mod sql;

use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use change::EditSettings;
use entity::Settings;

/// GET /application/settings
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let entered = call.administer(sql::current()).await?;
    Ok(Reply::json(200, &Settings::new(sql::read(&entered.rows)?)))
}

/// PUT /application/settings
pub async fn edit(call: &Call<'_>) -> Result<Reply> {
    let entered = call.administer(sql::current()).await?;
    let stored = sql::read(&entered.rows)?;
    let (sent, errors) = call.edit_and_errors::<EditSettings>()?;
    let change = sent.judged(errors, &stored, &call.config.repository_storages)?;
    let row = if change.is_empty() { stored } else { sql::change(&call.store, &change, call.now).await? };
    Ok(Reply::json(200, &Settings::new(row)))
}
