//! How many bytes of bodies one instance of the Worker holds at once. A push of 8 MB takes 32 MB of memory, parameters of
//! 1 MB take some 6 MB, and the instance has 128 MB. A body counts what has arrived of it, whatever it announces. Where a
//! room is full, that arriving body ends which has held the most bytes for the longest time.

use super::slots::Owner;
use futures_util::future::{AbortHandle, AbortRegistration};
use std::collections::BTreeMap;

/// Bodies that share room. Those of tokens that were valid lately have their own, so that strangers shut none of them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Pushes,
    /// Parameters that are long, packed or of unknown length.
    Parameters {
        is_known: bool,
    },
    /// Up to 64 KiB, which the platform holds until all is there.
    Short {
        is_known: bool,
    },
}

impl Room {
    /// Bytes of all, and of one person or address, so that others find room.
    fn most(self) -> (usize, usize) {
        match self {
            Room::Pushes => (12 << 20, 8 << 20),
            Room::Parameters { is_known: true } => (6 << 20, 4 << 20),
            Room::Parameters { is_known: false } => (4 << 20, 3 << 20),
            Room::Short { .. } => (8 << 20, 4 << 20),
        }
    }
}

/// The least bytes that a short body counts.
pub const SHORTEST: usize = 8 << 10;

/// Milliseconds after which a body counts as ended, because the platform may end it without notice. No body takes
/// longer to arrive.
const LONGEST: i64 = 200_000;

#[derive(Debug, Default)]
pub struct Bodies {
    /// By the number that [`Bodies::begin`] returned.
    held: BTreeMap<u64, HeldBody>,
    last: u64,
}

#[derive(Debug)]
struct HeldBody {
    room: Room,
    owner: Owner,
    /// Those that have arrived.
    bytes: usize,
    /// Milliseconds since 1970.
    since: i64,
    /// Ends the body. None if it is whole.
    end: Option<AbortHandle>,
    /// Its request sees that at its next event, and its bytes are there until then.
    is_ended: bool,
}

impl Bodies {
    /// Returns the number of the body, and what ends it.
    pub fn begin(&mut self, room: Room, owner: Owner, now: i64) -> (u64, AbortRegistration) {
        self.held.retain(|_, body| now - body.since <= LONGEST);
        self.last += 1;
        let (end, registration) = AbortHandle::new_pair();
        self.held.insert(self.last, HeldBody { room, owner, bytes: 0, since: now, end: Some(end), is_ended: false });
        (self.last, registration)
    }

    /// Counts bytes that have arrived. Returns what ends the bodies that are too much, which this one may be, too.
    pub fn add(&mut self, number: u64, bytes: usize, now: i64) -> Vec<AbortHandle> {
        let Some(body) = self.held.get_mut(&number) else { return Vec::new() };
        body.bytes += bytes;
        let (room, owner) = (body.room, body.owner.clone());
        let mut ended = Vec::new();
        while let Some(body) = self.slowest(room, &owner, now).and_then(|number| self.held.get_mut(&number)) {
            body.is_ended = true;
            ended.extend(body.end.clone());
        }
        // with those that are ended and have not left
        let own = self.held.values().filter(|body| body.room == room && body.owner == owner);
        let own = own.map(|body| body.bytes).sum::<usize>();
        if let Some(body) = self.held.get_mut(&number).filter(|body| !body.is_ended && own > 2 * room.most().1) {
            body.is_ended = true;
            ended.extend(body.end.clone());
        }
        ended
    }

    /// The body that is to end, if there are too many bytes.
    fn slowest(&self, room: Room, owner: &Owner, now: i64) -> Option<u64> {
        let of_room = || self.held.iter().filter(|(_, body)| body.room == room && !body.is_ended);
        let (all, of_one) = room.most();
        let own = of_room().filter(|(_, body)| body.owner == *owner).map(|(_, body)| body.bytes).sum::<usize>();
        let is_own = own > of_one;
        if !is_own && of_room().map(|(_, body)| body.bytes).sum::<usize>() <= all {
            return None;
        }
        let arriving = of_room().filter(|(_, body)| body.end.is_some() && (!is_own || body.owner == *owner));
        let cost = |body: &HeldBody| body.bytes as i64 * (now - body.since + 1);
        arriving.max_by_key(|(_, body)| cost(body)).map(|(number, _)| *number)
    }

    /// All of it has arrived, so it is not ended any more.
    pub fn is_whole(&mut self, number: u64) {
        if let Some(body) = self.held.get_mut(&number) {
            body.end = None;
        }
    }

    pub fn release(&mut self, number: u64) {
        self.held.remove(&number);
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/limits/bodies.rs"]
mod tests;
