//! POST /projects/:id/issues

use super::{is_time, milestone};
use crate::support::{Person, Visibility, World, gitlab, spec};
use serde_json::{Value, json};
use std::thread;

fn world() -> World {
    World::personal(spec(), Visibility::Private)
}

/// What a user's brief form is.
fn brief(person: &Person) -> Value {
    use md5::Digest;
    let digest = md5::Md5::digest(person.email.as_bytes());
    let hex = edgeforge_wire::text::hex(&digest);
    json!({
        "id": person.id, "name": person.name, "username": person.username, "state": "active",
        "avatar_url": format!("http://www.gravatar.com/avatar/{hex}?s=80&d=identicon"),
        "web_url": format!("{}/{}", spec().origin, person.username),
    })
}

#[test]
fn a_title_of_more_than_255_characters_is_refused() {
    let world = world();
    let post = |title: String| world.post("/issues").by(&world.gus).json(json!({ "title": title }));
    let refusal = json!({ "message": { "title": ["is too long (maximum is 255 characters)"] } });
    post("g".repeat(256)).refused(400, refusal.clone());
    post("ü".repeat(256)).refused(400, refusal);
    assert_eq!(post("g".repeat(255)).gives(200).json["title"], "g".repeat(255));
    assert_eq!(post("🐙".repeat(255)).gives(200).json["title"], "🐙".repeat(255));
    assert_eq!(post(format!(" {} ", "g".repeat(255))).gives(200).json["title"], "g".repeat(255));
}

#[test]
fn every_fault_of_a_new_issue_is_told_at_once() {
    let world = world();
    let wrong = json!({ "title": " ", "due_date": "y", "assignee_id": "x", "created_at": "z" });
    let all = json!({ "message": {
        "title": ["can't be blank"], "due_date": ["is invalid"], "assignee_id": ["is invalid"],
        "created_at": ["is invalid"],
    } });
    world.post("/issues").by(&world.ann).json(wrong).refused(400, all);
    let alone = json!({ "message": "400 (Bad request) \"title\" not given" });
    world.post("/issues").by(&world.ann).json(json!({ "title": " " })).refused(400, alone);
}

#[test]
fn a_due_date_that_is_no_date_is_refused() {
    let world = world();
    for date in ["2016-02-31", "2016-2-1", "tomorrow", "2016-02-01T00:00:00Z", "20160201", "0000-00-00", "1e9"] {
        let post = world.post("/issues").by(&world.gus).json(json!({ "title": "x", "due_date": date }));
        post.refused(400, json!({ "message": { "due_date": ["is invalid"] } }));
    }
}

#[test]
fn an_assignee_who_cannot_see_the_project_is_refused() {
    let world = world();
    let refusal = json!({ "message": { "assignee_id": ["is invalid"] } });
    for stranger in [world.eve.id, 987_654_321, -1, world.group] {
        let post = world.post("/issues").by(&world.rae).json(json!({ "title": "x", "assignee_id": stranger }));
        post.refused(400, refusal.clone());
    }
    for known in [&world.ann, &world.bob, &world.rae, &world.gus, &world.root] {
        let made = world.issue(&world.rae, json!({ "title": "x", "assignee_id": known.id }));
        assert_eq!(made["assignee"]["id"], known.id);
    }
    let public = World::new(spec(), Visibility::Public);
    let made = public.issue(&public.rae, json!({ "title": "x", "assignee_id": public.eve.id }));
    assert_eq!(made["assignee"]["id"], public.eve.id);
}

#[test]
fn a_milestone_of_another_project_is_refused() {
    let (world, other) = (world(), self::world());
    let refusal = json!({ "message": { "milestone_id": ["is invalid"] } });
    for wrong in [milestone(&other, "elsewhere"), 987_654_321, -1] {
        let post = world.post("/issues").by(&world.rae).json(json!({ "title": "x", "milestone_id": wrong }));
        post.refused(400, refusal.clone());
    }
}

