//! The pipeline of a commit, in the short form of lists and of other records.

use crate::kernel::Row;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Clone, Row)]
pub struct PipelineRow {
    pub id: i64,
    pub iid: i64,
    /// Empty without a ref.
    pub git_ref: String,
    pub sha: String,
    pub state: String,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Debug, Serialize)]
pub struct BasicPipeline {
    id: i64,
    iid: i64,
    project_id: i64,
    sha: String,
    #[serde(rename = "ref")]
    git_ref: String,
    status: String,
    source: &'static str,
    created_at: String,
    updated_at: String,
    web_url: String,
    name: Option<()>,
}

impl BasicPipeline {
    /// `page`: the address of the project's pages.
    pub fn new(row: PipelineRow, project_id: i64, page: &str) -> BasicPipeline {
        BasicPipeline {
            id: row.id,
            iid: row.iid,
            project_id,
            web_url: format!("{page}/-/pipelines/{}", row.id),
            sha: row.sha,
            git_ref: row.git_ref,
            status: row.state,
            source: "external",
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at.max(row.created_at)),
            name: None,
        }
    }

    pub fn web_url(&self) -> &str {
        &self.web_url
    }
}
