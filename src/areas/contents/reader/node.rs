//! Entries of a tree, and the paths that name them.

use edgeforge_wire::contents::{Entries, Entry};

/// An entry of a tree, or the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub mode: u32,
    pub id: String,
}

impl Node {
    pub fn new(entry: &Entry<'_>) -> Node {
        Node { mode: entry.mode, id: entry.hash() }
    }

    fn entry(&self) -> Entry<'static> {
        Entry { mode: self.mode, name: b"", id: b"" }
    }

    pub fn is_tree(&self) -> bool {
        self.entry().is_tree()
    }

    pub fn is_submodule(&self) -> bool {
        self.entry().is_submodule()
    }
}

/// The names of a path, each with the path above it. Ignores slashes at the ends, and repeated ones.
pub fn levels(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    path.split('/').filter_map(move |name| {
        let above = path.get(..at).unwrap_or_default().trim_matches('/');
        at += name.len() + 1;
        (!name.is_empty()).then_some((above, name))
    })
}

/// The path without the slashes that [`levels`] ignores.
pub fn normalized(path: &str) -> String {
    levels(path).map(|(_, name)| name).collect::<Vec<_>>().join("/")
}

/// The entry with this name. A name that is not UTF-8 is found in the form in which answers show it.
pub fn named(tree: &[u8], hash: usize, name: &str) -> Option<Node> {
    let entries = || Entries::new(tree, hash).flatten();
    let exact = entries().find(|entry| entry.name == name.as_bytes());
    let shown = || entries().find(|entry| String::from_utf8_lossy(entry.name) == name);
    exact.or_else(shown).map(|entry| Node::new(&entry))
}
