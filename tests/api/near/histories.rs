//! Ten thousand interleavings of requests from several clients, through several isolates, while replicas lag by seconds. No
//! read is older than what its reader wrote or brings a bookmark of, nothing that is there is refused, and no token that ended
//! is let in.

use super::replicas::{Mutant, Network, STATE};
use super::site::{Site, Told, Who};
use edgeforge::Replicas;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Interleavings of one run, of which there are as many as seeds.
const INTERLEAVINGS: u64 = 2_500;
const SEEDS: u64 = 4;
const ADDRESSES: [&str; 3] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];
const MINUTE: i64 = 60_000;

/// What was seen in a run.
#[derive(Debug, Default)]
struct Seen {
    writes: Cell<u32>,
    reads: Cell<u32>,
    /// Refused, because the token had ended.
    refused: Cell<u32>,
    /// Older than the reader's own write where nobody promises better: without token and bookmark, elsewhere.
    older: Cell<u32>,
    faults: RefCell<Vec<String>>,
}

fn count(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// The server with a public project, and what all clients know of each other.
struct Scene {
    site: Site,
    project: i64,
    user_id: i64,
    seen: Seen,
    /// Issues that were made, told around by their makers.
    made: RefCell<Vec<String>>,
    /// Tokens of which somebody was told that they have ended, and those that somebody was about to end.
    ended: RefCell<BTreeSet<String>>,
    ending: RefCell<BTreeSet<String>>,
    numbers: Cell<u32>,
}

/// One who writes and reads, with the newest bookmark they got.
struct Client<'a> {
    scene: &'a Scene,
    token: String,
    token_id: i64,
    address: &'static str,
    bookmarks: RefCell<Vec<String>>,
    /// Where their last write of each issue stands.
    wrote: RefCell<BTreeMap<&'static str, usize>>,
    /// In which isolate, and when.
    last: Cell<Option<(usize, i64)>>,
}

