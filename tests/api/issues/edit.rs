//! Editing, closing and reopening issues (specification, "PUT /projects/:id/issues/:issue_id"; behaviour 6.3).

use crate::support::{Server, Visibility, World, spec, templates};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Public)
}

/// A change of that field is shown by the answer and by the next request.
#[track_caller]
fn changes(world: &World, issue: &Value, sent: Value, field: &str, expected: Value) {
    let answered = world.edit(&world.rae, issue, sent);
    assert_eq!(answered[field], expected, "{answered}");
    assert_eq!(world.seen(&world.rae, issue), answered);
}

#[test]
fn each_field_is_changed_and_the_others_stay() {
    let world = world();
    let milestone = world.milestone("1.0.0");
    let issue = world.issue(&world.ann, json!({ "title": "old", "description": "text", "labels": "label" }));
    changes(&world, &issue, json!({ "title": "  updated title " }), "title", json!("updated title"));
    changes(&world, &issue, json!({ "description": "other" }), "description", json!("other"));
    changes(&world, &issue, json!({ "confidential": true }), "confidential", json!(true));
    changes(&world, &issue, json!({ "confidential": "no" }), "confidential", json!(false));
    changes(&world, &issue, json!({ "due_date": "2030-02-28" }), "due_date", json!("2030-02-28"));
    let answered = world.edit(&world.rae, &issue, json!({ "assignee_id": world.bob.id }));
    assert_eq!(answered["assignee"]["username"], world.bob.username);
    let answered = world.edit(&world.rae, &issue, json!({ "milestone_id": milestone }));
    assert_eq!(answered["milestone"]["title"], "1.0.0");
    assert_eq!(
        [&answered["title"], &answered["description"], &answered["labels"], &answered["due_date"]],
        [&json!("updated title"), &json!("other"), &json!(["label"]), &json!("2030-02-28")]
    );
}

#[test]
fn a_blank_or_null_clears_what_may_be_empty() {
    let world = world();
    let milestone = world.milestone("1.0.0");
    for nothing in [json!(""), Value::Null, json!("  ")] {
        let fields = json!({ "title": "t", "description": "d", "due_date": "2030-01-01", "labels": "a,b",
            "assignee_id": world.bob.id, "milestone_id": milestone });
        let issue = world.issue(&world.ann, fields);
        for field in ["description", "due_date", "assignee_id", "milestone_id", "labels"] {
            let shown = field.strip_suffix("_id").unwrap_or(field);
            let empty = if field == "labels" { json!([]) } else { Value::Null };
            changes(&world, &issue, json!({ field: nothing }), shown, empty);
        }
    }
}

#[test]
fn zero_says_no_assignee_and_no_milestone() {
    let world = world();
    let milestone = world.milestone("1.0.0");
    let issue =
        world.issue(&world.ann, json!({ "title": "t", "assignee_id": world.bob.id, "milestone_id": milestone }));
    changes(&world, &issue, json!({ "assignee_id": 0 }), "assignee", Value::Null);
    changes(&world, &issue, json!({ "milestone_id": "0" }), "milestone", Value::Null);
}

#[test]
fn a_title_is_neither_blank_nor_longer_than_255_characters() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "kept" }));
    let put =
        |title: &str| world.put(&format!("/issues/{}", issue["id"])).by(&world.ann).json(json!({ "title": title }));
    put("  ").refused(400, json!({ "message": { "title": ["can't be blank"] } }));
    let long = json!({ "message": { "title": ["is too long (maximum is 255 characters)"] } });
    put(&"g".repeat(256)).refused(400, long);
    assert_eq!(world.seen(&world.ann, &issue), issue);
    put(&"é".repeat(255)).gives(200);
}

#[test]
fn labels_replace_the_whole_set_and_are_shown_in_order() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t", "labels": "label" }));
    changes(&world, &issue, json!({ "labels": "foo,bar" }), "labels", json!(["bar", "foo"]));
    let odd = "label, label?, label&foo, ?, &";
    let expected = json!(["&", "?", "label", "label&foo", "label?"]);
    changes(&world, &issue, json!({ "labels": odd }), "labels", expected);
    changes(&world, &issue, json!({ "labels": ["x", "y"] }), "labels", json!(["x", "y"]));
    changes(&world, &issue, json!({ "title": "other" }), "labels", json!(["x", "y"]));
    changes(&world, &issue, json!({ "labels": "" }), "labels", json!([]));
}

