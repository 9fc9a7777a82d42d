//! Personal access tokens of v4.

use crate::support::v4::has_keys;
use crate::support::{Answer, Person, instant, spec};
use serde_json::{Value, json};

const TOKEN: &str = "id name revoked created_at description scopes user_id last_used_at active expires_at";

fn message(text: &str) -> Value {
    json!({ "message": text })
}

fn make(person: &Person, body: Value) -> Answer {
    let path = format!("/users/{}/personal_access_tokens", person.id);
    spec().ask_v4("POST", path).by(person).json(body).gives(201)
}

fn with(token: &Value) -> Person {
    let nobody = spec().cast().eve.clone();
    Person { token: token.as_str().expect("a token").to_owned(), ..nobody }
}

#[test]
fn a_token_is_made_for_scopes_that_are_named() {
    let pat = spec().person("Pat");
    let path = format!("/users/{}/personal_access_tokens", pat.id);
    let post = |body: Value| spec().ask_v4("POST", &path).by(&pat).json(body);
    spec().ask_v4("POST", &path).json(json!({})).refused(401, message("401 Unauthorized"));
    post(json!({ "scopes": ["api"] })).refused(400, json!({ "error": "name is missing" }));
    post(json!({ "name": "x" })).refused(400, json!({ "error": "scopes is missing" }));
    let field = |body: Value, field: &str, text: &str| {
        post(body).refused(400, json!({ "message": { field: [text] } }));
    };
    field(json!({ "name": "x", "scopes": ["sudo"] }), "scopes", "can only contain available scopes");
    field(json!({ "name": "x", "scopes": ["api"], "expires_at": "2001-01-01" }), "expires_at", "is in the past");
    for scopes in [json!(["read_user"]), json!(["read_api", "write_repository"]), json!(["api", "odd"])] {
        let refused = post(json!({ "name": "x", "scopes": scopes })).gives(400).json;
        assert_eq!(refused["message"], json!({ "scopes": ["can only contain available scopes"] }));
        let hint = refused["hint"].as_str().unwrap();
        assert!(hint.starts_with("scopes has one of api, read_api; beside api or read_api also read_user, "), "{hint}");
    }
    let others = format!("/users/{}/personal_access_tokens", spec().cast().ann.id);
    let body = json!({ "name": "x", "scopes": ["api"] });
    spec().ask_v4("POST", others).by(&pat).json(body.clone()).refused(403, message("403 Forbidden"));

    let made = make(&pat, json!({ "name": "x", "scopes": "api", "expires_at": "2099-12-31" })).json;
    has_keys(&made, &[TOKEN, "token"]);
    assert_eq!((&made["expires_at"], &made["scopes"]), (&json!("2099-12-31"), &json!(["api"])));
    for (scopes, held) in [
        (json!(["api", "sudo", "read_user"]), ["api", "read_user", "sudo"].as_slice()),
        (json!("read_user,read_api"), &["read_api", "read_user"]),
    ] {
        let made = make(&pat, json!({ "name": "x", "scopes": scopes })).json;
        assert_eq!(made["scopes"], json!(held));
    }
    let by_root = spec().ask_v4("POST", &path).by(&spec().root()).json(body).gives(201).json;
    assert_eq!((&by_root["user_id"], &by_root["expires_at"]), (&json!(pat.id), &Value::Null));
}

