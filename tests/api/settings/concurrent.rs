//! Two administrators change the settings at once.

use super::{get, put};
use crate::support::{Sqlite, apart};
use edgeforge::http::Request;
use edgeforge::store::{AnswerFuture, Backend, BatchResult, Reading, Statement, StoreFuture, VerdictFuture};
use edgeforge::{Arrival, Config, Moment, Service, token_hash};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn two_who_change_different_fields_at_once_both_win() {
    let apart = apart();
    let server = apart.server;
    let rounds = 40;
    std::thread::scope(|scope| {
        for name in ["session_expire_delay", "max_attachment_size", "default_projects_limit"] {
            scope.spawn(move || {
                for round in 1..=rounds {
                    let answer = put(server).json(json!({ name: round })).gives(200).json;
                    assert_eq!(answer[name], round, "the answer to a change has it");
                    assert_eq!(get(server).json[name], round, "nobody else changes it");
                }
            });
        }
    });
}

#[test]
fn an_enabled_blacklist_holds_a_domain_whoever_comes_between() {
    let apart = apart();
    let server = apart.server;
    let change = |change: Value| {
        let answer = put(server).json(change).send();
        let empty = json!({ "message": { "domain_blacklist":
            ["Domain blacklist cannot be empty if Blacklist is enabled."] } });
        assert!(answer.status == 200 || answer.json == empty, "{}", answer.text);
        let record = get(server).json;
        assert!(record["domain_blacklist_enabled"] == false || record["domain_blacklist"] != json!([]), "{record}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..40 {
                change(json!({ "domain_blacklist_enabled": round % 2 == 0 }));
            }
        });
        scope.spawn(|| {
            for round in 0..40 {
                change(json!({ "domain_blacklist": if round % 2 == 0 { json!(["evil.com"]) } else { json!([]) } }));
            }
        });
    });
}

/// A database that another caller changes between the first and the second round trip of a request.
struct Between {
    database: Sqlite,
    trips: AtomicU32,
    what: &'static str,
}

impl Backend for Between {
    fn batch(&self, statements: Vec<Statement>, reading: Reading) -> StoreFuture<'_, BatchResult> {
        Box::pin(async move {
            if self.trips.fetch_add(1, Ordering::Relaxed) == 1 {
                self.database.batch(vec![crate::statement!(self.what)], Reading::Primary).await?;
            }
            self.database.batch(statements, reading).await
        })
    }

    fn pause(&self, millis: u64) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        self.database.pause(millis)
    }

    fn read_blob<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<std::rc::Rc<str>>> {
        self.database.read_blob(key)
    }

    fn fetch<'a>(&'a self, _: &'a str, _: usize, _: bool) -> AnswerFuture<'a> {
        Box::pin(std::future::ready(Err("nothing leaves this machine".to_owned())))
    }

    fn has_signed<'a>(&'a self, _: &'a str, _: &'a str, _: &'a [u8]) -> VerdictFuture<'a> {
        Box::pin(std::future::ready(false))
    }
}

#[test]
fn what_comes_between_the_look_and_the_change_is_judged_too() {
    for (what, sent, status) in [
        ("update settings set domain_blacklist = '[]'", "domain_blacklist_enabled=1", 400),
        ("update settings set domain_blacklist_enabled = 1", "domain_blacklist[]=", 400),
        ("update settings set domain_blacklist = '[]'", "sign_in_text=Hello", 200),
        ("update settings set max_attachment_size = 7", "sign_in_text=Hello", 200),
    ] {
        let database = Sqlite::new(BTreeMap::new());
        let first = "update settings set domain_blacklist = '[\"evil.com\"]'";
        pollster::block_on(database.batch(vec![crate::statement!(first)], Reading::Primary)).unwrap();
        let config = Config { admin_token_hash: Some(token_hash("secret")), ..Config::default() };
        let service = Service { backend: Between { database, trips: AtomicU32::new(0), what }, config };
        let request = Request {
            method: "PUT".to_owned(),
            path: "/api/v3/application/settings".to_owned(),
            query: sent.to_owned(),
            headers: vec![("private-token".to_owned(), "secret".to_owned())],
            ..Request::default()
        };
        let (reply, record) =
            pollster::block_on(service.respond(&Arrival::of(request), Moment { now: 0, random: [0; 32] }));
        assert_eq!(reply.status, status, "{what}, then {sent}: {} {:?}", reply.body, record.cause);
        assert_eq!(reply.body.contains("Domain blacklist cannot be empty if Blacklist is enabled."), status == 400);
        assert!(status == 400 || !what.contains('7') || reply.body.contains("\"max_attachment_size\":7"));
        assert_eq!(record.cost.trips, 2);
    }
}
