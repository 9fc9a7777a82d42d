//! Placeholders for people who have no account here, and the secrets of uploads.

use super::{brought, record, with};
use crate::support::{Visibility, World, default_settings, spec, unique};
use crate::uploads::{FORM, form};
use serde_json::{Value, json};

fn new_user(email: &str) -> Value {
    json!({ "email": email, "username": unique("who"), "name": "Who" })
}

#[test]
fn a_user_with_an_address_of_an_import_is_blocked_from_the_start() {
    let world = World::new(spec(), Visibility::Private);
    let email = format!("{}@gitlab.example.IMPORT.invalid", unique("7"));
    let made = spec().ask_v4("POST", "/users").by(&world.root).json(new_user(&email)).gives(201).json;
    assert_eq!((&made["state"], &made["email"]), (&json!("blocked"), &json!(email)));
    let taken = spec().ask_v4("POST", "/users").by(&world.root).json(new_user(&email)).gives(409);
    assert_eq!(taken.json["message"], "Email has already been taken");
    // records are of them all the same
    brought(
        &world,
        &[with(record(&world, "issue"), json!({ "author": made["id"], "assignee": null, "closed_by": null }))],
    );
    let path = format!("/users/{}", made["id"]);
    let put = |fields: Value| spec().ask_v4("PUT", &path).by(&world.root).json(fields);
    // its own address is no new one
    put(json!({ "email": email, "name": "Whoever" })).gives(200);
    let given = format!("{}@example.com", unique("w"));
    put(json!({ "email": given, "username": unique("w") })).gives(200);
    spec().ask_v4("POST", format!("{path}/unblock")).by(&world.root).gives(201);
    let shown = world.v4("GET", "/issues/7").by(&world.ann).gives(200).json;
    assert_eq!((&shown["author"]["state"], &shown["author"]["id"]), (&json!("active"), &made["id"]));
    for address in [email.as_str(), "x@import.invalid.IMPORT.INVALID"] {
        put(json!({ "email": address })).refused(400, json!({ "message": { "email": ["is one of an import"] } }));
    }
    let other =
        spec().ask_v4("POST", "/users").by(&world.root).json(new_user(&format!("{}@import.invalid", unique("a"))));
    assert_eq!(other.gives(201).json["state"], "active");
}

#[test]
fn no_list_of_domains_refuses_a_placeholder() {
    if !spec().is_in_process() {
        return;
    }
    let server = crate::support::Server::with(|_| ());
    let root = server.root();
    let settings = json!({ "domain_whitelist": ["example.com"] });
    server.put("/application/settings").by(&root).json(settings).gives(200);
    server.ask_v4("POST", "/users").by(&root).json(new_user("a@other.example")).gives(400);
    server.ask_v4("POST", "/users").by(&root).json(new_user("7@other.example.import.invalid")).gives(201);
    server.put("/application/settings").by(&root).json(default_settings()).gives(200);
}

#[test]
fn administrators_give_an_upload_its_secret() {
    let world = World::new(spec(), Visibility::Private);
    let secret = "0123456789abcdef0123456789abcdef";
    let post = |secret: &str, bytes: &[u8]| {
        world.v4("POST", &format!("/uploads?secret={secret}")).body(FORM, form("a.txt", bytes))
    };
    for wrong in ["0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcde", "x", &"a".repeat(256)] {
        post(wrong, b"x").by(&world.root).gives(400);
    }
    let made = post(secret, b"one").by(&world.root).gives(201).json;
    assert_eq!(made["url"], format!("/uploads/{secret}/a.txt"));
    let taken = post(secret, b"two").by(&world.root).gives(409);
    assert_eq!(taken.json["message"], "Secret has already been taken");
    // from others it has no effect
    for secret in [secret, "x"] {
        let made = post(secret, b"x").by(&world.ann).gives(201).json;
        assert_ne!(made["url"], format!("/uploads/{secret}/a.txt"));
    }
    let sent = world.v4("GET", &format!("/uploads/{secret}/a.txt")).by(&world.gus).gives(200);
    assert_eq!(sent.text, "one");
    // another project has its own
    let other = World::new(spec(), Visibility::Private);
    other.v4("POST", &format!("/uploads?secret={secret}")).body(FORM, form("a.txt", b"x")).by(&world.root).gives(201);
    world.v4("DELETE", &format!("/uploads/{secret}/a.txt")).by(&world.ann).gives(204);
    post(secret, b"three").by(&world.root).gives(201);
    assert_eq!(world.v4("GET", &format!("/uploads/{secret}/a.txt")).by(&world.gus).gives(200).text, "three");
}

#[test]
fn administrators_alone_see_secrets_in_the_list_of_uploads() {
    let world = World::new(spec(), Visibility::Private);
    let secret = "fedcba9876543210fedcba9876543210";
    let post = world.v4("POST", &format!("/uploads?secret={secret}")).body(FORM, form("a.txt", b"one"));
    post.by(&world.root).gives(201);
    let listed = |ask: crate::support::Ask| ask.gives(200).json[0]["secret"].clone();
    assert_eq!(listed(world.v4("GET", "/uploads").by(&world.root)), secret);
    assert_eq!(listed(world.v4("GET", "/uploads").by(&world.ann)), Value::Null);
    let as_ann = world.v4("GET", "/uploads").by(&world.root).header("SUDO", world.ann.username.as_str());
    assert_eq!(listed(as_ann), Value::Null);
}
