//! How many bytes of bodies one instance of the Worker reads at once. A push of 8 MB takes 32 MB of memory, parameters
//! of 1 MB take some 6 MB, and the instance has 128 MB.

use super::slots::Owner;
use std::collections::BTreeMap;

/// Bytes of bodies that are read or stored at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// One alone may be longer.
    pub(crate) most: usize,
    /// The most of these for one person or address, so that room is left for others.
    pub(crate) of_one: usize,
}

pub(crate) const PUSHES: Room = Room { most: 12 << 20, of_one: 8 << 20 };

/// The most bytes that a body counts before it is read.
pub(crate) const UNREAD: usize = 4 << 20;

/// Milliseconds after which a body counts as ended, because the platform may end it without notice. No body takes
/// longer to arrive.
const LONGEST: i64 = 200_000;

#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// By the number that [`Bodies::take`] returned.
    held: BTreeMap<u64, HeldBody>,
    last: u64,
}

#[derive(Debug)]
struct HeldBody {
    owner: Owner,
    bytes: usize,
    /// Milliseconds since 1970.
    since: i64,
}

impl Bodies {
    /// Takes room. Returns the number to release it with, or None if there is too little.
    pub(crate) fn take(&mut self, room: Room, owner: Owner, bytes: usize, now: i64) -> Option<u64> {
        self.held.retain(|_, body| now - body.since <= LONGEST);
        let all: usize = self.held.values().map(|body| body.bytes).sum();
        let own = self.held.values().filter(|body| body.owner == owner);
        let own: usize = own.map(|body| body.bytes).sum();
        if (own > 0 && own + bytes > room.of_one) || (all > 0 && all + bytes > room.most) {
            return None;
        }
        self.last += 1;
        self.held.insert(self.last, HeldBody { owner, bytes, since: now });
        Some(self.last)
    }

    pub(crate) fn release(&mut self, number: u64) {
        self.held.remove(&number);
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/limits/bodies.rs"]
mod tests;
