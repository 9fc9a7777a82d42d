//! Commit statuses of v4.

use crate::support::git::{commit, sha};
use crate::support::v4::{keys, words};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

const BASIC: &str = "id username public_email name state locked avatar_url web_url";

fn world() -> (World, String) {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(2);
    (world, tip)
}

impl World {
    fn post_v4(&self, person: &Person, fields: Value) -> Answer {
        self.v4("POST", "/statuses/master").by(person).json(fields).gives(201)
    }

    fn statuses_v4(&self, query: &str) -> Answer {
        self.v4("GET", &format!("/repository/commits/master/statuses{query}")).by(&self.rae).gives(200)
    }
}

#[test]
fn a_post_is_refused_in_the_words_of_v4() {
    let (world, _) = world();
    let post = |sha: &str| world.v4("POST", &format!("/statuses/{sha}"));
    let bob = || post("master").by(&world.bob);
    let six = json!("state is one of pending, running, success, failed, canceled, skipped");
    assert_eq!(bob().gives(400).json["hint"], six);
    bob().refused(400, json!({ "error": "state is missing, state does not have a valid value" }));
    for state in ["odd", "SUCCESS", "created", " "] {
        let told = json!({ "error": "state does not have a valid value" });
        bob().json(json!({ "state": state })).refused(400, told);
    }
    let success = |name: &str, value: Value| bob().json(json!({ "state": "success", name: value }));
    success("coverage", json!("much")).refused(400, json!({ "error": "coverage is invalid" }));
    let blocked = "is blocked: Only allowed schemes are http, https";
    success("target_url", json!("ftp://a")).refused(400, json!({ "message": { "target_url": [blocked] } }));
    let long = format!("https://a/{}", "x".repeat(250));
    let told = json!({ "message": { "target_url": ["is too long (maximum is 255 characters)"] } });
    success("target_url", json!(long)).refused(400, told);
    for name in ["name", "context", "ref"] {
        let told = json!({ "message": { name: ["is too long (maximum is 255 characters)"] } });
        success(name, json!("x".repeat(256))).refused(400, told);
    }
    let nothing = post("nothing").by(&world.bob).json(json!({ "state": "success" }));
    nothing.refused(404, json!({ "message": "404 Commit Not Found" }));
    assert_eq!(world.statuses_v4("?all=true").json, json!([]));
}

#[test]
fn the_coverage_of_a_status_is_any_number() {
    let (world, _) = world();
    for (job, any) in [("a", 101.0), ("b", -1.0), ("c", 0.5)] {
        let sent = json!({ "state": "success", "name": job, "coverage": any });
        let made = world.v4("POST", "/statuses/master").by(&world.bob).json(sent.clone()).gives(201);
        assert_eq!(made.json["coverage"], json!(any));
        world.post("/statuses/master").by(&world.bob).json(sent).gives(201);
    }
}

#[test]
fn a_status_for_a_commit_that_is_not_here_yet_says_who_brings_it() {
    let (world, _) = world();
    let unknown = "f".repeat(40);
    let ask = |state: &str| json!({ "state": state, "target_url": if state == "failed" { "ftp://a" } else { "" } });
    for state in ["success", "failed"] {
        let posts = [world.v4("POST", &format!("/statuses/{unknown}")), world.post(&format!("/statuses/{unknown}"))];
        for post in posts {
            let told = post.by(&world.bob).json(ask(state)).gives(404).json;
            assert_eq!(told["message"], "404 Commit Not Found");
            let hint = told["hint"].as_str().unwrap();
            assert!(hint.contains("the mirror has to push it first"), "{hint}");
        }
    }
    // a caller who may not post gets no hint
    let outside = world.v4("POST", &format!("/statuses/{unknown}")).by(&world.eve).json(ask("success"));
    assert_eq!(outside.gives(404).json, json!({ "message": "404 Project Not Found" }));
}

#[test]
fn a_status_has_what_v4_tells_of_it() {
    let (world, tip) = world();
    let made = world.post_v4(
        &world.bob,
        json!({
            "state": "running", "ref": "topic", "name": "ci/build", "target_url": "https://ci/1", "description": "long",
            "coverage": 98.5,
        }),
    );
    assert_eq!(
        keys(&made.json),
        words(
            "id sha ref status name target_url description created_at started_at finished_at allow_failure coverage pipeline_id author",
        )
    );
    let told = |name: &str| made.json[name].clone();
    assert_eq!(
        ["sha", "ref", "status", "name", "coverage", "pipeline_id", "allow_failure", "finished_at"].map(told),
        [
            json!(tip),
            json!("topic"),
            json!("running"),
            json!("ci/build"),
            json!(98.5),
            made.json["id"].clone(),
            json!(false),
            Value::Null
        ]
    );
    assert_eq!(keys(&made.json["author"]), words(BASIC));
    assert_eq!(world.statuses_v4("").json, json!([made.json]));
}

