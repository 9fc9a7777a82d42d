//! Hooks in v3, which have fewer fields. A change in v3 keeps v4's other fields.

use super::HookRow;
use super::change::{self, HookParams};
use super::trial::send_example;
use crate::areas::events::flags::{Flags, ISSUES, JOB, MERGE_REQUESTS, NOTE, PIPELINE, PUSH, TAG_PUSH, WIKI_PAGE};
use crate::kernel::call::path_id;
use crate::kernel::params::Reading;
use crate::kernel::policy;
use crate::kernel::time;
use crate::kernel::{Call, Error, Parameters, Patch, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Hook {
    id: i64,
    url: String,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    project_id: i64,
    push_events: bool,
    issues_events: bool,
    merge_requests_events: bool,
    tag_push_events: bool,
    note_events: bool,
    build_events: bool,
    pipeline_events: bool,
    wiki_page_events: bool,
    enable_ssl_verification: bool,
}

impl Hook {
    fn new(row: HookRow) -> Hook {
        let wants = |bit: i64| row.events & bit != 0;
        Hook {
            id: row.id,
            project_id: row.project_id.unwrap_or_default(),
            push_events: wants(PUSH),
            issues_events: wants(ISSUES),
            merge_requests_events: wants(MERGE_REQUESTS),
            tag_push_events: wants(TAG_PUSH),
            note_events: wants(NOTE),
            build_events: wants(JOB),
            pipeline_events: wants(PIPELINE),
            wiki_page_events: wants(WIKI_PAGE),
            enable_ssl_verification: row.enable_ssl_verification,
            url: row.url,
            created_at: row.created_at,
        }
    }
}

#[derive(Debug, Serialize)]
struct SystemHook {
    id: i64,
    url: String,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    push_events: bool,
    tag_push_events: bool,
}

impl SystemHook {
    fn new(row: HookRow) -> SystemHook {
        let (push_events, tag_push_events) = (row.events & PUSH != 0, row.events & TAG_PUSH != 0);
        SystemHook { id: row.id, url: row.url, created_at: row.created_at, push_events, tag_push_events }
    }
}

/// `build_events` are v4's `job_events`.
#[derive(Debug, Parameters)]
struct SentParams {
    url: Option<String>,
    push_events: Option<bool>,
    issues_events: Option<bool>,
    merge_requests_events: Option<bool>,
    tag_push_events: Option<bool>,
    note_events: Option<bool>,
    build_events: Option<bool>,
    pipeline_events: Option<bool>,
    wiki_page_events: Option<bool>,
    enable_ssl_verification: Option<bool>,
    token: Patch<String>,
}

fn read(call: &Call<'_>, reading: Reading) -> Result<HookParams> {
    let sent: SentParams = call.params()?.read(reading)?;
    let flags = Flags {
        push_events: sent.push_events,
        issues_events: sent.issues_events,
        merge_requests_events: sent.merge_requests_events,
        tag_push_events: sent.tag_push_events,
        note_events: sent.note_events,
        job_events: sent.build_events,
        pipeline_events: sent.pipeline_events,
        wiki_page_events: sent.wiki_page_events,
        ..Flags::default()
    };
    let url = Some(sent.url.ok_or_else(|| Error::not_given("url"))?);
    let (enable_ssl_verification, token) = (sent.enable_ssl_verification, sent.token);
    Ok(HookParams { url, flags, enable_ssl_verification, token, ..HookParams::default() })
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    super::list(call, Hook::new).await
}

pub async fn show(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, _) = super::find(call, hook_id).await?;
    Ok(Reply::json(200, &Hook::new(row)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let row = change::create(call, read(call, Reading::Create)).await?;
    Ok(Reply::json(201, &Hook::new(row)))
}

pub async fn update(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let row = change::update(call, hook_id, read(call, Reading::Edit)).await?;
    Ok(Reply::json(200, &Hook::new(row)))
}

/// Returns the hook as it was.
pub async fn delete(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let absent = |error: Error| match (error, path_id(hook_id)) {
        (Error::NotFound(text), Ok(id)) if text == "404 Not found" => {
            Error::missing(&format!("Error deleting hook {id}"))
        }
        (error, _) => error,
    };
    let row = super::remove(call, hook_id).await.map_err(absent)?;
    Ok(Reply::json(200, &Hook::new(row)))
}

pub async fn list_of_system(call: &Call<'_>) -> Result<Reply> {
    super::list(call, SystemHook::new).await
}

pub async fn create_of_system(call: &Call<'_>) -> Result<Reply> {
    #[derive(Parameters)]
    struct Address {
        url: String,
    }
    let input = call.creation::<Address>().map(|sent| HookParams { url: Some(sent.url), ..HookParams::default() });
    let row = change::create(call, input).await?;
    Ok(Reply::json(201, &SystemHook::new(row)))
}

/// A GET that sends an example to the hook. It writes nothing.
pub async fn test_of_system(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let (row, entry) = super::find(call, hook_id).await?;
    // it sends, so the right to read is too little
    entry.caller()?.needs_scope(policy::personal_scopes(false))?;
    Ok(Reply::json(200, &send_example(call, &row, false).await?))
}

pub async fn delete_of_system(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let row = super::remove(call, hook_id).await?;
    Ok(Reply::json(200, &SystemHook::new(row)))
}
