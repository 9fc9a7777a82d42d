//! What statuses keep to beyond a single post: other users, blanks, guessed refs, filters, pages, lengths.

use crate::support::git::{commit, line, sha};
use crate::support::{Answer, Ask, Person, Server, Visibility, World, gitlab, spec};
use serde_json::{Value, json};

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
fn a_blank_does_not_overwrite_what_an_open_status_has() {
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
fn without_a_ref_an_unfinished_status_keeps_its_own() {
    let world = World::new(spec(), Visibility::Private);
    let mut commits = line(1);
    commits.push(commit(2, &[1]));
    let tip = sha(2);
    world.push(&commits, &[("refs/heads/master", &sha(1)), ("refs/heads/topic", &tip)]);
    let post = |person: &Person, name: &str, state: &str| {
        let status = json!({ "state": state, "name": name });
        let made = world.post(&format!("/statuses/{tip}")).by(person).json(status);
        made.header("Idempotency-Key", format!("{name} {state}")).gives(201)
    };
    let pending = post(&world.bob, "build", "pending");
    assert_eq!(pending.json["ref"], "topic");
    world.push(&[], &[("refs/heads/a-topic", &tip)]);
    for _ in 0..2 {
        let done = post(&world.bob, "build", "success");
        assert_eq!(
            (done.id(), &done.json["ref"], &done.json["status"]),
            (pending.id(), &json!("topic"), &json!("success"))
        );
    }
    // what is finished, another name and another author take the first branch
    assert_eq!(post(&world.bob, "build", "failed").json["ref"], "a-topic");
    assert_eq!(post(&world.bob, "lint", "pending").json["ref"], "a-topic");
    assert_eq!(post(&world.ann, "build", "pending").json["ref"], "a-topic");
    // and so does a branch that names the commit
    let other = post(&world.bob, "test", "pending");
    let status = json!({ "state": "pending", "name": "test" });
    let named = world.post("/statuses/topic").by(&world.bob).json(status).gives(201);
    assert_eq!((&other.json["ref"], &named.json["ref"]), (&json!("a-topic"), &json!("topic")));
    // of two, that of the first branch goes on
    assert_eq!(post(&world.bob, "test", "running").id(), other.id());
}

#[test]
fn a_status_for_a_branchs_name_is_the_branchs_and_is_listed_under_it() {
    for (server, listed) in [(spec(), 1), (gitlab(), 2)] {
        let world = World::new(server, Visibility::Private);
        let tip = sha(2);
        world.push(&line(2), &[("refs/heads/alpha", &tip), ("refs/heads/zeta", &tip), ("refs/tags/v1", &tip)]);
        let posted = |name: &str, job: &str| {
            let status = json!({ "state": "success", "name": job });
            world.posted(&world.bob, name, status).json["ref"].clone()
        };
        assert_eq!(posted("zeta", "build"), "zeta");
        assert_eq!(world.ids("zeta", "").len(), 1, "what was posted for the name is shown for the name");
        // a hash or a tag names no branch: the default branch, else the first that has the commit
        assert_eq!(posted(&tip, "by hash"), "alpha");
        assert_eq!(posted("refs%2Fheads%2Fzeta", "by whole name"), "zeta");
        assert_eq!(posted("v1", "by tag"), "alpha");
        let all = world.ids("alpha", "?all=1").len();
        assert_eq!(all, if listed == 1 { 2 } else { 4 });
    }
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
fn what_is_too_long_is_refused() {
    let (world, tip) = world(spec());
    for (field, most) in
        [("name", 255), ("context", 255), ("ref", 255), ("target_url", 16_384), ("description", 16_384)]
    {
        let begin = if field == "target_url" { "http://ci/" } else { "" };
        let text = |length: usize| format!("{begin}{}", "é".repeat(length - begin.len()));
        let fields = |length: usize| json!({ "state": "success", field: text(length) });
        world.posted(&world.bob, &tip, fields(most));
        let text = format!("is too long (maximum is {most} characters)");
        let refused = json!({ "message": { field: [text] } });
        world.post_status(&world.bob, &tip, fields(most + 1)).refused(400, refused);
    }
}

#[test]
fn an_address_that_others_click_on_is_http_or_https() {
    let (world, tip) = world(spec());
    let fields = |url: &str| json!({ "state": "success", "target_url": url });
    let refused = json!({ "message": { "target_url": ["must be a valid URL"] } });
    for url in [
        "javascript:alert(1)",
        " http://ci",
        "data:text/html,x",
        "//ci/1",
        "ci/1",
        "http:/ci",
        "http://a\nb",
        "http://",
        "https:///x",
        "http://exa mple.org/",
        "http://:80/",
        "http://?x",
    ] {
        world.post_status(&world.bob, &tip, fields(url)).refused(400, refused.clone());
    }
    for url in ["http://ci/1", "https://ci/a b", "HTTPS://ci"] {
        assert_eq!(world.posted(&world.bob, &tip, fields(url)).json["target_url"], url);
    }
    let deploy = |url: &str| {
        let fields = json!({ "environment": "x", "sha": tip, "external_url": url });
        world.post("/deployments").by(&world.bob).json(fields)
    };
    let refused = json!({ "message": { "external_url": ["must be a valid URL"] } });
    deploy("javascript:alert(1)").refused(400, refused);
}
