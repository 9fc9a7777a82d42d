//! Quotas of writes and bytes. Each test has a server of its own with a fixed clock.

use crate::storage::counters::disagreements;
use crate::support::git::{Commit, commit, sha};
use crate::support::{Answer, Ask, Person, Server, Visibility, World, now, spec};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;

fn server(quotas: Quotas) -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::with_quotas(quotas))
}

const MOST: i64 = 20;

fn with_writes() -> Option<&'static Server> {
    server(Quotas { hourly_writes: MOST, ..Quotas::default() })
}

/// The person may write so many times more in this hour.
fn leave(world: &World, person: &Person, writes: i64) {
    let (id, hour, used) = (person.id, now() / HOUR, MOST - writes);
    world.server.tamper(&format!("replace into hourly_writes values ({id}, {hour}, {used}, {MOST})"));
}

fn issue(world: &World, person: &Person) -> Ask {
    world.post("/issues").by(person).json(json!({ "title": "One more", "labels": "a", "description": "@root" }))
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
    let Some(server) = with_writes() else { return };
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
    let Some(server) = with_writes() else { return };
    let world = World::new(server, Visibility::Private);
    let hidden = World::new(server, Visibility::Private);
    server.turn_to(now() / HOUR * HOUR + 60_000);
    leave(&world, &world.rae, 1);
    leave(&world, &world.gus, 1);
    issue(&world, &world.rae).gives(200);
    let refused = issue(&world, &world.rae).gives(429);
    assert_eq!(refused.json["message"], "429 Too Many Requests: no more than 20 writes in an hour");
    assert_eq!((refused.header("Retry-After"), refused.header("RateLimit-Limit")), (Some("3540"), Some("20")));
    // a caller without the right is refused first, and is not counted
    server.post(hidden.at("/issues")).by(&world.eve).json(json!({ "title": "x" })).gives(404);
    world.post("/issues").by(&world.gus).json(json!({ "title": "" })).gives(400);
    issue(&world, &world.gus).gives(200);
}

#[test]
fn a_repeat_with_the_same_key_counts_once() {
    let Some(server) = with_writes() else { return };
    let world = World::new(server, Visibility::Private);
    leave(&world, &world.rae, 1);
    let send = || issue(&world, &world.rae).header("Idempotency-Key", "once").gives(200).id();
    assert_eq!(send(), send());
}

#[test]
fn administrators_and_whom_they_act_as_write_any_number() {
    let Some(server) = with_writes() else { return };
    let world = World::new(server, Visibility::Private);
    leave(&world, &world.rae, 1);
    for _ in 0..3 {
        issue(&world, &world.root).gives(200);
        issue(&world, &world.root).header("SUDO", world.rae.username.as_str()).gives(200);
    }
    issue(&world, &world.rae).gives(200);
    issue(&world, &world.rae).gives(429);
}

#[test]
fn a_copy_of_an_issue_counts_its_comments() {
    let Some(server) = with_writes() else { return };
    let world = World::new(server, Visibility::Private);
    let to = world.sibling(Visibility::Private);
    let made = issue(&world, &world.rae).gives(200).json;
    for _ in 0..3 {
        let path = format!("{}/notes", world.issue_path(&made));
        server.post(path).by(&world.gus).json(json!({ "body": "Well" })).gives(201);
    }
    let clone = |with_notes: bool| {
        let fields = json!({ "to_project_id": to.project.id, "with_notes": with_notes });
        let path = format!("/projects/{}/issues/{}/clone", world.project.id, made["iid"]);
        server.ask_v4("POST", path).by(&world.rae).json(fields).send().status
    };
    leave(&world, &world.rae, 3);
    assert_eq!((clone(true), clone(false)), (429, 201));
    leave(&world, &world.rae, 4);
    assert_eq!((clone(true), clone(false)), (201, 429));
}

