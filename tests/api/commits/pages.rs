//! Pages of commits: each continues where git's walk stopped, whatever the clocks said, and costs the same at any depth.

use crate::support::git::{Commit, commit, sha};
use crate::support::{Dice, Visibility, World, gitlab, spec};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Commits 1 to `length` with one to three parents each. Many are of the same second as a parent, some clocks were
/// years wrong, and one was before 1970.
pub fn tangle(seed: u64, length: u32, skewed: bool) -> Vec<Commit> {
    let mut dice = Dice(seed);
    let mut at = 1_500_000_000;
    let mut made = Vec::new();
    for number in 1..=length {
        let merges = if number > 3 { 1 + dice.roll(3) } else { usize::from(number > 1) };
        let mut parents = Vec::new();
        for place in 0..merges {
            let back = if place == 0 { 1 + dice.roll(3) } else { 1 + dice.roll(12) };
            parents.push(number.saturating_sub(back as u32).max(1));
        }
        parents.dedup();
        at += [0, 0, 1, 7, 1000][dice.roll(5)];
        let committed_at = match dice.roll(12) {
            0 if skewed => at - 5000,
            1 if skewed => at + 100_000_000,
            2 if skewed && number == 20 => -5,
            _ => at,
        };
        made.push(commit(number, &parents).with(|commit| commit.committed_at = committed_at));
    }
    made
}

/// What git is asked for.
pub struct Log<'a> {
    pub commits: &'a [Commit],
    /// In the order of their refs.
    pub tips: Vec<&'a Commit>,
    /// What the beginning of a range reaches.
    pub without: HashSet<&'a String>,
    pub first_parent: bool,
    pub since: i64,
    pub until: i64,
}

impl<'a> Log<'a> {
    pub fn of(commits: &'a [Commit], tips: Vec<&'a Commit>) -> Log<'a> {
        let without = HashSet::new();
        Log { commits, tips, without, first_parent: false, since: i64::MIN, until: i64::MAX }
    }

    /// The commits in git's order: the newest of a queue, of equal dates the one that was queued first.
    pub fn list(&self) -> Vec<&'a Commit> {
        let find = |sha: &String| self.commits.iter().find(|commit| commit.sha == *sha).unwrap();
        let mut queue = Vec::new();
        let mut seen: HashSet<&String> = self.without.clone();
        for tip in &self.tips {
            if seen.insert(&tip.sha) {
                queue.insert(0, *tip);
            }
        }
        let mut listed = Vec::new();
        while !queue.is_empty() {
            // the last of the greatest is the first that came in, for the newcomers go to the front
            let next = (0..queue.len()).max_by_key(|at| queue[*at].committed_at as u64).unwrap();
            let commit: &Commit = queue.remove(next);
            if commit.committed_at < self.since {
                continue;
            }
            if commit.committed_at <= self.until {
                listed.push(commit);
            }
            for parent in commit.parents.iter().take(if self.first_parent { 1 } else { usize::MAX }) {
                if seen.insert(parent) {
                    queue.insert(0, find(parent));
                }
            }
        }
        listed
    }
}

fn git_log(commits: &[Commit], since: i64, until: i64) -> Vec<String> {
    let log = Log { since, until, ..Log::of(commits, vec![commits.last().unwrap()]) };
    log.list().into_iter().map(|commit| commit.sha.clone()).collect()
}

