//! The keys of issuers: when they are fetched, what of a document counts, and what a request costs meanwhile.

use super::forge::{FIRST, FOREIGN, Flaw, SECOND, published, signed, with};
use super::keyless::{ISSUER, claims_of, is_refused, post, trusted};
use crate::support::{Server, Visibility, World, now};
use edgeforge::store::RemoteAnswer;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

type Document = Result<RemoteAnswer, String>;

const HOUR: i64 = 3_600_000;

/// A server of its own with a fixed clock, whose project trusts [`ISSUER`], and the time.
fn world() -> (World, Value, i64) {
    let server = Server::with(|_| ());
    let world = World::new(server, Visibility::Private);
    world.push_line(1);
    let trust = trusted(&world, &world.ann, json!({}));
    let at = now();
    server.turn_to(at);
    (world, trust, at)
}

fn good(trust: &Value, at: i64) -> String {
    signed(&FIRST, "first", &claims_of(trust, at))
}

fn document(body: Value) -> Result<RemoteAnswer, String> {
    Ok(RemoteAnswer { status: 200, body: body.to_string(), ..RemoteAnswer::default() })
}

fn discovery() -> Value {
    json!({ "issuer": ISSUER, "jwks_uri": "https://ci.example.com/keys" })
}

/// From now on the issuer publishes these keys. Other addresses fail the test.
fn publish(world: &World, names: &'static [&'static str]) {
    world.server.database().serve(move |address, _| match address {
        "https://ci.example.com/.well-known/openid-configuration" => document(discovery()),
        "https://ci.example.com/keys" => {
            document(json!({ "keys": names.iter().map(|it| published(it)).collect::<Vec<_>>() }))
        }
        other => panic!("asked {other}"),
    });
}

fn fetched(world: &World) -> usize {
    world.server.database().take_fetched().len()
}

#[track_caller]
fn is_unavailable(what: &str, world: &World, jwt: &str) {
    // the answer of a broken server is checked less strictly
    let raw = world.server.exchange(
        "POST",
        &format!("/api/v4/projects/{}/statuses/master", world.project.id),
        &[("Authorization".to_owned(), format!("Bearer {jwt}"))],
        Some(b"state=success"),
    );
    let wait = raw.headers.iter().find(|(name, _)| name == "retry-after").map(|(_, value)| value.as_str());
    assert_eq!((raw.status, wait), (503, Some("30")), "{what}: {}", raw.body);
    let message = "503 Service Unavailable - the issuer of the JWT does not show its keys";
    assert_eq!(raw.body, format!("{{\"message\":\"{message}\"}}"), "{what}");
}

#[test]
fn made_up_keys_cost_one_fetch() {
    let (world, trust, at) = world();
    post(&world, &good(&trust, at)).gives(201);
    assert_eq!(fetched(&world), 2);
    let claims = claims_of(&trust, at);
    for number in 0..1000 {
        world.server.turn_to(at + number * 59);
        is_refused("made up", post(&world, &signed(&FOREIGN, &format!("made-up-{number}"), &claims)), Flaw::Signature);
    }
    assert_eq!(world.server.database().take_fetched(), [("https://ci.example.com/keys".to_owned(), true)]);
    // neither do made-up issuers of a pattern, nor those that are not listed
    for number in 0..100 {
        let issuer = json!(format!("https://many.example.com/org/{number}"));
        is_refused("made up", post(&world, &signed(&FIRST, "first", &with(&claims, "iss", issuer))), Flaw::Trust);
        let issuer = json!(format!("https://{number}.example.com"));
        is_refused("made up", post(&world, &signed(&FIRST, "first", &with(&claims, "iss", issuer))), Flaw::Issuer);
    }
    assert_eq!(fetched(&world), 0);
}

