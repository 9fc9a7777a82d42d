//! Deployments and environments of v4.

use crate::support::v4::{keys, words};
use crate::support::{Answer, Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> (World, String) {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(2);
    (world, tip)
}

fn fields(environment: &str, status: &str) -> Value {
    json!({ "environment": environment, "sha": "master", "ref": "master", "tag": false, "status": status })
}

impl World {
    fn deploy_v4(&self, environment: &str, status: &str) -> Answer {
        self.v4("POST", "/deployments").by(&self.bob).json(fields(environment, status)).gives(201)
    }

    fn get_v4(&self, rest: &str) -> Answer {
        self.v4("GET", rest).by(&self.rae).gives(200)
    }

    fn environment_v4(&self, fields: Value) -> Answer {
        self.v4("POST", "/environments").by(&self.bob).json(fields).gives(201)
    }
}

#[test]
fn an_absent_deployment_or_environment_is_not_found() {
    let (world, _) = world();
    for (verb, rest) in [
        ("GET", "/deployments/1"),
        ("GET", "/deployments/1/merge_requests"),
        ("GET", "/environments/1"),
        ("PUT", "/deployments/1"),
        ("DELETE", "/deployments/1"),
        ("PUT", "/environments/1"),
        ("DELETE", "/environments/1"),
        ("POST", "/environments/1/stop"),
    ] {
        let absent = world.v4(verb, rest).by(&world.bob).json(fields("e", "success"));
        absent.refused(404, json!({ "message": "404 Not found" }));
    }
    let odd = world.v4("GET", "/deployments/one").by(&world.rae);
    odd.refused(400, json!({ "error": "deployment_id is invalid" }));
    let odd = world.v4("GET", "/environments/one").by(&world.rae);
    odd.refused(400, json!({ "error": "environment_id is invalid" }));
}

#[test]
fn a_deployment_needs_all_five_and_a_ref_that_is_there() {
    let (world, _) = world();
    let post = |fields: Value| world.v4("POST", "/deployments").by(&world.bob).json(fields);
    for name in ["environment", "sha", "ref", "tag", "status"] {
        let mut given = fields("e", "success");
        given.as_object_mut().unwrap().remove(name);
        let none = if name == "status" { ", status does not have a valid value" } else { "" };
        post(given).refused(400, json!({ "error": format!("{name} is missing{none}") }));
    }
    post(json!({ "sha": "s", "tag": false, "status": "failed" }))
        .refused(400, json!({ "error": "environment is missing, ref is missing" }));
    for status in ["pending", "created", "odd"] {
        post(fields("e", status)).refused(400, json!({ "error": "status does not have a valid value" }));
    }
    let mut odd = fields("e", "success");
    odd["ref"] = json!("nothing");
    post(odd).refused(400, json!({ "message": { "ref": ["The branch or tag does not exist"] } }));
    assert_eq!(world.get_v4("/environments").json, json!([]));
}

#[test]
fn a_deployment_has_what_v4_tells_of_it() {
    let (world, tip) = world();
    let made = world.deploy_v4("Review/One", "running");
    assert_eq!(
        keys(&made.json),
        words("id iid ref sha created_at updated_at finished_at status user environment deployable",)
    );
    assert_eq!(keys(&made.json["environment"]), words("id name slug external_url created_at updated_at tier state"));
    // it has no job, and is no status of its commit
    assert_eq!(made.json["deployable"], Value::Null);
    assert_eq!(world.get_v4("/repository/commits/master/statuses").json, json!([]));
    assert_eq!(world.get_v4("/repository/commits/master").json["status"], Value::Null);
    let told = |name: &str| made.json[name].clone();
    assert_eq!(
        ["sha", "ref", "status", "iid", "finished_at"].map(told),
        [json!(tip), json!("master"), json!("running"), json!(1), Value::Null]
    );
    let environment = &made.json["environment"];
    assert_eq!((&environment["tier"], &environment["state"]), (&json!("development"), &json!("available")));
    assert!(environment["slug"].as_str().unwrap().starts_with("review-one-"));
    assert_eq!(world.get_v4(&format!("/deployments/{}", made.id())).json, made.json);
    assert_eq!(world.get_v4("/deployments").json, json!([made.json]));
    assert_eq!(world.get_v4(&format!("/deployments/{}/merge_requests", made.id())).json, json!([]));
    let put = || world.v4("PUT", &format!("/deployments/{}", made.id())).by(&world.bob);
    put().refused(400, json!({ "error": "status is missing, status does not have a valid value" }));
    let done = put().json(json!({ "status": "success" })).gives(200);
    assert_eq!((&done.json["status"], &done.json["finished_at"]), (&json!("success"), &done.json["updated_at"]));
}

#[test]
fn deployments_are_filtered_and_ordered() {
    let (world, _) = world();
    let made = [("a", "success"), ("b", "failed"), ("a", "running"), ("b", "success")];
    let ids: Vec<i64> = made.iter().map(|(name, status)| world.deploy_v4(name, status).id()).collect();
    let listed = |query: &str| -> Vec<i64> {
        let answer = world.get_v4(&format!("/deployments{query}"));
        answer.each("id").iter().map(|id| id.as_i64().unwrap()).collect()
    };
    let picked = |numbers: &[usize]| -> Vec<i64> { numbers.iter().map(|at| ids[*at]).collect() };
    for (query, numbers) in [
        ("", &[0, 1, 2, 3][..]),
        ("?sort=desc", &[3, 2, 1, 0]),
        ("?order_by=iid&sort=desc&per_page=2", &[3, 2]),
        ("?order_by=created_at&page=2&per_page=3", &[3]),
        ("?environment=a", &[0, 2]),
        ("?environment=b&sort=desc", &[3, 1]),
        ("?environment=c", &[]),
        ("?status=success", &[0, 3]),
        ("?status=success&environment=b", &[3]),
        ("?status=blocked", &[]),
        ("?status=created", &[]),
        ("?updated_after=2100-01-01", &[]),
        ("?updated_before=2100-01-01T00:00:00Z", &[0, 1, 2, 3]),
        ("?finished_after=2016-01-01", &[0, 1, 3]),
        ("?order_by=ref&sort=desc", &[3, 2, 1, 0]),
        ("?order_by=updated_at", &[0, 1, 2, 3]),
        ("?order_by=finished_at", &[2, 0, 1, 3]),
        ("?order_by=finished_at&sort=desc", &[3, 1, 0, 2]),
        ("?order_by=finished_at&sort=desc&finished_before=2100-01-01", &[3, 1, 0]),
    ] {
        assert_eq!(listed(query), picked(numbers), "{query}");
    }
    for query in
        ["?per_page=1", "?per_page=1&sort=desc", "?per_page=1&order_by=updated_at", "?per_page=1&status=success"]
    {
        let all = listed(&query.replace("per_page=1", "per_page=9"));
        let mut answer = world.get_v4(&format!("/deployments{query}"));
        for (at, id) in all.iter().enumerate() {
            assert_eq!(answer.each("id"), [json!(id)], "{query}");
            if at + 1 < all.len() {
                answer = world.next_of(&answer);
            }
        }
        assert_eq!(answer.header("X-Next-Page"), Some(""), "{query}");
    }
    for (query, told) in [
        ("?status=odd", "status does not have a valid value"),
        ("?order_by=odd", "order_by does not have a valid value"),
        ("?updated_after=lately", "updated_after is invalid"),
    ] {
        world.v4("GET", &format!("/deployments{query}")).by(&world.rae).refused(400, json!({ "error": told }));
    }
}

#[test]
fn a_deployment_is_removed_unless_it_runs_or_is_what_is_deployed() {
    let (world, _) = world();
    let [old, new, failed, running] =
        ["success", "success", "failed", "running"].map(|status| world.deploy_v4("e", status).id());
    let remove = |id: i64| world.v4("DELETE", &format!("/deployments/{id}")).by(&world.bob);
    remove(running).refused(400, json!({ "message": "Cannot destroy running deployment" }));
    remove(new).refused(400, json!({ "message": "Deployment currently deployed to environment" }));
    remove(old).gives(204);
    remove(failed).gives(204);
    remove(failed).refused(404, json!({ "message": "404 Not found" }));
    let v3 = |query: &str| world.get(&format!("/deployments{query}")).by(&world.rae).gives(200);
    assert_eq!((v3("").each("id"), v3("").header("X-Total")), (vec![json!(new), json!(running)], Some("2")));
    assert_eq!(v3("?per_page=1&page=2").each("id"), [json!(running)]);
    // a number is never given again
    let put = world.v4("PUT", &format!("/deployments/{running}")).by(&world.bob);
    put.json(json!({ "status": "failed" })).gives(200);
    remove(running).gives(204);
    assert_eq!(world.deploy_v4("e", "success").json["iid"], 5);
    assert_eq!(v3("").header("X-Total"), Some("2"));
}

#[test]
fn an_environment_is_made_changed_stopped_and_removed() {
    let (world, _) = world();
    let post = |fields: Value| world.v4("POST", "/environments").by(&world.bob).json(fields);
    post(json!({})).refused(400, json!({ "error": "name is missing" }));
    post(json!({ "name": "a", "tier": "odd" })).refused(400, json!({ "error": "tier does not have a valid value" }));
    let told = json!({ "message": { "external_url": ["must be a valid URL"] } });
    post(json!({ "name": "a", "external_url": "odd" })).refused(400, told);
    let made = world.environment_v4(
        json!({ "name": "eu", "tier": "staging", "description": "West", "auto_stop_setting": "always" }),
    );
    assert_eq!(
        keys(&made.json),
        words(
            "id name slug external_url created_at updated_at tier state last_deployment auto_stop_at description auto_stop_setting",
        )
    );
    let told = |name: &str| made.json[name].clone();
    assert_eq!(
        ["name", "slug", "tier", "state", "description", "last_deployment"].map(told),
        [json!("eu"), json!("eu"), json!("staging"), json!("available"), json!("West"), Value::Null]
    );
    post(json!({ "name": "eu" })).refused(400, json!({ "message": { "name": ["has already been taken"] } }));
    let path = format!("/environments/{}", made.id());
    let url = json!({ "external_url": "https://example.com", "name": "other", "description": "" });
    let changed = world.v4("PUT", &path).by(&world.bob).json(url).gives(200);
    assert_eq!(
        ["name", "external_url", "description", "tier"].map(|name| changed.json[name].clone()),
        [json!("eu"), json!("https://example.com"), Value::Null, json!("staging")]
    );
    world.v4("DELETE", &path).by(&world.bob).refused(403, json!({ "message": "403 Forbidden" }));
    let stopped = world.v4("POST", &format!("{path}/stop")).by(&world.bob).gives(200);
    assert_eq!(stopped.json["state"], "stopped");
    let deployed = world.deploy_v4("eu", "success");
    let shown = world.get_v4(&path).json;
    assert_eq!((&shown["state"], &shown["last_deployment"]["id"]), (&json!("available"), &json!(deployed.id())));
    world.v4("POST", &format!("{path}/stop")).by(&world.bob).json(json!({})).gives(200);
    world.v4("DELETE", &path).by(&world.bob).gives(204);
    world.v4("GET", &path).by(&world.rae).refused(404, json!({ "message": "404 Not found" }));
    assert_eq!(world.get_v4("/deployments").json, json!([]));
    let v3 = world.get("/environments").by(&world.rae).gives(200);
    assert_eq!((v3.json.clone(), v3.header("X-Total")), (json!([]), Some("0")));
}

#[test]
fn environments_are_listed_by_name_piece_and_state() {
    let (world, _) = world();
    let ids = ["production", "staging/eu", "staging/us"].map(|name| world.environment_v4(json!({ "name": name })).id());
    world.v4("POST", &format!("/environments/{}/stop", ids[1])).by(&world.bob).gives(200);
    let listed = |query: &str| world.get_v4(&format!("/environments{query}")).each("name");
    let all = [json!("production"), json!("staging/eu"), json!("staging/us")];
    assert_eq!(listed(""), all);
    assert_eq!(listed("?name=production"), all[..1]);
    assert_eq!(listed("?name=prod"), all[..0]);
    assert_eq!(listed("?search=STAG"), all[1..]);
    assert_eq!(listed("?states=stopped"), all[1..2]);
    assert_eq!(listed("?states=available&search=staging"), all[2..]);
    assert_eq!(listed("?states[]=stopped&states[]=available"), all);
    let refused = world.v4("GET", "/environments?states=bogus").by(&world.bob).gives(400).json;
    assert_eq!(refused["hint"], "states is one of available, stopping, stopped");
    let page = world.get_v4("/environments?per_page=2");
    assert_eq!(page.header("X-Next-Page"), Some("2"));
    assert_eq!(world.next_of(&page).each("name"), all[2..]);
    assert_eq!(listed("?per_page=2&page=2"), all[2..]);
    let one = &page.json[0];
    assert_eq!(
        keys(one),
        words(
            "id name slug external_url created_at updated_at tier state project auto_stop_at description auto_stop_setting",
        )
    );
    assert_eq!(one["project"]["path_with_namespace"], world.project.path);
    let refused = |query: &str, told: Value| {
        world.v4("GET", &format!("/environments{query}")).by(&world.rae).refused(400, told);
    };
    refused("?search=ab", json!({ "message": "400 Bad request - Search query is less than 3 characters" }));
    refused("?search=abc&name=a", json!({ "error": "name, search cannot be used together" }));
    refused("?states=odd", json!({ "error": "states does not have a valid value" }));
}

#[test]
fn deployments_and_environments_are_deleted_only_if_unchanged() {
    let (world, _) = world();
    let deployment = world.deploy_v4("e", "failed").id();
    let environment = world.get_v4("/environments").json[0]["id"].clone();
    world.v4("POST", &format!("/environments/{environment}/stop")).by(&world.bob).gives(200);
    for path in [format!("/deployments/{deployment}"), format!("/environments/{environment}")] {
        let since = |time: &str| world.v4("DELETE", &path).by(&world.bob).header("If-Unmodified-Since", time);
        since("2015-01-01T00:00:00Z").refused(412, json!({ "message": "412 Precondition Failed" }));
        since("2100-01-01T00:00:00Z").gives(204);
    }
}

#[test]
fn names_of_builds_and_plans_have_no_control_characters() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(1);
    let refused = |path: &str, field: &str, fields: Value| {
        let text = json!({ "message": { field: ["cannot contain control characters"] } });
        world.v4("POST", path).by(&world.ann).json(fields).refused(400, text);
    };
    let odd = "a\u{1}b";
    refused(&format!("/statuses/{tip}"), "name", json!({ "state": "success", "name": odd }));
    refused(&format!("/statuses/{tip}"), "name", json!({ "state": "success", "context": odd }));
    refused("/environments", "name", json!({ "name": odd }));
    let deployment = json!({ "environment": odd, "sha": tip, "ref": "master", "tag": false, "status": "success" });
    refused("/deployments", "environment", deployment);
    refused("/milestones", "title", json!({ "title": odd }));
    let id = world.v4("POST", "/milestones").by(&world.ann).json(json!({ "title": "a" })).gives(201).id();
    let rename = world.v4("PUT", &format!("/milestones/{id}")).by(&world.ann).json(json!({ "title": odd }));
    rename.gives(400);
    for list in ["/environments", "/deployments", &format!("/repository/commits/{tip}/statuses")] {
        assert_eq!(world.v4("GET", list).by(&world.ann).gives(200).json, json!([]), "{list}");
    }
}