pub fn stamp(seconds: i64) -> String {
    chrono::DateTime::from_timestamp(seconds, 0).unwrap().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// All hashes that following the links finds, and whether each link had a cursor.
fn follow(world: &World, query: &str) -> (Vec<String>, bool) {
    let mut found = Vec::new();
    let mut cursors = true;
    let mut path = Some(world.at(&format!("/repository/commits?{query}")));
    while let Some(here) = path {
        let page = spec().get(here).by(&world.rae).gives(200);
        found.extend(page.each("id").iter().map(|id| id.as_str().unwrap().to_owned()));
        path = page.next();
        cursors &= path.as_ref().is_none_or(|path| path.contains("cursor="));
    }
    (found, cursors)
}

#[test]
fn every_page_goes_on_where_gits_walk_stood() {
    for (seed, skewed) in [(1, false), (2, false), (3, true), (4, true), (5, true), (6, true)] {
        let commits = tangle(seed, 90, skewed);
        let world = World::new(spec(), Visibility::Private);
        world.push(&commits, &[("refs/heads/master", &commits.last().unwrap().sha)]);
        let wanted = git_log(&commits, i64::MIN, i64::MAX);
        assert!(wanted.len() > 60);
        for size in [1, 2, 7, 40, 100] {
            let (found, cursors) = follow(&world, &format!("per_page={size}"));
            assert_eq!(found, wanted, "seed {seed}, pages of {size}");
            assert!(cursors, "seed {seed}, pages of {size}");
        }
        // from a page that was found by its number
        for (size, number) in [(1, 30), (7, 4), (9, 2)] {
            let (found, cursors) = follow(&world, &format!("per_page={size}&page={number}"));
            assert_eq!(found, wanted[size * (number - 1)..], "seed {seed}, page {number} of {size}");
            assert!(cursors, "seed {seed}, page {number} of {size}");
        }
    }
}

#[test]
fn a_page_far_behind_until_goes_on_where_gits_walk_stood() {
    let commits = tangle(6, 2700, true);
    let world = World::new(spec(), Visibility::Private);
    world.push(&commits, &[("refs/heads/master", &commits.last().unwrap().sha)]);
    let until = commits[2660].committed_at;
    let wanted = git_log(&commits, i64::MIN, until);
    assert!(wanted.len() > 1960, "{}", wanted.len());
    let (found, cursors) = follow(&world, &format!("per_page=40&page=49&until={}", stamp(until)));
    assert_eq!((found.as_slice(), cursors), (&wanted[40 * 48..], true));
}

#[test]
fn dates_bound_every_page() {
    for seed in [7, 8, 9] {
        let commits = tangle(seed, 70, seed > 7);
        let world = World::new(spec(), Visibility::Private);
        world.push(&commits, &[("refs/heads/master", &commits.last().unwrap().sha)]);
        let at = |number: usize| commits[number].committed_at;
        for (since, until) in [(None, Some(at(40))), (Some(at(20)), None), (Some(at(10)), Some(at(50)))] {
            let mut query = String::new();
            if let Some(since) = since {
                query += &format!("&since={}", stamp(since));
            }
            if let Some(until) = until {
                query += &format!("&until={}", stamp(until));
            }
            let wanted = git_log(&commits, since.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX));
            for size in [1, 4, 30, 100] {
                let (found, cursors) = follow(&world, &format!("per_page={size}{query}"));
                assert_eq!(found, wanted, "seed {seed}, pages of {size}{query}");
                assert!(cursors);
            }
        }
    }
}

#[test]
fn a_page_goes_on_with_its_own_history_while_the_branch_moves() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(9);
    let first = world.get("/repository/commits?per_page=4").by(&world.rae).gives(200);
    let more = [commit(10, &[9]), commit(11, &[10])];
    let wire: Vec<_> = more.iter().map(Commit::wire).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    let change =
        json!({ "name": "refs/heads/master", "old": tip, "new": more[1].sha, "message": null, "forced": false });
    world
        .put("/mirror/refs")
        .by(&world.ann)
        .json(json!({ "default_branch": "master", "changes": [change] }))
        .gives(200);
    let second = spec().get(first.next().unwrap()).by(&world.rae).gives(200);
    assert_eq!(second.each("title"), ["Change 5", "Change 4", "Change 3", "Change 2"]);
}

#[test]
fn a_cursor_of_another_project_opens_nothing() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(9);
    let other = world.sibling(Visibility::Private);
    other.push_line(9);
    let page = world.get("/repository/commits?per_page=4").by(&world.rae).gives(200);
    let (_, cursor) = page.next().unwrap().split_once("cursor=").map(|(a, b)| (a.len(), b.to_owned())).unwrap();
    let foreign = other.at(&format!("/repository/commits?page=2&per_page=4&cursor={cursor}"));
    // it is of another list, so it is dropped
    let list = spec().get(foreign).by(&world.rae).gives(200);
    assert_eq!(list.each("title"), ["Change 5", "Change 4", "Change 3", "Change 2"]);
}

