use super::{report, tests};
use crate::support::v4::names;
use crate::support::{Answer, Visibility, World, spec};
use serde_json::{Value, json};

fn world(visibility: Visibility) -> World {
    let world = World::new(spec(), visibility);
    world.push_line(3);
    world
}

impl World {
    fn viewed(&self, rest: &str) -> Answer {
        self.v4("GET", rest).by(&self.rae).gives(200)
    }

    fn pipeline_of(&self, job: i64) -> Value {
        self.viewed(&format!("/jobs/{job}")).json["pipeline"]["id"].clone()
    }
}

#[test]
fn a_test_report_has_the_cases_of_the_newest_jobs() {
    let world = world(Visibility::Private);
    world.reported(3, "unit", &[("failed", "old")]);
    let unit = world.reported(3, "unit", &[("error", "a"), ("failed", "b"), ("success", "c"), ("skipped", "d")]);
    world.reported(3, "lint", &[]);
    world.reported(2, "other", &[("failed", "x")]);
    let at = format!("/pipelines/{}/test_report", world.pipeline_of(unit));
    let shown = world.viewed(&at);
    let counts = |all: i64, success: i64, failed: i64, error: i64, skipped: i64| {
        json!({ "total_time": all as f64 / 2.0, "total_count": all, "success_count": success, "failed_count": failed,
            "error_count": error, "skipped_count": skipped })
    };
    let mut expected = counts(4, 1, 1, 1, 1);
    let case = |status: &str, name: &str| {
        json!({ "status": status, "name": name, "classname": null, "file": null, "execution_time": 0.5,
            "system_output": null, "stack_trace": null, "recent_failures": null })
    };
    let suite = |name: &str, counts: Value, cases: Value| {
        let mut suite = json!({ "name": name, "suite_error": null, "test_cases": cases });
        suite.as_object_mut().unwrap().extend(counts.as_object().unwrap().clone());
        suite
    };
    let cases = [case("error", "a"), case("failed", "b"), case("success", "c"), case("skipped", "d")];
    expected["test_suites"] =
        json!([suite("lint", counts(0, 0, 0, 0, 0), json!([])), suite("unit", counts(4, 1, 1, 1, 1), json!(cases))]);
    assert_eq!(shown.json, expected);
    // the same bytes for everybody, so that they are kept
    let tag = shown.header("ETag").unwrap();
    world.v4("GET", &at).by(&world.rae).header("If-None-Match", tag).gives(304);
    world.v4("HEAD", &at).by(&world.rae).gives(200);
    let summary = world.viewed(&format!("{at}_summary")).json;
    let total =
        json!({ "time": 2.0, "count": 4, "success": 1, "failed": 1, "error": 1, "skipped": 1, "suite_error": null });
    assert_eq!(summary["total"], total);
    let mut unit_summary = counts(4, 1, 1, 1, 1);
    unit_summary
        .as_object_mut()
        .unwrap()
        .extend(json!({ "name": "unit", "build_ids": [unit], "suite_error": null }).as_object().unwrap().clone());
    assert_eq!(summary["test_suites"][1], unit_summary);
}

#[test]
fn without_reports_the_answers_are_as_before() {
    let world = world(Visibility::Private);
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let at = format!("/pipelines/{}/test_report", world.pipeline_of(job));
    let none = "{\"error_count\":0,\"failed_count\":0,\"skipped_count\":0,\"success_count\":0,\"test_suites\":[],\"total_count\":0,\"total_time\":0}";
    assert_eq!(world.viewed(&at).text, none);
    let none = "{\"test_suites\":[],\"total\":{\"count\":0,\"error\":0,\"failed\":0,\"skipped\":0,\"success\":0,\"suite_error\":null,\"time\":0}}";
    assert_eq!(world.viewed(&format!("{at}_summary")).text, none);
    let shown = world.viewed(&format!("/jobs/{job}")).text;
    let end = "\"project\":{\"ci_job_token_scope_enabled\":false},\"artifacts\":[],\"runner\":null,\"runner_manager\":null,\"artifacts_expire_at\":null,\"archived\":false,\"tag_list\":[]}";
    assert!(shown.ends_with(end), "{shown}");
    assert_eq!(world.viewed(&format!("/jobs/{job}/trace")).text, "test: success\n");
    world.v4("GET", &format!("/jobs/{job}/artifacts/gl-code-quality-report.json")).by(&world.rae).gives(404);
}

