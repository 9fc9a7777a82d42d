//! Badges of a project, which have addresses of their own.

use crate::support::git::{line, sha};
use crate::support::v4::{ask, names};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

const FIELDS: &str = "id image_url kind link_url name rendered_image_url rendered_link_url";

fn addresses() -> Value {
    json!({ "link_url": "https://example.com/%{project_path}", "image_url": "http://example.com/a.svg" })
}

fn made(world: &World, fields: Value) -> Value {
    ask(world, "POST", "/badges").by(&world.ann).json(fields).gives(201).json
}

/// What a badge with this address leads to, as that person sees it.
fn filled(world: &World, badge: &Value, person: Option<&Person>) -> Value {
    let ask = ask(world, "GET", &format!("/badges/{}", badge["id"]));
    let answer: Answer = match person {
        Some(person) => ask.by(person).gives(200),
        None => ask.gives(200),
    };
    answer.json["rendered_link_url"].clone()
}

#[test]
fn badges_are_made_and_changed_by_masters_and_read_by_all_who_see_the_project() {
    let world = World::new(spec(), Visibility::Private);
    let badge = made(&world, addresses());
    let path = format!("/badges/{}", badge["id"]);
    for (verb, path, status) in [
        ("GET", "/badges", 200),
        ("GET", path.as_str(), 200),
        ("GET", "/badges/render?link_url=https%3A%2F%2Fx&image_url=https%3A%2F%2Fx", 403),
        ("POST", "/badges", 403),
        ("PUT", path.as_str(), 403),
        ("DELETE", path.as_str(), 403),
    ] {
        let missing = json!({ "message": "404 Project Not Found" });
        ask(&world, verb, path).by(&world.eve).json(addresses()).refused(404, missing);
        ask(&world, verb, path).by(&world.bob).json(addresses()).gives(status);
        let refused = if status == 200 { 404 } else { 401 };
        ask(&world, verb, path).json(addresses()).gives(refused);
    }
    let other = World::new(spec(), Visibility::Private);
    for verb in ["GET", "PUT", "DELETE"] {
        ask(&other, verb, &path).by(&world.ann).refused(404, json!({ "message": "404 Badge Not Found" }));
    }
}

#[test]
fn an_address_of_a_badge_is_one_of_the_web() {
    let world = World::new(spec(), Visibility::Private);
    let missing = json!({ "error": "link_url is missing, image_url is missing" });
    ask(&world, "POST", "/badges").by(&world.ann).json(json!({})).refused(400, missing.clone());
    ask(&world, "GET", "/badges/render").by(&world.ann).refused(400, missing);
    let blocked = || json!({ "message": { "link_url": ["is blocked: Only allowed schemes are http, https"] } });
    let badge = made(&world, addresses());
    for address in [
        "javascript:alert(1)",
        "ftp://x",
        "example.com",
        "https://",
        "https:///x",
        "http://:80/",
        "http://?x",
        "https://a b",
        "https://a\u{1}",
    ] {
        let fields = json!({ "link_url": address, "image_url": "https://x" });
        ask(&world, "POST", "/badges").by(&world.ann).json(fields).refused(400, blocked());
        let change = json!({ "link_url": address });
        ask(&world, "PUT", &format!("/badges/{}", badge["id"])).by(&world.ann).json(change).refused(400, blocked());
    }
}

#[test]
fn a_badge_is_listed_changed_and_removed() {
    let world = World::new(spec(), Visibility::Public);
    let one = made(&world, json!({ "name": "one", "link_url": "https://a", "image_url": "https://b" }));
    assert_eq!(names(&one), FIELDS);
    assert_eq!((&one["kind"], &one["name"]), (&json!("project"), &json!("one")));
    let two = made(&world, addresses());
    assert_eq!(two["name"], Value::Null);
    let all = ask(&world, "GET", "/badges").gives(200);
    assert_eq!((&all.json, all.header("X-Total")), (&json!([one, two]), Some("2")));
    let named = ask(&world, "GET", "/badges?name=one").gives(200);
    assert_eq!((&named.json, named.header("X-Total")), (&json!([one]), Some("1")));
    let path = format!("/badges/{}", one["id"]);
    let changed = ask(&world, "PUT", &path).by(&world.ann).json(json!({ "image_url": "https://c" })).gives(200).json;
    assert_eq!([&changed["name"], &changed["link_url"], &changed["image_url"]], ["one", "https://a", "https://c"]);
    assert_eq!(ask(&world, "GET", &path).gives(200).json, changed);
    ask(&world, "DELETE", &path).by(&world.ann).gives(204);
    assert_eq!(ask(&world, "GET", "/badges").gives(200).json, json!([two]));
}

#[test]
fn placeholders_stand_for_what_the_caller_may_read() {
    let world = World::new(spec(), Visibility::Private);
    let path = &world.project.path;
    let (namespace, name) = path.split_once('/').unwrap();
    let id = world.project.id;
    let fields = |link: &str| json!({ "link_url": format!("https://x/{link}"), "image_url": "https://x" });
    let all = "%{project_path}/%{project_name}/%{project_id}/%{project_namespace}/%{unknown}/%{default_branch/%{default_branch}";
    let badge = made(&world, fields(all));
    let before = format!("https://x/{path}/{name}/{id}/{namespace}/%{{unknown}}/%{{default_branch/");
    assert_eq!(filled(&world, &badge, Some(&world.gus)), before);
    let commit = made(&world, fields("%{commit_sha}/%{latest_tag}"));
    assert_eq!(filled(&world, &commit, Some(&world.ann)), "https://x//");
    let tips = [("refs/heads/master", sha(3)), ("refs/tags/v1", sha(3)), ("refs/tags/v2", sha(2))];
    world.push(&line(3), &tips.each_ref().map(|(name, sha)| (*name, sha.as_str())));
    assert_eq!(filled(&world, &badge, Some(&world.gus)), format!("{before}master"));
    assert_eq!(filled(&world, &commit, Some(&world.rae)), format!("https://x/{}/v1", sha(3)));
    // guests of a private project read no commits
    assert_eq!(filled(&world, &commit, Some(&world.gus)), "https://x//");
    let query = "link_url=https%3A%2F%2Fx%2F%25%7Bproject_id%7D&image_url=https%3A%2F%2Fx%2F%25%7Bproject_title%7D";
    let shown = ask(&world, "GET", &format!("/badges/render?{query}")).by(&world.ann).gives(200).json;
    assert_eq!(names(&shown), "image_url link_url rendered_image_url rendered_link_url");
    assert_eq!(shown["rendered_link_url"], format!("https://x/{id}"));
}

#[test]
fn a_project_has_100_badges_at_most() {
    let world = World::new(spec(), Visibility::Private);
    let full = spec().tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 99)
        insert into badges (project_id, link_url, image_url, created_at) select {}, 'https://a', 'https://b', 0 from n",
        world.project.id
    ));
    if full {
        made(&world, addresses());
        let refused = json!({ "message": "400 Bad request - A project has at most 100 badges" });
        ask(&world, "POST", "/badges").by(&world.ann).json(addresses()).refused(400, refused);
    }
}
