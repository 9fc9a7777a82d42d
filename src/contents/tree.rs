//! The entries of a directory, or of all directories below it.

use super::reader::Reader;
use crate::error::{Error, Result};
use edgeforge_wire::contents::{Entries, Entry as TreeEntry};
use edgeforge_wire::text::lossy;
use serde::Serialize;

/// Directories and entries that one request reads.
const MOST_TREES: usize = 900;
const MOST_ENTRIES: usize = 100_000;
/// Bytes of their paths.
const MOST_PATHS: usize = 16 << 20;

/// Directories that are read together.
const AT_ONCE: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Tree,
    Blob,
    /// A submodule.
    Commit,
}

impl Kind {
    fn of(entry: &TreeEntry<'_>) -> Kind {
        match () {
            () if entry.is_tree() => Kind::Tree,
            () if entry.is_submodule() => Kind::Commit,
            () => Kind::Blob,
        }
    }

    pub fn rank(self) -> u8 {
        self as u8
    }
}

#[derive(Debug, Clone)]
pub struct Found {
    pub kind: Kind,
    /// From the root.
    pub path: Vec<u8>,
    pub mode: u32,
    pub id: String,
}

#[derive(Debug, Serialize)]
pub struct Entry {
    id: String,
    name: String,
    #[serde(rename = "type")]
    kind: Kind,
    path: String,
    mode: String,
}

impl Entry {
    pub fn new(found: &Found) -> Entry {
        let name = found.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        Entry {
            id: found.id.clone(),
            name: lossy(name),
            kind: found.kind,
            path: lossy(&found.path),
            mode: format!("{:06o}", found.mode),
        }
    }
}

fn too_many(what: String) -> Error {
    Error::unprocessable(format!("more than {what} below this directory: read its directories one by one"))
}

/// Trees, then files, then submodules, each in the order of their paths.
pub async fn list(reader: &Reader<'_>, root: &str, path: &str, recursive: bool) -> Result<Vec<Found>> {
    let mut found = walk(reader, root, path, recursive).await?;
    found.sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    Ok(found)
}

async fn walk(reader: &Reader<'_>, root: &str, path: &str, recursive: bool) -> Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    let mut level = vec![(root.to_owned(), path.as_bytes().to_vec())];
    let (mut read, mut paths) = (0, 0);
    while !level.is_empty() {
        read += level.len();
        if read > MOST_TREES {
            return Err(too_many(format!("{MOST_TREES} directories")));
        }
        let mut below = Vec::new();
        for some in level.chunks(AT_ONCE) {
            let mut packed = reader.packed_trees(some.iter().map(|(id, _)| id.as_str())).await?;
            for (id, above) in some {
                let tree = reader.next_tree(&mut packed, Some(id), above).await?;
                let begin = found.len();
                for entry in entries(&tree, id, above) {
                    paths += entry.path.len();
                    if found.len() == MOST_ENTRIES {
                        return Err(too_many(format!("{MOST_ENTRIES} entries")));
                    }
                    if paths > MOST_PATHS {
                        return Err(too_many(format!("{MOST_PATHS} bytes of paths")));
                    }
                    found.push(entry);
                }
                let new = found.get(begin..).unwrap_or_default().iter();
                let directories = new.filter(|entry| recursive && entry.kind == Kind::Tree);
                below.extend(directories.map(|entry| (entry.id.clone(), entry.path.clone())));
            }
        }
        level = below;
    }
    Ok(found)
}

fn entries(tree: &[u8], id: &str, above: &[u8]) -> impl Iterator<Item = Found> {
    Entries::new(tree, id.len() / 2).flatten().map(move |entry| {
        let path = if above.is_empty() { entry.name.to_vec() } else { [above, b"/", entry.name].concat() };
        Found { kind: Kind::of(&entry), path, mode: entry.mode, id: entry.hash() }
    })
}
