//! The bodies that hooks get (behaviour 14.4). They depend on the event and, where it keeps a part of a long text, on the
//! record. So a later try has the same bytes unless the text was changed.

mod builds;
mod issue;
mod push;
mod release;

use super::EventRow;
use crate::kernel::Links;
use crate::kernel::answers::person::avatar;
use crate::kernel::config::Config;
use crate::kernel::gather::Gather;
use crate::kernel::time;
use chrono::DateTime;
use serde_json::{Map, Value, json};

/// Bytes of a body.
pub const MOST: usize = 1_000_000;
/// Bytes to which long texts of a longer body are cut.
const CUT: usize = 8_192;

/// The snapshot of an event, with the base of its addresses.
pub(super) struct Source<'a> {
    event: &'a EventRow,
    links: Links,
    snapshot: Value,
    before: Value,
    /// Whether the payload is for a hook of the system.
    for_system: bool,
}

/// Null if there is no such payload.
pub fn render(event: &EventRow, config: &Config, for_system: bool) -> String {
    let read =
        |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null);
    let origin: Value = serde_json::from_str(&event.origin).unwrap_or_default();
    let base = origin.get("base").and_then(Value::as_str).unwrap_or_default().to_owned();
    let [http, ssh] = clone_addresses(&base);
    let configured = |text: &str, usual: String| if text.is_empty() { usual } else { text.to_owned() };
    let links = Links {
        git_http: configured(&config.git_http_url, http),
        git_ssh: configured(&config.git_ssh_url, ssh),
        avatars: event.avatars,
        base,
    };
    let (snapshot, mut before) = (read(&event.snapshot), read(&event.before));
    // the whole of a long text that did not change
    if let Some(before) = before.as_object_mut().filter(|before| before.get("same") == Some(&json!(1))) {
        before.insert("description".to_owned(), at(&at(&snapshot, "issue"), "description"));
    }
    let source = Source { event, links, snapshot, before, for_system };
    fitting(source.body())
}

/// Addresses to clone from, by HTTP and by SSH, if none are configured: receivers require them.
fn clone_addresses(base: &str) -> [String; 2] {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    [format!("{base}/{{path}}.git"), format!("git@{host}:{{path}}.git")]
}

/// The chain that the request of the event belongs to.
pub fn chain(event: &EventRow) -> Option<String> {
    let origin: Value = serde_json::from_str(&event.origin).unwrap_or_default();
    origin.get("chain").and_then(Value::as_str).map(str::to_owned)
}

pub fn base(event: &EventRow) -> String {
    let origin: Value = serde_json::from_str(&event.origin).unwrap_or_default();
    origin.get("base").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A body of more than [`MOST`] bytes loses its lists of files, then the rest of long texts.
fn fitting(mut body: Value) -> String {
    let text = body.to_string();
    if text.len() <= MOST {
        return text;
    }
    each(&mut body, &mut |name, value| {
        if matches!(name, "added" | "modified" | "removed") {
            *value = json!([]);
        }
    });
    let text = body.to_string();
    if text.len() <= MOST {
        return text;
    }
    each(&mut body, &mut |name, value| {
        if let ("message" | "description" | "note" | "previous" | "current", Some(text)) = (name, value.as_str()) {
            *value = json!(edgeforge_wire::text::cut(text, CUT));
        }
    });
    body.to_string()
}

fn each(value: &mut Value, change: &mut impl FnMut(&str, &mut Value)) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                change(name, value);
                each(value, change);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        _ => {}
    }
}

/// A member of an object, null if it has none.
pub(super) fn at(value: &Value, name: &str) -> Value {
    value.get(name).cloned().unwrap_or_default()
}

pub(super) fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

pub(super) fn number(value: &Value, name: &str) -> i64 {
    value.get(name).and_then(Value::as_i64).unwrap_or_default()
}

/// Milliseconds since 1970 as `2026-11-22 16:50:00 UTC`.
pub(super) fn stamp(value: &Value) -> Value {
    match value.as_i64().and_then(DateTime::from_timestamp_millis) {
        Some(time) => json!(time.format("%Y-%m-%d %H:%M:%S UTC").to_string()),
        None => Value::Null,
    }
}

