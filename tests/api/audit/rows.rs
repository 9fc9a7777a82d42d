//! Which requests leave a row, and what it has.

use super::{SECRETS, administrator, count, events, is_for_administrators, new_hook, new_user, request};
use crate::support::{Fault, Server, Visibility, World, now, spec, tables};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};
use std::collections::VecDeque;

fn server() -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::with(|_| ()))
}

const LOST: &str = "D1_ERROR: Network connection lost.";

/// The next batches fail so.
fn fail(server: &Server, faults: [Option<Fault>; 3]) {
    let mut faults = VecDeque::from(faults);
    server.database().break_down(move || faults.pop_front().flatten());
}

#[test]
fn each_write_at_a_route_for_administrators_leaves_one_row_and_a_refused_one_none() {
    let Some(server) = server() else { return };
    let (root, eve) = (server.root(), server.person("Eve"));
    let mut asked = 0;
    for table in tables() {
        for route in edgeforge::routes(table.dialect).filter(is_for_administrators) {
            let (ask, _, _) = request(server, &table, route);
            let before = count(server);
            assert_eq!(ask.by(&eve).send().status, 403);
            assert_eq!(count(server), before, "{} {}, refused", route.verb, route.address());
            let (ask, kind, id) = request(server, &table, route);
            let before = count(server);
            let answer = ask.by(&root).send();
            let what = format!("{}: {} {}", answer.what, answer.status, answer.text);
            assert!((200..300).contains(&answer.status), "{what}");
            assert_eq!(count(server), before + 1, "{what}");
            let row = &events(server)[0];
            let made = || answer.json["id"].as_i64().filter(|_| kind != "ApplicationSetting");
            let (name, path) = (format!("{} {}", route.verb, route.address()), answer.what.split_once(' ').unwrap().1);
            let told = [&row["event_name"], &row["entity_type"], &row["entity_id"], &row["author_id"]];
            assert_eq!(told, [&json!(name), &json!(kind), &json!(id.or_else(made)), &json!(1)], "{what}");
            assert_eq!(row["details"]["target_details"], path, "{what}");
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked} routes");
    let rows = server.rows("select json_group_array(json_array(author_id, entity_type, entity_id, event_name, path, request)) as v from audit_events");
    let (rows, list) = (json!(rows).to_string(), json!(events(server)).to_string());
    let hashes = server.rows("select json_group_array(hash) as v from tokens")[0].clone();
    let hashes = hashes.as_array().unwrap().iter().map(|hash| hash.as_str().unwrap());
    for secret in SECRETS.into_iter().chain([root.token.as_str(), eve.token.as_str()]).chain(hashes) {
        assert!(!rows.contains(secret) && !list.contains(secret), "{secret} is in a row");
    }
}

#[test]
fn what_fails_or_changes_nothing_leaves_no_row() {
    let Some(server) = server() else { return };
    let (root, pat, hook) = (server.root(), server.person("Pat"), new_hook(server));
    let before = count(server);
    let ask = |verb: &str, path: &str, body: Value| server.ask_v4(verb, path).by(&root).json(body).send().status;
    let new = json!({ "email": pat.email, "username": "newer", "name": "New" });
    assert_eq!(ask("POST", "/users", new), 409);
    assert_eq!(ask("PUT", "/users/987654321", json!({ "name": "x" })), 404);
    assert_eq!(ask("DELETE", "/users/1", json!({})), 403);
    assert_eq!(ask("PUT", &format!("/hooks/{hook}"), json!({ "url": "x" })), 422);
    assert_eq!(ask("PUT", "/application/settings", json!({ "default_projects_limit": -1 })), 400);
    let limit =
        server.ask_v4("GET", "/application/settings").by(&root).gives(200).json["default_projects_limit"].clone();
    assert_eq!(ask("PUT", "/application/settings", json!({ "default_projects_limit": limit })), 200);
    // the database rolls the batch back, twice
    fail(server, [None, Some(Fault::During(LOST)), Some(Fault::During(LOST))]);
    assert_eq!(ask("POST", &format!("/users/{}/block", pat.id), json!({})), 503);
    server.database().mend();
    assert_eq!(count(server), before);
}

#[test]
fn a_batch_that_runs_twice_leaves_one_row() {
    let Some(server) = server() else { return };
    let user = new_user(server);
    let before = count(server);
    fail(server, [None, Some(Fault::After(LOST)), None]);
    let answer = server.ask_v4("POST", format!("/users/{user}/block")).by(&server.root()).gives(201);
    server.database().mend();
    assert_eq!((answer.trips, count(server)), (3, before + 1));
}

#[test]
fn changes_of_tokens_of_others_are_listed_and_those_of_ones_own_are_not() {
    let Some(server) = server() else { return };
    let (ada, pat) = (administrator(server), server.person("Pat"));
    let make = |of: i64| {
        let path = format!("/users/{of}/personal_access_tokens");
        server.ask_v4("POST", path).by(&ada).json(json!({ "name": "t", "scopes": ["api"] })).gives(201).id()
    };
    let before = count(server);
    let own = make(ada.id);
    server.ask_v4("POST", format!("/personal_access_tokens/{own}/rotate")).by(&ada).json(json!({})).gives(201);
    let path = format!("/users/{}/personal_access_tokens", pat.id);
    server.post(&path).by(&pat).json(json!({ "name": "t" })).gives(201);
    assert_eq!(count(server), before);
    let rotated = make(pat.id);
    server.ask_v4("POST", format!("/personal_access_tokens/{rotated}/rotate")).by(&ada).json(json!({})).gives(201);
    let revoked = make(pat.id);
    server.ask_v4("DELETE", format!("/personal_access_tokens/{revoked}")).by(&ada).gives(204);
    let of_v3 = server.post(&path).by(&ada).json(json!({ "name": "t" })).gives(201).id();
    server.delete(format!("{path}/{of_v3}")).by(&ada).gives(204);
    assert_eq!(count(server), before + 6);
    let names: Vec<Value> = events(server).iter().take(6).rev().map(|row| row["event_name"].clone()).collect();
    let (make, end) = ("POST /users/:id/personal_access_tokens", "DELETE /personal_access_tokens/:id");
    let end_v3 = "DELETE /users/:id/personal_access_tokens/:token_id";
    assert_eq!(names, [make, "POST /personal_access_tokens/:id/rotate", make, end, make, end_v3]);
    for row in events(server).iter().take(6) {
        assert_eq!([&row["author_id"], &row["entity_id"]], [&json!(ada.id), &json!(pat.id)], "{row}");
        assert_eq!(row["entity_type"], "User");
    }
}

#[test]
fn a_token_of_a_project_that_another_person_made_is_listed_when_an_administrator_ends_it() {
    let Some(server) = server() else { return };
    let world = World::new(server, Visibility::Private);
    let token = json!({ "name": "ci", "scopes": ["api"] });
    let token = world.v4("POST", "/access_tokens").by(&world.ann).json(token).gives(201).id();
    let before = count(server);
    world.v4("DELETE", &format!("/access_tokens/{token}")).by(&world.root).gives(204);
    assert_eq!((count(server), &events(server)[0]["entity_id"]), (before + 1, &json!(world.ann.id)));
}

#[test]
fn with_sudo_the_author_is_the_owner_of_the_token() {
    let Some(server) = server() else { return };
    let (root, ada) = (server.root(), administrator(server));
    let [blocked, other] = [new_user(server), new_user(server)];
    let sudo = |verb: &str, path: String| server.ask_v4(verb, path).by(&root).header("SUDO", ada.username.as_str());
    sudo("POST", format!("/users/{blocked}/block")).gives(201);
    assert_eq!([&events(server)[0]["author_id"], &events(server)[0]["entity_id"]], [&json!(1), &json!(blocked)]);
    let token = json!({ "name": "t", "scopes": ["api"] });
    sudo("POST", format!("/users/{}/personal_access_tokens", ada.id)).json(token).gives(201);
    assert_eq!([&events(server)[0]["author_id"], &events(server)[0]["entity_id"]], [&json!(1), &json!(ada.id)]);
    server.ask_v4("POST", format!("/users/{other}/block")).by(&ada).gives(201);
    let row = &events(server)[0];
    assert_eq!([&row["author_id"], &row["details"]["author_name"]], [&json!(ada.id), &json!("Ada")]);
}

#[test]
fn a_full_server_blocks_users_all_the_same() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with_quotas(Quotas { instance_bytes: 1, ..Quotas::default() });
    let root = server.root();
    let new = json!({ "email": "pat@example.com", "username": "pat", "name": "Pat" });
    let user = server.ask_v4("POST", "/users").by(&root).json(new).gives(201).id();
    server.tamper("update stored set most = 0, bytes = 2; update stored set most = 1");
    let token = server.ask_v4("POST", format!("/users/{user}/personal_access_tokens")).by(&root);
    token.json(json!({ "name": "t", "scopes": ["api"] })).gives(507);
    server.ask_v4("POST", format!("/users/{user}/block")).by(&root).gives(201);
    assert_eq!(count(server), 2);
}

#[test]
fn what_administrators_did_ends_after_the_days_that_the_deployment_says() {
    if !spec().is_in_process() {
        return;
    }
    const DAY: i64 = 86_400_000;
    let server = Server::with(|config| config.retention.audit_events = 365);
    for days in [0, 100] {
        server.turn_to(now() + days * DAY);
        new_hook(server);
    }
    server.tamper(
        "insert into audit_events (author_id, entity_type, event_name, path, request, created_at)
        with recursive n (n) as (select 1 union all select n + 1 from n where n < 1000)
        select 1, 'User', 'POST /users', '/api/v4/users', '0123456789abcdef', n from n",
    );
    server.sweep(now() + 364 * DAY).unwrap();
    assert_eq!(count(server), 2);
    server.sweep(now() + 366 * DAY).unwrap();
    assert_eq!(count(server), 1);
    let last = events(server)[0]["id"].as_i64().unwrap();
    server.sweep(now() + 500 * DAY).unwrap();
    assert_eq!(count(server), 0);
    // an id never names another row
    new_hook(server);
    assert!(events(server)[0]["id"].as_i64().unwrap() > last);
}
