//! Pipelines and jobs of v4 (behaviour 13.5). A pipeline has the posted statuses of a ref of a commit, which are its
//! jobs.

mod entity;
pub mod jobs;
pub mod v4;

use crate::areas::commits::pipeline::PipelineRow;
use crate::kernel::Row;
use crate::kernel::answers::person::UserRow;

edgeforge_row::statements!(mod sql: "src/areas/pipelines/pipelines.sql");

#[derive(Debug, Row)]
pub struct SingleRow {
    #[row(flatten)]
    pipeline: PipelineRow,
    author: UserRow,
    /// The start, the end and the coverage of its newest jobs, of at most a thousand.
    spans: Vec<(Option<i64>, Option<i64>, Option<f64>)>,
    tag: bool,
}
