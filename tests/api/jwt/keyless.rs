//! The JWT of a CI in place of a token: which are good, and which are refused, with what hint. The same in-process and in workerd.

use super::forge::{self, FIRST, FOREIGN, Flaw, SECOND, forgeries, good_ones, signed, with};
use crate::support::{Ask, Person, Visibility, World, now, spec};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

pub const ISSUER: &str = "https://ci.example.com";

/// A new trust of the project, for the repository 12 and the branch main.
pub fn trusted(world: &World, maker: &Person, more: Value) -> Value {
    let claims = json!(["repository_id=12", "ref=refs/heads/main", "ref=refs/tags/v*"]);
    let mut fields = json!({ "name": "ci", "issuer": ISSUER, "claims": claims });
    more.as_object().unwrap().iter().for_each(|(name, value)| fields[name] = value.clone());
    world.v4("POST", "/access_tokens").by(maker).json(fields).gives(201).json
}

/// Good claims for a trust. `now`: milliseconds since 1970.
pub fn claims_of(trust: &Value, now: i64) -> Value {
    let now = now / 1000;
    json!({
        "iss": trust["issuer"], "aud": trust["audience"], "iat": now - 10, "nbf": now - 10, "exp": now + 300,
        "sub": "repo:ann/x:ref:refs/heads/main", "jti": "9d1c", "repository_id": "12", "repository": "ann/x",
        "ref": "refs/heads/main",
    })
}

pub fn post(world: &World, jwt: &str) -> Ask {
    post_state(world, jwt, "success")
}

fn post_state(world: &World, jwt: &str, state: &str) -> Ask {
    let form = [("state", state), ("name", "build")];
    world.v4("POST", "/statuses/master").header("Authorization", format!("Bearer {jwt}")).form(&form)
}

#[track_caller]
pub fn is_refused(what: &str, ask: Ask, flaw: Flaw) {
    let answer = ask.send();
    assert_eq!((answer.status, &answer.json), (401, &json!({ "message": "401 Unauthorized" })), "{what}");
    assert_eq!(answer.header("X-Hint"), Some(flaw.hint()), "{what}");
}

fn world() -> World {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    world
}

#[test]
fn a_jwt_for_statuses_does_not_ask_who_it_is() {
    let world = world();
    for (scopes, status) in [(json!(["statuses"]), 403), (json!(["read_api"]), 200)] {
        let trust = trusted(&world, &world.ann, json!({ "scopes": scopes }));
        let jwt = signed(&FIRST, "first", &claims_of(&trust, now()));
        world.server.ask_v4("GET", "/user").header("Authorization", format!("Bearer {jwt}")).gives(status);
    }
}

#[test]
fn the_jwt_of_a_ci_posts_a_status_many_times() {
    let world = world();
    let trust = trusted(&world, &world.ann, json!({}));
    let jwt = signed(&FIRST, "first", &claims_of(&trust, now()));
    for state in ["pending", "running", "success"] {
        let status = post_state(&world, &jwt, state).gives(201).json;
        assert_eq!((&status["author"]["id"], &status["author"]["name"]), (&trust["user_id"], &json!("ci (token)")));
    }
    let header = world.v4("POST", "/statuses/master").header("PRIVATE-TOKEN", jwt.clone());
    header.form(&[("state", "failed")]).gives(201);
    // v3 takes it, too
    world
        .post("/statuses/master")
        .header("Authorization", format!("bearer {jwt}"))
        .form(&[("state", "success")])
        .gives(201);
    let shown = world.v4("GET", &format!("/access_tokens/{}", trust["id"])).by(&world.ann).gives(200).json;
    assert!(shown["last_used_at"].is_string(), "{shown}");
    // what its scope does not allow
    for (verb, path) in [("GET", "/issues"), ("POST", "/issues"), ("GET", "/access_tokens"), ("DELETE", "")] {
        world.v4(verb, path).header("Authorization", format!("Bearer {jwt}")).gives(403);
    }
    let other = World::new(spec(), Visibility::Private);
    let public = World::new(spec(), Visibility::Public);
    post(&other, &jwt).gives(404);
    post(&public, &jwt).gives(403);
}

