//! Moving issues (specification, "POST /projects/:id/issues/:issue_id/move"; behaviour 6.5).

use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

/// Two projects with the same members.
fn worlds() -> (World, World) {
    let world = World::new(spec(), Visibility::Private);
    let target = world.sibling(Visibility::Private);
    (world, target)
}

#[track_caller]
fn refused(world: &World, person: &Person, issue: &Value, to: Value, status: u16, text: &str) {
    let path = format!("{}/move", world.issue_path(issue));
    spec().post(path).by(person).json(json!({ "to_project_id": to })).refused(status, json!({ "message": text }));
}

const NOT_ALLOWED: &str = "Cannot move issue due to insufficient permissions!";

#[test]
fn the_moved_issue_is_a_new_one_with_all_that_the_old_one_said() {
    let (world, target) = worlds();
    let (milestone, _) = (world.milestone("v9.0"), target.milestone("other"));
    let there = target.milestone("v9.0");
    for name in ["label1", "label2"] {
        let label = json!({ "name": name, "color": "#ff0000" });
        target.post("/labels").by(&world.ann).json(label).gives(201);
    }
    let fields = json!({ "title": "t", "description": "see #2", "labels": "label1,label2,only here",
        "milestone_id": milestone, "assignee_id": world.bob.id, "due_date": "2030-01-01", "confidential": true,
        "created_at": "2016-01-02T03:04:05Z" });
    let old = world.issue(&world.ann, fields);
    world.comment(&world.ann, &old, "a comment");
    let new = world.moved(&world.rae, &old, &target.project);
    assert_eq!(new["project_id"], target.project.id);
    assert_eq!(new["iid"], 1);
    assert_ne!(new["id"], old["id"]);
    for field in ["title", "description", "author", "created_at", "assignee", "due_date", "confidential", "state"] {
        assert_eq!(new[field], old[field], "{field}");
    }
    assert_eq!(new["milestone"]["id"], there);
    assert_eq!(new["labels"], json!(["label1", "label2"]));
    assert_eq!(new["user_notes_count"], 1);
    assert_eq!(new["subscribed"], false, "the mover takes no part");
    assert_eq!(new["web_url"], format!("{}/{}/issues/1", spec().origin, target.project.path));
    assert_eq!(target.seen(&world.rae, &new), new);
    let old = world.seen(&world.ann, &old);
    assert_eq!(old["state"], "closed");
    let bodies = |world: &World, issue: &Value| {
        spec().get(format!("{}/notes", world.issue_path(issue))).by(&world.ann).gives(200).each("body")
    };
    let from = format!("Moved from {}#{}", world.project.path, old["iid"]);
    assert_eq!(bodies(&target, &new), [json!("a comment"), json!(from)]);
    assert_eq!(bodies(&world, &old), [json!("a comment"), json!(format!("Moved to {}#1", target.project.path))]);
}

#[test]
fn a_closed_issue_arrives_closed_and_the_counters_follow() {
    let (world, target) = worlds();
    let old = world.issue(&world.ann, json!({ "title": "t" }));
    world.close(&world.ann, &old);
    assert_eq!(world.moved(&world.ann, &old, &target.project)["state"], "closed");
    let open = world.issue(&world.ann, json!({ "title": "o" }));
    world.moved(&world.ann, &open, &target.project);
    let totals =
        |world: &World| ["opened", "closed"].map(|state| world.titles(&world.ann, &format!("state={state}")).0);
    assert_eq!((totals(&world), totals(&target)), ([0, 2], [1, 1]));
}

#[test]
fn without_its_equal_there_the_milestone_stays_behind() {
    let (world, target) = worlds();
    let milestone = world.milestone("only here");
    let old = world.issue(&world.ann, json!({ "title": "t", "milestone_id": milestone, "labels": "x" }));
    let new = world.moved(&world.ann, &old, &target.project);
    assert_eq!([&new["milestone"], &new["labels"]], [&Value::Null, &json!([])]);
    assert_eq!(target.get("/labels").by(&world.ann).gives(200).json, json!([]), "no label is made");
}

#[test]
fn an_assignee_who_cannot_see_the_target_does_not_come_along() {
    let world = World::new(spec(), Visibility::Private);
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 30);
    let old = world.issue(&world.ann, json!({ "title": "t", "assignee_id": zoe.id }));
    let hidden = world.sibling(Visibility::Private);
    assert_eq!(world.moved(&world.ann, &old, &hidden.project)["assignee"], Value::Null);
}

