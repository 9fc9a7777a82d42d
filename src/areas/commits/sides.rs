//! Two commits against each other: which commits one of them reaches and the other does not, and where they met. It reads
//! the same pairs as a range (range.rs), in which a commit comes after all of its children.

use super::sql;
use crate::areas::mirror::pairs::{Pairs, WITH, WITHOUT};
use crate::kernel::{Call, Entry, Error, Result};
use serde_json::json;
use std::collections::HashSet;

/// Pairs of a child and a parent that are read at first, and if these do not suffice.
const LOOKS: [i64; 3] = [2000, 8000, 30_000];

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
        Sides::look(call, from, Some(to), None, wanted).await
    }

    /// The sides of the first commit and of a commit that would have all others as its parents. None if one is unknown.
    pub async fn of_merge_base(call: &Call<'_>, first: &str, waiting: &[i64]) -> Result<Option<Sides>> {
        let waiting = json!(waiting).to_string();
        Ok(Sides::look(call, first, None, Some(&waiting), SidesWanted::Base).await?.1.ok())
    }

    async fn look(
        call: &Call<'_>,
        without: &str,
        name: Option<&str>,
        waiting: Option<&str>,
        wanted: SidesWanted,
    ) -> Result<(Entry, Result<Sides, [bool; 2]>)> {
        for most in LOOKS {
            let (entry, rows) = call.authorize(sql::sides { without, name, waiting, most }).await?;
            let pairs: Option<Pairs> = rows.first()?;
            if let Some(sides) = pairs.map_or(Some(Err([true; 2])), |pairs| Sides::of(&pairs, most, wanted)) {
                return Ok((entry, sides));
            }
        }
        let [.., most] = LOOKS;
        let text = format!("more than {most} parents of commits would have to be read to compare these");
        Err(Error::unprocessable(text))
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

#[cfg(test)]
#[path = "../../../tests/unit/areas/commits/sides.rs"]
mod tests;
