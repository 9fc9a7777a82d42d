//! What an edit of an issue writes: one transaction of statements, and the notes that tell of it (behaviour 6.3).

use super::input::{EditIssue, StateEvent};
use super::sql::IssueRow;
use super::{mentions, sql, words};
use crate::params::Patch;
use crate::policy::confidential_level;
use crate::store::{Statement, Value, sql};
use serde_json::json;

/// What an edit changes of the issue as it was found.
pub(super) struct Change<'a> {
    row: &'a IssueRow,
    edit: EditIssue,
    user_id: i64,
    /// The new state, where it is another.
    state: Option<&'static str>,
    updated_at: Option<i64>,
    now: i64,
}

impl<'a> Change<'a> {
    /// `updated_at`: the time that the edit is dated to.
    pub fn new(
        row: &'a IssueRow,
        edit: EditIssue,
        updated_at: Option<i64>,
        user_id: i64,
        now: i64,
    ) -> Change<'a> {
        let state = match edit.state_event {
            Some(StateEvent::Close) if row.state == "opened" => Some("closed"),
            Some(StateEvent::Reopen) if row.state == "closed" => Some("opened"),
            _ => None,
        };
        Change { row, edit, user_id, state, updated_at, now }
    }

    /// Nothing if nothing changes; else the transaction, whose last statement is the issue as it became.
    pub fn statements(&self) -> Vec<Statement> {
        let edit = &self.edit;
        let fields = !edit.title.is_keep()
            || !edit.description.is_keep()
            || edit.confidential.set().is_some()
            || !edit.assignee_id.is_keep()
            || !edit.milestone_id.is_keep()
            || !edit.due_date.is_keep()
            || edit.discussion_locked.is_some();
        let relabeled =
            !edit.labels.is_keep() || !edit.add_labels.is_empty() || !edit.remove_labels.is_empty();
        if !fields && !relabeled && self.state.is_none() && self.updated_at.is_none() {
            return Vec::new();
        }
        let mut batch = Vec::from_iter(self.note_state());
        batch.push(self.update());
        if relabeled {
            batch.extend(self.relabel());
        }
        batch.extend(self.mentions());
        let notes = self.notes();
        if !notes.is_empty() {
            batch.push(sql!(
                sql::edit::ADD_SYSTEM_NOTES,
                self.row.id,
                self.user_id,
                json!(notes).to_string(),
                self.now
            ));
        }
        batch.extend(self.todos(relabeled));
        batch.push(sql!(sql::edit::RESULT, self.row.id, self.user_id, confidential_level()));
        batch
    }

    fn update(&self) -> Statement {
        let edit = &self.edit;
        let flag = |keep: bool| Value::from(!keep);
        sql!(
            sql::edit::UPDATE,
            self.row.id,
            self.updated_at.unwrap_or(self.now),
            edit.title.set().map(String::as_str),
            flag(edit.description.is_keep()),
            edit.description.set().map(String::as_str),
            edit.confidential.set().copied(),
            flag(edit.assignee_id.is_keep()),
            edit.assignee_id.set().copied(),
            flag(edit.milestone_id.is_keep()),
            edit.milestone_id.set().copied(),
            flag(edit.due_date.is_keep()),
            edit.due_date.set().map(String::as_str),
            self.state,
            self.user_id,
            edit.discussion_locked,
            words::column(self.title(), self.description()).to_string(),
        )
    }

    fn relabel(&self) -> Vec<Statement> {
        let EditIssue { labels, add_labels, remove_labels, .. } = &self.edit;
        // all but these, or these
        let (on, off, all_but) = match labels {
            Patch::Keep => (json!(add_labels), json!(remove_labels), 0),
            labels => (json!(labels.set().cloned().unwrap_or_default()), json!([]), 1),
        };
        let on = on.to_string();
        let off = if all_but == 1 { on.clone() } else { off.to_string() };
        vec![
            sql!(sql::NEW_LABELS, self.row.project_id, on.as_str(), self.now),
            // on before off, so that it is not without labels in between
            sql!(sql::edit::LABEL, self.row.id, on.as_str()),
            sql!(sql::edit::UNLABEL, self.row.id, off, all_but),
        ]
    }

    /// The title after the edit.
    fn title(&self) -> &str {
        self.edit.title.set().map_or(self.row.title.as_str(), String::as_str)
    }

    /// The description after it.
    fn description(&self) -> Option<&str> {
        match &self.edit.description {
            Patch::Keep => self.row.description.as_deref(),
            Patch::Clear => None,
            Patch::Set(text) => Some(text),
        }
    }

    /// Who is mentioned in the issue's own texts, after these changed; and todos for those who are new.
    fn mentions(&self) -> Vec<Statement> {
        if self.edit.title.is_keep() && self.edit.description.is_keep() {
            return Vec::new();
        }
        let names = mentions(&[self.title(), self.description().unwrap_or_default()]);
        let was = mentions(&[&self.row.title, self.row.description.as_deref().unwrap_or_default()]);
        let fresh: Vec<&String> = names.iter().filter(|name| !was.contains(name)).collect();
        let mut batch = vec![sql!(sql::LEAVE, self.row.id)];
        if !names.is_empty() {
            batch.push(sql!(sql::TAKE_PART, self.row.id, json!(names).to_string(), confidential_level()));
        }
        if !fresh.is_empty() {
            let fresh = json!(fresh).to_string();
            batch.push(sql!(
                sql::TODO_MENTIONED,
                self.row.id,
                fresh,
                self.user_id,
                self.now,
                confidential_level()
            ));
        }
        batch
    }

    /// The texts of system notes about the changes, as the original wrote them.
    fn notes(&self) -> Vec<String> {
        let (row, edit, mut notes) = (self.row, &self.edit, Vec::new());
        if let Some(title) = edit.title.set().filter(|title| **title != row.title) {
            notes.push(format!("Changed title: **{}** → **{title}**", row.title));
        }
        match edit.confidential.set() {
            Some(true) if !row.confidential => notes.push("Made the issue confidential".to_owned()),
            Some(false) if row.confidential => notes.push("Made the issue visible".to_owned()),
            _ => {}
        }
        // `{assignee}` and `{milestone}` are named by the statement, which knows them
        if edit.assignee_id.set().copied() != row.assignee_id && !edit.assignee_id.is_keep() {
            let removed = edit.assignee_id == Patch::Clear;
            notes.push(if removed { "Assignee removed" } else { "Reassigned to @{assignee}" }.to_owned());
        }
        if edit.milestone_id.set().copied() != row.milestone.as_ref().map(|milestone| milestone.id)
            && !edit.milestone_id.is_keep()
        {
            let removed = edit.milestone_id == Patch::Clear;
            notes.push(
                if removed { "Milestone removed" } else { "Milestone changed to %{milestone}" }.to_owned(),
            );
        }
        if !edit.labels.is_keep() {
            let names = edit.labels.set().cloned().unwrap_or_default();
            notes.extend(about_labels("Added", names.iter().filter(|name| !row.labels.contains(*name))));
            notes.extend(about_labels("Removed", row.labels.iter().filter(|name| !names.contains(name))));
        } else {
            let on = |name: &&String| row.labels.contains(*name);
            let (add, remove) = (edit.add_labels.iter(), edit.remove_labels.iter());
            notes.extend(about_labels(
                "Added",
                add.filter(|name| !on(name) && !edit.remove_labels.contains(name)),
            ));
            notes.extend(about_labels("Removed", remove.filter(on)));
        }
        notes
    }

    /// The note about a new state: of several who close at once, one did.
    fn note_state(&self) -> Option<Statement> {
        let state = self.state?;
        let text = if state == "closed" { "Status changed to closed" } else { "Status changed to reopened" };
        Some(sql!(sql::edit::NOTE_STATE, self.row.id, self.user_id, text, self.now, state))
    }

    fn todos(&self, relabeled: bool) -> Vec<Statement> {
        let edit = &self.edit;
        let settles = relabeled
            || self.state == Some("closed")
            || !(edit.title.is_keep()
                && edit.description.is_keep()
                && edit.assignee_id.is_keep()
                && edit.milestone_id.is_keep());
        let mut batch = Vec::new();
        if settles {
            batch.push(sql!(sql::SETTLE_TODOS, self.row.id, self.user_id, self.now));
        }
        let was = self.row.assignee_id;
        if let Some(assignee_id) = edit.assignee_id.set().copied().filter(|id| Some(*id) != was) {
            batch.push(sql!(sql::TODO_ASSIGNED, self.row.id, self.user_id, assignee_id, self.now));
        }
        batch
    }
}

fn about_labels<'a>(verb: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("~\"{name}\"")).collect();
    let plural = if names.len() == 1 { "label" } else { "labels" };
    (!names.is_empty()).then(|| format!("{verb} {} {plural}", names.join(" ")))
}
