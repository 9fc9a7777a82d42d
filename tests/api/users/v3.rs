//! Users and the tokens that they come in with (behaviour 2 and 5.4).

use crate::support::{Person, apart, listed, spec, unique};
use serde_json::{Value, json};

#[test]
fn a_new_user_is_made_by_administrators_alone() {
    let cast = spec().cast();
    let name = unique("new");
    let user = json!({ "email": format!("{name}@example.com"), "username": name, "name": "New" });
    let made = spec().post("/users").by(&cast.root).json(user.clone()).gives(201);
    assert_eq!(made.json["username"], name);
    assert_eq!(made.json["email"], format!("{name}@example.com"));
    assert_eq!(made.json["projects_limit"], 10);
    spec().post("/users").by(&cast.root).json(user).refused(409, json!({ "message": "Email has already been taken" }));
    let other = json!({ "email": format!("{name}@example.org"), "username": name.to_uppercase(), "name": "New" });
    spec()
        .post("/users")
        .by(&cast.root)
        .json(other)
        .refused(409, json!({ "message": "Username has already been taken" }));
}

#[test]
fn whoever_has_a_token_is_shown_himself() {
    let cast = spec().cast();
    let own = spec().get("/user").by(&cast.ann).gives(200).json;
    assert_eq!(own["id"], cast.ann.id);
    assert_eq!(own["email"], cast.ann.email);
    assert_eq!(own["is_admin"], false);
    assert_eq!(spec().get("/user").by(&cast.root).gives(200).json["is_admin"], true);
}

