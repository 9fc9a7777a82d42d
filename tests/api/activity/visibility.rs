//! Who may not see a record sees no event of it, at the time of reading.

use super::{deeds, events, history, push};
use crate::support::git::sha;
use crate::support::v4::{at, made};
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

/// The deeds about issues in the three lists that may have them.
fn of_issues(world: &World, reader: &Person, author: &Person) -> [Vec<String>; 3] {
    let own = format!("/users/{}/events", author.username);
    [
        events(world, reader, "?per_page=100"),
        world.server.ask_v4("GET", format!("{own}?per_page=100")).by(reader).gives(200),
        world.server.ask_v4("GET", "/events?scope=all&per_page=100").by(reader).gives(200),
    ]
    .map(|list| {
        let here = |event: &Value| event["project_id"] == json!(world.project.id);
        let shown = list.json.as_array().unwrap().iter().map(here).collect::<Vec<_>>();
        let of_issue = |(deed, is_here): (String, bool)| (is_here && !deed.contains("- -")).then_some(deed);
        deeds(&list).into_iter().zip(shown).filter_map(of_issue).collect()
    })
}

#[test]
fn who_may_not_see_an_issue_sees_no_event_of_it() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.bob, json!({ "title": "secret", "confidential": true }));
    at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": "hush" })).gives(201);
    at(&world, "PUT", &issue, "").by(&world.bob).json(json!({ "state_event": "close" })).gives(200);
    let all = ["closed Issue secret", "commented on Note secret", "opened Issue secret"]
        .map(str::to_owned)
        .to_vec();
    let none: Vec<String> = Vec::new();
    for reader in [&world.rae, &world.bob] {
        assert_eq!(of_issues(&world, reader, &world.bob), [all.clone(), all.clone(), all.clone()]);
    }
    assert_eq!(of_issues(&world, &world.gus, &world.bob), [none.clone(), none.clone(), none.clone()]);
    // its assignee sees it
    let assignee = json!({ "assignee_ids": [world.gus.id] });
    at(&world, "PUT", &issue, "").by(&world.bob).json(assignee).gives(200);
    assert_eq!(of_issues(&world, &world.gus, &world.bob), [all.clone(), all.clone(), all.clone()]);
    at(&world, "PUT", &issue, "")
        .by(&world.bob)
        .json(json!({ "assignee_ids": [], "confidential": false }))
        .gives(200);
    assert_eq!(of_issues(&world, &world.gus, &world.bob)[0], all);
    at(&world, "PUT", &issue, "").by(&world.bob).json(json!({ "confidential": true })).gives(200);
    assert_eq!(of_issues(&world, &world.gus, &world.bob)[0], none);
}

#[test]
fn a_deleted_issue_or_comment_leaves_no_event() {
    let world = World::new(spec(), Visibility::Private);
    let [kept, gone] = ["kept", "gone"].map(|title| made(&world, &world.bob, json!({ "title": title })));
    let note =
        at(&world, "POST", &kept, "/notes").by(&world.bob).json(json!({ "body": "x" })).gives(201).id();
    at(&world, "DELETE", &kept, &format!("/notes/{note}")).by(&world.bob).gives(204);
    at(&world, "DELETE", &gone, "").by(&world.ann).gives(204);
    assert_eq!(of_issues(&world, &world.ann, &world.bob)[0], ["opened Issue kept"]);
    world.v4("PUT", "").by(&world.ann).json(json!({ "issues_access_level": "disabled" })).gives(200);
    assert_eq!(of_issues(&world, &world.ann, &world.bob)[0], [""; 0]);
}

