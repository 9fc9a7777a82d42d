//! The files of texts: each keeps its secret, so that texts stay as they are.

use std::cell::Cell;
use std::fs::File;
use std::io::{Cursor, Read};
use std::sync::{Mutex, PoisonError};

use super::api::Api;
use super::archive::Archive;
use super::common::{in_threads, unusable};
use super::report::{Progress, Report};
use super::texts::secret;
use crate::console::Console;
use crate::error::Result;
use crate::text::segment;
use crate::transport::Content;

const BOUNDARY: &str = "edgeforge-mirror-file-6f1c2a9d";

/// Sends all that the server lacks, several at a time.
pub fn send(
    api: &Api<'_>,
    project: &str,
    archive: &Archive,
    jobs: usize,
    report: &mut Report,
    console: &Console,
) -> Result<()> {
    let files = archive.uploads()?;
    let Some(pace) = api.pace().filter(|_| !files.is_empty()) else { return Ok(()) };
    let progress = Mutex::new(Progress::new(console, pace, "files", files.len() as u64));
    let (next, told) = (Mutex::new(files.iter()), Mutex::new(report));
    let work = || -> Result<()> {
        loop {
            let file = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((secret_of_file, name, _)) = file else { return Ok(()) };
            let address = format!("uploads/{secret_of_file}/{name}");
            let outcome = match secret(&format!("{secret_of_file}/")) {
                Some(secret) => Some(one(api, project, archive, secret, name)?),
                None => None,
            };
            let mut report = told.lock().unwrap_or_else(PoisonError::into_inner);
            let counts = report.of("file");
            counts.read += 1;
            match outcome {
                Some((200..=299, _)) => counts.new += 1,
                // the server has it
                Some((409, _)) => counts.same += 1,
                Some((status @ (401 | 403 | 404 | 501 | 507), message)) => {
                    return Err(api.refused(project, &super::api::Refusal(status, message)));
                }
                Some((status, message)) => {
                    counts.refused += 1;
                    report.refuse(&format!("{status} {message}"), &address);
                }
                None => report.leave("files without a secret of 32 digits", &address),
            }
            progress.lock().unwrap_or_else(PoisonError::into_inner).advance(1, pace);
        }
    };
    in_threads(jobs, work)?;
    if let Ok(progress) = progress.into_inner() {
        progress.end();
    }
    Ok(())
}

/// Returns the status and message of the answer.
fn one(api: &Api<'_>, project: &str, archive: &Archive, secret: &str, name: &str) -> Result<(u16, String)> {
    let path = archive.root.join("uploads").join(secret).join(name);
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
    let answer = api.send("POST", &format!("{project}/uploads?secret={}", segment(secret)), Some(content))?;
    Ok((answer.status, answer.message()))
}
