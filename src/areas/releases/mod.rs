//! Releases of tags (behaviour 16).

mod entity;
pub mod in_group;
pub mod link;
pub mod links;
pub mod v3;
pub mod v4;
mod writing;

use crate::areas::issues::MilestoneRow;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::Resource;
use crate::kernel::{Error, Result, Row};

edgeforge_row::statements!(mod sql: "src/areas/releases/releases.sql");

#[derive(Debug, Row)]
pub struct ReleaseRow {
    pub id: i64,
    pub tag: String,
    pub name: Option<String>,
    pub description: Option<String>,
    created_at: i64,
    released_at: i64,
    author: Option<UserRow>,
    /// None if the mirror no longer has the tag.
    #[row(long)]
    commit: Option<crate::areas::commits::CommitRow>,
    links: Vec<LinkRow>,
    milestones: Vec<MilestoneOf>,
}

#[derive(Debug, Row, Clone)]
struct LinkRow {
    id: i64,
    #[row(flatten)]
    link: link::NewLink,
}

/// A milestone of a release, and how many issues it has: open, closed, and those of each that are confidential.
#[derive(Debug, Row)]
struct MilestoneOf {
    #[row(flatten)]
    row: MilestoneRow,
    opened: i64,
    closed: i64,
    opened_hidden: i64,
    closed_hidden: i64,
}

#[derive(Debug, Row)]
struct Facts {
    release_id: Option<i64>,
    updated_at: Option<i64>,
    sha: Option<String>,
    milestones: Vec<MilestoneTitle>,
}

#[derive(Debug, Row)]
struct MilestoneTitle {
    id: i64,
    title: String,
}

#[derive(Debug, Row)]
struct GroupReleaseRow {
    #[row(flatten)]
    release: ReleaseRow,
    project: Resource,
}

impl Facts {
    /// 404 if the tag has no release.
    fn existing(&self) -> Result<i64> {
        self.release_id.ok_or_else(absent)
    }
}

fn absent() -> Error {
    Error::NotFound("Release does not exist".to_owned())
}
