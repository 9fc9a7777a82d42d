//! The bytes of files that are compared, and the bytes and steps that a part of a comparison may take. Files beyond them
//! are left out.

use super::changes::Change;
use crate::areas::contents::reader::{Node, Reader};
use crate::kernel::Result;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::{PackedObject, Store};
use edgeforge_wire::text::lossy;

/// The most bytes of a file. Longer files are not compared.
const LONGEST: u64 = 512 << 10;

/// Files that are read together on a side: two for each of the platform's connections.
pub const AT_ONCE: usize = 12;

/// The files of a side as they are stored. An entry is None for a submodule, and for a file that is too long to be stored.
pub async fn packed(
    reader: &Reader<'_>,
    changes: &[&Change],
    side: impl Fn(&Change) -> Option<&Node>,
) -> Result<Vec<Option<PackedObject>>> {
    let wanted = |change| side(change).filter(|node| !node.is_submodule());
    let ids: Vec<&str> = changes.iter().filter_map(|change| Some(wanted(change)?.id.as_str())).collect();
    let found = reader.packed(ids.clone(), LONGEST as usize).await?;
    let lacking: Vec<&str> = ids.iter().zip(&found).filter_map(|(id, found)| found.is_none().then_some(*id)).collect();
    let left_out = reader.left_out(&lacking).await?;
    let mut found = found.into_iter();
    let mut files = Vec::with_capacity(changes.len());
    for change in changes {
        let node = wanted(change);
        let file = node.and_then(|_| found.next().flatten());
        if let Some(node) = node.filter(|node| file.is_none() && !left_out.contains(&node.id)) {
            return Err(reader.missing(&node.id, &lossy(&change.new_path)).await);
        }
        files.push(file);
    }
    Ok(files)
}

/// The unpacked bytes. None if the file is too long.
pub fn unpacked(reader: &Reader<'_>, packed: &PackedObject, budget: &mut Budget<'_>) -> Option<Vec<u8>> {
    let bytes = reader.unpacked(packed, LONGEST);
    budget.bytes = budget.bytes.saturating_sub(bytes.as_ref().map_or(LONGEST, |bytes| bytes.len() as u64));
    bytes
}

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
}

/// Work that ended in an error counts, too.
impl Drop for Budget<'_> {
    fn drop(&mut self) {
        self.store.work(Work::Steps((self.all - self.steps) / STEPS_OF_WORK));
    }
}
