//! What each kind becomes, as the lists of v4 show it.

use super::{AT, brought, key, mirrored, one_of_each, record, sent, told, with};
use crate::storage::counters::disagreements;
use crate::support::git::sha;
use crate::support::{Server, Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

fn get(world: &World, path: &str) -> Value {
    world.v4("GET", path).by(&world.ann).gives(200).json
}

/// The members of a record that the test is about.
fn some(of: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| of[name].clone()).collect()
}

#[test]
fn one_of_each_kind_comes_in_one_request_as_it_was() {
    let world = world();
    mirrored(&world);
    let records = one_of_each(&world);
    assert_eq!(sent(&world, &records), told(13, 0, 0));
    let label = get(&world, "/labels/bug");
    assert_eq!(some(&label, &["color", "description"]), json!(["#ff0000", "wrong"]));
    let milestone = &get(&world, "/milestones")[0];
    let times = json!([3, "v1", "active", "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.001Z"]);
    assert_eq!(some(milestone, &["iid", "title", "state", "created_at", "updated_at"]), times);
    let issue = get(&world, "/issues/7");
    let names = ["iid", "title", "description", "state", "labels", "due_date", "created_at", "updated_at", "closed_at"];
    let texts = json!([
        7,
        "old",
        "text",
        "closed",
        ["bug", "new"],
        "2020-02-01",
        "2020-01-01T00:00:00.000Z",
        "2020-01-01T00:00:00.005Z",
        "2020-01-01T00:00:00.004Z"
    ]);
    assert_eq!(some(&issue, &names), texts);
    let people = ["author", "assignee", "closed_by"].map(|name| issue[name]["id"].clone());
    assert_eq!(people, [json!(world.ann.id), json!(world.bob.id), json!(world.bob.id)]);
    assert_eq!(some(&issue["time_stats"], &["time_estimate", "total_time_spent"]), json!([60, 30]));
    assert_eq!(some(&issue, &["user_notes_count", "upvotes"]), json!([1, 1]));
    let notes = get(&world, "/issues/7/notes?sort=asc");
    assert_eq!(notes.as_array().unwrap().len(), 1);
    assert_eq!(some(&notes[0], &["body", "created_at", "system"]), json!(["said", "2020-01-01T00:00:00.001Z", false]));
    assert_eq!(notes[0]["author"]["id"], world.bob.id);
    let event = &get(&world, "/issues/7/resource_state_events")[0];
    assert_eq!(some(event, &["state", "created_at"]), json!(["closed", "2020-01-01T00:00:00.004Z"]));
    let award = &get(&world, "/issues/7/award_emoji")[0];
    assert_eq!(some(award, &["name", "created_at"]), json!(["thumbsup", "2020-01-01T00:00:00.002Z"]));
    let links = get(&world, "/issues/7/links");
    assert_eq!(some(&links[0], &["iid", "link_type"]), json!([8, "relates_to"]));
    let release = get(&world, "/releases/v1.0");
    let times = json!(["One", "first", "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.001Z"]);
    assert_eq!(some(&release, &["name", "description", "created_at", "released_at"]), times);
    let link = &release["assets"]["links"][0];
    assert_eq!(some(link, &["name", "url", "link_type"]), json!(["Linux", "https://x.example/l", "package"]));
    let environment = &get(&world, "/environments")[0];
    assert_eq!(
        some(environment, &["name", "external_url", "state"]),
        json!(["prod/eu", "https://x.example", "available"])
    );
    let deployment = &get(&world, "/deployments")[0];
    assert_eq!(
        some(deployment, &["ref", "status", "created_at"]),
        json!(["master", "success", "2020-01-01T00:00:00.000Z"])
    );
    assert_eq!((&deployment["user"]["id"], &deployment["sha"]), (&json!(world.bob.id), &json!(sha(1))));
    let status = &get(&world, &format!("/repository/commits/{}/statuses", sha(1)))[0];
    assert_eq!(some(status, &["name", "status", "coverage", "ref"]), json!(["test", "failed", 12.5, "master"]));
    assert_eq!(get(&world, "/pipelines")[0]["status"], "failed");
    let comment = &get(&world, &format!("/repository/commits/{}/comments", sha(1)))[0];
    assert_eq!(some(comment, &["note", "created_at"]), json!(["why", "2020-01-01T00:00:00.000Z"]));
    // the next number is above those that came
    let made = world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": "ours" })).gives(201).json;
    assert_eq!(made["iid"], 9);
    assert_eq!(sent(&world, &records), told(0, 0, 13));
}

