//! The limits of the object store, and of what one person takes of it (behaviour 4.4).

use super::room::{cloning, is_exact, issue_with_file, message, pushing, random, world};
use crate::packages::{published, publishing};
use crate::support::contents::blob;
use crate::support::v4::ask;
use crate::support::{Ask, Person, Visibility, World};
use crate::uploads::{address, uploaded, uploading};
use edgeforge::quota::Quotas;
use serde_json::json;

#[test]
fn a_full_object_store_refuses_files_and_nothing_else() {
    let Some(world) = world(Quotas { object_bytes: 50_000, ..Quotas::default() }) else { return };
    let (other, server) = (world.sibling(Visibility::Private), world.server);
    let issue = issue_with_file(&world, 30_000);
    let text = "507 Insufficient Storage: the files of this server may have 50000 bytes";
    for asked in [
        uploading(&other, "a.bin", &random(1, 30_000)),
        publishing(&other, "n/1/f", &random(2, 30_000)),
        other.sending(blob(random(3, 30_000)).record()),
        pushing(&other, 7, 30_000),
        cloning(&world, &issue, &other),
    ] {
        assert_eq!(message(&asked.by(&world.ann).gives(507)), text);
    }
    other.issue(&other.ann, json!({ "title": "t" }));
    other.push_line(1);
    other.post("/statuses/master").by(&other.bob).json(json!({ "state": "success" })).gives(201);
    uploaded(&other, &other.ann, "a.bin", &random(4, 5000));
    is_exact(server);
}

#[test]
fn files_do_not_count_in_the_bytes_of_the_server() {
    let Some(world) = world(Quotas { instance_bytes: 50_000, ..Quotas::default() }) else { return };
    published(&world, &world.bob, "n/1/f", &random(1, 100_000));
    world.issue(&world.ann, json!({ "title": "t", "description": "x".repeat(20_000) }));
    world
        .post("/issues")
        .by(&world.ann)
        .json(json!({ "title": "t", "description": "x".repeat(40_000) }))
        .gives(507);
    is_exact(world.server);
}

#[test]
fn a_person_fills_a_share_of_the_object_store_in_all_projects_and_by_all_tokens() {
    let Some(world) = world(Quotas { person_object_bytes: 50_000, ..Quotas::default() }) else { return };
    let (other, server) = (world.sibling(Visibility::Private), world.server);
    let made = uploaded(&world, &world.ann, "a.bin", &random(1, 20_000));
    let fields = json!({ "name": "t", "scopes": ["api"], "access_level": 30, "expires_at": "2999-01-01" });
    let token = other.v4("POST", "/access_tokens").by(&other.ann).json(fields).gives(201).json;
    let bot = Person { token: token["token"].as_str().unwrap().to_owned(), ..other.ann.clone() };
    published(&other, &bot, "n/1/f", &random(2, 20_000));
    let text = "507 Insufficient Storage: the files of one person may have 50000 bytes";
    for asked in [
        uploading(&other, "a.bin", &random(3, 20_000)).by(&other.ann),
        publishing(&other, "n/2/f", &random(4, 20_000)).by(&bot),
        world.sending(blob(random(5, 20_000)).record()),
        pushing(&world, 7, 20_000).by(&world.ann),
    ] {
        assert_eq!(message(&asked.gives(507)), text);
    }
    // others have their own, and administrators any
    uploaded(&world, &world.bob, "b.bin", &random(6, 40_000));
    uploaded(&world, &world.root, "c.bin", &random(7, 60_000));
    // what is deleted is given back, and its bytes are gone at once
    let bytes = server.bucket().bytes();
    ask(&world, "DELETE", &address(&made)).by(&world.ann).gives(204);
    assert_eq!(server.bucket().bytes(), bytes - 20_000);
    uploaded(&other, &other.ann, "a.bin", &random(8, 20_000));
    is_exact(server);
}

