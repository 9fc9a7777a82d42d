//! Reads what must be known of files before an archive begins.

use super::ends::{Ends, with_crlf};
use super::limits::*;
use crate::areas::contents::reader::{Reader, unpack};
use crate::areas::contents::sql;
use crate::areas::contents::tree::{Kind, PathEntry};
use crate::kernel::limits::spending::Work;
use crate::kernel::{Error, Result};
use edgeforge_wire::text::lossy;
use serde_json::json;
use std::collections::HashMap;

pub fn is_link(entry: &&PathEntry) -> bool {
    entry.kind == Kind::Blob && entry.mode == LINK
}

/// The size of each entry, 0 if it is not a file. An error if a file is not stored.
pub async fn sizes(reader: &Reader<'_>, found: &[PathEntry]) -> Result<Vec<u64>> {
    let files = || found.iter().filter(|entry| entry.kind == Kind::Blob);
    let ids: Vec<&str> = files().map(|entry| entry.id.as_str()).collect();
    if ids.is_empty() {
        return Ok(vec![0; found.len()]);
    }
    let statement = sql::sizes { project_id: reader.project_id, ids: json!(ids).to_string() };
    let sizes: Vec<i64> = reader.call.store.ask(statement).await?.first()?.unwrap_or_default();
    for (entry, size) in files().zip(&sizes) {
        if *size < 0 {
            return Err(reader.missing(&entry.id, &lossy(&entry.path)).await);
        }
    }
    let mut sizes = sizes.into_iter().map(i64::unsigned_abs);
    if sizes.clone().fold(0, u64::saturating_add) > MOST_BYTES {
        return Err(too_many(format!("{MOST_BYTES} bytes")));
    }
    Ok(found.iter().map(|entry| if entry.kind == Kind::Blob { sizes.next().unwrap_or(0) } else { 0 }).collect())
}

/// The targets of the links, in the order of the links.
pub async fn links(reader: &Reader<'_>, found: &[PathEntry]) -> Result<Vec<Vec<u8>>> {
    let links: Vec<&PathEntry> = found.iter().filter(is_link).collect();
    let mut targets = Vec::with_capacity(links.len());
    for some in links.chunks(AT_ONCE) {
        let ids = some.iter().map(|entry| entry.id.as_str()).collect();
        let packed = reader.packed(ids, LONGEST_LINK as usize * 2).await?;
        for (entry, packed) in some.iter().zip(packed) {
            let Some(packed) = packed else {
                return Err(reader.missing(&entry.id, &lossy(&entry.path)).await);
            };
            let target = unpack(&packed.bytes, LONGEST_LINK).filter(|target| !target.contains(&0));
            targets.push(target.ok_or_else(|| {
                Error::unprocessable(format!("{} is no link that an archive has", shown(&entry.path)))
            })?);
        }
    }
    Ok(targets)
}

/// The bytes of the files whose ends of lines change, by their position.
pub async fn made(
    reader: &Reader<'_>,
    found: &[PathEntry],
    sizes: &[u64],
    ends: &[Ends],
) -> Result<HashMap<usize, Vec<u8>>> {
    let mut wanted = Vec::new();
    for (at, ((entry, size), ends)) in found.iter().zip(sizes).zip(ends).enumerate() {
        let is_file = entry.kind == Kind::Blob && entry.mode != LINK;
        wanted.extend((is_file && *ends != Ends::AsStored && *size > 0).then_some((at, entry, *size, *ends)));
    }
    if wanted.len() > MOST_MADE || wanted.iter().map(|(_, _, size, _)| size).sum::<u64>() > MOST_OF_MADE {
        return Err(too_many(format!("{MOST_MADE} files of {MOST_OF_MADE} bytes with eol=crlf")));
    }
    let mut made = HashMap::new();
    // long files are read one by one, because a file may be longer packed than unpacked
    let (short, long): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(_, _, size, _)| *size <= SHORT);
    for some in short.chunks(AT_ONCE).chain(long.chunks(1)) {
        let ids = some.iter().map(|(_, entry, ..)| entry.id.as_str()).collect();
        let longest = some.iter().map(|(_, _, size, _)| *size).max().unwrap_or_default();
        let packed = reader.packed(ids, (longest + longest / 500 + 1024) as usize).await?;
        for ((at, entry, size, ends), packed) in some.iter().zip(packed) {
            let Some(packed) = packed else {
                return Err(reader.missing(&entry.id, &lossy(&entry.path)).await);
            };
            let bytes = unpack(&packed.bytes, *size).ok_or_else(|| {
                Error::unprocessable(format!("{} is no file that an archive has", shown(&entry.path)))
            })?;
            reader.call.store.work(Work::Bytes(*size));
            made.extend(with_crlf(&bytes, *ends).map(|bytes| (*at, bytes)));
        }
    }
    Ok(made)
}
