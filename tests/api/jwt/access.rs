//! Signing in by Cloudflare Access: `/-/access` with the JWT that Access adds to a request.

use super::forge::{FIRST, FOREIGN, SECOND, forgeries, good_ones, signed, with};
use crate::sessions::Browser;
use crate::support::{Answer, Ask, Server, apart, documents, now, unique};
use edgeforge::store::RemoteAnswer;
use serde_json::{Value, json};

const ISSUER: &str = "https://acme.cloudflareaccess.com";

/// What Access says of a person. `at`: milliseconds since 1970.
fn claims_of(email: &str, at: i64) -> Value {
    let at = at / 1000;
    json!({
        "iss": ISSUER, "aud": ["4f1d5c"], "type": "app", "email": email, "sub": "7335d417", "iat": at - 10,
        "nbf": at - 10, "exp": at + 30 * 86_400, "country": "DE",
    })
}

/// The JWT of a person with this e-mail address.
pub fn assertion(email: &str) -> String {
    signed(&SECOND, "second", &claims_of(email, now()))
}

fn enter(server: &'static Server, jwt: &str) -> Ask {
    server.ask_at("GET", "/-/access?to=%2Fann%2Fx").header("Cf-Access-Jwt-Assertion", jwt)
}

/// The session that an answer starts.
#[track_caller]
fn signed_in(answer: &Answer) -> Browser {
    assert_eq!((answer.status, answer.header("Location")), (302, Some("/ann/x")), "{}", answer.what);
    Browser::of(answer)
}

/// Fails unless the answer leads back to the page for signing in with this problem, and sets no cookie.
#[track_caller]
fn is_turned_away(what: &str, answer: &Answer, problem: &str) {
    let expected = format!("/users/sign_in?problem={problem}&to=%2Fann%2Fx");
    assert_eq!((answer.status, answer.header("Location")), (302, Some(expected.as_str())), "{what}");
    assert_eq!(answer.cookies(), Vec::<String>::new(), "{what}");
    assert!(answer.header("Cache-Control").is_some_and(|kept| kept.contains("no-store")), "{what}");
}

fn sessions(server: &'static Server) -> Value {
    server.rows("select json_object('count', count(*)) from tokens where kind = 'session'")[0].clone()
}

#[test]
fn a_person_whom_access_knows_is_signed_in_by_their_e_mail() {
    let server = apart().server;
    let eve = server.person("Eve");
    let answer = enter(server, &assertion(&eve.email.to_uppercase())).header("User-Agent", "Firefox").send();
    let browser = signed_in(&answer);
    for cookie in answer.cookies() {
        assert!(cookie.contains("; Max-Age=604800"), "{cookie}");
    }
    assert_eq!(browser.get(server, "/user").gives(200).json["id"], eve.id);
    browser.write(server, "POST", "/projects").json(json!({ "name": unique("p") })).gives(201);
    let listed = browser.get(server, &format!("/users/{}/sessions", eve.id)).gives(200).json;
    assert_eq!((&listed[0]["via"], &listed[0]["user_agent"]), (&json!("access"), &json!("Firefox")));
    assert_eq!(server.ask_v4("GET", "/session").gives(200).json["access"], "/-/access");
    let ended = browser.write(server, "DELETE", "/session").gives(200).json;
    assert_eq!(ended["redirect_to"], "https://acme.cloudflareaccess.com/cdn-cgi/access/logout");
    browser.get(server, "/user").gives(401);
    // others than people of the team are no users here, and user 1 is not found so
    is_turned_away("root", &enter(server, &assertion("admin@example.com")).send(), "no_account");
}

