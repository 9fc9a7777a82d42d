//! Later tries, and hooks that fail too often.

use super::{body, delivered, header, hook, log};
use crate::support::{Server, now};
use crate::support::{Visibility, World};
use edgeforge::store::RemoteAnswer;
use serde_json::{Value, json};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

fn answer(server: &Server, status: u16) {
    server.database().receive(move |_| Ok(RemoteAnswer { status, ..RemoteAnswer::default() }));
}

fn world() -> (World, i64) {
    let server = Server::with(|_| ());
    let start = now();
    server.turn_to(start);
    (World::new(server, Visibility::Private), start)
}

fn shown(world: &World, id: i64) -> Value {
    world.v4("GET", &format!("/hooks/{id}")).by(&world.cast.ann).gives(200).json
}

#[test]
fn a_fault_that_may_pass_is_tried_seven_times() {
    let (world, start) = world();
    let id = hook(&world, json!({ "issues_events": true }));
    world.issue(&world.rae, json!({ "title": "a" }));
    answer(world.server, 503);
    let mut ids = Vec::new();
    let mut at = start;
    for pause in [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] {
        at += pause * 8 / 10;
        if pause > 0 {
            assert_eq!(delivered(world.server, at), [], "before {pause}");
        }
        at += pause * 4 / 10;
        let sent = delivered(world.server, at);
        assert_eq!(sent.len(), 1, "after {pause}");
        ids.push(header(&sent[0], "webhook-id").unwrap().to_owned());
        // the next pause is counted from here
        world.server.turn_to(at);
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(delivered(world.server, at + 24 * HOUR), []);
    let logged = log(&world, id);
    let attempts: Vec<i64> = logged.as_array().unwrap().iter().map(|one| one["attempt"].as_i64().unwrap()).collect();
    assert_eq!(attempts, [7, 6, 5, 4, 3, 2, 1]);
    assert_eq!((&logged[0]["next_attempt_at"], logged[1]["next_attempt_at"].is_string()), (&Value::Null, true));
}

#[test]
fn a_fault_that_stays_is_not_tried_again() {
    for status in [400, 401, 404, 410, 422] {
        let (world, start) = world();
        hook(&world, json!({ "issues_events": true }));
        world.issue(&world.rae, json!({ "title": "a" }));
        answer(world.server, status);
        assert_eq!(delivered(world.server, start).len(), 1);
        assert_eq!(delivered(world.server, start + 24 * HOUR), [], "{status}");
    }
}

#[test]
fn retry_after_moves_the_next_try_later() {
    let (world, start) = world();
    hook(&world, json!({ "issues_events": true }));
    world.issue(&world.rae, json!({ "title": "a" }));
    let headers = vec![("Retry-After".to_owned(), "3600".to_owned())];
    world
        .server
        .database()
        .receive(move |_| Ok(RemoteAnswer { status: 429, headers: headers.clone(), body: String::new() }));
    assert_eq!(delivered(world.server, start).len(), 1);
    assert_eq!(delivered(world.server, start + 59 * MINUTE), []);
    assert_eq!(delivered(world.server, start + 61 * MINUTE).len(), 1);
}

#[test]
fn a_failed_try_does_not_hold_up_those_behind_it() {
    let (world, start) = world();
    hook(&world, json!({ "issues_events": true }));
    for title in ["a", "b"] {
        world.issue(&world.rae, json!({ "title": title }));
    }
    let mut number = 0;
    world.server.database().receive(move |_| {
        number += 1;
        Ok(RemoteAnswer { status: if number == 1 { 500 } else { 200 }, ..RemoteAnswer::default() })
    });
    let titles = |at: i64| {
        delivered(world.server, at)
            .iter()
            .map(|one| body(one)["object_attributes"]["title"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(titles(start), ["a", "b"]);
    assert_eq!(titles(start + 2 * MINUTE), ["a"]);
}

#[test]
fn a_hook_that_fails_four_times_waits_and_loses_nothing() {
    let (world, start) = world();
    let id = hook(&world, json!({ "issues_events": true }));
    for number in 0..6 {
        world.issue(&world.rae, json!({ "title": format!("{number}") }));
    }
    answer(world.server, 404);
    assert_eq!(delivered(world.server, start).len(), 4);
    assert_eq!(shown(&world, id)["alert_status"], "temporarily_disabled");
    assert!(shown(&world, id)["disabled_until"].is_string());
    // an event of meanwhile waits, too
    world.issue(&world.rae, json!({ "title": "6" }));
    assert_eq!(delivered(world.server, start + MINUTE - 1), []);
    // one goes as a probe
    assert_eq!(delivered(world.server, start + MINUTE).len(), 1);
    assert_eq!(delivered(world.server, start + 3 * MINUTE - 1), []);
    answer(world.server, 200);
    assert_eq!(delivered(world.server, start + 3 * MINUTE).len(), 2);
    assert_eq!(shown(&world, id)["alert_status"], "executable");
    assert_eq!(shown(&world, id)["disabled_until"], Value::Null);
}

#[test]
fn a_hook_that_fails_forty_times_gets_nothing_until_somebody_revives_it() {
    let (world, start) = world();
    let id = hook(&world, json!({ "issues_events": true }));
    world.server.tamper(&format!("update hooks set failures = 39 where id = {id}"));
    world.issue(&world.rae, json!({ "title": "a" }));
    answer(world.server, 404);
    assert_eq!(delivered(world.server, start).len(), 1);
    assert_eq!(shown(&world, id)["alert_status"], "disabled");
    world.issue(&world.rae, json!({ "title": "b" }));
    assert_eq!(delivered(world.server, start + 2 * 24 * HOUR), []);
    // a change that succeeds
    world.v4("PUT", &format!("/hooks/{id}")).by(&world.ann).json(json!({ "name": "again" })).gives(200);
    assert_eq!(shown(&world, id)["alert_status"], "executable");
    answer(world.server, 200);
    world.issue(&world.rae, json!({ "title": "c" }));
    assert_eq!(delivered(world.server, start).len(), 1);
    // or a test that succeeds
    world.server.tamper(&format!("update hooks set failures = 40 where id = {id}"));
    world.v4("POST", &format!("/hooks/{id}/test/issues_events")).by(&world.ann).gives(201);
    assert_eq!(shown(&world, id)["alert_status"], "executable");
}

#[test]
fn an_event_that_waits_for_two_days_expires() {
    let (world, start) = world();
    let id = hook(&world, json!({ "issues_events": true }));
    for _ in 0..3 {
        world.issue(&world.rae, json!({ "title": "a" }));
    }
    world.server.tamper(&format!("update hooks set disabled_until = {}, next_at = {0}", start + 49 * HOUR));
    world.server.turn_to(start + 49 * HOUR);
    assert_eq!(delivered(world.server, start + 49 * HOUR), []);
    let logged = log(&world, id);
    let texts: Vec<&Value> = logged.as_array().unwrap().iter().map(|one| &one["response_body"]).collect();
    assert_eq!(texts, ["expired", "expired", "expired"]);
    assert_eq!(world.server.rows("select json_array(count(*)) as v from deliveries"), [json!([0])]);
}

#[test]
fn a_project_tries_600_times_in_a_minute_and_the_rest_waits() {
    let (world, start) = world();
    hook(&world, json!({ "issues_events": true }));
    world.server.tamper(&format!(
        "insert into hook_queues (project_id, minute, tries) values ({}, {}, 600)",
        world.project.id,
        start / MINUTE
    ));
    world.issue(&world.rae, json!({ "title": "a" }));
    assert_eq!(delivered(world.server, start + 1), []);
    assert_eq!(delivered(world.server, start + MINUTE + 1).len(), 1);
}

#[test]
fn what_a_removed_hook_was_to_hear_goes_with_it() {
    let (world, start) = world();
    let id = hook(&world, json!({ "issues_events": true }));
    world.issue(&world.rae, json!({ "title": "a" }));
    world.v4("DELETE", &format!("/hooks/{id}")).by(&world.ann).gives(204);
    let other = hook(&world, json!({ "issues_events": true }));
    assert_ne!(other, id);
    assert_eq!(delivered(world.server, start), []);
}
