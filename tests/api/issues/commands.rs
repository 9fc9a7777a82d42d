//! Quick actions (behaviour 6.11).

use crate::support::v4::{at, made};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

fn say(world: &World, issue: &Value, person: &Person, body: &str) -> Answer {
    at(world, "POST", issue, "/notes").by(person).json(json!({ "body": body })).send()
}

/// What a comment of nothing but commands is answered, and what it changed.
fn told(world: &World, issue: &Value, person: &Person, body: &str) -> (String, Value) {
    let answer = say(world, issue, person, body);
    assert_eq!((answer.status, answer.json.as_object().unwrap().len()), (202, 2), "{body}");
    (answer.json["summary"][0].as_str().unwrap().to_owned(), answer.json["commands_changes"].clone())
}

fn seen(world: &World, issue: &Value) -> Value {
    at(world, "GET", issue, "").by(&world.ann).gives(200).json
}

fn label(world: &World, name: &str) -> i64 {
    let fields = json!({ "name": name, "color": "#ffffff" });
    world.v4("POST", "/labels").by(&world.rae).json(fields).gives(201).json["id"].as_i64().unwrap()
}

#[test]
fn commands_are_refused_where_comments_are_and_do_nothing_that_the_caller_may_not() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let hidden = made(&world, &world.ann, json!({ "title": "t", "confidential": true }));
    let ask = |issue: &Value| at(&world, "POST", issue, "/notes").json(json!({ "body": "/close" }));
    ask(&issue).refused(401, json!({ "message": "401 Unauthorized" }));
    ask(&issue).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    ask(&hidden).by(&world.gus).refused(404, json!({ "message": "404 Not found" }));
    label(&world, "bug");
    let all = "/close\n/title x\n/label ~bug\n/assign me\n/due today\n/estimate 1h\n/spend 1h\n/lock\n/confidential";
    let (summary, changes) = told(&world, &issue, &world.gus, all);
    for name in ["close", "title", "label", "assign", "due", "estimate", "spend", "lock", "confidential"] {
        assert!(summary.contains(&format!("Could not apply {name} command.")), "{name}: {summary}");
    }
    assert_eq!((changes, seen(&world, &issue)), (json!({}), issue.clone()));
    // the author may what they may by an edit
    let own = made(&world, &world.gus, json!({ "title": "t" }));
    let (summary, changes) = told(&world, &own, &world.gus, "/label ~bug\n/close");
    assert_eq!(summary, "Could not apply label command. Closed this issue.");
    assert_eq!(changes, json!({ "state_event": "close" }));
    let now = seen(&world, &own);
    assert_eq!((&now["state"], &now["labels"]), (&json!("closed"), &json!([])));
    // in a locked discussion visitors have no commands either
    let open = World::new(spec(), Visibility::Public);
    let locked = made(&open, &open.ann, json!({ "title": "t", "discussion_locked": true }));
    let forbidden = json!({ "message": "403 Forbidden" });
    at(&open, "POST", &locked, "/notes").by(&open.eve).json(json!({ "body": "/todo" })).refused(403, forbidden);
}

