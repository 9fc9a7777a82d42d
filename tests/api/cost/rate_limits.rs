//! Rate limits of requests. Each test has its own server with its own limits and a fixed clock.

use crate::support::contents::{blob, tree};
use crate::support::{Answer, Server, Visibility, World, now, spec};
use serde_json::json;

const HERE: &str = "203.0.113.7";
const THERE: &str = "198.51.100.9";
const MINUTE: i64 = 60_000;

fn limited(rates: [u32; 3]) -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::limited(rates))
}

fn ask(server: &'static Server, address: &str, token: &str) -> Answer {
    server.get("/user").header("CF-Connecting-IP", address).header("PRIVATE-TOKEN", token).send()
}

/// Sends this many wrong tokens. Returns how many reached the database.
fn guess(server: &'static Server, address: &str, times: usize) -> u32 {
    let asked = |n: usize| ask(server, address, &format!("guess-{address}-{n}"));
    let answers: Vec<Answer> = (0..times).map(asked).collect();
    assert!(answers.iter().all(|answer| [401, 429].contains(&answer.status)));
    let refused = answers.iter().filter(|answer| answer.status == 429);
    assert!(refused.clone().all(|answer| answer.trips == 0));
    u32::try_from(times - refused.count()).unwrap()
}

#[test]
fn of_a_thousand_wrong_tokens_few_more_than_the_limit_reach_the_database() {
    let Some(server) = limited([30, 0, 0]) else { return };
    let ann = server.person("Ann");
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    // five of them after the limit
    assert_eq!(guess(server, HERE, 1000), 35);
    // valid tokens still work from this address, and so do requests from others
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    assert_eq!(guess(server, THERE, 20), 20);
    // another instance has no memory of this, but the platform's limiter still counts
    server.database().forget();
    assert_eq!(guess(server, HERE, 1000), 6);
    server.turn_to(now() + 2 * MINUTE);
    server.database().limit([30, 0, 0]);
    assert_eq!(guess(server, HERE, 1000), 35);
}

#[test]
fn the_refusal_says_how_long_to_wait() {
    let Some(server) = limited([1, 0, 0]) else { return };
    server.turn_to(1_480_000_020_000 + 17_500);
    guess(server, HERE, 1);
    let refused = ask(server, HERE, "another");
    let text = "429 Too Many Requests: no more than 1 wrong or missing tokens in a minute";
    assert_eq!((refused.status, &refused.json), (429, &json!({ "message": text })));
    let told = ["Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    let told = told.map(|name| refused.header(name).unwrap());
    assert_eq!(told, ["43", "1", "0", "1480000080"]);
}

#[test]
fn a_token_that_was_revoked_counts_as_wrong() {
    let Some(server) = limited([2, 0, 0]) else { return };
    let ann = server.person("Ann");
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    server.tamper("update tokens set revoked_at = 1");
    let statuses = [401, 401, 429, 429];
    assert_eq!(statuses.map(|_| ask(server, HERE, &ann.token).status), statuses);
}

#[test]
fn a_token_is_guessed_where_everybody_may_read_too() {
    let Some(server) = limited([3, 0, 0]) else { return };
    let world = World::new(server, Visibility::Public);
    let badge = world.at("/badges/master/build.svg");
    let with = |target: &str, n: usize| {
        let ask = server.get(target).header("CF-Connecting-IP", HERE);
        ask.header("PRIVATE-TOKEN", format!("guess-{n}")).send().status
    };
    let seen = (0..5).map(|n| with(if n % 2 == 0 { "/licenses/mit" } else { &badge }, n));
    assert_eq!(seen.collect::<Vec<_>>(), [200, 200, 200, 429, 429]);
    // a request without a token is not a guess
    server.get(badge.as_str()).header("CF-Connecting-IP", HERE).gives(200);
    server.get("/licenses/mit").header("CF-Connecting-IP", HERE).gives(200);
}

#[test]
fn missing_tokens_count_by_address() {
    let Some(server) = limited([2, 0, 0]) else { return };
    let ask = |address: &str| server.get("/user").header("CF-Connecting-IP", address).send().status;
    assert_eq!([HERE, HERE, HERE, THERE].map(ask), [401, 401, 429, 401]);
    assert_eq!(guess(server, HERE, 3), 0);
}

#[test]
fn an_address_of_ipv6_counts_by_its_first_half() {
    let Some(server) = limited([3, 0, 0]) else { return };
    let status = |address: &str| ask(server, address, &format!("guess-{address}")).status;
    let same = ["2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::9", "2001:db8:1:2::2"];
    assert_eq!(same.map(status), [401, 401, 401, 429]);
    assert_eq!(["2001:db8:1:3::1", "2001:db8::1", "::1"].map(status), [401; 3]);
}

#[test]
fn a_token_has_so_many_requests_a_minute_and_the_database_no_more() {
    let Some(server) = limited([0, 5, 0]) else { return };
    // creating her takes two of root's requests
    let ann = server.person("Ann");
    let answers: Vec<Answer> = (0..7).map(|_| ask(server, HERE, &ann.token)).collect();
    let told: Vec<(u16, u32)> = answers.iter().map(|answer| (answer.status, answer.trips)).collect();
    assert_eq!(told, [(200, 1), (200, 1), (200, 1), (200, 1), (200, 1), (429, 0), (429, 0)]);
    assert_eq!(ask(server, HERE, &server.root().token).status, 200);
    assert_eq!(answers[6].header("RateLimit-Limit"), Some("5"));
}

#[test]
fn pushes_are_counted_by_themselves() {
    let Some(server) = limited([0, 0, 3]) else { return };
    let world = World::new(server, Visibility::Private);
    let push = || world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [] })).send();
    let answers = [push(), push(), push(), push()];
    assert_eq!(answers.map(|answer| answer.status), [201, 201, 201, 429]);
    world.get("/mirror").by(&world.ann).gives(200);
    world.get("/issues").by(&world.ann).gives(200);
}

