//! `X-Edgeforge-Silent`.

use super::{deeds, events};
use crate::hooks::{delivered, hook};
use crate::support::v4::made;
use crate::support::{Ask, Person, Server, Visibility, World, now, spec};
use serde_json::json;

fn new_issue(world: &World, title: &str) -> Ask {
    let fields =
        json!({ "title": title, "assignee_ids": [world.bob.id], "description": format!("@{}", world.rae.username) });
    world.v4("POST", "/issues").header("X-Edgeforge-Silent", "true").json(fields)
}

/// Deeds about issues, bodies sent to hooks, and to-do items of bob.
fn noticed(world: &World) -> (Vec<String>, usize, usize) {
    let of_issues = deeds(&events(world, &world.ann, "?target_type=issue"));
    let todos = |person: &Person| world.server.ask_v4("GET", "/todos").by(person).gives(200).each("id").len();
    (of_issues, delivered(world.server, now()).len(), todos(&world.bob) + todos(&world.rae))
}

#[test]
fn an_administrator_writes_without_hooks_events_and_to_do_items() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let world = World::new(server, Visibility::Private);
    hook(&world, json!({ "issues_events": true, "milestone_events": true, "note_events": true }));
    let root = server.root();
    let issue = new_issue(&world, "quiet").by(&root).gives(201).json;
    assert_eq!(noticed(&world), (Vec::new(), 0, 0));
    // also in the name of others, and a milestone, which takes two round trips
    new_issue(&world, "quiet too").by(&root).header("SUDO", world.rae.username.as_str()).gives(201);
    let quiet = |method: &str, path: &str| world.v4(method, path).by(&root).header("X-Edgeforge-Silent", "true");
    quiet("POST", "/milestones").json(json!({ "title": "v1" })).gives(201);
    quiet("POST", &format!("/issues/{}/notes", issue["iid"])).json(json!({ "body": "x" })).gives(201);
    quiet("PUT", &format!("/issues/{}", issue["iid"])).json(json!({ "state_event": "close" })).gives(200);
    assert_eq!(noticed(&world), (Vec::new(), 0, 0));
    assert_eq!(events(&world, &world.ann, "?target_type=milestone").json, json!([]));
    // and nothing of it stays
    made(&world, &world.ann, json!({ "title": "loud" }));
    assert_eq!(noticed(&world), (vec!["opened Issue loud".to_owned()], 1, 0));
    assert_eq!(server.rows("select json_quote(count(*)) as v from request_marks"), [json!(0)]);
}

#[test]
fn others_are_not_silent() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    hook(&world, json!({ "issues_events": true }));
    new_issue(&world, "loud").by(&world.ann).gives(201);
    assert_eq!(noticed(&world), (vec!["opened Issue loud".to_owned()], 1, 2));
}

#[test]
fn an_issue_that_is_made_silently_is_no_event() {
    let world = World::new(spec(), Visibility::Private);
    new_issue(&world, "quiet").by(&spec().cast().root).gives(201);
    assert_eq!(events(&world, &world.ann, "?target_type=issue").json, json!([]));
    new_issue(&world, "loud").by(&world.ann).gives(201);
    assert_eq!(deeds(&events(&world, &world.ann, "?target_type=issue")), ["opened Issue loud"]);
}
