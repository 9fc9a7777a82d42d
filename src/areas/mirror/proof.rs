//! Proves an object of a repository by its hash, as its packed bytes arrive.

use edgeforge_wire::contents::{Entries, Hash, Heading, Kind};
use edgeforge_wire::limits;
use edgeforge_wire::object::Object;
use edgeforge_wire::text::hex;
use flate2::{Decompress, FlushDecompress, Status};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Unpacked bytes that are looked at together.
const ROOM: usize = 64 << 10;

pub struct Proof {
    heading: Heading,
    unpacker: Decompress,
    hash: Hash,
    content: Sha256,
    text: Text,
    /// The whole object, unless it is a file.
    whole: Vec<u8>,
    size: u64,
    room: Vec<u8>,
}

/// The facts of a file, which the object store keeps beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// Unpacked.
    pub size: u64,
    /// SHA-256 in lower-case hexadecimal digits.
    pub sha256: String,
    /// UTF-8 without NUL.
    pub is_text: bool,
}

/// The SHA-256 of no bytes, which the facts of a tree have.
const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

impl FileFacts {
    /// Whether these are the facts of a tree. Those of an empty file are equal.
    pub fn is_of_a_tree(&self) -> bool {
        self.sha256 == OF_NOTHING
    }

    pub fn is_of_a_file(&self) -> bool {
        self.size == 0 || !self.is_of_a_tree()
    }

    pub fn write(&self) -> String {
        let kind = if self.is_text { "text" } else { "data" };
        format!("{} {} {kind}", self.size, self.sha256)
    }

    /// None if the object store has no text about the object, because the object came in parts.
    pub fn read(text: &str) -> Option<FileFacts> {
        let mut words = text.split(' ');
        let (size, sha256, kind) = (words.next()?.parse().ok()?, words.next()?, words.next()?);
        Some(FileFacts { size, sha256: sha256.to_owned(), is_text: kind == "text" })
    }
}

#[derive(Debug)]
pub struct ProvenObject {
    pub heading: Heading,
    pub about: FileFacts,
    /// The root tree of a commit.
    pub tree: Option<String>,
    pub names: RootNames,
}

/// The files of a tree that a project shows if it is the root: the first of each kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RootNames {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
}

/// As in `page/parts/tree.jsx`.
const READMES: [&str; 5] = ["md", "markdown", "mdown", "txt", "rst"];
const LICENSES: [&str; 3] = ["license", "licence", "copying"];
/// Bytes of the end of a license's name.
const LONGEST_END: usize = 20;

impl RootNames {
    fn add(&mut self, name: &[u8]) {
        let Ok(name) = std::str::from_utf8(name) else { return };
        let lower = name.to_ascii_lowercase();
        let (stem, end) = lower.split_once('.').map_or((lower.as_str(), None), |(stem, end)| (stem, Some(end)));
        let is_word = |end: &str| {
            (1..=LONGEST_END).contains(&end.len())
                && end.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if stem == "readme" && end.is_none_or(|end| READMES.contains(&end)) {
            self.readme.get_or_insert_with(|| name.to_owned());
        } else if LICENSES.contains(&stem) && end.is_none_or(is_word) {
            self.license.get_or_insert_with(|| name.to_owned());
        }
    }

    /// None if the tree is broken.
    fn of_tree(tree: &[u8], hash: usize) -> Option<RootNames> {
        let mut names = RootNames::default();
        for entry in Entries::new(tree, hash) {
            let entry = entry?;
            if matches!(entry.mode, 0o100_644 | 0o100_755 | 0o120_000) {
                names.add(entry.name);
            }
        }
        Some(names)
    }
}

impl Proof {
    /// `most_file_bytes`: 0 means no limit.
    pub fn new(heading: Heading, most_file_bytes: u64) -> Result<Proof, &'static str> {
        let most = match heading.kind {
            Kind::Commit => limits::OBJECT as u64,
            Kind::Tree => limits::TREE,
            Kind::Blob if most_file_bytes == 0 => u64::MAX,
            Kind::Blob => most_file_bytes,
        };
        if heading.size > most {
            return Err("the object is too long");
        }
        Ok(Proof {
            hash: Hash::new(heading.kind, heading.size, &heading.id),
            unpacker: Decompress::new(true),
            content: Sha256::new(),
            text: Text::default(),
            whole: Vec::new(),
            size: 0,
            room: vec![0; ROOM],
            heading,
        })
    }

    /// Returns how many of the bytes belong to the object, and whether it ends there.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(usize, bool), &'static str> {
        let mut used = 0;
        loop {
            let (before_in, before_out) = (self.unpacker.total_in(), self.unpacker.total_out());
            let rest = bytes.get(used..).unwrap_or_default();
            let status = self.unpacker.decompress(rest, &mut self.room, FlushDecompress::None);
            let status = status.map_err(|_| "it is no zlib stream")?;
            let (read, unpacked) = (self.unpacker.total_in() - before_in, self.unpacker.total_out() - before_out);
            used += read as usize;
            self.take(unpacked)?;
            match status {
                Status::StreamEnd => return Ok((used, true)),
                _ if read == 0 && unpacked == 0 => return Ok((used, false)),
                _ => {}
            }
        }
    }

    fn take(&mut self, length: u64) -> Result<(), &'static str> {
        let bytes = self.room.get(..length as usize).unwrap_or_default();
        self.size += length;
        if self.size > self.heading.size {
            return Err("the object has another size");
        }
        self.hash.update(bytes);
        if self.heading.kind == Kind::Blob {
            self.content.update(bytes);
            self.text.feed(bytes);
        } else {
            self.whole.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Call it when the object has ended.
    pub fn finish(self) -> Result<ProvenObject, &'static str> {
        let Proof { heading, hash, content, text, whole, size, .. } = self;
        if size != heading.size {
            return Err("the object has another size");
        }
        if hash.finish() != heading.id {
            return Err("the object has another hash");
        }
        let (mut tree, mut names) = (None, RootNames::default());
        match heading.kind {
            Kind::Blob => {}
            Kind::Commit => tree = Some(Object::read(&whole)?.tree),
            Kind::Tree => {
                names = RootNames::of_tree(&whole, heading.id.len() / 2).ok_or("the tree is broken")?;
            }
        }
        let about = FileFacts { size, sha256: hex(&content.finalize()), is_text: text.finish() };
        Ok(ProvenObject { heading, about, tree, names })
    }
}

/// Whether bytes are UTF-8 without NUL.
#[derive(Default)]
struct Text {
    is_other: bool,
    /// The first bytes of a character that is not complete.
    open: Vec<u8>,
}

impl Text {
    fn feed(&mut self, bytes: &[u8]) {
        if self.is_other || bytes.contains(&0) {
            self.is_other = true;
            return;
        }
        self.open.extend_from_slice(bytes);
        self.open = match std::str::from_utf8(&self.open) {
            Ok(_) => Vec::new(),
            Err(error) if error.error_len().is_none() => {
                self.open.get(error.valid_up_to()..).unwrap_or_default().to_vec()
            }
            Err(_) => {
                self.is_other = true;
                Vec::new()
            }
        };
    }

    fn finish(self) -> bool {
        !self.is_other && self.open.is_empty()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/mirror/proof.rs"]
mod tests;
