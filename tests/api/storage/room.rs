//! Room in the object store (behaviour 4.4): it is taken before bytes are put there.

use super::counters::disagreements;
use crate::packages::{published, publishing};
use crate::support::contents::blob;
use crate::support::git::commit;
use crate::support::v4::ask;
use crate::support::{Answer, Ask, Dice, Fault, Person, Server, Visibility, World, now, spec};
use crate::uploads::{address, uploaded, uploading};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;

pub fn world(quotas: Quotas) -> Option<World> {
    let server = |quotas| Server::with_objects(|config: &mut edgeforge::Config| config.quotas = quotas);
    spec().is_in_process().then(|| World::new(server(quotas), Visibility::Private))
}

pub fn random(seed: u64, length: usize) -> Vec<u8> {
    let mut dice = Dice(seed);
    (0..length).map(|_| dice.number() as u8).collect()
}

pub fn pushing(world: &World, number: u32, length: usize) -> Ask {
    let diff = json!([{ "diff": "x".repeat(length), "new_path": "a", "old_path": "a", "a_mode": "100644", "b_mode": "100644",
        "new_file": false, "renamed_file": false, "deleted_file": false }]);
    let commit = commit(number, &[]).with(|commit| commit.diff = diff.to_string());
    world.post("/mirror/commits").json(json!({ "commits": [commit.wire()] }))
}

/// An issue of ann's whose text links to a file of so many bytes.
pub fn issue_with_file(world: &World, length: usize) -> Value {
    let file = address(&uploaded(world, &world.rae, "a.bin", &vec![b'x'; length]));
    world.issue(&world.ann, json!({ "title": "t", "description": format!("[a]({file})") }))
}

pub fn cloning(world: &World, issue: &Value, to: &World) -> Ask {
    let path = format!("/issues/{}/clone", issue["iid"]);
    ask(world, "POST", &path).json(json!({ "to_project_id": to.project.id }))
}

/// Bytes on their way.
fn reserved(server: &Server) -> Value {
    server.rows("select json_quote(coalesce(sum(bytes), 0)) as v from reservations")[0].clone()
}

pub fn message(answer: &Answer) -> &str {
    answer.json["message"].as_str().unwrap_or_default()
}

/// Nothing is on its way, and the counters are those of the rows and of the objects.
pub fn is_exact(server: &Server) {
    assert_eq!(disagreements(server), Vec::<Value>::new());
    let counted = server.rows("select json_quote(objects) as v from stored")[0].as_i64();
    assert_eq!((counted, reserved(server)), (Some(server.bucket().bytes()), json!(0)));
}

#[test]
fn over_the_writes_of_an_hour_nothing_is_put() {
    let Some(world) = world(Quotas { hourly_writes: 20, ..Quotas::default() }) else { return };
    let (other, server) = (world.sibling(Visibility::Private), world.server);
    let issue = issue_with_file(&world, 9000);
    let used = |person: &Person| {
        server.tamper(&format!("replace into hourly_writes values ({}, {}, 20, 20)", person.id, now() / HOUR));
    };
    let before = server.bucket().bytes();
    for number in 0..10 {
        used(&world.ann);
        for asked in [
            uploading(&world, "a.bin", &random(1, 9000)),
            publishing(&world, "n/1/f", &random(2, 9000)),
            world.sending(blob(random(3, 9000)).record()),
            pushing(&world, number + 1, 9000),
            cloning(&world, &issue, &other),
        ] {
            asked.by(&world.ann).gives(429);
        }
    }
    assert_eq!(server.bucket().bytes(), before);
    is_exact(server);
}

#[test]
fn a_clone_without_room_copies_nothing_and_one_in_its_project_never_copies() {
    let Some(world) = world(Quotas { project_bytes: 50_000, ..Quotas::default() }) else { return };
    let (full, server) = (world.sibling(Visibility::Private), world.server);
    let issue = issue_with_file(&world, 30_000);
    uploaded(&full, &full.rae, "b.bin", &[b'x'; 30_000]);
    for _ in 0..40 {
        cloning(&world, &issue, &full).by(&world.ann).gives(507);
    }
    let link = world.seen(&world.ann, &issue)["description"].clone();
    for _ in 0..10 {
        assert_eq!(cloning(&world, &issue, &world).by(&world.ann).gives(201).json["description"], link);
    }
    assert_eq!(server.bucket().bytes(), 60_000);
    is_exact(server);
}

