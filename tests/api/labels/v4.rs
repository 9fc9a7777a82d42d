//! Labels of v4.

use crate::support::v4::{ask, at, made, names};
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

const FIELDS: &str =
    "archived color description description_html id is_project_label name priority subscribed text_color";

fn label(world: &World, name: &str) -> Value {
    let new = json!({ "name": name, "color": "#fab", "description": "<d>" });
    ask(world, "POST", "/labels").by(&world.rae).json(new).gives(201).json
}

fn titles(world: &World, query: &str) -> Vec<Value> {
    ask(world, "GET", &format!("/labels{query}")).by(&world.gus).gives(200).each("name")
}

#[test]
fn whoever_sees_the_project_sees_its_labels() {
    let world = World::new(spec(), Visibility::Public);
    let absent = json!({ "message": "404 Label Not Found" });
    assert_eq!(ask(&world, "GET", "/labels").gives(200).json, json!([]));
    ask(&world, "GET", "/labels/x").refused(404, absent.clone());
    for verb in ["GET", "PUT", "DELETE"] {
        let body = json!({ "color": "red" });
        ask(&world, verb, "/labels/x").by(&world.rae).json(body).refused(404, absent.clone());
    }
}

#[test]
fn what_a_label_lacks_is_told() {
    let world = World::new(spec(), Visibility::Private);
    label(&world, "foo");
    let refused = |verb: &str, path: &str, body: Value, status: u16, told: Value| {
        ask(&world, verb, path).by(&world.rae).json(body).refused(status, told)
    };
    let missing = |text: &str| json!({ "error": text });
    refused("POST", "/labels", json!({ "color": "red" }), 400, missing("name is missing"));
    refused("POST", "/labels", json!({ "name": "x" }), 400, missing("color is missing"));
    let bad = json!({ "message": { "color": ["is invalid"] } });
    refused("POST", "/labels", json!({ "name": "x", "color": "reddish" }), 400, bad);
    let known = json!({ "message": "Label already exists" });
    refused("POST", "/labels", json!({ "name": "foo", "color": "red" }), 409, known);
    let nothing =
        missing("new_name, color, description, priority are missing, at least one parameter must be provided");
    refused("PUT", "/labels/foo", json!({}), 400, nothing);
    let nameless = missing("label_id, name are missing, at least one parameter must be provided");
    refused("PUT", "/labels", json!({ "color": "red" }), 400, nameless.clone());
    refused("DELETE", "/labels", json!({}), 400, nameless);
}

#[test]
fn a_label_is_shown_with_its_id_and_counts_on_request() {
    let world = World::new(spec(), Visibility::Private);
    let made_label = label(&world, "b/1.json");
    assert_eq!(names(&made_label), FIELDS);
    assert_eq!([&made_label["color"], &made_label["text_color"]], [&json!("#fab"), &json!("#1F1E24")]);
    assert_eq!(made_label["description_html"], "&lt;d&gt;");
    let id = made_label["id"].as_i64().unwrap();
    for path in [format!("/labels/{id}"), "/labels/b%2F1.json".to_owned()] {
        assert_eq!(ask(&world, "GET", &path).by(&world.gus).gives(200).json, made_label, "{path}");
    }
    made(&world, &world.rae, json!({ "title": "t", "labels": ["b/1.json", "a"] }));
    made(&world, &world.rae, json!({ "title": "s", "labels": "a", "confidential": true }));
    assert_eq!(titles(&world, ""), ["a", "b/1.json"]);
    assert_eq!(titles(&world, "?search=1.J"), ["b/1.json"]);
    assert_eq!(titles(&world, "?archived=true"), Vec::<Value>::new());
    assert_eq!(titles(&world, "?per_page=1&page=2"), ["b/1.json"]);
    let counts = |person| {
        let list = ask(&world, "GET", "/labels?with_counts=true").by(person).gives(200);
        list.each("open_issues_count")
    };
    assert_eq!((counts(&world.rae), counts(&world.gus)), (vec![json!(2), json!(1)], vec![json!(1), json!(1)]));
    let whole = at(&world, "GET", &json!({ "iid": 1 }), "").by(&world.rae).gives(200).json;
    assert_eq!(whole["labels"], json!(["a", "b/1.json"]));
}

#[test]
fn a_label_is_changed_by_path_or_by_name() {
    let world = World::new(spec(), Visibility::Private);
    let id = label(&world, "foo")["id"].clone();
    let put = |path: &str, body: Value| ask(&world, "PUT", path).by(&world.rae).json(body).gives(200).json;
    assert_eq!(put("/labels", json!({ "name": "foo", "new_name": "bar" }))["name"], "bar");
    assert_eq!(put("/labels/bar", json!({ "color": "Red" }))["color"], "#FF0000");
    assert_eq!(put("/labels", json!({ "label_id": id, "description": "" }))["description"], Value::Null);
    assert_eq!(put(&format!("/labels/{id}"), json!({ "new_name": "baz" }))["name"], "baz");
    ask(&world, "DELETE", "/labels?name=baz").by(&world.rae).gives(204);
    label(&world, "x");
    ask(&world, "DELETE", "/labels/x").by(&world.rae).json(json!({})).gives(204);
    assert_eq!(titles(&world, ""), Vec::<Value>::new());
}

