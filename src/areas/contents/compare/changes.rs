//! Which files differ between two trees.

use crate::areas::contents::reader::{Node, Reader};
use crate::kernel::limits::spending::Work;
use crate::kernel::{Error, Result};
use edgeforge_wire::contents::{Entries, Entry};
use std::cmp::Ordering;
use std::rc::Rc;

/// Trees that are read on each side, and changes that are found, before a comparison is refused.
const MOST_TREES: usize = 1500;
const MOST_CHANGES: usize = 20_000;

/// The most bytes of the paths of changes and of trees.
const MOST_PATHS: usize = 4 << 20;

/// Directories that are read together.
const AT_ONCE: usize = 30;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub old_path: Rc<[u8]>,
    pub new_path: Rc<[u8]>,
    pub old: Option<Node>,
    pub new: Option<Node>,
}

impl Change {
    pub fn new(path: Rc<[u8]>, old: Option<Node>, new: Option<Node>) -> Change {
        Change { old_path: path.clone(), new_path: path, old, new }
    }
}

/// The hashes of both sides of a directory, and its path.
type Level = (Option<String>, Option<String>, Rc<[u8]>);

#[derive(Default)]
struct LevelChanges {
    changes: Vec<Change>,
    /// Directories to read.
    below: Vec<Level>,
    /// Directories that were read or are to be.
    trees: usize,
    /// Bytes of paths.
    paths: usize,
}

/// The changes from one tree to another in the order of their paths, without renames. None: the empty tree.
pub async fn between(
    [old_side, new_side]: [&Reader<'_>; 2],
    old: Option<String>,
    new: Option<String>,
) -> Result<Vec<Change>> {
    let mut found = LevelChanges { below: vec![(old, new, Rc::default())], trees: 1, ..LevelChanges::default() };
    while !found.below.is_empty() {
        for some in std::mem::take(&mut found.below).chunks(AT_ONCE) {
            let mut olds = old_side.packed_trees(some.iter().filter_map(|level| level.0.as_deref())).await?;
            let mut news = new_side.packed_trees(some.iter().filter_map(|level| level.1.as_deref())).await?;
            for (old, new, path) in some {
                let hash = old.as_ref().or(new.as_ref()).map_or(0, String::len) / 2;
                let old = old_side.next_tree(&mut olds, old.as_deref(), path).await?;
                let new = new_side.next_tree(&mut news, new.as_deref(), path).await?;
                old_side.call.store.work(Work::Steps((old.len() + new.len()) as u64 / 32));
                found.compare(entries(&old, hash), entries(&new, hash), path)?;
            }
        }
    }
    let mut changes = found.changes;
    sort(&mut changes);
    Ok(changes)
}

pub fn sort(changes: &mut [Change]) {
    changes.sort_unstable_by(|a, b| a.new_path.cmp(&b.new_path).then(b.old.is_some().cmp(&a.old.is_some())));
}

/// Returns the entries in the order of their names. git orders directories differently.
fn entries(tree: &[u8], hash: usize) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Entries::new(tree, hash).flatten().collect();
    entries.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    entries
}

/// A file does not become a directory of the same name.
fn key<'a>(entry: &Entry<'a>) -> (&'a [u8], bool) {
    (entry.name, entry.is_tree())
}

impl LevelChanges {
    fn compare(&mut self, old: Vec<Entry<'_>>, new: Vec<Entry<'_>>, above: &[u8]) -> Result<()> {
        let (mut olds, mut news) = (old.into_iter().peekable(), new.into_iter().peekable());
        loop {
            let order = match (olds.peek(), news.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => key(old).cmp(&key(new)),
            };
            let old = if order.is_le() { olds.next() } else { None };
            let new = if order.is_ge() { news.next() } else { None };
            self.add(old, new, above)?;
        }
    }

    /// An entry of both sides or of one.
    fn add(&mut self, old: Option<Entry<'_>>, new: Option<Entry<'_>>, above: &[u8]) -> Result<()> {
        let Some(entry) = new.as_ref().or(old.as_ref()).filter(|_| old != new) else { return Ok(()) };
        let parts = if above.is_empty() { [above, b"", entry.name] } else { [above, b"/", entry.name] };
        let path: Rc<[u8]> = parts.concat().into();
        self.paths += path.len();
        if entry.is_tree() {
            let id = |side: &Option<Entry<'_>>| side.as_ref().map(Entry::hash);
            self.below.push((id(&old), id(&new), path));
            self.trees += 1;
        } else {
            let node = |side: Option<Entry<'_>>| side.map(|entry| Node::new(&entry));
            self.changes.push(Change::new(path, node(old), node(new)));
        }
        if self.trees > MOST_TREES || self.changes.len() > MOST_CHANGES || self.paths > MOST_PATHS {
            let text = format!(
                "more than {MOST_CHANGES} changes, or of {MOST_TREES} directories, or of {MOST_PATHS} bytes of their paths"
            );
            return Err(Error::unprocessable(text));
        }
        Ok(())
    }
}
