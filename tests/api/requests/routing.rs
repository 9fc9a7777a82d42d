//! Paths, verbs and what lies outside them (behaviour 5.2).

use crate::support::spec;
use serde_json::json;

#[test]
fn an_unknown_path_is_not_found_whatever_the_verb() {
    for verb in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in ["/nope", "/projects/1/nope", "/issues/1/2/3", "/Licenses", "/licenses/mit%00"] {
            spec().ask(verb, path).refused(404, json!({ "error": "404 Not Found" }));
        }
    }
}

#[test]
fn an_unknown_path_is_answered_with_a_hint() {
    let all = "; /docs lists all endpoints";
    let slash = "a project's path is one segment, its slash is %2F: projects/group%2Fproject";
    let file = "the path of a file is one segment, its slash is %2F: repository/files/src%2Fmain.rs";
    for (path, hint) in [
        ("/projects/solo/hello", format!("{slash}{all}")),
        ("/projects/solo/hello/issues/1", format!("{slash}{all}")),
        ("/projects/1/commits", format!("the nearest endpoint is GET /api/v4/projects/:id/repository/commits{all}")),
        ("/licenses", format!("there is such an endpoint in /api/v3{all}")),
        ("/projects/1/wikis", format!("this server leaves it out on purpose{all}")),
        ("/projects/1/repository/files/src/main.rs", format!("{file}{all}")),
        ("/projects/1/repository/files/src/main.rs/raw", format!("{file}{all}")),
        ("/nope", format!("there is no such endpoint{all}")),
    ] {
        let told = spec().ask_v4("GET", path).gives(404);
        assert_eq!(told.json, json!({ "error": "404 Not Found", "hint": hint }));
        assert_eq!(told.trips, 0);
    }
}

#[test]
fn another_api_is_answered_with_those_that_there_are() {
    let hint = "this server has /api/v4 and /api/v3; /docs lists all endpoints";
    for path in ["/api/v5/projects", "/api/graphql", "/api/v4/%zz"] {
        let (status, _, body) = spec().outside("GET", path);
        let told: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status >= 400, &told["hint"]), (true, &json!(hint)), "{path}: {body}");
    }
}

#[test]
fn a_known_path_with_another_verb_tells_the_verbs_it_knows() {
    for (verb, path, allow) in [
        ("PATCH", "/licenses", "OPTIONS, GET, HEAD"),
        ("DELETE", "/licenses/mit", "OPTIONS, GET, HEAD"),
        ("DELETE", "/projects/1/issues", "OPTIONS, GET, POST, HEAD"),
        ("GET", "/projects/1/statuses/master", "OPTIONS, POST"),
        // the word is no project's id
        ("PUT", "/projects/all", "OPTIONS, GET, HEAD"),
    ] {
        let answer = spec().ask(verb, path).gives(405);
        assert_eq!(answer.json, json!({ "error": "405 Not Allowed" }));
        assert_eq!(answer.header("Allow"), Some(allow), "{}", answer.what);
        assert!(answer.header("X-Hint").unwrap().contains(allow), "{}", answer.what);
        assert_eq!(answer.trips, 0);
    }
}

#[test]
fn options_answers_a_browsers_preflight() {
    let answer = spec().ask("OPTIONS", "/projects/1/issues").gives(204);
    assert_eq!(answer.header("Allow"), Some("OPTIONS, GET, POST, HEAD"));
    assert_eq!(answer.header("Access-Control-Allow-Methods"), Some("OPTIONS, GET, POST, HEAD"));
    assert_eq!(answer.header("Access-Control-Allow-Origin"), Some("*"));
    assert!(answer.header("Access-Control-Allow-Headers").unwrap().contains("PRIVATE-TOKEN"));
}

