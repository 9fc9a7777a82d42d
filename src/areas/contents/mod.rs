//! Trees and files of repositories, as the mirror hook has sent them (behaviour 15).

pub mod archive;
mod compare;
pub mod contributors;
pub mod file;
mod reader;
mod tree;
pub mod v3;
pub mod v4;

use crate::kernel::{Call, Error, Reply, Result};

edgeforge_row::statements!(mod sql: "src/areas/contents/contents.sql");

/// Refuses requests that would change the repository.
pub async fn refuse(call: &Call<'_>) -> Result<Reply> {
    let path = call.authorize_without_body().await?.resource.full_path;
    let reason = format!("{path} is a mirror: push to its git host instead");
    Err(Error::Refused(403, call.dialect.forbidden(&reason)))
}

/// Bytes of a text in JSON, without quotation marks.
fn in_json(text: &str) -> usize {
    let bytes = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 2,
        0..=31 => 6,
        _ => 1,
    };
    text.bytes().map(bytes).sum()
}
