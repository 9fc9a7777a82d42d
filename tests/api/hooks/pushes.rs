//! Hooks of pushes and of what CI posts.

use super::{body, delivered, header, hook};
use crate::support::git::{Commit, commit, line, sha};
use crate::support::v4::has_keys;
use crate::support::{Server, Visibility, World, now};
use edgeforge::store::OutgoingRequest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const COMMIT: &str = "id message title timestamp url author";
const PUSH: &str = "object_kind event_name before after ref ref_protected checkout_sha message user_id user_name user_username user_email user_avatar project_id project commits total_commits_count push_options repository";

fn world() -> World {
    World::new(Server::with(|_| ()), Visibility::Private)
}

fn all(world: &World) {
    hook(
        world,
        json!({ "push_events": true, "tag_push_events": true, "pipeline_events": true, "deployment_events": true, "note_events": true, "issues_events": true }),
    );
}

fn heard(world: &World) -> Vec<OutgoingRequest> {
    delivered(world.server, now())
}

fn zeros() -> String {
    "0".repeat(40)
}

fn ids(push: &Value) -> Vec<String> {
    push["commits"].as_array().unwrap().iter().map(|commit| commit["id"].as_str().unwrap().to_owned()).collect()
}

/// Moves refs: name, old and new.
fn swap(world: &World, changes: &[(&str, Option<&str>, Option<&str>)]) {
    let change = |(name, old, new): &(&str, Option<&str>, Option<&str>)| json!({ "name": name, "old": old, "new": new, "message": null, "commits": 3 });
    let swap = json!({ "default_branch": "master", "changes": changes.iter().map(change).collect::<Vec<_>>() });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
}

fn send(world: &World, commits: &[Commit]) {
    let wire: Vec<Value> = commits.iter().map(|commit| commit.wire()).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
}

