//! Each caller has an account of the milliseconds that their requests took. The database measures its own. A Worker
//! cannot measure its processor time, so it is estimated from the bytes that it read and wrote and from the [`Work`]
//! that it counts. The clock of a Worker stands still while it computes:
//! <https://developers.cloudflare.com/workers/runtime-apis/performance/>.
//!
//! What was spent is forgiven at the rate of one budget a minute. Over the budget, a request is refused before the
//! database is asked. From a quarter of the budget on, two requests at a time are let in. A request that still runs
//! counts with its expected cost, so that many at once do not all enter before the first has cost anything. An account
//! belongs to a person, whatever tokens they use, or to an address if the token is missing or wrong. Accounts are in
//! the memory of one instance of the Worker, so other instances do not share them.

use crate::kernel::time::MINUTE;
use std::collections::BTreeMap;

/// Accounts, addresses and tokens.
pub(crate) const MOST_REMEMBERED: usize = 10_000;

pub(crate) const AT_ONCE: u32 = 2;

/// Milliseconds that a read is expected to cost until it ends: a costly one takes 150 (`make -C lab hostile`).
pub(crate) const READ: f64 = 100.0;

/// The same for a write. A build may post dozens of statuses at once.
pub(crate) const WRITE: f64 = 20.0;

/// Milliseconds after which a request has ended, even if its client left before its answer: D1 ends a statement after 30 seconds.
const LONGEST: i64 = 35_000;

/// An answer of 4 MB takes about 200 ms of processor time.
const BYTES_A_MILLISECOND: f64 = 20_000.0;

/// Milliseconds that every request costs at least.
const REQUEST: f64 = 0.3;

/// The same for a body that the platform streams without the Worker.
const STREAMED_A_MILLISECOND: f64 = 500_000.0;

/// Work of the Worker in addition to bodies. `call.store.work(..)` adds it to the cost of a request.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// Objects that the object store was asked for.
    Objects(usize),
    /// Bytes that are hashed, or that a zlib or gzip stream unpacks to.
    Bytes(u64),
    /// Bytes that are packed, at 10 milliseconds a megabyte (`kernel::http::gzip`).
    Packed(u64),
    /// Look-ups, comparisons of short texts and the like: 100 nanoseconds each.
    Steps(u64),
}

impl Work {
    pub(crate) fn millis(self) -> f64 {
        match self {
            Work::Objects(count) => count as f64 / 5.0,
            Work::Bytes(bytes) => bytes as f64 / 200_000.0,
            Work::Packed(bytes) => bytes as f64 / 100_000.0,
            Work::Steps(count) => count as f64 / 10_000.0,
        }
    }
}

/// Milliseconds of the Worker for a request and an answer of so many bytes, and for a streamed one.
pub(crate) fn estimate(bytes: usize, streamed: usize) -> f64 {
    REQUEST + bytes as f64 / BYTES_A_MILLISECOND + streamed as f64 / STREAMED_A_MILLISECOND
}

#[derive(Debug, Default)]
struct Account {
    /// Milliseconds of work.
    spent: f64,
    /// When it was drained last, in milliseconds since 1970.
    at: i64,
    running: u32,
    /// Milliseconds that the running requests are expected to cost.
    expected: f64,
    /// When the last of them began, in milliseconds since 1970.
    began: i64,
}

impl Account {
    fn drain(&mut self, budget: f64, now: i64) {
        let passed = (now - self.at).max(0) as f64;
        self.spent = (self.spent - passed * budget / MINUTE as f64).max(0.0);
        self.at = self.at.max(now);
        if now - self.began > LONGEST {
            (self.running, self.expected) = (0, 0.0);
        }
    }

    fn begin(&mut self, expected: f64, budget: f64, now: i64) -> Result<(), Refusal> {
        if self.running >= AT_ONCE && self.spent + self.expected >= budget / 4.0 {
            return Err(Refusal::AtOnce(1));
        }
        self.running += 1;
        self.expected += expected;
        self.began = now;
        Ok(())
    }
}

/// Why a request is refused, and for how many seconds.
#[derive(Debug, PartialEq)]
pub(crate) enum Refusal {
    Spent(i64),
    AtOnce(i64),
}

#[derive(Debug, Default)]
pub(crate) struct Accounts(BTreeMap<String, Account>);

impl Accounts {
    /// If there are 10,000 accounts, closes those that have spent nothing. If that makes no room, closes those that
    /// have spent no more than the mean.
    fn open(&mut self, owner: &str, budget: f64, now: i64) -> &mut Account {
        if self.0.len() >= MOST_REMEMBERED {
            self.0.retain(|_, account| {
                account.drain(budget, now);
                account.spent > 0.0
            });
        }
        if self.0.len() >= MOST_REMEMBERED {
            let mean = self.0.values().map(|account| account.spent).sum::<f64>() / self.0.len() as f64;
            self.0.retain(|_, account| account.spent > mean);
        }
        let account = self.0.entry(owner.to_owned()).or_default();
        account.drain(budget, now);
        account
    }

    /// Begins a request, which must end.
    pub(crate) fn begin(&mut self, owner: &str, expected: f64, budget: i64, now: i64) -> Result<(), Refusal> {
        let budget = budget as f64;
        let account = self.open(owner, budget, now);
        if account.spent >= budget {
            let wait = (account.spent - budget) * MINUTE as f64 / budget / 1000.0;
            return Err(Refusal::Spent(wait.ceil().max(1.0) as i64));
        }
        account.begin(expected, budget, now)
    }

    /// The same for a token that is not known yet, in the account of its address. Others have spent there, so the
    /// request is not refused because the budget is spent.
    pub(crate) fn begin_unknown(&mut self, address: &str, expected: f64, budget: i64, now: i64) -> Result<(), Refusal> {
        let budget = budget as f64;
        self.open(address, budget, now).begin(expected, budget, now)
    }

    /// Whether any account has spent a quarter of the budget, from which on its requests are limited.
    pub(crate) fn has_debtor(&mut self, budget: i64, now: i64) -> bool {
        let budget = budget as f64;
        self.0.values_mut().any(|account| {
            account.drain(budget, now);
            account.spent >= budget / 4.0
        })
    }

    pub(crate) fn end(&mut self, owner: &str, expected: f64) {
        if let Some(account) = self.0.get_mut(owner) {
            account.running = account.running.saturating_sub(1);
            account.expected = (account.expected - expected).max(0.0);
        }
    }

    pub(crate) fn charge(&mut self, owner: &str, millis: f64, budget: i64, now: i64) {
        self.open(owner, budget as f64, now).spent += millis;
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/limits/spending.rs"]
mod tests;
