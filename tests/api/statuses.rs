//! Commit statuses.

use crate::support::git::{commit, line, sha};
use crate::support::{Answer, Ask, Person, Server, Visibility, World, gitlab, spec};
use serde_json::{Value, json};

const ENQUEUE_FROM_RUNNING: &str = "Cannot transition status via :enqueue from :running (Reason(s): Status cannot transition via \"enqueue\")";
const ENQUEUE_FROM_PENDING: &str = "Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via \"enqueue\")";
const RUN_FROM_RUNNING: &str =
    "Cannot transition status via :run from :running (Reason(s): Status cannot transition via \"run\")";

impl World {
    fn post_status(&self, person: &Person, sha: &str, fields: Value) -> Ask {
        self.post(&format!("/statuses/{sha}")).by(person).json(fields)
    }

    fn posted(&self, person: &Person, sha: &str, fields: Value) -> Answer {
        self.post_status(person, sha, fields).gives(201)
    }

    fn statuses(&self, sha: &str, query: &str) -> Answer {
        self.get(&format!("/repository/commits/{sha}/statuses{query}")).by(&self.rae).gives(200)
    }

    fn ids(&self, sha: &str, query: &str) -> Vec<Value> {
        self.statuses(sha, query).each("id")
    }
}

/// A private project with three commits on master, and the tip's hash.
fn world(server: &'static Server) -> (World, String) {
    let world = World::new(server, Visibility::Private);
    let tip = world.push_line(3);
    (world, tip)
}

/// The six statuses of the original's own tests, posted so that none moves another.
fn six(world: &World, tip: &str) -> Vec<Value> {
    let post = |person, git_ref: &str, name: &str, state: &str| {
        let fields = json!({ "ref": git_ref, "name": name, "state": state });
        json!(world.posted(person, tip, fields).id())
    };
    vec![
        post(&world.ann, "master", "default", "running"),
        post(&world.ann, "master", "coverage", "pending"),
        post(&world.bob, "develop", "default", "running"),
        post(&world.bob, "master", "coverage", "success"),
        post(&world.bob, "develop", "coverage", "success"),
        post(&world.bob, "master", "default", "success"),
    ]
}

#[test]
fn a_status_has_the_fields_of_the_specification() {
    let (world, tip) = world(spec());
    let fields = json!({
        "state": "success", "context": "coverage", "ref": "develop", "target_url": "url", "description": "test",
    });
    let answer = world.posted(&world.bob, &tip, fields);
    let author = &answer.json["author"];
    assert_eq!(author["id"], world.bob.id);
    assert_eq!(author.as_object().unwrap().len(), 6);
    let at = &answer.json["created_at"];
    let expected = json!({
        "id": answer.id(), "sha": tip, "ref": "develop", "status": "success", "name": "coverage",
        "target_url": "url", "description": "test", "allow_failure": false, "author": author,
        "created_at": at, "started_at": null, "finished_at": at,
    });
    assert_eq!(answer.json, expected);
    assert_eq!(world.statuses(&tip, "?ref=develop").json, json!([expected]));
}

#[test]
fn a_status_of_any_state_is_posted_with_the_state_alone() {
    let (world, tip) = world(spec());
    for state in ["pending", "running", "success", "failed", "canceled"] {
        // each by a name of its own, for an unfinished one would be moved
        let answer = world.posted(&world.bob, &tip, json!({ "state": state, "name": state }));
        assert_eq!(answer.json["status"], state);
        assert_eq!(answer.json["sha"], tip);
        assert_eq!(answer.json["ref"], "master");
        assert_eq!(answer.json["target_url"], Value::Null);
        assert_eq!(answer.json["description"], Value::Null);
        assert_eq!(answer.json["started_at"].is_string(), state == "running");
        assert_eq!(answer.json["finished_at"].is_string(), !["pending", "running"].contains(&state));
    }
    let unnamed = world.posted(&world.bob, &tip, json!({ "state": "success" }));
    assert_eq!(unnamed.json["name"], "default");
}

