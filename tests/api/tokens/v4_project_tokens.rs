//! Tokens of a project and of its hooks in v4.

use super::project_tokens::made;
use crate::support::v4::has_keys;
use crate::support::{Ask, Person, Visibility, World, spec};
use serde_json::{Value, json};

const TRUST: &str = "issuer claims audience";
const TOKEN: &str =
    "id name revoked created_at description scopes user_id last_used_at active expires_at resource_type resource_id";

fn ask(world: &World, verb: &str, path: &str) -> Ask {
    spec().ask_v4(verb, world.at(path))
}

fn make(world: &World, maker: &Person, fields: Value) -> (Value, Person) {
    let made = ask(world, "POST", "/access_tokens").by(maker).json(fields).gives(201).json;
    let person = Person { token: made["token"].as_str().unwrap().to_owned(), ..maker.clone() };
    (made, person)
}

#[test]
fn maintainers_make_a_projects_tokens_in_v4() {
    let world = World::new(spec(), Visibility::Private);
    let new = json!({ "name": "ci", "scopes": ["statuses"], "access_level": 20, "expires_at": "2999-12-31" });
    let post = |fields: &Value| ask(&world, "POST", "/access_tokens").json(fields.clone());
    let (_, ci) = make(&world, &world.ann, json!({ "name": "all", "scopes": ["api"], "access_level": 40 }));
    post(&new).by(&ci).gives(403);

    let wrong = |fields: Value, body: Value| post(&fields).by(&world.ann).refused(400, body);
    wrong(json!({ "scopes": ["api"] }), json!({ "error": "name is missing" }));
    wrong(json!({ "name": "ci" }), json!({ "error": "scopes is missing" }));
    let level = json!({ "message": { "access_level": ["is not included in the list"] } });
    for number in [0, 15, 50] {
        wrong(json!({ "name": "ci", "scopes": ["api"], "access_level": number }), level.clone());
    }
    for scopes in [
        json!(["mirror"]),
        json!(["self_rotate"]),
        json!(["read_api", "self_rotate"]),
        json!(["statuses", "read_repository"]),
    ] {
        let refused = post(&json!({ "name": "ci", "scopes": scopes })).by(&world.ann).gives(400).json;
        assert_eq!(refused["message"], json!({ "scopes": ["can only contain available scopes"] }));
    }

    let (told, ci) = make(&world, &world.ann, new);
    has_keys(&told, &[TOKEN, TRUST, "access_level", "token"]);
    assert!(told["user_id"].as_i64().unwrap() < 0);
    let expected = json!(["statuses"]);
    assert_eq!((&told["scopes"], &told["access_level"]), (&expected, &json!(20)));
    assert_eq!((&told["resource_type"], &told["resource_id"]), (&json!("project"), &json!(world.project.id)));
    assert_eq!(told["expires_at"], "2999-12-31");
    let (other, _) = make(&world, &world.ann, json!({ "name": "x", "scopes": ["api", "self_rotate"] }));
    assert_eq!((&other["scopes"], &other["access_level"]), (&json!(["api", "self_rotate"]), &json!(30)));
    let named = json!({ "name": "y", "scopes": ["read_api", "read_repository", "read_registry"] });
    let (reads, reader) = make(&world, &world.ann, named.clone());
    assert_eq!(reads["scopes"], named["scopes"]);
    world.v4("POST", "/issues").by(&reader).json(json!({ "title": "x" })).gives(403);
    let in_v3 = world.post("/access_tokens").by(&world.ann).json(named.clone()).gives(201).json;
    assert_eq!(in_v3["scopes"], named["scopes"]);
    let rotated = ask(&world, "POST", &format!("/access_tokens/{}/rotate", reads["id"])).by(&world.ann).gives(200).json;
    assert_eq!(rotated["scopes"], named["scopes"]);

    let one = format!("/access_tokens/{}", told["id"]);
    let shown = ask(&world, "GET", &one).by(&world.ann).gives(200).json;
    has_keys(&shown, &[TOKEN, TRUST, "access_level"]);
    assert_eq!(shown["id"], told["id"]);
    let absent = json!({ "message": "404 project Access Token Not Found" });
    let elsewhere = World::new(spec(), Visibility::Private);
    for verb in ["GET", "DELETE"] {
        ask(&elsewhere, verb, &one).by(&elsewhere.ann).refused(404, absent.clone());
        ask(&world, verb, "/access_tokens/x").by(&world.ann).refused(404, absent.clone());
    }
    spec().ask_v4("GET", "/groups").by(&ci).gives(403);
    ask(&world, "GET", "").by(&ci).gives(200);
    ask(&world, "DELETE", &one).by(&world.ann).gives(204);
    ask(&world, "GET", "").by(&ci).gives(401);
    assert_eq!(ask(&world, "GET", &one).by(&world.ann).gives(200).json["revoked"], true);
}

