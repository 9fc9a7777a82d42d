//! Sends a stored file or a part of it, with headers that keep a browser from running it.

use super::off;
use crate::kernel::byte_ranges::{File, range_of};
use crate::kernel::http::etag;
use crate::kernel::limits::spending::Work;
use crate::kernel::{Call, Error, Reply, Result, Row};

/// What is known of a file.
#[derive(Debug, Row)]
pub struct FileRow {
    pub name: String,
    size: i64,
    pub sha256: String,
    pub object_key: String,
}

/// The headers that depend on the kind of file.
pub struct Headers {
    pub content_type: &'static str,
    pub disposition: String,
}

/// Streams the file from the store.
pub async fn send(call: &Call<'_>, file: &FileRow, headers: Headers) -> Result<Reply> {
    let (size, tag) = (u64::try_from(file.size).unwrap_or_default(), etag::strong(&file.sha256));
    let is_short = call.request.method == "HEAD" || etag::is_known(call.request, &tag);
    let range = range_of(call.request, &tag).filter(|_| !is_short);
    let Headers { content_type, disposition } = headers;
    let (mut reply, span) = File { size, tag, content_type, disposition }.part(range);
    if let Some(span) = span.filter(|span| span.length > 0 && !is_short) {
        let store = call.store.objects().ok_or_else(off)?;
        call.store.work(Work::Objects(1));
        let stream = store.part(&file.object_key, span).await?;
        let stream = stream.ok_or_else(|| lost(call, file))?;
        reply.stream = Some((stream, usize::try_from(span.length).unwrap_or(usize::MAX)));
    }
    Ok(reply)
}

fn lost(call: &Call<'_>, file: &FileRow) -> Error {
    call.complain(format!("the object {} is lost", file.object_key));
    Error::no_record()
}
