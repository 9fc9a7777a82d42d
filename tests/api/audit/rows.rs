//! Which requests leave a row, and what it has.

use super::{SECRETS, administrator, count, events, is_for_administrators, new_hook, new_user, request};
use crate::support::{Fault, Person, Server, Visibility, World, now, spec, tables, unique};
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

/// What the newest row shows: the operation, and the kind and id of what it is about.
fn newest(server: &'static Server) -> (String, String, i64) {
    let row = &events(server)[0];
    let text = |name: &str| row[name].as_str().unwrap().to_owned();
    (text("event_name"), text("entity_type"), row["entity_id"].as_i64().unwrap())
}

#[test]
fn a_token_that_an_administrator_makes_for_a_project_of_others_is_listed() {
    let Some(server) = server() else { return };
    let (ada, world) = (administrator(server), World::new(server, Visibility::Private));
    let own = server.project(&ada, ada.id, Visibility::Private);
    let token = || json!({ "name": "ci", "scopes": ["api"] });
    for (kind, body) in [("access_tokens", token()), ("hook_tokens", json!({ "name": "hook" }))] {
        for made in [Server::ask_v4, Server::ask] {
            let before = count(server);
            let path = |id: i64| format!("/projects/{id}/{kind}");
            made(server, "POST", path(world.project.id)).by(&world.ann).json(body.clone()).gives(201);
            made(server, "POST", path(own.id)).by(&ada).json(body.clone()).gives(201);
            assert_eq!(count(server), before, "one's own");
            made(server, "POST", path(world.project.id)).by(&ada).json(body.clone()).gives(201);
            let told = (format!("POST /projects/:id/{kind}"), "Project".to_owned(), world.project.id);
            assert_eq!((count(server), newest(server)), (before + 1, told));
        }
    }
}

#[test]
fn what_an_administrator_deletes_or_joins_of_others_is_listed() {
    let Some(server) = server() else { return };
    let (ada, pat) = (administrator(server), server.person("Pat"));
    let group = |who: &Person| {
        let name = unique("g");
        server.post("/groups").by(who).json(json!({ "name": name, "path": name })).gives(201).id()
    };
    let project = |who: &Person| server.project(who, who.id, Visibility::Private).id;
    let ask = |verb: &str, path: String| server.ask_v4(verb, path).by(&ada);
    let joins = json!({ "user_id": ada.id, "access_level": 30 });
    let mut before = count(server);
    // one's own
    let (of_ada, in_ada) = (project(&ada), group(&ada));
    ask("POST", format!("/projects/{of_ada}/members"))
        .json(json!({ "user_id": pat.id, "access_level": 30 }))
        .gives(201);
    ask("DELETE", format!("/projects/{of_ada}")).gives(202);
    ask("DELETE", format!("/groups/{in_ada}")).gives(202);
    assert_eq!(count(server), before);
    let (of_pat, in_pat) = (project(&pat), group(&pat));
    // other people
    ask("POST", format!("/groups/{in_pat}/members")).json(json!({ "user_id": 1, "access_level": 30 })).gives(201);
    assert_eq!(count(server), before);
    for (kind, path, id) in [("Project", "projects", of_pat), ("Group", "groups", in_pat)] {
        ask("POST", format!("/{path}/{id}/members")).json(joins.clone()).gives(201);
        assert_eq!(newest(server), (format!("POST /{path}/:id/members"), kind.to_owned(), id));
        ask("DELETE", format!("/{path}/{id}")).gives(202);
        assert_eq!(newest(server), (format!("DELETE /{path}/:id"), kind.to_owned(), id));
        before += 2;
        assert_eq!(count(server), before);
    }
    let v3 = project(&pat);
    server.delete(format!("/projects/{v3}")).by(&ada).gives(200);
    assert_eq!(newest(server), ("DELETE /projects/:id".to_owned(), "Project".to_owned(), v3));
    // and of nobody known
    let old = group(&pat);
    server.tamper(&format!("update groups set creator_id = null where id = {old}"));
    ask("DELETE", format!("/groups/{old}")).gives(202);
    assert_eq!(newest(server), ("DELETE /groups/:id".to_owned(), "Group".to_owned(), old));
}

