//! Trees and files of a repository: how the hook sends them, and how their hashes are computed.
//!
//! A body is a sequence of records. A record is a line, `blob HASH SIZE` with a line feed, and the object as git packs
//! it: its bytes without a header, as one zlib stream. The stream says itself where it ends.

use crate::text::is_hash;
use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Digest, Sha256};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Commit,
    Tree,
    Blob,
}

impl Kind {
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Commit => "commit",
            Kind::Tree => "tree",
            Kind::Blob => "blob",
        }
    }

    pub fn read(word: &str) -> Option<Kind> {
        [Kind::Commit, Kind::Tree, Kind::Blob].into_iter().find(|kind| kind.word() == word)
    }
}

/// The first line of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub kind: Kind,
    pub id: String,
    /// Unpacked.
    pub size: u64,
}

/// Bytes of a heading, with its line feed.
pub const LONGEST_HEADING: usize = 100;

impl Heading {
    /// `line`: without the line feed.
    pub fn read(line: &[u8]) -> Option<Heading> {
        let mut words = std::str::from_utf8(line).ok()?.split(' ');
        let (kind, id, size) = (Kind::read(words.next()?)?, words.next()?, words.next()?);
        let is_number = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
        let size = Some(size).filter(|_| is_number)?.parse().ok()?;
        let heading = Heading { kind, id: id.to_owned(), size };
        (words.next().is_none() && is_hash(id)).then_some(heading)
    }

    pub fn line(&self) -> String {
        format!("{} {} {}\n", self.kind.word(), self.id, self.size)
    }
}

/// git's hash of an object, computed as its bytes arrive: SHA-1 or SHA-256, by the length of the expected hash.
pub enum Hash {
    Sha1(Box<Sha1>),
    Sha256(Box<Sha256>),
}

impl Hash {
    pub fn new(kind: Kind, size: u64, id: &str) -> Hash {
        let mut hash = if id.len() == 64 { Hash::Sha256(Box::default()) } else { Hash::Sha1(Box::default()) };
        hash.update(format!("{} {size}\0", kind.word()).as_bytes());
        hash
    }

    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Hash::Sha1(hash) => hash.update(bytes),
            Hash::Sha256(hash) => hash.update(bytes),
        }
    }

    /// Lower-case hexadecimal digits.
    pub fn finish(self) -> String {
        match self {
            Hash::Sha1(hash) => crate::text::hex(&hash.finalize()),
            Hash::Sha256(hash) => crate::text::hex(&hash.finalize()),
        }
    }
}

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// One of git's modes of today, whatever is stored: [`canonical`].
    pub mode: u32,
    pub name: &'a [u8],
    pub id: &'a [u8],
}

/// Bytes of a name in a tree. File systems take 255, and whole paths of 4,096.
const LONGEST_NAME: usize = 4096;

pub const DIRECTORY: u32 = 0o040_000;
pub const LINK: u32 = 0o120_000;
pub const SUBMODULE: u32 = 0o160_000;
const FILE: u32 = 0o100_000;
const KIND_OF_MODE: u32 = 0o170_000;

/// The mode that git takes a stored one for. Old programs stored permissions that git does not keep, such as those of a group.
fn canonical(mode: u32) -> u32 {
    match mode & KIND_OF_MODE {
        FILE if mode & 0o100 == 0 => 0o100_644,
        FILE => 0o100_755,
        kind @ (LINK | DIRECTORY) => kind,
        _ => SUBMODULE,
    }
}

impl Entry<'_> {
    pub fn is_tree(&self) -> bool {
        self.mode & KIND_OF_MODE == DIRECTORY
    }

    pub fn is_link(&self) -> bool {
        self.mode & KIND_OF_MODE == LINK
    }

    pub fn is_submodule(&self) -> bool {
        self.mode & KIND_OF_MODE == SUBMODULE
    }

    pub fn hash(&self) -> String {
        crate::text::hex(self.id)
    }
}

/// Reads the entries of a tree. `hash`: bytes of a hash, 20 or 32.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    rest: &'a [u8],
    hash: usize,
}

impl<'a> Entries<'a> {
    pub fn new(tree: &'a [u8], hash: usize) -> Entries<'a> {
        Entries { rest: tree, hash }
    }

    /// Bytes of the entries that were not read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    fn read(&mut self) -> Option<Entry<'a>> {
        let space = self.rest.iter().take(8).position(|byte| *byte == b' ')?;
        let (mode, rest) = (self.rest.get(..space)?, self.rest.get(space + 1..)?);
        let octal = |mode: u32, byte: &u8| {
            let digit = byte.checked_sub(b'0').filter(|digit| *digit < 8)?;
            Some(mode * 8 + u32::from(digit))
        };
        let mode = mode.iter().try_fold(0, octal).filter(|_| !mode.is_empty())?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (name, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
        let (id, rest) = rest.split_at_checked(self.hash)?;
        // a name that git does not check out either
        let is_valid = !matches!(name, b"" | b"." | b"..") && !name.contains(&b'/') && name.len() <= LONGEST_NAME;
        self.rest = rest;
        is_valid.then_some(Entry { mode: canonical(mode), name, id })
    }
}

impl<'a> Iterator for Entries<'a> {
    /// None: the tree is broken here.
    type Item = Option<Entry<'a>>;

