//! Branches and tags as answers show them.

use super::sql::RefRow;
use crate::commits::sql::CommitRow;
use crate::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Branch {
    name: String,
    /// The default branch, where the setting `default_branch_protection` protects it.
    protected: bool,
    developers_can_push: bool,
    developers_can_merge: bool,
    commit: Tip,
}

impl Branch {
    /// `protection`: 0 none, 1 developers push, 2 full.
    pub fn new(row: RefRow, default_branch: Option<&str>, protection: i64) -> Branch {
        let name = short(&row.name, "refs/heads/");
        let protected = protection > 0 && default_branch == Some(name.as_str());
        let developers_can_push = protected && protection == 1;
        let commit = Tip::new(row.commit);
        Branch { name, protected, developers_can_push, developers_can_merge: false, commit }
    }
}

#[derive(Debug, Serialize)]
pub struct Tag {
    name: String,
    /// An annotated tag's message.
    message: Option<String>,
    commit: Tip,
    /// Release notes are not kept here.
    release: Option<()>,
}

impl Tag {
    pub fn new(mut row: RefRow) -> Tag {
        let name = short(&row.name, "refs/tags/");
        Tag { name, message: row.tag_message.take(), commit: Tip::new(row.commit), release: None }
    }
}

/// A ref's name without its kind.
pub(super) fn short(name: &str, kind: &str) -> String {
    name.strip_prefix(kind).unwrap_or(name).to_owned()
}

/// The commit that a ref points at.
#[derive(Debug, Serialize)]
struct Tip {
    id: String,
    message: String,
    parent_ids: Vec<String>,
    authored_date: String,
    author_name: String,
    author_email: String,
    committed_date: String,
    committer_name: String,
    committer_email: String,
}

impl Tip {
    fn new(row: CommitRow) -> Tip {
        Tip {
            id: row.sha,
            message: row.message,
            parent_ids: row.parent_shas,
            authored_date: time::offset(row.authored_at, row.author_zone),
            author_name: row.author_name,
            author_email: row.author_email,
            committed_date: time::offset(row.committed_at, row.committer_zone),
            committer_name: row.committer_name,
            committer_email: row.committer_email,
        }
    }
}
