//! Faults of D1: it is unreachable, it rolls a batch back, or it commits the batch and the answer is lost. They cannot
//! be caused over HTTP, so these tests use servers in this process.

use super::counters::disagreements;
use crate::support::templates;
use crate::support::{Ask, Fault, Server, Sqlite, Visibility, World, random_number, unique};
use edgeforge::http::{Body, Request};
use edgeforge::{Arrival, BASE_PATH, Config, Moment, Service, token_hash};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const LOST: &str = "D1_ERROR: Network connection lost.";
const RESET: &str = "D1_ERROR: D1 DB reset because its code was updated.";
const OVERLOADED: &str = "D1_ERROR: D1 DB is overloaded. Too many requests queued.";

/// A project on a server of the test's own.
fn world() -> World {
    World::new(Server::own(templates::blobs()), Visibility::Private)
}

/// Sends it while batches fail in this order, then none. Returns status, round trips and Retry-After.
fn during(faults: &[Option<Fault>], ask: Ask, world: &World) -> (u16, u32, Option<u32>) {
    let mut faults: VecDeque<_> = faults.iter().copied().collect();
    world.server.database().break_down(move || faults.pop_front().flatten());
    let answer = ask.send();
    world.server.database().mend();
    let after = answer.header("Retry-After").map(|text| text.parse().unwrap());
    if answer.status == 503 {
        assert_eq!(answer.json, json!({ "message": "503 Service Unavailable" }), "{}", answer.what);
    }
    (answer.status, answer.trips, after)
}

#[test]
fn a_read_is_tried_once_more_when_the_database_went_away() {
    let world = world();
    for fault in [Fault::Before(LOST), Fault::During(LOST), Fault::After(LOST)] {
        let ask = || world.get("/issues").by(&world.rae);
        assert_eq!(during(&[Some(fault)], ask(), &world), (200, 2, None));
        assert_eq!(during(&[Some(fault), Some(fault)], ask(), &world), (503, 2, Some(1)));
    }
}

#[test]
fn a_database_that_is_overloaded_is_left_alone() {
    let world = world();
    let ask = world.get("/issues").by(&world.rae);
    assert_eq!(during(&[Some(Fault::Before(OVERLOADED))], ask, &world), (503, 1, Some(5)));
    let ask = world.put("").by(&world.ann).json(json!({ "description": "x" }));
    assert_eq!(during(&[None, Some(Fault::Before(OVERLOADED))], ask, &world), (503, 2, Some(5)));
}

#[test]
fn a_change_is_tried_once_more_and_a_new_record_is_not() {
    let world = world();
    let lost = Some(Fault::After(LOST));
    let ask = world.put("").by(&world.ann).json(json!({ "description": "changed" }));
    assert_eq!(during(&[None, lost], ask, &world), (200, 3, None));
    let label = json!({ "name": "bug", "color": "#ff0000" });
    let ask = world.post("/labels").by(&world.rae).json(label);
    assert_eq!(during(&[None, lost], ask, &world), (503, 2, Some(1)));
    assert_eq!(world.get("/labels").by(&world.rae).gives(200).each("name"), ["bug"]);
    // a refusal survives one fault, too
    let ask = world.put("").by(&world.gus).json(json!({ "description": "x" }));
    assert_eq!(during(&[lost], ask, &world), (403, 2, None));
}

#[test]
fn a_stranger_learns_of_a_failure_no_more_than_anybody() {
    let world = world();
    let lost = Some(Fault::Before(LOST));
    assert_eq!(during(&[lost, lost], world.get("/issues"), &world), (401, 0, None));
    let ask = world.get("/issues").header("PRIVATE-TOKEN", "no good");
    assert_eq!(during(&[lost, lost], ask, &world), (503, 2, Some(1)));
}

/// A request, and its outcome.
#[derive(Debug)]
struct Deed {
    /// A text that only this request contains.
    mark: String,
    /// `select count(*)` of records with the mark.
    count: &'static str,
    with_key: bool,
    done: bool,
}

const ISSUES: &str = "select count(*) from issues where title = '{}'";
const NOTES: &str = "select count(*) from notes where body = '{}'";
const COMMENTS: &str = "select count(*) from commit_comments where note = '{}'";
const STATUSES: &str = "select count(*) from statuses where name = '{}'";
const TOKENS: &str = "select count(*) from tokens where name = '{}'";
const DEPLOYMENTS: &str =
    "select count(*) from deployments d join environments e on e.id = d.environment_id where e.name = '{}'";

