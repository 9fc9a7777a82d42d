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
    let all = ["closed Issue secret", "commented on Note secret", "opened Issue secret"].map(str::to_owned).to_vec();
    let none: Vec<String> = Vec::new();
    for reader in [&world.rae, &world.bob] {
        assert_eq!(of_issues(&world, reader, &world.bob), [all.clone(), all.clone(), all.clone()]);
    }
    assert_eq!(of_issues(&world, &world.gus, &world.bob), [none.clone(), none.clone(), none.clone()]);
    // its assignee sees it
    let assignee = json!({ "assignee_ids": [world.gus.id] });
    at(&world, "PUT", &issue, "").by(&world.bob).json(assignee).gives(200);
    assert_eq!(of_issues(&world, &world.gus, &world.bob), [all.clone(), all.clone(), all.clone()]);
    at(&world, "PUT", &issue, "").by(&world.bob).json(json!({ "assignee_ids": [], "confidential": false })).gives(200);
    assert_eq!(of_issues(&world, &world.gus, &world.bob)[0], all);
    at(&world, "PUT", &issue, "").by(&world.bob).json(json!({ "confidential": true })).gives(200);
    assert_eq!(of_issues(&world, &world.gus, &world.bob)[0], none);
}

#[test]
fn a_deleted_issue_or_comment_leaves_no_event() {
    let world = World::new(spec(), Visibility::Private);
    let [kept, gone] = ["kept", "gone"].map(|title| made(&world, &world.bob, json!({ "title": title })));
    let note = at(&world, "POST", &kept, "/notes").by(&world.bob).json(json!({ "body": "x" })).gives(201).id();
    at(&world, "DELETE", &kept, &format!("/notes/{note}")).by(&world.bob).gives(204);
    at(&world, "DELETE", &gone, "").by(&world.ann).gives(204);
    assert_eq!(of_issues(&world, &world.ann, &world.bob)[0], ["opened Issue kept"]);
    world.v4("PUT", "").by(&world.ann).json(json!({ "issues_access_level": "disabled" })).gives(200);
    assert_eq!(of_issues(&world, &world.ann, &world.bob)[0], [""; 0]);
}

#[test]
fn a_comment_never_takes_the_id_of_a_deleted_one() {
    let [world, other] = [(); 2].map(|()| World::new(spec(), Visibility::Private));
    let issue = made(&world, &world.bob, json!({ "title": "kept" }));
    let secret = made(&other, &other.bob, json!({ "title": "secret" }));
    let comment = |world: &World, issue: &Value| {
        at(world, "POST", issue, "/notes").by(&world.bob).json(json!({ "body": "x" })).gives(201).id()
    };
    let gone = comment(&world, &issue);
    at(&world, "DELETE", &issue, &format!("/notes/{gone}")).by(&world.bob).gives(204);
    assert!(comment(&other, &secret) > gone);
    assert_eq!(of_issues(&world, &world.ann, &world.bob)[0], ["opened Issue kept"]);
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
fn without_a_token_events_of_a_public_project_are_those_of_every_user() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.bob, json!({ "title": "open" }));
    at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": "x" })).gives(201);
    world.milestone("v1");
    let secret = made(&world, &world.bob, json!({ "title": "secret", "confidential": true }));
    at(&world, "POST", &secret, "/notes").by(&world.bob).json(json!({ "body": "hush" })).gives(201);
    let without = world.v4("GET", "/events?sort=asc").gives(200);
    let all = deeds(&without);
    assert_eq!(all[4..], ["opened Issue open", "commented on Note open", "opened Milestone v1"]);
    assert_eq!(all, deeds(&world.v4("GET", "/events?sort=asc").by(&world.eve).gives(200)));
    let own = format!("/users/{}/events?per_page=100", world.bob.id);
    let own = world.server.ask_v4("GET", own).gives(200);
    let here = own.json.as_array().unwrap().iter().filter(|event| event["project_id"] == json!(world.project.id));
    let named: Vec<&Value> = here.map(|event| &event["target_title"]).collect();
    // the last one: they joined
    assert_eq!(json!(named), json!(["open", "open", null]));
    assert!(!own.text.contains("secret") && !own.text.contains("hush"), "{}", own.text);
}

