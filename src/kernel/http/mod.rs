//! Requests and answers, as every platform has them.

pub(crate) mod etag;
pub mod gzip;

use crate::kernel::limits::slots::HeldPlace;
use serde::Serialize;
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

/// A request as the runtime delivers it. Path and query are still percent-encoded.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub method: String,
    /// Scheme and host, no trailing slash.
    pub origin: String,
    pub path: String,
    /// Without `?`.
    pub query: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Body,
}

/// A body that the backend streams to the client. Only the backend can read the value inside.
#[derive(Clone)]
pub struct Stream(pub Rc<dyn Any>);

impl fmt::Debug for Stream {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Stream")
    }
}

/// What the body of a request is, and how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Parameters, like those of the query. Read before the endpoint runs.
    Parameters,
    /// One message of the mirror hook. The endpoint reads it after authorization.
    Message,
    /// Files or objects, which the endpoint reads in pieces.
    Pieces,
}

impl Content {
    /// Bytes after decompression.
    pub const fn limit(self) -> usize {
        match self {
            Content::Parameters => 1 << 20,
            Content::Message => 8 << 20,
            Content::Pieces => usize::MAX,
        }
    }

    /// Whether the endpoint reads it, after authorization.
    pub fn is_read_late(self) -> bool {
        self != Content::Parameters
    }
}

#[derive(Debug, Clone)]
pub enum Body {
    Bytes(Vec<u8>),
    TooLarge,
    /// This instance reads too many long bodies at once.
    NoRoom,
    /// `Content-Encoding` is gzip, but the bytes are not.
    Broken,
    /// The next bytes did not come in time.
    Late,
    /// Read by the endpoint after authorization.
    Unread(Source),
    /// Read by the endpoint in pieces, however long it is.
    Pieces(Pieces),
}

/// The pieces of a body as they arrive.
pub type ArrivingPieces = Pin<Box<dyn futures_util::Stream<Item = Result<Vec<u8>, NoPiece>>>>;

/// Why the next piece of a body is not there.
#[derive(Debug, Clone, Copy)]
pub enum NoPiece {
    /// The next bytes did not come in time.
    Late,
    /// The client left, or what unpacks the body refuses its bytes.
    Broken,
}

/// Returns the pieces of a body. Call it once.
#[derive(Clone)]
pub struct Pieces(pub Rc<dyn Fn() -> ArrivingPieces>);

impl fmt::Debug for Pieces {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Pieces")
    }
}

/// Reads the whole body. Call it once.
#[derive(Clone)]
pub struct Source(pub Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Body>>>>);

impl fmt::Debug for Source {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Source")
    }
}

impl Default for Body {
    fn default() -> Self {
        Body::Bytes(Vec::new())
    }
}

impl Request {
    /// `name`: in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The client's address. Of IPv6 only the first half, which belongs to one customer.
    pub(crate) fn address(&self) -> String {
        let whole = self.header("cf-connecting-ip").unwrap_or_default();
        let groups = whole.split("::").next().unwrap_or_default().split(':').take(4);
        groups.collect::<Vec<_>>().join(":")
    }
}

#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// Sent instead of `body`, with its length in bytes.
    pub stream: Option<(Stream, usize)>,
    /// Bytes that must be unpacked before the first byte of the stream.
    pub skipped: u64,
    /// The place of the instance that the stream holds until its end.
    pub held: Option<HeldPlace>,
}

/// Bytes. A stream up to this length holds its place only for a short time.
const SHORT: u64 = 1 << 20;

impl Reply {
    /// Whether it takes long to read and send the stream.
    pub fn is_long(&self) -> bool {
        self.stream.as_ref().is_some_and(|(_, length)| self.skipped + *length as u64 > SHORT)
    }

    pub fn empty(status: u16) -> Reply {
        Reply { status, ..Reply::default() }
    }

    pub fn json<T: Serialize + ?Sized>(status: u16, value: &T) -> Reply {
        let mut body = Vec::with_capacity(1024);
        let written = value.serialize(&mut serde_json::Serializer::new(&mut body));
        Reply::written(status, body, written.is_ok())
    }

    /// A redirect.
    pub fn found(address: String) -> Reply {
        Reply::json(302, &serde_json::json!({ "message": "302 Found" })).with("Location", address)
    }

    fn written(status: u16, body: Vec<u8>, is_whole: bool) -> Reply {
        match String::from_utf8(body).ok().filter(|_| is_whole) {
            Some(body) => Reply::json_text(status, body),
            // does not happen: no answer has map keys other than text, or a failing `Serialize`
            None => Reply::json_text(500, r#"{"message":"500 Internal Server Error"}"#.to_owned()),
        }
    }

    pub fn json_text(status: u16, body: String) -> Reply {
        Reply::of("application/json", status, body)
    }

    pub fn of(content_type: &str, status: u16, body: String) -> Reply {
        Reply { status, headers: vec![("Content-Type", content_type.to_owned())], body, ..Reply::default() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}

/// Escapes a text for HTML and XML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/http.rs"]
mod tests;
