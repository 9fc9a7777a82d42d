//! Reads a diff from the database or the object store (behaviour 7.3).

use crate::areas::mirror;
use crate::kernel::http::etag;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::{Objects, Reading, Rows};
use crate::kernel::{Call, Error, Reply, Result, Row};
use serde::Serialize;

/// A file of a diff, as v3 shows it.
#[derive(Row, Serialize)]
pub struct StoredDiff {
    pub diff: String,
    pub new_path: String,
    pub old_path: String,
    pub a_mode: Option<String>,
    pub b_mode: Option<String>,
    pub new_file: bool,
    pub renamed_file: bool,
    pub deleted_file: bool,
    /// Set by the hook. Diffs of older hooks lack it.
    #[row(default)]
    #[serde(skip)]
    pub too_large: bool,
}

#[derive(Row)]
struct Part {
    part: i64,
    text: String,
    key: Option<String>,
    bytes: Option<i64>,
}

struct Diff {
    /// JSON, or its digest if the diff is in the object store under `key`.
    text: String,
    key: Option<String>,
    /// The unpacked size of the object.
    bytes: usize,
}

fn read(rows: &Rows) -> Result<Option<Diff>> {
    let mut parts: Vec<Part> = rows.all()?;
    parts.sort_unstable_by_key(|part| part.part);
    let mut parts = parts.into_iter();
    let Some(Part { text, key, bytes, .. }) = parts.next() else { return Ok(None) };
    let bytes = usize::try_from(bytes.unwrap_or_default()).unwrap_or_default();
    let mut diff = Diff { text, key, bytes };
    parts.for_each(|part| diff.text.push_str(&part.text));
    Ok(Some(diff))
}

/// None if the commit does not exist, has no diff yet, or its object is lost.
pub async fn text(call: &Call<'_>, rows: &Rows) -> Result<Option<String>> {
    let Some(diff) = read(rows)? else { return Ok(None) };
    let Some(key) = diff.key else { return Ok(Some(diff.text)) };
    call.store.work(Work::Objects(1));
    call.store.work(Work::Bytes(diff.bytes as u64));
    let text = objects(call)?.text(&key).await?;
    if text.is_none() {
        lose(call, &key).await?;
    }
    Ok(text)
}

/// Does not read the object for HEAD or a known ETag.
pub async fn reply(call: &Call<'_>, rows: &Rows) -> Result<Option<Reply>> {
    let Some(diff) = read(rows)? else { return Ok(None) };
    let Some(key) = diff.key else { return Ok(Some(Reply::json_text(200, diff.text).with_strong_tag())) };
    let tag = etag::strong(&diff.text);
    let wants_no_body = call.request.method == "HEAD" || etag::is_known(call.request, &tag);
    let mut reply = Reply::json_text(200, String::new()).with("ETag", tag);
    if !wants_no_body {
        call.store.work(Work::Objects(1));
        call.store.work(Work::Bytes(diff.bytes as u64));
        match objects(call)?.stream(&key).await? {
            Some(stream) => reply.stream = Some((stream, diff.bytes)),
            None => return lose(call, &key).await.map(|()| None),
        }
    }
    Ok(Some(reply))
}

fn objects<'a>(call: &Call<'a>) -> Result<&'a dyn Objects> {
    let cause = "diffs lie in an object store, and DIFFS is not bound".to_owned();
    let unbound = || Error::Unavailable { cause, retry_after: 60, remedy: "" };
    call.store.objects().ok_or_else(unbound)
}

/// Removes the row of a missing object, so that the next sync sends the diff again.
async fn lose(call: &Call<'_>, key: &str) -> Result<()> {
    call.complain(format!("the object {key} is lost; the next sync sends it anew"));
    call.store.turn_to(Reading::Primary);
    call.store.repeat(mirror::lose(key)).await?;
    Ok(())
}
