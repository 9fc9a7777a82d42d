//! The server's limits, in bytes of UTF-8 or as counts.

/// Decompressed.
pub const BODY: usize = 8 << 20;

pub const COMMITS: usize = 1000;

/// Of a commit. git's own history has merges of up to 66.
pub const PARENTS: usize = 100;

/// Parents of the commits of a project beyond the second of each. Lists of commits read them.
pub const EXTRA_PARENTS: i64 = 10_000;

/// In a body an object is at most half as long again, and the body needs room for the rest.
pub const OBJECT: usize = 5 << 20;

/// Escapes may make a text six times as long, and a row of the database holds 2 MB.
pub const MESSAGE_AS_JSON: usize = 900_000;

pub const NAME: usize = 4096;

/// JSON text.
pub const DIFF: usize = BODY;

/// Paths of a commit that its diff leaves out, with two bytes more for each, and as JSON.
pub const MORE_PATHS: usize = 1_500_000;

/// Whole names of refs, and the default branch.
pub const REF: usize = 1024;

pub const TAG_MESSAGE: usize = 64 << 10;

/// Tags inside a tag of a tag.
pub const INNER_TAGS: usize = 10;

/// Changes in one chunk of a swap, and their length as JSON.
pub const CHANGES: usize = 1000;
pub const CHANGES_AS_JSON: usize = 1_500_000;

pub const PORTIONS: i64 = 200;

/// Commits that a ref reaches.
pub const COUNT: u64 = 1 << 40;

/// Trees and files of one request, and hashes of a question.
pub const OBJECTS: usize = 1000;
pub const ASKED: usize = 10_000;

/// Hashes that the server looks for in its object store in one request. It lists about as many keys.
pub const RECHECKED: usize = 500;

/// Unpacked bytes of a tree.
pub const TREE: u64 = 8 << 20;

/// Unpacked bytes of a request, beside the longest file.
pub const UNPACKED: u64 = 64 << 20;
