//! What hooks may cost: products of hooks, refs, events and bytes stay under limits that do not depend on them.

use super::{body, delivered, header, hook, log};
use crate::support::git::sha;
use crate::support::{Person, Server, Visibility, World, now};
use edgeforge::quota::Quotas;
use edgeforge::store::RemoteAnswer;
use serde_json::{Value, json};

const MOST: i64 = 1_000;

fn world() -> World {
    World::new(Server::with(|_| ()), Visibility::Private)
}

fn number(server: &Server, sql: &str) -> i64 {
    server.rows(&format!("select json_array({sql}) as v"))[0][0].as_i64().unwrap()
}

fn waiting(world: &World) -> i64 {
    number(world.server, "(select count(*) from deliveries)")
}

fn used(world: &World) -> i64 {
    world.get("/mirror").by(&world.ann).gives(200).json["bytes"].as_i64().unwrap()
}

fn refs(number: usize) -> Vec<String> {
    let kinds = ["heads", "tags"];
    (0..number).map(|number| format!("refs/{}/r{number}", kinds[number % 2])).collect()
}

/// Makes refs in one push of ann's. Returns the rows that it wrote.
fn push(world: &World, names: &[String]) -> u32 {
    push_by(world, &world.ann, names)
}

fn push_by(world: &World, person: &Person, names: &[String]) -> u32 {
    let change = |name: &String| json!({ "name": name, "old": null, "new": sha(2), "message": null });
    let swap = json!({ "default_branch": "master", "changes": names.iter().map(change).collect::<Vec<_>>() });
    world.put("/mirror/refs").by(person).json(swap).gives(200).figure("rows_written")
}

/// A project with a history and hooks that get pushes.
fn pushed(hooks: usize) -> World {
    let world = world();
    world.push_line(2);
    for _ in 0..hooks {
        hook(&world, json!({ "push_events": true, "tag_push_events": true }));
    }
    world
}

#[test]
fn a_push_of_more_than_50_refs_of_any_kind_makes_no_event() {
    for (number, events) in [(50, 50), (51, 0), (300, 0)] {
        let world = pushed(1);
        push(&world, &refs(number));
        assert_eq!((number, waiting(&world)), (number, events));
    }
}

#[test]
fn a_push_writes_rows_in_proportion_to_its_deliveries_and_these_have_an_end() {
    let cost = |hooks: usize, number: usize| {
        let world = pushed(hooks);
        (push(&world, &refs(number)), waiting(&world))
    };
    let (bare, _) = cost(0, 25);
    for (hooks, number, deliveries) in [(1, 25, 25), (5, 25, 125), (10, 25, 250), (10, 50, 500), (20, 50, 500)] {
        let (rows, made) = cost(hooks, number);
        assert_eq!(made, deliveries, "{hooks} hooks, {number} refs");
        println!("{hooks} hooks, {number} refs: {rows} rows, {bare} without hooks");
        let number = i64::try_from(number).unwrap();
        let dropped = i64::try_from(hooks).unwrap() * number - deliveries;
        let most = i64::from(bare) * 2 + deliveries * 4 + dropped * 9 + number * 6;
        assert!(i64::from(rows) <= most, "{hooks} hooks, {number} refs: {rows} rows of {most}");
    }
    assert_eq!(cost(20, 300).1, 0);
}

#[test]
fn a_project_has_at_most_1000_deliveries_that_wait_and_the_log_counts_what_was_dropped() {
    let world = pushed(20);
    for (part, person) in refs(200).chunks(50).zip([&world.ann, &world.root, &world.ann, &world.root]) {
        push_by(&world, person, part);
    }
    assert_eq!(waiting(&world), MOST);
    assert_eq!(delivered(world.server, now()).len(), 200);
    let bodies = "select json_array(response_body) as v from hook_log where response_body <> '' group by 1";
    assert_eq!(world.server.rows(bodies), [json!(["150 events were dropped, because too many waited"])]);
    let lines = "(select count(*) from hook_log where response_body like '%dropped%')";
    assert_eq!(number(world.server, lines), 20);
    // what is sent makes room
    let sent = (1..6).map(|minute| delivered(world.server, now() + minute * 60_000).len()).sum::<usize>();
    assert_eq!((sent, waiting(&world)), (800, 0));
    push(&world, &["refs/heads/later".to_owned()]);
    assert_eq!(waiting(&world), 20);
}

#[test]
fn deliveries_count_in_the_storage_until_they_are_done() {
    let world = world();
    let made = |hooks: usize| {
        for _ in 0..hooks {
            hook(&world, json!({ "issues_events": true }));
        }
        let before = used(&world);
        world.issue(&world.rae, json!({ "title": "a" }));
        used(&world) - before
    };
    let [one, two, four] = [1, 1, 2].map(made);
    assert_eq!((two - one, four - two), (500, 1000));
    let before = used(&world);
    let lines = i64::try_from(delivered(world.server, now()).len()).unwrap();
    assert_eq!(waiting(&world), 0);
    assert_eq!(lines, 7);
    assert_eq!(used(&world), before - 7 * 500 + number(world.server, "(select sum(quota_bytes) from hook_log)"));
}

