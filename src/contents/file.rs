//! A file of a repository, for sending: bytes or a part of them, with headers that no browser runs them by.

use super::reader::{Node, Reader};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::etag;
use crate::http::{Reply, Stream};
use crate::mirror::proof::About;
use crate::store::Span;
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Bytes of a file in JSON (contents 1.2). Clients have the whole answer in memory.
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

/// A file that is sent as JSON: what is known of it, and its content if that is sent.
pub struct Content {
    pub about: About,
    object: Option<Stream>,
}

/// The member of the answer that the content is streamed into, and its closing quotation mark.
const EMPTY: (&str, &str) = (r#""content":""#, "\"");

impl Content {
    /// 413 if the file is too long.
    pub async fn open(call: &Call<'_>, reader: &Reader<'_>, node: &Node, path: &str) -> Result<Content> {
        let (about, object) = if node.is_submodule() {
            (nothing(), None)
        } else if call.request.method == "HEAD" {
            (reader.about(&node.id, path).await?, None)
        } else {
            let (about, object) = reader.open(&node.id, path).await?;
            (about, Some(object))
        };
        if about.size > MOST_IN_JSON { Err(too_long()) } else { Ok(Content { about, object }) }
    }

    /// `file` has an empty text `content`. The content is streamed into it, because eight long files at once would not
    /// fit into an instance of the Worker. The tag covers the hash of the file and not its bytes.
    pub fn reply<T: Serialize>(&self, reader: &Reader<'_>, file: &T) -> Reply {
        let mut reply = Reply::json(200, file);
        let empty = [EMPTY.0, EMPTY.1].concat();
        // no other text has these bytes: its quotation marks are escaped
        let (Some(object), Some((before, after))) = (&self.object, reply.body.split_once(&empty)) else {
            return reply;
        };
        let frame = [[before, EMPTY.0].concat(), [EMPTY.1, after].concat()];
        let length = frame.iter().map(String::len).sum::<usize>() as u64 + self.about.size.div_ceil(3) * 4;
        let stream = reader.store().in_base64(object, frame, length);
        reply.stream = Some((stream, usize::try_from(length).unwrap_or(usize::MAX)));
        reply.with("Content-Length", length.to_string())
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
pub fn span(range: &str, size: u64) -> Option<Option<Span>> {
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
