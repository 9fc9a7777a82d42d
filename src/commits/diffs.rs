//! A commit's diff wherever it lies: in the database or in the object store (behaviour 7.3).

use crate::call::Call;
use crate::error::{Error, Result};
use crate::etag;
use crate::http::Reply;
use crate::mirror;
use crate::store::{Objects, Reading, Row, Rows};

#[derive(Row)]
struct Part {
    part: i64,
    /// Of a diff that lies in an object its digest.
    text: String,
    /// Of the object.
    key: Option<String>,
    bytes: Option<i64>,
}

struct Diff {
    /// The finished JSON text; of a diff that lies in an object its digest.
    text: String,
    key: Option<String>,
    /// Of the object, unpacked.
    bytes: usize,
}

/// Of the rows of `sql::diff`.
fn read(rows: &Rows) -> Result<Option<Diff>> {
    let mut parts: Vec<Part> = rows.all()?;
    parts.sort_by_key(|part| part.part);
    let mut parts = parts.into_iter();
    let Some(Part { text, key, bytes, .. }) = parts.next() else { return Ok(None) };
    let bytes = usize::try_from(bytes.unwrap_or_default()).unwrap_or_default();
    let mut diff = Diff { text, key, bytes };
    parts.for_each(|part| diff.text.push_str(&part.text));
    Ok(Some(diff))
}

/// The text of the diff that the rows of `sql::diff` name. None: there is no such commit, it has no diff
/// yet, or its object is lost.
pub async fn text(call: &Call<'_>, rows: &Rows) -> Result<Option<String>> {
    let Some(diff) = read(rows)? else { return Ok(None) };
    let Some(key) = diff.key else { return Ok(Some(diff.text)) };
    let text = objects(call)?.text(&key).await?;
    if text.is_none() {
        lose(call, &key).await?;
    }
    Ok(text)
}

/// The same as an answer. An object is not read where the client has it already or wants no body.
pub async fn reply(call: &Call<'_>, rows: &Rows) -> Result<Option<Reply>> {
    let Some(diff) = read(rows)? else { return Ok(None) };
    let Some(key) = diff.key else { return Ok(Some(Reply::json_text(200, diff.text).with_strong_tag())) };
    let tag = etag::strong(&diff.text);
    let unwanted = call.request.method == "HEAD" || etag::is_known(call.request, &tag);
    let mut reply = Reply::json_text(200, String::new()).with("ETag", tag);
    if !unwanted {
        match objects(call)?.stream(&key).await? {
            Some(stream) => reply.stream = Some((stream, diff.bytes)),
            None => return lose(call, &key).await.map(|()| None),
        }
    }
    Ok(Some(reply))
}

fn objects<'a>(call: &Call<'a>) -> Result<&'a dyn Objects> {
    let cause = "diffs lie in an object store, and DIFFS is not bound".to_owned();
    let unbound = || Error::Unavailable { cause, retry_after: 60 };
    call.store.objects().ok_or_else(unbound)
}

/// The object is gone, so its row goes, too, and the next sync sends the diff anew.
async fn lose(call: &Call<'_>, key: &str) -> Result<()> {
    call.complain(format!("the object {key} is lost; the next sync sends it anew"));
    call.store.turn_to(Reading::Primary);
    call.store.repeat(mirror::lose(key)).await?;
    Ok(())
}