#[test]
fn a_new_key_is_fetched_and_an_old_one_is_good_while_it_is_published() {
    let (world, trust, at) = world();
    let by = |key, id: &str, at| signed(key, id, &claims_of(&trust, at));
    publish(&world, &["first"]);
    post(&world, &by(&FIRST, "first", at)).gives(201);
    publish(&world, &["first", "second"]);
    post(&world, &by(&SECOND, "second", at)).gives(201);
    post(&world, &by(&FIRST, "first", at)).gives(201);
    // withdrawn: this instance learns it within the hour
    publish(&world, &["second"]);
    let later = at + HOUR;
    world.server.turn_to(later);
    post(&world, &by(&SECOND, "second", later)).gives(201);
    is_refused("withdrawn", post(&world, &by(&FIRST, "first", later)), Flaw::Signature);
}

#[test]
fn keys_of_an_issuer_out_of_reach_serve_for_a_day_and_then_it_is_503() {
    let (world, trust, at) = world();
    post(&world, &good(&trust, at)).gives(201);
    let asked = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&asked);
    world.server.database().serve(move |_, _| {
        *counted.lock().unwrap() += 1;
        Err("no route to host".to_owned())
    });
    for (age, expected) in [(HOUR, 1), (HOUR + 29_999, 0), (HOUR + 30_000, 1), (24 * HOUR - 1, 1)] {
        world.server.turn_to(at + age);
        post(&world, &good(&trust, at + age)).gives(201);
        assert_eq!(std::mem::take(&mut *asked.lock().unwrap()), expected, "{age}");
    }
    world.server.turn_to(at + 25 * HOUR);
    is_unavailable("25 h", &world, &good(&trust, at + 25 * HOUR));
    is_unavailable("a second later", &world, &good(&trust, at + 25 * HOUR));
    assert_eq!(*asked.lock().unwrap(), 1);
    publish(&world, &["first"]);
    world.server.turn_to(at + 25 * HOUR + 30_000);
    post(&world, &good(&trust, at + 25 * HOUR)).gives(201);
}

#[test]
fn a_document_that_is_not_as_it_must_be_counts_as_none() {
    let (world, trust, at) = world();
    let keys = json!({ "keys": [published("first")] });
    let many = json!({ "keys": vec![published("first"); 33] });
    let mut other_issuer = discovery();
    other_issuer["issuer"] = json!("https://ci.example.com/");
    let moved = |to: &str| with(&discovery(), "jwks_uri", json!(to));
    let plain = |status: u16, body: &str| Ok(RemoteAnswer { status, body: body.to_owned(), ..RemoteAnswer::default() });
    let long = format!("{{\"keys\":[],\"more\":\"{}\"}}", "x".repeat(65 << 10));
    let found = document(discovery());
    let cases: Vec<(&str, Document, Document, usize)> = vec![
        ("a redirect", plain(302, ""), document(keys.clone()), 1),
        ("another status", plain(404, &discovery().to_string()), document(keys.clone()), 1),
        ("no JSON", plain(200, "<html>"), document(keys.clone()), 1),
        ("a list", document(json!([discovery()])), document(keys.clone()), 1),
        ("another issuer", document(other_issuer), document(keys.clone()), 1),
        ("another host", document(moved("https://evil.example.com/keys")), document(keys.clone()), 1),
        ("a longer host", document(moved("https://ci.example.com.evil/keys")), document(keys.clone()), 1),
        ("a host with a user", document(moved("https://ci.example.com@evil/keys")), document(keys.clone()), 1),
        ("another port", document(moved("https://ci.example.com:8443/keys")), document(keys.clone()), 1),
        ("http", document(moved("http://ci.example.com/keys")), document(keys.clone()), 1),
        ("no address", document(json!({ "issuer": ISSUER })), document(keys.clone()), 1),
        ("too late", Err("no answer within 5 seconds".to_owned()), document(keys.clone()), 1),
        ("65 kB", plain(200, &long), document(keys.clone()), 1),
        ("keys: a redirect", found.clone(), plain(301, ""), 2),
        ("keys: 65 kB", found.clone(), plain(200, &long), 2),
        ("keys: 33", found.clone(), document(many), 2),
        ("keys: no JSON", found.clone(), plain(200, "{"), 2),
        ("keys: no list", found.clone(), document(json!({ "keys": {} })), 2),
        ("keys: too late", found.clone(), Err("no answer within 5 seconds".to_owned()), 2),
    ];
    for (what, first, second, count) in cases {
        world.server.database().forget();
        world.server.database().take_fetched();
        world.server.database().serve(move |address, _| match address {
            "https://ci.example.com/.well-known/openid-configuration" => first.clone(),
            "https://ci.example.com/keys" => second.clone(),
            other => panic!("asked {other}"),
        });
        is_unavailable(what, &world, &good(&trust, at));
        is_unavailable(what, &world, &good(&trust, at));
        assert_eq!(fetched(&world), count, "{what}");
    }
    // 32 keys are not too many, and others than those for RS256 are passed over
    let mut mixed = vec![json!({ "kty": "EC", "kid": "first", "crv": "P-256" }), json!({ "kid": "x" }), json!(7)];
    mixed.resize_with(31, || published("second"));
    mixed.push(published("first"));
    world.server.database().forget();
    world.server.database().serve(move |address, _| match address {
        "https://ci.example.com/keys" => document(json!({ "keys": mixed })),
        _ => document(discovery()),
    });
    post(&world, &good(&trust, at)).gives(201);
}

