//! Quotas of writes and bytes. Each test has a server of its own with a fixed clock.

use crate::support::git::{Commit, commit, sha};
use crate::support::{Answer, Ask, Person, Server, Visibility, World, now, spec};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;

fn server(quotas: Quotas) -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::with_quotas(quotas))
}

fn with_writes(hourly_writes: i64) -> Option<&'static Server> {
    server(Quotas { hourly_writes, ..Quotas::default() })
}

fn issue(world: &World, person: &Person) -> Ask {
    world
        .post("/issues")
        .by(person)
        .json(json!({ "title": "One more", "labels": "a", "description": "@root" }))
}

/// Sends all at once. Returns how many succeeded and how many got 429.
fn at_once(asks: Vec<Ask>) -> (usize, usize) {
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let sent: Vec<_> = asks.into_iter().map(|ask| scope.spawn(|| ask.send().status)).collect();
        sent.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let count = |range: std::ops::Range<u16>| statuses.iter().filter(|status| range.contains(status)).count();
    (count(200..300), count(429..430))
}

#[test]
fn of_64_who_write_at_once_no_more_than_the_limit_do() {
    let Some(server) = with_writes(20) else { return };
    let world = World::new(server, Visibility::Private);
    let first = issue(&world, &world.rae).gives(200).json;
    let note = || {
        let path = format!("{}/notes", world.issue_path(&first));
        server.post(path).by(&world.rae).json(json!({ "body": "And @root" }))
    };
    let asks = (0..64).map(|n| if n % 2 == 0 { issue(&world, &world.rae) } else { note() }).collect();
    assert_eq!(at_once(asks), (19, 45));
    let written = world.get("/issues").by(&world.rae).gives(200).json;
    let issues = written.as_array().unwrap();
    let notes: i64 = issues.iter().map(|issue| issue["user_notes_count"].as_i64().unwrap()).sum();
    assert_eq!(issues.len() as i64 + notes, 20);
    // refused creations do not use up numbers
    assert_eq!(issues.iter().map(|issue| issue["iid"].as_i64().unwrap()).max(), Some(issues.len() as i64));
    // other users still write, and in the next hour everyone does
    issue(&world, &world.bob).gives(200);
    server.turn_to(now() + HOUR);
    issue(&world, &world.rae).gives(200);
}

#[test]
fn who_wrote_too_much_is_told_how_long_to_wait() {
    let Some(server) = with_writes(1) else { return };
    let world = World::new(server, Visibility::Private);
    server.turn_to(now() / HOUR * HOUR + 60_000);
    issue(&world, &world.rae).gives(200);
    let refused = issue(&world, &world.rae).gives(429);
    assert_eq!(
        refused.json["message"],
        "429 Too Many Requests: no more than 1 issues and comments in an hour"
    );
    assert_eq!((refused.header("Retry-After"), refused.header("RateLimit-Limit")), (Some("3540"), Some("1")));
    // a caller without the right is refused first, and is not counted
    let hidden = World::new(server, Visibility::Private);
    server.post(hidden.at("/issues")).by(&world.eve).json(json!({ "title": "x" })).gives(404);
    world.post("/issues").by(&world.gus).json(json!({ "title": "" })).gives(400);
    issue(&world, &world.gus).gives(200);
}

#[test]
fn a_repeat_with_the_same_key_counts_once() {
    let Some(server) = with_writes(1) else { return };
    let world = World::new(server, Visibility::Private);
    let send = || issue(&world, &world.rae).header("Idempotency-Key", "once").gives(200).id();
    assert_eq!(send(), send());
}

#[test]
fn administrators_and_whom_they_act_as_write_any_number() {
    let Some(server) = with_writes(1) else { return };
    let world = World::new(server, Visibility::Private);
    for _ in 0..3 {
        issue(&world, &world.root).gives(200);
        issue(&world, &world.root).header("SUDO", world.rae.username.as_str()).gives(200);
    }
    issue(&world, &world.rae).gives(200);
    issue(&world, &world.rae).gives(429);
}

#[test]
fn a_moved_issue_counts_as_a_new_one() {
    let Some(server) = with_writes(2) else { return };
    let world = World::new(server, Visibility::Private);
    let (to, back) = (world.sibling(Visibility::Private), &world.project);
    let made = issue(&world, &world.rae).gives(200).json;
    let there = world.moved(&world.rae, &made, &to.project);
    let path = format!("{}/move", to.issue_path(&there));
    server.post(path).by(&world.rae).json(json!({ "to_project_id": back.id })).gives(429);
}

fn push(world: &World, number: u32, bytes: usize) -> Answer {
    let mut commit = commit(number, &[]);
    commit.diff =
        json!([{ "diff": "x".repeat(bytes), "old_path": "a", "new_path": "a", "a_mode": null, "b_mode": null,
        "new_file": false, "renamed_file": false, "deleted_file": false }])
        .to_string();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [commit.wire()] })).send()
}

