use crate::areas::contents::file::{Content, raw as raw_of};
use crate::areas::contents::reader::{Node, Reader};
use crate::areas::contents::sql;
use crate::kernel::{Call, Reply, Result};
use serde::Serialize;

#[derive(Serialize)]
struct Blob {
    size: u64,
    encoding: &'static str,
    /// Streamed by [`Content::reply`].
    content: &'static str,
    sha: String,
}

async fn find<'a>(call: &'a Call<'a>, sha: &str) -> Result<(Reader<'a>, Node)> {
    let (entry, at) = call.authorize(sql::blob { sha: sha.to_ascii_lowercase() }).await?;
    let reader = Reader::of(call, &entry, at, "Blob")?;
    let node = Node { mode: 0o100_644, id: reader.at.sha.clone() };
    Ok((reader, node))
}

pub async fn show(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (reader, node) = find(call, sha).await?;
    let content = Content::open(call, &reader, &node, sha).await?;
    let blob = Blob { size: content.about.size, encoding: "base64", content: "", sha: node.id };
    Ok(content.reply(&reader, &blob))
}

pub async fn raw(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (reader, node) = find(call, sha).await?;
    Ok(raw_of(call, &reader, &node, sha, None).await?.1)
}