#[test]
fn where_issues_are_switched_off_none_is_made_or_seen() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "before" }))["id"].clone();
    world.server.put(world.at("")).by(&world.ann).json(json!({ "issues_enabled": false })).gives(200);
    let refusal = json!({ "message": "403 Forbidden" });
    world.post("/issues").by(&world.ann).json(json!({ "title": "x" })).refused(403, refusal);
    assert_eq!(world.get("/issues").by(&world.ann).gives(200).json, json!([]));
    world.get(&format!("/issues/{issue}")).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn a_new_issue_is_answered_whole() {
    let world = world();
    let milestone = milestone(&world, "1.0.0");
    let fields = json!({
        "title": "  new issue ", "description": "two\nlines", "confidential": false, "assignee_id": world.bob.id,
        "milestone_id": milestone, "labels": "label, label2", "due_date": "2016-02-29",
    });
    let made = world.issue(&world.rae, fields);
    assert!(is_time(&made["created_at"]) && made["created_at"] == made["updated_at"], "{made}");
    let in_milestone = &made["milestone"];
    assert!(is_time(&in_milestone["created_at"]));
    let (id, iid) = (made["id"].as_i64().unwrap(), 1);
    assert_eq!(
        made,
        json!({
            "id": id, "iid": iid, "project_id": world.project.id, "title": "new issue",
            "description": "two\nlines", "state": "opened", "created_at": made["created_at"],
            "updated_at": made["updated_at"], "labels": ["label", "label2"],
            "milestone": {
                "id": milestone, "iid": 1, "project_id": world.project.id, "title": "1.0.0", "description": null,
                "state": "active", "due_date": null, "created_at": in_milestone["created_at"],
                "updated_at": in_milestone["updated_at"],
            },
            "assignee": brief(&world.bob), "author": brief(&world.rae), "subscribed": true,
            "user_notes_count": 0, "due_date": "2016-02-29", "confidential": false,
            "web_url": format!("{}/{}/issues/{iid}", spec().origin, world.project.path),
        })
    );
    assert_eq!(world.get(&format!("/issues/{id}")).by(&world.rae).gives(200).json, made);
}

