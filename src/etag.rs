//! Entity tags: an answer that a client has already is not sent again (behaviour 5.5).
//!
//! A tag is made of the finished answer, so the caller has passed the door by then, and a refusal never has one.

use crate::http::{Reply, Request};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hasher};

/// What a caller comes in with: a cache that has the answer to one may not give it to another.
pub const VARY: &str = "PRIVATE-TOKEN, Authorization, JOB-TOKEN, SUDO";

/// The longest `If-None-Match` that is looked at, in bytes.
const LONGEST: usize = 4096;

impl Reply {
    /// With a strong tag: the same for everybody who gets these bytes, and for nobody who gets others.
    pub fn with_strong_tag(self) -> Reply {
        let tag = strong(&digest(&self.body));
        self.with("ETag", tag)
    }
}

/// The SHA-256 of a text, of which strong tags are made.
pub fn digest(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

/// The strong tag of a text of which only the digest is at hand.
pub fn strong(digest: &str) -> String {
    format!("\"{digest}\"")
}

/// Whether the client has what this tag names.
pub fn is_known(request: &Request, tag: &str) -> bool {
    let known = request.header("if-none-match").filter(|list| list.len() <= LONGEST);
    known.is_some_and(|list| names(list, tag))
}

/// Gives an answer to a read its tag, unless it has one, and leaves the body out where the client has it already.
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

/// Of the body and of the headers that tell about it, a list's next page among them. 64 bits do not keep somebody from
/// making two texts with one tag, so the caller is in it, too: one caller's tag never stands for another's answer.
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

/// Whether `If-None-Match` names a tag. Weak and strong are the same here, since what is between may have packed the
/// answer and made its tag weak ([RFC 9110, 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match)).
fn names(list: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let wanted = opaque(tag);
    // none of our tags has a comma in it
    list.trim() == "*" || list.split(',').any(|named| opaque(named.trim()) == wanted)
}

#[cfg(test)]
#[path = "../tests/unit/etag.rs"]
mod tests;