#[test]
fn a_text_of_somebody_who_is_no_member_counts_once_for_each_1000_bytes() {
    let Some(server) = with_writes() else { return };
    let world = World::new(server, Visibility::Public);
    let long = |who: &Person, length: usize| {
        let fields = json!({ "title": "t", "description": "x".repeat(length) });
        world.v4("POST", "/issues").by(who).json(fields).send()
    };
    leave(&world, &world.eve, 12);
    leave(&world, &world.gus, 2);
    let iid = long(&world.eve, 8500).json["iid"].clone();
    assert_eq!(long(&world.eve, 8500).status, 429);
    let edit = world.v4("PUT", &format!("/issues/{iid}")).by(&world.eve);
    edit.json(json!({ "description": "x".repeat(5000) })).gives(429);
    assert_eq!([long(&world.eve, 1500).status, long(&world.eve, 10).status], [201, 201]);
    assert_eq!(long(&world.eve, 10).status, 429);
    assert_eq!([long(&world.gus, 8500).status, long(&world.gus, 8500).status], [201, 201]);
    assert_eq!(long(&world.gus, 10).status, 429);
}

#[test]
fn the_tokens_of_a_person_write_together() {
    let Some(server) = with_writes() else { return };
    let world = World::new(server, Visibility::Private);
    let token = |name: &str| {
        let new = json!({ "name": name, "scopes": ["api"], "access_level": 40 });
        let made = server.post(world.at("/access_tokens")).by(&world.ann).json(new).gives(201);
        Person { token: made.json["token"].as_str().unwrap().to_owned(), ..world.ann.clone() }
    };
    let (one, other) = (token("one"), token("other"));
    leave(&world, &world.ann, 2);
    issue(&world, &one).gives(200);
    issue(&world, &other).gives(200);
    for person in [&one, &other, &world.ann] {
        issue(&world, person).gives(429);
    }
}

/// A request of each kind that stores a text, by ann.
fn writes(world: &World, text: &str) -> Vec<(&'static str, Ask)> {
    let tip = sha(1);
    let post = |path: &str, fields: Value| world.v4("POST", path).by(&world.ann).json(fields);
    let tag =
        json!({ "changes": [{ "name": "refs/tags/t", "old": null, "new": tip, "tag_sha": sha(9), "message": text }] });
    vec![
        ("an issue", post("/issues", json!({ "title": "x", "description": text }))),
        ("a comment", post("/issues/1/notes", json!({ "body": text }))),
        ("an edit", world.v4("PUT", "/issues/1").by(&world.ann).json(json!({ "description": text }))),
        ("a label", post("/labels", json!({ "name": "l", "color": "#ff0000", "description": &text[..255] }))),
        ("a milestone", post("/milestones", json!({ "title": "m", "description": text }))),
        ("a comment on a commit", post(&format!("/repository/commits/{tip}/comments"), json!({ "note": text }))),
        ("a status", post(&format!("/statuses/{tip}"), json!({ "state": "success", "description": &text[..255] }))),
        ("an environment", post("/environments", json!({ "name": "e", "description": &text[..5000] }))),
        ("a tag", world.put("/mirror/refs").by(&world.ann).json(tag)),
        ("a project", world.v4("PUT", "").by(&world.ann).json(json!({ "description": &text[..1000] }))),
    ]
}

#[test]
fn every_text_counts_and_none_is_stored_beyond_the_quota() {
    let quotas = Quotas { project_bytes: 1_000_000, hourly_writes: 1_000, ..Quotas::default() };
    let Some(server) = server(quotas) else { return };
    let world = World::new(server, Visibility::Private);
    push(&world, 1, 10).has_status(201);
    issue(&world, &world.ann).gives(200);
    // a milestone that is as large as wanted
    let filler = world.v4("POST", "/milestones").by(&world.ann).json(json!({ "title": "filler" })).gives(201).id();
    let fill = |left: i64| {
        let id = world.project.id;
        server.tamper(&format!(
            "update stored set project_most = 0;
            update milestones set description = printf('%.*c', coalesce(octet_length(description), 0) + 1000000 - {left}
              - (select bytes from storage where project_id = {id}), 'x') where id = {filler};
            update stored set project_most = 1000000"
        ));
    };
    let text = "x".repeat(20_000);
    let writers = || server.rows("select json_array(max(writes)) as v from hourly_writes")[0][0].clone();
    for (what, ask) in writes(&world, &text) {
        fill(50);
        let (bytes, counted) = (used(&world), writers());
        let refused = ask.send();
        assert_eq!((what, refused.status), (what, 507));
        let text = json!({ "message": "507 Insufficient Storage: this project may have 1000000 bytes" });
        assert_eq!((what, refused.json), (what, text));
        assert_eq!((what, used(&world), writers()), (what, bytes, counted));
    }
    fill(500_000);
    for (what, ask) in writes(&world, &text) {
        let (bytes, counted) = (used(&world), writers().as_i64().unwrap());
        let status = ask.send().status;
        assert!((200..300).contains(&status), "{what}: {status}");
        assert!(used(&world) >= bytes + 255, "{what}");
        assert_eq!((what, writers().as_i64()), (what, Some(counted + 1)));
    }
    // what is over the quota may still be removed
    fill(-500_000);
    world.v4("PUT", "/issues/1").by(&world.ann).json(json!({ "description": "" })).gives(200);
    world.v4("DELETE", "/milestones/2").by(&world.ann).gives(204);
    world.v4("DELETE", "/labels/l").by(&world.ann).gives(204);
    world.v4("DELETE", "/issues/1").by(&world.ann).gives(204);
    world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": "x" })).gives(507);
}

