//! Creating, changing, archiving and deleting projects in v4.

use crate::support::{Person, Visibility, World, spec, unique};
use serde_json::{Value, json};

#[test]
fn a_project_is_made_of_a_name_or_a_path() {
    let pat = spec().person("Pat");
    let post = |body: Value| spec().ask_v4("POST", "/projects").by(&pat).json(body);
    spec().ask_v4("POST", "/projects").json(json!({})).refused(401, json!({ "message": "401 Unauthorized" }));
    let none = "name, path are missing, at least one parameter must be provided";
    post(json!({})).refused(400, json!({ "error": none }));
    let unknown = json!({ "error": "visibility does not have a valid value" });
    post(json!({ "name": "x", "visibility": "secret" })).refused(400, unknown);
    post(json!({ "name": "x", "issues_enabled": "perhaps" }))
        .refused(400, json!({ "error": "issues_enabled is invalid" }));
    let made =
        post(json!({ "path": "tool", "visibility": "public", "jobs_enabled": false, "issues_access_level": "disabled",
        "initialize_with_readme": true, "topics": ["x"] }))
        .gives(201)
        .json;
    assert_eq!((&made["name"], &made["path"]), (&json!("tool"), &json!("tool")));
    assert_eq!(
        (&made["visibility"], &made["jobs_enabled"], &made["issues_enabled"]),
        (&json!("public"), &json!(false), &json!(false))
    );
    assert_eq!(made["issues_access_level"], "disabled");
    assert_eq!(made["default_branch"], Value::Null);
    let trunk = post(json!({ "name": "trunk", "default_branch": "release/trunk" })).gives(201);
    assert_eq!(trunk.json["default_branch"], "release/trunk");
    let shown = spec().ask_v4("GET", format!("/projects/{}", trunk.id())).by(&pat).gives(200).json;
    assert_eq!(shown["default_branch"], "release/trunk");
    let invalid = json!({ "message": { "default_branch": ["is invalid"] } });
    post(json!({ "name": "odd", "default_branch": "a..b" })).refused(400, invalid);
    let taken = ["has already been taken"];
    post(json!({ "name": "Tool", "path": "TOOL" }))
        .refused(400, json!({ "message": { "name": taken, "path": taken } }));
    let others = format!("/projects/user/{}", pat.id);
    let body = json!({ "name": unique("gift") });
    spec().ask_v4("POST", &others).by(&pat).json(body.clone()).refused(403, json!({ "message": "403 Forbidden" }));
    assert_eq!(spec().ask_v4("POST", &others).by(&spec().root()).json(body).gives(201).json["creator_id"], pat.id);
}

#[test]
fn fields_of_gitlab_without_effect_are_taken_and_named() {
    let world = World::personal(spec(), Visibility::Private);
    let before = spec().ask_v4("GET", world.at("")).by(&world.ann).gives(200).json;
    for fields in [
        json!({ "topics": [] }),
        json!({ "wiki_enabled": true, "snippets_access_level": "enabled" }),
        json!({ "merge_method": "ff", "only_allow_merge_if_pipeline_succeeds": true, "squash_option": "always" }),
        json!({ "shared_runners_enabled": false, "ci_default_git_depth": 98_765 }),
    ] {
        let mut sent: Vec<String> = fields.as_object().unwrap().keys().cloned().collect();
        let answer = spec().ask_v4("PUT", world.at("")).by(&world.ann).json(fields).gives(200);
        sent.sort();
        assert_eq!(answer.header("X-Unread-Parameters"), Some(sent.join(", ").as_str()));
        assert_eq!(answer.json, before);
    }
    let all = |name: &str| json!({ name: before[name] });
    for same in ["name", "path", "description", "visibility", "issues_enabled", "jobs_enabled"].map(all) {
        assert_eq!(spec().ask_v4("PUT", world.at("")).by(&world.ann).json(same).gives(200).json, before);
    }
    spec().ask_v4("PUT", world.at("")).by(&world.eve).json(json!({ "topics": [] })).gives(404);
    spec().ask_v4("PUT", world.at("")).by(&world.bob).json(json!({ "topics": [] })).gives(403);
}

