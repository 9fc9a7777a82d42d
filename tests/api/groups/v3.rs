//! Groups (behaviour 3.1).

use crate::support::{Person, Visibility, listed, spec, unique};
use serde_json::{Value, json};

fn group(owner: &Person, level: i64) -> (i64, String) {
    let path = unique("group");
    let new = json!({ "name": "A group", "path": path, "description": "d", "visibility_level": level });
    (spec().post("/groups").by(owner).json(new).gives(201).id(), path)
}

#[test]
fn a_group_needs_a_name_and_a_free_path() {
    let cast = spec().cast();
    let post = |body: Value| spec().post("/groups").by(&cast.ann).json(body);
    spec().post("/groups").json(json!({})).gives(401);
    post(json!({ "path": "x" })).refused(400, json!({ "message": "400 (Bad request) \"name\" not given" }));
    post(json!({ "name": "x" })).refused(400, json!({ "message": "400 (Bad request) \"path\" not given" }));
    for path in ["a b", "-a", "a.git", "admin", "ä"] {
        let refused = post(json!({ "name": "x", "path": path, "visibility_level": 5 })).gives(400);
        assert!(refused.json["message"]["path"].is_array(), "{path}: {}", refused.text);
        assert_eq!(refused.json["message"]["visibility_level"], json!(["is not included in the list"]));
    }
    // users and groups share their names
    for taken in [cast.bob.username.clone(), cast.bob.username.to_uppercase()] {
        post(json!({ "name": "x", "path": taken }))
            .refused(400, json!({ "message": { "path": ["has already been taken"] } }));
    }
}

#[test]
fn its_maker_owns_a_group() {
    let cast = spec().cast();
    let path = unique("Made");
    let new = json!({ "name": "Made", "path": path, "description": "Why", "visibility_level": 2 });
    let made = spec().post("/groups").by(&cast.ann).json(new).gives(201);
    let expected = json!({
        "id": made.id(), "name": "Made", "path": path, "description": "Why", "visibility_level": 20,
        "avatar_url": null, "web_url": format!("{}/groups/{path}", spec().origin),
    });
    assert_eq!(made.json, expected);
    let mut shown = expected.clone();
    shown["projects"] = json!([]);
    for reference in [made.id().to_string(), path.to_lowercase()] {
        assert_eq!(spec().get(format!("/groups/{reference}")).by(&cast.eve).gives(200).json, shown);
    }
    let members = spec().get(format!("/groups/{path}/members")).by(&cast.eve).gives(200);
    assert_eq!(members.each("id"), [cast.ann.id]);
}

