use super::{made, tagged};
use crate::support::v4::{ask, names};
use crate::support::{Visibility, World};
use serde_json::{Value, json};

const AT: &str = "/releases/v1/assets/links";

fn released(visibility: Visibility) -> World {
    let world = tagged(visibility);
    made(&world, json!({ "tag_name": "v1" }));
    world
}

fn added(world: &World, fields: Value) -> Value {
    ask(world, "POST", AT).by(&world.bob).json(fields).gives(201).json
}

#[test]
fn developers_write_links_and_all_who_see_the_project_list_them() {
    let world = released(Visibility::Private);
    let link = added(&world, json!({ "name": "a", "url": "https://a" }));
    let one = format!("{AT}/{}", link["id"]);
    for (verb, path) in [("POST", AT), ("PUT", &one), ("DELETE", &one)] {
        let fields = json!({ "name": "x", "url": "https://x" });
        ask(&world, verb, path).json(fields.clone()).gives(401);
        ask(&world, verb, path).by(&world.eve).json(fields.clone()).gives(404);
        ask(&world, verb, path).by(&world.rae).json(fields).gives(403);
    }
    for path in [AT, &one] {
        ask(&world, "GET", path).gives(404);
        ask(&world, "GET", path).by(&world.eve).gives(404);
        ask(&world, "GET", path).by(&world.gus).gives(200);
    }
    // those who see tags may know that there is no release
    for path in ["/releases/v2/assets/links", "/releases/none/assets/links"] {
        ask(&world, "GET", path).by(&world.rae).refused(404, json!({ "message": "404 Not found" }));
        assert_eq!(ask(&world, "GET", path).by(&world.gus).gives(200).json, json!([]));
    }
    let other = released(Visibility::Private);
    for verb in ["GET", "PUT", "DELETE"] {
        let fields = json!({ "name": "x" });
        ask(&other, verb, &one).by(&other.ann).json(fields).refused(404, json!({ "message": "404 Not found" }));
    }
}

#[test]
fn links_come_with_a_new_release_in_json_and_in_a_form() {
    let world = tagged(Visibility::Public);
    let links = json!([
        { "name": "tool", "url": "https://a/tool", "direct_asset_path": "/bin/tool", "link_type": "package" },
        { "name": "notes", "url": format!("{}/x", "https://b"), "filepath": "/notes" },
    ]);
    let release = made(&world, json!({ "tag_name": "v1", "assets": { "links": links } }));
    let shown = &release["assets"]["links"];
    assert_eq!(
        release["assets"]["count"],
        shown.as_array().unwrap().len() + release["assets"]["sources"].as_array().unwrap().len()
    );
    assert_eq!(names(&shown[0]), "direct_asset_url external id link_type name url");
    assert_eq!([&shown[0]["name"], &shown[1]["name"], &shown[1]["link_type"]], ["notes", "tool", "package"]);
    let direct = shown[1]["direct_asset_url"].as_str().unwrap();
    assert!(direct.ends_with(&format!("/{}/-/releases/v1/downloads/bin/tool", world.project.path)), "{direct}");
    let form = [
        ("tag_name", "v2"),
        ("assets[links][][name]", "a"),
        ("assets[links][][url]", "https://a"),
        ("assets[links][][name]", "b"),
        ("assets[links][][url]", "https://b"),
    ];
    let release = ask(&world, "POST", "/releases").by(&world.bob).form(&form).gives(201).json;
    assert_eq!(release["assets"]["links"][0]["name"], "b");
    assert_eq!(release["assets"]["links"][1]["url"], "https://a");
}

