//! The entries of a directory, or of all directories below it.

use super::in_json;
use super::reader::Reader;
use crate::kernel::limits::spending::Work;
use crate::kernel::{Error, Result};
use edgeforge_wire::contents::{Entries, Entry as TreeEntry};
use edgeforge_wire::text::lossy;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;

/// Directories and entries that one request reads.
const MOST_TREES: usize = 900;
const MOST_ENTRIES: usize = 100_000;
/// Bytes of their paths.
const MOST_PATHS: usize = 16 << 20;

/// The most bytes of an answer, and the bytes of an entry in it without name and path.
const MOST_ANSWER: usize = 16 << 20;
const AROUND: usize = 140;

/// Directories that are read together.
const AT_ONCE: usize = 12;

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
pub struct PathEntry {
    pub kind: Kind,
    /// The path from the root of the repository.
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
    pub fn new(found: &PathEntry) -> Entry {
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

/// Refuses entries whose names and paths make too long an answer.
pub fn check_length(shown: impl Iterator<Item = PathEntry>) -> Result<()> {
    let mut bytes = 0;
    for PathEntry { path, .. } in shown {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        bytes += AROUND + in_json(&lossy(name)) + in_json(&lossy(&path));
        if bytes > MOST_ANSWER {
            return Err(too_many(format!("{MOST_ANSWER} bytes of names")));
        }
    }
    Ok(())
}

/// The entries of directories, in the bytes of their trees. A record for each of 100,000 entries would take 32 MB.
#[derive(Default)]
pub struct Listing {
    directories: Vec<Directory>,
    /// Trees, then files, then submodules, each in the order of their paths.
    spots: Vec<Spot>,
}

struct Directory {
    path: Vec<u8>,
    tree: Vec<u8>,
    /// Bytes of a hash.
    hash: usize,
}

/// Where an entry is in the trees.
struct Spot {
    kind: Kind,
    directory: u32,
    start: u32,
}

/// A directory to read: its hash and its path.
type Below = (String, Vec<u8>);

/// Whether a listing has an entry of this kind and mode with this path, in parts.
pub type Keeps<'k> = &'k mut dyn FnMut((Kind, u32), [&[u8]; 3]) -> Result<bool>;

impl Listing {
    /// Without the entries that `keeps` refuses, and what is below them. Its error ends the reading.
    pub async fn read(reader: &Reader<'_>, at: (&str, &str), recursive: bool, keeps: Keeps<'_>) -> Result<Listing> {
        let (root, path) = at;
        let mut listing = Listing::default();
        listing.walk(reader, (root.to_owned(), path.as_bytes().to_vec()), recursive, keeps).await?;
        let Listing { directories, mut spots } = listing;
        reader.call.store.work(Work::Steps(10 * spots.len() as u64));
        spots.sort_unstable_by(|a, b| a.kind.cmp(&b.kind).then_with(|| by_path(&directories, [a, b])));
        Ok(Listing { directories, spots })
    }

    async fn walk(&mut self, reader: &Reader<'_>, root: Below, recursive: bool, keeps: Keeps<'_>) -> Result<()> {
        let mut level = vec![root];
        let (mut read, mut paths) = (0, 0);
        while !level.is_empty() {
            read += level.len();
            if read > MOST_TREES {
                return Err(too_many(format!("{MOST_TREES} directories")));
            }
            let mut below = Vec::new();
            while !level.is_empty() {
                let some: Vec<Below> = level.drain(..level.len().min(AT_ONCE)).collect();
                let mut packed = reader.packed_trees(some.iter().map(|(id, _)| id.as_str())).await?;
                for (id, path) in some {
                    let tree = reader.next_tree(&mut packed, Some(&id), &path).await?;
                    let directory = Directory { path, tree, hash: id.len() / 2 };
                    self.add(directory, &mut paths, recursive.then_some(&mut below), keeps)?;
                }
            }
            level = below;
        }
        Ok(())
    }

    /// Adds the entries of a directory. `below`: collects its directories, if they are to be read.
    fn add(
        &mut self,
        directory: Directory,
        paths: &mut usize,
        mut below: Option<&mut Vec<Below>>,
        keeps: Keeps<'_>,
    ) -> Result<()> {
        let number = self.directories.len() as u32;
        let mut entries = Entries::new(&directory.tree, directory.hash);
        loop {
            let start = (directory.tree.len() - entries.left()) as u32;
            let Some(entry) = entries.next().flatten() else { break };
            let kind = Kind::of(&entry);
            if !keeps((kind, entry.mode), directory.path_of(&entry))? {
                continue;
            }
            *paths += directory.path.len() + 1 + entry.name.len();
            if self.spots.len() == MOST_ENTRIES {
                return Err(too_many(format!("{MOST_ENTRIES} entries")));
            }
            if *paths > MOST_PATHS {
                return Err(too_many(format!("{MOST_PATHS} bytes of paths")));
            }
            self.spots.push(Spot { kind, directory: number, start });
            if let (Some(below), Kind::Tree) = (&mut below, kind) {
                below.push((entry.hash(), directory.path_of(&entry).concat()));
            }
        }
        self.directories.push(directory);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.spots.len()
    }

    pub fn get(&self, at: usize) -> Option<PathEntry> {
        self.found(self.spots.get(at)?)
    }

    fn found(&self, spot: &Spot) -> Option<PathEntry> {
        let directory = self.directories.get(spot.directory as usize)?;
        let entry = directory.entry(spot)?;
        let path = directory.path_of(&entry).concat();
        Some(PathEntry { kind: spot.kind, path, mode: entry.mode, id: entry.hash() })
    }

    pub fn iter(&self) -> impl Iterator<Item = PathEntry> + '_ {
        self.spots.iter().filter_map(|spot| self.found(spot))
    }

    /// How many entries come up to and including the one of this kind and path.
    pub fn passed(&self, rank: u8, path: &[u8]) -> usize {
        let is_passed = |found: PathEntry| (found.kind.rank(), found.path.as_slice()) <= (rank, path);
        self.spots.partition_point(|spot| self.found(spot).is_some_and(is_passed))
    }
}

/// The entries in their JSON, one by one.
impl Serialize for Listing {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(|found| Entry::new(&found)))
    }
}

impl Directory {
    fn entry(&self, spot: &Spot) -> Option<TreeEntry<'_>> {
        Entries::new(self.tree.get(spot.start as usize..)?, self.hash).next().flatten()
    }

    /// The path of an entry from the root, in parts.
    fn path_of<'e>(&'e self, entry: &TreeEntry<'e>) -> [&'e [u8]; 3] {
        [&self.path, if self.path.is_empty() { b"" } else { b"/" }, entry.name]
    }
}

fn by_path(directories: &[Directory], spots: [&Spot; 2]) -> Ordering {
    let parts = spots.map(|spot| {
        let directory = directories.get(spot.directory as usize)?;
        Some(directory.path_of(&directory.entry(spot)?))
    });
    let [Some([above, slash, name]), Some([other_above, other_slash, other_name])] = parts else {
        return Ordering::Equal;
    };
    let common = above.len().min(other_above.len());
    let ((begin, rest), (other_begin, other_rest)) = (above.split_at(common), other_above.split_at(common));
    let rest = [rest, slash, name].into_iter().flatten();
    begin.cmp(other_begin).then_with(|| rest.cmp([other_rest, other_slash, other_name].into_iter().flatten()))
}
