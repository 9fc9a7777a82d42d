//! Lists of long texts: a page ends early, and the next one goes on behind it.

use crate::support::git::{commit, sha};
use crate::support::{Answer, Ask, Person, Server, Visibility, World, spec};
use serde_json::{Value, json};

/// Texts of almost 900,000 bytes in an answer. JSON writes a control character with six bytes.
const LONG: [(&str, usize); 3] = [("x", 850_000), ("\u{1}", 140_000), ("\"", 430_000)];

/// Follows the `next` links: what `field` was on each page, and how long the longest page was.
fn walk(server: &'static Server, path: &str, person: &Person, field: &str) -> (Vec<Vec<Value>>, usize) {
    let (mut pages, mut longest, mut next) = (Vec::new(), 0, Some(path.to_owned()));
    while let Some(path) = next {
        assert!(pages.len() < 50, "{path} has 50 pages and no end");
        let answer: Answer = server.get(path).by(person).gives(200);
        longest = longest.max(answer.text.len());
        pages.push(answer.each(field));
        next = answer.next();
        assert_eq!(next.is_some(), answer.header("X-Next-Page").is_some_and(|number| !number.is_empty()));
    }
    (pages, longest)
}

/// All of these come, in their order, each once, on pages of about 3 MB at most.
fn holds(world: &World, path: &str, person: &Person, field: &str, expected: Vec<Value>) {
    let (pages, longest) = walk(world.server, path, person, field);
    assert!(longest < 3_200_000, "{path}: a page has {longest} bytes, more than 3.2 MB");
    assert!(pages.len() > 1 && pages.iter().all(|page| !page.is_empty()), "{path}: {} pages", pages.len());
    assert_eq!(pages.concat(), expected, "{path}");
}

#[test]
fn a_page_of_long_texts_ends_early_and_the_next_goes_on_behind_it() {
    lists_of_issues(&LONG[0].0.repeat(LONG[0].1));
}

#[test]
#[ignore = "a proof: make prove"]
fn a_page_of_long_texts_ends_early_whatever_the_texts() {
    for (character, times) in &LONG[1..] {
        lists_of_issues(&character.repeat(*times));
    }
}

fn lists_of_issues(long: &str) {
    let world = World::new(spec(), Visibility::Private);
    let writer = world.server.person("Writer");
    world.admit(&writer, 40);
    let post = |path: &str, body: Value| -> Value {
        let made: Ask = world.post(path).by(&writer).json(body);
        made.send().json["id"].clone()
    };
    let milestone = |n: usize| json!({ "title": format!("m{n}"), "description": long });
    let milestones: Vec<Value> = (0..7).map(|n| post("/milestones", milestone(n))).collect();
    holds(&world, &world.at("/milestones"), &writer, "id", milestones.clone());

    let about = |n: usize| {
        json!({ "title": format!("i{n}"), "description": long, "labels": "a", "milestone_id": milestones[0],
        "assignee_id": if n.is_multiple_of(2) { json!(writer.id) } else { json!(null) } })
    };
    let issues: Vec<Value> = (0..11).map(|n| post("/issues", about(n))).collect();
    let newest: Vec<Value> = issues.iter().rev().cloned().collect();
    for (list, expected) in [("/issues", &newest), ("/issues?sort=asc&labels=a", &issues)] {
        holds(&world, &world.at(list), &writer, "id", expected.clone());
    }
    holds(&world, "/issues?per_page=10", &writer, "id", newest.clone());
    let planned = format!("/milestones/{}/issues?order_by=updated_at", milestones[0]);
    holds(&world, &world.at(&planned), &writer, "id", newest.clone());
    let first = world.get("/issues").by(&writer).gives(200);
    assert_eq!((first.header("X-Total"), first.header("X-Total-Pages")), (Some("11"), Some("1")));
    let in_group = walk(world.server, &format!("/groups/{}/issues?labels=a&per_page=100", world.group), &writer, "id");
    let own: Vec<Value> = in_group.0.concat().into_iter().filter(|id| issues.contains(id)).collect();
    assert!(in_group.1 < 3_200_000 && own == newest, "{} bytes", in_group.1);
    let (todos, longest) = walk(world.server, "/todos", &writer, "id");
    assert!(longest < 3_200_000 && todos.concat().len() == 6, "{longest} bytes");

    let notes = format!("/issues/{}/notes", issues[0]);
    let made: Vec<Value> = (0..7).map(|_| post(&notes, json!({ "body": long }))).collect();
    holds(&world, &world.at(&notes), &writer, "id", made);
}

#[test]
fn a_page_of_commits_with_long_messages_ends_early_too() {
    lists_of_commits(&LONG[0].0.repeat(LONG[0].1));
}

#[test]
#[ignore = "a proof: make prove"]
fn a_page_of_commits_with_long_messages_ends_early_whatever_they_are() {
    for (character, times) in &LONG[1..] {
        lists_of_commits(&character.repeat(*times));
    }
}

fn lists_of_commits(long: &str) {
    let world = World::new(spec(), Visibility::Private);
    for number in 1..=8 {
        let parents = if number > 1 { vec![number - 1] } else { Vec::new() };
        let commit = commit(number, &parents).with(|commit| commit.message = format!("{number}\n{}", long));
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [commit.wire()] })).gives(201);
    }
    let tip = json!([{ "name": "refs/heads/master", "old": null, "new": sha(8), "message": null }]);
    world.put("/mirror/refs").by(&world.ann).json(json!({ "default_branch": "master", "changes": tip })).gives(200);
    let newest: Vec<Value> = (1..=8).rev().map(|number| json!(sha(number))).collect();
    holds(&world, &world.at("/repository/commits"), &world.rae, "id", newest);
    let deploy =
        |_| world.post("/deployments").by(&world.bob).json(json!({ "environment": "e", "sha": sha(8) })).gives(201);
    let deployed: Vec<Value> = (0..7).map(deploy).map(|made| made.json["id"].clone()).collect();
    holds(&world, &world.at("/deployments"), &world.rae, "id", deployed);
    let comments = "/repository/commits/master/comments";
    let note =
        |n: usize| world.post(comments).by(&world.bob).json(json!({ "note": format!("{n}{}", long) })).gives(201);
    let notes: Vec<Value> = (0..7).map(note).map(|made| made.json["note"].clone()).collect();
    holds(&world, &world.at(comments), &world.rae, "note", notes);
}
