//! What several files of moving need.

use std::io;
use std::path::Path;
use std::thread;

use crate::error::{Error, Result};

/// Of GitLab's archives.
pub const VERSION: &str = "0.2.4";

/// Of each list, so that an address does not repeat itself.
pub const PAGE: &str = "per_page=100";

/// A file or folder of this machine that cannot be used.
pub fn unusable(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::Repository(format!("{}: {error}", path.display()))
}

/// Does the same work in so many threads, and ends when all have. The first failure counts.
pub fn in_threads(count: usize, work: impl Fn() -> Result<()> + Sync) -> Result<()> {
    thread::scope(|scope| {
        let workers: Vec<_> = (0..count.max(1)).map(|_| scope.spawn(&work)).collect();
        let ends = workers.into_iter().map(|worker| worker.join());
        let ends: Vec<_> =
            ends.map(|end| end.unwrap_or_else(|_| Err(Error::Server("a thread ended".to_owned())))).collect();
        ends.into_iter().collect()
    })
}
