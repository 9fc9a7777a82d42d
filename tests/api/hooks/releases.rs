//! The bodies of events of releases.

use super::{body, delivered, header, hook};
use crate::support::git::{line, sha};
use crate::support::v4::names;
use crate::support::{Server, Visibility, World, now};
use serde_json::{Value, json};

#[test]
fn a_release_hook_has_the_release_and_its_commit() {
    // of its own: all that is due on a server is sent at once
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    world.push(&line(1), &[("refs/heads/master", &sha(1)), ("refs/tags/v1", &sha(1))]);
    hook(&world, json!({ "releases_events": true, "push_events": false }));
    let v4 = |verb: &str, path: &str, fields: Value| {
        world.v4(verb, &format!("/releases{path}")).by(&world.ann).json(fields).send()
    };
    let heard = || {
        let sent = delivered(world.server, now());
        assert!(sent.iter().all(|sent| header(sent, "X-Gitlab-Event") == Some("Release Hook")));
        sent.iter().map(body).collect::<Vec<Value>>()
    };
    let fields =
        json!({ "tag_name": "v1", "description": "New", "assets": { "links": [{ "name": "a", "url": "https://a" }] } });
    v4("POST", "", fields).has_status(201);
    let made = heard();
    assert_eq!(made.len(), 1);
    assert_eq!(
        names(&made[0]),
        "action assets commit created_at description id name object_kind project released_at tag url"
    );
    let (kind, action, commit) = (&made[0]["object_kind"], &made[0]["action"], &made[0]["commit"]["id"]);
    assert_eq!((kind, action, commit), (&json!("release"), &json!("create"), &json!(sha(1))));
    assert_eq!(made[0]["assets"]["links"][0]["name"], "a");
    assert!(made[0]["url"].as_str().unwrap().ends_with("/-/releases/v1"));
    let link = v4("POST", "/v1/assets/links", json!({ "name": "b", "url": "https://b" })).id();
    // the second one changes nothing
    for _ in 0..2 {
        v4("PUT", &format!("/v1/assets/links/{link}"), json!({ "name": "c" })).has_status(200);
    }
    v4("DELETE", &format!("/v1/assets/links/{link}"), json!({})).has_status(200);
    v4("PUT", "/v1", json!({ "name": "One" })).has_status(200);
    // these change nothing
    v4("PUT", "/v1", json!({ "name": "One", "description": "New" })).has_status(200);
    v4("PUT", "/v1", json!({ "milestones": [] })).has_status(200);
    v4("DELETE", "/v1", json!({})).has_status(200);
    v4("DELETE", "/v1", json!({})).has_status(404);
    let actions: Vec<Value> = heard().iter().map(|body| body["action"].clone()).collect();
    assert_eq!(actions, ["update", "update", "update", "update", "delete"]);
}
