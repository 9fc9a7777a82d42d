//! Uploads of an issue that moves or is cloned (behaviour 6.5).

use super::{address, uploaded};
use crate::support::v4::ask;
use crate::support::{Server, Visibility, World, spec};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

/// The addresses of uploads in a text.
fn linked(text: &Value) -> Vec<String> {
    let text = text.as_str().expect("a text");
    text.split(['(', ')']).filter(|part| part.starts_with("/uploads/")).map(str::to_owned).collect()
}

fn bytes(world: &World, address: &str) -> String {
    ask(world, "GET", address).by(&world.gus).gives(200).text
}

#[test]
fn the_uploads_of_an_issue_go_with_it_under_addresses_of_their_own() {
    let world = World::new(spec(), Visibility::Private);
    let target = world.sibling(Visibility::Private);
    let [first, second, other] = ["first", "second", "other"]
        .map(|text| address(&uploaded(&world, &world.rae, &format!("{text}.txt"), text.as_bytes())));
    let absent = format!("/uploads/{}/x.txt", "0".repeat(32));
    let text = format!("[a]({first}) [b]({absent}) [c](/uploads/x) [d]({first})");
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": text }));
    world.comment(&world.ann, &issue, &format!("[e]({second}) [f]({first})"));
    world.comment(&world.ann, &issue, "no file");
    for verb in ["clone", "move"] {
        let path = format!("/issues/{}/{verb}", issue["iid"]);
        let fields = json!({ "to_project_id": target.project.id, "with_notes": true });
        let new = ask(&world, "POST", &path).by(&world.rae).json(fields).gives(201).json;
        let links = linked(&new["description"]);
        let copy = links[0].clone();
        assert_ne!(copy, first);
        assert_eq!(links, [&copy, &absent, "/uploads/x", &copy]);
        assert_eq!(bytes(&target, &copy), "first");
        let notes = ask(&target, "GET", &format!("/issues/{}/notes?sort=asc", new["iid"])).by(&world.gus).gives(200);
        let bodies = notes.each("body");
        let links = linked(&bodies[0]);
        assert_eq!((links[1].as_str(), bodies[1].as_str()), (copy.as_str(), Some("no file")));
        assert_eq!(bytes(&target, &links[0]), "second");
        // the old issue and its files stay
        assert_eq!(linked(&world.seen(&world.ann, &issue)["description"])[0], first);
        assert_eq!(bytes(&world, &first), "first");
    }
    let kept = ask(&target, "GET", "/uploads").by(&world.ann).gives(200).each("filename");
    assert_eq!(
        kept,
        ["first.txt", "second.txt", "first.txt", "second.txt"]
            .map(Value::from)
            .iter()
            .rev()
            .cloned()
            .collect::<Vec<_>>()
    );
    ask(&target, "GET", &other).by(&world.gus).gives(404);
}

#[test]
fn an_issue_whose_files_find_no_room_stays_where_it_is() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { project_bytes: 50_000, ..Quotas::default() };
    let world = World::new(Server::with_objects(|config| config.quotas = quotas), Visibility::Private);
    let target = world.sibling(Visibility::Private);
    let file = address(&uploaded(&world, &world.rae, "a.txt", &[b'x'; 30_000]));
    uploaded(&target, &target.rae, "b.txt", &[b'x'; 30_000]);
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": format!("[a]({file})") }));
    let path = format!("/issues/{}/move", issue["iid"]);
    ask(&world, "POST", &path).by(&world.ann).json(json!({ "to_project_id": target.project.id })).gives(507);
    assert_eq!(world.seen(&world.ann, &issue)["state"], "opened");
    assert_eq!(ask(&target, "GET", "/uploads").by(&world.ann).gives(200).each("filename"), ["b.txt"]);
}
