//! Subscribing to issues (specification, "POST /projects/:id/issues/:issue_id/subscription"; behaviour 6.6).

use crate::support::{Ask, Visibility, World, spec};
use serde_json::{Value, json};

fn at(issue: &Value) -> String {
    format!("/issues/{}/subscription", issue["id"])
}

#[test]
fn whoever_is_not_subscribed_subscribes_once() {
    let world = World::new(spec(), Visibility::Public);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    for person in [&world.rae, &world.gus, &world.eve, &world.root] {
        assert_eq!(world.seen(person, &issue)["subscribed"], false);
        let answer = world.post(&at(&issue)).by(person).gives(201).json;
        assert_eq!([&answer["subscribed"], &answer["id"]], [&json!(true), &issue["id"]]);
        assert_eq!(world.seen(person, &issue), answer);
        world.post(&at(&issue)).by(person).gives(304);
    }
}

#[test]
fn whoever_is_subscribed_unsubscribes_once() {
    let world = World::new(spec(), Visibility::Public);
    let issue = world.issue(&world.eve, json!({ "title": "t" }));
    world.delete(&at(&issue)).by(&world.rae).gives(304);
    world.post(&at(&issue)).by(&world.rae).gives(201);
    for person in [&world.rae, &world.eve] {
        assert_eq!(world.delete(&at(&issue)).by(person).gives(200).json["subscribed"], false);
        world.delete(&at(&issue)).by(person).gives(304);
        assert_eq!(world.seen(person, &issue)["subscribed"], false, "an author who said no stays so");
    }
}

#[test]
fn author_assignee_commenters_and_the_mentioned_are_subscribed() {
    let world = World::new(spec(), Visibility::Private);
    let text = format!("see @{}, @{}.", world.gus.username, world.eve.username);
    let fields = json!({ "title": "t", "description": text, "assignee_id": world.bob.id });
    let issue = world.issue(&world.ann, fields);
    for person in [&world.ann, &world.bob, &world.gus] {
        assert_eq!(world.seen(person, &issue)["subscribed"], true, "{}", person.name);
        world.post(&at(&issue)).by(person).gives(304);
    }
    assert_eq!(world.seen(&world.rae, &issue)["subscribed"], false);
    world.comment(&world.rae, &issue, "a comment");
    assert_eq!(world.seen(&world.rae, &issue)["subscribed"], true);
    // who could not read it when they were mentioned takes no part
    world.admit(&world.eve, 20);
    assert_eq!(world.seen(&world.eve, &issue)["subscribed"], false);
    world.comment(&world.ann, &issue, &format!("@{} now you can", world.eve.username));
    assert_eq!(world.seen(&world.eve, &issue)["subscribed"], true);
}

#[test]
fn code_in_an_issue_or_a_comment_mentions_nobody() {
    let world = World::new(spec(), Visibility::Public);
    let zoe = spec().person("Zoe");
    let name = &zoe.username;
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": format!("`@{name}`") }));
    world.edit(&world.ann, &issue, json!({ "description": format!("~~~\n@{name}\n~~~\n\\@{name}") }));
    world.comment(&world.ann, &issue, &format!("```\nimport x from '@{name}/core'\n```\n<!-- @{name} -->"));
    assert_eq!(world.seen(&zoe, &issue)["subscribed"], false);
    assert_eq!(spec().get("/todos").by(&zoe).gives(200).json, json!([]));
}

#[test]
fn a_mention_names_a_user_without_regard_to_case() {
    let world = World::new(spec(), Visibility::Public);
    let [zoe, yan] = ["Zoe", "Yan"].map(|name| spec().person(name));
    let text = format!("@{}", zoe.username.to_uppercase());
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": text }));
    world.comment(&world.ann, &issue, &format!("@{}", yan.username.to_uppercase()));
    for person in [&zoe, &yan] {
        assert_eq!(world.seen(person, &issue)["subscribed"], true, "{}", person.name);
        assert_eq!(spec().get("/todos").by(person).gives(200).json[0]["action_name"], "mentioned");
    }
}

#[test]
fn a_mention_that_is_taken_back_subscribes_no_longer() {
    let world = World::new(spec(), Visibility::Public);
    let issue = world.issue(&world.ann, json!({ "title": "t", "description": format!("@{}", world.gus.username) }));
    world.edit(&world.ann, &issue, json!({ "description": "nobody" }));
    assert_eq!(world.seen(&world.gus, &issue)["subscribed"], false);
    world.edit(&world.ann, &issue, json!({ "title": format!("for @{}", world.gus.username) }));
    assert_eq!(world.seen(&world.gus, &issue)["subscribed"], true);
}

#[test]
fn an_issue_that_is_absent_or_hidden_is_not_found() {
    let world = World::new(spec(), Visibility::Public);
    let hidden = world.issue(&world.ann, json!({ "title": "t", "confidential": true }));
    let missing = json!({ "message": "404 Not found" });
    let asks: [fn(&World, &str) -> Ask; 2] = [World::post, World::delete];
    for ask in asks {
        ask(&world, &at(&hidden)).by(&world.eve).refused(404, missing.clone());
        ask(&world, &at(&hidden)).by(&world.gus).refused(404, missing.clone());
        ask(&world, "/issues/123123123/subscription").by(&world.ann).refused(404, missing.clone());
        ask(&world, "/issues/x/subscription").by(&world.ann).refused(404, missing.clone());
        ask(&world, &at(&hidden)).refused(401, json!({ "message": "401 Unauthorized" }));
    }
    let private = World::new(spec(), Visibility::Private);
    let issue = private.issue(&private.ann, json!({ "title": "t" }));
    let no_project = json!({ "message": "404 Project Not Found" });
    private.post(&at(&issue)).by(&private.eve).refused(404, no_project);
}
