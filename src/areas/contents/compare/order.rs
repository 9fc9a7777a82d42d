//! The order in which git lists the commits of a comparison.

use crate::areas::commits::CommitRow;
use crate::areas::commits::history::rank;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Starts at `tip`. Next is always the newest of the parents seen so far; of equal dates, the one seen first.
pub fn as_git_lists(commits: Vec<CommitRow>, tip: &str) -> Vec<CommitRow> {
    let mut left: HashMap<String, CommitRow> = commits.into_iter().map(|commit| (commit.sha.clone(), commit)).collect();
    let mut queue = BTreeMap::new();
    let mut listed: Vec<CommitRow> = Vec::with_capacity(left.len());
    let mut queued = 0_u64;
    let mut next = left.remove(tip);
    while let Some(commit) = next {
        for parent in commit.parent_shas.iter().filter_map(|sha| left.remove(sha)) {
            queued += 1;
            queue.insert((rank(parent.committed_at), Reverse(queued)), parent);
        }
        listed.push(commit);
        next = queue.pop_last().map(|(_, commit)| commit);
    }
    listed
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/compare/order.rs"]
mod tests;
