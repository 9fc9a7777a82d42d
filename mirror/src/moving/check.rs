//! The first reading: what is wrong in a line ends the import before it writes anything, or is counted.

use serde_json::Value;

use super::archive::{
    COMMIT_NOTES, DEPLOYMENTS, ENVIRONMENTS, ISSUES, LABELS, LINKS, MILESTONES, PIPELINES, RELEASES, STATUSES,
};
use super::fields::list;
use super::time;

/// The fields of an object that are read, and what each may be. Only `iid` and a `time` are needed.
type Shape = &'static str;

/// The files of lines.
pub const SHAPES: [(&str, Shape); 10] = [
    (LABELS, "title:text color:text description:text created_at:moment"),
    (
        MILESTONES,
        "title:text iid:number description:text state:text start_date:moment due_date:moment created_at:moment \
            updated_at:moment",
    ),
    (
        ISSUES,
        "iid:iid title:text author_id:number created_at:time updated_at:moment description:text state:text \
            confidential:flag closed_at:moment closed_by_id:number due_date:moment time_estimate:number \
            discussion_locked:flag label_links:list milestone:object issue_assignees:list timelogs:list \
            award_emoji:list notes:list resource_label_events:list resource_state_events:list \
            resource_milestone_events:list",
    ),
    (
        RELEASES,
        "tag:text name:text description:text author_id:number created_at:time released_at:moment links:list \
            milestone_releases:list",
    ),
    (COMMIT_NOTES, "note:text author_id:number created_at:time commit_id:text"),
    (LINKS, "at:stamp"),
    (ENVIRONMENTS, "at:stamp"),
    (DEPLOYMENTS, "at:stamp started_at:stamp finished_at:stamp"),
    (STATUSES, "at:stamp started_at:stamp finished_at:stamp"),
    (PIPELINES, ""),
];

const EVENT: Shape = "user_id:number created_at:time label:object milestone:object";

/// Lists in objects.
const NESTED: [(&str, Shape); 5] = [
    (
        "notes",
        "note:text author_id:number author:object created_at:time updated_at:moment system:flag confidential:flag \
            internal:flag award_emoji:list",
    ),
    ("award_emoji", "name:text user_id:number created_at:time"),
    ("resource_label_events", EVENT),
    ("resource_state_events", EVENT),
    ("resource_milestone_events", EVENT),
];

/// Returns how many fields have a value of another kind.
pub fn check(of: &Value, shape: Shape) -> Result<u64, String> {
    if !of.is_object() {
        return Err("it is no object".to_owned());
    }
    let mut wrong = 0;
    for (name, kind) in shape.split(' ').filter_map(|field| field.split_once(':')) {
        let Some(value) = of.get(name).filter(|value| !value.is_null()) else {
            if matches!(kind, "iid" | "time") {
                return Err(format!("it has no {name}"));
            }
            continue;
        };
        let is_right = match kind {
            "text" => value.is_string(),
            "number" | "stamp" => value.is_i64(),
            "flag" => value.is_boolean(),
            "list" => value.is_array(),
            "object" => value.is_object(),
            "iid" => value.as_i64().is_some_and(|iid| iid > 0),
            _ => value.as_str().is_some_and(|text| time::millis(text).is_some()),
        };
        match kind {
            "iid" if !is_right => return Err(format!("its iid is {value}, which is no number above 0")),
            "time" | "stamp" if !is_right => return Err(format!("{name} is no time: {value}")),
            _ => wrong += u64::from(!is_right),
        }
        for (field, shape) in NESTED.iter().filter(|(field, _)| *field == name) {
            for (number, one) in (1..).zip(list(of, field)) {
                wrong += check(one, shape).map_err(|why| format!("{name} {number}: {why}"))?;
            }
        }
    }
    Ok(wrong)
}