/// One client of the world below. It repeats a request without an answer if that has a key.
struct Client<'a> {
    world: &'a World,
    tip: String,
    issue: String,
    deeds: Vec<Deed>,
    unanswered: u32,
}

impl Client<'_> {
    fn deed(&mut self, number: usize) {
        let mark = unique("deed");
        let ann = &self.world.ann;
        let at = |rest: &str| self.world.at(rest);
        let (path, count, bodies) = match number % 8 {
            0 => (at("/issues"), ISSUES, vec![json!({ "title": mark, "labels": "a,b", "description": "for @root" })]),
            1 => (format!("{}/notes", self.issue), NOTES, vec![json!({ "body": mark })]),
            2 => (at(&format!("/repository/commits/{}/comments", self.tip)), COMMENTS, vec![json!({ "note": mark })]),
            3 => (at(&format!("/statuses/{}", self.tip)), STATUSES, vec![json!({ "name": mark, "state": "failed" })]),
            4 => {
                let states = ["pending", "running", "success"];
                let bodies = states.map(|state| json!({ "name": mark, "state": state }));
                (at(&format!("/statuses/{}", self.tip)), STATUSES, bodies.to_vec())
            }
            5 => (format!("/users/{}/personal_access_tokens", ann.id), TOKENS, vec![json!({ "name": mark })]),
            6 => (at("/hook_tokens"), TOKENS, vec![json!({ "name": mark })]),
            _ => {
                let body = json!({ "environment": mark, "sha": self.tip, "status": "success" });
                (at("/deployments"), DEPLOYMENTS, vec![body])
            }
        };
        // three posts of a job are only sure to be one run if each has a key
        let with_key = bodies.len() > 1 || !number.is_multiple_of(5);
        let done = bodies.iter().all(|body| self.send(&path, body, with_key));
        self.deeds.push(Deed { mark, count, with_key, done });
    }

    /// Whether it got an answer in the end.
    fn send(&mut self, path: &str, body: &Value, with_key: bool) -> bool {
        let key = unique("key");
        loop {
            let ask = self.world.server.post(path).by(&self.world.ann).json(body.clone());
            let answer = if with_key { ask.header("Idempotency-Key", &key) } else { ask }.send();
            match answer.status {
                200 | 201 => return true,
                503 => self.unanswered += 1,
                status => panic!("{}: {status} {}", answer.what, answer.text),
            }
            if !with_key {
                return false;
            }
        }
    }

    /// A read and a change, which need no key.
    fn look_and_change(&self, number: usize) {
        let read = self.world.get("/issues?per_page=3").by(&self.world.rae).send();
        assert!([200, 503].contains(&read.status), "{}", read.text);
        let title = json!({ "description": format!("change {number}") });
        let change = self.world.put("").by(&self.world.ann).json(title).send();
        assert!([200, 503].contains(&change.status), "{}", change.text);
    }
}

#[test]
fn of_two_thousand_operations_while_a_fifth_of_all_batches_fail_nothing_is_lost_or_doubled() {
    let world = world();
    let tip = world.push_line(3);
    let issue = world.issue_path(&world.issue(&world.ann, json!({ "title": "t" })));
    let failed = Arc::new(AtomicU32::new(0));
    let counted = failed.clone();
    world.server.database().break_down(move || {
        let dice = random_number();
        let text = [LOST, RESET, OVERLOADED][(dice >> 8) as usize % 3];
        let fault = [Fault::Before(text), Fault::During(text), Fault::After(text)][(dice >> 16) as usize % 3];
        dice.is_multiple_of(5).then(|| {
            counted.fetch_add(1, Ordering::Relaxed);
            fault
        })
    });
    let work = |first: usize| {
        let (world, tip, issue) = (&world, tip.clone(), issue.clone());
        let mut client = Client { world, tip, issue, deeds: Vec::new(), unanswered: 0 };
        for number in (first..1600).step_by(4) {
            client.deed(number / 4);
            if number % 8 == first {
                client.look_and_change(number);
            }
        }
        client
    };
    let clients: Vec<Client<'_>> = std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..4).map(|first| scope.spawn(move || work(first))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    world.server.database().mend();
    let unanswered: u32 = clients.iter().map(|client| client.unanswered).sum();
    let deeds: Vec<&Deed> = clients.iter().flat_map(|client| &client.deeds).collect();
    assert_eq!(deeds.len(), 1600);
    println!("{} failures, {unanswered} answers of 503", failed.load(Ordering::Relaxed));
    assert!(failed.load(Ordering::Relaxed) > 500 && unanswered > 200);
    for deed in deeds {
        let sql = format!("select json_quote(({})) as v", deed.count.replace("{}", &deed.mark));
        let made = world.server.rows(&sql)[0].as_i64().unwrap();
        match (deed.with_key, deed.done) {
            (true, _) | (_, true) => assert_eq!(made, 1, "{deed:?}"),
            (false, false) => assert!(made <= 1, "{deed:?}"),
        }
    }
    assert_eq!(disagreements(world.server), Vec::<Value>::new());
}

