//! The record of an issue: its row, the fields that a request sets, and the statements that read and write it. A field
//! that both APIs take and show under one name, in one form, is a line in [`PlainFields`], [`NewFields`] and
//! [`ChangedFields`]; one of v4 alone is in [`Draft`] and [`Change`].

use super::times::Times;
use crate::kernel::answers::person::UserRow;
use crate::kernel::time;
use crate::kernel::{Parameters, Patch, Row, Statement};
use serde::Serialize;
use std::collections::BTreeSet;

edgeforge_row::statements!(pub mod sql: "src/areas/issues/issues.sql");

edgeforge_row::statements!(pub mod writing: "src/areas/issues/writing.sql");

/// A row of the view `issue_rows`. `subscribed`, `moved_to_id` and `blocking` depend on the caller.
#[derive(Debug, Clone, Row)]
pub struct IssueRow {
    pub id: i64,
    pub iid: i64,
    pub project_id: i64,
    pub full_path: String,
    pub title: String,
    pub description: Option<String>,
    pub state: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub labels: BTreeSet<String>,
    #[row(json)]
    pub milestone: Option<MilestoneRow>,
    /// Author, assignee and closer, each once.
    people: Vec<UserRow>,
    pub author_id: i64,
    pub assignee_id: Option<i64>,
    pub subscribed: bool,
    pub user_notes_count: i64,
    #[row(flatten)]
    pub plain: PlainFields,
    /// None if the issue is open or the time is unknown.
    pub closed_at: Option<i64>,
    pub closed_by_id: Option<i64>,
    /// 1 if only members may comment. None if never set.
    pub discussion_locked: Option<i64>,
    /// The issue that a move created, if the caller sees it.
    pub moved_to_id: Option<i64>,
    pub upvotes: i64,
    pub downvotes: i64,
    /// Seconds.
    pub time_estimate: i64,
    pub time_spent: i64,
    /// The number of open issues that this one blocks and the caller sees.
    pub blocking: i64,
}

impl IssueRow {
    pub fn concerns(&self, user_id: i64) -> bool {
        self.author_id == user_id || self.assignee_id == Some(user_id)
    }

    /// The estimate and the time spent.
    pub fn times(&self) -> [i64; 2] {
        [self.time_estimate, self.time_spent]
    }

    fn person(&self, id: Option<i64>) -> Option<UserRow> {
        self.people.iter().find(|user| Some(user.id) == id).cloned()
    }

    pub fn author(&self) -> UserRow {
        self.person(Some(self.author_id)).unwrap_or_default()
    }

    pub fn assignee(&self) -> Option<UserRow> {
        self.person(self.assignee_id)
    }

    pub fn closed_by(&self) -> Option<UserRow> {
        self.person(self.closed_by_id)
    }
}

/// The fields that answers show as they are stored, next to each other.
#[derive(Debug, Clone, Row, Serialize)]
pub struct PlainFields {
    pub due_date: Option<String>,
    pub confidential: bool,
}

/// The parameters of both APIs for a new issue.
#[derive(Debug, Default, Parameters)]
#[param(default)]
pub struct NewFields {
    pub description: Option<String>,
    pub confidential: bool,
    pub assignee_id: Option<i64>,
    pub milestone_id: Option<i64>,
    pub labels: Vec<String>,
    pub created_at: Option<String>,
    pub due_date: Option<String>,
}

/// The parameters of both APIs for a change.
#[derive(Debug, Default, Parameters)]
pub struct ChangedFields {
    pub title: Patch<String>,
    pub description: Patch<String>,
    pub confidential: Option<bool>,
    pub assignee_id: Patch<i64>,
    pub milestone_id: Patch<i64>,
    pub labels: Patch<Vec<String>>,
    pub state_event: Option<StateEvent>,
    pub updated_at: Patch<String>,
    pub due_date: Patch<String>,
}

/// A change in v4 has one of these, and is refused with their names if it has none.
pub const CHANGEABLE: &str = "assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, \
    due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, issue_type";

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum StateEvent {
    Close,
    Reopen,
}

/// A new issue, as either API makes it of its parameters.
#[derive(Debug, Default)]
pub struct Draft {
    pub title: String,
    pub fields: NewFields,
    pub milestone: Option<String>,
    pub discussion_locked: Option<bool>,
    /// Ignored unless the caller may set times.
    pub iid: Option<i64>,
    /// Of commands of the description.
    pub times: Vec<Times>,
}

impl Draft {
    /// `plans` and `sets_times` are the levels that may set the fields which not everybody may set.
    pub(super) fn insert(&self, plans: i64, sets_times: i64) -> Statement {
        let Draft { title, fields, milestone, discussion_locked, iid, times } = self;
        let (estimate, spent) = sums(times);
        writing::create {
            plans,
            sets_times,
            iid: *iid,
            assignee_id: fields.assignee_id,
            milestone_id: fields.milestone_id,
            milestone: milestone.as_deref(),
            title: title.as_str(),
            description: fields.description.as_deref(),
            confidential: fields.confidential,
            due_date: fields.due_date.as_deref(),
            created_at: fields.created_at.as_deref().and_then(time::read),
            discussion_locked: *discussion_locked,
            estimate: estimate.unwrap_or_default(),
            spent: spent.unwrap_or_default(),
        }
        .into()
    }
}