#[test]
fn a_wrong_link_is_refused_with_sentences_and_nothing_is_stored() {
    let world = tagged(Visibility::Private);
    let post = |links: Value| {
        let fields = json!({ "tag_name": "v1", "assets": { "links": links } });
        ask(&world, "POST", "/releases").by(&world.bob).json(fields)
    };
    let twice = json!([{ "name": "a", "url": "https://a" }, { "name": "a", "url": "https://b" }]);
    post(twice).refused(400, json!({ "message": "Validation failed: Links have duplicate values (a)" }));
    let blocked = json!({ "message": ["Url is blocked: Only allowed schemes are http, https, ftp"] });
    post(json!([{ "name": "a", "url": "javascript:alert(1)" }])).refused(400, blocked.clone());
    post(json!([{ "name": "a" }])).refused(400, json!({ "error": "assets[links][0][url] is missing" }));
    let kind = json!([{ "name": "a", "url": "https://a", "link_type": "x" }]);
    post(kind).refused(400, json!({ "error": "assets[links][0][link_type] does not have a valid value" }));
    post(json!("x")).refused(400, json!({ "error": "assets is invalid" }));
    post(json!(["x"])).refused(400, json!({ "error": "assets is invalid" }));
    ask(&world, "GET", "/releases/v1").by(&world.bob).gives(404);
    made(&world, json!({ "tag_name": "v1" }));
    let refused = |fields: Value, answer: Value| {
        ask(&world, "POST", AT).by(&world.bob).json(fields).refused(400, answer);
    };
    refused(json!({ "name": "a", "url": "x" }), blocked);
    let text = "Filepath is in an invalid format";
    refused(json!({ "name": "a", "url": "https://a", "filepath": "a" }), json!({ "message": [text] }));
    refused(
        json!({ "name": "a", "url": "https://a", "link_type": "x" }),
        json!({ "error": "link_type does not have a valid value" }),
    );
    added(&world, json!({ "name": "a", "url": "https://a", "filepath": "/a" }));
    let taken = ["Url has already been taken", "Name has already been taken", "Filepath has already been taken"];
    refused(json!({ "name": "a", "url": "https://a", "filepath": "/a" }), json!({ "message": taken }));
}

#[test]
fn a_link_is_changed_and_deleted_and_returned() {
    let world = released(Visibility::Private);
    let link = added(&world, json!({ "name": "a", "url": "https://a", "direct_asset_path": "/a" }));
    added(&world, json!({ "name": "b", "url": "https://b" }));
    let one = format!("{AT}/{}", link["id"]);
    let list = ask(&world, "GET", AT).by(&world.gus).gives(200);
    assert_eq!((list.each("name"), list.header("X-Total")), (vec![json!("b"), json!("a")], Some("2")));
    let put = |fields: Value| ask(&world, "PUT", &one).by(&world.bob).json(fields);
    let missing = json!({ "error": "name, url are missing, at least one parameter must be provided" });
    put(json!({ "link_type": "image" })).refused(400, missing);
    put(json!({ "name": "b" })).refused(400, json!({ "message": ["Name has already been taken"] }));
    let changed = put(json!({ "name": "c", "link_type": "image" })).gives(200).json;
    assert_eq!([&changed["name"], &changed["url"], &changed["link_type"]], ["c", "https://a", "image"]);
    assert_eq!(changed["direct_asset_url"], link["direct_asset_url"]);
    assert_eq!(ask(&world, "GET", &one).by(&world.gus).gives(200).json, changed);
    assert_eq!(ask(&world, "DELETE", &one).by(&world.bob).gives(200).json, changed);
    ask(&world, "GET", &one).by(&world.gus).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn a_path_of_a_link_leads_to_its_address() {
    let world = released(Visibility::Private);
    added(&world, json!({ "name": "a", "url": "https://a.example/x?y=ü", "filepath": "/bin/a" }));
    for path in ["/releases/v1/downloads/bin/a", "/releases/v1/downloads/bin%2Fa"] {
        let answer = ask(&world, "GET", path).by(&world.rae).gives(302);
        assert_eq!(answer.header("Location"), Some("https://a.example/x?y=%C3%BC"), "{path}");
        ask(&world, "GET", path).by(&world.gus).gives(403);
        ask(&world, "GET", path).by(&world.eve).gives(404);
    }
    let absent = json!({ "message": "404 Not found" });
    ask(&world, "GET", "/releases/v1/downloads/bin/b").by(&world.rae).refused(404, absent);
}

#[test]
fn a_release_has_100_links_and_20_milestones_at_most() {
    let world = tagged(Visibility::Private);
    let link = |n: usize| json!({ "name": format!("n{n}"), "url": format!("https://{n}") });
    let post = |number: usize| {
        let links: Vec<Value> = (0..number).map(link).collect();
        ask(&world, "POST", "/releases").by(&world.bob).json(json!({ "tag_name": "v1", "assets": { "links": links } }))
    };
    let full = json!({ "message": "400 Bad request - A release has at most 100 links" });
    post(101).refused(400, full.clone());
    post(100).gives(201);
    ask(&world, "POST", AT).by(&world.bob).json(link(100)).refused(400, full);
    let titles: Vec<String> = (0..21).map(|n| format!("m{n}")).collect();
    let many = json!({ "message": "400 Bad request - A release has at most 20 milestones" });
    ask(&world, "PUT", "/releases/v1").by(&world.bob).json(json!({ "milestones": titles })).refused(400, many);
}
