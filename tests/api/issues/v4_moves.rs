//! `moved_to_id`: only callers who see the new issue are shown it.

use crate::support::v4::{ask, at, made};
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

/// What the issue's own answer, the list, an edit and a search say about where it went.
fn told(world: &World, issue: &Value, person: Option<&Person>) -> Vec<Value> {
    let ask = |path: &str| {
        let ask = ask(world, "GET", path);
        match person {
            Some(person) => ask.by(person).gives(200).json,
            None => ask.gives(200).json,
        }
    };
    let iid = &issue["iid"];
    let one = ask(&format!("/issues/{iid}"));
    let lists = ["/issues".to_owned(), format!("/issues?iids[]={iid}"), "/issues?search=moving".to_owned()];
    let listed = lists.map(|path| ask(&path)[0]["moved_to_id"].clone());
    [vec![one["moved_to_id"].clone()], listed.to_vec()].concat()
}

#[test]
fn where_an_issue_went_is_told_to_those_who_see_it_there() {
    let world = World::new(spec(), Visibility::Public);
    for (visibility, public) in [(Visibility::Private, false), (Visibility::Public, true)] {
        let world = World { project: world.sibling(Visibility::Public).project, ..world };
        let target = spec().project(&world.ann, world.ann.id, visibility);
        let issue = made(&world, &world.ann, json!({ "title": "moving" }));
        let path = format!("/issues/{}/move", issue["iid"]);
        let to = json!({ "to_project_id": target.id });
        let moved = ask(&world, "POST", &path).by(&world.ann).json(to).gives(201).json;
        let (all, none) = (vec![moved["id"].clone(); 4], vec![Value::Null; 4]);
        let others = if public { &all } else { &none };
        assert_eq!(told(&world, &issue, Some(&world.ann)), all);
        assert_eq!(told(&world, &issue, Some(&world.root)), all);
        for person in [Some(&world.rae), Some(&world.eve), None] {
            assert_eq!(told(&world, &issue, person), *others, "{visibility:?}");
        }
        let edited = |person: &Person| {
            let edit = at(&world, "PUT", &issue, "").by(person).json(json!({ "due_date": "2030-01-02" }));
            edit.gives(200).json["moved_to_id"].clone()
        };
        assert_eq!([edited(&world.ann), edited(&world.rae)], [all[0].clone(), others[0].clone()]);
        let marked = at(&world, "POST", &issue, "/todo").by(&world.rae).gives(201).json;
        assert_eq!(marked["target"]["moved_to_id"], others[0]);
        let todos = spec().ask_v4("GET", format!("/todos?project_id={}", world.project.id));
        assert_eq!(todos.by(&world.rae).gives(200).json[0]["target"]["moved_to_id"], others[0]);
    }
}

#[test]
fn where_a_confidential_issue_went_is_told_to_those_who_may_read_it_there() {
    let world = World::new(spec(), Visibility::Public);
    let target = world.sibling(Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "moving", "confidential": true }));
    let path = format!("/issues/{}/move", issue["iid"]);
    let to = json!({ "to_project_id": target.project.id });
    let moved = ask(&world, "POST", &path).by(&world.ann).json(to).gives(201).json;
    at(&world, "PUT", &issue, "").by(&world.ann).json(json!({ "confidential": false })).gives(200);
    let (all, none) = (vec![moved["id"].clone(); 4], vec![Value::Null; 4]);
    for person in [Some(&world.gus), Some(&world.eve), None] {
        assert_eq!(told(&world, &issue, person), none);
    }
    assert_eq!(told(&world, &issue, Some(&world.rae)), all);
    ask(&target, "PUT", "").by(&world.ann).json(json!({ "issues_enabled": false })).gives(200);
    assert_eq!(told(&world, &issue, Some(&world.ann)), none);
    ask(&target, "PUT", "").by(&world.ann).json(json!({ "issues_enabled": true })).gives(200);
    ask(&target, "DELETE", &format!("/issues/{}", moved["iid"])).by(&world.ann).gives(204);
    assert_eq!(told(&world, &issue, Some(&world.ann)), none);
}
