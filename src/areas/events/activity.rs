//! Events for lists (behaviour 14.7) that no trigger can write, because it does not know who acts, or when. Triggers write the
//! others (migrations/0020_events.sql).

use super::RefMove;
use crate::kernel::{Call, Statement};
use serde_json::{Value, json};
use std::collections::BTreeMap;

edgeforge_row::statements!(pub mod sql: "src/areas/events/activity.sql");

/// If a push makes, moves or removes more refs of one kind, they are one event. Otherwise each ref is an event.
const MOST_PUSHES: usize = 3;

/// Of [`super::milestone`].
pub(super) fn milestone(call: &Call<'_>, project_id: i64, user_id: i64, id: Option<i64>, action: &str) -> Statement {
    let action = match action {
        "create" => "created",
        "close" => "closed",
        "reopen" => "reopened",
        _ => "destroyed",
    };
    sql::milestone { project_id, user_id, id, action, now: call.now }.into()
}

pub fn left(call: &Call<'_>, project_id: i64, user_id: i64) -> Statement {
    sql::left { project_id, user_id, now: call.now }.into()
}

/// `moved`: all refs that a push moved.
pub fn pushed(call: &Call<'_>, project_id: i64, user_id: i64, moved: &[RefMove]) -> Statement {
    let pushes = json!(pushes(moved)).to_string();
    sql::pushed { project_id, user_id, pushes, now: call.now }.into()
}

fn pushes(moved: &[RefMove]) -> Vec<Value> {
    let mut groups: BTreeMap<(&str, &str), Vec<&RefMove>> = BTreeMap::new();
    for one in moved {
        groups.entry(one.kind_and_action()).or_default().push(one);
    }
    let push = |((ref_type, action), refs): ((&str, &str), Vec<&RefMove>)| {
        if refs.len() > MOST_PUSHES {
            return vec![json!({ "commit_count": 0, "action": action, "ref_type": ref_type, "ref_count": refs.len() })];
        }
        let one = |moved: &&RefMove| {
            let commits = match (ref_type, moved.total) {
                ("tag", _) => usize::from(moved.new.is_some()),
                (_, total) => total.unwrap_or(0),
            };
            json!({
                "commit_count": commits, "action": action, "ref_type": ref_type, "commit_from": moved.old,
                "commit_to": moved.new, "ref": moved.name.splitn(3, '/').last(), "ref_count": null,
            })
        };
        refs.iter().map(one).collect()
    };
    groups.into_iter().flat_map(push).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/events/activity.rs"]
mod tests;
