//! A stored file, for sending: its bytes or a part of them, with headers that no browser runs them by.

use super::off;
use crate::call::Call;
use crate::contents::file::span;
use crate::error::{Error, Result};
use crate::etag;
use crate::http::Reply;
use crate::store::{Row, Span};

/// What is known of a file.
#[derive(Debug, Row)]
pub struct FileRow {
    pub name: String,
    size: i64,
    pub sha256: String,
    object_key: String,
}

/// The headers that depend on the kind of file.
pub struct Headers {
    pub content_type: &'static str,
    pub disposition: String,
}

/// The part that the request asks for. None: the whole. `Some(None)`: there is no such part.
fn part(call: &Call<'_>, size: u64, tag: &str) -> Option<Option<Span>> {
    // a part of another file would not fit to the part that the client has
    let is_same = call.request.header("if-range").is_none_or(|known| known.trim() == tag);
    call.request.header("range").filter(|_| is_same).and_then(|range| span(range, size))
}

/// Streams the file from the store.
pub async fn send(call: &Call<'_>, file: &FileRow, headers: Headers) -> Result<Reply> {
    let size = u64::try_from(file.size).unwrap_or_default();
    let tag = etag::strong(&file.sha256);
    let is_short = call.request.method == "HEAD" || etag::is_known(call.request, &tag);
    let (status, span) = match part(call, size, &tag).filter(|_| !is_short) {
        None => (200, Span { skip: 0, length: size }),
        Some(Some(span)) => (206, span),
        Some(None) => {
            let refusal = serde_json::json!({ "message": "416 Range Not Satisfiable" });
            return Ok(Reply::json(416, &refusal).with("Content-Range", format!("bytes */{size}")));
        }
    };
    let mut reply = headed(status, headers).with("Content-Length", span.length.to_string()).with("ETag", tag);
    if status == 206 {
        let last = span.skip + span.length.saturating_sub(1);
        reply = reply.with("Content-Range", format!("bytes {}-{last}/{size}", span.skip));
    }
    if span.length > 0 && !is_short {
        let store = call.store.objects().ok_or_else(off)?;
        let stream = store.part(&file.object_key, span).await?;
        let stream = stream.ok_or_else(|| lost(call, file))?;
        reply.stream = Some((stream, usize::try_from(span.length).unwrap_or(usize::MAX)));
    }
    Ok(reply)
}

fn headed(status: u16, headers: Headers) -> Reply {
    Reply::of(headers.content_type, status, String::new())
        .with("Content-Disposition", headers.disposition)
        .with("Content-Security-Policy", "sandbox; default-src 'none'")
        .with("Accept-Ranges", "bytes")
}

fn lost(call: &Call<'_>, file: &FileRow) -> Error {
    call.complain(format!("the object {} is lost", file.object_key));
    Error::no_record()
}
