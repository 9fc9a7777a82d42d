//! Edits an issue (behaviour 6.3). The edit and its system comments are one transaction.

use super::creation::least;
use super::texts::{MOST_LABELS_OF_ISSUE, label_names, mentions, too_many_labels};
use super::{IssueRef, IssueRow, MilestoneRef, References, writing};
use crate::areas::events::issue_changed;
use crate::kernel::call::commit;
use crate::kernel::call::{Call, Entry, Links};
use crate::kernel::error::{Error, Result, ValidationErrors};
use crate::kernel::params::{Parameters, Patch};
use crate::kernel::policy::{self, Action};
use crate::kernel::store::Statement;
use crate::kernel::time;
use serde_json::{Value, json};
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

struct Edit<'a> {
    row: &'a IssueRow,
    change: &'a Change,
    found: &'a References,
    state: Option<&'static str>,
    /// Milliseconds since 1970. None for the time of the request.
    updated_at: Option<i64>,
    plans: bool,
    unmodified_since: Option<i64>,
}

impl Edit<'_> {
    /// The steps of the transaction, empty if nothing changes.
    fn steps(&self, call: &Call<'_>) -> Vec<Statement> {
        let Change { title, description, assignee_id, milestone_id, .. } = self.change;
        let Change { labels, add_labels, remove_labels, .. } = self.change;
        let rewritten = !title.is_keep() || !description.is_keep();
        let relabeled = !labels.is_keep() || !add_labels.is_empty() || !remove_labels.is_empty();
        let settles = rewritten
            || relabeled
            || !assignee_id.is_keep()
            || !milestone_id.is_keep()
            || self.state == Some("closed");
        let further = !self.change.due_date.is_keep()
            || self.change.confidential.is_some()
            || self.change.discussion_locked.is_some();
        if !settles && !further && self.state.is_none() && self.updated_at.is_none() {
            return Vec::new();
        }
        let issue_id = self.row.id;
        let plans = self.plans.then(|| least(Action::EditAnyIssue));
        let mut steps: Vec<Statement> = vec![
            writing::expect_editable { issue_id, plans, unmodified_since: self.unmodified_since }.into(),
        ];
        if relabeled {
            steps.push(self.add_labels());
        }
        let (notes, events) = (self.notes(), self.events());
        let state = self.state.map(|state| if state == "closed" { "close" } else { "reopen" });
        let actions: Vec<&str> = state.into_iter().chain(["update"]).collect();
        let (before, after) = issue_changed(call, issue_id, &actions);
        steps.push(before);
        if !notes.is_empty() {
            steps.push(writing::add_system_notes { issue_id, notes: json!(notes).to_string() }.into());
        }
        if !events.is_empty() {
            steps.push(writing::add_events { issue_id, events: json!(events).to_string() }.into());
        }
        steps.push(self.update());
        if relabeled {
            steps.extend(self.relabel());
        }
        if rewritten {
            steps.extend(self.mention());
        }
        if settles {
            steps.push(writing::settle_todos { issue_id }.into());
        }
        if assignee_id.set().is_some_and(|id| Some(*id) != self.row.assignee_id) {
            steps.push(writing::add_todo_of_assignee { issue_id }.into());
        }
        steps.extend(after);
        steps.push(writing::written { issue_id }.into());
        steps
    }

    fn update(&self) -> Statement {
        let Change { title, description, assignee_id, milestone_id, due_date, .. } = self.change;
        writing::update {
            issue_id: self.row.id,
            updated_at: self.updated_at,
            title: title.set(),
            keeps_description: description.is_keep(),
            description: description.set(),
            confidential: self.change.confidential,
            keeps_assignee: assignee_id.is_keep(),
            assignee_id: assignee_id.set().copied(),
            keeps_milestone: milestone_id.is_keep(),
            milestone_id: milestone_id.set().copied(),
            keeps_due_date: due_date.is_keep(),
            due_date: due_date.set(),
            discussion_locked: self.change.discussion_locked,
            state: self.state,
        }
        .into()
    }

    /// The names of labels to put on the issue and to take off it: those, or all others.
    fn named_labels(&self) -> [String; 2] {
        let Change { labels, add_labels, remove_labels, .. } = self.change;
        let all = labels.set().cloned().unwrap_or_default();
        let (on, off) = if labels.is_keep() { (add_labels, remove_labels) } else { (&all, &all) };
        [on, off].map(|names| json!(names).to_string())
    }

    fn add_labels(&self) -> Statement {
        let [names, _] = self.named_labels();
        writing::add_labels { names, plans: least(Action::EditAnyIssue) }.into()
    }

    fn relabel(&self) -> [Statement; 2] {
        let labels = &self.change.labels;
        let [on, off] = self.named_labels();
        let (issue_id, plans) = (self.row.id, least(Action::EditAnyIssue));
        [
            // adds before it removes, so that the issue is never without labels in between
            writing::put_labels_on { issue_id, names: on, plans, most: 2 * MOST_LABELS_OF_ISSUE as i64 }
                .into(),
            writing::take_labels_off_but { issue_id, names: off, but: !labels.is_keep() }.into(),
        ]
    }

    /// Renews the participants that the texts mention. Adds to-do items for users that the old texts did not mention.
    fn mention(&self) -> Vec<Statement> {
        let Change { title, description, .. } = self.change;
        let (old_title, old_text) = (&self.row.title, self.row.description.as_deref());
        let text = if description.is_keep() { old_text } else { description.set().map(String::as_str) };
        let names = mentions(&[title.set().unwrap_or(old_title), text.unwrap_or_default()]);
        let before = mentions(&[old_title, old_text.unwrap_or_default()]);
        let added: Vec<&String> = names.iter().filter(|name| !before.contains(name)).collect();
        let (issue_id, confidential_level) = (self.row.id, policy::confidential_level());
        let mut steps: Vec<Statement> = vec![writing::leave { issue_id }.into()];
        if !names.is_empty() {
            let names = json!(names).to_string();
            steps.push(writing::take_part { issue_id, names, confidential_level }.into());
        }
        if !added.is_empty() {
            let names = json!(added).to_string();
            steps.push(writing::add_todos_of_mentioned { issue_id, names, confidential_level }.into());
        }
        steps
    }

    /// System comments in the original's words, as [`writing::add_system_notes`] takes them.
    fn notes(&self) -> Vec<Value> {
        let (row, change) = (self.row, self.change);
        let mut notes = Vec::new();
        if let Some(state) = self.state {
            let text = if state == "closed" { "closed" } else { "reopened" };
            let text = format!("Status changed to {text}");
            notes.push(json!({ "text": text, "has_event": true, "state": state }));
        }
        let mut add =
            |text: String, has_event: bool| notes.push(json!({ "text": text, "has_event": has_event }));
        if let Some(title) = change.title.set().filter(|title| **title != row.title) {
            add(format!("Changed title: **{}** → **{title}**", row.title), false);
        }
        match change.confidential {
            Some(true) if !row.confidential => add("Made the issue confidential".to_owned(), false),
            Some(false) if row.confidential => add("Made the issue visible".to_owned(), false),
            _ => {}
        }
        if !change.assignee_id.is_keep() && change.assignee_id.set().copied() != row.assignee_id {
            let name = self.found.assignee.as_ref().filter(|_| change.assignee_id != Patch::Clear);
            add(name.map_or("Assignee removed".to_owned(), |name| format!("Reassigned to @{name}")), false);
        }
        if self.milestones().is_some() {
            let iid = self.found.milestone_iid.filter(|_| change.milestone_id != Patch::Clear);
            let changed = |iid| format!("Milestone changed to %{iid}");
            add(iid.map_or("Milestone removed".to_owned(), changed), true);
        }
        let [on, off] = self.change.moved_labels(self.row);
        for (verb, names) in
            [("Added", on), ("Removed", off)].into_iter().filter(|(_, names)| !names.is_empty())
        {
            let plural = if names.len() == 1 { "label" } else { "labels" };
            let names: Vec<String> = names.iter().map(|name| format!("~\"{name}\"")).collect();
            add(format!("{verb} {} {plural}", names.join(" ")), true);
        }
        notes
    }

    /// As [`writing::add_events`] takes them.
    fn events(&self) -> Vec<Value> {
        let state = self.state.map(|state| {
            let action = if state == "closed" { "closed" } else { "reopened" };
            json!({ "kind": "state", "action": action, "state": state })
        });
        let [old, new] = self.milestones().unwrap_or_default();
        let milestones = [("remove", old), ("add", new)].into_iter();
        let milestone = |(action, id)| json!({ "kind": "milestone", "action": action, "milestone": id });
        let milestones = milestones.filter(|(_, id)| id.is_some()).map(milestone);
        let [on, off] = self.change.moved_labels(self.row);
        let labels = [("add", on), ("remove", off)].into_iter();
        let label = |action, name| json!({ "kind": "label", "action": action, "label": name });
        let labels =
            labels.flat_map(|(action, names)| names.into_iter().map(move |name| label(action, name)));
        state.into_iter().chain(milestones).chain(labels).collect()
    }

    /// The ids of the old and the new milestone, if they differ.
    fn milestones(&self) -> Option<[Option<i64>; 2]> {
        let old = self.row.milestone.as_ref().map(|milestone| milestone.id);
        let new = self.change.milestone_id.set().copied();
        (!self.change.milestone_id.is_keep() && old != new).then_some([old, new])
    }
}