#[test]
fn a_push_hook_has_the_commits_that_came() {
    let world = world();
    all(&world);
    let diff = r#"[{"diff":"","new_path":"new.rs","old_path":"new.rs","a_mode":"0","b_mode":"0","new_file":true,"renamed_file":false,"deleted_file":false},{"diff":"","new_path":"old.rs","old_path":"old.rs","a_mode":"0","b_mode":"0","new_file":false,"renamed_file":false,"deleted_file":true},{"diff":"","new_path":"same.rs","old_path":"same.rs","a_mode":"0","b_mode":"0","new_file":false,"renamed_file":false,"deleted_file":false}]"#;
    let mut commits = line(2);
    commits.push(commit(3, &[2]).with(|commit| commit.diff = diff.to_owned()));
    send(&world, &commits);
    // a small first push
    swap(&world, &[("refs/heads/master", None, Some(&sha(2)))]);
    let sent = heard(&world);
    let [first] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(header(first, "X-Gitlab-Event"), Some("Push Hook"));
    let first = body(first);
    assert_eq!(
        (&first["before"], &first["after"], ids(&first)),
        (&json!(zeros()), &json!(sha(2)), vec![sha(1), sha(2)])
    );
    swap(&world, &[("refs/heads/master", Some(&sha(2)), Some(&sha(3)))]);
    let sent = heard(&world);
    let push = body(&sent[0]);
    has_keys(&push, &[PUSH]);
    has_keys(&push["commits"][0], &[COMMIT, "added modified removed"]);
    assert_eq!(
        (&push["before"], &push["after"], ids(&push), &push["total_commits_count"]),
        (&json!(sha(2)), &json!(sha(3)), vec![sha(3)], &json!(1))
    );
    let came = &push["commits"][0];
    assert_eq!(
        (&came["added"], &came["modified"], &came["removed"]),
        (&json!(["new.rs"]), &json!(["same.rs"]), &json!(["old.rs"]))
    );
    assert_eq!(
        (&came["title"], &came["timestamp"], &came["author"]),
        (
            &json!("Change 3"),
            &json!("2014-05-16T18:53:20+02:00"),
            &json!({ "name": "Ann", "email": "ann@example.com" })
        )
    );
    assert_eq!(
        (&push["ref"], &push["ref_protected"], &push["user_username"]),
        (&json!("refs/heads/master"), &json!(true), &json!(world.ann.username))
    );
    let protected = |value: i64| {
        let change = json!({ "default_branch_protection": value });
        world.server.put("/application/settings").by(&world.root).json(change).gives(200);
    };
    protected(0);
    swap(&world, &[("refs/heads/master", Some(&sha(3)), Some(&sha(2)))]);
    swap(&world, &[("refs/heads/master", Some(&sha(2)), Some(&sha(3)))]);
    assert!(heard(&world).iter().all(|sent| body(sent)["ref_protected"] == false));
    protected(2);
    // a new branch has what the default branch lacks
    swap(&world, &[("refs/heads/same", None, Some(&sha(3))), ("refs/heads/master", Some(&sha(3)), Some(&sha(2)))]);
    let pushes: Vec<Value> = heard(&world).iter().map(body).collect();
    assert_eq!(
        pushes.iter().map(|push| push["ref"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
        ["refs/heads/same", "refs/heads/master"]
    );
    assert_eq!(pushes.iter().map(ids).collect::<Vec<_>>(), [Vec::<String>::new(), Vec::new()]);
    swap(&world, &[("refs/heads/same", Some(&sha(3)), None)]);
    let gone = body(&heard(&world)[0]);
    assert_eq!(
        (&gone["before"], &gone["after"], &gone["checkout_sha"], &gone["commits"]),
        (&json!(sha(3)), &json!(zeros()), &Value::Null, &json!([]))
    );
}

#[test]
fn a_push_of_long_names_of_control_characters_is_taken_and_sent() {
    let world = world();
    all(&world);
    let controls = |length: usize| format!("a{}a", "\u{1}".repeat(length));
    let author: &str = format!("{0} <{0}>", controls(4000)).leak();
    let odd = |commit: Commit| commit.with(|commit| (commit.author, commit.message) = (author, controls(10_000)));
    // each parent has its own hash before the child is made
    let commits: Vec<Commit> =
        (1..=20_u32).map(|number| odd(commit(number, &if number > 1 { vec![number - 1] } else { vec![] }))).collect();
    for some in commits.chunks(10) {
        send(&world, some);
    }
    swap(&world, &[("refs/heads/master", None, Some(&sha(20)))]);
    let push = body(&heard(&world)[0]);
    assert_eq!(push["after"], json!(sha(20)));
}

#[test]
fn a_tag_hook_has_the_tag_and_its_commit() {
    let world = world();
    all(&world);
    send(&world, &line(1));
    swap(&world, &[("refs/heads/master", None, Some(&sha(1)))]);
    heard(&world);
    let tag = "f".repeat(40);
    let change = json!({ "name": "refs/tags/v1", "old": null, "new": sha(1), "tag_sha": tag, "message": "Second" });
    world
        .put("/mirror/refs")
        .by(&world.ann)
        .json(json!({ "default_branch": "master", "changes": [change] }))
        .gives(200);
    let sent = heard(&world);
    assert_eq!(header(&sent[0], "X-Gitlab-Event"), Some("Tag Push Hook"));
    let push = body(&sent[0]);
    has_keys(&push, &[PUSH]);
    assert_eq!(
        (&push["before"], &push["after"], &push["checkout_sha"]),
        (&json!(zeros()), &json!(tag), &json!(sha(1)))
    );
    assert_eq!(
        (&push["message"], ids(&push), &push["object_kind"]),
        (&json!("Second"), vec![sha(1)], &json!("tag_push"))
    );
}

#[test]
fn a_tag_that_moves_or_goes_was_the_tag_object() {
    let world = world();
    all(&world);
    send(&world, &line(2));
    swap(&world, &[("refs/heads/master", None, Some(&sha(1)))]);
    heard(&world);
    let tags = ["e", "f"].map(|digit| digit.repeat(40));
    let pushed = |old: Option<String>, new: Option<String>, tag: Option<&String>| {
        let change = json!({ "name": "refs/tags/v1", "old": old, "new": new, "tag_sha": tag });
        let swap = json!({ "default_branch": "master", "changes": [change] });
        world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
        let push = body(&heard(&world)[0]);
        [push["before"].clone(), push["after"].clone()]
    };
    assert_eq!(pushed(None, Some(sha(1)), Some(&tags[0])), [json!(zeros()), json!(tags[0])]);
    assert_eq!(pushed(Some(sha(1)), Some(sha(1)), Some(&tags[1])), [json!(tags[0]), json!(tags[1])]);
    assert_eq!(pushed(Some(sha(1)), Some(sha(2)), None), [json!(tags[1]), json!(sha(2))]);
    assert_eq!(pushed(Some(sha(2)), Some(sha(2)), Some(&tags[0])), [json!(sha(2)), json!(tags[0])]);
    assert_eq!(pushed(Some(sha(2)), None, None), [json!(tags[0]), json!(zeros())]);
}

#[test]
fn a_history_and_too_many_refs_are_no_events() {
    let world = world();
    all(&world);
    send(&world, &line(2));
    let many: Vec<String> = (0..51).map(|number| format!("refs/heads/b{number}")).collect();
    // more than three refs at first
    swap(
        &world,
        &[
            ("refs/heads/master", None, Some(&sha(1))),
            ("refs/heads/a", None, Some(&sha(1))),
            ("refs/heads/b", None, Some(&sha(1))),
            ("refs/heads/c", None, Some(&sha(1))),
        ],
    );
    assert_eq!(heard(&world), []);
    let two = sha(2);
    let mut changes: Vec<(&str, Option<&str>, Option<&str>)> =
        many.iter().map(|name| (name.as_str(), None, Some(two.as_str()))).collect();
    let one = sha(1);
    changes.push(("refs/heads/master", Some(&one), Some(&two)));
    swap(&world, &changes);
    // 51 made and one moved
    assert_eq!(heard(&world), []);
    let recheck = json!({ "default_branch": "master", "changes": [], "recheck": true });
    world.put("/mirror/refs").by(&world.ann).json(recheck).gives(200);
    assert_eq!(heard(&world), []);
}

#[test]
fn a_push_hook_may_be_about_some_branches_alone() {
    let world = world();
    hook(&world, json!({ "push_events": true, "push_events_branch_filter": "release/*" }));
    hook(&world, json!({ "push_events": true, "push_events_branch_filter": "", "url": "https://blank.example.org/" }));
    hook(
        &world,
        json!({ "push_events": true, "push_events_branch_filter": r"^[^/\d]\S+/.*\p{L}$|^mas", "branch_filter_strategy": "regex", "url": "https://regex.example.org/" }),
    );
    send(&world, &line(1));
    swap(
        &world,
        &[
            ("refs/heads/master", None, Some(&sha(1))),
            ("refs/heads/release/größé", None, Some(&sha(1))),
            ("refs/heads/old", None, Some(&sha(1))),
        ],
    );
    let mut heard: Vec<String> =
        heard(&world).iter().map(|one| format!("{} {}", one.url, body(one)["ref"].as_str().unwrap())).collect();
    heard.sort();
    assert_eq!(
        heard,
        [
            "https://blank.example.org/ refs/heads/master",
            "https://blank.example.org/ refs/heads/old",
            "https://blank.example.org/ refs/heads/release/größé",
            "https://hooks.example.org/in refs/heads/release/größé",
            "https://regex.example.org/ refs/heads/master",
            "https://regex.example.org/ refs/heads/release/größé"
        ]
    );
}

#[test]
fn a_pipeline_hook_tells_when_the_state_of_a_pipeline_changes() {
    let world = world();
    all(&world);
    world.push_line(1);
    heard(&world);
    let post = |name: &str, state: &str| {
        world
            .post(&format!("/statuses/{}", sha(1)))
            .by(&world.bob)
            .json(json!({ "state": state, "name": name, "ref": "master" }))
            .gives(201);
        heard(&world).iter().map(body).collect::<Vec<_>>()
    };
    let states = |sent: Vec<Value>| {
        sent.iter().map(|one| one["object_attributes"]["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(states(post("test", "pending")), ["pending"]);
    assert_eq!(states(post("lint", "pending")), Vec::<String>::new());
    assert_eq!(states(post("test", "running")), ["running"]);
    assert_eq!(states(post("test", "success")), Vec::<String>::new());
    let done = post("lint", "success");
    let pipeline = &done[0];
    has_keys(pipeline, &["object_kind object_attributes merge_request user project commit builds"]);
    has_keys(
        &pipeline["object_attributes"],
        &[
            "id iid name ref tag sha before_sha source status detailed_status stages created_at finished_at duration queued_duration protected_ref variables url",
        ],
    );
    has_keys(
        &pipeline["builds"][0],
        &[
            "id stage name status created_at started_at finished_at duration queued_duration failure_reason when manual allow_failure user runner artifacts_file environment",
        ],
    );
    has_keys(&pipeline["commit"], &[COMMIT]);
    let attributes = &pipeline["object_attributes"];
    assert_eq!(
        (&attributes["status"], &attributes["detailed_status"], &attributes["ref"]),
        (&json!("success"), &json!("passed"), &json!("master"))
    );
    assert!(attributes["duration"].is_i64() && attributes["finished_at"].is_string(), "{attributes}");
    assert_eq!(
        pipeline["builds"].as_array().unwrap().iter().map(|build| build["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["lint", "test"]
    );
    assert_eq!(pipeline["user"]["id"], world.bob.id);
}

#[test]
fn a_deployment_hook_tells_each_new_state_but_pending() {
    let world = world();
    all(&world);
    world.push_line(1);
    heard(&world);
    let told = || heard(&world).iter().map(|one| body(one)["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let new = |status: &str| {
        let fields = json!({ "environment": "staging", "sha": sha(1), "ref": "master", "tag": false, "status": status, "external_url": "https://staging.example.com" });
        world.post("/deployments").by(&world.bob).json(fields).gives(201).id()
    };
    let id = new("pending");
    assert_eq!(told(), Vec::<String>::new());
    let put =
        |status: &str| world.put(&format!("/deployments/{id}")).by(&world.bob).json(json!({ "status": status })).send();
    put("running");
    assert_eq!(told(), ["running"]);
    put("running");
    put("pending");
    assert_eq!(told(), Vec::<String>::new());
    put("success");
    let sent = body(&heard(&world)[0]);
    has_keys(
        &sent,
        &[
            "object_kind status status_changed_at deployment_id deployable_id deployable_url environment environment_tier environment_slug environment_external_url project ref short_sha user user_url commit_url commit_title",
        ],
    );
    for (name, value) in [
        ("status", json!("success")),
        ("environment", json!("staging")),
        ("environment_tier", json!("staging")),
        ("environment_slug", json!("staging")),
        ("environment_external_url", json!("https://staging.example.com")),
        ("ref", json!("master")),
        ("short_sha", json!(sha(1)[..8])),
        ("commit_title", json!("Change 1")),
    ] {
        assert_eq!(sent[name], value, "{name}");
    }
    assert!(sent["status_changed_at"].as_str().unwrap().ends_with(" +0000"));
    new("failed");
    assert_eq!(told(), ["failed"]);
}

#[test]
fn a_comment_on_a_commit_is_a_note_hook() {
    let world = world();
    all(&world);
    world.push_line(1);
    heard(&world);
    world
        .post(&format!("/repository/commits/{}/comments", sha(1)))
        .by(&world.rae)
        .json(json!({ "note": "Seen." }))
        .gives(201);
    let sent = heard(&world);
    assert_eq!(header(&sent[0], "X-Gitlab-Event"), Some("Note Hook"));
    let note = body(&sent[0]);
    has_keys(&note, &["object_kind event_type user project_id project object_attributes repository commit"]);
    has_keys(&note["commit"], &[COMMIT]);
    let attributes = &note["object_attributes"];
    assert_eq!(
        (&attributes["noteable_type"], &attributes["noteable_id"], &attributes["commit_id"], &attributes["note"]),
        (&json!("Commit"), &Value::Null, &json!(sha(1)), &json!("Seen."))
    );
}

#[test]
fn an_issue_that_a_commit_closes_is_an_event() {
    let world = world();
    all(&world);
    for title in ["a", "b"] {
        world.issue(&world.rae, json!({ "title": title }));
    }
    send(&world, &line(1));
    swap(&world, &[("refs/heads/master", None, Some(&sha(1)))]);
    heard(&world);
    send(&world, &[commit(2, &[1]).with(|commit| commit.message = "Closes #1, see #2".to_owned())]);
    swap(&world, &[("refs/heads/master", Some(&sha(1)), Some(&sha(2)))]);
    let told: Vec<String> = heard(&world)
        .iter()
        .map(|one| {
            format!(
                "{} {} {}",
                header(one, "X-Gitlab-Event").unwrap(),
                body(one)["object_attributes"]["title"],
                body(one)["object_attributes"]["action"]
            )
        })
        .collect();
    assert_eq!(told, ["Issue Hook \"a\" \"close\"", "Push Hook null null"]);
}

#[test]
fn hooks_of_the_system_hear_of_pushes_of_all_projects_if_they_ask() {
    let world = world();
    let root = world.server.root();
    let url = "https://system.example.org/";
    world
        .server
        .ask_v4("POST", "/hooks")
        .by(&root)
        .json(json!({ "url": url, "push_events": true, "repository_update_events": false }))
        .gives(201);
    world.push_line(2);
    let sent = heard(&world);
    let [one] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!((one.url.as_str(), header(one, "X-Gitlab-Event")), (url, Some("System Hook")));
    assert_eq!((&body(one)["commits"], &body(one)["total_commits_count"]), (&json!([]), &json!(2)));
}

#[test]
fn a_test_sends_the_newest_push_tag_pipeline_and_deployment() {
    let world = world();
    let id = hook(&world, json!({}));
    let test = |trigger: &str| world.v4("POST", &format!("/hooks/{id}/test/{trigger}")).by(&world.ann);
    for (trigger, text) in [
        ("push_events", "Ensure the project has at least one commit."),
        ("tag_push_events", "Ensure the project has at least one commit."),
        ("pipeline_events", "Ensure the project has CI pipelines."),
        ("deployment_events", "Ensure the project has deployments."),
    ] {
        test(trigger).refused(422, json!({ "message": text }));
    }
    world.server.turn_to(now() + 61_000);
    world.push(&line(4), &[("refs/heads/master", &sha(4)), ("refs/tags/v1", &sha(2))]);
    world
        .post(&format!("/statuses/{}", sha(4)))
        .by(&world.bob)
        .json(json!({ "state": "success", "ref": "master" }))
        .gives(201);
    world
        .post("/deployments")
        .by(&world.bob)
        .json(json!({ "environment": "e", "sha": sha(4), "ref": "master", "tag": false, "status": "success" }))
        .gives(201);
    let sent = |trigger: &str| {
        test(trigger).gives(201);
        body(&world.server.database().take_sent()[0])
    };
    let push = sent("push_events");
    assert_eq!(
        (ids(&push), &push["before"], &push["after"]),
        (vec![sha(2), sha(3), sha(4)], &json!(sha(2)), &json!(sha(4)))
    );
    assert_eq!(sent("tag_push_events")["ref"], "refs/tags/v1");
    assert_eq!(sent("pipeline_events")["object_attributes"]["status"], "success");
    assert_eq!(sent("deployment_events")["status"], "success");
}

#[test]
fn the_most_refs_that_hooks_get_are_a_setting() {
    let world = world();
    all(&world);
    let limit = |most: i64| {
        let setting = json!({ "push_event_hooks_limit": most });
        world.server.ask_v4("PUT", "/application/settings").by(&world.root).json(setting).gives(200);
    };
    send(&world, &line(1));
    swap(&world, &[("refs/heads/master", None, Some(&sha(1)))]);
    assert_eq!(heard(&world).len(), 1);
    limit(1);
    let two = [("refs/heads/a", None, Some(sha(1))), ("refs/heads/b", None, Some(sha(1)))];
    let both: Vec<_> = two.iter().map(|(name, old, new)| (*name, *old, new.as_deref())).collect();
    swap(&world, &both);
    assert_eq!(heard(&world), []);
    swap(&world, &[("refs/heads/a", Some(&sha(1)), None)]);
    assert_eq!(heard(&world).len(), 1);
    limit(0);
    swap(&world, &[("refs/heads/b", Some(&sha(1)), None)]);
    assert_eq!(heard(&world), []);
}

#[test]
fn a_branch_or_tag_with_a_long_name_is_pushed_and_told() {
    let world = world();
    all(&world);
    send(&world, &line(1));
    for kind in ["heads", "tags"] {
        let name = format!("refs/{kind}/{}", "long/".repeat(50) + "name");
        swap(&world, &[(&name, None, Some(&sha(1)))]);
        let sent = heard(&world);
        assert_eq!((sent.len(), &body(&sent[0])["ref"]), (1, &json!(name)));
    }
}

#[test]
fn the_end_of_a_token_is_an_event_seven_days_and_one_day_before() {
    const DAY: i64 = 86_400_000;
    let world = world();
    hook(&world, json!({ "resource_access_token_events": true }));
    let made = |name: &str, days: i64| {
        let sql = format!("select json_quote(date({}, 'unixepoch')) as v", (now() + days * DAY) / 1000);
        let expires_at = world.server.rows(&sql)[0].clone();
        let token = json!({ "name": name, "scopes": ["api"], "expires_at": expires_at });
        world.v4("POST", "/access_tokens").by(&world.ann).json(token).gives(201).id()
    };
    let (id, _) = (made("ci", 20), made("later", 60));
    let revoked = made("revoked", 20);
    world.v4("DELETE", &format!("/access_tokens/{revoked}")).by(&world.ann).gives(204);
    let told = |days: i64| {
        let at = now() + days * DAY;
        world.server.sweep(at).unwrap();
        world.server.deliver(at);
        world.server.database().take_sent()
    };
    assert_eq!(told(12), []);
    let sent = told(14);
    assert_eq!(sent.len(), 1);
    assert_eq!(header(&sent[0], "X-Gitlab-Event"), Some("Resource Access Token Hook"));
    let token = body(&sent[0]);
    has_keys(&token, &["object_kind project object_attributes event_name"]);
    has_keys(&token["object_attributes"], &["user_id created_at id name expires_at"]);
    assert_eq!((&token["object_attributes"]["id"], &token["object_attributes"]["name"]), (&json!(id), &json!("ci")));
    // once each
    assert_eq!(told(15), []);
    assert_eq!(told(19).len(), 1);
    assert_eq!(told(19), []);
}

#[test]
fn the_title_of_a_commit_in_a_body_is_that_of_the_api() {
    let world = world();
    all(&world);
    let messages = ["".to_owned(), "é".repeat(101), "\n\n  \nthe title  \n\nrest\n".to_owned()];
    for (number, message) in (1_u32..).zip(messages) {
        let made = commit(number, &if number > 1 { vec![number - 1] } else { vec![] });
        send(&world, &[made.with(|commit| commit.message = message)]);
    }
    swap(&world, &[("refs/heads/master", None, Some(&sha(3)))]);
    let titles: Vec<Value> = [1, 2, 3]
        .map(|number| world.v4("GET", &format!("/repository/commits/{}", sha(number))).by(&world.ann).gives(200).json)
        .map(|commit| commit["title"].clone())
        .to_vec();
    assert_eq!(titles, [json!("--no commit message"), json!(format!("{}…", "é".repeat(80))), json!("the title")]);
    let push = body(&heard(&world)[0]);
    let pushed: Vec<Value> = push["commits"].as_array().unwrap().iter().map(|commit| commit["title"].clone()).collect();
    assert_eq!(pushed, titles);
    for (number, title) in (1_u32..).zip(&titles) {
        let at = sha(number);
        swap(&world, &[(&format!("refs/tags/v{number}"), None, Some(&at))]);
        world
            .post(&format!("/repository/commits/{at}/comments"))
            .by(&world.ann)
            .json(json!({ "note": "n" }))
            .gives(201);
        let status = json!({ "state": "success", "ref": format!("r{number}") });
        world.post(&format!("/statuses/{at}")).by(&world.ann).json(status).gives(201);
        let deployment = json!({ "environment": "e", "sha": at, "ref": "master", "tag": false, "status": "success" });
        world.v4("POST", "/deployments").by(&world.ann).json(deployment).gives(201);
        let mut kinds = Vec::new();
        for sent in heard(&world).iter().map(body) {
            let shown = match sent["object_kind"].as_str().unwrap() {
                "tag_push" => &sent["commits"][0]["title"],
                "deployment" => &sent["commit_title"],
                _ => &sent["commit"]["title"],
            };
            assert_eq!(shown, title, "{sent}");
            kinds.push(sent["object_kind"].as_str().unwrap().to_owned());
        }
        kinds.sort();
        assert_eq!(kinds, ["deployment", "note", "pipeline", "tag_push"]);
    }
}

#[test]
fn zeros_are_as_long_as_the_hashes_of_the_repository() {
    let world = world();
    all(&world);
    let tree = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
    let object = format!("tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n");
    let hash = Sha256::digest(format!("commit {}\0{object}", object.len()));
    let id: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let made = json!({ "id": id, "object": object, "additions": 0, "deletions": 0, "diff": "[]" });
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [made] })).gives(201);
    swap(&world, &[("refs/heads/master", None, Some(&id))]);
    world.post(&format!("/statuses/{id}")).by(&world.ann).json(json!({ "state": "success" })).gives(201);
    let sent: Vec<Value> = heard(&world).iter().map(body).collect();
    let zeros = json!("0".repeat(64));
    assert_eq!((&sent[0]["before"], &sent[1]["object_attributes"]["before_sha"]), (&zeros, &zeros), "{sent:?}");
    let pipeline = &sent[1]["object_attributes"]["id"];
    let shown = world.v4("GET", &format!("/pipelines/{pipeline}")).by(&world.ann).gives(200).json;
    assert_eq!(shown["before_sha"], zeros);
}
