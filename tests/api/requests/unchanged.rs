//! A change that changes nothing (behaviour 14.3).

use crate::support::v4::{ask, made};
use crate::support::{Visibility, World, spec, tables};
use serde_json::{Value, json};

/// The record at `path` after each of the changes is what it was before, to the millisecond.
#[track_caller]
fn stays(world: &World, path: &str, changes: &[Value]) {
    let get = || ask(world, "GET", path).by(&world.ann).gives(200).json;
    let before = get();
    for change in changes {
        let answer = ask(world, "PUT", path).by(&world.ann).json(change.clone()).gives(200).json;
        assert_eq!(answer["updated_at"], before["updated_at"], "{path} {change}");
        assert_eq!(get(), before, "{path} {change}");
    }
}

#[test]
fn an_issue_that_gets_the_values_that_it_has_is_not_changed() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("1.0");
    let fields = json!({ "title": "t", "description": "d @bob", "labels": "a,b", "due_date": "2030-01-01",
        "assignee_ids": [world.bob.id], "milestone_id": milestone, "confidential": true, "discussion_locked": true });
    let issue = made(&world, &world.rae, fields);
    let path = format!("/issues/{}", issue["iid"]);
    let changes = [
        json!({ "title": " t " }),
        json!({ "description": "d @bob", "title": "t" }),
        json!({ "labels": ["b", "a"] }),
        json!({ "add_labels": "a", "remove_labels": "c" }),
        json!({ "due_date": "2030-01-01" }),
        json!({ "assignee_ids": [world.bob.id] }),
        json!({ "milestone_id": milestone, "confidential": true }),
        json!({ "discussion_locked": true, "state_event": "reopen" }),
    ];
    stays(&world, &path, &changes);
    let v3 = |fields: Value| world.edit(&world.bob, &issue, fields)["updated_at"].clone();
    let at = v3(json!({ "title": "t" }));
    assert_eq!(v3(json!({ "labels": "a, b", "assignee_id": world.bob.id })), at);
    let todos = world.server.get("/todos?per_page=100").by(&world.bob).gives(200).json;
    let on_issue = |todo: &&Value| todo["target"]["id"] == issue["id"] && todo["state"] == "pending";
    let pending = todos.as_array().unwrap().iter().filter(on_issue).count();
    assert_eq!(pending, 1, "the caller's to-do item is not settled");
    assert_ne!(v3(json!({ "labels": "a" })), at);
    let bare = made(&world, &world.rae, json!({ "title": "t" }));
    let nothing =
        json!({ "labels": [], "due_date": null, "assignee_ids": [], "milestone_id": 0, "confidential": false });
    stays(&world, &format!("/issues/{}", bare["iid"]), &[nothing]);
}

/// A new parameter of issues is described in `openapi/`, so it is tried here, too.
#[test]
fn every_parameter_of_an_issue_may_say_what_the_issue_says() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("1.0");
    let fields = json!({ "title": "t", "description": "d", "labels": "a,b", "due_date": "2030-01-01",
        "assignee_ids": [world.bob.id], "milestone_id": milestone, "confidential": true, "discussion_locked": true });
    let issue = made(&world, &world.ann, fields);
    for table in tables() {
        let path = world.issue_path(&issue);
        let path = if table.name == "v4" { format!("{}/{}", world.at("/issues"), issue["iid"]) } else { path };
        let ask = |verb: &str| table.ask(world.server, verb, path.clone()).by(&world.ann);
        let before = ask("GET").gives(200).json;
        let described = &table.contract.document["components"]["schemas"]["IssueParams"]["properties"];
        for name in described.as_object().unwrap().keys().filter(|name| *name != "updated_at") {
            let value = match name.as_str() {
                "assignee_id" => json!(world.bob.id),
                "assignee_ids" => json!([world.bob.id]),
                "milestone_id" => json!(milestone),
                "milestone" => json!("1.0"),
                "add_labels" => json!("a"),
                "remove_labels" => json!("c"),
                "state_event" => json!("reopen"),
                name => before[name].clone(),
            };
            assert!(!value.is_null(), "{} {name}: give the issue a value", table.name);
            let after = ask("PUT").json(json!({ name: value })).gives(200).json;
            assert_eq!(after["updated_at"], before["updated_at"], "{} {name}", table.name);
        }
    }
}

#[test]
fn a_comment_with_the_text_that_it_has_changes_neither_itself_nor_its_issue() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let path = format!("/issues/{}", issue["iid"]);
    let note = ask(&world, "POST", &format!("{path}/notes")).by(&world.ann).json(json!({ "body": "b" })).gives(201);
    let before = ask(&world, "GET", &path).by(&world.ann).gives(200).json;
    stays(&world, &format!("{path}/notes/{}", note.json["id"]), &[json!({ "body": "b" })]);
    assert_eq!(ask(&world, "GET", &path).by(&world.ann).gives(200).json, before);
}

#[test]
fn a_milestone_a_project_and_an_environment_stay_as_they_are() {
    let world = World::new(spec(), Visibility::Private);
    let fields = json!({ "title": "1.0", "description": "d", "due_date": "2030-01-01", "start_date": "2029-01-01" });
    let milestone = ask(&world, "POST", "/milestones").by(&world.ann).json(fields.clone()).gives(201).json;
    stays(
        &world,
        &format!("/milestones/{}", milestone["id"]),
        &[fields, json!({ "title": " 1.0 " }), json!({ "state_event": "activate" })],
    );
    let project = ask(&world, "GET", "").by(&world.ann).gives(200).json;
    let same = json!({ "name": project["name"], "description": project["description"], "visibility": "private" });
    stays(&world, "", &[same, json!({ "issues_enabled": true })]);
    let live =
        json!({ "name": "live", "external_url": "https://live.example.com", "description": "d", "tier": "production" });
    let environment = ask(&world, "POST", "/environments").by(&world.ann).json(live).gives(201).json;
    stays(
        &world,
        &format!("/environments/{}", environment["id"]),
        &[json!({ "external_url": "https://live.example.com" }), json!({ "description": "d", "tier": "production" })],
    );
    // the tier that follows from the name
    let named = ask(&world, "POST", "/environments").by(&world.ann).json(json!({ "name": "staging" })).gives(201).json;
    stays(&world, &format!("/environments/{}", named["id"]), &[json!({ "tier": "staging" })]);
}

#[test]
fn settings_that_get_the_values_that_they_have_are_not_changed() {
    let root = spec().root();
    let put = |fields: Value| spec().ask("PUT", "/application/settings").by(&root).json(fields).gives(200).json;
    let before = spec().get("/application/settings").by(&root).gives(200).json;
    let same = |name: &str| json!({ name: before[name] });
    for name in ["default_projects_limit", "signup_enabled", "restricted_visibility_levels", "home_page_url"] {
        assert_eq!(put(same(name)), before, "{name}");
    }
    let today = |verb: &str| spec().ask_v4(verb, "/application/settings").by(&root);
    let before = today("GET").gives(200).json;
    let same = json!({ "push_event_hooks_limit": before["push_event_hooks_limit"] });
    assert_eq!(today("PUT").json(same).gives(200).json, before);
}
