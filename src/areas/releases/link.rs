//! Validates a link of a release.

use super::LinkRow;
use crate::kernel::params::scalar::Record;
use crate::kernel::text::web_address::is_address;
use crate::kernel::{Error, Result, Row};
use serde::Serialize;
use serde_json::json;

/// The most links of a release. The statement `add_link` has the same number.
pub const MOST: usize = 100;

pub const TYPES: [&str; 4] = ["other", "runbook", "image", "package"];

/// A link without an id. [`LinkRow`] has one with its id.
#[derive(Debug, Clone, Row, Serialize, PartialEq)]
pub struct NewLink {
    pub name: String,
    pub url: String,
    pub filepath: Option<String>,
    pub link_type: String,
}

impl NewLink {
    /// One of `assets[links]`.
    pub fn of(record: &Record, at: usize) -> Result<NewLink> {
        let text = |name: &str| record.get(name).filter(|text| !text.trim().is_empty()).cloned();
        let needed =
            |name: &str| text(name).ok_or_else(|| Error::framework(format!("assets[links][{at}][{name}] is missing")));
        let link_type = text("link_type").unwrap_or_else(|| "other".to_owned());
        if !TYPES.contains(&link_type.as_str()) {
            return Err(Error::none_of(&format!("assets[links][{at}][link_type]"), &TYPES));
        }
        let filepath = text("direct_asset_path").or(text("filepath"));
        Ok(NewLink { name: needed("name")?, url: needed("url")?, filepath, link_type })
    }

    pub fn flaws(&self) -> Vec<&'static str> {
        let mut flaws = Vec::new();
        if self.name.chars().count() > 255 {
            flaws.push("Name is too long (maximum is 255 characters)");
        }
        if self.url.len() > 2048 {
            flaws.push("Url is too long (maximum is 2048 bytes)");
        }
        if !is_address(&self.url, &["http", "https", "ftp"]) {
            flaws.push("Url is blocked: Only allowed schemes are http, https, ftp");
        }
        match &self.filepath {
            Some(path) if path.len() > 128 => flaws.push("Filepath is too long (maximum is 128 characters)"),
            Some(path) if !is_filepath(path) => flaws.push("Filepath is in an invalid format"),
            _ => {}
        }
        flaws
    }

    /// Errors for values that another link of the release has already.
    pub(super) fn taken(&self, others: &[LinkRow]) -> Vec<&'static str> {
        let is_taken = |same: &dyn Fn(&NewLink) -> bool| others.iter().any(|other| same(&other.link));
        let path = self.filepath.as_ref();
        [
            (is_taken(&|link| link.url == self.url), "Url has already been taken"),
            (is_taken(&|link| link.name == self.name), "Name has already been taken"),
            (path.is_some() && is_taken(&|link| link.filepath.as_ref() == path), "Filepath has already been taken"),
        ]
        .into_iter()
        .filter_map(|(taken, text)| taken.then_some(text))
        .collect()
    }
}

/// 400 with these sentences, if there are any.
pub fn refuse(flaws: Vec<&'static str>) -> Result<()> {
    if flaws.is_empty() { Ok(()) } else { Err(Error::bad_request(json!({ "message": flaws }))) }
}

/// The links of a new release.
pub fn check_all(links: &[NewLink]) -> Result<()> {
    if links.len() > MOST {
        let text = format!("400 Bad request - A release has at most {MOST} links");
        return Err(Error::message(text));
    }
    refuse(links.iter().flat_map(NewLink::flaws).collect())?;
    for (at, link) in links.iter().enumerate() {
        let before = links.get(..at).unwrap_or_default();
        let named = |other: &NewLink| match other {
            _ if other.name == link.name => Some(&link.name),
            _ => Some(&link.url).filter(|url| **url == other.url),
        };
        let has_path = |path: &&String| before.iter().any(|other| other.filepath.as_ref() == Some(path));
        let repeated = before.iter().find_map(named).or_else(|| link.filepath.as_ref().filter(has_path));
        if let Some(text) = repeated {
            return Err(Error::message(format!("Validation failed: Links have duplicate values ({text})")));
        }
    }
    Ok(())
}

fn is_filepath(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._/".contains(&byte))
        && path.bytes().last().is_some_and(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/releases/link.rs"]
mod tests;