#[test]
fn a_comment_of_nothing_but_commands_does_them_and_is_none() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let [bug, two] = ["bug", "two words"].map(|name| label(&world, name));
    let milestone = world.milestone("v 1");
    let rae = &world.rae;
    for (body, summary, changes, fields) in [
        ("/close", "Closed this issue.", json!({ "state_event": "close" }), json!({ "state": "closed" })),
        ("/close", "Could not apply close command.", json!({}), json!({ "state": "closed" })),
        ("/reopen", "Reopened this issue.", json!({ "state_event": "reopen" }), json!({ "state": "opened" })),
        (
            "/title  New  name ",
            "Changed the title to \"New  name\".",
            json!({ "title": "New  name" }),
            json!({ "title": "New  name" }),
        ),
        (
            "/label ~bug ~\"two words\" ~none",
            "Added ~\"bug\" ~\"two words\" labels.",
            json!({ "add_label_ids": [bug, two] }),
            json!({ "labels": ["bug", "two words"] }),
        ),
        (
            "/unlabel bug",
            "Removed ~\"bug\" label.",
            json!({ "remove_label_ids": [bug] }),
            json!({ "labels": ["two words"] }),
        ),
        ("/unlabel", "Removed all labels.", json!({ "label_ids": [] }), json!({ "labels": [] })),
        ("/milestone %\"v 1\"", "Set the milestone to %\"v 1\".", json!({ "milestone_id": milestone }), json!({})),
        (
            "/due 2026-02-28",
            "Set the due date to Feb 28, 2026.",
            json!({ "due_date": "2026-02-28" }),
            json!({ "due_date": "2026-02-28" }),
        ),
        (
            "/due soon",
            "Failed to set due date because the date format is invalid.",
            json!({}),
            json!({ "due_date": "2026-02-28" }),
        ),
        ("/remove_due_date", "Removed the due date.", json!({ "due_date": null }), json!({ "due_date": null })),
        ("/lock", "Locked the discussion.", json!({ "discussion_locked": true }), json!({ "discussion_locked": true })),
        (
            "/unlock",
            "Unlocked the discussion.",
            json!({ "discussion_locked": false }),
            json!({ "discussion_locked": false }),
        ),
        ("/estimate 1d 2h", "Set time estimate to 1d 2h.", json!({ "time_estimate": 36_000 }), json!({})),
        ("/estimate 0", "Removed time estimate.", json!({ "time_estimate": 0 }), json!({})),
        ("/assign @nobody-of-this-name", "Failed to assign a user because no user was found.", json!({}), json!({})),
        (
            "/confidential",
            "Made this issue confidential.",
            json!({ "confidential": true }),
            json!({ "confidential": true }),
        ),
    ] {
        assert_eq!(told(&world, &issue, rae, body), (summary.to_owned(), changes), "{body}");
        let now = seen(&world, &issue);
        for (name, value) in fields.as_object().unwrap() {
            assert_eq!(&now[name], value, "{body}");
        }
    }
    let name = world.gus.username.to_uppercase();
    let (summary, changes) = told(&world, &issue, rae, &format!("/assign @nobody-x, @{name}"));
    assert_eq!(summary, format!("Assigned @{}.", world.gus.username));
    assert_eq!(changes, json!({ "assignee_ids": [world.gus.id] }));
    assert_eq!(told(&world, &issue, rae, "/assign me").1, json!({ "assignee_ids": [rae.id] }));
    assert_eq!(told(&world, &issue, rae, "/unassign").0, format!("Removed assignee @{}.", rae.username));
    let now = seen(&world, &issue);
    assert_eq!((&now["assignees"], &now["milestone"]["id"]), (&json!([]), &json!(milestone)));
    // no answer names labels that there are not
    let failed = json!({ "message": "400 Bad request - Failed to apply commands." });
    at(&world, "POST", &issue, "/notes").by(rae).json(json!({ "body": "/label ~none" })).refused(400, failed);
    let notes = at(&world, "GET", &issue, "/notes?activity_filter=only_comments").by(rae).gives(200);
    assert_eq!((notes.json, &now["user_notes_count"]), (json!([]), &json!(0)));
    // the comments of the service are those of an edit
    let texts = at(&world, "GET", &issue, "/notes?sort=asc&include_events=true").by(rae).gives(200).each("body");
    for text in ["Status changed to closed", "Added ~\"bug\" ~\"two words\" labels", "changed time estimate to 1d 2h"] {
        assert!(texts.contains(&json!(text)), "{text}: {texts:?}");
    }
}

#[test]
fn time_is_spent_by_a_command_with_or_without_its_day() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let spent = |body: &str| {
        let (summary, changes) = told(&world, &issue, &world.rae, body);
        (summary, changes["spend_time"].clone())
    };
    let (summary, change) = spent("/spend 15m 2021-02-18");
    assert_eq!(summary, "Added 15m spent time.");
    assert_eq!(change, json!({ "duration": 900, "user_id": world.rae.id, "spent_at": "2021-02-18" }));
    // of two the last counts
    assert_eq!(spent("/spent 1h\n/spend_time -10m").0, "Added 1h spent time. Subtracted 10m spent time.");
    let stats = || at(&world, "GET", &issue, "/time_stats").by(&world.rae).gives(200).json["total_time_spent"].clone();
    let failed = json!({ "message": "400 Bad request - Failed to apply commands." });
    for body in ["/spend -1h", "/spend 1h 2999-01-01", "/spend", "/spend much", "/spend 9999999999h"] {
        let refused = json!({ "body": body });
        at(&world, "POST", &issue, "/notes").by(&world.rae).json(refused).refused(400, failed.clone());
    }
    assert_eq!(stats(), 300);
    spent("/spend 2h");
    assert_eq!(stats(), 7500);
}