#[test]
fn times_count_to_the_second() {
    let (world, trust, at) = world();
    let at = at / 1000 * 1000;
    world.server.turn_to(at);
    let seconds = at / 1000;
    let claims = claims_of(&trust, at);
    let timed = |name: &str, value: i64| post(&world, &signed(&FIRST, "first", &with(&claims, name, json!(value))));
    for (name, good, bad) in [("exp", -59, -60), ("iat", 59, 60), ("nbf", 59, 60)] {
        timed(name, seconds + good).gives(201);
        is_refused(name, timed(name, seconds + bad), Flaw::Time);
    }
    timed("exp", seconds - 10 + 86_400).gives(201);
    is_refused("a longer life", timed("exp", seconds - 10 + 86_401), Flaw::Time);
}

#[test]
fn a_status_by_a_jwt_takes_two_round_trips_and_then_one() {
    let (world, trust, at) = world();
    let jwt = good(&trust, at);
    let first = post(&world, &jwt).gives(201);
    assert_eq!((first.trips, fetched(&world)), (2, 2));
    world.server.turn_to(at + 1000);
    let second = post(&world, &jwt).gives(201);
    assert_eq!((second.trips, fetched(&world)), (1, 0));
    // refused before the database is asked
    let wrong = post(&world, &format!("{jwt}A")).gives(401);
    assert_eq!(wrong.trips, 0);
    let claims = with(&claims_of(&trust, at), "aud", json!("urn:edgeforge:trust:AAAAAAAAAAAAAAAAAAAA"));
    let unknown = post(&world, &signed(&FIRST, "first", &claims)).gives(401);
    assert_eq!((unknown.trips, unknown.figure("rows_read")), (1, 0));
}

#[test]
fn failed_proofs_count_as_wrong_tokens_of_their_address() {
    let server = Server::limited([5, 1000, 1000]);
    let world = World::new(server, Visibility::Private);
    world.push_line(1);
    let trust = trusted(&world, &world.ann, json!({}));
    let at = now();
    server.turn_to(at);
    let jwt = good(&trust, at);
    let from = |ask: crate::support::Ask, address: &str| ask.header("CF-Connecting-IP", address);
    from(post(&world, &jwt), "203.0.113.1").gives(201);
    for number in 0..5 {
        from(post(&world, &format!("{jwt}{number}A")), "203.0.113.1").gives(401);
    }
    from(post(&world, &format!("{jwt}9A")), "203.0.113.1").gives(429);
    // another address is not held up, nor a token that is known
    from(post(&world, &jwt), "203.0.113.2").gives(201);
    from(world.v4("GET", "/issues"), "203.0.113.1").by(&world.ann).gives(200);
    assert_eq!(world.server.database().take_fetched().len(), 2);
}
