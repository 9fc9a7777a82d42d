//! What several files of moving need.

use std::io;
use std::path::Path;

use crate::error::Error;

/// Of GitLab's archives.
pub const VERSION: &str = "0.2.4";

/// Of each list, so that an address does not repeat itself.
pub const PAGE: &str = "per_page=100";

/// A file or folder of this machine that cannot be used.
pub fn unusable(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::Repository(format!("{}: {error}", path.display()))
}