#[test]
fn a_projects_tokens_are_filtered_in_v4() {
    let world = World::new(spec(), Visibility::Private);
    for name in ["one", "two", "three"] {
        make(&world, &world.ann, json!({ "name": name, "scopes": ["api"] }));
    }
    made(&world, &world.ann, json!({ "name": "of v3", "scopes": ["api"], "expires_at": "2999-01-01" }));
    let names = |query: &str| {
        let listed = ask(&world, "GET", &format!("/access_tokens?{query}")).by(&world.ann).gives(200);
        listed.each("name").iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["of v3", "three", "two", "one"]);
    assert_eq!(names("sort=created_asc"), ["one", "two", "three", "of v3"]);
    assert_eq!(names("sort=name_desc"), ["two", "three", "one", "of v3"]);
    assert_eq!(names("sort=expires_asc&search=o"), ["of v3", "two", "one"]);
    assert_eq!(names("sort=expires_asc&search=o&per_page=1&page=2"), ["two"]);
    assert_eq!(names("search=T"), ["three", "two"]);
    assert_eq!(names("expires_before=2999-12-31"), ["of v3"]);
    assert_eq!(names("sort=created_asc&per_page=2&page=2"), ["three", "of v3"]);
    let first = ask(&world, "GET", "/access_tokens?sort=created_asc&per_page=1").by(&world.ann).gives(200);
    ask(&world, "DELETE", &format!("/access_tokens/{}", first.json[0]["id"])).by(&world.ann).gives(204);
    assert_eq!(names("state=inactive"), ["one"]);
    assert_eq!(names("revoked=false&state=active"), ["of v3", "three", "two"]);
    ask(&world, "GET", "/access_tokens?sort=odd").by(&world.ann).gives(400);
    assert_eq!(ask(&world, "GET", "/hook_tokens").by(&world.ann).gives(200).json, json!([]));
}

#[test]
fn a_projects_token_is_rotated_in_v4() {
    let world = World::new(spec(), Visibility::Private);
    let (old, holder) = make(&world, &world.ann, json!({ "name": "ci", "scopes": ["api"] }));
    let rotate = |id: &Value| ask(&world, "POST", &format!("/access_tokens/{id}/rotate")).json(json!({}));
    let unauthorized = json!({ "message": "401 Unauthorized" });
    rotate(&old["id"]).by(&world.bob).refused(401, unauthorized.clone());
    rotate(&json!(987_654_321)).by(&world.ann).refused(401, unauthorized.clone());
    let absent = json!({ "message": "404 project Access Token Not Found" });
    rotate(&json!(987_654_321)).by(&world.root).refused(404, absent);
    let new = rotate(&old["id"]).by(&world.ann).gives(200).json;
    has_keys(&new, &[TOKEN, TRUST, "access_level", "token"]);
    assert_eq!(new["user_id"], old["user_id"]);
    ask(&world, "GET", "").by(&holder).refused(401, unauthorized);
    rotate(&old["id"]).by(&world.ann).gives(404);
}

#[test]
fn the_old_token_of_a_project_works_for_a_day_more_where_that_is_asked_for() {
    let world = World::new(spec(), Visibility::Private);
    let (old, holder) = make(&world, &world.ann, json!({ "name": "ci", "scopes": ["api"] }));
    let rotate = |id: &Value| ask(&world, "POST", &format!("/access_tokens/{id}/rotate")).by(&world.ann);
    rotate(&old["id"]).json(json!({ "keep_old_for_a_day": "perhaps" })).gives(400);
    let new = rotate(&old["id"]).json(json!({ "keep_old_for_a_day": true })).gives(200).json;
    ask(&world, "GET", "").by(&holder).gives(200);
    assert_eq!(new["user_id"], old["user_id"]);
    // without the wish it ends at once, and so it does when it is revoked
    ask(&world, "DELETE", &format!("/access_tokens/{}", old["id"])).by(&world.ann).gives(204);
    ask(&world, "GET", "").by(&holder).gives(401);
    let next = Person { token: new["token"].as_str().unwrap().to_owned(), ..holder };
    ask(&world, "GET", "").by(&next).gives(200);
    world.post(&format!("/access_tokens/{}/rotate", new["id"])).by(&world.ann).json(json!({})).gives(201);
    ask(&world, "GET", "").by(&next).gives(401);
}

