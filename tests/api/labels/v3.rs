//! Labels of a project, in v3's shapes.

use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn label(world: &World, name: &str) -> Value {
    let label = json!({ "name": name, "color": "#ffaabb", "description": "d" });
    world.post("/labels").by(&world.rae).json(label).gives(201).json
}

fn listed(world: &World) -> Vec<Value> {
    world.get("/labels").by(&world.gus).gives(200).each("name")
}

#[test]
fn a_label_is_shown_as_it_was_made_and_listed_by_name() {
    let world = World::new(spec(), Visibility::Private);
    let made = label(&world, "foo");
    assert_eq!(
        made,
        json!({ "name": "foo", "color": "#ffaabb", "description": "d", "open_issues_count": 0,
            "closed_issues_count": 0, "open_merge_requests_count": 0, "subscribed": false })
    );
    label(&world, "bar");
    world.issue(&world.ann, json!({ "title": "t", "labels": "new & odd?" }));
    assert_eq!(listed(&world), ["bar", "foo", "new & odd?"]);
    let all = world.get("/labels").by(&world.rae).gives(200);
    assert_eq!([&all.json[1], &all.json[2]["color"]], [&made, &json!("#428BCA")]);
}

#[test]
fn a_label_has_a_name_of_its_own_and_a_color() {
    let world = World::new(spec(), Visibility::Private);
    label(&world, "foo");
    let post = |fields: Value| world.post("/labels").by(&world.rae).json(fields);
    let missing = |name: &str| json!({ "message": format!("400 (Bad request) \"{name}\" not given") });
    post(json!({ "color": "#fff" })).refused(400, missing("name"));
    post(json!({ "name": "x" })).refused(400, missing("color"));
    post(json!({ "name": "foo", "color": "#fff" })).refused(409, json!({ "message": "Label already exists" }));
    post(json!({ "name": "Foo", "color": "#fff" })).gives(201);
    let invalid = |field: &str| json!({ "message": { field: ["is invalid"] } });
    post(json!({ "name": "a,b", "color": "#fff" })).refused(400, invalid("title"));
    for color in ["#ff", "fff", "#ggg", "#ffff", "red"] {
        post(json!({ "name": "x", "color": color })).refused(400, invalid("color"));
    }
    post(json!({ "name": "n".repeat(256), "color": "#fff" })).gives(400);
    assert_eq!(listed(&world), ["Foo", "foo"]);
}

#[test]
fn a_label_is_renamed_and_recolored_where_it_is_borne() {
    let world = World::new(spec(), Visibility::Private);
    label(&world, "foo");
    label(&world, "taken");
    let issue = world.issue(&world.ann, json!({ "title": "t", "labels": "foo" }));
    let put = |fields: Value| world.put("/labels").by(&world.rae).json(fields);
    let renamed = put(json!({ "name": "foo", "new_name": "bar", "color": "#000000" })).gives(200).json;
    assert_eq!([&renamed["name"], &renamed["color"]], [&json!("bar"), &json!("#000000")]);
    assert_eq!([&renamed["open_issues_count"], &renamed["description"]], [&json!(1), &json!("d")]);
    assert_eq!(world.seen(&world.ann, &issue)["labels"], json!(["bar"]));
    assert_eq!(world.titles(&world.ann, "labels=bar").0, 1);
    assert_eq!(put(json!({ "name": "bar", "description": "" })).gives(200).json["description"], Value::Null);
    put(json!({ "name": "foo", "new_name": "x" })).refused(404, json!({ "message": "404 Label Not Found" }));
    let nothing = "400 (Bad request) Required parameters \"new_name\" or \"color\" missing";
    put(json!({ "name": "bar" })).refused(400, json!({ "message": nothing }));
    let taken = json!({ "message": { "title": ["has already been taken"] } });
    put(json!({ "name": "bar", "new_name": "taken" })).refused(400, taken);
    let unnamed = json!({ "message": "400 (Bad request) \"name\" not given" });
    put(json!({ "new_name": "x" })).refused(400, unnamed);
    assert_eq!(listed(&world), ["bar", "taken"]);
}