#[test]
fn a_jwt_counts_in_two_headers_alone() {
    let world = world();
    let trust = trusted(&world, &world.ann, json!({}));
    let jwt = signed(&FIRST, "first", &claims_of(&trust, now()));
    let ask = || world.v4("GET", "/repository/commits/master/statuses");
    ask().header("Authorization", format!("Bearer {jwt}")).gives(200);
    for name in ["private_token", "access_token", "job_token"] {
        ask().query(name, &jwt).gives(401);
    }
    for (name, value) in [
        ("JOB-TOKEN", jwt.clone()),
        ("DEPLOY-TOKEN", jwt.clone()),
        ("Cookie", format!("__Host-session={jwt}; session={jwt}")),
        ("PRIVATE-TOKEN", trust["audience"].as_str().unwrap().to_owned()),
        ("PRIVATE-TOKEN", format!("trust {}", trust["audience"].as_str().unwrap())),
        ("PRIVATE-TOKEN", trust["audience"].as_str().unwrap().replace("urn:edgeforge:trust:", "")),
    ] {
        ask().header(name, value.clone()).gives(401);
    }
    // where no token is looked for, it is as without one
    for (name, value) in [
        ("Authorization", jwt.clone()),
        ("Authorization", format!("Basic {jwt}")),
        ("Authorization", format!("Basic {}", BASE64_STANDARD.encode(format!("x:{jwt}")))),
        ("Authorization", format!("Token {jwt}")),
        ("Cookie", format!("CF_Authorization={jwt}")),
        ("Cf-Access-Jwt-Assertion", jwt.clone()),
    ] {
        ask().header(name, value.clone()).gives(404);
    }
    // another header wins
    ask().header("Authorization", format!("Bearer {jwt}")).by(&world.rae).gives(200);
    ask().header("Authorization", format!("Bearer {jwt}")).header("PRIVATE-TOKEN", "x".repeat(20)).gives(401);
    // in the name of nobody else
    ask().header("Authorization", format!("Bearer {jwt}")).header("SUDO", "root").gives(403);
    // where no token is asked for, a bad one is ignored
    spec().ask_v4("GET", "/templates/licenses/mit").header("PRIVATE-TOKEN", "eyJ.x.y").gives(200);
    spec().ask_v4("GET", "/no/such/path").header("PRIVATE-TOKEN", "eyJ.x.y").gives(404);
}

#[test]
fn forged_jwts_are_refused_in_process_and_in_workerd() {
    let world = world();
    let trust = trusted(&world, &world.ann, json!({}));
    let claims = claims_of(&trust, now());
    let seconds = now() / 1000;
    for (what, jwt) in good_ones(&FIRST, "first", &claims, seconds) {
        assert_eq!(post(&world, &jwt).send().status, 201, "{what}");
    }
    for (what, jwt, flaw) in forgeries(&FIRST, "first", &FOREIGN, &claims, seconds) {
        is_refused(what, post(&world, &jwt), flaw);
    }
    let with_claim = |name: &str, value: Value| signed(&FIRST, "first", &with(&claims, name, value));
    let day = json!(claims["iat"].as_i64().unwrap() + 86_400);
    post(&world, &with_claim("exp", day)).gives(201);
    is_refused("25 h", post(&world, &with_claim("exp", json!(seconds + 25 * 3600))), Flaw::Time);
    is_refused("a key of Access", post(&world, &signed(&SECOND, "second", &claims)), Flaw::Signature);
    for issuer in [
        Value::Null,
        json!(7),
        json!([ISSUER]),
        json!(""),
        json!("https://ci.example.com/"),
        json!("http://ci.example.com"),
        json!("https://CI.example.com"),
        json!("https://ci.example.com.evil"),
        json!("https://ci.example.com@evil"),
        json!("https://ci.example.com:443"),
        json!("https://ci.example.com/x"),
        json!("https://many.example.com/org/"),
        json!("https://many.example.com/org/a/b"),
        json!("https://many.example.com/org/.."),
        json!("https://many.example.com/org/a?b"),
        json!("https://many.example.com/org/*"),
        json!("https://acme.cloudflareaccess.com"),
        json!("file:///etc/passwd"),
        json!("https://169.254.169.254/latest"),
    ] {
        is_refused(&format!("issuer {issuer}"), post(&world, &with_claim("iss", issuer)), Flaw::Issuer);
    }
    let audience = trust["audience"].as_str().unwrap();
    let another = trusted(&world, &world.ann, json!({ "claims": ["repository_id=13"] }));
    for value in [
        Value::Null,
        json!(7),
        json!(""),
        json!([]),
        json!("https://github.com/ann"),
        json!("urn:edgeforge:trust:AAAAAAAAAAAAAAAAAAAA"),
        json!([audience, "other"]),
        json!([audience, audience]),
        json!([[audience]]),
        json!({ "a": audience }),
        json!(format!("{audience} ")),
        json!(audience.to_uppercase()),
        another["audience"].clone(),
    ] {
        is_refused(&format!("audience {value}"), post(&world, &with_claim("aud", value)), Flaw::Trust);
    }
    for (name, value) in [
        // the name of the repository stays the same
        ("repository_id", json!("13")),
        ("repository_id", Value::Null),
        ("repository_id", json!(["12"])),
        ("ref", json!("refs/heads/mainx")),
        ("ref", json!("refs/heads/Main")),
        ("ref", json!("refs/pull/1/merge")),
        ("ref", json!(["refs/heads/main"])),
        ("ref", Value::Null),
    ] {
        is_refused(&format!("{name} {value}"), post(&world, &with_claim(name, value)), Flaw::Trust);
    }
    post(&world, &with_claim("repository_id", json!(12))).gives(201);
    post(&world, &with_claim("ref", json!("refs/tags/v1.2"))).gives(201);
    // another issuer that signs the same claims
    let many = json!("https://many.example.com/org/7c8a");
    is_refused("another issuer", post(&world, &with_claim("iss", many.clone())), Flaw::Trust);
    let of_many = trusted(&world, &world.ann, json!({ "issuer": many }));
    post(&world, &signed(&FIRST, "first", &claims_of(&of_many, now()))).gives(201);
    let made_up = with(&claims_of(&of_many, now()), "iss", json!("https://many.example.com/org/made-up"));
    is_refused("a made-up issuer", post(&world, &signed(&FIRST, "first", &made_up)), Flaw::Trust);
}

