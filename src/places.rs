//! How many files and how many requests with objects one instance of the Worker receives at once. Each has up to two parts
//! of an object in memory, and the instance has 128 MB.

use std::collections::BTreeMap;

const MOST: usize = 8;

/// For one person, so that slow uploads of one leave places to others.
pub(crate) const MOST_OF_A_PERSON: usize = 4;

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
    /// Whether there is room. What was taken must be released.
    pub(crate) fn take(&mut self, person: i64, now: i64) -> bool {
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

    pub(crate) fn release(&mut self, person: i64) {
        if let Some(held) = self.held.get_mut(&person) {
            *held = held.saturating_sub(1);
        }
        self.held.retain(|_, held| *held > 0);
    }
}

#[cfg(test)]
#[path = "../tests/unit/places.rs"]
mod tests;