#[test]
fn a_preflight_allows_the_headers_that_the_browser_asks_for() {
    let asked = |names: &str| {
        let ask = spec().ask("OPTIONS", "/projects/1/issues");
        let answer = ask.header("Access-Control-Request-Headers", names).gives(204);
        answer.header("Access-Control-Allow-Headers").unwrap().to_owned()
    };
    assert_eq!(asked("traceparent, X-Requested-With"), "traceparent, X-Requested-With");
    for odd in ["", " ", "a\u{e4}", "a;b", &"x".repeat(1001)] {
        assert!(asked(odd).starts_with("PRIVATE-TOKEN, "), "{odd}");
    }
}

#[test]
fn a_request_without_a_good_token_learns_how_to_send_one() {
    let of_another_server = spec().get("/user").header("Authorization", "token abc");
    for ask in [of_another_server, spec().ask_v4("GET", "/user")] {
        let answer = ask.gives(401);
        assert_eq!(answer.json, json!({ "message": "401 Unauthorized" }));
        assert!(answer.header("X-Hint").unwrap().contains("PRIVATE-TOKEN"));
    }
}

#[test]
fn a_verb_that_is_left_out_on_purpose_says_so_in_v4() {
    let answer = spec().ask_v4("POST", "/projects/1/merge_requests").gives(405);
    assert!(answer.header("X-Hint").unwrap().starts_with("this server leaves it out on purpose"));
}

#[test]
fn every_answer_may_be_read_by_other_origins() {
    let answer = spec().get("/licenses").gives(200);
    assert_eq!(answer.header("Access-Control-Allow-Origin"), Some("*"));
    assert!(answer.header("Access-Control-Expose-Headers").unwrap().contains("X-Total"));
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    spec().ask("HEAD", "/licenses").gives(200);
    spec().ask("HEAD", "/licenses/no-such").gives(404);
    spec().ask("HEAD", "/nope").gives(404);
    spec().ask("HEAD", "/projects/1/issues").gives(401);
}

#[test]
fn empty_segments_and_a_format_suffix_are_passed_over() {
    for path in ["/licenses/", "/licenses.json", "//licenses", "/licenses///", "/licenses/.json"] {
        if path == "/licenses/.json" {
            spec().get(path).gives(404);
        } else {
            assert!(spec().get(path).gives(200).json.is_array(), "{path}");
        }
    }
    for path in ["/licenses/mit", "/licenses//mit", "/licenses/mit/", "/licenses/mit.json", "/licenses/%6Dit"] {
        assert_eq!(spec().get(path).gives(200).json["key"], "mit", "{path}");
    }
}

#[test]
fn another_format_than_json_is_not_acceptable() {
    let refusal = json!({ "error": "The requested format 'xml' is not supported." });
    spec().get("/licenses?format=xml").refused(406, refusal);
    spec().get("/licenses?format=json").gives(200);
    spec().get("/licenses").header("Accept", "text/xml").gives(200);
}

#[test]
fn a_broken_escape_in_the_path_is_a_bad_request() {
    for path in ["/licenses/%zz", "/licenses/%", "/licenses/%f", "/projects/%c3%28/issues"] {
        let answer = spec().get(path).gives(400);
        assert!(answer.json["error"].is_string(), "{path}: {}", answer.text);
    }
}

#[test]
fn every_endpoint_but_the_entrance_licenses_version_and_badges_needs_a_token() {
    for (verb, pattern) in crate::support::ROUTES.iter() {
        let segments = pattern.trim_matches(['[', ']']).split(',').map(str::trim).map(|segment| {
            let literal = segment.trim_matches('"');
            if literal.len() < segment.len() { literal } else { "1" }
        });
        let path = format!("/{}", segments.collect::<Vec<_>>().join("/"));
        let open = ["/licenses", "/version"].iter().any(|open| path.starts_with(open));
        if *pattern == "[]" || open || path.contains("/badges/") {
            continue;
        }
        spec().ask(verb, &path).refused(401, json!({ "message": "401 Unauthorized" }));
    }
}
