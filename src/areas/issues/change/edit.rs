//! The statements of an edited issue: the record, its labels, system comments, events and to-do items.

use crate::areas::events::issue_changed;
use crate::areas::issues::creation::least;
use crate::areas::issues::record::{Change, ChangedFields};
use crate::areas::issues::texts::{MOST_LABELS_OF_ISSUE, mentions, people};
use crate::areas::issues::times::{MOST_SECONDS, Times};
use crate::areas::issues::{IssueRow, References, writing};
use crate::kernel::policy;
use crate::kernel::{Action, Call, Patch, Statement};
use serde_json::{Value, json};

pub(super) struct Edit<'a> {
    pub row: &'a IssueRow,
    pub change: &'a Change,
    pub found: &'a References,
    pub state: Option<&'static str>,
    /// Milliseconds since 1970. None for the time of the request.
    pub updated_at: Option<i64>,
    pub plans: bool,
    pub unmodified_since: Option<i64>,
}

impl Edit<'_> {
    /// The steps of the transaction, empty if nothing changes.
    pub fn steps(&self, call: &Call<'_>) -> Vec<Statement> {
        let Change { fields, add_labels, remove_labels, .. } = self.change;
        let ChangedFields { title, description, assignee_id, milestone_id, labels, .. } = fields;
        let rewritten = !title.is_keep() || !description.is_keep();
        let relabeled = !labels.is_keep() || !add_labels.is_empty() || !remove_labels.is_empty();
        let settles =
            rewritten || relabeled || !assignee_id.is_keep() || !milestone_id.is_keep() || self.state == Some("closed");
        if !settles && !self.change.has_quiet_field() && self.state.is_none() && self.updated_at.is_none() {
            return Vec::new();
        }
        let issue_id = self.row.id;
        let plans = self.plans.then(|| least(Action::EditAnyIssue));
        let mut steps: Vec<Statement> =
            vec![writing::expect_editable { issue_id, plans, unmodified_since: self.unmodified_since }.into()];
        if let Some(Times::Spend(spent)) = self.change.times.iter().find(|times| matches!(times, Times::Spend(_))) {
            steps.push(writing::expect_time { issue_id, spent: *spent, most: MOST_SECONDS }.into());
        }
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
        steps.push(self.change.update(issue_id, self.state, self.updated_at));
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
        steps
    }

    /// The names of labels to add and to remove. If the request sets all labels, both lists have them: the others go.
    fn named_labels(&self) -> [String; 2] {
        let Change { fields: ChangedFields { labels, .. }, add_labels, remove_labels, .. } = self.change;
        let all = labels.set().cloned().unwrap_or_default();
        let (on, off) = if labels.is_keep() { (add_labels, remove_labels) } else { (&all, &all) };
        [on, off].map(|names| json!(names).to_string())
    }

    fn add_labels(&self) -> Statement {
        let [names, _] = self.named_labels();
        writing::add_labels { names, plans: least(Action::EditAnyIssue) }.into()
    }

    fn relabel(&self) -> [Statement; 2] {
        let labels = &self.change.fields.labels;
        let [on, off] = self.named_labels();
        let (issue_id, plans) = (self.row.id, least(Action::EditAnyIssue));
        [
            // adds before it removes, so that the issue is never without labels
            writing::put_labels_on { issue_id, names: on, plans, most: 2 * MOST_LABELS_OF_ISSUE as i64 }.into(),
            writing::take_labels_off_but { issue_id, names: off, but: !labels.is_keep() }.into(),
        ]
    }

    /// Renews the participants that the texts mention. Adds to-do items for users that the old texts did not mention.
    fn mention(&self) -> Vec<Statement> {
        let ChangedFields { title, description, .. } = &self.change.fields;
        let (old_title, old_text) = (&self.row.title, self.row.description.as_deref());
        let text = if description.is_keep() { old_text } else { description.set().map(String::as_str) };
        let text = text.unwrap_or_default();
        let names = mentions(&[title.set().unwrap_or(old_title), text]);
        let before = mentions(&[old_title, old_text.unwrap_or_default()]);
        let added: Vec<String> = names.iter().filter(|name| !before.contains(name)).cloned().collect();
        let (issue_id, confidential_level) = (self.row.id, policy::confidential_level());
        let mut steps: Vec<Statement> = vec![writing::leave { issue_id }.into()];
        if let Some(names) = people(&names, text) {
            steps.push(writing::take_part { issue_id, names, confidential_level }.into());
        }
        if let Some(names) = people(&added, text) {
            steps.push(writing::add_todos_of_mentioned { issue_id, names, confidential_level }.into());
        }
        steps
    }

    /// System comments with GitLab's texts, for [`writing::add_system_notes`].
    fn notes(&self) -> Vec<Value> {
        let (row, change) = (self.row, &self.change.fields);
        let mut notes = Vec::new();
        if let Some(state) = self.state {
            let text = if state == "closed" { "closed" } else { "reopened" };
            let text = format!("Status changed to {text}");
            notes.push(json!({ "text": text, "has_event": true, "state": state }));
        }
        let mut add = |text: String, has_event: bool| notes.push(json!({ "text": text, "has_event": has_event }));
        if let Some(title) = change.title.set().filter(|title| **title != row.title) {
            add(format!("Changed title: **{}** → **{title}**", row.title), false);
        }
        if let Some(confidential) = change.confidential {
            add(format!("Made the issue {}", if confidential { "confidential" } else { "visible" }), false);
        }
        for text in self.change.times.iter().filter_map(|times| times.comment_text(row.times())) {
            add(text, false);
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
        for (verb, names) in [("Added", on), ("Removed", off)].into_iter().filter(|(_, names)| !names.is_empty()) {
            let plural = if names.len() == 1 { "label" } else { "labels" };
            let names: Vec<String> = names.iter().map(|name| format!("~\"{name}\"")).collect();
            add(format!("{verb} {} {plural}", names.join(" ")), true);
        }
        notes
    }

    /// Events for [`writing::add_events`].
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
        let labels = labels.flat_map(|(action, names)| names.into_iter().map(move |name| label(action, name)));
        state.into_iter().chain(milestones).chain(labels).collect()
    }

    /// The ids of the old and the new milestone, if they differ.
    fn milestones(&self) -> Option<[Option<i64>; 2]> {
        let old = self.row.milestone.as_ref().map(|milestone| milestone.id);
        let new = self.change.fields.milestone_id.set().copied();
        (!self.change.fields.milestone_id.is_keep() && old != new).then_some([old, new])
    }
}
