//! What an archive has in it, with everything checked.

use crate::contents::reader::{Node, Reader, unpack};
use crate::contents::sql;
use crate::contents::tree::{Found, Kind, list};
use crate::error::{Error, Result};
use crate::store::Row;
use edgeforge_wire::text::lossy;
use serde_json::json;
use std::collections::HashSet;

/// Files and links, and in all with directories and submodules.
const MOST_FILES: usize = 5_000;
const MOST_MEMBERS: usize = 10_000;
/// Bytes of all files.
const MOST_BYTES: u64 = 64 << 20;
/// Symbolic links, which are read before the archive begins, and the bytes of one.
const MOST_LINKS: usize = 500;
const LONGEST_LINK: u64 = 4096;
/// Bytes of a path, and of all paths with the directory of the archive.
const LONGEST_PATH: usize = 8192;
const MOST_OF_PATHS: usize = 4 << 20;
/// Links that are read together.
const AT_ONCE: usize = 60;

const LINK: u32 = 0o120_000;

pub enum Content {
    /// Also of a submodule, which is an empty directory.
    Directory,
    File {
        id: String,
        size: u64,
        is_executable: bool,
    },
    Link(Vec<u8>),
}

pub struct Member {
    /// From the root of the repository.
    pub path: Vec<u8>,
    pub content: Content,
}

pub struct Plan {
    /// The directory that all members are in.
    pub name: String,
    pub sha: String,
    /// Of the commit, since 1970.
    pub seconds: i64,
    pub members: Vec<Member>,
}

#[derive(Row)]
struct Sizes {
    /// In the order of the hashes. -1: there is no such object.
    sizes: Vec<i64>,
}

fn refused(text: String) -> Error {
    Error::Refused(422, format!("422 Unprocessable entity - {text}"))
}

fn too_many(what: String) -> Error {
    refused(format!("an archive has at most {what}: ask for a directory with path, or clone the repository"))
}

impl Plan {
    pub async fn of(reader: &Reader<'_>, path: &str, excluded: &[String], name: String) -> Result<Plan> {
        let mut found = listed(reader, path).await?;
        found.retain(|entry| !is_excluded(&entry.path, excluded));
        found.extend(above(path));
        found.sort_by(|one, other| one.path.cmp(&other.path));
        check(&found, name.len())?;
        let sizes = sizes(reader, &found).await?;
        let mut links = links(reader, &found).await?.into_iter();
        let mut members = Vec::with_capacity(found.len());
        for (entry, size) in found.into_iter().zip(sizes) {
            let content = match entry.kind {
                Kind::Tree | Kind::Commit => Content::Directory,
                Kind::Blob if entry.mode == LINK => Content::Link(links.next().unwrap_or_default()),
                Kind::Blob => {
                    let is_executable = entry.mode & 0o111 != 0;
                    Content::File { id: entry.id, size, is_executable }
                }
            };
            members.push(Member { path: entry.path, content });
        }
        Ok(Plan { name, sha: reader.at.sha.clone(), seconds: reader.at.committed_at, members })
    }
}

/// What is below the path, or the file there.
async fn listed(reader: &Reader<'_>, path: &str) -> Result<Vec<Found>> {
    let node = reader.find(path).await?.ok_or_else(|| Error::missing("File"))?;
    if node.is_tree() {
        let mut found = list(reader, &node.id, path, true).await?;
        found.extend((!path.is_empty()).then(|| directory(path)));
        return Ok(found);
    }
    let kind = if node.is_submodule() { Kind::Commit } else { Kind::Blob };
    let Node { mode, id } = node;
    Ok(vec![Found { kind, path: path.as_bytes().to_vec(), mode, id }])
}

fn directory(path: &str) -> Found {
    Found { kind: Kind::Tree, path: path.as_bytes().to_vec(), mode: 0o40_000, id: String::new() }
}

/// The directories above a path.
fn above(path: &str) -> impl Iterator<Item = Found> + '_ {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at)).map(directory)
}

fn is_excluded(path: &[u8], excluded: &[String]) -> bool {
    excluded.iter().map(|one| one.trim_matches('/').as_bytes()).any(|one| {
        path.strip_prefix(one)
            .is_some_and(|rest| !one.is_empty() && (rest.is_empty() || rest.starts_with(b"/")))
    })
}

/// A name as Windows and macOS compare it: in lower case, without letters that they ignore, and what else they cut off.
fn folded(name: &[u8]) -> String {
    let is_ignored = |letter: char| matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let name: String =
        lossy(name).chars().filter(|letter| !is_ignored(*letter)).flat_map(char::to_lowercase).collect();
    let stream = name.split(':').next().unwrap_or_default();
    stream.trim_end_matches(['.', ' ']).to_owned()
}

