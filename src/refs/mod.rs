//! Branches and tags: what v3 and v4 share.

pub mod v3;
pub mod v4;

use crate::commits::CommitRow;
use crate::store::Row;

mod sql {
    use crate::sql::{impl_sql, include_sql};
    include_sql!("src/refs/refs.sql");
}

/// How the whole names of branches and of tags begin.
const BRANCHES: &str = "refs/heads/";
const TAGS: &str = "refs/tags/";

/// A row of the view `ref_rows`.
#[derive(Debug, Row)]
struct RefRow {
    /// Whole, with `refs/heads/` or `refs/tags/`.
    name: String,
    tag_message: Option<String>,
    /// Of an annotated tag itself.
    tag_sha: Option<String>,
    /// The branch that the commit belongs to: the default one if that contains it.
    branch: Option<String>,
    /// The setting `default_branch_protection`: 0 none, 1 developers push, 2 full.
    protection: i64,
    #[row(flatten)]
    commit: CommitRow,
}

fn short(name: &str, kind: &str) -> String {
    name.strip_prefix(kind).unwrap_or(name).to_owned()
}
