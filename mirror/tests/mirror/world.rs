//! What the server in memory knows, and the rules by which it takes or refuses.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use serde_json::{Value, json};

/// What goes wrong with one request.
pub enum Fault {
    /// Answered so, at once, perhaps with `Retry-After`.
    Status(u16, Option<u32>),
    /// Nothing.
    Taken,
    /// The connection ends without an answer.
    Dropped,
    /// The request is done, but its answer is lost.
    AnswerLost,
}

/// Somebody else's change of the world.
type Meddling = Box<dyn FnMut(&mut World) + Send>;

/// What the server knows.
#[derive(Default)]
pub struct World {
    pub default_branch: Option<String>,
    pub refs: BTreeMap<String, String>,
    /// Hash and message of annotated tags.
    pub tags: BTreeMap<String, (String, String)>,
    pub commits: HashMap<String, Value>,
    /// Method, path and status of every request that was answered.
    pub requests: Vec<(String, String, u16)>,
    /// The sizes of the batches that were taken.
    pub batches: Vec<usize>,
    /// The changes of the last swap.
    pub swapped: Vec<Value>,
    /// For the next requests that write.
    pub faults: VecDeque<Fault>,
    /// How long a batch takes before and while it is written.
    pub delay: (Duration, Duration),
    /// The number of a list's first page.
    pub first_page: usize,
    /// Done just before a swap.
    pub before_swap: Option<Meddling>,
}

fn refused(status: u16, reason: impl Into<String>) -> (u16, Value) {
    (status, json!({"message": reason.into()}))
}

/// Is it a hash?
fn is_hash(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|hash| hash.len() == 40 && hash.bytes().all(|byte| b"0123456789abcdef".contains(&byte)))
}

impl World {
    pub fn show(&self) -> Value {
        let tag_sha = |name: &String| self.tags.get(name).map(|(sha, _)| sha);
        let one = |(name, sha)| json!({"name": name, "sha": sha, "tag_sha": tag_sha(name)});
        let refs: Vec<_> = self.refs.iter().map(one).collect();
        json!({"default_branch": self.default_branch, "refs": refs})
    }

    /// A batch, whole or not at all.
    pub fn take(&mut self, body: &[u8]) -> (u16, Value) {
        if body.len() > 8 * 1024 * 1024 {
            return refused(413, "too large");
        }
        let body: Value = serde_json::from_slice(body).unwrap();
        let commits = body["commits"].as_array().unwrap();
        if commits.len() > 500 {
            return refused(400, "too many commits");
        }
        let mut fresh = HashMap::new();
        for (index, commit) in commits.iter().enumerate() {
            if let Err(reason) = self.check(commit, &fresh) {
                return refused(400, format!("commits[{index}]: {reason}"));
            }
            fresh.insert(commit["id"].as_str().unwrap().to_owned(), commit.clone());
        }
        self.batches.push(commits.len());
        for (id, commit) in fresh {
            self.commits.entry(id).or_insert(commit);
        }
        (201, json!({"received": commits.len()}))
    }

    fn check(&self, commit: &Value, fresh: &HashMap<String, Value>) -> Result<(), String> {
        let zone = |key: &str| {
            let zone = commit[key].as_str().unwrap_or_default().as_bytes();
            zone.len() == 5 && b"+-".contains(&zone[0]) && zone[1..].iter().all(u8::is_ascii_digit)
        };
        let texts = ["author_name", "author_email", "committer_name", "committer_email", "message", "diff"];
        let numbers = ["authored_at", "committed_at", "additions", "deletions"];
        if commit.as_object().map(|fields| fields.len()) != Some(14) || !is_hash(&commit["id"]) {
            return Err("is not a commit".to_owned());
        }
        if !zone("author_zone") || !zone("committer_zone") {
            return Err("a zone is invalid".to_owned());
        }
        if !texts.iter().all(|key| commit[key].is_string()) || !numbers.iter().all(|key| commit[key].is_i64())
        {
            return Err("a field is invalid".to_owned());
        }
        if !serde_json::from_str::<Value>(commit["diff"].as_str().unwrap()).is_ok_and(|diff| diff.is_array())
        {
            return Err("its diff is no list".to_owned());
        }
        for parent in commit["parents"].as_array().unwrap() {
            let hash = parent.as_str().unwrap();
            if !self.commits.contains_key(hash) && !fresh.contains_key(hash) {
                return Err(format!("parent {hash} is not known"));
            }
        }
        Ok(())
    }

    /// All changes, if all refs are as expected.
    pub fn swap(&mut self, body: &[u8]) -> (u16, Value) {
        if let Some(mut before) = self.before_swap.take() {
            before(self);
            self.before_swap = Some(before);
        }
        let body: Value = serde_json::from_slice(body).unwrap();
        let changes = body["changes"].as_array().unwrap();
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
        self.swapped.clone_from(changes);
        (200, json!({"refs": changes.len()}))
    }

    /// Whether a commit is there.
    pub fn has(&self, id: &str) -> (u16, Value) {
        match self.commits.contains_key(id) {
            true => (200, json!({"id": id})),
            false => refused(404, "404 Commit Not Found"),
        }
    }

    /// A commit read back, as the API shows it, as far as the tests need it.
    pub fn commit(&self, path: &str) -> (u16, Value) {
        if let Some(query) = path.strip_prefix("repository/commits?ref_name=") {
            return (200, self.list(query));
        }
        if let Some(branch) = path.strip_prefix("repository/branches/") {
            return (200, json!({"commit": {"id": self.refs.get(&format!("refs/heads/{branch}"))}}));
        }
        let path = path.strip_prefix("repository/commits/").unwrap_or_default();
        let path = self.refs.get(&format!("refs/tags/{path}")).map_or(path, String::as_str);
        let (id, diff) = path.strip_suffix("/diff").map_or((path, false), |id| (id, true));
        match self.commits.get(id) {
            None => refused(404, "404 Commit Not Found"),
            Some(commit) if diff => (200, serde_json::from_str(commit["diff"].as_str().unwrap()).unwrap()),
            Some(commit) => (200, crate::commands::shown(commit)),
        }
    }

    /// A page of the commits that first parents lead to, of `BRANCH&per_page=N&page=N`.
    fn list(&self, query: &str) -> Value {
        let mut words = query.split('&').map(|word| word.rsplit('=').next().unwrap());
        let mut next = self.refs.get(&format!("refs/heads/{}", words.next().unwrap())).cloned();
        let [size, page] = [words.next(), words.next()].map(|word| word.unwrap().parse::<usize>().unwrap());
        let listed = std::iter::from_fn(|| {
            let id = next.take()?;
            next = self.commits[&id]["parents"][0].as_str().map(str::to_owned);
            Some(json!({"id": id}))
        });
        listed.skip((page - self.first_page) * size).take(size).collect()
    }
}
