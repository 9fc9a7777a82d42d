//! What the server takes. Lengths are in bytes of UTF-8 unless said otherwise.

/// A body, after unpacking.
pub const BODY: usize = 8 << 20;

/// Commits in one batch.
pub const COMMITS: usize = 1000;

/// Parents of a commit.
pub const PARENTS: usize = 1000;

/// A commit object. Its longest form in a body is half as long again, and there must be room for the rest.
pub const OBJECT: usize = 5 << 20;

/// A commit's message as JSON text: escapes may make a text six times as long, and a database row holds 2 MB.
pub const MESSAGE_AS_JSON: usize = 900_000;

/// A name or address of an author or committer.
pub const NAME: usize = 4096;

/// The JSON text of a diff.
pub const DIFF: usize = BODY;

/// A ref's whole name, and a default branch.
pub const REF: usize = 1024;

/// An annotated tag's message.
pub const TAG_MESSAGE: usize = 64 << 10;

/// Changes in one portion of a swap, and their length as JSON text.
pub const CHANGES: usize = 1000;
pub const CHANGES_AS_JSON: usize = 1_500_000;

/// Portions of a swap.
pub const PORTIONS: i64 = 200;

/// Commits that a ref reaches.
pub const COUNT: u64 = 1 << 40;
