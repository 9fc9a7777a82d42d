//! Cursors: where a page ended, so that the next one costs the same at any depth. A list reads rows after
//! [`Page::begin`](super::Page::begin) and gives [`Page::next`](super::Page::next) the sort key of its last row.
//!
//! A cursor has at most [`LONGEST`] characters: base64url of the JSON list `[version, digest, page, key,
//! ..]`. The digest covers the path, the page size, and all parameters except `page`, tokens and those of the
//! path. A cursor of another query or another `page` is ignored, and the page is found by its number. Any
//! other text is refused.

use crate::kernel::http::Request;
use crate::kernel::params::Params;
use crate::kernel::route::Route;
use crate::kernel::store::{Column, Tree, Value, WrongColumns};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Cursors of another version are ignored.
const VERSION: i64 = 1;

/// Characters: room for git's queue of two thousand commits, and short enough for an address.
const LONGEST: usize = 6000;

/// Higher page numbers become this one, so that every offset is exact.
pub const LAST: i64 = 1_000_000_000;

/// D1 has no exact integers beyond this.
const EXACT: i64 = 1 << 53;

const MOST_KEYS: usize = 3;

/// One value of a sort key: a number, a time in milliseconds since 1970, or a short text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Key {
    Int(i64),
    Text(String),
}

impl Column for Key {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Key {
        match from {
            Tree::Text(text) => Key::Text(text.into_owned()),
            number => Key::Int(i64::read(number, wrong)),
        }
    }
}

impl From<i64> for Key {
    fn from(number: i64) -> Self {
        Key::Int(number)
    }
}
impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Key::Text(text.to_owned())
    }
}
impl From<Key> for Value {
    fn from(key: Key) -> Self {
        match key {
            Key::Int(number) => Value::Int(number),
            Key::Text(text) => Value::Text(text),
        }
    }
}

impl Key {
    fn is_valid(&self) -> bool {
        match self {
            Key::Int(number) => (-EXACT..=EXACT).contains(number),
            Key::Text(text) => !text.contains('\0'),
        }
    }
}

pub(super) struct Cursor {
    pub digest: i64,
    /// The page that begins here, from 1.
    pub page: i64,
    /// The sort key of the row before it.
    pub keys: Vec<Key>,
}

impl Cursor {
    /// None if the word is not a cursor. A cursor of another version has no keys.
    pub fn read(word: &str) -> Option<Cursor> {
        if word.len() > LONGEST {
            return None;
        }
        let json = BASE64_URL_SAFE_NO_PAD.decode(word).ok()?;
        let parts: Vec<Key> = serde_json::from_slice(&json).ok()?;
        let [Key::Int(version), Key::Int(digest), Key::Int(page), keys @ ..] = parts.as_slice() else {
            return None;
        };
        if *version != VERSION {
            return Some(Cursor { digest: *digest, page: *page, keys: Vec::new() });
        }
        let sound =
            (2..=LAST).contains(page) && (1..=MOST_KEYS).contains(&keys.len()) && keys.iter().all(Key::is_valid);
        sound.then(|| Cursor { digest: *digest, page: *page, keys: keys.to_vec() })
    }
}

pub(super) fn word(digest: i64, page: i64, keys: &[Key]) -> Option<String> {
    let head = [VERSION, digest, page].map(Key::Int);
    let parts: Vec<&Key> = head.iter().chain(keys).collect();
    let word = BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_string(&parts).ok()?);
    (word.len() <= LONGEST).then_some(word)
}

pub(super) fn digest(request: &Request, route: &Route, params: &Params, size: i64) -> i64 {
    const APART: [&str; 7] = ["page", "per_page", "cursor", "private_token", "access_token", "sudo", "format"];
    // links repeat segments of the path as parameters
    let is_apart = |name: &str| APART.contains(&name) || route.names(name);
    let mut digest = Sha256::new();
    let mut add = |text: &str| {
        digest.update(text);
        // separates the texts, because no parameter contains a NUL
        digest.update([0]);
    };
    add(&request.path);
    add(&size.to_string());
    for (name, value) in params.pairs().iter().filter(|(name, _)| !is_apart(name)) {
        add(name);
        add(value);
    }
    digest.finalize().iter().take(4).fold(0, |number, byte| number << 8 | i64::from(*byte))
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/paging/cursor.rs"]
mod tests;
