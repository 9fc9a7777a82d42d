//! Todos (specification, "POST /projects/:id/issues/:issue_id/todo"; behaviour 6.7).

use crate::support::{Answer, Person, Visibility, World, gitlab, spec};
use serde_json::{Value, json};

fn at(issue: &Value) -> String {
    format!("/issues/{}/todo", issue["id"])
}

fn todos(person: &Person, query: &str) -> Answer {
    spec().get(format!("/todos?{query}")).by(person).gives(200)
}

#[test]
fn a_todo_has_the_fields_of_the_specification() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "the title" }));
    let answer = world.post(&at(&issue)).by(&world.rae).gives(200);
    let todo = &answer.json;
    let mut target = world.seen(&world.rae, &issue);
    target["upvotes"] = json!(0);
    target["downvotes"] = json!(0);
    let project = world.get("").by(&world.rae).gives(200).json;
    let mut expected = json!({
        "id": todo["id"],
        "project": { "id": project["id"], "name": project["name"], "path": project["path"],
            "name_with_namespace": project["name_with_namespace"],
            "path_with_namespace": project["path_with_namespace"] },
        "author": spec().get(format!("/users/{}", world.rae.id)).by(&world.rae).gives(200).json,
        "action_name": "marked", "target_type": "Issue", "target": target,
        "target_url": issue["web_url"], "body": "the title", "state": "pending", "created_at": todo["created_at"],
    });
    let brief = ["name", "username", "id", "state", "avatar_url", "web_url"];
    expected["author"].as_object_mut().unwrap().retain(|name, _| brief.contains(&name.as_str()));
    assert_eq!(*todo, expected);
    assert_eq!(todos(&world.rae, &format!("project_id={}", project["id"])).json, json!([expected]));
}

#[test]
fn the_gitlab_profile_answers_a_new_todo_with_201() {
    let world = World::new(gitlab(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    world.post(&at(&issue)).by(&world.ann).gives(201);
}

#[test]
fn whoever_has_a_pending_todo_on_the_issue_gets_no_second() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    world.post(&at(&issue)).by(&world.ann).gives(200);
    world.post(&at(&issue)).by(&world.ann).gives(304);
    world.post(&at(&issue)).by(&world.bob).gives(200);
    let assigned = world.issue(&world.ann, json!({ "title": "t", "assignee_id": world.bob.id }));
    world.post(&at(&assigned)).by(&world.bob).gives(304);
    let text = format!("@{}", world.gus.username);
    let mentioned = world.issue(&world.ann, json!({ "title": "t", "description": text }));
    world.post(&at(&mentioned)).by(&world.gus).gives(304);
}

#[test]
fn an_issue_that_is_absent_or_hidden_is_not_found() {
    let world = World::new(spec(), Visibility::Public);
    let hidden = world.issue(&world.ann, json!({ "title": "t", "confidential": true }));
    let missing = json!({ "message": "404 Not found" });
    world.post(&at(&hidden)).by(&world.eve).refused(404, missing.clone());
    world.post(&at(&hidden)).by(&world.gus).refused(404, missing.clone());
    world.post("/issues/123123123/todo").by(&world.ann).refused(404, missing);
}

#[test]
fn assignment_and_mention_make_todos_of_whoever_can_read_the_issue() {
    let world = World::new(spec(), Visibility::Private);
    let [zoe, yan, ida, uma] = ["Zoe", "Yan", "Ida", "Uma"].map(|name| spec().person(name));
    world.admit(&zoe, 30);
    world.admit(&yan, 10);
    world.admit(&uma, 10);
    let text = format!("@{} @{} @{} @nobody", yan.username, ida.username, world.ann.username);
    let fields = json!({ "title": "first", "description": text, "assignee_id": zoe.id });
    let issue = world.issue(&world.ann, fields);
    let [assigned, mentioned] = [todos(&zoe, ""), todos(&yan, "")].map(|answer| answer.json[0].clone());
    assert_eq!([&assigned["action_name"], &assigned["author"]["id"]], [&json!("assigned"), &json!(world.ann.id)]);
    assert_eq!([&mentioned["action_name"], &mentioned["body"]], [&json!("mentioned"), &json!("first")]);
    assert_eq!(todos(&ida, "").json, json!([]), "who cannot read it has nothing to do");
    let note = world.comment(&world.bob, &issue, &format!("and you, @{}", zoe.username));
    assert_eq!(todos(&zoe, "").header("X-Total"), Some("1"), "one is pending");
    // an edit names somebody new
    world.edit(&world.ann, &issue, json!({ "description": format!("@{} @{}", yan.username, uma.username) }));
    assert_eq!(todos(&uma, "").json[0]["action_name"], "mentioned");
    assert_eq!(todos(&yan, "").header("X-Total"), Some("1"));
    // from a comment: its text, and where it stands
    spec().delete(format!("/todos/{}", assigned["id"])).by(&zoe).gives(200);
    let text = format!("again, @{}", zoe.username);
    let again = world.comment(&world.bob, &issue, &text);
    let todo = todos(&zoe, "").json[0].clone();
    assert_eq!(todo["body"], text);
    assert_eq!(todo["target_url"], format!("{}#note_{}", issue["web_url"].as_str().unwrap(), again["id"]));
    assert_ne!(note["id"], again["id"]);
}

#[test]
fn a_confidential_issue_makes_no_todo_for_whoever_cannot_see_it() {
    let world = World::new(spec(), Visibility::Public);
    let [yan, zoe] = ["Yan", "Zoe"].map(|name| spec().person(name));
    world.admit(&yan, 10);
    let text = format!("@{} @{}", yan.username, zoe.username);
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": text, "confidential": true }));
    world.comment(&world.ann, &issue, &text);
    for person in [&yan, &zoe] {
        assert_eq!(todos(person, "").header("X-Total"), Some("0"));
    }
}

#[test]
fn dealing_with_the_issue_settles_the_callers_todo() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("v1");
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 30);
    let pending = || todos(&zoe, "").header("X-Total").unwrap().to_owned();
    let edits = [
        json!({ "title": "x" }),
        json!({ "description": "x" }),
        json!({ "assignee_id": world.bob.id }),
        json!({ "milestone_id": milestone }),
        json!({ "labels": "x" }),
        json!({ "state_event": "close" }),
    ];
    for edit in edits {
        let issue = world.issue(&world.ann, json!({ "title": "t" }));
        world.post(&at(&issue)).by(&zoe).gives(200);
        world.edit(&world.ann, &issue, json!({ "title": "by another" }));
        assert_eq!(pending(), "1");
        world.edit(&zoe, &issue, edit.clone());
        assert_eq!(pending(), "0", "{edit}");
        // a done to-do item does not block another one
        world.post(&at(&issue)).by(&zoe).gives(200);
        world.comment(&zoe, &issue, "done");
        assert_eq!(pending(), "0", "a comment");
    }
    assert_eq!(todos(&zoe, "state=done").header("X-Total"), Some("12"));
}

