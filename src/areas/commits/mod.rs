//! Commits of a repository mirror (behaviour 7).

pub mod changes;
pub mod counts;
pub mod diffs;
pub mod history;
pub mod pipeline;
mod range;
pub mod search;
pub mod sides;
mod trailers;
pub mod v3;
pub mod v4;

use crate::kernel::{Row, Statement};
use counts::Counts;
use pipeline::PipelineRow;
use serde::Serialize;

edgeforge_row::statements!(pub mod sql: "src/areas/commits/commits.sql", "src/areas/commits/history.sql");

/// The query of one commit. A name that ends in `.json` is also tried without that ending.
pub fn one(name: &str) -> Statement {
    sql::one { name, plain_name: name.strip_suffix(".json").unwrap_or_default() }.into()
}

#[derive(Debug, Clone, Row)]
pub struct CommitRow {
    pub sha: String,
    pub author_name: String,
    pub author_email: String,
    /// Seconds since 1970.
    pub authored_at: i64,
    /// Minutes east of UTC.
    pub author_zone: i32,
    pub committer_name: String,
    pub committer_email: String,
    pub committed_at: i64,
    pub committer_zone: i32,
    pub message: String,
    pub additions: i64,
    pub deletions: i64,
    pub parent_shas: Vec<String>,
}

#[derive(Debug, Row)]
struct SingleRow {
    #[row(flatten)]
    commit: CommitRow,
    #[row(flatten)]
    builds: Builds,
}

#[derive(Debug, Row, Default)]
struct Builds {
    /// None without statuses.
    counts: Option<Counts>,
    last_pipeline: Option<PipelineRow>,
}

impl Builds {
    fn status(&self) -> Option<&'static str> {
        self.counts.and_then(|counts| counts.aggregate())
    }
}

#[derive(Debug, Serialize)]
pub struct Stats {
    additions: i64,
    deletions: i64,
    total: i64,
}

impl Stats {
    fn new(row: &CommitRow) -> Stats {
        let CommitRow { additions, deletions, .. } = *row;
        Stats { additions, deletions, total: additions + deletions }
    }
}
