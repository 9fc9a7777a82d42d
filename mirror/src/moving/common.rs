//! What several files of moving need.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// Of GitLab's archives.
pub const VERSION: &str = "0.2.4";

/// Of each list, so that an address does not repeat itself.
pub const PAGE: &str = "per_page=100";

/// A file or folder of this machine that cannot be used.
pub fn unusable(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::Repository(format!("{}: {error}", path.display()))
}

/// All files below a folder in the order of their paths, without links. None if there is no folder.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in
        folder.exists().then(|| fs::read_dir(folder)).transpose().map_err(unusable(folder))?.into_iter().flatten()
    {
        let entry = entry.map_err(unusable(folder))?;
        let kind = entry.file_type().map_err(unusable(folder))?;
        if kind.is_dir() {
            found.extend(files_below(&entry.path())?);
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The SHA-256 of a file.
pub fn sum_of(path: &Path) -> Result<String> {
    let (mut hash, mut part) = (Sha256::new(), vec![0; 64 << 10]);
    let mut file = File::open(path).map_err(unusable(path))?;
    loop {
        match file.read(&mut part).map_err(unusable(path))? {
            0 => return Ok(hex(&hash.finalize())),
            read => hash.update(part.get(..read).unwrap_or_default()),
        }
    }
}

/// What a mutex guards, also after a thread that had it ended in a panic.
pub fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work for each in so many threads, which take them in their order. The first failure counts.
pub fn in_threads<T: Sync>(count: usize, all: &[T], work: impl Fn(usize, &T) -> Result<()> + Sync) -> Result<()> {
    let next = Mutex::new(all.iter().enumerate());
    let take = || locked(&next).next();
    let run = || -> Result<()> {
        while let Some((place, one)) = take() {
            work(place, one)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..count.max(1)).map(|_| scope.spawn(run)).collect();
        let ends = workers.into_iter().map(|worker| worker.join());
        let ends: Vec<_> =
            ends.map(|end| end.unwrap_or_else(|_| Err(Error::Server("a thread ended".to_owned())))).collect();
        ends.into_iter().collect()
    })
}

/// Lets nobody else read a file or a folder.
#[cfg(unix)]
pub fn own_only(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = if path.is_dir() { 0o700 } else { 0o600 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(unusable(path))
}

#[cfg(not(unix))]
pub fn own_only(_: &Path) -> Result<()> {
    Ok(())
}
