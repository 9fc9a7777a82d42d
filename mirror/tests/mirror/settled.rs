//! What a sync leaves: after exit code 0 there is nothing to send, and `status` and `verify` say so.
//!
//! `SETTLED_HISTORIES=200 SETTLED_SEED=7 cargo test -p edgeforge-mirror settled -- --ignored` tries more histories.

use std::collections::BTreeMap;

use crate::peer::Peer;
use crate::repo::{Repo, messages};
use crate::shelf::Shelf;

struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn one<'l, T>(&mut self, of: &'l [T]) -> &'l T {
        &of[self.roll(of.len())]
    }
}

struct History {
    repo: Repo,
    dice: Dice,
    commits: Vec<String>,
    branches: BTreeMap<&'static str, String>,
    now: i64,
}

const NAMES: [&str; 5] = ["main", "a", "b", "side", "z"];

impl History {
    fn new(seed: u64) -> History {
        let dice = Dice(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        History { repo: Repo::bare(), dice, commits: Vec::new(), branches: BTreeMap::new(), now: 1_500_000_000 }
    }

    /// A commit with a new file. One in twelve has a clock that is years off.
    fn commit(&mut self, parents: &[String]) -> String {
        let number = self.commits.len();
        let file = self.repo.feed(&["hash-object", "-w", "--stdin"], format!("{number}\n").as_bytes());
        let tree = self.repo.feed(&["mktree"], format!("100644 blob {file}\tfile\n").as_bytes());
        self.now += 100;
        let skew = if self.dice.roll(12) == 0 { 86_400 * (self.dice.roll(7000) as i64 - 3500) } else { 0 };
        let mut git = self.repo.command();
        git.env("GIT_COMMITTER_DATE", format!("{} +0000", self.now + skew));
        git.args(["commit-tree", &tree, "-m", &format!("commit {number}")]);
        for parent in parents {
            git.args(["-p", parent]);
        }
        let id = String::from_utf8(git.output().unwrap().stdout).unwrap().trim().to_owned();
        self.commits.push(id.clone());
        id
    }

    fn parent(&self, of: &str, generations: usize) -> Option<String> {
        let mut git = self.repo.command();
        let output = git.args(["rev-parse", "--verify", "-q", &format!("{of}~{generations}")]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn change(&mut self) {
        let name = *self.dice.one(&NAMES);
        let tip = self.branches.get(name).cloned();
        match self.dice.roll(12) {
            0..=3 => {
                let mut tip = tip;
                for _ in 0..=self.dice.roll(4) {
                    tip = Some(self.commit(&tip.into_iter().collect::<Vec<_>>()));
                }
                self.branches.extend(tip.map(|tip| (name, tip)));
            }
            4 | 5 => {
                let others: Vec<String> = self.branches.values().cloned().collect();
                if let Some(mine) = tip.filter(|_| !others.is_empty()) {
                    let back = self.dice.roll(3);
                    let other = self.dice.one(&others).clone();
                    let other = self.parent(&other, back).unwrap_or(other);
                    let merge = self.commit(&[mine, other]);
                    self.branches.insert(name, merge);
                }
            }
            // rewrites its last commits
            6 | 7 => {
                if let Some(tip) = tip {
                    let back = 1 + self.dice.roll(10);
                    let mut base = self.parent(&tip, back);
                    for _ in 0..back {
                        base = Some(self.commit(&base.into_iter().collect::<Vec<_>>()));
                    }
                    self.branches.extend(base.map(|tip| (name, tip)));
                }
            }
            // moves to any commit, also to one that no branch reaches
            8 | 9 if !self.commits.is_empty() => {
                let to = self.dice.one(&self.commits).clone();
                self.branches.insert(name, to);
            }
            10 => drop(self.branches.remove(name)),
            11 => drop(self.repo.git(&["symbolic-ref", "HEAD", &format!("refs/heads/{name}")])),
            _ => {}
        }
    }

    fn store(&self) {
        let there = self.repo.git(&["for-each-ref", "--format=delete %(refname)"]);
        let made = self.branches.iter().map(|(name, tip)| format!("create refs/heads/{name} {tip}\n"));
        self.repo.feed(&["update-ref", "--stdin"], (there + "\n").trim_start().as_bytes());
        self.repo.feed(&["update-ref", "--stdin"], made.collect::<String>().as_bytes());
    }
}

fn settles(histories: u64, seed: u64) {
    for history in 0..histories {
        let peer = Peer::new();
        peer.world().shelf = Some(Shelf::default());
        let mut of = History::new(seed << 32 | history);
        for step in 0..10 {
            for _ in 0..=of.dice.roll(4) {
                of.change();
            }
            if of.branches.is_empty() {
                continue;
            }
            of.store();
            let what = format!("seed {seed}, history {history}, step {step}");
            let synced = of.repo.program(&peer, "sync").arg("--replace").output().unwrap();
            assert!(synced.status.success(), "{what}: {}", messages(&synced));
            let status = of.repo.program(&peer, "status").output().unwrap();
            let said = String::from_utf8_lossy(&status.stdout).into_owned();
            assert!(status.status.success(), "{what}: {said}\nafter {}", messages(&synced));
        }
        peer.world().is_hook = true;
        let verified = of.repo.program(&peer, "verify").arg("--contents").output().unwrap();
        assert!(verified.status.success(), "seed {seed}, history {history}: {verified:?}");
    }
}

#[test]
fn after_a_sync_that_succeeds_nothing_is_left_to_send() {
    settles(4, 1);
}

#[test]
#[ignore = "a proof: make prove"]
fn after_many_syncs_that_succeed_nothing_is_left_to_send() {
    let number = |name, usual| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    settles(number("SETTLED_HISTORIES", 10), number("SETTLED_SEED", 2));
}

/// The smallest case: the merge base of another branch changes when the default branch moves.
#[test]
fn the_merge_bases_of_all_branches_are_sent_when_the_default_branch_moves() {
    let peer = Peer::new();
    peer.world().shelf = Some(Shelf::default());
    let repo = Repo::grown(12);
    repo.git(&["branch", "side", "HEAD~1"]);
    repo.sync(&peer, &[]);
    let settled = || {
        repo.sync(&peer, &[]);
        let status = repo.program(&peer, "status").output().unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    };
    // rewritten ten commits back
    repo.git(&["reset", "-q", "--soft", "HEAD~10"]);
    repo.commit("rewritten");
    settled();
    // merges a part of the side
    repo.git(&["merge", "-q", "-s", "ours", "--no-edit", "side~2"]);
    settled();
    // another branch becomes the default one
    repo.git(&["branch", "third", "HEAD~1"]);
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/side"]);
    settled();
}