#[test]
fn what_is_deleted_counts_some_hundred_bytes_at_most() {
    let Some(server) = server(Quotas::default()) else { return };
    let world = World::new(server, Visibility::Private);
    let text = "x".repeat(20_000);
    let make = |path: &str, fields: Value| world.v4("POST", path).by(&world.ann).json(fields).gives(201).id();
    for _ in 0..2 {
        let before = used(&world);
        let id = make("/milestones", json!({ "title": "m", "description": text }));
        world.v4("DELETE", &format!("/milestones/{id}")).by(&world.ann).gives(204);
        let id = make("/labels", json!({ "name": "l", "color": "#ff0000", "description": &text[..255] }));
        world.v4("DELETE", &format!("/labels/{id}")).by(&world.ann).gives(204);
        make("/issues", json!({ "title": "i", "description": text, "labels": "x" }));
        let iid = world.v4("GET", "/issues").by(&world.ann).gives(200).json[0]["iid"].clone();
        make(&format!("/issues/{iid}/notes"), json!({ "body": text }));
        world.v4("DELETE", &format!("/issues/{iid}")).by(&world.ann).gives(204);
        let id = make("/environments", json!({ "name": "e", "description": &text[..5000] }));
        world.v4("POST", &format!("/environments/{id}/stop")).by(&world.ann).gives(200);
        world.v4("DELETE", &format!("/environments/{id}")).by(&world.ann).gives(204);
        let left = used(&world) - before;
        assert!(left <= 1500, "{left}");
    }
}

/// Otherwise the commits of one project could not be pushed while another is full.
#[test]
fn a_push_closes_no_issues_of_a_project_that_is_nearly_full_and_goes_through() {
    let quotas = Quotas { project_bytes: 1_000_000, ..Quotas::default() };
    let Some(server) = server(quotas) else { return };
    let (world, near) = (World::new(server, Visibility::Private), World::new(server, Visibility::Private));
    world.push_line(1);
    let made = world.v4("POST", "/hook_tokens").by(&world.ann);
    let made = made.json(json!({ "name": "h", "cross_project": true })).gives(201).json;
    let hook = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    let close = |old: u32, new: u32| {
        let issue = near.issue(&near.ann, json!({ "title": "x" }));
        let message = format!("Fixes {}#{}", near.project.path, issue["iid"]);
        let fix = commit(new, &[old]).with(|commit| commit.message = message);
        world.post("/mirror/commits").by(&hook).json(json!({ "commits": [fix.wire()] })).gives(201);
        let change = json!({ "name": "refs/heads/master", "old": fix.parents[0], "new": fix.sha });
        let swap = json!({ "default_branch": "master", "changes": [change] });
        world.put("/mirror/refs").by(&hook).json(swap).gives(200);
        near.v4("GET", &format!("/issues/{}", issue["iid"])).by(&near.ann).gives(200).json["state"].clone()
    };
    assert_eq!(close(1, 2), "closed");
    server.tamper(&format!("update storage set bytes = 999300 where project_id = {}", near.project.id));
    assert_eq!(close(2, 3), "opened");
}

