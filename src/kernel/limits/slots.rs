//! Places of an instance: how many requests of a kind one instance of the Worker handles at once, because it has 128 MB
//! of memory. Where all are taken and somebody waits, the slowest one of those that are slow is ended.

use futures_util::future::{AbortHandle, AbortRegistration};
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

/// Milliseconds after which the speed of a place counts, and after which a stream that nobody reads is at a stand.
const GRACE: i64 = 5000;

impl Kind {
    /// The most places, and the most of one person or address, so that others find a place.
    fn most(self) -> (usize, usize) {
        match self {
            Kind::Files => (8, 4),
            Kind::Reads | Kind::Streams => (4, 3),
            Kind::ShortStreams => (64, 16),
        }
    }

    /// Milliseconds after which a place is free again, because the platform may end a request without notice. Files and
    /// streams have more time: each part of 5 MiB, which takes up to 82 seconds, and each piece that a client reads renews
    /// their place.
    fn longest(self) -> i64 {
        if self == Kind::Reads { 60_000 } else { 150_000 }
    }

    /// Bytes a millisecond, below which it is slow. A stream that ends has to begin anew, so it may be slower.
    fn quick(self) -> u64 {
        if self == Kind::Files { 1000 } else { 250 }
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
    held: BTreeMap<u64, Place>,
    last: u64,
}

/// Times are milliseconds since 1970.
#[derive(Debug)]
struct Place {
    owner: Owner,
    began: i64,
    renewed: i64,
    moving: Option<Moving>,
}

/// Bytes that come or go.
#[derive(Debug)]
struct Moving {
    bytes: u64,
    end: AbortHandle,
    /// Of a stream: milliseconds for which the client did not read, in all before and since the last piece. The object
    /// store may be slow, too.
    unread: (i64, i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    Person(i64),
    /// By its hash, until the database has said whose it is.
    Token(String),
    Address(String),
}

/// A place that is taken until the last copy of this value is dropped.
#[derive(Debug, Clone)]
pub struct HeldPlace(Arc<TakenPlace>);

#[derive(Debug)]
struct TakenPlace {
    slots: Slots,
    kind: Kind,
    number: u64,
}

/// Why there is no place. `slow`: what ends the slowest one. Not under a lock, because that runs its request.
#[derive(Debug)]
pub(crate) struct NoPlace {
    pub(crate) most: usize,
    pub(crate) is_own: bool,
    pub(crate) slow: Option<AbortHandle>,
}

impl HeldPlace {
    fn with<T>(&self, act: impl FnOnce(&mut Place) -> T) -> Option<T> {
        self.0.slots.places().get_mut(&self.0.kind).and_then(|places| places.held.get_mut(&self.0.number)).map(act)
    }

    /// Keeps the place that was taken so many milliseconds ago.
    pub(crate) fn renew(&self, elapsed: i64) {
        self.with(|place| place.renewed = place.began + elapsed);
    }

    /// Counts the place for another owner. False if that one has as many as allowed.
    pub(crate) fn pass_to(&self, owner: Owner) -> bool {
        let mut kinds = self.0.slots.places();
        let Some(HeldPlaces { held, .. }) = kinds.get_mut(&self.0.kind) else { return true };
        let others = held.iter().filter(|(number, place)| **number != self.0.number && place.owner == owner).count();
        if let Some(place) = held.get_mut(&self.0.number) {
            place.owner = owner;
        }
        others < self.0.kind.most().1
    }

    /// From now on its speed counts. Returns the registration of its end.
    pub(crate) fn start(&self) -> AbortRegistration {
        let (end, registration) = AbortHandle::new_pair();
        self.with(|place| place.moving = Some(Moving { bytes: 0, end, unread: (0, 0) }));
        registration
    }

    pub(crate) fn count(&self, bytes: usize) {
        self.with(|place| place.moving.iter_mut().for_each(|moving| moving.bytes += bytes as u64));
    }

    /// Counts bytes of a stream that the client has read after so many milliseconds, or has not if there are none. Whether
    /// the stream is to end.
    pub fn read(&self, bytes: usize, millis: i64, now: i64) -> bool {
        self.count(bytes);
        let ended = self.with(|place| {
            place.renewed = now;
            place.moving.as_mut().is_some_and(|Moving { end, unread, .. }| {
                *unread = if bytes > 0 { (unread.0 + millis, 0) } else { (unread.0, millis) };
                end.is_aborted()
            })
        });
        ended == Some(true)
    }

    /// Its speed counts no longer. Whether it was ended.
    pub(crate) fn stop(&self) -> bool {
        self.with(|place| place.moving.take()).flatten().is_some_and(|moving| moving.end.is_aborted())
    }
}

impl Slots {
    fn places(&self) -> MutexGuard<'_, BTreeMap<Kind, HeldPlaces>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. People without a token have at most half of them together.
    pub(crate) fn take(&self, kind: Kind, owner: Owner, now: i64) -> Result<HeldPlace, NoPlace> {
        let mut kinds = self.places();
        let HeldPlaces { held, last } = kinds.entry(kind).or_default();
        held.retain(|_, place| now - place.renewed <= kind.longest());
        let (all, of_one) = kind.most();
        let own = held.values().filter(|place| place.owner == owner).count();
        if own >= of_one {
            return Err(NoPlace { most: of_one, is_own: true, slow: None });
        }
        // a token that the database has not seen may be made up
        let is_address = |owner: &Owner| !matches!(owner, Owner::Person(_));
        let going_on = || held.values().filter(|place| !place.is_ended());
        let of_addresses = going_on().filter(|place| is_address(&place.owner)).count();
        // what is ended is gone at its next event, 20 seconds later at most
        let is_full = going_on().count() >= all || held.len() >= 2 * all;
        if is_full || is_address(&owner) && of_addresses >= all / 2 {
            // who has more places than others ends none of theirs
            let places_of = |owner: &Owner| held.values().filter(|place| place.owner == *owner).count();
            let others = going_on().filter(|place| is_full || is_address(&place.owner));
            let others = others.filter(|place| places_of(&place.owner) >= own);
            let slow = others.filter_map(|place| place.slowness(kind, now)).min_by_key(|(speed, _)| *speed);
            return Err(NoPlace { most: all, is_own: false, slow: slow.map(|(_, end)| end) });
        }
        *last += 1;
        held.insert(*last, Place { owner, began: now, renewed: now, moving: None });
        Ok(HeldPlace(Arc::new(TakenPlace { slots: self.clone(), kind, number: *last })))
    }
}

impl Place {
    fn is_ended(&self) -> bool {
        self.moving.as_ref().is_some_and(|moving| moving.end.is_aborted())
    }

    /// Its speed, if it is to be ended where others wait.
    fn slowness(&self, kind: Kind, now: i64) -> Option<(u64, AbortHandle)> {
        let Moving { bytes, end, unread: (before, stand) } = self.moving.as_ref()?;
        let millis = if kind == Kind::Files { now - self.began } else { before + stand };
        if millis <= GRACE {
            return None;
        }
        let speed = if *stand > GRACE { 0 } else { bytes / millis.unsigned_abs() };
        (speed < kind.quick()).then(|| (speed, end.clone()))
    }
}

impl Drop for TakenPlace {
    fn drop(&mut self) {
        if let Some(places) = self.slots.places().get_mut(&self.kind) {
            places.held.remove(&self.number);
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/limits/slots.rs"]
mod tests;
