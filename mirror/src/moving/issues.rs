//! An issue with its comments, events and emoji, as records of the server.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::fields::{flag, list, millis, number, text, word};
use super::people::NOBODY;
use super::records::{Maker, Record};
use super::texts::{self, short};

/// Labels that the server takes of one issue.
const MOST_LABELS: usize = 500;
const LONGEST_EMOJI: usize = 50;

/// Fields of issues for which there is no place, and whether a value says something.
const LEFT_OUT: &str =
    "weight health_status epic epic_issue sprint iteration designs moved_to_id zoom_meetings sentry_issue";

/// What hangs on the issue that is read.
struct Home<'a> {
    iid: i64,
    number: &'a str,
    address: &'a str,
}

impl Maker {
    pub fn issue(&mut self, of: &Value) -> Vec<Record> {
        let Some(iid) = number(of, "iid") else { return Vec::new() };
        self.forget_equal();
        let (number, address) = (iid.to_string(), format!("{}/-/issues/{iid}", self.source));
        let home = Home { iid, number: &number, address: &address };
        let mut records = vec![self.head(of, &home)];
        let mut thread = Vec::new();
        let mut awards = self.awards(of, None, &home);
        for (place, note) in list(of, "notes").iter().enumerate() {
            if let Some(record) = self.note(note, &home) {
                awards.extend(self.awards(note, Some(record.key()), &home));
                thread.push((millis(note, "created_at"), 0, place, record));
            }
        }
        for event in ["label", "state", "milestone"] {
            for (place, of) in list(of, &format!("resource_{event}_events")).iter().enumerate() {
                if let Some(record) = self.event(of, event, &home) {
                    thread.push((millis(of, "created_at"), 1, place, record));
                }
            }
        }
        thread.sort_by_key(|(at, rank, place, _)| (*at, *rank, *place));
        records.extend(thread.into_iter().map(|(.., record)| record));
        records.extend(awards);
        records
    }

    fn head(&mut self, of: &Value, home: &Home<'_>) -> Record {
        let address = home.address;
        let at = millis(of, "created_at").unwrap_or_default();
        let updated_at = millis(of, "updated_at").unwrap_or(at);
        let is_closed = text(of, "state") == Some("closed");
        let closed_at = millis(of, "closed_at").unwrap_or(updated_at);
        let assignees = || list(of, "issue_assignees").iter().filter_map(|of| number(of, "user_id"));
        // GitLab's archives may name one twice
        let further = (assignees().collect::<HashSet<_>>().len() as u64).saturating_sub(1);
        self.report.leave_many("further people that an issue is assigned to: the first one stays", further, address);
        let named = |path| of.pointer(path).and_then(Value::as_str);
        let kind = named("/work_item_type/base_type").or(named("/work_item_type/name")).or(text(of, "issue_type"));
        if let Some(kind) = kind.map(str::to_lowercase).filter(|kind| kind != "issue") {
            self.report.leave(&format!("issues of the type {kind}: they become plain issues"), address);
        }
        for name in LEFT_OUT.split(' ') {
            let says =
                |value: &&Value| !matches!(value, Value::Null) && value.as_array().is_none_or(|of| !of.is_empty());
            if of.get(name).filter(says).is_some() {
                self.report.leave(&format!("values of {name}"), address);
            }
        }
        let links = list(of, "label_links").iter();
        let labels = links.filter_map(|of| Some(texts::name(word(of.get("label")?, "title")?.trim())));
        let mut labels: Vec<_> = labels.collect();
        labels.sort();
        labels.dedup();
        let more = labels.len().saturating_sub(MOST_LABELS) as u64;
        self.report.leave_many("labels of an issue with more than 500", more, address);
        labels.truncate(MOST_LABELS);
        let closed_by = || number(of, "closed_by_id").map(|id| self.here(Some(id)));
        let spent: i64 = list(of, "timelogs").iter().filter_map(|of| number(of, "time_spent")).sum();
        let title = short(word(of, "title").unwrap_or("(no title)"), texts::TITLE);
        let body = json!({
            "iid": home.iid,
            "title": title,
            "description": self.rewritten(of, "description", address),
            "author": self.here(number(of, "author_id")),
            "assignee": assignees().next().map(|id| self.here(Some(id))),
            "state": if is_closed { "closed" } else { "opened" },
            "confidential": flag(of, "confidential"),
            "locked": flag(of, "discussion_locked"),
            "due": text(of, "due_date").and_then(|date| date.get(..10)),
            "milestone": of.get("milestone").and_then(|of| self.milestone_title(of)),
            "labels": labels,
            "at": at,
            "updated_at": updated_at,
            "closed_at": is_closed.then_some(closed_at),
            "closed_by": is_closed.then(closed_by).flatten(),
            "estimate": number(of, "time_estimate").unwrap_or_default().max(0),
            "spent": spent.max(0),
        });
        self.record("issue", format!("issue {}", home.iid), &[home.number], body)
    }

