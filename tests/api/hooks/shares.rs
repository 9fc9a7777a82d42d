//! Who takes which part of the deliveries that wait, and of the bytes of events.

use super::{body, delivered, hook};
use crate::storage::counters::disagreements;
use crate::support::git::sha;
use crate::support::{Person, Server, Visibility, World, now, unique};
use serde_json::{Value, json};

fn world(visibility: Visibility) -> World {
    World::new(Server::with(|_| ()), visibility)
}

fn number(server: &Server, sql: &str) -> i64 {
    server.rows(&format!("select json_array(({sql})) as v"))[0][0].as_i64().unwrap()
}

fn waiting(world: &World) -> i64 {
    number(world.server, "select count(*) from deliveries")
}

/// How many deliveries of each kind wait.
fn kinds(world: &World) -> Value {
    let kinds = "select json_group_object(kind, number) as v from (
        select e.kind, count(*) as number from deliveries d cross join hook_events e on e.id = d.event_id group by 1)";
    world.server.rows(kinds)[0].clone()
}

/// Makes this branch.
fn push(world: &World, name: &str) {
    let change = json!({ "name": format!("refs/heads/{name}"), "old": null, "new": sha(2), "message": null });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
}

fn comments(world: &World, author: &Person, issue: &Value, times: usize) {
    (0..times).for_each(|_| drop(world.comment(author, issue, "x")));
}

/// The project, with a history and hooks for pushes and comments that nobody serves for now.
fn slow(hooks: usize) -> (World, Value) {
    let world = world(Visibility::Public);
    world.push_line(2);
    for _ in 0..hooks {
        hook(&world, json!({ "push_events": true, "note_events": true }));
    }
    let issue = world.issue(&world.eve, json!({ "title": "a" }));
    (world, issue)
}

