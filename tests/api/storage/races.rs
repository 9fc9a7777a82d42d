//! Two callers do the same at once: one of them is refused, and neither gets a 500.

use crate::support::{Ask, Person, Server, Visibility, World, spec, unique};
use serde_json::{Value, json};
use std::sync::Barrier;

/// Sends all of them at once; the statuses in ascending order.
fn at_once(asks: Vec<Ask>) -> Vec<u16> {
    let start = Barrier::new(asks.len());
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let send = |ask: Ask| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                ask.send().status
            })
        };
        let sent: Vec<_> = asks.into_iter().map(send).collect();
        sent.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    statuses.sort();
    statuses
}

/// The same request of eight.
fn eight(person: &Person, verb: &str, path: &str, body: impl Fn(usize) -> Value) -> Vec<u16> {
    at_once((0..8).map(|at| spec().ask(verb, path).by(person).json(body(at))).collect())
}

fn one_of_eight(done: u16, refused: u16) -> Vec<u16> {
    let mut statuses = vec![refused; 8];
    statuses[0] = done;
    statuses.sort();
    statuses
}

#[test]
fn a_name_is_given_once() {
    let cast = spec().cast();
    let name = unique("twin");
    let user = |at: usize| json!({ "email": format!("{name}.{at}@mail.test"), "username": name, "name": "T" });
    assert_eq!(eight(&cast.root, "POST", "/users", user), one_of_eight(201, 409));
    let mail = unique("mail");
    let user = |_| json!({ "email": format!("{mail}@mail.test"), "username": unique("m"), "name": "T" });
    assert_eq!(eight(&cast.root, "POST", "/users", user), one_of_eight(201, 409));
    let path = unique("group");
    let group = |_| json!({ "name": "G", "path": path });
    assert_eq!(eight(&cast.ann, "POST", "/groups", group), one_of_eight(201, 400));
    let path = unique("project");
    let project = |_| json!({ "name": path });
    assert_eq!(eight(&cast.ann, "POST", "/projects", project), one_of_eight(201, 400));
}

#[test]
fn a_limit_holds_and_a_count_stays_true() {
    let cast = spec().cast();
    let person = spec().person("Lim");
    let limit = json!({ "projects_limit": 3 });
    spec().put(format!("/users/{}", person.id)).by(&cast.root).json(limit).gives(200);
    let project = |_| json!({ "name": unique("l") });
    let statuses = eight(&person, "POST", "/projects", project);
    assert_eq!(statuses, [201, 201, 201, 403, 403, 403, 403, 403]);
    let ids = spec().get("/projects").by(&person).gives(200).each("id");
    assert_eq!(ids.len(), 3);
    // deleted by many, it is counted off once
    let path = format!("/projects/{}", ids[0]);
    let statuses = eight(&person, "DELETE", &path, |_| json!({}));
    assert!(statuses.iter().all(|status| [200, 404].contains(status)), "{statuses:?}");
    let statuses = eight(&person, "POST", "/projects", project);
    assert_eq!(statuses, [201, 403, 403, 403, 403, 403, 403, 403]);
}

#[test]
fn a_member_is_added_once() {
    let world = World::new(spec(), Visibility::Private);
    let member = |_| json!({ "user_id": world.eve.id, "access_level": 20 });
    assert_eq!(eight(&world.ann, "POST", &world.at("/members"), member), one_of_eight(201, 409));
    let statuses = eight(&world.ann, "DELETE", &world.at(&format!("/members/{}", world.eve.id)), |_| json!({}));
    assert!(statuses.contains(&200) && statuses.iter().all(|status| [200, 404].contains(status)), "{statuses:?}");
}

#[test]
fn of_owners_who_leave_together_one_stays() {
    let owners: Vec<Person> = (0..4).map(|_| spec().person("Owner")).collect();
    let path = unique("left");
    let group = json!({ "name": path, "path": path, "visibility_level": 20 });
    spec().post("/groups").by(&owners[0]).json(group).gives(201);
    for owner in &owners[1..] {
        let member = json!({ "user_id": owner.id, "access_level": 50 });
        spec().post(format!("/groups/{path}/members")).by(&owners[0]).json(member).gives(201);
    }
    let leave = |owner: &Person| spec().delete(format!("/groups/{path}/members/{}", owner.id)).by(owner);
    assert_eq!(at_once(owners.iter().map(leave).collect()), [200, 200, 200, 403]);
    let left = spec().get(format!("/groups/{path}/members")).by(&owners[0]).gives(200);
    assert_eq!(left.each("access_level"), [50]);
}

#[test]
fn a_group_is_not_removed_under_a_new_project() {
    let owner = spec().person("Rem");
    for _ in 0..10 {
        let path = unique("gone");
        let group = json!({ "name": path, "path": path });
        let group = spec().post("/groups").by(&owner).json(group).gives(201).id();
        let project = json!({ "name": "p", "namespace_id": group });
        let make = spec().post("/projects").by(&owner).json(project);
        let remove = spec().delete(format!("/groups/{group}")).by(&owner);
        let statuses = at_once(vec![make, remove]);
        assert!([[201, 409], [200, 400]].contains(&[statuses[0], statuses[1]]), "{statuses:?}");
    }
}

#[test]
fn of_several_new_members_all_are_added_or_none() {
    let world = World::new(spec(), Visibility::Private);
    let shared = spec().person("Both").id;
    let own: Vec<Person> = (0..8).map(|_| spec().person("Own")).collect();
    for place in [world.at("/members"), format!("/groups/{}/members", world.group)] {
        let add = |person: &Person| {
            let body = json!({ "user_id": [shared, person.id], "access_level": 10 });
            spec().ask_v4("POST", &place).by(&world.ann).json(body)
        };
        assert_eq!(at_once(own.iter().map(add).collect()), one_of_eight(201, 409));
        let member = |person: &&Person| {
            spec().ask_v4("GET", format!("{place}/{}", person.id)).by(&world.ann).send().status == 200
        };
        assert_eq!(own.iter().filter(member).count(), 1);
    }
}

#[test]
fn what_is_deleted_while_it_is_being_changed_stays_deleted() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| ()), Visibility::Private);
    let label = json!({ "name": "l", "color": "#ff0000" });
    let label = world.v4("POST", "/labels").by(&world.ann).json(label).gives(201).id();
    let milestone = world.milestone("m");
    let database = world.server.database();
    // runs between the look-up and the change, as these deletions begin
    let hidden = [
        (format!("/labels/{label}"), json!({ "new_name": "back" }), "update labels set title = ',' || id"),
        (
            format!("/milestones/{milestone}"),
            json!({ "title": "back" }),
            "update milestones set iid = -iid, title = printf('%0300d', id)",
        ),
    ];
    for (path, change, sql) in hidden {
        let mut trips = 0;
        database.break_down(move || {
            trips += 1;
            if trips == 2 {
                database.tamper(sql);
            }
            None
        });
        let status = world.v4("PUT", &path).by(&world.ann).json(change).send().status;
        database.mend();
        assert_eq!(status, 404, "{path}");
    }
    let back = "select json_quote(title) as v from (select title from labels union all select title from milestones)
      where title = 'back'";
    assert_eq!(world.server.rows(back), Vec::<Value>::new());
}
