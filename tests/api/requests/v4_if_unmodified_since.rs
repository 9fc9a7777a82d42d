//! `If-Unmodified-Since`: a record that was changed after that time is neither deleted nor changed. Labels have no such
//! time, so they take `If-Match`.

use crate::support::v4::{ask, at, made};
use crate::support::{Answer, Person, Server, Visibility, World, spec};
use serde_json::{Value, json};
use std::thread;

#[test]
fn what_was_changed_since_a_time_is_not_deleted_by_who_knows_it_from_before() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = at(&world, "POST", &issue, "/notes").by(&world.ann).json(json!({ "body": "b" })).gives(201).id();
    let milestone = world.milestone("1.0");
    let of_issue = format!("/issues/{}", issue["iid"]);
    let paths = [
        (format!("{of_issue}/notes/{note}"), 204),
        (of_issue, 204),
        (format!("/milestones/{milestone}"), 204),
        (String::new(), 202),
    ];
    for (path, status) in paths {
        let delete = || ask(&world, "DELETE", &path);
        let since = |time: &str| delete().by(&world.ann).header("If-Unmodified-Since", time);
        for before in ["Thu, 01 Jan 2015 00:00:00 GMT", "2015-01-01T00:00:00Z"] {
            since(before).refused(412, json!({ "message": "412 Precondition Failed" }));
        }
        // who may not is not told whether it has changed
        delete().by(&world.eve).header("If-Unmodified-Since", "2015-01-01").gives(404);
        since("Fri, 01 Jan 2100 00:00:00 GMT").gives(status);
    }
}

#[test]
fn what_is_no_time_is_passed_over_and_so_is_the_header_in_v3() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    at(&world, "DELETE", &issue, "").by(&world.ann).header("If-Unmodified-Since", "soon").gives(204);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let v3 = world.delete(&format!("/issues/{}", issue["id"])).by(&world.ann);
    v3.header("If-Unmodified-Since", "2015-01-01").gives(200);
}

/// The answer to a change of the issue that was made from its state at `since`.
fn put(world: &World, person: &Person, issue: &Value, since: &str, fields: Value) -> Answer {
    at(world, "PUT", issue, "").by(person).header("If-Unmodified-Since", since).json(fields).send()
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap()
}

#[test]
fn an_issue_that_was_changed_since_a_time_is_not_changed() {
    let world = World::new(spec(), Visibility::Private);
    let first = made(&world, &world.ann, json!({ "title": "t", "description": "first" }));
    let read = text(&first, "updated_at");
    let second = put(&world, &world.rae, &first, read, json!({ "description": "second" }));
    assert_eq!((second.status, text(&second.json, "description")), (200, "second"));
    let changed = text(&second.json, "updated_at");
    assert!(changed > read, "{changed} follows {read}");
    let refused = put(&world, &world.rae, &first, read, json!({ "title": "lost", "labels": "lost" }));
    let words =
        format!("412 Precondition Failed: the issue was changed at {changed}, after the time of If-Unmodified-Since");
    assert_eq!((refused.status, refused.json), (412, json!({ "message": words })));
    let seen = at(&world, "GET", &first, "").by(&world.rae).gives(200).json;
    assert_eq!(seen, second.json, "nothing was written");
    let notes = at(&world, "GET", &first, "/notes").by(&world.rae).gives(200).json;
    assert_eq!(notes, json!([]), "not even a system comment");
    // a person who may not change it gets that answer, and none about its time
    at(&world, "PUT", &first, "")
        .by(&world.eve)
        .header("If-Unmodified-Since", read)
        .json(json!({ "title": "x" }))
        .gives(404);
    put(&world, &world.gus, &first, read, json!({ "title": "x" })).has_status(403);
    // the time that the caller last saw lets it write
    put(&world, &world.rae, &first, changed, json!({ "title": "third" })).has_status(200);
    put(&world, &world.rae, &first, "soon", json!({ "title": "no time at all" })).has_status(200);
    let v3 = world.put(&format!("/issues/{}", first["id"])).by(&world.ann).header("If-Unmodified-Since", read);
    v3.form(&[("title", "v3 passes over it")]).gives(200);
}

