//! `X-Unread-Parameters` names the parameters that nothing read. Refusals may have a hint.

use crate::support::{Visibility, World, contract, spec};
use serde_json::{Value, json};

fn unread(answer: &crate::support::Answer) -> Option<&str> {
    answer.header("X-Unread-Parameters")
}

#[test]
fn parameters_that_nobody_reads_are_named() {
    let world = World::new(spec(), Visibility::Private);
    let list = world.get("/issues?state=opened&assignee=dan&visibility=public&page=1&per_page=5").by(&world.ann);
    assert_eq!(unread(&list.gives(200)), Some("assignee, visibility"));
    let fields = json!({ "title": "t", "state": "closed", "label": ["x"] });
    let made = world.post("/issues").by(&world.ann).json(fields).gives(200);
    assert_eq!(unread(&made), Some("label, state"));
    let shown = world.get(&format!("/issues/{}?expand=all", made.id())).by(&world.ann).gives(200);
    assert_eq!(unread(&shown), Some("expand"));
    assert_eq!(unread(&spec().get("/licenses?state=x").gives(200)), Some("state"));
}

#[test]
fn a_parameter_that_nobody_reads_is_named_whatever_its_characters() {
    let world = World::new(spec(), Visibility::Private);
    for (sent, named) in [
        ("target-url=x", "target-url"),
        ("State=x", "State"),
        ("due%20date=x&a%2Cb%0D=1", "a%2Cb%0D, due%20date"),
        ("only-allow-merge-if-pipeline-succeeds=1", "only-allow-merge-if-pipeline-succeeds"),
        ("%C3%BC=1", "%C3%BC"),
        ("=1", "?"),
    ] {
        let answer = world.get(&format!("/issues?{sent}")).by(&world.ann).gives(200);
        assert_eq!(unread(&answer), Some(named), "{sent}");
        assert_eq!(answer.record.map(|it| it.unread.join(", ")).as_deref().unwrap_or(named), named);
    }
}

#[test]
fn the_parameters_in_the_body_of_a_read_are_named() {
    let world = World::new(spec(), Visibility::Private);
    let sent = json!({ "state": "closed", "per_page": 1, "odd": 1, "private_token": "x" });
    for (method, target) in [("GET", "/issues?kind=x&state=opened"), ("HEAD", "/issues?kind=x")] {
        let ask = || spec().ask(method, world.at(target)).by(&world.ann);
        assert_eq!(unread(&ask().json(sent.clone()).gives(200)), Some("kind, odd"));
        let v4 = spec().ask_v4(method, world.at(target)).by(&world.ann).json(sent.clone());
        assert_eq!(unread(&v4.gives(200)), Some("body:odd, body:per_page, body:state, kind"));
        assert_eq!(unread(&ask().body("application/json", "{").gives(200)), Some("kind"));
        assert_eq!(unread(&ask().body("text/plain", "odd=1").gives(200)), Some("kind"));
    }
    let form = spec().ask_v4("GET", world.at("/issues")).by(&world.ann);
    let form = form.body("application/x-www-form-urlencoded", "state=closed&odd=1").gives(200);
    assert_eq!(unread(&form), Some("odd"));
}

#[test]
fn nothing_is_named_where_all_is_read_or_every_request_may_have_it() {
    let world = World::new(spec(), Visibility::Private);
    world.issue(&world.ann, json!({ "title": "a" }));
    world.issue(&world.ann, json!({ "title": "b" }));
    let first = world.get("/issues?per_page=1&state=&labels=&format=json").query("private_token", &world.ann.token);
    let first = first.gives(200);
    assert_eq!(unread(&first), None);
    // links repeat the id in the path
    let next = first.header("Link").unwrap().split_once("rel=\"next\"").unwrap().0.to_owned();
    let next = next.split_once("/api/v3").unwrap().1.trim_end_matches(">; ").to_owned();
    assert!(next.contains("id="), "{next}");
    assert_eq!(unread(&spec().get(next).by(&world.ann).gives(200)), None);
}

