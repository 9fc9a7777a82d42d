//! The in-memory server's state and rules.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use edgeforge_wire::limits;
use edgeforge_wire::object::{Object, hashes_to};
use edgeforge_wire::text::is_hash;
use serde_json::{Value, json};

use crate::shelf::Shelf;

/// What happens to one request.
pub enum Fault {
    Status(u16, Option<u32>),
    Taken,
    Page(u16),
    Said(u16, &'static str),
    Dropped,
    /// The request is carried out, but its answer is lost.
    AnswerLost,
}

/// Another client's change.
type Meddling = Box<dyn FnMut(&mut World) + Send>;

#[derive(Default)]
pub struct World {
    pub default_branch: Option<String>,
    pub refs: BTreeMap<String, String>,
    /// Hash and message of annotated tags.
    pub tags: BTreeMap<String, (String, String)>,
    pub commits: HashMap<String, Value>,
    pub requests: Vec<(String, String, u16)>,
    /// The number of the last bookmark sent, and the bookmark of the last read.
    pub sent_bookmarks: u32,
    pub read_bookmark: Option<String>,
    /// The sizes of the accepted batches.
    pub batches: Vec<usize>,
    pub swapped: Vec<Value>,
    /// Chunks of changes that wait for the last chunk, with the name of their sync.
    staged: BTreeMap<i64, (String, Vec<Value>)>,
    /// The number of further swaps that answer `pending`.
    pub pending: usize,
    /// What a swap answers as the number of commits whose messages were not read.
    pub skipped: usize,
    /// Whether the last swap said that its commits are a history.
    pub is_history: bool,
    /// Commits that the hook must send again.
    pub forgotten: Vec<String>,
    /// Wrong branches that the server reports for commits.
    pub forged: HashMap<String, Value>,
    /// What `GET mirror` answers in place of the refs. The number counts its requests from 1.
    pub hostile: Option<fn(usize) -> Value>,
    /// A hook's token cannot read commits back.
    pub is_hook: bool,
    pub page: Option<usize>,
    /// A page of a list of commits ends early at this number of them.
    pub most_listed: Option<usize>,
    pub faults: VecDeque<Fault>,
    /// Pauses before and while a batch is written.
    pub delay: (Duration, Duration),
    pub before_swap: Option<Meddling>,
    /// None: the server stores no contents.
    pub shelf: Option<Shelf>,
}

fn refused(status: u16, reason: impl Into<String>) -> (u16, Value) {
    (status, json!({"message": reason.into()}))
}

impl World {
    pub fn show(&self, query: &str) -> Value {
        if let Some(answer) = self.hostile {
            return answer(self.requests.len() + 1);
        }
        let word = |name: &str| query.split('&').find_map(|word| word.strip_prefix(name)).unwrap_or_default();
        let (after, messages) = (word("after=").replace("%2F", "/"), word("messages=") == "true");
        let one = |(name, sha): (&String, &String)| {
            let tag = self.tags.get(name);
            let mut shown = json!({"name": name, "sha": sha, "tag_sha": tag.map(|(sha, _)| sha)});
            if let Some(extent) = self.shelf.as_ref().and_then(|shelf| shelf.extent(sha)) {
                shown["contents"] = json!(extent);
            }
            if messages {
                shown["message"] = json!(tag.map(|(_, message)| message));
            }
            shown
        };
        let mut refs: Vec<_> = self.refs.iter().filter(|(name, _)| **name > after).map(one).collect();
        let page = self.page.unwrap_or(usize::MAX);
        let next = (refs.len() > page).then(|| refs[page - 1]["name"].clone());
        refs.truncate(page);
        let mut shown = json!({"default_branch": self.default_branch, "pending": self.pending > 0, "refs": refs,
            "forgotten": self.forgotten, "next": next, "bytes": 12_345});
        if let Some(shelf) = &self.shelf {
            let is_ref = |commit: &&String| self.refs.values().any(|sha| sha == *commit);
            let complete = shelf.complete.iter().filter(|(commit, _)| !is_ref(commit));
            let complete = complete.map(|(commit, extent)| json!({ "sha": commit, "contents": extent }));
            let begun = shelf.begun.iter().map(|commit| json!({ "sha": commit, "contents": "none" }));
            shown["unreferenced"] = complete.chain(begun).collect();
            shown["most_file_bytes"] = json!(shelf.most_file_bytes);
            shown["contents"] = json!(shelf.asked);
        }
        shown
    }

