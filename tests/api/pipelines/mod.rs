//! Pipelines and jobs of v4, made of posted statuses.

mod jobs;

use crate::support::git::{line, sha};
use crate::support::v4::{keys, words};
use crate::support::{Answer, Ask, Visibility, World, spec};
use serde_json::{Value, json};

const BASIC: &str = "id iid project_id sha ref status source created_at updated_at web_url name";
const WHOLE: &str = "id iid project_id sha ref status source created_at updated_at web_url name before_sha tag yaml_errors \
    user started_at finished_at committed_at duration queued_duration coverage detailed_status archived";

/// Three commits on `master`, of which the second is tagged `v1`.
fn world(visibility: Visibility) -> World {
    let world = World::new(spec(), visibility);
    world.push(&line(3), &[("refs/heads/master", &sha(3)), ("refs/tags/v1", &sha(2))]);
    world
}

impl World {
    /// Posts a status as Bob.
    fn builds(&self, commit: u32, fields: Value) -> Answer {
        self.v4("POST", &format!("/statuses/{}", sha(commit))).by(&self.bob).json(fields).gives(201)
    }

    fn pipelines(&self, rest: &str) -> Ask {
        self.v4("GET", &format!("/pipelines{rest}")).by(&self.rae)
    }
}

fn state(state: &str, name: &str) -> Value {
    json!({ "state": state, "name": name, "ref": "master" })
}