#[test]
fn close_and_reopen_change_the_state_and_the_time() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    std::thread::sleep(std::time::Duration::from_millis(3));
    changes(&world, &issue, json!({ "state_event": "close" }), "state", json!("closed"));
    let closed = world.seen(&world.ann, &issue);
    assert!(closed["updated_at"].as_str() > issue["updated_at"].as_str(), "{closed}");
    assert_eq!(closed["created_at"], issue["created_at"]);
    // closing a closed issue changes nothing
    changes(&world, &issue, json!({ "state_event": "close" }), "updated_at", closed["updated_at"].clone());
    changes(&world, &issue, json!({ "state_event": "reopen" }), "state", json!("opened"));
}

#[test]
fn when_and_by_whom_an_issue_was_closed_is_kept_until_it_is_reopened() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let kept = || {
        let found = "select json_array(closed_at, closed_by_id) as v from issues";
        world.server.rows(found).remove(0)
    };
    let edit = |person, fields: Value| {
        world.put(&format!("/issues/{}", issue["id"])).by(person).json(fields).gives(200);
    };
    assert_eq!(kept(), json!([null, null]));
    let at = "2020-02-02T00:00:00Z";
    edit(&world.ann, json!({ "state_event": "close", "updated_at": at }));
    let closed = json!([1_580_601_600_000_i64, world.ann.id]);
    assert_eq!(kept(), closed);
    edit(&world.bob, json!({ "state_event": "close", "title": "again" }));
    assert_eq!(kept(), closed, "whoever closes a closed issue did not close it");
    edit(&world.bob, json!({ "state_event": "reopen" }));
    assert_eq!(kept(), json!([null, null]));
}

#[test]
fn an_unknown_event_or_a_value_of_another_type_is_refused_and_nothing_is_saved() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let path = format!("/issues/{}", issue["id"]);
    let put = |fields: Value| world.put(&path).by(&world.rae).json(fields);
    let unknown = json!({ "error": "state_event does not have a valid value (close, reopen)" });
    put(json!({ "state_event": "explode", "title": "x" })).refused(400, unknown);
    let all = json!({ "message": {
        "title": ["is too long (maximum is 255 characters)"], "assignee_id": ["is invalid"],
        "due_date": ["is invalid"], "state_event": ["does not have a valid value (close, reopen)"],
        "updated_at": ["is invalid"],
    } });
    let wrong = json!({
        "title": "g".repeat(300), "assignee_id": "x", "due_date": "y", "state_event": "bogus", "updated_at": "z",
    });
    world.put(&path).by(&world.ann).json(wrong).refused(400, all);
    let invalid = |field: &str| json!({ "message": { field: ["is invalid"] } });
    put(json!({ "confidential": "foo", "title": "x" })).refused(400, invalid("confidential"));
    put(json!({ "due_date": "2016-02-31", "title": "x" })).refused(400, invalid("due_date"));
    put(json!({ "due_date": "31.01.2016" })).refused(400, invalid("due_date"));
    put(json!({ "assignee_id": "bob" })).refused(400, invalid("assignee_id"));
    let long = "g".repeat(256);
    put(json!({ "title": long, "state_event": "close" })).gives(400);
    let both = json!({ "message": { "assignee_id": ["is invalid"], "milestone_id": ["is invalid"] } });
    put(json!({ "title": "x", "assignee_id": 987_654, "milestone_id": 987_654 })).refused(400, both);
    assert_eq!(world.seen(&world.ann, &issue), issue);
}

