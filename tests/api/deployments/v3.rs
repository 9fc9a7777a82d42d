//! Deployments and environments.

use crate::support::git::{line, sha};
use crate::support::{Answer, Person, Server, Visibility, World, gitlab, spec};
use serde_json::{Value, json};

/// A private project with three commits on master, and the tip's hash.
fn world(server: &'static Server) -> (World, String) {
    let world = World::new(server, Visibility::Private);
    let tip = world.push_line(3);
    (world, tip)
}

impl World {
    fn deploy(&self, person: &Person, fields: Value) -> Answer {
        self.post("/deployments").by(person).json(fields).gives(201)
    }

    fn deployment(&self, id: i64) -> Value {
        self.get(&format!("/deployments/{id}")).by(&self.rae).gives(200).json
    }

    fn job(&self, state: &str, name: &str) -> Answer {
        let fields = json!({ "state": state, "name": name });
        self.post("/statuses/master").by(&self.bob).json(fields).gives(201)
    }
}

#[test]
fn a_deployment_has_the_fields_of_the_specification() {
    let (world, tip) = world(spec());
    let made = world.deploy(
        &world.bob,
        json!({
            "environment": "production", "sha": tip, "external_url": "https://example.com", "status": "running",
            "name": "release", "stage": "ship", "tag": true, "ref": "v1", "coverage": "98.5",
        }),
    );
    let profile = world.server.get("/user").by(&world.bob).gives(200).json;
    let brief = |user: &Value| -> Value {
        let names = ["name", "username", "id", "state", "avatar_url", "web_url"];
        names.iter().map(|name| ((*name).to_owned(), user[name].clone())).collect::<serde_json::Map<_, _>>().into()
    };
    let full = &made.json["deployable"]["user"];
    for (name, value) in full.as_object().unwrap() {
        assert_eq!(value, &profile[name], "{name}");
    }
    assert_eq!(full.as_object().unwrap().len(), 14);
    let at = &made.json["created_at"];
    let expected = json!({
        "id": made.id(), "iid": 1, "ref": "v1", "sha": tip, "created_at": at, "user": brief(&profile),
        "environment": {
            "id": made.json["environment"]["id"], "name": "production", "external_url": "https://example.com",
        },
        "deployable": {
            "id": made.json["deployable"]["id"], "status": "running", "stage": "ship", "name": "release", "ref": "v1",
            "tag": true, "coverage": 98.5, "created_at": at, "started_at": at, "finished_at": null, "user": full,
            "commit": {
                "id": tip, "short_id": tip[..8], "title": "Change 3", "author_name": "Ann",
                "author_email": "ann@example.com", "created_at": "2014-05-16T18:53:20+02:00",
                "message": "Change 3\n\nThe reason.\n",
            },
            "runner": null,
        },
    });
    assert_eq!(made.json, expected);
    assert_eq!(world.deployment(made.id()), expected);
    let list = world.get("/deployments").by(&world.rae).gives(200);
    assert_eq!(list.json, json!([expected]));
}

#[test]
fn a_deployment_needs_an_environment_and_a_commit_alone() {
    let (world, tip) = world(spec());
    let made = world.deploy(&world.bob, json!({ "environment": "staging/eu", "sha": "master" }));
    assert_eq!(made.json["sha"], tip);
    assert_eq!(made.json["ref"], "master");
    assert_eq!(made.json["environment"]["external_url"], Value::Null);
    let job = &made.json["deployable"];
    assert_eq!(
        (&job["status"], &job["name"], &job["stage"], &job["tag"], &job["coverage"]),
        (&json!("pending"), &json!("staging/eu"), &json!("deploy"), &json!(false), &Value::Null)
    );
}

