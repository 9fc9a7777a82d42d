//! A commit status as a job: of a deployment, or of a pipeline.

use super::StatusRow;
use crate::call::Links;
use crate::commits::CommitRow;
use crate::commits::v4::{Commit, With};
use crate::store::Row;
use crate::time;
use crate::users::ProfileRow;
use crate::users::v4::User;
use serde::Serialize;

#[derive(Debug, Row)]
pub struct JobRow {
    #[row(flatten)]
    pub status: StatusRow,
    pub commit_id: i64,
    pub stage: String,
    pub tag: bool,
}

#[derive(Debug, Serialize)]
pub struct Job {
    id: i64,
    status: String,
    stage: String,
    name: String,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    tag: bool,
    coverage: Option<f64>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
}

impl Job {
    pub fn new(row: JobRow, git_ref: Option<String>, status: String) -> Job {
        let JobRow { status: row, stage, tag, .. } = row;
        Job {
            id: row.id,
            status,
            stage,
            name: row.name,
            git_ref,
            tag,
            coverage: row.coverage,
            created_at: time::utc(row.created_at),
            started_at: row.started_at.map(time::utc),
            finished_at: row.finished_at.map(time::utc),
        }
    }
}

/// What v4 adds. The job of a deployment has just these.
#[derive(Debug, Serialize)]
pub struct WholeJob {
    #[serde(flatten)]
    job: Job,
    /// Seconds.
    duration: Option<f64>,
    user: User,
    commit: Commit,
    web_url: String,
    project: JobProject,
    artifacts: [(); 0],
    /// Always null: jobs run elsewhere.
    runner: Option<()>,
}

#[derive(Debug, Serialize)]
struct JobProject {
    ci_job_token_scope_enabled: bool,
}

impl WholeJob {
    /// `page`: the address of the project's pages. `web_url`: that of the job.
    pub fn new(
        row: JobRow,
        author: ProfileRow,
        commit: CommitRow,
        page: &str,
        web_url: String,
        links: &Links,
    ) -> WholeJob {
        let (git_ref, state) = (row.status.git_ref.clone(), row.status.v4_state());
        WholeJob {
            duration: seconds(row.status.started_at, row.status.finished_at),
            user: User::new(author, links),
            commit: Commit::new(commit, page, With::default()),
            web_url,
            project: JobProject { ci_job_token_scope_enabled: false },
            artifacts: [],
            runner: None,
            job: Job::new(row, Some(git_ref), state),
        }
    }
}

pub fn seconds(from: Option<i64>, to: Option<i64>) -> Option<f64> {
    from.zip(to).map(|(from, to)| (to - from).max(0) as f64 / 1000.0)
}
