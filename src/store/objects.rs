//! The object store: where long diffs lie, if the deployment has one.

use super::failure::Later;
use crate::http::Stream;

/// What an object store does. No wider than R2 promises.
pub trait Objects {
    /// Stores texts by their keys, packed. Done only when all of them are there.
    fn put(&self, objects: Vec<(String, String)>) -> Later<'_, ()>;
    /// An object's text, to be sent on without being read; none if there is no such key.
    fn stream<'a>(&'a self, key: &'a str) -> Later<'a, Option<Stream>>;
    /// An object's text; none if there is no such key.
    fn text<'a>(&'a self, key: &'a str) -> Later<'a, Option<String>>;
    /// Deletes what is there of these keys, a thousand at most.
    fn delete(&self, keys: Vec<String>) -> Later<'_, ()>;
    /// Looks at the keys that begin with `prefix` and come after `after`, in their order, [`OBJECTS_OF_A_PAGE`] at most. First
    /// the last of them, empty where none come after it; then those that were put before `before`, in milliseconds since 1970.
    fn list(&self, prefix: &str, after: &str, before: i64) -> Later<'_, Vec<String>>;
}

/// How many keys a list looks at.
pub const OBJECTS_OF_A_PAGE: usize = 500;