#[test]
fn comments_of_outsiders_leave_room_for_a_push() {
    let (world, issue) = slow(20);
    comments(&world, &world.eve, &issue, 70);
    push(&world, "later");
    let sent: usize = (0..4).map(|minute| delivered(world.server, now() + minute * 60_000).len()).sum();
    println!("{sent} of 1400 comments and 20 pushes are sent");
    let told = "select count(distinct l.hook_id) from hook_log l cross join hook_events e on e.id = l.event_id where e.kind = 'push'";
    assert_eq!((number(world.server, told), sent), (20, 270));
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn outsiders_together_take_a_quarter_and_the_newest_of_each_stays() {
    let (world, issue) = slow(10);
    comments(&world, &world.eve, &issue, 30);
    assert_eq!(kinds(&world), json!({ "note": 250 }));
    let other = world.server.person("Oda");
    comments(&world, &other, &issue, 2);
    let of = |person: &Person| {
        number(world.server, &format!("select count(*) from deliveries where person_id = {}", person.id))
    };
    assert_eq!([of(&world.eve), of(&other)], [230, 20]);
    // members have the rest, and what they do drops nothing of others
    comments(&world, &world.rae, &issue, 40);
    assert_eq!([of(&world.eve), of(&other), of(&world.rae)], [230, 20, 400]);
    assert_eq!(number(world.server, "select sum(dropped) from hooks"), 70);
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn one_person_takes_half_and_whoever_has_most_loses_the_oldest() {
    let (world, issue) = slow(10);
    let of = |person: &Person| {
        number(world.server, &format!("select count(*) from deliveries where person_id = {}", person.id))
    };
    comments(&world, &world.rae, &issue, 60);
    assert_eq!(of(&world.rae), 500);
    let first = number(world.server, "select min(event_id) from deliveries");
    assert_eq!(number(world.server, "select max(event_id) from deliveries") - first, 49);
    comments(&world, &world.bob, &issue, 50);
    comments(&world, &world.gus, &issue, 3);
    assert_eq!([of(&world.rae), of(&world.bob), of(&world.gus)], [485, 485, 30]);
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn pushes_have_a_quarter_that_no_other_event_takes() {
    let (world, issue) = slow(10);
    let others = |from: i64| {
        // as many members as there are places, with one comment each
        world.server.tamper(&format!(
            "with recursive n (i) as (select {from} union all select i + 1 from n where i < {from} + 999)
            insert into deliveries (event_id, hook_id, project_id, webhook_id, next_at, created_at, person_id, share)
            select 0, (select max(id) from hooks), {}, i, 0, 0, 1000000 + i, 1 from n",
            world.project.id
        ))
    };
    (0..25).for_each(|at| push(&world, &format!("b{at}")));
    assert_eq!(kinds(&world), json!({ "push": 250 }));
    for from in [0, 1000] {
        others(from);
        comments(&world, &world.rae, &issue, 1);
        assert_eq!((kinds(&world), waiting(&world)), (json!({ "note": 1, "push": 250 }), 1000));
    }
}

#[test]
fn a_bot_takes_the_share_of_who_made_its_token() {
    let (world, issue) = slow(10);
    for at in 0..4 {
        let fields =
            json!({ "name": format!("bot {at}"), "scopes": ["api"], "access_level": 20, "expires_at": "2999-01-01" });
        let token = world.v4("POST", "/access_tokens").by(&world.ann).json(fields).gives(201).json;
        let bot = Person { token: token["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
        comments(&world, &bot, &issue, 20);
    }
    assert_eq!(waiting(&world), 500);
    let people = "select json_group_array(distinct person_id) as v from deliveries";
    assert_eq!(world.server.rows(people)[0], json!([world.ann.id]));
}

#[test]
fn renames_leave_room_for_other_events_of_the_system() {
    let world = world(Visibility::Private);
    let hook = json!({ "url": "https://system.example.org/" });
    world.server.ask_v4("POST", "/hooks").by(&world.root).json(hook).gives(201);
    let group = World::group_of_its_own(world.server);
    for _ in 0..1050 {
        let path = json!({ "path": unique("r") });
        world.server.ask_v4("PUT", format!("/groups/{group}")).by(&world.ann).json(path).gives(200);
    }
    world.server.person("Max");
    let made = world.server.project(&world.ann, world.ann.id, Visibility::Private);
    let member = json!({ "user_id": world.eve.id, "access_level": 40 });
    world.server.ask_v4("POST", format!("/projects/{}/members", made.id)).by(&world.ann).json(member).gives(201);
    let sent: Vec<Value> = (0..6)
        .flat_map(|at| delivered(world.server, now() + at * 60_000))
        .map(|one| body(&one)["event_name"].clone())
        .collect();
    let heard = |name: &str| sent.iter().filter(|one| *one == name).count();
    let names = ["user_create", "project_create", "user_add_to_team"];
    println!("{} of 1050 renames, {:?} of {names:?}", heard("group_rename"), names.map(heard));
    assert_eq!(names.map(heard), [1, 1, 1]);
    assert_eq!(heard("group_rename"), 500 - 3);
}

#[test]
fn every_event_names_the_person_who_causes_it() {
    let (world, issue) = slow(1);
    let server = world.server;
    let kinds = ["issues", "note", "pipeline", "deployment", "milestone", "releases", "emoji"];
    let wanted: serde_json::Map<_, _> = kinds.iter().map(|kind| (format!("{kind}_events"), json!(true))).collect();
    hook(&world, Value::Object(wanted));
    server.ask_v4("POST", "/hooks").by(&world.root).json(json!({ "url": "https://system.example.org/" })).gives(201);
    let group = World::group_of_its_own(server);
    let [one, user] = [format!("/issues/{}", issue["iid"]), format!("/users/{}", server.person("Una").id)];
    let note = json!({ "note": "x" });
    let (commit, group) = (format!("/repository/commits/{}/comments", sha(2)), format!("/groups/{group}"));
    let deployment = json!({ "environment": "e", "ref": "master", "sha": sha(2), "tag": false, "status": "running" });
    let change = |name: &str| json!({ "name": name, "old": null, "new": sha(2) });
    let changes = json!([change("refs/heads/new"), change("refs/tags/v1")]);
    let swap = json!({ "default_branch": "master", "changes": changes });
    let member = json!({ "user_id": world.eve.id, "access_level": 20 });
    let email = format!("{}@example.com", unique("zoe"));
    let acts = [
        ("rae", world.v4("POST", "/issues").json(json!({ "title": "b" }))),
        ("eve", world.v4("POST", &format!("{one}/notes")).json(json!({ "body": "x" }))),
        ("rae", world.v4("PUT", &one).json(json!({ "title": "c" }))),
        ("eve", world.v4("POST", &format!("{one}/award_emoji")).json(json!({ "name": "tada" }))),
        ("rae", world.v4("POST", "/milestones").json(json!({ "title": "m" }))),
        ("rae", world.v4("POST", &commit).json(note)),
        ("bob", world.v4("POST", &format!("/statuses/{}", sha(2))).json(json!({ "state": "success" }))),
        ("bob", world.v4("POST", "/deployments").json(deployment)),
        ("ann", world.v4("PUT", "/mirror/refs").json(swap)),
        ("bob", world.v4("POST", "/releases").json(json!({ "tag_name": "v1", "ref": "master" }))),
        ("ann", world.v4("PUT", "").json(json!({ "description": "d" }))),
        ("ann", world.v4("POST", "/members").json(member)),
        ("eve", server.ask_v4("POST", "/projects").json(json!({ "name": unique("p") }))),
        ("ann", server.ask_v4("PUT", group).json(json!({ "path": unique("g") }))),
        ("root", server.ask_v4("PUT", user).json(json!({ "username": unique("una") }))),
        (
            "root",
            server.ask_v4("POST", "/users").json(json!({ "username": unique("zoe"), "name": "Z", "email": email })),
        ),
    ];
    for (at, (name, act)) in acts.into_iter().enumerate() {
        let cast = [("rae", &world.rae), ("eve", &world.eve), ("bob", &world.bob), ("ann", &world.ann)];
        let person = cast.iter().find(|(known, _)| *known == name).map_or(&world.root, |(_, person)| person);
        server.tamper("delete from deliveries");
        let answer = act.by(person).send();
        assert!((200..300).contains(&answer.status), "{at}: {}", answer.json);
        let people = server.rows("select json_group_array(distinct person_id) as v from deliveries")[0].clone();
        assert_eq!(people, json!([person.id]), "act {at} of {name}");
    }
}
