//! Comments and discussions of v4.

use crate::support::v4::{ask, at, made, names};
use crate::support::{Person, Server, Visibility, World, spec};
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

const FIELDS: &str = "attachment author body commands_changes confidential created_at id imported imported_from internal noteable_id noteable_iid noteable_type project_id resolvable system type updated_at";

fn note(world: &World, issue: &Value, person: &Person, body: &str) -> Value {
    at(world, "POST", issue, "/notes").by(person).json(json!({ "body": body })).gives(201).json
}

fn bodies(world: &World, issue: &Value, query: &str) -> Vec<Value> {
    let list = at(world, "GET", issue, &format!("/notes{query}")).by(&world.gus).gives(200);
    assert_eq!(list.header("X-Total"), Some(list.each("id").len().to_string().as_str()), "{query}");
    list.each("body")
}

#[test]
fn comments_are_for_who_sees_the_issue() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let secret = made(&world, &world.ann, json!({ "title": "s", "confidential": true }));
    let absent = json!({ "message": "404 Not found" });
    for rest in ["/notes", "/discussions"] {
        at(&world, "GET", &issue, rest).gives(200);
        at(&world, "GET", &secret, rest).refused(404, absent.clone());
        at(&world, "GET", &secret, rest).by(&world.eve).refused(404, absent.clone());
        let body = json!({ "body": "x" });
        at(&world, "POST", &secret, rest).by(&world.eve).json(body).refused(404, absent.clone());
    }
    let hers = note(&world, &issue, &world.ann, "hers");
    let path = format!("/notes/{}", hers["id"]);
    for verb in ["PUT", "DELETE"] {
        let body = json!({ "body": "x" });
        at(&world, verb, &issue, &path)
            .by(&world.eve)
            .json(body.clone())
            .refused(403, json!({ "message": "403 Forbidden" }));
        at(&world, verb, &issue, "/notes/999999999").by(&world.ann).json(body.clone()).refused(404, absent.clone());
        at(&world, verb, &issue, "/notes/x")
            .by(&world.ann)
            .json(body)
            .refused(400, json!({ "error": "note_id is invalid" }));
    }
    ask(&world, "GET", "/issues/x/notes").by(&world.ann).refused(400, json!({ "error": "issue_iid is invalid" }));
}

/// Clients that follow `updated_at` would miss the comment otherwise.
#[test]
fn a_comment_that_is_made_changed_or_deleted_changes_its_issue() {
    let world = World::new(spec(), Visibility::Private);
    let [first, last] = ["first", "last"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    let [told, other] = [&first, &last].map(|issue| note(&world, issue, &world.gus, "x")["id"].clone());
    let newest = |wanted: &str| {
        for path in ["/issues?order_by=updated_at", "/issues?order_by=updated_at&state=opened"] {
            let list = ask(&world, "GET", path).by(&world.gus).gives(200);
            assert_eq!(list.json[0]["title"], wanted, "{path}");
        }
    };
    newest("last");
    at(&world, "POST", &first, "/notes").by(&world.gus).json(json!({ "body": "y" })).gives(201);
    newest("first");
    at(&world, "PUT", &last, &format!("/notes/{other}")).by(&world.gus).json(json!({ "body": "z" })).gives(200);
    newest("last");
    at(&world, "DELETE", &first, &format!("/notes/{told}")).by(&world.gus).gives(204);
    newest("first");
    let past = json!({ "body": "old", "created_at": "2001-01-01T00:00:00Z" });
    at(&world, "POST", &last, "/notes").by(&world.ann).json(past).gives(201);
    newest("last");
}

#[test]
fn what_a_comment_lacks_is_told() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let post = |body: Value| at(&world, "POST", &issue, "/notes").by(&world.gus).json(body);
    post(json!({})).refused(400, json!({ "error": "body is missing" }));
    post(json!({ "body": " " })).refused(400, json!({ "error": "body is empty" }));
    for name in ["internal", "confidential"] {
        let refused = json!({ "message": { name: ["is not supported"] } });
        post(json!({ "body": "x", name: true })).refused(400, refused);
        post(json!({ "body": name, name: false })).gives(201);
    }
    let refused = json!({ "error": "sort does not have a valid value" });
    at(&world, "GET", &issue, "/notes?sort=up").by(&world.gus).refused(400, refused);
}

