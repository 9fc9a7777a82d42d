//! The second time.

use super::{AT, asking, brought, key, mirrored, one_of_each, record, sent, told, with};
use crate::support::git::sha;
use crate::support::{Fault, Server, Visibility, World, spec};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

fn world() -> World {
    let world = World::new(spec(), Visibility::Private);
    mirrored(&world);
    brought(&world, &one_of_each(&world));
    world
}

fn get(world: &World, path: &str) -> Value {
    world.v4("GET", path).by(&world.ann).gives(200).json
}

fn kept(place: &[usize]) -> Value {
    json!({ "new": 0, "changed": 0, "same": 0, "kept": place, "refused": [] })
}

#[test]
fn an_issue_a_comment_and_a_milestone_follow_until_somebody_changes_them_here() {
    let world = world();
    let issue = with(
        record(&world, "issue"),
        json!({ "title": "newer", "state": "opened", "closed_at": null, "closed_by": null,
        "labels": ["new", "more"], "assignee": world.rae.id, "description": null, "updated_at": AT + 50 }),
    );
    let note = with(record(&world, "note"), json!({ "body": "said again", "updated_at": AT + 50 }));
    let milestone =
        with(record(&world, "milestone"), json!({ "title": "v1.1", "state": "closed", "updated_at": AT + 50 }));
    let records = [issue.clone(), note.clone(), milestone.clone()];
    assert_eq!(sent(&world, &records), told(0, 3, 0));
    assert_eq!(sent(&world, &records), told(0, 0, 3));
    let shown = get(&world, "/issues/7");
    let fields = [&shown["title"], &shown["state"], &shown["labels"], &shown["description"], &shown["closed_at"]];
    assert_eq!(json!(fields), json!(["newer", "opened", ["more", "new"], null, null]));
    assert_eq!((&shown["assignee"]["id"], &shown["closed_by"]), (&json!(world.rae.id), &json!(null)));
    assert_eq!(get(&world, "/issues/7/notes")[0]["body"], "said again");
    let of = &get(&world, "/milestones")[0];
    assert_eq!((&of["title"], &of["state"], &of["iid"]), (&json!("v1.1"), &json!("closed"), &json!(3)));
    // a comment that is made here changes the issue, too
    world.v4("POST", "/issues/7/notes").by(&world.gus).json(json!({ "body": "ours" })).gives(201);
    let id = get(&world, "/issues/7/notes?sort=asc")[0]["id"].clone();
    world.v4("PUT", &format!("/issues/7/notes/{id}")).by(&world.ann).json(json!({ "body": "edited" })).gives(200);
    world.v4("PUT", &format!("/milestones/{}", of["id"])).by(&world.ann).json(json!({ "title": "ours" })).gives(200);
    let later: Vec<Value> = [issue, note, milestone]
        .into_iter()
        .map(|one| with(one, json!({ "title": "newest", "body": "newest", "updated_at": AT + 90 })))
        .collect();
    assert_eq!(sent(&world, &later), kept(&[0, 1, 2]));
    assert_eq!(
        (&get(&world, "/issues/7")["title"], &get(&world, "/milestones")[0]["title"]),
        (&json!("newer"), &json!("ours"))
    );
    assert_eq!(get(&world, "/issues/7/notes?sort=asc")[0]["body"], "edited");
    // and again, because it still differs
    assert_eq!(sent(&world, &later), kept(&[0, 1, 2]));
}

#[test]
fn people_follow_wherever_somebody_is_named() {
    let world = world();
    let rae = world.rae.id;
    // changed here meanwhile
    world.v4("POST", "/issues/7/notes").by(&world.gus).json(json!({ "body": "ours" })).gives(201);
    let mapped: Vec<Value> = one_of_each(&world)
        .into_iter()
        .map(|record| {
            let names = ["author", "user", "closed_by"].into_iter().filter(|name| record.get(name).is_some());
            let people = names.map(|name| (name.to_owned(), json!(rae))).collect();
            with(record, Value::Object(people))
        })
        .collect();
    let answer = sent(&world, &mapped);
    assert_eq!(answer, json!({ "new": 0, "changed": 8, "same": 4, "kept": [2], "refused": [] }));
    let issue = get(&world, "/issues/7");
    assert_eq!((&issue["author"]["id"], &issue["closed_by"]["id"]), (&json!(rae), &json!(rae)));
    assert_eq!(issue["assignee"]["id"], world.bob.id);
    let people = [
        &get(&world, "/issues/7/notes?sort=asc")[0]["author"],
        &get(&world, "/issues/7/resource_state_events")[0]["user"],
        &get(&world, "/issues/7/award_emoji")[0]["user"],
        &get(&world, "/releases/v1.0")["author"],
        &get(&world, "/deployments")[0]["user"],
        &get(&world, &format!("/repository/commits/{}/statuses", sha(1)))[0]["author"],
        &get(&world, &format!("/repository/commits/{}/comments", sha(1)))[0]["author"],
    ]
    .map(|person| person["id"].clone());
    assert_eq!(people, std::array::from_fn::<_, 7, _>(|_| json!(rae)));
    let notes = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.ann).gives(200).json;
    let of_service = notes.as_array().unwrap().iter().find(|note| note["body"] == "Status changed to closed").unwrap();
    assert_eq!(of_service["author"]["id"], rae);
    // the others have the new form now
    assert_eq!(sent(&world, &mapped), json!({ "new": 0, "changed": 0, "same": 12, "kept": [2], "refused": [] }));
}

