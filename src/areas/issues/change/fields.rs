//! The changes of an issue that a request contains.

use crate::areas::issues::texts::label_names;
use crate::areas::issues::{IssueRow, MilestoneRef};
use crate::kernel::error::ValidationErrors;
use crate::kernel::params::{Parameters, Patch};
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

impl Change {
    pub(super) fn checked(mut self, errors: &mut ValidationErrors) -> Change {
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

    /// Drops values that the issue has already, so that a change of nothing writes nothing.
    pub(super) fn keep_same(&mut self, row: &IssueRow) {
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

    /// The names of the labels that the change adds to the issue, and of those that it removes.
    pub(super) fn moved_labels<'a>(&'a self, row: &'a IssueRow) -> [Vec<&'a String>; 2] {
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
    pub(super) fn labels_after(&self, row: &IssueRow) -> usize {
        let named = self.labels.set().into_iter().flatten();
        let kept = row.labels.iter().filter(|name| self.labels.is_keep() && !self.remove_labels.contains(*name));
        let added = self.add_labels.iter().filter(|name| !self.remove_labels.contains(*name));
        named.chain(kept).chain(added).collect::<BTreeSet<_>>().len()
    }

    pub(super) fn milestone(&self) -> MilestoneRef {
        match &self.milestone {
            Some(title) => MilestoneRef { id: None, title: Some(title.clone()) },
            None => MilestoneRef { id: self.milestone_id.set().copied(), title: None },
        }
    }

    /// Drops the fields that need `EditAnyIssue`.
    pub(super) fn without_planning(self) -> Change {
        let Change { title, description, confidential, state_event, updated_at, due_date, .. } = self;
        Change { title, description, confidential, state_event, updated_at, due_date, ..Change::default() }
    }

    pub(super) fn state(&self, row: &IssueRow) -> Option<&'static str> {
        match self.state_event {
            Some(StateEvent::Close) if row.state == "opened" => Some("closed"),
            Some(StateEvent::Reopen) if row.state == "closed" => Some("opened"),
            _ => None,
        }
    }
}
