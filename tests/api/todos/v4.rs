//! To-do items of v4.

use crate::support::v4::{at, made, names};
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

fn listed(person: &Person, query: &str) -> Vec<Value> {
    spec().ask_v4("GET", format!("/todos{query}")).by(person).gives(200).each("id")
}

#[test]
fn todos_are_the_callers_own() {
    let unauthorized = json!({ "message": "401 Unauthorized" });
    spec().ask_v4("GET", "/todos").refused(401, unauthorized.clone());
    spec().ask_v4("POST", "/todos/mark_as_done").refused(401, unauthorized.clone());
    spec().ask_v4("POST", "/todos/1/mark_as_done").refused(401, unauthorized);
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let todo = at(&world, "POST", &issue, "/todo").by(&world.gus).gives(201);
    let path = format!("/todos/{}/mark_as_done", todo.id());
    spec().ask_v4("POST", path).by(&world.eve).refused(404, json!({ "message": "404 Not found" }));
    let bad = json!({ "error": "id is invalid" });
    spec().ask_v4("POST", "/todos/x/mark_as_done").by(&world.eve).refused(400, bad);
    let bad = json!({ "error": "action does not have a valid value" });
    spec().ask_v4("GET", "/todos?action=x").by(&world.eve).refused(400, bad);
}

#[test]
fn a_todo_is_made_shown_and_done() {
    let world = World::new(spec(), Visibility::Private);
    let person = spec().person("Tom");
    world.admit(&person, 20);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let todo = at(&world, "POST", &issue, "/todo").by(&person).json(json!({})).gives(201).json;
    at(&world, "POST", &issue, "/todo").by(&person).gives(304);
    assert_eq!(
        names(&todo),
        "action_name author body created_at id project state target target_type target_url updated_at"
    );
    assert_eq!(names(&todo["project"]), "created_at description id name name_with_namespace path path_with_namespace");
    assert_eq!([&todo["target"]["subscribed"], &todo["target"]["iid"]], [&Value::Null, &issue["iid"]]);
    assert_eq!(
        [&todo["target_url"], &todo["target"]["references"]["relative"]],
        [&issue["web_url"], &issue["references"]["full"]]
    );
    assert_eq!(listed(&person, ""), vec![todo["id"].clone()]);
    let path = format!("/todos/{}/mark_as_done", todo["id"]);
    let done = spec().ask_v4("POST", &path).by(&person).json(json!({})).gives(201).json;
    assert_eq!([&done["state"], &done["id"]], [&json!("done"), &todo["id"]]);
    assert_eq!(spec().ask_v4("POST", &path).by(&person).gives(201).json, done);
    assert_eq!(listed(&person, ""), Vec::<Value>::new());
    let kept = spec().ask_v4("GET", "/todos?state=done").by(&person).gives(200);
    assert_eq!(kept.json, json!([done]));
}

#[test]
fn todos_are_found_by_what_they_are_about() {
    let world = World::new(spec(), Visibility::Private);
    let own = World::personal(spec(), Visibility::Private);
    let person = spec().person("Tom");
    world.admit(&person, 20);
    own.admit(&person, 20);
    let assigned = json!({ "title": "t", "assignee_ids": [person.id] });
    made(&world, &world.ann, assigned);
    let issue = made(&own, &own.ann, json!({ "title": "u" }));
    let marked = at(&own, "POST", &issue, "/todo").by(&person).gives(201).json["id"].clone();
    let all = listed(&person, "");
    assert_eq!((all.len(), &all[0]), (2, &marked));
    for (query, count) in [
        ("?action=assigned".to_owned(), 1),
        ("?action=approval_required".to_owned(), 0),
        ("?type=Issue".to_owned(), 2),
        ("?type=MergeRequest".to_owned(), 0),
        (format!("?group_id={}", world.group), 1),
        (format!("?project_id={}", own.project.id), 1),
        (format!("?author_id={}", world.ann.id), 1),
        ("?state=done".to_owned(), 0),
    ] {
        assert_eq!(listed(&person, &query).len(), count, "{query}");
    }
    spec().ask_v4("POST", "/todos/mark_as_done").by(&person).json(json!({})).gives(204);
    assert_eq!((listed(&person, "").len(), listed(&person, "?state=done").len()), (0, 2));
}
