//! Trees and files that the hook sends (behaviour 12.2).

use crate::support::contents::{Object, blob, object, tree};
use crate::support::git::{EMPTY_TREE, commit, sha};
use crate::support::{Answer, Server, Visibility, World, now, spec};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use edgeforge_wire::contents::{Heading, Kind};
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

/// A root with the file `a`.
fn repository(content: &str) -> [Object; 2] {
    let file = blob(content);
    [tree(&[("100644", b"a", file.id())]), file]
}

fn listed(world: &World) -> Vec<Value> {
    let page = world.get("/mirror/objects").by(&world.ann).gives(200);
    assert_eq!(page.json["next"], Value::Null);
    page.json["objects"].as_array().unwrap().clone()
}

fn lacking(world: &World, ids: &[&str]) -> Value {
    let asked = world.post("/mirror/objects/lacking").by(&world.ann).json(json!({ "objects": ids }));
    asked.gives(200).json["objects"].clone()
}

fn raw(world: &World, status: u16) -> Answer {
    world.v4("GET", "/repository/files/a/raw").by(&world.rae).gives(status)
}

#[test]
fn an_object_with_another_hash_is_refused_and_its_request_names_nothing() {
    let world = world();
    let [root, file] = repository("right");
    let forged = Object { bytes: b"wrong".to_vec(), ..file.clone() };
    let refused = world.sending([root.record(), forged.record()].concat()).gives(400);
    let expected = format!("object 1 ({}): the object has another hash", file.id());
    assert_eq!(refused.json["message"], expected.as_str());
    assert!(listed(&world).is_empty());
    let as_tree = Object { heading: Heading { kind: Kind::Tree, ..file.heading.clone() }, ..file.clone() };
    for (body, reason) in [
        (as_tree.record(), "the object has another hash"),
        (file.record()[..60].to_vec(), "it ends early"),
        ([file.heading.line().as_bytes(), b"no zlib stream"].concat(), "it is no zlib stream"),
        (object(Kind::Tree, "x").record(), "the tree is broken"),
        (tree(&[("40000", b"..", EMPTY_TREE)]).record(), "the tree is broken"),
        (b"blob x 7\n".to_vec(), "not the heading of one"),
    ] {
        let refused = world.sending(body).gives(400);
        assert!(refused.json["message"].as_str().unwrap().ends_with(reason), "{}: {reason}", refused.text);
    }
    assert!(listed(&world).is_empty());
}

#[test]
fn the_server_says_which_objects_it_lacks() {
    let world = world();
    let [root, file] = repository("text\n");
    assert_eq!(lacking(&world, &[root.id(), file.id()]), json!([root.id(), file.id()]));
    world.send_objects(std::slice::from_ref(&file));
    assert_eq!(lacking(&world, &[root.id(), file.id()]), json!([root.id()]));
    world.send_objects(&[root.clone(), file.clone()]);
    assert_eq!(lacking(&world, &[root.id(), file.id()]), json!([]));
    let shown = |object: &Object| json!({ "id": object.id(), "kind": object.heading.kind, "size": object.heading.size, "left_out": null });
    let mut expected = [shown(&root), shown(&file)];
    expected.sort_by_key(|object| object["id"].to_string());
    assert_eq!(listed(&world), expected);
    // what another project has does not count
    let other = World::new(spec(), Visibility::Private);
    assert_eq!(lacking(&other, &[file.id()]), json!([file.id()]));
    for wrong in [json!({ "objects": ["x"] }), json!({ "objects": vec![sha(1); 10_001] }), json!([])] {
        world.post("/mirror/objects/lacking").by(&world.ann).json(wrong).gives(400);
    }
}

#[test]
fn a_commit_object_tells_its_root_tree() {
    let world = world();
    let [root, file] = repository("text\n");
    let made = commit(1, &[]).with(|commit| commit.tree = root.id().to_owned());
    world.push(std::slice::from_ref(&made), &[("refs/heads/master", &made.sha)]);
    world.send_objects(&[root, file]);
    if world.server.tamper(&format!("update commits set tree = null where project_id = {}", world.project.id)) {
        raw(&world, 503);
        assert_eq!(lacking(&world, &[&made.sha]), json!([made.sha]));
    }
    world.send_objects(&[object(Kind::Commit, made.object())]);
    assert_eq!(lacking(&world, &[&made.sha]), json!([]));
    assert_eq!(raw(&world, 200).text, "text\n");
}

