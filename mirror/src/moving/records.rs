//! The records of an archive as the server takes them.

use std::collections::HashMap;

use edgeforge_wire::text::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::fields::{flag, list, millis, number, picked, text, word};
use super::people::People;
use super::report::Report;
use super::texts::{self, Texts, short};

/// Dates, not times.
const DATE: usize = 10;

const NO_COLOR: &str = "#6699cc";

#[derive(Debug)]
pub struct Record {
    pub kind: &'static str,
    /// Such as `issue 12`.
    pub name: String,
    /// With `kind` and `key`.
    pub body: Value,
}

impl Record {
    pub fn key(&self) -> &str {
        text(&self.body, "key").unwrap_or_default()
    }
}

#[derive(Debug, Default)]
pub struct Maker {
    /// The web address of the project at the source.
    pub source: String,
    /// None: the numbers of people are those of this server.
    pub people: Option<People>,
    pub texts: Texts,
    /// Milestones by their title, and whether they are a group's: the title here.
    pub milestones: HashMap<(String, bool), String>,
    pub report: Report,
    /// Equal records so far, by what identifies them.
    pub equal: HashMap<String, u64>,
}

impl Maker {
    pub fn record(&self, kind: &'static str, name: String, identity: &[&str], mut body: Value) -> Record {
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
            fields.insert("kind".to_owned(), json!(kind));
            fields.insert("key".to_owned(), json!(self.key(kind, identity)));
        }
        Record { kind, name, body }
    }

    fn key(&self, kind: &str, identity: &[&str]) -> String {
        let source = self.source.split("://").nth(1).unwrap_or(&self.source).to_lowercase();
        let parts = [&*source, kind].into_iter().chain(identity.iter().copied());
        let hash = hex(&Sha256::digest(parts.collect::<Vec<_>>().join("\n")));
        hash.get(..16).unwrap_or_default().to_owned()
    }

    /// How many equal ones came before, from 0.
    pub fn number_of_equal(&mut self, identity: &[&str]) -> String {
        let count = self.equal.entry(identity.join("\n")).or_default();
        *count += 1;
        (*count - 1).to_string()
    }

    /// What is equal hangs on one issue or is of one file.
    pub fn forget_equal(&mut self) {
        self.equal.clear();
    }

    pub fn here(&self, id: Option<i64>) -> i64 {
        self.people.as_ref().map_or(id.unwrap_or_default(), |people| people.here(id))
    }

    pub fn rewritten(&self, of: &Value, name: &str, address: &str) -> Option<String> {
        word(of, name).map(|text| self.texts.rewritten(text, address))
    }

    /// The title of a milestone here.
    pub fn milestone_title(&self, milestone: &Value) -> Option<String> {
        let title = word(milestone, "title")?.trim();
        let key = (title.to_owned(), number(milestone, "group_id").is_some());
        Some(texts::name(self.milestones.get(&key).map_or(title, String::as_str)))
    }

    pub fn label(&mut self, of: &Value) -> Option<Record> {
        let title = texts::name(word(of, "title")?.trim());
        let name = format!("label {title}");
        let given = text(of, "color").unwrap_or(NO_COLOR);
        let color = color(given).unwrap_or_else(|| {
            self.report.leave("colors that are none", &name);
            NO_COLOR.to_owned()
        });
        let description = text(of, "description").filter(|text| !text.is_empty()).map(|text| short(text, 255));
        let body = json!({"title": title, "color": color, "description": description, "at": millis(of, "created_at")});
        Some(self.record("label", name, &[&title], body))
    }

    pub fn milestone(&mut self, of: &Value) -> Option<Record> {
        let title = self.milestone_title(of)?;
        let name = format!("milestone {title}");
        let iid = number(of, "iid").filter(|iid| *iid > 0 && number(of, "group_id").is_none());
        let address = iid.map_or_else(String::new, |iid| format!("{}/-/milestones/{iid}", self.source));
        let at = millis(of, "created_at").or(millis(of, "updated_at")).unwrap_or_default();
        let date = |name| text(of, name).and_then(|date| date.get(..DATE));
        let body = json!({
            "title": title,
            "iid": iid,
            "description": self.rewritten(of, "description", &address),
            "state": if text(of, "state") == Some("closed") { "closed" } else { "active" },
            "start": date("start_date"),
            "due": date("due_date"),
            "at": at,
            "updated_at": millis(of, "updated_at").unwrap_or(at),
        });
        Some(self.record("milestone", name, &[&title], body))
    }

    pub fn release(&mut self, of: &Value) -> Option<Record> {
        let tag = word(of, "tag").or(word(of, "tag_name"))?.to_owned();
        let at = millis(of, "created_at").unwrap_or_default();
        let milestones =
            list(of, "milestone_releases").iter().filter_map(|of| self.milestone_title(of.get("milestone")?));
        let milestones: Vec<_> = milestones.collect();
        let link = |of: &Value| {
            let kind = text(of, "link_type").unwrap_or("other");
            Some(json!([word(of, "name")?, word(of, "url")?, text(of, "filepath"), kind]))
        };
        let links: Vec<_> = list(of, "links").iter().filter_map(link).collect();
        let body = json!({
            "tag": tag,
            "name": text(of, "name").map(|name| short(name, 255)),
            "description": self.rewritten(of, "description", &format!("{}/-/releases/{tag}", self.source)),
            "author": self.here(number(of, "author_id")),
            "at": at,
            "released_at": millis(of, "released_at").unwrap_or(at),
            "milestones": milestones,
            "links": links,
        });
        Some(self.record("release", format!("release {tag}"), &[&tag], body))
    }

    pub fn environment(&mut self, of: &Value) -> Option<Record> {
        let name = word(of, "name")?.to_owned();
        let state = if text(of, "state") == Some("stopped") { "stopped" } else { "available" };
        let body = picked(of, "name external_url tier description at", json!({"state": state}));
        Some(self.record("environment", format!("environment {name}"), &[&name], body))
    }

    pub fn deployment(&mut self, of: &Value) -> Option<Record> {
        let (environment, sha) = (word(of, "environment")?, word(of, "sha")?);
        let at = number(of, "at")?.to_string();
        let name = format!("deployment of {} to {environment}", short(sha, 8));
        let n = self.number_of_equal(&["deployment", environment, sha, &at]);
        let (state, _) = self.ended(of, &name)?;
        let (user, job) = (self.here(number(of, "user")), texts::name(text(of, "job").unwrap_or("deploy")));
        let names = "environment sha ref tag at started_at finished_at";
        let body = picked(of, names, json!({"user": user, "state": state, "job": job}));
        Some(self.record("deployment", name, &[environment, sha, &at, &n], body))
    }

    pub fn status(&mut self, of: &Value) -> Option<Record> {
        let (sha, status) = (word(of, "sha")?, text(of, "name").unwrap_or("default"));
        let git_ref = text(of, "ref").unwrap_or_default();
        let at = number(of, "at")?.to_string();
        let name = format!("status {status} of {}", short(sha, 8));
        let n = self.number_of_equal(&["status", sha, git_ref, status, &at]);
        let (state, is_skipped) = self.ended(of, &name)?;
        let (user, skipped) = (self.here(number(of, "user")), is_skipped.then_some(true));
        let more = json!({"name": texts::name(status), "user": user, "state": state, "skipped": skipped});
        let body = picked(of, "sha ref target_url description coverage at started_at finished_at", more);
        Some(self.record("status", name, &[sha, git_ref, status, &at, &n], body))
    }

    /// The state at the end of a deployment or status, and whether it was skipped. None is noted in the report.
    fn ended(&mut self, of: &Value, name: &str) -> Option<(&'static str, bool)> {
        let why = match text(of, "state").unwrap_or_default() {
            "success" => return Some(("success", false)),
            "failed" => return Some(("failed", false)),
            "canceled" => return Some(("canceled", flag(of, "skipped"))),
            "skipped" => return Some(("canceled", true)),
            state @ ("blocked" | "manual" | "scheduled") => format!("deployments and statuses that are {state}"),
            _ => "deployments and statuses that are not finished; they come with a later run".to_owned(),
        };
        self.report.leave(&why, name);
        None
    }

    /// Older archives have the comments on a commit in each of its pipelines, and some of them also elsewhere.
    pub fn comment_of_pipeline(&mut self, of: &Value) -> Option<Record> {
        let before = self.equal.len();
        let record = self.comment(of);
        record.filter(|_| self.equal.len() > before)
    }

    pub fn comment(&mut self, of: &Value) -> Option<Record> {
        let sha = word(of, "commit_id")?;
        let (at, author) = (millis(of, "created_at")?, number(of, "author_id"));
        let (time, who) = (at.to_string(), author.unwrap_or_default().to_string());
        let name = format!("comment on commit {}", short(sha, 8));
        let n = self.number_of_equal(&["comment", sha, &time, &who]);
        if flag(of, "system") {
            self.report.leave("system notes of commits", "");
            return None;
        }
        let address = format!("{}/-/commit/{sha}", self.source);
        let Some(note) = self.rewritten(of, "note", &address) else {
            self.report.leave("comments without a text", &address);
            return None;
        };
        let position = of.get("position").unwrap_or(&Value::Null);
        let (new, old) = (number(position, "new_line"), number(position, "old_line"));
        let line = number(of, "line").or(new).or(old);
        let side = if new.is_none() && old.is_some() { "old" } else { "new" };
        let path = text(of, "path").or_else(|| word(position, "new_path"));
        let body = json!({
            "sha": sha,
            "author": self.here(author),
            "note": note,
            "path": path,
            "line": line.filter(|_| path.is_some()),
            "line_type": path.and(line).map(|_| text(of, "line_type").unwrap_or(side)),
            "at": at,
        });
        Some(self.record("comment", name, &[sha, &time, &who, &n], body))
    }
}

/// `#aabbcc`, also of `#abc`.
fn color(text: &str) -> Option<String> {
    let digits = text.trim().strip_prefix('#').filter(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    match digits.len() {
        6 => Some(format!("#{}", digits.to_lowercase())),
        3 => Some(digits.to_lowercase().chars().fold("#".to_owned(), |text, digit| text + &format!("{digit}{digit}"))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/moving/records.rs"]
mod tests;
