//! The commits at which branches and tags left the default branch. git calls them merge bases. A comparison with the default
//! branch reads their files.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::git::Repository;
use crate::refs;

/// The merge bases of each commit of `of` with the commit `with`, the newest first, from one walk of git. A merge base
/// is one of the newest commits that both reach. None if the repository lacks one of the commits or of their ancestors.
pub fn bases(repository: &Repository, with: &str, of: &BTreeSet<&str>) -> Result<Option<Vec<String>>> {
    if of.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if refs::known(repository, of)?.len() < of.len() {
        return Ok(None);
    }
    let input = of.iter().fold(format!("^{with}\n"), |input, tip| input + tip + "\n");
    let walk = ["--stdin", "--boundary", "--parents", "--timestamp", "--topo-order", "--reverse"];
    let Ok(listed) = repository.ask("rev-list", &walk, input.as_bytes()) else { return Ok(None) };
    let listed = String::from_utf8_lossy(&listed);
    let lines = || listed.lines().filter_map(|line| line.split_once(' '));
    // for each commit, the newest commits of `with` that it reaches, with their time
    let mut reached: BTreeMap<&str, BTreeSet<(i64, &str)>> = BTreeMap::new();
    // git marks with `-` the commits at which the walk ended
    for (time, end) in lines().filter_map(|(time, line)| Some((time, line.strip_prefix('-')?))) {
        let id = end.split(' ').next().unwrap_or_default();
        reached.insert(id, [(time.parse().unwrap_or_default(), id)].into());
    }
    // parents first
    for (_, line) in lines().filter(|(_, line)| !line.starts_with('-')) {
        let mut words = line.split(' ');
        let id = words.next().unwrap_or_default();
        let mut all: BTreeSet<(i64, &str)> =
            words.filter_map(|parent| reached.get(parent)).flatten().copied().collect();
        if let Some((newest, _)) = all.last().copied() {
            // commits of the same second may be parents of each other
            all.retain(|(time, _)| *time == newest);
            reached.insert(id, all);
        }
    }
    let found: BTreeSet<(i64, &str)> = of.iter().filter_map(|tip| reached.get(tip)).flatten().copied().collect();
    Ok(Some(found.into_iter().rev().map(|(_, id)| id.to_owned()).collect()))
}
