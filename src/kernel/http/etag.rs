//! Entity tags (behaviour 5.5). They are made of finished answers, so only authorized callers get them.

use crate::kernel::http::{Reply, Request};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hasher};

/// The headers that authenticate: shared caches must not give one caller's answer to another.
pub const VARY: &str = "PRIVATE-TOKEN, Authorization, JOB-TOKEN, SUDO, Cookie";

/// Bytes. A longer `If-None-Match` is ignored.
const LONGEST: usize = 4096;

impl Reply {
    /// Adds a tag that depends on the body alone, so it is the same for all callers.
    pub fn with_strong_tag(self) -> Reply {
        let tag = strong(&digest(&self.body));
        self.with("ETag", tag)
    }
}

pub fn digest(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

pub fn strong(digest: &str) -> String {
    format!("\"{digest}\"")
}

/// Whether `If-None-Match` has the tag.
pub fn is_known(request: &Request, tag: &str) -> bool {
    let known = request.header("if-none-match").filter(|list| list.len() <= LONGEST);
    known.is_some_and(|list| names(list, tag))
}

/// Adds a tag to the answer of a read if it has none. Returns 304 without a body if the client has that tag.
pub fn tagged(reply: Reply, request: &Request, caller_id: Option<i64>) -> Reply {
    if reply.status != 200 || !matches!(request.method.as_str(), "GET" | "HEAD") {
        return reply;
    }
    let reply = if reply.header("ETag").is_some() {
        reply
    } else {
        let tag = weak(&reply, caller_id);
        reply.with("ETag", tag)
    };
    if !is_known(request, reply.header("ETag").unwrap_or_default()) {
        return reply;
    }
    let headers = reply.headers.into_iter().filter(|(name, _)| *name != "Content-Type").collect();
    Reply { status: 304, headers, ..Reply::default() }
}

/// Covers the body and the headers, which hold the link to the next page. A caller could construct two texts
/// with the same 64 bits, so the tag also covers the caller's id.
fn weak(reply: &Reply, caller_id: Option<i64>) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write_i64(caller_id.unwrap_or_default());
    for (name, value) in &reply.headers {
        for text in [name, value.as_str()] {
            hasher.write_usize(text.len());
            hasher.write(text.as_bytes());
        }
    }
    hasher.write(reply.body.as_bytes());
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Whether the list of a header has the tag. Weak and strong tags match each other, because a proxy that compresses an
/// answer makes its tag weak ([RFC 9110, 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match)).
pub fn names(list: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let wanted = opaque(tag);
    // our tags contain no commas
    list.trim() == "*" || list.split(',').any(|named| opaque(named.trim()) == wanted)
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/http/etag.rs"]
mod tests;