#[test]
fn the_quota_of_the_server_counts_what_belongs_to_no_project() {
    let Some(server) = server(Quotas { instance_bytes: 1_000_000, ..Quotas::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    let stored = server.rows("select json_array(bytes) as v from stored")[0][0].clone();
    server.tamper("update stored set bytes = 999990");
    let refusal = json!({ "message": "507 Insufficient Storage: this server may have 1000000 bytes" });
    let token = server.post(format!("/users/{}/personal_access_tokens", world.ann.id));
    let token = token.by(&server.root()).json(json!({ "name": "one more" })).gives(507);
    let group = json!({ "name": "g", "path": "g", "description": "x" });
    let group = server.post("/groups").by(&world.ann).json(group).gives(507);
    let keyed = issue(&world, &world.ann).header("Idempotency-Key", "k").gives(507);
    assert_eq!([token.json, group.json, keyed.json], [refusal.clone(), refusal.clone(), refusal]);
    server.tamper(&format!("update stored set bytes = {stored}"));
    issue(&world, &world.ann).gives(200);
}

#[test]
fn long_refs_and_names_of_statuses_and_the_labels_of_issues_count_what_they_take() {
    let Some(server) = server(Quotas::default()) else { return };
    let world = World::new(server, Visibility::Private);
    push(&world, 1, 10).has_status(201);
    let size = || {
        let pages =
            "select json_array(n.page_count - f.freelist_count) as v from pragma_page_count n, pragma_freelist_count f";
        4096 * server.rows(pages)[0][0].as_i64().unwrap()
    };
    let long = |n: i64| format!("{n:03}{}", "\u{1f600}".repeat(247));
    let (stored, counted) = (size(), used(&world));
    for n in 0..100 {
        let status = json!({ "state": "pending", "ref": long(n), "name": long(n) });
        world.v4("POST", &format!("/statuses/{}", sha(1))).by(&world.bob).json(status).gives(201);
    }
    let (taken, counted) = (size() - stored, used(&world) - counted);
    assert!(taken <= counted, "statuses take {taken} bytes and count {counted}");
    let labels: Vec<String> = (0..500).map(|n| format!("l{n}")).collect();
    let create = || issue(&world, &world.ann).json(json!({ "title": "x", "labels": labels.join(",") })).gives(200);
    create();
    let (stored, counted) = (size(), used(&world));
    for _ in 0..20 {
        create();
    }
    let (taken, counted) = (size() - stored, used(&world) - counted);
    assert!(taken <= counted, "issues take {taken} bytes and count {counted}");
}

/// The suite compares all counters after every hundredth batch, so no route stores a text without counting it.
#[test]
fn a_text_that_is_not_counted_is_found() {
    let Some(server) = server(Quotas::default()) else { return };
    let world = World::new(server, Visibility::Private);
    server.tamper("drop trigger labels_stored");
    assert_eq!(disagreements(server), Vec::<Value>::new());
    let label = json!({ "name": "l", "color": "#ff0000" });
    world.v4("POST", "/labels").by(&world.ann).json(label).gives(201);
    let id = world.project.id;
    assert_eq!(disagreements(server)[0]["project"], id);
}

#[test]
fn a_person_and_a_project_have_a_thousand_active_tokens() {
    let Some(server) = server(Quotas::default()) else { return };
    let world = World::new(server, Visibility::Private);
    let own = || {
        let path = format!("/users/{}/personal_access_tokens", world.gus.id);
        server.post(path).by(&server.root()).json(json!({ "name": "t" })).send()
    };
    let of_project = || {
        let new = json!({ "name": "t", "scopes": ["api"], "access_level": 40 });
        world.post("/access_tokens").by(&world.ann).json(new).send()
    };
    let kinds = [
        (&own as &dyn Fn() -> Answer, world.gus.id, "'personal', null, null, null", 998),
        (&of_project, world.ann.id, "'project', project_id, bot_id, access", 999),
    ];
    for (make, user, columns, more) in kinds {
        let made = make();
        assert_eq!(made.status, 201);
        let last = made.json["id"].as_i64().unwrap();
        server.tamper(&format!(
            "with recursive n(n) as (select 1 union all select n + 1 from n where n < {more})
            insert into tokens (hash, id, user_id, name, created_at, scopes, kind, project_id, bot_id, access)
            select hash || n, 1000000 * id + n, {user}, 'more', created_at, scopes, {columns} from tokens cross join n where id = {last}"
        ));
        let refused = make();
        assert_eq!(refused.status, 400);
        assert_eq!(refused.json["message"], "400 Bad request - Too many active tokens: revoke one first");
        // one that has ended makes room
        server.tamper(&format!("update tokens set expires_at = 1 where id = {last}"));
        assert_eq!((make().status, make().status), (201, 400));
    }
}

fn push(world: &World, number: u32, bytes: usize) -> Answer {
    let mut commit = commit(number, &[]);
    commit.diff = json!([{ "diff": "x".repeat(bytes), "old_path": "a", "new_path": "a", "a_mode": null, "b_mode": null,
        "new_file": false, "renamed_file": false, "deleted_file": false }])
    .to_string();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [commit.wire()] })).send()
}

