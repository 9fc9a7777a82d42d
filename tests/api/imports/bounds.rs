//! What a request costs, its quotas, and the list of administrators' acts.

use super::{AT, asking, brought, key, mirrored, one_of_each, record, sent, with};
use crate::support::{Answer, Server, Visibility, World, now, spec};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

/// 300 records of a kind, on 30 issues.
fn many(world: &World, kind: &str) -> Vec<Value> {
    let one = |at: usize| {
        let place = super::KINDS.iter().position(|known| *known == kind).unwrap();
        let key = key(10_000 * (20 + place) + at);
        let (issue, time) = (100 + at % 30, AT + at as i64);
        let fields = match kind {
            "label" => json!({ "title": format!("label {at}") }),
            "milestone" => json!({ "title": format!("milestone {at}"), "iid": 2 * at + 1 }),
            "issue" => {
                let labels: Vec<_> = (0..usize::from(at < 250)).map(|_| format!("label {}", at % 50)).collect();
                json!({ "iid": 100 + at, "labels": labels, "at": time })
            }
            "note" => json!({ "issue": issue, "at": time, "updated_at": time }),
            "event" => json!({ "issue": issue, "at": time, "event": "label", "action": "add", "title": "bug" }),
            "award" => json!({ "issue": issue, "name": format!("e{}", at / 30), "at": time }),
            "link" => json!({ "issue": issue, "target": 130 + at / 2 }),
            "environment" => json!({ "name": format!("env {at}") }),
            "status" => json!({ "name": format!("job {at}") }),
            _ => json!({ "at": time }),
        };
        with(with(record(world, kind), json!({ "key": key })), fields)
    };
    (0..300).map(one).collect()
}

fn cost(answer: &Answer) -> [u32; 3] {
    [answer.trips, answer.figure("rows_read"), answer.figure("rows_written")]
}

#[test]
fn three_hundred_records_take_two_round_trips_and_bounded_rows() {
    if !spec().is_in_process() {
        return;
    }
    let mut dear = Vec::new();
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    mirrored(&world);
    let of = |kind: &str, at: usize| -> Vec<Value> {
        let mut records = many(&world, kind);
        for (place, record) in records.iter_mut().enumerate() {
            record["key"] = json!(key((at + 1) * 100_000 + place));
        }
        records
    };
    for (at, kind) in super::KINDS.into_iter().enumerate() {
        if kind == "release" {
            continue;
        }
        if kind == "deployment" {
            brought(&world, &[record(&world, "environment")]);
        }
        let records = of(kind, at);
        let answer = asking(&world, &records).gives(200);
        assert_eq!(answer.json["new"], 300, "{kind}: {}", answer.text);
        let [trips, _, written] = cost(&answer);
        println!("{kind}: {trips} trips, {written} rows written");
        let most = if kind == "note" { 3000 } else { 9000 };
        if trips != 2 || written >= most {
            dear.push(format!("{kind}: {trips} trips, {written} rows written"));
        }
        let again = asking(&world, &records).gives(200);
        assert_eq!(again.json["same"], 300, "{kind}");
        // the row of the list of acts, and the records that are staged
        assert!(cost(&again)[0] == 2 && cost(&again)[2] <= 8, "{kind}: {:?}", cost(&again));
    }
    assert!(dear.is_empty(), "{dear:#?}");
}

