//! Diffs of commits, and comments on them.

use crate::support::git::{commit, sha};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

const PATCH: &str = "--- a/README\n+++ b/README\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n three\n";

/// One changed file in the form that the hook sends.
fn entry(old: &str, new: &str, diff: &str) -> Value {
    json!({ "old_path": old, "new_path": new, "a_mode": "100644", "b_mode": "100644", "diff": diff,
        "new_file": false, "renamed_file": old != new, "deleted_file": false })
}

/// Commit 1 on master changes README and renames a file.
fn world() -> World {
    let world = World::new(spec(), Visibility::Private);
    let renamed = PATCH.replace("b/README", "b/NEW");
    let mut first = commit(1, &[]);
    first.diff = json!([entry("README", "README", PATCH), entry("OLD", "NEW", &renamed)]).to_string();
    let tip = sha(1);
    world.push(&[first], &[("refs/heads/master", &tip)]);
    world
}

fn post(world: &World, name: &str, fields: Value) -> Answer {
    world.post(&format!("/repository/commits/{name}/comments")).by(&world.rae).json(fields).send()
}

#[test]
fn a_diff_is_what_the_mirror_sent() {
    let world = world();
    let path = format!("/repository/commits/{}/diff", sha(1));
    let nobody = json!({ "message": "404 No user id or username for: nobody-0 Not Found" });
    world.get(&path).by(&world.root).header("SUDO", "nobody-0").refused(404, nobody);
    let forbidden = json!({ "message": "403 Forbidden  - Must be admin to use sudo" });
    world.get(&path).by(&world.ann).header("SUDO", "root").refused(403, forbidden);
    world.get(&path).by(&world.root).header("SUDO", world.rae.username.as_str()).gives(200);
    let diff = world.get(&path).by(&world.rae).gives(200).json;
    assert_eq!(diff[0]["diff"], PATCH);
    assert_eq!(diff[1]["renamed_file"], true);
    world
        .get("/repository/commits/none/diff")
        .by(&world.rae)
        .refused(404, json!({ "message": "404 Commit Not Found" }));
}

#[test]
fn a_diff_of_several_megabytes_comes_back_whole() {
    let world = World::new(spec(), Visibility::Private);
    let text = "\"\\é\n".repeat(500_000);
    let mut first = commit(1, &[]);
    first.diff = json!([entry("README", "README", &text)]).to_string();
    let tip = sha(1);
    world.push(&[first], &[("refs/heads/master", &tip)]);
    let diff = world.get("/repository/commits/master/diff").by(&world.rae).gives(200).json;
    assert_eq!(diff[0]["diff"].as_str().unwrap(), text);
}

#[test]
fn a_comment_needs_a_note_and_a_commit() {
    let world = world();
    let given = json!({ "message": "400 (Bad request) \"note\" not given" });
    let refused = post(&world, "none", json!({ "note": " " }));
    refused.has_status(400);
    assert_eq!(refused.json, given);
    post(&world, "none", json!({ "note": "x" })).has_status(404);
}

#[test]
fn a_comment_on_a_changed_line_says_where_it_stands() {
    let world = world();
    let on = |path: &str, line: i64, kind: &str| {
        let fields = json!({ "note": "n", "path": path, "line": line, "line_type": kind });
        let made = post(&world, &sha(1), fields);
        made.has_status(201);
        (made.json["path"].clone(), made.json["line"].clone(), made.json["line_type"].clone())
    };
    assert_eq!(on("README", 2, "new"), (json!("README"), json!(2), json!("new")));
    assert_eq!(on("README", 3, "new"), (json!("README"), json!(3), json!("new")));
    assert_eq!(on("README", 2, "old"), (json!("README"), json!(2), json!("old")));
    assert_eq!(on("NEW", 2, "new"), (json!("NEW"), json!(2), json!("new")));
    let nowhere = (json!(null), json!(null), json!(null));
    for (path, line, kind) in [("README", 99, "new"), ("OLD", 2, "new"), ("none", 2, "new")] {
        assert_eq!(on(path, line, kind), nowhere, "{path} {line} {kind}");
    }
    let listed = world.get(&format!("/repository/commits/{}/comments", sha(1))).by(&world.rae).gives(200);
    assert_eq!(listed.each("line")[2], json!(2), "of a removed line, too");
}

#[test]
fn a_line_without_a_type_is_an_added_one_and_two_point_zero_is_two() {
    let world = world();
    for line in [json!(2), json!(2.0), json!("2"), json!("2.0")] {
        let made = post(&world, &sha(1), json!({ "note": "n", "path": "README", "line": line }));
        made.has_status(201);
        let place = [&made.json["path"], &made.json["line"], &made.json["line_type"]];
        assert_eq!(place, [&json!("README"), &json!(2), &json!("new")], "{line}");
    }
}

