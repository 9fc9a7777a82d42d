use crate::areas::issues::change::{Change, StateEvent};
use crate::areas::issues::creation::{Draft, IssueParams};
use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result, ValidationErrors};
use crate::kernel::params::{Parameters, Patch, RecordId};
use crate::kernel::time::day_of;

#[derive(Debug, Parameters)]
pub struct Creation {
    title: String,
    #[param(flatten)]
    given: IssueParams,
    assignee_ids: Option<Vec<i64>>,
    milestone: Option<String>,
    #[param(default)]
    add_labels: Vec<String>,
    #[param(default)]
    remove_labels: Vec<String>,
    discussion_locked: Option<bool>,
    iid: Option<i64>,
    #[param(rename = "issue_type")]
    _kind: Option<Kind>,
}

#[derive(Debug, Parameters)]
#[param(rename_all = "lowercase")]
enum Kind {
    Issue,
}

const NUMBERS: std::ops::RangeInclusive<i64> = 1..=i32::MAX as i64;

impl Creation {
    pub fn read(call: &Call<'_>) -> Result<(Draft, ValidationErrors)> {
        let (new, mut errors) = call.creation_and_errors::<Creation>()?;
        let Creation { title, mut given, milestone, discussion_locked, iid, .. } = new;
        call.params()?.refuse_blank(&["confidential"])?;
        one_milestone(given.milestone_id.is_some(), milestone.is_some())?;
        if iid.is_some_and(|iid| !NUMBERS.contains(&iid)) {
            errors.add("iid", "is invalid");
        }
        given.assignee_id = new.assignee_ids.map_or(given.assignee_id, first);
        given.labels.extend(new.add_labels);
        given.labels.retain(|name| !new.remove_labels.contains(name));
        given.due_date = given.due_date.map(day_of);
        Ok((Draft { title, given, milestone, discussion_locked, iid }, errors))
    }
}

fn one_milestone(by_id: bool, by_title: bool) -> Result<()> {
    if by_id && by_title {
        return Err(Error::framework("milestone_id, milestone are mutually exclusive"));
    }
    Ok(())
}

/// Only the first user is assigned. 0 means nobody.
fn first(ids: Vec<i64>) -> Option<i64> {
    ids.first().copied().filter(|id| *id != 0)
}

#[derive(Debug, Parameters)]
pub struct Edit {
    title: Patch<String>,
    description: Patch<String>,
    confidential: Patch<bool>,
    assignee_id: Patch<i64>,
    assignee_ids: Patch<Vec<i64>>,
    milestone_id: Patch<i64>,
    milestone: Patch<String>,
    labels: Patch<Vec<String>>,
    add_labels: Option<Vec<String>>,
    remove_labels: Option<Vec<String>>,
    due_date: Patch<String>,
    discussion_locked: Option<bool>,
    state_event: Option<StateEvent>,
    updated_at: Patch<String>,
    #[param(rename = "issue_type")]
    _kind: Option<Kind>,
}

const FIELDS: &str = "assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, \
    due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, issue_type";

impl Edit {
    pub fn read(call: &Call<'_>) -> Result<(Change, ValidationErrors)> {
        let (edit, errors) = call.edit_and_errors::<Edit>()?;
        let params = call.params()?;
        params.refuse_blank(&["confidential", "updated_at"])?;
        one_milestone(!edit.milestone_id.is_keep(), !edit.milestone.is_keep())?;
        if edit.milestone.is_keep() {
            params.require_one_of(&FIELDS.split(", ").collect::<Vec<&str>>())?;
        }
        let milestone_id = if edit.milestone == Patch::Clear { Patch::Clear } else { edit.milestone_id };
        let assignee_id = match edit.assignee_ids {
            Patch::Keep => edit.assignee_id,
            Patch::Clear => Patch::Clear,
            Patch::Set(ids) => first(ids).map_or(Patch::Clear, Patch::Set),
        };
        let change = Change {
            title: edit.title,
            description: edit.description,
            confidential: edit.confidential.set().copied(),
            assignee_id,
            milestone_id,
            milestone: edit.milestone.set().cloned(),
            labels: edit.labels,
            state_event: edit.state_event,
            updated_at: edit.updated_at.set().cloned(),
            due_date: edit.due_date.map(day_of),
            add_labels: edit.add_labels.unwrap_or_default(),
            remove_labels: edit.remove_labels.unwrap_or_default(),
            discussion_locked: edit.discussion_locked,
        };
        Ok((change, errors))
    }
}

#[derive(Debug, Parameters)]
pub struct ShowParams {
    pub with_labels_details: Option<bool>,
}

#[derive(Debug, Parameters)]
pub struct Target {
    pub to_project_id: RecordId,
    /// Only the request that clones an issue reads it.
    #[param(default)]
    pub with_notes: bool,
}
