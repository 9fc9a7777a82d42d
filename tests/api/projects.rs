//! Projects.

use crate::support::spec;
use crate::support::{Visibility, World, unique};
use serde_json::json;

#[test]
fn a_project_is_shown_by_number_and_by_path() {
    let world = World::new(spec(), Visibility::Private);
    let by_number = world.get("").by(&world.ann).gives(200);
    let path = format!("/projects/{}", world.project.path.replace('/', "%2F"));
    let by_path = spec().get(path).by(&world.ann).gives(200);
    assert_eq!(by_number.json, by_path.json);
    assert_eq!(by_number.json["path_with_namespace"], world.project.path);
    assert_eq!(by_number.json["permissions"]["group_access"]["access_level"], 50);
    world.get("").by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
}

#[test]
fn a_personal_namespace_holds_only_so_many_projects() {
    let name = unique("small");
    let root = &spec().cast().root;
    let user =
        json!({ "email": format!("{name}@example.com"), "username": name, "name": "S", "projects_limit": 1 });
    let id = spec().post("/users").by(root).json(user).gives(201).id();
    let token =
        spec().post(format!("/users/{id}/personal_access_tokens")).by(root).json(json!({ "name": "t" }));
    let token = token.gives(201).json["token"].as_str().unwrap().to_owned();
    let make = |name: &str| {
        spec().post("/projects").header("PRIVATE-TOKEN", token.clone()).json(json!({ "name": name })).send()
    };
    let first = make("One thing");
    first.has_status(201);
    assert_eq!(first.json["path"], "one-thing");
    assert_eq!(first.json["owner"]["id"], id);
    make("Two").has_status(403);
    assert_eq!(
        make("Two").json["message"],
        "Your project limit is 1 projects! Please contact your administrator to increase it"
    );
}
