//! How many files and how many requests with objects one instance of the Worker receives at once. Each has up to two parts
//! of an object in memory, and the instance has 128 MB.

use crate::call::Call;
use crate::error::{Error, Excess, Result};
use std::collections::BTreeMap;

const MOST: usize = 8;

/// For one person, so that slow uploads of one leave places to others.
const MOST_OF_A_PERSON: usize = 4;

/// Milliseconds after which a place without news is free, even if the platform ended its request without a word.
const LONGEST: i64 = 60_000;

#[derive(Debug, Default)]
pub(crate) struct Places {
    /// By person.
    held: BTreeMap<i64, usize>,
    /// When the last one was taken, in milliseconds since 1970.
    at: i64,
}

impl Places {
    fn take(&mut self, person: i64, now: i64) -> bool {
        if now - self.at > LONGEST {
            self.held.clear();
        }
        let own = self.held.get(&person).copied().unwrap_or_default();
        let has_room = own < MOST_OF_A_PERSON && self.held.values().sum::<usize>() < MOST;
        if has_room {
            self.held.insert(person, own + 1);
            self.at = now;
        }
        has_room
    }

    fn release(&mut self, person: i64) {
        if let Some(held) = self.held.get_mut(&person) {
            *held = held.saturating_sub(1);
        }
        self.held.retain(|_, held| *held > 0);
    }
}

/// A place, until the request ends.
pub struct Held<'c, 'a> {
    call: &'c Call<'a>,
    person: i64,
}

impl Drop for Held<'_, '_> {
    fn drop(&mut self) {
        self.call.store.remember(&mut |memory| memory.files.release(self.person));
    }
}

/// A place for an authorized request. 429 if all are taken.
pub fn hold<'c, 'a>(call: &'c Call<'a>) -> Result<Held<'c, 'a>> {
    let person = call.person_id.get().unwrap_or_default();
    let mut has_room = true;
    call.store.remember(&mut |memory| has_room = memory.files.take(person, call.now));
    if has_room {
        return Ok(Held { call, person });
    }
    let (most, what, wait) = (MOST_OF_A_PERSON as i64, "files at once", 1);
    Err(Error::TooMany(Box::new(Excess { most, what, wait, until: call.now / 1000 + wait })))
}

#[cfg(test)]
#[path = "../../tests/unit/places.rs"]
mod tests;
