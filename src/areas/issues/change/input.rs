//! Checks the change of an issue, and works out which labels it moves.

use crate::areas::issues::record::{Change, ChangedFields, StateEvent};
use crate::areas::issues::texts::label_names;
use crate::areas::issues::{IssueRow, MilestoneRef};
use crate::kernel::gather::Gather;
use crate::kernel::time;
use crate::kernel::{Patch, ValidationErrors};
use std::collections::BTreeSet;

impl Change {
    pub(super) fn checked(mut self, errors: &mut ValidationErrors) -> Change {
        match &mut self.fields.title {
            Patch::Clear => errors.add("title", "can't be blank"),
            Patch::Set(title) => *title = title.trim().to_owned(),
            Patch::Keep => {}
        }
        if self.fields.due_date.set().is_some_and(|date| time::date(date).is_none()) {
            errors.add("due_date", "is invalid");
        }
        if let Patch::Set(names) = &mut self.fields.labels {
            *names = label_names(std::mem::take(names), errors);
        }
        self.add_labels = label_names(self.add_labels, errors);
        self.remove_labels = label_names(self.remove_labels, errors);
        self.join_labels();
        for id in [&mut self.fields.assignee_id, &mut self.fields.milestone_id] {
            if *id == Patch::Set(0) {
                *id = Patch::Clear;
            }
        }
        self
    }

    /// If the request sets all labels, they are also those that it adds, without those that it removes.
    pub(super) fn join_labels(&mut self) {
        if let Patch::Set(names) = &mut self.fields.labels {
            names.extend(std::mem::take(&mut self.add_labels));
            names.retain(|name| !self.remove_labels.contains(name));
            self.remove_labels.clear();
        }
    }

    /// Forgets the labels that the issue has already.
    pub(super) fn keep_same_labels(&mut self, row: &IssueRow) {
        if self.moved_labels(row).iter().all(Vec::is_empty) {
            self.fields.labels = Patch::Keep;
            (self.add_labels, self.remove_labels) = Default::default();
        }
    }

    /// The names of the labels that the change adds to the issue, and of those that it removes.
    pub(super) fn moved_labels<'a>(&'a self, row: &'a IssueRow) -> [Vec<&'a String>; 2] {
        let Change { fields: ChangedFields { labels, .. }, add_labels, remove_labels, .. } = self;
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
        let named = self.fields.labels.set().into_iter().flatten();
        let kept = row.labels.iter().filter(|name| self.fields.labels.is_keep() && !self.remove_labels.contains(*name));
        let added = self.add_labels.iter().filter(|name| !self.remove_labels.contains(*name));
        named.chain(kept).chain(added).gather::<BTreeSet<_>>().len()
    }

    pub(super) fn milestone(&self) -> MilestoneRef {
        match &self.milestone {
            Some(title) => MilestoneRef { id: None, title: Some(title.clone()) },
            None => MilestoneRef { id: self.fields.milestone_id.set().copied(), title: None },
        }
    }

    pub(super) fn state(&self, row: &IssueRow) -> Option<&'static str> {
        match self.fields.state_event {
            Some(StateEvent::Close) if row.state == "opened" => Some("closed"),
            Some(StateEvent::Reopen) if row.state == "closed" => Some("opened"),
            _ => None,
        }
    }
}