#[test]
fn hooks_beyond_20_that_a_project_already_has_stay() {
    let world = world();
    world.server.tamper(&format!(
        "drop trigger hooks_of_project_end;
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 30)
        insert into hooks (project_id, maker_id, url, events, created_at) select {}, {}, 'https://old.example.org/', 4, i from n;
        create trigger hooks_of_project_end before insert on hooks when 20 <= (select count(*) from hooks) BEGIN
          select raise(abort, 'E_HOOKS_OF_PROJECT'); END",
        world.project.id, world.ann.id
    ));
    world.issue(&world.rae, json!({ "title": "a" }));
    assert_eq!(delivered(world.server, now()).len(), 30);
    let full = json!({ "message": { "base": ["Maximum number of project hooks (20) exceeded"] } });
    let new = json!({ "url": super::URL });
    world.v4("POST", "/hooks").by(&world.ann).json(new).refused(422, full);
}

/// Answers with as many headers and as long a body as the log takes.
fn answer_at_length(server: &Server) {
    let headers: Vec<_> = (0..60).map(|number| (format!("x-{number}"), "y".repeat(2000))).collect();
    let answer = RemoteAnswer { status: 200, headers, body: "z".repeat(9000) };
    server.database().receive(move |_| Ok(answer.clone()));
}

#[test]
fn the_log_of_a_full_project_has_the_status_alone_and_nothing_passes_the_quota() {
    let quotas = Quotas { project_bytes: 1_000_000, instance_bytes: 4_000_000, ..Quotas::default() };
    let server = Server::with(|config| config.quotas = quotas);
    let world = World::new(server, Visibility::Private);
    world.push_line(2);
    for _ in 0..20 {
        hook(&world, json!({ "push_events": true, "tag_push_events": true }));
    }
    push(&world, &refs(25));
    answer_at_length(server);
    let mut tries = 0;
    loop {
        let sent = delivered(server, now());
        tries += sent.len();
        assert!(used(&world) <= 1_000_000, "{}", used(&world));
        if sent.is_empty() {
            break;
        }
    }
    assert_eq!((tries, waiting(&world)), (500, 0));
    let lengths =
        server.rows("select json_array(quota_bytes, response_status) as v from hook_log order by id desc limit 1");
    assert!(lengths[0][0].as_i64().unwrap() < 400 && lengths[0][1] == 200, "{lengths:?}");
    // each hook has a line for its last try
    assert_eq!(number(server, "(select count(distinct hook_id) from hook_log)"), 20);
    // others still write
    let other = World::new(server, Visibility::Private);
    other.issue(&other.rae, json!({ "title": "a" }));
}

#[test]
fn what_expires_in_a_full_project_passes_no_quota() {
    let quotas = Quotas { project_bytes: 200_000, ..Quotas::default() };
    let server = Server::with(|config| config.quotas = quotas);
    let world = World::new(server, Visibility::Private);
    hook(&world, json!({ "issues_events": true }));
    (0..20).for_each(|_| drop(world.issue(&world.rae, json!({ "title": "a" }))));
    server.tamper(&format!(
        "update stored set project_most = 0; update issues set description = printf('%.*c', 200000 - (select bytes from storage
        where project_id = {0}), 'x') where id = (select max(id) from issues)",
        world.project.id
    ));
    assert_eq!(used(&world), 200_000);
    assert_eq!(delivered(server, now() + 49 * 3_600_000), []);
    assert_eq!(waiting(&world), 0);
    assert!(used(&world) <= 200_000 && number(server, "(select count(*) from hook_log)") > 0);
}

#[test]
fn a_hook_keeps_1000_rows_and_10_megabytes_of_its_log_and_the_oldest_go_first() {
    let world = world();
    let id = hook(&world, json!({ "issues_events": true }));
    let fill = |rows: i64, bytes: usize| {
        world.server.tamper(&format!(
            "delete from hook_log; with recursive n (i) as (select 1 union all select i + 1 from n where i < {rows}) insert into hook_log (hook_id, project_id,
            event_id, webhook_id, attempt, bit, url, request_headers, response_headers, response_body, millis, created_at)
            select {id}, {}, 1, i, 1, 4, 'x', '{{}}', printf('%.*c', {bytes}, 'x'), '', 1.0, 0 from n",
            world.project.id
        ));
        answer_at_length(world.server);
        world.issue(&world.rae, json!({ "title": "a" }));
        assert_eq!(delivered(world.server, now()).len(), 1);
        let row = "select json_array(count(*), sum(quota_bytes), min(cast(webhook_id as integer))) as v from hook_log";
        let kept = world.server.rows(row)[0].clone();
        let counted = format!("select json_array(log_rows, log_bytes) as v from hooks where id = {id}");
        assert_eq!(world.server.rows(&counted)[0], json!([kept[0], kept[1]]));
        [kept[0].as_i64().unwrap(), kept[1].as_i64().unwrap()]
    };
    assert_eq!(fill(998, 0)[0], 999);
    assert_eq!(fill(1000, 0)[0], 1000);
    let [rows, bytes] = fill(130, 76_000);
    assert!((9_900_000..=10_000_000).contains(&bytes), "{rows} {bytes}");
}