#[test]
fn who_may_not_read_code_sees_no_pushes() {
    let world = World::new(spec(), Visibility::Private);
    history(&world, 1);
    push(&world, json!([{ "name": "refs/heads/master", "old": null, "new": sha(1), "message": null, "commits": 1 }]));
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

/// Adds events of one kind and target by that author.
fn many(world: &World, author: &Person, count: u32, (kind, action): (&str, &str), target: Option<i64>) {
    let target = target.map_or("null".to_owned(), |id| id.to_string());
    spec().database().tamper(&format!(
        "insert into events (project_id, author_id, kind, action, target_id, created_at)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < {count})
         select {}, {}, '{kind}', '{action}', {target}, (select max(created_at) from events) from n",
        world.project.id, author.id
    ));
}

/// What a new guest of the project finds in its list, in that of the author and in that of the guest's projects.
fn found(world: &World, guest: &Person, author: &Person, query: &str) -> [(Vec<String>, bool); 3] {
    let of_author = format!("/users/{}/events?", author.username);
    let lists = [format!("/projects/{}/events?", world.project.id), of_author, "/events?scope=all&".to_owned()];
    lists.map(|path| {
        let list = world.server.ask_v4("GET", format!("{path}{query}")).by(guest).gives(200);
        assert_eq!(list.next().is_some(), list.header("X-Next-Page") != Some(""));
        (deeds(&list), list.next().is_some())
    })
}

#[test]
fn no_list_of_events_says_that_there_are_events_which_the_caller_may_not_see() {
    if !spec().is_in_process() {
        return;
    }
    let [quiet, busy] = [false, true].map(|is_busy| {
        let world = World::new(spec(), Visibility::Private);
        let [guest, author] = ["Guest", "Author"].map(|name| spec().person(name));
        world.admit(&guest, 10);
        world.admit(&author, 30);
        made(&world, &author, json!({ "title": "first" }));
        if is_busy {
            let secret = made(&world, &author, json!({ "title": "secret", "confidential": true }));
            many(&world, &author, 3000, ("push", "pushed"), None);
            many(&world, &author, 3000, ("issue", "closed"), secret["id"].as_i64());
            let elsewhere = World::new(spec(), Visibility::Private);
            many(&elsewhere, &author, 3000, ("milestone", "closed"), None);
        }
        made(&world, &author, json!({ "title": "last" }));
        (world, guest, author)
    });
    for query in
        ["", "per_page=1", "sort=asc", "target_type=issue", "action=closed", "action=pushed", "page=2&per_page=2"]
    {
        let [expected, shown] = [&quiet, &busy].map(|(world, guest, author)| found(world, guest, author, query));
        assert_eq!(shown, expected, "{query}");
    }
}

#[test]
fn who_sees_no_event_gets_the_answer_of_an_empty_list() {
    let [world, other] = [(); 2].map(|()| World::new(spec(), Visibility::Private));
    let [author, idle] = ["Author", "Idle"].map(|name| spec().person(name));
    world.admit(&author, 30);
    made(&world, &author, json!({ "title": "x" }));
    let answer = |person: &Person, path: &str| {
        let list = spec().ask_v4("GET", path).by(person).gives(200);
        let links = list.header("Link").unwrap_or_default().replace(path, "");
        (list.text.clone(), list.header("X-Next-Page").map(str::to_owned), links)
    };
    let of = |person: &Person| format!("/users/{}/events", person.id);
    assert_eq!(answer(&other.eve, &of(&author)), answer(&other.eve, &of(&idle)));
    let of_all = answer(&idle, "/events?scope=all");
    assert_eq!((of_all.0.as_str(), of_all.1.as_deref()), ("[]", Some("")));
}

#[test]
fn a_list_of_events_ends_behind_8000_of_confidential_issues() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(spec(), Visibility::Private);
    let secret = made(&world, &world.ann, json!({ "title": "secret", "confidential": true }));
    made(&world, &world.bob, json!({ "title": "seen" }));
    many(&world, &world.ann, 7999, ("issue", "closed"), secret["id"].as_i64());
    let list = || events(&world, &world.gus, "?target_type=issue");
    assert_eq!(deeds(&list()), ["opened Issue seen"]);
    many(&world, &world.ann, 1, ("issue", "closed"), secret["id"].as_i64());
    assert_eq!(list().json, json!([]));
    assert_eq!(list().header("X-Next-Page"), Some(""));
    let cost = || world.v4("GET", "/events?target_type=issue").by(&world.gus).cost().1;
    let before = cost();
    many(&world, &world.ann, 8000, ("issue", "closed"), secret["id"].as_i64());
    assert_eq!(cost(), before);
}
