//! Events of labels, milestones and states.

use crate::support::git::commit;
use crate::support::v4::{at, keys, made, words};
use crate::support::{Answer, Visibility, World, spec};
use serde_json::{Value, json};

const ALL: &str = "id user created_at resource_type resource_id";

fn events(world: &World, issue: &Value, kind: &str) -> Answer {
    at(world, "GET", issue, &format!("/resource_{kind}_events")).by(&world.rae).gives(200)
}

/// Of each label event, the name of the label and the action.
fn moves(world: &World, issue: &Value) -> Vec<String> {
    let list = events(world, issue, "label");
    let text = |event: &Value| {
        format!("{} {}", event["action"].as_str().unwrap(), event["label"]["name"].as_str().unwrap_or("?"))
    };
    list.json.as_array().unwrap().iter().map(text).collect()
}

fn change(world: &World, issue: &Value, fields: Value) {
    at(world, "PUT", issue, "").by(&world.rae).json(fields).gives(200);
}

#[test]
fn labels_that_are_put_on_and_taken_off_are_events() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t", "labels": "b,a" }));
    assert_eq!(moves(&world, &issue), ["add a", "add b"]);
    change(&world, &issue, json!({ "labels": "b,new" }));
    change(&world, &issue, json!({ "add_labels": "b,more", "remove_labels": "a,new" }));
    change(&world, &issue, json!({ "labels": "b,more" }));
    // v3 writes them, too
    let by_v3 = json!({ "labels": "more" });
    world.put(&format!("/issues/{}", issue["id"])).by(&world.ann).json(by_v3).gives(200);
    let expected = ["add a", "add b", "add new", "remove a", "add more", "remove new", "remove b"];
    assert_eq!(moves(&world, &issue), expected);
    let list = events(&world, &issue, "label");
    assert_eq!(list.header("X-Total"), Some("7"));
    let first = &list.json[0];
    assert_eq!(keys(first), words(&format!("{ALL} label action")));
    assert_eq!(keys(&first["label"]), words("id name description description_html text_color color archived"));
    assert_eq!((&first["resource_type"], &first["resource_id"]), (&json!("Issue"), &issue["id"]));
    let people: Vec<Value> = list.json.as_array().unwrap().iter().map(|event| event["user"]["id"].clone()).collect();
    let [ann, rae] = [world.ann.id, world.rae.id];
    assert_eq!(people, [ann, ann, rae, rae, rae, rae, ann]);
    // a guest's labels are passed over
    let plain = made(&world, &world.gus, json!({ "title": "t", "labels": "a", "milestone_id": world.milestone("v1") }));
    assert_eq!(moves(&world, &plain), [""; 0]);
    assert_eq!(events(&world, &plain, "milestone").json, json!([]));
}

#[test]
fn a_deleted_label_leaves_its_events_without_it() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t", "labels": "a" }));
    world.v4("DELETE", "/labels/a").by(&world.ann).gives(204);
    world.v4("POST", "/labels").by(&world.ann).json(json!({ "name": "other", "color": "#ff0000" })).gives(201);
    assert_eq!(moves(&world, &issue), ["add ?"]);
}

#[test]
fn milestones_that_come_and_go_are_events() {
    let world = World::new(spec(), Visibility::Private);
    let [one, two] = ["v1", "v2"].map(|title| world.milestone(title));
    let issue = made(&world, &world.ann, json!({ "title": "t", "milestone_id": one }));
    change(&world, &issue, json!({ "milestone_id": one }));
    change(&world, &issue, json!({ "milestone_id": two, "state_event": "close" }));
    change(&world, &issue, json!({ "milestone_id": 0 }));
    let list = events(&world, &issue, "milestone");
    let text = |event: &Value| {
        ["action", "state"].map(|name| event[name].as_str().unwrap().to_owned()).join(" ")
            + &format!(" {}", event["milestone"]["title"].as_str().unwrap_or("?"))
    };
    let told = |list: &Answer| list.json.as_array().unwrap().iter().map(text).collect::<Vec<_>>();
    let expected = ["add opened v1", "remove opened v1", "add opened v2", "remove closed v2"];
    assert_eq!(told(&list), expected);
    assert_eq!(keys(&list.json[0]), words(&format!("{ALL} milestone action state")));
    let shown = world.v4("GET", &format!("/milestones/{one}")).by(&world.rae).gives(200).json;
    assert_eq!(list.json[0]["milestone"], shown);
    world.v4("DELETE", &format!("/milestones/{two}")).by(&world.ann).gives(204);
    let expected = ["add opened v1", "remove opened v1", "add opened ?", "remove closed ?"];
    assert_eq!(told(&events(&world, &issue, "milestone")), expected);
}

#[test]
fn closing_and_reopening_are_events_but_not_the_opening() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    assert_eq!(events(&world, &issue, "state").json, json!([]));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| change(&world, &issue, json!({ "state_event": "close" })));
        }
    });
    change(&world, &issue, json!({ "state_event": "reopen" }));
    let list = events(&world, &issue, "state");
    assert_eq!(list.each("state"), ["closed", "reopened"]);
    assert_eq!(keys(&list.json[0]), words(&format!("{ALL} source_commit source_merge_request_id state")));
    assert_eq!(list.json[0]["source_commit"], Value::Null);
}