#[test]
fn only_a_parameter_that_repeats_name_and_value_of_the_path_is_not_named() {
    let world = World::new(spec(), Visibility::Private);
    let number = world.issue(&world.ann, json!({ "title": "t" }))["iid"].clone();
    let id = world.project.id;
    let get = |query: String| world.v4("GET", &query).by(&world.ann).gives(200);
    for (query, named) in [
        (format!("/issues?zzz=issues&x=projects&y={id}"), Some("x, y, zzz")),
        (format!("/issues/{number}?milestone={number}&issue_iid={number}&issue_id={number}"), Some("milestone")),
        (format!("/issues?id={id}&project_id={id}"), None),
        ("/issues?id=987654&project_id=987654".to_owned(), Some("id, project_id")),
    ] {
        assert_eq!(unread(&get(query.clone())), named, "{query}");
    }
    let edit = world.v4("PUT", &format!("/issues/{number}")).by(&world.ann);
    let edit = edit.json(json!({ "title": "t", "weight": number })).gives(200);
    assert_eq!(unread(&edit), Some("weight"));
}

#[test]
fn a_refused_request_learns_which_of_its_parameters_nobody_reads() {
    let world = World::new(spec(), Visibility::Private);
    let path = world.at("/issues");
    for ask in [|path: &str| spec().post(path.to_owned()), |path: &str| spec().ask_v4("POST", path.to_owned())] {
        let ask = || ask(&path).by(&world.ann);
        let sent = [
            ask().json(json!({ "titel": "x", "labels": "bug" })),
            ask().body("application/x-www-form-urlencoded", "titel=x&labels=bug"),
            ask().query("titel", "x").query("labels", "bug"),
        ];
        for ask in sent {
            assert_eq!(unread(&ask.gives(400)), Some("titel"));
        }
    }
    let list = |query: &str| world.get(&format!("/issues?{query}")).by(&world.ann).gives(400);
    assert_eq!(unread(&list("odd=1&state=odd&per_page=5&page=2")), Some("odd"));
    // the text of a refusal that reads no parameters has nothing to do with them
    assert_eq!(unread(&list("odd=1&odd[x]=2")), None);
    assert_eq!(unread(&world.get("/issues?odd=1").by(&world.eve).gives(404)), None);
}

#[test]
fn a_name_that_might_be_a_secret_is_not_repeated() {
    let world = World::new(spec(), Visibility::Private);
    let answer = world.get(&format!("/issues?{}=", world.ann.token)).by(&world.ann).gives(200);
    assert_eq!(unread(&answer), Some("?"));
    let many: String = (10..99).map(|number| format!("&a{number}=1")).collect();
    let answer = world.get(&format!("/issues?{many}")).by(&world.ann).gives(200);
    assert_eq!(unread(&answer).unwrap().split(", ").count(), 10);
}

/// A value that a described parameter takes.
fn example(name: &str, schema: &Value) -> String {
    if let Some(first) = schema["enum"].get(0).and_then(Value::as_str) {
        return first.to_owned();
    }
    match (name, schema["type"].as_str(), schema["format"].as_str()) {
        (_, _, Some("date-time")) => "2016-01-02T03:04:05Z".to_owned(),
        (_, Some("integer" | "number"), _) | ("iid" | "author_id" | "project_id", ..) => "1".to_owned(),
        (_, Some("boolean"), _) => "true".to_owned(),
        _ => "x".to_owned(),
    }
}

