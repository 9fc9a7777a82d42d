//! GET /issues and GET /groups/:id/issues

use crate::support::{Person, Server, Visibility, World, spec, unique};
use serde_json::{Value, json};

/// A new group of that person's: id and path.
fn group(owner: &Person, level: i64) -> (i64, String) {
    let path = unique("group");
    let fields = json!({ "name": path, "path": path, "visibility_level": level });
    (spec().post("/groups").by(owner).json(fields).gives(201).id(), path)
}

#[track_caller]
fn titles(server: &'static Server, path: &str, caller: &Person) -> Vec<Value> {
    let answer = server.get(path).by(caller).gives(200);
    let titles = answer.each("title");
    assert_eq!(answer.header("X-Total"), Some(titles.len().to_string().as_str()), "{}", answer.what);
    titles
}

fn make(project: i64, by: &Person, fields: Value) -> Value {
    spec().post(format!("/projects/{project}/issues")).by(by).json(fields).gives(200).json
}

#[test]
fn ones_own_list_is_what_one_wrote_and_still_may_see() {
    let (here, there) = (World::new(spec(), Visibility::Public), World::new(spec(), Visibility::Private));
    let zoe = spec().person("Zoe");
    there.admit(&zoe, 20);
    here.issue(&zoe, json!({ "title": "public" }));
    here.issue(&zoe, json!({ "title": "confidential", "confidential": true }));
    there.issue(&zoe, json!({ "title": "private", "labels": "label, other" }));
    here.issue(&here.rae, json!({ "title": "assigned", "assignee_id": zoe.id }));
    let list = |query: &str| titles(spec(), &format!("/issues?{query}"), &zoe);
    assert_eq!(list(""), ["private", "confidential", "public"]);
    assert_eq!(list("state=all&sort=asc"), ["public", "confidential", "private"]);
    assert_eq!(list("state=closed"), Vec::<Value>::new());
    assert_eq!(list("labels=foo,label"), ["private"]);
    assert_eq!(list("labels=label&state=closed"), Vec::<Value>::new());
    assert_eq!(list("labels="), ["private", "confidential", "public"]);
    assert_eq!(list("labels=No%20Label"), ["confidential", "public"]);
    assert_eq!(list("order_by=updated_at&sort=asc"), ["public", "confidential", "private"]);
    spec()
        .get("/issues?state=bogus")
        .by(&zoe)
        .refused(400, json!({ "error": "state does not have a valid value (opened, closed, all)" }));
    there.delete(&format!("/members/{}", zoe.id)).by(&there.ann).gives(200);
    assert_eq!(list(""), ["confidential", "public"]);
    assert_eq!(list("labels=label"), Vec::<Value>::new());
}

#[test]
fn the_links_of_ones_own_list_have_no_path_parameter() {
    let zoe = spec().person("Zoe");
    let answer = spec().get("/issues?state=closed&per_page=3").query("private_token", &zoe.token).gives(200);
    let address = format!("{}/api/v3/issues?page=1&per_page=3&state=closed", spec().origin);
    assert!(answer.header("Link").unwrap().contains(&format!("<{address}>; rel=\"first\"")));
}

#[test]
fn a_group_that_the_caller_cannot_see_is_not_found() {
    let ann = &spec().cast().ann;
    let refusal = json!({ "message": "404 Group Not Found" });
    let (id, path) = group(ann, 0);
    let hidden = spec().project(ann, id, Visibility::Private);
    for reference in [id.to_string(), path, "987654321".to_owned(), "no-such".to_owned(), ann.id.to_string()]
    {
        let list = format!("/groups/{reference}/issues");
        spec().get(&list).by(&spec().cast().eve).refused(404, refusal.clone());
        spec().get(list).refused(401, json!({ "message": "401 Unauthorized" }));
    }
    // one visible project is enough
    let member = json!({ "user_id": spec().cast().eve.id, "access_level": 10 });
    spec().post(format!("/projects/{}/members", hidden.id)).by(ann).json(member).gives(201);
    spec().get(format!("/groups/{id}/issues")).by(&spec().cast().eve).gives(200);
}