#[test]
fn a_private_group_is_there_for_its_members_alone() {
    let cast = spec().cast();
    let (id, path) = group(&cast.ann, 0);
    let missing = json!({ "message": "404 Group Not Found" });
    for verb in ["GET", "PUT", "DELETE"] {
        spec().ask(verb, format!("/groups/{id}")).gives(401);
        spec().ask(verb, format!("/groups/{id}")).by(&cast.eve).refused(404, missing.clone());
    }
    let listed = |person| spec().get("/groups").query("search", &path).by(person).gives(200).each("id");
    assert_eq!(listed(&cast.ann), [id]);
    assert_eq!(listed(&cast.root), [id]);
    assert!(listed(&cast.eve).is_empty());
    // a member of one of its projects sees the group, and of the projects that one
    let open = spec().project(&cast.ann, id, Visibility::Private);
    spec().project(&cast.ann, id, Visibility::Private);
    let member = json!({ "user_id": cast.eve.id, "access_level": 10 });
    spec().post(format!("/projects/{}/members", open.id)).by(&cast.ann).json(member).gives(201);
    assert_eq!(listed(&cast.eve), [id]);
    let shown = spec().get(format!("/groups/{id}")).by(&cast.eve).gives(200).json;
    assert_eq!(shown["projects"].as_array().unwrap().len(), 1);
    assert_eq!(shown["projects"][0]["id"], open.id);
    spec().put(format!("/groups/{id}")).by(&cast.eve).json(json!({ "name": "x" })).gives(403);
    assert_eq!(
        spec().get(format!("/groups/{id}")).by(&cast.ann).gives(200).json["projects"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn a_groups_new_path_is_its_projects_new_address() {
    let cast = spec().cast();
    let (id, _) = group(&cast.ann, 0);
    let project = spec().project(&cast.ann, id, Visibility::Private);
    let path = unique("Renamed");
    let edit = json!({ "path": path, "name": "Other", "description": "" });
    let edited = spec().put(format!("/groups/{id}")).by(&cast.ann).json(edit).gives(200).json;
    assert_eq!((&edited["path"], &edited["name"], &edited["description"]), (&json!(path), &json!("Other"), &json!("")));
    let name = project.path.split('/').nth(1).unwrap();
    let moved = spec().get(format!("/projects/{}%2F{name}", path.to_lowercase())).by(&cast.ann).gives(200).json;
    assert_eq!(moved["id"], project.id);
    assert_eq!(moved["path_with_namespace"], format!("{path}/{name}"));
    assert_eq!(moved["name_with_namespace"], format!("Other / {name}"));
    spec().get(format!("/projects/{}", project.path.replace('/', "%2F"))).by(&cast.ann).gives(404);
    let taken = json!({ "path": cast.bob.username });
    spec()
        .put(format!("/groups/{id}"))
        .by(&cast.ann)
        .json(taken)
        .refused(400, json!({ "message": { "path": ["has already been taken"] } }));
    let blank = json!({ "path": "", "name": null });
    spec()
        .put(format!("/groups/{id}"))
        .by(&cast.ann)
        .json(blank)
        .refused(400, json!({ "message": { "path": ["can't be blank"], "name": ["can't be blank"] } }));
}

#[test]
fn a_group_ends_when_it_has_no_project() {
    let cast = spec().cast();
    let (id, path) = group(&cast.ann, 20);
    let project = spec().project(&cast.ann, id, Visibility::Private);
    spec().delete(format!("/groups/{id}")).by(&cast.eve).gives(403);
    spec()
        .delete(format!("/groups/{id}"))
        .by(&cast.ann)
        .refused(409, json!({ "message": "Group still has projects: delete them first" }));
    spec().delete(format!("/projects/{}", project.id)).by(&cast.ann).gives(200);
    assert_eq!(spec().delete(format!("/groups/{id}")).by(&cast.ann).gives(200).json["path"], path);
    spec().delete(format!("/groups/{id}")).by(&cast.ann).gives(404);
    spec().get(format!("/groups/{path}")).by(&cast.root).gives(404);
    // the path can be used again, the id cannot
    let again = spec().post("/groups").by(&cast.eve).json(json!({ "name": "again", "path": path })).gives(201);
    assert_ne!(again.id(), id);
    let late = json!({ "name": "late", "namespace_id": id });
    spec()
        .post("/projects")
        .by(&cast.root)
        .json(late)
        .refused(400, json!({ "message": { "namespace": ["is not valid"] } }));
    let listed = spec().get("/namespaces?search=%2F").by(&cast.root).gives(200);
    assert_eq!(listed.json, json!([]));
}

#[test]
fn groups_are_listed_in_pages() {
    let cast = spec().cast();
    let mark = unique("many");
    let make = |at: i64| {
        let new = json!({ "name": format!("{mark} {at}"), "path": unique("g"), "visibility_level": at % 3 });
        spec().post("/groups").by(&cast.ann).json(new).gives(201).id()
    };
    let ids: Vec<i64> = (0..5).map(make).collect();
    let page =
        |text: &str, person| spec().get(format!("/groups?search={mark}&{text}")).by(person).gives(200).each("id");
    let found = |person| listed(&format!("/groups?search={mark}"), person);
    assert_eq!(found(&cast.ann), ids);
    assert_eq!(page("per_page=2&page=2", &cast.ann), ids[2..4]);
    assert_eq!(found(&cast.eve), [ids[1], ids[2], ids[4]]);
    assert_eq!(page("per_page=2&page=2", &cast.eve), [ids[4]]);
    assert!(page("per_page=2&page=3", &cast.eve).is_empty());
}

#[test]
fn namespaces_are_the_callers_own() {
    let person = spec().person("Nina");
    let (id, path) = group(&person, 20);
    let all = spec().get("/namespaces").by(&person).gives(200).json;
    let expected = json!([
        { "id": person.id, "path": person.username, "kind": "user" },
        { "id": id, "path": path, "kind": "group" },
    ]);
    assert_eq!(all, expected);
    assert_eq!(listed(&format!("/namespaces?search={path}"), &spec().cast().root), [id]);
    spec().get("/namespaces").gives(401);
}