#[test]
fn what_differs_else_is_kept_also_where_its_people_follow() {
    let world = world();
    let (one, other): (Vec<Value>, Vec<Value>) = [
        ("event", "user", json!({ "commit": sha(1) })),
        ("award", "user", json!({ "at": AT + 9 })),
        ("release", "author", json!({ "description": "second" })),
        ("deployment", "user", json!({ "state": "failed" })),
        ("status", "user", json!({ "state": "success" })),
        ("comment", "author", json!({ "note": "other" })),
    ]
    .into_iter()
    .map(|(kind, person, fields)| {
        let one = with(record(&world, kind), json!({ person: world.rae.id }));
        (one.clone(), with(one, fields))
    })
    .unzip();
    for _ in 0..2 {
        assert_eq!(sent(&world, &other), kept(&[0, 1, 2, 3, 4, 5]));
    }
    assert_eq!(get(&world, "/issues/7/resource_state_events")[0]["user"]["id"], world.rae.id);
    assert_eq!(get(&world, "/issues/7/award_emoji")[0]["user"]["id"], world.rae.id);
    assert_eq!(get(&world, "/releases/v1.0")["author"]["id"], world.rae.id);
    assert_eq!(get(&world, "/deployments")[0]["user"]["id"], world.rae.id);
    let first: Vec<Value> = one.iter().map(|one| record(&world, one["kind"].as_str().unwrap())).collect();
    for records in [first, one] {
        assert_eq!(sent(&world, &records), told(0, 6, 0));
        assert_eq!(sent(&world, &records), told(0, 0, 6));
    }
}

#[test]
fn the_comment_of_an_event_alone_gets_its_new_person() {
    let world = world();
    let event = |at: usize, fields: Value| with(with(record(&world, "event"), json!({ "key": key(20 + at) })), fields);
    let label = event(0, json!({ "event": "label", "action": "add", "title": "bug" }));
    let milestone = event(1, json!({ "event": "milestone", "action": "add", "title": "v1" }));
    brought(&world, &[label.clone(), milestone.clone()]);
    let people = || {
        let path = format!("/issues/{}/notes", get(&world, "/issues/7")["id"]);
        let notes = world.get(&path).by(&world.ann).gives(200).json;
        let author = |body: &str| {
            let note = notes.as_array().unwrap().iter().find(|note| note["body"] == body).unwrap();
            note["author"]["id"].as_i64().unwrap()
        };
        ["Status changed to closed", "Added ~\"bug\" label", "Milestone changed to %3"].map(author)
    };
    let (bob, rae, gus) = (world.bob.id, world.rae.id, world.gus.id);
    assert_eq!(people(), [bob; 3]);
    assert_eq!(sent(&world, &[with(label, json!({ "user": rae }))]), told(0, 1, 0));
    assert_eq!(people(), [bob, rae, bob]);
    // whatever the milestone is called since
    let id = get(&world, "/milestones")[0]["id"].clone();
    world.v4("PUT", &format!("/milestones/{id}")).by(&world.ann).json(json!({ "title": "v2" })).gives(200);
    assert_eq!(sent(&world, &[with(milestone, json!({ "user": gus }))]), told(0, 1, 0));
    assert_eq!(people(), [bob, rae, gus]);
}

#[test]
fn labels_environments_links_and_the_texts_of_releases_never_change() {
    let world = world();
    let other = [
        with(record(&world, "label"), json!({ "color": "#00ff00" })),
        with(record(&world, "link"), json!({ "type": "blocks" })),
        with(record(&world, "release"), json!({ "description": "second" })),
        with(record(&world, "environment"), json!({ "state": "stopped" })),
        with(record(&world, "deployment"), json!({ "state": "failed" })),
        with(record(&world, "status"), json!({ "state": "success" })),
        with(record(&world, "comment"), json!({ "note": "other" })),
    ];
    assert_eq!(sent(&world, &other), kept(&[0, 1, 2, 3, 4, 5, 6]));
    assert_eq!(get(&world, "/labels/bug")["color"], "#ff0000");
    assert_eq!(get(&world, "/releases/v1.0")["description"], "first");
    assert_eq!(get(&world, "/deployments")[0]["status"], "success");
}