#[test]
fn a_list_without_keyset_ignores_it() {
    let world = World::new(spec(), Visibility::Private);
    label(&world, "a");
    label(&world, "b");
    let page = ask(&world, "GET", "/labels?pagination=keyset&per_page=1").by(&world.gus).gives(200);
    assert_eq!((page.header("X-Page"), page.header("X-Next-Page")), (Some("1"), Some("2")));
    assert!(page.header("Link").unwrap().contains("rel=\"first\""));
}

#[test]
fn a_label_has_a_priority_in_v4() {
    let world = World::new(spec(), Visibility::Private);
    let post = |body: Value| ask(&world, "POST", "/labels").by(&world.rae).json(body);
    let put = |body: Value| ask(&world, "PUT", "/labels/urgent").by(&world.rae).json(body);
    let made = post(json!({ "name": "urgent", "color": "#ff0000", "priority": 0 })).gives(201);
    assert_eq!((&made.json["priority"], made.header("X-Unread-Parameters")), (&json!(0), None));
    assert_eq!(put(json!({ "priority": 3 })).gives(200).json["priority"], 3);
    assert_eq!(put(json!({ "description": "now" })).gives(200).json["priority"], 3);
    assert_eq!(ask(&world, "GET", "/labels").by(&world.gus).gives(200).json[0]["priority"], 3);
    let tag = ask(&world, "GET", "/labels/urgent").by(&world.rae).gives(200).header("ETag").unwrap().to_owned();
    assert_eq!(put(json!({ "priority": null })).gives(200).json["priority"], Value::Null);
    assert_eq!(put(json!({ "color": "#00ff00" })).header("If-Match", tag).send().status, 412);
    let below = json!({ "message": { "priority": ["must be greater than or equal to 0"] } });
    put(json!({ "priority": -1 })).refused(400, below.clone());
    post(json!({ "name": "x", "color": "#ff0000", "priority": -1 })).refused(400, below);
    for refused in
        [post(json!({ "name": "n", "priority": 3, "odd": 1 })), put(json!({ "priority": 3, "color": "odd", "odd": 1 }))]
    {
        assert_eq!(refused.gives(400).header("X-Unread-Parameters"), Some("odd"));
    }
    put(json!({ "priority": "high" })).refused(400, json!({ "error": "priority is invalid" }));
    let made = post(json!({ "name": "x", "color": "#ff0000", "priority": "" })).gives(201);
    assert_eq!(made.json["priority"], Value::Null);
}

#[test]
fn a_label_counts_the_confidential_issues_that_the_caller_sees() {
    let world = World::new(spec(), Visibility::Private);
    let issue = |person: &Person, fields: Value| {
        let mut all = json!({ "title": "t", "labels": "lc", "confidential": true });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        made(&world, person, all)
    };
    issue(&world.rae, json!({ "assignee_ids": [world.gus.id] }));
    issue(&world.rae, json!({}));
    let own = made(&world, &world.gus, json!({ "title": "t", "confidential": true }));
    for fields in [json!({ "labels": "lc", "assignee_ids": [world.gus.id] }), json!({ "state_event": "close" })] {
        at(&world, "PUT", &own, "").by(&world.rae).json(fields).gives(200);
    }
    let counts =
        |answer: &Value| [&answer["open_issues_count"], &answer["closed_issues_count"]].map(|it| it.as_i64().unwrap());
    for (person, expected) in [(&world.gus, [1, 1]), (&world.rae, [2, 1])] {
        let listed = ask(&world, "GET", "/labels?with_counts=true").by(person).gives(200).json;
        assert_eq!(counts(&listed[0]), expected, "{}", person.username);
        let found = ask(&world, "GET", "/labels?with_counts=true&search=l").by(person).gives(200).json;
        assert_eq!(counts(&found[0]), expected);
    }
    let issues = ask(&world, "GET", "/issues?labels=lc&state=opened").by(&world.gus).gives(200).json;
    assert_eq!(issues.as_array().unwrap().len(), 1);
}

#[test]
fn the_description_of_a_label_may_have_several_lines() {
    let world = World::new(spec(), Visibility::Private);
    let text = "one\ttab\r\ntwo\n";
    for (number, v4) in [(1, false), (2, true)] {
        let send = |verb: &str, fields: Value| {
            let ask = if v4 { world.v4(verb, "/labels") } else { spec().ask(verb, world.at("/labels")) };
            ask.by(&world.rae).json(fields)
        };
        let name = format!("l{number}");
        let made = send("POST", json!({ "name": name, "color": "#ffffff", "description": text })).gives(201).json;
        assert_eq!(made["description"], text);
        let other = "three\n\nfour";
        let changed = send("PUT", json!({ "name": name, "description": other })).gives(200).json;
        assert_eq!(changed["description"], other);
        let refused = json!({ "message": { "title": ["cannot contain control characters"] } });
        send("POST", json!({ "name": "a\nb", "color": "#ffffff" })).refused(400, refused);
    }
}