#[test]
fn a_comment_with_commands_keeps_its_other_lines() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let tom = spec().person("Tom");
    world.admit(&tom, 20);
    let body = format!("Done, @{}.\n/close\n\n/unknown\n```\n/reopen\n```\n/shrug well", tom.username);
    let answer = say(&world, &issue, &world.rae, &body);
    assert_eq!(answer.status, 201);
    let rest = format!("Done, @{}.\n/unknown\n```\n/reopen\n```\nwell ¯\\＿(ツ)＿/¯", tom.username);
    assert_eq!(
        (&answer.json["body"], &answer.json["commands_changes"]),
        (&json!(rest), &json!({ "state_event": "close" }))
    );
    let now = seen(&world, &issue);
    assert_eq!((&now["state"], &now["user_notes_count"]), (&json!("closed"), &json!(1)));
    let note = at(&world, "GET", &issue, &format!("/notes/{}", answer.json["id"])).by(&tom).gives(200).json;
    assert_eq!((&note["body"], &note["commands_changes"]), (&json!(rest), &json!({})));
    let todos = spec().ask_v4("GET", "/todos").by(&tom).gives(200).json;
    assert_eq!(todos[0]["body"], rest);
    // so do discussions
    let discuss =
        |body: &str| at(&world, "POST", &issue, "/discussions").by(&world.rae).json(json!({ "body": body })).send();
    let answer = discuss("again\n/reopen");
    assert_eq!((answer.status, &answer.json["notes"][0]["body"]), (201, &json!("again")));
    let path = format!("/discussions/{}/notes", answer.json["id"].as_str().unwrap());
    let reply = at(&world, "POST", &issue, &path).by(&world.rae).json(json!({ "body": "/close" })).send();
    assert_eq!((reply.status, &reply.json["summary"]), (202, &json!(["Closed this issue."])));
    assert_eq!((discuss("/reopen").status, &seen(&world, &issue)["state"]), (202, &json!("opened")));
}

#[test]
fn to_do_items_and_subscriptions_of_commands_are_the_callers_own() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let tom = spec().person("Tom");
    world.admit(&tom, 10);
    let say = |body: &str| told(&world, &issue, &tom, body).0;
    let todos = || spec().ask_v4("GET", "/todos").by(&tom).gives(200).each("action_name").len();
    assert_eq!((say("/todo"), todos()), ("Added a to-do item.".to_owned(), 1));
    assert_eq!((say("/todo"), todos()), ("Could not apply todo command.".to_owned(), 1));
    assert_eq!((say("/done"), todos()), ("Marked to-do item as done.".to_owned(), 0));
    assert_eq!(say("/done"), "Could not apply done command.");
    let subscribed = || at(&world, "GET", &issue, "").by(&tom).gives(200).json["subscribed"].clone();
    assert_eq!((say("/subscribe"), subscribed()), ("Subscribed to notifications.".to_owned(), json!(true)));
    assert_eq!(say("/subscribe"), "Could not apply subscribe command.");
    assert_eq!((say("/unsubscribe"), subscribed()), ("Unsubscribed from notifications.".to_owned(), json!(false)));
    let note = at(&world, "POST", &issue, "/notes").by(&tom).json(json!({ "body": "text\n/todo" })).gives(201);
    assert_eq!((&note.json["commands_changes"], todos()), (&json!({ "todo_event": "add" }), 1));
    assert_eq!(seen(&world, &issue)["subscribed"], true);
}

#[test]
fn a_description_does_its_commands_when_it_is_made_and_when_it_changes() {
    let world = World::new(spec(), Visibility::Private);
    label(&world, "bug");
    let milestone = world.milestone("v1");
    let text = format!(
        "Please.\n/label ~bug ~none\n/assign @{}\n/milestone %v1\n/due in 2 days\n/estimate 2h\n/spend 1h\n/close\n/confidential",
        world.bob.username
    );
    let issue = made(&world, &world.rae, json!({ "title": "t", "description": text, "labels": "own" }));
    assert_eq!((&issue["description"], &issue["state"]), (&json!("Please."), &json!("opened")));
    assert_eq!((&issue["labels"], &issue["confidential"]), (&json!(["bug", "own"]), &json!(true)));
    assert_eq!((&issue["assignee"]["id"], &issue["milestone"]["id"]), (&json!(world.bob.id), &json!(milestone)));
    let times = &issue["time_stats"];
    assert_eq!((&times["time_estimate"], &times["total_time_spent"]), (&json!(7200), &json!(3600)));
    assert_eq!(issue["due_date"].as_str().unwrap().len(), 10);
    // who may not plan does not by commands
    let text = json!({ "title": "t", "description": "/label ~bug\n/assign me\n/spend 1h" });
    let other = made(&world, &world.gus, text);
    assert_eq!((&other["description"], &other["labels"], &other["assignees"]), (&Value::Null, &json!([]), &json!([])));
    assert_eq!(other["time_stats"]["total_time_spent"], 0);
    let put = |person: &Person, fields: Value| at(&world, "PUT", &other, "").by(person).json(fields).gives(200).json;
    let now = put(&world.rae, json!({ "description": "New.\n/close\n/label ~bug", "labels": "own" }));
    assert_eq!((&now["description"], &now["state"]), (&json!("New."), &json!("closed")));
    assert_eq!(now["labels"], json!(["bug", "own"]));
    // the author without further rights
    let now = put(&world.gus, json!({ "description": "/reopen\n/unlabel" }));
    assert_eq!((&now["description"], &now["state"]), (&Value::Null, &json!("opened")));
    assert_eq!(now["labels"], json!(["bug", "own"]));
}

