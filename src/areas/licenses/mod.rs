//! License templates, stored as blobs (specification, "License templates"; behaviour 11).

pub mod render;
pub mod template;
pub mod v3;
pub mod v4;

use crate::kernel::{Call, Error, Parameters, Reply, Result};
use chrono::{DateTime, Datelike};
use template::{License, read_list};

edgeforge_row::statements!(mod sql: "src/areas/licenses/licenses.sql");

/// The blob with the JSON array of listed templates.
pub const LISTED: &str = "licenses";

#[derive(Debug, Parameters)]
struct ListLicenses {
    #[param(default)]
    popular: bool,
}

fn not_loaded() -> String {
    format!("license templates are not loaded: there is no blob {LISTED}")
}

fn broken(error: serde_json::Error) -> String {
    format!("broken list of license templates in blob {LISTED}: {error}")
}

/// Skips broken templates and logs the error.
async fn listed(call: &Call<'_>, popular: bool) -> Result<Vec<License>> {
    let Some(text) = call.store.read_blob(LISTED).await? else {
        call.complain(not_loaded());
        return Ok(Vec::new());
    };
    let (mut licenses, wrong) = read_list(&text);
    if let Some(error) = wrong {
        call.complain(broken(error));
    }
    licenses.retain(|license| license.featured || !popular);
    Ok(licenses)
}

#[derive(Debug, Parameters)]
struct ShowLicense {
    project: Option<String>,
    fullname: Option<String>,
}

fn key_of(text: &str) -> Result<String> {
    let key = text.to_ascii_lowercase();
    let known = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if known { Ok(key) } else { Err(Error::Framework(404, "404 Not Found".to_owned())) }
}

fn filled(call: &Call<'_>, mut license: License, project: Option<&str>, fullname: Option<&str>) -> Reply {
    let year = DateTime::from_timestamp_millis(call.now).unwrap_or_default().year();
    license.content = render::render(&license.content, year, project, fullname);
    Reply::json(200, &license).with_strong_tag()
}

pub async fn show(call: &Call<'_>, key: &str) -> Result<Reply> {
    let key = key_of(key)?;
    let params: ShowLicense = call.filters()?;
    let license = find(call, &key).await?;
    let fullname = match params.fullname {
        None if call.has_credentials() => caller_name(call).await?,
        given => given,
    };
    Ok(filled(call, license, params.project.as_deref(), fullname.as_deref()))
}

/// None without a valid token.
async fn caller_name(call: &Call<'_>) -> Result<Option<String>> {
    match call.authorize(()).await {
        Ok((entry, ())) => Ok(entry.caller.map(|caller| caller.user.name)),
        Err(error @ (Error::Internal(_) | Error::Unavailable { .. })) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Logs the error if the template is broken, or listed and missing.
async fn find(call: &Call<'_>, key: &str) -> Result<License> {
    let missing = || Error::missing("License");
    // no blob has such a long name
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
            if listed(call, false).await?.iter().any(|license| license.key == key) {
                call.complain(format!("missing license template: it is listed, and there is no blob {blob}"));
            }
            Err(missing())
        }
    }
}
