//! Confidential issues are seen by author, assignee, reporters and above, and administrators, and nowhere tell of
//! themselves to anybody else (behaviour 3.2).

use crate::support::{Answer, Ask, Person, Visibility, World, spec, titles};
use serde_json::{Value, json};

/// A public project with one open issue and one confidential, both of one label and milestone.
struct Scene {
    world: World,
    milestone: i64,
    hidden: Value,
    author: Person,
    assignee: Person,
}

impl Scene {
    fn new(visibility: Visibility) -> Scene {
        let world = World::new(spec(), visibility);
        let [author, assignee] = ["Amy", "Art"].map(|name| spec().person(name));
        for person in [&author, &assignee] {
            world.admit(person, 10);
        }
        let milestone = world.milestone("v1");
        let fields = json!({ "title": "open", "labels": "bug", "milestone_id": milestone });
        world.issue(&world.ann, fields);
        let hidden = world.issue(&author, json!({ "title": "hidden", "confidential": true }));
        let fields = json!({ "labels": "bug", "milestone_id": milestone, "assignee_id": assignee.id });
        let hidden = world.edit(&world.rae, &hidden, fields);
        Scene { world, milestone, hidden, author, assignee }
    }

    fn insiders(&self) -> [&Person; 6] {
        let world = &self.world;
        [&world.root, &world.ann, &world.bob, &world.rae, &self.author, &self.assignee]
    }

    fn outsiders(&self) -> Vec<&Person> {
        vec![&self.world.gus, &self.world.eve]
    }

    fn lists(&self) -> Vec<String> {
        let at = |rest: &str| self.world.at(rest);
        let iid = &self.hidden["iid"];
        vec![
            at("/issues"),
            at("/issues?state=opened"),
            at("/issues?order_by=updated_at"),
            at("/issues?labels=bug"),
            at("/issues?labels=bug,other"),
            at("/issues?labels=bug&order_by=updated_at"),
            at("/issues?milestone=v1"),
            at("/issues?milestone=v1&labels=bug"),
            at(&format!("/issues?iid[]=1&iid[]={iid}")),
            at(&format!("/milestones/{}/issues", self.milestone)),
        ]
    }
}

fn figures(answer: &Answer) -> (i64, usize, bool) {
    let links = answer.header("Link").unwrap();
    (titles(answer).0, answer.each("id").len(), links.contains("page=2"))
}

#[test]
fn no_list_total_or_link_tells_of_it() {
    for visibility in [Visibility::Public, Visibility::Internal] {
        let scene = Scene::new(visibility);
        for list in scene.lists() {
            let glue = if list.contains('?') { '&' } else { '?' };
            let list = format!("{list}{glue}per_page=1");
            for person in scene.insiders() {
                let answer = spec().get(&list).by(person).gives(200);
                assert_eq!(figures(&answer), (2, 1, true), "{list} of {}", person.name);
            }
            for person in scene.outsiders() {
                let answer = spec().get(&list).by(person).gives(200);
                assert_eq!(figures(&answer), (1, 1, false), "{list} of {}", person.name);
                assert_eq!(answer.each("title"), ["open"], "{list} of {}", person.name);
                let second = spec().get(format!("{list}&page=2")).by(person).gives(200);
                assert_eq!(second.json, json!([]), "{list} of {}", person.name);
            }
        }
    }
}

#[test]
fn its_number_finds_nothing() {
    let scene = Scene::new(Visibility::Public);
    let query = format!("iid={}", scene.hidden["iid"]);
    for person in scene.insiders() {
        assert_eq!(scene.world.titles(person, &query).0, 1, "{}", person.name);
    }
    for person in scene.outsiders() {
        assert_eq!(scene.world.titles(person, &query), (0, vec![]), "{}", person.name);
    }
}

#[test]
fn a_group_list_does_not_tell_of_it() {
    let scene = Scene::new(Visibility::Public);
    let group = scene.world.group;
    let before = |person: &Person, query: &str| {
        titles(&spec().get(format!("/groups/{group}/issues?per_page=100&{query}")).by(person).gives(200)).0
    };
    // the group is all tests' own: what a new label finds is this test's alone
    let label = crate::support::unique("label");
    scene.world.edit(&scene.world.rae, &scene.hidden, json!({ "labels": label }));
    let query = format!("labels={label}");
    for person in scene.insiders() {
        assert_eq!(before(person, &query), 1, "{}", person.name);
    }
    for person in scene.outsiders() {
        assert_eq!(before(person, &query), 0, "{}", person.name);
        let label = format!("labels={label}&state=opened&order_by=updated_at");
        assert_eq!(before(person, &label), 0, "{}", person.name);
    }
}

