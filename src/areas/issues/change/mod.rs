//! Edits an issue (behaviour 6.3). The edit and its system comments are one transaction.

mod edit;
mod input;

use self::edit::Edit;
use super::record::Change;
use super::texts::{MOST_LABELS_OF_ISSUE, too_many_labels};
use super::{IssueRef, IssueRow};
use crate::kernel::call::commit;
use crate::kernel::time;
use crate::kernel::{Action, Call, Entry, Error, Links, Patch, Result, ValidationErrors};

pub async fn change(
    call: &Call<'_>,
    issue: Result<IssueRef>,
    input: Result<(Change, ValidationErrors)>,
) -> Result<(IssueRow, Links)> {
    let input = input.map(|(change, mut errors)| (change.checked(&mut errors), errors));
    let query = |issue: &IssueRef| {
        // 404 comes before input errors, so an invalid edit needs a query as well
        let nothing = Change::default();
        let change = input.as_ref().map_or(&nothing, |(change, _)| change);
        (issue.query(), change.milestone().references(change.fields.assignee_id.set().copied()))
    };
    let (_, entry, (row, found)) = call.authorize_with(issue, query).await?;
    let row = editable(&entry, row)?;
    let (mut change, mut errors) = input?;
    let found = found.unwrap_or_default();
    let plans = entry.resource.may(Action::EditAnyIssue);
    if plans {
        found.check(change.fields.assignee_id.set().copied(), &change.milestone(), call.dialect, &mut errors);
        if change.labels_after(&row) > row.labels.len().max(MOST_LABELS_OF_ISSUE) {
            errors.add("labels", &too_many_labels());
        }
        if change.milestone.is_some() {
            change.fields.milestone_id = found.milestone_id.map_or(Patch::Keep, Patch::Set);
        }
    } else {
        change = change.without_planning();
    }
    let updated_at =
        change.fields.updated_at.set().map(String::as_str).filter(|_| entry.resource.may(Action::SetTimes));
    let updated_at = errors.read_time("updated_at", updated_at);
    errors.result()?;
    expect_unmodified(call, &row)?;
    change.keep_same(&row);
    change.keep_same_labels(&row);
    let state = change.state(&row);
    let unmodified_since = call.unmodified_since();
    let edit = Edit { row: &row, state, change: &change, found: &found, updated_at, plans, unmodified_since };
    let steps = edit.steps(call);
    if steps.is_empty() {
        return Ok((row, entry.links));
    }
    let written = commit::Change::new(steps, IssueRef { id: Some(row.id), iid: None }.query());
    // the batch expects only that the issue is still there and unmodified, and the caller may still edit it
    let refusal = |_: &Entry, now: Option<IssueRow>| {
        let changed = now.and_then(|now| expect_unmodified(call, &now).err());
        Ok(changed.unwrap_or_else(Error::no_record))
    };
    let written = call.commit(Ok(written), refusal).await?;
    Ok((written.row, entry.links))
}

/// [`Call::expect_unmodified`] with the time of the last change in the text of the error.
fn expect_unmodified(call: &Call<'_>, row: &IssueRow) -> Result<()> {
    call.expect_unmodified(row.updated_at).map_err(|_| {
        let at = time::utc(row.updated_at);
        let what = format!("the issue was changed at {at}, after the time of If-Unmodified-Since");
        Error::Refused(412, format!("412 Precondition Failed: {what}"))
    })
}

/// Returns 403 unless the caller has `EditAnyIssue` or is the author or the assignee.
fn editable(entry: &Entry, row: Option<IssueRow>) -> Result<IssueRow> {
    if !entry.resource.has_issues() {
        return Err(Error::FORBIDDEN);
    }
    let row = row.ok_or_else(Error::no_record)?;
    let may = entry.resource.may(Action::EditAnyIssue) || row.concerns(entry.caller()?.user.id);
    if may { Ok(row) } else { Err(Error::FORBIDDEN) }
}
