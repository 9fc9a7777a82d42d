//! Milestones of a project, in v3's shapes (behaviour 6).

use crate::support::{Visibility, World, spec, titles};
use serde_json::{Value, json};

#[test]
fn a_milestone_is_shown_as_it_was_made_and_on_its_issues() {
    let world = World::new(spec(), Visibility::Private);
    let fields = json!({ "title": " v1 ", "description": "d", "due_date": "2030-01-31" });
    let made = world.post("/milestones").by(&world.rae).json(fields).gives(201).json;
    assert_eq!(
        made,
        json!({ "id": made["id"], "iid": 1, "project_id": world.project.id, "title": "v1", "description": "d",
            "state": "active", "created_at": made["created_at"], "updated_at": made["created_at"],
            "due_date": "2030-01-31" })
    );
    assert_eq!(world.get(&format!("/milestones/{}", made["id"])).by(&world.gus).gives(200).json, made);
    let issue = world.issue(&world.ann, json!({ "title": "t", "milestone_id": made["id"] }));
    assert_eq!(issue["milestone"], made);
}

#[test]
fn milestones_are_listed_page_by_page_by_state_and_number() {
    let world = World::new(spec(), Visibility::Private);
    let ids = ["a", "b", "c"].map(|title| world.milestone(title));
    let close = json!({ "state_event": "close" });
    world.put(&format!("/milestones/{}", ids[1])).by(&world.rae).json(close).gives(200);
    let list = |query: &str| titles(&world.get(&format!("/milestones?{query}")).by(&world.gus).gives(200));
    let titled = |titles: &[&str]| titles.iter().map(|title| (*title).to_owned()).collect::<Vec<_>>();
    assert_eq!(list(""), (3, titled(&["a", "b", "c"])));
    assert_eq!(list("state=all"), (3, titled(&["a", "b", "c"])));
    assert_eq!(list("state=active"), (2, titled(&["a", "c"])));
    assert_eq!(list("state=closed"), (1, titled(&["b"])));
    assert_eq!(list("iid=3"), (1, titled(&["c"])));
    assert_eq!(list("iid[]=1&iid[]=3"), (2, titled(&["a", "c"])));
    assert_eq!(list("per_page=2&page=2"), (3, titled(&["c"])));
    let bad = json!({ "error": "state does not have a valid value (active, closed, all)" });
    world.get("/milestones?state=odd").by(&world.ann).refused(400, bad);
}

#[test]
fn a_milestone_is_closed_and_activated_and_changed() {
    let world = World::new(spec(), Visibility::Private);
    let id = world.milestone("v1");
    world.milestone("taken");
    let put = |fields: Value| world.put(&format!("/milestones/{id}")).by(&world.rae).json(fields);
    let changed = put(json!({ "title": "v2", "description": "d", "due_date": "2030-01-01", "state_event": "close" }));
    let changed = changed.gives(200).json;
    assert_eq!([&changed["title"], &changed["state"], &changed["due_date"]], ["v2", "closed", "2030-01-01"]);
    let changed = put(json!({ "description": "", "due_date": null, "state_event": "activate" })).gives(200).json;
    assert_eq!([&changed["description"], &changed["due_date"]], [&Value::Null, &Value::Null]);
    assert_eq!([&changed["title"], &changed["state"]], ["v2", "active"]);
    assert_eq!(put(json!({})).gives(200).json["title"], "v2");
    let fault = |field: &str, text: &str| json!({ "message": { field: [text] } });
    put(json!({ "title": "" })).refused(400, fault("title", "can't be blank"));
    put(json!({ "title": "taken" })).refused(400, fault("title", "has already been taken"));
    put(json!({ "title": "x".repeat(256) })).refused(400, fault("title", "is too long (maximum is 255 characters)"));
    put(json!({ "due_date": "2016-02-31" })).refused(400, fault("due_date", "is invalid"));
    let unknown = json!({ "error": "state_event does not have a valid value (close, activate)" });
    put(json!({ "state_event": "explode" })).refused(400, unknown);
    let all = json!({ "message": {
        "title": ["can't be blank"], "due_date": ["is invalid"],
        "state_event": ["does not have a valid value (close, activate)"],
    } });
    put(json!({ "title": "", "due_date": "soon", "state_event": "explode" })).refused(400, all);
}

