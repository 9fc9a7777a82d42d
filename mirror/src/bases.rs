//! Where branches and tags left the default branch. A comparison of a branch with the default branch reads the files of that
//! commit, which git calls the merge base.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::git::Repository;
use crate::refs;

/// The newest are kept.
const MOST: usize = 500;

/// The merge base of each of the commits `tips` with the commit `with`, from one walk of git: the newest of the commits
/// that both reach. Commits that the repository lacks have none.
pub fn bases(repository: &Repository, with: &str, tips: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let known = refs::known(repository, &tips.iter().map(String::as_str).collect())?;
    if !known.contains(with) || known.len() < 2 {
        return Ok(BTreeSet::new());
    }
    let input = known.iter().fold(format!("^{with}\n"), |input, tip| input + tip + "\n");
    let walk = ["--stdin", "--boundary", "--parents", "--timestamp", "--topo-order", "--reverse"];
    let listed = repository.ask("rev-list", &walk, input.as_bytes())?;
    let listed = String::from_utf8_lossy(&listed);
    // the newest that each commit reaches, with its time
    let mut reached: BTreeMap<&str, (i64, &str)> = BTreeMap::new();
    let lines = || listed.lines().filter_map(|line| line.split_once(' '));
    for (time, boundary) in lines().filter_map(|(time, line)| Some((time, line.strip_prefix('-')?))) {
        let id = boundary.split(' ').next().unwrap_or_default();
        reached.insert(id, (time.parse().unwrap_or_default(), id));
    }
    // parents first
    for (_, line) in lines().filter(|(_, line)| !line.starts_with('-')) {
        let mut words = line.split(' ');
        let id = words.next().unwrap_or_default();
        if let Some(newest) = words.filter_map(|parent| reached.get(parent).copied()).max() {
            reached.insert(id, newest);
        }
    }
    let found: BTreeSet<(i64, &str)> =
        known.iter().filter_map(|tip| reached.get(tip.as_str()).copied()).collect();
    Ok(found.into_iter().rev().take(MOST).map(|(_, id)| id.to_owned()).collect())
}