#[test]
fn what_was_deleted_here_stays_deleted() {
    let world = world();
    let path = format!("/issues/7/notes/{}", get(&world, "/issues/7/notes")[0]["id"]);
    world.v4("DELETE", &path).by(&world.ann).gives(204);
    world.v4("DELETE", "/labels/bug").by(&world.ann).gives(204);
    let records = [record(&world, "label"), record(&world, "note"), record(&world, "award")];
    assert_eq!(sent(&world, &records), told(0, 0, 3));
    let changed = [with(record(&world, "note"), json!({ "body": "other", "updated_at": AT + 9 }))];
    assert_eq!(sent(&world, &changed), kept(&[0]));
    let emoji = with(record(&world, "award"), json!({ "key": key(80), "note": key(4), "name": "star" }));
    assert_eq!(sent(&world, &[emoji]), kept(&[0]));
    world.v4("DELETE", "/issues/7").by(&world.ann).gives(204);
    let note = with(record(&world, "note"), json!({ "key": key(81), "body": "late" }));
    let link = with(record(&world, "link"), json!({ "key": key(82), "type": "blocks" }));
    let issue = with(record(&world, "issue"), json!({ "title": "other", "updated_at": AT + 9 }));
    assert_eq!(sent(&world, &[issue, note, link]), kept(&[0, 1, 2]));
    world.v4("GET", "/issues/7").by(&world.ann).gives(404);
}

#[test]
fn a_batch_whose_answer_is_lost_is_written_once() {
    if !spec().is_in_process() {
        return;
    }
    for fault in [
        Fault::Before("Network connection lost"),
        Fault::After("Network connection lost"),
        Fault::During("D1_ERROR: overloaded"),
    ] {
        let world = World::new(Server::with(|_| ()), Visibility::Private);
        mirrored(&world);
        let records = one_of_each(&world);
        let batches = AtomicU32::new(0);
        // the second batch of the request writes
        world.server.database().break_down(move || (batches.fetch_add(1, Ordering::Relaxed) == 1).then_some(fault));
        let first = asking(&world, &records).send();
        world.server.database().mend();
        assert!([200, 503].contains(&first.status), "{fault:?} {}", first.text);
        let again = sent(&world, &records);
        let new = if matches!(fault, Fault::During(_)) { 13 } else { 0 };
        assert_eq!(again, told(new, 0, 13 - new), "{fault:?}");
        assert_eq!(get(&world, "/issues/7/notes").as_array().unwrap().len(), 1);
        assert_eq!(crate::storage::counters::disagreements(world.server), Vec::<Value>::new());
    }
}

#[test]
fn two_imports_at_once_write_each_record_once() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    mirrored(&world);
    let records = one_of_each(&world);
    let (server, project, root) = (world.server, world.at("/import_records"), world.root.clone());
    let body = json!({ "records": records });
    // while the body of one arrives, the other is written
    let other = body.clone();
    server.meanwhile(move || {
        server.ask_v4("POST", project).by(&root).json(other).gives(200);
    });
    assert_eq!(asking(&world, &records).gives(200).json, told(0, 0, 13));
    assert_eq!(get(&world, "/issues/7/notes").as_array().unwrap().len(), 1);
}

#[test]
fn who_lost_the_right_while_the_body_came_writes_nothing() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    let (server, pat) = (world.server, world.server.person("Pat"));
    let admin = |admin: bool| {
        server
            .ask_v4("PUT", format!("/users/{}", pat.id))
            .by(&server.root())
            .json(json!({ "admin": admin }))
            .gives(200);
    };
    admin(true);
    let ask = || world.v4("POST", "/import_records").by(&pat).json(json!({ "records": [record(&world, "label")] }));
    let id = pat.id;
    server.meanwhile(move || {
        server.ask_v4("PUT", format!("/users/{id}")).by(&server.root()).json(json!({ "admin": false })).gives(200);
    });
    ask().gives(404);
    assert_eq!(get(&world, "/labels"), json!([]));
    admin(true);
    ask().gives(200);
}

#[test]
fn the_keys_of_two_projects_are_apart() {
    let one = world();
    let two = World::new(spec(), Visibility::Private);
    mirrored(&two);
    brought(&two, &one_of_each(&two));
    assert_eq!(sent(&one, &one_of_each(&one)), told(0, 0, 13));
}
