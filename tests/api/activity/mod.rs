//! Lists of events (behaviour 14.7).

mod feeds;
mod silence;
mod visibility;

use crate::support::git::{line, sha};
use crate::support::v4::{at, has_keys, made};
use crate::support::{Answer, Person, Server, Visibility, World, now, spec};
use serde_json::{Value, json};

const EVENT: &str = "id project_id action_name target_id target_iid target_type author_id target_title created_at author author_username";
const DAY: i64 = 86_400_000;

fn events(world: &World, person: &Person, query: &str) -> Answer {
    world.v4("GET", &format!("/events{query}")).by(person).gives(200)
}

/// What is listed: name of the deed, kind and title of the target.
fn deeds(list: &Answer) -> Vec<String> {
    let text = |event: &Value, name: &str| event[name].as_str().unwrap_or("-").to_owned();
    let deed = |event: &Value| ["action_name", "target_type", "target_title"].map(|name| text(event, name)).join(" ");
    list.json.as_array().unwrap().iter().map(deed).collect()
}

fn push(world: &World, changes: Value) {
    let swap = json!({ "default_branch": "master", "changes": changes });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
}

fn history(world: &World, commits: u32) {
    let wire: Vec<Value> = line(commits).iter().map(|commit| commit.wire()).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
}

#[test]
fn events_are_refused_where_the_project_or_the_user_is_not_seen() {
    let world = World::new(spec(), Visibility::Private);
    let absent = || json!({ "message": "404 Project Not Found" });
    world.v4("GET", "/events").refused(404, absent());
    world.v4("GET", "/events").by(&world.eve).refused(404, absent());
    spec().ask_v4("GET", "/events").refused(401, json!({ "message": "401 Unauthorized" }));
    for user in ["987654321", "nobody-of-this-name"] {
        let path = format!("/users/{user}/events");
        spec().ask_v4("GET", path).by(&world.ann).refused(404, json!({ "message": "404 User Not Found" }));
    }
    for (query, name) in [("action=made", "action"), ("target_type=issues", "target_type"), ("sort=up", "sort")] {
        let text = format!("{name} does not have a valid value");
        world.v4("GET", &format!("/events?{query}")).by(&world.ann).refused(400, json!({ "error": text }));
    }
    for name in ["before", "after"] {
        let text = format!("{name} is invalid");
        world.v4("GET", &format!("/events?{name}=soon")).by(&world.ann).refused(400, json!({ "error": text }));
    }
}

#[test]
fn what_users_do_in_a_project_is_an_event() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.gus, json!({ "title": "Flood" }));
    at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": "Seen." })).gives(201);
    let state =
        |event: &str| at(&world, "PUT", &issue, "").by(&world.rae).json(json!({ "state_event": event })).gives(200);
    state("close");
    // what is closed is not closed again, and another change is no event
    state("close");
    state("reopen");
    at(&world, "PUT", &issue, "").by(&world.rae).json(json!({ "labels": "wet" })).gives(200);
    let milestone = world.milestone("v1");
    let of = format!("/milestones/{milestone}");
    for event in ["close", "activate"] {
        world.v4("PUT", &of).by(&world.ann).json(json!({ "state_event": event })).gives(200);
    }
    world.v4("PUT", &of).by(&world.ann).json(json!({ "description": "other" })).gives(200);
    world.v4("DELETE", &of).by(&world.ann).gives(204);
    world.v4("DELETE", &format!("/members/{}", world.gus.id)).by(&world.ann).gives(204);
    history(&world, 2);
    push(&world, json!([{ "name": "refs/heads/master", "old": null, "new": sha(1), "message": null, "commits": 1 }]));
    push(&world, json!([{ "name": "refs/heads/master", "old": sha(1), "new": sha(2), "message": null, "commits": 1 }]));
    push(&world, json!([{ "name": "refs/tags/v1", "old": null, "new": sha(1), "message": null }]));
    push(&world, json!([{ "name": "refs/tags/v1", "old": sha(1), "new": null, "message": null }]));
    let list = events(&world, &world.ann, "?sort=asc&per_page=100");
    assert_eq!(
        deeds(&list),
        [
            "created - -",
            "joined - -",
            "joined - -",
            "joined - -",
            "opened Issue Flood",
            "commented on Note Flood",
            "closed Issue Flood",
            "reopened Issue Flood",
            "opened Milestone v1",
            "closed Milestone v1",
            "reopened Milestone v1",
            "destroyed Milestone v1",
            "left - -",
            "pushed new - -",
            "pushed to - -",
            "pushed new - -",
            "deleted - -",
        ]
    );
    let authors: Vec<Value> = list.each("author_username")[4..9].to_vec();
    assert_eq!(
        authors,
        [&world.gus, &world.bob, &world.rae, &world.rae, &world.ann].map(|person| json!(person.username))
    );
    let pushed = &list.json[14];
    assert_eq!(
        pushed["push_data"],
        json!({ "commit_count": 1, "action": "pushed", "ref_type": "branch", "commit_from": sha(1), "commit_to": sha(2), "ref": "master", "commit_title": "Change 2", "ref_count": null })
    );
    // the newest first
    let newest = events(&world, &world.ann, "?per_page=1");
    assert_eq!(newest.json[0]["push_data"]["action"], "removed");
}

