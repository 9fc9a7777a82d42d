//! Deleting issues (specification, "DELETE /projects/:id/issues/:issue_id"; behaviour 6.4).

use crate::support::{Visibility, World, spec};
use serde_json::json;

fn absent() -> serde_json::Value {
    json!({ "message": "404 Issue Not Found" })
}

#[test]
fn owners_and_administrators_delete_and_are_shown_what_they_deleted() {
    let world = World::new(spec(), Visibility::Private);
    for person in [&world.ann, &world.root] {
        let issue = world.issue(&world.ann, json!({ "title": "t", "labels": "a,b" }));
        let answer = world.delete(&format!("/issues/{}", issue["id"])).by(person).gives(200);
        assert_eq!([&answer.json["id"], &answer.json["labels"]], [&issue["id"], &issue["labels"]]);
        assert_eq!(world.status(&world.ann, &issue), 404);
    }
}

#[test]
fn for_all_others_there_is_nothing_to_delete() {
    let world = World::new(spec(), Visibility::Public);
    let master = spec().person("Max");
    world.admit(&master, 40);
    let issue = world.issue(&world.gus, json!({ "title": "t" }));
    let path = format!("/issues/{}", issue["id"]);
    for person in [&master, &world.bob, &world.rae, &world.gus, &world.eve] {
        world.delete(&path).by(person).refused(404, absent());
    }
    world.delete(&path).refused(401, json!({ "message": "401 Unauthorized" }));
    assert_eq!(world.status(&world.ann, &issue), 200);
}

#[test]
fn an_issue_that_is_absent_deleted_or_elsewhere_is_not_found() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let elsewhere = world.sibling(Visibility::Private).issue(&world.ann, json!({ "title": "t" }));
    world.delete(&format!("/issues/{}", issue["id"])).by(&world.ann).gives(200);
    for id in [issue["id"].to_string(), elsewhere["id"].to_string(), "123123123".to_owned(), "x".to_owned()] {
        world.delete(&format!("/issues/{id}")).by(&world.ann).refused(404, absent());
    }
}

#[test]
fn a_deleted_issue_vanishes_from_every_read_and_its_number_is_not_given_again() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("v1");
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 30);
    let fields = json!({ "title": "gone", "labels": "bug", "milestone_id": milestone, "assignee_id": zoe.id });
    let issue = world.issue(&zoe, fields);
    world.comment(&zoe, &issue, "a comment");
    assert_eq!(spec().get("/todos").by(&zoe).gives(200).header("X-Total"), Some("0"), "commenting settles");
    world.post(&format!("/issues/{}/todo", issue["id"])).by(&zoe).gives(200);
    world.delete(&format!("/issues/{}", issue["id"])).by(&world.ann).gives(200);

    for query in ["", "iid=1", "labels=bug", "milestone=v1", "state=opened", "labels=bug&milestone=v1"] {
        assert_eq!(world.titles(&world.ann, query), (0, vec![]), "{query}");
    }
    for path in ["/issues", "/todos"] {
        assert_eq!(spec().get(path).by(&zoe).gives(200).header("X-Total"), Some("0"), "{path}");
    }
    let label = world.get("/labels").by(&world.ann).gives(200).json[0].clone();
    assert_eq!((&label["name"], &label["open_issues_count"]), (&json!("bug"), &json!(0)));
    let of_milestone = world.get(&format!("/milestones/{milestone}/issues")).by(&world.ann).gives(200);
    assert_eq!(of_milestone.json, json!([]));
    let at = |rest: &str| format!("/issues/{}{rest}", issue["id"]);
    let gone = || json!({ "message": "404 Not found" });
    world.get(&at("")).by(&world.ann).refused(404, gone());
    world.get(&at("/notes")).by(&world.ann).refused(404, gone());
    world.put(&at("")).by(&world.ann).json(json!({ "title": "x" })).refused(404, gone());
    world.post(&at("/notes")).by(&world.ann).json(json!({ "body": "x" })).refused(404, gone());
    world.post(&at("/subscription")).by(&world.ann).refused(404, gone());
    world.post(&at("/todo")).by(&world.ann).refused(404, gone());
    world.post(&at("/move")).by(&world.ann).json(json!({ "to_project_id": 1 })).refused(404, absent());

    assert_eq!(world.issue(&world.ann, json!({ "title": "next" }))["iid"], 2);
}
