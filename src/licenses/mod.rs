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
    let filter: ListLicenses = call.query()?;
    let mut licenses = listed(call).await?;
    licenses.retain(|license| license.featured || !filter.popular);
    Ok(Reply::json(200, &licenses))
}

/// The listed templates that can be read; the log says what is wrong with the list.
async fn listed(call: &Call<'_>) -> Result<Vec<License>> {
    let Some(text) = call.store.read_blob(LISTED).await? else {
        call.complain(format!("license templates are not loaded: there is no blob {LISTED}"));
        return Ok(Vec::new());
    };
    let (licenses, wrong) = entity::read_list(&text);
    if let Some(error) = wrong {
        call.complain(format!("broken list of license templates in blob {LISTED}: {error}"));
    }
    Ok(licenses)
}

#[derive(Debug, Deserialize)]
struct ShowLicense {
    project: Option<String>,
    fullname: Option<String>,
}

/// GET /licenses/:key
pub async fn show(call: &Call<'_>, key: &str) -> Result<Reply> {
    let key = key.to_ascii_lowercase();
    if !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)) {
        return Err(Error::Framework(404, "404 Not Found".to_owned()));
    }
    let params: ShowLicense = call.query()?;
    let mut license = find(call, &key).await?;
    let fullname = match params.fullname {
        None if call.has_credentials() => call.guest().await?.map(|caller| caller.user.name),
        given => given,
    };
    let year = DateTime::from_timestamp_millis(call.now).unwrap_or_default().year();
    license.content = render::render(&license.content, year, params.project.as_deref(), fullname.as_deref());
    Ok(Reply::json(200, &license))
}

/// The template of that key. One that should be there and is not, or cannot be read, is for the log.
async fn find(call: &Call<'_>, key: &str) -> Result<License> {
    let missing = || Error::missing("License");
    // longer than any name of a blob
    if key.len() > 400 {
        return Err(missing());
    }
    let blob = format!("licenses/{key}");
    match call.store.read_blob(&blob).await? {
        Some(text) => License::read(key, &text).map_err(|error| {
            call.complain(format!("broken license template in blob {blob}: {error}"));
            missing()
        }),
        None => {
            if listed(call).await?.iter().any(|license| license.key == key) {
                call.complain(format!("missing license template: it is listed, and there is no blob {blob}"));
            }
            Err(missing())
        }
    }
}
