//! Generic packages: `packages/NAME/VERSION/FILE` of an archive.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use super::common::{PAGE, sum_of, unusable};
use super::fields::{number, text};
use super::files::{Sent, Way};
use super::report::Report;
use super::source::Source;
use crate::error::Result;
use crate::text::segment;
use crate::transport::Content;

pub const FOLDER: &str = "packages";

/// The files of a server by their paths, and the SHA-256 of each. Of those with one name the newest, which is sent.
fn listed(mut list: impl FnMut(&str) -> Result<Vec<Value>>) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for package in list(&format!("/packages?package_type=generic&{PAGE}"))? {
        let id = number(&package, "id").unwrap_or_default();
        let word = |name| text(&package, name).unwrap_or_default();
        for file in list(&format!("/packages/{id}/package_files?{PAGE}"))? {
            let path = format!("{}/{}/{}", word("name"), word("version"), text(&file, "file_name").unwrap_or_default());
            found.insert(path, text(&file, "file_sha256").unwrap_or_default().to_owned());
        }
    }
    Ok(found)
}

/// Below the address of a project. None unless it is NAME/VERSION/FILE, which leads nowhere else.
fn address(path: &str) -> Option<String> {
    let parts: Vec<_> = path.split('/').collect();
    let is_plain = !parts.iter().any(|part| matches!(*part, "" | "." | "..")) && !path.contains(['\0', '\\']);
    (parts.len() > 2 && is_plain)
        .then(|| format!("/packages/generic/{}", parts.into_iter().map(segment).collect::<Vec<_>>().join("/")))
}

/// Reads the files that the folder lacks.
pub fn read(source: &Source<'_>, folder: &Path) -> Result<()> {
    if !source.with.contains(&FOLDER) {
        return Ok(());
    }
    for (path, sum) in listed(|path| source.part(FOLDER, path, &source.web))? {
        source.report(|report| report.of("package file").read += 1);
        let place = folder.join(FOLDER).join(&path);
        let Some(address) = address(&path) else {
            source.report(|report| report.leave("files of packages whose names are no path", &path));
            continue;
        };
        if place.is_file() && sum_of(&place)? == sum {
            continue;
        }
        let part = folder.join("packages.part");
        let why = match source.api.transport.download(&format!("{}{address}", source.path), &part) {
            Ok(200) if !sum.is_empty() && sum_of(&part)? != sum => "its bytes do not have its SHA-256".to_owned(),
            Ok(200) => {
                match place.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::rename(&part, &place)) {
                    Ok(()) => {
                        source.report(|report| report.of("package file").new += 1);
                        continue;
                    }
                    Err(error) => error.to_string(),
                }
            }
            outcome => outcome.map_or_else(|error| error.to_string(), |status| status.to_string()),
        };
        let _ = fs::remove_file(&part);
        source.report(|report| report.refuse(&format!("a file of a package cannot be read: {why}"), &path));
    }
    Ok(())
}

/// Publishes what the server lacks. What is there with other bytes stays.
pub fn send(way: &Way<'_>, report: &mut Report) -> Result<()> {
    let Way { api, project, archive, .. } = way;
    let files = archive.files(FOLDER)?;
    if files.is_empty() {
        return Ok(());
    }
    let there = listed(|path| api.needed_list(&format!("{project}{path}")))?;
    way.each("package file", &files, report, |inner| {
        let path = archive.root.join(FOLDER).join(inner);
        let Some(address) = address(inner) else { return Ok(Sent::Left("files of packages whose names are no path")) };
        if let Some(sum) = there.get(inner) {
            return Ok(if *sum == sum_of(&path)? { Sent::Same } else { Sent::Kept });
        }
        let size = path.metadata().map_err(unusable(&path))?.len();
        let (kind, sent) = ("application/octet-stream", Cell::new(0));
        let open = || -> Result<Box<dyn Read>> { Ok(Box::new(File::open(&path).map_err(unusable(&path))?)) };
        let content = Content::Stream { kind, size, open: &open, sent: &sent };
        api.send("PUT", &format!("{project}{address}"), Some(content)).map(Sent::Answered)
    })
}
