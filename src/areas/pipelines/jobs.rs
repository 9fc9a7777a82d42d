use super::sql;
use super::v4::Status;
use crate::areas::commits::CommitRow;
use crate::areas::commits::pipeline::{BasicPipeline, PipelineRow};
use crate::areas::commits::v4::{Commit, CommitExtras};
use crate::areas::statuses::StatusRow;
use crate::areas::users::ProfileRow;
use crate::areas::users::v4::{BasicUser, User};
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::call::path_number;
use crate::kernel::lists::Listed;
use crate::kernel::params::scalar::Parameter;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Page, Parameters, PreparedQuery, Query, Reply, Result, Row};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

#[derive(Debug, Row)]
pub(super) struct JobRow {
    #[row(flatten)]
    status: StatusRow,
    /// Whether the ref is a tag.
    tag: bool,
    author: ProfileRow,
    commit: CommitRow,
    pipeline: PipelineRow,
    artifacts: Vec<Artifact>,
    /// How many tests failed. Only of a single job.
    #[row(default)]
    failures: Option<String>,
}

/// A report in the form of a file of the original's.
#[derive(Debug, Row, Serialize)]
struct Artifact {
    file_type: String,
    size: i64,
    filename: String,
    file_format: Option<String>,
}

#[derive(Debug, Serialize)]
struct Job {
    id: i64,
    status: String,
    stage: &'static str,
    name: String,
    #[serde(rename = "ref")]
    git_ref: String,
    tag: bool,
    coverage: Option<f64>,
    allow_failure: bool,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    erased_at: Option<()>,
    /// Seconds.
    duration: Option<f64>,
    /// Seconds.
    queued_duration: Option<f64>,
    user: JobUser,
    commit: Commit,
    pipeline: BasicPipeline,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_reason: Option<&'static str>,
    web_url: String,
    project: JobProject,
    artifacts: Vec<Artifact>,
    #[serde(flatten)]
    others: Constants,
}

/// Jobs run elsewhere.
const OTHERS: Constants = Constants(&[
    (Constant::Null, &["runner", "runner_manager", "artifacts_expire_at"]),
    (Constant::Bool(false), &["archived"]),
    (Constant::Nothing([]), &["tag_list"]),
]);

/// Visitors see no profiles.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum JobUser {
    Whole(Box<User>),
    Basic(BasicUser),
}

#[derive(Debug, Serialize)]
struct JobProject {
    ci_job_token_scope_enabled: bool,
}

impl Job {
    fn new(row: JobRow, entry: &Entry) -> Job {
        let (resource, links) = (&entry.resource, &entry.links);
        let JobRow { status, tag, author, commit, pipeline, artifacts, .. } = row;
        let page = resource.page(links);
        let pipeline = BasicPipeline::new(pipeline, resource.id, &page);
        let seconds =
            |from: Option<i64>, to: Option<i64>| from.zip(to).map(|(from, to)| (to - from).max(0) as f64 / 1000.0);
        Job {
            id: status.id,
            status: status.v4_state(),
            stage: "external",
            tag,
            coverage: status.coverage,
            allow_failure: false,
            created_at: time::utc(status.created_at),
            started_at: status.started_at.map(time::utc),
            finished_at: status.finished_at.map(time::utc),
            erased_at: None,
            duration: seconds(status.started_at, status.finished_at),
            queued_duration: seconds(Some(status.created_at), status.started_at),
            user: match entry.caller {
                Some(_) => JobUser::Whole(Box::new(User::new(author, links))),
                None => JobUser::Basic(BasicUser::new(author.user, links)),
            },
            commit: Commit::new(commit, &page, CommitExtras::default()),
            failure_reason: (status.state == "failed").then_some("api_failure"),
            // the page of the build, or of its pipeline
            web_url: status.target_url.unwrap_or_else(|| pipeline.web_url().to_owned()),
            pipeline,
            project: JobProject { ci_job_token_scope_enabled: false },
            artifacts,
            others: OTHERS,
            name: status.name,
            git_ref: status.git_ref,
        }
    }
}

#[derive(Parameters)]
struct ListParams {
    scope: Option<BTreeSet<String>>,
}

#[derive(Parameters, Default)]
#[param(default)]
struct RetriedParams {
    include_retried: bool,
}

impl ListParams {
    fn checked(self) -> Result<ListParams> {
        let is_odd = |name: &String| !Status::WORDS.contains(&name.as_str());
        if self.scope.iter().flatten().any(is_odd) {
            let hint = format!("scope is one of {}", Status::WORDS.join(", "));
            return Err(Error::hinted(json!({ "message": "400 Scope contains invalid value(s)" }), hint));
        }
        Ok(self)
    }

    /// `all`: also the older statuses of each name.
    fn query(&self, pipeline_id: Option<i64>, all: bool, page: Page) -> PreparedQuery<Listed<JobRow>> {
        let states = self.scope.as_ref().map(|names| names.iter().fold(",".to_owned(), |all, name| all + name + ","));
        sql::jobs { pipeline_id, states, all, page }.prepare()
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|list| Ok((list.checked()?, call.page()?)));
    let query = |(list, page): &(ListParams, Page)| list.query(None, true, page.clone());
    let (_, entry, jobs) = call.authorize_builds(input, query).await?;
    jobs.reply(call, |row| Job::new(row, &entry))
}

pub async fn list_of_pipeline(call: &Call<'_>, pipeline_id: &str) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|list| {
        let RetriedParams { include_retried } = call.filters()?;
        let page = call.page()?;
        let id = path_number("pipeline_id", pipeline_id)?;
        Ok((id, list.checked()?, include_retried, page))
    });
    let query = |(id, list, all, page): &(i64, ListParams, bool, Page)| {
        (sql::one { id: Some(*id), ref_name: None::<&str> }, list.query(Some(*id), *all, page.clone()))
    };
    let (_, entry, (pipeline, jobs)) = call.authorize_builds(input, query).await?;
    pipeline.ok_or_else(Error::no_record)?;
    jobs.reply(call, |row| Job::new(row, &entry))
}

async fn find(call: &Call<'_>, job_id: &str) -> Result<(JobRow, Entry)> {
    let number = path_number("job_id", job_id);
    let (_, entry, row) = call.authorize_builds(number, |id| sql::job { id: *id }).await?;
    Ok((row.ok_or_else(Error::no_record)?, entry))
}

pub async fn show(call: &Call<'_>, job_id: &str) -> Result<Reply> {
    let (row, entry) = find(call, job_id).await?;
    Ok(Reply::json(200, &Job::new(row, &entry)))
}

/// Never empty, because glab waits for more text until the job has ended.
pub async fn trace(call: &Call<'_>, job_id: &str) -> Result<Reply> {
    let JobRow { status, failures, .. } = find(call, job_id).await?.0;
    let first = format!("{}: {}", status.name, status.v4_state());
    let lines = [Some(first), failures, status.description, status.target_url];
    let text: String = lines.into_iter().flatten().map(|line| format!("{line}\n")).collect();
    Ok(Reply::of("text/plain; charset=utf-8", 200, text))
}