impl Source<'_> {
    fn body(&self) -> Value {
        match self.event.kind.as_str() {
            "issue" => self.issue_body(),
            "note" => self.note_body(),
            "commit_note" => self.commit_note_body(),
            "push" | "tag_push" => self.push_body(),
            "repository_update" => self.update_body(),
            "deployment" => self.deployment_body(),
            "pipeline" => self.pipeline_body(),
            "milestone" => self.milestone_body(),
            "emoji" => self.emoji_body(),
            "access_token" => self.token_body(),
            "release" => self.release_body(),
            // its statement has written the whole payload
            "system" => self.snapshot.clone(),
            _ => Value::Null,
        }
    }

    fn part(&self, name: &str) -> Value {
        at(&self.snapshot, name)
    }

    fn person(&self, user: &Value) -> Value {
        json!({
            "id": at(user, "id"), "name": at(user, "name"), "username": at(user, "username"),
            "avatar_url": self.links.avatars.then(|| avatar(&text(user, "email"), &self.links.base)), "email": "[REDACTED]",
        })
    }

    /// Who acts.
    fn user(&self) -> Value {
        self.person(&self.part("user"))
    }

    fn web_url(&self) -> String {
        format!("{}/{}", self.links.base, text(&self.part("project"), "full_path"))
    }

    /// Whether it is the default branch, and the settings protect it.
    fn is_protected(&self, branch: &str) -> bool {
        let project = self.part("project");
        number(&project, "protects") != 0 && text(&project, "default_branch") == branch
    }

    fn project(&self) -> Value {
        let project = self.part("project");
        let (path, web_url) = (text(&project, "full_path"), self.web_url());
        let git = |form: &str| form.replace("{path}", &path);
        let (http, ssh) = (git(&self.links.git_http), git(&self.links.git_ssh));
        let visibility = number(&project, "visibility");
        let word = match visibility {
            20.. => "public",
            10.. => "internal",
            _ => "private",
        };
        json!({
            "id": at(&project, "id"), "name": at(&project, "name"), "description": at(&project, "description"),
            "web_url": web_url, "avatar_url": null, "git_ssh_url": ssh, "git_http_url": http,
            "namespace": at(&project, "namespace"), "visibility_level": visibility, "visibility": word,
            "path_with_namespace": path, "default_branch": at(&project, "default_branch"), "ci_config_path": null,
            "homepage": web_url, "url": ssh, "ssh_url": ssh, "http_url": http,
        })
    }

    /// The short form in issues and comments.
    fn repository(&self) -> Value {
        let project = self.project();
        json!({
            "name": at(&project, "name"), "url": at(&project, "url"), "description": at(&project, "description"),
            "homepage": at(&project, "homepage"),
        })
    }

    fn token_body(&self) -> Value {
        let token = self.part("token");
        let mut attributes = copied(&token, &["user_id", "id", "name"]);
        attributes.insert("created_at".to_owned(), stamp(&at(&token, "created_at")));
        attributes.insert("expires_at".to_owned(), json!(time::day(number(&token, "expires_at"))));
        json!({
            "object_kind": "access_token", "project": self.project(), "object_attributes": attributes,
            "event_name": "expiring_access_token",
        })
    }

    fn milestone_body(&self) -> Value {
        let milestone = self.part("milestone");
        let mut attributes =
            copied(&milestone, &["id", "iid", "title", "description", "state", "due_date", "start_date", "project_id"]);
        for name in ["created_at", "updated_at"] {
            attributes.insert(name.to_owned(), stamp(&at(&milestone, name)));
        }
        attributes.insert("group_id".to_owned(), Value::Null);
        json!({
            "object_kind": "milestone", "event_type": "milestone", "project": self.project(),
            "object_attributes": attributes, "action": self.event.action,
        })
    }
}

pub(super) fn copied(from: &Value, names: &[&str]) -> Map<String, Value> {
    names.iter().map(|name| ((*name).to_owned(), at(from, name))).gather()
}
