//! Records of another server (behaviour 21).

mod again;
mod bounds;
mod edges;
mod kinds;
mod order;
mod people;
mod refusals;

use crate::support::{Ask, World};
use serde_json::{Value, json};

/// When all was at the source: 2020-01-01.
pub const AT: i64 = 1_577_836_800_000;

pub fn key(number: usize) -> String {
    format!("{number:016x}")
}

pub fn asking(world: &World, records: &[Value]) -> Ask {
    world.v4("POST", "/import_records").by(&world.root).json(json!({ "records": records }))
}

#[track_caller]
pub fn sent(world: &World, records: &[Value]) -> Value {
    asking(world, records).gives(200).json
}

/// The answer to records of which each is new.
#[track_caller]
pub fn brought(world: &World, records: &[Value]) {
    assert_eq!(sent(world, records), told(records.len(), 0, 0));
}

pub fn told(new: usize, changed: usize, same: usize) -> Value {
    json!({ "new": new, "changed": changed, "same": same, "kept": [], "refused": [] })
}

/// The answer to one record that is refused.
#[track_caller]
pub fn refused(world: &World, record: Value, reason: &str) {
    let answer = json!({ "new": 0, "changed": 0, "same": 0, "kept": [], "refused": [[0, reason]] });
    assert_eq!(sent(world, &[record]), answer);
}

/// The record with other fields; one that is null is taken away.
pub fn with(mut record: Value, fields: Value) -> Value {
    record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    record
}

/// A right record of each kind about the issues 7 and 8. The key is the number of the kind.
pub fn record(world: &World, kind: &str) -> Value {
    let (ann, bob) = (world.ann.id, world.bob.id);
    let sha = crate::support::git::sha(1);
    let (number, fields) = match kind {
        "label" => (1, json!({ "title": "bug", "color": "#ff0000", "description": "wrong" })),
        "milestone" => (2, json!({ "title": "v1", "iid": 3, "at": AT, "updated_at": AT + 1 })),
        "issue" => (
            3,
            json!({ "iid": 7, "title": "old", "description": "text", "author": ann, "assignee": bob, "state": "closed",
                "confidential": false, "due": "2020-02-01", "labels": ["bug", "new"], "at": AT, "updated_at": AT + 5,
                "closed_at": AT + 4, "closed_by": bob, "estimate": 60, "spent": 30 }),
        ),
        "note" => (4, json!({ "issue": 7, "author": bob, "body": "said", "at": AT + 1, "updated_at": AT + 2 })),
        "event" => (5, json!({ "issue": 7, "user": bob, "event": "state", "action": "closed", "at": AT + 4 })),
        "award" => (6, json!({ "issue": 7, "user": bob, "name": "thumbsup", "at": AT + 2 })),
        "link" => (7, json!({ "issue": 7, "target": 8, "type": "relates_to", "at": AT + 3 })),
        "release" => (
            8,
            json!({ "tag": "v1.0", "name": "One", "description": "first", "author": ann, "at": AT, "released_at": AT + 1,
                "links": [["Linux", "https://x.example/l", "/bin/l", "package"]] }),
        ),
        "environment" => (9, json!({ "name": "prod/eu", "external_url": "https://x.example", "at": AT })),
        "deployment" => (
            10,
            json!({ "environment": "prod/eu", "sha": sha, "ref": "master", "user": bob, "state": "success",
                "job": "deploy", "at": AT, "finished_at": AT + 9 }),
        ),
        "status" => (
            11,
            json!({ "sha": sha, "ref": "master", "name": "test", "user": bob, "state": "failed", "coverage": 12.5, "at": AT,
                "finished_at": AT + 9 }),
        ),
        _ => (12, json!({ "sha": sha, "author": bob, "note": "why", "at": AT })),
    };
    with(json!({ "kind": kind, "key": key(number) }), fields)
}

pub const KINDS: [&str; 12] = [
    "label",
    "milestone",
    "issue",
    "note",
    "event",
    "award",
    "link",
    "release",
    "environment",
    "deployment",
    "status",
    "comment",
];

/// One of each kind, and the issue 8.
pub fn one_of_each(world: &World) -> Vec<Value> {
    let mut records = KINDS.map(|kind| record(world, kind)).to_vec();
    records.push(with(record(world, "issue"), json!({ "key": key(13), "iid": 8, "title": "other" })));
    records
}

/// With a commit, which is the tag v1.0.
pub fn mirrored(world: &World) {
    let line = crate::support::git::line(1);
    let tip = line[0].sha.as_str();
    world.push(&line, &[("refs/heads/master", tip), ("refs/tags/v1.0", tip)]);
}
