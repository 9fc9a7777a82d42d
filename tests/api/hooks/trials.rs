//! Tests of hooks, and events that are sent again.

use super::{body, delivered, header, hook, log};
use crate::support::{Person, Server, now};
use crate::support::{Visibility, World};
use edgeforge::store::RemoteAnswer;
use serde_json::json;

fn world() -> World {
    World::new(Server::with(|_| ()), Visibility::Private)
}

#[test]
fn a_test_sends_the_newest_record_and_waits_for_the_answer() {
    let world = world();
    let id = hook(&world, json!({}));
    let test = |trigger: &str| world.v4("POST", &format!("/hooks/{id}/test/{trigger}")).by(&world.ann);
    test("bad_events").refused(400, json!({ "error": "trigger does not have a valid value" }));
    test("issues_events").refused(422, json!({ "message": "Ensure the project has issues." }));
    test("note_events").refused(422, json!({ "message": "Ensure the project has notes." }));
    test("merge_requests_events").refused(422, json!({ "message": "Ensure the project has merge requests." }));
    world.server.turn_to(now() + 61_000);
    let issue = world.issue(&world.rae, json!({ "title": "older" }));
    world.comment(&world.rae, &issue, "Seen.");
    world.issue(&world.rae, json!({ "title": "newer" }));
    world.issue(&world.rae, json!({ "title": "hidden", "confidential": true }));
    assert_eq!(test("issues_events").gives(201).json, json!({ "message": "201 Created" }));
    assert_eq!(test("confidential_issues_events").gives(201).json, json!({ "message": "201 Created" }));
    test("note_events").gives(201);
    let sent = world.server.database().take_sent();
    let kinds: Vec<_> = sent.iter().map(|one| header(one, "X-Gitlab-Event").unwrap()).collect();
    assert_eq!(kinds, ["Issue Hook", "Confidential Issue Hook", "Note Hook"]);
    assert_eq!(body(&sent[0])["object_attributes"]["title"], "newer");
    assert_eq!(body(&sent[0])["object_attributes"]["action"], "open");
    assert_eq!(body(&sent[1])["object_attributes"]["title"], "hidden");
    assert_eq!(body(&sent[2])["object_attributes"]["note"], "Seen.");
    assert_eq!(log(&world, id).as_array().unwrap().len(), 3);
    // nothing else is sent for them
    assert_eq!(delivered(world.server, now() + 70_000), []);
    world
        .server
        .database()
        .receive(|_| Ok(RemoteAnswer { status: 404, body: "no such place".to_owned(), ..RemoteAnswer::default() }));
    test("issues_events").refused(422, json!({ "message": "no such place" }));
    world.server.database().receive(|_| Err("connection refused".to_owned()));
    test("issues_events").refused(422, json!({ "message": "connection refused" }));
    // five in a minute, also those that fail
    let told = test("issues_events").gives(429);
    assert_eq!(told.header("Retry-After"), Some("60"));
    world.v4("POST", &format!("/hooks/{id}/test/issues_events")).by(&world.cast.root).gives(422);
}

#[test]
fn a_logged_event_is_sent_again_as_it_was() {
    let world = world();
    let id = hook(&world, json!({ "issues_events": true }));
    let issue = world.issue(&world.rae, json!({ "title": "as it was" }));
    let first = delivered(world.server, now());
    let event = log(&world, id)[0]["id"].clone();
    world
        .v4("PUT", &format!("/issues/{}", issue["iid"]))
        .by(&world.rae)
        .json(json!({ "title": "as it is" }))
        .gives(200);
    delivered(world.server, now());
    let resend =
        |event: &serde_json::Value| world.v4("POST", &format!("/hooks/{id}/events/{event}/resend")).by(&world.ann);
    assert_eq!(resend(&event).gives(201).json, json!({ "response_status": 200 }));
    let again = world.server.database().take_sent();
    assert_eq!(again[0].body, first[0].body);
    assert_eq!(header(&again[0], "webhook-id"), header(&first[0], "webhook-id"));
    assert_ne!(header(&again[0], "X-Gitlab-Webhook-UUID"), header(&first[0], "X-Gitlab-Webhook-UUID"));
    world.server.database().receive(|_| Ok(RemoteAnswer { status: 500, ..RemoteAnswer::default() }));
    assert_eq!(resend(&event).gives(201).json, json!({ "response_status": 500 }));
    world.server.database().receive(|_| Err("connection refused".to_owned()));
    resend(&event).refused(422, json!({ "message": "connection refused" }));
    resend(&json!(99_999_999)).refused(404, json!({ "message": "404 Not found" }));
    world
        .v4("PUT", &format!("/hooks/{id}"))
        .by(&world.ann)
        .json(json!({ "url": "https://other.example.org/" }))
        .gives(200);
    resend(&event).refused(422, json!({ "message": "The hook URL has changed, and this log entry cannot be retried" }));
    resend(&event).gives(429);
}

#[test]
fn all_tokens_of_a_person_have_five_tries_together() {
    let world = world();
    let id = hook(&world, json!({ "issues_events": true }));
    world.issue(&world.rae, json!({ "title": "a" }));
    delivered(world.server, now());
    let statuses = (0..40).map(|at| {
        let fields =
            json!({ "name": format!("bot {at}"), "scopes": ["api"], "access_level": 40, "expires_at": "2999-01-01" });
        let token = world.v4("POST", "/access_tokens").by(&world.ann).json(fields).gives(201).json;
        let bot = Person { token: token["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
        world.v4("POST", &format!("/hooks/{id}/test/issues_events")).by(&bot).send().status
    });
    let statuses: Vec<u16> = statuses.collect();
    let sent = world.server.database().take_sent().len();
    println!("40 tokens: {sent} tries are sent");
    assert_eq!((sent, statuses.iter().filter(|status| **status == 429).count()), (5, 35));
}
