//! Events keep the beginning of a long text. The rest is read when the event is sent.

use super::{body, delivered, hook, log};
use crate::storage::counters::disagreements;
use crate::support::git::{line, sha};
use crate::support::{Server, Visibility, World, now};
use serde_json::{Value, json};

/// Letters of a long text that an event keeps.
const KEPT: usize = 1250;

/// A public project with a hook for all that has texts, and a long issue of an outsider.
fn world(length: usize) -> (World, Value, i64) {
    let world = World::new(Server::with(|_| ()), Visibility::Public);
    let issue = world.issue(&world.eve, json!({ "title": "a", "description": "x".repeat(length) }));
    let id = hook(
        &world,
        json!({ "issues_events": true, "note_events": true, "emoji_events": true,
        "milestone_events": true, "releases_events": true }),
    );
    (world, issue, id)
}

fn stored(world: &World) -> i64 {
    let sql = "select json_array((select coalesce(sum(quota_bytes), 0) from hook_events)) as v";
    world.server.rows(sql)[0][0].as_i64().unwrap()
}

fn letters(text: &Value) -> usize {
    text.as_str().unwrap().chars().count()
}

fn one(world: &World) -> Value {
    let sent = delivered(world.server, now());
    assert_eq!(sent.len(), 1, "{sent:?}");
    body(&sent[0])
}

#[test]
fn a_comment_on_a_long_issue_stores_no_copy_of_it() {
    let (world, issue, _) = world(249_000);
    let used = || world.get("/mirror").by(&world.ann).gives(200).json["bytes"].as_i64().unwrap();
    let before = used();
    let note = world.comment(&world.eve, &issue, "x");
    println!(
        "a comment on an issue of 249 kB: {} bytes of its event, {} of the project",
        stored(&world),
        used() - before
    );
    assert!(stored(&world) < 5000, "{}", stored(&world));
    assert!(used() - before < 6000, "{}", used() - before);
    let sent = one(&world);
    assert_eq!(letters(&sent["issue"]["description"]), 249_000);
    let emoji = json!({ "name": "thumbsup" });
    for path in [
        format!("/issues/{}/award_emoji", issue["iid"]),
        format!("/issues/{}/notes/{}/award_emoji", issue["iid"], note["id"]),
    ] {
        let before = stored(&world);
        world.v4("POST", &path).by(&world.eve).json(emoji.clone()).gives(201);
        assert!(stored(&world) - before < 5000, "{path}: {}", stored(&world) - before);
        assert_eq!(letters(&one(&world)["issue"]["description"]), 249_000);
    }
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn a_change_of_a_long_issue_stores_no_copy_of_it_and_tells_what_changed() {
    let (world, issue, _) = world(30_000);
    let put = |fields: Value| {
        let before = stored(&world);
        world.v4("PUT", &format!("/issues/{}", issue["iid"])).by(&world.eve).json(fields).gives(200);
        assert!(stored(&world) - before < 10_000, "{}", stored(&world) - before);
        one(&world)
    };
    let sent = put(json!({ "title": "b" }));
    assert_eq!((&sent["changes"]["title"]["current"], &sent["changes"]["description"]), (&json!("b"), &Value::Null));
    assert_eq!(letters(&sent["object_attributes"]["description"]), 30_000);
    // the end of the text alone
    let other = format!("{}y", "x".repeat(29_999));
    let sent = put(json!({ "description": other }));
    assert_eq!(sent["changes"]["description"]["current"], other);
    assert_eq!(letters(&sent["changes"]["description"]["previous"]), KEPT);
    assert_eq!(sent["object_attributes"]["description"], other);
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn texts_of_all_kinds_are_sent_whole_and_kept_short() {
    let (world, issue, id) = world(10);
    world.push(&line(1), &[("refs/heads/master", &sha(1)), ("refs/tags/v1", &sha(1))]);
    let long = "é".repeat(20_000);
    let before = stored(&world);
    world.comment(&world.rae, &issue, &long);
    assert_eq!(one(&world)["object_attributes"]["note"], long);
    let fields = json!({ "title": "m", "description": long });
    let made = world.v4("POST", "/milestones").by(&world.ann).json(fields).gives(201).json;
    assert_eq!(one(&world)["object_attributes"]["description"], long);
    let fields = json!({ "tag_name": "v1", "ref": "master", "description": long });
    world.v4("POST", "/releases").by(&world.ann).json(fields).gives(201);
    assert_eq!(one(&world)["description"], long);
    assert!(stored(&world) - before < 30_000, "{}", stored(&world) - before);
    // the log and what is sent again have the whole text, too
    let logged = log(&world, id);
    assert_eq!(logged[2]["request_data"]["object_attributes"]["note"], long);
    world.v4("POST", &format!("/hooks/{id}/events/{}/resend", logged[1]["id"])).by(&world.ann).gives(201);
    assert_eq!(body(&world.server.database().take_sent()[0])["object_attributes"]["description"], long);
    world.v4("POST", &format!("/hooks/{id}/test/milestone_events")).by(&world.ann).gives(201);
    assert_eq!(body(&world.server.database().take_sent()[0])["object_attributes"]["id"], made["id"]);
}

#[test]
fn a_long_text_that_may_no_longer_be_seen_stays_cut() {
    let (world, issue, _) = world(30_000);
    world.comment(&world.rae, &issue, "x");
    let path = format!("/issues/{}", issue["iid"]);
    let hidden = json!({ "confidential": true, "description": "y".repeat(30_000) });
    world.v4("PUT", &path).by(&world.rae).json(hidden).gives(200);
    let sent: Vec<Value> = delivered(world.server, now()).iter().map(body).collect();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(sent[0]["issue"]["description"], "x".repeat(KEPT));
    world.v4("PUT", &path).by(&world.rae).json(json!({ "confidential": false })).gives(200);
    delivered(world.server, now());
    let note = world.comment(&world.rae, &issue, &"z".repeat(30_000));
    world.v4("DELETE", &format!("{path}/notes/{}", note["id"])).by(&world.rae).gives(204);
    assert_eq!(one(&world)["object_attributes"]["note"], "z".repeat(KEPT));
}