#[test]
fn a_commit_is_named_by_hash_abbreviation_branch_or_tag() {
    let world = World::new(spec(), Visibility::Private);
    let tip = sha(2);
    world.push(&line(2), &[("refs/heads/feature/x", &tip), ("refs/tags/v1", &tip)]);
    for name in [&tip, &tip[..7], "feature/x", "v1"] {
        let made = world.deploy(&world.bob, json!({ "environment": "e", "sha": name }));
        assert_eq!((&made.json["sha"], &made.json["ref"]), (&json!(tip), &json!("feature/x")));
    }
}

#[test]
fn the_job_of_a_deployment_is_no_status_of_its_commit() {
    for server in [spec(), gitlab()] {
        let (world, tip) = world(server);
        let green = world.job("success", "ship").json["id"].clone();
        let fields = json!({ "environment": "production", "sha": tip, "name": "ship", "status": "failed" });
        let made = world.deploy(&world.bob, fields);
        assert_eq!(made.json["deployable"]["id"], made.json["id"]);
        let get = |rest: &str| world.get(&format!("/repository/commits/{tip}{rest}")).by(&world.rae).gives(200);
        for query in ["", "?all=1", "?stage=external"] {
            let listed = get(&format!("/statuses{query}"));
            assert_eq!((listed.each("id"), listed.header("X-Total")), (vec![green.clone()], Some("1")), "{query}");
        }
        assert_eq!(get("/statuses?stage=deploy").json, json!([]));
        assert_eq!(get("").json["status"], "success");
        // and a status of the same name changes no deployment
        world.job("running", "ship");
        assert_eq!(world.deployment(made.id())["deployable"]["status"], "failed");
    }
}

#[test]
fn deployments_of_one_job_have_states_of_their_own() {
    let (world, tip) = world(spec());
    let fields = json!({ "environment": "production", "sha": tip, "name": "ship", "status": "running" });
    let [first, second] = [(); 2].map(|()| world.deploy(&world.bob, fields.clone()).id());
    world.put(&format!("/deployments/{first}")).by(&world.bob).json(json!({ "status": "failed" })).gives(200);
    let states = [first, second].map(|id| world.deployment(id)["deployable"]["status"].clone());
    assert_eq!(states, ["failed", "running"]);
}

