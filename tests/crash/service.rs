//! The whole service on SQLite. Each input is undone, so that one does not hang on those before it.

use crate::support::git::sha;
use crate::support::{Person, Server, Visibility, World, gitlab, spec};
use edgeforge_wire::Commit;
use serde_json::{Value, json};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A project with something of everything, on each of the two servers.
struct Scene {
    world: World,
    tokens: BTreeMap<&'static str, String>,
}

impl Scene {
    fn new(server: &'static Server) -> Scene {
        let world = World::new(server, Visibility::Internal);
        let tip = world.push_line(3);
        let send = |path: &str, fields: Value| world.post(path).by(&world.ann).json(fields).send().json;
        let tag = json!({ "name": "refs/tags/v1", "old": null, "new": sha(2), "message": null });
        world.put("/mirror/refs").by(&world.ann).json(json!({ "changes": [tag] })).gives(200);
        send("/milestones", json!({ "title": "m" }));
        send("/labels", json!({ "name": "bug", "color": "#ff0000" }));
        let fields = json!({ "title": "i", "labels": "bug", "milestone_id": 1, "assignee_id": world.bob.id });
        send("/issues", fields);
        send("/issues", json!({ "title": "c", "confidential": true }));
        send("/issues/1/notes", json!({ "body": "n" }));
        send("/issues/1/todo", json!({}));
        send(&format!("/statuses/{tip}"), json!({ "state": "running", "ref": "master" }));
        send("/deployments", json!({ "environment": "e", "sha": "master" }));
        send(&format!("/repository/commits/{tip}/comments"), json!({ "note": "n" }));
        let hook = send("/hook_tokens", json!({ "name": "h" }))["token"].as_str().expect("a token").to_owned();
        let people: [(&str, &Person); 6] = [
            ("root", &world.root),
            ("ann", &world.ann),
            ("bob", &world.bob),
            ("rae", &world.rae),
            ("gus", &world.gus),
            ("eve", &world.eve),
        ];
        let mut tokens: BTreeMap<_, _> = people.map(|(name, person)| (name, person.token.clone())).into();
        tokens.insert("hook", hook);
        // what the corpus calls them
        let named = json!({ "name": "proj", "path": "proj" });
        world.put("").by(&world.ann).json(named).gives(200);
        assert_eq!((world.project.id, sha(3)), (1, tip), "the ids that the corpus knows");
        Scene { world, tokens }
    }
}

fn scene(profile: &str) -> &'static Scene {
    static SPEC: LazyLock<Scene> = LazyLock::new(|| Scene::new(spec()));
    static GITLAB: LazyLock<Scene> = LazyLock::new(|| Scene::new(gitlab()));
    if profile == "gitlab" { &GITLAB } else { &SPEC }
}

/// Does something, and undoes it.
fn undone(server: &Server, what: impl FnOnce()) {
    server.tamper("savepoint input");
    what();
    server.tamper("rollback to input; release input");
}

/// Separates the requests of one input.
const NEXT: &[u8] = b"\n=====\n";

/// Up to four requests, one after the other: `VERB /target`, headers, a blank line, a body. Two headers are not sent:
/// `as` names who asks, and `profile` which server, in the first request.
pub fn requests(bytes: &[u8]) {
    let mut left = bytes;
    let mut texts = Vec::new();
    while let Some(at) = left.windows(NEXT.len()).position(|window| window == NEXT) {
        texts.push(&left[..at]);
        left = &left[at + NEXT.len()..];
    }
    texts.push(left);
    let first = String::from_utf8_lossy(texts[0]);
    let scene = scene(if first.contains("\nprofile: gitlab") { "gitlab" } else { "spec" });
    undone(scene.world.server, || texts.iter().take(4).for_each(|text| request(scene, text)));
}

fn request(scene: &Scene, bytes: &[u8]) {
    let end = bytes.windows(2).position(|window| window == b"\n\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = head.split('\n');
    let (verb, target) = lines.next().unwrap_or_default().split_once(' ').unwrap_or(("GET", "/"));
    let mut ask = scene.world.server.ask(verb, target);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        ask = match (name, scene.tokens.get(value)) {
            ("as", Some(token)) => ask.header("PRIVATE-TOKEN", token),
            ("profile", _) => ask,
            _ => ask.header(name, value),
        };
    }
    ask.body("", bytes.get(end + 2..).unwrap_or_default()).send();
}

/// A commit object, and behind two NULs the text of its diff, pushed as the hook does and read back.
pub fn pushes(bytes: &[u8]) {
    let scene = scene("spec");
    let world = &scene.world;
    let end = bytes.windows(2).position(|window| window == b"\0\0").unwrap_or(bytes.len());
    let object = &bytes[..end];
    let mut hash = Sha1::new();
    hash.update(format!("commit {}\0", object.len()));
    hash.update(object);
    let id = edgeforge_wire::text::hex(&hash.finalize());
    let diff = String::from_utf8_lossy(bytes.get(end + 2..).unwrap_or(b"[]")).into_owned();
    let mut commit = Commit { id: id.clone(), diff, ..Commit::default() };
    commit.set_object(object.to_vec());
    undone(world.server, || {
        let hook = || scene.tokens["hook"].clone();
        let pushed = world.post("/mirror/commits").header("PRIVATE-TOKEN", hook());
        if pushed.json(json!({ "commits": [commit] })).send().status != 201 {
            return;
        }
        let change = json!({ "name": "refs/heads/new", "old": null, "new": id });
        let swap = json!({ "changes": [change] });
        world.put("/mirror/refs").header("PRIVATE-TOKEN", hook()).json(swap).gives(200);
        let commit = format!("/repository/commits/{id}");
        assert_eq!(world.get(&commit).by(&world.rae).gives(200).json["id"], id);
        world.get(&format!("{commit}/diff")).by(&world.rae).gives(200);
        world.get("/repository/commits?ref_name=new").by(&world.rae).gives(200);
        let line = json!({ "note": "n", "path": "f", "line": 1, "line_type": "new" });
        world.post(&format!("{commit}/comments")).by(&world.bob).json(line).send();
    });
}