#[test]
fn a_comment_is_shown_changed_and_deleted() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let one = note(&world, &issue, &world.gus, "hello");
    assert_eq!(names(&one), FIELDS);
    assert_eq!(
        [&one["noteable_id"], &one["noteable_iid"], &one["project_id"]],
        [&issue["id"], &issue["iid"], &issue["project_id"]]
    );
    assert_eq!([&one["type"], &one["commands_changes"]], [&Value::Null, &json!({})]);
    let path = format!("/notes/{}", one["id"]);
    assert_eq!(at(&world, "GET", &issue, &path).by(&world.rae).gives(200).json, one);
    let changed = at(&world, "PUT", &issue, &path).by(&world.gus).json(json!({ "body": "other" })).gives(200).json;
    assert_eq!([&changed["body"], &changed["project_id"]], [&json!("other"), &issue["project_id"]]);
    at(&world, "PUT", &issue, &path)
        .by(&world.gus)
        .json(json!({ "body": "" }))
        .refused(400, json!({ "error": "body is empty" }));
    at(&world, "DELETE", &issue, &path).by(&world.gus).gives(204);
    assert_eq!(bodies(&world, &issue, ""), Vec::<Value>::new());
}

#[test]
fn comments_come_newest_first_unless_otherwise_asked() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let first = note(&world, &issue, &world.gus, "a");
    at(&world, "PUT", &issue, "").by(&world.ann).json(json!({ "state_event": "close" })).gives(200);
    note(&world, &issue, &world.gus, "b");
    std::thread::sleep(std::time::Duration::from_millis(5));
    at(&world, "PUT", &issue, &format!("/notes/{}", first["id"]))
        .by(&world.gus)
        .json(json!({ "body": "A" }))
        .gives(200);
    let closed = "Status changed to closed";
    let events = "include_events=true";
    assert_eq!(bodies(&world, &issue, &format!("?{events}")), ["b", closed, "A"]);
    assert_eq!(bodies(&world, &issue, &format!("?{events}&sort=asc")), ["A", closed, "b"]);
    assert_eq!(bodies(&world, &issue, &format!("?{events}&order_by=updated_at")), ["A", "b", closed]);
    assert_eq!(bodies(&world, &issue, &format!("?{events}&order_by=updated_at&sort=asc")), [closed, "b", "A"]);
    assert_eq!(bodies(&world, &issue, "?activity_filter=only_comments"), ["b", "A"]);
    assert_eq!(bodies(&world, &issue, "?activity_filter=only_comments&sort=asc"), ["A", "b"]);
    assert_eq!(bodies(&world, &issue, &format!("?{events}&activity_filter=only_activity")), [closed]);
    // whole lists by their next links
    for query in ["", "sort=asc", events, "order_by=updated_at", "activity_filter=only_comments"] {
        let whole = bodies(&world, &issue, &format!("?{query}"));
        let mut target = world.at(&format!("/issues/{}/notes?per_page=1&{query}", issue["iid"]));
        let mut found = Vec::new();
        loop {
            let page = spec().ask_v4("GET", &target).by(&world.gus).gives(200);
            found.extend(page.each("body"));
            let Some(next) = page.next() else { break };
            target = next;
        }
        assert_eq!(found, whole, "{query}");
    }
}

