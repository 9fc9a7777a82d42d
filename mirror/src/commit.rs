use edgeforge_wire::object::{Object, Texts};

/// The diff is against the first parent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    pub id: String,
    pub raw: Vec<u8>,
    /// `raw`, parsed.
    pub object: Object,
    /// Decoded to UTF-8 by git.
    pub texts: Texts,
    pub additions: u64,
    pub deletions: u64,
    /// The JSON array of changed files.
    pub diff: String,
    /// The changed paths that the diff leaves out.
    pub more_paths: Vec<String>,
}

impl Commit {
    pub fn into_wire(self) -> edgeforge_wire::Commit {
        let Commit { id, raw, object, texts, additions, deletions, diff, more_paths } = self;
        // the server reads UTF-8 texts from the object itself
        let texts = object.encoding.is_some().then_some(texts);
        let mut wire =
            edgeforge_wire::Commit { id, texts, additions, deletions, diff, more_paths, ..Default::default() };
        wire.set_object(raw);
        wire
    }
}