#[test]
fn an_edit_is_refused_if_its_author_was_demoted_between_its_round_trips() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let (server, rae) = (world.server, world.rae.id);
    let mut trips = 0;
    server.database().break_down(move || {
        trips += 1;
        if trips == 2 {
            server.tamper(&format!("update project_members set access = 10 where user_id = {rae}"));
        }
        None
    });
    let edit = |name| world.put(&format!("/issues/{}", issue["id"])).by(&world.rae).json(json!({ "labels": name }));
    let answer = edit("bug").send();
    server.database().mend();
    assert_eq!(answer.status, 404, "{}", answer.text);
    edit("bug").refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn a_failure_that_is_not_known_is_a_500_that_says_nothing_of_it() {
    let config = Config { admin_token_hash: Some(token_hash("root")), ..Config::default() };
    let service = Service { backend: Sqlite::new(templates::blobs()), config };
    service.backend.break_down(|| Some(Fault::Before("D1_ERROR: the secret is out")));
    let request = Request {
        method: "GET".to_owned(),
        origin: "http://edgeforge.test".to_owned(),
        path: format!("{BASE_PATH}/user"),
        query: String::new(),
        headers: vec![("private-token".to_owned(), "root".to_owned())],
        body: Body::Bytes(Vec::new()),
    };
    let moment = Moment { now: 1_795_000_000_000, random: [7; 32] };
    let (reply, record) = pollster::block_on(service.respond(&Arrival::of(request), moment));
    assert_eq!(reply.status, 500);
    let id = reply.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("x-request-id")).unwrap();
    assert_eq!((&id.1, record.status), (&record.request_id, 500));
    assert!(record.cause.is_some_and(|cause| cause.contains("the secret")));
    assert_eq!(reply.body, r#"{"message":"500 Internal Server Error"}"#);
    assert!(!reply.headers.iter().any(|(_, value)| value.contains("secret")), "{:?}", reply.headers);
}

#[test]
fn a_user_who_was_deleted_between_the_round_trips_of_an_edit_stays_deleted() {
    let world = world();
    let server = world.server;
    for edit in [
        ("PUT", "", json!({ "name": "Back", "username": crate::support::unique("back") })),
        ("POST", "/block", json!({})),
        ("POST", "/unblock", json!({})),
    ] {
        let person = server.person("Gone");
        let (method, rest, fields) = edit;
        let (mut trips, id, root) = (0, person.id, server.root());
        server.database().break_down(move || {
            trips += 1;
            if trips == 2 {
                server.tamper(&format!(
                    "update users set username = 'ghost-{id}.', name = 'Ghost User', state = 'blocked', deleted_at = 1 where id = {id};
                    update namespaces set path = 'ghost-{id}.', path_key = 'ghost-{id}.' where id = {id}"
                ));
            }
            None
        });
        server.ask_v4(method, format!("/users/{id}{rest}")).by(&root).json(fields).send();
        server.database().mend();
        let kept = server.rows(&format!(
            "select json_array(u.name, u.username, u.state, n.path) as v from users u join namespaces n on n.id = u.id where u.id = {id}"
        ));
        assert_eq!(
            kept[0],
            json!(["Ghost User", format!("ghost-{id}."), "blocked", format!("ghost-{id}.")]),
            "{method} {rest}"
        );
    }
}