fn used(world: &World) -> i64 {
    let shown = world.get("/mirror").by(&world.ann).gives(200).json;
    shown["bytes"].as_i64().unwrap()
}

#[test]
fn the_bytes_of_a_project_are_counted_and_shown() {
    let Some(server) = server(Quotas { project_bytes: 1_000_000, ..Quotas::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    assert!(used(&world) < 3000);
    push(&world, 1, 100_000).has_status(201);
    push(&world, 2, 700_000).has_status(201);
    let before = used(&world);
    assert!(before > 800_000, "{before}");
    // an existing object counts once
    push(&world, 2, 700_000).has_status(201);
    assert_eq!(used(&world), before);
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["most_bytes"], 1_000_000);
    // a removed diff frees its bytes, and uses them again when it returns
    world.delete(&format!("/mirror/commits/{}", sha(2))).by(&world.ann).gives(200);
    assert!(used(&world) < 110_000);
    push(&world, 2, 700_000).has_status(201);
    assert_eq!(used(&world), before);
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
        assert!(text.starts_with(&format!("507 Insufficient Storage: {words} may have ")), "{text}");
    };
    begins(push(&one, 2, 150_000), "this project");
    push(&other, 3, 150_000).has_status(201);
    begins(push(&other, 4, 100_000), "this server");
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
    assert!(used(&world) < 3000);
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
    server.tamper("update mirrors set extra_parents = extra_parents + 9900");
    let refused = post(commit(203, &parents(5)));
    assert_eq!(refused.status, 507);
    let text = "507 Insufficient Storage: the commits of this project have 9998 of 10000 parents beyond the second, and these have 3";
    assert_eq!(refused.json, json!({ "message": text }));
    assert_eq!(post(commit(204, &parents(4))).status, 201);
    assert_eq!(post(commit(205, &parents(2))).status, 201);
    // pushes at the same time, which read the count before either has added to it
    server.tamper("update mirrors set extra_parents = 9999");
    server
        .tamper("create trigger meanwhile after insert on commits begin update mirrors set extra_parents = 10000; end");
    assert_eq!(post(commit(206, &parents(3))).status, 400);
    server.tamper("drop trigger meanwhile");
    assert_eq!(post(commit(206, &parents(3))).status, 201);
}

#[test]
fn a_full_project_is_pushed_to_and_its_commits_close_nothing() {
    let Some(server) = server(Quotas { project_bytes: 6000, ..Quotas::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    world.push(&[commit(1, &[])], &[("refs/heads/main", &sha(1))]);
    let issue = world.issue(&world.ann, json!({ "title": "x" }));
    let fixes = commit(2, &[1]).with(|commit| commit.message = format!("Fixes #{}\n", issue["iid"]));
    server.tamper("update storage set bytes = 5000");
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [fixes.wire()] })).gives(201);
    server.tamper("update storage set bytes = 5990");
    let change = json!({ "name": "refs/heads/main", "old": sha(1), "new": sha(2) });
    let swap = json!({ "default_branch": "main", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    let shown = server.get(world.issue_path(&issue)).by(&world.ann).gives(200);
    assert_eq!(shown.json["state"], "opened");
}
