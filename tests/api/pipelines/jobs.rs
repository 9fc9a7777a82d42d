//! Jobs, the posted statuses of a pipeline.

use super::{state, world};
use crate::support::git::sha;
use crate::support::v4::{keys, names, words};
use crate::support::{Ask, Visibility, World};
use serde_json::{Value, json};

const JOB: &str = "id status stage name ref tag coverage allow_failure created_at started_at finished_at erased_at duration \
    queued_duration user commit pipeline web_url project artifacts runner runner_manager artifacts_expire_at archived tag_list";

impl World {
    fn jobs(&self, rest: &str) -> Ask {
        self.v4("GET", rest).by(&self.rae)
    }
}

#[test]
fn the_jobs_of_a_pipeline_are_the_newest_of_each_name() {
    let world = world(Visibility::Private);
    let old = world.builds(3, state("failed", "build")).id();
    let test = world.builds(3, state("running", "test"));
    let again = world.builds(3, state("success", "build")).id();
    world.builds(2, state("success", "build"));
    world.builds(3, json!({ "state": "success", "name": "build", "ref": "other" }));
    let path = format!("/pipelines/{}/jobs", test.json["pipeline_id"]);
    let listed = world.jobs(&path).gives(200);
    assert_eq!(listed.each("id"), [again, test.id()]);
    assert_eq!(keys(&listed.json[0]), words(JOB));
    assert_eq!(listed.json[0]["pipeline"]["id"], test.json["pipeline_id"]);
    assert_eq!(world.jobs(&format!("{path}?include_retried=true")).gives(200).each("id"), [again, test.id(), old]);
    assert_eq!(world.jobs(&format!("{path}?scope=running")).gives(200).each("name"), ["test"]);
    assert_eq!(
        world.jobs(&format!("{path}?scope[]=running&scope[]=success")).gives(200).each("name"),
        ["build", "test"]
    );
    assert_eq!(world.jobs(&format!("{path}?scope=manual")).gives(200).json, json!([]));
    let told = json!({ "message": "400 Scope contains invalid value(s)" });
    world.jobs(&format!("{path}?scope=odd")).refused(400, told);
    let refused = world.jobs(&format!("{path}?scope=odd")).gives(400);
    assert!(refused.json["hint"].as_str().unwrap().starts_with("scope is one of created, "), "{}", refused.text);
    world.jobs("/pipelines/1/jobs").refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn the_jobs_of_a_project_are_all_posted_statuses() {
    let world = world(Visibility::Private);
    let ids: Vec<i64> = (1..=3).map(|commit| world.builds(commit, state("failed", "build")).id()).collect();
    world.builds(3, state("success", "build"));
    let listed = world.jobs("/jobs").gives(200);
    assert_eq!(listed.each("id").len(), 4);
    assert_eq!(world.jobs("/jobs?scope=failed").gives(200).each("id"), [ids[2], ids[1], ids[0]]);
    assert_eq!(world.jobs("/jobs?scope=failed&per_page=2").gives(200).each("id"), [ids[2], ids[1]]);
    let one = world.jobs(&format!("/jobs/{}", ids[0])).gives(200);
    assert_eq!((&one.json["failure_reason"], &one.json["commit"]["id"]), (&json!("api_failure"), &json!(sha(1))));
    assert_eq!(one.json["user"]["id"], json!(world.bob.id));
    let other = World::new(crate::support::spec(), Visibility::Public);
    other.jobs(&format!("/jobs/{}", ids[0])).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn jobs_of_a_public_project_are_open_to_visitors_who_see_no_profile() {
    let world = world(Visibility::Public);
    let job = world.builds(3, state("failed", "build"));
    let (id, pipeline) = (job.id(), &job.json["pipeline_id"]);
    let list = format!("/pipelines/{pipeline}/jobs");
    for path in ["/jobs".to_owned(), list.clone(), format!("/jobs/{id}"), format!("/pipelines/{pipeline}/bridges")] {
        let shown = world.v4("GET", &path).gives(200).json;
        let signed_in = world.jobs(&path).gives(200).json;
        let one =
            |answer: &Value| answer.as_array().map_or(answer.clone(), |jobs| jobs.first().cloned().unwrap_or_default());
        let (shown, signed_in) = (one(&shown), one(&signed_in));
        assert_eq!(shown["id"], signed_in["id"], "{path}");
        if shown.is_object() {
            assert_eq!(names(&shown["user"]), "avatar_url id locked name public_email state username web_url");
            assert!(names(&signed_in["user"]).contains("website_url"));
        }
    }
    world.v4("GET", &format!("/jobs/{id}/trace")).gives(200);
    world.v4("GET", &format!("/pipelines/{pipeline}/variables")).gives(401);
}

#[test]
fn the_log_of_a_job_says_where_the_build_is() {
    let world = world(Visibility::Private);
    let fields = json!({ "state": "running", "name": "build", "description": "step 2", "target_url": "https://ci/7" });
    let id = world.builds(3, fields).id();
    let trace = world.jobs(&format!("/jobs/{id}/trace")).gives(200);
    assert_eq!(trace.text, "build: running\nstep 2\nhttps://ci/7\n");
    let job = world.jobs(&format!("/jobs/{id}")).gives(200);
    assert_eq!(job.json["web_url"], "https://ci/7");
    for action in ["cancel", "retry", "play", "erase"] {
        let ask = world.v4("POST", &format!("/jobs/{id}/{action}"));
        ask.by(&world.bob).refused(403, json!({ "message": "403 Forbidden" }));
    }
    let report = world.jobs(&format!("/pipelines/{}/test_report", job.json["pipeline"]["id"])).gives(200);
    assert_eq!((&report.json["total_count"], &report.json["test_suites"]), (&json!(0), &Value::Array(Vec::new())));
}

#[test]
fn the_tag_of_a_job_is_whether_its_ref_is_a_tag() {
    let world = world(Visibility::Private);
    let refs = ["refs/heads/both", "refs/tags/both", "refs/tags/marked"].map(|name| (name, sha(3)));
    world.push(&[], &refs.each_ref().map(|(name, sha)| (*name, sha.as_str())));
    for (git_ref, is_tag) in [("master", false), ("both", false), ("marked", true), ("none", false)] {
        let posted = world.builds(3, json!({ "state": "success", "name": git_ref, "ref": git_ref })).id();
        let job = world.jobs(&format!("/jobs/{posted}")).gives(200).json;
        assert_eq!((&job["tag"], &job["stage"]), (&json!(is_tag), &json!("external")), "{git_ref}");
    }
}

#[test]
fn the_job_of_a_deployment_is_no_job_of_a_pipeline() {
    let world = world(Visibility::Private);
    let fields = json!({ "environment": "live", "sha": sha(1), "ref": "master", "stage": "external" });
    world.post("/deployments").by(&world.bob).json(fields).gives(201);
    assert_eq!(world.jobs("/jobs").gives(200).json, json!([]));
    let posted = world.builds(1, json!({ "state": "success", "name": "live", "ref": "master" })).id();
    assert_eq!(world.jobs("/jobs").gives(200).each("id"), [json!(posted)]);
}
