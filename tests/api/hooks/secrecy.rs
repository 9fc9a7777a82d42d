//! What an older or a tampered database may not make a hook send, and whose secrets it opens.

use super::{URL, delivered, header, hook, hook_by, log};
use crate::support::git::{line, sha};
use crate::support::{Server, Visibility, World, now};
use serde_json::{Value, json};

const KEY: [u8; 32] = [7; 32];

fn server() -> &'static Server {
    Server::with(|config| config.hooks_key = Some(KEY))
}

fn world() -> World {
    World::new(server(), Visibility::Private)
}

#[test]
fn a_header_that_no_hook_may_have_is_not_sent_by_an_older_hook() {
    let world = world();
    let headers = json!([{ "key": "X-A", "value": "websocket" }, { "key": "X-B", "value": "b" }]);
    let id = hook(&world, json!({ "issues_events": true, "custom_headers": headers }));
    world.server.tamper("update hooks set custom_headers = replace(custom_headers, 'X-A', 'Upgrade')");
    world.issue(&world.rae, json!({ "title": "a" }));
    let sent = delivered(world.server, now());
    assert_eq!((header(&sent[0], "Upgrade"), header(&sent[0], "X-B")), (None, Some("b")));
    let logged = &log(&world, id)[0]["request_headers"];
    assert_eq!((&logged["Upgrade"], &logged["X-B"]), (&json!("[NOT SENT]"), &json!("[REDACTED]")));
}

#[test]
fn the_host_of_the_request_is_refused_when_it_is_sent() {
    let world = world();
    let id = hook(&world, json!({ "issues_events": true }));
    world.server.tamper(&format!("update hooks set url = '{}/api/v4/user'", world.server.origin));
    world.issue(&world.rae, json!({ "title": "a" }));
    assert_eq!(delivered(world.server, now()), []);
    assert_eq!(log(&world, id)[0]["response_body"], "URL is blocked: it is this server");
}

#[test]
fn a_chain_that_no_hook_of_this_server_began_holds_no_hook_back() {
    let world = world();
    hook(&world, json!({ "issues_events": true }));
    let chain = "11111111-2222-4333-8444-555555555555";
    let issue = || {
        let issue = world.v4("POST", "/issues").by(&world.rae).header("X-Gitlab-Event-UUID", chain);
        issue.json(json!({ "title": "a" })).gives(201);
    };
    (0..3).for_each(|_| issue());
    let sent = delivered(world.server, now());
    assert_eq!(sent.len(), 3);
    for one in &sent {
        assert_eq!(header(one, "X-Gitlab-Event-UUID"), header(one, "webhook-id"));
    }
    issue();
    assert_eq!(delivered(world.server, now() + 1).len(), 1);
}

#[test]
fn the_get_of_v3_that_sends_a_test_needs_the_scope_api() {
    let server = server();
    let root = server.root();
    let id = server.ask_v4("POST", "/hooks").by(&root).json(json!({ "url": URL })).gives(201).id();
    let mut reader = root.clone();
    let new = json!({ "name": "reader", "scopes": ["read_api"] });
    let made = server.ask_v4("POST", "/users/1/personal_access_tokens").by(&root).json(new).gives(201).json;
    reader.token = made["token"].as_str().unwrap().to_owned();
    let reason = json!({ "message": "403 Forbidden  - The scopes of the token do not allow this" });
    server.get(format!("/hooks/{id}")).by(&reader).refused(403, reason);
    assert_eq!(server.database().take_sent(), []);
    server.get("/hooks").by(&reader).gives(200);
    server.get(format!("/hooks/{id}")).by(&root).gives(200);
    assert_eq!(server.database().take_sent().len(), 1);
}

#[test]
fn a_secret_of_another_hook_does_not_open() {
    let server = server();
    let worlds = [(); 2].map(|()| World::new(server, Visibility::Private));
    let ids = [0, 1].map(|at| hook(&worlds[at], json!({ "issues_events": true, "token": format!("t{at}") })));
    server.tamper(&format!(
        "update hooks set token = (select token from hooks where id = {}) where id = {}",
        ids[0], ids[1]
    ));
    worlds.iter().for_each(|world| drop(world.issue(&world.rae, json!({ "title": "a" }))));
    let sent = delivered(server, now());
    assert_eq!(sent.iter().map(|one| header(one, "X-Gitlab-Token")).collect::<Vec<_>>(), [Some("t0")]);
    let why = log(&worlds[1], ids[1])[0]["response_body"].clone();
    assert_eq!(why, "The secrets of this hook were sealed by another key: save them again");
}

#[test]
fn a_maker_who_became_external_hears_of_no_code_of_an_internal_project() {
    let world = World::new(server(), Visibility::Internal);
    let level = |level: i64| {
        let member = world.v4("PUT", &format!("/members/{}", world.bob.id)).by(&world.ann);
        member.json(json!({ "access_level": level })).gives(200);
    };
    level(40);
    hook_by(&world, &world.bob, json!({ "push_events": true, "issues_events": true }));
    level(10);
    let heard = |number: u32| {
        let old = (number > 1).then(|| sha(number - 1));
        let change =
            json!({ "name": "refs/heads/master", "old": old, "new": sha(number), "message": null, "commits": 1 });
        let commits: Vec<Value> = line(number).iter().skip(number as usize - 1).map(|commit| commit.wire()).collect();
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": commits })).gives(201);
        let swap = json!({ "default_branch": "master", "changes": [change] });
        world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
        world.issue(&world.ann, json!({ "title": "a" }));
        let sent = delivered(world.server, now());
        sent.iter().filter_map(|sent| header(sent, "X-Gitlab-Event").map(str::to_owned)).collect::<Vec<_>>()
    };
    // any user reads the commits of an internal project, but not an external one
    assert_eq!(heard(1), ["Push Hook", "Issue Hook"]);
    let external = world.server.put(format!("/users/{}", world.bob.id)).by(&world.root);
    external.json(json!({ "external": true })).gives(200);
    world.v4("GET", "/repository/commits").by(&world.bob).gives(403);
    assert_eq!(heard(2), ["Issue Hook"]);
}
