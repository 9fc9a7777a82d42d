//! What the piece `walked_pairs` reads: children and parents, of which a commit comes after all of its children.

use crate::kernel::Row;
use std::collections::{HashMap, HashSet};

/// The children in the pairs that name the two ends.
pub const WITHOUT: i64 = -1;
pub const WITH: i64 = -2;

/// Children and their parents, 0 for none.
#[derive(Debug, Default, Row)]
pub struct Pairs {
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
