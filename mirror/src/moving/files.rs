//! The files of texts: each keeps its secret, so that texts stay as they are.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Cursor, Read};
use std::sync::Mutex;

use serde_json::Value;

use super::api::{Api, Refusal};
use super::archive::Archive;
use super::common::{PAGE, in_threads, locked, unusable};
use super::fields::text;
use super::report::{Progress, Report};
use super::texts::secret;
use crate::console::Console;
use crate::error::Result;
use crate::transport::{Answer, Content};

pub const FOLDER: &str = "uploads";

const BOUNDARY: &str = "edgeforge-mirror-file-6f1c2a9d";

/// What became of a file.
pub enum Sent {
    /// The server has it.
    Same,
    /// The server has another one, which stays.
    Kept,
    Left(&'static str),
    Answered(Answer),
}

/// From where the files of an import come, and where they go.
pub struct Way<'a> {
    pub api: &'a Api<'a>,
    /// The path of the project below the API.
    pub project: String,
    pub archive: &'a Archive,
    pub jobs: usize,
    pub console: &'a Console,
}

/// Sends all that the server lacks.
pub fn send(way: &Way<'_>, report: &mut Report) -> Result<()> {
    let Way { api, project, archive, .. } = way;
    let there = listed(api, project, archive)?;
    way.each("file", &archive.files(FOLDER)?, report, |path| match path.split_once('/') {
        Some((secret_of, _)) if there.contains_key(secret_of) => Ok(Sent::Same),
        Some((_, name)) if secret(path).is_some() && !name.contains('/') => {
            let answer = one(api, project, archive, path, name)?;
            Ok(if answer.status == 409 { Sent::Same } else { Sent::Answered(answer) })
        }
        _ => Ok(Sent::Left("files without a secret of 32 digits")),
    })
}

/// The bytes of the files of a project by their secrets. None is asked for if the archive has no files. An older server
/// does not list secrets, and answers 409 to a file that it has.
pub fn listed(api: &Api<'_>, project: &str, archive: &Archive) -> Result<HashMap<String, u64>> {
    let mut found = HashMap::new();
    if archive.files(FOLDER)?.is_empty() {
        return Ok(found);
    }
    let _ = api.list(&format!("{project}/uploads?{PAGE}"), |of| {
        let size = of.get("size").and_then(Value::as_u64).unwrap_or_default();
        found.extend(text(&of, "secret").map(|secret| (secret.to_owned(), size)));
        Ok(())
    })?;
    Ok(found)
}

impl Way<'_> {
    /// Sends files, several at a time, and counts what became of each. `kind`: of the report.
    pub fn each(
        &self,
        kind: &'static str,
        files: &[(String, u64)],
        report: &mut Report,
        send: impl Fn(&str) -> Result<Sent> + Sync,
    ) -> Result<()> {
        let progress = Progress::new(self.console, &self.api.pace, "files", files.len() as u64);
        let told = Mutex::new((report, progress));
        in_threads(self.jobs, files, |_, (path, _)| {
            let sent = send(path)?;
            let mut told = locked(&told);
            told.1.advance(1);
            let counts = told.0.of(kind);
            counts.read += 1;
            match sent {
                Sent::Same => counts.same += 1,
                Sent::Kept => {
                    counts.kept += 1;
                    told.0.leave("files that are here with other bytes: they stay so", path);
                }
                Sent::Left(why) => told.0.leave(why, path),
                Sent::Answered(answer) => match answer.status {
                    200..=299 => counts.new += 1,
                    status @ (401 | 403 | 404 | 501 | 507) => {
                        return Err(self.api.refused(path, &Refusal(status, answer.message())));
                    }
                    _ => told.0.refuse_one(kind, &answer.told(), path),
                },
            }
            Ok(())
        })?;
        locked(&told).1.end();
        Ok(())
    }
}

/// `inner`: the secret and the name.
fn one(api: &Api<'_>, project: &str, archive: &Archive, inner: &str, name: &str) -> Result<Answer> {
    let path = archive.root.join(FOLDER).join(inner);
    let size = path.metadata().map_err(unusable(&path))?.len();
    let shown = name.replace(['"', '\r', '\n'], "_");
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{shown}\"\r\nContent-Type: \
         application/octet-stream\r\n\r\n"
    );
    let tail = format!("\r\n--{BOUNDARY}--\r\n");
    let open = || -> Result<Box<dyn Read>> {
        let file = File::open(&path).map_err(unusable(&path))?;
        Ok(Box::new(Cursor::new(head.clone()).chain(file).chain(Cursor::new(tail.clone()))))
    };
    let sent = Cell::new(0);
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let size = size + (head.len() + tail.len()) as u64;
    let content = Content::Stream { kind: &kind, size, open: &open, sent: &sent };
    let secret = secret(inner).unwrap_or_default();
    api.send("POST", &format!("{project}/uploads?secret={secret}"), Some(content))
}