#[test]
fn what_is_not_there_yet_is_503_and_what_never_will_be_is_422() {
    let world = world();
    let [root, file] = repository("text\n");
    let made = commit(1, &[]).with(|commit| commit.tree = root.id().to_owned());
    world.push(std::slice::from_ref(&made), &[("refs/heads/master", &made.sha)]);
    let listing = |status| world.v4("GET", "/repository/tree").by(&world.rae).gives(status);
    let expected = format!("503 Service Unavailable - objects of {} are not mirrored yet", made.sha);
    for answer in [raw(&world, 503), listing(503)] {
        assert_eq!(
            (answer.json["message"].as_str(), answer.header("Retry-After")),
            (Some(expected.as_str()), Some("5"))
        );
    }
    world.send_objects(std::slice::from_ref(&root));
    listing(200);
    raw(&world, 503);
    world.v4("GET", &format!("/repository/blobs/{}", file.id())).by(&world.rae).gives(404);
    let left_out = |reason: &str| json!({ "extent": "tips", "left_out": [{ "id": file.id(), "kind": "blob", "size": 5, "reason": reason }] });
    world.note(left_out("unfit"));
    let refused = raw(&world, 422);
    assert_eq!(refused.json["message"], "422 Unprocessable entity - a is not an object that this server reads");
    world.v4("GET", &format!("/repository/blobs/{}", file.id())).by(&world.rae).gives(422);
    listing(200);
    // what comes after all is served
    world.send_objects(&[file]);
    assert_eq!(raw(&world, 200).text, "text\n");
}

#[test]
fn a_file_over_the_limit_is_left_out_until_the_limit_grows() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { file_bytes: 10, ..Quotas::default() };
    let world = World::new(Server::with_objects(|config| config.quotas = quotas), Visibility::Private);
    let [root, file] = repository("eleven long");
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["most_file_bytes"], 10);
    world.push_tree(&root, std::slice::from_ref(&root));
    let refused = world.sending(file.record()).gives(400);
    assert!(refused.json["message"].as_str().unwrap().ends_with("the object is too long"));
    world.note(
        json!({ "extent": "tips", "left_out": [{ "id": file.id(), "kind": "blob", "size": 11, "reason": "size" }] }),
    );
    let text = "422 Unprocessable entity - a is larger than the mirror's limit of 10 bytes";
    assert_eq!(raw(&world, 422).json["message"], text);
    assert_eq!(lacking(&world, &[file.id()]), json!([]));
    assert_eq!(listed(&world).iter().filter(|object| object["left_out"] == "size").count(), 1);
    // a file that is short enough now is asked for again
    world.server.tamper("update objects set size = 10 where left_out = 'size'");
    assert_eq!(lacking(&world, &[file.id()]), json!([file.id()]));
}

#[test]
fn a_commit_that_is_no_tip_is_left_out_if_only_tips_are_sent() {
    let world = world();
    let [root, file] = repository("text\n");
    let commits = [commit(1, &[]), commit(2, &[1]).with(|commit| commit.tree = root.id().to_owned())];
    let tip = commits[1].sha.clone();
    world.push(&commits, &[("refs/heads/master", &tip)]);
    world.send_objects(&[root, file]);
    world.note(json!({ "extent": "tips", "complete": [tip] }));
    let first = world.v4("GET", &format!("/repository/tree?ref={}", sha(1))).by(&world.rae).gives(422);
    let text =
        format!("422 Unprocessable entity - objects of {} are not mirrored: no branch or tag ends there", sha(1));
    assert_eq!(first.json["message"], text.as_str());
    world.note(json!({ "extent": "history" }));
    world.v4("GET", &format!("/repository/tree?ref={}", sha(1))).by(&world.rae).gives(503);
}