#[test]
fn pipelines_are_open_to_who_may_see_statuses() {
    let world = world(Visibility::Private);
    let id = world.builds(3, state("success", "a")).json["pipeline_id"].clone();
    for path in ["/pipelines".to_owned(), format!("/pipelines/{id}"), "/pipelines/latest".to_owned()] {
        world.v4("GET", &path).by(&world.rae).gives(200);
    }
    let other = World::new(spec(), Visibility::Public);
    other.pipelines(&format!("/{id}")).refused(404, json!({ "message": "404 Not found" }));
    other.v4("GET", "/pipelines").gives(200);
    other.v4("GET", "/jobs").gives(200);
    other.put("").by(&other.ann).json(json!({ "builds_enabled": false })).gives(200);
    other.pipelines("").refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn what_runs_elsewhere_is_refused() {
    let world = world(Visibility::Private);
    let id = world.builds(3, state("success", "a")).json["pipeline_id"].clone();
    let told = world.v4("POST", "/pipeline").by(&world.bob).json(json!({ "ref": "master" })).gives(400).json;
    assert!(told["message"]["base"][0].as_str().unwrap().contains("/projects/:id/statuses/:sha"), "{told}");
    for (method, path) in [("POST", "/cancel"), ("POST", "/retry"), ("PUT", "/metadata"), ("DELETE", "")] {
        let ask = world.v4(method, &format!("/pipelines/{id}{path}"));
        ask.by(&world.ann).refused(403, json!({ "message": "403 Forbidden" }));
    }
    assert_eq!(world.pipelines("").gives(200).each("id"), [id]);
}

#[test]
fn the_statuses_of_a_ref_of_a_commit_are_a_pipeline() {
    let world = world(Visibility::Private);
    let first = world.builds(2, state("success", "a"));
    let same = world.builds(2, state("failed", "b"));
    let tagged = world.builds(2, json!({ "state": "running", "name": "a", "ref": "v1" }));
    let newest = world.builds(3, state("pending", "a"));
    let of = |made: &Answer| made.json["pipeline_id"].clone();
    assert_eq!(of(&first), of(&same));
    let listed = world.pipelines("").gives(200);
    assert_eq!(listed.each("id"), [of(&newest), of(&tagged), of(&first)]);
    assert_eq!(listed.each("iid"), [3, 2, 1]);
    assert_eq!(listed.each("ref"), ["master", "v1", "master"]);
    assert_eq!(listed.each("sha"), [sha(3), sha(2), sha(2)]);
    assert_eq!(listed.each("status"), ["pending", "running", "failed"]);
    assert_eq!(keys(&listed.json[0]), words(BASIC));
    let whole = world.pipelines(&format!("/{}", of(&tagged))).gives(200);
    assert_eq!(keys(&whole.json), words(WHOLE));
    assert_eq!((&whole.json["tag"], &whole.json["user"]["id"]), (&json!(true), &json!(world.bob.id)));
    assert_eq!(whole.json["detailed_status"]["icon"], "status_running");
    assert_eq!(whole.json["finished_at"], Value::Null);
    let commit = world.v4("GET", &format!("/repository/commits/{}", sha(2))).by(&world.rae).gives(200);
    assert_eq!(commit.json["last_pipeline"], listed.json[1]);
    let bare = world.v4("GET", &format!("/repository/commits/{}", sha(1))).by(&world.rae).gives(200);
    assert_eq!(bare.json["last_pipeline"], Value::Null);
}

#[test]
fn the_state_of_a_pipeline_follows_from_the_newest_status_of_each_name() {
    let world = world(Visibility::Private);
    let cases: [(&[&str], &str); 9] = [
        (&["skipped", "skipped"], "skipped"),
        (&["success", "skipped"], "success"),
        (&["success", "canceled"], "canceled"),
        (&["canceled"], "canceled"),
        (&["pending", "skipped"], "pending"),
        (&["pending", "success"], "running"),
        (&["running", "failed"], "running"),
        (&["failed", "success"], "failed"),
        (&["failed", "canceled"], "failed"),
    ];
    for (number, (states, expected)) in cases.into_iter().enumerate() {
        let mut id = Value::Null;
        for (place, word) in states.iter().enumerate() {
            let fields = json!({ "state": word, "name": format!("job {place}"), "ref": format!("r{number}") });
            id = world.builds(3, fields).json["pipeline_id"].clone();
        }
        let pipeline = world.pipelines(&format!("/{id}")).gives(200);
        assert_eq!(pipeline.json["status"], expected, "{states:?}");
    }
    let id = world.builds(1, state("failed", "again")).json["pipeline_id"].clone();
    world.builds(1, state("success", "again"));
    assert_eq!(world.pipelines(&format!("/{id}")).gives(200).json["status"], "success");
}

#[test]
fn a_pipeline_has_the_times_and_the_coverage_of_its_jobs() {
    let world = world(Visibility::Private);
    let id = world.builds(3, state("running", "a")).json["pipeline_id"].clone();
    let show = || world.pipelines(&format!("/{id}")).gives(200).json;
    assert!(show()["started_at"].is_string() && show()["duration"].is_null() && show()["coverage"].is_null());
    world.builds(3, json!({ "state": "success", "name": "a", "ref": "master", "coverage": 80.25 }));
    world.builds(3, json!({ "state": "success", "name": "b", "ref": "master", "coverage": 90 }));
    assert_eq!(show()["coverage"], "85.12");
    assert!(show()["finished_at"].is_string() && show()["duration"].is_i64());
    world.builds(3, state("pending", "c"));
    assert_eq!((&show()["status"], &show()["finished_at"]), (&json!("running"), &Value::Null));
}

#[test]
fn pipelines_are_filtered_and_ordered() {
    let world = world(Visibility::Private);
    let post = |commit, word: &str, at: &str| {
        world.builds(commit, json!({ "state": word, "ref": at })).json["pipeline_id"].clone()
    };
    let ids = [
        post(1, "success", "master"),
        post(2, "failed", "v1"),
        post(3, "running", "master"),
        post(3, "pending", "gone"),
    ];
    let own = world
        .v4("POST", &format!("/statuses/{}", sha(1)))
        .by(&world.ann)
        .json(json!({ "state": "success", "ref": "topic" }));
    let own = own.gives(201).json["pipeline_id"].clone();
    let listed = |query: &str, expected: &[&Value]| {
        let found = world.pipelines(query).gives(200).each("id");
        assert_eq!(found, expected.iter().copied().cloned().collect::<Vec<_>>(), "{query}");
    };
    let [old, tagged, newest, gone] = &ids;
    listed("", &[&own, gone, newest, tagged, old]);
    listed("?sort=asc", &[old, tagged, newest, gone, &own]);
    listed("?ref=master", &[newest, old]);
    listed("?ref=master&sort=asc", &[old, newest]);
    listed(&format!("?sha={}", sha(3)), &[gone, newest]);
    listed(&format!("?sha={}&ref=gone", sha(3)), &[gone]);
    listed(&format!("?sha={}", "0".repeat(40)), &[]);
    listed("?status=success", &[&own, old]);
    listed("?status=manual", &[]);
    listed("?scope=running", &[newest]);
    listed("?scope=running&status=failed", &[]);
    listed("?scope=pending", &[gone]);
    listed("?scope=finished", &[&own, tagged, old]);
    listed("?scope=branches", &[newest]);
    listed("?scope=tags", &[tagged]);
    listed(&format!("?username={}", world.ann.username), &[&own]);
    listed("?username=nobody-at-all", &[]);
    listed("?source=external&status=failed", &[tagged]);
    listed("?source=push", &[]);
    listed("?name=x", &[]);
    listed("?yaml_errors=true", &[]);
    listed("?created_after=2099-01-01T00:00:00Z", &[]);
    listed("?updated_before=2099-01-01T00:00:00Z&created_after=2000-01-01T00:00:00Z&status=failed", &[tagged]);
    listed("?order_by=ref&sort=asc", &[gone, newest, old, &own, tagged]);
    listed("?order_by=ref", &[tagged, &own, newest, old, gone]);
    listed("?order_by=status", &[&own, old, newest, gone, tagged]);
    for (query, name) in
        [("scope=odd", "scope"), ("status=odd", "status"), ("order_by=odd", "order_by"), ("sort=odd", "sort")]
    {
        let told = json!({ "error": format!("{name} does not have a valid value") });
        world.pipelines(&format!("?{query}")).refused(400, told);
    }
    world.pipelines("?updated_after=odd").refused(400, json!({ "error": "updated_after is invalid" }));
}

#[test]
fn a_list_of_pipelines_goes_on_by_its_next() {
    let world = world(Visibility::Private);
    let post = |number| {
        world.builds(3, json!({ "state": "success", "ref": format!("r{number}") })).json["pipeline_id"].clone()
    };
    let mut ids: Vec<Value> = (0..7).map(post).collect();
    ids.reverse();
    for order in ["id", "updated_at"] {
        let mut found = Vec::new();
        let mut next = Some(world.at(&format!("/pipelines?per_page=3&order_by={order}")));
        while let Some(path) = next {
            let page = world.server.ask_v4("GET", path).by(&world.rae).gives(200);
            found.extend(page.each("id"));
            next = page.next();
        }
        found.sort_by_key(|id| std::cmp::Reverse(id.as_i64()));
        assert_eq!(found, ids, "{order}");
    }
}

#[test]
fn the_latest_pipeline_is_that_of_the_tip() {
    let world = world(Visibility::Private);
    let forbidden = || json!({ "message": "403 Forbidden" });
    world.pipelines("/latest").refused(403, forbidden());
    let old = world.builds(2, state("success", "a")).json["pipeline_id"].clone();
    world.pipelines("/latest").refused(403, forbidden());
    let tip = world.builds(3, state("success", "a")).json["pipeline_id"].clone();
    let tagged = world.builds(2, json!({ "state": "failed", "ref": "v1" })).json["pipeline_id"].clone();
    assert_ne!(old, tagged);
    assert_eq!(world.pipelines("/latest").gives(200).json["id"], tip);
    assert_eq!(world.pipelines("/latest?ref=master").gives(200).json["id"], tip);
    assert_eq!(world.pipelines("/latest?ref=v1").gives(200).json["id"], tagged);
    world.pipelines("/latest?ref=gone").refused(403, forbidden());
}

#[test]
fn a_status_is_posted_to_a_pipeline() {
    let world = world(Visibility::Private);
    let made = world.builds(2, json!({ "state": "success", "name": "a", "ref": "v1" }));
    let id = made.json["pipeline_id"].clone();
    let missing = || json!({ "message": "404 Pipeline for pipeline_id, sha and ref Not Found" });
    let post =
        |commit, fields: Value| world.v4("POST", &format!("/statuses/{}", sha(commit))).by(&world.bob).json(fields);
    post(3, json!({ "state": "success", "pipeline_id": id })).refused(404, missing());
    post(2, json!({ "state": "success", "pipeline_id": id, "ref": "master" })).refused(404, missing());
    post(2, json!({ "state": "success", "pipeline_id": 1_i64 << 40 })).refused(404, missing());
    let next = post(2, json!({ "state": "failed", "name": "b", "pipeline_id": id })).gives(201);
    assert_eq!((&next.json["ref"], &next.json["pipeline_id"]), (&json!("v1"), &id));
    world.builds(2, state("success", "c"));
    let list = format!("/repository/commits/{}/statuses?pipeline_id={id}", sha(2));
    let listed = world.v4("GET", &list).by(&world.rae).gives(200);
    assert_eq!(listed.each("name"), ["a", "b"]);
    // v3 has no pipelines
    let v3 = world.post(&format!("/statuses/{}", sha(3))).by(&world.bob);
    v3.json(json!({ "state": "success", "pipeline_id": id })).gives(201);
}

#[test]
fn a_deployment_makes_no_pipeline() {
    let world = world(Visibility::Private);
    let new = json!({ "environment": "production", "sha": sha(3), "ref": "master", "tag": false, "status": "success" });
    world.v4("POST", "/deployments").by(&world.bob).json(new).gives(201);
    assert_eq!(world.pipelines("").gives(200).json, json!([]));
    world.v4("GET", "/jobs").by(&world.rae).gives(200);
}
