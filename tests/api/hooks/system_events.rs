//! What hooks of the system get about projects, members, users and groups.

use super::{body, delivered, header};
use crate::storage::counters::disagreements;
use crate::support::git::{line, sha};
use crate::support::v4::names;
use crate::support::{Server, Visibility, World, now, unique};
use serde_json::{Value, json};

const PROJECT: &str = "created_at event_name name owner_email owner_name owners path path_with_namespace project_id project_namespace_id project_visibility updated_at";

fn world() -> World {
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    let hook = json!({ "url": "https://system.example.org/" });
    world.server.ask_v4("POST", "/hooks").by(&world.root).json(hook).gives(201);
    world
}

fn heard(world: &World) -> Vec<Value> {
    delivered(world.server, now()).iter().map(body).collect()
}

fn named(sent: &[Value]) -> Vec<&str> {
    sent.iter().map(|one| one["event_name"].as_str().unwrap()).collect()
}

#[test]
fn what_happens_to_a_project_is_an_event_of_the_system() {
    let world = world();
    let path = unique("p");
    let made = world.server.ask_v4("POST", "/projects").by(&world.ann).json(json!({ "name": path })).gives(201).json;
    let sent = heard(&world);
    assert_eq!(named(&sent), ["project_create"]);
    assert_eq!(names(&sent[0]), PROJECT);
    assert_eq!((&sent[0]["project_id"], &sent[0]["project_visibility"]), (&made["id"], &json!("private")));
    assert_eq!(sent[0]["owners"][0]["name"], world.ann.name);
    assert!(sent[0]["created_at"].as_str().is_some_and(|time| time.len() == 20 && time.ends_with('Z')), "{}", sent[0]);
    let one = format!("/projects/{}", made["id"]);
    let put = |fields: Value| world.server.ask_v4("PUT", &one).by(&world.ann).json(fields).gives(200);
    put(json!({ "description": "other" }));
    put(json!({ "description": "other", "name": path, "visibility": "private" }));
    put(json!({ "wiki_enabled": true }));
    world.server.put(&one).by(&world.ann).json(json!({ "description": "other" })).gives(200);
    let renamed = unique("q");
    put(json!({ "path": renamed }));
    let sent = heard(&world);
    assert_eq!(named(&sent), ["project_update", "project_rename"]);
    assert_eq!(sent[1]["old_path_with_namespace"], format!("{}/{path}", world.ann.username));
    assert_eq!(sent[1]["path"], renamed.as_str());
    world.server.ask_v4("DELETE", &one).by(&world.ann).gives(202);
    assert_eq!(named(&heard(&world)), ["project_destroy"]);
}

#[test]
fn a_push_is_one_update_of_the_repository() {
    let world = world();
    let deaf = json!({ "url": "https://deaf.example.org/", "repository_update_events": false });
    world.server.ask_v4("POST", "/hooks").by(&world.root).json(deaf).gives(201);
    let of_project =
        json!({ "url": "https://project.example.org/", "repository_update_events": true, "push_events": false });
    world.v4("POST", "/hooks").by(&world.ann).json(of_project).gives(201);
    world.push(&line(2), &[("refs/heads/master", &sha(1)), ("refs/tags/v1", &sha(1))]);
    let sent = delivered(world.server, now());
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(header(&sent[0], "X-Gitlab-Event"), Some("System Hook"));
    let first = body(&sent[0]);
    assert_eq!(names(&first), "changes event_name project project_id refs user_avatar user_email user_id user_name");
    assert_eq!((&first["event_name"], &first["user_id"]), (&json!("repository_update"), &json!(world.ann.id)));
    assert_eq!((&first["project_id"], &first["project"]["id"]), (&json!(world.project.id), &json!(world.project.id)));
    let zeros = "0".repeat(40);
    assert_eq!(
        first["changes"],
        json!([{ "before": zeros, "after": sha(1), "ref": "refs/heads/master" }, { "before": zeros, "after": sha(1), "ref": "refs/tags/v1" }])
    );
    assert_eq!(first["refs"], json!(["refs/heads/master", "refs/tags/v1"]));
    let changes = json!([{ "name": "refs/heads/master", "old": sha(1), "new": sha(2) }, { "name": "refs/tags/v1", "old": sha(1), "new": null }]);
    let swap = json!({ "default_branch": "master", "changes": changes });
    world.put("/mirror/refs").by(&world.ann).json(swap.clone()).gives(200);
    let moved = &heard(&world)[0];
    assert_eq!(
        moved["changes"],
        json!([{ "before": sha(1), "after": sha(2), "ref": "refs/heads/master" }, { "before": sha(1), "after": zeros, "ref": "refs/tags/v1" }])
    );
    // a history is none
    let recheck = json!({ "default_branch": "master", "changes": [], "recheck": true });
    world.put("/mirror/refs").by(&world.ann).json(recheck).gives(200);
    assert_eq!(heard(&world), Vec::<Value>::new());
}