/// Requests that write as many rows as one may.
#[test]
fn the_dearest_requests_write_fewer_than_9000_rows() {
    let world = World::new(spec(), Visibility::Private);
    let line = crate::support::git::line(1);
    let tags: Vec<String> = (0..100).map(|at| format!("refs/tags/t{at}")).collect();
    let refs: Vec<(&str, &str)> = tags.iter().map(|tag| (tag.as_str(), line[0].sha.as_str())).collect();
    world.push(&line, &refs);
    let titles = |count: usize, mark: &str| -> Value { (0..count).map(|at| format!("{mark}{at}")).collect() };
    let milestones = |fields: fn(usize) -> Value| -> Vec<Value> {
        let own = |at: usize| json!({ "key": key(100_000 + at), "iid": null, "title": format!("m{at}") });
        (0..300).map(|at| with(with(record(&world, "milestone"), own(at)), fields(at))).collect()
    };
    // each of 250 issues with labels of its own
    let issues = |first: usize, count: usize, labels: usize| -> Vec<Value> {
        let own = |at: usize| {
            let labels = titles(if at < 250 { labels } else { 0 }, &format!("l{at} "));
            json!({ "key": key(first + at), "iid": first + at, "labels": labels, "milestone": format!("m{at}") })
        };
        (0..count).map(|at| with(record(&world, "issue"), own(at))).collect()
    };
    // all of an issue
    let changed = |issues: &[Value]| -> Vec<Value> {
        let other = |(at, issue): (usize, &Value)| {
            let labels = issue["labels"].as_array().unwrap().len();
            let fields = json!({ "title": format!("new {at}"), "description": "new", "state": "opened", "confidential": true,
                "labels": titles(labels, &format!("k{at} ")), "author": world.bob.id, "assignee": world.ann.id,
                "milestone": format!("m{}", 299 - at), "at": AT - 5, "updated_at": AT + 1000, "due": "2021-01-01" });
            with(issue.clone(), fields)
        };
        issues.iter().enumerate().map(other).collect()
    };
    let (many, few) = (issues(1000, 300, 1), issues(2000, 90, 5));
    let notes: Vec<Value> =
        (0..300).map(|at| with(record(&world, "note"), json!({ "key": key(3000 + at), "issue": 1000 + at }))).collect();
    let links: Value = (0..5)
        .map(|at| json!([at.to_string(), format!("https://x.example/{at}"), format!("/{at}"), "other"]))
        .collect();
    let releases = |fields: Value, first: usize| -> Vec<Value> {
        let own = |at: usize| json!({ "key": key(4000 + at), "tag": format!("t{at}") });
        (first..first + 50).map(|at| with(with(record(&world, "release"), own(at)), fields.clone())).collect()
    };
    let mut dear = Vec::new();
    for (name, records) in [
        ("milestones", milestones(|_| json!({}))),
        ("changed milestones", milestones(|_| json!({ "state": "closed", "updated_at": AT + 9 }))),
        ("issues with a label", many.clone()),
        ("issues with five labels", few.clone()),
        ("comments of new participants", notes),
        ("changed issues with a label", changed(&many)),
        ("changed issues with five labels", changed(&few)),
        ("releases with links", releases(json!({ "links": links, "milestones": titles(5, "m") }), 0)),
        ("releases with milestones", releases(json!({ "links": null, "milestones": titles(10, "m") }), 50)),
    ] {
        let answer = asking(&world, &records).gives(200);
        let counted = ["new", "changed"].map(|word| answer.json[word].as_u64().unwrap()).iter().sum::<u64>();
        assert_eq!(counted, records.len() as u64, "{name}: {}", answer.text);
        let [trips, _, written] = cost(&answer);
        println!("{name}: {trips} trips, {written} rows written");
        if trips > 2 || written >= if spec().is_in_process() { 6500 } else { 9000 } {
            dear.push(format!("{name}: {trips} trips, {written} rows written"));
        }
    }
    assert!(dear.is_empty(), "{dear:#?}");
}

#[test]
fn a_hostile_request_costs_no_more_than_a_good_one() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    let steps = |records: &[Value]| {
        world.server.database().take_steps();
        let answer = asking(&world, records).gives(200);
        let written = answer.figure("rows_written");
        (answer.json, world.server.database().take_steps().0, written)
    };
    let issues = many(&world, "issue");
    let (_, good, rows) = steps(&issues);
    // long labels that are new, in as many issues as there may be
    let labels = |from: usize, count: usize| -> Value {
        (from..from + count).map(|at| format!("{at}{}", "x".repeat(240))).collect()
    };
    let hostile: Vec<Value> = issues
        .iter()
        .enumerate()
        .map(|(at, issue)| {
            let count = if at == 0 { 51 } else { usize::from(at < 200) };
            with(issue.clone(), json!({ "key": key(50_000 + at), "iid": 1000 + at, "labels": labels(at * 500, count) }))
        })
        .collect();
    let (answer, steps_of_it, written) = steps(&hostile);
    assert_eq!(answer["new"], 300);
    println!("300 issues: {good} and {steps_of_it} steps, {rows} and {written} rows written");
    assert!(written < 9000 && steps_of_it < 3 * good, "{written} {steps_of_it} {good}");
    // all of them refused, for as many reasons
    let (_, good, _) = steps(&many(&world, "note"));
    for fields in [json!({ "issue": 9_999_999 }), json!({ "author": 9_999_999 }), json!({ "body": null })] {
        let wrong: Vec<Value> = many(&world, "note")
            .into_iter()
            .enumerate()
            .map(|(at, note)| with(with(note, fields.clone()), json!({ "key": key(60_000 + at) })))
            .collect();
        let (answer, cost, _) = steps(&wrong);
        assert_eq!(answer["refused"].as_array().unwrap().len(), 300, "{answer}");
        assert!(cost <= 2 * good, "{fields}: {cost} of {good}");
    }
    // one issue takes what 30 take
    let one: Vec<Value> = many(&world, "award")
        .into_iter()
        .enumerate()
        .map(|(at, award)| with(award, json!({ "issue": 100, "name": format!("n{at}") })))
        .collect();
    let (_, many_issues, _) = steps(&many(&world, "award"));
    let again: Vec<Value> =
        one.into_iter().enumerate().map(|(at, award)| with(award, json!({ "key": key(70_000 + at) }))).collect();
    let (answer, one_issue, _) = steps(&again);
    assert_eq!(answer["new"], 300);
    assert!(one_issue < 2 * many_issues, "{one_issue} {many_issues}");
}

