//! The object store of long diffs, if the deployment has one.

use super::failure::Later;
use crate::http::Stream;

/// It promises no more than R2 does.
pub trait Objects {
    /// Compresses and stores texts by their keys. Ends when all are stored.
    fn put(&self, objects: Vec<(String, String)>) -> Later<'_, ()>;
    /// Returns an object's text for sending.
    fn stream<'a>(&'a self, key: &'a str) -> Later<'a, Option<Stream>>;
    fn text<'a>(&'a self, key: &'a str) -> Later<'a, Option<String>>;
    /// At most a thousand keys. Unknown keys are ignored.
    fn delete(&self, keys: Vec<String>) -> Later<'_, ()>;
    /// Reads up to [`OBJECTS_OF_A_PAGE`] keys with this `prefix` after the key `after`, in order. Returns the
    /// last of them, or an empty text, and then the keys that were stored before `before` (milliseconds since
    /// 1970).
    fn list(&self, prefix: &str, after: &str, before: i64) -> Later<'_, Vec<String>>;
}

pub const OBJECTS_OF_A_PAGE: usize = 500;
