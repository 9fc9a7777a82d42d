//! GET /projects/:id/repository/commits/:sha/statuses

use super::Scene;
use crate::support::git::{commit, sha};
use crate::support::{Server, Visibility, World, gitlab, spec};
use serde_json::{Value, json};

/// Six statuses of the tip on two branches: the original's own example.
fn six(server: &'static Server) -> (Scene, Vec<Value>) {
    let scene = Scene::new(server);
    let post = |person, name, git_ref, state| {
        scene.post_by(person, &[("name", name), ("ref", git_ref), ("state", state)])["id"].clone()
    };
    let ids = vec![
        post(&scene.bob, "default", "master", "running"),
        post(&scene.bob, "coverage", "master", "pending"),
        post(&scene.bob, "default", "develop", "running"),
        post(&scene.max, "coverage", "master", "success"),
        post(&scene.max, "coverage", "develop", "success"),
        post(&scene.max, "default", "master", "success"),
    ];
    (scene, ids)
}

/// Which of the six, by number.
#[track_caller]
fn shown(scene: &Scene, six: &[Value], query: &str) -> Vec<usize> {
    let number = |id: &Value| 1 + six.iter().position(|other| other == id).unwrap();
    scene.ids(query).iter().map(number).collect()
}

#[test]
fn statuses_are_for_reporters() {
    let scene = Scene::new(spec());
    let path = format!("/repository/commits/{}/statuses", scene.tip);
    scene.get(&path).by(&scene.rae).gives(200);
    let open = World::new(spec(), Visibility::Public);
    let tip = open.push_line(1);
    open.get(&format!("/repository/commits/{tip}/statuses")).by(&open.eve).gives(200);
}

#[test]
fn an_unknown_commit_has_no_list() {
    let scene = Scene::new(spec());
    for name in [sha(77).as_str(), "no-such", "develop"] {
        let get = scene.get(&format!("/repository/commits/{name}/statuses")).by(&scene.rae);
        get.refused(404, json!({ "message": "404 Commit Not Found" }));
    }
    let get = scene.get(&format!("/repository/commits/{}/statuses?page=x", scene.tip)).by(&scene.rae);
    get.refused(400, json!({ "error": "page is invalid" }));
}

#[test]
fn without_a_ref_the_default_branch_and_the_statuses_without_a_ref_are_listed() {
    let (scene, six) = six(spec());
    assert_eq!(shown(&scene, &six, ""), [4, 6]);
    for (query, numbers) in [
        ("all=1", vec![1, 2, 4, 6]),
        ("all=true", vec![1, 2, 4, 6]),
        ("all=false", vec![4, 6]),
        ("all=foo", vec![4, 6]),
        ("all=", vec![4, 6]),
        ("ref=develop", vec![3, 5]),
        ("ref_name=develop", vec![3, 5]),
        ("ref_name=master&ref=develop", vec![4, 6]),
        ("ref=develop&all=1", vec![3, 5]),
        ("ref=nope", vec![]),
        ("ref=", vec![4, 6]),
        ("name=coverage", vec![4]),
        ("name=coverage&all=1", vec![2, 4]),
        ("name=coverage&ref=develop", vec![5]),
        ("name=nope", vec![]),
        ("stage=external", vec![4, 6]),
        ("stage=external&name=default&all=yes", vec![1, 6]),
        ("stage=build", vec![]),
        ("name=&stage=", vec![4, 6]),
    ] {
        assert_eq!(shown(&scene, &six, query), numbers, "{query}");
    }
}

#[test]
fn gitlab_clients_see_all_refs() {
    let (scene, six) = six(gitlab());
    for (query, numbers) in [
        ("", vec![3, 4, 5, 6]),
        ("all=1", vec![1, 2, 3, 4, 5, 6]),
        ("name=coverage", vec![4, 5]),
        ("ref=develop", vec![3, 5]),
        ("ref_name=develop", vec![3, 5]),
    ] {
        assert_eq!(shown(&scene, &six, query), numbers, "{query}");
    }
}

#[test]
fn a_status_of_a_commit_on_no_branch_has_no_ref_and_is_listed() {
    let world = World::new(spec(), Visibility::Private);
    let commits = [commit(1, &[]), commit(9, &[])];
    let (tip, lone) = (sha(1), sha(9));
    world.push(&commits, &[("refs/heads/master", &tip), ("refs/tags/lone", &lone)]);
    let made = world.post("/statuses/lone").by(&world.bob).form(&[("state", "success")]).gives(201).json;
    assert_eq!((&made["ref"], &made["sha"]), (&Value::Null, &json!(lone)));
    let list = |query: &str| world.get(&format!("/repository/commits/lone/statuses{query}")).by(&world.rae).gives(200);
    assert_eq!(list("").json, json!([made]));
    assert_eq!(list("?ref=master").json, json!([]));
}

#[test]
fn the_newest_of_each_name_counts_whoever_posted_it() {
    let scene = Scene::new(spec());
    let post = |person, name, state| scene.post_by(person, &[("name", name), ("state", state)])["id"].clone();
    let ids = [
        post(&scene.bob, "aa", "running"),
        post(&scene.bob, "cc", "pending"),
        post(&scene.max, "aa", "success"),
        post(&scene.max, "cc", "success"),
        post(&scene.max, "aa", "success"),
    ];
    assert_eq!(scene.ids(""), [ids[3].clone(), ids[4].clone()]);
    assert_eq!(scene.ids("all=1"), ids);
    // moving an older one on does not bring it back
    assert_eq!(post(&scene.bob, "aa", "failed"), ids[0]);
    assert_eq!(scene.ids(""), [ids[3].clone(), ids[4].clone()]);
}

#[test]
fn the_list_is_found_by_branch_and_abbreviation_and_paged() {
    let (scene, six) = six(gitlab());
    for name in ["master", &scene.tip[..10]] {
        let path = format!("/repository/commits/{name}/statuses?all=1&per_page=2&page=2");
        let list = scene.get(&path).by(&scene.rae).gives(200);
        assert_eq!(list.each("id"), &six[2..4]);
        assert_eq!(list.each("sha"), [scene.tip.as_str(), &scene.tip]);
        let header = |name: &str| list.header(name).unwrap().to_owned();
        let figures = ["X-Total", "X-Total-Pages", "X-Per-Page", "X-Page", "X-Next-Page", "X-Prev-Page"];
        assert_eq!(figures.map(header), ["6", "3", "2", "2", "3", "1"]);
        assert!(header("Link").contains(&format!("sha={name}")));
    }
}