#[test]
fn an_event_has_what_it_is_about() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.bob, json!({ "title": "Flood" }));
    let note = at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": "Seen." })).gives(201).json;
    let list = events(&world, &world.ann, "");
    let [commented, opened] = [&list.json[0], &list.json[1]];
    has_keys(opened, &[EVENT]);
    has_keys(commented, &[EVENT, "note"]);
    assert_eq!(commented["note"], note);
    assert_eq!([&commented["target_id"], &commented["target_iid"]], [&note["id"], &note["id"]]);
    assert_eq!([&opened["target_id"], &opened["target_iid"]], [&issue["id"], &issue["iid"]]);
    assert_eq!(opened["author"]["id"], world.bob.id);
    assert_eq!(opened["project_id"], world.project.id);
    let milestone = world.milestone("v1");
    assert_eq!(events(&world, &world.ann, "?per_page=1").json[0]["target_id"], milestone);
    world.v4("DELETE", &format!("/milestones/{milestone}")).by(&world.ann).gives(204);
    // the deleted milestone is named still, and has no id
    for event in events(&world, &world.ann, "?target_type=milestone").json.as_array().unwrap() {
        assert_eq!(
            (&event["target_id"], &event["target_iid"], &event["target_title"]),
            (&Value::Null, &json!(1), &json!("v1"))
        );
    }
}

#[test]
fn more_than_three_refs_of_a_kind_are_one_event_and_a_history_is_none() {
    let world = World::new(spec(), Visibility::Private);
    history(&world, 1);
    let change = |name: &str, number: usize| json!({ "name": format!("refs/{name}{number}"), "old": null, "new": sha(1), "message": null, "commits": 1 });
    let branches =
        |numbers: std::ops::Range<usize>| numbers.map(|number| change("heads/b", number)).collect::<Vec<_>>();
    push(&world, json!(branches(0..4)));
    assert_eq!(events(&world, &world.ann, "?action=pushed").json, json!([]));
    let tags = (0..2).map(|number| change("tags/t", number));
    push(&world, json!(branches(4..8).into_iter().chain(tags).collect::<Vec<_>>()));
    let list = events(&world, &world.ann, "?action=pushed&sort=asc");
    let shown: Vec<[&Value; 3]> = list
        .json
        .as_array()
        .unwrap()
        .iter()
        .map(|event| ["ref_type", "ref", "ref_count"].map(|name| &event["push_data"][name]))
        .collect();
    let (none, tag) = (Value::Null, json!("tag"));
    assert_eq!(shown, [[&json!("branch"), &none, &json!(4)], [&tag, &json!("t0"), &none], [&tag, &json!("t1"), &none]]);
}

#[test]
fn events_are_filtered_by_deed_target_and_day() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let today = now() / DAY * DAY;
    server.turn_to(today - 2 * DAY + 1000);
    let world = World::new(server, Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "old" }));
    server.turn_to(today - DAY + 1000);
    world.milestone("v1");
    let comment =
        |body: &str| at(&world, "POST", &issue, "/notes").by(&world.bob).json(json!({ "body": body })).gives(201);
    comment("yesterday");
    server.turn_to(today + 1000);
    comment("today");
    let titles = |query: &str| deeds(&events(&world, &world.ann, query));
    assert_eq!(titles("?action=created&target_type=issue"), ["opened Issue old"]);
    assert_eq!(titles("?target_type=milestone"), ["opened Milestone v1"]);
    assert_eq!(titles("?action=commented").len(), 2);
    for none in [
        "?action=merged",
        "?action=updated",
        "?action=expired",
        "?action=approved",
        "?target_type=merge_request",
        "?target_type=wiki",
    ] {
        assert_eq!(titles(none), [""; 0], "{none}");
    }
    let day = |days: i64| {
        let sql = format!("select json_quote(date({}, 'unixepoch')) as v", (today + days * DAY) / 1000);
        server.rows(&sql)[0].as_str().unwrap().to_owned()
    };
    let bodies = |query: String| {
        events(&world, &world.ann, &query)
            .json
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["note"]["body"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(bodies(format!("?action=commented&after={}", day(-1))), ["today"]);
    assert_eq!(bodies(format!("?action=commented&before={}", day(0))), ["yesterday"]);
    assert_eq!(
        bodies(format!("?action=commented&after={}&before={}&sort=asc", day(-2), day(1))),
        ["yesterday", "today"]
    );
    assert_eq!(titles(&format!("?before={}", day(-2))), [""; 0]);
    assert_eq!(titles(&format!("?after={}", day(0))), [""; 0]);
    assert_eq!(titles(&format!("?before={}", day(-1))).len(), 5);
}

#[test]
fn a_comment_of_an_earlier_date_is_an_event_as_late_as_the_one_before_it() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    for date in ["2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"] {
        let note = json!({ "body": "x", "created_at": date });
        at(&world, "POST", &issue, "/notes").by(&world.ann).json(note).gives(201);
    }
    let times = events(&world, &world.ann, "?target_type=note&sort=asc").each("created_at");
    let opened = events(&world, &world.ann, "?target_type=issue").each("created_at");
    let [opened, past, future] = [&opened[0], &times[0], &times[1]].map(|time| time.as_str().unwrap());
    assert!(opened <= past && past <= future && future < "2900", "{opened} {past} {future}");
}

