//! What a refusal says to somebody who made a usual mistake.

use crate::support::{Visibility, World, gitlab, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

#[test]
fn json_without_its_type_is_refused_with_a_hint_of_the_header() {
    let world = world();
    let hint = "the body looks like JSON: send the header Content-Type: application/json";
    for kind in ["application/x-www-form-urlencoded", "text/plain", "text/json"] {
        for body in ["{\"title\":\"x\"}", " [1]"] {
            for answer in [
                world.post("/issues").by(&world.gus).body(kind, body).gives(400),
                world.v4("POST", "/issues").by(&world.gus).body(kind, body).gives(400),
            ] {
                assert_eq!(answer.json["hint"], hint, "{kind} {body}");
            }
        }
    }
    for (kind, body) in [("application/json", "{}"), ("text/plain", "x")] {
        let answer = world.v4("POST", "/issues").by(&world.gus).body(kind, body).gives(400);
        assert_eq!(answer.json["hint"], Value::Null, "{kind} {body}");
    }
}

#[test]
fn json_that_is_none_is_refused_with_the_place_of_the_fault() {
    let world = world();
    let post = |body: &str| world.v4("POST", "/issues").by(&world.gus).body("application/json", body).gives(400).json;
    let told = post("{title:\"secret\"}");
    assert_eq!(told["error"], "message body does not match declared format");
    assert_eq!(told["hint"], "the body is no JSON: key must be a string at line 1 column 2");
    assert!(post("{\"title\":\n\"secret\",}")["hint"].as_str().unwrap().ends_with("at line 2 column 10"));
}

#[test]
fn a_field_that_is_invalid_is_refused_with_the_form_wanted() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let post = |path: &str, fields: Value| world.v4("POST", path).by(&world.ann).json(fields).gives(400).json;
    let edit = |fields: Value| {
        world.v4("PUT", &format!("/issues/{}", issue["iid"])).by(&world.ann).json(fields).gives(400).json
    };
    for (told, hint) in [
        (post("/issues", json!({ "title": "t", "due_date": "soon" })), "due_date is a day: 2026-12-31"),
        (edit(json!({ "due_date": "31.12.2026" })), "due_date is a day: 2026-12-31"),
        (post("/milestones", json!({ "title": "m", "start_date": "x" })), "start_date is a day: 2026-12-31"),
        (
            post("/labels", json!({ "name": "l", "color": "0f0" })),
            "color is # and three or six hexadecimal digits: #d9534f",
        ),
        (
            post("/issues", json!({ "title": "t", "milestone_id": 999_999, "assignee_ids": [999_999] })),
            "milestone_id is the id of a milestone of the project, not its number; assignee_ids is the id of a user who sees the project",
        ),
        (
            post("/access_tokens", json!({ "name": "t", "scopes": ["api"], "expires_at": "later" })),
            "expires_at is a time or a day: 2026-12-31T12:00:00Z",
        ),
    ] {
        assert_eq!(told["hint"], hint, "{told}");
    }
    // another fault of the field has no form
    let past = post("/access_tokens", json!({ "name": "t", "scopes": ["api"], "expires_at": "2001-01-01" }));
    assert_eq!(past["hint"], Value::Null, "{past}");
}

#[test]
fn a_state_in_place_of_its_event_is_refused_with_a_hint() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let edit = |fields: Value| {
        world.v4("PUT", &format!("/issues/{}", issue["iid"])).by(&world.ann).json(fields).gives(400).json["hint"]
            .clone()
    };
    assert_eq!(
        edit(json!({ "state": "closed" })),
        "the parameter that changes the state is state_event: close, for example"
    );
    assert_eq!(edit(json!({ "other": "closed" })), Value::Null);
}

#[test]
fn a_wrong_token_is_told_from_a_missing_one() {
    for path in ["/user", "/projects"] {
        let hint = |token: Option<&str>| {
            let ask = spec().ask_v4("POST", path);
            let ask = if let Some(token) = token { ask.header("PRIVATE-TOKEN", token) } else { ask };
            ask.send().header("X-Hint").map(str::to_owned)
        };
        if path == "/projects" {
            assert_eq!(
                hint(None).as_deref(),
                Some("send a token in the header PRIVATE-TOKEN, or in Authorization: Bearer")
            );
            assert_eq!(hint(Some("wrong")).as_deref(), Some("the token is wrong, or it has ended or was revoked"));
        }
    }
}

#[test]
fn a_commit_that_is_not_here_has_a_hint() {
    let world = world();
    world.push_line(1);
    let told = world.v4("GET", "/repository/commits/nosuch").by(&world.ann).gives(404).json;
    assert_eq!(told["hint"], "the mirror has sent no branch, tag or commit of this name");
}

#[test]
fn a_verb_that_v4_lacks_says_what_to_do_in_its_text() {
    let world = world();
    let told = world.v4("POST", "/merge_requests").by(&world.ann).json(json!({})).gives(405);
    let text = told.json["error"].as_str().unwrap();
    assert!(text.starts_with("405 Not Allowed - this server leaves it out on purpose; "), "{text}");
    let old = spec().ask("POST", "/version").by(&world.ann).gives(405).json;
    assert_eq!(old, json!({ "error": "405 Not Allowed" }));
}

#[test]
fn a_success_of_200_where_clients_expect_201_names_the_profile() {
    for (server, hint) in
        [(spec(), Some("clients that expect 201 here need PROFILE=gitlab (docs/profiles.md)")), (gitlab(), None)]
    {
        let world = World::new(server, Visibility::Private);
        let made = world.post("/issues").by(&world.ann).json(json!({ "title": "t" })).send();
        assert_eq!(made.header("X-Hint"), hint);
        let todo = world.post(&format!("/issues/{}/todo", made.json["id"])).by(&world.ann).send();
        assert_eq!(todo.header("X-Hint"), hint);
        let label = world.post("/labels").by(&world.ann).json(json!({ "name": "l", "color": "#112233" })).gives(201);
        assert_eq!(label.header("X-Hint"), None);
    }
}

#[test]
fn a_path_of_old_clients_that_is_left_out_says_why() {
    let hint = |path: &str| spec().get(path).gives(404).json["hint"].as_str().unwrap().to_owned();
    assert!(hint("/session").starts_with("nobody signs in by a password: send a token"));
    assert!(hint("/projects/1/builds").starts_with("nothing is built here: "));
}