#[test]
fn the_mirror_tells_which_tips_are_complete_and_which_have_ended() {
    let world = world();
    let [root, file] = repository("text\n");
    let first = world.push_tree(&root, &[root.clone(), file]);
    let mirror = || world.get("/mirror").by(&world.ann).gives(200).json;
    assert_eq!(mirror()["refs"][0]["contents"], "tips");
    world.note(json!({ "extent": "history", "complete": [first] }));
    assert_eq!(mirror()["refs"][0]["contents"], "history");
    let second = commit(2, &[1]);
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [second.wire()] })).gives(201);
    let change = json!({ "name": "refs/heads/master", "old": first, "new": second.sha });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    let kept = json!([{ "sha": first, "contents": "history" }]);
    assert_eq!((&mirror()["refs"][0]["contents"], &mirror()["unreferenced"]), (&Value::Null, &kept));
    // one at which a branch ends stays complete
    world.note(json!({ "extent": "tips", "complete": [second.sha] }));
    world.note(json!({ "extent": "tips", "ended": [first, second.sha] }));
    assert_eq!((&mirror()["refs"][0]["contents"], &mirror()["unreferenced"]), (&json!("tips"), &Value::Null));
}

#[test]
fn a_commit_whose_objects_are_on_their_way_is_not_complete_and_ends_if_no_ref_holds_it() {
    let world = world();
    let [root, file] = repository("text\n");
    let first = world.push_tree(&root, &[root.clone(), file]);
    let second = commit(2, &[1]).with(|commit| commit.tree = root.id().to_owned());
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [second.wire()] })).gives(201);
    let mirror = || world.get("/mirror").by(&world.ann).gives(200).json;
    world.note(json!({ "extent": "tips", "begun": [first, second.sha] }));
    let begun = json!([{ "sha": second.sha, "contents": "none" }]);
    assert_eq!((&mirror()["refs"][0]["contents"], &mirror()["unreferenced"]), (&json!("tips"), &begun));
    let change = json!({ "name": "refs/heads/other", "old": null, "new": second.sha });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    assert_eq!(mirror()["refs"][1]["contents"], Value::Null);
    world.note(json!({ "extent": "tips", "complete": [second.sha] }));
    assert_eq!((&mirror()["refs"][1]["contents"], &mirror()["unreferenced"]), (&json!("tips"), &Value::Null));
}

fn apart(change: impl FnOnce(&mut edgeforge::Config)) -> Option<World> {
    spec().is_in_process().then(|| World::new(Server::with_objects(change), Visibility::Private))
}

#[test]
fn what_nobody_needs_goes_after_a_day_and_what_is_needed_again_stays() {
    let Some(world) = apart(|_| {}) else { return };
    let [root, file] = repository("text\n");
    let other = blob("other\n");
    world.push_tree(&root, &[root.clone(), file.clone(), other.clone()]);
    world.note(json!({ "extent": "tips", "unneeded": [other.id(), file.id()] }));
    assert_eq!(lacking(&world, &[file.id()]), json!([]));
    world.server.sweep(now() + DAY - HOUR).unwrap();
    assert_eq!((listed(&world).len(), world.server.bucket().keys().len()), (3, 3));
    let swept = world.server.sweep(now() + DAY + HOUR).unwrap();
    assert_eq!((swept.objects_deleted, listed(&world).len(), world.server.bucket().keys().len()), (1, 2, 2));
    assert_eq!(lacking(&world, &[other.id()]), json!([other.id()]));
    assert_eq!(raw(&world, 200).text, "text\n");
}

#[test]
fn objects_without_a_row_go_after_an_hour_and_those_of_a_deleted_project_with_it() {
    let retention = Retention { deleted_projects: 30, ..Retention::default() };
    let Some(world) = apart(|config| config.retention = retention) else { return };
    let [root, file] = repository("text\n");
    world.push_tree(&root, &[root.clone(), file.clone()]);
    world.server.tamper(&format!("delete from objects where sha = '{}'", file.id()));
    world.server.sweep(now() + HOUR - 60_000).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 2);
    world.server.sweep(now() + HOUR + 60_000).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 1);
    world.delete("").by(&world.ann).gives(200);
    while world.server.sweep(now() + 31 * DAY).unwrap().unfinished {}
    assert!(world.server.bucket().keys().is_empty());
    assert!(world.server.rows("select json_quote(sha) as v from objects").is_empty());
}

#[test]
fn a_lost_file_is_503_once_and_then_asked_for_again() {
    let Some(world) = apart(|_| {}) else { return };
    let [root, file] = repository("text\n");
    world.push_tree(&root, &[root.clone(), file.clone()]);
    let key = world.server.bucket().keys().into_iter().find(|key| key.ends_with(file.id())).unwrap();
    assert!(world.server.bucket().lose(&key));
    assert!(raw(&world, 503).figure("rows_written") > 0);
    assert_eq!(raw(&world, 503).figure("rows_written"), 0);
    assert_eq!(lacking(&world, &[root.id(), file.id()]), json!([file.id()]));
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["refs"][0]["contents"], Value::Null);
    world.send_objects(&[file]);
    assert_eq!(raw(&world, 200).text, "text\n");
}

