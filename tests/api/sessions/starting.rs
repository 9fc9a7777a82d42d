use super::{Browser, is_over, start, started, token_of, unauthorized};
use crate::support::{Person, Server, Visibility, World, apart, now, spec};
use edgeforge::token_hash;
use serde_json::json;

#[test]
fn only_a_personal_token_or_the_administrators_starts_a_session() {
    let world = World::new(spec(), Visibility::Private);
    let refused = json!({ "message": "403 Forbidden - Only a personal token starts a session" });
    let maker = json!({ "name": "ci", "scopes": ["api"], "access_level": 30 });
    let token = world.v4("POST", "/access_tokens").by(&world.ann).json(maker).gives(201).json["token"].clone();
    let hook = world.v4("POST", "/hook_tokens").by(&world.ann).json(json!({ "name": "hook" })).gives(201).json["token"]
        .clone();
    for token in [token, hook] {
        let program = Person { token: token.as_str().unwrap().to_owned(), ..world.ann.clone() };
        start(spec(), &program).refused(403, refused.clone());
    }
    // a session starts no other one
    started(spec(), &world.ann).write(spec(), "POST", "/session").refused(403, refused.clone());
    // in an address or a body a token would be kept elsewhere
    let by_query = spec().ask_v4("POST", "/session").by_page().query("private_token", &world.ann.token);
    by_query.refused(403, refused.clone());
    let by_body = spec().ask_v4("POST", "/session").by_page().form(&[("access_token", &world.ann.token)]);
    by_body.refused(403, refused.clone());
    // SUDO is for programs
    start(spec(), &world.root).header("SUDO", world.ann.username.as_str()).refused(403, refused.clone());
    let sudo = json!({ "message": "403 Forbidden - Must be admin to use sudo" });
    start(spec(), &world.ann).header("SUDO", "root").refused(403, sudo);
    spec().ask_v4("POST", "/session").by_page().refused(401, unauthorized());
    start(spec(), &Person { token: "wrong".to_owned(), ..world.ann.clone() }).refused(401, unauthorized());
    let by_bearer = spec().ask_v4("POST", "/session").by_page();
    by_bearer.header("Authorization", format!("Bearer {}", world.ann.token)).gives(201);
}

#[test]
fn a_session_starts_only_from_a_page_of_this_server() {
    let ann = &spec().cast().ann;
    let refused = json!({ "message": "403 Forbidden - This request did not come from a page of this server" });
    spec().ask_v4("POST", "/session").by(ann).refused(403, refused.clone());
    let headers =
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Origin", "https://evil.example")];
    for (name, value) in headers {
        let ask = spec().ask_v4("POST", "/session").by(ann).header("X-Edgeforge-Page", "1").header(name, value);
        ask.refused(403, refused.clone());
    }
    spec().ask_v4("POST", "/session").by(ann).header("Sec-Fetch-Site", "same-origin").refused(403, refused);
}

#[test]
fn a_session_is_told_the_user_and_two_cookies() {
    let ann = &spec().cast().ann;
    let answer = start(spec(), ann).gives(201);
    assert_eq!(answer.json, spec().ask_v4("GET", "/user").by(ann).gives(200).json);
    let cookies = answer.cookies();
    let [secret, id] = cookies.as_slice() else { panic!("{cookies:?}") };
    let secret = secret.strip_suffix("; Path=/; HttpOnly; SameSite=Strict").unwrap().strip_prefix("session=").unwrap();
    assert_eq!(secret.len(), 20);
    let id = id.strip_suffix("; Path=/; SameSite=Strict").unwrap().strip_prefix("signed-in=").unwrap();
    let browser = Browser { secret: secret.to_owned(), id: id.parse().unwrap() };
    assert_eq!(browser.get(spec(), "/user").gives(200).json, answer.json);
    // with the box, both outlive the browser, as long as the session
    let kept = start(spec(), ann).json(json!({ "remember": true })).gives(201);
    for cookie in kept.cookies() {
        let age: i64 = cookie.split("; Max-Age=").nth(1).unwrap().parse().unwrap();
        assert!((10079 * 60..=10080 * 60).contains(&age), "{cookie}");
    }
    start(spec(), ann).json(json!({ "remember": "perhaps" })).gives(400);
}

