//! One issue of a server with all that hangs on it, as a line of an archive.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard};

use serde_json::{Value, json};

use super::api::{Api, Refusal};
use super::common::{PAGE, locked};
use super::fields::{flag, id_in, list, number, picked, put, text};
use super::report::Report;
use super::texts::Texts;
use super::time;
use crate::error::{Error, Result};

/// A part that so many issues refuse is not asked for again.
const MOST_REFUSALS: u64 = 3;

pub struct Source<'a> {
    pub api: &'a Api<'a>,
    /// `/projects/12`
    pub path: String,
    pub project: Value,
    /// The web address of the project.
    pub web: String,
    pub without: Vec<&'a str>,
    pub with: Vec<&'a str>,
    pub labels: BTreeMap<String, Value>,
    /// Turns long addresses of uploads into short ones.
    pub texts: Texts,
    shared: Mutex<Shared>,
}

#[derive(Default)]
struct Shared {
    refusals: HashMap<String, u64>,
    report: Report,
}

impl<'a> Source<'a> {
    pub fn new(api: &'a Api<'a>, project: Value, web: String, without: Vec<&'a str>, with: Vec<&'a str>) -> Source<'a> {
        let id = number(&project, "id");
        let path = format!("/projects/{}", id.unwrap_or_default());
        let texts = Texts::new(&web, id, &web, HashMap::new());
        Source { api, path, project, web, without, with, labels: BTreeMap::new(), texts, shared: Mutex::default() }
    }

    pub fn is_wanted(&self, what: &str) -> bool {
        !self.without.contains(&what)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        locked(&self.shared)
    }

    pub fn report<T>(&self, tell: impl FnOnce(&mut Report) -> T) -> T {
        tell(&mut self.shared().report)
    }

    /// What a part of the project has. Nothing if it is refused, which the report notes as left out, or stays
    /// broken, which it notes as refused.
    pub fn part(&self, name: &str, path: &str, address: &str) -> Result<Vec<Value>> {
        if self.shared().refusals.get(name).is_some_and(|count| *count >= MOST_REFUSALS) {
            return Ok(Vec::new());
        }
        let read = || self.api.all(&format!("{}{path}", self.path));
        let (is_left, told) = match read() {
            // something came or went between two pages
            Ok(Ok((all, Some(total)))) if total != all.len() as u64 => {
                return read()?.map(|(all, _)| all).map_err(|refusal| self.api.refused(path, &refusal));
            }
            Ok(Ok((all, _))) => return Ok(all),
            Ok(Err(Refusal(404, _))) => (true, "404".to_owned()),
            Ok(Err(refusal)) => (matches!(refusal.0, 403 | 405 | 410), refusal.told()),
            Err(error) => (false, error.to_string()),
        };
        let mut shared = self.shared();
        *shared.refusals.entry(name.to_owned()).or_default() += 1;
        if is_left {
            shared.report.leave(&format!("{name}: the source answers {told}"), address);
        } else {
            shared.report.refuse(&format!("{name} cannot be read: {told}"), address);
        }
        Ok(Vec::new())
    }

    /// A line of `issues.ndjson`, with `links`, which the end of the export takes out.
    pub fn issue(&self, of: &Value) -> Result<Value> {
        let iid = number(of, "iid").ok_or_else(|| Error::Server("an issue of the source has no iid".to_owned()))?;
        let address = format!("{}/-/issues/{iid}", self.web);
        let part = |name: &str, end: &str| self.part(name, &format!("/issues/{iid}/{end}"), &address);
        let read_notes = part("notes", &format!("notes?sort=asc&order_by=created_at&{PAGE}&award_emoji=true"))?;
        let notes = read_notes.iter().map(|note| self.note(note, iid, &address)).collect::<Result<Vec<_>>>()?;
        let labels = list(of, "labels").iter().filter_map(Value::as_str);
        let labels =
            labels.map(|title| json!({"label": self.labels.get(title).cloned().unwrap_or(json!({"title": title}))}));
        let everybody = list(of, "assignees").iter();
        let everybody = everybody.map(|user| json!({"user_id": number(user, "id")}));
        let spent = of.pointer("/time_stats/total_time_spent").and_then(Value::as_i64).filter(|spent| *spent != 0);
        let mut line = picked(
            of,
            "title created_at updated_at description state closed_at due_date weight health_status moved_to_id",
            json!({
                "iid": iid,
                "author_id": id_in(of, "author"),
                "confidential": flag(of, "confidential"),
                "closed_by_id": id_in(of, "closed_by"),
                "time_estimate": of.pointer("/time_stats/time_estimate"),
                "discussion_locked": flag(of, "discussion_locked"),
                "issue_type": text(of, "issue_type").unwrap_or("issue"),
                "epic": of.get("epic_iid"),
                "iteration": of.get("iteration").and_then(|of| of.get("title")),
                "milestone": of.get("milestone").map(milestone),
                "notes": notes,
                "label_links": labels.collect::<Vec<_>>(),
                "issue_assignees": everybody.collect::<Vec<_>>(),
                "timelogs": spent.iter().map(|spent| json!({"time_spent": spent})).collect::<Vec<_>>(),
            }),
        );
        if self.is_wanted("emoji") {
            let awards = part("emoji", &format!("award_emoji?{PAGE}"))?;
            put(&mut line, "award_emoji", awards.iter().map(award).collect::<Value>());
        }
        if self.is_wanted("events") {
            for kind in ["label", "state", "milestone"] {
                let events = part(&format!("events of {kind}s"), &format!("resource_{kind}_events?{PAGE}"))?;
                put(&mut line, &format!("resource_{kind}_events"), events.iter().map(event).collect::<Value>());
            }
        }
        if self.is_wanted("links") {
            let links = part("links", "links")?;
            let links = links.iter().filter_map(|link| self.link(link, iid, &address));
            put(&mut line, "links", links.collect::<Value>());
        }
        Ok(line)
    }

    fn note(&self, of: &Value, iid: i64, address: &str) -> Result<Value> {
        let is_system = flag(of, "system");
        let body = text(of, "body").map(|body| if is_system { self.titled(body) } else { body.to_owned() });
        let id = number(of, "id").unwrap_or_default();
        let awards = match of.get("award_emoji").and_then(Value::as_array) {
            _ if !self.is_wanted("emoji") => Vec::new(),
            Some(awards) => awards.clone(),
            // the system's own comments have none
            None if self.with.contains(&"note-emoji") && !is_system => {
                self.part("emoji of comments", &format!("/issues/{iid}/notes/{id}/award_emoji?{PAGE}"), address)?
            }
            None => Vec::new(),
        };
        let more = json!({
            "note": body,
            "noteable_type": "Issue",
            "author_id": id_in(of, "author"),
            "author": {"name": of.pointer("/author/name")},
            "system": is_system,
            "confidential": flag(of, "confidential") || flag(of, "internal"),
            "award_emoji": awards.iter().map(award).collect::<Vec<_>>(),
        });
        Ok(picked(of, "created_at updated_at", more))
    }

    /// Old notes of the system name labels by their numbers: `~12`.
    fn titled(&self, body: &str) -> String {
        if !body.contains('~') {
            return body.to_owned();
        }
        let by_id =
            |id: i64| self.labels.iter().find(|(_, label)| number(label, "id") == Some(id)).map(|(title, _)| title);
        let mut parts = body.split('~');
        let mut written = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|of: char| !of.is_ascii_digit()).unwrap_or(part.len());
            let (digits, rest) = part.split_at_checked(end).unwrap_or(("", part));
            match digits.parse().ok().and_then(by_id) {
                Some(title) => written += &format!("~\"{title}\"{rest}"),
                None => written += &format!("~{part}"),
            }
        }
        written
    }

    /// None of an issue elsewhere.
    fn link(&self, of: &Value, iid: i64, address: &str) -> Option<Value> {
        let other = number(of, "iid")?;
        if number(of, "project_id") != number(&self.project, "id") {
            let there = text(of, "web_url").unwrap_or_default();
            self.report(|report| report.leave("links to issues of other projects", &format!("{address} and {there}")));
            return None;
        }
        let (one, other, kind) = match text(of, "link_type").unwrap_or_default() {
            "blocks" => (iid, other, "blocks"),
            "is_blocked_by" => (other, iid, "blocks"),
            _ => (iid.min(other), iid.max(other), "relates_to"),
        };
        let at = text(of, "link_created_at").and_then(time::millis).unwrap_or_default();
        Some(json!({"issue": one, "target": other, "type": kind, "at": at}))
    }
}

fn award(of: &Value) -> Value {
    picked(of, "name created_at", json!({"user_id": id_in(of, "user")}))
}

fn event(of: &Value) -> Value {
    let title = of.get("label").and_then(|label| text(label, "name").or(text(label, "title")));
    let more = json!({
        "user_id": id_in(of, "user"),
        "label": title.map(|title| json!({"title": title})),
        "milestone": of.get("milestone").map(milestone),
    });
    picked(of, "created_at action state source_commit", more)
}

/// What identifies a milestone.
pub fn milestone(of: &Value) -> Value {
    if of.is_null() { Value::Null } else { picked(of, "title iid group_id", json!({})) }
}
