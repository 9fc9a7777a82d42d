//! Tokens with fewer rights than their owner: a token of a project does no more than its maker may, and a reading
//! token only reads.

use super::project_tokens::{made, scopes_refuse};
use crate::support::git::sha;
use crate::support::{Person, Visibility, World, spec};
use serde_json::json;

#[test]
fn a_projects_token_does_no_more_than_its_maker_may_now() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    let max = spec().person("Max");
    world.admit(&max, 40);
    let (told, ci) = made(&world, &max, json!({ "name": "ci", "scopes": ["api"], "access_level": 30 }));
    let post = || world.post("/statuses/master").by(&ci).form(&[("state", "success")]).send();
    assert_eq!(post().status, 201);
    let rename = json!({ "username": format!("{}-2", max.username), "name": "Maximilian" });
    spec().put(format!("/users/{}", max.id)).by(&world.root).json(rename).gives(200);
    assert_eq!(post().json["author"]["name"], "ci (token)");
    let member = format!("/members/{}", max.id);
    world.put(&member).by(&world.ann).form(&[("access_level", "20")]).gives(200);
    assert_eq!(post().status, 403);
    world.get("/repository/commits").by(&ci).gives(200);
    world.delete(&member).by(&world.ann).gives(200);
    assert_eq!(post().status, 404);
    world.admit(&max, 40);
    assert_eq!(post().status, 201);
    spec().put(format!("/users/{}/block", max.id)).by(&world.root).gives(200);
    assert_eq!(post().status, 401);
    spec().put(format!("/users/{}/unblock", max.id)).by(&world.root).gives(200);
    assert_eq!(post().status, 201);
    // the caller who rotates it becomes its creator
    let rotated = world.post(&format!("/access_tokens/{}/rotate", told["id"])).by(&world.ann).gives(201).json;
    let next = Person { token: rotated["token"].as_str().unwrap().to_owned(), ..max.clone() };
    assert_eq!((&rotated["user_id"], &rotated["name"]), (&told["user_id"], &told["name"]));
    assert_eq!(post().status, 401);
    spec().delete(format!("/users/{}", max.id)).by(&world.root).gives(200);
    world.post("/statuses/master").by(&next).form(&[("state", "success")]).gives(201);
    world.post(&format!("/access_tokens/{}/rotate", told["id"])).by(&world.ann).gives(404);
    // what it wrote stays its own
    world.delete(&format!("/access_tokens/{}", rotated["id"])).by(&world.ann).gives(204);
    let listed = world.get("/repository/commits/master/statuses?all=true").by(&world.ann).gives(200).json;
    let author = &listed[0]["author"];
    assert_eq!((&author["name"], &author["state"]), (&json!("ci (token)"), &json!("blocked")));
}

#[test]
fn a_public_project_is_closed_to_its_token_once_the_maker_has_gone() {
    let world = World::new(spec(), Visibility::Public);
    let max = spec().person("Max");
    world.admit(&max, 40);
    let (_, ci) = made(&world, &max, json!({ "name": "ci", "scopes": ["api"] }));
    world.get("/issues").by(&ci).gives(200);
    world.delete(&format!("/members/{}", max.id)).by(&world.ann).gives(200);
    world.get("/issues").by(&ci).refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn a_personal_token_that_reads_gets_everything_and_changes_nothing() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    let at = format!("/users/{}/personal_access_tokens", world.ann.id);
    let wrong = json!({ "name": "x", "scopes": ["statuses"] });
    let told = json!({ "message": { "scopes": ["can only contain available scopes"] } });
    spec().post(&at).by(&world.ann).json(wrong).refused(400, told);
    let new = json!({ "name": "reader", "scopes": ["read_api"] });
    let made = spec().post(&at).by(&world.ann).json(new).gives(201).json;
    assert_eq!(made["scopes"], json!(["read_api"]));
    let reader = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    let group = format!("/groups/{}", world.group);
    for path in ["/user", "/projects", "/projects/owned", "/issues", "/todos", "/groups", &at, &group] {
        spec().get(path).by(&reader).gives(200);
    }
    let commit = format!("/mirror/commits/{}", sha(1));
    for path in ["", "/issues", "/members", "/hook_tokens", "/access_tokens", "/mirror", &commit] {
        world.get(path).by(&reader).gives(200);
    }
    spec().ask("HEAD", "/user").by(&reader).gives(200);
    for (verb, path) in [
        ("POST", at.as_str()),
        ("POST", "/projects"),
        ("POST", "/groups"),
        ("DELETE", "/todos"),
        ("DELETE", group.as_str()),
        ("POST", &world.at("/access_tokens")),
        ("POST", &world.at("/issues")),
        ("DELETE", &world.at("")),
        ("PUT", &world.at("/mirror/refs")),
    ] {
        spec().ask(verb, path).by(&reader).refused(403, scopes_refuse());
    }
    // 404 for a project that the caller cannot see; 403 takes precedence over errors of input
    world.post("/issues").by(&world.eve).gives(404);
    World::new(spec(), Visibility::Private).post("/issues").json(json!({})).by(&reader).refused(403, scopes_refuse());
    spec().post("/projects/987654321/issues").by(&reader).refused(404, json!({ "message": "404 Project Not Found" }));
    // routes of administrators, too
    let at = "/users/1/personal_access_tokens";
    let token = spec().post(at).by(&world.root).json(json!({ "name": "r", "scopes": "read_api" })).gives(201).json;
    let root = Person { token: token["token"].as_str().unwrap().to_owned(), ..world.root.clone() };
    spec().get("/application/settings").by(&root).gives(200);
    spec().put("/application/settings").by(&root).form(&[("signup_enabled", "true")]).refused(403, scopes_refuse());
    spec().post("/users").by(&root).refused(403, scopes_refuse());
}