#[test]
fn comments_come_with_their_emoji_if_asked() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let notes = ["a", "b"].map(|body| note(&world, &issue, &world.gus, body));
    let of_a = format!("/notes/{}/award_emoji", notes[0]["id"]);
    for (person, name) in [(&world.gus, "tada"), (&world.rae, "+1"), (&world.gus, "eyes")] {
        at(&world, "POST", &issue, &of_a).by(person).json(json!({ "name": name })).gives(201);
    }
    at(&world, "POST", &issue, "/award_emoji").by(&world.gus).json(json!({ "name": "heart" })).gives(201);
    at(&world, "PUT", &issue, "").by(&world.ann).json(json!({ "state_event": "close" })).gives(200);
    let listed = at(&world, "GET", &issue, &of_a).by(&world.rae).gives(200).json;
    assert_eq!(listed.as_array().unwrap().len(), 3);
    for order in ["sort=asc&include_events=true", "order_by=updated_at&sort=asc&include_events=true"] {
        let plain = at(&world, "GET", &issue, &format!("/notes?{order}")).by(&world.gus).gives(200).json;
        let same =
            at(&world, "GET", &issue, &format!("/notes?{order}&award_emoji=false")).by(&world.gus).gives(200).json;
        assert_eq!(plain, same);
        let mut with = at(&world, "GET", &issue, &format!("/notes?{order}&award_emoji=true")).by(&world.gus).gives(200);
        assert_eq!(with.each("award_emoji"), [listed.clone(), json!([]), json!([])], "{order}");
        with.json.as_array_mut().unwrap().iter_mut().for_each(|note| {
            note.as_object_mut().unwrap().remove("award_emoji");
        });
        assert_eq!(with.json, plain, "{order}");
    }
    at(&world, "GET", &issue, "/notes?award_emoji=maybe").by(&world.gus).gives(400);
}

#[test]
fn emoji_of_a_page_of_comments_cost_no_further_round_trip() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    for body in ["a", "b", "c"] {
        let of = note(&world, &issue, &world.gus, body);
        let path = format!("/notes/{}/award_emoji", of["id"]);
        at(&world, "POST", &issue, &path).by(&world.gus).json(json!({ "name": "tada" })).gives(201);
    }
    let cost = |query: &str| {
        world.server.database().take_steps();
        let answer = at(&world, "GET", &issue, &format!("/notes?{query}")).by(&world.gus).gives(200);
        (answer.trips, world.server.database().take_steps().1)
    };
    assert_eq!(cost("award_emoji=true"), cost(""));
}

#[test]
fn in_a_locked_discussion_members_alone_comment() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t", "discussion_locked": true }));
    assert_eq!(issue["discussion_locked"], true);
    let body = || json!({ "body": "x" });
    let forbidden = json!({ "message": "403 Forbidden" });
    at(&world, "POST", &issue, "/notes").by(&world.eve).json(body()).refused(403, forbidden.clone());
    at(&world, "POST", &issue, "/discussions").by(&world.eve).json(body()).refused(403, forbidden.clone());
    let path = format!("{}/notes", world.issue_path(&issue));
    world.server.post(path).by(&world.eve).json(body()).refused(403, forbidden);
    assert_eq!(bodies(&world, &issue, ""), Vec::<Value>::new());
    note(&world, &issue, &world.gus, "x");
    let open = at(&world, "PUT", &issue, "").by(&world.rae).json(json!({ "discussion_locked": false })).gives(200);
    assert_eq!(open.json["discussion_locked"], false);
    note(&world, &issue, &world.eve, "y");
}

#[test]
fn each_comment_is_a_discussion_of_its_own() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let other = made(&world, &world.ann, json!({ "title": "u" }));
    let one = note(&world, &issue, &world.gus, "a");
    let two = at(&world, "POST", &issue, "/discussions").by(&world.gus).json(json!({ "body": "b" })).gives(201).json;
    assert_eq!(names(&two), "id individual_note notes");
    let all = at(&world, "GET", &issue, "/discussions").by(&world.gus).gives(200);
    let ids = all.each("id");
    assert_eq!((&all.json[0]["notes"], &ids[1]), (&json!([one]), &two["id"]));
    // the first digits of the SHA-1 of `note:` and the id, and the id
    let name = format!("note:{}", one["id"]);
    let hash = edgeforge_wire::text::hex(&Sha1::digest(name.as_bytes()));
    assert_eq!(ids[0], format!("{}{:016x}", &hash[..24], one["id"].as_i64().unwrap()));
    let of = |id: &Value| format!("/discussions/{}", id.as_str().unwrap());
    assert_eq!(at(&world, "GET", &issue, &of(&ids[0])).by(&world.gus).gives(200).json, all.json[0]);
    let answer = format!("{}/notes", of(&ids[0]));
    let three = at(&world, "POST", &issue, &answer).by(&world.gus).json(json!({ "body": "c" })).gives(201).json;
    assert_eq!(names(&three), FIELDS);
    assert_eq!(at(&world, "GET", &issue, "/discussions").by(&world.gus).gives(200).each("id").len(), 3);
    let absent = json!({ "message": "404 Discussion Not Found" });
    let other_hash = format!("{}{:016x}", &hash[..24], one["id"].as_i64().unwrap() + 1);
    for wrong in [
        "x",
        "0",
        &"f".repeat(40),
        &"0".repeat(40),
        &other_hash,
        &hash,
        "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}-1",
    ] {
        at(&world, "GET", &issue, &format!("/discussions/{wrong}")).by(&world.gus).refused(404, absent.clone());
    }
    at(&world, "GET", &other, &of(&ids[0])).by(&world.gus).refused(404, absent.clone());
    at(&world, "POST", &other, &answer).by(&world.gus).json(json!({ "body": "d" })).refused(404, absent);
}