#[test]
fn an_answer_of_v4_does_not_report_how_many_requests_are_left() {
    let Some(server) = limited([1, 0, 0]) else { return };
    let ask = || server.ask_v4("GET", "/user").header("CF-Connecting-IP", HERE).header("PRIVATE-TOKEN", "x");
    let answers = [ask().gives(401), ask().gives(429)];
    for answer in &answers {
        for name in ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] {
            assert_eq!(answer.header(name), None, "{}", answer.status);
        }
    }
    assert!(answers[1].header("Retry-After").is_some());
}

#[test]
fn one_broken_job_shuts_out_nobody_behind_its_address() {
    let Some(server) = limited([30, 0, 0]) else { return };
    let people = [(); 5].map(|()| server.person("Ann"));
    server.database().forget();
    let seen: Vec<u16> = (0..200).map(|_| ask(server, HERE, "the wrong token of a job").status).collect();
    assert_eq!((seen[29], seen[30], seen[199]), (401, 429, 429));
    for person in &people {
        assert_eq!(ask(server, HERE, &person.token).status, 200);
    }
}

#[test]
fn the_admin_token_is_guessed_no_more_often_than_others() {
    let Some(server) = limited([30, 0, 0]) else { return };
    assert_eq!(guess(server, HERE, 100), 35);
    assert_eq!(ask(server, HERE, &server.root().token).status, 429);
    assert_eq!(ask(server, THERE, &server.root().token).status, 200);
    assert_eq!(ask(server, HERE, &server.root().token).status, 200);
}

#[test]
fn requests_without_a_token_count_by_address() {
    let Some(server) = limited([0, 3, 0]) else { return };
    let ask = |address: &str| server.get("/licenses/mit").header("CF-Connecting-IP", address).send().status;
    assert_eq!([HERE, HERE, HERE, HERE, THERE].map(ask), [200, 200, 200, 429, 200]);
}

/// A server where a caller may spend a second a minute.
fn sparing() -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::with(|config| config.spending = 1000))
}

#[test]
fn work_beyond_the_budget_is_refused_until_it_is_earned_again() {
    let Some(server) = sparing() else { return };
    let ann = server.person("Ann");
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    server.database().cost(600.0);
    assert_eq!([(); 3].map(|()| ask(server, HERE, &ann.token).status), [200, 200, 429]);
    let refused = ask(server, HERE, &ann.token);
    let text = "429 Too Many Requests: no more than 1000 milliseconds of work in a minute";
    assert_eq!((refused.trips, &refused.json), (0, &json!({ "message": text })));
    let wait: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    assert!((12..=13).contains(&wait), "{wait}");
    server.turn_to(now() + wait * 1000 + 1000);
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
}