#[test]
fn v3_has_the_commands_of_its_time() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": "one\n/due 2026-02-28\n/estimate 1h" }));
    assert_eq!((&issue["description"], &issue["due_date"]), (&json!("one\n/estimate 1h"), &json!("2026-02-28")));
    let path = format!("/issues/{}/notes", issue["id"]);
    let say = |body: &str| world.post(&path).by(&world.rae).json(json!({ "body": body })).send();
    let answer = say("/close");
    assert_eq!((answer.status, &answer.json["summary"]), (202, &json!(["Closed this issue."])));
    for body in ["/spend 1h", "/estimate 1h", "/lock", "/confidential", "/shrug"] {
        let answer = say(body);
        assert_eq!((answer.status, &answer.json["body"]), (201, &json!(body)));
    }
    let answer = say("text\n/reopen");
    assert_eq!((answer.status, &answer.json["body"]), (201, &json!("text")));
    let put = json!({ "description": "two\n/close" });
    let now = world.put(&format!("/issues/{}", issue["id"])).by(&world.ann).json(put).gives(200).json;
    assert_eq!((&now["description"], &now["state"]), (&json!("two"), &json!("closed")));
}

#[test]
fn commands_take_one_round_trip_more_than_a_comment() {
    let world = World::new(spec(), Visibility::Private);
    if !world.server.is_in_process() {
        return;
    }
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    for (body, trips) in [("text", 1), ("/shrug", 1), ("/close", 2), ("text\n/reopen\n/label ~x\n/todo", 2)] {
        assert_eq!(say(&world, &issue, &world.rae, body).trips, trips, "{body}");
    }
    for (text, trips) in [("text", 1), ("text\n/estimate 1h", 2)] {
        let fields = json!({ "title": "t", "description": text });
        assert_eq!(world.v4("POST", "/issues").by(&world.rae).json(fields).gives(201).trips, trips);
    }
    let put = json!({ "description": "text\n/close" });
    assert_eq!(at(&world, "PUT", &issue, "").by(&world.rae).json(put).gives(200).trips, 2);
}

#[test]
fn commands_with_an_idempotency_key_are_done_once() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    for (key, body) in [("only", "/spend 1h"), ("both", "text\n/spend 1h")] {
        let say = || {
            let fields = json!({ "body": body });
            at(&world, "POST", &issue, "/notes").by(&world.rae).header("Idempotency-Key", key).json(fields).send()
        };
        let [first, again] = [say(), say()];
        assert_eq!((first.status, &first.json), (again.status, &again.json));
        assert_eq!(again.header("Idempotent-Replayed"), Some("true"));
    }
    let stats = at(&world, "GET", &issue, "/time_stats").by(&world.rae).gives(200).json;
    assert_eq!((&stats["total_time_spent"], &seen(&world, &issue)["user_notes_count"]), (&json!(7200), &json!(1)));
    let make = || {
        let fields = json!({ "title": "t", "description": "text\n/estimate 1h" });
        world.v4("POST", "/issues").by(&world.rae).header("Idempotency-Key", "made").json(fields).gives(201).json
    };
    assert_eq!(make(), make());
}

#[test]
fn a_label_that_is_named_again_is_added_once() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let [a, b] = ["a", "b"].map(|name| label(&world, name));
    let body = format!("{}/label b", format!("/label {}\n", "a ".repeat(500)).repeat(99));
    let (summary, changes) = told(&world, &issue, &world.ann, &body);
    assert_eq!(summary, r#"Added ~"a" label. Added ~"b" label."#);
    assert_eq!(changes, json!({ "add_label_ids": [b] }));
    assert_eq!(seen(&world, &issue)["labels"], json!(["a", "b"]));
    let words = format!("/assign {},{}", "z,".repeat(99), world.bob.username);
    let (summary, _) = told(&world, &issue, &world.ann, &words);
    assert_eq!(summary, format!("Assigned @{}.", world.bob.username));
    let (summary, _) = told(&world, &issue, &world.ann, &words.replace("/assign", "/assign z,"));
    assert_eq!((summary.as_str(), a > 0), ("Failed to assign a user because no user was found.", true));
}
