//! Reads objects of one commit from the object store. The trees show which objects exist, so the database is read only
//! if an object is missing, to find the reason.

mod lacking;
mod node;

pub use self::node::{Node, levels, named, normalized};

use crate::areas::mirror::objects::off;
use crate::areas::mirror::proof::FileFacts;
use crate::kernel::http::Stream;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::{Objects, PackedObject};
use crate::kernel::{Call, Entry, Error, Result, Row};
use edgeforge_wire::contents::{DIRECTORY, Entries, Kind};
use edgeforge_wire::limits;
use edgeforge_wire::text::lossy;
use flate2::read::ZlibDecoder;
use std::cell::Cell;
use std::io::Read;
use std::rc::Rc;

/// The most directories in a path: each of them is read from the object store.
const MOST_LEVELS: usize = 100;

/// Packed bytes of a tree that is read together with others. Longer ones are read one by one.
const SHORT: usize = 256 << 10;

/// Bytes of all trees that a request reads.
const MOST_READ: u64 = 32 << 20;

#[derive(Debug, Clone, Row)]
pub struct Revision {
    /// The hash of the commit, or of the file that the request names by its hash.
    pub sha: String,
    tree: Option<String>,
    is_complete: bool,
    is_tip: bool,
    extent: String,
    own: String,
    original: Option<String>,
    /// Seconds since 1970. 0 for a file.
    #[row(default)]
    pub committed_at: i64,
}

pub type PackedTrees = std::vec::IntoIter<Option<PackedObject>>;

pub struct Reader<'a> {
    pub call: &'a Call<'a>,
    pub store: &'a dyn Objects,
    pub project_id: i64,
    pub at: Revision,
    /// Bytes of trees that the request has read.
    read: Rc<Cell<u64>>,
}

