//! The totals of lists in v4.

use crate::support::git::sha;
use crate::support::{Answer, Ask, Server, Visibility, World, spec, unique};
use serde_json::{Value, json};

/// Total, number of pages, and whether there is a link to the last one.
fn told(answer: &Answer) -> (Option<i64>, Option<i64>, bool) {
    let number = |name: &str| answer.header(name).map(|text| text.parse().unwrap());
    let has_last = answer.header("Link").is_some_and(|links| links.contains("rel=\"last\""));
    (number("X-Total"), number("X-Total-Pages"), has_last)
}

/// A project with at least three of everything that is listed.
fn filled() -> World {
    // others would make more projects meanwhile
    let server = Server::with_objects(|_| {});
    let world = World::within(server, World::group_of_its_own(server), Visibility::Private);
    let tip = world.push_line(2);
    let names = ["heads/one", "heads/two", "tags/v1", "tags/v2", "tags/v10"];
    let point = |name: &&str| json!({ "name": format!("refs/{name}"), "old": null, "new": tip });
    let changes: Vec<Value> = names.iter().map(point).collect();
    let refs = json!({ "default_branch": "master", "changes": changes });
    world.put("/mirror/refs").by(&world.ann).json(refs).gives(200);
    let tag_of = json!({ "one": "v1", "two": "v2", "three": "v10" });
    for name in ["one", "two", "three"] {
        let label = json!({ "name": name, "color": "#ff0000" });
        world.v4("POST", "/labels").by(&world.ann).json(label).gives(201);
        let status = json!({ "state": "success", "name": name, "ref": name });
        world.post(&format!("/statuses/{tip}")).by(&world.bob).json(status).gives(201);
        let deployment = json!({ "environment": name, "sha": tip, "status": "success", "ref": "master",
            "tag": false });
        world.v4("POST", "/deployments").by(&world.bob).json(deployment).gives(201);
        let tag = json!({ "tag_name": tag_of[name] });
        world.v4("POST", "/releases").by(&world.ann).json(tag).gives(201);
        let package = world.at(&format!("/packages/generic/{name}/1.0/file"));
        world.server.ask_v4("PUT", package).by(&world.ann).body("application/octet-stream", b"x").gives(201);
        world.admit(&world.server.person(name), 30);
        let token = json!({ "name": name, "scopes": ["api"] });
        world.v4("POST", "/access_tokens").by(&world.ann).json(token.clone()).gives(201);
        let tokens = format!("/users/{}/personal_access_tokens", world.ann.id);
        world.server.ask_v4("POST", tokens).by(&world.server.root()).json(token).gives(201);
        let group = json!({ "name": unique(name), "path": unique(name) });
        let namespace = world.server.ask_v4("POST", "/groups").by(&world.ann).json(group).gives(201).id();
        for namespace in [namespace, world.ann.id] {
            let project = json!({ "name": unique(name), "namespace_id": namespace });
            world.server.ask_v4("POST", "/projects").by(&world.ann).json(project).gives(201);
        }
    }
    world
}

