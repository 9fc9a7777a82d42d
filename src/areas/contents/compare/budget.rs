//! The bytes and steps that a part of a comparison may take. Files beyond them are left out.

use crate::kernel::limits::spending::Work;
use crate::kernel::store::Store;

/// A step is a comparison of two lines by their numbers: 25 nanoseconds.
const STEPS_OF_WORK: u64 = 4;

pub struct Budget<'a> {
    store: &'a Store<'a>,
    /// The number of steps at the beginning.
    all: u64,
    /// The bytes and steps that are left.
    pub bytes: u64,
    pub steps: u64,
}

impl<'a> Budget<'a> {
    pub fn new(store: &'a Store<'a>, bytes: u64, steps: u64) -> Budget<'a> {
        Budget { store, all: steps, bytes, steps }
    }

    pub fn is_spent(&self) -> bool {
        self.bytes == 0 || self.steps == 0
    }

    /// Runs `act` with at most `most` steps.
    pub fn within<T>(&mut self, most: u64, act: impl FnOnce(&mut u64) -> T) -> T {
        let given = self.steps.min(most);
        let mut left = given;
        let done = act(&mut left);
        self.steps -= given - left;
        done
    }

    pub fn read(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// Work that ended in an error counts, too.
impl Drop for Budget<'_> {
    fn drop(&mut self) {
        self.store.work(Work::Steps((self.all - self.steps) / STEPS_OF_WORK));
    }
}
