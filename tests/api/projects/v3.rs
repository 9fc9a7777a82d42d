//! Projects of v3: creating, showing, listing, changing and deleting them.

use crate::support::{Person, Visibility, World, apart, gitlab, listed, spec, unique};
use serde_json::{Value, json};

fn message(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn a_new_project_needs_a_name_and_a_free_path() {
    let person = spec().person("Pat");
    let post = |body: Value| spec().post("/projects").by(&person).json(body);
    post(json!({})).refused(400, message("400 (Bad request) \"name\" not given"));
    let refused = post(json!({ "name": "a/b", "path": "a b", "visibility_level": 3 })).gives(400).json;
    for field in ["name", "path", "visibility_level"] {
        assert!(refused["message"][field].is_array(), "{field}: {refused}");
    }
    post(json!({ "name": "x", "visibility_level": "high" }))
        .refused(400, json!({ "message": { "visibility_level": ["is invalid"] } }));
    assert_eq!(post(json!({ "name": "My Thing" })).gives(201).json["path"], "my-thing");
    let taken = ["has already been taken"];
    post(json!({ "name": "Other", "path": "MY-thing" }))
        .refused(400, json!({ "message": { "name": taken, "path": taken } }));
}

#[test]
fn no_two_projects_of_a_namespace_have_the_same_name() {
    let pat = spec().person("Pat");
    let group = json!({ "name": unique("band"), "path": unique("band") });
    let group = spec().post("/groups").by(&pat).json(group).gives(201).id();
    let make = |name: &str, path: &str, namespace: i64| {
        let project = json!({ "name": name, "path": path, "namespace_id": namespace });
        spec().post("/projects").by(&pat).json(project)
    };
    let taken = json!({ "message": { "name": ["has already been taken"] } });
    let first = make("Same", "one", pat.id).gives(201).id();
    make("Same", "two", pat.id).refused(400, taken.clone());
    spec()
        .ask_v4("POST", "/projects")
        .by(&pat)
        .json(json!({ "name": "Same", "path": "two" }))
        .refused(400, taken.clone());
    let other = make("same", "two", pat.id).gives(201).id();
    make("Same", "one", group).gives(201);
    let rename =
        |id: i64, name: &str| spec().ask_v4("PUT", format!("/projects/{id}")).by(&pat).json(json!({ "name": name }));
    rename(other, "Same").refused(400, taken.clone());
    rename(first, "Same").gives(200);
    // a deleted project leaves its name, and comes back if nobody has taken it
    spec().delete(format!("/projects/{first}")).by(&pat).gives(200);
    rename(other, "Same").gives(200);
    let restore = || spec().ask_v4("POST", format!("/projects/{first}/restore")).by(&spec().root());
    restore().refused(400, taken);
    rename(other, "Other").gives(200);
    restore().gives(201);
}

#[test]
fn a_new_project_lies_where_its_maker_may_make_some() {
    let world = World::new(spec(), Visibility::Private);
    let path = unique("team");
    let group = json!({ "name": path, "path": path });
    let group = spec().post("/groups").by(&world.ann).json(group).gives(201).id();
    for (person, level) in [(&world.bob, 30), (&world.rae, 20)] {
        let member = json!({ "user_id": person.id, "access_level": level });
        spec().post(format!("/groups/{group}/members")).by(&world.ann).json(member).gives(201);
    }
    let make = |person: &Person, namespace: i64| {
        let new = json!({ "name": unique("p"), "namespace_id": namespace });
        spec().post("/projects").by(person).json(new).send()
    };
    // whether there is such a namespace, the refusal does not tell
    let refusal = json!({ "message": { "namespace": ["is not valid"] } });
    for (person, namespace) in [
        (&world.rae, group),
        (&world.bob, group),
        (&world.eve, group),
        (&world.eve, world.ann.id),
        (&world.eve, 987654321),
    ] {
        let refused = make(person, namespace);
        refused.has_status(400);
        assert_eq!(refused.json, refusal);
    }
    for (person, namespace) in [(&world.ann, group), (&world.bob, world.bob.id), (&world.root, world.eve.id)] {
        let made = make(person, namespace);
        made.has_status(201);
        assert_eq!(made.json["namespace"]["id"], namespace);
        assert_eq!(made.json["creator_id"], person.id);
    }
    let at = format!("/projects/user/{}", world.eve.id);
    spec().post(&at).by(&world.ann).json(json!({ "name": "x" })).gives(403);
    spec().post("/projects/user/987654321").by(&world.root).json(json!({ "name": "x" })).gives(404);
    let made = spec().post(&at).by(&world.root).json(json!({ "name": unique("given") })).gives(201).json;
    assert_eq!((&made["owner"]["id"], &made["creator_id"]), (&json!(world.eve.id), &json!(world.eve.id)));
}

#[test]
fn a_project_says_where_the_git_server_has_it_if_the_server_knows() {
    for (server, http, ssh) in
        [(spec(), "", ""), (gitlab(), "https://git.example.com/{path}.git", "git@git.example.com:{path}.git")]
    {
        let world = World::new(server, Visibility::Private);
        let shown = world.get("").by(&world.ann).gives(200).json;
        let at = |form: &str| form.replace("{path}", &world.project.path);
        assert_eq!((&shown["http_url_to_repo"], &shown["ssh_url_to_repo"]), (&json!(at(http)), &json!(at(ssh))));
    }
}

#[test]
fn a_project_is_shown_whole() {
    let person = spec().person("Whole");
    let new = json!({ "name": "Whole Thing", "path": "whole", "description": "All", "visibility_level": 1 });
    let made = spec().post("/projects").by(&person).json(new).gives(201).json;
    let origin = &spec().origin;
    let full = format!("{}/whole", person.username);
    let expected = json!({
        "id": made["id"], "description": "All", "default_branch": null, "tag_list": [], "public": false,
        "archived": false, "visibility_level": 10, "ssh_url_to_repo": "", "http_url_to_repo": "", "web_url": format!("{origin}/{full}"),
        "owner": { "name": "Whole", "username": person.username, "id": person.id, "state": "active",
            "avatar_url": made["owner"]["avatar_url"], "web_url": format!("{origin}/{}", person.username) },
        "name": "Whole Thing", "name_with_namespace": "Whole / Whole Thing", "path": "whole",
        "path_with_namespace": full, "issues_enabled": true, "merge_requests_enabled": false,
        "wiki_enabled": false, "builds_enabled": true, "snippets_enabled": false,
        "container_registry_enabled": false, "created_at": made["created_at"],
        "last_activity_at": made["created_at"], "shared_runners_enabled": false, "creator_id": person.id,
        "namespace": { "id": person.id, "name": person.username, "path": person.username, "kind": "user",
            "owner_id": person.id, "created_at": made["namespace"]["created_at"],
            "updated_at": made["namespace"]["created_at"], "description": "", "avatar": null },
        "avatar_url": null, "star_count": 0, "forks_count": 0, "open_issues_count": 0, "public_builds": true,
        "shared_with_groups": [], "permissions": { "project_access": null, "group_access": null },
    });
    assert_eq!(made, expected);
    assert_eq!(spec().get(format!("/projects/{}", made["id"])).by(&person).gives(200).json, expected);
}

#[test]
fn a_project_is_shown_by_number_and_by_path() {
    let world = World::new(spec(), Visibility::Private);
    let by_number = world.get("").by(&world.ann).gives(200);
    let path = format!("/projects/{}", world.project.path.replace('/', "%2F"));
    let by_path = spec().get(path).by(&world.ann).gives(200);
    assert_eq!(by_number.json, by_path.json);
    assert_eq!(by_number.json["path_with_namespace"], world.project.path);
    assert_eq!(by_number.json["permissions"]["group_access"]["access_level"], 50);
    assert!(by_number.json.get("owner").is_none());
    let guest = world.get("").by(&world.gus).gives(200).json;
    assert_eq!(guest["permissions"]["project_access"], json!({ "access_level": 10, "notification_level": 3 }));
}

#[test]
fn the_number_of_open_issues_hides_what_is_confidential() {
    let world = World::new(spec(), Visibility::Public);
    world.issue(&world.ann, json!({ "title": "a" }));
    world.issue(&world.ann, json!({ "title": "b", "confidential": true }));
    let count = |person| world.get("").by(person).gives(200).json["open_issues_count"].clone();
    for (person, number) in [(&world.ann, 2), (&world.rae, 2), (&world.gus, 1), (&world.eve, 1), (&world.root, 2)] {
        assert_eq!(count(person), number, "{}", person.name);
    }
}

#[test]
fn a_personal_namespace_holds_only_so_many_projects() {
    let name = unique("small");
    let root = &spec().cast().root;
    let user = json!({ "email": format!("{name}@example.com"), "username": name, "name": "S", "projects_limit": 1 });
    let id = spec().post("/users").by(root).json(user).gives(201).id();
    let token = spec().post(format!("/users/{id}/personal_access_tokens")).by(root).json(json!({ "name": "t" }));
    let token = token.gives(201).json["token"].as_str().unwrap().to_owned();
    let make = |name: &str| {
        spec().post("/projects").header("PRIVATE-TOKEN", token.clone()).json(json!({ "name": name })).send()
    };
    let first = make("One thing");
    first.has_status(201);
    assert_eq!(first.json["owner"]["id"], id);
    let refused = make("Two");
    refused.has_status(403);
    let text = "Your project limit is 1 projects! Please contact your administrator to increase it";
    assert_eq!(refused.json, message(text));
    // what is deleted counts no longer, and its path is free
    let at = format!("/projects/{}", first.id());
    for (status, body) in [(200, json!(true)), (404, message("404 Project Not Found"))] {
        let deleted = spec().delete(&at).header("PRIVATE-TOKEN", token.clone()).gives(status);
        assert_eq!(deleted.json, body);
    }
    make("One thing").has_status(201);
    make("Two").has_status(403);
}

#[test]
fn the_settings_govern_number_and_visibility_of_projects() {
    let apart = apart();
    let server = apart.server;
    let cast = server.cast();
    let settings = |body: Value| server.put("/application/settings").by(&cast.root).json(body).gives(200);
    let none = json!({ "projects_limit": null });
    server.put(format!("/users/{}", cast.bob.id)).by(&cast.root).json(none).gives(200);
    let make = |person: &Person, level: Value| {
        let new = json!({ "name": unique("v"), "visibility_level": level });
        server.post("/projects").by(person).json(new).send()
    };
    settings(
        json!({ "default_project_visibility": 1, "default_projects_limit": 2, "restricted_visibility_levels": [2] }),
    );
    let made = make(&cast.bob, json!(null));
    made.has_status(201);
    assert_eq!(made.json["visibility_level"], 10);
    let refusal = json!({ "message": { "visibility_level": ["public has been restricted by your administrator"] } });
    for level in [2, 20] {
        let refused = make(&cast.bob, json!(level));
        refused.has_status(400);
        assert_eq!(refused.json, refusal);
    }
    let at = format!("/projects/{}", made.id());
    server.put(&at).by(&cast.bob).json(json!({ "visibility_level": 20 })).refused(400, refusal.clone());
    server.put(&at).by(&cast.bob).json(json!({ "public": true })).refused(400, refusal.clone());
    let group = json!({ "name": "g", "path": unique("g"), "visibility_level": 20 });
    server.post("/groups").by(&cast.bob).json(group).refused(400, refusal);
    // administrators are not bound, and what is so already stays
    assert_eq!(server.put(&at).by(&cast.root).json(json!({ "public": true })).gives(200).json["public"], true);
    let same = json!({ "visibility_level": 20, "description": "d" });
    assert_eq!(server.put(&at).by(&cast.bob).json(same).gives(200).json["description"], "d");
    make(&cast.root, json!(20)).has_status(201);
    make(&cast.bob, json!(0)).has_status(201);
    make(&cast.bob, json!(0)).has_status(403);
    settings(json!({ "default_projects_limit": 3 }));
    make(&cast.bob, json!(0)).has_status(201);
}

#[test]
fn what_masters_change_and_what_owners_do() {
    let world = World::new(spec(), Visibility::Private);
    let max = spec().person("Max");
    world.admit(&max, 40);
    let edit = json!({ "name": "New Name", "description": "New", "issues_enabled": false, "builds_enabled": "no" });
    let edited = world.put("").by(&max).json(edit).gives(200).json;
    assert_eq!((&edited["name"], &edited["description"]), (&json!("New Name"), &json!("New")));
    assert!(edited["name_with_namespace"].as_str().unwrap().ends_with(" / New Name"));
    assert_eq!((&edited["issues_enabled"], &edited["builds_enabled"]), (&json!(false), &json!(false)));
    assert!(edited.get("open_issues_count").is_none());
    // the same level is no change
    world.put("").by(&max).json(json!({ "visibility_level": 0 })).gives(200);
    world.put("").by(&max).json(json!({ "visibility_level": 20 })).gives(403);
    world.delete("").by(&max).gives(403);
    assert_eq!(world.put("").by(&world.ann).json(json!({ "visibility_level": 20 })).gives(200).json["public"], true);
    let cleared = world.put("").by(&max).json(json!({ "description": "" })).gives(200).json;
    assert_eq!(cleared["description"], json!(null));
    world
        .put("")
        .by(&max)
        .json(json!({ "name": " ", "default_branch": "nope" }))
        .refused(400, json!({ "message": { "name": ["can't be blank"] } }));
    world
        .put("")
        .by(&max)
        .json(json!({ "default_branch": "nope" }))
        .refused(400, json!({ "message": { "default_branch": ["is invalid"] } }));
    assert_eq!(world.delete("").by(&world.ann).gives(200).json, true);
    world.get("").by(&world.root).refused(404, message("404 Project Not Found"));
}

#[test]
fn a_projects_new_path_is_its_new_address() {
    let person = spec().person("Mover");
    let make = |name: &str| spec().post("/projects").by(&person).json(json!({ "name": name })).gives(201).id();
    let (first, _) = (make("first"), make("second"));
    let at = format!("/projects/{first}");
    let taken = ["has already been taken"];
    spec()
        .put(&at)
        .by(&person)
        .json(json!({ "path": "Second" }))
        .refused(400, json!({ "message": { "name": taken, "path": taken } }));
    let moved = spec().put(&at).by(&person).json(json!({ "path": "Third" })).gives(200).json;
    assert_eq!(moved["path_with_namespace"], format!("{}/Third", person.username));
    assert_eq!(moved["name"], "first");
    spec().get(format!("/projects/{}%2Fthird", person.username)).by(&person).gives(200);
    spec().get(format!("/projects/{}%2Ffirst", person.username)).by(&person).gives(404);
}

#[test]
fn lists_hold_what_is_the_callers_or_what_they_may_see() {
    let cast = spec().cast();
    let (owner, member) = (spec().person("Lisa"), spec().person("Lars"));
    let mark = unique("list");
    let path = unique("lg");
    let group = json!({ "name": path, "path": path, "visibility_level": 10 });
    let group = spec().post("/groups").by(&owner).json(group).gives(201).id();
    let make = |at: i64, namespace: i64, level: i64| {
        let name = format!("{mark}-{}", ["c", "a", "d", "b"][at as usize]);
        let new = json!({ "name": name, "namespace_id": namespace, "visibility_level": level });
        spec().post("/projects").by(&owner).json(new).gives(201).id()
    };
    let ids = [make(0, owner.id, 0), make(1, owner.id, 20), make(2, group, 0), make(3, group, 10)];
    let add = json!({ "user_id": member.id, "access_level": 20 });
    spec().post(format!("/projects/{}/members", ids[2])).by(&owner).json(add).gives(201);
    let list = |path: &str, query: &str, person: &Person| {
        spec().get(format!("/projects{path}?search={mark}&{query}")).by(person).gives(200)
    };
    let found = |path: &str, query: &str, person| listed(&format!("/projects{path}?search={mark}&{query}"), person);
    let [c, a, d, b] = ids;
    let mine = list("", "", &owner);
    assert_eq!(mine.each("id"), [b, d, a, c]);
    assert_eq!(mine.header("X-Total"), Some("4"));
    assert_eq!(list("", "order_by=name&sort=asc", &owner).each("id"), [a, b, c, d]);
    assert_eq!(list("", "order_by=id&sort=asc&per_page=3&page=2", &owner).each("id"), [b]);
    assert_eq!(list("", "visibility=private", &owner).each("id"), [d, c]);
    assert!(list("", "archived=true", &owner).each("id").is_empty());
    assert_eq!(list("", "archived=no", &owner).each("id").len(), 4);
    spec()
        .get("/projects?order_by=size")
        .by(&owner)
        .refused(400, json!({ "error": "order_by does not have a valid value (id, name, path, created_at, updated_at, last_activity_at)" }));
    assert_eq!(list("/owned", "", &owner).each("id"), [a, c]);
    assert_eq!(list("", "", &member).each("id"), [d]);
    assert!(list("/owned", "", &member).each("id").is_empty());
    assert_eq!(found("/visible", "", &member), [b, d, a]);
    assert_eq!(found("/visible", "", &owner), [b, d, a, c]);
    assert_eq!(list("/visible", "sort=asc&per_page=2&page=2", &owner).each("id"), [d, b]);
    assert_eq!(found("/visible", "per_page=1", &cast.eve), [b, a]);
    assert_eq!(found("/all", "", &cast.root), [b, d, a, c]);
    assert_eq!(found("/all", "visibility=public", &cast.root), [a]);
    // what is deleted is in no list
    spec().delete(format!("/projects/{b}")).by(&owner).gives(200);
    for (path, person) in [("", &owner), ("/visible", &owner), ("/all", &cast.root)] {
        assert!(!found(path, "", person).contains(&json!(b)), "{path}");
    }
}

#[test]
fn owners_lay_a_project_in_the_archive_and_take_it_out() {
    let world = World::new(spec(), Visibility::Public);
    for (verb, archived) in [("/archive", true), ("/archive", true), ("/unarchive", false)] {
        assert_eq!(world.post(verb).by(&world.ann).gives(201).json["archived"], archived);
        let query = format!("/projects?archived={archived}&per_page=100");
        let listed = spec().get(query).by(&world.gus).gives(200).each("id");
        assert!(listed.contains(&json!(world.project.id)));
    }
}
