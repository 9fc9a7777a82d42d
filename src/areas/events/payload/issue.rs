//! Issues and their comments.

use super::{Source, at, copied, number, stamp, text};
use crate::areas::events::flags::{CONFIDENTIAL_ISSUES, CONFIDENTIAL_NOTE};
use crate::kernel::answers::discussion::discussion_id;
use crate::kernel::gather::Gather;
use crate::kernel::time::duration;
use serde_json::{Map, Value, json};

/// Fields that have the same name and value in the snapshot of an issue. `changes` compares them.
const PLAIN: [&str; 3] = ["title", "milestone_id", "due_date"];
const IDS: [&str; 4] = ["id", "iid", "project_id", "author_id"];
const TIMES: [&str; 3] = ["created_at", "updated_at", "closed_at"];
/// Members that a state event changes. An update changes all others.
const OF_STATE: [&str; 2] = ["state_id", "closed_at"];
/// Members whose former value may be shown to a receiver who could not see the issue then.
const HARMLESS: [&str; 4] = ["confidential", "state_id", "closed_at", "updated_at"];

fn state_id(issue: &Value) -> Value {
    json!(if text(issue, "state") == "closed" { 2 } else { 1 })
}

/// Seconds in words, null for none.
fn human(seconds: i64) -> Value {
    let sign = if seconds < 0 { "-" } else { "" };
    if seconds == 0 { Value::Null } else { json!(format!("{sign}{}", duration::write(seconds.abs()))) }
}

fn truth(value: &Value) -> Value {
    value.as_i64().map_or(Value::Null, |number| json!(number != 0))
}

