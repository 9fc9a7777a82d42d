//! Writes events for web hooks (behaviour 14.3). The batch that makes a change also writes the event, with a snapshot
//! of the record, and a trigger adds a delivery for each hook that gets it. If no hook gets the event, its statement
//! costs one look-up.

pub mod activity;
pub mod flags;
pub mod payload;
pub mod sample;
pub mod system;

use crate::kernel::policy;
use crate::kernel::time::DAY;
use crate::kernel::{Action, Call, Entry, Result, Row, Statement};
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(pub mod sql: "src/areas/events/events.sql", "src/areas/events/samples.sql", "src/areas/events/system.sql");

/// The header with which a receiver passes on the chain of a delivery.
pub const CHAIN: &str = "x-gitlab-event-uuid";

/// Which right the maker of a hook needs to see the record of an event.
#[derive(Debug, Clone, Copy)]
enum EventNeeds {
    Issue,
    ConfidentialIssue,
    Of(Action),
}

impl EventNeeds {
    fn origin(self, call: &Call<'_>) -> String {
        self.origin_at(&call.links(false).base, (chain(call), call.person_id.get()))
    }

    /// `person`: who causes the event. None: nobody, or who acts in its snapshot.
    fn origin_at(self, base: &str, (chain, person): (Option<String>, Option<i64>)) -> String {
        let (action, part) = match self {
            EventNeeds::Issue => (Action::ReadIssues, Some("issues")),
            EventNeeds::ConfidentialIssue => (Action::ReadConfidentialIssues, Some("issues")),
            EventNeeds::Of(action @ (Action::ReadStatuses | Action::ReadDeployments)) => (action, Some("builds")),
            EventNeeds::Of(action) => (action, None),
        };
        let (access, visibility) = policy::least(action);
        let visibility = visibility.map(policy::Visibility::level);
        json!({
            "base": base, "chain": chain, "access": access.level(), "visibility": visibility,
            "part": part, "person": person,
        })
        .to_string()
    }
}

/// The chain of the request. None unless the header is a UUID.
fn chain(call: &Call<'_>) -> Option<String> {
    let text = call.request.header(CHAIN)?.trim().to_ascii_lowercase();
    let parts = text.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    (parts && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())).then_some(text)
}

/// The event of the newest issue, which the batch has made. `user_id`: who copied it, None if its author made it.
pub fn issue_opened(call: &Call<'_>, user_id: Option<i64>) -> Statement {
    let [origin, hidden] = [EventNeeds::Issue, EventNeeds::ConfidentialIssue].map(|needs| needs.origin(call));
    sql::issue_opened { origin, hidden, user_id, now: call.now }.into()
}

/// The statements before and after a change of an issue. `actions`: `close`, `reopen` and `update`, in this order. An
/// action that changes nothing makes no event.
pub fn issue_changed(call: &Call<'_>, issue_id: i64, actions: &[&str]) -> (Statement, [Statement; 2]) {
    let [origin, hidden] = [EventNeeds::Issue, EventNeeds::ConfidentialIssue].map(|needs| needs.origin(call));
    let before = sql::issue_before { issue_id, origin: origin.as_str(), actions: json!(actions).to_string() };
    (before.into(), [sql::issue_same { issue_id }.into(), sql::issue_after { issue_id, origin, hidden }.into()])
}

/// The same outside of a scope, for one action.
pub fn issue_moved(call: &Call<'_>, issue_id: i64, user_id: i64) -> (Statement, [Statement; 2]) {
    let [origin, hidden] = [EventNeeds::Issue, EventNeeds::ConfidentialIssue].map(|needs| needs.origin(call));
    let before = sql::moved_before { issue_id, origin: origin.as_str(), now: call.now };
    (
        before.into(),
        [sql::moved_same { issue_id }.into(), sql::moved_after { issue_id, user_id, origin, hidden }.into()],
    )
}

/// The event of the newest comment.
pub fn note_created(call: &Call<'_>) -> Statement {
    let [origin, hidden] = [EventNeeds::Issue, EventNeeds::ConfidentialIssue].map(|needs| needs.origin(call));
    sql::note_created { origin, hidden, now: call.now }.into()
}

/// The statements before and after a comment changes from the first text to the second.
pub fn note_changed(call: &Call<'_>, note_id: i64, [before, body]: [&str; 2]) -> [Statement; 2] {
    let [origin, hidden] = [EventNeeds::Issue, EventNeeds::ConfidentialIssue].map(|needs| needs.origin(call));
    let first = sql::note_before { note_id, before, body, origin: origin.as_str() };
    [first.into(), sql::note_after { note_id, origin, hidden }.into()]
}

/// The event of the newest emoji, which the batch has added.
pub fn award_given(call: &Call<'_>) -> Statement {
    sql::award_given { origin: EventNeeds::Issue.origin(call) }.into()
}

/// The event of an emoji that the batch will remove.
pub fn award_taken(call: &Call<'_>, award_id: i64, user_id: i64) -> Statement {
    sql::award_taken { award_id, user_id, origin: EventNeeds::Issue.origin(call), now: call.now }.into()
}

/// The events of a milestone for hooks and for lists, after `milestones::create` or `change`.
pub fn milestone(call: &Call<'_>, entry: &Entry, id: Option<i64>, action: &str) -> Result<[Statement; 2]> {
    let (project_id, user_id) = (entry.resource.id, entry.caller()?.user.id);
    let origin = EventNeeds::Of(Action::ReadMilestones).origin(call);
    let event = sql::milestone { project_id, user_id, id, action, origin, now: call.now };
    Ok([event.into(), activity::milestone(call, project_id, user_id, id, action)])
}

