//! When a session ends.

use super::{Browser, is_over, start, started, token_of, unauthorized};
use crate::support::{Server, apart, now, spec};
use edgeforge::token_hash;
use serde_json::json;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

#[test]
fn signing_out_deletes_the_session() {
    let person = spec().person("Ida");
    let (browser, other) = (started(spec(), &person), started(spec(), &person));
    let answer = browser.write(spec(), "DELETE", "/session").gives(200);
    assert_eq!(answer.json, json!({ "redirect_to": "/" }));
    assert_eq!(answer.cookies().len(), 2);
    assert!(answer.cookies().iter().all(|cookie| cookie.contains("=; ") && cookie.ends_with("; Max-Age=0")));
    is_over(spec(), &browser);
    browser.write(spec(), "DELETE", "/session").refused(401, unauthorized());
    other.get(spec(), "/user").gives(200);
    // by a token nobody is signed in
    let refused = json!({ "message": "403 Forbidden - Only a session ends so" });
    spec().ask_v4("DELETE", "/session").by(&person).by_page().refused(403, refused);
    spec().ask_v4("DELETE", "/session").refused(401, unauthorized());
    spec().ask_v4("GET", "/user").by(&person).gives(200);
}

#[test]
fn who_signs_out_is_led_where_the_setting_says() {
    let place = apart();
    let server = place.server;
    let address = "https://intranet.example.com/bye";
    let settings = || server.ask_v4("PUT", "/application/settings").by(&server.root());
    settings().json(json!({ "after_sign_out_path": address })).gives(200);
    let ended = started(server, &server.root()).write(server, "DELETE", "/session").gives(200);
    assert_eq!(ended.json, json!({ "redirect_to": address }));
}

/// The minutes of `session_expire_delay`, and those that a session lasts.
#[test]
fn a_session_lasts_as_long_as_the_setting_says() {
    let place = apart();
    let server = place.server;
    let root = server.root();
    let user = server.person("Lea");
    for (delay, minutes) in [(1, 1), (0, 1440), (10080, 10080), (525_600, 525_600), (9_000_000, 525_600)] {
        let delay = json!({ "session_expire_delay": delay });
        server.ask_v4("PUT", "/application/settings").by(&root).json(delay).gives(200);
        let kept = start(server, &user).json(json!({ "remember": true })).gives(201);
        let age: i64 = kept.cookies()[0].split("Max-Age=").nth(1).unwrap().parse().unwrap();
        assert!((minutes * 60 - 5..=minutes * 60).contains(&age), "{minutes}: {age}");
    }
}

#[test]
fn a_session_ends_at_its_time_however_much_it_is_used() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let begin = now();
    server.turn_to(begin);
    let user = server.person("Lea");
    let browser = started(server, &user);
    let used = || server.rows("select json_array(last_used_at) as v from tokens where kind = 'session'")[0][0].clone();
    assert_eq!(used(), json!(null));
    for minutes in [0, 59, 60, 10_079] {
        server.turn_to(begin + minutes * MINUTE);
        browser.get(server, "/user").gives(200);
    }
    assert_eq!(used(), json!(begin + 10_079 * MINUTE));
    server.turn_to(begin + 10_080 * MINUTE);
    is_over(server, &browser);
    let left = || server.rows("select json_array(count(*)) as v from tokens where kind = 'session'")[0][0].clone();
    assert_eq!(left(), 1);
    server.sweep(begin + 10_080 * MINUTE + 1).unwrap();
    assert_eq!(left(), 0, "the hourly sweep deletes it, whatever ENDED_TOKENS_DAYS says");
}

