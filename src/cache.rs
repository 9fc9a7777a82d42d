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
mod tests {
    use super::*;

    #[test]
    fn a_text_is_fresh_for_a_while_and_then_only_better_than_none() {
        let mut cache = Cache::default();
        cache.put("a", Some("text".into()), 1_000);
        assert_eq!(cache.fresh("a", 1_000 + AGE - 1).as_deref(), Some("text"));
        assert_eq!(cache.fresh("a", 1_000 + AGE), None);
        assert_eq!(cache.fresh("a", 999), None, "a clock that was set back ages everything");
        assert_eq!(cache.any("a").as_deref(), Some("text"));
        cache.put("a", Some("new".into()), 40_000);
        assert_eq!(cache.fresh("a", 40_000).as_deref(), Some("new"));
        cache.put("a", None, 50_000);
        assert_eq!(cache.any("a"), None);
    }

    #[test]
    fn the_room_is_bounded() {
        let mut cache = Cache::default();
        let text: Rc<str> = "x".repeat(ROOM / 4).into();
        for key in 0..100 {
            cache.put(&key.to_string(), Some(text.clone()), 0);
            assert!(cache.texts.values().map(|(text, _)| text.len()).sum::<usize>() <= ROOM);
            assert!(cache.fresh(&key.to_string(), 0).is_some());
        }
        cache.put("long", Some("x".repeat(ROOM + 1).into()), 0);
        assert_eq!(cache.fresh("long", 0), None);
        assert_eq!(cache.bytes, 0);
    }
}
