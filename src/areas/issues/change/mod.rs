//! Edits an issue (behaviour 6.3). The edit and its system comments are one transaction.

mod edit;

use self::edit::Edit;
use super::texts::{MOST_LABELS_OF_ISSUE, label_names, too_many_labels};
use super::{IssueRef, IssueRow, MilestoneRef};
use crate::kernel::call::commit;
use crate::kernel::call::{Call, Entry, Links};
use crate::kernel::error::{Error, Result, ValidationErrors};
use crate::kernel::params::{Parameters, Patch};
use crate::kernel::policy::Action;
use crate::kernel::time;
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct Change {
    pub title: Patch<String>,
    pub description: Patch<String>,
    pub confidential: Option<bool>,
    pub assignee_id: Patch<i64>,
    pub milestone_id: Patch<i64>,
    pub milestone: Option<String>,
    pub labels: Patch<Vec<String>>,
    /// Added after `labels` is applied. `remove_labels` follows.
    pub add_labels: Vec<String>,
    pub remove_labels: Vec<String>,
    pub state_event: Option<StateEvent>,
    pub updated_at: Option<String>,
    pub due_date: Patch<String>,
    pub discussion_locked: Option<bool>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
pub enum StateEvent {
    Close,
    Reopen,
}

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
        (issue.query(), change.milestone().references(change.assignee_id.set().copied()))
    };
    let (_, entry, (row, found)) = call.authorize_with(issue, query).await?;
    let row = editable(&entry, row)?;
    let (mut change, mut errors) = input?;
    let found = found.unwrap_or_default();
    let plans = entry.resource.may(Action::EditAnyIssue);
    if plans {
        found.check(change.assignee_id.set().copied(), &change.milestone(), call.dialect, &mut errors);
        if change.labels_after(&row) > row.labels.len().max(MOST_LABELS_OF_ISSUE) {
            errors.add("labels", &too_many_labels());
        }
        if change.milestone.is_some() {
            change.milestone_id = found.milestone_id.map_or(Patch::Keep, Patch::Set);
        }
    } else {
        change = change.without_planning();
    }
    let updated_at = change.updated_at.as_deref().filter(|_| entry.resource.may(Action::SetTimes));
    let updated_at = errors.read_time("updated_at", updated_at);
    errors.result()?;
    expect_unmodified(call, &row)?;
    change.keep_same(&row);
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

/// [`Call::expect_unmodified`] with the time of the change in its text.
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

impl Change {
    fn checked(mut self, errors: &mut ValidationErrors) -> Change {
        match &mut self.title {
            Patch::Clear => errors.add("title", "can't be blank"),
            Patch::Set(title) => *title = title.trim().to_owned(),
            Patch::Keep => {}
        }
        if self.due_date.set().is_some_and(|date| time::date(date).is_none()) {
            errors.add("due_date", "is invalid");
        }
        if let Patch::Set(names) = &mut self.labels {
            *names = label_names(std::mem::take(names), errors);
        }
        self.add_labels = label_names(self.add_labels, errors);
        self.remove_labels = label_names(self.remove_labels, errors);
        if let Patch::Set(names) = &mut self.labels {
            names.extend(std::mem::take(&mut self.add_labels));
            names.retain(|name| !self.remove_labels.contains(name));
            self.remove_labels.clear();
        }
        for id in [&mut self.assignee_id, &mut self.milestone_id] {
            if *id == Patch::Set(0) {
                *id = Patch::Clear;
            }
        }
        self
    }

    /// Drops what the issue is already, so that a change of nothing writes nothing.
    fn keep_same(&mut self, row: &IssueRow) {
        let Change { title, description, confidential, assignee_id, milestone_id, due_date, .. } = self;
        title.keep_if(Some(&row.title));
        description.keep_if(row.description.as_ref());
        due_date.keep_if(row.due_date.as_ref());
        assignee_id.keep_if(row.assignee_id.as_ref());
        milestone_id.keep_if(row.milestone.as_ref().map(|milestone| &milestone.id));
        confidential.take_if(|value| *value == row.confidential);
        self.discussion_locked.take_if(|value| Some(i64::from(*value)) == row.discussion_locked);
        if self.moved_labels(row).iter().all(Vec::is_empty) {
            (self.labels, self.add_labels, self.remove_labels) = Default::default();
        }
    }

    /// The names of labels that the change puts on the issue and takes off it.
    fn moved_labels<'a>(&'a self, row: &'a IssueRow) -> [Vec<&'a String>; 2] {
        let Change { labels, add_labels, remove_labels, .. } = self;
        let (mut on, mut off) = (Vec::new(), Vec::new());
        if let Patch::Keep = labels {
            on.extend(add_labels.iter().filter(|name| !remove_labels.contains(name)));
            off.extend(remove_labels);
        } else {
            on.extend(labels.set().into_iter().flatten());
            off.extend(row.labels.iter().filter(|name| !on.contains(name)));
        }
        on.retain(|name| !row.labels.contains(*name));
        off.retain(|name| row.labels.contains(*name));
        [on, off]
    }

    /// How many labels the issue has after the change.
    fn labels_after(&self, row: &IssueRow) -> usize {
        let named = self.labels.set().into_iter().flatten();
        let kept =
            row.labels.iter().filter(|name| self.labels.is_keep() && !self.remove_labels.contains(*name));
        let added = self.add_labels.iter().filter(|name| !self.remove_labels.contains(*name));
        named.chain(kept).chain(added).collect::<BTreeSet<_>>().len()
    }

    fn milestone(&self) -> MilestoneRef {
        match &self.milestone {
            Some(title) => MilestoneRef { id: None, title: Some(title.clone()) },
            None => MilestoneRef { id: self.milestone_id.set().copied(), title: None },
        }
    }

    /// Drops the fields that need `EditAnyIssue`.
    fn without_planning(self) -> Change {
        let Change { title, description, confidential, state_event, updated_at, due_date, .. } = self;
        Change { title, description, confidential, state_event, updated_at, due_date, ..Change::default() }
    }

    fn state(&self, row: &IssueRow) -> Option<&'static str> {
        match self.state_event {
            Some(StateEvent::Close) if row.state == "opened" => Some("closed"),
            Some(StateEvent::Reopen) if row.state == "closed" => Some("opened"),
            _ => None,
        }
    }
}