#[test]
fn whatever_is_asked_of_it_it_is_not_found_and_never_forbidden() {
    let scene = Scene::new(Visibility::Public);
    let target = scene.world.sibling(Visibility::Public);
    let at = |rest: &str| format!("{}{rest}", scene.world.issue_path(&scene.hidden));
    let note = scene.world.comment(&scene.world.ann, &scene.hidden, "a comment")["id"].clone();
    let asks: Vec<(Ask, &str)> = scene
        .outsiders()
        .into_iter()
        .flat_map(|person| {
            let (not_found, no_issue) = ("404 Not found", "404 Issue Not Found");
            [
                (spec().get(at("")).by(person), not_found),
                (spec().put(at("")).by(person).json(json!({ "title": "x" })), not_found),
                (spec().put(at("")).by(person).json(json!({ "state_event": "explode" })), not_found),
                (spec().delete(at("")).by(person), no_issue),
                (spec().post(at("/move")).by(person).json(json!({ "to_project_id": target.project.id })), no_issue),
                (spec().post(at("/move")).by(person), no_issue),
                (spec().post(at("/subscription")).by(person), not_found),
                (spec().delete(at("/subscription")).by(person), not_found),
                (spec().post(at("/todo")).by(person), not_found),
                (spec().get(at("/notes")).by(person), not_found),
                (spec().post(at("/notes")).by(person).json(json!({ "body": "x" })), not_found),
                (spec().post(at("/notes")).by(person), not_found),
                (spec().get(at(&format!("/notes/{note}"))).by(person), not_found),
                (spec().put(at(&format!("/notes/{note}"))).by(person).json(json!({ "body": "x" })), not_found),
                (spec().delete(at(&format!("/notes/{note}"))).by(person), not_found),
            ]
        })
        .collect();
    for (ask, text) in asks {
        ask.refused(404, json!({ "message": text }));
    }
}

#[test]
fn labels_count_it_only_for_those_who_see_all() {
    let scene = Scene::new(Visibility::Public);
    let count = |person: &Person| scene.world.get("/labels").by(person).gives(200).json[0]["open_issues_count"].clone();
    for person in [&scene.world.root, &scene.world.ann, &scene.world.rae] {
        assert_eq!(count(person), 2, "{}", person.name);
    }
    for person in [&scene.world.gus, &scene.world.eve, &scene.author, &scene.assignee] {
        assert_eq!(count(person), 1, "{}", person.name);
    }
}

#[test]
fn a_todo_is_hidden_with_its_issue() {
    let world = World::new(spec(), Visibility::Public);
    let zoe = spec().person("Zoe");
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": format!("@{}", zoe.username) }));
    let todo = spec().get("/todos").by(&zoe).gives(200).json[0].clone();
    world.edit(&world.ann, &issue, json!({ "confidential": true }));
    let todos = spec().get("/todos").by(&zoe).gives(200);
    assert_eq!((todos.header("X-Total"), &todos.json), (Some("0"), &json!([])));
    let missing = json!({ "message": "404 Not found" });
    spec().delete(format!("/todos/{}", todo["id"])).by(&zoe).refused(404, missing);
    world.edit(&world.ann, &issue, json!({ "confidential": false }));
    assert_eq!(spec().get("/todos").by(&zoe).gives(200).header("X-Total"), Some("1"));
}

#[test]
fn a_move_does_not_tell_of_a_hidden_target() {
    let world = World::new(spec(), Visibility::Public);
    let zoe = spec().person("Zoe");
    let theirs = spec().project(&zoe, zoe.id, Visibility::Private);
    let issue = world.issue(&world.rae, json!({ "title": "t" }));
    for to in [theirs.id, 987_654_321] {
        let ask = spec().post(format!("{}/move", world.issue_path(&issue))).by(&world.rae);
        ask.json(json!({ "to_project_id": to })).refused(404, json!({ "message": "404 Project Not Found" }));
    }
}

#[test]
fn who_sees_it_as_author_loses_it_with_the_project() {
    let scene = Scene::new(Visibility::Private);
    for person in [&scene.author, &scene.assignee] {
        assert_eq!(scene.world.status(person, &scene.hidden), 200);
        scene.world.delete(&format!("/members/{}", person.id)).by(&scene.world.ann).gives(200);
        assert_eq!(scene.world.status(person, &scene.hidden), 404);
        assert_eq!(titles(&spec().get("/issues").by(person).gives(200)).0, 0);
    }
}