/// The change of an issue, as either API makes it of its parameters.
#[derive(Debug, Default)]
pub struct Change {
    pub fields: ChangedFields,
    pub milestone: Option<String>,
    /// Added after `labels` is applied. `remove_labels` follows.
    pub add_labels: Vec<String>,
    pub remove_labels: Vec<String>,
    pub discussion_locked: Option<bool>,
    /// One of each kind at most.
    pub times: Vec<Times>,
    /// Whether the caller gets a to-do item, or has done theirs.
    pub todo: Option<bool>,
    pub subscribed: Option<bool>,
}

/// The new estimate, if there is one, and the seconds to add to the time spent. None to remove all time spent.
fn sums(times: &[Times]) -> (Option<i64>, Option<i64>) {
    let estimate = times.iter().find(|times| matches!(times, Times::Estimate(_)));
    let spent: i64 = times.iter().filter(|times| matches!(times, Times::Spend(_))).map(|times| times.seconds()).sum();
    (estimate.map(|times| times.seconds()), (!times.contains(&Times::ResetSpent)).then_some(spent))
}

impl Change {
    /// Drops values that the issue has already, so that a change of nothing writes nothing. Labels are compared apart.
    pub(super) fn keep_same(&mut self, row: &IssueRow) {
        let ChangedFields { title, description, confidential, assignee_id, milestone_id, due_date, .. } =
            &mut self.fields;
        title.keep_if(Some(&row.title));
        description.keep_if(row.description.as_ref());
        due_date.keep_if(row.plain.due_date.as_ref());
        assignee_id.keep_if(row.assignee_id.as_ref());
        milestone_id.keep_if(row.milestone.as_ref().map(|milestone| &milestone.id));
        confidential.take_if(|value| *value == row.plain.confidential);
        self.discussion_locked.take_if(|value| Some(i64::from(*value)) == row.discussion_locked);
        self.times.retain(|times| times.comment_text(row.times()).is_some());
    }

    /// Whether the change has a field that settles no to-do item.
    pub(super) fn has_quiet_field(&self) -> bool {
        let ChangedFields { confidential, due_date, .. } = &self.fields;
        !due_date.is_keep() || confidential.is_some() || self.discussion_locked.is_some() || !self.times.is_empty()
    }

    /// Only the fields that an author or assignee without `EditAnyIssue` may change.
    pub(super) fn without_planning(self) -> Change {
        let ChangedFields { title, description, confidential, state_event, updated_at, due_date, .. } = self.fields;
        let further = ChangedFields::default();
        let fields = ChangedFields { title, description, confidential, state_event, updated_at, due_date, ..further };
        Change { fields, ..Change::default() }
    }

    /// `updated_at`: milliseconds since 1970. None for the time of the request.
    pub(super) fn update(&self, issue_id: i64, state: Option<&'static str>, updated_at: Option<i64>) -> Statement {
        let ChangedFields { title, description, confidential, assignee_id, milestone_id, due_date, .. } = &self.fields;
        let (estimate, spent) = sums(&self.times);
        writing::update {
            issue_id,
            updated_at,
            title: title.set(),
            keeps_description: description.is_keep(),
            description: description.set(),
            confidential: *confidential,
            keeps_assignee: assignee_id.is_keep(),
            assignee_id: assignee_id.set().copied(),
            keeps_milestone: milestone_id.is_keep(),
            milestone_id: milestone_id.set().copied(),
            keeps_due_date: due_date.is_keep(),
            due_date: due_date.set(),
            discussion_locked: self.discussion_locked,
            estimate,
            spent,
            state,
        }
        .into()
    }
}

/// A row if the issue exists.
#[derive(Debug, Row)]
pub struct FoundIssue {}

/// A row of the view `milestone_rows`, and the form of v3.
#[derive(Debug, Clone, Row, Serialize)]
pub struct MilestoneRow {
    pub id: i64,
    pub iid: i64,
    pub project_id: i64,
    pub title: String,
    pub description: Option<String>,
    pub state: String,
    #[serde(serialize_with = "time::as_utc")]
    pub created_at: i64,
    #[serde(serialize_with = "time::as_utc")]
    pub updated_at: i64,
    pub due_date: Option<String>,
    #[serde(skip)]
    pub start_date: Option<String>,
}

/// What there is of what commands name: users who see the project, labels and milestones.
#[derive(Debug, Default, Row)]
pub struct Named {
    pub people: Vec<(String, i64)>,
    pub labels: Vec<(String, i64)>,
    pub milestones: Vec<(i64, i64, String)>,
    /// Whether the caller has a pending to-do item on the issue.
    pub has_todo: bool,
}

/// The assignee and the milestone that a request names, if they exist.
#[derive(Debug, Row, Default)]
pub struct References {
    /// The user name. None if the user cannot be the assignee.
    pub assignee: Option<String>,
    pub milestone_id: Option<i64>,
    pub milestone_iid: Option<i64>,
}