#[test]
fn the_commit_that_closed_an_issue_is_in_its_event() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(2);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let fix = commit(3, &[2]).with(|commit| commit.message = format!("Fixes #{}", issue["iid"]));
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [fix.wire()] })).gives(201);
    let change =
        json!({ "name": "refs/heads/master", "old": fix.parents[0], "new": fix.sha, "message": null, "forced": false });
    world
        .put("/mirror/refs")
        .by(&world.ann)
        .json(json!({ "default_branch": "master", "changes": [change] }))
        .gives(200);
    let list = events(&world, &issue, "state");
    assert_eq!(list.each("source_commit"), [fix.sha[..7].to_owned()]);
    // its comment is there as well, because it names the whole hash
    let notes = at(&world, "GET", &issue, "/notes").by(&world.rae).gives(200);
    assert_eq!(notes.each("body"), [format!("closed via commit {}", fix.sha)]);
    // a guest, who may not read commits, reads of none
    let seen = at(&world, "GET", &issue, "/resource_state_events").by(&world.gus).gives(200);
    assert_eq!(seen.each("source_commit"), [Value::Null]);
    let one = format!("/resource_state_events/{}", seen.json[0]["id"]);
    assert_eq!(at(&world, "GET", &issue, &one).by(&world.gus).gives(200).json, seen.json[0]);
    let one = format!("/notes/{}", notes.json[0]["id"]);
    let paths = ["/notes", "/notes?activity_filter=only_activity&sort=asc", "/discussions", &one];
    for answer in paths.map(|path| at(&world, "GET", &issue, path).by(&world.gus).gives(200)) {
        assert!(answer.text.contains("closed via a commit\""), "{}", answer.text);
        assert!(!answer.text.contains(&fix.sha[..7]), "{}", answer.text);
    }
    let in_v3 = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.gus).gives(200);
    assert_eq!(in_v3.each("body"), ["closed via a commit"]);
}

#[test]
fn events_are_read_page_by_page_and_each_by_its_id() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t", "labels": "a,b,c" }));
    let list = events(&world, &issue, "label");
    let mut page = at(&world, "GET", &issue, "/resource_label_events?per_page=1").by(&world.eve).gives(200);
    for (place, event) in list.json.as_array().unwrap().iter().enumerate() {
        assert_eq!(page.json, json!([event]));
        let one = |kind: &str| at(&world, "GET", &issue, &format!("/resource_{kind}_events/{}", event["id"]));
        assert_eq!(one("label").by(&world.eve).gives(200).json, *event);
        one("state").by(&world.eve).refused(404, json!({ "message": "404 Not found" }));
        one("label").refused(401, json!({ "message": "401 Unauthorized" }));
        if place < 2 {
            page = spec().ask_v4("GET", page.next().unwrap()).by(&world.eve).gives(200);
        }
    }
    assert_eq!(page.next(), None);
    let other = made(&world, &world.ann, json!({ "title": "other" }));
    let foreign = format!("/resource_label_events/{}", list.json[0]["id"]);
    at(&world, "GET", &other, &foreign).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    let secret = made(&world, &world.ann, json!({ "title": "s", "confidential": true, "labels": "a" }));
    let id = events(&world, &secret, "label").json[0]["id"].clone();
    for rest in ["/resource_label_events".to_owned(), format!("/resource_label_events/{id}")] {
        at(&world, "GET", &secret, &rest).by(&world.eve).refused(404, json!({ "message": "404 Not found" }));
    }
    let odd = at(&world, "GET", &issue, "/resource_label_events/one").by(&world.eve);
    odd.refused(400, json!({ "error": "event_id is invalid" }));
}

#[test]
fn what_is_an_event_is_no_comment_of_v4_unless_asked_for() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    change(
        &world,
        &issue,
        json!({ "title": "u", "labels": "a", "state_event": "close", "milestone_id": world.milestone("v1") }),
    );
    let bodies = |rest: &str| {
        let list = at(&world, "GET", &issue, rest).by(&world.rae).gives(200);
        let notes = list.json.as_array().unwrap();
        assert_eq!(list.header("X-Total"), Some(notes.len().to_string().as_str()), "{rest}");
        notes.iter().map(|note| note.get("notes").map_or(note, |notes| &notes[0])["body"].clone()).collect::<Vec<_>>()
    };
    let title = "Changed title: **t** → **u**";
    for rest in ["/notes", "/notes?sort=asc", "/notes?activity_filter=only_activity", "/discussions"] {
        assert_eq!(bodies(rest), [title], "{rest}");
    }
    let all = [
        json!("Status changed to closed"),
        json!(title),
        json!("Milestone changed to %1"),
        json!("Added ~\"a\" label"),
    ];
    assert_eq!(bodies("/notes?sort=asc&include_events=true"), all);
    let v3 = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.rae).gives(200);
    assert_eq!((v3.each("body"), v3.header("X-Total")), (all.to_vec(), Some("4")));
}

#[test]
fn comments_behind_a_thousand_events_are_found() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let (project, id, ann) = (world.project.id, &issue["id"], world.ann.id);
    let is_done = world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 1200)
        insert into notes (project_id, issue_id, author_id, body, system, has_event, created_at, updated_at)
        select {project}, {id}, {ann}, 'Status changed', 1, 1, n, n from n"
    ));
    if !is_done {
        return;
    }
    world.comment(&world.ann, &issue, "here");
    let first = at(&world, "GET", &issue, "/notes?sort=asc").by(&world.rae).gives(200);
    assert_eq!((first.each("body"), first.header("X-Total")), (vec![json!("here")], Some("1")));
}
