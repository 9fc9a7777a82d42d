//! License templates (specification, "License templates"; behaviour 11): blobs, not rows.

pub mod entity;
pub mod render;
pub mod v4;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::params::Parameters;
use chrono::{DateTime, Datelike};
use entity::License;
use std::cell::RefCell;
use std::rc::Rc;

/// The blob that holds the listed templates, an array.
const LISTED: &str = "licenses";

#[derive(Debug, Parameters)]
struct ListLicenses {
    #[param(default)]
    popular: bool,
}

/// A list of templates as it was answered last.
struct Ready {
    /// What it was made of. As long as it is held here, no other text can stand where it stands.
    blob: Rc<str>,
    body: String,
    fault: Option<String>,
}

thread_local! {
    /// All templates, and the popular ones: while an isolate remembers a blob, its list is not made again.
    static READY: RefCell<[Option<Ready>; 2]> = const { RefCell::new([None, None]) };
}

/// GET /licenses
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let filter: ListLicenses = call.filters()?;
    let Some(blob) = call.store.read_blob(LISTED).await? else {
        call.complain(not_loaded());
        return Ok(Reply::json_text(200, "[]".to_owned()));
    };
    let (body, fault) = ready(&blob, filter.popular);
    fault.into_iter().for_each(|fault| call.complain(fault));
    Ok(Reply::json_text(200, body))
}

/// The answer that a blob makes, and what is wrong with the blob.
fn ready(blob: &Rc<str>, popular: bool) -> (String, Option<String>) {
    READY.with_borrow_mut(|[all, popular_ones]| {
        let last = if popular { popular_ones } else { all };
        let known = last.take().filter(|known| Rc::ptr_eq(&known.blob, blob));
        let ready = last.insert(known.unwrap_or_else(|| make(blob, popular)));
        (ready.body.clone(), ready.fault.clone())
    })
}

fn make(blob: &Rc<str>, popular: bool) -> Ready {
    let (mut licenses, wrong) = entity::read_list(blob);
    licenses.retain(|license| license.featured || !popular);
    Ready { blob: blob.clone(), body: Reply::json(200, &licenses).body, fault: wrong.map(broken) }
}

fn not_loaded() -> String {
    format!("license templates are not loaded: there is no blob {LISTED}")
}

fn broken(error: serde_json::Error) -> String {
    format!("broken list of license templates in blob {LISTED}: {error}")
}

/// The listed templates that can be read; the log says what is wrong with the list.
async fn listed(call: &Call<'_>) -> Result<Vec<License>> {
    let Some(text) = call.store.read_blob(LISTED).await? else {
        call.complain(not_loaded());
        return Ok(Vec::new());
    };
    let (licenses, wrong) = entity::read_list(&text);
    if let Some(error) = wrong {
        call.complain(broken(error));
    }
    Ok(licenses)
}

#[derive(Debug, Parameters)]
struct ShowLicense {
    project: Option<String>,
    fullname: Option<String>,
}

/// The key of a path, in the case that templates have.
fn key_of(text: &str) -> Result<String> {
    let key = text.to_ascii_lowercase();
    let known = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if known { Ok(key) } else { Err(Error::Framework(404, "404 Not Found".to_owned())) }
}

/// The template with its placeholders filled in.
fn filled(call: &Call<'_>, mut license: License, project: Option<&str>, fullname: Option<&str>) -> Reply {
    let year = DateTime::from_timestamp_millis(call.now).unwrap_or_default().year();
    license.content = render::render(&license.content, year, project, fullname);
    Reply::json(200, &license).with_strong_tag()
}

/// GET /licenses/:key
pub async fn show(call: &Call<'_>, key: &str) -> Result<Reply> {
    let key = key_of(key)?;
    let params: ShowLicense = call.filters()?;
    let license = find(call, &key).await?;
    let fullname = match params.fullname {
        None if call.has_credentials() => call.optional_caller().await?.map(|caller| caller.user.name),
        given => given,
    };
    Ok(filled(call, license, params.project.as_deref(), fullname.as_deref()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_made_of_the_blob_that_is_there_now() {
        let blob = |text: &str| Rc::<str>::from(text);
        let keys = |(body, fault): (String, Option<String>)| {
            let list: Vec<License> = serde_json::from_str(&body).unwrap();
            (list.into_iter().map(|license| license.key).collect::<Vec<_>>(), fault.is_some())
        };
        let first = blob(r#"[{"key":"a","content":"","featured":true},{"key":"b","content":""},{}]"#);
        for _ in 0..2 {
            assert_eq!(keys(ready(&first, false)), (vec!["a".to_owned(), "b".to_owned()], true));
            assert_eq!(keys(ready(&first, true)), (vec!["a".to_owned()], true));
        }
        // as long as the first one, and where it might have stood
        drop(first);
        let second = blob(r#"[{"key":"c","content":"","featured":true},{"key":"d","content":""}]  "#);
        assert_eq!(keys(ready(&second, true)), (vec!["c".to_owned()], false));
        assert_eq!(keys(ready(&second, false)), (vec!["c".to_owned(), "d".to_owned()], false));
    }
}
