//! Two commits against each other: which commits one of them reaches and the other does not, and where they met. It reads
//! the same pairs as a range (range.rs), in which a commit comes after all of its children.

use super::sql;
use crate::kernel::call::{Call, Entry};
use crate::kernel::error::{Error, Result};
use crate::kernel::store::Row;
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// Pairs of a child and a parent that are read at first, and if these do not suffice.
const LOOKS: [i64; 2] = [2000, 30_000];

/// The children in the pairs that name the two ends.
pub(super) const WITHOUT: i64 = -1;
pub(super) const WITH: i64 = -2;

/// Children and their parents, 0 for none.
#[derive(Debug, Row)]
pub(super) struct Pairs {
    pub children: Vec<i64>,
    pub parents: Vec<i64>,
}

impl Pairs {
    pub fn all(&self) -> impl Iterator<Item = (i64, i64)> {
        self.children.iter().copied().zip(self.parents.iter().copied())
    }

    /// Which ends reach a commit: 1 for WITHOUT, 2 for WITH, 3 for both.
    pub fn sides(&self) -> HashMap<i64, i64> {
        let mut sides = HashMap::from([(WITHOUT, 1), (WITH, 2)]);
        for (child, parent) in self.all().filter(|(_, parent)| *parent != 0) {
            *sides.entry(parent).or_default() |= sides.get(&child).copied().unwrap_or(0);
        }
        sides
    }

    /// The commits whose parents were all read, and whether `most` pairs were too few.
    pub fn read(&self, most: i64) -> (HashSet<i64>, bool) {
        let mut read: HashSet<i64> = self.children.iter().copied().collect();
        let is_cut = self.children.iter().filter(|child| **child > 0).count() as i64 == most;
        // the next pair may be of the same child
        if let Some(last) = self.children.last().filter(|_| is_cut) {
            read.remove(last);
        }
        (read, is_cut)
    }
}

/// Ids of commits.
#[derive(Debug, PartialEq, Eq)]
pub struct Sides {
    pub from: i64,
    pub to: i64,
    /// Those that only `to` reaches, the newest first.
    pub ahead: Vec<i64>,
    /// A commit that both reach and that no other such commit reaches.
    pub base: Option<i64>,
}

/// What of [`Sides`] is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidesWanted {
    All,
    /// Only the base needs to be right.
    Base,
}

impl Sides {
    /// Compares two commits. If a name is unknown, returns which of the two are.
    pub async fn find(
        call: &Call<'_>,
        [from, to]: [&str; 2],
        wanted: SidesWanted,
    ) -> Result<(Entry, Result<Sides, [bool; 2]>)> {
        for most in LOOKS {
            let query = sql::sides { without: from, name: to, waiting: None::<&str>, most };
            let (entry, rows) = call.authorize(query).await?;
            let pairs: Option<Pairs> = rows.first()?;
            match pairs.map_or(Some(Err([true; 2])), |pairs| Sides::of(&pairs, most, wanted)) {
                Some(sides) => return Ok((entry, sides)),
                None => continue,
            }
        }
        Err(too_far())
    }

    /// The sides of the first commit and of a commit that would have all others as its parents. None if one is unknown.
    pub async fn of_merge_base(call: &Call<'_>, first: &str, waiting: &[i64]) -> Result<Option<Sides>> {
        for most in LOOKS {
            let waiting = json!(waiting).to_string();
            let query = sql::sides { without: first, name: None::<&str>, waiting, most };
            let pairs: Option<Pairs> = call.authorize(query).await?.1.first()?;
            let Some(pairs) = pairs else { return Ok(None) };
            if let Some(sides) = Sides::of(&pairs, most, SidesWanted::Base) {
                return Ok(sides.ok());
            }
        }
        Err(too_far())
    }

    /// None if the pairs do not suffice.
    fn of(pairs: &Pairs, most: i64, wanted: SidesWanted) -> Option<Result<Sides, [bool; 2]>> {
        let end = |side: i64| pairs.all().find(|(child, _)| *child == side).map(|(_, id)| id);
        let (Some(from), Some(to)) = (end(WITHOUT), end(WITH)) else {
            return Some(Err([WITHOUT, WITH].map(|side| end(side).is_none())));
        };
        let (sides, (read, is_cut)) = (pairs.sides(), pairs.read(most));
        let mut seen = HashSet::new();
        let walked = pairs.children.iter().copied().filter(|child| *child > 0 && read.contains(child));
        let walked: Vec<i64> = walked.filter(|child| seen.insert(*child)).collect();
        let base = walked.iter().copied().find(|id| sides.get(id) == Some(&3));
        let is_whole = !sides.iter().any(|(id, side)| *id > 0 && *side == 2 && !read.contains(id));
        let suffices = match wanted {
            SidesWanted::All => is_whole && (base.is_some() || !is_cut),
            SidesWanted::Base => base.is_some() || !is_cut,
        };
        let ahead = || walked.iter().copied().filter(|id| sides.get(id) == Some(&2)).collect();
        suffices.then(|| Ok(Sides { from, to, ahead: ahead(), base }))
    }
}

fn too_far() -> Error {
    let [_, most] = LOOKS;
    Error::unprocessable(format!("more than {most} parents of commits would have to be read to compare these"))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/commits/sides.rs"]
mod tests;
