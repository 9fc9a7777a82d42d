//! What the settings change, from the next request on.

use super::put;
use crate::support::{Answer, Server, Visibility, apart, unique};
use serde_json::{Value, json};

/// A new user with this e-mail domain.
fn sign_up(server: &'static Server, domain: &str) -> Answer {
    let username = unique("new");
    let user = json!({ "username": username, "name": "New", "email": format!("{username}@{domain}") });
    server.post("/users").by(&server.root()).json(user).send()
}

#[test]
fn the_projects_limit_binds_who_has_none_of_their_own() {
    let apart = apart();
    let server = apart.server;
    let ann = server.person("Ann");
    let none = json!({ "projects_limit": null });
    server.put(format!("/users/{}", ann.id)).by(&server.root()).json(none).gives(200);
    let new = || json!({ "name": unique("project") });
    put(server).json(json!({ "default_projects_limit": 1 })).gives(200);
    server.post("/projects").by(&ann).json(new()).gives(201);
    server.post("/projects").by(&ann).json(new()).gives(403);
    put(server).json(json!({ "default_projects_limit": 2 })).gives(200);
    server.post("/projects").by(&ann).json(new()).gives(201);
    server.post("/projects").by(&ann).json(new()).gives(403);
}

#[test]
fn the_default_visibility_is_that_of_a_project_without_one() {
    let apart = apart();
    let server = apart.server;
    let ann = server.person("Ann");
    for (level, shown) in [(1, 10), (2, 20), (0, 0)] {
        put(server).json(json!({ "default_project_visibility": level })).gives(200);
        let made = server.post("/projects").by(&ann).json(json!({ "name": unique("project") })).gives(201);
        assert_eq!(made.json["visibility_level"], shown);
    }
}

#[test]
fn restricted_levels_bind_all_but_administrators() {
    let apart = apart();
    let server = apart.server;
    let ann = server.person("Ann");
    put(server).json(json!({ "restricted_visibility_levels": [2] })).gives(200);
    let new = |level: Visibility| json!({ "name": unique("project"), "visibility_level": level as i64 });
    let refusal = server.post("/projects").by(&ann).json(new(Visibility::Public)).gives(400);
    assert!(refusal.json["message"]["visibility_level"].is_array(), "{}", refusal.text);
    server.post("/projects").by(&ann).json(new(Visibility::Internal)).gives(201);
    server.post("/projects").by(&server.root()).json(new(Visibility::Public)).gives(201);
    put(server).json(json!({ "restricted_visibility_levels": null })).gives(200);
    server.post("/projects").by(&ann).json(new(Visibility::Public)).gives(201);
}

#[test]
fn avatars_are_shown_while_they_are_enabled() {
    let apart = apart();
    let server = apart.server;
    let picture = || server.get("/user").by(&server.root()).gives(200).json["avatar_url"].clone();
    assert!(picture().as_str().is_some_and(|address| address.contains("gravatar.com/avatar/")));
    put(server).json(json!({ "avatar_enabled": false })).gives(200);
    assert_eq!(picture(), Value::Null);
    put(server).json(json!({ "gravatar_enabled": true })).gives(200);
    assert_ne!(picture(), Value::Null);
}

#[test]
fn the_domain_lists_say_who_may_sign_up() {
    let apart = apart();
    let server = apart.server;
    put(server).json(json!({ "domain_whitelist": ["Example.com", "*.example.org"] })).gives(200);
    for (domain, status) in [("example.com", 201), ("a.EXAMPLE.org", 201), ("example.org", 400), ("evil.com", 400)] {
        sign_up(server, domain).has_status(status);
    }
    let blacklist = json!({
        "domain_whitelist": [], "domain_blacklist": ["evil.com", "*.evil.com"], "domain_blacklist_enabled": true
    });
    put(server).json(blacklist).gives(200);
    for (domain, status) in [("example.com", 201), ("evil.com", 400), ("very.evil.com", 400)] {
        sign_up(server, domain).has_status(status);
    }
    put(server).json(json!({ "domain_blacklist_enabled": false })).gives(200);
    sign_up(server, "evil.com").has_status(201);
}
