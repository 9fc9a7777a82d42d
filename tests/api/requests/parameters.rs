//! How parameters are sent and read (specification, conventions 3, 5 and 6; behaviour 4).

use crate::support::{Ask, Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

fn no_title() -> Value {
    json!({ "message": "400 (Bad request) \"title\" not given" })
}

/// A refusal of the framework's kind, whatever its text.
#[track_caller]
fn is_bad_request(ask: Ask) {
    let answer = ask.gives(400);
    assert!(answer.json["error"].is_string(), "{}: {}", answer.what, answer.text);
}

#[test]
fn a_required_parameter_that_is_missing_or_blank_is_named() {
    let world = world();
    let post = || world.post("/issues").by(&world.gus);
    post().refused(400, no_title());
    for blank in ["", " ", "\t\n"] {
        post().form(&[("title", blank)]).refused(400, no_title());
        post().query("title", blank).refused(400, no_title());
        post().multipart(&[("title", blank)]).refused(400, no_title());
        post().json(json!({ "title": blank })).refused(400, no_title());
    }
    post().json(json!({ "title": null })).refused(400, no_title());
}

#[test]
fn broken_escapes_and_text_that_is_not_utf_8_are_bad_requests() {
    let world = world();
    for bad in ["a=%zz", "a=%", "a=%f", "%zz=1", "a=%c3%28", "%ff", "a=%00", "title=%ed%a0%80"] {
        is_bad_request(world.get(&format!("/issues?{bad}")).by(&world.gus));
        is_bad_request(world.post(&format!("/issues?title=x&{bad}")).by(&world.gus));
        let form = format!("title=x&{bad}");
        is_bad_request(world.post("/issues").by(&world.gus).body("application/x-www-form-urlencoded", form));
    }
    let raw = b"title=\xc3\x28".to_vec();
    is_bad_request(world.post("/issues").by(&world.gus).body("application/x-www-form-urlencoded", raw));
    is_bad_request(world.post("/issues").by(&world.gus).json(json!({ "title": "nul \0 inside" })));
    is_bad_request(world.post("/issues").by(&world.gus).multipart(&[("title", "nul \0 inside")]));
    let broken = world.post("/issues").by(&world.gus);
    is_bad_request(broken.body("application/json", b"{\"title\":\"\\ud800\"}".to_vec()));
}

#[test]
fn a_name_that_is_both_plain_and_nested_is_a_bad_request() {
    let world = world();
    for clash in ["a=1&a[b]=2", "a[]=1&a=2", "a[]=1&a[b]=2", "a=1&a[]=2", "a%5Bb%5D=1&a=2"] {
        is_bad_request(world.get(&format!("/issues?{clash}")).by(&world.gus));
    }
    let refusal = json!({ "message": { "title": ["is invalid"] } });
    world.post("/issues").by(&world.gus).form(&[("title[x]", "1")]).refused(400, refusal.clone());
    world.post("/issues").by(&world.gus).json(json!({ "title": { "x": 1 } })).refused(400, refusal);
}

#[test]
fn a_value_of_another_type_is_named_with_its_field() {
    let world = world();
    let post = |fields: Value| world.post("/issues").by(&world.rae).json(fields);
    for (field, value) in [
        ("assignee_id", json!("abc")),
        ("assignee_id", json!(1.5)),
        ("assignee_id", json!("1 2")),
        ("assignee_id", json!([1])),
        ("assignee_id", json!("99999999999999999999")),
        ("assignee_id", json!(1e300)),
        ("assignee_id", json!(9_007_199_254_740_993_i64)),
        ("assignee_id", json!(true)),
        ("milestone_id", json!({})),
        ("confidential", json!("maybe")),
        ("confidential", json!("fals")),
        ("confidential", json!(2)),
        ("title", json!([])),
        ("due_date", json!([1])),
    ] {
        let mut fields = json!({ "title": "x" });
        fields[field] = value;
        post(fields).refused(400, json!({ "message": { field: ["is invalid"] } }));
    }
    assert_eq!(world.get("/issues").by(&world.rae).gives(200).json, json!([]), "nothing is saved");
}

#[test]
fn all_failing_fields_are_told_at_once() {
    let world = world();
    let fields = json!({ "title": "x", "assignee_id": "a", "milestone_id": "b", "confidential": "c" });
    let invalid = json!(["is invalid"]);
    let refusal = json!({ "message":
        { "assignee_id": invalid, "confidential": invalid, "milestone_id": invalid } });
    world.post("/issues").by(&world.rae).json(fields).refused(400, refusal);

    let fields = json!({ "title": "x".repeat(256), "due_date": "2016-02-31" });
    let refusal = json!({ "message":
        { "due_date": invalid, "title": ["is too long (maximum is 255 characters)"] } });
    world.post("/issues").by(&world.rae).json(fields).refused(400, refusal);

    let fields =
        json!({ "title": "x".repeat(256), "assignee_id": 987_654_321, "milestone_id": "b", "confidential": "c" });
    let refusal = json!({ "message": {
        "assignee_id": invalid, "confidential": invalid, "milestone_id": invalid,
        "title": ["is too long (maximum is 255 characters)"],
    } });
    world.post("/issues").by(&world.rae).json(fields.clone()).refused(400, refusal.clone());
    let issue = world.issue(&world.rae, json!({ "title": "x" }))["id"].clone();
    world.put(&format!("/issues/{issue}")).by(&world.rae).json(fields).refused(400, refusal);

    let fields = json!({ "title": "x", "assignee_id": 987_654_321, "milestone_id": 987_654_321 });
    let refusal = json!({ "message": { "assignee_id": invalid, "milestone_id": invalid } });
    world.post("/issues").by(&world.rae).json(fields).refused(400, refusal);
}

#[test]
fn parameters_come_in_query_form_multipart_and_json_alike() {
    let world = world();
    let post = || world.post("/issues").by(&world.rae);
    let pairs = [("title", "Ü & + %: \"x\""), ("labels", "b, a"), ("confidential", "true"), ("due_date", "2016-03-01")];
    let json = json!({ "title": pairs[0].1, "labels": "b, a", "confidential": true, "due_date": "2016-03-01" });
    let in_query = pairs.iter().fold(post(), |ask, (name, value)| ask.query(name, value));
    for ask in [in_query, post().form(&pairs), post().multipart(&pairs), post().json(json)] {
        let made = ask.gives(200);
        assert_eq!(made.json["title"], pairs[0].1, "{}", made.what);
        assert_eq!(made.json["labels"], json!(["a", "b"]), "{}", made.what);
        assert_eq!(made.json["confidential"], true, "{}", made.what);
        assert_eq!(made.json["due_date"], "2016-03-01", "{}", made.what);
    }
}

#[test]
fn the_body_beats_the_query_and_the_path_beats_both() {
    let world = world();
    // no project has these ids, so none of them is that of the path
    let post = |ask: Ask| ask.by(&world.gus).json(json!({ "title": "body", "id": "9000099", "project_id": 9_000_099 }));
    let made = post(world.post("/issues?title=query&id=9000098")).gives(200);
    assert_eq!(made.json["title"], "body");
    assert_eq!(made.json["project_id"], world.project.id);
}

#[test]
fn of_a_repeated_plain_name_the_last_wins() {
    let world = world();
    let made = world.post("/issues?title=a&title=b").by(&world.gus).gives(200);
    assert_eq!(made.json["title"], "b");
    world.issue(&world.gus, json!({ "title": "second" }));
    let list = world.get("/issues?iid=1&iid=2").by(&world.gus).gives(200);
    assert_eq!(list.each("iid"), [2]);
}

#[test]
fn a_list_is_a_repeated_name_with_brackets_or_a_json_array() {
    let world = world();
    for title in ["1", "2", "3"] {
        world.issue(&world.gus, json!({ "title": title }));
    }
    let get = || world.get("/issues").by(&world.gus);
    for ask in [get().query("iid[]", "1").query("iid[]", "3"), world.get("/issues?iid[]=1&iid[]=3").by(&world.gus)] {
        assert_eq!(ask.gives(200).each("iid"), [3, 1]);
    }
    let post = || world.post("/issues").by(&world.rae);
    for ask in [
        post().form(&[("title", "x"), ("labels[]", "a"), ("labels[]", "b")]),
        post().json(json!({ "title": "x", "labels": ["a", "b"] })),
        post().json(json!({ "title": "x", "labels[]": ["a", "b"] })),
    ] {
        assert_eq!(ask.gives(200).json["labels"], json!(["a", "b"]));
    }
}

#[test]
fn booleans_are_words_in_any_case_numbers_or_json() {
    let world = world();
    let post = |value: Value| {
        let made = world.post("/issues").by(&world.rae).json(json!({ "title": "x", "confidential": value }));
        made.gives(200).json["confidential"].clone()
    };
    for truth in ["true", "YeS", "t", "y", "1", "ON"] {
        assert_eq!(post(json!(truth)), true, "{truth}");
    }
    for untruth in ["FaLse", "F", "NO", "n", "0", "oFF", ""] {
        assert_eq!(post(json!(untruth)), false, "{untruth}");
    }
    assert_eq!(post(json!(true)), true);
    assert_eq!(post(json!(1)), true);
    assert_eq!(post(json!(false)), false);
    assert_eq!(post(json!(null)), false);
}

#[test]
fn blank_and_null_are_absent_in_a_new_record() {
    let world = world();
    let blank = json!({ "title": "x", "description": "", "assignee_id": "", "milestone_id": null, "labels": "",
        "due_date": " ", "created_at": null, "confidential": null });
    let made = world.issue(&world.rae, blank);
    for field in ["description", "assignee", "milestone", "due_date"] {
        assert_eq!(made[field], Value::Null, "{field}");
    }
    assert_eq!(made["labels"], json!([]));
}

#[test]
fn what_nobody_gave_is_null_in_both_versions() {
    let world = world();
    let tip = world.push_line(1);
    let environment = world.v4("POST", "/environments").by(&world.bob).json(json!({ "name": "eu" })).gives(201).id();
    let milestone = world.milestone("1.0");
    for (path, field) in [
        (format!("/milestones/{milestone}"), "description"),
        (format!("/repository/commits/{tip}"), "status"),
        ("/environments".to_owned(), "external_url"),
        (format!("/environments/{environment}"), "external_url"),
    ] {
        let shown = world.v4("GET", &path).by(&world.rae).gives(200).json;
        let record = shown.get(0).unwrap_or(&shown);
        assert_eq!(record.get(field), Some(&Value::Null), "v4 {path}");
        // v3 has no path of one environment
        if path != format!("/environments/{environment}") {
            let shown = world.get(&path).by(&world.rae).gives(200).json;
            let record = shown.get(0).unwrap_or(&shown);
            assert_eq!(record.get(field), Some(&Value::Null), "v3 {path}");
        }
    }
}

#[test]
fn numbers_are_text_and_text_is_numbers() {
    let world = world();
    let made = world.issue(&world.rae, json!({ "title": 42, "assignee_id": world.bob.id.to_string() }));
    assert_eq!((&made["title"], &made["assignee"]["id"]), (&json!("42"), &json!(world.bob.id)));
    let of_zero = ["0", "-0", "0.5", "-0.5", "1e3"].map(|number| {
        let body = format!("{{ \"title\": {number} }}");
        let made = world.post("/issues").by(&world.rae).body("application/json", body).send();
        made.json["title"].clone()
    });
    assert_eq!(of_zero, ["0", "0", "0.5", "-0.5", "1000.0"]);
}

#[test]
fn unknown_parameters_are_ignored() {
    let world = world();
    let fields = json!({ "title": "x", "nonsense": { "deep": [1] }, "author_id": 1, "iid": 77, "state": "closed" });
    let made = world.issue(&world.rae, fields);
    assert_eq!((&made["author"]["id"], &made["state"]), (&json!(world.rae.id), &json!("opened")));
    assert_eq!(made["iid"], 1);
    world.get("/issues?nonsense=1&a[b][c]=d&=y&&&").by(&world.rae).gives(200);
}