#[test]
fn a_groups_list_is_that_of_its_projects_that_the_caller_sees() {
    let cast = spec().cast();
    let (id, path) = group(&cast.ann, 20);
    let open = spec().project(&cast.ann, id, Visibility::Public);
    let private = spec().project(&cast.ann, id, Visibility::Private);
    let member = json!({ "user_id": cast.rae.id, "access_level": 20 });
    spec().post(format!("/projects/{}/members", open.id)).by(&cast.ann).json(member).gives(201);
    make(open.id, &cast.ann, json!({ "title": "open", "labels": "a, b" }));
    make(
        open.id,
        &cast.ann,
        json!({ "title": "confidential", "confidential": true, "assignee_id": cast.gus.id, "labels": "a" }),
    );
    make(open.id, &cast.eve, json!({ "title": "eve's", "confidential": true }));
    make(private.id, &cast.ann, json!({ "title": "private", "labels": "a, c" }));
    let elsewhere = World::new(spec(), Visibility::Public);
    elsewhere.issue(&cast.ann, json!({ "title": "elsewhere", "labels": "a" }));
    let list = |person: &Person, query: &str| titles(spec(), &format!("/groups/{id}/issues?{query}"), person);
    for (person, shown) in [
        (&cast.ann, vec!["private", "eve's", "confidential", "open"]),
        (&cast.root, vec!["private", "eve's", "confidential", "open"]),
        (&cast.rae, vec!["eve's", "confidential", "open"]),
        (&cast.eve, vec!["eve's", "open"]),
        (&cast.gus, vec!["confidential", "open"]),
        (&cast.bob, vec!["open"]),
    ] {
        assert_eq!(list(person, ""), shown, "{}", person.name);
        assert_eq!(titles(spec(), &format!("/groups/{path}/issues"), person), shown, "{}", person.name);
        let reverse: Vec<&str> = shown.iter().copied().rev().collect();
        assert_eq!(list(person, "sort=asc"), reverse, "{}", person.name);
        assert_eq!(list(person, "order_by=updated_at&sort=asc"), reverse, "{}", person.name);
    }
    // here an issue must have all labels
    assert_eq!(list(&cast.ann, "labels=a"), ["private", "confidential", "open"]);
    assert_eq!(list(&cast.ann, "labels=a,b"), ["open"]);
    assert_eq!(list(&cast.ann, "labels=b,c"), Vec::<Value>::new());
    assert_eq!(list(&cast.ann, "labels=foo"), Vec::<Value>::new());
    assert_eq!(list(&cast.eve, "labels=a"), ["open"]);
    assert_eq!(list(&cast.ann, "labels=No%20Label"), ["eve's"]);
    spec()
        .get(format!("/groups/{id}/issues?sort=up"))
        .by(&cast.ann)
        .refused(400, json!({ "error": "sort does not have a valid value (asc, desc)" }));
}

#[test]
fn a_groups_list_knows_milestones_by_title_across_projects_and_shows_closed_issues() {
    let cast = spec().cast();
    let (id, _) = group(&cast.ann, 20);
    for title in ["one", "two"] {
        let project = spec().project(&cast.ann, id, Visibility::Public);
        let path = format!("/projects/{}", project.id);
        let milestone = json!({ "title": "3.0.0" });
        let milestone =
            spec().post(format!("{path}/milestones")).by(&cast.ann).json(milestone).gives(201).id();
        make(project.id, &cast.ann, json!({ "title": title, "milestone_id": milestone }));
        let plain = make(project.id, &cast.ann, json!({ "title": format!("plain {title}") }))["id"].clone();
        let close = spec().put(format!("{path}/issues/{plain}")).by(&cast.ann);
        close.json(json!({ "state_event": "close" })).gives(200);
    }
    let list = |query: &str| titles(spec(), &format!("/groups/{id}/issues?{query}"), &cast.eve);
    assert_eq!(list(""), ["plain two", "two", "plain one", "one"]);
    assert_eq!(list("state=opened"), ["two", "one"]);
    assert_eq!(list("state=closed"), ["plain two", "plain one"]);
    assert_eq!(list("milestone=3.0.0"), ["two", "one"]);
    assert_eq!(list("milestone=4.0.0"), Vec::<Value>::new());
    assert_eq!(list("milestone=No%20Milestone"), ["plain two", "plain one"]);
}