#[test]
fn parameters_may_come_in_the_query_with_an_empty_body() {
    let (world, tip) = world(spec());
    let ask = world.post(&format!("/statuses/{tip}?state=success&name=ruby&ref=master")).by(&world.bob);
    let answer = ask.body("application/x-www-form-urlencoded", "").gives(201);
    assert_eq!((&answer.json["status"], &answer.json["name"]), (&json!("success"), &json!("ruby")));
    let form = world.post(&format!("/statuses/{tip}")).by(&world.bob).form(&[("state", "success")]);
    assert_eq!(form.gives(201).json["name"], "default");
    let multipart = world.post(&format!("/statuses/{tip}")).by(&world.bob).multipart(&[("state", "failed")]);
    assert_eq!(multipart.gives(201).json["status"], "failed");
}

#[test]
fn an_unfinished_status_is_moved_and_a_finished_one_never() {
    let (world, tip) = world(spec());
    for (n, finish) in ["success", "failed", "canceled"].into_iter().enumerate() {
        let name = format!("job {n}");
        let post = |state: &str| world.posted(&world.bob, &tip, json!({ "state": state, "name": name }));
        let pending = post("pending");
        let running = post("running");
        assert_eq!(running.id(), pending.id());
        assert_eq!(running.json["created_at"], pending.json["created_at"]);
        assert!(running.json["started_at"].is_string() && running.json["finished_at"].is_null());
        let finished = post(finish);
        assert_eq!(finished.id(), pending.id());
        assert_eq!(finished.json["started_at"], running.json["started_at"]);
        assert!(finished.json["finished_at"].is_string());
        let again = post(finish);
        assert!(again.id() > finished.id());
        assert_eq!(again.json["started_at"], Value::Null);
        assert_eq!(world.ids(&tip, &format!("?name=job+{n}")), [json!(again.id())]);
        assert_eq!(world.ids(&tip, &format!("?name=job+{n}&all=1")), [finished.id(), again.id()]);
    }
    let straight = world.posted(&world.bob, &tip, json!({ "state": "pending", "name": "straight" }));
    let done = world.posted(&world.bob, &tip, json!({ "state": "success", "name": "straight" }));
    assert_eq!(done.id(), straight.id());
    assert_eq!(done.json["started_at"], Value::Null);
}

#[test]
fn a_retried_status_is_what_the_commit_shows() {
    let (world, tip) = world(spec());
    world.posted(&world.bob, &tip, json!({ "state": "failed" }));
    let of_commit = || world.get(&format!("/repository/commits/{tip}")).by(&world.rae).gives(200);
    assert_eq!(of_commit().json["status"], "failed");
    let retry = world.posted(&world.bob, &tip, json!({ "state": "success" }));
    assert_eq!(world.ids(&tip, ""), [json!(retry.id())]);
    assert_eq!(of_commit().json["status"], "success");
}

#[test]
fn another_users_unfinished_status_stays_as_it_is() {
    let (world, tip) = world(spec());
    let first = world.posted(&world.bob, &tip, json!({ "state": "running" }));
    let second = world.posted(&world.ann, &tip, json!({ "state": "success" }));
    assert!(second.id() > first.id());
    assert_eq!(world.ids(&tip, "?all=yes"), [first.id(), second.id()]);
    assert_eq!(world.ids(&tip, ""), [second.id()]);
    // the older one moves on without becoming the newest
    let moved = world.posted(&world.bob, &tip, json!({ "state": "failed" }));
    assert_eq!(moved.id(), first.id());
    assert_eq!(world.ids(&tip, ""), [second.id()]);
    let commit = world.get(&format!("/repository/commits/{tip}")).by(&world.rae).gives(200);
    assert_eq!(commit.json["status"], "success");
}

#[test]
fn nothing_goes_back_from_running_to_pending() {
    for server in [spec(), gitlab()] {
        let (world, tip) = world(server);
        let fields = json!({ "state": "running", "description": "kept" });
        let running = world.posted(&world.bob, &tip, fields);
        let late = json!({ "state": "pending", "description": "late", "target_url": "http://late" });
        world.post_status(&world.bob, &tip, late).refused(400, json!({ "message": ENQUEUE_FROM_RUNNING }));
        let all = world.statuses(&tip, "?all=1");
        assert_eq!(all.json, json!([running.json]));
    }
}