#[test]
fn no_two_environments_of_a_project_have_one_slug() {
    let (world, _) = world();
    let slug = |fields: Value| world.environment_v4(fields).json["slug"].as_str().unwrap().to_owned();
    let first = slug(json!({ "name": "Review/1" }));
    assert!(first.starts_with("review-1-") && first.len() == 15, "{first}");
    // the name of one is the slug of another
    let second = slug(json!({ "name": first }));
    assert!(second.starts_with("review-1-") && second != first && second.len() <= 24, "{second}");
    assert_eq!([slug(json!({ "name": "staging" })), slug(json!({ "name": "production-" }))], ["staging", "production"]);
    let [third, fourth] = ["staging-", "production"].map(|name| slug(json!({ "name": name })));
    assert!(third.starts_with("staging-") && third.len() == 14, "{third}");
    assert!(fourth.starts_with("production-") && fourth.len() == 17, "{fourth}");
    // a deployment makes an environment by the same rule, and shows it
    let deployed = world.deploy_v4("2.0", "success").json;
    let slug = deployed["environment"]["slug"].as_str().unwrap();
    assert!(slug.starts_with("env-2-0-") && slug.len() == 14, "{slug}");
    let listed = world.get_v4("/environments?name=2.0").json;
    assert_eq!(listed[0]["slug"], slug);
}