#[test]
fn forged_assertions_start_no_session_in_process_and_in_workerd() {
    let server = apart().server;
    let eve = server.person("Eve");
    let claims = claims_of(&eve.email, now());
    let seconds = now() / 1000;
    for (what, jwt) in good_ones(&SECOND, "second", &with(&claims, "aud", json!("4f1d5c")), seconds) {
        assert_eq!(enter(server, &jwt).send().header("Location"), Some("/ann/x"), "{what}");
    }
    let before = server.is_in_process().then(|| sessions(server));
    let turned_away = |what: &str, ask: Ask| is_turned_away(what, &ask.send(), "assertion");
    for (what, jwt, _) in forgeries(&SECOND, "second", &FOREIGN, &claims, seconds) {
        turned_away(what, enter(server, &jwt));
    }
    let claimed = |name: &str, value: Value| enter(server, &signed(&SECOND, "second", &with(&claims, name, value)));
    for (name, value) in [
        ("iss", Value::Null),
        ("iss", json!("https://acme.cloudflareaccess.com/")),
        ("iss", json!("http://acme.cloudflareaccess.com")),
        ("iss", json!("https://ACME.cloudflareaccess.com")),
        ("iss", json!("https://other.cloudflareaccess.com")),
        ("iss", json!("https://ci.example.com")),
        ("aud", Value::Null),
        ("aud", json!("0000")),
        ("aud", json!([])),
        ("aud", json!(["4f1d5c", "0000"])),
        ("aud", json!(["4f1d5c", "4f1d5c"])),
        ("type", Value::Null),
        ("type", json!("org")),
        ("type", json!(["app"])),
        ("email", Value::Null),
        ("email", json!("")),
        ("email", json!("eve")),
        ("email", json!(format!("{}@x", eve.email))),
        ("email", json!([eve.email])),
        ("email", json!({ "a": eve.email })),
        ("email", json!(format!("{}@example.com", "x".repeat(250)))),
    ] {
        turned_away(&format!("{name} {value}"), claimed(name, value));
    }
    turned_away("a key of a CI", enter(server, &signed(&FIRST, "first", &claims)));
    // in another place than the header
    let good = assertion(&eve.email);
    let nowhere = || server.ask_at("GET", "/-/access?to=%2Fann%2Fx");
    turned_away("nothing", nowhere());
    turned_away("a query", nowhere().query("Cf-Access-Jwt-Assertion", &good));
    turned_away("a cookie", nowhere().header("Cookie", format!("CF_Authorization={good}")));
    turned_away("Authorization", nowhere().header("Authorization", format!("Bearer {good}")));
    turned_away("PRIVATE-TOKEN", nowhere().header("PRIVATE-TOKEN", good.clone()));
    turned_away("twice", enter(server, &good).header("Cf-Access-Jwt-Assertion", good.clone()));
    // what the browser fetches ahead, or as a part of a page
    turned_away("prefetch", enter(server, &good).header("Sec-Purpose", "prefetch;prerender"));
    for kind in ["empty", "image", "iframe"] {
        turned_away(kind, enter(server, &good).header("Sec-Fetch-Dest", kind));
    }
    if let Some(before) = before {
        assert_eq!(sessions(server), before);
    }
    enter(server, &good).header("Sec-Fetch-Dest", "document").gives(302);
    // no other verb
    for verb in ["POST", "PUT", "DELETE"] {
        let ask = server.ask_at(verb, "/-/access").header("Cf-Access-Jwt-Assertion", good.clone());
        assert!([404, 405].contains(&ask.send().status), "{verb}");
    }
}

#[test]
fn the_page_behind_the_sign_in_is_one_of_this_server() {
    let server = apart().server;
    let eve = server.person("Eve");
    let jwt = assertion(&eve.email);
    let leads = |query: &str, to: &str| {
        let ask = server.ask_at("GET", format!("/-/access{query}")).header("Cf-Access-Jwt-Assertion", jwt.clone());
        assert_eq!(ask.gives(302).header("Location"), Some(to), "{query}");
    };
    leads("", "/");
    leads("?to=", "/");
    leads("?to=/ann/x?a=b%26c", "/ann/x?a=b&c");
    leads("?to=%2F%C3%BC%20x", "/%C3%BC%20x");
    leads("?to=/a%2520b", "/a%20b");
    let long = "x".repeat(4096);
    for to in [
        "//evil",
        "/\\evil",
        "\\/evil",
        "https://evil",
        "https:evil",
        "evil",
        "/%0d%0aSet-Cookie:a=b",
        "/%09/evil",
        "/%00",
        &format!("/{long}"),
    ] {
        let ask = server.ask_at("GET", format!("/-/access?to={to}")).header("Cf-Access-Jwt-Assertion", jwt.clone());
        let answer = ask.gives(302);
        assert_eq!((answer.header("Location"), answer.cookies().len()), (Some("/"), 2), "{to}");
    }
}