#[test]
fn the_list_says_which_settings_changed_and_no_value() {
    let Some(server) = server() else { return };
    let root = server.root();
    let fields = json!({ "default_projects_limit": 12_345, "signup_enabled": false, "sign_in_text": "hidden-value" });
    server.ask_v4("PUT", "/application/settings").by(&root).json(fields).gives(200);
    let row = &events(server)[0];
    assert_eq!(row["details"]["change"], "default_projects_limit, sign_in_text, signup_enabled");
    assert!(!row.to_string().contains("12345") && !row.to_string().contains("hidden-value"));
    server.ask("PUT", "/application/settings").by(&root).json(json!({ "default_projects_limit": 7 })).gives(200);
    assert_eq!(events(server)[0]["details"]["change"], "default_projects_limit");
    new_hook(server);
    assert_eq!(events(server)[0]["details"]["change"], json!(null));
}

/// Writes of each kind: those that authorize themselves, those that do it first, and those with files.
#[test]
fn each_write_with_sudo_leaves_one_row() {
    let Some(server) = server() else { return };
    let world = World::new(server, Visibility::Private);
    let (root, ann) = (server.root(), world.ann.clone());
    let tip = world.push_line(2);
    let issue = world.issue(&ann, json!({ "title": "t" }));
    let at = format!("/issues/{}", issue["iid"]);
    let note = world.v4("POST", &format!("{at}/notes")).by(&ann).json(json!({ "body": "b" })).gives(201).id();
    let commit = format!("/repository/commits/{tip}");
    for (verb, path, body) in [
        ("POST", "/issues".to_owned(), json!({ "title": "t" })),
        ("PUT", at.clone(), json!({ "title": "u" })),
        ("POST", format!("{at}/notes"), json!({ "body": "b" })),
        ("PUT", format!("{at}/notes/{note}"), json!({ "body": "c" })),
        ("DELETE", format!("{at}/notes/{note}"), json!({})),
        ("POST", format!("{at}/award_emoji"), json!({ "name": "tada" })),
        ("POST", format!("{commit}/comments"), json!({ "note": "n" })),
        ("POST", format!("/statuses/{tip}"), json!({ "state": "success" })),
        ("POST", "/labels".to_owned(), json!({ "name": "l", "color": "#ff0000" })),
        ("POST", "/milestones".to_owned(), json!({ "title": "m" })),
        ("POST", "/environments".to_owned(), json!({ "name": "e" })),
        ("PUT", String::new(), json!({ "description": "d" })),
    ] {
        let before = count(server);
        let answer = world.v4(verb, &path).by(&root).header("SUDO", ann.username.as_str()).json(body).send();
        assert!((200..300).contains(&answer.status), "{verb} {path}: {} {}", answer.status, answer.text);
        assert_eq!(count(server), before + 1, "{verb} {path}");
        let row = &events(server)[0];
        assert_eq!(
            [&row["author_id"], &row["entity_type"], &row["entity_id"]],
            [&json!(1), &json!("User"), &json!(ann.id)]
        );
    }
    // reads, and what SUDO may not
    let before = count(server);
    world.v4("GET", &at).by(&root).header("SUDO", ann.username.as_str()).gives(200);
    world.v4("POST", "/issues").by(&root).header("SUDO", "nobody-here").json(json!({ "title": "t" })).gives(404);
    world
        .v4("POST", "/issues")
        .by(&root)
        .header("SUDO", world.eve.username.as_str())
        .json(json!({ "title": "t" }))
        .gives(404);
    world
        .v4("POST", "/issues")
        .by(&ann)
        .header("SUDO", world.bob.username.as_str())
        .json(json!({ "title": "t" }))
        .gives(403);
    world.v4("POST", "/issues").by(&root).json(json!({ "title": "t" })).gives(201);
    assert_eq!(count(server), before);
}

#[test]
fn a_project_that_an_administrator_makes_for_a_user_is_named() {
    let Some(server) = server() else { return };
    let user = new_user(server);
    let path = format!("/projects/user/{user}");
    let made = server.ask_v4("POST", path).by(&server.root()).json(json!({ "name": unique("p") })).gives(201).id();
    assert_eq!(newest(server), ("POST /projects/user/:user_id".to_owned(), "Project".to_owned(), made));
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
