//! The limits of the object store, and of what one person takes of it (behaviour 4.4).

use super::room::{cloning, is_exact, issue_with_file, message, pushing, random, world};
use crate::packages::{published, publishing};
use crate::support::contents::blob;
use crate::support::v4::ask;
use crate::support::{Ask, Person, Server, Visibility, World, now, spec};
use crate::uploads::{address, uploaded, uploading};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;

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
    world.post("/issues").by(&world.ann).json(json!({ "title": "t", "description": "x".repeat(40_000) })).gives(507);
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
        instance_bytes: 20_000_000,
        object_bytes: 500_000,
        person_object_bytes: 50_000,
        hourly_writes: 200,
        ..Quotas::default()
    };
    let Some(world) = world(quotas) else { return };
    let (server, eve) = (world.server, world.server.person("Greedy"));
    let project = server.project(&eve, eve.id, Visibility::Public);
    let of_eve = World { server, cast: world.cast, project };
    let own = World { project: server.project(&eve, eve.id, Visibility::Public), ..of_eve };
    let issue = ask(&of_eve, "POST", "/issues").by(&eve).json(json!({ "title": "t" })).gives(201).json;
    let refused = |what: &str, asked: &dyn Fn(usize) -> Ask| {
        let refusal = (0..1000).map(|number| asked(number).by(&eve).send().status).find(|status| *status >= 400);
        assert!(refusal.is_some_and(|status| [403, 422, 429, 507].contains(&status)), "{what}: {refusal:?}");
    };
    let open = world.sibling(Visibility::Public);
    refused("uploads to the project of another", &|number| uploading(&open, "a.bin", &random(number as u64, 9000)));
    refused("uploads", &|number| uploading(&of_eve, "a.bin", &random(number as u64, 9000)));
    refused("packages", &|number| publishing(&of_eve, &format!("n/{number}/f"), &random(number as u64, 9000)));
    refused("hooks", &|_| ask(&of_eve, "POST", "/hooks").json(json!({ "url": "https://example.com/" })));
    refused("clones", &|_| cloning(&of_eve, &issue, &of_eve));
    refused("comments", &|_| {
        let path = format!("/issues/{}/notes", issue["iid"]);
        ask(&of_eve, "POST", &path).json(json!({ "body": "x".repeat(9000) }))
    });
    // hour after hour, answers that are kept of issues that are gone, and texts in the project of another: long ones,
    // and shorter ones for the room that is left
    for (hour, length) in (1..).zip([250_000, 20_000, 1000]) {
        server.turn_to(now() + hour * 3_600_000);
        refused("keys", &|number| {
            let newest = ask(&own, "GET", "/issues").by(&eve).gives(200).json[0]["iid"].clone();
            ask(&own, "DELETE", &format!("/issues/{newest}")).by(&eve).send();
            let key = format!("{length} {number}");
            ask(&own, "POST", "/issues").header("Idempotency-Key", key).json(long(length))
        });
    }
    for (hour, length) in (4..).zip([9000, 9000, 500, 10]) {
        server.turn_to(now() + hour * 3_600_000);
        refused("issues in the project of another", &|_| ask(&open, "POST", "/issues").json(long(length)));
    }
    open.issue(&open.ann, json!({ "title": "t" }));
    open.push_line(1);
    open.post("/statuses/master").by(&open.bob).json(json!({ "state": "success" })).gives(201);
    uploaded(&open, &open.ann, "a.bin", &random(1, 9000));
    is_exact(server);
}

const FOR_MEMBERS: &str = "507 Insufficient Storage: what is left is for the members of this project";

fn long(length: usize) -> Value {
    json!({ "title": "t", "description": "x".repeat(length) })
}

/// Sends issues of 40,000 bytes until one is refused. Returns how many were made.
fn fill(world: &World, who: &Person) -> usize {
    let made = (0..1000).find(|_| {
        let answer = ask(world, "POST", "/issues").by(who).json(long(40_000)).send();
        assert!(answer.status == 201 || message(&answer) == FOR_MEMBERS, "{}", answer.text);
        answer.status != 201
    });
    made.unwrap()
}

