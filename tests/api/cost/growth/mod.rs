//! A GET costs no more than it answers, whatever is stored (behaviour 5.3). The requests are those of the tables of routes, so
//! that a new route is among them. `dimensions.sql` and `contents.rs` have what can be stored, and a table that neither fills
//! fails the proof. Each kind of record grows to a few hundred: no cost may grow faster than their number. Then it grows beyond
//! all that a read looks at: no cost may grow, unless the answer does.

mod bounds;
mod contents;
mod cost;
mod dimensions;
mod requests;
mod world;

use crate::support::Server;
use bounds::{BOUNDED, REFUSED, UNFILLED};
use cost::{Cost, is_bent, measure};
use dimensions::{Dimension, dimensions};
use requests::Request;
use std::collections::{BTreeMap, BTreeSet};
use world::Stock;

/// A dimension, a route, and what is wrong there.
type Findings = BTreeMap<(&'static str, String), String>;

struct Proof {
    stock: Stock,
    asks: Vec<Request>,
    /// The costs with one record of each kind.
    base: Vec<[Cost; 2]>,
    words: Vec<(&'static str, String)>,
    filled: BTreeSet<String>,
    found: Findings,
}

impl Proof {
    fn new(only: &str) -> Proof {
        let stock = Stock::new();
        let asks: Vec<Request> = stock.asks().into_iter().filter(|ask| ask.route.contains(only)).collect();
        stock.server().tamper(
            "create temp table numbers (n integer primary key); create temp table all_numbers (n integer primary key)",
        );
        let base = asks.iter().map(|request| measure(&stock, request, 0)).collect();
        let words = stock.words();
        Proof { stock, asks, base, words, filled: BTreeSet::new(), found: Findings::new() }
    }

    /// Grows one dimension, and takes all of it back.
    fn grow(&mut self, dimension: &Dimension) {
        let mut costs: Vec<Vec<Option<[Cost; 2]>>> = Vec::new();
        let mut before = 0;
        self.stock.server().tamper("savepoint growth");
        for (stage, size) in dimension.sizes.iter().copied().enumerate() {
            dimension.fill(&mut self.stock, &self.words, before, size);
            // a minute later
            while self.stock.server().index() != Default::default() {}
            before = size;
            // where a hundred records cost nothing, the next hundreds do not either
            let is_asked = |at: usize| {
                [0, 4].contains(&stage)
                    || costs[0][at].is_some_and(|cost| (0..2).any(|page| cost[page].is_above(self.base[at][page])))
            };
            costs.push(
                self.asks
                    .iter()
                    .enumerate()
                    .map(|(at, request)| is_asked(at).then(|| measure(&self.stock, request, size)))
                    .collect(),
            );
        }
        let counted = counts(self.stock.server());
        self.stock.server().tamper("rollback to growth; release growth");
        self.stock.path = "a".to_owned();
        let few = counts(self.stock.server());
        self.filled.extend(counted.into_iter().filter(|(table, rows)| few[table] < *rows).map(|(table, _)| table));
        for (at, request) in self.asks.iter().enumerate() {
            for page in 0..2 {
                let of = |stage: usize| costs.get(stage).and_then(|row| row[at]).map(|cost| cost[page]);
                let three = [of(0), of(1), of(2)].into_iter().collect::<Option<Vec<Cost>>>();
                let bent = three.is_some_and(|costs| is_bent([costs[0], costs[1], costs[2]]));
                let grows = of(4).is_some_and(|most| most.outgrows(of(3).unwrap_or(self.base[at][page])));
                let is_deep =
                    page == 1 && costs.get(4).and_then(|row| row[at]).is_some_and(|[first, deep]| deep.is_twice(first));
                if bent || grows || is_deep {
                    let all: Vec<String> = (0..5).filter_map(of).map(|cost| cost.to_string()).collect();
                    let what = if bent {
                        "grows faster than what is stored"
                    } else if grows {
                        "grows without an end"
                    } else {
                        "a deep page costs more"
                    };
                    self.found.insert((dimension.name, request.route.clone()), format!("{what}: {}", all.join(", ")));
                }
            }
        }
    }
}

/// The rows of each table.
fn counts(server: &Server) -> BTreeMap<String, i64> {
    let tables =
        server.rows("select json_array(name) as v from sqlite_schema where type = 'table' and name not like 'sqlite%'");
    let count =
        |table: &str| server.rows(&format!("select json_array(count(*)) as v from {table}"))[0][0].as_i64().unwrap();
    tables.iter().map(|row| row[0].as_str().unwrap()).map(|table| (table.to_owned(), count(table))).collect()
}

#[test]
#[ignore = "a proof: make prove"]
fn a_get_costs_no_more_than_it_answers_whatever_is_stored() {
    let mut proof = Proof::new("");
    let mut refused = Vec::new();
    for request in &proof.asks {
        let status = cost::ask(&proof.stock, &request.target, &request.by).status;
        if ![200, 302].contains(&status) {
            refused.push((request.route.as_str(), status));
        }
    }
    assert_eq!(refused, REFUSED, "a route that has no value in world.rs, or needs a parameter there");
    for dimension in &dimensions() {
        proof.grow(dimension);
    }
    let tables = counts(proof.stock.server()).into_keys();
    let unfilled: Vec<String> = tables.filter(|table| !proof.filled.contains(table)).collect();
    assert_eq!(unfilled, UNFILLED, "tables that no dimension fills: add one to dimensions.sql");
    let bounded = BOUNDED.iter().flat_map(|(name, routes, _)| routes.iter().map(|route| (*name, (*route).to_owned())));
    let bounded: BTreeSet<(&str, String)> = bounded.collect();
    let unneeded: Vec<_> = bounded.iter().filter(|one| !proof.found.contains_key(*one)).collect();
    proof.found.retain(|one, _| !bounded.contains(one));
    assert!(
        proof.found.is_empty() && unneeded.is_empty(),
        "{:#?}, and not needed in BOUNDED: {unneeded:#?}",
        proof.found
    );
}

/// A short form of the proof, of what was without a bound once.
#[test]
fn lists_cost_the_same_among_many_comments_refs_projects_and_milestones() {
    for (name, only) in [
        ("comments", "\"issues\", issue_i"),
        ("branches and tags", "repository"),
        ("projects", "\"groups\", id"),
        ("milestones", "\"milestones\"]"),
    ] {
        let mut proof = Proof::new(only);
        dimensions().iter().filter(|dimension| dimension.name == name).for_each(|dimension| proof.grow(dimension));
        assert_eq!(proof.found, Findings::new());
    }
}

/// The proof finds what it is for.
#[test]
#[ignore = "a proof: make prove"]
fn a_lost_bound_is_found() {
    for (name, only, piece, with) in [
        // a limit
        (
            "comments of the system with events",
            "\"notes\"",
            "limit (select (select ?15))) limit -1) window",
            "limit 1000000) limit -1) window",
        ),
        // an index
        ("milestones", "\"milestones\"", "order by iid limit", "order by +iid limit"),
        // what bounds the projects of a group
        ("projects", "\"groups\", id", "q.deleted_at is null limit 1000)", "q.deleted_at is null)"),
    ] {
        let mut proof = Proof::new(only);
        proof.stock.server().database().mutate(piece, with);
        dimensions().iter().filter(|dimension| dimension.name == name).for_each(|dimension| proof.grow(dimension));
        assert!(proof.stock.server().database().is_mutated(), "{piece}");
        assert_ne!(proof.found, Findings::new(), "{piece}");
    }
}
