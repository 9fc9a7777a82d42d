//! License templates (specification, "License templates"; contract B 4.7): blobs, not rows.

pub mod entity;
pub mod render;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use chrono::{DateTime, Datelike};
use entity::License;
use serde::Deserialize;

/// The blob that holds the listed templates, an array.
const LISTED: &str = "licenses";

#[derive(Debug, Deserialize)]
struct ListLicenses {
    #[serde(default)]
    popular: bool,
}

/// GET /licenses
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let filter: ListLicenses = call.query(&[])?;
    let text = call.store.read_blob(LISTED).await?.unwrap_or_else(|| "[]".to_owned());
    let mut listed: Vec<License> =
        serde_json::from_str(&text).map_err(|error| Error::Internal(format!("blob {LISTED}: {error}")))?;
    listed.retain(|license| license.featured || !filter.popular);
    Ok(Reply::json(200, &listed))
}

#[derive(Debug, Deserialize)]
struct ShowLicense {
    project: Option<String>,
    fullname: Option<String>,
}

/// GET /licenses/:key
pub async fn show(call: &Call<'_>, key: &str) -> Result<Reply> {
    let params: ShowLicense = call.query(&[])?;
    let key = key.to_lowercase();
    let is_key =
        key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)) && key.len() <= 100;
    let blob = if is_key { call.store.read_blob(&format!("licenses/{key}")).await? } else { None };
    let blob = blob.ok_or_else(|| Error::missing("License"))?;
    let mut license: License = serde_json::from_str(&blob)
        .map_err(|error| Error::Internal(format!("blob licenses/{key}: {error}")))?;
    let fullname = match params.fullname {
        None if call.has_credentials() => call.guest().await?.map(|caller| caller.user.name),
        given => given,
    };
    let year = DateTime::from_timestamp_millis(call.now).unwrap_or_default().year();
    license.content = render::render(&license.content, year, params.project.as_deref(), fullname.as_deref());
    Ok(Reply::json(200, &license))
}
