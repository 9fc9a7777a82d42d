//! The range `a..b`: the commits that `b` reaches and `a` does not. A commit is read after all of its children (by its
//! label, see history/walk.rs), so by then it is known which of the two reach it. The reading ends when `a` reaches all
//! commits that are left.

use super::history::{Range, Walk};
use super::sql;
use crate::areas::mirror::pairs::{Pairs, WITH, WITHOUT};
use crate::kernel::gather::Gather;
use crate::kernel::{Call, Error, Page, Result};
use serde_json::json;
use std::collections::BTreeSet;

/// Pairs of a child and a parent that are read at first, and if these do not suffice. A pair takes a microsecond and a
/// half. A release of git.git takes up to 5,400.
const LOOKS: [i64; 3] = [2000, 8000, 30_000];

impl Range {
    /// The range without what the pages before listed. Empty if a name is unknown.
    pub async fn find(call: &Call<'_>, [without, name]: [Option<&str>; 2], page: &Page) -> Result<Range> {
        let waiting = Walk::begin(page)?.0.map(|walk| json!(walk.waiting).to_string());
        for most in LOOKS {
            let query = sql::sides { without, name, waiting: waiting.as_deref(), most };
            let pairs: Option<Pairs> = call.authorize(query).await?.1.first()?;
            let range = pairs.map_or(Some(Range::default()), |pairs| Range::of(&pairs, most));
            if let Some(range) = range {
                return Ok(range);
            }
        }
        let [.., most] = LOOKS;
        let text =
            format!("400 Bad request - More than {most} parents of commits would have to be read for this range");
        Err(Error::message(text))
    }

    /// None if the pairs do not suffice.
    fn of(pairs: &Pairs, most: i64) -> Option<Range> {
        let (sides, (read, _)) = (pairs.sides(), pairs.read(most));
        let is_within = |id: &i64| *id > 0 && sides.get(id) == Some(&2);
        if sides.keys().any(|id| is_within(id) && !read.contains(id)) {
            return None;
        }
        if !read.contains(&WITHOUT) {
            return Some(Range::default());
        }
        let pairs = || pairs.all().filter(|(_, parent)| *parent != 0);
        let waiting = pairs().filter(|(child, id)| *child == WITH && is_within(id)).map(|(_, id)| id).collect();
        let edges: BTreeSet<i64> =
            pairs().filter(|(child, id)| is_within(child) && !is_within(id)).map(|(_, id)| id).gather();
        Some(Range { waiting, edges: edges.into_iter().collect() })
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/commits/range.rs"]
mod tests;