#[test]
fn a_list_of_a_branch_that_the_hook_counted_has_its_total() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(9);
    let total = |query: &str| {
        let list = world.get(&format!("/repository/commits?per_page=2&{query}")).by(&world.rae).gives(200);
        let names = ["X-Total", "X-Total-Pages"];
        let told = names.map(|name| list.header(name).map(str::to_owned));
        assert_eq!(told[0].is_some(), list.header("Link").unwrap().contains("rel=\"last\""), "{query}");
        told
    };
    let told = |all: &str, pages: &str| [Some(all.to_owned()), Some(pages.to_owned())];
    let swap = |old: Option<&str>, new: &str, commits: Value| {
        let change = json!({ "name": "refs/heads/side", "old": old, "new": new, "commits": commits });
        let swap = json!({ "default_branch": "master", "changes": [change] });
        world.put("/mirror/refs").by(&world.ann).json(swap)
    };
    for wrong in [json!(-1), json!(1e15), json!("x")] {
        swap(None, &sha(5), wrong).gives(400);
    }
    swap(None, &sha(5), json!(5)).gives(200);
    for query in ["ref_name=side", "ref_name=side&page=3", "ref_name=refs/heads/side", &format!("ref_name={}", sha(5))]
    {
        assert_eq!(total(query), told("5", "3"), "{query}");
    }
    assert_eq!(total("ref_name=side&since=1990-01-01T00:00:00Z"), [None, None]);
    assert_eq!(total(""), told("9", "5"));
    // a hook that does not count
    swap(Some(&sha(5)), &sha(4), Value::Null).gives(200);
    assert_eq!(total("ref_name=side"), [None, None]);
    swap(Some(&sha(4)), &tip, json!(9)).gives(200);
    assert_eq!(total("ref_name=side"), told("9", "5"));
}

#[test]
fn of_branches_that_no_hook_counted_the_default_one_has_its_total() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(9);
    let total = |query: &str| {
        let list = world.get(&format!("/repository/commits?per_page=2&{query}")).by(&world.rae).gives(200);
        list.header("X-Total").map(str::to_owned)
    };
    let swap = |name: &str, old: Option<&str>, new: Option<&str>, default: &str| {
        let change = json!({ "name": name, "old": old, "new": new, "message": null, "forced": true });
        let swap = json!({ "default_branch": default, "changes": [change] });
        world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    };
    for query in ["", "ref_name=master", "ref_name=HEAD", "page=3", &format!("ref_name={tip}")] {
        assert_eq!(total(query).as_deref(), Some("9"), "{query}");
    }
    for query in ["since=1990-01-01T00:00:00Z", "until=2040-01-01T00:00:00Z", "ref_name=none"] {
        assert_eq!(total(query), None, "{query}");
    }
    // a branch below: what it has is the default branch's
    swap("refs/heads/old", None, Some(&sha(4)), "master");
    assert_eq!([total(""), total("ref_name=old")], [Some("9".to_owned()), None]);
    // forced back, the commits beyond are in no branch
    swap("refs/heads/master", Some(&tip), Some(&sha(6)), "master");
    assert_eq!(total("").as_deref(), Some("6"));
    // another default branch
    swap("refs/heads/master", Some(&sha(6)), Some(&sha(7)), "old");
    assert_eq!([total(""), total("ref_name=master")], [Some("4".to_owned()), None]);
    swap("refs/heads/old", Some(&sha(4)), Some(&tip), "old");
    assert_eq!([total(""), total("ref_name=master")], [Some("9".to_owned()), None]);
}

/// A number as cursors have it: seven bits a byte, the sign in the lowest.
fn varint(number: i64, bytes: &mut Vec<u8>) {
    let mut rest = ((number << 1) ^ (number >> 63)) as u64;
    while rest > 0x7f {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// The cursor with another queue.
fn forged(cursor: &str, queue: &[i64]) -> String {
    let mut parts: Vec<Value> = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(cursor).unwrap()).unwrap();
    let (mut bytes, mut last) = (Vec::new(), 0);
    // the greatest date, and how many wait
    varint(1_400_000_000 + 86_400 * 20, &mut bytes);
    varint(queue.len() as i64, &mut bytes);
    for id in queue {
        varint(id - last, &mut bytes);
        last = *id;
    }
    parts[3] = BASE64_URL_SAFE_NO_PAD.encode(bytes).into();
    BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_string(&parts).unwrap())
}