fn used(world: &World) -> i64 {
    let shown = world.get("/mirror").by(&world.ann).gives(200).json;
    shown["bytes"].as_i64().unwrap()
}

/// The stored bytes, summed from the rows.
fn stored(world: &World) -> Value {
    let rows = world.server.rows(&format!(
        "select json_array((select coalesce(sum(octet_length(message) + octet_length(author_name) + octet_length(author_email)
          + octet_length(committer_name) + octet_length(committer_email) + octet_length(parent_shas)), 0)
        from commits where project_id = {0}) + (select coalesce(sum(octet_length(text)), 0) from diffs d
        join commits c on c.id = d.commit_id where c.project_id = {0})) as v",
        world.project.id
    ));
    rows[0][0].clone()
}

#[test]
fn the_bytes_of_a_project_are_counted_and_shown() {
    let Some(server) = server(Quotas { project_bytes: 1_000_000, ..Quotas::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    assert_eq!(used(&world), 0);
    push(&world, 1, 100_000).has_status(201);
    push(&world, 2, 700_000).has_status(201);
    let before = used(&world);
    assert!(before > 800_000 && stored(&world) == before, "{before}");
    // an existing object counts once
    push(&world, 2, 700_000).has_status(201);
    assert_eq!(used(&world), before);
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["most_bytes"], 1_000_000);
    // a removed diff frees its bytes, and uses them again when it returns
    world.delete(&format!("/mirror/commits/{}", sha(2))).by(&world.ann).gives(200);
    assert!(used(&world) < 110_000 && stored(&world) == used(&world));
    push(&world, 2, 700_000).has_status(201);
    assert_eq!((used(&world), stored(&world)), (before, json!(before)));
}

#[test]
fn no_more_bytes_are_stored_than_a_project_or_the_server_may_have() {
    let quotas = Quotas { project_bytes: 300_000, instance_bytes: 400_000, ..Quotas::default() };
    let Some(server) = server(quotas) else { return };
    let (one, other) = (World::new(server, Visibility::Private), World::new(server, Visibility::Private));
    push(&one, 1, 200_000).has_status(201);
    let begins = |refused: Answer, words: &str| {
        refused.has_status(507);
        let text = refused.json["message"].as_str().unwrap();
        assert!(text.starts_with(&format!("507 Insufficient Storage: {words} has ")), "{text}");
    };
    begins(push(&one, 2, 150_000), "this project");
    push(&other, 3, 150_000).has_status(201);
    begins(push(&other, 4, 100_000), "this server");
    let counts = [&one, &other].map(|world| (used(world), stored(world)));
    assert!(counts.iter().all(|(used, stored)| stored == used), "{counts:?}");
    // existing commits may be sent again, even if the project is full
    push(&one, 1, 200_000).has_status(201);
    push(&one, 5, 10_000).has_status(201);
}

#[test]
fn a_diff_that_was_forgotten_counts_when_it_comes_again() {
    let Some(server) = server(Quotas { project_bytes: 100_000, ..Quotas::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    let tiny = commit(1, &[]);
    let post = |commit: &Commit| {
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [commit.wire()] })).send().status
    };
    assert_eq!(post(&tiny), 201);
    world.delete(&format!("/mirror/commits/{}", tiny.sha)).by(&world.ann).gives(200);
    let entry = json!({ "diff": "x".repeat(200_000), "old_path": "a", "new_path": "a", "a_mode": null, "b_mode": null,
        "new_file": true, "renamed_file": false, "deleted_file": false });
    let large = tiny.clone().with(|commit| commit.diff = json!([entry]).to_string());
    assert_eq!(post(&large), 507);
    assert!(used(&world) < 1000);
    assert_eq!(post(&tiny), 201);
    // a repeat adds nothing and is no error, also where there is no room
    assert_eq!(post(&tiny), 201);
}

#[test]
fn commits_of_many_parents_are_limited() {
    let Some(server) = server(Quotas::default()) else { return };
    let world = World::new(server, Visibility::Private);
    world.push_line(150);
    let post = |commit: Commit| {
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [commit.wire()] })).send()
    };
    let parents = |count: u32| (1..=count).collect::<Vec<_>>();
    assert_eq!(post(commit(201, &parents(101))).status, 400);
    assert_eq!(post(commit(202, &parents(100))).status, 201);
    server.tamper("update mirrors set extra_parents = extra_parents + 49900");
    let refused = post(commit(203, &parents(5)));
    assert_eq!(refused.status, 507);
    let text = "507 Insufficient Storage: the commits of this project have 49998 of 50000 parents beyond the second, and these have 3";
    assert_eq!(refused.json, json!({ "message": text }));
    assert_eq!(post(commit(204, &parents(4))).status, 201);
    assert_eq!(post(commit(205, &parents(2))).status, 201);
}