#[test]
fn a_session_ends_with_the_token_that_started_it() {
    let person = spec().person("Pia");
    let make =
        |end: Option<&str>| token_of(spec(), &person, json!({ "name": "t", "scopes": ["api"], "expires_at": end }));
    let (id, token) = make(None);
    let (other_id, other) = make(None);
    let (gone, kept) = (started(spec(), &token), started(spec(), &other));
    spec().ask_v4("DELETE", format!("/personal_access_tokens/{id}")).by(&person).gives(204);
    is_over(spec(), &gone);
    kept.get(spec(), "/user").gives(200);
    // replacing it, too, and also if the old one works for a day more
    let rotate = spec().ask_v4("POST", format!("/personal_access_tokens/{other_id}/rotate")).by(&person);
    rotate.json(json!({ "keep_old_for_a_day": true })).gives(201);
    is_over(spec(), &kept);
    spec().ask_v4("GET", "/user").by(&other).gives(200);
    let (id, token) = make(None);
    let browser = started(spec(), &token);
    spec().ask_v4("POST", format!("/personal_access_tokens/{id}/rotate")).by(&person).json(json!({})).gives(201);
    is_over(spec(), &browser);
    // no longer than the token
    let (_, short) = make(Some("2037-03-04T05:06:07Z"));
    let place = format!("/users/{}/sessions", person.id);
    started(spec(), &short);
    let listed = spec().ask_v4("GET", &place).by(&person).gives(200);
    assert_ne!(listed.json[0]["expires_at"], "2037-03-04T05:06:07.000Z", "a week is sooner");
}

#[test]
fn a_session_ends_before_its_week_if_its_token_does() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let begin = now();
    server.turn_to(begin);
    let user = server.person("Lea");
    server.tamper(&format!("update tokens set expires_at = {} where user_id = {}", begin + HOUR, user.id));
    let browser = started(server, &user);
    server.turn_to(begin + HOUR - 1);
    browser.get(server, "/user").gives(200);
    server.turn_to(begin + HOUR);
    is_over(server, &browser);
    server
        .ask_v4("POST", "/session")
        .by(&user)
        .header("Sec-Fetch-Site", "same-origin")
        .header("X-Edgeforge-Page", "1")
        .refused(401, unauthorized());
}

#[test]
fn blocking_stops_sessions_and_deleting_a_user_ends_them() {
    let root = spec().root();
    let person = spec().person("Max");
    let browser = started(spec(), &person);
    let user = |verb: &str, rest: &str| spec().ask_v4(verb, format!("/users/{}{rest}", person.id)).by(&root);
    user("POST", "/block").gives(201);
    is_over(spec(), &browser);
    user("POST", "/unblock").gives(201);
    browser.get(spec(), "/user").gives(200);
    user("DELETE", "").gives(204);
    is_over(spec(), &browser);
}

#[test]
fn a_session_of_the_administrators_token_ends_with_it_and_after_twelve_hours() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let begin = now();
    server.turn_to(begin);
    let browser = started(server, &server.root());
    assert!(browser.secret.starts_with("r."), "{}", browser.secret);
    assert_eq!(browser.get(server, "/user").gives(200).id(), 1);
    is_over(server, &Browser { secret: browser.secret[2..].to_owned(), ..browser.clone() });
    // the same rows under another secret of the Worker
    let rows = server.rows("select json_array(hash, expires_at) as v from tokens where kind = 'session'");
    let other = Server::with(|config| config.admin_token_hash = Some(token_hash("another secret of the Worker")));
    let none = Server::with(|config| config.admin_token_hash = None);
    for server in [other, none] {
        server.turn_to(begin);
        let (hash, end) = (&rows[0][0], &rows[0][1]);
        server.tamper(&format!(
            "insert into tokens (hash, id, user_id, kind, name, created_at, expires_at) values ('{}', 1, 1, 'session', '', 0, {end})",
            hash.as_str().unwrap()
        ));
        is_over(server, &browser);
    }
    server.turn_to(begin + 12 * HOUR - 1);
    browser.get(server, "/user").gives(200);
    server.turn_to(begin + 12 * HOUR);
    is_over(server, &browser);
}