#[test]
fn an_issue_has_1000_emoji_at_most() {
    let world = World::new(spec(), Visibility::Private);
    brought(&world, &[record(&world, "issue")]);
    for part in 0..4 {
        let awards: Vec<Value> = (0..300)
            .map(|at| {
                let at = 300 * part + at;
                with(record(&world, "award"), json!({ "key": key(1000 + at), "name": format!("e{at}") }))
            })
            .collect();
        let answer = sent(&world, &awards);
        let new = if part == 3 { 100 } else { 300 };
        assert_eq!((&answer["new"], answer["refused"].as_array().unwrap().len()), (&json!(new), 300 - new), "{part}");
    }
}

#[test]
fn an_import_into_a_full_project_writes_nothing() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { project_bytes: 50_000, ..Quotas::default() };
    let world = World::new(Server::with_quotas(quotas), Visibility::Private);
    let long = with(record(&world, "issue"), json!({ "description": "x".repeat(60_000) }));
    asking(&world, &[record(&world, "label"), long]).gives(507);
    assert_eq!(world.v4("GET", "/labels").by(&world.ann).gives(200).json, json!([]));
    assert_eq!(world.server.rows("select json_quote(count(*)) as v from staged_records"), [json!(0)]);
    assert_eq!(sent(&world, &[record(&world, "issue")])["new"], 1);
}

#[test]
fn each_request_is_a_row_of_the_list_of_acts() {
    let world = World::new(spec(), Visibility::Private);
    let acts = || {
        let target = format!("/audit_events?entity_type=Project&entity_id={}", world.project.id);
        spec().ask_v4("GET", target).by(&world.root).gives(200).each("event_name")
    };
    brought(&world, &[record(&world, "label")]);
    sent(&world, &[record(&world, "label")]);
    assert_eq!(acts(), ["POST /projects/:id/import_records"; 2].map(Value::from));
    // also in a project of their own
    let own = spec().project(&world.root, world.root.id, Visibility::Private);
    let target = format!("/projects/{}/import_records", own.id);
    let records = json!({ "records": [record(&world, "label")] });
    spec().ask_v4("POST", target).by(&world.root).json(records).gives(200);
    let target = format!("/audit_events?entity_type=Project&entity_id={}", own.id);
    let names = spec().ask_v4("GET", target).by(&world.root).gives(200).each("event_name");
    assert!(names.contains(&json!("POST /projects/:id/import_records")), "{names:?}");
}

#[test]
fn the_keys_of_a_project_go_with_it() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|config| config.retention = Retention { deleted_projects: 1, ..config.retention });
    let world = World::new(server, Visibility::Private);
    mirrored(&world);
    brought(&world, &one_of_each(&world));
    world.v4("DELETE", "").by(&world.ann).gives(202);
    for day in 2..5 {
        server.sweep(now() + day * 86_400_000).unwrap();
    }
    assert_eq!(server.rows("select json_quote(count(*)) as v from imported"), [json!(0)]);
    assert_eq!(server.rows("select json_quote(count(*)) as v from project_remains"), [json!(0)]);
}
