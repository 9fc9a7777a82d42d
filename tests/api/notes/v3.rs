//! Comments on issues (behaviour 6.8).

use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

fn at(issue: &Value, rest: &str) -> String {
    format!("/issues/{}/notes{rest}", issue["id"])
}

#[test]
fn a_comment_is_shown_as_it_was_made() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let note = world.comment(&world.gus, &issue, "a comment");
    let author = world.issue(&world.gus, json!({ "title": "by the same" }))["author"].clone();
    assert_eq!(
        note,
        json!({ "id": note["id"], "body": "a comment", "attachment": null, "author": author,
            "created_at": note["created_at"], "updated_at": note["created_at"], "system": false,
            "noteable_id": issue["id"], "noteable_type": "Issue", "upvote": false, "downvote": false })
    );
    assert_eq!(world.get(&at(&issue, &format!("/{}", note["id"]))).by(&world.rae).gives(200).json, note);
    assert_eq!(world.get(&at(&issue, "")).by(&world.rae).gives(200).json, json!([note]));
}

#[test]
fn comments_are_counted_and_listed_page_by_page_oldest_first() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let ids: Vec<Value> =
        ["1", "2", "3"].iter().map(|body| world.comment(&world.rae, &issue, body)["id"].clone()).collect();
    world.close(&world.ann, &issue);
    assert_eq!(world.seen(&world.ann, &issue)["user_notes_count"], 3);
    let page = world.get(&at(&issue, "?per_page=2&page=2")).by(&world.ann).gives(200);
    assert_eq!(page.each("body"), ["3", "Status changed to closed"]);
    assert_eq!([page.header("X-Total"), page.header("X-Total-Pages")], [Some("4"), Some("2")]);
    world.delete(&at(&issue, &format!("/{}", ids[0]))).by(&world.rae).gives(200);
    assert_eq!(world.seen(&world.ann, &issue)["user_notes_count"], 2);
}

#[test]
fn a_comment_says_something() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let missing = json!({ "message": "400 (Bad request) \"body\" not given" });
    for body in [json!({}), json!({ "body": "  " }), json!({ "body": null })] {
        world.post(&at(&issue, "")).by(&world.ann).json(body).refused(400, missing.clone());
    }
}

#[test]
fn only_an_owner_says_when_it_was_made() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let past = json!({ "body": "b", "created_at": "2016-01-02T03:04:05Z" });
    let at = at(&issue, "");
    let made = |person: &Person| world.post(&at).by(person).json(past.clone()).gives(201).json["created_at"].clone();
    assert_eq!(made(&world.ann), "2016-01-02T03:04:05.000Z");
    assert_ne!(made(&world.bob), "2016-01-02T03:04:05.000Z");
}

#[test]
fn author_and_masters_change_a_comment_and_nobody_what_the_service_wrote() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let note = world.comment(&world.gus, &issue, "one");
    let path = at(&issue, &format!("/{}", note["id"]));
    let put = |body: &str| world.put(&path).json(json!({ "body": body }));
    let forbidden = json!({ "message": "403 Forbidden" });
    put("x").by(&world.bob).refused(403, forbidden.clone());
    world.delete(&path).by(&world.rae).refused(403, forbidden.clone());
    for person in [&world.gus, &world.ann, &world.root] {
        assert_eq!(put(&person.name).by(person).gives(200).json["body"], person.name);
    }
    put(" ").by(&world.gus).refused(400, json!({ "message": "400 (Bad request) \"body\" not given" }));
    assert_eq!(world.delete(&path).by(&world.gus).gives(200).json["id"], note["id"]);
    world.get(&path).by(&world.gus).refused(404, json!({ "message": "404 Not found" }));
    world.close(&world.ann, &issue);
    let system = world.get(&at(&issue, "")).by(&world.ann).gives(200).json[0].clone();
    assert_eq!(system["system"], true);
    let path = at(&issue, &format!("/{}", system["id"]));
    world.put(&path).by(&world.ann).json(json!({ "body": "x" })).refused(403, forbidden.clone());
    world.delete(&path).by(&world.root).refused(403, forbidden);
}

#[test]
fn a_comment_of_an_issue_that_is_absent_elsewhere_or_hidden_is_not_found() {
    let world = World::new(spec(), Visibility::Public);
    let hidden = world.issue(&world.ann, json!({ "title": "t", "confidential": true }));
    let open = world.issue(&world.ann, json!({ "title": "t" }));
    let note = world.comment(&world.ann, &hidden, "secret");
    let missing = json!({ "message": "404 Not found" });
    for person in [&world.gus, &world.eve] {
        world.get(&at(&hidden, "")).by(person).refused(404, missing.clone());
        world.get(&at(&hidden, &format!("/{}", note["id"]))).by(person).refused(404, missing.clone());
        world.post(&at(&hidden, "")).by(person).json(json!({ "body": "x" })).refused(404, missing.clone());
        world.delete(&at(&hidden, &format!("/{}", note["id"]))).by(person).refused(404, missing.clone());
    }
    world.get(&at(&open, &format!("/{}", note["id"]))).by(&world.ann).refused(404, missing.clone());
    world.get("/issues/123123123/notes").by(&world.ann).refused(404, missing.clone());
    world.get(&at(&open, "/x")).by(&world.ann).refused(404, missing);
    // an outsider may comment on a public project
    world.comment(&world.eve, &open, "me, too");
}

#[test]
fn a_mention_holds_as_long_as_a_comment_makes_it() {
    let world = World::new(spec(), Visibility::Public);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let note = world.comment(&world.bob, &issue, &format!("@{}", world.gus.username));
    assert_eq!(world.seen(&world.gus, &issue)["subscribed"], true);
    let path = at(&issue, &format!("/{}", note["id"]));
    world.put(&path).by(&world.bob).json(json!({ "body": format!("@{}", world.rae.username) })).gives(200);
    let subscribed = |person: &Person| world.seen(person, &issue)["subscribed"].clone();
    assert_eq!([subscribed(&world.gus), subscribed(&world.rae), subscribed(&world.bob)], [false, true, true]);
    world.delete(&path).by(&world.bob).gives(200);
    assert_eq!([subscribed(&world.rae), subscribed(&world.bob)], [false, false]);
}
