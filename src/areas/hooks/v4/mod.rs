//! Hooks of projects in v4. `system.rs` has those of the system.

mod entity;

use super::change::{self, HookParams};
use super::{HEADER, HookOwner, VARIABLE};
use crate::areas::events::flags::PUSH;
use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::params::{Patch, Reading};
pub use entity::Hook;

const PROJECT: HookOwner = HookOwner::Project;

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    PROJECT.list(call, |row| Hook::new(row, call.now)).await
}

pub async fn show(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, _) = PROJECT.find(call, hook_id).await?;
    Ok(Reply::json(200, &Hook::new(row, call.now)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let row = change::create(call, PROJECT, PUSH, read(call, Reading::Create)).await?;
    Ok(Reply::json(201, &Hook::new(row, call.now)))
}

pub async fn update(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let row = change::update(call, PROJECT, hook_id, read(call, Reading::Edit)).await?;
    Ok(Reply::json(200, &Hook::new(row, call.now)))
}

/// `url` is required for a new hook. A change without any parameter is an error.
pub(super) fn read(call: &Call<'_>, reading: Reading) -> Result<HookParams> {
    let params = call.params()?;
    let mut given: HookParams = params.read(reading)?;
    if params.has_blank_text("push_events_branch_filter") {
        given.push_events_branch_filter = Patch::Set(String::new());
    }
    match reading {
        Reading::Edit if params.lacks_all() => Err(Error::framework("No parameters provided")),
        Reading::Edit => params.refuse_blank(&["url"]).map(|()| given),
        _ if given.url.is_none() => {
            params.refuse_blank(&["url"])?;
            Err(Error::framework("url is missing"))
        }
        _ => Ok(given),
    }
}

pub async fn delete(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    super::remove(call, PROJECT, hook_id).await?;
    Ok(Reply::empty(204))
}

pub async fn set_variable(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::set_one(call, PROJECT, [hook_id, key], VARIABLE).await?;
    Ok(Reply::empty(204))
}

pub async fn remove_variable(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::remove_one(call, PROJECT, [hook_id, key], VARIABLE).await?;
    Ok(Reply::empty(204))
}

pub async fn set_header(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::set_one(call, PROJECT, [hook_id, key], HEADER).await?;
    Ok(Reply::empty(204))
}

pub async fn remove_header(call: &Call<'_>, hook_id: &str, key: &str) -> Result<Reply> {
    change::remove_one(call, PROJECT, [hook_id, key], HEADER).await?;
    Ok(Reply::empty(204))
}