#[test]
fn a_blocked_user_is_turned_away_and_their_session_ends() {
    let server = apart().server;
    let eve = server.person("Eve");
    let browser = signed_in(&enter(server, &assertion(&eve.email)).send());
    server.ask_v4("POST", format!("/users/{}/block", eve.id)).by(&server.root()).gives(201);
    is_turned_away("blocked", &enter(server, &assertion(&eve.email)).send(), "blocked");
    browser.get(server, "/user").gives(401);
}

#[test]
fn an_account_is_made_where_three_settings_allow_it() {
    let apart = apart();
    let (server, root) = (apart.server, apart.server.root());
    let settings = |fields: Value| server.put("/application/settings").by(&root).json(fields).gives(200);
    let name = unique("new");
    let email = format!("{name}+x@Example.com");
    let no_account = |email: &str| is_turned_away(email, &enter(server, &assertion(email)).send(), "no_account");
    settings(json!({ "signup_enabled": false }));
    no_account(&email);
    settings(json!({ "signup_enabled": true, "domain_whitelist": ["other.example"] }));
    no_account(&email);
    settings(json!({ "domain_whitelist": [], "domain_blacklist_enabled": true, "domain_blacklist": ["example.com"] }));
    no_account(&email);
    settings(json!({ "domain_blacklist_enabled": false }));
    let named = with(&claims_of(&email, now()), "name", json!("New Person"));
    let answer = enter(server, &signed(&SECOND, "second", &named)).send();
    let user = signed_in(&answer).get(server, "/user").gives(200).json;
    assert_eq!((&user["username"], &user["name"]), (&json!(format!("{name}-x")), &json!("New Person")));
    assert_eq!((&user["email"], &user["external"]), (&json!(email), &json!(true)));
    assert!(user.get("is_admin").is_none_or(|is_admin| is_admin == false), "{user}");
    // the same person comes back as the same user
    let again = signed_in(&enter(server, &assertion(&email.to_lowercase())).send());
    assert_eq!(again.get(server, "/user").gives(200).json["id"], user["id"]);
    let made = |email: &str| signed_in(&enter(server, &assertion(email)).send()).get(server, "/user").gives(200).json;
    // names that are taken, or that no user may have
    assert_eq!(made(&format!("{name}+x@b.example"))["username"], format!("{name}-x2"));
    assert_eq!(made(&format!("{name}.x@c.example"))["username"], format!("{name}.x"));
    let third = made(&format!("{name}#x@d.example"));
    assert_eq!((&third["username"], &third["name"]), (&json!(format!("{name}-x3")), &json!(format!("{name}#x"))));
    let number = unique("n").bytes().map(|byte| (byte % 10).to_string()).collect::<String>();
    assert_eq!(made(&format!("{number}@example.com"))["username"], format!("user-{number}"));
    assert!(made(&format!("admin@{name}.example"))["username"].as_str().unwrap().starts_with("user-admin"));
    assert_eq!(made(&format!("-{name}.git@example.com"))["username"], format!("user--{name}-git"));
    // a name that would deceive is not taken
    let deceiving = with(&claims_of(&format!("{name}-y@example.com"), now()), "name", json!("a\u{202e}b"));
    let answer = enter(server, &signed(&SECOND, "second", &deceiving)).send();
    assert_eq!(signed_in(&answer).get(server, "/user").gives(200).json["name"], format!("{name}-y"));
}

