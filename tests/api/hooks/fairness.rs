//! Whose hooks are served next.

use super::{delivered, hook};
use crate::support::{Server, Visibility, World, now};
use serde_json::json;
use std::collections::BTreeMap;

/// The hosts that each round sent to.
fn rounds(server: &'static Server, number: u32, now: i64) -> Vec<Vec<String>> {
    (0..number)
        .map(|_| {
            server.deliver_rounds(now, 1).unwrap();
            let sent = server.database().take_sent();
            let mut hosts: Vec<_> = sent.iter().map(|one| one.url.split('/').nth(2).unwrap().to_owned()).collect();
            hosts.sort();
            hosts
        })
        .collect()
}

fn project(server: &'static Server, name: &str, hooks: usize) -> World {
    let world = World::new(server, Visibility::Private);
    for _ in 0..hooks {
        hook(&world, json!({ "issues_events": true, "url": format!("https://{name}.example.org/") }));
    }
    world
}

fn issues(world: &World, number: usize) {
    (0..number).for_each(|_| drop(world.issue(&world.rae, json!({ "title": "a" }))));
}

#[test]
fn a_backlog_of_one_project_holds_no_other_up() {
    let server = Server::with(|_| ());
    let busy = project(server, "busy", 20);
    issues(&busy, 50);
    assert_eq!(rounds(server, 2, now()), [["busy.example.org"; 2]; 2]);
    // what comes later is served in the next round, and a place stays with the project of the backlog
    for name in ["a", "b", "c"] {
        issues(&project(server, name, 1), 1);
    }
    let [round, after] = rounds(server, 2, now()).try_into().unwrap();
    let hosts = ["a.example.org", "b.example.org", "busy.example.org", "busy.example.org", "c.example.org"];
    assert_eq!(round, hosts);
    assert_eq!(after, ["busy.example.org"; 2]);
}

#[test]
fn of_many_projects_that_wait_each_has_its_turn() {
    let server = Server::with(|_| ());
    let worlds: Vec<World> = (0..9).map(|number| project(server, &format!("p{number}"), 3)).collect();
    worlds.iter().for_each(|world| issues(world, 4));
    let mut counts = BTreeMap::<String, usize>::new();
    for at in 0..6 {
        let hosts = rounds(server, 1, now() + at).remove(0);
        assert_eq!(hosts.len(), 6, "round {at}");
        hosts.into_iter().for_each(|host| *counts.entry(host).or_default() += 1);
    }
    assert!(counts.len() == 9 && counts.values().all(|count| *count == 4), "{counts:?}");
}

#[test]
fn a_hook_that_is_made_anew_goes_behind_those_that_wait() {
    let server = Server::with(|_| ());
    let old: Vec<World> = (0..7).map(|number| project(server, &format!("old{number}"), 1)).collect();
    old.iter().for_each(|world| issues(world, 1));
    assert_eq!(rounds(server, 2, now()).concat().len(), 7);
    let later = now() + 60_000;
    server.turn_to(later);
    old.iter().for_each(|world| issues(world, 1));
    issues(&project(server, "new", 1), 1);
    let [round, after] = rounds(server, 2, later + 1).try_into().unwrap();
    assert!(round.len() == 6 && round.iter().all(|host| host.starts_with("old")), "{round:?}");
    assert!(after.len() == 2 && after.contains(&"new.example.org".to_owned()), "{after:?}");
}

#[test]
fn the_hooks_of_the_system_have_turns_of_their_own() {
    let server = Server::with(|_| ());
    let busy = project(server, "busy", 20);
    let url = json!({ "url": "https://system.example.org/" });
    server.ask_v4("POST", "/hooks").by(&server.root()).json(url).gives(201);
    issues(&busy, 10);
    server.person("new");
    let hosts = rounds(server, 1, now()).remove(0);
    assert!(hosts.contains(&"system.example.org".to_owned()) && hosts.len() == 3, "{hosts:?}");
}

/// A stale row of the queue ends no run.
#[test]
fn projects_without_a_hook_that_is_due_are_passed_over() {
    let server = Server::with(|_| ());
    for number in 0..8 {
        let world = project(server, &format!("gone{number}"), 2);
        issues(&world, 1);
        server.tamper(&format!("update hooks set next_at = 9000000000000 where project_id = {}", world.project.id));
    }
    let world = project(server, "there", 1);
    issues(&world, 1);
    assert_eq!(delivered(server, now()).len(), 1);
}

#[test]
fn a_round_reads_no_more_with_a_long_backlog() {
    let cost = |issues_of_each: usize| {
        let server = Server::with(|_| ());
        let worlds: Vec<World> = (0..4).map(|number| project(server, &format!("p{number}"), 5)).collect();
        worlds.iter().for_each(|world| issues(world, issues_of_each));
        server.database().take_steps();
        server.deliver_rounds(now(), 1).unwrap();
        server.database().take_steps().0
    };
    let (short, long) = (cost(2), cost(32));
    assert!(long <= short * 11 / 10, "{short} and {long} steps");
}
