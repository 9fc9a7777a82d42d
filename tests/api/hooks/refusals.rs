//! What cannot be saved.

use super::{URL, hook};
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

#[test]
fn a_hook_that_cannot_be_saved_says_why() {
    let world = World::new(spec(), Visibility::Private);
    let path = format!("/hooks/{}", hook(&world, json!({})));
    world.v4("POST", "/hooks").by(&world.ann).json(json!({})).refused(400, json!({ "error": "url is missing" }));
    world
        .v4("POST", "/hooks")
        .by(&world.ann)
        .json(json!({ "url": "" }))
        .refused(400, json!({ "error": "url is empty" }));
    world.v4("PUT", &path).by(&world.ann).json(json!({})).refused(400, json!({ "error": "No parameters provided" }));
    world.v4("PUT", &path).by(&world.ann).json(json!({ "url": "" })).refused(400, json!({ "error": "url is empty" }));
    let long = |length: usize| "x".repeat(length);
    let headers = |key: &str, value: &str| json!([{ "key": key, "value": value }]);
    let many: Vec<Value> = (0..21).map(|number| json!({ "key": format!("X-{number}"), "value": "1" })).collect();
    let error = |text: &str| json!({ "error": text });
    let of = |field: &str, text: &str| json!({ "message": { field: [text] } });
    for (status, fields, told) in [
        (422, json!({ "url": "ftp://hooks.example.org" }), error("Invalid url given")),
        (422, json!({ "url": "https://hooks.example.org/{missing}" }), error("Invalid url given")),
        (
            422,
            json!({ "url": "https://{host}/", "url_variables": headers("host", "hooks.example.org:25") }),
            error("Invalid url given"),
        ),
        (422, json!({ "signing_token": "short" }), error("Invalid signing token given")),
        (422, json!({ "signing_token": "whsec_AAAA" }), error("Invalid signing token given")),
        (422, json!({ "push_events_branch_filter": "a b" }), error("Invalid branch filter given")),
        (
            422,
            json!({ "push_events_branch_filter": "(", "branch_filter_strategy": "regex" }),
            error("Invalid branch filter given"),
        ),
        (
            422,
            json!({ "push_events_branch_filter": "(a{1000}){1000}", "branch_filter_strategy": "regex" }),
            error("Invalid branch filter given"),
        ),
        (422, json!({ "custom_headers": headers("Cookie", "a") }), error("Custom headers validation failed")),
        (422, json!({ "custom_headers": headers("Upgrade", "websocket") }), error("Custom headers validation failed")),
        (422, json!({ "custom_headers": headers("X-A", "é") }), error("Custom headers validation failed")),
        (422, json!({ "custom_headers": many }), error("Custom headers validation failed")),
        (422, json!({ "url_variables": headers("a b", "x") }), error("Illegal key or value")),
        (422, json!({ "description": long(2049) }), of("description", "is too long (maximum is 2048 characters)")),
        (422, json!({ "token": "a\nb" }), of("token", "is invalid")),
        (400, json!({ "custom_headers": [{ "key": "a" }] }), error("custom_headers is invalid")),
        (400, json!({ "branch_filter_strategy": "none" }), error("branch_filter_strategy does not have a valid value")),
        (400, json!({ "issues_events": "perhaps" }), error("issues_events is invalid")),
        (400, json!({ "name": long(256) }), of("name", "is too long (maximum is 255 characters)")),
        (
            400,
            json!({ "custom_webhook_template": long(4097) }),
            of("custom_webhook_template", "is too long (maximum is 4096 characters)"),
        ),
    ] {
        let mut new = json!({ "url": URL });
        new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        world.v4("POST", "/hooks").by(&world.ann).json(new).refused(status, told.clone());
        world.v4("PUT", &path).by(&world.ann).json(fields).refused(status, told);
    }
    assert_eq!(world.v4("GET", "/hooks").by(&world.ann).gives(200).header("X-Total"), Some("1"));
}

#[test]
fn no_hook_has_an_address_of_a_private_place_or_of_this_server() {
    let world = World::new(spec(), Visibility::Private);
    let own = spec().origin.clone();
    for url in [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/",
        "http://printer.local/",
        "http://intranet/",
        "https://hooks.example.org:25/",
        own.as_str(),
    ] {
        let told = world.v4("POST", "/hooks").by(&world.ann).json(json!({ "url": url })).gives(422).json;
        assert!(told["error"].as_str().unwrap().starts_with("Invalid url given"), "{url}: {told}");
    }
}

#[test]
fn an_address_of_a_private_place_is_refused_with_a_hint_of_how_to_try_a_receiver() {
    let world = World::new(spec(), Visibility::Private);
    let post = |url: &str| world.v4("POST", "/hooks").by(&world.ann).json(json!({ "url": url })).gives(422);
    for url in ["http://127.0.0.1:9000/", "http://localhost:9000/"] {
        let refused = post(url);
        let told = refused.json["error"].as_str().unwrap();
        assert!(told.starts_with("Invalid url given: no web hook calls a private address; "), "{url}: {told}");
        assert!(told.contains("HOOKS_TO=http://127.0.0.1:9000 make dev"), "{url}: {told}");
    }
    for url in ["https://hooks.example.org:25/", "ftp://hooks.example.org/"] {
        assert_eq!(post(url).json, json!({ "error": "Invalid url given" }), "{url}");
    }
}
