//! Hooks of the system.

use super::{body, header};
use crate::support::v4::names;
use crate::support::{Server, Visibility, World, apart};
use edgeforge::store::RemoteAnswer;
use serde_json::json;

const URL: &str = "https://system.example.org/";

#[test]
fn hooks_of_the_system_are_for_administrators() {
    let server = apart().server;
    let world = World::new(server, Visibility::Public);
    let made = server.ask_v4("POST", "/hooks").by(&world.root).json(json!({ "url": URL, "name": "n" })).gives(201).json;
    assert_eq!(
        names(&made),
        "alert_status branch_filter_strategy created_at custom_headers custom_webhook_template description disabled_until enable_ssl_verification id merge_requests_events name push_events push_events_branch_filter repository_update_events signing_token_present tag_push_events token_present url url_variables"
    );
    assert_eq!((&made["push_events"], &made["repository_update_events"]), (&json!(false), &json!(true)));
    let one = format!("/hooks/{}", made["id"]);
    for (verb, path) in [
        ("GET", "/hooks".to_owned()),
        ("POST", "/hooks".to_owned()),
        ("GET", one.clone()),
        ("POST", one.clone()),
        ("PUT", one.clone()),
        ("DELETE", one.clone()),
        ("PUT", format!("{one}/url_variables/a")),
        ("DELETE", format!("{one}/url_variables/a")),
        ("PUT", format!("{one}/custom_headers/X-A")),
        ("DELETE", format!("{one}/custom_headers/X-A")),
    ] {
        let body = json!({ "url": URL, "value": "v" });
        server.ask_v4(verb, &path).json(body.clone()).refused(401, json!({ "message": "401 Unauthorized" }));
        server.ask_v4(verb, &path).by(&world.ann).json(body).refused(403, json!({ "message": "403 Forbidden" }));
    }
    for (verb, path) in [("GET", "/hooks"), ("POST", "/hooks"), ("GET", &one), ("DELETE", &one)] {
        server.ask(verb, path).by(&world.ann).json(json!({ "url": URL })).gives(403);
    }
    assert_eq!(server.ask_v4("GET", "/hooks").by(&world.root).gives(200).json, json!([made]));
    let changed = server.ask_v4("PUT", &one).by(&world.root).json(json!({ "push_events": true })).gives(200).json;
    assert_eq!((&changed["push_events"], &changed["name"]), (&json!(true), &json!("n")));
    server.ask_v4("PUT", format!("{one}/custom_headers/X-A")).by(&world.root).json(json!({ "value": "v" })).gives(204);
    server.ask_v4("DELETE", format!("{one}/custom_headers/X-A")).by(&world.root).gives(204);
    // a hook of a project is none of the system
    let of_project = super::hook(&world, json!({}));
    server
        .ask_v4("GET", format!("/hooks/{of_project}"))
        .by(&world.root)
        .refused(404, json!({ "message": "404 Not found" }));
    server.ask_v4("GET", world.at(&one)).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    server.ask_v4("DELETE", &one).by(&world.root).gives(204);
    server.ask_v4("GET", &one).by(&world.root).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn a_test_of_a_hook_of_the_system_sends_an_example_and_answers_it() {
    let server = Server::with(|_| ());
    let root = server.root();
    let id = server.ask_v4("POST", "/hooks").by(&root).json(json!({ "url": URL, "token": "t" })).gives(201).id();
    let example = json!({
        "event_name": "project_create", "name": "Ruby", "path": "ruby", "project_id": 1, "owner_name": "Someone", "owner_email": "example@gitlabhq.com",
    });
    let path = format!("/hooks/{id}");
    assert_eq!(server.ask_v4("POST", &path).by(&root).gives(201).json, example);
    assert_eq!(server.get(&path).by(&root).gives(200).json, example);
    let sent = server.database().take_sent();
    assert_eq!(sent.len(), 2);
    for one in &sent {
        assert_eq!((header(one, "X-Gitlab-Event"), header(one, "X-Gitlab-Token")), (Some("System Hook"), Some("t")));
        assert_eq!(body(one), example);
    }
    server.database().receive(|_| Ok(RemoteAnswer { status: 500, ..RemoteAnswer::default() }));
    assert_eq!(server.ask_v4("POST", &path).by(&root).gives(201).json, example);
    for verb in ["GET", "DELETE"] {
        server.ask(verb, "/hooks/99").by(&root).refused(404, json!({ "message": "404 Not found" }));
    }
    assert_eq!(server.delete(&path).by(&root).gives(200).json["url"], URL);
}

#[test]
fn v3_makes_and_lists_hooks_of_the_system() {
    let server = Server::with(|_| ());
    let root = server.root();
    server
        .post("/hooks")
        .by(&root)
        .json(json!({}))
        .refused(400, json!({ "message": "400 (Bad request) \"url\" not given" }));
    let made = server.post("/hooks").by(&root).json(json!({ "url": URL })).gives(201).json;
    assert_eq!(names(&made), "created_at id push_events tag_push_events url");
    assert_eq!(server.get("/hooks").by(&root).gives(200).json, json!([made]));
}

#[test]
fn the_system_has_at_most_20_hooks() {
    let server = Server::with(|_| ());
    let add = || server.ask_v4("POST", "/hooks").by(&server.root()).json(json!({ "url": URL }));
    for _ in 0..20 {
        add().gives(201);
    }
    add().refused(422, json!({ "message": { "base": ["Maximum number of system hooks (20) exceeded"] } }));
}