#[test]
fn a_new_issue_needs_no_more_than_a_title() {
    let world = world();
    let made = world.issue(&world.gus, json!({ "title": "x" }));
    for field in ["description", "milestone", "assignee", "due_date"] {
        assert_eq!(made[field], Value::Null, "{field}");
    }
    assert_eq!((&made["labels"], &made["confidential"]), (&json!([]), &json!(false)));
    let nobody = json!({ "title": "x", "assignee_id": 0, "milestone_id": "0" });
    let made = world.issue(&world.rae, nobody);
    assert_eq!((&made["assignee"], &made["milestone"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_trailing_or_doubled_slash_does_not_matter() {
    let world = world();
    for path in ["/issues/", "//issues", "/issues.json"] {
        world.post(path).by(&world.gus).form(&[("title", "x")]).gives(200);
    }
}

#[test]
fn gitlab_clients_are_answered_201() {
    let world = World::new(gitlab(), Visibility::Private);
    world.post("/issues").by(&world.gus).form(&[("title", "x")]).gives(201);
}

#[test]
fn whoever_sees_an_open_project_may_write_an_issue_but_not_plan() {
    for visibility in [Visibility::Internal, Visibility::Public] {
        let world = World::new(spec(), visibility);
        let milestone = milestone(&world, "1.0.0");
        for person in [&world.eve, &world.gus] {
            let plan =
                json!({ "title": "x", "labels": "new1", "milestone_id": milestone, "assignee_id": world.bob.id });
            let made = world.issue(person, plan);
            assert_eq!((&made["labels"], &made["milestone"]), (&json!([]), &Value::Null));
            assert_eq!(made["assignee"], Value::Null);
            // not even looked at
            let nonsense = json!({ "title": "x", "milestone_id": 987_654_321, "assignee_id": 987_654_321 });
            world.issue(person, nonsense);
        }
        assert_eq!(world.get("/labels").by(&world.ann).gives(200).json, json!([]));
    }
}

#[test]
fn the_author_of_a_confidential_issue_reads_it_back() {
    let world = World::new(spec(), Visibility::Public);
    let made = world.issue(&world.eve, json!({ "title": "x", "confidential": true }));
    assert_eq!(made["confidential"], true);
    let path = format!("/issues/{}", made["id"]);
    assert_eq!(world.get(&path).by(&world.eve).gives(200).json, made);
    world.get(&path).by(&world.gus).refused(404, json!({ "message": "404 Not found" }));
}

#[test]
fn only_owners_and_administrators_say_when_an_issue_was_made() {
    for world in [World::personal(spec(), Visibility::Public), World::new(spec(), Visibility::Public)] {
        let made = |person: &Person, at: &str| {
            world.issue(person, json!({ "title": "x", "created_at": at }))["created_at"].clone()
        };
        for owner in [&world.ann, &world.root] {
            assert_eq!(made(owner, "2016-03-01T10:00:00.5+02:00"), "2016-03-01T08:00:00.500Z");
            assert_eq!(made(owner, "2016-03-01T10:00:00Z"), "2016-03-01T10:00:00.000Z");
            assert_eq!(made(owner, "2016-03-01"), "2016-03-01T00:00:00.000Z");
            assert_eq!(made(owner, "2016-03-01 10:00:00 UTC"), "2016-03-01T10:00:00.000Z");
        }
        for other in [&world.bob, &world.rae, &world.gus, &world.eve] {
            assert!(made(other, "2016-03-01T10:00:00Z").as_str() > Some("2020"), "silently ignored");
        }
    }
}

#[test]
fn who_takes_part_is_subscribed() {
    let world = World::new(spec(), Visibility::Public);
    let title = format!("for @{} and mail@{}", world.eve.username, world.rae.username);
    let description = format!("see @{}, please. @no-such", world.gus.username);
    let fields = json!({ "title": title, "description": description, "assignee_id": world.bob.id });
    let made = world.issue(&world.ann, fields);
    let get = |person: &Person| world.get(&format!("/issues/{}", made["id"])).by(person).gives(200).json;
    for person in [&world.ann, &world.bob, &world.gus, &world.eve] {
        assert_eq!(get(person)["subscribed"], true, "{}", person.name);
    }
    assert_eq!(get(&world.rae)["subscribed"], false);
}

#[test]
fn a_mention_of_somebody_who_cannot_read_it_says_nothing() {
    let world = world();
    let title = format!("for @{}", world.eve.username);
    let made = world.issue(&world.ann, json!({ "title": title }));
    world.admit(&world.eve, 10);
    assert_eq!(world.get(&format!("/issues/{}", made["id"])).by(&world.eve).gives(200).json["subscribed"], false);
}

#[test]
fn a_new_assignee_has_a_todo() {
    let world = world();
    let made = world.issue(&world.ann, json!({ "title": "x", "assignee_id": world.bob.id }));
    let todos = spec().get("/todos?per_page=100").by(&world.bob).gives(200);
    let todos = todos.json.as_array().unwrap().clone();
    let todo = todos.iter().find(|todo| todo["target"]["id"] == made["id"]).expect("a todo");
    assert_eq!((&todo["action_name"], &todo["state"]), (&json!("assigned"), &json!("pending")));
    assert_eq!(todo["author"]["id"], world.ann.id);
}

#[test]
fn iids_count_in_each_project_and_ids_in_all() {
    let (first, second) = (world(), world());
    let ids: Vec<(i64, i64)> = [&first, &second, &first, &second]
        .map(|world| world.issue(&world.ann, json!({ "title": "x" })))
        .map(|made| (made["id"].as_i64().unwrap(), made["iid"].as_i64().unwrap()))
        .to_vec();
    assert_eq!(ids.iter().map(|(_, iid)| *iid).collect::<Vec<_>>(), [1, 1, 2, 2]);
    assert!(ids.is_sorted() && ids[0].0 < ids[1].0);
}

#[test]
fn fifty_issues_made_at_once_have_fifty_numbers_without_gaps() {
    let world = World::new(spec(), Visibility::Private);
    let mut iids: Vec<i64> = thread::scope(|scope| {
        let make = |number: usize| {
            let fields = json!({ "title": format!("issue {number}"), "labels": "shared, also" });
            world.issue(&world.rae, fields)["iid"].as_i64().unwrap()
        };
        let makers: Vec<_> = (0..50).map(|number| scope.spawn(move || make(number))).collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    iids.sort_unstable();
    assert_eq!(iids, (1..=50).collect::<Vec<_>>());
    let list = world.get("/issues?per_page=100&labels=shared").by(&world.gus).gives(200);
    assert_eq!((list.each("iid").len(), list.header("X-Total")), (50, Some("50")));
    assert_eq!(world.get("/labels").by(&world.gus).gives(200).each("name"), ["also", "shared"]);
}