#[test]
fn an_open_status_posted_again_is_updated() {
    let (world, tip) = world(spec());
    for state in ["pending", "running"] {
        let first = world.posted(&world.bob, &tip, json!({ "state": state, "description": "one" }));
        let again = json!({ "state": state, "description": " ", "target_url": "http://ci/2" });
        let second = world.posted(&world.bob, &tip, again);
        assert_eq!(second.id(), first.id());
        assert_eq!(second.json["started_at"], first.json["started_at"]);
        assert_eq!(second.json["description"], "one", "a blank does not overwrite");
        assert_eq!(second.json["target_url"], "http://ci/2");
    }
    assert_eq!(world.ids(&tip, "?all=1").len(), 1);
}

#[test]
fn an_open_status_posted_again_is_refused_as_the_original_did() {
    let (world, tip) = world(gitlab());
    for (state, text) in [("pending", ENQUEUE_FROM_PENDING), ("running", RUN_FROM_RUNNING)] {
        let first = world.posted(&world.bob, &tip, json!({ "state": state }));
        let again = json!({ "state": state, "description": "again" });
        world.post_status(&world.bob, &tip, again).refused(400, json!({ "message": text }));
        assert_eq!(world.statuses(&tip, "?all=1").json, json!([first.json]));
    }
}

#[test]
fn refusals_come_in_the_order_of_the_original() {
    let (world, tip) = world(spec());
    let ask = |rest: &str| world.post(&format!("/statuses/{rest}"));
    ask(&tip).refused(401, json!({ "message": "401 Unauthorized" }));
    ask(&tip).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    for person in [&world.rae, &world.gus] {
        ask(&tip).by(person).refused(403, json!({ "message": "403 Forbidden" }));
    }
    let not_given = json!({ "message": "400 (Bad request) \"state\" not given" });
    for fields in [json!({}), json!({ "state": " " }), json!({ "state": null })] {
        ask("invalid_sha").by(&world.bob).json(fields).refused(400, not_given.clone());
    }
    let missing = json!({ "message": "404 Commit Not Found" });
    ask("invalid_sha").by(&world.bob).json(json!({ "state": "running" })).refused(404, missing.clone());
    ask("invalid_sha").by(&world.bob).json(json!({ "state": "odd" })).refused(404, missing);
    for state in ["odd", "error", "cancelled", "skipped", "Success"] {
        let fields = json!({ "state": state });
        world.post_status(&world.bob, &tip, fields).refused(400, json!({ "message": "invalid state" }));
    }
    assert_eq!(world.ids(&tip, "?all=1").len(), 0);
}

#[test]
fn a_post_needs_a_developer_even_in_a_public_project() {
    let world = World::new(spec(), Visibility::Public);
    let tip = world.push_line(1);
    let forbidden = json!({ "message": "403 Forbidden" });
    world.post_status(&world.eve, &tip, json!({ "state": "success" })).refused(403, forbidden);
    let list = format!("/repository/commits/{tip}/statuses");
    assert_eq!(world.get(&list).by(&world.eve).gives(200).json, json!([]));
    world.get(&list).refused(401, json!({ "message": "401 Unauthorized" }));
}

#[test]
fn a_ref_is_stored_as_given() {
    let (world, tip) = world(spec());
    for git_ref in ["anything-at-all", "refs/heads/x", "ü/ø", "v1.0"] {
        let answer = world.posted(&world.bob, &tip, json!({ "state": "success", "ref": git_ref }));
        assert_eq!(answer.json["ref"], git_ref);
    }
}

#[test]
fn without_a_ref_the_default_branch_is_taken_then_the_first_that_contains_the_commit() {
    let world = World::new(spec(), Visibility::Private);
    let mut commits = line(2);
    commits.extend([commit(3, &[1]), commit(4, &[])]);
    let (on_both, beside, nowhere) = (sha(1), sha(3), sha(4));
    let refs = [("refs/heads/master", sha(2)), ("refs/heads/alpha", sha(3)), ("refs/heads/Alpha", sha(3))];
    let refs: Vec<(&str, &str)> = refs.iter().map(|(name, sha)| (*name, sha.as_str())).collect();
    world.push(&commits, &refs);
    let ref_of = |sha: &str| world.posted(&world.bob, sha, json!({ "state": "success" })).json["ref"].clone();
    assert_eq!(ref_of(&on_both), "master");
    assert_eq!(ref_of(&beside), "Alpha");
    assert_eq!(ref_of(&nowhere), Value::Null);
    let guessed = world.posted(&world.bob, &nowhere, json!({ "state": "pending" }));
    let moved = world.posted(&world.bob, &nowhere, json!({ "state": "running" }));
    assert_eq!(guessed.id(), moved.id(), "none is a ref like any other");
    assert_eq!(world.ids(&nowhere, ""), [json!(moved.id())], "and shown without a filter");
}