fn message(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn every_fault_of_a_new_user_is_told_at_once() {
    let root = &spec().cast().root;
    let post = |body: Value| spec().post("/users").by(root).json(body);
    post(json!({ "name": "N", "username": "n" })).refused(400, message("400 (Bad request) \"email\" not given"));
    post(json!({ "email": "a@b", "username": "n" })).refused(400, message("400 (Bad request) \"name\" not given"));
    post(json!({ "email": "a@b", "name": "N", "username": " " }))
        .refused(400, message("400 (Bad request) \"username\" not given"));
    for email in ["nobody", "@example.com", "a@", "a@b@c", "a b@example.com"] {
        let body = json!({ "email": email, "name": "N", "username": "-n", "projects_limit": -1 });
        let refused = post(body).gives(400).json;
        assert_eq!(refused["message"]["email"], json!(["is invalid"]), "{email}");
        assert_eq!(refused["message"]["projects_limit"], json!(["must be greater than or equal to 0"]));
        assert!(refused["message"]["username"].is_array());
    }
    let long = "x".repeat(256);
    let refused = post(json!({ "email": "a@b", "name": long, "username": long, "bio": long })).gives(400).json;
    for field in ["name", "username", "bio"] {
        assert_eq!(refused["message"][field], json!(["is too long (maximum is 255 characters)"]), "{field}");
    }
}

#[test]
fn the_settings_say_whose_mail_may_sign_up() {
    let apart = apart();
    let server = apart.server;
    let root = &server.cast().root;
    let settings = |body: Value| server.put("/application/settings").by(root).json(body).gives(200);
    let status = |domain: &str| {
        let name = unique("mail");
        let user = json!({ "email": format!("{name}@{domain}"), "username": name, "name": "M" });
        server.post("/users").by(root).json(user).send()
    };
    settings(json!({ "domain_blacklist_enabled": true, "domain_blacklist": ["evil.com", "*.evil.com"] }));
    for (domain, expected) in [("evil.com", 400), ("www.EVIL.com", 400), ("good.com", 201), ("notevil.com", 201)] {
        status(domain).has_status(expected);
    }
    assert_eq!(status("evil.com").json, json!({ "message": { "email": ["is not from an allowed domain."] } }));
    settings(json!({ "domain_blacklist_enabled": false }));
    status("evil.com").has_status(201);
    settings(json!({ "domain_blacklist_enabled": true, "domain_whitelist": ["*.good.com", "www.evil.com"] }));
    for (domain, expected) in [("www.good.com", 201), ("www.evil.com", 201), ("good.com", 400), ("else.com", 400)] {
        status(domain).has_status(expected);
    }
    let refused = json!({ "message": { "email": ["domain is not authorized for sign-up"] } });
    assert_eq!(status("good.com").json, refused);
}

#[test]
fn a_website_is_an_address_of_the_web() {
    let root = spec().root();
    let person = spec().person("Web");
    let invalid = json!({ "message": { "website_url": ["must be a valid URL"] } });
    for address in ["javascript:alert(1)", "http://", "https://a b/", "w"] {
        let put = spec().put(format!("/users/{}", person.id)).by(&root).json(json!({ "website_url": address }));
        put.refused(400, invalid.clone());
        let name = unique("web");
        let new = json!({ "name": name, "username": name, "email": format!("{name}@example.org"),
            "password": "12345678", "website_url": address });
        spec().ask_v4("POST", "/users").by(&root).json(new).refused(400, invalid.clone());
    }
    for address in ["https://example.org/~web", ""] {
        let put = spec().put(format!("/users/{}", person.id)).by(&root).json(json!({ "website_url": address }));
        assert_eq!(put.gives(200).json["website_url"], address);
    }
}

#[test]
fn the_forms_of_a_user_are_for_himself_administrators_and_others() {
    let cast = spec().cast();
    let person = spec().person("Fred");
    let edit = json!({ "projects_limit": null, "bio": "b", "location": "l", "skype": "s", "twitter": "t", "linkedin": "i", "website_url": "https://w.example" });
    spec().put(format!("/users/{}", person.id)).by(&cast.root).json(edit).gives(200);
    let at = format!("/users/{}", person.id);
    let seen = spec().get(&at).by(&cast.eve).gives(200).json;
    let own = spec().get("/user").by(&person).gives(200).json;
    assert_eq!(seen["created_at"], own["created_at"]);
    let full = json!({
        "name": "Fred", "username": person.username, "id": person.id, "state": "active",
        "avatar_url": own["avatar_url"], "web_url": format!("{}/{}", spec().origin, person.username),
        "created_at": own["created_at"], "is_admin": false, "bio": "b", "location": "l", "skype": "s",
        "linkedin": "i", "twitter": "t", "website_url": "https://w.example",
    });
    assert_eq!(seen, full);
    let mut expected = full;
    let more = json!({
        "last_sign_in_at": null, "confirmed_at": own["created_at"], "email": person.email, "theme_id": 1,
        "color_scheme_id": 1, "projects_limit": 10, "current_sign_in_at": null, "identities": [],
        "can_create_group": true, "can_create_project": true, "two_factor_enabled": false, "external": false,
    });
    expected.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    assert_eq!(own, expected);
    assert_eq!(spec().get(&at).by(&cast.root).gives(200).json, own);
    spec().get("/users/987654321").by(&cast.eve).refused(404, message("404 User Not Found"));
    spec().get("/users/ann").by(&cast.eve).gives(404);
}

#[test]
fn users_are_found_by_name_and_never_by_anothers_mail() {
    let cast = spec().cast();
    let mark = unique("find");
    let make = |at: i64| {
        let user = json!({ "email": format!("{mark}.{at}@mail.test"), "username": unique("f"), "name": format!("{mark} {at}") });
        spec().post("/users").by(&cast.root).json(user).gives(201).json
    };
    let made: Vec<Value> = (0..5).map(make).collect();
    let ids: Vec<Value> = made.iter().map(|user| user["id"].clone()).collect();
    let list = |query: String, person: &Person| spec().get(format!("/users?{query}")).by(person).gives(200);
    let found = |query: &str, person| listed(&format!("/users?search={mark}{query}"), person);
    assert_eq!(listed(&format!("/users?search={}", mark.to_uppercase()), &cast.eve), ids);
    assert_eq!(list(format!("search={mark}&per_page=2&page=3"), &cast.eve).each("id"), ids[4..]);
    let username = made[2]["username"].as_str().unwrap();
    for name in [username.to_owned(), username.to_uppercase()] {
        assert_eq!(list(format!("username={name}"), &cast.eve).each("id"), [ids[2].clone()]);
    }
    let shown = list(format!("username={username}"), &cast.eve);
    assert!(shown.json[0].get("email").is_none() && shown.json[0].get("is_admin").is_none());
    assert_eq!(list(format!("username={username}"), &cast.root).json[0], made[2]);
    assert!(list(format!("username={username}x"), &cast.eve).each("id").is_empty());
    assert!(found(".1@mail.test", &cast.eve).is_empty());
    assert_eq!(found(".1@mail.test", &cast.root), [ids[1].clone()]);
    spec().put(format!("/users/{}/block", ids[3])).by(&cast.root).gives(200);
    assert_eq!(found("&blocked=true", &cast.eve), [ids[3].clone()]);
    assert_eq!(found("&active=true", &cast.eve).len(), 4);
    spec().get("/users?page=x").by(&cast.eve).refused(400, json!({ "error": "page is invalid" }));
}

#[test]
fn users_are_changed_by_administrators_alone() {
    let cast = spec().cast();
    let person = spec().person("Chris");
    let at = format!("/users/{}", person.id);
    spec().put(&at).json(json!({ "name": "X" })).gives(401);
    spec().put(&at).by(&person).json(json!({ "name": "X", "admin": true })).refused(403, message("403 Forbidden"));
    spec()
        .put("/users/987654321")
        .by(&cast.root)
        .json(json!({ "name": "X" }))
        .refused(404, message("404 User Not Found"));
    let put = |body: Value| spec().put(&at).by(&cast.root).json(body);
    put(json!({ "email": cast.bob.email.to_uppercase() })).refused(409, message("Email has already been taken"));
    put(json!({ "username": cast.bob.username })).refused(409, message("Username has already been taken"));
    put(json!({ "username": "", "email": "x" }))
        .refused(400, json!({ "message": { "username": ["can't be blank"], "email": ["is invalid"] } }));
    let project = spec().post("/projects").by(&person).json(json!({ "name": "Mine" })).gives(201);
    let username = unique("Christine");
    let edit = json!({ "username": username, "name": "Christine", "projects_limit": 1, "bio": "b", "location": "l" });
    let edited = put(edit).gives(200).json;
    assert_eq!((&edited["username"], &edited["projects_limit"]), (&json!(username), &json!(1)));
    assert_eq!(edited["can_create_project"], false);
    let moved = spec().get(format!("/projects/{}", project.id())).by(&person).gives(200).json;
    assert_eq!(moved["path_with_namespace"], format!("{username}/mine"));
    assert_eq!(moved["name_with_namespace"], "Christine / Mine");
    // the same again, and what is blank
    let cleared =
        put(json!({ "username": username, "bio": "", "location": null, "projects_limit": null })).gives(200).json;
    assert_eq!(
        (&cleared["bio"], &cleared["location"], &cleared["projects_limit"]),
        (&json!(null), &json!(null), &json!(10))
    );
    assert_eq!(put(json!({ "admin": true })).gives(200).json["is_admin"], true);
    spec().get("/projects/all").by(&person).gives(200);
    spec().put("/users/1").by(&cast.root).json(json!({ "admin": false })).gives(403);
    put(json!({ "admin": "false" })).gives(200);
    spec().get("/projects/all").by(&person).gives(403);
}

#[test]
fn who_is_blocked_is_out_until_they_are_unblocked() {
    let cast = spec().cast();
    let person = spec().person("Blake");
    let at = |what: &str| format!("/users/{}/{what}", person.id);
    spec().put("/users/987654321/block").by(&cast.root).refused(404, message("404 User Not Found"));
    spec().put("/users/1/block").by(&cast.root).refused(403, message("403 Forbidden"));
    for _ in 0..2 {
        assert_eq!(spec().put(at("block")).by(&cast.root).gives(200).json, true);
    }
    spec().get("/user").by(&person).refused(401, message("401 Unauthorized"));
    assert_eq!(spec().get(format!("/users/{}", person.id)).by(&cast.eve).gives(200).json["state"], "blocked");
    spec().put(at("unblock")).by(&cast.ann).gives(403);
    assert_eq!(spec().put(at("unblock")).by(&cast.root).gives(200).json, true);
    spec().get("/user").by(&person).gives(200);
}

#[test]
fn who_is_deleted_never_comes_in_again() {
    let cast = spec().cast();
    let person = spec().person("Dora");
    let at = format!("/users/{}", person.id);
    spec().delete(&at).by(&person).gives(403);
    spec().delete("/users/1").by(&cast.root).gives(403);
    let told = spec().delete(&at).by(&cast.root).gives(200).json;
    assert_eq!((&told["state"], &told["username"]), (&json!("blocked"), &json!(person.username)));
    for (verb, at) in [("DELETE", at.clone()), ("PUT", format!("{at}/unblock")), ("GET", at)] {
        spec().ask(verb, at).by(&cast.root).refused(404, message("404 User Not Found"));
    }
    spec().get("/user").by(&person).gives(401);
}

#[test]
fn the_version_is_told_to_whoever_is_signed_in() {
    spec().get("/version").gives(401);
    let version = spec().get("/version").by(&spec().cast().eve).gives(200).json;
    assert!(version["version"].as_str().unwrap().starts_with("8.12."));
    assert!(version["revision"].is_string());
}