impl<'a> Reader<'a> {
    /// 404 with the word `what` if `at` is None.
    pub fn of(call: &'a Call<'a>, entry: &Entry, at: Option<Revision>, what: &str) -> Result<Reader<'a>> {
        let store = call.store.objects().ok_or_else(off)?;
        let at = at.ok_or_else(|| Error::missing(what))?;
        Ok(Reader { call, store, project_id: entry.resource.id, at, read: Rc::default() })
    }

    /// A reader of another commit with the same budget of bytes.
    pub fn beside(&self, at: &Revision) -> Reader<'a> {
        let Reader { call, store, project_id, read, .. } = self;
        Reader { call, store: *store, project_id: *project_id, at: at.clone(), read: read.clone() }
    }

    pub fn root(&self) -> Result<Node> {
        match &self.at.tree {
            Some(tree) => Ok(Node { mode: DIRECTORY, id: tree.clone() }),
            None => Err(self.not_mirrored()),
        }
    }

    /// The file or directory at `path`, which is empty for the root. None if the commit has no such one.
    pub async fn find(&self, path: &str) -> Result<Option<Node>> {
        let mut node = self.root()?;
        for (level, (above, name)) in levels(path).enumerate() {
            if level == MOST_LEVELS {
                let text = format!("more than {MOST_LEVELS} directories in one another");
                return Err(Error::unprocessable(text));
            }
            if !node.is_tree() {
                return Ok(None);
            }
            let tree = self.tree(&node.id, above).await?;
            let Some(found) = named(&tree, node.id.len() / 2, name) else { return Ok(None) };
            node = found;
        }
        Ok(Some(node))
    }

    /// The bytes of a tree. `path`: the path of the tree, for messages.
    pub async fn tree(&self, id: &str, path: &str) -> Result<Vec<u8>> {
        let mut packed = self.packed_trees(std::iter::once(id)).await?;
        self.next_tree(&mut packed, Some(id), path.as_bytes()).await
    }

    /// Reads trees, which [`Reader::next_tree`] unpacks one by one.
    pub async fn packed_trees<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Result<PackedTrees> {
        Ok(self.packed(ids.collect(), SHORT).await?.into_iter())
    }

    /// The bytes of the next tree. `id`: None for an empty tree, for which nothing is taken from `packed`.
    pub async fn next_tree(&self, packed: &mut PackedTrees, id: Option<&str>, path: &[u8]) -> Result<Vec<u8>> {
        let Some(id) = id else { return Ok(Vec::new()) };
        let mut packed = packed.next().flatten();
        if packed.as_ref().is_some_and(|packed| packed.bytes.is_empty()) {
            packed = self.packed(vec![id], limits::TREE as usize).await?.pop().flatten();
        }
        let Some(packed) = packed else { return Err(self.lacking(Kind::Tree, id, &lossy(path)).await) };
        // the mode of its entry may be wrong
        if !self.about_of(id, &packed.about).await?.is_some_and(|about| about.is_of_a_tree()) {
            return Err(self.lacking(Kind::Tree, id, &lossy(path)).await);
        }
        let is_valid = |tree: &Vec<u8>| Entries::new(tree, id.len() / 2).all(|entry| entry.is_some());
        let tree = self.unpacked(&packed, (MOST_READ - self.read.get()).min(limits::TREE)).filter(is_valid);
        let tree = tree.ok_or_else(|| {
            Error::unprocessable(format!(
                "{} is no directory that this server reads, or those of this request are too long",
                lossy(path)
            ))
        })?;
        self.read.set(self.read.get() + tree.len() as u64);
        Ok(tree)
    }

    /// None if the object is longer, or no zlib stream.
    pub fn unpacked(&self, packed: &PackedObject, most: u64) -> Option<Vec<u8>> {
        let bytes = unpack(&packed.bytes, most);
        let length = if packed.bytes.is_empty() { 0 } else { most };
        self.call.store.work(Work::Bytes(bytes.as_ref().map_or(length, |bytes| bytes.len() as u64)));
        bytes
    }

    /// Reads objects. `most`: packed bytes. A longer object comes without its bytes.
    pub async fn packed(&self, ids: Vec<&str>, most: usize) -> Result<Vec<Option<PackedObject>>> {
        let Revision { own, original, .. } = &self.at;
        self.call.store.work(Work::Objects(ids.len()));
        let mut found = self.store.packed(ids.iter().map(|id| format!("{own}{id}")).collect(), most).await?;
        let Some(original) = original else { return Ok(found) };
        let lacks = |(id, found): (&&str, &Option<PackedObject>)| found.is_none().then(|| format!("{original}{id}"));
        let lacking: Vec<String> = ids.iter().zip(&found).filter_map(lacks).collect();
        if !lacking.is_empty() {
            self.call.store.work(Work::Objects(lacking.len()));
            let mut others = self.store.packed(lacking, most).await?.into_iter();
            found.iter_mut().filter(|found| found.is_none()).for_each(|found| *found = others.next().flatten());
        }
        Ok(found)
    }

    /// The key of an object, and another key under which it may be.
    pub fn keys(&self, id: &str) -> (String, Option<String>) {
        let Revision { own, original, .. } = &self.at;
        (format!("{own}{id}"), original.as_ref().map(|original| format!("{original}{id}")))
    }

    /// The facts of an object. `about`: the note that the object store keeps beside it. For an object that came in
    /// parts, the note is in the database.
    async fn about_of(&self, id: &str, about: &str) -> Result<Option<FileFacts>> {
        match FileFacts::read(about) {
            Some(about) => Ok(Some(about)),
            None => Ok(self.row(id).await?.and_then(|row| FileFacts::read(&row.about?))),
        }
    }

    /// The facts of a file, from the note beside it.
    pub async fn known(&self, id: &str, about: &str, path: &str) -> Result<FileFacts> {
        match self.about_of(id, about).await?.filter(FileFacts::is_of_a_file) {
            Some(about) => Ok(about),
            None => Err(self.missing(id, path).await),
        }
    }

    /// The facts of a file, without its bytes.
    pub async fn about(&self, id: &str, path: &str) -> Result<FileFacts> {
        let Revision { own, original, .. } = &self.at;
        self.call.store.work(Work::Objects(2));
        let mut found = self.store.about(&format!("{own}{id}")).await?;
        if let (None, Some(original)) = (&found, original) {
            found = self.store.about(&format!("{original}{id}")).await?;
        }
        match found {
            Some(about) => self.known(id, &about, path).await,
            None => Err(self.missing(id, path).await),
        }
    }

    /// Opens a file for sending.
    pub async fn open(&self, id: &str, path: &str) -> Result<(FileFacts, Stream)> {
        let Revision { own, original, .. } = &self.at;
        self.call.store.work(Work::Objects(2));
        let mut found = self.store.open(&format!("{own}{id}")).await?;
        if let (None, Some(original)) = (&found, original) {
            found = self.store.open(&format!("{original}{id}")).await?;
        }
        match found {
            Some((about, stream)) => Ok((self.known(id, &about, path).await?, stream)),
            None => Err(self.missing(id, path).await),
        }
    }
}

/// None if the object is longer, or no zlib stream.
pub fn unpack(packed: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}