#[test]
fn a_forged_cursor_shows_nothing_of_commits_of_other_projects() {
    if !spec().is_in_process() {
        return;
    }
    let (own, secret) = (World::new(spec(), Visibility::Public), World::new(spec(), Visibility::Private));
    own.push_line(5);
    secret.push_line(5);
    let ids = |world: &World| -> Vec<i64> {
        let query = format!("select id from commits where project_id = {} order by id", world.project.id);
        spec().rows(&query).iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    let (mine, theirs) = (ids(&own), ids(&secret));
    for query in [
        "per_page=1",
        "per_page=1&author=Ann",
        "per_page=1&path=a",
        "per_page=1&since=2014-05-14T00:00:00Z",
        "per_page=1&ref_name=4000000000000000000000000000000000000000..master",
    ] {
        let list = own.at(&format!("/repository/commits?{query}"));
        let first = spec().ask_v4("GET", &list).by(&own.rae).gives(200);
        let honest = own.at("/repository/commits?per_page=1");
        let honest = spec().ask_v4("GET", &honest).by(&own.rae).gives(200);
        let Some(cursor) = first.next().or_else(|| honest.next()) else { panic!("no next page") };
        let cursor = cursor.split("cursor=").nth(1).unwrap().split('&').next().unwrap().to_owned();
        let ask = |queue: &[i64]| {
            let target = format!("{list}&page=2&cursor={}", forged(&cursor, queue));
            let answer = spec().ask_v4("GET", target).by(&own.rae).gives(200);
            let next = answer.header("X-Next-Page").map(str::to_owned);
            (answer.text.clone(), next)
        };
        for theirs in [theirs[4], theirs[0]] {
            assert_eq!(ask(&[theirs, mine[3]]), ask(&[987_654_321, mine[3]]), "{query}");
            assert_eq!(ask(&[mine[3], theirs]), ask(&[mine[3], 987_654_321]), "{query}");
            assert_eq!(ask(&[theirs]), ask(&[987_654_321]), "{query}");
        }
    }
}

/// D1 makes no text of more than 2 MB, so it cannot put the parts of such a diff together.
#[test]
fn a_path_is_found_in_a_diff_of_more_than_1900000_bytes_in_the_database() {
    let world = World::new(gitlab(), Visibility::Public);
    let entry = |path: &str, diff: String| {
        json!([{ "diff": diff, "old_path": path, "new_path": path, "a_mode": null, "b_mode": null,
            "new_file": false, "renamed_file": false, "deleted_file": false }])
    };
    let commits = [
        commit(1, &[]).with(|commit| commit.diff = entry("a", String::new()).to_string()),
        commit(2, &[1]).with(|commit| commit.diff = entry("big/b", "x".repeat(2_500_000)).to_string()),
    ];
    world.push(&commits, &[("refs/heads/master", &commits[1].sha)]);
    let first = world.commits_v4("?path=a");
    assert_eq!(first.json, json!([]));
    assert_eq!(world.next_of(&first).each("id"), [json!(commits[0].sha)]);
    for path in ["big", "big/b"] {
        assert_eq!(world.commits_v4(&format!("?path={path}")).each("id"), [json!(commits[1].sha)], "{path}");
    }
}

#[test]
fn a_path_is_found_behind_the_end_of_a_diff_that_was_cut() {
    let world = World::new(spec(), Visibility::Public);
    // more than one part of the text in the database, and a name of a kilobyte at their seam
    let names: Vec<String> =
        (0..400).map(|number| format!("d{number}/{}/\u{e4}\"{number}", "x".repeat(1000))).collect();
    let commits = [
        commit(1, &[]),
        commit(2, &[1]).with(|commit| commit.more_paths = names.clone()),
        commit(3, &[2]).with(|commit| commit.more_paths = vec!["a".to_owned(), "b/c".to_owned()]),
    ];
    world.push(&commits, &[("refs/heads/master", &commits[2].sha)]);
    let found = |path: &str| {
        let list = world.v4("GET", "/repository/commits").by(&world.rae).query("path", path);
        let mut answer = list.gives(200);
        let mut found = answer.each("id");
        while answer.next().is_some() {
            answer = world.next_of(&answer);
            found.extend(answer.each("id"));
        }
        found
    };
    for name in &names {
        assert_eq!(found(name), [json!(commits[1].sha)]);
    }
    for path in ["a", "b", "b/c", "/b/c/"] {
        assert_eq!(found(path), [json!(commits[2].sha)], "{path}");
    }
    for path in ["c", "a/b", "a//b", "b/", "d", "d1x", "x"] {
        let expected = if path == "b/" { vec![json!(commits[2].sha)] } else { vec![] };
        assert_eq!(found(path), expected, "{path}");
    }
    // what is forgotten is not found, and not what it was when it comes again
    world.delete(&format!("/mirror/commits/{}", commits[2].sha)).by(&world.ann).gives(200);
    assert_eq!(found("b/c"), Vec::<Value>::new());
    let again = commits[2].clone().with(|commit| commit.more_paths = vec!["e".to_owned()]);
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [again.wire()] })).gives(201);
    assert_eq!((found("b/c"), found("e")), (vec![], vec![json!(commits[2].sha)]));
    let long = commit(4, &[3]).with(|commit| commit.more_paths = vec!["x".repeat(16_385)]);
    let text = format!("commit 0 ({}): a path is too long", long.sha);
    let push =
        |commit: &Commit| world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [commit.wire()] }));
    push(&long).refused(400, json!({ "message": text }));
    let many = commit(5, &[3]).with(|commit| commit.more_paths = vec!["x".repeat(16_000); 94]);
    push(&many).refused(400, json!({ "message": format!("commit 0 ({}): more_paths are too long", many.sha) }));
}

