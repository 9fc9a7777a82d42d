//! The object store of long diffs, contents of repositories and files that people send, if the deployment has one.

use super::failure::StoreFuture;
use crate::kernel::http::Stream;

/// An object that is stored as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackedObject {
    pub bytes: Vec<u8>,
    /// A note that is stored with the bytes, at most 1 KiB. Empty if the object came in parts.
    pub about: String,
}

/// A part of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub skip: u64,
    pub length: u64,
}

/// A part of a body that is put together while it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Bytes(Vec<u8>),
    /// The unpacked bytes of the object with this key, or else with the other one. The object is a zlib stream.
    Object {
        key: String,
        other: Option<String>,
        size: u64,
    },
    /// The CRC-32 of an earlier object by its number: four bytes, the lowest first.
    Sum(u32),
}

/// The object store. It guarantees no more than R2 does.
pub trait Objects {
    /// Compresses and stores texts by their keys. Ends when all are stored.
    fn put(&self, objects: Vec<(String, String)>) -> StoreFuture<'_, ()>;
    /// Returns an object's text for sending.
    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Stream>>;
    fn text<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<String>>;
    /// At most a thousand keys. Unknown keys are ignored.
    fn delete(&self, keys: Vec<String>) -> StoreFuture<'_, ()>;
    /// Reads up to [`OBJECTS_OF_A_PAGE`] keys with this `prefix` after the key `after`, in order. Returns the
    /// last of them, or an empty text, and then the keys that were stored before `before` (milliseconds since
    /// 1970).
    fn list(&self, prefix: &str, after: &str, before: i64) -> StoreFuture<'_, Vec<String>>;

    /// Stores bytes by their keys. Ends when all are stored.
    fn put_packed(&self, objects: Vec<(String, PackedObject)>) -> StoreFuture<'_, ()>;
    /// The objects of these keys, in the same order. Those of more than `most` bytes come without their bytes.
    fn packed(&self, keys: Vec<String>, most: usize) -> StoreFuture<'_, Vec<Option<PackedObject>>>;
    /// The first bytes of an object, at least one.
    fn begin_of<'a>(&'a self, key: &'a str, length: u64) -> StoreFuture<'a, Option<Vec<u8>>>;
    /// What was stored about an object, without its bytes.
    fn about<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<String>>;
    /// An object for [`Objects::unpacked`], and what was stored about it.
    fn open<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<(String, Stream)>>;
    /// A part of an object for sending, as it is stored. At least one byte.
    fn part<'a>(&'a self, key: &'a str, span: Span) -> StoreFuture<'a, Option<Stream>>;
    /// A part of an opened object for sending. The object is a zlib stream.
    fn unpacked(&self, object: &Stream, span: Span) -> Stream;
    /// An opened object for sending, in base64 between two texts. `length`: bytes of all together.
    fn in_base64(&self, object: &Stream, frame: [String; 2], length: u64) -> Stream;
    /// A body for sending, packed with gzip if need be. A missing or wrong object breaks it off.
    fn assembled(&self, pieces: Vec<Piece>, gzip: bool) -> Stream;
    /// Copies objects to other keys. Missing ones are ignored.
    fn copy(&self, pairs: Vec<(String, String)>) -> StoreFuture<'_, ()>;
    /// Begins an object that is stored in parts.
    fn begin<'a>(&'a self, key: &str) -> StoreFuture<'a, Box<dyn Upload + 'a>>;
}

/// An object that exists only when its upload is finished.
pub trait Upload {
    /// All parts but the last one have [`PART`] bytes.
    fn put(&mut self, bytes: Vec<u8>) -> StoreFuture<'_, ()>;
    fn finish(&mut self) -> StoreFuture<'_, ()>;
    fn abandon(&mut self) -> StoreFuture<'_, ()>;
}

pub const OBJECTS_OF_A_PAGE: usize = 500;

/// The shortest part that R2 takes, so that eight uploads at once fit into the memory of an instance.
pub const PART: usize = 5 << 20;