    fn next(&mut self) -> Option<Option<Entry<'a>>> {
        if self.rest.is_empty() {
            return None;
        }
        let entry = self.read();
        if entry.is_none() {
            self.rest = &[];
        }
        Some(entry)
    }
}

/// `POST /projects/:id/mirror/objects/lacking`: hashes of commits, trees and files. The answer has those of them that the
/// server lacks.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Lacking {
    pub objects: Vec<String>,
    /// The question is for what the object store has lost: trees and files, and commits whose diffs it has lost. The server forgets
    /// these, and asks for them from then on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recheck: bool,
}

/// `GET /projects/:id/mirror/objects`: a page of the stored objects in the order of their hashes.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Objects {
    pub objects: Vec<Stored>,
    /// The next page begins after this hash. None on the last page.
    pub next: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Stored {
    pub id: String,
    pub kind: Kind,
    pub size: u64,
    /// Why its bytes are not stored.
    #[serde(default)]
    pub left_out: Option<Reason>,
}

/// Which objects the hook sends. The database has their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    #[default]
    None = 0,
    /// Those of the commits at which branches and tags end, and of their merge bases with the default branch.
    Tips = 1,
    /// Those of all commits.
    History = 2,
}

impl Extent {
    pub const fn word(self) -> &'static str {
        match self {
            Extent::None => "none",
            Extent::Tips => "tips",
            Extent::History => "history",
        }
    }

    pub fn read(word: &str) -> Option<Extent> {
        [Extent::None, Extent::Tips, Extent::History].into_iter().find(|extent| extent.word() == word)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// It is over a limit.
    Size,
    /// The server cannot read it.
    Unfit,
}

/// An object that the server never gets.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct LeftOut {
    pub id: String,
    pub kind: Kind,
    pub size: u64,
    pub reason: Reason,
}

/// `PUT /projects/:id/mirror/contents`: what the hook has sent.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Contents {
    pub extent: Extent,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Commits whose objects are about to be sent. `GET /mirror` lists them as unreferenced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub begun: Vec<String>,
    /// Commits whose objects, as far as `extent` reaches, are stored or left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complete: Vec<String>,
    /// Objects that no branch or tag needs any more. They stay for a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unneeded: Vec<String>,
    /// Commits of which nothing more is kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Noted {
    pub objects: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_read_as_it_is_written_and_no_other_line() {
        let heading = Heading { kind: Kind::Tree, id: "a".repeat(40), size: 7 };
        assert_eq!(Heading::read(heading.line().trim_end().as_bytes()), Some(heading.clone()));
        let id = &heading.id;
        for wrong in [
            format!("tag {id} 7"),
            format!("tree {id}"),
            format!("tree {id} -7"),
            format!("tree {id} 7 7"),
            format!("tree {id} +7"),
            "tree abc 7".to_owned(),
            String::new(),
        ] {
            assert_eq!(Heading::read(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn hashes_are_those_of_git() {
        let hash = |id: &str| {
            let mut hash = Hash::new(Kind::Blob, 6, id);
            hash.update(b"hel");
            hash.update(b"lo\n");
            hash.finish()
        };
        // git hash-object --stdin
        assert_eq!(hash(&"0".repeat(40)), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(hash(&"0".repeat(64)), "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
    }

    #[test]
    fn a_broken_tree_ends_where_it_breaks() {
        let id = [7; 20];
        let entry = |mode: &str, name: &[u8]| [mode.as_bytes(), b" ", name, b"\0", &id].concat();
        let tree = [entry("40000", b"a"), entry("100755", b"\xff\n b")].concat();
        let read: Vec<_> = Entries::new(&tree, 20).map(Option::unwrap).collect();
        assert!(read[0].is_tree() && read[0].name == b"a" && read[0].hash() == "07".repeat(20));
        assert_eq!((read[1].mode, read[1].name), (0o100_755, &b"\xff\n b"[..]));
        for wrong in [
            &tree[..tree.len() - 1],
            b"x a\0",
            b"40000 a",
            &entry("40000", b".."),
            &entry("40000", b"a/b"),
            &entry("40000", b""),
            &entry("100644", &[b'x'; 4097]),
        ] {
            assert!(Entries::new(wrong, 20).any(|entry| entry.is_none()), "{wrong:?}");
        }
        assert_eq!(Entries::new(b"", 20).next(), None);
    }
}