#[test]
fn a_projects_token_rotates_itself_if_it_may_write() {
    let world = World::new(spec(), Visibility::Private);
    let rotate = || ask(&world, "POST", "/access_tokens/self/rotate");
    let until = json!({ "name": "ci", "scopes": ["api", "self_rotate"], "expires_at": "2998-01-01" });
    let (old, ci) = make(&world, &world.ann, until);
    rotate().by(&ci).json(json!({ "expires_at": "2999-01-01" })).gives(400);
    let new = rotate().by(&ci).json(json!({})).gives(200).json;
    assert_eq!((&new["user_id"], &new["name"]), (&old["user_id"], &json!("ci")));
    let ci = Person { token: new["token"].as_str().unwrap().to_owned(), ..ci };
    ask(&world, "GET", "").by(&ci).gives(200);
    for scopes in [json!(["read_api"]), json!(["statuses"])] {
        let (_, reader) = make(&world, &world.ann, json!({ "name": "r", "scopes": scopes }));
        rotate().by(&reader).json(json!({})).gives(403);
    }
    rotate().by(&world.ann).refused(405, json!({ "message": "405 Method Not Allowed" }));
    rotate().by(&world.eve).gives(404);
    rotate().refused(401, json!({ "message": "401 Unauthorized" }));
    let elsewhere = World::new(spec(), Visibility::Public);
    let (_, stranger) = make(&elsewhere, &elsewhere.ann, json!({ "name": "x", "scopes": ["api"] }));
    rotate().by(&stranger).gives(404);
}

#[test]
fn a_hook_gets_its_token_and_pushes_by_v4_alone() {
    let world = World::new(spec(), Visibility::Private);
    for person in [&world.bob, &world.gus] {
        ask(&world, "GET", "/hook_tokens").by(person).refused(403, json!({ "message": "403 Forbidden" }));
    }
    let made = ask(&world, "POST", "/hook_tokens").by(&world.ann).json(json!({ "name": "server-1" }));
    let made = made.gives(201).json;
    has_keys(&made, &[TOKEN, "token cross_project"]);
    assert_eq!((&made["scopes"], &made["cross_project"]), (&json!(["mirror"]), &json!(false)));
    let hook = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    let commits = [crate::support::git::commit(1, &[]).wire()];
    ask(&world, "POST", "/mirror/commits").by(&hook).json(json!({ "commits": commits })).gives(201);
    let tip = crate::support::git::sha(1);
    let change = json!({ "name": "refs/heads/main", "new": tip });
    let swap = json!({ "default_branch": "main", "changes": [change] });
    ask(&world, "PUT", "/mirror/refs").by(&hook).json(swap).gives(200);
    assert_eq!(ask(&world, "GET", "/mirror").by(&hook).gives(200).json["refs"][0]["sha"], tip);
    ask(&world, "GET", &format!("/mirror/commits/{tip}")).by(&hook).gives(200);
    ask(&world, "GET", "/repository/commits").by(&hook).gives(403);
    assert_eq!(ask(&world, "GET", "/hook_tokens").by(&world.ann).gives(200).each("name"), ["server-1"]);
    ask(&world, "DELETE", &format!("/hook_tokens/{}", made["id"])).by(&world.ann).gives(204);
    ask(&world, "GET", "/mirror").by(&hook).gives(401);
}

#[test]
fn the_user_of_a_projects_token_is_there_for_who_sees_the_project() {
    let (hidden, open) = (World::new(spec(), Visibility::Private), World::new(spec(), Visibility::Public));
    for (world, seen) in [(&hidden, false), (&open, true)] {
        let (told, ci) = make(world, &world.ann, json!({ "name": "ci", "scopes": ["api"], "access_level": 30 }));
        let path = format!("/users/{}", told["user_id"]);
        let issue = world.v4("POST", "/issues").by(&ci).json(json!({ "title": "x" })).gives(201).json;
        assert_eq!(issue["author"]["id"], told["user_id"]);
        let user = spec().ask_v4("GET", &path).by(&world.gus).gives(200).json;
        assert_eq!((&user["username"], &user["bot"]), (&issue["author"]["username"], &json!(true)));
        assert_eq!(spec().ask_v4("GET", "/user").by(&ci).gives(200).json["bot"], true);
        spec().ask_v4("GET", &path).by(&world.root).gives(200);
        let missing = json!({ "message": "404 User Not Found" });
        spec().ask_v4("GET", format!("{path}/status")).gives(if seen { 200 } else { 404 });
        let by_stranger = spec().ask_v4("GET", &path).by(&world.eve);
        if seen {
            by_stranger.gives(200);
        } else {
            by_stranger.refused(404, missing.clone());
        }
        for path in ["/users/-1", "/users/-0", "/users/--101", "/users/-x"] {
            spec().ask_v4("GET", path).by(&world.root).refused(404, missing.clone());
        }
    }
}