#[test]
fn the_list_is_of_the_callers_pending_todos_newest_first_and_takes_filters() {
    let world = World::new(spec(), Visibility::Private);
    let other = world.sibling(Visibility::Private);
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 30);
    other.admit(&zoe, 30);
    world.issue(&world.ann, json!({ "title": "one", "assignee_id": zoe.id }));
    other.issue(&world.bob, json!({ "title": "two", "assignee_id": zoe.id }));
    let three = world.issue(&world.bob, json!({ "title": "three" }));
    world.post(&at(&three)).by(&zoe).gives(200);
    let four = world.issue(&world.ann, json!({ "title": "four", "assignee_id": zoe.id }));
    world.close(&zoe, &four);
    let titles = |query: &str| {
        let bodies = todos(&zoe, query).each("body");
        bodies.iter().map(|body| body.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles(""), ["three", "two", "one"]);
    assert_eq!(titles("state=pending"), ["three", "two", "one"]);
    assert_eq!(titles("state=done"), ["four"]);
    assert_eq!(titles("action=marked"), ["three"]);
    assert_eq!(titles("action=assigned"), ["two", "one"]);
    assert_eq!(titles(&format!("author_id={}", world.bob.id)), ["two"]);
    assert_eq!(titles(&format!("project_id={}", other.project.id)), ["two"]);
    assert_eq!(titles("type=Issue&per_page=2&page=2"), ["one"]);
    assert_eq!(titles("type=MergeRequest"), Vec::<String>::new());
    let bad = json!({ "error": "state does not have a valid value (pending, done)" });
    spec().get("/todos?state=odd").by(&zoe).refused(400, bad);
    // who loses the project, loses the todos in it
    world.delete(&format!("/members/{}", zoe.id)).by(&world.ann).gives(200);
    assert_eq!(titles(""), ["two"]);
}

#[test]
fn one_or_all_are_settled_by_their_owner() {
    let world = World::new(spec(), Visibility::Private);
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 30);
    for title in ["one", "two", "three"] {
        world.issue(&world.ann, json!({ "title": title, "assignee_id": zoe.id }));
    }
    let first = todos(&zoe, "").json[0].clone();
    let path = format!("/todos/{}", first["id"]);
    spec().delete(path.clone()).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    let settled = spec().delete(path.clone()).by(&zoe).gives(200).json;
    assert_eq!([&settled["id"], &settled["state"]], [&first["id"], &json!("done")]);
    assert_eq!(spec().delete(path).by(&zoe).gives(200).json["state"], "done");
    assert_eq!(spec().delete("/todos?state=done").by(&zoe).gives(200).json, json!(0));
    assert_eq!(spec().delete("/todos?type=Commit").by(&zoe).gives(200).json, json!(0));
    assert_eq!(spec().delete("/todos").by(&zoe).gives(200).json, json!(2));
    assert_eq!(todos(&zoe, "").json, json!([]));
    assert_eq!(spec().delete("/todos").by(&zoe).gives(200).json, json!(0));
}

#[test]
fn what_its_owner_does_not_see_any_more_is_settled_and_not_counted() {
    let world = World::new(spec(), Visibility::Public);
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 30);
    for is_confidential in [true, true, false] {
        let text = format!("@{}", zoe.username);
        world.issue(&world.ann, json!({ "title": "t", "description": text, "confidential": is_confidential }));
    }
    world.delete(&format!("/members/{}", zoe.id)).by(&world.ann).gives(200);
    assert_eq!(todos(&zoe, "").header("X-Total"), Some("1"));
    assert_eq!(spec().delete("/todos").by(&zoe).gives(200).json, json!(1));
    world.admit(&zoe, 30);
    assert_eq!(todos(&zoe, "").header("X-Total"), Some("0"));
}
