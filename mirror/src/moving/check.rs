//! The first reading: what is wrong in a line ends the import before it writes anything, or is counted.

use serde_json::Value;

use super::fields::list;
use super::time;

/// The fields of an object that are read, and what each may be. Only a `time` is needed.
type Shape = &'static str;

pub const ISSUE: Shape = "title:text author_id:number created_at:time updated_at:moment description:text state:text \
    confidential:flag closed_at:moment closed_by_id:number due_date:moment time_estimate:number discussion_locked:flag \
    label_links:list milestone:object issue_assignees:list timelogs:list award_emoji:list notes:list \
    resource_label_events:list resource_state_events:list resource_milestone_events:list";
const NOTE: Shape = "note:text author_id:number author:object created_at:time updated_at:moment system:flag \
    confidential:flag internal:flag award_emoji:list";
const EVENT: Shape = "user_id:number created_at:time label:object milestone:object";
const AWARD: Shape = "name:text user_id:number created_at:time";
pub const LABEL: Shape = "title:text color:text description:text created_at:moment";
pub const MILESTONE: Shape = "title:text iid:number description:text state:text start_date:moment due_date:moment \
    created_at:moment updated_at:moment";
pub const RELEASE: Shape = "tag:text name:text description:text author_id:number created_at:time released_at:moment \
    links:list milestone_releases:list";
pub const COMMIT_NOTE: Shape = "note:text author_id:number created_at:time commit_id:text";

/// Returns how many fields have a value of another kind.
pub fn check(of: &Value, shape: Shape) -> Result<u64, String> {
    let mut wrong = 0;
    for (name, kind) in shape.split(' ').filter_map(|field| field.split_once(':')) {
        let value = of.get(name).filter(|value| !value.is_null());
        let is_right = match (kind, value) {
            ("time", None) => return Err(format!("it has no {name}")),
            (_, None) => true,
            ("text", Some(value)) => value.is_string(),
            ("number", Some(value)) => value.is_i64(),
            ("flag", Some(value)) => value.is_boolean(),
            ("list", Some(value)) => value.is_array(),
            ("object", Some(value)) => value.is_object(),
            (_, Some(value)) => value.as_str().is_some_and(|text| time::millis(text).is_some()),
        };
        if !is_right && kind == "time" {
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