#[test]
fn tokens_are_listed_to_their_user_and_to_administrators() {
    let (pat, eve) = (spec().person("Pat"), &spec().cast().eve);
    let first = spec().ask_v4("GET", "/personal_access_tokens").by(&pat).gives(200).json[0]["id"].clone();
    let second =
        make(&pat, json!({ "name": "Release", "scopes": ["api"], "expires_at": "2099-12-31" })).json["id"].clone();
    let list = |person: &Person, query: &str| {
        spec().ask_v4("GET", format!("/personal_access_tokens?{query}")).by(person).gives(200)
    };
    spec().ask_v4("GET", "/personal_access_tokens").refused(401, message("401 Unauthorized"));
    let foreign = format!("/personal_access_tokens?user_id={}", pat.id);
    spec().ask_v4("GET", foreign).by(eve).refused(401, message("401 Unauthorized"));
    let both = [second.clone(), first.clone()];
    assert_eq!(list(&pat, "").each("id"), both);
    has_keys(&list(&pat, "").json[0], &[TOKEN]);
    assert_eq!(list(&pat, &format!("user_id={}", pat.id)).each("id"), both);
    assert_eq!(list(&spec().root(), &format!("user_id={}", pat.id)).each("id"), both);
    assert!(list(&spec().root(), "").each("id").len() >= 2);
    assert_eq!(list(&pat, "sort=created_asc").each("id"), [first.clone(), second.clone()]);
    assert_eq!(list(&pat, "search=release").each("id"), std::slice::from_ref(&second));
    assert_eq!(list(&pat, "expires_before=2100-01-01").each("id"), std::slice::from_ref(&second));
    assert_eq!(list(&pat, "created_before=2001-01-01").each("id"), [] as [Value; 0]);
    spec().ask_v4("DELETE", format!("/personal_access_tokens/{second}")).by(&pat).gives(204);
    assert_eq!(list(&pat, "state=active").each("id"), std::slice::from_ref(&first));
    assert_eq!(list(&pat, "state=inactive").each("id"), std::slice::from_ref(&second));
    assert_eq!(list(&pat, "revoked=true").each("id"), std::slice::from_ref(&second));
    assert_eq!(list(&pat, "revoked=false&per_page=1").header("X-Next-Page"), Some(""));
    let pages = list(&pat, "per_page=1");
    assert_eq!((pages.each("id"), pages.header("X-Next-Page")), (vec![second], Some("2")));
    assert_eq!(list(&pat, "per_page=1&page=2").each("id"), [first]);
}

#[test]
fn tokens_are_sorted_by_name_by_their_end_and_by_their_last_use() {
    let pat = spec().person("Pat");
    let first = spec().ask_v4("GET", "/personal_access_tokens").by(&pat).gives(200).json[0]["id"].clone();
    for (name, day) in [("beta", "2099-01-02"), ("Alpha", "2099-01-01"), ("alpha", "2099-01-03")] {
        make(&pat, json!({ "name": name, "scopes": ["api"], "expires_at": day }));
    }
    let ask = |query: &str| {
        let path = format!("/personal_access_tokens?{query}&revoked=false");
        spec().ask_v4("GET", path).by(&pat).gives(200)
    };
    let names = |query: &str| {
        let answer = ask(query);
        let is_first = |token: &&Value| token["id"] != first;
        let made: Vec<&Value> = answer.json.as_array().unwrap().iter().filter(is_first).collect();
        json!(made.iter().map(|token| &token["name"]).collect::<Vec<_>>())
    };
    for (query, sorted) in [
        ("sort=name_asc", ["alpha", "Alpha", "beta"]),
        ("sort=name_desc", ["beta", "alpha", "Alpha"]),
        ("sort=expires_asc", ["Alpha", "beta", "alpha"]),
        ("sort=expires_desc", ["alpha", "beta", "Alpha"]),
    ] {
        assert_eq!(names(query), json!(sorted), "{query}");
    }
    // what was never used is last
    for query in ["sort=last_used_asc", "sort=last_used_desc"] {
        assert_eq!(ask(query).json[0]["id"], first, "{query}");
        assert_eq!(names(query), json!(["alpha", "Alpha", "beta"]));
    }
    let all = ask("sort=name_asc").each("id");
    let mut seen = Vec::new();
    let mut next = Some("/personal_access_tokens?sort=name_asc&per_page=3&revoked=false".to_owned());
    while let Some(target) = next {
        let page = spec().ask_v4("GET", target).by(&pat).gives(200);
        assert_eq!(page.header("X-Total"), Some("4"));
        seen.extend(page.each("id"));
        next = page.next();
    }
    assert_eq!((&seen, ask("sort=name_asc&per_page=3&page=2").each("id")), (&all, all[3..].to_vec()));
}

