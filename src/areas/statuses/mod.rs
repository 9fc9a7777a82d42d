//! Commit statuses (specification, "Commits"; behaviour 8).

pub mod gate;
pub mod v3;
pub mod v4;

use crate::areas::events;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::commit::{Change, WrittenRow};
use crate::kernel::store::Value;
use crate::kernel::text::names::check_letters;
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Parameters, Query, Reply, Result, Row, ValidationErrors};
use serde::Serialize;

edgeforge_row::statements!(pub mod sql: "src/areas/statuses/statuses.sql");

#[derive(Debug, Row)]
pub struct StatusRow {
    pub id: i64,
    /// Empty without a ref.
    pub git_ref: String,
    pub state: String,
    pub name: String,
    pub target_url: Option<String>,
    pub description: Option<String>,
    /// Percent.
    pub coverage: Option<f64>,
    /// Whether v4 shows the canceled status as `skipped`.
    pub skipped: bool,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
}

impl StatusRow {
    pub fn v4_state(&self) -> String {
        if self.skipped { SKIPPED.to_owned() } else { self.state.clone() }
    }
}

#[derive(Debug, Row)]
pub struct ListedStatus {
    #[row(flatten)]
    status: StatusRow,
    pipeline_id: i64,
    sha: String,
    author: UserRow,
    /// After a post: whether the project has no such branch or tag.
    #[row(default)]
    ref_is_unknown: bool,
}

/// The commit of a new deployment.
#[derive(Row)]
pub struct Target {
    pub commit_id: i64,
    /// The branch of a status without `ref`.
    pub branch: Option<String>,
    pub ref_is_known: bool,
}

const STATES: [&str; 6] = ["pending", "running", "success", "failed", "canceled", SKIPPED];

/// The state `skipped`. It is stored as canceled with a mark, because v3 has no such state.
const SKIPPED: &str = "skipped";

/// Characters. A page of a hundred statuses still fits an answer.
const LONGEST_TEXT: usize = 16_384;

#[derive(Debug, Serialize)]
struct Status<T> {
    id: i64,
    sha: String,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    status: String,
    name: String,
    target_url: Option<String>,
    description: Option<String>,
    created_at: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    /// Always false: a failed status always fails its commit.
    allow_failure: bool,
    #[serde(flatten)]
    extra: T,
}

impl<T> Status<T> {
    fn new(row: StatusRow, sha: String, git_ref: Option<String>, status: String, extra: T) -> Status<T> {
        Status {
            id: row.id,
            sha,
            git_ref,
            status,
            name: row.name,
            target_url: row.target_url,
            description: row.description,
            created_at: time::utc(row.created_at),
            started_at: row.started_at.map(time::utc),
            finished_at: row.finished_at.map(time::utc),
            allow_failure: false,
            extra,
        }
    }
}

#[derive(Parameters)]
struct NewStatus<T> {
    state: T,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    name: Option<String>,
    context: Option<String>,
    target_url: Option<String>,
    description: Option<String>,
    coverage: Option<f64>,
}

impl<T: AsRef<str>> NewStatus<T> {
    /// `longest_url` is in characters. `no_link` is the error if the URL is no web link.
    fn check_texts(&self, longest_url: usize, no_link: &str) -> Result<()> {
        let mut errors = ValidationErrors::default();
        errors.check_length("ref", self.git_ref.as_deref(), 255);
        check_letters(&mut errors, "name", Some(self.job()));
        errors.check_length("description", self.description.as_deref(), LONGEST_TEXT);
        errors.check_length("target_url", self.target_url.as_deref(), longest_url);
        if self.target_url.as_deref().is_some_and(|url| !url.is_empty() && !is_address(url, WEB)) {
            errors.add("target_url", no_link);
        }
        errors.result()
    }

    fn job(&self) -> &str {
        self.name.as_deref().or(self.context.as_deref()).unwrap_or("default")
    }

    fn stored_state(&self) -> &str {
        if self.is_skipped() { "canceled" } else { self.state.as_ref() }
    }

    fn is_skipped(&self) -> bool {
        self.state.as_ref() == SKIPPED
    }
}

fn missing_commit(call: &Call<'_>) -> Error {
    call.hint("this commit is not here yet: the mirror has to push it first, then the status can be posted again");
    Error::missing("Commit")
}

