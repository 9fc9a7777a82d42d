//! Trees and files of small repositories, sent as the mirror hook sends them.

use super::ask::{Answer, Ask};
use super::git::commit;
use super::people::World;
use edgeforge_wire::contents::{Hash, Heading, Kind};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Clone)]
pub struct Object {
    pub heading: Heading,
    pub bytes: Vec<u8>,
}

pub fn object(kind: Kind, bytes: impl Into<Vec<u8>>) -> Object {
    let bytes = bytes.into();
    let mut hash = Hash::new(kind, bytes.len() as u64, "");
    hash.update(&bytes);
    Object { heading: Heading { kind, id: hash.finish(), size: bytes.len() as u64 }, bytes }
}

pub fn blob(bytes: impl Into<Vec<u8>>) -> Object {
    object(Kind::Blob, bytes)
}

/// Modes, names and hashes, in git's order.
pub fn tree(entries: &[(&str, &[u8], &str)]) -> Object {
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend([mode.as_bytes(), b" ", name, b"\0"].concat());
        bytes.extend((0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()));
    }
    object(Kind::Tree, bytes)
}

impl Object {
    pub fn id(&self) -> &str {
        &self.heading.id
    }

    pub fn record(&self) -> Vec<u8> {
        let mut record = self.heading.line().into_bytes();
        let mut packer = ZlibEncoder::new(&mut record, Compression::fast());
        packer.write_all(&self.bytes).unwrap();
        packer.finish().unwrap();
        record
    }
}

impl World {
    pub fn sending(&self, body: Vec<u8>) -> Ask {
        self.post("/mirror/objects").by(&self.ann).body("application/octet-stream", body)
    }

    pub fn send_objects(&self, objects: &[Object]) {
        let body = objects.iter().flat_map(Object::record).collect();
        self.sending(body).gives(201);
    }

    pub fn note(&self, contents: Value) -> Answer {
        self.put("/mirror/contents").by(&self.ann).json(contents).gives(200)
    }

    /// Pushes commit 1 with this root tree to `master`, and objects. Returns the commit's hash.
    pub fn push_tree(&self, root: &Object, objects: &[Object]) -> String {
        let commit = commit(1, &[]).with(|commit| commit.tree = root.id().to_owned());
        self.push(std::slice::from_ref(&commit), &[("refs/heads/master", &commit.sha)]);
        self.send_objects(objects);
        self.note(json!({ "extent": "tips", "complete": [commit.sha] }));
        commit.sha
    }
}