#[test]
fn people_who_are_no_members_leave_three_quarters_of_a_project_to_members() {
    let quotas = Quotas { project_bytes: 1_000_000, ..Quotas::default() };
    let Some(world) = world(quotas) else { return };
    let (server, eve, open) = (world.server, &world.eve, world.sibling(Visibility::Public));
    let tip = open.push_line(2);
    let by =
        |who: &Person, method: &str, path: &str, fields: Value| ask(&open, method, path).by(who).json(fields).send();
    let issue = by(eve, "POST", "/issues", long(1000)).json;
    let at = format!("/issues/{}", issue["iid"]);
    let note = by(eve, "POST", &format!("{at}/notes"), json!({ "body": "x".repeat(1000) })).json["id"].clone();
    let commit = format!("/repository/commits/{tip}");
    let talk = by(eve, "POST", &format!("{commit}/discussions"), json!({ "body": "x".repeat(1000) })).json;
    let talk = format!("{commit}/discussions/{}/notes/{}", talk["id"].as_str().unwrap(), talk["notes"][0]["id"]);
    open.v4("POST", "/labels").by(&open.ann).json(json!({ "name": "l", "color": "#ff0000" })).gives(201);
    assert!((5..=7).contains(&fill(&open, eve)));
    let at_note = format!("{at}/notes/{note}");
    let more = json!({ "body": "x".repeat(1001) });
    let asks = [
        ("POST", "/issues".to_owned(), json!({ "title": "t" })),
        ("PUT", at.clone(), json!({ "description": "x".repeat(1001) })),
        ("PUT", at.clone(), json!({ "state_event": "close" })),
        ("POST", format!("{at}/notes"), json!({ "body": "x" })),
        ("POST", format!("{at}/discussions"), json!({ "body": "x" })),
        ("PUT", at_note.clone(), more.clone()),
        ("POST", format!("{commit}/comments"), json!({ "note": "x" })),
        ("PUT", talk.clone(), more),
        ("POST", format!("{at}/award_emoji"), json!({ "name": "tada" })),
        ("POST", format!("{at}/todo"), json!({})),
        ("POST", "/labels/l/subscribe".to_owned(), json!({})),
    ];
    for (method, path, fields) in &asks {
        let keyed = ask(&open, method, path).by(eve).header("Idempotency-Key", "k").json(fields.clone());
        assert_eq!(message(&keyed.send()), FOR_MEMBERS, "{method} {path}");
        assert_eq!(message(&by(eve, method, path, fields.clone())), FOR_MEMBERS, "{method} {path}");
    }
    for (path, fields) in [("/issues", json!({ "title": "t" })), (&commit, json!({ "note": "x" }))] {
        let path = if path == "/issues" { path.to_owned() } else { format!("{path}/comments") };
        assert_eq!(message(&open.post(&path).by(eve).json(fields).send()), FOR_MEMBERS, "v3 {path}");
    }
    let refused = json!({ "message": "403 Forbidden - upload quota exceeded" });
    uploading(&open, "a.bin", b"x").by(eve).refused(403, refused);
    // nobody is kept from what makes the project shorter
    for (method, path, fields) in [
        ("PUT", at.as_str(), json!({ "description": "x" })),
        ("PUT", at_note.as_str(), json!({ "body": "x" })),
        ("PUT", talk.as_str(), json!({ "body": "x" })),
        ("POST", &format!("{at}/unsubscribe"), json!({})),
        ("DELETE", talk.as_str(), json!({})),
        ("DELETE", at_note.as_str(), json!({})),
    ] {
        let status = by(eve, method, path, fields).status;
        assert!(status < 400, "{method} {path}: {status}");
    }
    // members of all levels go on, and administrators for whom they want
    let sudo = ask(&open, "POST", "/issues").by(&open.root).header("SUDO", &eve.username);
    sudo.json(json!({ "title": "t" })).gives(201);
    for (who, [method, path], fields) in [
        (&open.gus, ["POST", "/issues"], long(40_000)),
        (&open.rae, ["POST", &format!("{at}/notes")], json!({ "body": "x".repeat(40_000) })),
        (&open.bob, ["POST", &format!("/statuses/{tip}")], json!({ "state": "success" })),
        (&open.ann, ["PUT", &at], json!({ "description": "x".repeat(40_000) })),
    ] {
        let status = by(who, method, path, fields).status;
        assert!(status < 300, "{method} {path}: {status}");
    }
    pushing(&open, 7, 40_000).by(&open.ann).gives(201);
    // when members have made room, others write again
    assert_eq!(by(&open.ann, "DELETE", "/issues/3", json!({})).status, 204);
    assert_eq!(by(&open.ann, "DELETE", "/issues/4", json!({})).status, 204);
    assert_eq!(by(&open.ann, "PUT", &at, json!({ "description": "" })).status, 200);
    assert_eq!(by(&open.ann, "DELETE", "/issues/5", json!({})).status, 204);
    assert_eq!(by(eve, "POST", "/issues", json!({ "title": "t" })).status, 201);
    is_exact(server);
}