#[test]
fn nobody_gets_an_account_or_a_session_unless_the_configuration_says_so() {
    let server = Server::with(|config| {
        config.access = Some(edgeforge::AccessApplication { creates: None, ..documents::access() })
    });
    let eve = server.person("Eve");
    is_turned_away("no account", &enter(server, &assertion("newt@example.com")).send(), "no_account");
    let first = enter(server, &assertion(&eve.email)).send();
    signed_in(&first);
    assert_eq!(first.trips, 1);
    let internal = Server::with(|config| {
        config.access = Some(edgeforge::AccessApplication { creates: Some(false), ..documents::access() })
    });
    let made = enter(internal, &assertion("newt@example.com")).send();
    assert_eq!(made.trips, 2);
    let user = signed_in(&made).get(internal, "/user").gives(200).json;
    assert_eq!((&user["username"], &user["external"]), (&json!("newt"), &json!(false)));
    assert_eq!(internal.rows("select json_object('event', kind) from hook_events").len(), 0, "nobody listens");
    let without = Server::with(|_| ());
    let ask = without.ask_at("GET", "/-/access").header("Cf-Access-Jwt-Assertion", assertion(&eve.email));
    ask.refused(404, json!({ "error": "404 Not Found" }));
}

#[test]
fn access_out_of_reach_is_no_fault_of_the_person() {
    let server = Server::with(|config| config.access = Some(documents::access()));
    let eve = server.person("Eve");
    server.database().serve(|_, _| Ok(RemoteAnswer { status: 500, ..RemoteAnswer::default() }));
    let answer = enter(server, &assertion(&eve.email)).send();
    is_turned_away("unavailable", &answer, "unavailable");
    let cause = answer.cause().unwrap();
    assert_eq!(cause, "Access: https://acme.cloudflareaccess.com/cdn-cgi/access/certs: its status is 500");
}

#[test]
fn the_log_says_why_an_assertion_is_refused_and_the_answer_does_not() {
    let server = Server::with(|config| config.access = Some(documents::access()));
    let eve = server.person("Eve");
    let claims = claims_of(&eve.email, now());
    let cause = |name: &str, value: Value| {
        let answer = enter(server, &signed(&SECOND, "second", &with(&claims, name, value))).send();
        assert_eq!((answer.header("X-Hint"), &answer.json), (None, &json!({ "message": "302 Found" })));
        answer.cause().unwrap()
    };
    assert_eq!(cause("aud", json!("0000")), "Access: the audience of the JWT is not ACCESS_AUD");
    assert_eq!(cause("iss", json!("https://x.example")), "Access: the issuer of the JWT is not that of ACCESS_TEAM");
    assert_eq!(cause("exp", json!(1)), "Access: the JWT is not valid at this time");
    assert_eq!(
        cause("email", Value::Null),
        "Access: the JWT is not of a person: it needs the type app and an e-mail address"
    );
    let none = server.ask_at("GET", "/-/access").send().cause().unwrap();
    assert!(none.starts_with("Access: there is no header Cf-Access-Jwt-Assertion"), "{none}");
}

#[test]
fn failed_assertions_count_as_wrong_tokens_of_their_address() {
    let server = Server::limited([3, 1000, 1000]);
    let ask = |address: &str| {
        let ask = server.ask_at("GET", "/-/access?to=%2Fann%2Fx").header("CF-Connecting-IP", address);
        ask.header("PRIVATE-TOKEN", unique("x")).header("Cf-Access-Jwt-Assertion", "eyJ.x.y").send()
    };
    // not configured: nothing is tried
    assert_eq!(ask("203.0.113.1").status, 404);
    let server = Server::limited_with([3, 1000, 1000], |config| config.access = Some(documents::access()));
    let ask = |address: &str, more: bool| {
        let ask = server.ask_at("GET", "/-/access?to=%2Fann%2Fx").header("CF-Connecting-IP", address);
        let ask = ask.header("Cf-Access-Jwt-Assertion", "eyJ.x.y");
        if more { ask.header("PRIVATE-TOKEN", unique("x")) } else { ask }.send().status
    };
    for more in [false, true] {
        let address = if more { "203.0.113.1" } else { "203.0.113.2" };
        let statuses: Vec<u16> = (0..6).map(|_| ask(address, more)).collect();
        assert_eq!(statuses, [302, 302, 302, 429, 429, 429], "{more}");
    }
}
