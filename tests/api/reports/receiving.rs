use super::{packed, report, tests};
use crate::support::git::sha;
use crate::support::v4::archived;
use crate::support::{Dice, Server, Visibility, World, now, spec};
use crate::tokens::project_tokens::made;
use edgeforge::quota::Quotas;
use serde_json::{Value, json};
use std::thread;

const DAY: i64 = 86_400_000;

fn world() -> World {
    world_on(spec())
}

fn world_on(server: &'static Server) -> World {
    let world = World::new(server, Visibility::Private);
    world.push_line(3);
    world
}

fn missing() -> Value {
    json!({ "message": "404 Not found" })
}

#[test]
fn a_report_is_counted_and_final() {
    let world = world();
    let job = world.posted_job(&world.bob, 3, "test", "running");
    let body = tests(&[("error", "a"), ("failed", "b"), ("success", "c"), ("skipped", "d")]);
    let made = world.reporting(job, "tests", &body).by(&world.bob).gives(201);
    let counts = json!({ "job_id": job, "report": "tests", "total": 4, "failed": 1, "errors": 1, "skipped": 1,
        "flaky": 0, "seconds": 2.0, "problem": null });
    assert_eq!(made.json, counts);
    // a retry needs no key, however it is packed
    let again = || world.v4("PUT", &format!("/jobs/{job}/reports/tests")).by(&world.bob);
    assert_eq!(again().body("application/x-ndjson", body.clone()).gives(200).json, counts);
    world.reporting(job, "tests", &body).by(&world.bob).gives(200);
    if world.server.is_in_process() {
        let of = |table: &str| {
            format!("select json_array(count(*)) as v from {table} where project_id = {}", world.project.id)
        };
        assert_eq!(world.server.rows(&of("reports")), [json!([1])]);
        assert_eq!(world.server.rows(&of("reservations")), [json!([0])]);
    }
    // a second report without failures
    let other = tests(&[("success", "a")]);
    let told = json!({ "message": "409 Conflict - the job has another report of this kind" });
    world.reporting(job, "tests", &other).by(&world.bob).refused(409, told);
    let quality = report("quality", json!({}), &[]);
    world.reporting(job, "quality", &quality).by(&world.bob).gives(201);
    // the status stays as it is
    assert_eq!(world.v4("GET", &format!("/jobs/{job}")).by(&world.rae).gives(200).json["status"], "running");
}

#[test]
fn only_who_posted_the_status_reports_on_it() {
    let world = world();
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let body = tests(&[("success", "a")]);
    let told = json!({ "message": "403 Forbidden - only who posted the status reports on it" });
    world.reporting(job, "tests", &body).gives(401);
    world.reporting(job, "tests", &body).by(&world.rae).gives(403);
    world.reporting(job, "tests", &body).by(&world.ann).refused(403, told.clone());
    let token = |name: &str, scope: &str| made(&world, &world.ann, json!({ "name": name, "scopes": [scope] })).1;
    world.reporting(job, "tests", &body).by(&token("other", "statuses")).refused(403, told);
    world.reporting(job, "tests", &body).by(&token("reader", "read_api")).gives(403);
    world.reporting(job, "tests", &body).by(&token("deployer", "deployments")).gives(403);
    let ci = token("ci", "statuses");
    let own = world.posted_job(&ci, 3, "own", "success");
    world.reporting(own, "tests", &body).by(&ci).gives(201);
    // of another project, unknown, of a deployment
    let other = World::new(spec(), Visibility::Public);
    other.push_line(3);
    let foreign = other.posted_job(&other.bob, 3, "test", "success");
    // jobs of deployments have numbers of their own: one that is not that of a status above
    let new = json!({ "environment": "live", "sha": sha(3), "ref": "master" });
    let deploy =
        || world.post("/deployments").by(&world.bob).json(new.clone()).gives(201).json["deployable"]["id"].as_i64();
    let deployed = std::iter::repeat_with(|| deploy().unwrap()).find(|id| ![job, own].contains(id)).unwrap();
    for id in [foreign, 1 << 40, deployed] {
        world.reporting(id, "tests", &body).by(&world.bob).refused(404, missing());
    }
    world.reporting(job, "logs", &body).by(&world.bob).refused(404, missing());
    world.v4("PUT", "/jobs/x/reports/tests").by(&world.bob).gives(400);
}

