//! Messages between the mirror hook and the server, their limits, and the parser of commit objects.

pub mod contents;
pub mod import;
pub mod limits;
pub mod object;
pub mod report;
pub mod text;

use contents::Extent;
use serde::{Deserialize, Serialize};

/// `GET /projects/:id/mirror`: a page of the server's refs.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Mirror {
    pub default_branch: Option<String>,
    /// Whether commits still wait for their branch. The next swap continues that, even without changes.
    #[serde(default)]
    pub pending: bool,
    pub refs: Vec<Ref>,
    /// Up to a thousand commits without diffs, which should be sent again.
    #[serde(default)]
    pub forgotten: Vec<String>,
    /// The next page begins after this name. None on the last page.
    #[serde(default)]
    pub next: Option<String>,
    /// None for callers who do not see the project's confidential issues.
    #[serde(default)]
    pub bytes: Option<i64>,
    /// The limit of `bytes`; 0 means no limit.
    #[serde(default)]
    pub most_bytes: i64,
    /// The longest file that the server stores, in bytes. None if it stores no files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_file_bytes: Option<u64>,
    /// What the last sync that sent objects was asked for. It stays where the objects are lost.
    #[serde(default, skip_serializing_if = "is_none")]
    pub contents: Extent,
    /// Up to a thousand commits at which no ref ends and of which objects are stored, and commits of which a sync has
    /// only begun to send objects, with the extent none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreferenced: Vec<Unreferenced>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Unreferenced {
    pub sha: String,
    pub contents: Extent,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Ref {
    /// `refs/heads/..` or `refs/tags/..`
    pub name: String,
    /// The commit, also for annotated tags.
    pub sha: String,
    /// The hash of an annotated tag.
    #[serde(default)]
    pub tag_sha: Option<String>,
    /// The message of an annotated tag, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Which objects of the commit are stored or left out, all of them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub contents: Extent,
}

fn is_none(extent: &Extent) -> bool {
    *extent == Extent::None
}

/// `GET /projects/:id/mirror/commits`: a page of commits in the order of their hashes.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Commits {
    pub commits: Vec<Belonging>,
    /// The next page begins after this hash. None on the last page.
    pub next: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Belonging {
    pub id: String,
    pub branch: Option<String>,
}

/// `POST /projects/:id/mirror/commits`: commits, parents first.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Push {
    pub commits: Vec<Commit>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Received {
    pub received: usize,
}

/// A commit object, and what git computes from it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub struct Commit {
    /// The hash in lower-case hexadecimal digits.
    pub id: String,
    /// Without git's own header. As text, or in base64 if it is not UTF-8 or if base64 is shorter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_base64: Option<String>,
    /// UTF-8 texts of an object in another encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<object::Texts>,
    pub additions: u64,
    pub deletions: u64,
    /// The JSON text of the diff against the first parent.
    pub diff: String,
    /// The changed paths that the diff leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_paths: Vec<String>,
}

/// `PUT /projects/:id/mirror/refs`: changes of refs. A large sync sends them in chunks 0, 1, .. of one
/// `sync`. The server keeps them and applies all with the last chunk.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Swap {
    pub default_branch: Option<String>,
    pub changes: Vec<Change>,
    /// A name made up by the hook. None if there is only one chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<String>,
    #[serde(default)]
    pub portion: i64,
    /// Whether more chunks follow.
    #[serde(default)]
    pub more: bool,
    /// Check the branch of every commit, not only of those that the changes affect.
    #[serde(default)]
    pub recheck: bool,
    /// The commits are a history: their messages close and mention no issues.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub history: bool,
}

/// A new ref has no `old`, a deleted one no `new`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub struct Change {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
    /// Of an annotated tag.
    #[serde(default)]
    pub tag_sha: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
    /// The hashes of the tags inside a tag of a tag, the outer ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inner_tags: Vec<String>,
    /// How many commits `new` reaches, including itself. None if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<u64>,
}

/// `refs`: how many refs moved. `pending`: as in [`Mirror`].
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Swapped {
    pub refs: usize,
    #[serde(default)]
    pub pending: bool,
    /// Commits that were too many to look for issues in their messages.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