#[test]
fn a_deleted_label_leaves_every_issue() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t", "labels": "foo,bar" }));
    let deleted = world.delete("/labels").by(&world.rae).json(json!({ "name": "foo" })).gives(200).json;
    assert_eq!(deleted["name"], "foo");
    assert_eq!(world.seen(&world.ann, &issue)["labels"], json!(["bar"]));
    assert_eq!(world.titles(&world.ann, "labels=foo"), (0, vec![]));
    let absent = json!({ "message": "404 Label Not Found" });
    world.delete("/labels?name=foo").by(&world.rae).refused(404, absent);
    let unnamed = json!({ "message": "400 (Bad request) \"name\" not given" });
    world.delete("/labels").by(&world.rae).refused(400, unnamed);
    // a new label of the same name is on no issue
    assert_eq!(label(&world, "foo")["open_issues_count"], 0);
}

/// As a label is left that was on too many issues for one request.
#[test]
fn a_deleted_label_that_is_on_issues_yet_is_shown_nowhere_and_goes_on_leaving_them() {
    let world = World::new(spec(), Visibility::Private);
    if !spec().is_in_process() {
        return;
    }
    let issue = world.issue(&world.ann, json!({ "title": "t", "labels": "foo,bar" }));
    world.issue(&world.ann, json!({ "title": "u", "labels": "foo" }));
    let hide =
        format!("update labels set title = ',' || id where title = 'foo' and project_id = {}", issue["project_id"]);
    assert!(spec().tamper(&hide));
    assert_eq!(listed(&world), ["bar"]);
    assert_eq!(world.seen(&world.ann, &issue)["labels"], json!(["bar"]));
    for query in ["labels=foo", "labels=foo,baz"] {
        assert_eq!(world.titles(&world.ann, query), (0, vec![]));
    }
    // a new label of the same name is on no issue
    assert_eq!(label(&world, "foo")["open_issues_count"], 0);
    assert_eq!(world.titles(&world.ann, "labels=No Label"), (1, vec!["u".to_owned()]));
    world.delete("/labels?name=none").by(&world.rae).refused(404, json!({ "message": "404 Label Not Found" }));
    assert_eq!(world.titles(&world.ann, "labels=No Label"), (1, vec!["u".to_owned()]));
    assert_eq!(world.seen(&world.ann, &issue)["labels"], json!(["bar"]));
    assert_eq!(listed(&world), ["bar", "foo"]);
}

#[test]
fn a_label_counts_its_issues_by_state() {
    let world = World::new(spec(), Visibility::Private);
    let counts = || {
        let label = world.get("/labels").by(&world.ann).gives(200).json[0].clone();
        (label["open_issues_count"].as_i64().unwrap(), label["closed_issues_count"].as_i64().unwrap())
    };
    let one = world.issue(&world.ann, json!({ "title": "1", "labels": "bug" }));
    world.issue(&world.ann, json!({ "title": "2", "labels": "bug" }));
    assert_eq!(counts(), (2, 0));
    world.close(&world.ann, &one);
    assert_eq!(counts(), (1, 1));
    world.edit(&world.ann, &one, json!({ "state_event": "reopen", "labels": "other" }));
    assert_eq!(counts(), (1, 0));
}

#[test]
fn a_label_is_found_by_its_id_or_its_name_in_its_own_project() {
    let (world, other) = (World::new(spec(), Visibility::Private), World::new(spec(), Visibility::Private));
    let foo = label(&world, "foo & bar?");
    let missing = json!({ "message": "404 Label Not Found" });
    let get = |name: &str| world.get(&format!("/labels/{name}")).by(&world.gus);
    for name in ["nope", "FOO", "0", "987654321", "%20", ","] {
        get(name).refused(404, missing.clone());
    }
    let by_name = "foo%20%26%20bar%3F";
    assert_eq!(get(by_name).gives(200).json, foo);
    other.get(&format!("/labels/{by_name}")).by(&other.gus).refused(404, missing.clone());
    if !spec().is_in_process() {
        return;
    }
    let id = |world: &World, name: &str| {
        let project = world.project.id;
        spec()
            .rows(&format!("select json_quote(id) as v from labels where project_id = {project} and title = '{name}'"))
            [0]
        .clone()
    };
    let of_foo = id(&world, "foo & bar?").to_string();
    assert_eq!(get(&of_foo).gives(200).json, foo);
    other.get(&format!("/labels/{of_foo}")).by(&other.gus).refused(404, missing);
    // a name that is a number is found unless it is another one's id
    label(&world, &of_foo);
    assert_eq!(get(&of_foo).gives(200).json, foo);
    assert_eq!(label(&world, "4711000"), get("4711000").gives(200).json);
}
