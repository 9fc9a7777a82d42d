//! How often somebody may ask: wrong and missing tokens by address, requests and pushes by token.
//!
//! The platform counts for a whole data centre ([`Backend::count`](crate::store::Backend::count)), and cannot be looked at
//! without counting one more. So each instance of the Worker remembers what it saw itself ([`Memory`]), and by that refuses
//! before the database is asked:
//!
//! * A token that the database knew is let in. It may have become wrong since: then it is counted and forgotten.
//! * Any other token may be wrong. Of these an address has no more under way and refused in one minute than the limit says,
//!   and none once the platform has said that it is over. So a thousand wrong tokens, at once or one by one, reach the
//!   database no more often than that, while known tokens are served from the same address. A good token that this instance
//!   never saw waits with the wrong ones of its address, a minute at most.
//!
//! Whether a token was right is told by the answer: whoever asked the database with a token and came out as nobody had a
//! wrong one, even where everybody may read.

use std::collections::{BTreeMap, BTreeSet};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Wrong and missing tokens of an address.
    Refusals,
    Requests,
    /// What the mirror hook sends with a token.
    Pushes,
}

/// How many there may be of each [`Limit`] in a minute; 0: any number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rates(pub [u32; 3]);

impl Rates {
    pub fn most(self, limit: Limit) -> u32 {
        self.0.get(limit as usize).copied().unwrap_or_default()
    }
}

pub(crate) const MINUTE: i64 = 60_000;

/// Tokens and addresses that an instance remembers at most.
const MOST_REMEMBERED: usize = 10_000;

/// What an instance of the Worker saw.
#[derive(Debug, Default)]
pub struct Memory {
    /// Tokens that the database knew when they came last: the beginnings of their hashes.
    pub(crate) known: BTreeSet<String>,
    /// The minute of `addresses`.
    minute: i64,
    addresses: BTreeMap<String, Tally>,
    pub(crate) writers: Writers,
}

/// From which addresses somebody wrote lately.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    at: BTreeMap<String, i64>,
    /// Until when everybody counts as one, because there were too many to remember.
    everybody: i64,
}

impl Writers {
    pub(crate) fn note(&mut self, address: &str, now: i64) {
        if self.at.len() >= MOST_REMEMBERED {
            self.at.clear();
            self.everybody = now + MINUTE;
        }
        self.at.insert(address.to_owned(), now);
    }

    /// Whether somebody wrote from there within a minute.
    pub(crate) fn wrote(&self, address: &str, now: i64) -> bool {
        now < self.everybody || self.at.get(address).is_some_and(|at| now - at < MINUTE)
    }
}

/// An address in the present minute.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Unknown tokens that the database is being asked about.
    pub(crate) asking: u32,
    pub(crate) refused: u32,
    /// The platform says that it had its share, here or elsewhere.
    pub(crate) is_over: bool,
}

impl Memory {
    pub(crate) fn tally(&mut self, address: &str, now: i64) -> &mut Tally {
        if self.minute != now / MINUTE || self.addresses.len() >= MOST_REMEMBERED {
            self.minute = now / MINUTE;
            self.addresses.clear();
        }
        self.addresses.entry(address.to_owned()).or_default()
    }

    pub(crate) fn learn(&mut self, token: &str) {
        if self.known.len() >= MOST_REMEMBERED {
            self.known.clear();
        }
        self.known.insert(token.to_owned());
    }
}
