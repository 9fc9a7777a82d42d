//! Unusual values and paths on every route: no answer is a 500, and none needs more round trips than allowed. `send` checks
//! both.

use crate::support::ROUTES;
use crate::support::{Filled, spec, templated, unique};
use serde_json::{Map, Value, json};

/// Every parameter of the routes below, each with a value that is usually accepted.
fn usual(scene: &Scene) -> Map<String, Value> {
    let first = json!({
        "title": "t", "description": "d", "confidential": false, "assignee_id": scene.filled.world.bob.id,
        "milestone_id": scene.filled.milestone, "labels": "bug", "created_at": "2016-01-01T00:00:00Z",
        "updated_at": "2016-01-01T00:00:00Z", "due_date": "2016-01-01", "state_event": "close", "state": "all", "iid": 1,
        "milestone": "1.0.0", "order_by": "created_at", "sort": "asc", "page": 1, "per_page": 2, "cursor": "1_1",
        "search": "t", "body": "b", "note": "n", "path": "p", "line": 1, "line_type": "new", "name": unique("n"),
        "new_name": unique("n"), "color": "#ff0000", "ref": "master", "ref_name": "master", "since": "2016-01-01T00:00:00Z",
    });
    let second = json!({
        "until": "2016-01-01T00:00:00Z", "stage": "s", "all": true, "context": "c", "target_url": "http://example.com",
        "coverage": 1.5, "environment": "e", "sha": "master", "status": "running", "tag": true,
        "external_url": "http://example.com", "access_level": 20, "user_id": scene.filled.guest.id, "to_project_id": 1,
        "expires_at": "2999-01-01", "visibility_level": 0, "issues_enabled": true, "builds_enabled": true, "public": false,
        "namespace_id": scene.filled.group, "email": "e@example.com", "username": unique("u"), "admin": false, "bio": "b",
        "projects_limit": 5, "website_url": "https://w.example", "archived": false, "visibility": "private", "format": "json",
        "commits": [], "changes": [], "default_branch": "master", "type": "Issue", "action": "marked",
    });
    [first, second].iter().flat_map(|fields| fields.as_object().unwrap().clone()).collect()
}

fn odd_values() -> Vec<Value> {
    let mut values: Vec<Value> = [
        "",
        " ",
        "0",
        "-1",
        "1.5",
        "abc",
        "99999999999999999999",
        "2016-02-31",
        "0001-01-01T00:00:00Z",
        "all",
        "%",
        "a,b",
        "🐙",
        "'\"; --",
        "\u{1}\u{7f}",
        "@root #1 !1",
        "<b>",
        "null",
        "[]",
        "../../x",
        "no Label",
        "#upcoming",
        "ǅ",
    ]
    .map(Value::from)
    .to_vec();
    values.extend(["x".repeat(256), "x".repeat(70_000), ",".repeat(3000), "@a ".repeat(500)].map(Value::from));
    values.extend([
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e308),
        json!(-0.0),
        json!(9_007_199_254_740_993_i64),
        json!([]),
        json!([null]),
        json!([[1]]),
        json!({}),
        json!({ "a": 1 }),
        json!(["a", 1, true, null, "", {}]),
    ]);
    values
}

/// What would take away what the others ask for, or change who may ask.
const LEFT_OUT: &[(&str, &str)] = &[
    ("DELETE", "/users/{id}"),
    ("DELETE", "/groups/{id}"),
    ("DELETE", "/projects/{id}"),
    ("DELETE", "/projects/{id}/members/{user_id}"),
    ("DELETE", "/projects/{id}/issues/{issue_id}"),
    ("DELETE", "/projects/{id}/issues/{issue_id}/notes/{note_id}"),
    ("DELETE", "/projects/{id}/mirror/commits/{sha}"),
    ("PUT", "/application/settings"),
    // root has to-do items, because other tests mention root
    ("DELETE", "/todos"),
];

struct Scene {
    filled: Filled,
}

impl Scene {
    fn new() -> Scene {
        Scene { filled: Filled::new(spec()) }
    }

    /// Every route whose answer may be anything but a 500, with what it needs in the path.
    fn routes(&self) -> Vec<(&'static str, String)> {
        for (verb, path) in LEFT_OUT {
            let is_route = |route: &&(&str, &str)| route.0 == *verb && templated(route.1) == *path;
            assert!(
                ROUTES.iter().any(|route| is_route(&route)),
                "{verb} {path} is not a route; remove it from LEFT_OUT"
            );
        }
        let kept =
            |(verb, pattern): &&(&'static str, &'static str)| !LEFT_OUT.contains(&(*verb, templated(pattern).as_str()));
        ROUTES.iter().filter(kept).map(|(verb, pattern)| (*verb, self.filled.address(pattern))).collect()
    }
}

/// Every fifth, or over a wire every thirteenth, beginning elsewhere at each turn.
fn some<T>(all: &[T], turn: usize) -> impl Iterator<Item = &T> {
    let step = if spec().is_in_process() { 5 } else { 13 };
    all.iter().skip(turn % step).step_by(step)
}

#[test]
fn no_parameter_of_any_value_is_a_500() {
    let scene = Scene::new();
    let usual = usual(&scene);
    let values = odd_values();
    for (turn, (verb, path)) in scene.routes().into_iter().enumerate() {
        for value in some(&values, turn) {
            let ask = || spec().ask(verb, path.clone()).by(&scene.filled.world.root);
            let all: Map<String, Value> = usual.keys().map(|name| (name.clone(), value.clone())).collect();
            ask().json(all.into()).send();
            if let Some(text) = value.as_str().filter(|text| text.len() < 1000) {
                ask().query("name", text).query("search", text).query("state", text).query("iid[]", text).send();
            }
        }
        for (number, name) in some(&usual.keys().collect::<Vec<_>>(), turn).enumerate() {
            let mut fields = usual.clone();
            fields.insert((*name).clone(), values[(number * 7 + turn) % values.len()].clone());
            // or the project could not be named any more
            fields.insert("visibility_level".to_owned(), json!(10));
            spec().ask(verb, path.clone()).by(&scene.filled.world.root).json(fields.into()).send();
        }
    }
}

#[test]
fn no_path_is_a_500() {
    let scene = Scene::new();
    let odd = [
        "abc",
        "0",
        "-1",
        "1e9",
        "99999999999999999999",
        "%20",
        "%F0%9F%90%99",
        "%27%22",
        "%2F",
        "a%2Fb%2Fc",
        "..%2F..",
        "%25",
        "x.y.json",
        ".json",
        "*",
        "~",
        "null",
        "%01",
        "%C7%85",
        "%E2%80%AE",
    ];
    for (turn, (verb, path)) in scene.routes().into_iter().enumerate() {
        let segments: Vec<&str> = path.split('/').collect();
        for at in 2..segments.len() {
            for value in some(&odd, turn) {
                let mut changed = segments.clone();
                changed[at] = value;
                spec().ask(verb, changed.join("/")).by(&scene.filled.world.root).send();
            }
        }
    }
}