#[test]
fn every_described_filter_of_a_list_is_read() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(2);
    let issue = world.issue(&world.ann, json!({ "title": "t" }))["id"].to_string();
    let milestone = world.milestone("m").to_string();
    let note = world.post(&format!("/issues/{issue}/notes")).by(&world.ann).json(json!({ "body": "n" }));
    let note = note.gives(201).id().to_string();
    let mut tried = 0;
    for (path, verbs) in contract().document["paths"].as_object().unwrap() {
        let parameters = verbs["get"]["parameters"].as_array().into_iter().flatten();
        let filters: Vec<&Value> = parameters.filter(|told| told["in"] == "query").collect();
        if filters.is_empty() || path.contains("{key}") {
            continue;
        }
        let id = match path.split('/').nth(1) {
            Some("groups") => world.group,
            Some("users") => world.root.id,
            _ => world.project.id,
        };
        let path = path
            .replace("{id}", &id.to_string())
            .replace("{sha}", &tip)
            .replace("{format}", "tar")
            .replace("{issue_id}", &issue)
            .replace("{note_id}", &note)
            .replace("{milestone_id}", &milestone);
        assert!(!path.contains('{'), "{path}: what stands for it?");
        let mut ask = spec().get(path).by(&world.root);
        for told in filters.iter().filter(|told| told["name"] != "cursor") {
            let name = told["name"].as_str().unwrap();
            ask = ask.query(name, &example(name, &told["schema"]));
        }
        let answer = ask.send();
        // this server has no contents of repositories
        let is_absent = answer.what.contains("/repository/") && [404, 501, 503].contains(&answer.status);
        assert!(answer.status == 200 || is_absent, "{}: {} {}", answer.what, answer.status, answer.text);
        assert_eq!(unread(&answer), None);
        tried += 1;
    }
    assert!(tried > 15, "{tried}");
}

#[test]
fn only_a_projects_own_list_of_issues_takes_numbers() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("m");
    world.issue(&world.ann, json!({ "title": "i", "milestone_id": milestone }));
    let group = format!("/groups/{}/issues", world.group);
    let lists = [world.at(&format!("/milestones/{milestone}/issues")), "/issues".to_owned(), group];
    for list in lists {
        let told = spec().get(format!("{list}?iid=987654")).by(&world.ann).gives(200);
        assert_eq!(unread(&told), Some("iid"), "{list}");
        assert!(!told.json.as_array().unwrap().is_empty(), "{list}");
    }
    let numbered = world.get("/issues?iid=987654").by(&world.ann).gives(200);
    assert_eq!((unread(&numbered), &numbered.json), (None, &json!([])));
}

#[test]
fn a_refusal_may_have_a_hint_that_tells_nothing_hidden() {
    let world = World::new(spec(), Visibility::Private);
    let by_name = spec().get(format!("/users/{}", world.bob.username)).by(&world.ann).gives(404).json;
    let hint = "a user is named by a number here: GET /users?username=.. tells it";
    assert_eq!(by_name, json!({ "message": "404 Not found", "hint": hint }));
    assert_eq!(spec().get("/users/no-such-name").by(&world.ann).gives(404).json, by_name);
    let named = json!({ "name": "p", "namespace_id": "team" });
    let refused = spec().post("/projects").by(&world.ann).json(named).gives(400).json;
    assert_eq!(refused["message"], json!({ "namespace_id": ["is invalid"] }));
    assert!(refused["hint"].as_str().unwrap().contains("GET /namespaces?search="), "{refused}");
    // there or not, hidden or not: the same words
    let hidden = world.issue(&world.ann, json!({ "title": "h", "confidential": true }));
    let absent = world.get("/issues/987654321").by(&world.gus).gives(404).json;
    assert!(absent["hint"].as_str().unwrap().contains("iid="), "{absent}");
    assert_eq!(world.get(&format!("/issues/{}", hidden["id"])).by(&world.gus).gives(404).json, absent);
    // a caller who may not see the project gets no hint about its issues
    let outside = world.get("/issues/1").by(&world.eve).gives(404).json;
    assert_eq!(outside, json!({ "message": "404 Project Not Found" }));
}

#[test]
fn the_entrance_says_where_the_documentation_is() {
    for path in ["", "/"] {
        for (told, api) in [(spec().get(path), "v3"), (spec().ask_v4("GET", path), "v4")] {
            let told = told.gives(200);
            let base = told.json["documentation"].as_str().and_then(|it| it.strip_suffix("/docs")).unwrap();
            assert!(base.starts_with("http"), "{}", told.text);
            assert_eq!(told.json["description"], format!("{base}/api/{api}/openapi.json"));
            assert_eq!(told.trips, 0);
        }
    }
}