#[test]
fn a_template_that_multiplies_the_body_sends_nothing_and_the_log_says_why() {
    let world = world();
    let template = format!("[{}]", ["{{object_attributes}}"; 180].join(","));
    let id = hook(&world, json!({ "note_events": true, "custom_webhook_template": template }));
    let issue = world.issue(&world.rae, json!({ "title": "a" }));
    world.comment(&world.rae, &issue, &"x".repeat(390_000));
    assert_eq!(delivered(world.server, now()), []);
    let why = "Error while parsing rendered custom webhook template: the body has more than 1000000 bytes";
    assert_eq!(log(&world, id)[0]["response_body"], why);
    let test = world.v4("POST", &format!("/hooks/{id}/test/note_events")).by(&world.ann);
    test.refused(422, json!({ "message": why }));
}

/// The Worker ends while it sends this, so no outcome is noted.
fn die(world: &World, at: i64) -> usize {
    let mut batches = 0;
    world.server.database().break_down(move || {
        batches += 1;
        (batches == 2).then_some(crate::support::Fault::Before("D1_ERROR: Network connection lost."))
    });
    world.server.try_to_deliver(at).unwrap_err();
    world.server.database().mend();
    world.server.database().take_sent().len()
}

#[test]
fn a_delivery_that_died_twice_is_dropped_and_the_log_says_so() {
    let world = world();
    let id = hook(&world, json!({ "issues_events": true }));
    world.issue(&world.rae, json!({ "title": "a" }));
    world.issue(&world.rae, json!({ "title": "b" }));
    assert_eq!([die(&world, now()), die(&world, now() + 61_000)], [1, 1]);
    let sent = delivered(world.server, now() + 122_000);
    let titles: Vec<Value> = sent.iter().map(|one| body(one)["object_attributes"]["title"].clone()).collect();
    assert_eq!(titles, ["b"]);
    assert_eq!(log(&world, id)[1]["response_body"], "The server broke down twice while it sent this");
    // an outcome in between counts anew
    world.issue(&world.rae, json!({ "title": "c" }));
    let later = now() + 300_000;
    world.server.database().receive(|_| Ok(RemoteAnswer { status: 503, ..RemoteAnswer::default() }));
    assert_eq!((die(&world, later), delivered(world.server, later + 61_000).len()), (1, 1));
    assert_eq!(die(&world, later + 400_000), 1);
    let sent = delivered(world.server, later + 500_000);
    assert_eq!(header(&sent[0], "webhook-id").map(str::len), Some(36));
}

#[test]
fn what_was_under_way_when_the_server_broke_down_is_sent_alone() {
    let worlds: Vec<World> = {
        let server = Server::with(|_| ());
        (0..3).map(|_| World::new(server, Visibility::Private)).collect()
    };
    for world in &worlds {
        hook(world, json!({ "issues_events": true }));
        world.issue(&world.rae, json!({ "title": "a" }));
    }
    assert_eq!(die(&worlds[0], now()), 3);
    // one of them ends the server, and the others were not begun with it
    assert_eq!(die(&worlds[0], now() + 61_000), 1);
    assert_eq!(delivered(worlds[0].server, now() + 62_000).len(), 2);
    assert_eq!(delivered(worlds[0].server, now() + 122_000), []);
    let lines = "(select count(*) from hook_log where response_body like '%broke down%')";
    assert_eq!((number(worlds[0].server, lines), waiting(&worlds[0])), (1, 0));
}

#[test]
fn an_answer_with_headers_of_control_characters_keeps_no_other_outcome_from_the_log() {
    let odd = world();
    let other = World::new(odd.server, Visibility::Private);
    hook(&odd, json!({ "issues_events": true, "url": "https://odd.example.org/" }));
    let id = hook(&other, json!({ "issues_events": true }));
    odd.server.database().receive(|request| {
        let number = if request.url.contains("odd") { 50 } else { 0 };
        let headers = (0..number).map(|number| (format!("x-{number}"), "\u{1}".repeat(1024))).collect();
        Ok(RemoteAnswer { status: 200, headers, body: String::new() })
    });
    for world in [&odd, &other] {
        world.issue(&world.ann, json!({ "title": "t" }));
    }
    assert_eq!(delivered(odd.server, now()).len(), 2);
    assert_eq!(log(&other, id).as_array().unwrap().len(), 1);
    assert_eq!(waiting(&odd), 0);
}
