//! Noninterference: a viewer cannot distinguish two worlds that differ only in records hidden from them. Status,
//! headers, body, page ends, cursors and round trips must be equal, for every route, filter and kind of viewer, and for
//! refused writes. The database's work may differ within a bound; only administrators get its figures.
//!
//! A seed determines everything: `SEED=.. cargo test --test api leaks -- --include-ignored` repeats a run. A plain `cargo
//! test` tries a few worlds, the proof (`make prove`) two dozen, or new ones for `LEAKS_SECONDS` without a seed.

mod asks;
mod content;
mod deeds;
mod hooks;
mod mutants;
mod random;
mod sql;
mod viewer;
mod world;

use crate::support::{Sqlite, documents, random_number, spec, templates};
use asks::{Ask, Names};
use edgeforge::http::{Body, Reply, Request};
use edgeforge::{Arrival, Config, Issuers, Moment, Service, token_hash};
use random::Random;
use std::collections::BTreeMap;
use std::time::Duration;
use viewer::VIEWERS;
use world::World;

/// The parts of an answer that a viewer can observe.
#[derive(Debug, PartialEq)]
struct Seen {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    trips: u32,
}

impl Seen {
    /// The number of open issues belongs to the project, so tokens that read the project but no issue see it, too. The
    /// ETag is a hash of the answer with it.
    fn forget_count(&mut self) {
        if let Some((before, after)) = self.body.split_once("\"open_issues_count\":") {
            self.body = format!("{before}{}", after.trim_start_matches(|digit: char| digit.is_ascii_digit()));
            self.headers.retain(|(name, _)| *name != "ETag");
        }
    }
}

/// One of the two servers. All worlds reuse it, so that statements are compiled once.
struct Host {
    service: Service<Sqlite>,
}

impl Host {
    fn new() -> Host {
        let ci_issuers = Issuers::read(documents::ISSUERS).unwrap();
        let config = Config { admin_token_hash: Some(token_hash("root")), ci_issuers, ..Config::default() };
        Host { service: Service { backend: Sqlite::new(templates::blobs()), config } }
    }

    fn tamper(&self, sql: &str) {
        self.service.backend.tamper(sql);
    }

    /// Puts the texts into the index of words, as the Cron trigger does.
    fn index(&self) {
        while pollster::block_on(self.service.index()).unwrap() != Default::default() {}
    }

    fn ask(&self, ask: &Ask) -> (Seen, (u64, u64)) {
        let request = Request {
            method: ask.method.to_owned(),
            origin: "http://edgeforge.test".to_owned(),
            path: ask.path.clone(),
            query: ask.query.clone(),
            headers: ask.headers.clone(),
            body: Body::Bytes(ask.body.clone().into_bytes()),
        };
        let moment = Moment { now: 1_795_000_000_000, random: [7; 32] };
        let writes = ask.method != "GET";
        if writes {
            self.tamper("savepoint attempt");
        }
        self.service.backend.take_steps();
        let (reply, record) = pollster::block_on(self.service.respond(&Arrival::of(request), moment));
        let steps = self.service.backend.take_steps();
        if writes {
            self.tamper("rollback to attempt; release attempt");
        }
        // these worlds have no store for contents
        assert!(reply.status < 500 || reply.status == 501, "{ask:?}: {record:?}");
        let Reply { status, headers, body, .. } = reply;
        (Seen { status, headers, body, trips: record.cost.trips }, steps)
    }
}

#[derive(Default)]
struct Tally {
    pairs: u64,
    /// The number of requests by status.
    statuses: BTreeMap<u16, u64>,
    /// The largest difference in instructions between two equal requests.
    lookup: u64,
    /// The same of searches that name no hidden record.
    searched: u64,
    searches: u64,
    /// The first difference of each route.
    differing: BTreeMap<(&'static str, &'static str), String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.pairs += other.pairs;
        self.lookup = self.lookup.max(other.lookup);
        self.searched = self.searched.max(other.searched);
        self.searches += other.searches;
        self.differing.extend(other.differing);
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
    }
}

struct Pair {
    hosts: [Host; 2],
}

impl Pair {
    fn new() -> Pair {
        Pair { hosts: [Host::new(), Host::new()] }
    }