#[test]
fn a_person_spends_by_all_tokens_together_and_others_by_their_own() {
    let Some(server) = sparing() else { return };
    let (ann, eve) = (server.person("Ann"), server.person("Eve"));
    let path = format!("/users/{}/personal_access_tokens", ann.id);
    let made = server.post(path).by(&ann).json(json!({ "name": "second" })).gives(201).json;
    let second = made["token"].as_str().unwrap();
    for token in [&ann.token, second, &eve.token] {
        assert_eq!(ask(server, HERE, token).status, 200);
    }
    server.database().cost(1100.0);
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    let statuses = [&ann.token, second, &eve.token].map(|token| ask(server, HERE, token).status);
    assert_eq!(statuses, [429, 429, 200]);
    // root does what has to be done
    assert_eq!([(); 3].map(|()| ask(server, HERE, &server.root().token).status), [200; 3]);
}

#[test]
fn new_tokens_of_a_person_wait_for_what_the_person_has_spent() {
    let Some(server) = sparing() else { return };
    let (ann, eve) = (server.person("Ann"), server.person("Eve"));
    let token = |number: i32| {
        let path = format!("/users/{}/personal_access_tokens", ann.id);
        let made = server.post(path).by(&ann).json(json!({ "name": format!("t{number}") })).gives(201).json;
        made["token"].as_str().unwrap().to_owned()
    };
    let tokens: Vec<String> = (0..5).map(token).collect();
    server.database().forget();
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    server.database().cost(1100.0);
    assert_eq!(ask(server, HERE, &ann.token).status, 200);
    server.database().cost(0.0);
    assert!(tokens.iter().all(|token| ask(server, HERE, token).status == 429));
    // others with a token that is new here, and at the same address
    assert_eq!(ask(server, HERE, &eve.token).status, 200);
    assert_eq!(ask(server, HERE, "wrong").status, 401);
}

#[test]
fn a_write_that_the_database_refuses_costs_what_it_took() {
    let Some(server) = sparing() else { return };
    let world = World::new(server, Visibility::Private);
    assert_eq!(ask(server, HERE, &world.bob.token).status, 200);
    server.database().cost(300.0);
    let status = |state: &str| json!({ "state": state, "name": "build" });
    let unknown = format!("/statuses/{}", "ab".repeat(20));
    let statuses: Vec<u16> =
        (0..4).map(|_| world.post(&unknown).by(&world.bob).json(status("success")).send().status).collect();
    // each fails in one batch, and a second one finds the reason
    assert_eq!(statuses, [404, 404, 429, 429]);
}

#[test]
fn requests_without_a_good_token_spend_by_address() {
    let Some(server) = sparing() else { return };
    let world = World::new(server, Visibility::Public);
    server.database().cost(1100.0);
    let nobody = |address: &str| {
        let path = world.at("");
        server.ask_v4("GET", path).header("CF-Connecting-IP", address).send().status
    };
    assert_eq!([HERE, HERE, THERE].map(nobody), [200, 429, 200]);
    // a good token is not held up by those who share its address
    assert_eq!(ask(server, HERE, &world.ann.token).status, 200);
}

#[test]
fn the_bytes_that_an_answer_streams_and_unpacks_are_spent() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with_objects(|config| config.spending = 1000);
    let world = World::new(server, Visibility::Public);
    let (first, long) = (blob("short"), blob(vec![b'x'; 9_000_000]));
    let root = tree(&[("100644", b"a", first.id()), ("100644", b"long", long.id())]);
    let sha = world.push_tree(&root, &[root.clone(), first, long]);
    let spent = |path: &str, range: &str| {
        let path = format!("/repository/files/{path}/raw?ref={sha}");
        let answer = world.v4("GET", &path).header("CF-Connecting-IP", THERE).header("Range", range).send();
        (answer.status, answer.record.map_or(0.0, |record| record.cost.work))
    };
    let (short, last) = (spent("a", "bytes=0-"), spent("long", "bytes=8999999-"));
    assert!(last.1 - short.1 > 40.0, "{short:?} {last:?}");
    let statuses: Vec<u16> = (0..40).map(|_| spent("long", "bytes=8999999-").0).collect();
    assert_eq!((statuses[0], statuses[39]), (206, 429));
}
