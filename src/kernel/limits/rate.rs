//! Rate limits: refused tokens are counted by address, requests and pushes by token, and without a token by address.
//!
//! The platform counts for a whole data centre ([`Backend::count`](crate::kernel::store::Backend::count)), and each
//! look at its count adds one. So each instance of the Worker remembers tokens and addresses ([`Memory`]),
//! and uses them to refuse a request before the database is asked:
//!
//! * A token that the database accepted before is let in. If it is refused later, it is counted and
//!   forgotten.
//! * Any other token may be wrong. For an address, these tokens together have one limit in a minute: those
//!   that were refused plus those that the database is checking. Once the platform reports the address as
//!   over the limit, they are refused, except [`Rates::late`] tokens that were not refused in this minute. So a
//!   thousand wrong tokens reach the database little more often than the limit, accepted tokens still work from
//!   that address, and one broken job that repeats its wrong token shuts nobody out.
//!
//! A token is wrong if the database was asked for it and the request has no caller, even where anybody may
//! read.

use crate::kernel::jwt::keys::KeySets;
use crate::kernel::jwt::trust::Trust;
use crate::kernel::limits::slots::Slots;
use crate::kernel::limits::spending::{Accounts, MOST_REMEMBERED};
use crate::kernel::time::MINUTE;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Wrong and missing tokens of an address.
    Refusals,
    Requests,
    /// Writes of the mirror hook.
    Pushes,
}

/// The names of the bindings that count, in the order of [`Limit`]. Each has a variable `.._PER_MINUTE`.
pub const LIMITERS: [&str; 3] = ["REFUSALS", "REQUESTS", "PUSHES"];

/// Limits for one minute, in the order of [`Limit`]; 0 means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rates(pub [u32; 3]);

impl Rates {
    pub fn most(self, limit: Limit) -> u32 {
        self.0.get(limit as usize).copied().unwrap_or_default()
    }

    /// How many unknown tokens of an address that is over the limit reach the database in a minute.
    pub(crate) fn late(self) -> u32 {
        self.most(Limit::Refusals) / 6
    }
}

/// The most refused tokens that are remembered of one address.
const MOST_WRONG: usize = 100;

/// What one instance of the Worker remembers from one request to the next.
#[derive(Debug, Default)]
pub struct Memory {
    /// Hashes of the tokens that the database accepted, and the person who answers for each.
    pub(crate) known: BTreeMap<String, i64>,
    pub(crate) accounts: Accounts,
    pub(crate) slots: Slots,
    pub(crate) health: Health,
    pub(crate) keys: KeySets,
    /// By their keys.
    pub(crate) trusts: BTreeMap<String, Trust>,
    minute: i64,
    addresses: BTreeMap<String, Tally>,
    pub(crate) writers: Writers,
}

/// The last answer to `/-/readiness`.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// The time of the probe, in milliseconds since 1970.
    pub(crate) at: i64,
    /// Status and body.
    pub(crate) last: Option<(u16, String)>,
}

/// Addresses with a recent write.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    at: BTreeMap<String, i64>,
    /// Until then every address counts as a writer, because there were too many to remember.
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

    pub(crate) fn wrote(&self, address: &str, now: i64) -> bool {
        now < self.everybody || self.at.get(address).is_some_and(|at| now - at < MINUTE)
    }
}

/// One address in the current minute.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Unknown tokens that the database is checking.
    pub(crate) asking: u32,
    pub(crate) refused: u32,
    /// Whether the platform has reported the address as over the limit.
    pub(crate) is_over: bool,
    /// Unknown tokens that the database checked while the address was over the limit.
    pub(crate) late: u32,
    /// Hashes of tokens that were refused.
    pub(crate) wrong: BTreeSet<String>,
}

impl Tally {
    /// Whether the database may be asked about the token. Counts it as asked.
    pub(crate) fn asks(&mut self, token: &str, rates: Rates) -> bool {
        let is_full = self.is_over || self.asking + self.refused >= rates.most(Limit::Refusals);
        let asks = !is_full || self.late < rates.late() && !self.wrong.contains(token);
        self.late += u32::from(is_full && asks);
        self.asking += u32::from(asks);
        asks
    }

    pub(crate) fn refuse(&mut self, token: Option<&str>) {
        self.refused += 1;
        if self.wrong.len() < MOST_WRONG {
            self.wrong.extend(token.map(str::to_owned));
        }
    }
}

impl Memory {
    pub(crate) fn tally(&mut self, address: &str, now: i64) -> &mut Tally {
        if self.minute != now / MINUTE || self.addresses.len() >= MOST_REMEMBERED {
            self.minute = now / MINUTE;
            self.addresses.clear();
        }
        self.addresses.entry(address.to_owned()).or_default()
    }

    pub(crate) fn learn(&mut self, token: &str, person: i64) {
        // hashes are random, so this removes a random token
        if self.known.len() >= MOST_REMEMBERED {
            self.known.pop_first();
        }
        self.known.insert(token.to_owned(), person);
    }

    pub(crate) fn trust(&mut self, key: &str, trust: &Trust) {
        // one has at most 5 kB
        if self.trusts.len() >= 500 {
            self.trusts.pop_first();
        }
        self.trusts.insert(key.to_owned(), trust.clone());
    }
}
