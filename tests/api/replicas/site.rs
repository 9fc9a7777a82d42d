//! A server of several isolates in front of a network of databases, and its callers.

use super::network::{Isolate, Mutant, Network};
use edgeforge::http::{Body, Request};
use edgeforge::{Arrival, Config, Moment, Replicas, Service, token_hash};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

pub const ROOT: &str = "root's secret";
/// The address of root.
pub const OFFICE: &str = "192.0.2.1";

pub struct Site {
    pub network: Rc<Network>,
    isolates: Vec<Service<Isolate>>,
    asked: Cell<u64>,
}

/// A caller: token, address, isolate and bookmark.
#[derive(Debug, Clone, Copy)]
pub struct Who<'a> {
    pub token: Option<&'a str>,
    pub address: &'a str,
    pub bookmark: Option<&'a str>,
    pub isolate: usize,
}

impl<'a> Who<'a> {
    pub const NOBODY: Who<'static> = Who { token: None, address: "198.51.100.9", bookmark: None, isolate: 0 };

    pub fn with_token(token: &'a str) -> Who<'a> {
        Who { token: Some(token), address: "203.0.113.7", ..Who::NOBODY }
    }

    pub fn root() -> Who<'static> {
        Who { token: Some(ROOT), address: OFFICE, ..Who::NOBODY }
    }

    pub fn knowing(self, bookmark: &'a str) -> Who<'a> {
        Who { bookmark: Some(bookmark), ..self }
    }
}

#[derive(Debug)]
pub struct Told {
    pub status: u16,
    pub json: Value,
    pub bookmark: Option<String>,
    pub trips: u32,
}

impl Told {
    pub fn id(&self) -> i64 {
        self.json["id"].as_i64().unwrap_or_else(|| panic!("no id: {self:?}"))
    }
}

impl Site {
    pub fn new(seed: u64, replicas: Replicas, mutant: Option<Mutant>) -> Site {
        let network = Network::new(seed, 2);
        let config = || Config { admin_token_hash: Some(token_hash(ROOT)), replicas, ..Config::default() };
        let isolate = |_| Service { backend: Isolate::new(&network, mutant), config: config() };
        let isolates = (0..3).map(isolate).collect();
        Site { network, isolates, asked: Cell::default() }
    }

    pub async fn ask(&self, who: Who<'_>, method: &str, path: &str, body: Value) -> Told {
        let mut headers = vec![("cf-connecting-ip".to_owned(), who.address.to_owned())];
        headers.extend(who.token.map(|token| ("private-token".to_owned(), token.to_owned())));
        headers.extend(who.bookmark.map(|mark| ("x-d1-bookmark".to_owned(), mark.to_owned())));
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request {
            method: method.to_owned(),
            path: format!("/api/v4{path}"),
            query: query.to_owned(),
            headers,
            body: Body::Bytes(body),
            ..Request::default()
        };
        self.asked.set(self.asked.get() + 1);
        let mut random = [0; 32];
        random.iter_mut().step_by(8).for_each(|byte| *byte = self.network.roll(256) as u8);
        random[1..9].copy_from_slice(&self.asked.get().to_le_bytes());
        self.network.away.borrow_mut().remove(&self.network.client.get());
        let moment = Moment { now: self.network.now(), random };
        let (reply, record) = self.isolates[who.isolate].respond(&Arrival::of(request), moment).await;
        let what = format!("{method} {path}: {} {:?}", reply.body, record.cause);
        assert!(reply.status < 500, "{what}");
        let bookmark = reply.header("X-D1-Bookmark").map(str::to_owned);
        let json = serde_json::from_str(&reply.body).unwrap_or_default();
        Told { status: reply.status, json, bookmark, trips: record.cost.trips }
    }

    pub fn asks(&self, who: Who<'_>, method: &str, path: &str, body: Value) -> Told {
        pollster::block_on(self.ask(who, method, path, body))
    }

    pub fn gets(&self, who: Who<'_>, path: &str) -> Told {
        self.asks(who, "GET", path, Value::Null)
    }

    /// A request by root that must succeed. Returns the answer.
    pub fn made(&self, path: &str, body: Value) -> Told {
        let told = self.asks(Who::root(), "POST", path, body);
        assert!(told.status < 300, "{path}: {told:?}");
        told
    }

    /// Creates a user. Returns id and token.
    pub fn person(&self, name: &str) -> (i64, String) {
        let email = format!("{name}@example.com");
        let password = "correct horse battery";
        let user = json!({ "username": name, "name": name, "email": email, "password": password });
        let id = self.made("/users", user).id();
        (id, self.token(id).1)
    }

    /// Creates a token. Returns its id and the token.
    pub fn token(&self, user_id: i64) -> (i64, String) {
        let fields = json!({ "name": "t", "scopes": ["api"] });
        let made = self.made(&format!("/users/{user_id}/personal_access_tokens"), fields);
        (made.id(), made.json["token"].as_str().unwrap().to_owned())
    }

    /// Creates a project of root's with these developers.
    pub fn project(&self, name: &str, visibility: &str, members: &[i64]) -> i64 {
        let id = self.made("/projects", json!({ "name": name, "visibility": visibility })).id();
        for user_id in members {
            self.made(&format!("/projects/{id}/members"), json!({ "user_id": user_id, "access_level": 30 }));
        }
        id
    }

    /// Advances the time until every replica has all writes.
    pub fn settle(&self) {
        self.network.lag(0);
        self.network.catch_up();
    }

    /// The number of batches that replicas answered meanwhile.
    pub fn away<T>(&self, what: impl FnOnce() -> T) -> (T, u32) {
        let before = self.network.answered_away.get();
        let outcome = what();
        (outcome, self.network.answered_away.get() - before)
    }
}
