//! A commit as git shows it, and as it is sent to the server.

use edgeforge_wire::object::{Object, Texts};

/// A commit with its statistics and its diff against the first parent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    pub id: String,
    /// As git stores it.
    pub raw: Vec<u8>,
    /// As both sides read that.
    pub object: Object,
    /// Names and message as git shows them in UTF-8.
    pub texts: Texts,
    pub additions: u64,
    pub deletions: u64,
    /// The finished JSON text of the diff.
    pub diff: String,
}

impl Commit {
    /// As it is sent.
    pub fn into_wire(self) -> edgeforge_wire::Commit {
        let Commit { id, raw, object, texts, additions, deletions, diff } = self;
        // only git can read other encodings
        let texts = object.encoding.is_some().then_some(texts);
        let mut wire = edgeforge_wire::Commit { id, texts, additions, deletions, diff, ..Default::default() };
        wire.set_object(raw);
        wire
    }
}