#[test]
fn commits_of_a_path_are_found_behind_large_diffs_and_odd_names() {
    let world = World::new(spec(), Visibility::Public);
    let entry = |old: &str, new: &str| {
        json!({ "diff": "", "old_path": old, "new_path": new, "a_mode": null, "b_mode": null,
            "new_file": false, "renamed_file": old != new, "deleted_file": false })
    };
    let many: Vec<Value> = (0..4000).map(|number| entry("x", &format!("{}{number}", "long/".repeat(40)))).collect();
    let diffs = [
        json!([entry("texts/a.md", "texts/a.md")]),
        json!([entry("old name", "src/new name")]),
        json!([entry("texts2/b", "texts2/b")]),
        Value::Array(many.clone()),
        Value::Array(many.clone()),
        Value::Array(many),
    ];
    let mut commits: Vec<Commit> = Vec::new();
    for (number, diff) in (1..).zip(diffs) {
        let parents = if number > 1 { vec![number - 1] } else { vec![] };
        commits.push(commit(number, &parents).with(|commit| commit.diff = diff.to_string()));
    }
    let shas: Vec<String> = commits.iter().map(|commit| commit.sha.clone()).collect();
    for pair in commits.chunks(2) {
        let wire: Vec<Value> = pair.iter().map(Commit::wire).collect();
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    }
    world.push(&[], &[("refs/heads/master", &shas[5])]);
    let found = |path: &str| {
        let mut found = Vec::new();
        let mut target = Some(world.at(&format!("/repository/commits?per_page=20&path={path}")));
        while let Some(here) = target {
            let page = spec().ask_v4("GET", here).by(&world.rae).gives(200);
            found.extend(page.each("id"));
            target = page.next();
        }
        found
    };
    assert_eq!(found("texts"), [shas[0].clone()]);
    assert_eq!(found("texts/a.md"), [shas[0].clone()]);
    assert_eq!(found("old%20name"), [shas[1].clone()]);
    assert_eq!(found("src"), [shas[1].clone()]);
    assert_eq!(found("src/new"), [] as [Value; 0]);
    assert_eq!(found("texts2"), [shas[2].clone()]);
    assert_eq!(found("long").len(), 3);
}