#[test]
fn every_counter_is_right_after_an_import() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    mirrored(&world);
    brought(&world, &one_of_each(&world));
    let long = with(record(&world, "issue"), json!({ "key": key(20), "iid": 12, "description": "x".repeat(30_000) }));
    let hidden =
        with(record(&world, "issue"), json!({ "key": key(21), "iid": 13, "confidential": true, "milestone": "v1" }));
    let note = with(record(&world, "note"), json!({ "key": key(22), "issue": 13, "system": true }));
    brought(&world, &[note, hidden, long.clone()]);
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
    assert_eq!(get(&world, "/issues/12")["description"], long["description"]);
    let changed = with(long, json!({ "description": "short", "updated_at": AT + 9, "confidential": true }));
    assert_eq!(sent(&world, &[changed]), told(0, 1, 0));
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
    assert_eq!(world.server.rows("select json_quote(count(*)) as v from imported"), [json!(16)]);
}

#[test]
fn a_label_an_environment_an_emoji_and_a_link_that_are_here_are_taken() {
    let world = world();
    sent(&world, &one_of_each(&world)[..3]);
    sent(&world, &one_of_each(&world)[12..]);
    world.v4("POST", "/labels").by(&world.ann).json(json!({ "name": "ours", "color": "#000000" })).gives(201);
    world.v4("POST", "/environments").by(&world.ann).json(json!({ "name": "qa" })).gives(201);
    world.v4("POST", "/issues/7/award_emoji").by(&world.bob).json(json!({ "name": "star" })).gives(201);
    let link = json!({ "target_project_id": world.project.id, "target_issue_iid": 7, "link_type": "blocks" });
    world.v4("POST", "/issues/8/links").by(&world.ann).json(link).gives(201);
    let records = [
        with(record(&world, "label"), json!({ "key": key(30), "title": "ours" })),
        with(record(&world, "environment"), json!({ "key": key(31), "name": "qa" })),
        with(record(&world, "award"), json!({ "key": key(32), "name": "star" })),
        with(record(&world, "link"), json!({ "key": key(33) })),
    ];
    brought(&world, &records);
    assert_eq!(get(&world, "/labels/ours")["color"], "#000000");
    assert_eq!(get(&world, "/environments")[0]["external_url"], json!(null));
    assert_eq!(get(&world, "/issues/7/award_emoji").as_array().unwrap().len(), 1);
    assert_eq!(get(&world, "/issues/7/links")[0]["link_type"], "is_blocked_by");
    assert_eq!(sent(&world, &records), told(0, 0, 4));
}

#[test]
fn a_milestone_keeps_its_number_and_those_left_out_are_deleted_ones() {
    let world = world();
    let milestone = |at: usize, title: &str, fields: Value| {
        with(with(record(&world, "milestone"), json!({ "key": key(40 + at), "title": title, "iid": null })), fields)
    };
    // in the order of their numbers, whatever that of the request is; those of groups follow
    brought(
        &world,
        &[
            milestone(0, "group", json!({})),
            milestone(1, "five", json!({ "iid": 5, "state": "closed", "start": "2020-01-01", "due": "2020-02-01" })),
            milestone(2, "two", json!({ "iid": 2, "description": "text" })),
            milestone(3, "group too", json!({})),
        ],
    );
    let list = world.v4("GET", "/milestones").by(&world.ann).gives(200);
    let mut shown: Vec<Value> =
        list.json.as_array().unwrap().iter().map(|one| some(one, &["iid", "title", "state", "due_date"])).collect();
    shown.sort_by_key(|one| one[0].as_i64());
    let expected = json!([
        [2, "two", "active", null],
        [5, "five", "closed", "2020-02-01"],
        [6, "group", "active", null],
        [7, "group too", "active", null]
    ]);
    assert_eq!(Value::from(shown), expected);
    let made = world.v4("POST", "/milestones").by(&world.ann).json(json!({ "title": "ours" })).gives(201).json;
    assert_eq!(made["iid"], 8);
    brought(&world, &[milestone(4, "far", json!({ "iid": 309 }))]);
    assert_eq!(world.v4("GET", "/milestones").by(&world.ann).gives(200).header("X-Total"), Some("6"));
}