#[test]
fn a_deployments_status_is_changed() {
    let (world, tip) = world(spec());
    let made = world.deploy(&world.bob, json!({ "environment": "production", "sha": tip, "stage": "ship" }));
    let path = format!("/deployments/{}", made.id());
    let change = |person, status: &str| world.put(&path).by(person).json(json!({ "status": status }));
    let running = change(&world.ann, "running").gives(200);
    assert_eq!(running.json["deployable"]["status"], "running");
    assert_eq!(running.json["deployable"]["user"]["id"], world.ann.id, "who did it");
    assert_eq!(change(&world.ann, "running").gives(200).json, running.json);
    let text =
        "Cannot transition status via :enqueue from :running (Reason(s): Status cannot transition via \"enqueue\")";
    change(&world.bob, "pending").refused(400, json!({ "message": text }));
    let failed = change(&world.bob, "failed").gives(200);
    assert_eq!(failed.json["deployable"]["started_at"], running.json["deployable"]["started_at"]);
    assert!(failed.json["deployable"]["finished_at"].is_string());
    for again in [&world.bob, &world.ann] {
        assert_eq!(change(again, "failed").gives(200).json, failed.json, "a repeat changes nobody");
    }
    let retried = change(&world.bob, "running").gives(200);
    assert_eq!(retried.json["deployable"]["finished_at"], Value::Null);
    assert_eq!(retried.json["deployable"]["stage"], "ship");
    let done = world.put(&path).by(&world.bob).json(json!({ "status": "success", "coverage": 3.5 })).gives(200);
    assert_eq!((&done.json["id"], &done.json["deployable"]["coverage"]), (&made.json["id"], &json!(3.5)));
    assert_eq!(world.deployment(made.id()), done.json);
    let missing = json!({ "message": "400 (Bad request) \"status\" not given" });
    world.put(&path).by(&world.bob).json(json!({})).refused(400, missing);
    change(&world.bob, "odd").refused(
        400,
        json!({ "error": "status does not have a valid value (pending, running, success, failed, canceled)" }),
    );
    change(&world.rae, "success").refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn a_client_of_gitlab_repeats_no_state_of_an_open_deployment() {
    let (world, tip) = world(gitlab());
    let made = world.deploy(&world.bob, json!({ "environment": "production", "sha": tip, "status": "running" }));
    let change = |status: &str| {
        world.put(&format!("/deployments/{}", made.id())).by(&world.bob).json(json!({ "status": status }))
    };
    let text = "Cannot transition status via :run from :running (Reason(s): Status cannot transition via \"run\")";
    change("running").refused(400, json!({ "message": text }));
    change("success").gives(200);
    change("success").gives(200);
}

#[test]
fn an_environment_is_made_once_and_keeps_its_last_address() {
    let (world, tip) = world(spec());
    let deploy = |environment: &str, url: Option<&str>| {
        let fields = json!({ "environment": environment, "sha": tip, "external_url": url, "status": "success" });
        world.deploy(&world.bob, fields).json["environment"].clone()
    };
    let first = deploy("production", None);
    assert_eq!(first["external_url"], Value::Null);
    let second = deploy("production", Some("https://one.example.com/"));
    assert_eq!(second["id"], first["id"]);
    let third = deploy("production", None);
    assert_eq!(third, second);
    deploy("Review/1", None);
    deploy("production", Some("http://two.example.com"));
    let list = world.get("/environments").by(&world.rae).gives(200);
    assert_eq!(list.each("name"), ["production", "Review/1"]);
    let production = json!({ "id": first["id"], "name": "production", "external_url": "http://two.example.com" });
    assert_eq!(list.json[0], production);
    assert_eq!(list.header("X-Total"), Some("2"));
    let page = world.get("/environments?per_page=1&page=2").by(&world.rae).gives(200);
    assert_eq!(page.each("name"), ["Review/1"]);
    for address in ["javascript:alert(1)", "example.com", "http://"] {
        let fields = json!({ "environment": "x", "sha": tip, "external_url": address });
        let refused = json!({ "message": { "external_url": ["must be a valid URL"] } });
        world.post("/deployments").by(&world.bob).json(fields).refused(400, refused);
    }
}

#[test]
fn deployments_are_numbered_without_gaps_whoever_deploys_at_once() {
    let (world, tip) = world(spec());
    std::thread::scope(|scope| {
        for n in 0..12 {
            let (world, tip) = (&world, &tip);
            scope.spawn(move || {
                let fields = json!({ "environment": format!("e{}", n % 3), "sha": tip });
                world.deploy([&world.ann, &world.bob][n % 2], fields);
            });
        }
    });
    let list = world.get("/deployments").by(&world.rae).gives(200);
    assert_eq!(list.each("iid"), (1..=12).map(|n| json!(n)).collect::<Vec<_>>());
    let ids: Vec<i64> = list.each("id").iter().filter_map(Value::as_i64).collect();
    assert!(ids.is_sorted());
    assert_eq!(world.get("/environments").by(&world.rae).gives(200).json.as_array().unwrap().len(), 3);
    let page = world.get("/deployments?per_page=5&page=3").by(&world.rae).gives(200);
    assert_eq!(page.each("iid"), [11, 12]);
    assert_eq!((page.header("X-Total"), page.header("X-Total-Pages")), (Some("12"), Some("3")));
    assert_eq!(world.get("/deployments?page=4").by(&world.rae).gives(200).json, json!([]));
    let other = World::new(spec(), Visibility::Private);
    other.push_line(1);
    let first = other.deploy(&other.bob, json!({ "environment": "e0", "sha": "master" }));
    assert_eq!(first.json["iid"], 1);
}

#[test]
fn what_a_deployment_lacks_is_told() {
    let (world, tip) = world(spec());
    let post = |fields: Value| world.post("/deployments").by(&world.bob).json(fields);
    for (fields, name) in [
        (json!({ "sha": tip }), "environment"),
        (json!({ "environment": "e" }), "sha"),
        (json!({ "environment": " ", "sha": tip }), "environment"),
    ] {
        post(fields).refused(400, json!({ "message": format!("400 (Bad request) \"{name}\" not given") }));
    }
    let missing = json!({ "message": "404 Commit Not Found" });
    post(json!({ "environment": "e", "sha": "nope" })).refused(404, missing);
    let odd = post(json!({ "environment": "e", "sha": tip, "status": "odd" }));
    odd.refused(
        400,
        json!({ "error": "status does not have a valid value (pending, running, success, failed, canceled)" }),
    );
    let coverage = post(json!({ "environment": "e", "sha": tip, "coverage": "much" }));
    coverage.refused(400, json!({ "message": { "coverage": ["is invalid"] } }));
    let long = post(json!({ "environment": "e".repeat(256), "sha": tip }));
    long.refused(400, json!({ "message": { "environment": ["is too long (maximum is 255 characters)"] } }));
    assert_eq!(world.get("/environments").by(&world.rae).gives(200).json, json!([]));
}

#[test]
fn refusals_come_in_the_order_of_the_original() {
    let (world, tip) = world(spec());
    let id = world.deploy(&world.bob, json!({ "environment": "e", "sha": tip })).id();
    let unauthorized = json!({ "message": "401 Unauthorized" });
    for rest in ["/deployments?page=abc", "/environments?page=abc"] {
        world.get(rest).refused(401, unauthorized.clone());
        for person in [&world.eve, &world.gus, &world.rae] {
            world.get(rest).by(person).refused(400, json!({ "error": "page is invalid" }));
        }
    }
    for wrong in ["abc", "12abc", "1.5", "%20"] {
        let rest = format!("/deployments/{wrong}");
        let invalid = json!({ "error": "deployment_id is invalid" });
        world.get(&rest).refused(401, unauthorized.clone());
        world.get(&rest).by(&world.eve).refused(400, invalid.clone());
        world.get(&rest).by(&world.rae).refused(400, invalid.clone());
        world.put(&rest).by(&world.bob).json(json!({ "status": "success" })).refused(400, invalid);
    }
    for absent in ["987654321", "0", "-1", "99999999999999999999"] {
        let rest = format!("/deployments/{absent}");
        world.get(&rest).by(&world.rae).refused(404, json!({ "message": "404 Not found" }));
        world.put(&rest).by(&world.bob).refused(404, json!({ "message": "404 Not found" }));
    }
    let other = World::new(spec(), Visibility::Private);
    other.get(&format!("/deployments/{id}")).by(&other.rae).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn a_public_project_shows_deployments_to_every_signed_in_caller() {
    let world = World::new(spec(), Visibility::Public);
    world.push_line(1);
    let id = world.deploy(&world.bob, json!({ "environment": "e", "sha": "master" })).id();
    world.get(&format!("/deployments/{id}")).by(&world.eve).gives(200);
    world.get("/deployments").by(&world.gus).gives(200);
}

#[test]
fn a_project_without_builds_has_no_deployments_but_statuses() {
    let cast = spec().cast();
    let name = crate::support::unique("plain");
    let new = json!({ "name": name, "path": name, "builds_enabled": false });
    let id = spec().post("/projects").by(&cast.ann).json(new).gives(201).id();
    let forbidden = json!({ "message": "403 Forbidden" });
    for rest in ["deployments", "deployments/1", "environments"] {
        spec().get(format!("/projects/{id}/{rest}")).by(&cast.ann).refused(403, forbidden.clone());
    }
    spec().post(format!("/projects/{id}/deployments")).by(&cast.ann).refused(403, forbidden.clone());
    spec().put(format!("/projects/{id}/deployments/1")).by(&cast.ann).refused(403, forbidden);
    let status = spec().post(format!("/projects/{id}/statuses/master")).by(&cast.ann);
    status.json(json!({ "state": "success" })).refused(404, json!({ "message": "404 Commit Not Found" }));
}
