//! The trees and files of the in-memory server.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use edgeforge_wire::contents::{Contents, Extent, Hash, Heading, Kind, LeftOut};
use edgeforge_wire::limits;
use flate2::bufread::ZlibDecoder;
use serde_json::{Value, json};

#[derive(Default)]
pub struct Shelf {
    pub most_file_bytes: u64,
    pub objects: BTreeMap<String, (Kind, Vec<u8>)>,
    pub left_out: BTreeMap<String, LeftOut>,
    pub complete: BTreeMap<String, Extent>,
    /// Commits whose objects were announced and are not complete.
    pub begun: BTreeSet<String>,
    pub unneeded: BTreeSet<String>,
    /// Commits whose root tree is known.
    pub commits: BTreeSet<String>,
    /// The number of objects of each request.
    pub requests: Vec<usize>,
    /// Objects that fit.
    pub room: Option<usize>,
    /// A hash that the server refuses.
    pub refused: Option<String>,
    /// What the store has lost: trees, files, and the diffs of commits.
    pub lost: BTreeSet<String>,
    /// Of the last sync.
    pub asked: Extent,
}

impl Shelf {
    pub fn lacking(&mut self, body: &[u8]) -> (u16, Value) {
        let question: Value = serde_json::from_slice(body).unwrap();
        let asked = question["objects"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned());
        let asked: Vec<String> = asked.collect();
        if question["recheck"] == true {
            assert!(asked.len() <= limits::RECHECKED && asked.is_sorted());
            let found: Vec<String> = asked.into_iter().filter(|id| self.lost.remove(id)).collect();
            if found.iter().filter(|id| self.objects.remove(*id).is_some()).count() > 0 {
                self.complete.clear();
            }
            return (200, json!({ "objects": found }));
        }
        self.unneeded.retain(|id| !asked.contains(id));
        let has =
            |id: &String| self.objects.contains_key(id) || self.left_out.contains_key(id) || self.commits.contains(id);
        (200, json!({ "objects": asked.into_iter().filter(|id| !has(id)).collect::<Vec<_>>() }))
    }

    pub fn take(&mut self, mut body: &[u8]) -> (u16, Value) {
        let mut count = 0;
        while !body.is_empty() {
            let end = body.iter().position(|byte| *byte == b'\n').unwrap();
            let heading = Heading::read(&body[..end]).unwrap();
            let mut unpacker = ZlibDecoder::new(&body[end + 1..]);
            let mut bytes = Vec::new();
            unpacker.read_to_end(&mut bytes).unwrap();
            body = unpacker.into_inner();
            let mut hash = Hash::new(heading.kind, heading.size, &heading.id);
            hash.update(&bytes);
            assert_eq!((hash.finish(), bytes.len() as u64), (heading.id.clone(), heading.size));
            if self.refused.as_ref() == Some(&heading.id) {
                return (400, json!({ "message": format!("object {count} ({}): the tree is broken", heading.id) }));
            }
            if self.room.is_some_and(|room| self.objects.len() >= room) {
                return (507, json!({ "message": "507 Insufficient Storage: this is the limit" }));
            }
            match heading.kind {
                Kind::Commit => drop(self.commits.insert(heading.id)),
                kind => drop(self.objects.insert(heading.id, (kind, bytes))),
            }
            count += 1;
        }
        self.requests.push(count);
        (201, json!({ "received": count }))
    }

    pub fn note(&mut self, body: &[u8]) -> (u16, Value) {
        let Contents { extent, left_out, begun, complete, unneeded, ended } = serde_json::from_slice(body).unwrap();
        self.asked = extent;
        self.begun.extend(begun);
        self.begun.retain(|commit| !complete.contains(commit) && !ended.contains(commit));
        self.left_out.extend(left_out.into_iter().map(|object| (object.id.clone(), object)));
        self.complete.extend(complete.into_iter().map(|commit| (commit, extent)));
        self.unneeded.extend(unneeded);
        self.complete.retain(|commit, _| !ended.contains(commit));
        (200, json!({ "objects": 0 }))
    }

    /// In pages of two.
    pub fn list(&self, after: &str) -> (u16, Value) {
        let of = |(id, (kind, bytes)): (&String, &(Kind, Vec<u8>))| json!({ "id": id, "kind": kind, "size": bytes.len(), "left_out": null });
        let left_out = |object: &LeftOut| json!({ "id": object.id, "kind": object.kind, "size": object.size, "left_out": object.reason });
        let mut all: Vec<Value> = self.objects.iter().map(of).chain(self.left_out.values().map(left_out)).collect();
        all.retain(|object| object["id"].as_str().unwrap() > after);
        all.sort_by_key(|object| object["id"].to_string());
        let next = all.get(2).map(|_| all[1]["id"].clone());
        all.truncate(2);
        (200, json!({ "objects": all, "next": next }))
    }

    pub fn extent(&self, commit: &str) -> Option<Extent> {
        self.complete.get(commit).copied()
    }
}