#[test]
fn a_report_comes_until_a_day_after_the_end_of_the_job() {
    if !spec().is_in_process() {
        return;
    }
    let world = world_on(Server::with_objects(|_| {}));
    let body = tests(&[("success", "a")]);
    let [running, ended] = ["running", "success"].map(|state| world.posted_job(&world.bob, 3, state, state));
    world.server.turn_to(now() + DAY + 60_000);
    let told = json!({ "message": "400 Bad request - the job ended more than a day ago" });
    world.reporting(ended, "tests", &body).by(&world.bob).refused(400, told);
    world.reporting(running, "tests", &body).by(&world.bob).gives(201);
}

#[test]
fn a_body_that_is_wrong_stores_nothing() {
    let world = world();
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let body = tests(&[("success", "a")]);
    let put = |bytes: Vec<u8>| {
        let put = world.v4("PUT", &format!("/jobs/{job}/reports/tests")).by(&world.bob);
        put.body("application/x-ndjson", bytes).header("Content-Encoding", "gzip")
    };
    let whole = packed(&body);
    let broken = json!({ "error": "message body does not match declared format" });
    let two = [whole.clone(), whole.clone()].concat();
    let mut length = whole.clone();
    *length.last_mut().unwrap() ^= 1;
    let mut sum = whole.clone();
    let at = sum.len() - 8;
    sum[at] ^= 1;
    for wrong in [two, length, sum, whole[..whole.len() - 1].to_vec(), body.clone(), vec![0x1f, 0x8b]] {
        put(wrong).refused(400, broken.clone());
    }
    let plain = |text: &str| {
        let put = world.v4("PUT", &format!("/jobs/{job}/reports/tests")).by(&world.bob);
        put.body("application/x-ndjson", text.as_bytes().to_vec())
    };
    plain("").refused(400, json!({ "error": "line 1: the end is missing" }));
    let cut = String::from_utf8(body.clone()).unwrap().replace("{\"end\":1}\n", "");
    plain(&cut).refused(400, json!({ "error": "line 3: the end is missing" }));
    let odd = cut.replace("\"name\"", "\"other\"");
    let told = plain(&odd).gives(400).json["error"].as_str().unwrap().to_owned();
    assert!(told.starts_with("line 2: unknown field `other`"), "{told}");
    for (line, array) in [(1, r#"["tests",1,null,{}]"#), (2, r#"["success","a"]"#), (3, "[1]")] {
        let lines = String::from_utf8(body.clone()).unwrap();
        let mut lines: Vec<&str> = lines.lines().collect();
        lines[line - 1] = array;
        plain(&lines.join("\n")).refused(400, json!({ "error": format!("line {line}: it is no object") }));
    }
    if world.server.is_in_process() {
        let rows = world
            .server
            .rows("select json_array(count(*)) as v from reports where project_id = (select max(id) from projects)");
        assert_eq!(rows, [json!([0])]);
    }
    put(whole).gives(201);
}

#[test]
fn a_body_that_is_too_long_is_refused_as_it_unpacks() {
    let world = world();
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let told = json!({ "message": "413 Request Entity Too Large" });
    let head = "{\"report\":\"tests\",\"version\":1}\n";
    // blanks belong to JSON
    let long = |bytes: usize| {
        let line = format!("{{\"status\":\"success\",\"name\":\"a\"{}}}\n", " ".repeat(60_000));
        format!("{head}{}", line.repeat(bytes / line.len())).into_bytes()
    };
    world.reporting(job, "tests", &long(17 << 20)).by(&world.bob).refused(413, told.clone());
    let bomb = format!("{head}{}", " ".repeat(1 << 20)).into_bytes();
    world
        .reporting(job, "tests", &bomb)
        .by(&world.bob)
        .refused(400, json!({ "error": "line 2: it is longer than 64 KiB" }));
    let mut dice = Dice(7);
    let noise: String = (0..5 << 20).map(|_| char::from(b' ' + (dice.number() % 94) as u8)).collect();
    let put = |packs: bool| {
        let put = world.v4("PUT", &format!("/jobs/{job}/reports/tests")).by(&world.bob);
        let put = put.body("application/x-ndjson", noise.as_bytes().to_vec());
        if packs { put.header("Content-Encoding", "gzip") } else { put }
    };
    put(true).refused(413, told);
    put(false).gives(400);
}

#[test]
fn an_archived_project_takes_no_report() {
    let world = world();
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let body = tests(&[("success", "a")]);
    world.v4("PUT", "").by(&world.ann).json(json!({ "builds_access_level": "disabled" })).gives(200);
    world.reporting(job, "tests", &body).by(&world.bob).refused(403, json!({ "message": "403 Forbidden" }));
    world.v4("PUT", "").by(&world.ann).json(json!({ "builds_access_level": "enabled" })).gives(200);
    world.v4("POST", "/archive").by(&world.ann).gives(201);
    world.reporting(job, "tests", &body).by(&world.bob).refused(403, archived());
}

#[test]
fn of_two_reports_at_once_one_is_stored() {
    if !spec().is_in_process() {
        return;
    }
    let world = world_on(Server::with_objects(|_| {}));
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let statuses: Vec<u16> = thread::scope(|scope| {
        let put = |number: usize| {
            let world = &world;
            let body = tests(&[("success", &format!("test {number}"))]);
            scope.spawn(move || world.reporting(job, "tests", &body).by(&world.bob).send().status)
        };
        let running: Vec<_> = (0..4).map(put).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [201, 409, 429].contains(status)), "{statuses:?}");
    assert_eq!(world.server.rows("select json_array(count(*)) as v from reports"), [json!([1])]);
    assert_eq!(world.server.bucket().keys().len(), 1);
}

#[test]
fn a_full_store_takes_no_report_and_statuses_go_on() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { object_bytes: 3000, ..Quotas::default() };
    let world = world_on(Server::with_objects(|config| config.quotas = quotas));
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let mut dice = Dice(1);
    let names: Vec<String> = (0..2000).map(|_| format!("{:x}", dice.number())).collect();
    let cases: Vec<(&str, &str)> = names.iter().map(|name| ("success", name.as_str())).collect();
    let told = json!({ "message": "507 Insufficient Storage: the files of this server may have 3000 bytes" });
    world.reporting(job, "tests", &tests(&cases)).by(&world.bob).refused(507, told);
    assert!(world.server.bucket().keys().is_empty());
    world.posted_job(&world.bob, 3, "test", "failed");
    world.reporting(job, "tests", &tests(&[("success", "a")])).by(&world.bob).gives(201);
}

#[test]
fn without_an_object_store_there_are_no_reports() {
    if !spec().is_in_process() {
        return;
    }
    let world = world_on(Server::with(|_| {}));
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let told = json!({ "message": "501 Not Implemented - this server has no store for files" });
    world.reporting(job, "tests", &tests(&[])).by(&world.bob).refused(501, told);
}

#[test]
fn a_store_that_fails_leaves_no_row_and_the_retry_is_201() {
    if !spec().is_in_process() {
        return;
    }
    let world = world_on(Server::with_objects(|_| {}));
    let job = world.posted_job(&world.bob, 3, "test", "success");
    let body = tests(&[("success", "a")]);
    world.server.bucket().break_after(Some(0));
    world.reporting(job, "tests", &body).by(&world.bob).gives(503);
    world.server.bucket().break_after(None);
    assert_eq!(world.server.rows("select json_array(count(*)) as v from reports"), [json!([0])]);
    world.reporting(job, "tests", &body).by(&world.bob).gives(201);
}
