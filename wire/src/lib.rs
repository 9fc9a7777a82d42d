//! What the mirror hook and the server say to each other: shapes and limits, and how a commit object is read. Both use
//! it, so that they cannot disagree.

pub mod limits;
pub mod object;
pub mod text;

use serde::{Deserialize, Serialize};

/// `GET /projects/:id/mirror`: a page of the refs that the server has.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Mirror {
    pub default_branch: Option<String>,
    /// Some commits are still to learn their branch: whoever swaps refs next, even none, goes on with it.
    #[serde(default)]
    pub pending: bool,
    pub refs: Vec<Ref>,
    /// Commits whose diffs were forgotten, a thousand at most: they are to be sent anew.
    #[serde(default)]
    pub forgotten: Vec<String>,
    /// The next page begins after this name; none: this is the last one.
    #[serde(default)]
    pub next: Option<String>,
    /// Bytes of the project's commits and diffs.
    #[serde(default)]
    pub bytes: i64,
    /// How many there may be; 0: any number.
    #[serde(default)]
    pub most_bytes: i64,
}

/// One of the refs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Ref {
    /// Whole: `refs/heads/..` or `refs/tags/..`
    pub name: String,
    /// The commit; annotated tags are peeled.
    pub sha: String,
    /// An annotated tag's own hash.
    #[serde(default)]
    pub tag_sha: Option<String>,
    /// An annotated tag's message, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// `GET /projects/:id/mirror/commits`: a page of all commits, in the order of their hashes.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Commits {
    pub commits: Vec<Belonging>,
    /// The next page begins after this hash; none: this is the last one.
    pub next: Option<String>,
}

/// A commit and the branch that it belongs to.
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

/// The answer: how many there were.
#[derive(Debug, Deserialize, Serialize)]
pub struct Received {
    pub received: usize,
}

/// A commit: the object itself, which its hash proves, and what git computes from it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub struct Commit {
    /// Its hash in lower-case hexadecimal digits.
    pub id: String,
    /// The object as git stores it, without git's own header: as text or, where it is no UTF-8 or shorter so, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_base64: Option<String>,
    /// The texts as UTF-8 where the object says that they are in another encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<object::Texts>,
    pub additions: u64,
    pub deletions: u64,
    /// The finished JSON text of the diff against the first parent.
    pub diff: String,
}

/// `PUT /projects/:id/mirror/refs`: the refs as they are to be. A sync with more changes than one request takes sends
/// them in portions 0, 1, .. of the same `sync`; they are kept, and made together with the last one.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Swap {
    pub default_branch: Option<String>,
    pub changes: Vec<Change>,
    /// A name that the hook made up for this sync; none: there is only this request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<String>,
    /// The number of this portion.
    #[serde(default)]
    pub portion: i64,
    /// Further portions follow.
    #[serde(default)]
    pub more: bool,
    /// Look at every commit's branch again, not only at those that the changes concern.
    #[serde(default)]
    pub recheck: bool,
}

/// One ref on its way from `old` (none: new) to `new` (none: deleted).
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub struct Change {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
    /// An annotated tag's own hash and message.
    #[serde(default)]
    pub tag_sha: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
    /// How many commits `new` reaches, itself included; none: git was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<u64>,
}

/// The answer: how many refs moved, and whether commits are still to learn their branch.
#[derive(Debug, Deserialize, Serialize)]
pub struct Swapped {
    pub refs: usize,
    #[serde(default)]
    pub pending: bool,
}
