//! Hooks in v4: those of a project, and those of the system for administrators.

mod entity;

use super::HookOwner;
use super::change::{self, HookParams};
use super::trial::send_example;
use crate::areas::events::flags::{KINDS, OF_SYSTEM};
use crate::kernel::params::Reading;
use crate::kernel::{Call, Error, Patch, Reply, Result};
use entity::Hook;

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    super::list(call, |row| Hook::new(row, call.now)).await
}

pub async fn show(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, _) = super::find(call, hook_id).await?;
    Ok(Reply::json(200, &Hook::new(row, call.now)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let row = change::create(call, read(call, Reading::Create)).await?;
    Ok(Reply::json(201, &Hook::new(row, call.now)))
}

pub async fn update(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let row = change::update(call, hook_id, read(call, Reading::Edit)).await?;
    Ok(Reply::json(200, &Hook::new(row, call.now)))
}

/// A hook of the system lacks the parameters of events that only projects have.
fn read(call: &Call<'_>, reading: Reading) -> Result<HookParams> {
    let given = read_any(call, reading);
    if HookOwner::of(call) == HookOwner::Project {
        return given;
    }
    let params = call.params()?;
    KINDS.iter().skip(OF_SYSTEM).for_each(|kind| params.pass_over(kind.name));
    let given = given?;
    Ok(HookParams { flags: given.flags.of_system(), ..given })
}

/// `url` is required for a new hook. A change without any parameter is an error.
fn read_any(call: &Call<'_>, reading: Reading) -> Result<HookParams> {
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
    super::remove(call, hook_id).await?;
    Ok(Reply::empty(204))
}

/// Sends an example to a hook of the system. The answer is the example, whatever the receiver says.
pub async fn send(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, _) = super::find(call, hook_id).await?;
    Ok(Reply::json(201, &send_example(call, &row, true).await?))
}
