//! What a new issue is made of, and what is asked of an old one.

use crate::error::ValidationErrors;
use crate::params::{Parameters, Patch};
use crate::store::Value;
use crate::time;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Parameters of `POST /projects/:id/issues`.
#[derive(Debug, Parameters)]
pub struct NewIssue {
    #[param(default)]
    pub title: String,
    pub description: Option<String>,
    #[param(default)]
    pub confidential: bool,
    pub assignee_id: Option<i64>,
    pub milestone_id: Option<i64>,
    #[param(default)]
    pub labels: Vec<String>,
    pub created_at: Option<String>,
    pub due_date: Option<String>,
    /// The title of its milestone, in place of the id.
    #[param(skip)]
    pub milestone: Option<String>,
    #[param(skip)]
    pub discussion_locked: Option<bool>,
    /// Its number, from who may say so.
    #[param(skip)]
    pub number: Option<i64>,
}

impl NewIssue {
    /// The parameters as far as they can be judged alone; blanks around the title are cut.
    pub fn checked(mut self, errors: &mut ValidationErrors) -> NewIssue {
        self.title = self.title.trim().to_owned();
        if self.title.is_empty() && !errors.has("title") {
            errors.missing("title");
        }
        if self.due_date.as_deref().is_some_and(|date| time::date(date).is_none()) {
            errors.add("due_date", "is invalid");
        }
        self.labels = label_names(self.labels, errors);
        // 0 says none
        self.assignee_id = self.assignee_id.filter(|id| *id != 0);
        self.milestone_id = self.milestone_id.filter(|id| *id != 0);
        self
    }

    /// Its milestone as statements take it: the title or the id.
    pub fn milestone(&self) -> Value {
        self.milestone.as_deref().map_or(self.milestone_id.into(), Value::from)
    }
}

/// As many labels an issue can be given at once: each is rows to write.
const MOST_LABELS: usize = 500;

/// Names as a label may be called: tags stripped, blanks around cut, each once.
pub fn label_names(names: Vec<String>, errors: &mut ValidationErrors) -> Vec<String> {
    static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("<[^<>]*>").ok());
    let mut known = BTreeSet::new();
    for name in names {
        let bare = TAG.as_ref().map_or(name.as_str().into(), |tag| tag.replace_all(&name, ""));
        let bare = bare.trim();
        // no filter could name it
        if bare.contains(',') {
            errors.add("labels", "is invalid");
        }
        if !bare.is_empty() {
            known.insert(bare.to_owned());
        }
        if known.len() > MOST_LABELS {
            errors.add("labels", &format!("are too many (maximum is {MOST_LABELS})"));
            break;
        }
    }
    known.into_iter().collect()
}

/// Parameters of `PUT /projects/:id/issues/:issue_id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct EditIssue {
    pub title: Patch<String>,
    pub description: Patch<String>,
    pub confidential: Patch<bool>,
    pub assignee_id: Patch<i64>,
    pub milestone_id: Patch<i64>,
    pub labels: Patch<Vec<String>>,
    pub state_event: Option<StateEvent>,
    pub updated_at: Option<String>,
    pub due_date: Patch<String>,
    /// Put on and taken off after `labels`, in this order.
    #[param(skip)]
    pub add_labels: Vec<String>,
    #[param(skip)]
    pub remove_labels: Vec<String>,
    /// The title of the new milestone, in place of its id.
    #[param(skip)]
    pub milestone: Option<String>,
    #[param(skip)]
    pub discussion_locked: Option<bool>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
pub enum StateEvent {
    Close,
    Reopen,
}

impl EditIssue {
    /// The parameters as far as they can be judged alone.
    pub fn checked(mut self, errors: &mut ValidationErrors) -> EditIssue {
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

    /// Without what only reporters may change.
    pub fn without_planning(mut self) -> EditIssue {
        (self.assignee_id, self.milestone_id, self.labels) = (Patch::Keep, Patch::Keep, Patch::Keep);
        (self.add_labels, self.remove_labels, self.discussion_locked) = (Vec::new(), Vec::new(), None);
        self.milestone = None;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_name_is_trimmed_stripped_of_tags_and_taken_once() {
        let names = ["bug", " bug ", "", "<b>big</b>"].map(str::to_owned).to_vec();
        assert_eq!(label_names(names, &mut ValidationErrors::default()), ["big", "bug"]);
    }
}
