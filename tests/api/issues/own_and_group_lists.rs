//! Issues of the caller and of a group (specification, "GET /issues" and "GET /groups/:id/issues"; behaviour 6.1,
//! 4.1.2).

use crate::support::{Person, Server, Visibility, World, spec, titles, unique};
use serde_json::{Value, json};

fn titled(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|title| (*title).to_owned()).collect()
}

fn own(person: &Person, query: &str) -> (i64, Vec<String>) {
    titles(&spec().get(format!("/issues?{query}")).by(person).gives(200))
}

/// zoe wrote a closed, a confidential and an open labelled issue, each in another project.
fn authored() -> (Person, [World; 3], [Value; 3]) {
    let zoe = spec().person("Zoe");
    let worlds = [Visibility::Public, Visibility::Private, Visibility::Internal].map(|level| {
        let world = World::new(spec(), level);
        world.admit(&zoe, 30);
        world
    });
    let milestone = worlds[2].milestone("v1");
    let closed = worlds[0].issue(&zoe, json!({ "title": "closed" }));
    let hidden = worlds[1].issue(&zoe, json!({ "title": "hidden", "confidential": true, "labels": "secret" }));
    let open = worlds[2].issue(&zoe, json!({ "title": "open", "labels": "label,a b", "milestone_id": milestone }));
    worlds[2].issue(&worlds[2].ann, json!({ "title": "assigned", "labels": "label", "assignee_id": zoe.id }));
    worlds[0].close(&zoe, &closed);
    (zoe, worlds, [closed, hidden, open])
}

#[test]
fn the_callers_list_is_of_what_they_wrote_newest_first() {
    let (zoe, _, _) = authored();
    assert_eq!(own(&zoe, ""), (3, titled(&["open", "hidden", "closed"])));
    assert_eq!(own(&zoe, "state=all"), (3, titled(&["open", "hidden", "closed"])));
    assert_eq!(own(&zoe, "state=opened"), (2, titled(&["open", "hidden"])));
    assert_eq!(own(&zoe, "state=closed"), (1, titled(&["closed"])));
    assert_eq!(own(&zoe, "sort=asc"), (3, titled(&["closed", "hidden", "open"])));
    assert_eq!(own(&zoe, "order_by=updated_at"), (3, titled(&["closed", "open", "hidden"])));
    assert_eq!(own(&zoe, "order_by=updated_at&sort=asc"), (3, titled(&["hidden", "open", "closed"])));
    assert_eq!(own(&zoe, "per_page=2&page=2"), (3, titled(&["closed"])));
    spec().get("/issues").refused(401, json!({ "message": "401 Unauthorized" }));
}

#[test]
fn of_several_labels_any_is_enough_for_the_callers_list() {
    let (zoe, _, _) = authored();
    for (labels, expected) in [
        ("label", vec!["open"]),
        ("label,foo,bar", vec!["open"]),
        ("label,secret", vec!["open", "hidden"]),
        ("foo,bar", vec![]),
        ("foo,%20label%20", vec!["open"]),
        ("a%20b", vec!["open"]),
        ("No%20Label", vec!["closed"]),
        ("", vec!["open", "hidden", "closed"]),
    ] {
        let expected = titled(&expected);
        assert_eq!(own(&zoe, &format!("labels={labels}")), (expected.len() as i64, expected), "{labels}");
    }
    assert_eq!(own(&zoe, "labels=label&state=opened"), (1, titled(&["open"])));
    assert_eq!(own(&zoe, "labels=label&state=closed"), (0, vec![]));
    assert_eq!(own(&zoe, "milestone=v1"), (1, titled(&["open"])));
    assert_eq!(own(&zoe, "milestone=No%20Milestone"), (2, titled(&["hidden", "closed"])));
}

#[test]
fn what_is_no_filter_is_refused() {
    let (zoe, worlds, _) = authored();
    let group = spec().get(format!("/projects/{}", worlds[0].project.id)).by(&zoe).gives(200).json;
    let group = format!("/groups/{}/issues", group["namespace"]["id"]);
    for path in ["/issues", &group, &worlds[0].at("/issues")] {
        for (query, name, values) in [
            ("state=bogus", "state", "opened, closed, all"),
            ("order_by=title", "order_by", "created_at, updated_at"),
            ("sort=sideways", "sort", "asc, desc"),
        ] {
            let text = format!("{name} does not have a valid value ({values})");
            spec().get(format!("{path}?{query}")).by(&zoe).refused(400, json!({ "error": text }));
        }
    }
}