/// The event of a tag's release, before it is deleted or after another change.
pub fn release(call: &Call<'_>, entry: &Entry, tag: &str, action: &str) -> Result<Statement> {
    let (project_id, user_id) = (entry.resource.id, entry.caller()?.user.id);
    let origin = EventNeeds::Of(Action::ReadCommits).origin(call);
    Ok(sql::release { project_id, user_id, tag, action, origin, now: call.now }.into())
}

/// The event of a deployment that reached a state other than `pending`: the newest of the project, or the one with this
/// id and state. `kind`: slug and tier of its environment.
pub fn deployment(
    call: &Call<'_>,
    project_id: i64,
    user_id: i64,
    changed: Option<(i64, &str)>,
    [slug, tier]: [String; 2],
) -> Statement {
    let origin = EventNeeds::Of(Action::ReadDeployments).origin(call);
    let (id, state) = changed.unzip();
    sql::deployment { project_id, user_id, id, state, slug, tier, origin, now: call.now }.into()
}

/// The event that a pipeline changed its state, after a status is posted.
pub fn pipeline_changed(call: &Call<'_>) -> Statement {
    sql::pipeline_changed { origin: EventNeeds::Of(Action::ReadStatuses).origin(call) }.into()
}

/// The event of the newest comment on a commit.
pub fn commit_comment(call: &Call<'_>) -> Statement {
    sql::commit_comment { origin: EventNeeds::Of(Action::ReadCommits).origin(call) }.into()
}

/// The statements before and after the batch closes issues that commits name.
pub fn issues_closed(
    call: &Call<'_>,
    project_id: i64,
    user_id: Option<i64>,
    maker_id: Option<i64>,
) -> (Statement, Statement) {
    let [origin, hidden] = [EventNeeds::Issue, EventNeeds::ConfidentialIssue].map(|needs| needs.origin(call));
    let before = sql::closed_before { origin: origin.as_str(), now: call.now };
    (before.into(), sql::closed_after { project_id, user_id, maker_id, origin, hidden }.into())
}

/// The events of projects' tokens that end within seven days, and within one day: some of each, for the Cron trigger.
pub fn tokens_expire(base: &str, now: i64) -> Vec<Statement> {
    let step = |(told, days): (i64, i64)| {
        let (origin, until) = (EventNeeds::Of(Action::ManageTokens).origin_at(base, (None, None)), now + days * DAY);
        let event = sql::token_expires { told, origin, now, until };
        [event.into(), sql::token_expiry_told { told, now, until, last: now + DAY }.into()]
    };
    [(0, 7), (1, 1)].into_iter().flat_map(step).collect()
}

/// A branch or tag that moved.
#[derive(Debug, Clone, Serialize)]
pub struct RefMove {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
    /// The hash of an annotated tag after the move.
    pub tag_sha: Option<String>,
    /// The hash of an annotated tag before the move.
    pub old_tag_sha: Option<String>,
    pub message: Option<String>,
    /// The ids of the newest commits of a branch, the oldest first. None if they were not looked for.
    pub newest: Option<Vec<i64>>,
    pub total: Option<usize>,
}

impl RefMove {
    /// The kind of the ref, and what was done with it.
    pub fn kind_and_action(&self) -> (&'static str, &'static str) {
        let kind = if self.name.starts_with("refs/tags/") { "tag" } else { "branch" };
        let action = match (&self.old, &self.new) {
            (None, _) => "created",
            (_, None) => "removed",
            _ => "pushed",
        };
        (kind, action)
    }
}

pub fn refs_moved(call: &Call<'_>, project_id: i64, user_id: i64, moved: &[RefMove]) -> Statement {
    let origin = EventNeeds::Of(Action::ReadCommits).origin(call);
    sql::refs_moved { project_id, user_id, moved: json!(moved).to_string(), origin, now: call.now }.into()
}

/// Bytes of the refs in an event.
const MOST_BYTES_OF_REFS: usize = 500_000;

/// One event for hooks of the system, with the first thousand refs that moved, up to [`MOST_BYTES_OF_REFS`].
pub fn repository_updated(call: &Call<'_>, project_id: i64, user_id: i64, moved: &[RefMove]) -> Statement {
    let change = |one: &RefMove| {
        let (before, after) =
            (one.old_tag_sha.as_ref().or(one.old.as_ref()), one.tag_sha.as_ref().or(one.new.as_ref()));
        let zeros = "0".repeat(before.or(after).map_or(40, String::len));
        let or_zeros = |sha: Option<&String>| sha.unwrap_or(&zeros).clone();
        json!({ "before": or_zeros(before), "after": or_zeros(after), "ref": one.name })
    };
    let mut bytes = 0;
    let fits = |one: &&RefMove| {
        bytes += 2 * one.name.len() + 200;
        bytes <= MOST_BYTES_OF_REFS
    };
    let changes: Vec<_> = moved.iter().take(1000).take_while(fits).map(change).collect();
    let (changes, origin) = (json!(changes).to_string(), EventNeeds::Of(Action::ReadCommits).origin(call));
    sql::repository_updated { project_id, user_id, changes, origin, now: call.now }.into()
}

/// An event, from which its payload is made.
#[derive(Debug, Clone, Row)]
pub struct EventRow {
    pub event_id: i64,
    pub kind: String,
    pub action: String,
    pub bit: i64,
    pub origin: String,
    pub before: Option<String>,
    pub snapshot: Option<String>,
    pub happened_at: i64,
    pub avatars: bool,
}