#[test]
fn an_event_is_an_event_of_the_issue_and_a_comment_of_the_service() {
    let world = world();
    brought(&world, &one_of_each(&world)[..3]);
    let event = |at: usize, fields: Value| {
        with(with(record(&world, "event"), json!({ "key": key(50 + at), "at": AT + 10 * at as i64 })), fields)
    };
    let commit = sha(3);
    brought(
        &world,
        &[
            event(1, json!({ "event": "label", "action": "add", "title": "bug" })),
            event(2, json!({ "event": "label", "action": "remove", "title": "gone" })),
            event(3, json!({ "event": "label", "action": "add" })),
            event(4, json!({ "action": "closed", "commit": commit })),
            event(5, json!({ "event": "milestone", "action": "add", "title": "v1" })),
            event(6, json!({ "action": "reopened" })),
            event(7, json!({ "event": "milestone", "action": "remove", "title": "v1" })),
            event(8, json!({ "event": "milestone", "action": "add", "title": "gone" })),
            event(9, json!({ "event": "milestone", "action": "add" })),
        ],
    );
    let notes = world.get(&format!("/issues/{}/notes", get(&world, "/issues/7")["id"])).by(&world.ann).gives(200);
    let mut bodies: Vec<&str> =
        notes.json.as_array().unwrap().iter().map(|note| note["body"].as_str().unwrap()).collect();
    bodies.sort_unstable();
    assert_eq!(
        bodies,
        [
            "Added a deleted label",
            "Added ~\"bug\" label",
            "Milestone changed to %\"gone\"",
            "Milestone changed to %3",
            "Milestone changed to a deleted one",
            "Milestone removed",
            "Removed ~\"gone\" label",
            "Status changed to closed",
            "Status changed to reopened"
        ]
    );
    // v4 has the events in their place
    assert_eq!(get(&world, "/issues/7/notes"), json!([]));
    let list = |kind: &str| get(&world, &format!("/issues/7/resource_{kind}_events"));
    let labels: Vec<Value> =
        list("label").as_array().unwrap().iter().map(|one| json!([one["action"], one["label"]["name"]])).collect();
    assert_eq!(Value::from(labels), json!([["add", "bug"], ["remove", null], ["add", null]]));
    let milestones: Vec<Value> = list("milestone")
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["action"], one["milestone"]["iid"], one["state"]]))
        .collect();
    let expected =
        json!([["add", 3, "closed"], ["remove", 3, "opened"], ["add", null, "opened"], ["add", null, "opened"]]);
    assert_eq!(Value::from(milestones), expected);
    let states: Vec<Value> =
        list("state").as_array().unwrap().iter().map(|one| json!([one["state"], one["source_commit"]])).collect();
    assert_eq!(Value::from(states), json!([["closed", commit[..7]], ["reopened", null]]));
}

#[test]
fn an_event_of_the_making_of_an_issue_is_no_comment() {
    let world = world();
    brought(&world, &one_of_each(&world)[..3]);
    let label = with(record(&world, "event"), json!({ "event": "label", "action": "add", "title": "bug", "at": AT }));
    let milestone = with(label.clone(), json!({ "key": key(50), "event": "milestone", "title": "v1" }));
    brought(&world, &[label, milestone]);
    let own = world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": "own", "labels": "bug" })).gives(201);
    for issue in [get(&world, "/issues/7"), own.json] {
        let events = get(&world, &format!("/issues/{}/resource_label_events", issue["iid"]));
        assert_eq!(events.as_array().unwrap().len(), 1);
        let notes = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.ann).gives(200);
        assert_eq!(notes.json, json!([]));
    }
}