#[test]
fn whoever_cannot_see_the_project_is_not_assigned_nor_a_foreign_milestone_set() {
    let world = World::new(spec(), Visibility::Private);
    let other = world.sibling(Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let put = |fields: Value| world.put(&format!("/issues/{}", issue["id"])).by(&world.rae).json(fields);
    put(json!({ "assignee_id": world.eve.id })).refused(400, json!({ "message": { "assignee_id": ["is invalid"] } }));
    put(json!({ "milestone_id": other.milestone("v1") }))
        .refused(400, json!({ "message": { "milestone_id": ["is invalid"] } }));
}

#[test]
fn an_issue_that_is_absent_or_of_another_project_is_not_found() {
    let world = world();
    let elsewhere = world.sibling(Visibility::Public).issue(&world.ann, json!({ "title": "t" }));
    for id in [elsewhere["id"].to_string(), "4444444".to_owned(), "abc".to_owned()] {
        let put = world.put(&format!("/issues/{id}")).by(&world.ann).json(json!({ "title": "x" }));
        put.refused(404, json!({ "message": "404 Not found" }));
    }
    world.put("/issues/1").json(json!({ "title": "x" })).refused(401, json!({ "message": "401 Unauthorized" }));
}

#[test]
fn nothing_sent_changes_nothing() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    assert_eq!(world.edit(&world.rae, &issue, json!({})), world.seen(&world.rae, &issue));
    let null = world.put(&format!("/issues/{}", issue["id"])).by(&world.ann).body("application/json", "null");
    assert_eq!(null.gives(200).json, issue);
}

#[test]
fn updated_at_is_the_owners_to_set_and_ignored_of_others() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let past = json!({ "updated_at": "2016-01-02T03:04:05Z", "title": "x" });
    for (person, obeyed) in [(&world.bob, false), (&world.rae, false), (&world.root, true), (&world.ann, true)] {
        let updated_at = world.edit(person, &issue, past.clone())["updated_at"].clone();
        assert_eq!(updated_at == "2016-01-02T03:04:05.000Z", obeyed, "{}: {updated_at}", person.name);
    }
    let alone = world.edit(&world.ann, &issue, json!({ "updated_at": "2017-01-02T03:04:05Z" }));
    assert_eq!(alone["updated_at"], "2017-01-02T03:04:05.000Z");
}

#[test]
fn reporters_and_above_edit_author_and_assignee_too_and_others_are_forbidden() {
    let world = world();
    let issue = world.issue(&world.gus, json!({ "title": "by a guest" }));
    let put = |fields: Value| world.put(&format!("/issues/{}", issue["id"])).json(fields);
    for person in [&world.root, &world.ann, &world.bob, &world.rae, &world.gus] {
        put(json!({ "title": person.name })).by(person).gives(200);
    }
    let forbidden = json!({ "message": "403 Forbidden" });
    put(json!({ "title": "x" })).by(&world.eve).refused(403, forbidden.clone());
    let other = world.issue(&world.ann, json!({ "title": "t" }));
    let path = format!("/issues/{}", other["id"]);
    world.put(&path).by(&world.gus).json(json!({ "title": "x" })).refused(403, forbidden);
    world.edit(&world.ann, &other, json!({ "assignee_id": world.eve.id }));
    world.put(&path).by(&world.eve).json(json!({ "state_event": "close" })).gives(200);
}

#[test]
fn below_reporter_labels_milestone_and_assignee_are_passed_over() {
    let world = world();
    let milestone = world.milestone("1.0.0");
    let issue = world.issue(&world.gus, json!({ "title": "t" }));
    let sent = json!({ "title": "x", "labels": "new", "milestone_id": milestone, "assignee_id": world.bob.id });
    let edited = world.edit(&world.gus, &issue, sent);
    assert_eq!(edited["title"], "x");
    assert_eq!(
        [&edited["labels"], &edited["milestone"], &edited["assignee"]],
        [&json!([]), &json!(null), &json!(null)]
    );
    assert_eq!(world.get("/labels").by(&world.ann).gives(200).json, json!([]));
    // an ignored parameter is not validated
    world.edit(&world.gus, &issue, json!({ "assignee_id": 987_654 }));
}

#[test]
fn a_confidential_issue_is_edited_by_those_who_see_it_and_not_there_for_others() {
    let world = world();
    let issue = world.issue(&world.eve, json!({ "title": "secret", "confidential": true }));
    let put = |title: &str| world.put(&format!("/issues/{}", issue["id"])).json(json!({ "title": title }));
    put("x").by(&world.gus).refused(404, json!({ "message": "404 Not found" }));
    for person in [&world.root, &world.ann, &world.rae, &world.eve] {
        put(&person.name).by(person).gives(200);
    }
}

