//! The commits that are new on the branches of a push.

use crate::areas::mirror::pairs::{Pairs, WITHOUT};
use crate::areas::mirror::sql;
use crate::kernel::store::Rows;
use crate::kernel::{Call, Result};
use edgeforge_wire::{Change, Swap};
use std::collections::BTreeSet;

/// Branches of a push that are looked at.
const BRANCHES: usize = 20;
/// Commits of a branch, and of a push.
const COMMITS_OF_A_BRANCH: usize = 100;
const COMMITS: usize = 500;

/// Pairs of a child and a parent that are read of each branch, and of the default branch if these do not suffice.
const LOOKS: [i64; 2] = [1000, 30_000];

/// The commits that are new on a branch.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Range {
    /// The newest, up to [`COMMITS_OF_A_BRANCH`], the newest first.
    pub newest: Vec<i64>,
    /// How many more were read.
    pub more: usize,
    /// Whether the new tip reaches the old one. None if too little was read.
    pub is_forward: Option<bool>,
    /// Whether everything that is needed was read.
    pub is_whole: bool,
}

impl Range {
    /// `came`: what the old tip reaches (WITHOUT), and what the new one does (WITH).
    fn of(came: &Pairs, most: i64) -> Range {
        let sides = came.sides();
        let old = came.all().find(|(child, _)| *child == WITHOUT).map(|(_, id)| id);
        let mut read: Vec<i64> = came.children.iter().copied().filter(|child| *child > 0).collect();
        let is_cut = i64::try_from(read.len()).is_ok_and(|count| count >= most);
        read.dedup();
        // a commit is read after all of its children, so the sides of the commits read are right, even if the reading
        // was cut
        let mut within = read.iter().copied().filter(|id| sides.get(id) == Some(&2));
        let newest: Vec<i64> = within.by_ref().take(COMMITS_OF_A_BRANCH).collect();
        let more = within.count();
        let is_old_read = old.is_some_and(|old| read.contains(&old));
        let reached = old.is_some_and(|old| sides.get(&old) == Some(&3));
        let is_forward = if reached { Some(true) } else { (is_old_read || !is_cut).then_some(false) };
        let is_whole = !is_cut || (is_forward.is_some() && newest.len() == COMMITS_OF_A_BRANCH);
        Range { newest, more, is_forward, is_whole }
    }
}

/// A branch that moves, and what it is compared with.
#[derive(Clone, Copy)]
pub(super) struct Branch<'a> {
    pub name: &'a str,
    pub new: &'a str,
    pub old: &'a str,
    pub is_main: bool,
    /// Whether it was compared with the default branch, because it is new.
    pub is_new: bool,
}

/// The branches that move, the default branch first. A new branch is compared with the default branch.
pub(super) fn branches<'a>(swap: &'a Swap, main: Option<&str>, main_sha: Option<&'a str>) -> Vec<Branch<'a>> {
    // in a first push the default branch is compared with nothing, and other branches with the default branch
    let is_of_main = |change: &&Change| change.name.strip_prefix("refs/heads/").is_some_and(|name| main == Some(name));
    let first = || swap.changes.iter().find(is_of_main).and_then(|change| change.new.as_deref());
    let branch = |change: &'a Change| {
        let name = change.name.strip_prefix("refs/heads/")?;
        let is_main = main == Some(name);
        let base = main_sha.or_else(|| if is_main { Some("") } else { first() });
        let (new, old) = (change.new.as_deref()?, change.old.as_deref().or(base)?);
        Some(Branch { name: &change.name, new, old, is_main, is_new: change.old.is_none() })
    };
    let found = swap.changes.iter().filter_map(branch);
    let (mut branches, others): (Vec<Branch>, Vec<Branch>) = found.partition(|branch| branch.is_main);
    branches.extend(others);
    branches.truncate(BRANCHES);
    branches
}

async fn look(call: &Call<'_>, project_id: i64, branches: &[Branch<'_>], most: i64) -> Result<Vec<Range>> {
    let query = |branch: &Branch<'_>| sql::came { project_id, old: branch.old, new: branch.new, most }.into();
    let answers = call.store.batch(branches.iter().map(query).collect()).await?;
    let read = |rows: &Rows| Ok(Range::of(&rows.first()?.unwrap_or_default(), most));
    answers.iter().map(read).collect()
}

/// Each commit once, the newest of a branch first.
pub(super) fn looked_at(ranges: &[Range]) -> Vec<i64> {
    let mut known = BTreeSet::new();
    let ids = ranges.iter().flat_map(|range| range.newest.iter().copied());
    ids.filter(|id| known.insert(*id)).take(COMMITS).collect()
}

/// Reads the ranges. Only the default branch is read further if the first look was too short.
pub(super) async fn ranges(call: &Call<'_>, project_id: i64, branches: &[Branch<'_>]) -> Result<Vec<Range>> {
    let [first, most] = LOOKS;
    let mut ranges = look(call, project_id, branches, first).await?;
    if let (Some(main), Some(of_main)) = (branches.first().filter(|branch| branch.is_main), ranges.first_mut())
        && !of_main.is_whole
        && let Some(further) = look(call, project_id, &[*main], most).await?.pop()
    {
        *of_main = further;
    }
    Ok(ranges)
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/mirror/references.rs"]
mod tests;