/// No archive has names that lead out of its directory, into `.git`, or through a link.
fn is_safe(path: &[u8]) -> bool {
    let is_part =
        |part: &[u8]| !matches!(part, b"." | b"..") && !matches!(folded(part).as_str(), ".git" | "git~1");
    path.split(|byte| *byte == b'/').all(|part| !part.is_empty())
        && path.split(|byte| matches!(byte, b'/' | b'\\')).all(is_part)
}

fn is_link(entry: &&Found) -> bool {
    entry.kind == Kind::Blob && entry.mode == LINK
}

/// `above`: bytes of the directory that all members are in.
fn check(found: &[Found], above: usize) -> Result<()> {
    let is_file = |entry: &&Found| entry.kind == Kind::Blob;
    if found.iter().filter(is_file).count() > MOST_FILES {
        return Err(too_many(format!("{MOST_FILES} files")));
    }
    if found.len() > MOST_MEMBERS {
        return Err(too_many(format!("{MOST_MEMBERS} files and directories")));
    }
    if found.iter().filter(is_link).count() > MOST_LINKS {
        return Err(too_many(format!("{MOST_LINKS} symbolic links")));
    }
    if found.iter().map(|entry| above + entry.path.len()).sum::<usize>() > MOST_OF_PATHS {
        return Err(too_many(format!("{MOST_OF_PATHS} bytes of paths")));
    }
    let links: HashSet<String> = found.iter().filter(is_link).map(|entry| folded(&entry.path)).collect();
    let mut directories: HashSet<&[u8]> = HashSet::new();
    let mut before: Option<&[u8]> = None;
    for entry in found {
        let path = entry.path.as_slice();
        let parent = path.iter().rposition(|byte| *byte == b'/').and_then(|at| path.get(..at));
        let is_below = parent.is_none_or(|parent| directories.contains(parent));
        // where names are compared without case, the files of a directory would be written through the link
        let is_a_link = entry.kind == Kind::Tree && links.contains(&folded(path));
        if before == Some(path) || !is_below || is_a_link || !is_safe(path) || path.len() > LONGEST_PATH {
            return Err(refused(format!("{} is no name that an archive has", shown(path))));
        }
        before = Some(path);
        if entry.kind == Kind::Tree {
            directories.insert(path);
        }
    }
    Ok(())
}

fn shown(path: &[u8]) -> String {
    lossy(path.get(..200).unwrap_or(path))
}

/// Of all entries, 0 for those that are no files. An error for files that are not stored.
async fn sizes(reader: &Reader<'_>, found: &[Found]) -> Result<Vec<u64>> {
    let files = || found.iter().filter(|entry| entry.kind == Kind::Blob);
    let ids: Vec<&str> = files().map(|entry| entry.id.as_str()).collect();
    if ids.is_empty() {
        return Ok(vec![0; found.len()]);
    }
    let statement = sql::sizes { project_id: reader.project_id, ids: json!(ids).to_string() };
    let row: Option<Sizes> = reader.call.store.ask(statement).await?.first()?;
    let sizes = row.map(|row| row.sizes).unwrap_or_default();
    for (entry, size) in files().zip(&sizes) {
        if *size < 0 {
            return Err(reader.missing(&entry.id, &lossy(&entry.path)).await);
        }
    }
    let mut sizes = sizes.into_iter().map(i64::unsigned_abs);
    if sizes.clone().fold(0, u64::saturating_add) > MOST_BYTES {
        return Err(too_many(format!("{MOST_BYTES} bytes")));
    }
    Ok(found
        .iter()
        .map(|entry| if entry.kind == Kind::Blob { sizes.next().unwrap_or(0) } else { 0 })
        .collect())
}

/// Where the links lead, in their order.
async fn links(reader: &Reader<'_>, found: &[Found]) -> Result<Vec<Vec<u8>>> {
    let links: Vec<&Found> = found.iter().filter(is_link).collect();
    let mut targets = Vec::with_capacity(links.len());
    for some in links.chunks(AT_ONCE) {
        let ids = some.iter().map(|entry| entry.id.as_str()).collect();
        let packed = reader.packed(ids, LONGEST_LINK as usize * 2).await?;
        for (entry, packed) in some.iter().zip(packed) {
            let Some(packed) = packed else {
                return Err(reader.missing(&entry.id, &lossy(&entry.path)).await);
            };
            let target = unpack(&packed.bytes, LONGEST_LINK).filter(|target| !target.contains(&0));
            targets.push(
                target.ok_or_else(|| {
                    refused(format!("{} is no link that an archive has", shown(&entry.path)))
                })?,
            );
        }
    }
    Ok(targets)
}

#[cfg(test)]
#[path = "../../../tests/unit/contents/archive.rs"]
mod tests;