#[test]
fn of_four_files_at_once_only_those_with_room_are_put() {
    let Some(world) = world(Quotas { project_bytes: 120_000, ..Quotas::default() }) else { return };
    let asks: Vec<Ask> = (0..4)
        .map(|number| publishing(&world, &format!("n/{number}/f"), &random(number, 110_000)).by(&world.bob))
        .collect();
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let sent: Vec<_> = asks.into_iter().map(|ask| scope.spawn(|| ask.send().status)).collect();
        sent.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    statuses.sort();
    // one of them may be refused because another one holds the room that it gives back
    assert_eq!(statuses, [201, 507, 507, 507]);
    assert_eq!(world.server.bucket().bytes(), 110_000);
    is_exact(world.server);
}

#[test]
fn what_is_on_its_way_takes_room() {
    let Some(world) = world(Quotas { project_bytes: 120_000, ..Quotas::default() }) else { return };
    let (server, second) = (world.server, publishing(&world, "n/2/f", &random(2, 60_000)).by(&world.bob));
    // the second request comes while the first one has put its bytes, and has no row yet
    server.bucket().after_put(move || {
        second.gives(507);
    });
    published(&world, &world.bob, "n/1/f", &random(1, 60_000));
    is_exact(server);
}

#[test]
fn bytes_of_an_unknown_length_take_room_before_they_are_put() {
    let Some(world) = world(Quotas { project_bytes: 12 << 20, ..Quotas::default() }) else { return };
    let put = |path: &str, length| {
        let sent = publishing(&world, path, &random(7, length)).by(&world.bob);
        sent.header("Transfer-Encoding", "chunked").send().status
    };
    assert_eq!((put("n/1/f", 9000), put("n/2/f", 11 << 20), put("n/3/f", 2 << 20)), (201, 201, 507));
    assert_eq!(world.server.bucket().bytes(), 9000 + (11 << 20));
    is_exact(world.server);
}

#[test]
fn a_refused_file_leaves_neither_bytes_nor_room() {
    let quotas = Quotas { package_file_bytes: 10_000, instance_bytes: 50_000, ..Quotas::default() };
    let Some(world) = world(quotas) else { return };
    let (other, server) = (world.sibling(Visibility::Private), world.server);
    publishing(&world, "n/1/f", &random(1, 10_001)).by(&world.bob).gives(400);
    ask(&world, "POST", "/uploads").by(&world.bob).multipart(&[("other", "x")]).gives(400);
    let forged = [blob("a").heading.line().as_bytes(), b"no zlib stream"].concat();
    world.sending(forged).gives(400);
    // whose row is refused, because the database is full meanwhile
    let issue = move || other.post("/issues").by(&other.ann).json(json!({ "title": "t" })).send().status;
    server.bucket().after_put(move || assert!((0..1000).any(|_| issue() == 507)));
    publishing(&world, "n/1/f", &random(2, 9000)).by(&world.bob).gives(507);
    is_exact(server);
}

#[test]
fn room_of_a_killed_request_comes_back_with_the_sweep() {
    let Some(world) = world(Quotas::default()) else { return };
    let server = world.server;
    let files = || server.rows("select json_quote(id) as v from package_files").len();
    // an answer that does not come: the row may be there
    let lost = "Network connection lost";
    for (fault, kept) in [(Fault::Before(lost), 0), (Fault::After(lost), 1)] {
        let mut trips = 0;
        server.database().break_down(move || {
            trips += 1;
            (trips == 2).then_some(fault)
        });
        publishing(&world, "n/1/f", &random(1, 9000)).by(&world.bob).gives(503);
        server.database().mend();
        assert_eq!((reserved(server), files()), (json!(9000), kept));
    }
    assert_eq!(server.bucket().bytes(), 18_000);
    server.sweep(now() + HOUR - 60_000).unwrap();
    assert_eq!(reserved(server), json!(9000));
    server.sweep(now() + HOUR + 60_000).unwrap();
    assert_eq!(server.bucket().bytes(), 9000);
    is_exact(server);
}

#[test]
fn a_repeated_push_puts_no_diff_again() {
    let Some(world) = world(Quotas::default()) else { return };
    for _ in 0..3 {
        pushing(&world, 1, 9000).by(&world.ann).gives(201);
    }
    assert_eq!(world.server.bucket().keys().len(), 1);
    is_exact(world.server);
}
