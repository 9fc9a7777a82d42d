//! `Idempotency-Key`: a new record is made once, however often the request is sent.

use crate::storage::counters::disagreements;
use crate::support::{Answer, Ask, Person, Server, Visibility, World, apart, gitlab, now, random_number, spec, unique};
use edgeforge::quota::Quotas;
use serde_json::{Value, json};
use std::sync::Barrier;

/// A commit, an issue, and what each endpoint that takes a key is sent.
struct Writes {
    world: World,
    /// Path, body and the list that the record is in.
    all: Vec<(&'static str, String, Value, String)>,
}

fn writes() -> Writes {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(3);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let notes = format!("{}/notes", world.issue_path(&issue));
    let comments = world.at(&format!("/repository/commits/{tip}/comments"));
    let statuses = world.at(&format!("/repository/commits/{tip}/statuses?all=true"));
    let tokens = format!("/users/{}/personal_access_tokens", world.ann.id);
    let (hooks, deployments) = (world.at("/hook_tokens"), world.at("/deployments"));
    let all = vec![
        ("issue", world.at("/issues"), json!({ "title": "once", "labels": "a,b" }), world.at("/issues")),
        ("note", notes.clone(), json!({ "body": "once" }), notes),
        ("comment", comments.clone(), json!({ "note": "once" }), comments),
        ("status", world.at(&format!("/statuses/{tip}")), json!({ "state": "success" }), statuses),
        ("token", tokens.clone(), json!({ "name": unique("once") }), tokens),
        ("hook token", hooks.clone(), json!({ "name": "once" }), hooks),
        (
            "deployment",
            deployments.clone(),
            json!({ "environment": "e", "sha": tip, "status": "success" }),
            deployments,
        ),
    ];
    Writes { world, all }
}

fn key() -> String {
    format!("{:016x}", random_number())
}

fn send(path: &str, person: &Person, key: &str, body: &Value) -> Ask {
    spec().post(path).by(person).header("Idempotency-Key", key).json(body.clone())
}

/// How many there are; of tokens those of that name, since other tests make some for the same person.
fn count(list: &str, person: &Person, body: &Value) -> usize {
    let page = if list.contains('?') { "&per_page=100" } else { "?per_page=100" };
    let listed = spec().get(format!("{list}{page}")).by(person).gives(200).json;
    let is_counted = |item: &&Value| !list.contains("personal") || item["name"] == body["name"];
    listed.as_array().unwrap().iter().filter(is_counted).count()
}

fn is_replay(answer: &Answer) -> bool {
    answer.header("Idempotent-Replayed") == Some("true")
}

#[test]
fn a_repeat_gets_the_first_answer_and_makes_nothing() {
    let Writes { world, all } = writes();
    let ann = &world.ann;
    for (what, path, body, list) in all {
        let before = count(&list, ann, &body);
        let key = key();
        let first = send(&path, ann, &key, &body).send();
        assert!(first.status == 200 || first.status == 201, "{what}: {} {}", first.status, first.text);
        assert!(!is_replay(&first), "{what}");
        for _ in 0..2 {
            let again = send(&path, ann, &key, &body).send();
            assert_eq!((again.status, &again.text), (first.status, &first.text), "{what}");
            assert!(is_replay(&again), "{what}");
        }
        assert_eq!(count(&list, ann, &body), before + 1, "{what}");
        // without a key, or with another, it is a request of its own
        send(&path, ann, &unique("other"), &body).gives(first.status);
        spec().post(&path).by(ann).json(body.clone()).gives(first.status);
        assert_eq!(count(&list, ann, &body), before + 3, "{what}");
    }
}

#[test]
fn the_first_answer_stays_whatever_becomes_of_the_record() {
    let world = World::new(spec(), Visibility::Private);
    let key = key();
    let body = json!({ "title": "as it was", "assignee_id": world.bob.id });
    let first = send(&world.at("/issues"), &world.ann, &key, &body).gives(200);
    world.edit(&world.ann, &first.json, json!({ "title": "another", "state_event": "close" }));
    let again = send(&world.at("/issues"), &world.ann, &key, &body).gives(200);
    assert_eq!(again.text, first.text);
    assert_eq!(world.seen(&world.ann, &first.json)["title"], "another");
}

#[test]
fn another_request_with_the_same_key_is_refused() {
    let Writes { world, all } = writes();
    let key = key();
    let (_, path, body, _) = &all[0];
    send(path, &world.ann, &key, body).gives(200);
    let refusal = json!({ "message": "422 Unprocessable Entity: this Idempotency-Key was used for another request" });
    let other = json!({ "title": "twice", "labels": "a,b" });
    send(path, &world.ann, &key, &other).refused(422, refusal.clone());
    for (what, path, body, list) in &all[1..] {
        let before = count(list, &world.ann, body);
        send(path, &world.ann, &key, body).refused(422, refusal.clone());
        assert_eq!(count(list, &world.ann, body), before, "{what}");
    }
    assert_eq!(count(path, &world.ann, body), 2);
}

#[test]
fn a_key_is_its_callers_own() {
    let world = World::new(spec(), Visibility::Private);
    let (key, body, path) = (key(), json!({ "title": "t" }), world.at("/issues"));
    let first = send(&path, &world.ann, &key, &body).gives(200);
    let other = send(&path, &world.bob, &key, &body).gives(200);
    assert_ne!(first.id(), other.id());
    // however they come in
    let acting = spec().post(&path).by(&world.root).header("SUDO", &world.ann.username);
    let again = acting.header("Idempotency-Key", &key).json(body.clone()).gives(200);
    assert_eq!(again.text, first.text);
    let by_parameter = format!("{path}?private_token={}", world.ann.token);
    let again = spec().post(by_parameter).header("Idempotency-Key", &key).json(body).gives(200);
    assert_eq!(again.text, first.text);
}

#[test]
fn who_may_no_longer_is_refused_before_anything_is_answered_again() {
    let world = World::new(spec(), Visibility::Private);
    let (key, body, path) = (key(), json!({ "title": "t" }), world.at("/issues"));
    send(&path, &world.gus, &key, &body).gives(200);
    world.delete(&format!("/members/{}", world.gus.id)).by(&world.ann).gives(200);
    send(&path, &world.gus, &key, &body).refused(404, json!({ "message": "404 Project Not Found" }));
    let stranger = spec().post(&path).header("Idempotency-Key", &key).json(body);
    stranger.refused(401, json!({ "message": "401 Unauthorized" }));
}

#[test]
fn a_refusal_leaves_the_key_free() {
    let world = World::new(spec(), Visibility::Private);
    let (key, path) = (key(), world.at("/issues"));
    send(&path, &world.ann, &key, &json!({ "title": "t", "assignee_id": world.eve.id })).gives(400);
    send(&path, &world.ann, &key, &json!({ "title": "" })).gives(400);
    send(&path, &world.eve, &key, &json!({ "title": "t" })).gives(404);
    assert!(!is_replay(&send(&path, &world.ann, &key, &json!({ "title": "t" })).gives(200)));
    assert_eq!(count(&path, &world.ann, &Value::Null), 1);
}

#[test]
fn a_key_has_1_to_255_printable_characters() {
    let Writes { world, all } = writes();
    let refusal = json!({ "error": "Idempotency-Key is invalid" });
    for (_, path, body, _) in &all {
        for bad in [" ", &"k".repeat(256), "k\u{e9}y"] {
            send(path, &world.ann, bad, body).refused(400, refusal.clone());
        }
        // an error of authorization takes precedence
        let refused = spec().post(path).header("Idempotency-Key", " ").json(body.clone());
        refused.refused(401, json!({ "message": "401 Unauthorized" }));
        assert!([403, 404].contains(&send(path, &world.eve, " ", body).send().status));
    }
    let longest = "k".repeat(239) + &key();
    send(&all[0].1, &world.ann, &longest, &all[0].2).gives(200);
}

#[test]
fn of_those_who_send_it_at_once_one_is_first_and_all_get_its_answer() {
    let Writes { world, all } = writes();
    for (what, path, body, list) in &all {
        let before = count(list, &world.ann, body);
        let (key, start) = (key(), Barrier::new(6));
        let answers: Vec<Answer> = std::thread::scope(|scope| {
            let asks: Vec<Ask> = (0..6).map(|_| send(path, &world.ann, &key, body)).collect();
            let send = |ask: Ask| {
                start.wait();
                ask.send()
            };
            let sent: Vec<_> = asks.into_iter().map(|ask| scope.spawn(move || send(ask))).collect();
            sent.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(answers.iter().all(|answer| answer.text == answers[0].text), "{what}");
        assert_eq!(answers.iter().filter(|answer| !is_replay(answer)).count(), 1, "{what}");
        assert_eq!(count(list, &world.ann, body), before + 1, "{what}");
    }
}

#[test]
fn a_status_is_posted_once_and_a_late_repeat_starts_no_run() {
    for server in [spec(), gitlab()] {
        let world = World::new(server, Visibility::Private);
        let tip = world.push_line(2);
        let path = world.at(&format!("/statuses/{tip}"));
        let post = |state: &str, key: &str| {
            server.post(&path).by(&world.bob).header("Idempotency-Key", key).json(json!({ "state": state })).send()
        };
        let keys = [key(), key(), key()];
        let states = ["pending", "running", "success"];
        let first: Vec<Answer> = states.iter().zip(&keys).map(|(state, key)| post(state, key)).collect();
        assert!(first.iter().all(|answer| answer.status == 201 && answer.id() == first[0].id()));
        for (at, first) in first.iter().enumerate() {
            assert_eq!(post(states[at], &keys[at]).text, first.text);
        }
        let list = format!("/repository/commits/{tip}/statuses?all=true");
        assert_eq!(world.get(&list).by(&world.bob).gives(200).each("status"), ["success"]);
        // a repeat of a refused request is validated again
        let key = key();
        assert_eq!(post("running", &unique("k")).status, 201);
        assert_eq!(post("pending", &key).status, 400);
        assert_eq!(post("success", &unique("k")).status, 201);
        assert_eq!(post("pending", &key).status, 201);
    }
}

#[test]
fn a_tokens_secret_is_answered_again_to_whoever_made_it_and_kept_nowhere() {
    let world = World::new(spec(), Visibility::Private);
    let key = key();
    let path = format!("/users/{}/personal_access_tokens", world.ann.id);
    let body = json!({ "name": "laptop" });
    let first = send(&path, &world.ann, &key, &body).gives(201);
    let secret = first.json["token"].as_str().unwrap().to_owned();
    assert_eq!(spec().get("/user").header("PRIVATE-TOKEN", &secret).gives(200).id(), world.ann.id);
    assert_eq!(send(&path, &world.ann, &key, &body).gives(201).text, first.text);
    // another token of theirs is not what the secret follows from
    let with_another = spec().post(&path).header("PRIVATE-TOKEN", &secret).header("Idempotency-Key", &key);
    with_another.json(body.clone()).gives(422);
    // two keys, two secrets
    let other = send(&path, &world.ann, &unique("k"), &body).gives(201);
    assert_ne!(other.json["token"], secret);
    if spec().is_in_process() {
        let kept = spec().rows("select json_object('k', key, 'd', digest, 'a', answer) as v from idempotency_keys");
        assert!(!kept.is_empty());
        for row in kept {
            let text = row.to_string();
            assert!(!text.contains(&secret) && !text.contains(&key), "{text}");
        }
    }
}

#[test]
fn after_a_day_a_key_is_free_again_and_old_ones_go_ten_at_a_time() {
    let apart = apart();
    if !apart.server.is_in_process() {
        return;
    }
    let world = World::new(apart.server, Visibility::Private);
    let post = |key: &str| {
        let ask = world.post("/issues").by(&world.ann).header("Idempotency-Key", key);
        ask.json(json!({ "title": "t" })).gives(200)
    };
    let first = post("first");
    for at in 0..25 {
        post(&format!("key {at}"));
    }
    let count = || apart.server.rows("select json_quote(count(*)) as v from idempotency_keys")[0].clone();
    assert_eq!(count(), 26);
    let age = |ms: i64| apart.server.tamper(&format!("update idempotency_keys set created_at = created_at - {ms}"));
    age(86_000_000);
    assert_eq!(post("first").text, first.text);
    age(500_000);
    assert_ne!(post("first").id(), first.id());
    // the new one and the remaining ones
    assert_eq!(count(), 26);
    for left in [17, 8, 4] {
        post(&unique("k"));
        assert_eq!(count(), left);
    }
}

/// How many answers are kept, and their bytes.
fn kept(world: &World) -> (i64, i64) {
    let row = "select json_array(count(*), coalesce(sum(quota_bytes), 0)) as v from idempotency_keys";
    let row = &world.server.rows(row)[0];
    (row[0].as_i64().unwrap(), row[1].as_i64().unwrap())
}

#[test]
fn a_person_keeps_10_mb_of_answers_and_the_oldest_go_first() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_quotas(Quotas::default()), Visibility::Private);
    let post = |who: &Person, key: &str, length: usize| {
        let fields = json!({ "title": "t", "description": "x".repeat(length) });
        world.post("/issues").by(who).header("Idempotency-Key", key).json(fields).gives(200)
    };
    // keys are apart by a millisecond, whatever the clock says
    let age = || world.server.tamper("update idempotency_keys set created_at = created_at - 1");
    let first = post(&world.ann, "first", 800_000);
    let of_bob = post(&world.bob, "first", 100);
    for number in 0..15 {
        age();
        post(&world.ann, &format!("{number}"), 800_000);
    }
    let (count, bytes) = kept(&world);
    assert!((11..=13).contains(&count) && bytes <= 10_000_000, "{count} {bytes}");
    for number in 5..15 {
        assert!(is_replay(&post(&world.ann, &format!("{number}"), 800_000)), "{number}");
    }
    assert_eq!(post(&world.bob, "first", 100).text, of_bob.text);
    // of the oldest the answer is gone, so it is another request
    age();
    assert_ne!(post(&world.ann, "first", 800_000).id(), first.id());
    // all tokens of a person count together, those of projects, too
    let fields = json!({ "name": "t", "scopes": ["api"], "access_level": 30, "expires_at": "2999-01-01" });
    let token = world.v4("POST", "/access_tokens").by(&world.ann).json(fields).gives(201).json;
    let bot = Person { token: token["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    for number in 0..12 {
        age();
        post(&bot, &format!("bot {number}"), 800_000);
    }
    let (count, bytes) = kept(&world);
    assert!((11..=13).contains(&count) && bytes <= 10_000_000, "{count} {bytes}");
    assert!(!is_replay(&post(&world.ann, "14", 800_000)));
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn a_key_removes_50_answers_at_most() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_quotas(Quotas::default()), Visibility::Private);
    let post = |key: &str, length: usize| {
        let fields = json!({ "title": "t", "description": "x".repeat(length) });
        world.post("/issues").by(&world.ann).header("Idempotency-Key", key).json(fields).gives(200)
    };
    let ann = world.ann.id;
    world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 9000)
        insert into idempotency_keys (user_id, person_id, key, digest, answer, created_at)
        select {ann}, {ann}, 'old ' || n, '', printf('%.*c', 700, 'x'), {} + n from n",
        now() - 1_000_000
    ));
    assert_eq!(kept(&world), (9000, 9_000_000));
    for left in [9001, 8952, 8903] {
        let made = post(&unique("k"), 900_000);
        assert_eq!(kept(&world).0, left);
        assert!(made.figure("rows_written") < 400, "{}", made.figure("rows_written"));
    }
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn a_key_with_a_question_that_cannot_be_put_is_told_so() {
    let ask = || spec().post("/users/true/personal_access_tokens").header("Idempotency-Key", unique("key"));
    ask().json(json!({ "name": "t" })).gives(401);
    let answer = ask().by(&spec().root()).json(json!({ "name": "t" })).gives(404);
    assert_eq!(answer.json["message"], "404 Not found");
}
