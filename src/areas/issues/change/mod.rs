//! Edits an issue (behaviour 6.3). The edit and its system comments are one transaction.

mod edit;
mod input;

use self::edit::Edit;
use super::commands::{self, Command, Outcome, Target};
use super::record::{Change, Named, References};
use super::texts::{MOST_LABELS_OF_ISSUE, too_many_labels};
use super::{IssueRef, IssueRow, sql, writing};
use crate::kernel::call::commit;
use crate::kernel::time;
use crate::kernel::{Action, Call, Entry, Error, Links, Patch, Result, Statement, ValidationErrors};

pub async fn change(
    call: &Call<'_>,
    issue: Result<IssueRef>,
    input: Result<(Change, ValidationErrors)>,
) -> Result<(IssueRow, Links)> {
    let mut commands = Vec::new();
    let input = input.map(|(mut change, mut errors)| {
        let text = change.fields.description.set();
        if let Some((rest, found)) = text.and_then(|text| commands::split(text, call.dialect)) {
            change.fields.description = if rest.is_empty() { Patch::Clear } else { Patch::Set(rest) };
            commands = found;
        }
        (change.checked(&mut errors), errors)
    });
    let query = |issue: &IssueRef| {
        // 404 comes before input errors, so an invalid edit needs a query as well
        let nothing = Change::default();
        let change = input.as_ref().map_or(&nothing, |(change, _)| change);
        let references = change.milestone().references(change.fields.assignee_id.set().copied());
        let named = (!commands.is_empty()).then(|| commands::query(&commands, Some(*issue)));
        (issue.query(), references, named)
    };
    let (_, entry, (row, found, named)) = call.authorize_with(issue, query).await?;
    let row = editable(&entry, row)?;
    let revision = Revision { commands: &commands, named: named.flatten(), unmodified_since: call.unmodified_since() };
    let (mut steps, _) = revision.steps(call, &entry, &row, input?, found.unwrap_or_default())?;
    if steps.is_empty() {
        return Ok((row, entry.links));
    }
    steps.push(writing::written { issue_id: row.id }.into());
    let written = commit::Change::new(steps, IssueRef { id: Some(row.id), iid: None }.query());
    // the batch expects only that the issue is still there and unmodified, and the caller may still edit it
    let refusal = |_: &Entry, now: Option<IssueRow>| {
        let changed = now.and_then(|now| expect_unmodified(call, &now).err());
        Ok(changed.unwrap_or_else(Error::no_record))
    };
    let written = call.commit(Ok(written), refusal).await?;
    Ok((written.row, entry.links))
}

/// What a change has besides its fields.
#[derive(Default)]
pub struct Revision<'a> {
    pub commands: &'a [Command],
    pub named: Option<Named>,
    pub unmodified_since: Option<i64>,
}

impl Revision<'_> {
    /// The steps of the transaction, empty if nothing changes, and what the commands do in it.
    pub fn steps(
        self,
        call: &Call<'_>,
        entry: &Entry,
        row: &IssueRow,
        (mut change, mut errors): (Change, ValidationErrors),
        mut found: References,
    ) -> Result<(Vec<Statement>, Outcome)> {
        let Revision { commands, named, unmodified_since } = self;
        let plans = entry.resource.may(Action::EditAnyIssue);
        if plans {
            found.check(change.fields.assignee_id.set().copied(), &change.milestone(), call.dialect, &mut errors);
            if change.milestone.is_some() {
                change.fields.milestone_id = found.milestone_id.map_or(Patch::Keep, Patch::Set);
            }
        } else {
            change = change.without_planning();
        }
        let outcome = Target::new(call, entry, Some(row), named)?.apply(commands, &mut change, &mut found);
        change.join_labels();
        if plans && change.labels_after(row) > row.labels.len().max(MOST_LABELS_OF_ISSUE) {
            errors.add("labels", &too_many_labels());
        }
        let updated_at =
            change.fields.updated_at.set().map(String::as_str).filter(|_| entry.resource.may(Action::SetTimes));
        let updated_at = errors.read_time("updated_at", updated_at);
        errors.result()?;
        if unmodified_since.is_some() {
            expect_unmodified(call, row)?;
        }
        change.keep_same(row);
        change.keep_same_labels(row);
        let state = change.state(row);
        let edit = Edit { row, state, change: &change, found: &found, updated_at, plans, unmodified_since };
        let mut steps = edit.steps(call);
        let (issue_id, user_id, now) = (row.id, entry.caller()?.user.id, call.now);
        match change.todo {
            Some(true) => steps.push(writing::mark_todo { user_id, issue_id, now }.into()),
            Some(false) => steps.push(writing::settle_todos { issue_id }.into()),
            None => {}
        }
        let subscribe = |subscribed| sql::subscribe { issue_id, user_id, subscribed }.into();
        steps.extend(change.subscribed.map(subscribe));
        Ok((steps, outcome))
    }
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
