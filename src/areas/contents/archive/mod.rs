//! Archives of commits. Everything is checked before the first byte is sent. Files are sent while they are read.

mod attributes;
mod ends;
mod glob;
mod limits;
mod pieces;
mod plan;
mod reading;
mod tar;
mod zip;

use super::reader::{Reader, normalized};
use super::sql;
use crate::areas::addresses::stem_and_format;
use crate::kernel::byte_ranges::{SANDBOX, disposition};
use crate::kernel::http::Stream;
use crate::kernel::http::etag;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::Piece;
use crate::kernel::{Call, Entry, Error, Parameters, Query, Reply, Result};
use limits::MOST_EXCLUDED;
use plan::Plan;
use std::collections::{BTreeSet, HashSet};

/// The version of the format, a part of the tag. Increase it if the same commit now gives other bytes.
const MADE: u32 = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Format {
    Tar,
    TarGz,
    Zip,
}

impl Format {
    fn read(word: &str) -> Result<Format> {
        match word {
            "tar" => Ok(Format::Tar),
            "tar.gz" | "tgz" | "gz" => Ok(Format::TarGz),
            "zip" => Ok(Format::Zip),
            "tar.bz2" | "tbz" | "tbz2" | "tb2" | "bz2" => Err(Error::Refused(406, "406 Not Acceptable".to_owned())),
            _ => Err(Error::Framework(404, "404 Not Found".to_owned())),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Format::Tar => "tar",
            Format::TarGz => "tar.gz",
            Format::Zip => "zip",
        }
    }
}

#[derive(Parameters, Default)]
#[param(default)]
struct ArchiveParams {
    sha: Option<String>,
    path: Option<String>,
    exclude_paths: BTreeSet<String>,
    append_sha: Option<bool>,
    /// The name of the file at the end of the address of a page.
    file: Option<String>,
    /// There are no objects of LFS.
    #[expect(dead_code, reason = "clients send it")]
    include_lfs_blobs: Option<bool>,
}

impl ArchiveParams {
    fn git_ref(&self) -> Option<&str> {
        self.sha.as_deref().filter(|name| !name.trim().is_empty())
    }

    /// The paths that the request excludes, without slashes at their ends.
    fn excluded(&self) -> Result<HashSet<Vec<u8>>> {
        let trimmed = |path: &String| path.trim_matches('/').as_bytes().to_vec();
        let excluded: HashSet<Vec<u8>> = self.exclude_paths.iter().map(trimmed).collect();
        if excluded.len() > MOST_EXCLUDED {
            return Err(Error::framework(format!("exclude_paths are too many (maximum is {MOST_EXCLUDED})")));
        }
        Ok(excluded)
    }

    fn path(&self) -> String {
        normalized(self.path.as_deref().unwrap_or_default())
    }

    /// The directory that all members are in.
    fn name(&self, entry: &Entry, sha: &str) -> String {
        let project = entry.resource.full_path.rsplit('/').next().unwrap_or_default();
        let main = entry.resource.default_branch.as_deref().unwrap_or("HEAD");
        let plain = |text: &str| -> String {
            text.chars().map(|letter| if letter == '/' || letter.is_control() { '-' } else { letter }).collect()
        };
        let short = format!("{project}-{}", plain(self.git_ref().unwrap_or(main)));
        let stem = self.file.as_deref().and_then(stem_and_format).map(|(stem, _)| stem);
        let is_short = stem.is_some_and(|stem| stem == short || self.git_ref() == Some(sha));
        let mut name = short;
        if self.append_sha.unwrap_or(!is_short) {
            name = format!("{name}-{sha}");
        }
        let path = self.path();
        if path.is_empty() { name } else { format!("{name}-{}", plain(&path)) }
    }
}

pub async fn show(call: &Call<'_>, format: &str) -> Result<Reply> {
    let read = |asked: ArchiveParams| Ok((Format::read(format)?, asked.excluded()?, asked));
    let input = call.filters::<ArchiveParams>().and_then(read);
    let query = |(.., asked): &(_, _, ArchiveParams)| sql::at { name: asked.git_ref() }.prepare();
    let ((format, excluded, asked), entry, at) = call.authorize_with(input, query).await?;
    let reader = Reader::of(call, &entry, at, "File")?;
    let name = asked.name(&entry, &reader.at.sha);
    let reply = headed(format, &name, &reader.at.sha, &asked);
    if etag::is_known(call.request, reply.header("ETag").unwrap_or_default()) {
        return Ok(reply);
    }
    let plan = Plan::of(&reader, &asked.path(), excluded, name).await?;
    let stream = (call.request.method != "HEAD").then(|| stream(&plan, &reader, format));
    let names = plan.others_on_windows;
    Ok(Reply { stream, ..if names > 0 { reply.with("X-Names-Not-For-Windows", names.to_string()) } else { reply } })
}

fn stream(plan: &Plan, reader: &Reader<'_>, format: Format) -> (Stream, usize) {
    let pieces = if format == Format::Zip { zip::pieces(plan, reader) } else { tar::pieces(plan, reader) };
    let (pieces, length) = pieces.finish();
    let objects = pieces.iter().filter(|piece| matches!(piece, Piece::Object { .. })).count();
    let packed = if format == Format::TarGz { length } else { 0 };
    for work in [Work::Objects(objects), Work::Bytes(length), Work::Packed(packed)] {
        reader.call.store.work(work);
    }
    let stream = reader.store.assembled(pieces, format == Format::TarGz);
    (stream, usize::try_from(length).unwrap_or(usize::MAX))
}

fn headed(format: Format, name: &str, sha: &str, asked: &ArchiveParams) -> Reply {
    let kind = if format == Format::Zip { "application/zip" } else { "application/octet-stream" };
    let asked = serde_json::json!([sha, format.word(), name, asked.path(), asked.exclude_paths]);
    let what = format!("{MADE} {asked}");
    Reply::of(kind, 200, String::new())
        .with("Content-Disposition", disposition("attachment", &format!("{name}.{}", format.word())))
        .with("Content-Transfer-Encoding", "binary")
        .with("Content-Security-Policy", SANDBOX)
        .with("ETag", etag::strong(&etag::digest(&what)))
}
