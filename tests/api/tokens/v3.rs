//! Tokens: of people, and of the hooks that push mirrors (behaviour 2.1).

use crate::support::{Person, Server, Visibility, World, instant, spec};
use serde_json::{Value, json};

fn message(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn tokens_are_made_by_their_user_and_by_administrators() {
    let cast = spec().cast();
    let person = spec().person("Tom");
    let at = format!("/users/{}/personal_access_tokens", person.id);
    spec().post(&at).json(json!({ "name": "t" })).gives(401);
    spec().post(&at).by(&cast.eve).json(json!({})).refused(403, message("403 Forbidden"));
    spec().get(&at).by(&cast.eve).gives(403);
    spec().post("/users/987654321/personal_access_tokens").by(&cast.root).json(json!({ "name": "t" })).gives(404);
    spec().post(&at).by(&person).refused(400, message("400 (Bad request) \"name\" not given"));
    spec()
        .post(&at)
        .by(&person)
        .json(json!({ "name": "t", "expires_at": "someday" }))
        .refused(400, json!({ "message": { "expires_at": ["is invalid"] } }));
    let made = spec().post(&at).by(&person).json(json!({ "name": "CI", "expires_at": "2999-12-31" })).gives(201).json;
    let token = made["token"].as_str().unwrap();
    assert!(token.len() == 20 && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    let mut shown = made.clone();
    shown.as_object_mut().unwrap().remove("token");
    let expected = json!({
        "id": made["id"], "name": "CI", "revoked": false, "active": true, "user_id": person.id, "scopes": ["api"],
        "created_at": made["created_at"], "expires_at": "2999-12-31T00:00:00.000Z",
    });
    assert_eq!(shown, expected);
    let listed = spec().get(&at).by(&person).gives(200);
    assert_eq!(listed.each("name"), ["tests", "CI"]);
    assert_eq!(listed.json[1], expected);
    assert_eq!(spec().get(format!("{at}?per_page=1&page=2")).by(&cast.root).gives(200).each("name"), ["CI"]);
    let with = |token: &str| spec().get("/user").header("PRIVATE-TOKEN", token).send();
    with(token).has_status(200);
    // revoked once and for all
    let one = format!("{at}/{}", made["id"]);
    spec().delete(&one).by(&cast.eve).gives(403);
    for _ in 0..2 {
        spec().delete(&one).by(&person).gives(204);
    }
    with(token).has_status(401);
    let listed = spec().get(&at).by(&person).gives(200).json;
    assert_eq!((&listed[1]["revoked"], &listed[1]["active"]), (&json!(true), &json!(false)));
    spec().delete(format!("{at}/987654321")).by(&person).refused(404, message("404 Not found"));
    let other = spec().get(format!("/users/{}/personal_access_tokens", cast.bob.id)).by(&cast.root).gives(200);
    spec().delete(format!("{at}/{}", other.json[0]["id"])).by(&person).gives(404);
}

#[test]
fn an_expired_token_says_nothing() {
    let server = if spec().is_in_process() { Server::with(|_| ()) } else { spec() };
    let person = server.person("Xena");
    let at = format!("/users/{}/personal_access_tokens", person.id);
    // far enough ahead for a busy machine
    let soon = instant() + 5000;
    let expires_at = chrono::DateTime::from_timestamp_millis(soon).unwrap().to_rfc3339();
    let new = json!({ "name": "old", "expires_at": expires_at });
    let made = server.post(&at).by(&person).json(new).gives(201).json;
    let get = || server.get("/user").header("PRIVATE-TOKEN", made["token"].as_str().unwrap()).send().status;
    if server.is_in_process() {
        server.turn_to(soon);
    }
    for _ in 0..60 {
        if get() == 401 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    assert_eq!(get(), 401);
    assert_eq!(server.get(&at).by(&person).gives(200).json[1]["active"], false);
}

#[test]
fn a_hooks_token_pushes_one_mirror_and_does_nothing_else() {
    let world = World::new(spec(), Visibility::Public);
    let new = json!({ "name": "hook" });
    world.post("/hook_tokens").by(&world.ann).refused(400, message("400 (Bad request) \"name\" not given"));
    let made = world.post("/hook_tokens").by(&world.ann).json(new.clone()).gives(201).json;
    assert_eq!((&made["project_id"], &made["scopes"]), (&json!(world.project.id), &json!(["mirror"])));
    let hook = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    for path in ["/user", "/projects", "/projects/visible", "/issues"] {
        let text = "403 Forbidden  - The scopes of the token do not allow this";
        spec().get(path).by(&hook).refused(403, message(text));
    }
    for path in ["", "/issues", "/members", "/hook_tokens", "/repository/commits"] {
        world.get(path).by(&hook).gives(403);
    }
    world.post("/hook_tokens").by(&hook).json(new).gives(403);
    world.get("/mirror").by(&hook).gives(200);
    let other = World::new(spec(), Visibility::Public);
    other.get("/mirror").by(&hook).gives(403);
    let listed = world.get("/hook_tokens").by(&world.ann).gives(200);
    assert_eq!(listed.each("name"), ["hook"]);
    assert!(listed.json[0].get("token").is_none());
    let own = spec().get(format!("/users/{}/personal_access_tokens", world.ann.id)).by(&world.ann).gives(200);
    assert!(!own.each("name").contains(&json!("hook")));
    let one = format!("/hook_tokens/{}", made["id"]);
    other.delete(&one).by(&world.ann).gives(404);
    for _ in 0..2 {
        world.delete(&one).by(&world.ann).gives(204);
    }
    world.get("/mirror").by(&hook).gives(401);
}
