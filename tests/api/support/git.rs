//! Small commit histories, sent as the mirror hook sends them.

use super::people::World;
use serde_json::{Value, json};
use sha1::{Digest, Sha1};
use std::cell::RefCell;
use std::collections::HashMap;

/// The tree of a directory without entries.
pub const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// A commit to send.
#[derive(Debug, Clone)]
pub struct Commit {
    number: u32,
    pub sha: String,
    pub parents: Vec<String>,
    pub message: String,
    /// Seconds since 1970 of author and committer.
    pub authored_at: i64,
    pub committed_at: i64,
    pub zone: &'static str,
    pub author: &'static str,
    pub additions: i64,
    pub deletions: i64,
    /// The JSON text of the diff.
    pub diff: String,
    pub more_paths: Vec<String>,
    /// The hash of the root tree.
    pub tree: String,
}

thread_local! {
    /// The hashes of this test's commits, by number.
    static MADE: RefCell<HashMap<u32, String>> = RefCell::default();
}

/// The hash of commit `number`. If it does not exist yet, the hash of the one in [`line`].
pub fn sha(number: u32) -> String {
    let made = MADE.with_borrow(|made| made.get(&number).cloned());
    made.unwrap_or_else(|| match number {
        0 | 200.. => format!("{number:040x}"),
        _ => commit(number, &if number > 1 { vec![number - 1] } else { vec![] }).sha,
    })
}

/// Commit `number`, a day after commit `number - 1`. Make its `parents` first.
pub fn commit(number: u32, parents: &[u32]) -> Commit {
    let at = 1_400_000_000 + 86_400 * i64::from(number);
    let commit = Commit {
        number,
        sha: String::new(),
        parents: parents.iter().copied().map(sha).collect(),
        message: format!("Change {number}\n\nThe reason.\n"),
        authored_at: at - 60,
        committed_at: at,
        zone: "+0200",
        author: "Ann <ann@example.com>",
        additions: 3,
        deletions: 1,
        diff: "[]".to_owned(),
        more_paths: Vec::new(),
        tree: EMPTY_TREE.to_owned(),
    };
    commit.with(|_| {})
}

/// Commits 1 to `length`, each the child of the one before.
pub fn line(length: u32) -> Vec<Commit> {
    (1..=length).map(|number| commit(number, &if number > 1 { vec![number - 1] } else { vec![] })).collect()
}

impl Commit {
    /// A changed copy, which has another hash.
    pub fn with(mut self, change: impl FnOnce(&mut Commit)) -> Commit {
        change(&mut self);
        let object = self.object();
        let mut hash = Sha1::new();
        hash.update(format!("commit {}\0{object}", object.len()));
        self.sha = edgeforge_wire::text::hex(&hash.finalize());
        MADE.with_borrow_mut(|made| made.insert(self.number, self.sha.clone()));
        self
    }

    /// The object as git stores it.
    pub fn object(&self) -> String {
        let Commit { tree, parents, message, authored_at, committed_at, zone, author, .. } = self;
        let parents: String = parents.iter().map(|parent| format!("parent {parent}\n")).collect();
        format!(
            "tree {tree}\n{parents}author {author} {authored_at} {zone}\n\
             committer Bob <bob@example.com> {committed_at} {zone}\n\n{message}"
        )
    }

    /// The JSON that the hook sends.
    pub fn wire(&self) -> Value {
        json!({
            "id": self.sha, "object": self.object(),
            "additions": self.additions, "deletions": self.deletions, "diff": self.diff,
            "more_paths": self.more_paths,
        })
    }
}

impl World {
    /// Sends commits, then refs (full name and hash). The first branch becomes the default branch of a new index.
    pub fn push(&self, commits: &[Commit], refs: &[(&str, &str)]) {
        for commits in commits.chunks(1000) {
            let wire: Vec<Value> = commits.iter().map(Commit::wire).collect();
            self.post("/mirror/commits").by(&self.ann).json(json!({ "commits": wire })).gives(201);
        }
        let changes = refs
            .iter()
            .map(|(name, sha)| json!({ "name": name, "old": null, "new": sha, "message": null, "forced": false }));
        let default = refs.iter().find_map(|(name, _)| name.strip_prefix("refs/heads/"));
        let swap = json!({ "default_branch": default, "changes": changes.collect::<Vec<_>>() });
        self.put("/mirror/refs").by(&self.ann).json(swap).gives(200);
    }

    /// Pushes a line of commits to `master`. Returns the hash of the tip.
    pub fn push_line(&self, length: u32) -> String {
        self.push(&line(length), &[("refs/heads/master", &sha(length))]);
        sha(length)
    }
}