    /// A page of commits with their branches.
    pub fn labels(&self, after: &str) -> Value {
        let mut belongs: HashMap<&str, &str> = HashMap::new();
        let mut branches: Vec<(&str, &String)> =
            self.refs.iter().filter_map(|(name, sha)| Some((name.strip_prefix("refs/heads/")?, sha))).collect();
        branches.sort_by_key(|(name, _)| (self.default_branch.as_deref() != Some(*name), *name));
        for (name, sha) in branches {
            let mut next = vec![sha.as_str()];
            while let Some(sha) = next.pop() {
                if !belongs.contains_key(sha) {
                    belongs.insert(sha, name);
                    let parents = self.commits.get(sha).and_then(|commit| commit["parents"].as_array());
                    next.extend(parents.into_iter().flatten().filter_map(Value::as_str));
                }
            }
        }
        let mut ids: Vec<&String> = self.commits.keys().filter(|id| id.as_str() > after).collect();
        ids.sort();
        let next = ids.get(2).map(|_| ids[1]);
        let one = |id: &&String| {
            let branch = self.forged.get(*id).cloned();
            json!({"id": id, "branch": branch.unwrap_or_else(|| json!(belongs.get(id.as_str())))})
        };
        json!({"commits": ids.iter().take(2).map(one).collect::<Vec<_>>(), "next": next})
    }

    pub fn take(&mut self, body: &[u8]) -> (u16, Value) {
        if body.len() > 8 * 1024 * 1024 {
            return refused(413, "too large");
        }
        let body: Value = serde_json::from_slice(body).unwrap();
        let commits = body["commits"].as_array().unwrap();
        if commits.len() > limits::COMMITS {
            return refused(400, "too many commits");
        }
        let mut fresh = HashMap::new();
        for (index, commit) in commits.iter().enumerate() {
            let id = commit["id"].as_str().unwrap().to_owned();
            match self.read(commit, &fresh) {
                Err(reason) => return refused(400, format!("commit {index} ({id}): {reason}")),
                Ok(commit) => drop(fresh.insert(id, commit)),
            }
        }
        self.batches.push(commits.len());
        for (id, commit) in fresh {
            match self.forgotten.iter().position(|forgotten| *forgotten == id) {
                Some(at) => {
                    self.forgotten.remove(at);
                    self.commits.insert(id, commit);
                }
                None => drop(self.commits.entry(id).or_insert(commit)),
            }
        }
        (201, json!({"received": commits.len()}))
    }

    /// Reads the commit's fields from its object, if the hash matches.
    fn read(&self, wire: &Value, fresh: &HashMap<String, Value>) -> Result<Value, String> {
        let commit: edgeforge_wire::Commit = serde_json::from_value(wire.clone()).unwrap();
        let bytes = commit.object().ok_or("it has no object")?;
        if !is_hash(&commit.id) || !hashes_to(&bytes, &commit.id) {
            return Err("the object has another hash".to_owned());
        }
        let object = Object::read(&bytes)?;
        if !serde_json::from_str::<Value>(&commit.diff).is_ok_and(|diff| diff.is_array()) {
            return Err("its diff is no list".to_owned());
        }
        let parents = object.parents.iter();
        if let Some(hash) = parents.clone().find(|hash| !self.commits.contains_key(*hash) && !fresh.contains_key(*hash))
        {
            return Err(format!("parent {hash} is not known"));
        }
        let texts = commit.texts.filter(|_| object.encoding.is_some()).unwrap_or(object.texts);
        let mut stored = serde_json::to_value(texts).unwrap();
        let more = json!({"id": commit.id, "parents": object.parents, "diff": commit.diff,
            "additions": commit.additions, "deletions": commit.deletions});
        stored.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Ok(stored)
    }

    /// Changes all refs, if all have their expected values, or none.
    pub fn swap(&mut self, body: &[u8]) -> (u16, Value) {
        if let Some(mut before) = self.before_swap.take() {
            before(self);
            self.before_swap = Some(before);
        }
        let body: Value = serde_json::from_slice(body).unwrap();
        let mut changes = body["changes"].as_array().unwrap().clone();
        if changes.len() > limits::CHANGES {
            return refused(400, "too many changes");
        }
        let (sync, portion) = (body["sync"].as_str(), body["portion"].as_i64().unwrap_or_default());
        if body["more"] == true {
            self.staged.insert(portion, (sync.unwrap().to_owned(), changes));
            return (200, json!({"refs": 0, "pending": true}));
        }
        if let Some(sync) = sync {
            let staged: Vec<_> = self.staged.values().filter(|(of, _)| of == sync).collect();
            if staged.len() as i64 != portion {
                return refused(409, "portions are missing");
            }
            changes.extend(staged.into_iter().flat_map(|(_, changes)| changes.clone()));
        }
        let changes = &changes;
        for change in changes {
            let name = change["name"].as_str().unwrap();
            if self.refs.get(name).map(String::as_str) != change["old"].as_str() {
                return refused(409, format!("{name} has moved"));
            }
            if !change["new"].as_str().is_none_or(|new| self.commits.contains_key(new)) {
                return refused(400, format!("{name}: its commit is not known"));
            }
        }
        for change in changes {
            let name = change["name"].as_str().unwrap().to_owned();
            self.tags.remove(&name);
            if let (Some(sha), Some(message)) = (change["tag_sha"].as_str(), change["message"].as_str()) {
                self.tags.insert(name.clone(), (sha.to_owned(), message.to_owned()));
            }
            match change["new"].as_str() {
                Some(new) => drop(self.refs.insert(name, new.to_owned())),
                None => drop(self.refs.remove(&name)),
            }
        }
        self.default_branch = body["default_branch"].as_str().map(str::to_owned);
        if !changes.is_empty() {
            self.swapped.clone_from(changes);
        }
        self.staged.clear();
        self.pending = self.pending.saturating_sub(1);
        self.is_history = body["history"] == true;
        (200, json!({"refs": changes.len(), "pending": self.pending > 0, "skipped": self.skipped}))
    }

