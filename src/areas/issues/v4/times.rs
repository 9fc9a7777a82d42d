//! Time tracking: an estimate and the time spent, as GitLab reads and writes durations (behaviour 13.2).

use super::by_number;
use super::time_stats::TimeStats;
use crate::areas::events::issue_changed;
use crate::areas::issues::creation::least;
use crate::areas::issues::{IssueRef, IssueRow, find, writing};
use crate::kernel::call::commit;
use crate::kernel::time::duration;
use crate::kernel::{Action, Call, Entry, Error, Parameters, Reply, Result, Statement};
use serde_json::json;

/// A change of one of the two times.
#[derive(Debug, Clone, Copy)]
enum Times {
    Estimate(i64),
    Spend(i64),
    ResetSpent,
}

impl Times {
    /// The text of the comment. None if nothing changes.
    fn comment_text(self, row: &IssueRow) -> Option<String> {
        match self {
            Times::Estimate(seconds) if seconds == row.time_estimate => None,
            Times::Estimate(0) => Some("removed time estimate".to_owned()),
            Times::Estimate(seconds) => Some(format!("changed time estimate to {}", duration::write(seconds))),
            Times::ResetSpent => (row.time_spent != 0).then(|| "removed time spent".to_owned()),
            Times::Spend(seconds) => {
                let verb = if seconds < 0 { "subtracted" } else { "added" };
                Some(format!("{verb} {} of time spent", duration::write(seconds.abs())))
            }
        }
    }

    fn steps(self, call: &Call<'_>, row: &IssueRow) -> Vec<Statement> {
        let Some(text) = self.comment_text(row) else { return Vec::new() };
        let (issue_id, plans) = (row.id, Some(least(Action::EditAnyIssue)));
        let (estimate, spent) = match self {
            Times::Estimate(seconds) => (Some(seconds), Some(0)),
            Times::Spend(seconds) => (None, Some(seconds)),
            Times::ResetSpent => (None, None),
        };
        let notes = json!([{ "text": text, "has_event": false }]).to_string();
        let (before, [same, after]) = issue_changed(call, issue_id, &["update"]);
        vec![
            writing::expect_editable { issue_id, plans, unmodified_since: None::<i64> }.into(),
            writing::expect_time { issue_id, spent, most: MOST_SECONDS }.into(),
            before,
            writing::add_system_notes { issue_id, notes }.into(),
            writing::track_time { issue_id, estimate, spent }.into(),
            same,
            after,
            writing::written { issue_id }.into(),
        ]
    }
}

/// 68 years.
const MOST_SECONDS: i64 = i32::MAX as i64;

impl Times {
    fn check(self, row: &IssueRow) -> Result<()> {
        let Times::Spend(seconds) = self else { return Ok(()) };
        match row.time_spent + seconds {
            ..0 => Err(Error::field("base", "Time to subtract exceeds the total time spent")),
            0..=MOST_SECONDS => Ok(()),
            _ => Err(Error::field("base", "Time spent is too long")),
        }
    }
}

/// Needs the right to edit any issue; being the author is not enough.
async fn track(call: &Call<'_>, iid: &str, status: u16, times: Result<Times>) -> Result<Reply> {
    let (row, entry) = find(call, by_number(iid)).await?;
    if !entry.resource.may(Action::EditAnyIssue) {
        return Err(Error::FORBIDDEN);
    }
    let times = times?;
    times.check(&row)?;
    let steps = times.steps(call, &row);
    if steps.is_empty() {
        return Ok(Reply::json(status, &TimeStats::of(&row)));
    }
    let change = commit::Change::new(steps, IssueRef { id: Some(row.id), iid: None }.query());
    // another request was faster
    let refusal = |_: &Entry, row: Option<IssueRow>| {
        Ok(row.and_then(|row| times.check(&row).err()).unwrap_or_else(Error::no_record))
    };
    let written: commit::WrittenRow<IssueRow> = call.commit(Ok(change), refusal).await?;
    Ok(Reply::json(status, &TimeStats::of(&written.row)))
}

#[derive(Debug, Parameters)]
struct Estimate {
    duration: String,
}

#[derive(Debug, Parameters)]
struct SpentParams {
    duration: String,
    /// GitLab stores it with each entry. Here no route shows the entries, so it is ignored.
    #[param(rename = "summary")]
    _summary: Option<String>,
}

/// `is_good`: whether the duration is allowed.
fn read(duration: &str, is_good: impl Fn(i64) -> bool) -> Result<i64> {
    let is_good = |seconds: &i64| seconds.abs() <= MOST_SECONDS && is_good(*seconds);
    duration::read(duration).filter(is_good).ok_or_else(|| Error::invalid("duration"))
}

pub async fn show(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let (row, _) = find(call, by_number(iid)).await?;
    Ok(Reply::json(200, &TimeStats::of(&row)))
}

pub async fn estimate(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let given = call.creation().and_then(|Estimate { duration }| read(&duration, |seconds| seconds >= 0));
    track(call, iid, 200, given.map(Times::Estimate)).await
}

pub async fn reset_estimate(call: &Call<'_>, iid: &str) -> Result<Reply> {
    track(call, iid, 200, Ok(Times::Estimate(0))).await
}

pub async fn spend(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let given = call.creation().and_then(|SpentParams { duration, .. }| read(&duration, |seconds| seconds != 0));
    track(call, iid, 201, given.map(Times::Spend)).await
}

pub async fn reset_spent(call: &Call<'_>, iid: &str) -> Result<Reply> {
    track(call, iid, 200, Ok(Times::ResetSpent)).await
}