#[test]
fn events_of_a_user_are_those_in_projects_that_the_caller_sees() {
    let [private, internal, public] = [Visibility::Private, Visibility::Internal, Visibility::Public]
        .map(|visibility| World::new(spec(), visibility));
    for (world, title) in [(&private, "private"), (&internal, "internal"), (&public, "public")] {
        made(world, &world.bob, json!({ "title": title }));
    }
    let seen = |ask: crate::support::Ask| {
        let list = ask.query("per_page", "100").query("target_type", "issue").gives(200);
        let ours = [&private, &internal, &public].map(|world| json!(world.project.id));
        let is_ours = list.each("project_id").into_iter().map(|id| ours.contains(&id));
        deeds(&list).into_iter().zip(is_ours).filter(|(_, is)| *is).map(|(deed, _)| deed).collect::<Vec<_>>()
    };
    let path = format!("/users/{}/events", private.bob.id);
    let ask = || spec().ask_v4("GET", path.as_str());
    let all = ["opened Issue public", "opened Issue internal", "opened Issue private"];
    assert_eq!(seen(ask()), all[..1]);
    assert_eq!(seen(ask().by(&private.eve)), all[..2]);
    for person in [&private.gus, &private.bob, &spec().root()] {
        assert_eq!(seen(ask().by(person)), all);
    }
}

#[test]
fn without_a_token_events_have_no_comments_milestones_and_members() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.bob, json!({ "title": "open" }));
    at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": "x" })).gives(201);
    world.milestone("v1");
    let all = deeds(&world.v4("GET", "/events?sort=asc").by(&world.eve).gives(200));
    assert_eq!(all[4..], ["opened Issue open", "commented on Note open", "opened Milestone v1"]);
    let without = world.v4("GET", "/events?sort=asc").gives(200);
    assert_eq!(deeds(&without), ["created - -", "opened Issue open"]);
    let of_bob =
        world.server.ask_v4("GET", format!("/users/{}/events?per_page=100", world.bob.id)).gives(200);
    let names = of_bob.each("action_name");
    assert!(
        ["joined", "left", "commented on"].iter().all(|name| !names.contains(&json!(name))),
        "{}",
        of_bob.text
    );
}

#[test]
fn who_may_not_read_code_sees_no_pushes() {
    let world = World::new(spec(), Visibility::Private);
    history(&world, 1);
    push(
        &world,
        json!([{ "name": "refs/heads/master", "old": null, "new": sha(1), "message": null, "commits": 1 }]),
    );
    let pushes = |person: &Person| events(&world, person, "?action=pushed").each("id").len();
    assert_eq!([&world.gus, &world.rae].map(pushes), [0, 1]);
}

#[test]
fn an_issue_that_moves_is_opened_there_and_closed_here_and_its_comments_are_no_events() {
    let world = World::new(spec(), Visibility::Private);
    let other = world.sibling(Visibility::Private);
    let issue = made(&world, &world.gus, json!({ "title": "moves" }));
    at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": "x" })).gives(201);
    let to = json!({ "to_project_id": other.project.id });
    at(&world, "POST", &issue, "/move").by(&world.ann).json(to).gives(201);
    let here = events(&world, &world.ann, "?target_type=issue");
    assert_eq!(deeds(&here), ["closed Issue moves", "opened Issue moves"]);
    assert_eq!(here.json[0]["author_id"], world.ann.id);
    let there = events(&other, &world.ann, "");
    let of_issue: Vec<String> = deeds(&there).into_iter().filter(|deed| !deed.contains("- -")).collect();
    assert_eq!(of_issue, ["opened Issue moves"]);
    assert_eq!(there.json[0]["author_id"], world.ann.id);
}

#[test]
fn a_list_of_events_ends_early_behind_a_thousand_that_the_caller_may_not_see() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(spec(), Visibility::Private);
    made(&world, &world.bob, json!({ "title": "seen" }));
    spec().database().tamper(&format!(
        "insert into events (project_id, author_id, kind, action, created_at)
         select e.project_id, e.author_id, 'push', 'pushed', e.created_at from events e
         cross join (with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000) select i from n)
         where e.kind = 'issue' and e.project_id = {}",
        world.project.id
    ));
    let mut list = events(&world, &world.gus, "?target_type=issue");
    assert_eq!(list.json, json!([]));
    assert!(list.figure("rows_read") < 10_000, "{}", list.figure("rows_read"));
    let mut pages = 1;
    while let Some(next) = list.next() {
        list = world.server.ask_v4("GET", next).by(&world.gus).gives(200);
        pages += 1;
    }
    assert_eq!((deeds(&list), pages), (vec!["opened Issue seen".to_owned()], 3));
}