#[test]
fn people_who_are_no_members_leave_half_of_the_share_of_a_maker_and_of_the_server_to_members() {
    let quotas = Quotas { person_bytes: 2_000_000, ..Quotas::default() };
    for quotas in [quotas, Quotas { instance_bytes: 2_000_000, ..Quotas::default() }] {
        let Some(world) = world(quotas) else { return };
        let (server, eve) = (world.server, &world.eve);
        let of_ann: Vec<World> = (0..3).map(|_| world.sibling(Visibility::Public)).collect();
        // into one project after the other, a step of 256 KiB each
        let made: usize = (0..6)
            .map(|number| {
                let to = &of_ann[number % 3];
                (0..6).filter(|_| ask(to, "POST", "/issues").by(eve).json(long(40_000)).send().status == 201).count()
            })
            .sum();
        assert!((12..30).contains(&made), "{made}");
        for to in &of_ann {
            assert_eq!(fill(to, eve), 0);
            to.issue(&to.ann, long(40_000));
            ask(to, "POST", "/issues").by(&to.gus).json(long(40_000)).gives(201);
            to.push_line(2);
        }
        // others have projects of their own
        let own = server.project(eve, eve.id, Visibility::Public);
        let own = World { server, cast: world.cast, project: own };
        ask(&own, "POST", "/issues").by(eve).json(long(40_000)).gives(201);
        is_exact(server);
    }
}

