use super::{Key, KeySets, RETRY, Step, usable};
use crate::kernel::time::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};

const NOW: i64 = 1_800_000_000_000;
const ISSUER: &str = "https://a.example";

fn key(id: &str) -> Key {
    Key { id: id.to_owned(), modulus: "m".to_owned() }
}

fn fetch(address: Option<&str>, is_fresh: bool) -> Step {
    Step::Fetch { address: address.map(str::to_owned), is_fresh }
}

/// One that has fetched the key `old` at [`NOW`].
fn filled() -> KeySets {
    let mut sets = KeySets::default();
    assert_eq!(sets.step(ISSUER, "old", NOW), fetch(None, false));
    sets.end(ISSUER, NOW, Ok(("there".to_owned(), vec![key("old")])));
    sets
}

fn fails(sets: &mut KeySets, now: i64) {
    sets.end(ISSUER, now, Err("it is away".to_owned()));
}

#[test]
fn keys_serve_for_an_hour_and_are_then_fetched_again_without_a_pause() {
    let mut sets = filled();
    assert_eq!(sets.step(ISSUER, "old", NOW + HOUR - 1), Step::Use(key("old")));
    assert_eq!(sets.step(ISSUER, "old", NOW + HOUR), fetch(None, false));
    // meanwhile the old key serves others
    assert_eq!(sets.step(ISSUER, "old", NOW + HOUR + 1), Step::Use(key("old")));
    assert_eq!(sets.step(ISSUER, "new", NOW + HOUR + 1), Step::Wait);
    sets.end(ISSUER, NOW + HOUR, Ok(("there".to_owned(), vec![key("new")])));
    assert_eq!(sets.step(ISSUER, "new", NOW + HOUR + 2), Step::Use(key("new")));
    // a withdrawn key serves no longer
    assert_eq!(sets.step(ISSUER, "old", NOW + HOUR + 2), fetch(Some("there"), true));
}

#[test]
fn a_key_that_is_not_there_is_looked_for_once_in_five_minutes() {
    let mut sets = filled();
    assert_eq!(sets.step(ISSUER, "new", NOW + 1), fetch(Some("there"), true));
    sets.end(ISSUER, NOW + 1, Ok(("there".to_owned(), vec![key("old")])));
    for made_up in 0..10_000 {
        let now = NOW + 1 + made_up * (5 * MINUTE - 1) / 10_000;
        assert_eq!(sets.step(ISSUER, &format!("made up {made_up}"), now), Step::Unknown);
    }
    assert_eq!(sets.step(ISSUER, "new", NOW + 1 + 5 * MINUTE), fetch(Some("there"), true));
    // if it fails, after thirty seconds
    fails(&mut sets, NOW + 1 + 5 * MINUTE);
    assert_eq!(sets.step(ISSUER, "new", NOW + 5 * MINUTE + RETRY), Step::Unknown);
    assert_eq!(sets.step(ISSUER, "new", NOW + 1 + 5 * MINUTE + RETRY), fetch(Some("there"), true));
}

#[test]
fn keys_of_an_issuer_out_of_reach_serve_for_a_day() {
    let mut sets = filled();
    for hours in 1..24 {
        let now = NOW + hours * HOUR;
        assert_eq!(sets.step(ISSUER, "old", now), fetch(None, false));
        fails(&mut sets, now);
        assert_eq!(sets.step(ISSUER, "old", now), Step::Use(key("old")));
        assert_eq!(sets.step(ISSUER, "new", now + RETRY - 1), Step::Unknown);
    }
    assert_eq!(sets.step(ISSUER, "old", NOW + DAY), fetch(None, false));
    fails(&mut sets, NOW + DAY);
    let away = Step::Unavailable("it is away".to_owned());
    assert_eq!(sets.step(ISSUER, "old", NOW + DAY), away);
    assert_eq!(sets.step(ISSUER, "old", NOW + DAY + RETRY - 1), away);
    assert_eq!(sets.step(ISSUER, "old", NOW + DAY + RETRY), fetch(None, false));
}

#[test]
fn a_request_that_fetches_and_is_gone_holds_nobody_up_for_long() {
    let mut sets = KeySets::default();
    assert_eq!(sets.step(ISSUER, "old", NOW), fetch(None, false));
    assert_eq!(sets.step(ISSUER, "old", NOW + 1), Step::Wait);
    assert_eq!(sets.step(ISSUER, "old", NOW + 12_000), fetch(None, false));
}

#[test]
fn few_issuers_are_remembered() {
    let mut sets = KeySets::default();
    for number in 0..1000 {
        sets.step(&format!("https://a.example/{number}"), "old", NOW);
    }
    assert!(sets.0.len() <= 50);
}

#[test]
fn a_key_that_signs_something_else_is_left_out() {
    let modulus = |bytes: usize, first: &str| format!("{first}{}", "A".repeat((bytes * 4).div_ceil(3) - first.len()));
    let good = json!({ "kty": "RSA", "kid": "a", "n": modulus(256, "_w"), "e": "AQAB" });
    let with = |name: &str, value: Value| {
        let mut key = good.clone();
        key[name] = value;
        usable(&json!({ "keys": [key] })).unwrap().len()
    };
    assert_eq!(usable(&json!({ "keys": [good] })).unwrap().len(), 1);
    for (name, value) in
        [("use", json!("sig")), ("alg", json!("RS256")), ("n", json!(modulus(1024, "_w"))), ("x", json!(1))]
    {
        assert_eq!(with(name, value), 1, "{name}");
    }
    for (name, value) in [
        ("kty", json!("EC")),
        ("kty", json!("oct")),
        ("use", json!("enc")),
        ("use", json!(null)),
        ("alg", json!("RS512")),
        ("alg", json!("RSA-OAEP")),
        ("e", json!("Aw")),
        ("kid", json!(7)),
        ("n", json!(modulus(128, "_w"))),
        ("n", json!(modulus(255, "_w"))),
        ("n", json!(modulus(256, "A"))),
        ("n", json!(modulus(256, "fw"))),
        ("n", json!(modulus(1025, "_w"))),
        ("n", json!("no base64!")),
        ("n", json!("")),
    ] {
        assert_eq!(with(name, value.clone()), 0, "{name} {value}");
    }
    let many = |count: usize| usable(&json!({ "keys": vec![&good; count] }));
    assert_eq!(many(32).unwrap().len(), 32);
    assert_eq!(many(33).unwrap_err(), "it has more than 32 keys");
    assert_eq!(usable(&json!([good])).unwrap_err(), "it has no list of keys");
}