impl Client<'_> {
    fn at(&self, issue: &str) -> String {
        format!("/projects/{}/issues/{issue}", self.scene.project)
    }

    fn who(&self, isolate: usize) -> Who<'_> {
        Who { token: Some(&self.token), address: self.address, bookmark: None, isolate }
    }

    fn fault(&self, text: String) {
        self.scene.seen.faults.borrow_mut().push(text);
    }

    /// Whether an answer to a request with the token, begun when it had ended or had not, is as it must be.
    fn is_let_in(&self, had_ended: bool, told: &Told) -> bool {
        let ending = self.scene.ending.borrow().contains(&self.token);
        match told.status {
            401 if had_ended || ending => count(&self.scene.seen.refused),
            401 => self.fault(format!("a good token was refused: {told:?}")),
            _ if had_ended => self.fault(format!("a token that had ended was let in: {told:?}")),
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

    fn has_ended(&self) -> bool {
        self.scene.ended.borrow().contains(&self.token)
    }

    /// Reads an issue in one of all ways.
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
        // what holds when the request begins
        let lately = |(isolate, began)| who.isolate == isolate && network.now() - began < MINUTE;
        let own = match way {
            2 | 5 | 6 if !self.last.get().is_some_and(lately) => None,
            // an old bookmark promises what it is of
            2 => None,
            _ => self.wrote.borrow().get(issue).copied(),
        };
        let own_any = self.wrote.borrow().get(issue).copied();
        let marked = who.bookmark.filter(|_| way < 3).and_then(Network::read_bookmark);
        let marked = marked.and_then(|mark| network.newest(issue, mark));
        // a forged bookmark promises nothing but what the token does
        let own = if way == 3 { None } else { own };
        let had_ended = self.has_ended();
        let told = self.scene.site.ask(who, "GET", &self.at(issue), Value::Null).await;
        count(&self.scene.seen.reads);
        if with_token && !self.is_let_in(had_ended, &told) {
            return;
        }
        let state = told.json["description"].as_str().and_then(|state| network.place(state));
        match state {
            None => self.fault(format!("{issue} was not read: {told:?}")),
            Some(place) if place < own.max(marked).unwrap_or_default() => {
                self.fault(format!("way {way}: {place} is older than {own:?} and {marked:?}"));
            }
            Some(place) if place < own_any.unwrap_or_default() => count(&self.scene.seen.older),
            Some(_) => {}
        }
    }

    /// Reads what somebody told of.
    async fn visit(&self) {
        let network = &self.scene.site.network;
        let Some(issue) = self.scene.made.borrow().last().cloned() else { return };
        let who = Who { token: None, ..self.who(network.roll(3)) };
        let told = self.scene.site.ask(who, "GET", &self.at(&issue), Value::Null).await;
        count(&self.scene.seen.reads);
        if told.status != 200 {
            self.fault(format!("{issue} is there, and was not found: {told:?}"));
        }
    }

    /// Root ends the token.
    async fn end(&self) {
        self.scene.ending.borrow_mut().insert(self.token.clone());
        let path = format!("/personal_access_tokens/{}", self.token_id);
        let isolate = self.scene.site.network.roll(3);
        let told = self.scene.site.ask(Who { isolate, ..Who::root() }, "DELETE", &path, Value::Null).await;
        assert_eq!(told.status, 204);
        self.scene.ended.borrow_mut().insert(self.token.clone());
    }

    async fn live(&self, steps: usize) {
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

impl Scene {
    fn new(seed: u64, mutant: Option<Mutant>) -> Scene {
        let site = Site::new(seed, Replicas::Nearest, mutant);
        let (user_id, _) = site.person("ann");
        let project = site.project("p", "public", &[user_id]);
        for issue in ["1", "2"] {
            let description = format!("{STATE}{issue} 0");
            let fields = json!({ "title": issue, "description": description });
            site.made(&format!("/projects/{project}/issues"), fields);
        }
        site.settle();
        let (seen, numbers) = (Seen::default(), Cell::new(1));
        let (made, ended, ending) = (RefCell::default(), RefCell::default(), RefCell::default());
        Scene { site, project, user_id, seen, made, ended, ending, numbers }
    }

    fn number(&self) -> u32 {
        count(&self.numbers);
        self.numbers.get()
    }

    /// A client with a token of their own.
    fn client(&self, address: &'static str) -> Client<'_> {
        let (token_id, token) = self.site.token(self.user_id);
        Client {
            scene: self,
            token,
            token_id,
            address,
            bookmarks: RefCell::default(),
            wrote: RefCell::default(),
            last: Cell::default(),
        }
    }

    /// Three clients at once, one of whom may lose their token. Whose turn it is, the dice say.
    fn play(&self, clients: &[Client<'_>]) {
        let network = &self.site.network;
        let mut tasks: Vec<Pin<Box<dyn Future<Output = ()> + '_>>> = Vec::new();
        for client in clients {
            tasks.push(Box::pin(client.live(1 + network.roll(5) / 4)));
        }
        if network.roll(8) == 0 {
            tasks.push(Box::pin(clients[network.roll(clients.len())].end()));
        }
        let mut left: Vec<usize> = (0..tasks.len()).collect();
        while !left.is_empty() {
            let turn = network.roll(left.len());
            network.client.set(left[turn]);
            if tasks[left[turn]].as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(()) {
                left.swap_remove(turn);
            }
        }
    }
}

/// Plays until something is wrong; how many interleavings there were until then.
fn play(seed: u64, mutant: Option<Mutant>) -> (u64, Seen, u32) {
    let scene = Scene::new(seed, mutant);
    let mut clients: Vec<Client<'_>> = ADDRESSES.map(|address| scene.client(address)).into();
    for played in 1..=INTERLEAVINGS {
        let network = &scene.site.network;
        network.lag(network.roll(10_000) as i64);
        scene.play(&clients);
        network.wait(network.roll(30_000) as i64);
        let away = network.answered_away.get();
        if played == INTERLEAVINGS || !scene.seen.faults.borrow().is_empty() {
            drop(clients);
            return (played, scene.seen, away);
        }
        for client in &mut clients {
            // whose token has ended comes back with another
            if client.has_ended() || network.roll(50) == 0 {
                *client = scene.client(client.address);
            }
        }
    }
    unreachable!("there are interleavings")
}

fn holds(seed: u64) {
    let (played, seen, away) = play(seed, None);
    println!("{played} interleavings, {away} batches of replicas, {seen:?}");
    assert!(seen.faults.borrow().is_empty(), "seed {seed}, interleaving {played}: {seen:#?}");
    // it was no walk in the park
    assert!(seen.refused.get() > 10 && seen.older.get() > 10 && u64::from(away) > INTERLEAVINGS);
}

#[test]
fn ten_thousand_interleavings_hold_and_none_is_stale_first_part() {
    (1..=SEEDS / 2).for_each(holds);
}

#[test]
fn ten_thousand_interleavings_hold_and_none_is_stale_second_part() {
    (SEEDS / 2 + 1..=SEEDS).for_each(holds);
}

#[test]
fn what_is_broken_by_hand_is_found() {
    let mutants = [
        Mutant::BookmarkNotSent,
        Mutant::WriteNotOnPrimary,
        Mutant::WritersForgotten,
        Mutant::NotTriedOnPrimary,
        Mutant::DoorOfReplica,
    ];
    for mutant in mutants {
        let (played, seen, _) = play(1, Some(mutant));
        let faults = seen.faults.borrow();
        println!("{mutant:?}: found after {played} interleavings: {faults:?}");
        assert!(!faults.is_empty(), "{mutant:?} was not found");
    }
}
