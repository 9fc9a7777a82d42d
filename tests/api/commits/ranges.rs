//! Lists of all branches and tags, and of ranges, of random histories: each is git's, page by page.

use super::pages::{Log, stamp, tangle};
use crate::support::git::{Commit, commit, sha};
use crate::support::{Dice, Server, Visibility, World, spec};
use serde_json::{Value, json};
use std::collections::HashSet;

fn follow(world: &World, query: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut path = Some(world.at(&format!("/repository/commits?{query}")));
    while let Some(here) = path {
        let page = world.server.ask_v4("GET", here).by(&world.rae).gives(200);
        found.extend(page.each("id"));
        path = page.next();
    }
    found
}

/// The commits that `from` reaches, itself included.
fn reached<'a>(commits: &'a [Commit], from: &'a Commit) -> HashSet<&'a String> {
    let mut found = HashSet::from([&from.sha]);
    // parents have smaller numbers
    for commit in commits.iter().rev() {
        if found.contains(&commit.sha) {
            found.extend(&commit.parents);
        }
    }
    found
}

fn ids(listed: &[&Commit]) -> Vec<Value> {
    listed.iter().map(|commit| json!(commit.sha)).collect()
}

/// Compares the lists of a random history with git's.
fn compare(world: &World, seed: u64) {
    let mut dice = Dice(seed);
    let length = 5 + dice.roll(30) as u32;
    let commits = tangle(seed, length, seed.is_multiple_of(2));
    let mut refs = vec![("refs/heads/master".to_owned(), commits.last().unwrap())];
    for number in 0..dice.roll(6) {
        let kind = dice.one(&["heads", "tags"]);
        refs.push((format!("refs/{kind}/r{number}"), dice.one(&commits)));
    }
    let pushed: Vec<(&str, &str)> = refs.iter().map(|(name, commit)| (name.as_str(), commit.sha.as_str())).collect();
    world.push(&commits, &pushed);
    refs.sort_by(|one, other| one.0.cmp(&other.0));
    let size = 1 + dice.roll(9);
    let (first_parent, author) = (dice.roll(3) == 0, dice.roll(4) == 0);
    let since = if dice.roll(3) == 0 { dice.one(&commits).committed_at } else { i64::MIN };
    let until = if dice.roll(3) == 0 { dice.one(&commits).committed_at } else { i64::MAX };
    let mut query = format!("per_page={size}&first_parent={first_parent}");
    for (name, at, none) in [("since", since, i64::MIN), ("until", until, i64::MAX)] {
        if at != none {
            query += &format!("&{name}={}", stamp(at));
        }
    }
    if author {
        query += "&author=Ann";
    }
    let tips = refs.iter().map(|(_, commit)| *commit).collect();
    let all = Log { first_parent, since, until, ..Log::of(&commits, tips) };
    assert_eq!(follow(world, &format!("{query}&all=true")), ids(&all.list()), "seed {seed}: {query}");
    for (from, to) in [(dice.one(&commits), dice.one(&commits)), (dice.one(&refs).1, dice.one(&refs).1)] {
        let log = Log { first_parent, since, until, without: reached(&commits, from), ..Log::of(&commits, vec![to]) };
        let range = format!("{}..{}", from.sha, to.sha);
        let found = follow(world, &format!("{query}&ref_name={range}"));
        assert_eq!(found, ids(&log.list()), "seed {seed}: {range} {query}");
    }
}

fn histories(server: &'static Server, seeds: std::ops::Range<u64>) {
    let world = World::new(server, Visibility::Private);
    for seed in seeds {
        compare(&world.sibling(Visibility::Private), seed);
    }
}

#[test]
fn all_and_ranges_of_random_histories_list_as_git_does() {
    histories(spec(), 0..20);
}

#[test]
#[ignore = "a proof: make prove"]
fn all_and_ranges_of_300_histories_list_as_git_does() {
    if spec().is_in_process() {
        // a list of issues of the common server's people would have too many projects
        histories(Server::with(|_| ()), 20..320);
    }
}

#[test]
fn all_goes_on_with_its_own_tips_while_branches_move() {
    let world = World::new(spec(), Visibility::Public);
    let commits = [commit(1, &[]), commit(2, &[]), commit(3, &[2]), commit(4, &[3])];
    let refs = [("refs/heads/master", sha(4)), ("refs/heads/old", sha(1))];
    world.push(&commits, &refs.each_ref().map(|(name, sha)| (*name, sha.as_str())));
    let first = world.commits_v4("?all=true&per_page=2");
    let new = commit(5, &[1]);
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [new.wire()] })).gives(201);
    let change = json!({ "name": "refs/heads/old", "old": sha(1), "new": new.sha });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    let found = [first.each("id"), world.next_of(&first).each("id")];
    assert_eq!(found, [[sha(4), sha(3)], [sha(2), sha(1)]].map(|page| page.map(Value::from).to_vec()));
    assert_eq!(world.commits_v4("?all=true&per_page=2").each("id"), [new.sha, sha(4)]);
}
