//! Time tracking: an estimate and the time spent, as GitLab reads and writes durations (behaviour 13.2).

use super::by_number;
use super::time_stats::TimeStats;
use crate::areas::issues::change::Revision;
use crate::areas::issues::record::{self, References};
use crate::areas::issues::times::{MOST_SECONDS, Times};
use crate::areas::issues::{IssueRef, IssueRow, find, writing};
use crate::kernel::call::commit;
use crate::kernel::time::duration;
use crate::kernel::{Action, Call, Entry, Error, Parameters, Reply, Result, ValidationErrors};

/// Needs the right to edit any issue; being the author is not enough.
async fn track(call: &Call<'_>, iid: &str, status: u16, times: Result<Times>) -> Result<Reply> {
    let (row, entry) = find(call, by_number(iid)).await?;
    if !entry.resource.may(Action::EditAnyIssue) {
        return Err(Error::FORBIDDEN);
    }
    let times = times?;
    times.check(row.time_spent)?;
    let change = record::Change { times: vec![times], ..record::Change::default() };
    let input = (change, ValidationErrors::default());
    let (mut steps, _) = Revision::default().steps(call, &entry, &row, input, References::default())?;
    if steps.is_empty() {
        return Ok(Reply::json(status, &TimeStats::of(&row)));
    }
    steps.push(writing::written { issue_id: row.id }.into());
    let change = commit::Change::new(steps, IssueRef { id: Some(row.id), iid: None }.query());
    // another request was faster
    let refusal = |_: &Entry, row: Option<IssueRow>| {
        Ok(row.and_then(|row| times.check(row.time_spent).err()).unwrap_or_else(Error::no_record))
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

pub async fn spend(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let given = call.creation().and_then(|SpentParams { duration, .. }| read(&duration, |seconds| seconds != 0));
    track(call, iid, 201, given.map(Times::Spend)).await
}

pub async fn reset(call: &Call<'_>, iid: &str, times: Times) -> Result<Reply> {
    track(call, iid, 200, Ok(times)).await
}
