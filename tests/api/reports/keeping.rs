use super::{report, tests};
use crate::support::{Server, Visibility, World, now, spec};
use edgeforge::Retention;
use serde_json::json;

const DAY: i64 = 86_400_000;

fn world(retention: Retention) -> World {
    let world = World::new(Server::with_objects(|config| config.retention = retention), Visibility::Private);
    world.push_line(3);
    world
}

#[test]
fn maintainers_delete_the_reports_of_a_job() {
    if !spec().is_in_process() {
        return;
    }
    let world = world(Retention::default());
    let job = world.reported(3, "test", &[("failed", "a")]);
    let quality =
        report("quality", json!({}), &[json!({ "severity": "info", "path": "a", "line": 1, "description": "d" })]);
    world.reporting(job, "quality", &quality).by(&world.bob).gives(201);
    let kept = world.reported(3, "other", &[("failed", "a")]);
    let at = format!("/jobs/{job}/artifacts");
    world.v4("DELETE", &at).by(&world.bob).gives(403);
    world.v4("DELETE", "/jobs/99999/artifacts").by(&world.ann).gives(404);
    assert_eq!(world.server.bucket().keys().len(), 3);
    world.v4("DELETE", &at).by(&world.ann).gives(204);
    // row and object at once
    assert_eq!(world.server.bucket().keys().len(), 1);
    assert_eq!(world.v4("GET", &format!("/jobs/{job}")).by(&world.rae).gives(200).json["artifacts"], json!([]));
    assert_ne!(world.v4("GET", &format!("/jobs/{kept}")).by(&world.rae).gives(200).json["artifacts"], json!([]));
    world.v4("DELETE", &at).by(&world.ann).gives(204);
    world.reporting(job, "tests", &tests(&[("success", "a")])).by(&world.bob).gives(201);
}

#[test]
fn bytes_of_reports_count_in_the_project_and_its_statistics() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(3);
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let bytes = || world.get("/mirror").by(&world.ann).gives(200).json["bytes"].as_i64().unwrap();
    let sizes = || {
        let project = world.v4("GET", "?statistics=true").by(&world.rae).gives(200).json;
        let of = |name: &str| project["statistics"][name].as_i64().unwrap();
        (of("uploads_size"), of("job_artifacts_size"), of("storage_size"))
    };
    let before = bytes();
    world.reporting(job, "tests", &tests(&[("failed", "a")])).by(&world.bob).gives(201);
    let (uploads, reports, all) = sizes();
    assert!(uploads == 0 && reports > 20 && all == reports, "{:?}", (uploads, reports, all));
    assert!(bytes() > before + 700 + reports);
    world.v4("DELETE", &format!("/jobs/{job}/artifacts")).by(&world.ann).gives(204);
    assert_eq!((bytes(), sizes()), (before, (0, 0, 0)));
}

#[test]
fn old_reports_go_and_their_objects_with_the_next_sweep() {
    if !spec().is_in_process() {
        return;
    }
    let world = world(Retention { reports: 90, ..Retention::default() });
    let job = world.reported(3, "test", &[("failed", "a")]);
    let artifacts = || world.v4("GET", &format!("/jobs/{job}")).by(&world.rae).gives(200).json["artifacts"].clone();
    world.server.sweep(now() + 89 * DAY).unwrap();
    assert_eq!((artifacts().as_array().unwrap().len(), world.server.bucket().keys().len()), (1, 1));
    world.server.sweep(now() + 91 * DAY).unwrap();
    assert_eq!((artifacts(), world.server.bucket().keys().len()), (json!([]), 0));
}

#[test]
fn an_object_without_a_row_goes_and_a_report_goes_with_its_status() {
    if !spec().is_in_process() {
        return;
    }
    let world = world(Retention { statuses: 30, ..Retention::default() });
    let old = world.reported(3, "test", &[("failed", "a")]);
    let new = world.reported(3, "test", &[("failed", "a")]);
    let stray = |id: i64| {
        let keys = world.server.bucket().keys();
        keys[0].rsplit_once('/').unwrap().0.to_owned() + &format!("/{id}.1.{}", "0".repeat(32))
    };
    world.server.bucket().plant(&stray(new), now());
    world.server.bucket().plant(&stray(1 << 40), now());
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 2);
    world.server.sweep(now() + 31 * DAY).unwrap();
    world.v4("GET", &format!("/jobs/{old}")).by(&world.rae).gives(404);
    let keys = world.server.bucket().keys();
    assert!(keys.len() == 1 && keys[0].contains(&format!("/reports/{new}.1.")), "{keys:?}");
}

#[test]
fn reports_of_a_deleted_project_go_with_it() {
    if !spec().is_in_process() {
        return;
    }
    let world = world(Retention { deleted_projects: 30, ..Retention::default() });
    for number in 0..3 {
        world.reported(3, &format!("job {number}"), &[("failed", "a")]);
    }
    world.delete("").by(&world.ann).gives(200);
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 3);
    while world.server.sweep(now() + 31 * DAY).unwrap().unfinished {}
    assert!(world.server.bucket().keys().is_empty());
    assert_eq!(world.server.rows("select json_array(count(*)) as v from reports"), [json!([0])]);
}

#[test]
fn a_copy_of_the_database_reads_the_reports_of_its_original_and_removes_none() {
    if !spec().is_in_process() {
        return;
    }
    let world = world(Retention::default());
    let old = world.reported(3, "old", &[("failed", "a")]);
    world.server.tamper("update object_sweeps set own = '0123456789abcdef'");
    world.reported(3, "new", &[("failed", "b")]);
    let pipeline = world.v4("GET", &format!("/jobs/{old}")).by(&world.rae).gives(200).json["pipeline"]["id"].clone();
    let report = world.v4("GET", &format!("/pipelines/{pipeline}/test_report")).by(&world.rae).gives(200).json;
    assert_eq!(report["test_suites"][1]["test_cases"][0]["name"], "a");
    world.v4("DELETE", &format!("/jobs/{old}/artifacts")).by(&world.ann).gives(204);
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 2, "the original's object stays");
}