#[test]
fn the_secret_of_a_session_is_good_in_the_cookie_alone_and_a_token_never_in_it() {
    let world = World::new(spec(), Visibility::Private);
    let Browser { secret, id } = started(spec(), &world.ann);
    let wrong = |text: String| Person { token: text, ..world.ann.clone() };
    let hash = token_hash(&secret);
    for token in [secret.clone(), format!("session {hash}"), hash.clone(), "user 1".to_owned(), "anybody".to_owned()] {
        spec().ask_v4("GET", "/user").by(&wrong(token.clone())).refused(401, unauthorized());
        let bearer = spec().ask_v4("GET", "/user").header("Authorization", format!("Bearer {token}"));
        bearer.refused(401, unauthorized());
        for name in ["private_token", "access_token"] {
            spec().ask_v4("GET", "/user").query(name, &token).refused(401, unauthorized());
        }
    }
    for secret in [
        world.ann.token.clone(),
        world.root.token.clone(),
        format!("r.{}", world.root.token),
        hash,
        format!("session {secret}"),
    ] {
        is_over(spec(), &Browser { secret, id });
    }
    // v3 takes no cookie
    let browser = Browser { secret, id };
    browser.sends(spec().get("/user")).refused(401, unauthorized());
    assert!(browser.sends(spec().get("/user")).send().cookies().is_empty());
    // a token beside the cookie counts, right or wrong
    let other = browser.get(spec(), "/user").by(&world.bob).gives(200);
    assert_eq!(other.id(), world.bob.id);
    let answer = browser.get(spec(), "/user").by(&wrong("wrong".to_owned())).gives(401);
    assert!(answer.cookies().is_empty(), "the cookie did not count");
    browser.get(spec(), "/user").gives(200);
}

#[test]
fn a_cookie_that_was_there_before_opens_nothing_afterwards() {
    let ann = &spec().cast().ann;
    let planted = Browser { secret: "AAAAAAAAAAAAAAAAAAAA".to_owned(), id: 7 };
    let answer = planted.sends(start(spec(), ann)).gives(201);
    assert!(!answer.cookies()[0].contains(&planted.secret));
    is_over(spec(), &planted);
    // of several cookies of that name, the first counts
    let browser = started(spec(), ann);
    let both = format!("session={}; session={}", planted.secret, browser.secret);
    spec().ask_v4("GET", "/user").header("Cookie", both).refused(401, unauthorized());
    for nothing in ["", "session", "session=", "; ;=", "xsession=1", "__Host-session=1"] {
        let answer = spec().ask_v4("GET", "/user").header("Cookie", nothing).gives(401);
        assert!(answer.cookies().is_empty(), "{nothing} is no cookie of a session");
    }
}

#[test]
fn a_session_has_the_rights_of_its_token_and_never_sudo() {
    let world = World::new(spec(), Visibility::Private);
    let title = json!({ "title": "t" });
    let browser = started(spec(), &world.ann);
    let issue = format!("/projects/{}/issues", world.project.id);
    browser.write(spec(), "POST", &issue).json(title.clone()).gives(201);
    let reads = started(spec(), &token_of(spec(), &world.ann, json!({ "name": "r", "scopes": ["read_api"] })).1);
    reads.get(spec(), &issue).gives(200);
    let scopes = json!({ "message": "403 Forbidden - The scopes of the token do not allow this" });
    reads.write(spec(), "POST", &issue).json(title).refused(403, scopes);
    let sudo = json!({ "message": "403 Forbidden - Must be admin to use sudo" });
    browser.get(spec(), "/user").header("SUDO", "root").refused(403, sudo);
    let root = started(spec(), &world.root);
    let sudo = json!({ "message": "403 Forbidden - Private token must be specified in order to use sudo" });
    root.get(spec(), "/user").header("SUDO", world.ann.username.as_str()).refused(403, sudo);
    root.get(spec(), "/application/settings").gives(200);
}

#[test]
fn a_token_made_in_a_session_ends_no_later_than_the_token_behind_it() {
    let cast = spec().cast();
    let end = "2037-01-02T00:00:00.000Z";
    let (_, token) = token_of(spec(), &cast.bob, json!({ "name": "t", "scopes": ["api"], "expires_at": end }));
    let browser = started(spec(), &token);
    let path = format!("/users/{}/personal_access_tokens", cast.bob.id);
    let new = json!({ "name": "n", "scopes": ["api"] });
    let made = browser.write(spec(), "POST", &path).json(new).header("Idempotency-Key", "k-of-session").gives(201);
    assert_eq!(made.json["expires_at"], "2037-01-02");
    let new = json!({ "name": "n", "scopes": ["api"] });
    let again = browser.write(spec(), "POST", &path).json(new).header("Idempotency-Key", "k-of-session").gives(201);
    assert_eq!(again.json["token"], made.json["token"]);
    let later = json!({ "name": "n", "scopes": ["api"], "expires_at": "2037-01-03" });
    let text = "cannot be later than that of the token that makes it";
    let answer = browser.write(spec(), "POST", &path).json(later).gives(400);
    assert_eq!(answer.json["message"]["expires_at"], json!([text]));
    // a session is no token that could be shown, rotated or revoked as one
    let none = json!({ "message": "400 Bad request - this token is not a stored one" });
    browser.get(spec(), "/personal_access_tokens/self").refused(400, none.clone());
    browser.write(spec(), "DELETE", "/personal_access_tokens/self").refused(400, none.clone());
    browser.write(spec(), "POST", "/personal_access_tokens/self/rotate").refused(400, none);
    let by_id = format!("/personal_access_tokens/{}", browser.id);
    spec().ask_v4("GET", &by_id).by(&cast.root).gives(404);
    let listed =
        spec().ask_v4("GET", format!("/personal_access_tokens?user_id={}", cast.bob.id)).by(&cast.bob).gives(200);
    assert!(!listed.each("id").contains(&json!(browser.id)));
}