impl Source<'_> {
    pub(super) fn issue_body(&self) -> Value {
        let issue = self.part("issue");
        let is_hidden = self.event.bit == CONFIDENTIAL_ISSUES;
        let mut attributes = self.issue(&issue);
        attributes.insert("action".to_owned(), json!(self.event.action));
        let mut body = json!({
            "object_kind": "issue", "event_type": if is_hidden { "confidential_issue" } else { "issue" },
            "user": self.user(), "project": self.project(), "object_attributes": attributes,
            "labels": self.labels(&issue), "changes": self.changes(&issue), "repository": self.repository(),
        });
        if let (Some(members), assignee @ Value::Object(_)) = (body.as_object_mut(), at(&issue, "assignee")) {
            let assignee = self.person(&assignee);
            members.insert("assignees".to_owned(), json!([assignee]));
            members.insert("assignee".to_owned(), assignee);
        }
        body
    }

    /// The payload of the issue, without its action. The project that it moved to may be hidden from the receiver.
    fn issue(&self, issue: &Value) -> Map<String, Value> {
        let mut members = copied(issue, &[&IDS[..], &PLAIN, &["assignee_id", "state"]].concat());
        let assignees: Vec<Value> = Some(at(issue, "assignee_id")).filter(|id| !id.is_null()).into_iter().collect();
        let url = format!("{}/-/issues/{}", self.web_url(), number(issue, "iid"));
        let [estimate, spent] = ["time_estimate", "time_spent"].map(|name| number(issue, name));
        let before = self.before.get("time_spent").and_then(Value::as_i64).unwrap_or(spent);
        let description = at(issue, "description").as_str().map(|text| self.absolute(text));
        let rest = json!({
            "description": description, "url": url, "assignee_ids": assignees, "confidential": truth(&at(issue, "confidential")),
            "discussion_locked": truth(&at(issue, "discussion_locked")), "state_id": state_id(issue),
            "moved_to_id": null, "duplicated_to_id": null, "updated_by_id": null, "last_edited_by_id": null, "last_edited_at": null,
            "relative_position": null, "time_estimate": estimate, "total_time_spent": spent, "time_change": spent - before,
            "human_time_estimate": human(estimate), "human_total_time_spent": human(spent),
            "human_time_change": human(spent - before), "weight": null,
            "health_status": null, "type": "Issue", "severity": "unknown", "labels": self.labels(issue),
        });
        if let Value::Object(rest) = rest {
            members.extend(rest);
        }
        members.extend(TIMES.map(|name| (name.to_owned(), stamp(&at(issue, name)))));
        members
    }

    /// Images of the project's own uploads get an absolute address.
    fn absolute(&self, text: &str) -> String {
        text.replace("](/uploads/", &format!("]({}/uploads/", self.web_url()))
    }

    fn labels(&self, issue: &Value) -> Value {
        let label = |label: &Value| {
            let mut members = copied(label, &["id", "title", "color", "project_id", "description"]);
            let made = stamp(&at(label, "created_at"));
            let rest = [
                ("created_at", made.clone()),
                ("updated_at", made),
                ("template", json!(false)),
                ("type", json!("ProjectLabel")),
                ("group_id", Value::Null),
            ];
            members.extend(rest.map(|(name, value)| (name.to_owned(), value)));
            Value::Object(members)
        };
        let labels = at(issue, "labels");
        json!(labels.as_array().into_iter().flatten().map(label).collect::<Vec<_>>())
    }

    /// The members that `changes` compares.
    fn compared(&self, issue: &Value) -> Map<String, Value> {
        let mut members = copied(issue, &PLAIN);
        let assignees: Vec<Value> =
            Some(at(issue, "assignee")).filter(Value::is_object).map(|user| self.person(&user)).into_iter().collect();
        let description = at(issue, "description").as_str().map(|text| self.absolute(text));
        let rest = [
            ("assignees", json!(assignees)),
            ("labels", self.labels(issue)),
            ("description", json!(description)),
            ("confidential", truth(&at(issue, "confidential"))),
            ("discussion_locked", truth(&at(issue, "discussion_locked"))),
            ("state_id", state_id(issue)),
            ("closed_at", stamp(&at(issue, "closed_at"))),
            ("time_estimate", json!(number(issue, "time_estimate"))),
            ("total_time_spent", json!(number(issue, "time_spent"))),
            ("updated_at", stamp(&at(issue, "updated_at"))),
        ];
        members.extend(rest.map(|(name, value)| (name.to_owned(), value)));
        members
    }

    fn changes(&self, issue: &Value) -> Value {
        let change = |previous: &Value, current: &Value| json!({ "previous": previous, "current": current });
        if self.event.action == "open" {
            return self.first_changes(issue);
        }
        let (before, after) = (self.compared(&self.before), self.compared(issue));
        let is_state = self.event.action != "update";
        let was_hidden = number(&self.before, "confidential") != 0 && self.event.bit != CONFIDENTIAL_ISSUES;
        let may_show = |name: &str| !was_hidden || HARMLESS.contains(&name);
        let changed = after.iter().filter(|(name, _)| may_show(name)).filter_map(|(name, current)| {
            let previous = before.get(name)?;
            let is_touch = name == "updated_at";
            let differs = if is_touch { at(&self.before, name) != at(issue, name) } else { previous != current };
            ((is_touch || OF_STATE.contains(&name.as_str()) == is_state) && differs)
                .then(|| (name.clone(), change(previous, current)))
        });
        let mut changed: Map<String, Value> = changed.gather();
        let [previous, spent] = [&self.before, issue].map(|issue| number(issue, "time_spent"));
        if changed.contains_key("total_time_spent") {
            changed.insert("time_change".to_owned(), change(&json!(0), &json!(spent - previous)));
        }
        Value::Object(changed)
    }

    /// The changes of a new issue: each member changes from null.
    fn first_changes(&self, issue: &Value) -> Value {
        let mut now = copied(issue, &[&IDS[..], &PLAIN].concat());
        let compared = self.compared(issue);
        for name in ["description", "updated_at", "labels", "assignees"] {
            now.insert(name.to_owned(), compared.get(name).cloned().unwrap_or_default());
        }
        now.insert("created_at".to_owned(), stamp(&at(issue, "created_at")));
        let is_something = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
        let changed = now.into_iter().filter(|(_, value)| is_something(value)).map(|(name, current)| {
            let previous = if current.is_array() { json!([]) } else { Value::Null };
            (name, json!({ "previous": previous, "current": current }))
        });
        Value::Object(changed.gather())
    }

    pub(super) fn note_body(&self) -> Value {
        let issue = self.part("issue");
        let is_hidden = self.event.bit == CONFIDENTIAL_NOTE;
        let mut attributes = self.note(&issue);
        attributes.insert("action".to_owned(), json!(self.event.action));
        json!({
            "object_kind": "note", "event_type": if is_hidden { "confidential_note" } else { "note" }, "user": self.user(),
            "project_id": at(&issue, "project_id"), "project": self.project(), "object_attributes": attributes,
            "repository": self.repository(), "issue": self.issue(&issue),
        })
    }

    /// The comment without an action.
    fn note(&self, issue: &Value) -> Map<String, Value> {
        let note = self.part("note");
        let id = number(&note, "id");
        let url = format!("{}/-/issues/{}#note_{id}", self.web_url(), number(issue, "iid"));
        let body = self.absolute(&text(&note, "body"));
        let note = json!({
            "attachment": null, "author_id": at(&note, "author_id"), "change_position": null, "commit_id": null,
            "created_at": stamp(&at(&note, "created_at")), "discussion_id": discussion_id(id), "id": id,
            "internal": false, "line_code": null, "note": body, "noteable_id": at(issue, "id"), "noteable_type": "Issue",
            "original_position": null, "position": null, "project_id": at(issue, "project_id"), "resolved_at": null,
            "resolved_by_id": null, "resolved_by_push": null, "st_diff": null, "system": false, "type": null,
            "updated_at": stamp(&at(&note, "updated_at")), "updated_by_id": null, "description": body, "url": url,
        });
        note.as_object().cloned().unwrap_or_default()
    }

    pub(super) fn emoji_body(&self) -> Value {
        let (award, issue, note) = (self.part("award"), self.part("issue"), self.part("note"));
        let made = stamp(&at(&award, "created_at"));
        let page = format!("{}/-/issues/{}", self.web_url(), number(&issue, "iid"));
        let (kind, on, url) = match note.is_object() {
            true => ("Note", at(&note, "id"), format!("{page}#note_{}", number(&note, "id"))),
            false => ("Issue", at(&issue, "id"), page),
        };
        let mut body = json!({
            "object_kind": "emoji", "event_type": self.event.action, "user": self.user(), "project_id": at(&issue, "project_id"),
            "project": self.project(), "object_attributes": {
                "user_id": at(&award, "user_id"), "created_at": made, "id": at(&award, "id"), "name": at(&award, "name"),
                "awardable_type": kind, "awardable_id": on, "updated_at": made, "action": self.event.action, "awarded_on_url": url,
            },
            "issue": self.issue(&issue),
        });
        if let Some(members) = body.as_object_mut().filter(|_| note.is_object()) {
            members.insert("note".to_owned(), Value::Object(self.note(&issue)));
        }
        body
    }
}
