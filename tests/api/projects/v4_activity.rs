//! When something last happened in a project.

use crate::support::{Visibility, World, instant, spec};
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;

#[test]
fn what_happens_in_a_project_moves_its_last_activity_once_an_hour() {
    let world = World::new(spec(), Visibility::Public);
    let told = || spec().ask_v4("GET", world.at("")).by(&world.ann).gives(200).json;
    let last = || told()["last_activity_at"].as_str().unwrap().to_owned();
    let (made, now) = (last(), instant());
    // it was made so long ago
    let age = |hours: i64| {
        let at = now - hours * HOUR;
        spec().tamper(&format!("update projects set updated_at = {at} where id = {}", world.project.id))
    };
    let listed = |query: &str| {
        let path = format!("/projects?{query}&id_after={}", world.project.id - 1);
        let found: Vec<Value> = spec().ask_v4("GET", path).by(&world.ann).gives(200).each("id");
        found.contains(&json!(world.project.id))
    };
    if !age(3) {
        return;
    }
    let since = format!("last_activity_after={}", told()["created_at"].as_str().unwrap());
    assert!(!listed(&since));
    let issue = world.issue(&world.ann, json!({ "title": "first" }));
    assert!(last() >= made && listed(&since), "an issue is made");
    assert!(listed(&format!("{since}&order_by=last_activity_at")));
    age(0);
    let before = last();
    let note = || {
        let path = format!("/issues/{}/notes", issue["iid"]);
        world.v4("POST", &path).by(&world.ann).json(json!({ "body": "more" })).gives(201)
    };
    note();
    assert_eq!(last(), before, "less than an hour later");
    age(2);
    note();
    assert!(last() >= made, "a comment");
    age(2);
    let tip = world.push_line(1);
    assert!(last() >= made, "a push of {tip}");
    // else everybody would see when somebody wrote one
    age(2);
    let hidden = json!({ "title": "hidden", "confidential": true });
    let hidden = world.v4("POST", "/issues").by(&world.ann).json(hidden).gives(201).json;
    let notes = format!("/issues/{}/notes", hidden["iid"]);
    world.v4("POST", &notes).by(&world.ann).json(json!({ "body": "hidden" })).gives(201);
    assert!(last() < made);
}
