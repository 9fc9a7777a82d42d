//! A file of a repository, for sending: bytes or a part of them, with headers that no browser runs them by.

use super::reader::{Node, Reader};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::etag;
use crate::http::Reply;
use crate::mirror::proof::About;
use crate::store::Span;
use base64::{Engine, prelude::BASE64_STANDARD};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

/// Bytes of a file in JSON. Longer ones would not fit an instance of the Worker as base64.
const MOST_IN_JSON: u64 = 10 << 20;

/// A header of ASCII: the platform takes no other letters.
pub fn in_header(text: &str) -> String {
    utf8_percent_encode(text, CONTROLS).to_string()
}

/// `attachment` or `inline`, with the name of the file.
pub fn disposition(kind: &str, name: &str) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');
    let is_plain = |letter: char| (' '..='~').contains(&letter) && !matches!(letter, '"' | '\\' | '%');
    let plain: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(name, ESCAPED))
}

pub fn too_long() -> Error {
    Error::Refused(413, "413 Request Entity Too Large - use /raw".to_owned())
}

fn nothing() -> About {
    About { size: 0, sha256: edgeforge_wire::text::hex(&Sha256::digest(b"")), is_text: true }
}

/// What is known of a file, and its content in base64. `wants_content`: false for HEAD.
pub async fn content(
    reader: &Reader<'_>,
    node: &Node,
    path: &str,
    wants_content: bool,
) -> Result<(About, String)> {
    if node.is_submodule() {
        return Ok((nothing(), String::new()));
    }
    let id = node.id.as_str();
    if !wants_content {
        let about = reader.about(id, path).await?;
        return if about.size > MOST_IN_JSON { Err(too_long()) } else { Ok((about, String::new())) };
    }
    let found = reader.packed(vec![id], MOST_IN_JSON as usize * 2).await?.pop().flatten();
    let Some(packed) = found else { return Err(reader.missing(id, path).await) };
    let about = reader.known(id, &packed.about, path).await?;
    if about.size > MOST_IN_JSON {
        return Err(too_long());
    }
    match super::reader::unpack(&packed.bytes, about.size) {
        Some(bytes) => Ok((about, BASE64_STANDARD.encode(bytes))),
        None => Err(reader.missing(id, path).await),
    }
}

/// The bytes of a file, or those of the header `Range`. `name`: None for a file without one.
pub async fn raw(
    call: &Call<'_>,
    reader: &Reader<'_>,
    node: &Node,
    path: &str,
    name: Option<&str>,
) -> Result<(About, Reply)> {
    let tag = etag::strong(&node.id);
    if node.is_submodule() {
        return Ok((nothing(), headed(200, &nothing(), name).with("Content-Length", "0").with("ETag", tag)));
    }
    if call.request.method == "HEAD" || etag::is_known(call.request, &tag) {
        let about = reader.about(&node.id, path).await?;
        let reply =
            headed(200, &about, name).with("Content-Length", about.size.to_string()).with("ETag", tag);
        return Ok((about, reply));
    }
    let (about, object) = reader.open(&node.id, path).await?;
    let size = about.size;
    let part = call.request.header("range").and_then(|range| span(range, size));
    let (status, span) = match part {
        None => (200, Span { skip: 0, length: size }),
        Some(Some(span)) => (206, span),
        Some(None) => {
            return Ok((
                about,
                Reply::json(416, &serde_json::json!({ "message": "416 Range Not Satisfiable" }))
                    .with("Content-Range", format!("bytes */{size}")),
            ));
        }
    };
    let mut reply =
        headed(status, &about, name).with("Content-Length", span.length.to_string()).with("ETag", tag);
    if status == 206 {
        let last = span.skip + span.length.saturating_sub(1);
        reply = reply.with("Content-Range", format!("bytes {}-{last}/{size}", span.skip));
    }
    if span.length > 0 {
        reply.stream = Some((
            reader.store().unpacked(&object, span),
            usize::try_from(span.length).unwrap_or(usize::MAX),
        ));
    }
    Ok((about, reply))
}

fn headed(status: u16, about: &About, name: Option<&str>) -> Reply {
    let (kind, shown) = match about.is_text {
        true => ("text/plain; charset=utf-8", "inline"),
        false => ("application/octet-stream", "attachment"),
    };
    let disposition = name.map_or_else(|| "inline".to_owned(), |name| disposition(shown, name));
    Reply::of(kind, status, String::new())
        .with("Content-Disposition", disposition)
        .with("Content-Security-Policy", "sandbox; default-src 'none'")
        .with("Accept-Ranges", "bytes")
}

/// The part that the header asks for. None: the whole, because the header has several parts or another unit. `Some(None)`: there is no such
/// part.
fn span(range: &str, size: u64) -> Option<Option<Span>> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (skip, end) = match (first.trim().is_empty(), last.trim().is_empty()) {
        (true, true) => return None,
        (true, false) => (size.saturating_sub(number(last)?), size),
        (false, true) => (number(first)?, size),
        (false, false) => (number(first)?, number(last)?.saturating_add(1).min(size)),
    };
    if number(first).zip(number(last)).is_some_and(|(first, last)| first > last) {
        return None;
    }
    Some((skip < end).then(|| Span { skip, length: end - skip }))
}

#[cfg(test)]
#[path = "../../tests/unit/contents/file.rs"]
mod tests;