#[test]
fn a_lost_file_of_a_merge_base_is_503_because_the_next_sync_sends_it() {
    let Some(world) = apart(|_| {}) else { return };
    let [root, file] = repository("text\n");
    let first = world.push_tree(&root, &[root.clone(), file.clone()]);
    let second = commit(2, &[1]);
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [second.wire()] })).gives(201);
    let change = json!({ "name": "refs/heads/master", "old": first, "new": second.sha });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    let path = format!("/repository/files/a/raw?ref={first}");
    world.v4("GET", &path).by(&world.rae).gives(200);
    let key = world.server.bucket().keys().into_iter().find(|key| key.ends_with(file.id())).unwrap();
    assert!(world.server.bucket().lose(&key));
    world.v4("GET", &path).by(&world.rae).gives(503);
}

#[test]
fn a_copy_of_the_database_reads_the_objects_of_its_original() {
    let Some(world) = apart(|_| {}) else { return };
    let [root, file] = repository("text\n");
    world.push_tree(&root, &[root.clone(), file.clone()]);
    world.server.tamper("update object_sweeps set own = '0123456789abcdef'");
    for _ in 0..2 {
        assert_eq!(raw(&world, 200).text, "text\n");
        world.v4("GET", "/repository/files/a?ref=master").by(&world.rae).gives(200);
        world.server.ask_v4("HEAD", world.at("/repository/files/a?ref=master")).by(&world.rae).gives(200);
        world.server.sweep(now() + 2 * HOUR).unwrap();
        assert!(world.server.bucket().keys().len() >= 2);
        world.send_objects(std::slice::from_ref(&file));
    }
}

#[test]
fn objects_count_in_the_quota_as_they_are_packed() {
    let quotas = Quotas { project_bytes: 200_000, ..Quotas::default() };
    let Some(world) = apart(|config| config.quotas = quotas) else { return };
    let bytes = || world.get("/mirror").by(&world.ann).gives(200).json["bytes"].as_i64().unwrap();
    let file = blob("a".repeat(1_000_000));
    let before = bytes();
    world.send_objects(std::slice::from_ref(&file));
    let packed = file.record().len() - file.heading.line().len();
    assert_eq!(bytes() - before, 100 + packed as i64);
    let mut dice = crate::support::Dice(1);
    let random: Vec<u8> = (0..300_000).map(|_| dice.number() as u8).collect();
    let keys = world.server.bucket().keys();
    let more = random[..160_000].to_vec();
    for (bytes, reason) in [
        (random, "this project may have 200000 bytes"),
        (more, "less than three quarters of PROJECT_BYTES, which are 200000"),
    ] {
        let refused = world.sending(blob(bytes).record()).gives(507);
        assert!(refused.json["message"].as_str().unwrap().contains(reason));
    }
    assert_eq!(world.server.bucket().keys(), keys);
}

#[test]
fn a_long_file_comes_in_parts() {
    let world = world();
    let mut dice = crate::support::Dice(7);
    let random: Vec<u8> = (0..(9 << 20)).map(|_| dice.number() as u8).collect();
    let file = blob(random.clone());
    let root = tree(&[("100644", b"a", file.id())]);
    world.push_tree(&root, &[root.clone(), file.clone()]);
    let answer = raw(&world, 200);
    assert!(answer.bytes == random);
    assert_eq!(answer.header("Content-Type"), Some("application/octet-stream"));
    assert_eq!(answer.header("X-Gitlab-Size"), Some("9437184"));
    let mut forged = file;
    forged.bytes[0] ^= 1;
    world.sending(forged.record()).gives(400);
}

#[test]
fn without_an_object_store_contents_are_off() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| {});
    let world = World::new(server, Visibility::Private);
    world.push_line(1);
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["most_file_bytes"], Value::Null);
    world.post("/mirror/objects/lacking").by(&world.ann).json(json!({ "objects": [] })).gives(501);
    world.sending(blob("x").record()).gives(501);
    let refused = world.v4("GET", "/repository/tree").by(&world.rae).gives(501);
    assert!(refused.json["message"].as_str().unwrap().starts_with("501 Not Implemented - "));
}