#[test]
fn one_is_told_of_to_those_whose_it_is() {
    let (pat, cast) = (spec().person("Pat"), spec().cast());
    let made = make(&pat, json!({ "name": "x", "scopes": ["read_api"] })).json;
    let path = format!("/personal_access_tokens/{}", made["id"]);
    for verb in ["GET", "DELETE"] {
        // only administrators learn whether it exists
        for absent in [path.as_str(), "/personal_access_tokens/987654321"] {
            spec().ask_v4(verb, absent).by(&cast.eve).refused(401, message("401 Unauthorized"));
        }
        spec().ask_v4(verb, "/personal_access_tokens/987654321").by(&cast.root).refused(404, message("404 Not found"));
        spec().ask_v4(verb, "/personal_access_tokens/self").refused(401, message("401 Unauthorized"));
        // its token is the server's own
        spec().ask_v4(verb, "/personal_access_tokens/self").by(&cast.root).gives(400);
    }
    let shown = spec().ask_v4("GET", &path).by(&cast.root).gives(200).json;
    has_keys(&shown, &[TOKEN]);
    let own = with(&made["token"]);
    assert_eq!(spec().ask_v4("GET", "/personal_access_tokens/self").by(&own).gives(200).json, shown);
    spec().ask_v4("DELETE", "/personal_access_tokens/self").by(&own).json(json!({})).gives(204);
    spec().ask_v4("GET", "/personal_access_tokens/self").by(&own).refused(401, message("401 Unauthorized"));
    assert_eq!(spec().ask_v4("GET", &path).by(&pat).gives(200).json["revoked"], true);
}

#[test]
fn a_rotated_token_ends_and_another_takes_its_place() {
    let (pat, cast) = (spec().person("Pat"), spec().cast());
    let made = make(&pat, json!({ "name": "ci", "scopes": ["api"], "expires_at": "2099-12-31" })).json;
    let old = with(&made["token"]);
    let path = format!("/personal_access_tokens/{}/rotate", made["id"]);
    spec().ask_v4("POST", &path).by(&cast.eve).json(json!({})).refused(401, message("401 Unauthorized"));
    let new = spec().ask_v4("POST", "/personal_access_tokens/self/rotate").by(&old).json(json!({})).gives(201).json;
    has_keys(&new, &[TOKEN, "token"]);
    assert_eq!((&new["name"], &new["scopes"], &new["user_id"]), (&json!("ci"), &json!(["api"]), &json!(pat.id)));
    assert!(new["expires_at"].is_string());
    spec().ask_v4("GET", "/user").by(&old).refused(401, message("401 Unauthorized"));
    let new = with(&new["token"]);
    assert_eq!(spec().ask_v4("GET", "/user").by(&new).gives(200).id(), pat.id);
    spec().ask_v4("POST", &path).by(&pat).json(json!({})).gives(400);
    // by its id, with a date
    let id = spec().ask_v4("GET", "/personal_access_tokens/self").by(&new).gives(200).id();
    let path = format!("/personal_access_tokens/{id}/rotate");
    let third = spec().ask_v4("POST", path).by(&pat).json(json!({ "expires_at": "2098-01-02" })).gives(201).json;
    assert_eq!(third["expires_at"], "2098-01-02");
    // one that only reads makes none
    let reader = with(&make(&pat, json!({ "name": "r", "scopes": ["read_api"] })).json["token"]);
    spec().ask_v4("POST", "/personal_access_tokens/self/rotate").by(&reader).gives(403);
}

