mod lists;
pub mod protected;
pub mod v3;
pub mod v4;

use crate::areas::commits::CommitRow;
use crate::areas::releases::v3::Release;
use crate::kernel::Row;

edgeforge_row::statements!(mod sql: "src/areas/refs/refs.sql");

const BRANCHES: &str = "refs/heads/";
const TAGS: &str = "refs/tags/";

#[derive(Debug, Row)]
struct RefRow {
    /// With `refs/heads/` or `refs/tags/`.
    name: String,
    tag_message: Option<String>,
    /// The hash of an annotated tag, not of its commit.
    tag_sha: Option<String>,
    /// The default branch if that contains the commit, otherwise the first branch that does.
    branch: Option<String>,
    /// The release of a tag.
    #[row(json)]
    release: Option<Notes>,
    /// `default_branch_protection`: 0 none, 1 developers may push, 2 full.
    protection: i64,
    #[row(flatten)]
    commit: CommitRow,
}

#[derive(Debug, Row)]
struct Notes {
    description: Option<String>,
}

impl RefRow {
    fn release(&mut self) -> Option<Release> {
        let tag = short(&self.name, TAGS);
        self.release.take().map(|notes| Release::new(tag, notes.description))
    }
}

fn short(name: &str, kind: &str) -> String {
    name.strip_prefix(kind).unwrap_or(name).to_owned()
}