#[test]
fn emoji_of_comments_and_both_kinds_of_links_come() {
    let world = world();
    brought(&world, &one_of_each(&world)[2..4]);
    brought(&world, &one_of_each(&world)[12..]);
    let award = with(record(&world, "award"), json!({ "key": key(60), "note": key(4), "name": ":+1:" }));
    let link = with(record(&world, "link"), json!({ "key": key(61), "type": "blocks" }));
    brought(&world, &[award, link]);
    let note = get(&world, "/issues/7/notes")[0]["id"].clone();
    assert_eq!(get(&world, &format!("/issues/7/notes/{note}/award_emoji"))[0]["name"], "thumbsup");
    assert_eq!(get(&world, "/issues/7/award_emoji"), json!([]));
    assert_eq!(get(&world, "/issues/7/links")[0]["link_type"], "blocks");
    assert_eq!(get(&world, "/issues/8/links")[0]["link_type"], "is_blocked_by");
}

#[test]
fn environments_get_slugs_and_deployments_numbers_of_their_own() {
    let world = world();
    mirrored(&world);
    let named = |at: usize, name: &str, fields: Value| {
        with(with(record(&world, "environment"), json!({ "key": key(70 + at), "name": name })), fields)
    };
    let stopped = json!({ "state": "stopped", "tier": "other", "description": "text" });
    brought(&world, &[named(0, "qa", json!({})), named(1, "qa-", stopped), named(2, "QA", json!({}))]);
    let list = get(&world, "/environments");
    let slugs: Vec<&str> = list.as_array().unwrap().iter().map(|one| one["slug"].as_str().unwrap()).collect();
    assert!(slugs[0] == "qa" && slugs[1..].iter().all(|slug| slug.starts_with("qa-") && slug.len() == 9), "{slugs:?}");
    assert_eq!(some(&list[1], &["state", "tier", "description"]), json!(["stopped", "other", "text"]));
    let made =
        |at: usize, name: &str| with(record(&world, "deployment"), json!({ "key": key(80 + at), "environment": name }));
    brought(&world, &[made(0, "qa"), made(1, "QA"), made(2, "qa")]);
    assert_eq!(Value::from(world.v4("GET", "/deployments").by(&world.ann).gives(200).each("iid")), json!([1, 2, 3]));
    let status =
        |at: usize, fields: Value| with(with(record(&world, "status"), json!({ "key": key(90 + at) })), fields);
    brought(
        &world,
        &[
            status(0, json!({ "ref": null, "name": "a", "state": "canceled", "skipped": true })),
            status(1, json!({ "name": "b", "target_url": "https://ci.example/1", "description": "d" })),
        ],
    );
    let statuses = get(&world, &format!("/repository/commits/{}/statuses?all=true", sha(1)));
    let shown: Vec<Value> =
        statuses.as_array().unwrap().iter().map(|one| some(one, &["name", "status", "ref"])).collect();
    assert_eq!(Value::from(shown), json!([["a", "skipped", "master"], ["b", "failed", "master"]]));
}

#[test]
fn a_release_has_its_milestones_and_is_refused_without_one_of_them() {
    let world = world();
    mirrored(&world);
    brought(&world, &[record(&world, "milestone")]);
    let release = with(record(&world, "release"), json!({ "milestones": ["v1", "v9"] }));
    super::refused(&world, release.clone(), "milestones: not all of them are there");
    brought(&world, &[with(release, json!({ "milestones": ["v1"], "name": "v1.0" }))]);
    let shown = get(&world, "/releases/v1.0");
    assert_eq!((&shown["name"], &shown["milestones"][0]["title"]), (&json!("v1.0"), &json!("v1")));
}