#[test]
fn the_projects_that_one_person_made_have_a_share_of_the_database() {
    let quotas = Quotas { project_bytes: 900_000, person_bytes: 1_000_000, ..Quotas::default() };
    let Some(world) = world(quotas) else { return };
    let (server, eve) = (world.server, world.server.person("Greedy"));
    let text = "507 Insufficient Storage: the projects, groups and tokens that one person made may have 1000000 bytes";
    let long = json!({ "title": "t", "description": "x".repeat(200_000) });
    let of_eve: Vec<World> = (0..3)
        .map(|_| World { server, cast: world.cast, project: server.project(&eve, eve.id, Visibility::Public) })
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

#[test]
fn a_sweep_lifts_no_quota() {
    let full = |what: &str, most: i64| format!("507 Insufficient Storage: {what} may have {most} bytes");
    let none = Quotas { file_bytes: 1 << 20, ..Quotas::default() };
    let cases = [
        (Quotas { project_bytes: 1_000_000, ..none }, full("this project", 1_000_000)),
        (
            Quotas { person_bytes: 1_000_000, ..none },
            full("the projects, groups and tokens that one person made", 1_000_000),
        ),
        (Quotas { instance_bytes: 1_000_000, ..none }, full("this server", 1_000_000)),
    ];
    for (quotas, text) in cases {
        let Some(world) = world(quotas) else { return };
        let server = world.server;
        let long = || ask(&world, "POST", "/issues").by(&world.ann).json(long(100_000)).send();
        // the diff is long, and waits in the database for the sweep to move it
        server.bucket().bind(false);
        pushing(&world, 7, 30_000).by(&world.ann).gives(201);
        server.bucket().bind(true);
        let refusal = (0..20).map(|_| long()).find(|answer| answer.status != 201).expect("a refusal");
        assert_eq!(message(&refusal), text);
        // the server is full, and the move makes it longer: the paths of the diff count until its text is gone
        let stored = "select json_array(project_most, person_most, most) as v from stored";
        let before = server.rows(stored);
        let swept = server.sweep(now() + HOUR).unwrap();
        assert_eq!(swept.objects_moved, 1);
        assert_eq!(server.rows(stored), before);
        assert_eq!(message(&long()), text);
        assert_eq!(server.rows("select json_quote(count(*)) as v from request_marks"), [json!(0)]);
        is_exact(server);
    }
}

/// What one person takes by records of no project: groups, tokens of a project, and personal ones.
#[test]
fn groups_and_tokens_count_in_the_share_of_the_person_who_made_them() {
    let name = |number: usize| format!("{}{number:04}", "😀".repeat(200));
    type Make<'a> = &'a dyn Fn(&World, usize) -> Ask;
    let group: Make<'_> = &|world, number| {
        let path = format!("{}{number:04}", "p".repeat(200));
        world.server.post("/groups").json(json!({ "name": name(number), "path": path }))
    };
    let of_project: Make<'_> =
        &|world, number| world.post("/access_tokens").json(json!({ "name": name(number), "scopes": ["api"] }));
    let personal: Make<'_> = &|world, number| {
        let path = format!("/users/{}/personal_access_tokens", world.ann.id);
        world.server.post(&path).json(json!({ "name": name(number) }))
    };
    for (make, most) in [(group, 60), (of_project, 60), (personal, 400)] {
        let Some(world) = world(Quotas { person_bytes: 500_000, ..Quotas::default() }) else { return };
        let answers = (0..most).map(|number| make(&world, number).by(&world.ann).send());
        let refused = answers.into_iter().find(|answer| answer.status != 201).map(|answer| message(&answer).to_owned());
        let text =
            "507 Insufficient Storage: the projects, groups and tokens that one person made may have 500000 bytes";
        assert_eq!(refused.as_deref(), Some(text));
        // others have their own, and administrators any
        if most < 400 {
            make(&world, 1000).by(&world.root).gives(201);
        }
        let path = format!("/users/{}/personal_access_tokens", world.bob.id);
        world.server.post(&path).by(&world.bob).json(json!({ "name": "t" })).gives(201);
        is_exact(world.server);
    }
}

#[test]
fn the_share_of_a_person_follows_what_happens_to_groups_and_tokens() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|config| config.retention.ended_tokens = 365);
    let (world, ann) = (World::new(server, Visibility::Private), &server.cast().ann);
    let records = || {
        let sql = format!("select json_quote(coalesce(sum(records), 0)) as v from shares where user_id = {}", ann.id);
        server.rows(&sql)[0].as_i64().unwrap()
    };
    let before = records();
    let group = server.post("/groups").by(ann).json(json!({ "name": "n", "path": "n" })).gives(201).id();
    assert_eq!(records(), before + 512);
    server.ask_v4("PUT", format!("/groups/{group}")).by(ann).json(json!({ "name": "nnn" })).gives(200);
    assert_eq!(records(), before + 524);
    server.ask_v4("DELETE", format!("/groups/{group}")).by(ann).gives(202);
    assert_eq!(records(), before);
    // the user of the token stays, because records refer to it
    let new = json!({ "name": "ci", "scopes": ["api"] });
    let token = world.v4("POST", "/access_tokens").by(ann).json(new).gives(201).id();
    let bot = 1000 + 6 * "ci (token)".len() as i64;
    assert_eq!(records(), before + 604 + bot);
    let rotated = world.v4("POST", &format!("/access_tokens/{token}/rotate")).by(ann).json(json!({})).gives(200).id();
    assert_eq!(records(), before + 2 * 604 + bot);
    world.v4("DELETE", &format!("/access_tokens/{rotated}")).by(ann).gives(204);
    server.sweep(now() + 364 * 86_400_000).unwrap();
    assert_eq!(records(), before + 2 * 604 + bot);
    server.sweep(now() + 367 * 86_400_000).unwrap();
    assert_eq!(records(), before + bot);
    assert_eq!(super::counters::disagreements(server), Vec::<Value>::new());
}
