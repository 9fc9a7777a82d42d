//! Requests that another site makes a browser send.

use super::{Browser, started, unauthorized};
use crate::support::{Ask, Visibility, World, spec};
use serde_json::{Value, json};

fn refused() -> Value {
    json!({ "message": "403 Forbidden - This request did not come from a page of this server" })
}

/// The headers of a request that is no page's, and their reason.
fn forged() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let own = || spec().origin.clone();
    let page = || ("X-Edgeforge-Page", "1".to_owned());
    let site = |text: &str| ("Sec-Fetch-Site", text.to_owned());
    let origin = |text: String| ("Origin", text);
    vec![
        ("a form from elsewhere", vec![site("cross-site"), origin("https://evil.example".to_owned())]),
        ("a form of a page of this server", vec![site("same-origin"), origin(own())]),
        ("a form of an older browser", vec![origin(own())]),
        ("a script of another origin", vec![page(), site("cross-site"), origin("https://evil.example".to_owned())]),
        ("a script of a sibling host", vec![page(), site("same-site"), origin("http://sibling.test".to_owned())]),
        ("an address that somebody typed", vec![page(), site("none")]),
        ("a sandboxed frame", vec![page(), origin("null".to_owned())]),
        ("another scheme", vec![page(), origin(own().replace("http:", "https:"))]),
        ("another port", vec![page(), origin(format!("{}1", own()))]),
        ("no origin at all", vec![page()]),
        ("another word", vec![("X-Edgeforge-Page", "true".to_owned()), site("same-origin")]),
        ("what a site says of itself", vec![page(), site("cross-site"), origin(own())]),
    ]
}

fn with(ask: Ask, headers: &[(&str, String)]) -> Ask {
    headers.iter().fold(ask, |ask, (name, value)| ask.header(name, value.as_str()))
}

#[test]
fn a_write_by_cookie_needs_a_page_of_this_server() {
    let world = World::new(spec(), Visibility::Public);
    let browser = started(spec(), &world.ann);
    let path = format!("/projects/{}/issues", world.project.id);
    let count = || world.v4("GET", "/issues?scope=all").by(&world.ann).gives(200).json.as_array().unwrap().len();
    let before = count();
    for (why, headers) in forged() {
        println!("{why}");
        for (verb, path) in
            [("POST", path.clone()), ("PUT", "/application/settings".to_owned()), ("DELETE", "/session".to_owned())]
        {
            let ask = || with(browser.sends(spec().ask_v4(verb, &path)), &headers).form(&[("title", "forged")]);
            ask().refused(403, refused());
            assert!(ask().send().cookies().is_empty(), "the session goes on");
        }
    }
    assert_eq!(count(), before);
    // without the cookie, which another site does not get the browser to send, nobody is signed in
    for (_, headers) in forged() {
        with(spec().ask_v4("POST", &path), &headers).form(&[("title", "forged")]).refused(401, unauthorized());
    }
    browser.write(spec(), "POST", &path).json(json!({ "title": "own" })).gives(201);
    let older = browser.sends(spec().ask_v4("POST", &path)).header("Origin", spec().origin.as_str());
    older.header("X-Edgeforge-Page", "1").json(json!({ "title": "own" })).gives(201);
    assert_eq!(count(), before + 2);
    // programs with a token are asked for none of this, whatever else they send
    let program = browser.sends(world.v4("POST", "/issues").by(&world.bob)).header("Sec-Fetch-Site", "cross-site");
    let made = program.json(json!({ "title": "by token" })).gives(201);
    assert_eq!(made.json["author"]["id"], world.bob.id);
}

#[test]
fn a_read_for_another_host_is_a_visitors() {
    let world = World::new(spec(), Visibility::Private);
    let open = World::new(spec(), Visibility::Public);
    let browser = started(spec(), &world.ann);
    let path = |world: &World| format!("/projects/{}", world.project.id);
    for site in ["cross-site", "same-site"] {
        let from = |ask: Ask| browser.sends(ask).header("Sec-Fetch-Site", site);
        from(spec().ask_v4("GET", path(&world))).refused(404, json!({ "message": "404 Project Not Found" }));
        let answer = from(spec().ask_v4("GET", path(&open))).gives(200);
        assert!(answer.json["permissions"].is_null(), "{}", answer.text);
        let answer = from(spec().ask_v4("GET", "/user")).gives(401);
        assert!(answer.cookies().is_empty(), "the cookie did not count, and stays");
    }
    for site in ["same-origin", "none"] {
        browser.get(spec(), &path(&world)).header("Sec-Fetch-Site", site).gives(200);
    }
    let own = browser.get(spec(), &path(&world)).gives(200);
    assert!(own.json["permissions"].is_object(), "{}", own.text);
    browser.sends(spec().ask_v4("HEAD", path(&world))).gives(200);
}

#[test]
fn no_preflight_allows_the_header_of_pages() {
    let preflight = |names: &str| {
        let ask = spec().ask_v4("OPTIONS", "/user").header("Origin", "https://evil.example");
        let answer = ask.header("Access-Control-Request-Headers", names).gives(204);
        assert_eq!(answer.header("Access-Control-Allow-Credentials"), None);
        answer.header("Access-Control-Allow-Headers").unwrap().to_lowercase()
    };
    for names in [
        "x-edgeforge-page",
        "X-Edgeforge-Page",
        "private-token, X-EDGEFORGE-PAGE ,sudo",
        "x-edgeforge-page,x-edgeforge-page",
    ] {
        assert!(!preflight(names).contains("x-edgeforge-page"), "{names}");
    }
    assert_eq!(preflight("private-token, x-other"), "private-token, x-other");
    assert_eq!(preflight("private-token, x-edgeforge-page, x-other"), "private-token, x-other");
}

#[test]
fn no_answer_tells_a_cache_that_others_may_have_it() {
    let browser = started(spec(), &spec().cast().ann);
    let answer = browser.get(spec(), "/user").gives(200);
    assert!(answer.header("Vary").unwrap().contains("Cookie"));
    assert_eq!(answer.header("Access-Control-Allow-Origin"), Some("*"));
    assert_eq!(answer.header("Access-Control-Allow-Credentials"), None);
}

#[test]
fn pictures_and_links_to_private_files_work_by_the_cookie() {
    let world = World::new(spec(), Visibility::Private);
    let browser = started(spec(), &world.ann);
    let file = world.v4("POST", "/uploads").by(&world.ann);
    let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\nbytes\r\n--x--\r\n";
    let made = file.body("multipart/form-data; boundary=x", form).send();
    if made.status == 501 {
        return;
    }
    made.has_status(201);
    let path = made.json["full_path"].as_str().unwrap().to_owned();
    browser.sends(spec().ask_at("GET", &path)).header("Sec-Fetch-Site", "same-origin").gives(200);
    browser.sends(spec().ask_at("GET", &path)).header("Sec-Fetch-Site", "same-site").gives(404);
    let over = Browser { secret: "over".to_owned(), id: 1 };
    over.sends(spec().ask_at("GET", &path)).gives(401);
}