#[test]
fn a_new_milestone_has_a_title_of_its_own() {
    let world = World::new(spec(), Visibility::Private);
    world.milestone("v1");
    let post = |fields: Value| world.post("/milestones").by(&world.rae).json(fields);
    post(json!({ "title": " " })).refused(400, json!({ "message": "400 (Bad request) \"title\" not given" }));
    post(json!({ "title": "v1" })).refused(400, json!({ "message": { "title": ["has already been taken"] } }));
    post(json!({ "title": "v2", "due_date": "soon" }))
        .refused(400, json!({ "message": { "due_date": ["is invalid"] } }));
    assert_eq!(post(json!({ "title": "v2" })).gives(201).json["iid"], 2);
}

#[test]
fn whoever_sees_the_project_reads_its_milestones() {
    let world = World::new(spec(), Visibility::Public);
    let id = world.milestone("v1");
    for person in [&world.gus, &world.eve] {
        for path in ["/milestones".to_owned(), format!("/milestones/{id}"), format!("/milestones/{id}/issues")] {
            world.get(&path).by(person).gives(200);
        }
    }
}

#[test]
fn a_milestone_that_is_absent_or_of_another_project_is_not_found() {
    let world = World::new(spec(), Visibility::Private);
    let elsewhere = world.sibling(Visibility::Private).milestone("v1");
    let missing = json!({ "message": "404 Not found" });
    for id in [elsewhere.to_string(), "123123123".to_owned(), "x".to_owned()] {
        let at = |rest: &str| format!("/milestones/{id}{rest}");
        for ask in [world.get(&at("")), world.put(&at("")), world.get(&at("/issues"))] {
            ask.by(&world.ann).refused(404, missing.clone());
        }
    }
}

#[test]
fn a_milestones_own_list_is_of_its_issues_and_takes_filters() {
    let world = World::new(spec(), Visibility::Private);
    let id = world.milestone("v1");
    let other = world.milestone("v2");
    let one = world.issue(&world.ann, json!({ "title": "one", "milestone_id": id, "labels": "bug" }));
    world.issue(&world.ann, json!({ "title": "two", "milestone_id": id }));
    world.issue(&world.ann, json!({ "title": "secret", "milestone_id": id, "confidential": true }));
    world.issue(&world.ann, json!({ "title": "three", "milestone_id": other }));
    // the order below is by time, and a clock shows milliseconds
    std::thread::sleep(std::time::Duration::from_millis(2));
    world.close(&world.ann, &one);
    let path = format!("/milestones/{id}/issues");
    let list = |person, query: &str| titles(&world.get(&format!("{path}?{query}")).by(person).gives(200));
    let titled = |titles: &[&str]| titles.iter().map(|title| (*title).to_owned()).collect::<Vec<_>>();
    assert_eq!(list(&world.rae, ""), (3, titled(&["secret", "two", "one"])));
    assert_eq!(list(&world.gus, ""), (2, titled(&["two", "one"])));
    assert_eq!(list(&world.rae, "state=opened"), (2, titled(&["secret", "two"])));
    assert_eq!(list(&world.rae, "labels=bug"), (1, titled(&["one"])));
    assert_eq!(list(&world.rae, "order_by=updated_at"), (3, titled(&["one", "secret", "two"])));
    assert_eq!(list(&world.rae, "sort=asc&per_page=1&page=2"), (3, titled(&["two"])));
    let answer = world.get(&path).by(&world.rae).gives(200);
    assert!(answer.header("Link").unwrap().contains(&format!("milestone_id={id}")), "{:?}", answer.header("Link"));
}
