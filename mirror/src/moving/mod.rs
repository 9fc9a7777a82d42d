//! `export` writes a project to an archive, `import` writes an archive to a project. The archive is GitLab's, with a
//! folder `edgeforge` for what that has no place for.

mod api;
mod archive;
mod check;
mod export;
mod fields;
mod files;
mod import;
mod issues;
mod json;
mod lines;
mod manifest;
mod pack;
mod people;
mod records;
mod report;
mod send;
mod source;
mod survey;
mod target;
mod texts;
mod time;
mod unpack;
mod verify;

pub use export::export;
pub use import::import;

use std::io;
use std::path::Path;

use crate::error::Error;

/// Of GitLab's archives.
const VERSION: &str = "0.2.4";

/// Of each list, so that an address does not repeat itself.
const PAGE: &str = "per_page=100";

/// A file or folder of this machine that cannot be used.
fn unusable(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::Repository(format!("{}: {error}", path.display()))
}