#[test]
fn a_commit_is_named_by_hash_abbreviation_branch_or_tag() {
    let world = World::new(spec(), Visibility::Private);
    let tip = sha(2);
    world.push(&line(2), &[("refs/heads/feature/x", &tip), ("refs/tags/v1.0", &tip)]);
    for name in [&tip, &tip.to_uppercase(), &tip[..8], "feature%2Fx", "v1.0"] {
        let answer = world.posted(&world.bob, name, json!({ "state": "success", "name": name }));
        assert_eq!(answer.json["sha"], tip, "{name}");
        assert_eq!(world.ids(name, &format!("?name={}", name.replace('%', "%25"))), [json!(answer.id())]);
    }
    assert_eq!(world.ids("feature%2Fx", "").len(), 5);
}

#[test]
fn the_newest_of_each_ref_and_name_are_listed_unless_all_are_asked_for() {
    let (world, tip) = world(gitlab());
    let s = six(&world, &tip);
    let pick = |numbers: &[usize]| -> Vec<Value> { numbers.iter().map(|n| s[n - 1].clone()).collect() };
    for (query, expected) in [
        ("", &[3, 4, 5, 6][..]),
        ("?all=1", &[1, 2, 3, 4, 5, 6]),
        ("?all=TRUE", &[1, 2, 3, 4, 5, 6]),
        ("?all=false", &[3, 4, 5, 6]),
        ("?all=foo", &[3, 4, 5, 6]),
        ("?ref=develop", &[3, 5]),
        ("?ref_name=develop", &[3, 5]),
        ("?ref_name=", &[3, 4, 5, 6]),
        ("?name=coverage", &[4, 5]),
        ("?name=coverage&all=1", &[2, 4, 5]),
        ("?name=coverage&ref=master&all=1", &[2, 4]),
        ("?stage=external&ref=master", &[4, 6]),
        ("?stage=deploy", &[]),
        ("?stage=external&name=default&all=true", &[1, 3, 6]),
        ("?ref=nothing", &[]),
    ] {
        let answer = world.statuses(&tip, query);
        assert_eq!(answer.each("id"), pick(expected), "{query}");
        assert_eq!(answer.header("X-Total"), Some(expected.len().to_string().as_str()), "{query}");
    }
}

#[test]
fn without_a_ref_the_default_branch_is_listed() {
    let (world, tip) = world(spec());
    let s = six(&world, &tip);
    assert_eq!(world.ids(&tip, ""), [s[3].clone(), s[5].clone()]);
    assert_eq!(world.ids(&tip, "?all=1"), [s[0].clone(), s[1].clone(), s[3].clone(), s[5].clone()]);
    assert_eq!(world.ids(&tip, "?ref_name=develop"), [s[2].clone(), s[4].clone()]);
}

#[test]
fn the_newest_is_the_one_with_the_highest_id() {
    let (world, tip) = world(spec());
    let post = |person, name: &str, state: &str| {
        world.posted(person, &tip, json!({ "name": name, "state": state })).id()
    };
    post(&world.ann, "aa", "running");
    post(&world.bob, "cc", "pending");
    post(&world.bob, "aa", "success");
    let fourth = post(&world.ann, "cc", "success");
    let fifth = post(&world.bob, "aa", "success");
    assert_eq!(world.ids(&tip, ""), [fourth, fifth]);
}