#[test]
fn a_time_of_http_counts_to_its_second_and_an_iso_time_to_its_millisecond() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let turn = |at: &str| {
        let body = json!({ "title": "t", "updated_at": at });
        self::at(&world, "PUT", &issue, "").by(&world.ann).json(body).gives(200);
    };
    for (since, status) in [
        ("Mon, 04 Jan 2016 15:31:51 GMT", 200),
        ("Mon, 04 Jan 2016 15:31:50 GMT", 412),
        ("2016-01-04T15:31:51.081Z", 200),
        ("2016-01-04T16:31:51.081+01:00", 200),
        ("2016-01-04T15:31:51.080Z", 412),
        ("2016-01-04T15:31:51Z", 412),
    ] {
        turn("2016-01-04T15:31:51.081Z");
        let answer = put(&world, &world.ann, &issue, since, json!({ "title": "t" }));
        assert_eq!(answer.status, status, "{since}");
        let body = at(&world, "DELETE", &issue, "").by(&world.gus).header("If-Unmodified-Since", since);
        body.gives(403);
    }
}

#[test]
fn writes_in_one_millisecond_have_different_times() {
    let server = Server::with(|_| {});
    let world = World::new(server, Visibility::Private);
    let mut issue = made(&world, &world.ann, json!({ "title": "t" }));
    for change in [json!({ "title": "u" }), json!({ "state_event": "close" }), json!({ "description": "d" })] {
        let next = at(&world, "PUT", &issue, "").by(&world.ann).json(change).gives(200).json;
        assert!(text(&next, "updated_at") > text(&issue, "updated_at"), "{next}");
        put(&world, &world.ann, &issue, text(&issue, "updated_at"), json!({ "title": "late" })).has_status(412);
        issue = next;
    }
    let other = world.sibling(Visibility::Private);
    let body = json!({ "to_project_id": other.project.id });
    at(&world, "POST", &issue, "/move").by(&world.ann).json(body).gives(201);
    let left = at(&world, "GET", &issue, "").by(&world.ann).gives(200).json;
    assert!(text(&left, "updated_at") > text(&issue, "updated_at"), "a move changes the issue that stays");
}

#[test]
fn of_writers_at_the_same_time_none_undoes_what_another_wrote() {
    let server = Server::with(|_| {});
    let world = World::new(server, Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t", "description": "" }));
    let (world, issue) = (&world, &issue);
    let writer = |name: usize| {
        let mut taken = Vec::new();
        for round in 0..25 {
            let seen = at(world, "GET", issue, "").by(&world.rae).gives(200).json;
            let mark = format!("<{name}.{round}>");
            let whole = format!("{}{mark}", seen["description"].as_str().unwrap_or_default());
            let answer = put(world, &world.rae, issue, text(&seen, "updated_at"), json!({ "description": whole }));
            assert!([200, 412].contains(&answer.status), "{}", answer.text);
            if answer.status == 200 {
                taken.push(mark);
            }
        }
        taken
    };
    let taken: Vec<String> = thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|name| scope.spawn(move || writer(name))).collect();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    let last = at(world, "GET", issue, "").by(&world.rae).gives(200).json;
    let lost: Vec<&String> = taken.iter().filter(|mark| !text(&last, "description").contains(*mark)).collect();
    assert!(lost.is_empty(), "{lost:?} of {} are lost", taken.len());
    assert_eq!(text(&last, "description").matches('<').count(), taken.len());
}

#[test]
fn what_was_changed_since_a_time_is_not_changed_by_who_knows_it_from_before() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = at(&world, "POST", &issue, "/notes").by(&world.ann).json(json!({ "body": "b" })).gives(201).id();
    let milestone = world.milestone("1.0");
    let cases = [
        (format!("/issues/{}/notes/{note}", issue["iid"]), "body"),
        (format!("/milestones/{milestone}"), "description"),
        (String::new(), "description"),
    ];
    for (path, field) in cases {
        let seen = || ask(&world, "GET", &path).by(&world.ann).gives(200).json;
        let put = |since: &str, text: &str| {
            let put = ask(&world, "PUT", &path).by(&world.ann).header("If-Unmodified-Since", since);
            put.json(json!({ field: text })).send()
        };
        let first = seen();
        let read = text(&first, "updated_at");
        put(read, "second").has_status(200);
        let second = seen();
        assert!(text(&second, "updated_at") > read, "{path}: each change has a later time");
        let refused = put(read, "lost");
        let message = json!({ "message": "412 Precondition Failed" });
        assert_eq!((refused.status, refused.json), (412, message), "{path}");
        assert_eq!(seen(), second, "{path}: nothing was written");
        // who may not change it is not told whether it has changed
        let outsider = ask(&world, "PUT", &path).by(&world.eve).header("If-Unmodified-Since", read);
        outsider.json(json!({ field: "x" })).gives(404);
        put(text(&second, "updated_at"), "third").has_status(200);
        put("soon", "no time at all").has_status(200);
    }
    let closed = ask(&world, "PUT", &format!("/milestones/{milestone}")).by(&world.ann);
    closed.header("If-Unmodified-Since", "2015-01-01").json(json!({ "state_event": "close" })).gives(412);
    let v3 = world.put(&format!("/milestones/{milestone}")).by(&world.ann);
    v3.header("If-Unmodified-Since", "2015-01-01").form(&[("title", "v3 passes over it")]).gives(200);
}