/// The errors of `validate` come after the 404 for the commit.
async fn post<T: AsRef<str>, S: Serialize>(
    call: &Call<'_>,
    sha: &str,
    input: Result<(NewStatus<T>, Option<i64>)>,
    validate: impl FnOnce(&NewStatus<T>) -> Result<()>,
    shown: impl FnOnce(ListedStatus, &Links) -> S,
) -> Result<Reply> {
    let invalid = input.as_ref().ok().and_then(|(new, _)| validate(new).err());
    if let Some(error) = invalid.or_else(|| input.as_ref().ok().and(call.idempotency_key().err())) {
        let (_, commit) = call.authorize(sql::commit { sha }).await?;
        return Err(if commit.is_empty() { missing_commit(call) } else { error });
    }
    let change = input.as_ref().map_err(Error::clone).and_then(|new| change(call, sha, new));
    let refusal = |_: &Entry, open: Option<OpenRow>| match open {
        None => Ok(missing_commit(call)),
        Some(open) if !open.pipeline_fits => Ok(Error::missing("Pipeline for pipeline_id, sha and ref")),
        Some(open) => {
            let state = input.as_ref().ok().map(|(new, _)| new.stored_state());
            Ok(transition_refused(state, &open.state.unwrap_or_default()))
        }
    };
    let posted: WrittenRow<ListedStatus> = call.commit(change, refusal).await?;
    let ref_is_unknown = posted.row.ref_is_unknown;
    let reply = posted.reply(201, shown);
    // most lists do not show a status with a misspelt ref
    let hint = "ref is the name of no branch or tag of this project";
    Ok(if ref_is_unknown { reply.with("X-Hint", hint) } else { reply })
}

#[derive(Row)]
pub struct OpenRow {
    state: Option<String>,
    pipeline_fits: bool,
}

fn change<T: AsRef<str>>(
    call: &Call<'_>,
    sha: &str,
    (new, pipeline_id): &(NewStatus<T>, Option<i64>),
) -> Result<Change<impl Query<Answer = Option<OpenRow>>>> {
    let (job, state) = (new.job(), new.stored_state());
    let (ref_name, pipeline_id) = (new.git_ref.as_deref(), *pipeline_id);
    let repeat_is_refused = call.dialect.refuses_repeated_state();
    let post = sql::post {
        sha,
        ref_name,
        pipeline_id,
        job,
        state,
        target_url: new.target_url.as_deref(),
        description: new.description.as_deref(),
        coverage: new.coverage.map_or(Value::Null, Value::Real),
        skipped: new.is_skipped(),
        repeat_is_refused,
    };
    let key = call.idempotency_key()?;
    // without this, an older status would be kept under the key
    let accepted =
        key.as_ref().map(|_| sql::expect_accepted { sha, ref_name, pipeline_id, job, state, repeat_is_refused }.into());
    let keep = key.as_ref().map(|key| {
        let base = call.links(false).base;
        let (key, digest) = (key.hash.as_str(), key.digest.as_str());
        sql::keep { sha, ref_name, pipeline_id, job, key, digest, base }.into()
    });
    let query = sql::open { sha, ref_name, pipeline_id, job };
    let steps = accepted.into_iter().chain([post.into(), events::pipeline_changed(call)]).collect();
    Ok(Change { steps, keep, key, only_adds: false, query })
}

/// Clients compare these texts.
pub fn transition_refused(posted: Option<&str>, stored: &str) -> Error {
    let event = if posted == Some("running") { "run" } else { "enqueue" };
    Error::message(format!(
        "Cannot transition status via :{event} from :{stored} (Reason(s): Status cannot transition via \"{event}\")"
    ))
}

struct Filter {
    git_ref: Option<String>,
    stage: Option<String>,
    name: Option<String>,
    pipeline_id: Option<i64>,
    all: bool,
    descends: bool,
}

async fn list<T: Serialize>(
    call: &Call<'_>,
    sha: &str,
    path: &[(&str, &str)],
    filter: Result<Filter>,
    shown: impl Fn(ListedStatus, &Links) -> T,
) -> Result<Reply> {
    let input = filter.and_then(|filter| Ok((filter, call.page()?)));
    let any_ref = call.dialect.lists_statuses_of_all_refs();
    let ask = |(filter, page): &(Filter, Page)| {
        let Filter { pipeline_id, all, descends, .. } = *filter;
        let (ref_name, name, stage) = (filter.git_ref.as_deref(), filter.name.as_deref(), filter.stage.as_deref());
        let any_ref = any_ref && ref_name.is_none();
        let is_filtered = !all || !any_ref || name.is_some() || stage.is_some() || pipeline_id.is_some();
        let (ascending, narrowed, page) = (!descends, is_filtered.then_some(true), page.clone());
        let list =
            sql::list { ascending, sha, ref_name, any_ref, name, stage, pipeline_id, all, narrowed, page }.prepare();
        let total = match name {
            Some(name) => sql::total_named { sha, ref_name, any_ref, name, stage, pipeline_id, all }.prepare(),
            None => sql::total { sha, ref_name, any_ref, stage, pipeline_id, all }.prepare(),
        };
        (sql::commit { sha }, list, total)
    };
    let (_, entry, (commit, statuses, total)) = call.authorize_with(input, ask).await?;
    if commit.is_empty() {
        return Err(Error::missing("Commit"));
    }
    statuses.with_count(total).reply_at(call, path, |row| shown(row, &entry.links))
}