#[test]
fn an_issue_of_a_project_that_the_caller_no_longer_sees_is_not_listed() {
    let (zoe, worlds, _) = authored();
    for world in &worlds {
        world.delete(&format!("/members/{}", zoe.id)).by(&world.ann).gives(200);
    }
    assert_eq!(own(&zoe, ""), (2, titled(&["open", "closed"])));
    assert_eq!(own(&zoe, "labels=secret"), (0, vec![]));
    worlds[2].put("").by(&worlds[2].ann).json(json!({ "visibility_level": 0 })).gives(200);
    assert_eq!(own(&zoe, ""), (1, titled(&["closed"])));
    worlds[0].put("").by(&worlds[0].ann).json(json!({ "issues_enabled": false })).gives(200);
    assert_eq!(own(&zoe, ""), (0, vec![]));
}

/// A group with two projects, one public and one private.
struct Crew {
    id: i64,
    path: String,
    open: World,
    closed: World,
    ida: Person,
}

fn crew(visibility: i64) -> Crew {
    let cast = spec().cast();
    let path = unique("crew");
    let fields = json!({ "name": path, "path": path, "visibility_level": visibility });
    let id = spec().post("/groups").by(&cast.ann).json(fields).gives(201).id();
    let project = |level| World { server: spec(), cast, project: spec().project(&cast.ann, id, level) };
    let (open, closed) = (project(Visibility::Public), project(Visibility::Private));
    let ida = spec().person("Ida");
    for world in [&open, &closed] {
        world.admit(&cast.rae, 20);
    }
    open.admit(&cast.gus, 10);
    let milestone = open.milestone("3.0.0");
    open.milestone("4.0.0");
    let fields = json!({ "title": "closed", "milestone_id": milestone, "labels": "other" });
    let done = open.issue(&cast.rae, fields);
    open.close(&cast.rae, &done);
    open.issue(&ida, json!({ "title": "hidden", "confidential": true }));
    open.issue(&cast.rae, json!({ "title": "open", "milestone_id": milestone, "labels": "group_lbl,other" }));
    closed.issue(&cast.rae, json!({ "title": "private", "labels": "group_lbl" }));
    Crew { id, path, open, closed, ida }
}

impl Crew {
    fn list(&self, person: &Person, query: &str) -> (i64, Vec<String>) {
        titles(&spec().get(format!("/groups/{}/issues?{query}", self.id)).by(person).gives(200))
    }
}

#[test]
fn a_groups_list_is_of_what_the_caller_sees_in_its_projects() {
    let crew = crew(20);
    let cast = spec().cast();
    for (person, expected) in [
        (&cast.ann, &["private", "open", "hidden", "closed"][..]),
        (&cast.root, &["private", "open", "hidden", "closed"]),
        (&cast.rae, &["private", "open", "hidden", "closed"]),
        (&crew.ida, &["open", "hidden", "closed"]),
        (&cast.gus, &["open", "closed"]),
        (&cast.eve, &["open", "closed"]),
    ] {
        assert_eq!(crew.list(person, ""), (expected.len() as i64, titled(expected)), "{}", person.name);
    }
    spec().get(format!("/groups/{}/issues", crew.id)).refused(401, json!({ "message": "401 Unauthorized" }));
    // members of the group see all its projects
    let member = json!({ "user_id": cast.eve.id, "access_level": 10 });
    spec().post(format!("/groups/{}/members", crew.id)).by(&cast.ann).json(member).gives(201);
    assert_eq!(crew.list(&cast.eve, ""), (3, titled(&["private", "open", "closed"])));
}

#[test]
fn a_groups_list_takes_filters_and_orders() {
    let crew = crew(20);
    let rae = &spec().cast().rae;
    for (query, expected) in [
        ("state=opened", &["private", "open", "hidden"][..]),
        ("state=closed", &["closed"]),
        ("labels=group_lbl", &["private", "open"]),
        ("labels=group_lbl,other", &["open"]),
        ("labels=other&state=closed", &["closed"]),
        ("labels=foo,bar", &[]),
        ("labels=group_lbl,foo", &[]),
        ("labels=No%20Label", &["hidden"]),
        ("labels=", &["private", "open", "hidden", "closed"]),
        ("milestone=3.0.0", &["open", "closed"]),
        ("milestone=3.0.0&state=closed", &["closed"]),
        ("milestone=3.0.0&labels=group_lbl", &["open"]),
        ("milestone=4.0.0", &[]),
        ("milestone=foo", &[]),
        ("milestone=No%20Milestone", &["private", "hidden"]),
        ("milestone=", &["private", "open", "hidden", "closed"]),
        ("sort=asc", &["closed", "hidden", "open", "private"]),
        ("order_by=updated_at&sort=asc&milestone=3.0.0", &["closed", "open"]),
    ] {
        assert_eq!(crew.list(rae, query), (expected.len() as i64, titled(expected)), "{query}");
    }
    assert_eq!(crew.list(rae, "per_page=2&page=2"), (4, titled(&["hidden", "closed"])));
    assert_eq!(crew.list(rae, "per_page=1&page=2&labels=group_lbl"), (2, titled(&["open"])));
}

