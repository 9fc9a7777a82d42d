//! To-do items of v4.

use crate::support::v4::{at, made, names};
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

fn listed(person: &Person, query: &str) -> Vec<Value> {
    spec().ask_v4("GET", format!("/todos{query}")).by(person).gives(200).each("id")
}

#[test]
fn todos_are_the_callers_own() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let todo = at(&world, "POST", &issue, "/todo").by(&world.gus).gives(201);
    let path = format!("/todos/{}/mark_as_done", todo.id());
    spec().ask_v4("POST", path).by(&world.eve).refused(404, json!({ "message": "404 Not found" }));
    let bad = json!({ "error": "id is invalid" });
    spec().ask_v4("POST", "/todos/x/mark_as_done").by(&world.eve).refused(400, bad);
    let bad = json!({ "error": "action does not have a valid value" });
    spec().ask_v4("GET", "/todos?action=x").by(&world.eve).refused(400, bad);
}

#[test]
fn a_todo_is_made_shown_and_done() {
    let world = World::new(spec(), Visibility::Private);
    let person = spec().person("Tom");
    world.admit(&person, 20);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let todo = at(&world, "POST", &issue, "/todo").by(&person).json(json!({})).gives(201).json;
    at(&world, "POST", &issue, "/todo").by(&person).gives(304);
    assert_eq!(
        names(&todo),
        "action_name author body created_at id project state target target_type target_url updated_at"
    );
    assert_eq!(names(&todo["project"]), "created_at description id name name_with_namespace path path_with_namespace");
    assert_eq!([&todo["target"]["subscribed"], &todo["target"]["iid"]], [&Value::Null, &issue["iid"]]);
    assert_eq!(
        [&todo["target_url"], &todo["target"]["references"]["relative"]],
        [&issue["web_url"], &issue["references"]["full"]]
    );
    assert_eq!(listed(&person, ""), vec![todo["id"].clone()]);
    let path = format!("/todos/{}/mark_as_done", todo["id"]);
    let done = spec().ask_v4("POST", &path).by(&person).json(json!({})).gives(201).json;
    assert_eq!([&done["state"], &done["id"]], [&json!("done"), &todo["id"]]);
    assert_eq!(spec().ask_v4("POST", &path).by(&person).gives(201).json, done);
    assert_eq!(listed(&person, ""), Vec::<Value>::new());
    let kept = spec().ask_v4("GET", "/todos?state=done").by(&person).gives(200);
    assert_eq!(kept.json, json!([done]));
}

#[test]
fn todos_are_found_by_what_they_are_about() {
    let world = World::new(spec(), Visibility::Private);
    let own = World::personal(spec(), Visibility::Private);
    let person = spec().person("Tom");
    world.admit(&person, 20);
    own.admit(&person, 20);
    let assigned = json!({ "title": "t", "assignee_ids": [person.id] });
    made(&world, &world.ann, assigned);
    let issue = made(&own, &own.ann, json!({ "title": "u" }));
    let marked = at(&own, "POST", &issue, "/todo").by(&person).gives(201).json["id"].clone();
    let all = listed(&person, "");
    assert_eq!((all.len(), &all[0]), (2, &marked));
    for (query, count) in [
        ("?action=assigned".to_owned(), 1),
        ("?action=approval_required".to_owned(), 0),
        ("?type=Issue".to_owned(), 2),
        ("?type=MergeRequest".to_owned(), 0),
        (format!("?group_id={}", world.group), 1),
        (format!("?project_id={}", own.project.id), 1),
        (format!("?author_id={}", world.ann.id), 1),
        ("?state=done".to_owned(), 0),
    ] {
        assert_eq!(listed(&person, &query).len(), count, "{query}");
    }
    spec().ask_v4("POST", "/todos/mark_as_done").by(&person).json(json!({})).gives(204);
    assert_eq!((listed(&person, "").len(), listed(&person, "?state=done").len()), (0, 2));
}

/// What the items of the person are: action and type of target.
fn deeds(person: &Person, query: &str) -> Vec<[String; 2]> {
    let list = spec().ask_v4("GET", format!("/todos{query}")).by(person).gives(200).json;
    let text = |todo: &Value, name: &str| todo[name].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(|todo| ["action_name", "target_type"].map(|name| text(todo, name))).collect()
}

fn deed(action: &str, target: &str) -> [String; 2] {
    [action, target].map(str::to_owned)
}

