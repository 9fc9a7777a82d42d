use crate::areas::issues::record::{CHANGEABLE, Change, ChangedFields, Draft, NewFields};
use crate::kernel::params::RecordId;
use crate::kernel::time::day_of;
use crate::kernel::{Call, Error, Parameters, Patch, Result, ValidationErrors};

#[derive(Debug, Parameters)]
pub struct Creation {
    title: String,
    #[param(flatten)]
    fields: NewFields,
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
enum Kind {
    Issue,
}

/// The numbers that an issue may come with. They leave room for later ones, of which a path names 15 digits.
pub const NUMBERS: std::ops::RangeInclusive<i64> = 1..=i32::MAX as i64;

impl Creation {
    pub fn read(call: &Call<'_>) -> Result<(Draft, ValidationErrors)> {
        let (new, mut errors) = call.creation_and_errors::<Creation>()?;
        let Creation { title, mut fields, milestone, discussion_locked, iid, .. } = new;
        call.params()?.refuse_blank(&["confidential"])?;
        one_milestone(fields.milestone_id.is_some(), milestone.is_some())?;
        if iid.is_some_and(|iid| !NUMBERS.contains(&iid)) {
            errors.add("iid", "is invalid");
        }
        fields.assignee_id = new.assignee_ids.map_or(fields.assignee_id, first);
        fields.labels.extend(new.add_labels);
        fields.labels.retain(|name| !new.remove_labels.contains(name));
        fields.due_date = fields.due_date.map(day_of);
        Ok((Draft { title, fields, milestone, discussion_locked, iid, times: Vec::new() }, errors))
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
    #[param(flatten)]
    fields: ChangedFields,
    assignee_ids: Patch<Vec<i64>>,
    milestone: Patch<String>,
    add_labels: Option<Vec<String>>,
    remove_labels: Option<Vec<String>>,
    discussion_locked: Option<bool>,
    #[param(rename = "issue_type")]
    _kind: Option<Kind>,
}

impl Edit {
    pub fn read(call: &Call<'_>) -> Result<(Change, ValidationErrors)> {
        let (edit, errors) = call.edit_and_errors::<Edit>()?;
        let params = call.params()?;
        params.refuse_blank(&["confidential", "updated_at"])?;
        let mut fields = edit.fields;
        one_milestone(!fields.milestone_id.is_keep(), !edit.milestone.is_keep())?;
        if edit.milestone.is_keep() {
            params.require_one_of(&CHANGEABLE.split(", ").collect::<Vec<&str>>())?;
        }
        if edit.milestone == Patch::Clear {
            fields.milestone_id = Patch::Clear;
        }
        match edit.assignee_ids {
            Patch::Keep => {}
            Patch::Clear => fields.assignee_id = Patch::Clear,
            Patch::Set(ids) => fields.assignee_id = first(ids).map_or(Patch::Clear, Patch::Set),
        }
        fields.due_date = fields.due_date.map(day_of);
        let change = Change {
            fields,
            milestone: edit.milestone.set().cloned(),
            add_labels: edit.add_labels.unwrap_or_default(),
            remove_labels: edit.remove_labels.unwrap_or_default(),
            discussion_locked: edit.discussion_locked,
            ..Change::default()
        };
        Ok((change, errors))
    }
}

#[derive(Debug, Parameters)]
#[expect(dead_code, reason = "clients send them, and nothing moves")]
pub struct Neighbours {
    move_after_id: Option<i64>,
    move_before_id: Option<i64>,
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