#[test]
fn a_group_is_named_by_number_or_path_and_an_invisible_one_is_not_found() {
    let crew = crew(20);
    let cast = spec().cast();
    let by_path = spec().get(format!("/groups/{}/issues", crew.path)).by(&cast.eve).gives(200);
    assert_eq!(by_path.json, spec().get(format!("/groups/{}/issues", crew.id)).by(&cast.eve).gives(200).json);
    let missing = json!({ "message": "404 Group Not Found" });
    spec().get("/groups/987654321/issues").by(&cast.ann).refused(404, missing.clone());
    let path = unique("quiet");
    let fields = json!({ "name": path, "path": path, "visibility_level": 0 });
    let quiet = spec().post("/groups").by(&cast.ann).json(fields).gives(201).id();
    spec().get(format!("/groups/{quiet}/issues")).by(&cast.eve).refused(404, missing);
}

#[test]
fn a_project_of_the_group_without_issues_or_deleted_is_passed_over() {
    let crew = crew(20);
    let ann = &spec().cast().ann;
    crew.closed.put("").by(ann).json(json!({ "issues_enabled": false })).gives(200);
    assert_eq!(crew.list(ann, "").0, 3);
    crew.open.delete("").by(ann).gives(200);
    assert_eq!(crew.list(ann, ""), (0, vec![]));
}

/// A new group of that person's: id and path.
fn group(owner: &Person, level: i64) -> (i64, String) {
    let path = unique("group");
    let fields = json!({ "name": path, "path": path, "visibility_level": level });
    (spec().post("/groups").by(owner).json(fields).gives(201).id(), path)
}

#[track_caller]
fn titles_of(server: &'static Server, path: &str, caller: &Person) -> Vec<Value> {
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
    let list = |query: &str| titles_of(spec(), &format!("/issues?{query}"), &zoe);
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
    for reference in [id.to_string(), path, "987654321".to_owned(), "no-such".to_owned(), ann.id.to_string()] {
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
    let list = |person: &Person, query: &str| titles_of(spec(), &format!("/groups/{id}/issues?{query}"), person);
    for (person, shown) in [
        (&cast.ann, vec!["private", "eve's", "confidential", "open"]),
        (&cast.root, vec!["private", "eve's", "confidential", "open"]),
        (&cast.rae, vec!["eve's", "confidential", "open"]),
        (&cast.eve, vec!["eve's", "open"]),
        (&cast.gus, vec!["confidential", "open"]),
        (&cast.bob, vec!["open"]),
    ] {
        assert_eq!(list(person, ""), shown, "{}", person.name);
        assert_eq!(titles_of(spec(), &format!("/groups/{path}/issues"), person), shown, "{}", person.name);
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
        let milestone = spec().post(format!("{path}/milestones")).by(&cast.ann).json(milestone).gives(201).id();
        make(project.id, &cast.ann, json!({ "title": title, "milestone_id": milestone }));
        let plain = make(project.id, &cast.ann, json!({ "title": format!("plain {title}") }))["id"].clone();
        let close = spec().put(format!("{path}/issues/{plain}")).by(&cast.ann);
        close.json(json!({ "state_event": "close" })).gives(200);
    }
    let list = |query: &str| titles_of(spec(), &format!("/groups/{id}/issues?{query}"), &cast.eve);
    assert_eq!(list(""), ["plain two", "two", "plain one", "one"]);
    assert_eq!(list("state=opened"), ["two", "one"]);
    assert_eq!(list("state=closed"), ["plain two", "plain one"]);
    assert_eq!(list("milestone=3.0.0"), ["two", "one"]);
    assert_eq!(list("milestone=4.0.0"), Vec::<Value>::new());
    assert_eq!(list("milestone=No%20Milestone"), ["plain two", "plain one"]);
}