#[test]
fn settings_that_were_changed_since_a_time_are_not_changed() {
    let world = World::new(spec(), Visibility::Private);
    let settings = |method| world.server.ask_v4(method, "/application/settings").by(&world.root);
    let put = |since: &str, words: &str| {
        settings("PUT").header("If-Unmodified-Since", since).json(json!({ "sign_in_text": words })).send()
    };
    let first = settings("GET").gives(200).json;
    let second = put(text(&first, "updated_at"), "second");
    assert_eq!(second.status, 200);
    let refused = put(text(&first, "updated_at"), "lost");
    assert_eq!((refused.status, refused.json), (412, json!({ "message": "412 Precondition Failed" })));
    assert_eq!(settings("GET").gives(200).json, second.json, "nothing was written");
    put(text(&second.json, "updated_at"), "third").has_status(200);
}

#[test]
fn a_label_that_is_not_as_its_tag_says_is_not_changed() {
    let world = World::new(spec(), Visibility::Private);
    let make = ask(&world, "POST", "/labels").by(&world.ann);
    let id = make.json(json!({ "name": "bug", "color": "#ff0000" })).gives(201).id();
    let path = format!("/labels/{id}");
    let seen = || ask(&world, "GET", &path).by(&world.ann).gives(200);
    let put =
        |tag: &str, fields: Value| ask(&world, "PUT", &path).by(&world.ann).header("If-Match", tag).json(fields).send();
    let first = seen();
    let tag = first.header("ETag").unwrap();
    put(tag, json!({ "description": "second" })).has_status(200);
    let second = seen();
    for fields in [json!({ "description": "lost" }), json!({ "new_name": "lost" }), json!({ "color": "#00ff00" })] {
        let refused = put(tag, fields);
        assert_eq!((refused.status, refused.json), (412, json!({ "message": "412 Precondition Failed" })));
    }
    assert_eq!(seen().json, second.json, "nothing was written");
    let outsider = ask(&world, "PUT", &path).by(&world.eve).header("If-Match", tag);
    outsider.json(json!({ "color": "#00ff00" })).gives(404);
    // a proxy that compresses an answer makes its tag weak
    let weak = format!("W/{}", second.header("ETag").unwrap());
    put(&weak, json!({ "description": "third" })).has_status(200);
    put("*", json!({ "description": "any label" })).has_status(200);
}

#[test]
fn of_writers_of_a_label_at_the_same_time_none_undoes_what_another_wrote() {
    let world = World::new(Server::with(|_| {}), Visibility::Private);
    let make = ask(&world, "POST", "/labels").by(&world.ann);
    let path = format!("/labels/{}", make.json(json!({ "name": "bug", "color": "#ff0000" })).gives(201).id());
    let (world, path) = (&world, path.as_str());
    let writer = |name: usize| {
        let write = |round: usize| {
            let seen = ask(world, "GET", path).by(&world.ann).gives(200);
            let whole = format!("{}<{name}.{round}>", seen.json["description"].as_str().unwrap_or_default());
            let put = ask(world, "PUT", path).by(&world.ann).header("If-Match", seen.header("ETag").unwrap());
            let answer = put.json(json!({ "description": whole })).send();
            assert!([200, 412].contains(&answer.status), "{}", answer.text);
            answer.status == 200
        };
        (0..8).filter(|round| write(*round)).count()
    };
    let taken: usize = thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|name| scope.spawn(move || writer(name))).collect();
        all.into_iter().map(|one| one.join().unwrap()).sum()
    });
    let last = ask(world, "GET", path).by(&world.ann).gives(200).json;
    assert_eq!(text(&last, "description").matches('<').count(), taken, "each text that was taken is there");
}