#[test]
fn subscriptions_are_not_carried_and_participants_are() {
    let (world, target) = worlds();
    let fields = json!({ "title": "t", "description": format!("@{} look", world.gus.username) });
    let old = world.issue(&world.ann, fields);
    world.post(&format!("/issues/{}/subscription", old["id"])).by(&world.rae).gives(201);
    let new = world.moved(&world.bob, &old, &target.project);
    for (person, subscribed) in [(&world.rae, false), (&world.gus, true), (&world.ann, true), (&world.bob, false)] {
        assert_eq!(target.seen(person, &new)["subscribed"], subscribed, "{}", person.name);
    }
}

#[test]
fn it_takes_a_reporter_in_both_projects() {
    let (world, target) = worlds();
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 20);
    target.admit(&zoe, 10);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    refused(&world, &zoe, &issue, json!(target.project.id), 400, NOT_ALLOWED);
    refused(&world, &world.gus, &issue, json!(target.project.id), 400, NOT_ALLOWED);
    let public = World::new(spec(), Visibility::Public);
    let only_there = spec().person("Yan");
    target.admit(&only_there, 20);
    let issue = public.issue(&world.ann, json!({ "title": "t" }));
    refused(&public, &only_there, &issue, json!(target.project.id), 400, NOT_ALLOWED);
    // a public target is seen, but they are no member there
    let elsewhere = spec().person("Ida");
    let apart = spec().project(&elsewhere, elsewhere.id, Visibility::Public);
    refused(&public, &world.rae, &issue, json!(apart.id), 400, NOT_ALLOWED);
}

#[test]
fn what_is_missing_is_told_in_the_order_of_the_contract() {
    let (world, target) = worlds();
    let zoe = spec().person("Zoe");
    let hidden = spec().project(&zoe, zoe.id, Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let path = |id: &str| format!("/projects/{}/issues/{id}/move", world.project.id);
    let nowhere = format!("/projects/987654321/issues/{}/move", issue["id"]);
    let no_project = json!({ "message": "404 Project Not Found" });
    spec().post(nowhere).by(&world.ann).refused(404, no_project.clone());
    spec().post(path("x")).by(&world.eve).refused(404, no_project);
    let no_issue = json!({ "message": "404 Issue Not Found" });
    for id in ["123123123", "x"] {
        spec().post(path(id)).by(&world.ann).refused(404, no_issue.clone());
    }
    let missing = json!({ "message": "400 (Bad request) \"to_project_id\" not given" });
    spec().post(path(&issue["id"].to_string())).by(&world.ann).refused(400, missing);
    let refused = |to: Value, status, text: &str| refused(&world, &world.ann, &issue, to, status, text);
    refused(json!(987_654_321), 404, "404 Project Not Found");
    for far in
        [json!(9_223_372_036_854_775_807_i64), json!(9_223_372_036_854_775_808_u64), json!("1".repeat(30)), json!(-1)]
    {
        refused(far, 404, "404 Project Not Found");
    }
    refused(json!(hidden.id), 404, "404 Project Not Found");
    refused(json!(world.project.id), 400, "Cannot move issue to project it originates from!");
    let body = json!({ "to_project_id": target.project.path });
    let ask = spec().post(path(&issue["id"].to_string())).by(&world.ann).json(body);
    ask.refused(400, json!({ "message": { "to_project_id": ["is invalid"] } }));
}

#[test]
fn an_issue_moves_once() {
    let (world, target) = worlds();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let new = world.moved(&world.ann, &issue, &target.project);
    refused(&world, &world.ann, &issue, json!(target.project.id), 400, NOT_ALLOWED);
    // what arrived may move on, even back
    let back = target.moved(&world.ann, &new, &world.project);
    assert_eq!(back["iid"], 2);
}

#[test]
fn a_target_without_issues_takes_none() {
    let (world, _) = worlds();
    let path = crate::support::unique("mute");
    let zoe = spec().person("Zoe");
    let fields = json!({ "name": path, "path": path, "issues_enabled": false });
    let mute = spec().post("/projects").by(&zoe).json(fields).gives(201).id();
    world.admit(&zoe, 20);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    refused(&world, &zoe, &issue, json!(mute), 400, NOT_ALLOWED);
}