#[test]
fn a_list_of_events_goes_on_by_its_next() {
    let world = World::new(spec(), Visibility::Private);
    for number in 0..5 {
        made(&world, &world.ann, json!({ "title": format!("t{number}") }));
    }
    for sort in ["asc", "desc"] {
        let whole = events(&world, &world.ann, &format!("?sort={sort}")).each("id");
        let mut list = events(&world, &world.ann, &format!("?sort={sort}&per_page=2"));
        let mut ids = list.each("id");
        while let Some(next) = list.next() {
            list = world.server.ask_v4("GET", next).by(&world.ann).gives(200);
            ids.extend(list.each("id"));
        }
        assert_eq!(ids, whole, "{sort}");
        let second = events(&world, &world.ann, &format!("?sort={sort}&per_page=2&page=2"));
        assert_eq!(second.each("id"), whole[2..4], "{sort}");
    }
}

#[test]
fn a_page_of_events_by_its_number_has_at_most_2500_before_it() {
    let world = World::new(spec(), Visibility::Private);
    assert_eq!(events(&world, &world.ann, "?page=27&per_page=100").json, json!([]));
    let filled = spec().tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 2501)
        insert into events (project_id, author_id, kind, action, created_at)
        select {}, {}, 'member', 'joined', n from n",
        world.project.id, world.ann.id
    ));
    if !filled {
        return;
    }
    assert_ne!(events(&world, &world.ann, "?page=26&per_page=100").json, json!([]));
    let text = "page is beyond the first 2500 records: follow the next link of the page before";
    let refused = world.v4("GET", "/events?page=27&per_page=100").by(&world.ann);
    refused.refused(400, json!({ "error": text }));
}

#[test]
fn one_has_a_list_of_ones_own_events_and_one_of_the_projects_that_one_is_a_member_of() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let world = World::new(server, Visibility::Public);
    let other = World::personal(server, Visibility::Public);
    made(&world, &world.rae, json!({ "title": "mine" }));
    made(&world, &world.ann, json!({ "title": "of another" }));
    let outside = server.person("out");
    let project = server.project(&outside, outside.id, Visibility::Public);
    server.post(format!("/projects/{}/issues", project.id)).by(&outside).json(json!({ "title": "outside" })).gives(200);
    let titles = |person: &Person, query: &str| {
        deeds(&server.ask_v4("GET", format!("/events?per_page=100{query}")).by(person).gives(200))
            .into_iter()
            .filter(|deed| deed.starts_with("opened"))
            .collect::<Vec<_>>()
    };
    assert_eq!(titles(&world.rae, ""), ["opened Issue mine"]);
    assert_eq!(titles(&world.rae, "&scope=all"), ["opened Issue of another", "opened Issue mine"]);
    assert_eq!(titles(&outside, "&scope=all"), ["opened Issue outside"]);
    // an administrator is no member of all projects
    assert_eq!(titles(&server.root(), "&scope=all"), [""; 0]);
    drop(other);
}

#[test]
fn events_end_after_the_days_that_the_deployment_says() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|config| config.retention.events = 30);
    let world = World::new(server, Visibility::Private);
    made(&world, &world.ann, json!({ "title": "old" }));
    server.turn_to(now() + 29 * DAY);
    made(&world, &world.ann, json!({ "title": "new" }));
    server.sweep(now() + 29 * DAY).unwrap();
    assert_eq!(events(&world, &world.ann, "").each("id").len(), 6);
    server.sweep(now() + 31 * DAY).unwrap();
    assert_eq!(deeds(&events(&world, &world.ann, "")), ["opened Issue new"]);
}