#[test]
fn every_list_that_gitlab_counts_has_its_total() {
    let world = filled();
    let issue = world.issue(&world.ann, json!({ "title": "Read me", "description": "@bob @rae @gus" }));
    for title in ["Write me", "Test me"] {
        world.issue(&world.ann, json!({ "title": title, "labels": "one" }));
    }
    let pipeline = world.v4("GET", "/pipelines?ref=one").by(&world.ann).gives(200).json[0]["id"].clone();
    let of_project = [
        "/labels",
        "/labels?search=o",
        "/members?per_page=2",
        "/members/all",
        "/members/all?query=e",
        "/users",
        "/repository/branches",
        "/repository/branches?search=o",
        "/repository/tags",
        "/repository/tags?order_by=version",
        "/pipelines",
        "/pipelines?scope=finished",
        "/pipelines?order_by=ref",
        "/jobs",
        "/jobs?scope[]=success",
        "/deployments",
        "/deployments?order_by=ref",
        "/deployments?status=success",
        "/environments",
        "/environments?search=one",
        "/environments?name=two",
        "/access_tokens",
        "/access_tokens?state=active",
        "/access_tokens?sort=name_asc",
        "/releases",
        "/releases?updated_after=2001-01-01",
        "/packages",
        "/packages?package_name=o",
        "/packages?package_version=1.0&order_by=name",
        "/issues?order_by=title",
        "/issues?order_by=due_date&labels=one",
        "/repository/contributors",
        &format!("/repository/commits/{}/refs", sha(2)),
        &format!("/repository/commits/{}/refs?type=tag", sha(2)),
        &format!("/repository/commits/{}/statuses?all=true&pipeline_id={pipeline}", sha(2)),
        &format!("/repository/commits/{}/statuses?name=one&pipeline_id={pipeline}", sha(2)),
    ];
    let namespace = world.project.path.split('/').next().unwrap();
    let elsewhere = [
        "/projects".to_owned(),
        "/projects?owned=true".to_owned(),
        "/projects?membership=true&order_by=name".to_owned(),
        "/projects?search=o&visibility=private".to_owned(),
        format!("/users/{}/projects", world.ann.id),
        format!("/groups/{namespace}/projects"),
        "/groups".to_owned(),
        "/groups?owned=true".to_owned(),
        "/namespaces".to_owned(),
        "/users?search=o".to_owned(),
        "/users?active=true&order_by=name".to_owned(),
        format!("/groups/{namespace}/members"),
        format!("/groups/{namespace}/releases"),
        format!("/groups/{namespace}/packages"),
        format!("/groups/{namespace}/packages?package_name=o&order_by=project_path"),
        format!("/personal_access_tokens?user_id={}", world.ann.id),
        "/personal_access_tokens?search=o".to_owned(),
        "/search?scope=projects&search=o".to_owned(),
        "/search?scope=users&search=o".to_owned(),
        format!("/groups/{namespace}/search?scope=projects&search=o"),
    ];
    let of_issue = world.at(&format!("/issues/{}/participants", issue["iid"]));
    let lists = of_project.iter().map(|rest| world.at(rest)).chain(elsewhere).chain([of_issue]);
    for list in lists {
        let joint = if list.contains('?') { '&' } else { '?' };
        let pages = |size: i64| world.server.ask_v4("GET", format!("{list}{joint}per_page={size}")).by(&world.ann);
        let length = pages(100).gives(200).json.as_array().unwrap().len() as i64;
        assert!((1..100).contains(&length), "{list}: {length}");
        let half = (length + 1) / 2;
        let wanted = (Some(length), Some((length + half - 1) / half), true);
        assert_eq!(told(&pages(half).gives(200)), wanted, "{list}");
        let past = world.server.ask_v4("GET", format!("{list}{joint}per_page={half}&page=4")).by(&world.ann).gives(200);
        assert_eq!((told(&past), past.json.clone()), (wanted, json!([])), "{list}");
    }
}

#[test]
fn a_list_of_more_than_a_thousand_records_has_no_total() {
    let world = World::new(spec(), Visibility::Private);
    let add = |first: i64, last: i64| {
        spec().tamper(&format!(
            "with recursive n(value) as (select {first} union all select value + 1 from n where value < {last})
            insert into labels (project_id, title, color, created_at)
            select {}, 'label ' || value, '#ff0000', 1 from n",
            world.project.id
        ))
    };
    let list = |query: &str| told(&world.v4("GET", &format!("/labels?{query}")).by(&world.ann).gives(200));
    if !add(1, 1000) {
        return;
    }
    assert_eq!(list(""), (Some(1000), Some(50), true));
    add(1001, 1001);
    assert_eq!(list(""), (None, None, false));
    assert_eq!(list("search=00&per_page=5"), (Some(11), Some(3), true));
    assert_eq!(list("search=label"), (None, None, false));
}

#[test]
fn a_total_counts_only_what_the_caller_sees() {
    let group = World::group_of_its_own(spec());
    let open = World::within(spec(), group, Visibility::Public);
    let other = World::within(spec(), group, Visibility::Public);
    World::within(spec(), group, Visibility::Private);
    let namespace = open.project.path.split('/').next().unwrap();
    let total = |ask: Ask| told(&ask.gives(200)).0;
    let list = || spec().ask_v4("GET", format!("/groups/{namespace}/projects?per_page=1"));
    assert_eq!((total(list()), total(list().by(&other.eve))), (Some(2), Some(2)));
    assert_eq!(total(list().by(&spec().root())), Some(3));
}
