//! Limits of an archive, and the refusals beyond them.

use crate::kernel::Error;
use crate::kernel::limits::spending::Work;
use edgeforge_wire::text::lossy;

/// Paths of `exclude_paths`.
pub const MOST_EXCLUDED: usize = 100;
/// Steps of applying `.gitattributes` and `exclude_paths`. A look at a path, a rule or a piece of a pattern is one
/// step.
pub const MOST_STEPS: u64 = 20_000_000;
/// Files and links; and all members, which include directories and submodules.
pub const MOST_FILES: usize = 5_000;
pub const MOST_MEMBERS: usize = 10_000;
/// Bytes of all files.
pub const MOST_BYTES: u64 = 64 << 20;
/// Symbolic links, which are read before the archive begins, and the bytes of one.
pub const MOST_LINKS: usize = 500;
pub const LONGEST_LINK: u64 = 4096;
/// Bytes of a path, and of all paths with the directory of the archive.
pub const LONGEST_PATH: usize = 8192;
pub const MOST_OF_PATHS: usize = 4 << 20;
/// Files whose ends of lines change, and their bytes. They are made before the archive begins.
pub const MOST_MADE: usize = 1_000;
pub const MOST_OF_MADE: u64 = 4 << 20;
/// Bytes of a file that is read together with others.
pub const SHORT: u64 = 64 << 10;
/// Links and files that are read together.
pub const AT_ONCE: usize = 60;

pub const LINK: u32 = 0o120_000;

/// The steps that an archive took.
#[derive(Debug, Default)]
pub struct Steps(pub u64);

impl Steps {
    pub fn add(&mut self, steps: u64) {
        self.0 += steps;
    }

    pub fn are_too_many(&self) -> bool {
        self.0 > MOST_STEPS
    }

    /// Twenty steps take as long as one look-up of [`Work::Steps`].
    pub fn work(&self) -> Work {
        Work::Steps(self.0 / 20)
    }
}

pub fn too_many(what: String) -> Error {
    Error::unprocessable(format!(
        "an archive has at most {what}: ask for a directory with path, or clone the repository"
    ))
}

/// A path in a refusal.
pub fn shown(path: &[u8]) -> String {
    lossy(path.get(..200).unwrap_or(path))
}