#[test]
fn a_mention_that_begins_a_text_addresses_directly_in_v4() {
    let world = World::new(spec(), Visibility::Private);
    let [tom, una, kim] = ["Tom", "Una", "Kim"].map(|name| spec().person(name));
    for person in [&tom, &una, &kim] {
        world.admit(person, 20);
    }
    let [t, u, k] = [&tom, &una, &kim].map(|person| format!("@{}", person.username));
    let issue = made(&world, &world.ann, json!({ "title": "t", "description": format!("{t} {u}: look, {k}") }));
    let direct = || vec![deed("directly_addressed", "Issue")];
    let mentioned = || vec![deed("mentioned", "Issue")];
    assert_eq!([deeds(&tom, ""), deeds(&una, ""), deeds(&kim, "")], [direct(), direct(), mentioned()]);
    assert_eq!([deeds(&tom, "?action=directly_addressed"), deeds(&tom, "?action=mentioned")], [direct(), vec![]]);
    assert_eq!([deeds(&kim, "?action=directly_addressed"), deeds(&kim, "?action=mentioned")], [vec![], mentioned()]);
    // v3 has one name for both
    for query in ["", "?action=mentioned"] {
        let seen = spec().get(format!("/todos{query}")).by(&tom).gives(200).json;
        assert_eq!((seen.as_array().unwrap().len(), &seen[0]["action_name"]), (1, &json!("mentioned")));
    }
    for (body, expected) in [(format!("  {t} again"), direct()), (format!("> {t} said"), mentioned())] {
        spec().ask_v4("POST", "/todos/mark_as_done").by(&tom).gives(204);
        at(&world, "POST", &issue, "/notes").by(&world.ann).json(json!({ "body": body })).gives(201);
        assert_eq!(deeds(&tom, ""), expected, "{body}");
    }
    // the title is no text that one begins
    made(&world, &world.ann, json!({ "title": format!("{k} of the title") }));
    assert_eq!(deeds(&kim, ""), [mentioned(), mentioned()].concat());
    let edited = json!({ "description": format!("{t} {u} {} now", format!("@{}", world.rae.username)) });
    at(&world, "PUT", &issue, "").by(&world.ann).json(edited).gives(200);
    assert_eq!(deeds(&world.rae, "?project_id={}".replace("{}", &world.project.id.to_string()).as_str()), direct());
}

#[test]
fn a_mention_of_the_group_or_of_all_is_one_of_each_member() {
    let group = World::group_of_its_own(spec());
    let world = World::within(spec(), group, Visibility::Private);
    let path = spec().ask_v4("GET", format!("/groups/{group}")).by(&world.ann).gives(200).json["path"].clone();
    let [tom, una, eve] = ["Tom", "Una", "Eve"].map(|name| spec().person(name));
    let member = json!({ "user_id": tom.id, "access_level": 10 });
    spec().ask_v4("POST", format!("/groups/{group}/members")).by(&world.ann).json(member).gives(201);
    world.admit(&una, 10);
    let name = path.as_str().unwrap().to_uppercase();
    let issue = made(&world, &world.ann, json!({ "title": "t", "description": format!("ping @{name}") }));
    let mentioned = || vec![deed("mentioned", "Issue")];
    assert_eq!([deeds(&tom, ""), deeds(&una, ""), deeds(&eve, "")], [mentioned(), vec![], vec![]]);
    assert!(at(&world, "GET", &issue, "/participants").by(&world.ann).gives(200).each("id").contains(&json!(tom.id)));
    at(&world, "POST", &issue, "/notes").by(&world.ann).json(json!({ "body": "@all look" })).gives(201);
    assert_eq!(deeds(&una, ""), [deed("directly_addressed", "Issue")]);
    assert_eq!([deeds(&tom, ""), deeds(&eve, "")], [mentioned(), vec![]], "one is pending");
    // the name of another group stands for nobody
    let other = World::new(spec(), Visibility::Private);
    made(&other, &other.ann, json!({ "title": "t", "description": format!("@{name}") }));
    assert_eq!(deeds(&tom, ""), mentioned());
    // guests do not see a confidential issue
    spec().ask_v4("POST", "/todos/mark_as_done").by(&tom).gives(204);
    spec().ask_v4("POST", "/todos/mark_as_done").by(&una).gives(204);
    let hidden = json!({ "title": "t", "description": format!("@{name} @all"), "confidential": true });
    made(&world, &world.ann, hidden);
    assert_eq!((deeds(&tom, "").len(), deeds(&una, "").len()), (0, 0));
    let own = World::personal(spec(), Visibility::Private);
    let owned = |person: &Person| deeds(person, &format!("?project_id={}", own.project.id));
    made(&own, &own.rae, json!({ "title": "t", "description": "for @all" }));
    assert_eq!([&own.ann, &own.bob, &own.rae].map(owned), [mentioned(), mentioned(), vec![]]);
}

#[test]
fn a_group_of_more_than_a_hundred_members_is_not_mentioned() {
    if !spec().is_in_process() {
        return;
    }
    let group = World::group_of_its_own(spec());
    let world = World::within(spec(), group, Visibility::Private);
    let path = spec().ask_v4("GET", format!("/groups/{group}")).by(&world.ann).gives(200).json["path"].clone();
    let tom = spec().person("Tom");
    let join = |person: &Person| {
        let member = json!({ "user_id": person.id, "access_level": 10 });
        spec().ask_v4("POST", format!("/groups/{group}/members")).by(&world.ann).json(member).gives(201);
    };
    join(&tom);
    let ping = |text: &str| made(&world, &world.ann, json!({ "title": "t", "description": text }));
    // with the owner there are a hundred
    for number in 0..98 {
        join(&spec().person(&format!("M{number}")));
    }
    ping(&format!("@{}", path.as_str().unwrap()));
    assert_eq!(deeds(&tom, "").len(), 1);
    // with the members of the project there are more
    ping("@all");
    assert_eq!(deeds(&tom, "").len(), 1);
    join(&spec().person("More"));
    ping(&format!("@{}", path.as_str().unwrap()));
    assert_eq!(deeds(&tom, "").len(), 1);
}
