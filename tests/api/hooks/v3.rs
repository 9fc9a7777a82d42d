//! Hooks in v3.

use super::{URL, hook};
use crate::support::v4::names;
use crate::support::{Visibility, World, spec};
use serde_json::json;

#[test]
fn v3_has_the_five_verbs_of_hooks_for_masters() {
    let world = World::new(spec(), Visibility::Public);
    let new = json!({ "url": URL, "issues_events": true, "build_events": true, "token": "swordfish" });
    let made = world.post("/hooks").by(&world.ann).json(new.clone()).gives(201);
    assert!(!made.text.contains("swordfish"));
    let shown = made.json.clone();
    assert_eq!(
        names(&shown),
        "build_events created_at enable_ssl_verification id issues_events merge_requests_events note_events pipeline_events project_id push_events tag_push_events url wiki_page_events"
    );
    assert_eq!(
        (&shown["push_events"], &shown["issues_events"], &shown["build_events"]),
        (&json!(true), &json!(true), &json!(true))
    );
    let path = format!("/hooks/{}", shown["id"]);
    assert_eq!(world.get("/hooks").by(&world.ann).gives(200).json, json!([shown]));
    assert_eq!(world.get(&path).by(&world.ann).gives(200).json, shown);
    for (verb, path) in [("POST", "/hooks"), ("PUT", path.as_str())] {
        let ask = |body| world.server.ask(verb, world.at(path)).by(&world.ann).json(body);
        ask(json!({})).refused(400, json!({ "message": "400 (Bad request) \"url\" not given" }));
        ask(json!({ "url": "ftp://x" })).refused(422, json!({ "error": "Invalid url given" }));
    }
    let changed = world.put(&path).by(&world.ann).json(json!({ "url": URL, "push_events": false })).gives(200).json;
    assert_eq!((&changed["push_events"], &changed["issues_events"]), (&json!(false), &json!(true)));
    assert_eq!(world.v4("GET", &path).by(&world.ann).gives(200).json["token_present"], true);
    assert_eq!(world.delete(&path).by(&world.ann).gives(200).json, changed);
    let told = format!("404 Error deleting hook {} Not Found", shown["id"]);
    world.delete(&path).by(&world.ann).refused(404, json!({ "message": told }));
    world.get(&path).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn a_hook_of_v4_keeps_over_a_change_in_v3_what_v3_does_not_have() {
    let world = World::new(spec(), Visibility::Private);
    let fields = json!({ "confidential_issues_events": true, "name": "n", "token": "t", "custom_headers": [{ "key": "X-A", "value": "1" }] });
    let path = format!("/hooks/{}", hook(&world, fields));
    world.put(&path).by(&world.ann).json(json!({ "url": URL, "note_events": true })).gives(200);
    let shown = world.v4("GET", &path).by(&world.ann).gives(200).json;
    for (name, value) in [
        ("confidential_issues_events", json!(true)),
        ("note_events", json!(true)),
        ("name", json!("n")),
        ("token_present", json!(true)),
        ("custom_headers", json!([{ "key": "X-A" }])),
    ] {
        assert_eq!(shown[name], value, "{name}");
    }
}
