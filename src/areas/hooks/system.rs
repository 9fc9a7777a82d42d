//! Hooks of the system in v4, for administrators.

use super::change::{self, HookParams};
use super::trial::send_example;
use super::v4::{Hook, read};
use super::{HEADER, HookOwner, VARIABLE};
use crate::areas::events::flags::{KINDS, OF_SYSTEM, REPOSITORY_UPDATE, SYSTEM as ALWAYS};
use crate::kernel::call::Call;
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::params::Reading;

const SYSTEM: HookOwner = HookOwner::System;
/// What a new hook gets unless the request says otherwise.
pub(super) const USUAL: i64 = REPOSITORY_UPDATE | ALWAYS;

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    SYSTEM.list(call, |row| Hook::new(row, call.now)).await
}

pub async fn show(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, _) = SYSTEM.find(call, hook_id).await?;
    Ok(Reply::json(200, &Hook::new(row, call.now)))
}

/// The parameters of a hook of a project, without those of events that only projects have.
fn read_own(call: &Call<'_>, reading: Reading) -> Result<HookParams> {
    let params = call.params()?;
    let given = read(call, reading);
    KINDS.iter().skip(OF_SYSTEM).for_each(|kind| params.pass_over(kind.name));
    let given = given?;
    Ok(HookParams { flags: given.flags.of_system(), ..given })
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let row = change::create(call, SYSTEM, USUAL, read_own(call, Reading::Create)).await?;
    Ok(Reply::json(201, &Hook::new(row, call.now)))
}

pub async fn update(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let row = change::update(call, SYSTEM, hook_id, read_own(call, Reading::Edit)).await?;
    Ok(Reply::json(200, &Hook::new(row, call.now)))
}

pub async fn delete(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    super::remove(call, SYSTEM, hook_id).await?;
    Ok(Reply::empty(204))
}

/// Sends an example. The answer is the example, whatever the receiver says.
pub async fn test(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, _) = SYSTEM.find(call, hook_id).await?;
    Ok(Reply::json(201, &send_example(call, &row, true).await?))
}

pub async fn set_variable(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::set_one(call, SYSTEM, [hook_id, key], VARIABLE).await?;
    Ok(Reply::empty(204))
}

pub async fn remove_variable(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::remove_one(call, SYSTEM, [hook_id, key], VARIABLE).await?;
    Ok(Reply::empty(204))
}

pub async fn set_header(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::set_one(call, SYSTEM, [hook_id, key], HEADER).await?;
    Ok(Reply::empty(204))
}

pub async fn remove_header(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::remove_one(call, SYSTEM, [hook_id, key], HEADER).await?;
    Ok(Reply::empty(204))
}
