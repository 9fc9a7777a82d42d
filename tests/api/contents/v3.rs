use crate::support::contents::{blob, tree};
use crate::support::git::sha;
use crate::support::{Visibility, World, spec};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::json;

fn world() -> (World, String, String) {
    let world = World::new(spec(), Visibility::Public);
    let file = blob("text\n");
    let inner = tree(&[("100644", b"a.txt", file.id())]);
    let root = tree(&[("40000", b"d", inner.id()), ("100755", b"run", file.id())]);
    let commit = world.push_tree(&root, &[root.clone(), inner, file.clone()]);
    (world, commit, file.id().to_owned())
}

#[test]
fn contents_need_a_user_even_in_a_public_project() {
    let (world, _, file) = world();
    for path in ["tree", "blobs/master?filepath=run", &format!("raw_blobs/{file}"), "files?file_path=run&ref=master"] {
        world.get(&format!("/repository/{path}")).gives(401);
        world.get(&format!("/repository/{path}")).by(&world.eve).gives(200);
    }
    for verb in ["POST", "PUT", "DELETE"] {
        let text = format!("403 Forbidden  - {} is a mirror: push to its git host instead", world.project.path);
        world.server.ask(verb, world.at("/repository/files")).by(&world.ann).refused(403, json!({ "message": text }));
    }
    for (verb, path) in [("POST", "branches"), ("DELETE", "branches/master"), ("POST", "tags"), ("DELETE", "tags/v1")] {
        world.server.ask(verb, world.at(&format!("/repository/{path}"))).by(&world.ann).gives(403);
    }
}

#[test]
fn a_tree_is_whole() {
    let (world, commit, file) = world();
    let listed = world.get("/repository/tree").by(&world.rae).gives(200);
    assert_eq!(listed.each("name"), ["d", "run"]);
    assert_eq!(listed.json[1], json!({ "id": file, "name": "run", "type": "blob", "path": "run", "mode": "100755" }));
    assert_eq!(listed.header("X-Page"), None);
    let below = world.get(&format!("/repository/tree?path=d&ref_name={commit}")).by(&world.rae).gives(200);
    assert_eq!(below.each("path"), ["d/a.txt"]);
    assert_eq!(world.get("/repository/tree?path=x").by(&world.rae).gives(200).json, json!([]));
    assert_eq!(
        world.get("/repository/tree?recursive=true").by(&world.rae).gives(200).each("path"),
        ["d", "d/a.txt", "run"]
    );
    let refused = world.get("/repository/tree?ref_name=x").by(&world.rae).gives(404);
    assert_eq!(refused.json["message"], "404 Tree Not Found");
}

#[test]
fn files_come_as_bytes_and_as_json() {
    let (world, commit, file) = world();
    let raw = |path: &str| world.get(&format!("/repository/{path}")).by(&world.rae).gives(200);
    for path in ["blobs/master?filepath=d%2Fa.txt", "commits/master/blob?filepath=run", &format!("raw_blobs/{file}")] {
        let answer = raw(path);
        assert_eq!(
            (answer.text.as_str(), answer.header("Content-Type")),
            ("text\n", Some("text/plain; charset=utf-8"))
        );
    }
    // the branch x.json, not x
    world.push(&[], &[("refs/heads/x.json", &commit)]);
    for name in ["x.json", "x%2Ejson", &format!("{commit}.json")] {
        assert_eq!(raw(&format!("blobs/{name}?filepath=run")).text, "text\n", "{name}");
    }
    world.get("/repository/blobs/master.json?filepath=run").by(&world.rae).gives(404);
    let shown = raw("files?file_path=d%2Fa.txt&ref=master");
    assert_eq!(
        shown.json,
        json!({ "file_name": "a.txt", "file_path": "d/a.txt", "size": 5, "encoding": "base64", "content": BASE64_STANDARD.encode("text\n"),
            "ref": "master", "blob_id": file, "commit_id": commit, "last_commit_id": "" })
    );
    assert_eq!(shown.header("X-Gitlab-Size"), None);
    for (path, status, text) in [
        ("blobs/master", 400, "400 (Bad request) \"filepath\" not given"),
        ("blobs/x?filepath=run", 404, "404 Commit Not Found"),
        ("blobs/master?filepath=x", 404, "404 File Not Found"),
        (&format!("raw_blobs/{}", sha(1)), 404, "404 Blob Not Found"),
        ("files?ref=master", 400, "400 (Bad request) \"file_path\" not given"),
        ("files?file_path=x&ref=x", 404, "404 Commit Not Found"),
        ("files?file_path=d&ref=master", 404, "404 File Not Found"),
    ] {
        let refused = world.get(&format!("/repository/{path}")).by(&world.rae).gives(status);
        assert_eq!(refused.json["message"], text, "{path}");
    }
}
