//! How many requests of a kind one instance of the Worker works at together: it has 128 MB of memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Files and objects that are received. Each has up to two parts of an object in memory.
    Files,
    /// Trees, comparisons and diffs, which are in memory until they are answered.
    Reads,
    /// Long files and archives that are unpacked while they are sent.
    Streams,
}

impl Kind {
    /// How many at once, and of one person or address, so that others find a place.
    fn most(self) -> (usize, usize) {
        match self {
            Kind::Files => (8, 4),
            Kind::Reads | Kind::Streams => (4, 3),
        }
    }

    pub(crate) fn most_of_one(self) -> usize {
        self.most().1
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Files => "files at once",
            Kind::Reads => "reads of a repository at once",
            Kind::Streams => "long files at once",
        }
    }
}

/// Milliseconds after which a place without news is free, even if the platform ended its request without a word.
const LONGEST: i64 = 60_000;

#[derive(Debug, Default, Clone)]
pub(crate) struct Places(Arc<Mutex<BTreeMap<Kind, Taken>>>);

#[derive(Debug, Default)]
struct Taken {
    by_owner: BTreeMap<String, usize>,
    /// When the last one was taken, in milliseconds since 1970.
    at: i64,
}

/// A place until it is dropped.
#[derive(Debug)]
pub struct Held {
    places: Places,
    kind: Kind,
    owner: String,
}

impl Places {
    fn taken(&self) -> MutexGuard<'_, BTreeMap<Kind, Taken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None if all are taken.
    pub(crate) fn take(&self, kind: Kind, owner: &str, now: i64) -> Option<Held> {
        let mut kinds = self.taken();
        let taken = kinds.entry(kind).or_default();
        if now - taken.at > LONGEST {
            taken.by_owner.clear();
        }
        let (all, of_one) = kind.most();
        let own = taken.by_owner.get(owner).copied().unwrap_or_default();
        if own >= of_one || taken.by_owner.values().sum::<usize>() >= all {
            return None;
        }
        taken.by_owner.insert(owner.to_owned(), own + 1);
        taken.at = now;
        Some(Held { places: self.clone(), kind, owner: owner.to_owned() })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut kinds = self.places.taken();
        let Some(taken) = kinds.get_mut(&self.kind) else { return };
        if let Some(held) = taken.by_owner.get_mut(&self.owner) {
            *held = held.saturating_sub(1);
        }
        taken.by_owner.retain(|_, held| *held > 0);
    }
}

#[cfg(test)]
#[path = "../tests/unit/places.rs"]
mod tests;
