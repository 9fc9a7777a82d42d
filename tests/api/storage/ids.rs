//! The id of a deleted record names nothing else later.

use crate::hooks::{delivered, hook, log};
use crate::packages::published;
use crate::support::git::{Commit, commit, sha};
use crate::support::v4::{at, made};
use crate::support::{Server, Visibility, World, now, spec};
use crate::uploads::uploaded;
use edgeforge::Retention;
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;

fn server() -> &'static Server {
    Server::with_objects(|config| config.retention = Retention { deleted_projects: 7, ..Retention::default() })
}

/// Deletes the project, and its rows a week later.
fn purge(world: &World, now: i64) {
    world.v4("DELETE", "").by(&world.ann).gives(202);
    while world.server.sweep(now).unwrap().unfinished {}
}

#[test]
fn the_id_of_a_deleted_record_is_that_of_no_other_project() {
    let server = spec();
    let [world, other] = [(); 2].map(|()| World::new(server, Visibility::Private));
    let issues = [&world, &other].map(|world| made(world, &world.ann, json!({ "title": "t" })));
    let linked = [&world, &other].map(|world| made(world, &world.ann, json!({ "title": "u" })));
    let post = |world: &World, path: &str, fields: Value| {
        world.v4("POST", path).by(&world.ann).json(fields).gives(201).json["id"].clone()
    };
    let upload = |world: &World| uploaded(world, &world.ann, "a.txt", b"a")["id"].clone();
    let file = |world: &World| published(world, &world.ann, "p/1/a", b"a");
    let one = |world: &World, number: usize| -> Vec<(&str, String, Value)> {
        let issue = format!("/issues/{}", issues[number]["iid"]);
        let link = json!({ "target_project_id": world.project.id, "target_issue_iid": linked[number]["iid"] });
        let badge = json!({ "link_url": "https://a.example", "image_url": "https://a.example" });
        let links = at(world, "POST", &issues[number], "/links").by(&world.ann).json(link).gives(201);
        drop(links);
        let links = at(world, "GET", &issues[number], "/links").by(&world.ann).gives(200).json;
        let file = file(world);
        let package = format!("/packages/{}/package_files", file["package_id"]);
        vec![
            ("label", "/labels".to_owned(), post(world, "/labels", json!({ "name": "l", "color": "#000000" }))),
            (
                "award",
                format!("{issue}/award_emoji"),
                post(world, &format!("{issue}/award_emoji"), json!({ "name": "ok" })),
            ),
            ("link", format!("{issue}/links"), links[0]["issue_link_id"].clone()),
            ("badge", "/badges".to_owned(), post(world, "/badges", badge)),
            ("upload", "/uploads".to_owned(), upload(world)),
            ("file", package, file["id"].clone()),
            ("package", "/packages".to_owned(), file["package_id"].clone()),
        ]
    };
    let gone = one(&world, 0);
    for (_, path, id) in &gone {
        let status = world.v4("DELETE", &format!("{path}/{id}")).by(&world.ann).send().status;
        assert!(status < 300, "{path}/{id}: {status}");
    }
    for ((what, _, id), (_, _, next)) in gone.into_iter().zip(one(&other, 1)) {
        assert!(next.as_i64() > id.as_i64(), "{what}: {next} after {id}");
    }
}

#[test]
fn a_comment_names_no_purged_issue_when_another_one_is_made() {
    if !spec().is_in_process() {
        return;
    }
    let server = server();
    let [secret, open] = [Visibility::Private, Visibility::Public].map(|level| World::new(server, level));
    let seen = made(&open, &open.ann, json!({ "title": "seen" }));
    let hidden = made(&secret, &secret.ann, json!({ "title": "hidden" }));
    let link = json!({ "target_project_id": secret.project.id, "target_issue_iid": hidden["iid"] });
    at(&open, "POST", &seen, "/links").by(&open.ann).json(link).gives(201);
    purge(&secret, now() + 8 * DAY);
    let next = made(&open, &open.ann, json!({ "title": "next" }));
    assert!(next["id"].as_i64() > hidden["id"].as_i64());
    let notes = at(&open, "GET", &seen, "/notes").gives(200).text;
    assert!(!notes.contains(&secret.project.path), "{notes}");
}

#[test]
fn the_log_of_a_hook_shows_no_event_of_another_project() {
    if !spec().is_in_process() {
        return;
    }
    let (server, start) = (server(), now());
    server.turn_to(start);
    let [mine, gone, secret] = [(); 3].map(|()| World::new(server, Visibility::Private));
    let [own, ..] = [&mine, &gone, &secret].map(|world| hook(world, json!({ "issues_events": true })));
    for world in [&mine, &gone] {
        made(world, &world.ann, json!({ "title": "t" }));
    }
    delivered(server, start);
    server.turn_to(start + 6 * DAY);
    let entry = log(&mine, own)[0]["id"].clone();
    mine.v4("POST", &format!("/hooks/{own}/events/{entry}/resend")).by(&mine.ann).gives(201);
    // the newest event goes with its project, and the older one for its age
    server.turn_to(start);
    purge(&gone, start + 8 * DAY);
    server.turn_to(start + 8 * DAY);
    made(&secret, &secret.ann, json!({ "title": "secret" }));
    let log = log(&mine, own);
    assert_eq!((log.as_array().unwrap().len(), &log[0]["request_data"]), (1, &json!({ "oversize": true })));
}

#[test]
fn a_new_commit_is_not_taken_for_history_when_another_project_is_purged() {
    if !spec().is_in_process() {
        return;
    }
    let server = server();
    let [world, gone] = [(); 2].map(|()| World::new(server, Visibility::Private));
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let send = |world: &World, commit: &Commit| {
        let commits = json!({ "commits": [commit.wire()] });
        world.post("/mirror/commits").by(&world.ann).json(commits).gives(201);
    };
    let swap = |old: Option<String>, new: &str| {
        let change = json!({ "name": "refs/heads/main", "old": old, "new": new });
        let swap = json!({ "default_branch": "main", "changes": [change] });
        world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    };
    send(&world, &commit(1, &[]));
    gone.push_line(5);
    swap(None, &sha(1));
    purge(&gone, now() + 8 * DAY);
    let said = commit(2, &[1]).with(|commit| commit.message = format!("See #{}\n", issue["iid"]));
    send(&world, &said);
    swap(Some(sha(1)), &said.sha);
    let notes = at(&world, "GET", &issue, "/notes").by(&world.ann).gives(200).json;
    assert_eq!(notes[0]["body"], format!("mentioned in commit {}", said.sha));
}