#[test]
fn changes_leave_comments_of_the_service_that_do_not_count() {
    let world = world();
    let milestone = world.milestone("1.0.0");
    let issue = world.issue(&world.ann, json!({ "title": "old", "labels": "a" }));
    let sent = json!({ "title": "new", "labels": "b,c", "milestone_id": milestone, "assignee_id": world.bob.id,
        "confidential": true, "state_event": "close" });
    assert_eq!(world.edit(&world.rae, &issue, sent)["user_notes_count"], 0);
    let sent = json!({ "labels": "", "milestone_id": 0, "assignee_id": 0, "confidential": false,
        "state_event": "reopen" });
    world.edit(&world.rae, &issue, sent);
    let notes = world.get(&format!("/issues/{}/notes?per_page=100", issue["id"])).by(&world.ann).gives(200);
    let mut bodies: Vec<String> = notes.each("body").iter().map(|body| body.as_str().unwrap().to_owned()).collect();
    bodies.sort();
    let mut expected = [
        "Changed title: **old** → **new**".to_owned(),
        "Made the issue confidential".to_owned(),
        format!("Reassigned to @{}", world.bob.username),
        "Milestone changed to %1".to_owned(),
        "Added ~\"b\" ~\"c\" labels".to_owned(),
        "Removed ~\"a\" label".to_owned(),
        "Status changed to closed".to_owned(),
        "Made the issue visible".to_owned(),
        "Assignee removed".to_owned(),
        "Milestone removed".to_owned(),
        "Removed ~\"b\" ~\"c\" labels".to_owned(),
        "Status changed to reopened".to_owned(),
    ];
    expected.sort();
    assert_eq!(bodies, expected);
    assert!(notes.each("system").iter().all(|system| *system == true));
}

#[test]
fn what_is_sent_as_it_was_leaves_no_comment() {
    let world = world();
    let milestone = world.milestone("1.0.0");
    let fields = json!({ "title": "t", "description": "d", "labels": "a,b", "milestone_id": milestone,
        "assignee_id": world.bob.id, "confidential": false });
    let issue = world.issue(&world.ann, fields.clone());
    world.edit(&world.ann, &issue, fields);
    let notes = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.ann).gives(200);
    assert_eq!(notes.json, json!([]));
}

#[test]
fn where_issues_are_switched_off_nothing_is_listed_found_made_or_edited() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("v1");
    let issue = world.issue(&world.gus, json!({ "title": "t" }));
    world.edit(&world.ann, &issue, json!({ "milestone_id": milestone, "assignee_id": world.bob.id }));
    world.put("").by(&world.ann).json(json!({ "issues_enabled": false })).gives(200);
    let at = |rest: &str| format!("/issues/{}{rest}", issue["id"]);
    let (forbidden, missing) = (json!({ "message": "403 Forbidden" }), json!({ "message": "404 Not found" }));
    for person in [&world.ann, &world.gus, &world.root] {
        for list in ["/issues".to_owned(), format!("/milestones/{milestone}/issues")] {
            let answer = world.get(&list).by(person).gives(200);
            assert_eq!((answer.header("X-Total"), &answer.json), (Some("0"), &json!([])), "{list}");
        }
        world.get(&at("")).by(person).refused(404, missing.clone());
        world.put(&at("")).by(person).json(json!({ "title": "x" })).refused(403, forbidden.clone());
        world.post("/issues").by(person).json(json!({ "title": "x" })).refused(403, forbidden.clone());
        world.post(&at("/notes")).by(person).json(json!({ "body": "x" })).refused(404, missing.clone());
        world.post(&at("/subscription")).by(person).refused(404, missing.clone());
        world.post(&at("/todo")).by(person).refused(404, missing.clone());
        world.delete(&at("")).by(person).refused(404, json!({ "message": "404 Issue Not Found" }));
    }
    let target = world.sibling(Visibility::Private).project.id;
    let moving = world.post(&at("/move")).by(&world.ann).json(json!({ "to_project_id": target }));
    moving.refused(404, json!({ "message": "404 Issue Not Found" }));
}

#[test]
fn of_many_who_close_at_once_one_did() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| world.close(&world.rae, &issue));
        }
    });
    let notes = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.ann).gives(200);
    assert_eq!(notes.each("body"), ["Status changed to closed"]);
    assert_eq!(world.titles(&world.ann, "state=closed").0, 1);
}