#[test]
fn people_who_are_no_members_fill_a_twentieth_of_a_project() {
    let quotas = Quotas { project_bytes: 1_000_000, ..Quotas::default() };
    let Some(world) = world(quotas) else { return };
    let open = world.sibling(Visibility::Public);
    let others: Vec<Person> = (0..3).map(|_| world.server.person("Other")).collect();
    let made = uploaded(&open, &others[0], "a.bin", &random(1, 20_000));
    uploaded(&open, &others[1], "a.bin", &random(2, 20_000));
    let refused = json!({ "message": "403 Forbidden - upload quota exceeded" });
    uploading(&open, "a.bin", &random(3, 20_000)).by(&others[2]).refused(403, refused.clone());
    let chunked = uploading(&open, "a.bin", &random(3, 20_000)).by(&others[2]);
    chunked.header("Transfer-Encoding", "chunked").refused(403, refused);
    uploaded(&open, &open.gus, "b.bin", &random(4, 200_000));
    ask(&open, "DELETE", &address(&made)).by(&open.ann).gives(204);
    uploaded(&open, &others[2], "a.bin", &random(5, 20_000));
    is_exact(world.server);
}

#[test]
fn one_person_cannot_stop_the_writes_of_another() {
    let quotas = Quotas {
        project_bytes: 300_000,
        instance_bytes: 3_000_000,
        object_bytes: 500_000,
        person_object_bytes: 50_000,
        hourly_writes: 200,
        ..Quotas::default()
    };
    let Some(world) = world(quotas) else { return };
    let (server, eve) = (world.server, world.server.person("Greedy"));
    let project = server.project(&eve, eve.id, Visibility::Public);
    let of_eve = World { server, cast: world.cast, project };
    let issue = ask(&of_eve, "POST", "/issues").by(&eve).json(json!({ "title": "t" })).gives(201).json;
    let refused = |what: &str, asked: &dyn Fn(usize) -> Ask| {
        let refusal =
            (0..1000).map(|number| asked(number).by(&eve).send().status).find(|status| *status >= 400);
        assert!(refusal.is_some_and(|status| [403, 422, 429, 507].contains(&status)), "{what}: {refusal:?}");
    };
    let open = world.sibling(Visibility::Public);
    refused("uploads to the project of another", &|number| {
        uploading(&open, "a.bin", &random(number as u64, 9000))
    });
    refused("uploads", &|number| uploading(&of_eve, "a.bin", &random(number as u64, 9000)));
    refused("packages", &|number| {
        publishing(&of_eve, &format!("n/{number}/f"), &random(number as u64, 9000))
    });
    refused("hooks", &|_| ask(&of_eve, "POST", "/hooks").json(json!({ "url": "https://example.com/" })));
    refused("clones", &|_| cloning(&of_eve, &issue, &of_eve));
    refused("comments", &|_| {
        let path = format!("/issues/{}/notes", issue["iid"]);
        ask(&of_eve, "POST", &path).json(json!({ "body": "x".repeat(9000) }))
    });
    open.issue(&open.ann, json!({ "title": "t" }));
    open.push_line(1);
    open.post("/statuses/master").by(&open.bob).json(json!({ "state": "success" })).gives(201);
    uploaded(&open, &open.ann, "a.bin", &random(1, 9000));
    is_exact(server);
}

#[test]
fn the_projects_that_one_person_made_have_a_share_of_the_database() {
    let quotas = Quotas { project_bytes: 900_000, person_bytes: 1_000_000, ..Quotas::default() };
    let Some(world) = world(quotas) else { return };
    let (server, eve) = (world.server, world.server.person("Greedy"));
    let text = "507 Insufficient Storage: the projects that one person made may have 1000000 bytes";
    let long = json!({ "title": "t", "description": "x".repeat(200_000) });
    let of_eve: Vec<World> = (0..3)
        .map(|_| World {
            server,
            cast: world.cast,
            project: server.project(&eve, eve.id, Visibility::Public),
        })
        .collect();
    // a step of 256 KiB each
    for own in &of_eve {
        ask(own, "POST", "/issues").by(&eve).json(long.clone()).gives(201);
    }
    for who in [&eve, &world.root] {
        let refused = ask(&of_eve[0], "POST", "/issues").by(who).json(long.clone()).gives(507);
        assert_eq!(message(&refused), text);
    }
    ask(&of_eve[0], "POST", "/issues").by(&eve).json(json!({ "title": "short" })).gives(201);
    // others write, and administrators make projects of any length
    world.issue(&world.ann, long.clone());
    let of_root = server.project(&world.root, world.root.id, Visibility::Public);
    let of_root = World { server, cast: world.cast, project: of_root };
    for _ in 0..4 {
        ask(&of_root, "POST", "/issues").by(&world.root).json(long.clone()).gives(201);
    }
    is_exact(server);
}
