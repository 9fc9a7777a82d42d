//! The keys of issuers that an instance of the Worker remembers, and when it fetches them (behaviour 2.5).

use crate::kernel::time::{DAY, HOUR, MINUTE};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;
use std::collections::BTreeMap;

/// Issuers that are remembered.
const MOST_SETS: usize = 50;
const MOST_KEYS: usize = 32;

/// Milliseconds until keys are fetched again after a failure.
pub const RETRY: i64 = 30_000;
/// Milliseconds between two fetches for a key that is not there, so that made-up ones cost nothing.
const BETWEEN_LOOKS: i64 = 5 * MINUTE;
/// Milliseconds after which a request that fetches counts as gone.
pub const LONGEST_FETCH: i64 = 12_000;

/// An RSA key whose exponent is 65,537.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub id: String,
    /// In base64url, as it came.
    pub modulus: String,
}

#[derive(Debug, Default)]
pub struct KeySets(BTreeMap<String, KeySet>);

/// Times are milliseconds since 1970; 0: never.
#[derive(Debug, Default)]
struct KeySet {
    keys: Vec<Key>,
    /// Where the keys are.
    address: Option<String>,
    fetched_at: i64,
    failed_at: i64,
    failure: String,
    /// The last fetch for a key that was not there.
    looked_at: i64,
    /// When the request began that fetches now.
    busy_since: i64,
}

/// What a request that needs a key does next.
#[derive(Debug, PartialEq)]
pub enum Step {
    Use(Key),
    /// `address`: of the keys, if it is known. `is_fresh`: no cache may answer.
    Fetch {
        address: Option<String>,
        is_fresh: bool,
    },
    /// Another request fetches.
    Wait,
    /// The issuer has no such key.
    Unknown,
    /// The keys are out of reach, for this reason.
    Unavailable(String),
}

impl KeySets {
    /// The next step for the key `id` of the issuer. After [`Step::Fetch`] call [`KeySets::end`].
    pub fn step(&mut self, issuer: &str, id: &str, now: i64) -> Step {
        if self.0.len() >= MOST_SETS && !self.0.contains_key(issuer) {
            self.0.pop_first();
        }
        let set = self.0.entry(issuer.to_owned()).or_default();
        let age = now - set.fetched_at;
        let (is_young, serves) = (age < HOUR, age < DAY);
        let rests = now - set.failed_at < RETRY;
        let is_busy = now - set.busy_since < LONGEST_FETCH;
        let key = set.keys.iter().find(|key| key.id == id && serves);
        match key {
            Some(key) if is_young || rests || is_busy => return Step::Use(key.clone()),
            _ if is_busy => return Step::Wait,
            _ => {}
        }
        if !rests && (!is_young || now - set.looked_at >= BETWEEN_LOOKS) {
            set.busy_since = now;
            set.looked_at = if is_young { now } else { set.looked_at };
            let address = set.address.clone().filter(|_| is_young);
            return Step::Fetch { address, is_fresh: is_young };
        }
        if serves { Step::Unknown } else { Step::Unavailable(set.failure.clone()) }
    }

    /// Ends a fetch that began at `now`, with the address of the keys and these, or the reason of its failure.
    pub fn end(&mut self, issuer: &str, now: i64, outcome: Result<(String, Vec<Key>), String>) {
        let set = self.0.entry(issuer.to_owned()).or_default();
        set.busy_since = 0;
        match outcome {
            Ok((address, keys)) => {
                (set.address, set.keys) = (Some(address), keys);
                (set.fetched_at, set.failed_at) = (now, 0);
            }
            Err(failure) => {
                (set.failed_at, set.failure) = (now, failure);
                // the next look comes after the rest
                set.looked_at = if set.looked_at == now { 0 } else { set.looked_at };
            }
        }
    }
}

/// The keys of a document that sign RS256. The error says why it is no set of keys.
pub fn usable(document: &Value) -> Result<Vec<Key>, String> {
    let listed = document.get("keys").and_then(Value::as_array).ok_or("it has no list of keys")?;
    if listed.len() > MOST_KEYS {
        return Err(format!("it has more than {MOST_KEYS} keys"));
    }
    Ok(listed.iter().filter_map(usable_key).collect())
}

fn usable_key(key: &Value) -> Option<Key> {
    let text = |name: &str| key.get(name).and_then(Value::as_str);
    let is_or_lacks = |name: &str, value: &str| key.get(name).is_none_or(|found| found == value);
    let fits = text("kty") == Some("RSA")
        && text("e") == Some("AQAB")
        && is_or_lacks("use", "sig")
        && is_or_lacks("alg", "RS256");
    let modulus = text("n").filter(|modulus| fits && is_long(modulus))?;
    Some(Key { id: text("kid")?.to_owned(), modulus: modulus.to_owned() })
}

/// Whether a modulus has 2,048 to 8,192 bits.
fn is_long(modulus: &str) -> bool {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(modulus).unwrap_or_default();
    let first = bytes.first().copied().unwrap_or_default();
    first != 0 && (257..=1024).contains(&bytes.len()) || first >= 128 && bytes.len() == 256
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/jwt/keys.rs"]
mod tests;
