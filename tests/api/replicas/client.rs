//! One client of a history: its requests, and the answers that they must get.

use super::histories::{Scene, count};
use super::network::{Network, STATE};
use super::site::{Told, Who};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

const MINUTE: i64 = 60_000;

/// A client that reads and writes, and its newest bookmark.
pub struct Client<'a> {
    pub scene: &'a Scene,
    token: String,
    token_id: i64,
    pub address: &'static str,
    bookmarks: RefCell<Vec<String>>,
    /// The position of its last write of each issue.
    wrote: RefCell<BTreeMap<&'static str, usize>>,
    /// The isolate and the time of that write.
    last: Cell<Option<(usize, i64)>>,
}

impl<'a> Client<'a> {
    pub fn new(scene: &'a Scene, address: &'static str, token_id: i64, token: String) -> Client<'a> {
        let (bookmarks, wrote, last) = (RefCell::default(), RefCell::default(), Cell::default());
        Client { scene, token, token_id, address, bookmarks, wrote, last }
    }

    fn at(&self, issue: &str) -> String {
        format!("/projects/{}/issues/{issue}", self.scene.project)
    }

    fn who(&self, isolate: usize) -> Who<'_> {
        Who { token: Some(&self.token), address: self.address, bookmark: None, isolate }
    }

    fn fault(&self, text: String) {
        self.scene.seen.faults.borrow_mut().push(text);
    }

    /// Whether an answer to a request with the token is allowed. The token may have ended before the request began.
    fn is_let_in(&self, had_ended: bool, told: &Told) -> bool {
        let ending = self.scene.ending.borrow().contains(&self.token);
        match told.status {
            401 if had_ended || ending => count(&self.scene.seen.refused),
            401 => self.fault(format!("a valid token was refused: {told:?}")),
            _ if had_ended => self.fault(format!("a revoked token was accepted: {told:?}")),
            _ => {}
        }
        told.status != 401
    }

    fn learn(&self, told: &Told) {
        match &told.bookmark {
            Some(bookmark) => self.bookmarks.borrow_mut().push(bookmark.clone()),
            None => self.fault(format!("a write without a bookmark: {told:?}")),
        }
    }

    async fn write(&self, issue: &'static str) {
        let isolate = self.scene.site.network.roll(3);
        let (had_ended, began) = (self.has_ended(), self.scene.site.network.now());
        let (path, method, state) = match issue {
            "new" => {
                let name = format!("n{}", self.scene.number());
                (format!("/projects/{}/issues", self.scene.project), "POST", name)
            }
            _ => (self.at(issue), "PUT", format!("{STATE}{issue} {}", self.scene.number())),
        };
        let body = match issue {
            "new" => json!({ "title": state }),
            _ => json!({ "description": state }),
        };
        let told = self.scene.site.ask(self.who(isolate), method, &path, body).await;
        count(&self.scene.seen.writes);
        if !self.is_let_in(had_ended, &told) {
            return;
        }
        self.learn(&told);
        self.last.set(Some((isolate, began)));
        match issue {
            "new" => self.scene.made.borrow_mut().push(told.json["iid"].to_string()),
            _ => drop(self.wrote.borrow_mut().insert(issue, self.scene.site.network.place(&state).unwrap())),
        }
    }

    pub fn has_ended(&self) -> bool {
        self.scene.ended.borrow().contains(&self.token)
    }

    /// Reads an issue in a random way.
    async fn read(&self, issue: &'static str) {
        let network = &self.scene.site.network;
        let newest = self.bookmarks.borrow().iter().max().cloned();
        let oldest = self.bookmarks.borrow().first().cloned();
        let forged = Network::bookmark(1_000_000);
        let (mut who, way) = (self.who(network.roll(3)), network.roll(7));
        who.bookmark = match way {
            0 | 1 => newest.as_deref(),
            2 => oldest.as_deref(),
            3 => Some(&forged),
            _ => None,
        };
        let with_token = [0, 2, 4].contains(&way);
        if !with_token {
            who.token = None;
        }
        if let (6, Some((isolate, _))) = (way, self.last.get()) {
            who.isolate = isolate;
        }
        // what the answer must contain at least, when the request begins
        let lately = |(isolate, began)| who.isolate == isolate && network.now() - began < MINUTE;
        let own = match way {
            2 | 5 | 6 if !self.last.get().is_some_and(lately) => None,
            // an old bookmark still guarantees its own state
            2 => None,
            _ => self.wrote.borrow().get(issue).copied(),
        };
        let own_any = self.wrote.borrow().get(issue).copied();
        let marked = who.bookmark.filter(|_| way < 3).and_then(Network::read_bookmark);
        let marked = marked.and_then(|mark| network.newest(issue, mark));
        // a forged bookmark guarantees no more than the token
        let own = if way == 3 { None } else { own };
        let had_ended = self.has_ended();
        let told = self.scene.site.ask(who, "GET", &self.at(issue), Value::Null).await;
        count(&self.scene.seen.reads);
        if with_token && !self.is_let_in(had_ended, &told) {
            return;
        }
        let state = told.json["description"].as_str().and_then(|state| network.place(state));
        match state {
            None => self.fault(format!("{issue} could not be read: {told:?}")),
            Some(place) if place < own.max(marked).unwrap_or_default() => {
                self.fault(format!("way {way}: {place} is older than {own:?} and {marked:?}"));
            }
            Some(place) if place < own_any.unwrap_or_default() => count(&self.scene.seen.older),
            Some(_) => {}
        }
    }

    /// Reads an issue of another client.
    async fn visit(&self) {
        let network = &self.scene.site.network;
        let Some(issue) = self.scene.made.borrow().last().cloned() else { return };
        let who = Who { token: None, ..self.who(network.roll(3)) };
        let told = self.scene.site.ask(who, "GET", &self.at(&issue), Value::Null).await;
        count(&self.scene.seen.reads);
        if told.status != 200 {
            self.fault(format!("{issue} exists and was not found: {told:?}"));
        }
    }

    /// Root revokes the token.
    pub async fn end(&self) {
        self.scene.ending.borrow_mut().insert(self.token.clone());
        let path = format!("/personal_access_tokens/{}", self.token_id);
        let isolate = self.scene.site.network.roll(3);
        let told = self.scene.site.ask(Who { isolate, ..Who::root() }, "DELETE", &path, Value::Null).await;
        assert_eq!(told.status, 204);
        self.scene.ended.borrow_mut().insert(self.token.clone());
    }

    pub async fn live(&self, steps: usize) {
        for _ in 0..steps {
            let network = &self.scene.site.network;
            let issue = ["1", "2"][network.roll(2)];
            match network.roll(8) {
                0 | 1 => self.write(issue).await,
                2 if network.roll(2) == 0 => self.write("new").await,
                2 => self.visit().await,
                _ => self.read(issue).await,
            }
            network.wait(network.roll(3_000) as i64);
        }
    }
}
