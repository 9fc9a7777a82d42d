//! Sends a file of a repository or a part of it, with headers that keep a browser from running it.

use super::reader::{Node, Reader};
use crate::areas::mirror::proof::FileFacts;
use crate::kernel::byte_ranges::{File, disposition, range_of};
use crate::kernel::http::Stream;
use crate::kernel::http::etag;
use crate::kernel::limits::spending::Work;
use crate::kernel::{Call, Error, Reply, Result};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Bytes of a file in JSON (contents 1.2). Clients have the whole answer in memory.
const MOST_IN_JSON: u64 = 10 << 20;

/// A text as the value of a header. The platform keeps only ASCII without blanks at its ends, so any other text is
/// percent-encoded, with its percent signs.
pub fn in_header(text: &str) -> String {
    const ESCAPED: &AsciiSet = &CONTROLS.add(b'%');
    const WITH_BLANKS: &AsciiSet = &ESCAPED.add(b' ');
    let is_ascii = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let escaped = match text.trim_matches(' ') == text {
        true if is_ascii => return text.to_owned(),
        true => ESCAPED,
        false => WITH_BLANKS,
    };
    utf8_percent_encode(text, escaped).to_string()
}

pub fn too_long() -> Error {
    Error::Refused(413, "413 Request Entity Too Large - use /raw".to_owned())
}

fn nothing() -> FileFacts {
    FileFacts { size: 0, sha256: edgeforge_wire::text::hex(&Sha256::digest(b"")), is_text: true }
}

/// A file that is sent as JSON.
pub struct Content {
    pub about: FileFacts,
    is_submodule: bool,
    /// None for HEAD and for a submodule.
    object: Option<Stream>,
}

/// The member of the answer that the content is streamed into, and its closing quotation mark.
const EMPTY: (&str, &str) = (r#""content":""#, "\"");

impl Content {
    /// 413 if the file is too long. HEAD sends no content, so it answers for a file of any length.
    pub async fn open(call: &Call<'_>, reader: &Reader<'_>, node: &Node, path: &str) -> Result<Content> {
        let is_submodule = node.is_submodule();
        let (about, object) = if is_submodule {
            (nothing(), None)
        } else if call.request.method == "HEAD" {
            (reader.about(&node.id, path).await?, None)
        } else {
            let (about, object) = reader.open(&node.id, path).await?;
            (about, Some(object))
        };
        if object.is_some() && about.size > MOST_IN_JSON {
            return Err(too_long());
        }
        call.store.work(Work::Bytes(object.as_ref().map_or(0, |_| about.size)));
        Ok(Content { about, is_submodule, object })
    }

    /// `file` has an empty text `content`. The content is streamed into it, because eight long files at once would not
    /// fit into an instance of the Worker. The tag covers the hash of the file and not its bytes.
    pub fn reply<T: Serialize>(&self, reader: &Reader<'_>, file: &T) -> Reply {
        let mut reply = Reply::json(200, file);
        let empty = [EMPTY.0, EMPTY.1].concat();
        // no other member has these bytes, because quotation marks inside of texts are escaped
        let Some((before, after)) = reply.body.split_once(&empty).filter(|_| !self.is_submodule) else {
            return reply;
        };
        let frame = [[before, EMPTY.0].concat(), [EMPTY.1, after].concat()];
        let length = frame.iter().map(String::len).sum::<usize>() as u64 + self.about.size.div_ceil(3) * 4;
        if let Some(object) = &self.object {
            let stream = reader.store.in_base64(object, frame, length);
            reply.stream = Some((stream, usize::try_from(length).unwrap_or(usize::MAX)));
        }
        // the tag covers it, and is the same for HEAD
        reply.with("Content-Length", length.to_string())
    }
}

/// Answers with the bytes of a file, or those of the header `Range`. `name`: None if the file is named by its hash.
pub async fn raw(
    call: &Call<'_>,
    reader: &Reader<'_>,
    node: &Node,
    path: &str,
    name: Option<&str>,
) -> Result<(FileFacts, Reply)> {
    let tag = etag::strong(&node.id);
    if node.is_submodule() {
        return Ok((nothing(), file(&nothing(), tag, name).whole()));
    }
    if call.request.method == "HEAD" || etag::is_known(call.request, &tag) {
        let about = reader.about(&node.id, path).await?;
        let reply = file(&about, tag, name).whole();
        return Ok((about, reply));
    }
    let (about, object) = reader.open(&node.id, path).await?;
    let range = range_of(call.request, &tag);
    let (mut reply, span) = file(&about, tag, name).part(range);
    if let Some(span) = span.filter(|span| span.length > 0) {
        // the bytes before the span are unpacked, too
        call.store.work(Work::Bytes(span.skip + span.length));
        let stream = reader.store.unpacked(&object, span);
        reply.stream = Some((stream, usize::try_from(span.length).unwrap_or(usize::MAX)));
        reply.skipped = span.skip;
    }
    Ok((about, reply))
}

fn file(about: &FileFacts, tag: String, name: Option<&str>) -> File {
    let (content_type, shown) = match about.is_text {
        true => ("text/plain; charset=utf-8", "inline"),
        false => ("application/octet-stream", "attachment"),
    };
    let disposition = name.map_or_else(|| "inline".to_owned(), |name| disposition(shown, name));
    File { size: about.size, tag, content_type, disposition }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/contents/file.rs"]
mod tests;
