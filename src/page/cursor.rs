//! Cursors: where a page of a list ended, so that the next one costs the same however deep it lies.
//!
//! A list that has cursors asks for rows behind [`Page::begin`] and gives [`Page::next`] the keys of its page's last row:
//!
//! ```ignore
//! // .. where (b.name, b.id) > (:name, :id) order by b.name, b.id limit :most offset :skip
//! let ([name, id], skip) = page.begin(["".into(), 0.into()]);
//! let query = sql::list { name, id, most: page.size + 1, skip };
//! // .. and with the rows that came back:
//! let total = page.cut(&mut rows);
//! let cursor = rows.last().and_then(|row| page.next([row.name.as_str().into(), row.id.into()]));
//! call.listing(&page, total, &[("id", &call.named())], cursor, &items)
//! ```
//!
//! On the wire a cursor is one opaque word of at most [`LONGEST`] characters: base64url of the JSON list
//! `[version, digest, page, key, ..]`. The digest is of what the list was asked for: its path, the size of its pages, and
//! every parameter but `page`, tokens and the path's own. A cursor that came with another query or another `page`
//! is dropped, and the page is found by its number; a word that is no cursor is refused.

use crate::http::Request;
use crate::params::Params;
use crate::store::{Column, Tree, Value, Wrong};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Of this form of cursors. One of another version is dropped.
const VERSION: i64 = 1;

/// Characters of a cursor: git's queue of some hundred commits, and an address still fits everywhere.
const LONGEST: usize = 3000;

/// Page numbers beyond this are this one: every offset stays exact.
pub const LAST: i64 = 1_000_000_000;

/// Integers beyond this are not exact in D1.
const EXACT: i64 = 1 << 53;

const MOST_KEYS: usize = 3;

/// One value of a list's order: a number, a time in milliseconds since 1970, or a short text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Key {
    Int(i64),
    Text(String),
}

impl Column for Key {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Key {
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
    /// Whether a statement can have it as a bind.
    fn is_sound(&self) -> bool {
        match self {
            Key::Int(number) => (-EXACT..=EXACT).contains(number),
            Key::Text(text) => !text.contains('\0'),
        }
    }
}

/// A cursor as it was sent.
pub(super) struct Cursor {
    pub digest: i64,
    /// Of the page that begins here, from 1.
    pub page: i64,
    /// Of the last row before it.
    pub keys: Vec<Key>,
}

impl Cursor {
    /// None: it is no cursor. A cursor of another version has no keys.
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
        let sound = (2..=LAST).contains(page)
            && (1..=MOST_KEYS).contains(&keys.len())
            && keys.iter().all(Key::is_sound);
        sound.then(|| Cursor { digest: *digest, page: *page, keys: keys.to_vec() })
    }
}

/// The cursor of the page `page`, behind a row with these keys. None if they are too long for a cursor.
pub(super) fn word<const N: usize>(digest: i64, page: i64, keys: [Key; N]) -> Option<String> {
    let head = [VERSION, digest, page].map(Key::Int);
    let parts: Vec<Key> = head.into_iter().chain(keys).collect();
    let word = BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_string(&parts).ok()?);
    (word.len() <= LONGEST).then_some(word)
}

pub(super) fn digest(request: &Request, params: &Params, size: i64) -> i64 {
    /// `size` counts instead of `per_page`, and the path instead of what it holds.
    const APART: [&str; 11] = [
        "page",
        "per_page",
        "cursor",
        "private_token",
        "access_token",
        "sudo",
        "format",
        "id",
        "sha",
        "issue_id",
        "milestone_id",
    ];
    let mut digest = Sha256::new();
    let mut add = |text: &str| {
        digest.update(text);
        // no parameter holds one
        digest.update([0]);
    };
    add(&request.path);
    add(&size.to_string());
    for (name, value) in params.pairs().iter().filter(|(name, _)| !APART.contains(&name.as_str())) {
        add(name);
        add(value);
    }
    digest.finalize().iter().take(4).fold(0, |number, byte| number << 8 | i64::from(*byte))
}

#[cfg(test)]
#[path = "../../tests/unit/page/cursor.rs"]
mod tests;