#[test]
fn a_state_that_a_status_has_already_is_no_transition() {
    let (world, _) = world();
    let refused = |fields: Value, event: &str, from: &str| {
        let text = format!(
            "Cannot transition status via :{event} from :{from} (Reason(s): Status cannot transition via \"{event}\")"
        );
        world.v4("POST", "/statuses/master").by(&world.bob).json(fields).refused(400, json!({ "message": text }));
    };
    let first = world.post_v4(&world.bob, json!({ "state": "pending" }));
    refused(json!({ "state": "pending" }), "enqueue", "pending");
    let second = world.post_v4(&world.bob, json!({ "state": "running", "context": "default" }));
    assert_eq!(first.id(), second.id());
    refused(json!({ "state": "running", "description": "again" }), "run", "running");
    refused(json!({ "state": "pending" }), "enqueue", "running");
    assert_eq!(world.statuses_v4("").each("description"), [Value::Null]);
    world.post_v4(&world.bob, json!({ "state": "success" }));
    // what is finished has a successor
    let next = world.post_v4(&world.bob, json!({ "state": "running" }));
    assert_ne!(next.id(), first.id());
}

#[test]
fn skipped_is_a_state_of_v4_that_v3_shows_as_canceled() {
    let (world, tip) = world();
    let open = world.post_v4(&world.bob, json!({ "state": "running" }));
    let made = world.post_v4(&world.bob, json!({ "state": "skipped" }));
    assert_eq!((made.id(), &made.json["status"]), (open.id(), &json!("skipped")));
    assert!(made.json["finished_at"].is_string());
    let third = world.post("/statuses/master").by(&world.bob).form(&[("state", "skipped"), ("name", "v3")]);
    assert_eq!(third.gives(201).json["status"], "canceled");
    assert_eq!(world.statuses_v4("").each("status"), ["skipped", "skipped"]);
    let v3 = world.get(&format!("/repository/commits/{tip}/statuses")).by(&world.rae).gives(200);
    assert_eq!(v3.each("status"), ["canceled", "canceled"]);
    // and what is skipped is finished
    let next = world.post_v4(&world.bob, json!({ "state": "canceled" }));
    assert_ne!(next.id(), open.id());
    assert_eq!(world.statuses_v4("?name=default").each("status"), ["canceled"]);
    assert_eq!(world.statuses_v4("?name=default&all=true").each("status"), ["skipped", "canceled"]);
}

#[test]
fn a_list_has_the_statuses_of_all_refs_the_newest_of_each_name() {
    let (world, _) = world();
    let post = |git_ref: &str, name: &str, state: &str| {
        world.post_v4(&world.bob, json!({ "state": state, "ref": git_ref, "name": name })).id()
    };
    let old = post("master", "a", "failed");
    let ids = [post("master", "a", "success"), post("topic", "a", "success"), post("topic", "b", "pending")];
    let listed = |query: &str| -> Vec<i64> {
        world.statuses_v4(query).each("id").iter().map(|id| id.as_i64().unwrap()).collect()
    };
    assert_eq!(listed(""), ids);
    assert_eq!(listed("?ref=topic"), ids[1..]);
    assert_eq!(listed("?name=a"), ids[..2]);
    assert_eq!(listed("?stage=external&ref=master"), ids[..1]);
    assert!(listed("?stage=deploy").is_empty());
    assert_eq!(listed("?all=true"), [&[old][..], &ids].concat());
    for order in ["?sort=desc", "?order_by=pipeline_id&sort=desc", "?order_by=id&sort=desc"] {
        assert_eq!(listed(order), ids.iter().rev().copied().collect::<Vec<_>>(), "{order}");
    }
    // pages go on behind the last one, by cursor and by number
    let page = world.statuses_v4("?sort=desc&per_page=2");
    assert_eq!((page.header("X-Total"), page.header("X-Next-Page")), (Some("3"), Some("2")));
    assert_eq!(listed("?sort=desc&per_page=2&page=2"), [ids[0]]);
    let next = page.header("Link").unwrap().split(['<', '>']).find(|link| link.contains("cursor=")).unwrap();
    let query = next.split_once('?').unwrap().1;
    assert_eq!(listed(&format!("?{query}")), [ids[0]]);
    for (query, told) in [
        ("?sort=odd", "sort does not have a valid value"),
        ("?order_by=name", "order_by does not have a valid value"),
        ("?all=perhaps", "all is invalid"),
        ("?page=x", "page is invalid"),
    ] {
        let list = world.v4("GET", &format!("/repository/commits/master/statuses{query}")).by(&world.rae);
        list.refused(400, json!({ "error": told }));
    }
}

#[test]
fn statuses_of_a_public_project_are_for_everybody() {
    let world = World::new(spec(), Visibility::Public);
    let tip = sha(1);
    world.push(&[commit(1, &[])], &[("refs/heads/master", &tip)]);
    let list = world.v4("GET", &format!("/repository/commits/{tip}/statuses"));
    assert_eq!(list.gives(200).json, json!([]));
    let list = |name: &str| world.v4("GET", &format!("/repository/commits/{name}/statuses")).by(&world.eve);
    assert_eq!(list(&tip[..8]).gives(200).header("X-Total-Pages"), Some("1"));
    list("nothing").refused(404, json!({ "message": "404 Commit Not Found" }));
}

#[test]
fn a_status_without_a_ref_has_an_empty_one() {
    let world = World::new(spec(), Visibility::Private);
    let commits = [commit(1, &[]), commit(9, &[])];
    world.push(&commits, &[("refs/heads/master", &sha(1)), ("refs/tags/lone", &sha(9))]);
    let made = world.v4("POST", "/statuses/lone").by(&world.bob).json(json!({ "state": "success" })).gives(201);
    assert_eq!(made.json["ref"], "");
    let listed = world.v4("GET", "/repository/commits/lone/statuses").by(&world.rae).gives(200);
    assert_eq!(listed.each("ref"), [""]);
}
