//! The first reading: what is wrong in a line ends the import before it writes anything, or is counted.

use serde_json::Value;

use super::fields::list;
use super::time;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    Number,
    Flag,
    /// Needed, and a time.
    Time,
    /// May be absent, or wrong.
    Moment,
    List,
    Object,
}
use Kind::{Flag, List, Moment, Number, Object, Text, Time};

/// The fields of an object that are read.
type Shape = &'static [(&'static str, Kind)];

pub const ISSUE: Shape = &[
    ("title", Text),
    ("author_id", Number),
    ("created_at", Time),
    ("updated_at", Moment),
    ("description", Text),
    ("state", Text),
    ("confidential", Flag),
    ("closed_at", Moment),
    ("closed_by_id", Number),
    ("due_date", Moment),
    ("time_estimate", Number),
    ("discussion_locked", Flag),
    ("label_links", List),
    ("milestone", Object),
    ("issue_assignees", List),
    ("timelogs", List),
    ("award_emoji", List),
    ("notes", List),
    ("resource_label_events", List),
    ("resource_state_events", List),
    ("resource_milestone_events", List),
];
const NOTE: Shape = &[
    ("note", Text),
    ("author_id", Number),
    ("author", Object),
    ("created_at", Time),
    ("updated_at", Moment),
    ("system", Flag),
    ("confidential", Flag),
    ("internal", Flag),
    ("award_emoji", List),
];
const EVENT: Shape = &[("user_id", Number), ("created_at", Time), ("label", Object), ("milestone", Object)];
const AWARD: Shape = &[("name", Text), ("user_id", Number), ("created_at", Time)];
pub const LABEL: Shape = &[("title", Text), ("color", Text), ("description", Text), ("created_at", Moment)];
pub const MILESTONE: Shape = &[
    ("title", Text),
    ("iid", Number),
    ("description", Text),
    ("state", Text),
    ("start_date", Moment),
    ("due_date", Moment),
    ("created_at", Moment),
    ("updated_at", Moment),
];
pub const RELEASE: Shape = &[
    ("tag", Text),
    ("name", Text),
    ("description", Text),
    ("author_id", Number),
    ("created_at", Time),
    ("released_at", Moment),
    ("links", List),
    ("milestone_releases", List),
];
pub const COMMIT_NOTE: Shape = &[("note", Text), ("author_id", Number), ("created_at", Time), ("commit_id", Text)];

/// Returns how many fields have a value of another kind.
pub fn check(of: &Value, shape: Shape) -> Result<u64, String> {
    let mut wrong = 0;
    for (name, kind) in shape {
        let value = of.get(*name).filter(|value| !value.is_null());
        let is_right = match (kind, value) {
            (Time, None) => return Err(format!("it has no {name}")),
            (_, None) => true,
            (Text, Some(value)) => value.is_string(),
            (Number, Some(value)) => value.is_i64(),
            (Flag, Some(value)) => value.is_boolean(),
            (List, Some(value)) => value.is_array(),
            (Object, Some(value)) => value.is_object(),
            (Time | Moment, Some(value)) => value.as_str().is_some_and(|text| time::millis(text).is_some()),
        };
        if !is_right && *kind == Time {
            return Err(format!("{name} is no time: {}", value.unwrap_or(&Value::Null)));
        }
        wrong += u64::from(!is_right);
    }
    Ok(wrong)
}

/// An issue with all that hangs on it.
pub fn issue(of: &Value) -> Result<u64, String> {
    let mut wrong = check(of, ISSUE)?;
    let mut all = |of: &Value, name: &str, shape: Shape| -> Result<(), String> {
        for (number, one) in (1..).zip(list(of, name)) {
            let found = if one.is_object() { check(one, shape) } else { Err("it is no object".to_owned()) };
            wrong += found.map_err(|why| format!("{name} {number}: {why}"))?;
        }
        Ok(())
    };
    all(of, "notes", NOTE)?;
    all(of, "award_emoji", AWARD)?;
    for note in list(of, "notes") {
        all(note, "award_emoji", AWARD)?;
    }
    for name in ["resource_label_events", "resource_state_events", "resource_milestone_events"] {
        all(of, name, EVENT)?;
    }
    Ok(wrong)
}

/// The number of an issue.
pub fn iid(of: &Value) -> Result<i64, String> {
    match of.get("iid") {
        None | Some(Value::Null) => Err("it has no iid".to_owned()),
        Some(value) => match value.as_i64() {
            Some(iid @ 1..) => Ok(iid),
            _ => Err(format!("its iid is {value}, which is no number above 0")),
        },
    }
}
