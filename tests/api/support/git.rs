//! Little histories with made-up hashes, sent as the mirror hook sends them.

use super::people::World;
use serde_json::{Value, json};

/// A commit to be sent.
#[derive(Debug, Clone)]
pub struct Commit {
    pub sha: String,
    pub parents: Vec<String>,
    pub message: String,
    /// Seconds since 1970 of author and committer.
    pub authored_at: i64,
    pub committed_at: i64,
    pub zone: &'static str,
    pub additions: i64,
    pub deletions: i64,
    /// The finished JSON text of the diff.
    pub diff: String,
}

/// A hash that is only `number`'s, the same in every project.
pub fn sha(number: u32) -> String {
    let mixed = number.wrapping_mul(0x9e37_79b1);
    format!("{mixed:08x}{number:08x}{:024x}", u64::from(mixed) << 16)
}

/// Commit `number`: a day after commit `number - 1`, upon `parents`.
pub fn commit(number: u32, parents: &[u32]) -> Commit {
    let at = 1_400_000_000 + 86_400 * i64::from(number);
    Commit {
        sha: sha(number),
        parents: parents.iter().copied().map(sha).collect(),
        message: format!("Change {number}\n\nThe reason.\n"),
        authored_at: at - 60,
        committed_at: at,
        zone: "+0200",
        additions: 3,
        deletions: 1,
        diff: "[]".to_owned(),
    }
}

/// Commits 1 to `length`, each upon the one before.
pub fn line(length: u32) -> Vec<Commit> {
    (1..=length).map(|number| commit(number, &if number > 1 { vec![number - 1] } else { vec![] })).collect()
}

impl Commit {
    /// As the hook sends it.
    pub fn wire(&self) -> Value {
        json!({
            "id": self.sha, "parents": self.parents, "message": self.message,
            "author_name": "Ann", "author_email": "ann@example.com",
            "authored_at": self.authored_at, "author_zone": self.zone,
            "committer_name": "Bob", "committer_email": "bob@example.com",
            "committed_at": self.committed_at, "committer_zone": self.zone,
            "additions": self.additions, "deletions": self.deletions, "diff": self.diff,
        })
    }
}

impl World {
    /// Brings commits in, and refs (full name and hash); the first branch among them is the default.
    pub fn push(&self, commits: &[Commit], refs: &[(&str, &str)]) {
        let wire: Vec<Value> = commits.iter().map(Commit::wire).collect();
        self.post("/mirror/commits").by(&self.ann).json(json!({ "commits": wire })).gives(201);
        let changes = refs.iter().map(
            |(name, sha)| json!({ "name": name, "old": null, "new": sha, "message": null, "forced": false }),
        );
        let default = refs.iter().find_map(|(name, _)| name.strip_prefix("refs/heads/"));
        let swap = json!({ "default_branch": default, "changes": changes.collect::<Vec<_>>() });
        self.put("/mirror/refs").by(&self.ann).json(swap).gives(200);
    }

    /// A line of commits on `master`; the tip's hash.
    pub fn push_line(&self, length: u32) -> String {
        self.push(&line(length), &[("refs/heads/master", &sha(length))]);
        sha(length)
    }
}
