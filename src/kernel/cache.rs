//! The cache of blobs in one isolate of the Worker. An entry lasts [`AGE`] milliseconds.

use std::collections::HashMap;
use std::rc::Rc;

pub const AGE: i64 = 30_000;
/// Bytes.
pub const ROOM: usize = 2 << 20;

#[derive(Debug, Default)]
pub struct Cache {
    texts: HashMap<String, (Rc<str>, i64)>,
    bytes: usize,
}

impl Cache {
    /// The text under `key`, if it was stored less than [`AGE`] ago.
    pub fn fresh(&self, key: &str, now: i64) -> Option<Rc<str>> {
        let (text, since) = self.texts.get(key)?;
        (0..AGE).contains(&(now - since)).then(|| text.clone())
    }

    /// The text under `key`, however old it is.
    pub fn any(&self, key: &str) -> Option<Rc<str>> {
        self.texts.get(key).map(|(text, _)| text.clone())
    }

    /// Stores a text, or removes the key if `text` is None. A full cache is cleared first.
    pub fn put(&mut self, key: &str, text: Option<Rc<str>>, now: i64) {
        if let Some((old, _)) = self.texts.remove(key) {
            self.bytes -= old.len();
        }
        let Some(text) = text else { return };
        if self.bytes + text.len() > ROOM {
            self.texts.clear();
            self.bytes = 0;
        }
        if text.len() <= ROOM {
            self.bytes += text.len();
            self.texts.insert(key.to_owned(), (text, now));
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/cache.rs"]
mod tests;