#[test]
fn the_old_token_of_a_rotation_works_for_a_day_more_where_that_is_asked_for() {
    let pat = spec().person("Pat");
    let keep = || json!({ "keep_old_for_a_day": true });
    let old_ends = |fields: Value| {
        let made = make(&pat, fields).json;
        let path = format!("/personal_access_tokens/{}", made["id"]);
        let new = spec().ask_v4("POST", format!("{path}/rotate")).by(&pat).json(keep()).gives(201).json;
        for token in [&made["token"], &new["token"]] {
            assert_eq!(spec().ask_v4("GET", "/user").by(&with(token)).gives(200).id(), pat.id);
        }
        spec().ask_v4("GET", path).by(&pat).gives(200).json
    };
    for ends in [json!({}), json!({ "expires_at": "2099-12-31" })] {
        let mut fields = json!({ "name": "ci", "scopes": ["api"] });
        fields.as_object_mut().unwrap().extend(ends.as_object().unwrap().clone());
        let old = old_ends(fields);
        assert_eq!((&old["revoked"], &old["active"]), (&json!(false), &json!(true)));
        assert!([day(0), day(1)].contains(&old["expires_at"]), "{old}");
    }
    // never longer than it would have worked anyway
    let soon = chrono::DateTime::from_timestamp_millis(instant() + 3_600_000).unwrap();
    let old = old_ends(json!({ "name": "ci", "scopes": ["api"], "expires_at": soon.to_rfc3339() }));
    assert_eq!(old["expires_at"], json!(soon.format("%Y-%m-%d").to_string()));
    let path = format!("/users/{}/personal_access_tokens", pat.id);
    let kept = spec().get(path).by(&pat).gives(200).json;
    let ends = kept.as_array().unwrap().iter().find(|token| token["id"] == old["id"]).unwrap();
    assert_eq!(ends["expires_at"], soon.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string());
}

/// A day as v4 shows it, `days` from now.
fn day(days: i64) -> Value {
    let day = chrono::DateTime::from_timestamp_millis(instant() + days * 86_400_000).unwrap();
    json!(day.format("%Y-%m-%d").to_string())
}

#[test]
fn a_rotated_token_ends_no_later_than_the_token_that_asks() {
    let pat = spec().person("Pat");
    let short = make(&pat, json!({ "name": "short", "scopes": ["api"], "expires_at": day(3) })).json;
    let asker = with(&short["token"]);
    let rotate = |body: Value| {
        let other = make(&pat, json!({ "name": "x", "scopes": ["api"], "expires_at": "2099-01-01" })).id();
        let path = format!("/personal_access_tokens/{other}/rotate");
        spec().ask_v4("POST", path).by(&asker).json(body)
    };
    let text = "cannot be later than that of the token that makes it";
    rotate(json!({ "expires_at": "2098-01-02" })).refused(400, json!({ "message": { "expires_at": [text] } }));
    assert_eq!(rotate(json!({})).gives(201).json["expires_at"], short["expires_at"]);
}

#[test]
fn a_token_that_rotates_itself_lives_as_long_as_it_was_made_for_at_most() {
    let pat = spec().person("Pat");
    let short = make(&pat, json!({ "name": "short", "scopes": ["api"], "expires_at": day(3) })).json;
    let rotate = |token: &Value, body: Value| {
        spec().ask_v4("POST", "/personal_access_tokens/self/rotate").by(&with(token)).json(body)
    };
    let text = "cannot be later than that of the token that makes it";
    rotate(&short["token"], json!({ "expires_at": "9999-12-31" }))
        .refused(400, json!({ "message": { "expires_at": [text] } }));
    let next = rotate(&short["token"], json!({})).gives(201).json;
    assert!([day(2), day(3)].contains(&next["expires_at"]), "{next}");
    // without an end: a week, or what is asked for
    let endless = make(&pat, json!({ "name": "endless", "scopes": ["api"] })).json;
    let week = rotate(&endless["token"], json!({})).gives(201).json;
    assert!([day(7), day(8)].contains(&week["expires_at"]), "{week}");
    let endless = make(&pat, json!({ "name": "endless", "scopes": ["api"] })).json;
    let far = rotate(&endless["token"], json!({ "expires_at": "2098-01-02" })).gives(201).json;
    assert_eq!(far["expires_at"], "2098-01-02");
}