#[test]
fn whoever_comes_to_a_full_server_gets_in() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let ann = server.cast().ann.clone();
    server.tamper("update stored set most = 1, person_most = 1");
    let stored = || server.rows("select json_array(bytes, (select sum(records) from shares)) as v from stored");
    let before = stored();
    let browser = started(server, &ann);
    assert_eq!(stored(), before, "sessions count in no quota");
    browser.get(server, "/user").gives(200);
    browser.write(server, "DELETE", "/session").gives(200);
    assert_eq!(stored(), before);
}

#[test]
fn a_hundred_sessions_of_a_person_live_and_the_oldest_goes() {
    let person = spec().person("Mia");
    let first = started(spec(), &person);
    let second = started(spec(), &person);
    for _ in 2..101 {
        started(spec(), &person);
    }
    is_over(spec(), &first);
    second.get(spec(), "/user").gives(200);
    let listed = spec().ask_v4("GET", format!("/users/{}/sessions", person.id)).by(&person).gives(200);
    assert_eq!(listed.json.as_array().unwrap().len(), 100);
}

#[test]
fn what_a_browser_calls_itself_is_cut() {
    let person = spec().person("Una");
    let name = "ä".repeat(200);
    start(spec(), &person).header("User-Agent", name).gives(201);
    let listed = spec().ask_v4("GET", format!("/users/{}/sessions", person.id)).by(&person).gives(200);
    assert_eq!(listed.json[0]["user_agent"].as_str().unwrap().len(), 254);
}

#[test]
fn everybody_sees_what_the_dialog_shows() {
    let place = apart();
    let server = place.server;
    let shown = |ask: crate::support::Ask| ask.gives(200).json;
    assert_eq!(shown(server.ask_v4("GET", "/session")), json!({ "access": "/-/access", "sign_in_text": null }));
    let text = json!({ "sign_in_text": "Ask **Ann** for an account." });
    server.ask_v4("PUT", "/application/settings").by(&server.root()).json(text).gives(200);
    let told = json!({ "access": "/-/access", "sign_in_text": "Ask **Ann** for an account." });
    let over = Browser { secret: "over".to_owned(), id: 1 };
    let wrong = Person { token: "wrong".to_owned(), ..server.root() };
    for ask in
        [server.ask_v4("GET", "/session"), over.get(server, "/session"), server.ask_v4("GET", "/session").by(&wrong)]
    {
        assert_eq!(shown(ask), told);
    }
}

#[test]
fn asking_for_the_dialog_is_no_wrong_token() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::limited([2, 1000, 1000]);
    let over = Browser { secret: "over".to_owned(), id: 1 };
    for _ in 0..5 {
        over.get(server, "/session").gives(200);
    }
    for _ in 0..2 {
        over.get(server, "/user").gives(401);
    }
    over.get(server, "/user").gives(429);
}

#[test]
fn over_https_the_cookies_have_the_prefix_that_keeps_them_from_other_hosts() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::secure();
    let answer = start(server, &server.root()).form(&[("remember", "true")]).gives(201);
    let cookies = answer.cookies();
    let end = "Max-Age=43200";
    let secret = cookies[0].strip_suffix(&format!("; Path=/; Secure; HttpOnly; SameSite=Strict; {end}")).unwrap();
    assert!(cookies[1].starts_with("__Host-signed-in="));
    assert!(cookies[1].ends_with(&format!("; Path=/; Secure; SameSite=Strict; {end}")), "{cookies:?}");
    server.ask_v4("GET", "/user").header("Cookie", secret).gives(200);
    let plain = secret.strip_prefix("__Host-").unwrap();
    server.ask_v4("GET", "/user").header("Cookie", plain).refused(401, unauthorized());
    let _ = now();
}