    /// The commits of an answer have lost their diffs.
    pub fn forget(&mut self, ids: &Value) {
        for id in ids.as_array().into_iter().flatten().filter_map(Value::as_str) {
            if let Some(commit) = self.commits.get_mut(id) {
                commit["diff"] = json!("[]");
                self.forgotten.push(id.to_owned());
            }
        }
    }

    pub fn has(&self, id: &str) -> (u16, Value) {
        match self.commits.contains_key(id) {
            true => (200, json!({"id": id})),
            false => refused(404, "404 Commit Not Found"),
        }
    }

    /// A commit with the fields that the tests read.
    pub fn commit(&self, path: &str) -> (u16, Value) {
        if self.is_hook {
            return refused(403, "403 Forbidden");
        }
        if path == "repository/branches" {
            return (200, json!([]));
        }
        if let Some(query) = path.strip_prefix("repository/commits?ref_name=") {
            return (200, self.list(&format!("ref_name={query}")));
        }
        if let Some(branch) = path.strip_prefix("repository/branches/") {
            return (200, json!({"commit": {"id": self.refs.get(&format!("refs/heads/{}", decoded(branch)))}}));
        }
        let path = path.strip_prefix("repository/commits/").unwrap_or_default();
        let (name, diff) = path.strip_suffix("/diff").map_or((path, false), |id| (id, true));
        match self.named(&decoded(name)).and_then(|id| self.commits.get(&id)) {
            None => refused(404, "404 Commit Not Found"),
            Some(commit) if diff => (200, serde_json::from_str(commit["diff"].as_str().unwrap()).unwrap()),
            Some(commit) => (200, crate::commands::shown(commit)),
        }
    }

    /// The commit that git finds by this name.
    fn named(&self, name: &str) -> Option<String> {
        if self.commits.contains_key(&name.to_lowercase()) {
            return Some(name.to_lowercase());
        }
        if name == "HEAD" {
            return self.refs.get(&format!("refs/heads/{}", self.default_branch.as_ref()?)).cloned();
        }
        let full = ["", "refs/", "refs/tags/", "refs/heads/"].map(|start| format!("{start}{name}"));
        full.iter().find_map(|name| self.refs.get(name)).cloned()
    }

    fn list(&self, query: &str) -> Value {
        let (name, skip, size) = self.asked(query);
        let mut next = self.named(&name);
        let listed = std::iter::from_fn(|| {
            let id = next.take()?;
            next = self.commits[&id]["parents"][0].as_str().map(str::to_owned);
            Some(json!({"id": id}))
        });
        listed.skip(skip).take(size).collect()
    }

    /// The name, the commits of the pages before, and the size of the page.
    fn asked(&self, query: &str) -> (String, usize, usize) {
        let word = |name: &str| query.split('&').find_map(|word| word.strip_prefix(name)).unwrap_or_default();
        let size = word("per_page=").parse::<usize>().unwrap();
        let size = self.most_listed.map_or(size, |most| most.min(size));
        (decoded(word("ref_name=")), word("cursor=").parse().unwrap_or(0), size)
    }

    /// The header `Link` of a list of commits.
    pub fn link(&self, path: &str) -> String {
        let start = "/api/v3/projects/ann%2Fproj/repository/commits?ref_name=";
        let Some(query) = path.strip_prefix(start).map(|name| format!("ref_name={name}")) else {
            return String::new();
        };
        let (name, skip, size) = self.asked(&query);
        let more = format!("ref_name={}&per_page=1&cursor={}", name.replace('/', "%2F"), skip + size);
        if self.list(&more).as_array().unwrap().is_empty() {
            return String::new();
        }
        let next = more.replace("per_page=1&", "per_page=100&");
        format!("Link: <http://elsewhere/commits?{next}>; rel=\"next\", <http://elsewhere/>; rel=\"first\"\r\n")
    }
}

fn decoded(name: &str) -> String {
    name.replace("%2F", "/")
}
