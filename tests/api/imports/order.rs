//! The order of what comes, and that nobody is informed of it.

use super::{AT, brought, key, mirrored, one_of_each, record, sent, with};
use crate::hooks::{delivered, hook};
use crate::support::{Server, Visibility, World, now, spec};
use serde_json::{Value, json};

#[test]
fn comments_of_one_millisecond_stay_in_their_order_and_stand_before_events() {
    let world = World::new(spec(), Visibility::Private);
    brought(&world, &[record(&world, "issue")]);
    let note = |at: usize, body: String| {
        with(record(&world, "note"), json!({ "key": key(100 + at), "body": body, "at": AT, "updated_at": AT }))
    };
    let mut records: Vec<Value> = (0..30).map(|at| note(at, format!("{at:02}"))).collect();
    records.insert(0, with(record(&world, "event"), json!({ "at": AT })));
    brought(&world, &records);
    let id = world.v4("GET", "/issues/7").by(&world.ann).gives(200).json["id"].clone();
    let list = world.get(&format!("/issues/{id}/notes?per_page=100")).by(&world.ann).gives(200);
    let mut bodies: Vec<String> = list.each("body").iter().map(|body| body.as_str().unwrap().to_owned()).collect();
    if bodies[0].starts_with("Status") {
        bodies.reverse();
    }
    let expected: Vec<String> =
        (0..30).map(|at| format!("{at:02}")).chain(["Status changed to closed".to_owned()]).collect();
    assert_eq!(bodies, expected);
}

#[test]
fn an_import_sends_nothing_and_makes_no_events_and_no_to_do_items() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let world = World::new(server, Visibility::Private);
    mirrored(&world);
    let all = json!({ "issues_events": true, "note_events": true, "emoji_events": true, "milestone_events": true,
        "releases_events": true, "deployment_events": true, "pipeline_events": true, "job_events": true });
    for _ in 0..5 {
        hook(&world, all.clone());
    }
    delivered(server, now());
    let count = |table: &str| server.rows(&format!("select json_quote(count(*)) as v from {table}"))[0].clone();
    let tables = ["hook_events", "deliveries", "events", "todos"];
    let before = tables.map(count);
    let text = format!("@{} @{} @all", world.bob.username, world.rae.username);
    let mut records = one_of_each(&world);
    for record in &mut records {
        for name in ["description", "body", "note"] {
            if record["kind"] != "label" && record["kind"] != "award" && record.get(name).is_some() {
                record[name] = json!(text);
            }
        }
    }
    brought(&world, &records);
    for record in &mut records {
        record["updated_at"] = json!(AT + 100);
        record["author"] = json!(world.rae.id);
    }
    assert_eq!(sent(&world, &records)["changed"], 6);
    assert_eq!(tables.map(count), before);
    assert_eq!(delivered(server, now()).len(), 0);
    // what the header says makes no difference, and the mark does not stay
    super::asking(&world, &records).header("X-Edgeforge-Silent", "true").gives(200);
    assert_eq!(count("request_marks"), 0);
    world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": "loud" })).gives(201);
    assert_eq!(delivered(server, now()).len(), 5);
}

#[test]
fn authors_and_givers_of_emoji_take_part_and_mentioned_people_do_not() {
    let world = World::new(spec(), Visibility::Private);
    let body = format!("@{}", world.gus.username);
    let issue = with(record(&world, "issue"), json!({ "assignee": null, "closed_by": null, "description": body }));
    let note = with(record(&world, "note"), json!({ "author": world.rae.id, "body": body }));
    let service = with(record(&world, "note"), json!({ "key": key(20), "author": world.eve.id, "system": true }));
    brought(&world, &[issue, note, service, record(&world, "award")]);
    let people = world.v4("GET", "/issues/7/participants").by(&world.ann).gives(200).each("id");
    let mut ids: Vec<i64> = people.iter().map(|id| id.as_i64().unwrap()).collect();
    let mut expected = vec![world.ann.id, world.rae.id, world.bob.id];
    ids.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ids, expected);
}
