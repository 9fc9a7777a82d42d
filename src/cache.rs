//! What an isolate of the Worker remembers of the blobs it read: at most [`ROOM`] bytes, each for [`AGE`] milliseconds.

use std::collections::HashMap;
use std::rc::Rc;

/// Milliseconds after which a text is read anew.
pub const AGE: i64 = 30_000;
/// Bytes of all texts together.
pub const ROOM: usize = 2 << 20;

#[derive(Debug, Default)]
pub struct Cache {
    texts: HashMap<String, (Rc<str>, i64)>,
    bytes: usize,
}

impl Cache {
    /// The text if it was put here within [`AGE`].
    pub fn fresh(&self, key: &str, now: i64) -> Option<Rc<str>> {
        let (text, since) = self.texts.get(key)?;
        (0..AGE).contains(&(now - since)).then(|| text.clone())
    }

    /// The text however old it is.
    pub fn any(&self, key: &str) -> Option<Rc<str>> {
        self.texts.get(key).map(|(text, _)| text.clone())
    }

    /// Remembers a text, or that there is none any more. A full cache is cleared first.
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
#[path = "../tests/unit/cache.rs"]
mod tests;
