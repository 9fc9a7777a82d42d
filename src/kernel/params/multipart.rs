//! Reads `multipart/form-data` (RFC 7578).

use futures_util::FutureExt;
use futures_util::stream::once;
use multer::bytes::Bytes;
use multer::{Error, Multipart, parse_boundary};
use std::future::ready;

/// Name and content of each part that has a name, at most one more than `most`. None if the body does not match its type.
pub fn parts(content_type: &str, body: &[u8], most: usize) -> Option<Vec<(String, Bytes)>> {
    let boundary = parse_boundary(content_type).ok()?;
    let whole = once(ready(Ok::<_, Error>(Bytes::copy_from_slice(body))));
    // ready at once, because the whole body is in memory
    named(Multipart::new(whole, boundary), most).now_or_never()?.ok()
}

async fn named(mut form: Multipart<'_>, most: usize) -> multer::Result<Vec<(String, Bytes)>> {
    let mut parts = Vec::new();
    while let Some(field) = form.next_field().await? {
        if let Some(name) = field.name().map(str::to_owned) {
            parts.push((name, field.bytes().await?));
        }
        if parts.len() > most {
            break;
        }
    }
    Ok(parts)
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/params/multipart.rs"]
mod tests;