#[test]
fn a_comment_is_changed_and_deleted_by_its_discussion() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let [one, two] = ["a", "b"].map(|body| note(&world, &issue, &world.gus, body));
    let discussions = at(&world, "GET", &issue, "/discussions").by(&world.gus).gives(200).each("id");
    let path = |note: &Value| format!("/discussions/{}/notes/{}", discussions[0].as_str().unwrap(), note["id"]);
    for verb in ["GET", "PUT", "DELETE"] {
        let absent = json!({ "message": "404 Discussion Not Found" });
        let ask = |path: &str, person| at(&world, verb, &issue, path).by(person).json(json!({ "body": "x" }));
        ask(&path(&two), &world.gus).refused(404, absent.clone());
        ask(&format!("/discussions/x/notes/{}", one["id"]), &world.gus).refused(404, absent);
        ask(&path(&one), &world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    }
    at(&world, "PUT", &issue, &path(&one)).by(&world.rae).json(json!({ "body": "x" })).gives(403);
    let put = at(&world, "PUT", &issue, &path(&one)).by(&world.gus).json(json!({ "body": "A" })).gives(200).json;
    assert_eq!((names(&put).as_str(), &put["body"]), (FIELDS, &json!("A")));
    assert_eq!(at(&world, "GET", &issue, &path(&one)).by(&world.gus).gives(200).json, put);
    at(&world, "DELETE", &issue, &path(&one)).by(&world.gus).gives(204);
    assert_eq!(bodies(&world, &issue, ""), ["b"]);
}

#[test]
fn comments_are_in_the_order_of_their_times_whatever_their_ids() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let post = |body: &str, time: Option<&str>| {
        let fields = json!({ "body": body, "created_at": time });
        at(&world, "POST", &issue, "/notes").by(&world.ann).json(fields).gives(201);
    };
    post("now", None);
    post("2015", Some("2015-01-01T00:00:00Z"));
    post("2014", Some("2014-01-01T00:00:00Z"));
    let newest = ["now", "2015", "2014"];
    let oldest = ["2014", "2015", "now"];
    for (query, expected) in [
        ("order_by=created_at&sort=desc", newest),
        ("order_by=created_at&sort=asc", oldest),
        ("activity_filter=only_comments", newest),
        ("activity_filter=only_comments&sort=asc", oldest),
    ] {
        assert_eq!(bodies(&world, &issue, &format!("?{query}")), expected, "{query}");
        let (mut found, mut next) = (Vec::new(), Some(format!("/issues/{}/notes?{query}&per_page=1", issue["iid"])));
        while let Some(path) = next {
            let path = if path.starts_with("/issues") { world.at(&path) } else { path };
            let page = world.server.ask_v4("GET", path).by(&world.ann).gives(200);
            found.extend(page.each("body"));
            next = page.next();
        }
        assert_eq!(found, expected, "{query}, one a page");
    }
    let discussions = at(&world, "GET", &issue, "/discussions").by(&world.ann).gives(200);
    let first = |discussion: &Value| discussion["notes"][0]["body"].clone();
    assert_eq!(discussions.json.as_array().unwrap().iter().map(first).collect::<Vec<_>>(), oldest);
    let v3 = world.get(&format!("/issues/{}/notes", issue["id"])).by(&world.ann).gives(200);
    assert_eq!(v3.each("body"), oldest);
}