#[test]
fn a_job_lists_its_reports_and_its_trace_says_how_many_failed() {
    let world = world(Visibility::Private);
    let job = world.reported(3, "test", &[("error", "a"), ("failed", "b"), ("success", "c")]);
    let findings = [
        json!({ "severity": "major", "path": "a", "line": 1, "description": "\"},{\"status\":\"success\"" }),
        json!({ "severity": "info", "path": "b", "line": 2, "description": "</script>\u{202e}" }),
    ];
    let made = world.reporting(job, "quality", &report("quality", json!({}), &findings)).by(&world.bob).gives(201);
    assert_eq!((&made.json["total"], &made.json["failed"]), (&json!(2), &json!(1)));
    let shown = world.viewed(&format!("/jobs/{job}")).json;
    let artifacts = shown["artifacts"].as_array().unwrap();
    assert_eq!(artifacts.iter().map(|one| one["file_type"].clone()).collect::<Vec<_>>(), ["junit", "codequality"]);
    assert_eq!(names(&artifacts[0]), "file_format file_type filename size");
    assert!(artifacts[0]["size"].as_i64().unwrap() > 20);
    assert_eq!(world.viewed(&format!("/jobs/{job}/trace")).text, "test: success\n2 of 3 tests failed\n");
    let at = format!("/jobs/{job}/artifacts/gl-code-quality-report.json");
    let listed = world.viewed(&at).json;
    assert_eq!(listed[0]["description"], findings[0]["description"]);
    assert_eq!(listed[1]["location"], json!({ "path": "b", "lines": { "begin": 2 } }));
    assert_eq!(listed[1]["description"], "</script>\u{202e}");
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[test]
fn reports_are_open_to_who_may_see_pipelines() {
    for (visibility, visitor, stranger, guest) in [
        (Visibility::Private, 404, 404, 403),
        (Visibility::Internal, 404, 200, 200),
        (Visibility::Public, 200, 200, 200),
    ] {
        let world = world(visibility);
        let job = world.reported(3, "test", &[("failed", "a")]);
        let quality = report("quality", json!({}), &[]);
        world.reporting(job, "quality", &quality).by(&world.bob).gives(201);
        let pipeline = world.pipeline_of(job);
        for path in [format!("/pipelines/{pipeline}/test_report"), format!("/pipelines/{pipeline}/test_report_summary")]
        {
            world.v4("GET", &path).gives(visitor);
            world.v4("GET", &path).by(&world.eve).gives(stranger);
            world.v4("GET", &path).by(&world.gus).gives(guest);
            let (_, token) = crate::tokens::project_tokens::made(
                &world,
                &world.ann,
                json!({ "name": "ci", "scopes": ["statuses"] }),
            );
            world.v4("GET", &path).by(&token).gives(403);
        }
        let path = format!("/jobs/{job}/artifacts/gl-code-quality-report.json");
        world.v4("GET", &path).gives(401);
        world.v4("GET", &path).by(&world.eve).gives(stranger);
        world.v4("GET", &path).by(&world.gus).gives(guest);
        world.v4("PUT", "").by(&world.ann).json(json!({ "builds_access_level": "disabled" })).gives(200);
        world.v4("GET", &path).by(&world.rae).gives(403);
        world.v4("GET", &format!("/pipelines/{pipeline}/test_report")).by(&world.rae).gives(403);
    }
}

#[test]
fn a_suite_beyond_the_limit_has_its_counts_alone() {
    let world = world(Visibility::Private);
    let output = "x".repeat(60_000);
    let case = |number: usize| json!({ "status": "failed", "name": number.to_string(), "system_output": output });
    let body = report("tests", json!({}), &(0..200).map(case).collect::<Vec<_>>());
    let jobs: Vec<i64> =
        (0..3).map(|number| world.posted_job(&world.bob, 3, &format!("job {number}"), "failed")).collect();
    for job in &jobs {
        world.reporting(*job, "tests", &body).by(&world.bob).gives(201);
    }
    let shown = world.viewed(&format!("/pipelines/{}/test_report", world.pipeline_of(jobs[0]))).json;
    assert_eq!((&shown["total_count"], &shown["failed_count"]), (&json!(600), &json!(600)));
    let suites = shown["test_suites"].as_array().unwrap();
    let lengths: Vec<usize> = suites.iter().map(|suite| suite["test_cases"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, [200, 200, 0]);
    assert_eq!(suites[2]["suite_error"], "too long for one answer");
    assert_eq!((&suites[2]["failed_count"], &suites[1]["suite_error"]), (&json!(200), &Value::Null));
}

#[test]
fn beyond_a_hundred_suites_the_totals_are_right() {
    let world = world(Visibility::Private);
    let mut pipeline = Value::Null;
    for number in 0..103 {
        let job = world.posted_job(&world.bob, 3, &format!("job {number:03}"), "failed");
        world.reporting(job, "tests", &tests(&[("failed", "a"), ("success", "b")])).by(&world.bob).gives(201);
        pipeline = world.pipeline_of(job);
    }
    let shown = world.viewed(&format!("/pipelines/{pipeline}/test_report")).json;
    assert_eq!((&shown["total_count"], &shown["failed_count"]), (&json!(206), &json!(103)));
    let suites = shown["test_suites"].as_array().unwrap();
    let of = |at: usize| (suites[at]["test_cases"].as_array().unwrap().len(), suites[at]["suite_error"].clone());
    assert_eq!(suites.len(), 103);
    assert_eq!((of(99), of(100), of(102)), ((2, Value::Null), (0, json!("too long for one answer")), (0, of(100).1)));
    let summary = world.viewed(&format!("/pipelines/{pipeline}/test_report_summary")).json;
    let counts = (summary["test_suites"].as_array().unwrap().len(), &summary["total"]["count"]);
    assert_eq!((counts, &summary["total"]["failed"]), ((103, &json!(206)), &json!(103)));
}

#[test]
fn a_report_of_100000_tests_is_shown_whole() {
    let world = world(Visibility::Private);
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let names: Vec<String> = (0..100_000).map(|number| format!("test {number}")).collect();
    let cases: Vec<(&str, &str)> = names.iter().map(|name| ("success", name.as_str())).collect();
    let made = world.reporting(job, "tests", &tests(&cases)).by(&world.bob).gives(201);
    assert_eq!((&made.json["total"], made.trips), (&json!(100_000), 2));
    let shown = world.viewed(&format!("/pipelines/{}/test_report", world.pipeline_of(job))).json;
    assert_eq!(shown["test_suites"][0]["test_cases"].as_array().unwrap().len(), 100_000);
}

#[test]
fn a_report_that_is_not_complete_says_why() {
    let world = world(Visibility::Private);
    let job = world.posted_job(&world.bob, 3, "test", "failed");
    let head = json!({ "problem": "out.xml ends inside a tag", "more": { "success": 40, "skipped": 2 } });
    let body = report("tests", head, &[json!({ "status": "failed", "name": "a" })]);
    world.reporting(job, "tests", &body).by(&world.bob).gives(201);
    let suite = &world.viewed(&format!("/pipelines/{}/test_report", world.pipeline_of(job))).json["test_suites"][0];
    assert_eq!(suite["suite_error"], "out.xml ends inside a tag");
    assert_eq!(
        (&suite["total_count"], &suite["success_count"], &suite["skipped_count"]),
        (&json!(43), &json!(40), &json!(2))
    );
}
