//! One sync of a repository at a time.

use std::fs::{File, TryLockError};

use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;

/// A lock that the system takes away when this process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the repository's lock. To wait, and then to look what is left to do, loses no push. The lock is on the
    /// directory itself, which everybody who may read the repository can open, whoever pushes.
    pub fn wait(repository: &Repository, console: &Console) -> Result<Lock> {
        let path = repository.common();
        let failed = |error| Error::Repository(format!("{} cannot be locked: {error}", path.display()));
        let file = File::open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                console.say("another sync of this repository is running; waiting for it");
                file.lock().map_err(failed)?;
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        Ok(Lock { _file: file })
    }
}