#[test]
fn lists_are_paginated() {
    let (world, tip) = world(spec());
    let posted: Vec<i64> = (0..7)
        .map(|n| world.posted(&world.bob, &tip, json!({ "state": "success", "name": n.to_string() })).id())
        .collect();
    let page = world.statuses(&tip, "?per_page=3&page=2");
    assert_eq!(page.each("id"), posted[3..6]);
    for (name, value) in [
        ("X-Total", "7"),
        ("X-Total-Pages", "3"),
        ("X-Per-Page", "3"),
        ("X-Page", "2"),
        ("X-Next-Page", "3"),
        ("X-Prev-Page", "1"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    assert!(page.header("Link").unwrap().contains("rel=\"next\""));
    assert_eq!(world.statuses(&tip, "?page=9").json, json!([]));
    // following the links walks over all of them once
    let (mut seen, mut query) = (Vec::new(), "?per_page=2&all=1".to_owned());
    loop {
        let page = world.statuses(&tip, &query);
        seen.extend(page.each("id"));
        let link = page.header("Link").unwrap();
        let Some(next) = link.split(", ").find(|link| link.ends_with("rel=\"next\"")) else { break };
        let address = next.trim_start_matches('<').split('>').next().unwrap();
        query = format!("?{}", address.split_once('?').unwrap().1);
    }
    assert_eq!(seen, posted);
    let wrong = world.get(&format!("/repository/commits/{tip}/statuses?page=x")).by(&world.rae);
    wrong.refused(400, json!({ "error": "page is invalid" }));
}

#[test]
fn a_list_of_an_unknown_commit_is_404_and_of_a_forbidden_one_403() {
    let (world, tip) = world(spec());
    let missing = json!({ "message": "404 Commit Not Found" });
    world.get("/repository/commits/nope/statuses").by(&world.rae).refused(404, missing);
    let list = format!("/repository/commits/{tip}/statuses");
    world.get(&list).by(&world.gus).refused(403, json!({ "message": "403 Forbidden" }));
    world.get(&list).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    world.get(&list).refused(401, json!({ "message": "401 Unauthorized" }));
}

#[test]
fn the_status_of_a_commit_stands_for_the_newest_of_all_its_statuses() {
    let world = World::new(spec(), Visibility::Private);
    let cases: &[(&[&str], Option<&str>)] = &[
        (&[], None),
        (&["success"], Some("success")),
        (&["success", "success"], Some("success")),
        (&["pending", "pending"], Some("pending")),
        (&["running"], Some("running")),
        (&["pending", "success"], Some("running")),
        (&["pending", "failed"], Some("running")),
        (&["running", "failed"], Some("running")),
        (&["canceled"], Some("canceled")),
        (&["canceled", "success"], Some("canceled")),
        (&["canceled", "failed"], Some("failed")),
        (&["canceled", "running"], Some("running")),
        (&["failed", "success"], Some("failed")),
        (&["failed"], Some("failed")),
    ];
    world.push_line(cases.len() as u32);
    for (n, (states, expected)) in cases.iter().enumerate() {
        let sha = sha(n as u32 + 1);
        for (name, state) in states.iter().enumerate() {
            // on two refs: a commit's status is that of all of them
            let git_ref = ["master", "other"][name % 2];
            // what came before does not count
            world.posted(&world.bob, &sha, json!({ "state": "failed", "name": name, "ref": git_ref }));
            world.posted(&world.bob, &sha, json!({ "state": state, "name": name, "ref": git_ref }));
        }
        let commit = world.get(&format!("/repository/commits/{sha}")).by(&world.rae).gives(200);
        assert_eq!(commit.json["status"], json!(expected), "{states:?}");
    }
}

#[test]
fn what_is_too_long_is_refused() {
    let (world, tip) = world(spec());
    for (field, most) in
        [("name", 255), ("context", 255), ("ref", 255), ("target_url", 16_384), ("description", 16_384)]
    {
        let fields = |length: usize| json!({ "state": "success", field: "é".repeat(length) });
        world.posted(&world.bob, &tip, fields(most));
        let text = format!("is too long (maximum is {most} characters)");
        let refused = json!({ "message": { field: [text] } });
        world.post_status(&world.bob, &tip, fields(most + 1)).refused(400, refused);
    }
    // an address is not looked at
    let fields = json!({ "state": "pending", "target_url": "invalid url" });
    assert_eq!(world.posted(&world.bob, &tip, fields).json["target_url"], "invalid url");
}

#[test]
fn at_once_posted_statuses_leave_one_open() {
    let (world, tip) = world(spec());
    std::thread::scope(|scope| {
        for n in 0..16 {
            let (world, tip) = (&world, &tip);
            scope.spawn(move || {
                let state = if n % 2 == 0 { "pending" } else { "running" };
                let answer = world.post_status(&world.bob, tip, json!({ "state": state })).send();
                assert!([201, 400].contains(&answer.status), "{}", answer.text);
            });
        }
    });
    let all = world.statuses(&tip, "?all=1");
    assert_eq!(all.each("status"), ["running"]);
}