#[test]
fn a_line_that_no_comment_can_stand_on_leaves_a_comment_on_the_commit() {
    let world = world();
    for name in [sha(1), sha(1)[..10].to_owned(), "master".to_owned()] {
        for line in [0, 1, 4, -3, 99] {
            for path in ["README", "", "none"] {
                let fields = json!({ "note": "n", "path": path, "line": line, "line_type": "new" });
                let at = format!("/repository/commits/{name}/comments");
                let v3 = post(&world, &name, fields.clone());
                for made in [v3, world.v4("POST", &at).by(&world.rae).json(fields).send()] {
                    made.has_status(201);
                    assert_eq!([&made.json["path"], &made.json["line"], &made.json["line_type"]], [&json!(null); 3]);
                }
            }
        }
    }
}

#[test]
fn a_line_that_is_no_number_is_refused_where_a_hash_names_the_commit() {
    let world = world();
    let invalid = json!({ "message": { "line": ["is invalid"] } });
    let at = |name: &str| format!("/repository/commits/{name}/comments");
    for line in [json!("many"), json!(1.5)] {
        let fields = json!({ "note": "n", "path": "README", "line": line, "line_type": "new" });
        for hash in [sha(1), sha(1)[..10].to_owned()] {
            world.post(&at(&hash)).by(&world.rae).json(fields.clone()).refused(400, invalid.clone());
        }
        let made = world.post(&at("master")).by(&world.rae).json(fields).gives(201).json;
        assert_eq!([&made["path"], &made["line"], &made["line_type"]], [&json!(null); 3]);
    }
    let unknown = json!({ "error": "line_type does not have a valid value (new, old)" });
    let fields = json!({ "note": "n", "path": "README", "line": 2, "line_type": "odd" });
    world.post(&at(&sha(1))).by(&world.rae).json(fields).refused(400, unknown);
    let count = world.get(&at(&sha(1))).by(&world.rae).gives(200).json;
    assert_eq!(count.as_array().unwrap().len(), 2);
}

#[test]
fn a_line_that_is_none_leaves_a_comment_on_the_branch_s_last_commit() {
    let world = world();
    let made = post(&world, "master", json!({ "note": "n", "path": "README", "line": "many", "line_type": "new" }));
    made.has_status(201);
    assert_eq!(made.json["line"], json!(null));
    let nulls = post(&world, "master", json!({ "note": "m", "path": null, "line": null, "line_type": null }));
    nulls.has_status(201);
    let listed = world.get(&format!("/repository/commits/{}/comments", sha(1))).by(&world.rae).gives(200);
    assert_eq!(listed.json.as_array().unwrap().len(), 2);
    assert_eq!(listed.json[0]["note"], "n");
    assert_eq!(listed.json[0]["author"]["email"], world.rae.email.as_str());
    assert_eq!(listed.json[1]["note"], "m");
}

#[test]
fn comments_are_those_of_this_project_s_commit() {
    let (one, other) = (world(), world());
    post(&one, &sha(1), json!({ "note": "here" })).has_status(201);
    let listed = other.get("/repository/commits/master/comments").by(&other.rae).gives(200);
    assert_eq!(listed.json, json!([]));
}

#[test]
fn a_comment_on_a_commit_is_an_event_for_who_may_read_it() {
    let world = world();
    let body = json!({ "body": "in a discussion" });
    assert_eq!(post(&world, "master", json!({ "note": "well done" })).status, 201);
    let path = format!("/repository/commits/{}/discussions", sha(1));
    let made = world.v4("POST", &path).by(&world.bob).json(body).gives(201).json;
    let list = world.v4("GET", "/events?action=commented").by(&world.ann).gives(200).json;
    assert_eq!(list.as_array().unwrap().len(), 2);
    let event = &list[0];
    assert_eq!(
        ["action_name", "target_type", "target_title"].map(|name| event[name].clone()),
        ["commented on", "Note", "Change 1"]
    );
    assert_eq!((&event["author_id"], &event["target_id"]), (&json!(world.bob.id), &made["notes"][0]["id"]));
    assert_eq!(event["note"], made["notes"][0]);
    assert_eq!(event["note"]["noteable_type"], "Commit");
    assert_eq!(event.get("push_data"), None);
    assert_eq!(list[1]["note"]["body"], "well done");
    let ids = |path: String, person| spec().ask_v4("GET", path).by(person).gives(200).each("id");
    for (query, count) in [("?target_type=note", 2), ("?action=pushed", 1), ("?target_type=issue", 0)] {
        assert_eq!(ids(world.at(&format!("/events{query}")), &world.ann).len(), count, "{query}");
    }
    let of_bob = format!("/users/{}/events?action=commented&per_page=1", world.bob.id);
    assert_eq!(ids(of_bob, &world.rae), [event["id"].clone()]);
    assert_eq!(ids("/events?action=commented&per_page=1".to_owned(), &world.bob), [event["id"].clone()]);
    let all = "/events?action=commented&scope=all&per_page=2".to_owned();
    assert_eq!(ids(all, &world.ann), [event["id"].clone(), list[1]["id"].clone()]);
    // guests do not read commits
    assert_eq!(ids(world.at("/events?action=commented"), &world.gus).len(), 0);
    let gone = format!("{path}/{}/notes/{}", made["id"].as_str().unwrap(), made["notes"][0]["id"]);
    world.v4("DELETE", &gone).by(&world.bob).gives(204);
    assert_eq!(ids(world.at("/events?action=commented"), &world.ann), [list[1]["id"].clone()]);
}