#[test]
fn an_expired_token_is_not_rotated() {
    let pat = spec().person("Pat");
    let soon = chrono::DateTime::from_timestamp_millis(instant() + 1500).unwrap().to_rfc3339();
    let made = make(&pat, json!({ "name": "soon", "scopes": ["api"], "expires_at": soon })).json;
    while spec().ask_v4("GET", "/user").by(&with(&made["token"])).send().status == 200 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let path = format!("/personal_access_tokens/{}/rotate", made["id"]);
    let expired = message("400 Bad request - Token already expired");
    spec().ask_v4("POST", path).by(&pat).json(json!({ "expires_at": "2099-01-01" })).refused(400, expired);
}

#[test]
fn a_token_keeps_its_description() {
    let pat = spec().person("Pat");
    let made = make(&pat, json!({ "name": "x", "scopes": ["api"], "description": "for the \"nightly\" run" })).json;
    let path = format!("/personal_access_tokens/{}", made["id"]);
    let shown = spec().ask_v4("GET", &path).by(&pat).gives(200).json;
    assert_eq!([&made["description"], &shown["description"]], [&json!("for the \"nightly\" run"); 2]);
    let rotated = spec().ask_v4("POST", format!("{path}/rotate")).by(&pat).gives(201).json;
    assert_eq!(rotated["description"], made["description"]);
    let path = format!("/users/{}/personal_access_tokens", pat.id);
    let long = json!({ "name": "x", "scopes": ["api"], "description": "x".repeat(256) });
    let refused = json!({ "message": { "description": ["is too long (maximum is 255 characters)"] } });
    spec().ask_v4("POST", path).by(&pat).json(long).refused(400, refused);
}

#[test]
fn a_token_says_to_the_hour_when_it_was_used() {
    let pat = spec().person("Pat");
    let made = make(&pat, json!({ "name": "robot", "scopes": ["read_api"] })).json;
    assert_eq!(made["last_used_at"], Value::Null);
    let path = format!("/personal_access_tokens/{}", made["id"]);
    let used = || spec().ask_v4("GET", &path).by(&pat).gives(200).json["last_used_at"].clone();
    let listed = |query: &str| {
        let target = format!("/personal_access_tokens?search=robot&{query}");
        let found = spec().ask_v4("GET", target).by(&pat).gives(200);
        assert_eq!(found.header("X-Unread-Parameters"), None);
        found.each("id").len()
    };
    let made_at = made["created_at"].as_str().unwrap();
    assert_eq!((listed("last_used_before=2035-01-01"), listed("last_used_after=2000-01-01")), (0, 0));
    let read = || spec().ask_v4("GET", "/user").by(&with(&made["token"])).gives(200);
    read();
    let first = used();
    assert!(first.as_str().unwrap() > made_at);
    assert_eq!((listed(&format!("last_used_after={made_at}")), listed("last_used_before=2000-01-01")), (1, 0));
    read();
    assert_eq!(used(), first, "within the hour");
    let ago = |hours: i64| {
        let at = instant() - hours * 3_600_000;
        spec().tamper(&format!("update tokens set last_used_at = {at} where id = {}", made["id"]))
    };
    if ago(2) {
        assert_eq!(listed(&format!("last_used_before={made_at}")), 1);
        read();
        assert!(used().as_str() > first.as_str());
    }
    spec()
        .ask_v4("GET", "/personal_access_tokens?last_used_before=soon")
        .by(&pat)
        .refused(400, json!({ "error": "last_used_before is invalid" }));
}