#[test]
fn a_jwt_of_another_form_is_a_token_that_nobody_has() {
    let world = world();
    let trust = trusted(&world, &world.ann, json!({}));
    let claims = claims_of(&trust, now());
    let list = forge::encoded(json!(["RS256", claims]).to_string().as_bytes());
    for token in [list.clone(), format!("{list}.{list}.{list}"), "eyJ".to_owned(), "eyJhbGciOiJSUzI1NiJ9".to_owned()] {
        let answer = post(&world, &token).gives(401);
        assert_eq!(answer.header("X-Hint"), Some("the token is wrong, or it has ended or was revoked"), "{token}");
    }
}

#[test]
fn what_ends_a_trust_or_its_maker_ends_it_at_once() {
    let world = world();
    let max = spec().person("Max");
    world.admit(&max, 40);
    let jwt_of = |trust: &Value| signed(&FIRST, "first", &claims_of(trust, now()));
    let trust = trusted(&world, &max, json!({}));
    let jwt = jwt_of(&trust);
    post(&world, &jwt).gives(201);
    let member = format!("/members/{}", max.id);
    world.put(&member).by(&world.ann).form(&[("access_level", "20")]).gives(200);
    post(&world, &jwt).gives(403);
    world.delete(&member).by(&world.ann).gives(200);
    post(&world, &jwt).gives(404);
    world.admit(&max, 40);
    post(&world, &jwt).gives(201);
    let blocked = |verb: &str| spec().put(format!("/users/{}/{verb}", max.id)).by(&world.root).gives(200);
    blocked("block");
    let answer = post(&world, &jwt).gives(401);
    assert_eq!(answer.json, json!({ "message": "401 Unauthorized" }));
    blocked("unblock");
    post(&world, &jwt).gives(201);
    // this instance remembers the trust, and learns its end
    world.v4("DELETE", &format!("/access_tokens/{}", trust["id"])).by(&world.ann).gives(204);
    post(&world, &jwt).refused(401, json!({ "message": "401 Unauthorized" }));
    let listed = world.v4("GET", "/access_tokens").by(&world.ann).gives(200).json;
    assert_eq!((&listed[0]["revoked"], &listed[0]["active"]), (&json!(true), &json!(false)));
    let expired = trusted(&world, &max, json!({ "expires_at": "2999-12-31" }));
    let jwt = jwt_of(&expired);
    post(&world, &jwt).gives(201);
    if spec().tamper(&format!("update tokens set expires_at = 1 where id = {}", expired["id"])) {
        post(&world, &jwt).refused(401, json!({ "message": "401 Unauthorized" }));
    }
}

#[test]
fn the_log_names_the_issuer_subject_and_id_of_a_jwt_and_nothing_else_of_it() {
    let world = world();
    let trust = trusted(&world, &world.ann, json!({}));
    let long = with(&claims_of(&trust, now()), "sub", json!("s".repeat(300)));
    let jwt = signed(&FIRST, "first", &long);
    let answer = post(&world, &jwt).gives(201);
    let Some(record) = &answer.record else { return };
    let line = serde_json::to_value(record).unwrap();
    assert_eq!(line["jwt"], json!({ "iss": ISSUER, "sub": "s".repeat(200), "jti": "9d1c" }));
    let refused = post(&world, &format!("{jwt}A")).gives(401).record.unwrap();
    for text in [line.to_string(), serde_json::to_string(&refused).unwrap()] {
        let secret = jwt.rsplit('.').next().unwrap();
        assert!(!text.contains(secret) && !text.contains(trust["audience"].as_str().unwrap()), "{text}");
    }
}
