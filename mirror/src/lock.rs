use std::fs::{File, TryLockError};

use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;

/// The system releases the lock when the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until other syncs of this repository end. The lock is on the directory, because every user who
    /// can read the repository can open it.
    pub fn wait(repository: &Repository, console: &Console) -> Result<Lock> {
        let path = repository.common();
        let failed = |error| Error::Repository(format!("{} cannot be locked: {error}", path.display()));
        let file = File::open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                console.say("another sync of this repository is running; waiting until it ends");
                file.lock().map_err(failed)?;
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        Ok(Lock { _file: file })
    }
}