#[test]
fn a_project_is_changed_by_masters_and_ended_by_owners() {
    let world = World::personal(spec(), Visibility::Private);
    let put = |person: &Person, body: Value| spec().ask_v4("PUT", world.at("")).by(person).json(body);
    for nothing in [json!({}), json!({ "odd": 1 })] {
        let refused = put(&world.ann, nothing).gives(400).json;
        let text = "are missing, at least one parameter must be provided";
        assert!(refused["error"].as_str().unwrap().ends_with(text), "{refused}");
    }
    let changed =
        put(&world.ann, json!({ "visibility": "internal", "description": "d", "builds_access_level": "disabled" }))
            .gives(200)
            .json;
    assert_eq!((&changed["visibility"], &changed["jobs_enabled"]), (&json!("internal"), &json!(false)));
    for (verb, archived) in [("archive", true), ("unarchive", false)] {
        let path = world.at(&format!("/{verb}"));
        assert_eq!(spec().ask_v4("POST", &path).by(&world.ann).json(json!({})).gives(201).json["archived"], archived);
    }
    let ended = spec().ask_v4("DELETE", world.at("")).by(&world.ann).gives(202).json;
    assert_eq!(ended, json!({ "message": "202 Accepted" }));
    spec().ask_v4("GET", world.at("")).by(&world.ann).refused(404, json!({ "message": "404 Project Not Found" }));
}

#[test]
fn a_deleted_project_comes_back_by_an_administrator() {
    let world = World::new(spec(), Visibility::Private);
    let path = world.at("/restore");
    let restore = || spec().ask_v4("POST", &path);
    let missing = json!({ "message": "404 Project Not Found" });
    restore().refused(401, json!({ "message": "401 Unauthorized" }));
    // it is there
    restore().by(&world.root).refused(404, missing.clone());
    let issue = world.issue(&world.ann, json!({ "title": "kept", "labels": "a" }));
    let count = |path: String| spec().get(path).by(&world.ann).gives(200).header("X-Total").map(str::to_owned);
    let before = (world.get("").by(&world.ann).gives(200).json, count(world.at("/issues")));
    world.delete("").by(&world.ann).gives(200);
    for person in [&world.ann, &world.bob, &world.eve] {
        restore().by(person).refused(403, json!({ "message": "403 Forbidden" }));
    }
    spec().ask_v4("POST", "/projects/987654321/restore").by(&world.root).refused(404, missing.clone());
    let back = restore().by(&world.root).gives(201).json;
    assert_eq!(back["id"], world.project.id);
    let after = (world.get("").by(&world.ann).gives(200).json, count(world.at("/issues")));
    assert_eq!(after.0["path_with_namespace"], before.0["path_with_namespace"]);
    assert_eq!((&after.0["name_with_namespace"], &after.1), (&before.0["name_with_namespace"], &before.1));
    world.get(&format!("/issues/{}", issue["id"])).by(&world.rae).gives(200);
    restore().by(&world.root).refused(404, missing);
    // another has its path by now
    world.delete("").by(&world.ann).gives(200);
    let place = before.0["path"].as_str().unwrap();
    let namespace = before.0["namespace"]["id"].clone();
    let fields = json!({ "name": place, "path": place, "namespace_id": namespace });
    spec().post("/projects").by(&world.ann).json(fields).gives(201);
    restore().by(&world.root).gives(400);
}

#[test]
fn a_project_comes_back_without_its_tokens_and_no_more_visible_than_its_group() {
    let cast = spec().cast();
    let path = unique("shrunk");
    let group = json!({ "name": path, "path": path, "visibility_level": 20 });
    let group = spec().post("/groups").by(&cast.ann).json(group).gives(201).id();
    let world = World { server: spec(), cast, project: spec().project(&cast.ann, group, Visibility::Public) };
    let token = json!({ "name": "ci", "scopes": ["api"] });
    let token = world.post("/access_tokens").by(&cast.ann).json(token).gives(201).json["token"].clone();
    let with_token = || world.get("").header("PRIVATE-TOKEN", token.as_str().unwrap());
    with_token().gives(200);
    world.delete("").by(&cast.ann).gives(200);
    let private = json!({ "visibility_level": 0 });
    spec().put(format!("/groups/{group}")).by(&cast.ann).json(private).gives(200);
    let back = spec().ask_v4("POST", world.at("/restore")).by(&cast.root).gives(201).json;
    assert_eq!(back["visibility"], "private");
    with_token().gives(401);
}