    fn note(&mut self, of: &Value, home: &Home<'_>) -> Option<Record> {
        let (at, author) = (millis(of, "created_at")?, number(of, "author_id"));
        let (time, who) = (at.to_string(), author.unwrap_or(NOBODY).to_string());
        let n = self.number_of_equal(&["note", &time, &who]);
        if is_internal(of) {
            self.report.leave("internal comments: here all who see an issue see its comments", home.address);
            return None;
        }
        let Some(body) = self.rewritten(of, "note", home.address) else {
            self.report.leave("comments without a text", home.address);
            return None;
        };
        let body = json!({
            "issue": home.iid,
            "author": self.here(author),
            "body": body,
            "system": flag(of, "system"),
            "at": at,
            "updated_at": millis(of, "updated_at").unwrap_or(at),
        });
        Some(self.record("note", format!("comment on issue {}", home.iid), &[home.number, &time, &who, &n], body))
    }

    fn event(&mut self, of: &Value, event: &'static str, home: &Home<'_>) -> Option<Record> {
        let (at, user) = (millis(of, "created_at")?, number(of, "user_id"));
        let Some(action) = action(of, event) else {
            self.report.leave("events of a kind that is not known", home.address);
            return None;
        };
        let of_title = of.get(event).unwrap_or(&Value::Null);
        let title = match event {
            "milestone" => self.milestone_title(of_title),
            _ => word(of_title, "title").map(|title| texts::name(title.trim())),
        };
        let (time, who) = (at.to_string(), user.unwrap_or(NOBODY).to_string());
        let named = title.as_deref().unwrap_or_default();
        let n = self.number_of_equal(&["event", event, &time, &who, action, named]);
        let identity = [home.number, event, &time, &who, action, named, &n];
        let body = json!({
            "issue": home.iid,
            "user": self.here(user),
            "event": event,
            "action": action,
            "title": title,
            "commit": word(of, "source_commit"),
            "at": at,
        });
        Some(self.record("event", format!("event of issue {}", home.iid), &identity, body))
    }

    /// `note`: its key.
    fn awards(&mut self, of: &Value, note: Option<&str>, home: &Home<'_>) -> Vec<Record> {
        let mut records = Vec::new();
        for of in list(of, "award_emoji") {
            let (Some(name), user) = (word(of, "name"), number(of, "user_id")) else { continue };
            let is_letter =
                |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_+-".contains(letter);
            if name.len() > LONGEST_EMOJI || !name.chars().all(is_letter) {
                self.report.leave("emoji with a name that is refused here", home.address);
                continue;
            }
            let (key, who) = (note.unwrap_or_default(), user.unwrap_or(NOBODY).to_string());
            if self.number_of_equal(&["award", key, &who, name]) != "0" {
                self.report.leave("emoji that a person gave twice", home.address);
                continue;
            }
            let at = millis(of, "created_at").unwrap_or_default();
            let body = json!({"issue": home.iid, "note": note, "user": self.here(user), "name": name, "at": at});
            let record =
                self.record("award", format!("emoji on issue {}", home.iid), &[home.number, key, &who, name], body);
            records.push(record);
        }
        records
    }

    pub fn link(&mut self, of: &Value) -> Option<Record> {
        let (one, other) = (number(of, "issue")?, number(of, "target")?);
        let [low, high] = &[one.min(other), one.max(other)].map(|iid| iid.to_string());
        let name = format!("link of issues {one} and {other}");
        let why = if one == other { Some("links of an issue to itself") } else { None };
        let is_second = why.is_none() && self.number_of_equal(&["link", low, high]) != "0";
        if let Some(why) = why.or(is_second.then_some("second links between two issues")) {
            self.report.leave(why, &name);
            return None;
        }
        let kind = if text(of, "type") == Some("blocks") { "blocks" } else { "relates_to" };
        let body = json!({"issue": one, "target": other, "type": kind, "at": number(of, "at").unwrap_or_default()});
        Some(self.record("link", name, &[low, high], body))
    }
}

/// Never to be shown to all who see the issue.
fn is_internal(note: &Value) -> bool {
    flag(note, "confidential") || flag(note, "internal")
}

/// GitLab's archives have words, those of some versions numbers.
fn action(of: &Value, event: &str) -> Option<&'static str> {
    let field = of.get(if event == "state" { "state" } else { "action" })?;
    let word = field.as_str().map(str::to_owned).or_else(|| field.as_i64().map(|number| number.to_string()))?;
    match (event, &*word) {
        ("state", "closed" | "2") => Some("closed"),
        ("state", "reopened" | "opened" | "5" | "1") => Some("reopened"),
        ("label" | "milestone", "add" | "1") => Some("add"),
        ("label" | "milestone", "remove" | "2") => Some("remove"),
        _ => None,
    }
}