#[test]
fn who_comes_and_goes_is_an_event_of_the_system() {
    let world = world();
    let eve = world.eve.id;
    let group = format!("/groups/{}", world.group);
    for (home, words) in [(world.at(""), "team"), (group, "group")] {
        let member = json!({ "user_id": eve, "access_level": 20 });
        let by = || &world.ann;
        world.server.ask_v4("POST", format!("{home}/members")).by(by()).json(member).gives(201);
        let put = |level: i64| {
            world
                .server
                .ask_v4("PUT", format!("{home}/members/{eve}"))
                .by(by())
                .json(json!({ "access_level": level }))
                .gives(200)
        };
        put(40);
        // the same level again is no change
        put(40);
        world.server.ask_v4("DELETE", format!("{home}/members/{eve}")).by(by()).gives(204);
        let sent = heard(&world);
        let expected = if words == "team" {
            ["user_add_to_team", "user_update_for_team", "user_remove_from_team"]
        } else {
            ["user_add_to_group", "user_update_for_group", "user_remove_from_group"]
        };
        assert_eq!(named(&sent), expected);
        let level = if words == "team" { "access_level" } else { "group_access" };
        assert_eq!([0, 1, 2].map(|at| sent[at][level].clone()), ["Reporter", "Maintainer", "Maintainer"]);
        assert_eq!(sent[0]["user_id"], eve);
    }
    // the last owner stays
    let left = world
        .server
        .ask_v4("DELETE", format!("/groups/{}/members/{}", world.group, world.ann.id))
        .by(&world.ann)
        .send();
    assert_eq!(left.status, 403);
    assert_eq!(heard(&world), Vec::<Value>::new());
}

#[test]
fn users_and_groups_are_events_of_the_system() {
    let world = world();
    let root = || &world.root;
    let name = unique("new");
    let user =
        json!({ "name": "New", "username": name, "email": format!("{name}@example.com"), "reset_password": true });
    let id = world.server.ask_v4("POST", "/users").by(root()).json(user).gives(201).id();
    let one = format!("/users/{id}");
    world.server.ask_v4("PUT", &one).by(root()).json(json!({ "bio": "x" })).gives(200);
    let other = unique("other");
    world.server.ask_v4("PUT", &one).by(root()).json(json!({ "username": other })).gives(200);
    world.server.ask_v4("DELETE", &one).by(root()).gives(204);
    let sent = heard(&world);
    assert_eq!(named(&sent), ["user_create", "user_rename", "user_destroy"]);
    assert_eq!(names(&sent[0]), "created_at email event_name name updated_at user_id username");
    assert_eq!((&sent[1]["old_username"], &sent[1]["username"]), (&json!(name), &json!(other)));
    assert_eq!((&sent[2]["username"], &sent[2]["user_id"]), (&json!(other), &json!(id)));
    let path = unique("g");
    let group = json!({ "name": "G", "path": path });
    let id = world.server.ask_v4("POST", "/groups").by(&world.ann).json(group).gives(201).id();
    let one = format!("/groups/{id}");
    world.server.ask_v4("PUT", &one).by(&world.ann).json(json!({ "description": "x" })).gives(200);
    let moved = unique("h");
    world.server.ask_v4("PUT", &one).by(&world.ann).json(json!({ "path": moved })).gives(200);
    // a group with a project stays
    let within = json!({ "name": "p", "namespace_id": id });
    let project = world.server.ask_v4("POST", "/projects").by(&world.ann).json(within).gives(201).id();
    let v3 = |method: &str| world.server.ask(method, format!("/groups/{id}")).by(&world.ann).send();
    assert_eq!(v3("DELETE").status, 409);
    world.server.ask_v4("DELETE", format!("/projects/{project}")).by(&world.ann).gives(202);
    world.server.ask_v4("DELETE", &one).by(&world.ann).send();
    let sent = heard(&world);
    assert_eq!(named(&sent), ["group_create", "group_rename", "project_create", "project_destroy", "group_destroy"]);
    assert_eq!((&sent[1]["old_path"], &sent[1]["full_path"]), (&json!(path), &json!(moved)));
}

#[test]
fn events_of_no_project_count_their_bytes_and_at_most_1000_of_them_wait() {
    let world = world();
    let number = |sql: &str| world.server.rows(&format!("select json_array({sql}) as v"))[0][0].as_i64().unwrap();
    let bytes = || number("(select bytes from storage where project_id = 0)");
    let happen = |times: i64| {
        world.server.tamper(&format!(
            "with recursive n(value) as (select 1 union all select value + 1 from n where value < {times})
            insert into hook_events (kind, action, bit, system_bit, origin, snapshot, created_at)
            select 'system', 'project_rename', 524288, 524288, '{{}}', json_object('event_name', value), {} from n",
            now()
        ))
    };
    heard(&world);
    let before = bytes();
    happen(1100);
    assert_eq!(number("(select count(*) from deliveries)"), 1000);
    assert_eq!(number("(select dropped from hooks where project_id is null)"), 100);
    assert!(bytes() - before > 1100 * 200 + 1000 * 500, "{}", bytes());
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
    // beyond 100 MB those that were sent make room, and else there are no more, and a write goes on
    let events = || number("(select count(*) from hook_events)");
    let happened = |bytes: &str| {
        let before = events();
        world.server.tamper(&format!("update storage set bytes = {bytes} where project_id = 0"));
        let made = json!({ "name": unique("p") });
        world.server.ask_v4("POST", "/projects").by(&world.ann).json(made).gives(201);
        events() - before
    };
    assert_eq!(happened("100000500"), 1 - 10);
    assert_eq!(number("(select max(kind = 'system' and action = 'project_create') from hook_events)"), 1);
    assert_eq!(happened("200000000"), -10);
}