    /// All routes in both worlds of that seed.
    fn try_worlds(&self, seed: u64, tally: &mut Tally) {
        let mut random = Random(seed);
        let viewer = random.any(&VIEWERS);
        let (seen, hidden, other) = (random.number(), random.number(), random.number());
        let worlds = [World::new(viewer, seen, hidden), World::new(viewer, seen, other)];
        for (host, world) in self.hosts.iter().zip(&worlds) {
            host.tamper(&format!("begin; {}", world.sql));
            // a third of the worlds has no index of words, a third is in it, and of a third one half has changed since
            if !seed.is_multiple_of(3) {
                host.index();
            }
            if seed % 3 == 2 {
                host.tamper(include_str!("changed.sql"));
            }
        }
        let names = Names { viewer, worlds: [&worlds[0], &worlds[1]], searches: false };
        let searching = Names { searches: true, ..names };
        // of its own, so that no other request depends on the number of searches
        let mut apart = Random(seed);
        let routes = viewer.tables().iter().flat_map(|(base, routes)| routes.iter().map(move |it| (*base, it)));
        for (base, (method, pattern)) in routes {
            let mut asks = Vec::from([(); 2].map(|()| names.ask(base, method, pattern, &mut random)));
            // a search has a form for each kind of records
            if pattern.contains("\"search\"") {
                asks.extend((0..20).map(|_| searching.ask(base, method, pattern, &mut apart)));
            }
            for ask in asks {
                let next = self.compare(&ask, tally).and_then(|query| match query {
                    Some(query) => self.compare(&Ask { query, ..ask }, tally),
                    None => Ok(None),
                });
                if let Err(differences) = next {
                    let differences = format!("SEED={seed} {viewer:?}: {differences}");
                    tally.differing.entry((method, pattern)).or_insert(differences);
                }
            }
        }
        self.hosts.iter().for_each(|host| host.tamper("rollback"));
    }

    /// The query of the next page, if there is one.
    fn compare(&self, ask: &Ask, tally: &mut Tally) -> Result<Option<String>, String> {
        let [(mut one, (one_steps, _)), (mut other, (other_steps, _))] =
            [self.hosts[0].ask(ask), self.hosts[1].ask(ask)];
        if ask.reads_project_alone {
            one.forget_count();
            other.forget_count();
        }
        tally.pairs += 1;
        *tally.statuses.entry(one.status).or_default() += 1;
        // an allowed write may create another id in each world
        if ask.method != "GET" && one.status < 300 && one.status == other.status {
            return Ok(None);
        }
        if one != other {
            return Err(format!("{ask:?}\n{one:?}\n{other:?}"));
        }
        let differ = one_steps.abs_diff(other_steps);
        tally.lookup = tally.lookup.max(differ);
        if !ask.names_hidden && ask.path.ends_with("/search") {
            tally.searched = tally.searched.max(differ);
            tally.searches += u64::from(one.status == 200);
        }
        let link = one.headers.iter().find(|(name, _)| *name == "Link").map(|(_, links)| links.as_str());
        let next = link.unwrap_or_default().split(", ").find(|link| link.ends_with("rel=\"next\""));
        Ok(next.and_then(|link| Some(link.split_once('?')?.1.split_once('>')?.0.to_owned())))
    }
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().filter(|text| !text.is_empty()).map(|text| text.parse().expect(name))
}

#[test]
fn what_a_caller_may_not_see_changes_nothing_that_they_can_tell() {
    if spec().is_in_process() {
        hold(1, 2, Duration::from_secs(60));
    }
}

#[test]
#[ignore = "a proof: make prove"]
fn what_a_caller_may_not_see_changes_nothing_in_many_worlds() {
    if !spec().is_in_process() {
        return;
    }
    let seconds = variable("LEAKS_SECONDS");
    // the same worlds each time, so that a failure comes from the change
    let usual = if seconds.is_some() { random_number() >> 16 } else { 1 };
    let first = variable("SEED").unwrap_or(usual);
    let most = if seconds.is_some() { u64::MAX } else { 12 };
    hold(first, most, Duration::from_secs(seconds.unwrap_or(60)));
}

/// Tries worlds from this seed on, on two threads so many each, until the time is over.
fn hold(first: u64, most: u64, until: Duration) {
    let started = clock();
    let run = |part: u64| {
        let (pair, mut tally) = (Pair::new(), Tally::default());
        for number in 0..most {
            if clock() - started > until {
                break;
            }
            pair.try_worlds(first + 2 * number + part, &mut tally);
        }
        tally
    };
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let parts = [0, 1].map(|part| scope.spawn(move || run(part)));
        parts.into_iter().for_each(|part| tally.add(part.join().unwrap()));
    });
    let Tally { pairs, statuses, lookup, searched, searches, differing } = tally;
    let differences: Vec<&String> = differing.values().collect();
    assert!(differences.is_empty(), "{} routes differ in {pairs} pairs: {differences:#?}", differences.len());
    println!("noninterference: {pairs} pairs from SEED={first}, 0 differing; answers by status: {statuses:?};");
    println!("what is hidden took up to {lookup} instructions of SQLite more in a request,");
    println!("and up to {searched} in {searches} searches that name nothing hidden");
    // in a few worlds all viewers may be of one kind
    let known = |status: &u16| statuses.contains_key(status);
    assert!(pairs < 20_000 || [200, 401, 403, 404].iter().all(known), "{statuses:?}");
}

/// Time since the machine was started.
#[allow(clippy::disallowed_types)]
fn clock() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
