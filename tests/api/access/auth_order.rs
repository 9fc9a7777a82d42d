//! Where a token is read from, and the order of refusals: 401, then 404 (behaviour 2).

use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn unauthorized() -> Value {
    json!({ "message": "401 Unauthorized" })
}

fn no_project() -> Value {
    json!({ "message": "404 Project Not Found" })
}

#[test]
fn a_401_has_no_challenge_and_costs_at_most_a_trip() {
    let answer = spec().get("/projects/1/issues").gives(401);
    assert_eq!(answer.header("WWW-Authenticate"), None);
    assert_eq!(answer.trips, 0);
    assert_eq!(spec().get("/projects/1/issues").header("PRIVATE-TOKEN", "x").gives(401).trips, 1);
}

#[test]
fn a_token_that_says_nothing_is_401() {
    let world = World::new(spec(), Visibility::Public);
    for token in ["invalid token", "", " ", "%00", "' or 1=1 --", "*", "null"] {
        world.get("/issues").header("PRIVATE-TOKEN", token).refused(401, unauthorized());
        world.get("/issues").query("private_token", token).refused(401, unauthorized());
        world.get("/issues").query("access_token", token).refused(401, unauthorized());
    }
    for value in ["Bearer x", "Bearer", "Bearer ", "Basic YW5uOng=", ""] {
        world.get("/issues").header("Authorization", value).refused(401, unauthorized());
    }
    world.get("/issues").header("PRIVATE-TOKEN", "x".repeat(5000)).refused(401, unauthorized());
    // nor is a stored hash a token
    let hash = edgeforge::token_hash(&world.ann.token);
    world.get("/issues").header("PRIVATE-TOKEN", hash).refused(401, unauthorized());
}

#[test]
fn a_token_is_judged_before_parameters_and_project() {
    let world = World::new(spec(), Visibility::Public);
    world.get("/issues?page=x").refused(401, unauthorized());
    world.get("/issues?a=%zz").refused(401, unauthorized());
    world.post("/issues").body("application/json", "{").refused(401, unauthorized());
    spec().get("/projects/987654321/issues").refused(401, unauthorized());
}

#[test]
fn an_internal_project_is_open_to_whoever_is_signed_in() {
    let world = World::new(spec(), Visibility::Internal);
    world.get("/issues").by(&world.eve).gives(200);
    world.get("/mirror").by(&world.eve).refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn a_project_is_named_by_number_or_by_path_with_its_namespace_in_any_case() {
    let world = World::new(spec(), Visibility::Private);
    world.issue(&world.ann, json!({ "title": "the only one" }));
    let by_number = world.get("/issues").by(&world.gus).gives(200);
    for path in [world.project.path.clone(), world.project.path.to_uppercase()] {
        let path = path.replace('/', "%2F");
        let answer = spec().get(format!("/projects/{path}/issues")).by(&world.gus).gives(200);
        assert_eq!(answer.json, by_number.json);
    }
    let (_, bare) = world.project.path.split_once('/').unwrap();
    for wrong in [bare, "%2F", "-1", "0", "1e3", "12abc", "%F0%9F%90%99"] {
        spec().get(format!("/projects/{wrong}/issues")).by(&world.gus).refused(404, no_project());
    }
}

#[test]
fn a_token_is_taken_from_a_header_in_any_case_from_query_and_body_and_as_bearer() {
    let world = World::new(spec(), Visibility::Private);
    let token = world.gus.token.as_str();
    for name in ["PRIVATE-TOKEN", "Private-Token", "private-token"] {
        world.get("/issues").header(name, token).gives(200);
    }
    for scheme in ["Bearer", "bearer", "BEARER"] {
        world.get("/issues").header("Authorization", format!("{scheme} {token}")).gives(200);
    }
    for name in ["private_token", "access_token"] {
        world.get("/issues").query(name, token).gives(200);
        world.post("/issues").form(&[("title", "form"), (name, token)]).gives(200);
        world.post("/issues").multipart(&[("title", "multipart"), (name, token)]).gives(200);
        world.post("/issues").json(json!({ "title": "json", name: token })).gives(200);
    }
}

#[test]
fn the_header_wins_over_the_parameter() {
    let world = World::new(spec(), Visibility::Private);
    let (gus, eve) = (world.gus.token.as_str(), world.eve.token.as_str());
    world.get("/issues").by(&world.gus).query("private_token", eve).gives(200);
    world.get("/issues").by(&world.eve).query("private_token", gus).refused(404, no_project());
    world.get("/issues").header("PRIVATE-TOKEN", "wrong").query("private_token", gus).gives(401);
    let bearer = |token: &str| world.get("/issues").header("Authorization", format!("Bearer {token}"));
    bearer(gus).query("access_token", eve).gives(200);
    bearer(eve).header("PRIVATE-TOKEN", gus).gives(200);
}

#[test]
fn a_blank_token_counts_as_none_beside_another_one() {
    let world = World::new(spec(), Visibility::Private);
    let token = world.gus.token.as_str();
    for blank in ["", " "] {
        for v4 in [false, true] {
            let ask =
                || if v4 { world.v4("GET", "/issues") } else { world.get("/issues") }.header("PRIVATE-TOKEN", blank);
            ask().header("Authorization", format!("Bearer {token}")).gives(200);
            ask().query("private_token", token).gives(200);
            ask().query("private_token", blank).query("access_token", token).gives(200);
            ask().header("Authorization", "Bearer  ").query("access_token", token).gives(200);
            ask().gives(if v4 { 404 } else { 401 });
        }
    }
}

#[test]
fn each_of_a_users_tokens_opens_until_it_is_revoked_or_expires() {
    let world = World::new(spec(), Visibility::Private);
    let gus = spec().person("Gus");
    world.admit(&gus, 10);
    let path = format!("/users/{}/personal_access_tokens", gus.id);
    let make = |fields: Value| spec().post(&path).by(&gus).json(fields).gives(201).json;
    let token = |made: &Value| made["token"].as_str().unwrap().to_owned();
    let open = |made: &Value| world.get("/issues").header("PRIVATE-TOKEN", token(made));

    let second = make(json!({ "name": "second", "expires_at": "2999-12-31" }));
    open(&second).gives(200);
    spec().delete(format!("{path}/{}", second["id"])).by(&gus).gives(204);
    open(&second).refused(401, unauthorized());
    world.get("/issues").header("Authorization", format!("Bearer {}", token(&second))).gives(401);
    world.get("/issues").by(&gus).gives(200);

    let third = make(json!({ "name": "third", "expires_at": "2999-12-31" }));
    if spec().tamper(&format!("update tokens set expires_at = 1 where id = {}", third["id"])) {
        open(&third).refused(401, unauthorized());
    }
}

#[test]
fn a_blocked_user_counts_as_nobody() {
    let world = World::new(spec(), Visibility::Public);
    let dan = spec().person("Dan");
    world.get("/issues").by(&dan).gives(200);
    spec().put(format!("/users/{}/block", dan.id)).by(&world.root).gives(200);
    world.get("/issues").by(&dan).refused(401, unauthorized());
    // nor may anybody act as them
    let sudo = spec().get("/user").by(&world.root).header("SUDO", &dan.username);
    let text = format!("404 No user id or username for: {} Not Found", dan.username);
    sudo.refused(404, json!({ "message": text }));
    if spec().tamper(&format!("update users set state = 'ldap_blocked' where id = {}", dan.id)) {
        world.get("/issues").by(&dan).refused(401, unauthorized());
    }
    spec().put(format!("/users/{}/unblock", dan.id)).by(&world.root).send();
}
