//! Places of an instance: how many requests of a kind one instance of the Worker handles at once, because it has 128 MB
//! of memory.

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
    /// The same, up to 1 MB.
    ShortStreams,
}

impl Kind {
    /// The most places, and the most of one person or address, so that others find a place.
    fn most(self) -> (usize, usize) {
        match self {
            Kind::Files => (8, 4),
            Kind::Reads | Kind::Streams => (4, 3),
            Kind::ShortStreams => (64, 16),
        }
    }

    /// Milliseconds after which a place is free again, because the platform may end a request without notice. Streams
    /// have more time, because a client may read slowly, and so have files: each part of 5 MiB, which takes up to 82
    /// seconds, renews its place.
    fn longest(self) -> i64 {
        match self {
            Kind::Reads => 60_000,
            Kind::Files => 150_000,
            Kind::Streams | Kind::ShortStreams => 600_000,
        }
    }

    pub(crate) fn most_of_one(self) -> usize {
        self.most().1
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Files => "uploads at once",
            Kind::Reads => "reads of a repository at once",
            Kind::Streams => "long files at once",
            Kind::ShortStreams => "files at once",
        }
    }
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Slots(Arc<Mutex<BTreeMap<Kind, HeldPlaces>>>);

#[derive(Debug, Default)]
struct HeldPlaces {
    /// For the number of each place: who has it, and since when, in milliseconds since 1970.
    held: BTreeMap<u64, (Owner, i64)>,
    last: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    Person(i64),
    Address(String),
}

/// A place that is taken until this value is dropped.
#[derive(Debug)]
pub struct HeldPlace {
    slots: Slots,
    kind: Kind,
    number: u64,
    /// Milliseconds since 1970.
    began: i64,
}

impl HeldPlace {
    /// Keeps the place that was taken so many milliseconds ago.
    pub(crate) fn renew(&self, elapsed: i64) {
        if let Some(places) = self.slots.places().get_mut(&self.kind)
            && let Some((_, since)) = places.held.get_mut(&self.number)
        {
            *since = self.began + elapsed;
        }
    }
}

impl Slots {
    fn places(&self) -> MutexGuard<'_, BTreeMap<Kind, HeldPlaces>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. None if all are taken. People without a token have at most half of them together.
    pub(crate) fn take(&self, kind: Kind, owner: Owner, now: i64) -> Option<HeldPlace> {
        let mut kinds = self.places();
        let HeldPlaces { held, last } = kinds.entry(kind).or_default();
        held.retain(|_, (_, since)| now - *since <= kind.longest());
        let (all, of_one) = kind.most();
        let own = held.values().filter(|(other, _)| *other == owner).count();
        let of_addresses = held.values().filter(|(other, _)| matches!(other, Owner::Address(_))).count();
        let is_address = matches!(owner, Owner::Address(_));
        if held.len() >= all || own >= of_one || is_address && of_addresses >= all / 2 {
            return None;
        }
        *last += 1;
        held.insert(*last, (owner, now));
        Some(HeldPlace { slots: self.clone(), kind, number: *last, began: now })
    }
}

impl Drop for HeldPlace {
    fn drop(&mut self) {
        if let Some(places) = self.slots.places().get_mut(&self.kind) {
            places.held.remove(&self.number);
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/limits/slots.rs"]
mod tests;
