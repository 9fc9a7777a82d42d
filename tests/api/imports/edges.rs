//! Values that the other routes take, and the greatest of their kind.

use super::{AT, brought, key, mirrored, one_of_each, record, refused, sent, told, with};
use crate::support::git::sha;
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    let world = World::new(spec(), Visibility::Private);
    mirrored(&world);
    world
}

fn get(world: &World, path: &str) -> Value {
    world.v4("GET", path).by(&world.ann).gives(200).json
}

#[test]
fn after_the_greatest_number_issues_are_made_and_found() {
    let world = world();
    brought(&world, &[with(record(&world, "issue"), json!({ "iid": i32::MAX }))]);
    let made = world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": "ours" })).gives(201).json;
    assert_eq!(made["iid"], 1_i64 << 31);
    assert_eq!(get(&world, &format!("/issues/{}", made["iid"]))["title"], "ours");
}

#[test]
fn an_environment_named_like_the_slug_of_another_gets_its_own() {
    for names in [["Review/App", "review-app-kwivp1"], ["review-app-kwivp1", "Review/App"], ["qa-", "qa"]] {
        let world = world();
        let named = |at: usize| with(record(&world, "environment"), json!({ "key": key(20 + at), "name": names[at] }));
        brought(&world, &[record(&world, "label"), named(0), named(1)]);
        let list = world.v4("GET", "/environments").by(&world.ann).gives(200);
        let slugs = list.each("slug");
        assert!(slugs[0] != slugs[1] && slugs.iter().all(Value::is_string), "{slugs:?}");
    }
}

#[test]
fn titles_names_and_refs_are_taken_as_other_routes_take_them() {
    let world = world();
    for (at, mark) in ["\t", "\n", "\u{7}", "\u{202e}"].into_iter().enumerate() {
        let text = format!("a{mark}b");
        let made = world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": text })).gives(201).json;
        let keyed = |kind: &str, fields: Value| {
            let own = json!({ "key": key(100 + 10 * at + kind.len()) });
            with(with(record(&world, kind), own), fields)
        };
        brought(
            &world,
            &[
                keyed("issue", json!({ "iid": 100 * (at + 1), "title": text })),
                keyed("status", json!({ "ref": text })),
                keyed("comment", json!({ "path": text, "line": 1 })),
            ],
        );
        assert_eq!(get(&world, &format!("/issues/{}", 100 * (at + 1)))["title"], made["title"]);
    }
    // of no ref, and not of the first branch with the commit
    brought(&world, &[with(record(&world, "status"), json!({ "ref": "", "name": "no ref" }))]);
    let statuses = get(&world, &format!("/repository/commits/{}/statuses?all=true", sha(1)));
    let refs: Vec<&Value> = statuses.as_array().unwrap().iter().map(|one| &one["ref"]).collect();
    assert!(refs.contains(&&json!("")), "{refs:?}");
    brought(&world, &[record(&world, "environment")]);
    brought(&world, &[with(record(&world, "deployment"), json!({ "ref": " \u{202e}" }))]);
    assert_eq!(get(&world, "/deployments")[0]["ref"], " \u{202e}");
    brought(&world, &[with(record(&world, "release"), json!({ "name": " One\u{202e}" }))]);
    assert_eq!(get(&world, "/releases/v1.0")["name"], " One\u{202e}");
    world.v4("DELETE", "/releases/v1.0").by(&world.ann).gives(200);
    brought(&world, &[with(record(&world, "release"), json!({ "key": key(20), "name": "" }))]);
    assert_eq!(get(&world, "/releases/v1.0")["name"], "v1.0");
}

#[test]
fn a_status_of_another_ref_than_a_thousand_is_refused_alone() {
    let world = world();
    let status = |at: usize, name: usize| {
        let own = json!({ "key": key(1000 + at), "ref": format!("ref {name:04}"), "name": "job" });
        with(record(&world, "status"), own)
    };
    for part in 0..4 {
        let statuses: Vec<Value> =
            (300 * part..300 * (part + 1)).take_while(|at| *at < 998).map(|at| status(at, at)).collect();
        brought(&world, &statuses);
    }
    // two of one ref, and one of a ref that there is
    let places = [998, 998, 0, 999, 1000, 1001].into_iter().enumerate();
    let records: Vec<Value> = places.map(|(at, name)| status(2000 + at, name)).collect();
    let reason = "ref: the commit has statuses of 1000 refs";
    let refused = json!([[4, reason], [5, reason]]);
    assert_eq!(sent(&world, &records), json!({ "new": 4, "changed": 0, "same": 0, "kept": [], "refused": refused }));
}

#[test]
fn an_emoji_of_a_comment_needs_one_of_people_on_its_issue() {
    let world = world();
    let service = with(record(&world, "note"), json!({ "key": key(20), "system": true }));
    brought(&world, &[one_of_each(&world), vec![service]].concat());
    let award = |note: usize, fields: Value| {
        with(with(record(&world, "award"), json!({ "key": key(21), "name": "star", "note": key(note) })), fields)
    };
    for award in [award(4, json!({ "issue": 8 })), award(20, json!({}))] {
        refused(&world, award, "note: there is no comment with this key");
    }
    brought(&world, &[award(4, json!({}))]);
}

#[test]
fn the_line_of_a_comment_does_not_count_without_a_path() {
    let world = world();
    let comments = [
        json!({ "line": 3, "line_type": "new" }),
        json!({ "path": "a" }),
        json!({ "path": "a", "line": 3, "line_type": "new" }),
    ];
    let comments = comments.into_iter().enumerate();
    let records: Vec<Value> = comments
        .map(|(at, place)| {
            with(with(record(&world, "comment"), json!({ "key": key(20 + at), "at": AT + at as i64 })), place)
        })
        .collect();
    brought(&world, &records);
    let list = get(&world, &format!("/repository/commits/{}/comments", sha(1)));
    let shown: Vec<Value> =
        list.as_array().unwrap().iter().map(|one| json!([one["path"], one["line"], one["line_type"]])).collect();
    assert_eq!(Value::from(shown), json!([[null, null, null], ["a", null, null], ["a", 3, "new"]]));
    assert_eq!(sent(&world, &records), told(0, 0, 3));
}