#[test]
fn a_mention_in_a_comment_on_a_commit_is_something_to_do_for_who_may_read_it() {
    let world = world();
    let [tom, una, kim] = ["Tom", "Una", "Kim"].map(|name| spec().person(name));
    world.admit(&tom, 20);
    world.admit(&una, 30);
    world.admit(&kim, 10);
    let todos = |person: &Person, query: &str| {
        spec().ask_v4("GET", format!("/todos{query}")).by(person).gives(200).json.as_array().unwrap().clone()
    };
    let text = format!("@{} look, with @{} and @{}", tom.username, una.username, kim.username);
    assert_eq!(post(&world, "master", json!({ "note": text })).status, 201);
    let todo = todos(&tom, "")[0].clone();
    assert_eq!(
        ["action_name", "target_type", "body", "state"].map(|name| todo[name].clone()),
        ["directly_addressed", "Commit", text.as_str(), "pending"]
    );
    assert_eq!([&todo["target"]["id"], &todo["target"]["title"]], [&json!(sha(1)), &json!("Change 1")]);
    let url = todo["target_url"].as_str().unwrap();
    assert!(url.contains(&format!("/-/commit/{}#note_", sha(1))), "{url}");
    assert_eq!(todos(&una, "")[0]["action_name"], "mentioned");
    // guests do not read commits
    assert_eq!(todos(&kim, ""), Vec::<Value>::new());
    for (query, count) in [
        ("?type=Commit", 1),
        ("?type=Issue", 0),
        ("?action=directly_addressed", 1),
        ("?action=mentioned", 0),
        (&format!("?project_id={}", world.project.id), 1),
        (&format!("?group_id={}", world.group), 1),
        (&format!("?author_id={}", world.ann.id), 0),
    ] {
        assert_eq!(todos(&tom, query).len(), count, "{query}");
    }
    // v3 shows the commit as a list does
    let old = spec().get("/todos?type=Commit&action=mentioned").by(&tom).gives(200).json[0].clone();
    assert_eq!([&old["target"]["id"], &old["action_name"]], [&json!(sha(1)), &json!("mentioned")]);
    assert!(old["target_url"].as_str().unwrap().contains(&format!("/commit/{}#note_", sha(1))));
    // no second one while one is pending
    let again = json!({ "body": format!("@{} again", tom.username) });
    let path = format!("/repository/commits/{}/discussions", sha(1));
    world.v4("POST", &path).by(&world.bob).json(again.clone()).gives(201);
    assert_eq!(todos(&tom, "").len(), 1);
    // who answers has done it
    world.v4("POST", &path).by(&tom).json(json!({ "body": "seen" })).gives(201);
    assert_eq!((todos(&tom, "").len(), todos(&tom, "?state=done").len()), (0, 1));
    // who no longer reads the project has nothing to do there, and a deleted comment leaves nothing
    let made = world.v4("POST", &path).by(&world.bob).json(again).gives(201).json;
    let own = todos(&tom, "")[0]["id"].clone();
    spec()
        .ask_v4("POST", format!("/todos/{own}/mark_as_done"))
        .by(&una)
        .refused(404, json!({ "message": "404 Not found" }));
    world.v4("PUT", &format!("/members/{}", tom.id)).by(&world.ann).json(json!({ "access_level": 10 })).gives(200);
    assert_eq!(todos(&tom, ""), Vec::<Value>::new());
    let missing = json!({ "message": "404 Not found" });
    spec().ask_v4("POST", format!("/todos/{own}/mark_as_done")).by(&tom).refused(404, missing);
    world.v4("PUT", &format!("/members/{}", tom.id)).by(&world.ann).json(json!({ "access_level": 20 })).gives(200);
    assert_eq!(todos(&tom, "").len(), 1);
    let gone = format!("{path}/{}/notes/{}", made["id"].as_str().unwrap(), made["notes"][0]["id"]);
    world.v4("DELETE", &gone).by(&world.bob).gives(204);
    assert_eq!(todos(&tom, ""), Vec::<Value>::new());
}
