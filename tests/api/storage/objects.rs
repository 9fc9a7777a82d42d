//! Long diffs in an object store (behaviour 7.3; docs/limits.md, "Diffs in R2"). Of the two shared servers one has such a
//! store and the other has everything in the database.

use crate::support::git::{Commit, commit, line, sha};
use crate::support::{Answer, Dice, Server, Visibility, World, gitlab, now, spec};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// A diff of that many added lines in one file, of which every line is another.
fn diff(path: &str, old_path: &str, lines: usize) -> String {
    let added: String = (1..=lines).map(|line| format!("+line {line} of ünï {path}\n")).collect();
    json!([{
        "diff": format!("--- a/{old_path}\n+++ b/{path}\n@@ -1 +1,{lines} @@\n{added} kept\n"), "new_path": path,
        "old_path": old_path, "a_mode": "100644", "b_mode": "100644", "new_file": false,
        "renamed_file": path != old_path, "deleted_file": false,
    }])
    .to_string()
}

/// Commits 1 to 4, whose diffs are empty, short, long, and very long.
fn history() -> Vec<Commit> {
    let diffs =
        ["[]".to_owned(), diff("short", "short", 1), diff("a/long", "b/old", 100), diff("c/very", "c/very", 40_000)];
    let commits = line(4).into_iter().zip(diffs);
    commits.map(|(commit, diff)| commit.with(|commit| commit.diff = diff)).collect()
}

fn world(server: &'static Server) -> World {
    let world = World::new(server, Visibility::Internal);
    world.push(&history(), &[("refs/heads/master", &sha(4))]);
    world
}

/// A server of the test's own with a store.
fn own() -> Option<&'static Server> {
    with(|_| {})
}

fn with(change: impl FnOnce(&mut edgeforge::Config)) -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::with_objects(change))
}

/// The answer to who asks for the diff of that commit.
fn diff_of(world: &World, number: u32, status: u16) -> Answer {
    world.get(&format!("/repository/commits/{}/diff", sha(number))).by(&world.rae).gives(status)
}

/// All diffs of the history as they are answered, with their tags.
fn diffs(world: &World) -> Vec<(Value, Option<String>)> {
    let diff = |number| diff_of(world, number, 200);
    (1..=4).map(diff).map(|answer| (answer.json.clone(), answer.header("ETag").map(str::to_owned))).collect()
}

/// How the keys of its database begin.
fn store(server: &Server) -> String {
    server.rows("select json_quote(store) as v from object_sweeps")[0].as_str().unwrap().to_owned()
}

/// Commits whose diffs are in the store, by the rows.
fn named(server: &Server) -> usize {
    server.rows("select json_quote(commit_id) as v from diffs where object is not null").len()
}

/// Bytes as the quota counts them, and as they are.
fn bytes(world: &World) -> (Value, Value) {
    let told = world.get("/mirror").by(&world.ann).gives(200).json["bytes"].clone();
    let counted = world.server.rows(&format!(
        "with own as (select * from commits where project_id = {0})
        select json_quote((select sum(100 + octet_length(c.message) + octet_length(c.author_name)
            + octet_length(c.author_email) + octet_length(c.committer_name) + octet_length(c.committer_email)
            + octet_length(c.parent_shas)) from own c)
          + (select sum(100 + octet_length(d.text) + coalesce(d.bytes, 0)) from diffs d where d.commit_id in (select id from own))
          + (select coalesce(sum(200 + 14 * octet_length(name)), 0) from refs where project_id = {0})
          + (select coalesce(sum(quota_bytes), 0) from events where project_id = {0})
          + (select 1000 + 15 * (octet_length(name) + octet_length(path)) from projects where id = {0})) as v",
        world.project.id
    ));
    (told, counted[0].clone())
}

/// Sweeps until nothing is left to do.
fn sweep(server: &Server, now: i64) {
    for _ in 0..1000 {
        if !server.sweep(now).unwrap().unfinished {
            return;
        }
    }
    panic!("no end");
}

/// The ids of a list, whose pages end earlier where diffs are long.
fn to_the_end(world: &World, path: &str) -> Vec<Value> {
    let (mut found, mut next) = (Vec::new(), Some(world.at(path)));
    while let Some(path) = next {
        let page = world.server.ask_v4("GET", path).by(&world.rae).gives(200);
        found.extend(page.each("id"));
        next = page.next();
    }
    found
}

#[test]
fn answers_are_the_same_wherever_a_diff_lies() {
    let (apart, within) = (world(spec()), world(gitlab()));
    for number in 1..=4 {
        let (a, b) = (diff_of(&apart, number, 200), diff_of(&within, number, 200));
        assert!(a.text == b.text && a.text == history()[number as usize - 1].diff, "{number}");
        for name in ["Content-Type", "Cache-Control"] {
            assert_eq!(a.header(name), b.header(name), "{number}: {name}");
        }
        // what goes out packed has a weak tag of the same text
        let [tag_a, tag_b] = [&a, &b].map(|answer| answer.header("ETag").unwrap().trim_start_matches("W/"));
        assert_eq!(tag_a, tag_b, "{number}");
        for query in ["", "?unidiff=true", "?per_page=1&page=1"] {
            let path = format!("/repository/commits/{}/diff{query}", sha(number));
            let [a, b] = [&apart, &within].map(|world| world.v4("GET", &path).by(&world.rae).gives(200));
            assert!(a.text == b.text, "{number}{query}");
            assert_eq!(a.header("ETag"), b.header("ETag"), "{number}{query}");
        }
    }
    for path in ["a", "a/long", "b/old", "c/very", "short", "b/o", "d", ""] {
        let path = format!("/repository/commits?path={path}");
        assert_eq!(to_the_end(&apart, &path), to_the_end(&within, &path), "{path}");
    }
    for (line, line_type) in [(7, "new"), (101, "new"), (7, "old"), (0, "new")] {
        let comment = json!({ "note": "n", "path": "a/long", "line": line, "line_type": line_type });
        let path = format!("/repository/commits/{}/comments", sha(3));
        let [a, b] =
            [&apart, &within].map(|world| world.post(&path).by(&world.rae).json(comment.clone()).gives(201).json);
        assert_eq!([&a["line"], &a["line_type"]], [&b["line"], &b["line_type"]], "{line} {line_type}");
    }
}

#[test]
fn only_long_diffs_leave_the_database() {
    let Some(server) = own() else { return };
    let world = world(server);
    let keys = server.bucket().keys();
    let begin = |number| format!("{}/{}/{}-", store(server), world.project.id, sha(number));
    assert_eq!(keys.len(), 2);
    assert!([3, 4].map(begin).iter().all(|begin| keys.iter().any(|key| key.starts_with(begin))), "{keys:?}");
    let rows = server.rows("select json_array(part, text) as v from diffs where object is not null order by commit_id");
    let paths = [json!([{ "new_path": "a/long", "old_path": "b/old" }]), json!([{ "new_path": "c/very" }])];
    for (row, paths) in rows.iter().zip(&paths) {
        assert_eq!(row[0], 0);
        assert_eq!(serde_json::from_str::<Value>(row[1].as_str().unwrap()).unwrap(), *paths);
    }
    let (told, counted) = bytes(&world);
    assert_eq!(told, counted);
    let whole: usize = history().iter().map(|commit| commit.diff.len()).sum();
    assert!(told.as_u64().unwrap() > whole as u64, "raw bytes count");
}

#[test]
fn whoever_is_refused_has_no_object_read() {
    let Some(server) = own() else { return };
    let world = World::new(server, Visibility::Private);
    world.push(&history(), &[("refs/heads/master", &sha(4))]);
    let path = format!("/repository/commits/{}/diff", sha(4));
    server.bucket().take_reads();
    world.get(&path).gives(401);
    world.get(&path).by(&world.eve).gives(404);
    world.v4("GET", &path).gives(404);
    assert_eq!(server.bucket().take_reads(), 0);
    // nor by callers that have the answer already or send HEAD
    let whole = diff_of(&world, 4, 200);
    assert_eq!(server.bucket().take_reads(), 1);
    let tag = whole.header("ETag").unwrap();
    assert_eq!(world.get(&path).by(&world.rae).header("If-None-Match", tag).send().status, 304);
    let head = server.ask("HEAD", world.at(&path)).by(&world.rae).gives(200);
    assert_eq!((head.header("ETag"), head.text.as_str()), (Some(tag), ""));
    assert_eq!(server.bucket().take_reads(), 0);
}

#[test]
fn what_the_store_does_not_take_is_not_named() {
    let Some(server) = own() else { return };
    let world = World::new(server, Visibility::Private);
    let wire: Vec<Value> = history().iter().map(Commit::wire).collect();
    let push = || world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire }));
    server.bucket().break_after(Some(1));
    push().gives(503);
    assert_eq!((named(server), server.rows("select json_quote(id) as v from commits").len()), (0, 0));
    server.bucket().break_after(None);
    push().gives(201);
    assert_eq!((named(server), server.bucket().keys().len()), (2, 3));
    // one of them nothing names; it goes when no push can be on its way any more
    sweep(server, now() + HOUR - 60_000);
    assert_eq!(server.bucket().keys().len(), 3);
    sweep(server, now() + HOUR + 60_000);
    assert_eq!(server.bucket().keys().len(), 2);
    diffs(&world);
}

#[test]
fn a_later_push_changes_neither_the_diff_nor_its_object() {
    let Some(server) = own() else { return };
    let world = world(server);
    let before = diffs(&world);
    let other = history()[2].clone().with(|commit| commit.diff = diff("other", "other", 200)).wire();
    // of a commit that comes twice the first counts
    let fifth = commit(5, &[4]).with(|commit| commit.diff = diff("first", "first", 50));
    let again = fifth.clone().with(|commit| commit.diff = diff("second", "second", 60)).wire();
    let commits = json!({ "commits": [other, fifth.wire(), again] });
    world.post("/mirror/commits").by(&world.ann).json(commits).gives(201);
    assert!(diffs(&world) == before);
    assert_eq!(diff_of(&world, 5, 200).text, fifth.diff);
    sweep(server, now() + 2 * HOUR);
    assert!(diffs(&world) == before);
    assert_eq!(diff_of(&world, 5, 200).text, fifth.diff);
    assert_eq!((server.bucket().keys().len(), named(server)), (3, 3));
}

#[test]
fn where_there_is_no_room_nothing_is_put() {
    let quotas = Quotas { project_bytes: 100_000, ..Quotas::default() };
    let Some(server) = with(|config| config.quotas = quotas) else { return };
    let world = World::new(server, Visibility::Private);
    let push = |commits: &[Commit], status| {
        let wire: Vec<Value> = commits.iter().map(Commit::wire).collect();
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(status)
    };
    let refused = push(&history(), 507);
    assert!(refused.json["message"].as_str().unwrap().contains("this project may have 100000 bytes"));
    assert!(server.bucket().keys().is_empty());
    push(&history()[..3], 201);
    assert_eq!(server.bucket().keys().len(), 1);
    assert_eq!(bytes(&world).0, bytes(&world).1);
}

#[test]
fn a_diff_that_was_forgotten_is_put_again_only_if_there_is_room() {
    let quotas = Quotas { project_bytes: 2_000_000, ..Quotas::default() };
    let Some(server) = with(|config| config.quotas = quotas) else { return };
    let world = World::new(server, Visibility::Private);
    let push = || {
        let wire = history()[3].wire();
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [wire] })).send().status
    };
    let wire: Vec<Value> = history()[..3].iter().map(Commit::wire).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    assert_eq!(push(), 201);
    world.delete(&format!("/mirror/commits/{}", sha(4))).by(&world.ann).gives(200);
    let keys = server.bucket().keys();
    let text = "x".repeat(700_000);
    for title in ["x", "y"] {
        let fields = json!({ "title": title, "description": text });
        world.v4("POST", "/milestones").by(&world.ann).json(fields).gives(201);
    }
    assert_eq!(push(), 507);
    assert_eq!(server.bucket().keys(), keys);
    let listed = world.v4("GET", "/milestones").by(&world.ann).gives(200);
    for id in listed.each("id") {
        world.v4("DELETE", &format!("/milestones/{id}")).by(&world.ann).gives(204);
    }
    assert_eq!(push(), 201);
}

#[test]
fn a_lost_object_is_missing_once_and_sent_anew() {
    let Some(server) = own() else { return };
    let world = world(server);
    let before = diffs(&world);
    for key in server.bucket().keys() {
        assert!(server.bucket().lose(&key));
    }
    // the first who asks for it, by either dialect or for one of its lines, makes the server forget it
    diff_of(&world, 3, 404);
    world.v4("GET", &format!("/repository/commits/{}/diff", sha(4))).by(&world.rae).gives(404);
    let forgotten = world.get("/mirror").by(&world.ann).gives(200).json["forgotten"].clone();
    assert_eq!(forgotten.as_array().map(Vec::len), Some(2));
    assert_eq!(bytes(&world).0, bytes(&world).1);
    assert_eq!(named(server), 0);
    let wire: Vec<Value> = history()[2..].iter().map(Commit::wire).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    assert!(diffs(&world) == before);
    assert_eq!(bytes(&world).0, bytes(&world).1);
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["forgotten"], json!([]));
}

#[test]
fn a_store_out_of_reach_loses_nothing() {
    let Some(server) = own() else { return };
    let world = world(server);
    let before = diffs(&world);
    server.bucket().break_after(Some(0));
    diff_of(&world, 3, 503);
    world.v4("GET", &format!("/repository/commits/{}/diff", sha(4))).by(&world.rae).gives(503);
    diff_of(&world, 2, 200);
    assert_eq!(named(server), 2);
    // without the binding no diff is lost either, but it cannot be read
    server.bucket().bind(false);
    diff_of(&world, 3, 503);
    assert_eq!(named(server), 2);
    server.bucket().bind(true);
    server.bucket().break_after(None);
    assert!(diffs(&world) == before);
}

#[test]
fn what_an_owner_takes_away_is_deleted_at_once() {
    let Some(server) = own() else { return };
    let world = world(server);
    world.delete(&format!("/mirror/commits/{}", sha(3))).by(&world.rae).gives(403);
    assert_eq!(server.bucket().keys().len(), 2);
    world.delete(&format!("/mirror/commits/{}", sha(3))).by(&world.ann).gives(200);
    assert_eq!(server.bucket().keys().len(), 1);
    diff_of(&world, 3, 404);
    assert_eq!(bytes(&world).0, bytes(&world).1);
    // a store that is out of reach keeps it until the sweep
    server.bucket().break_after(Some(0));
    world.delete(&format!("/mirror/commits/{}", sha(4))).by(&world.ann).gives(200);
    server.bucket().break_after(None);
    assert_eq!(server.bucket().keys().len(), 1);
    sweep(server, now() + 2 * HOUR);
    assert!(server.bucket().keys().is_empty());
}

#[test]
fn what_others_keep_in_the_bucket_stays() {
    let Some(server) = own() else { return };
    let world = world(server);
    let store = store(server);
    let within = ["", "7", "7/", "x/0a-1", "0/0a-1", "7/readme-first/x", "a/b/c-d"].map(|key| format!("{store}/{key}"));
    // another database's, to which this one's rows say nothing
    let other = format!("0123456789abcdef/{}/{}-f00", world.project.id, sha(3));
    let others = [within.as_slice(), &["backup.sql".to_owned(), "7/0a1b-f00".to_owned(), other]].concat();
    for key in &others {
        server.bucket().plant(key, 0);
    }
    let mine = format!("{store}/{}/{}-f00", world.project.id, sha(3));
    server.bucket().plant(&mine, 0);
    // more than one page of them
    for number in 0..1200 {
        server.bucket().plant(&format!("{store}/987654/0a1b-{number}"), 0);
    }
    sweep(server, now());
    let left = server.bucket().keys();
    assert!(!left.contains(&mine) && left.iter().all(|key| !key.contains("/987654/")), "{left:?}");
    assert!(others.iter().all(|other| left.contains(other)), "{left:?}");
    assert_eq!(left.len(), others.len() + 2);
    diffs(&world);
}

/// As `make restore` leaves a copy, on one bucket with its original.
#[test]
fn a_restored_database_reads_the_objects_of_its_original_and_deletes_only_its_own() {
    let Some(server) = own() else { return };
    let world = world(server);
    let (before, originals) = (diffs(&world), server.bucket().keys());
    server.tamper("update object_sweeps set own = '0123456789abcdef'");
    assert!(diffs(&world) == before);
    // neither by the sweep nor by an owner
    world.delete(&format!("/mirror/commits/{}", sha(3))).by(&world.ann).gives(200);
    sweep(server, now() + 2 * HOUR);
    assert_eq!(server.bucket().keys(), originals);
    let wire: Vec<Value> = history()[2..3].iter().map(Commit::wire).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    let is_own = |key: &&String| key.starts_with("0123456789abcdef/");
    assert_eq!(server.bucket().keys().iter().filter(is_own).count(), 1);
    assert!(diffs(&world) == before);
    world.delete(&format!("/mirror/commits/{}", sha(3))).by(&world.ann).gives(200);
    assert_eq!(server.bucket().keys(), originals);
    // what the sweep moves is its own, too
    server.bucket().bind(false);
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    server.bucket().bind(true);
    server.tamper("update object_sweeps set moved = 0");
    sweep(server, now());
    assert_eq!(server.bucket().keys().iter().filter(is_own).count(), 1);
    assert!(diffs(&world) == before);
}

#[test]
fn diffs_of_before_are_moved_in_runs_that_may_end_anywhere() {
    let Some(server) = own() else { return };
    server.bucket().bind(false);
    let world = world(server);
    let before = diffs(&world);
    assert!(named(server) == 0 && server.bucket().keys().is_empty());
    server.bucket().bind(true);
    // neither more than the store takes nor the database's answer to it is needed for a diff to be read
    for writes in [0, 1] {
        server.bucket().break_after(Some(writes));
        server.sweep(now()).unwrap_err();
        server.bucket().break_after(None);
        assert!(diffs(&world) == before && named(server) == 0);
    }
    sweep(server, now() + 1);
    assert_eq!(named(server), 2);
    assert!(diffs(&world) == before);
    assert_eq!(bytes(&world).0, bytes(&world).1);
    // of the very long one a single row is left
    assert_eq!(server.rows("select json_quote(part) as v from diffs").len(), 4);
    sweep(server, now() + 2 * HOUR);
    assert_eq!(server.bucket().keys().len(), 2);
    assert!(diffs(&world) == before);
    // there is nothing more to do
    let idle = server.sweep(now() + 2 * HOUR).unwrap();
    assert_eq!((idle.rows_written, idle.objects_moved, idle.objects_deleted), (0, 0, 0));
}

#[test]
fn what_is_taken_away_while_it_moves_does_not_come_back() {
    let Some(server) = own() else { return };
    server.bucket().bind(false);
    let world = world(server);
    server.bucket().bind(true);
    // between the objects and the rows
    let taken = format!("delete from diffs where commit_id in (select id from commits where sha = '{}')", sha(3));
    server.bucket().after_put(move || assert!(server.tamper(&taken)));
    sweep(server, now());
    diff_of(&world, 3, 404);
    diff_of(&world, 4, 200);
    assert_eq!(named(server), 1);
}

#[test]
fn the_objects_of_a_deleted_project_go_with_it_and_no_others() {
    let retention = Retention { deleted_projects: 30, ..Retention::default() };
    let Some(server) = with(|config| config.retention = retention) else { return };
    let (gone, stays) = (world(server), world(server));
    let before = diffs(&stays);
    gone.delete("").by(&gone.ann).gives(200);
    sweep(server, now() + 29 * DAY);
    assert_eq!(server.bucket().keys().len(), 4);
    // the store is away for a while
    for writes in [0, 1] {
        server.bucket().break_after(Some(writes));
        server.sweep(now() + 31 * DAY).unwrap_err();
    }
    server.bucket().break_after(None);
    sweep(server, now() + 31 * DAY);
    assert_eq!(server.bucket().keys().len(), 2);
    assert!(diffs(&stays) == before);
    assert!(server.rows("select json_quote(project_id) as v from project_remains").is_empty());
}

#[test]
fn whatever_happens_in_between_no_row_is_without_its_object_and_no_object_without_its_row() {
    let mut dice = Dice(18);
    for _ in 0..20 {
        let Some(server) = own() else { return };
        server.bucket().bind(dice.roll(2) == 0);
        let world = World::new(server, Visibility::Internal);
        let mut at = now();
        for number in 1..=12_u32 {
            let parents: &[u32] = if number > 1 { &[number - 1] } else { &[] };
            let lines = [0, 1, 30, 3000][dice.roll(4)];
            let made = commit(number, parents).with(|commit| {
                commit.diff = if lines == 0 { "[]".to_owned() } else { diff("f", "f", lines) };
            });
            let wire = json!({ "commits": [made.wire()] });
            server.bucket().break_after((dice.roll(3) == 0).then(|| dice.roll(2)));
            let pushed = world.post("/mirror/commits").by(&world.ann).json(wire.clone()).send();
            if dice.roll(3) == 0 {
                server.sweep(at).ok();
            }
            server.bucket().break_after(None);
            if pushed.status != 201 {
                world.post("/mirror/commits").by(&world.ann).json(wire).gives(201);
            }
            match dice.roll(6) {
                0 => server.bucket().bind(true),
                1 => {
                    server.sweep(at).ok();
                }
                2 => at += 2 * HOUR,
                _ => {}
            }
        }
        server.bucket().bind(true);
        sweep(server, at + 2 * HOUR + 60_000 + (now() - at).max(0));
        assert_eq!(server.bucket().keys().len(), named(server));
        for number in 1..=12 {
            diff_of(&world, number, 200);
        }
        assert_eq!(bytes(&world).0, bytes(&world).1);
    }
}

#[test]
fn a_diff_of_many_long_paths_lies_in_the_store_and_lists_find_every_path() {
    let Some(server) = own() else { return };
    let world = World::new(server, Visibility::Internal);
    let path = |number: usize| format!("some/directory/of/files/{number:05}");
    let entry = |number| {
        let old = if number % 1000 == 0 { format!("moved/{number}") } else { path(number) };
        json!({ "diff": "", "new_path": path(number), "old_path": old, "a_mode": null, "b_mode": null,
            "new_file": false, "renamed_file": false, "deleted_file": false })
    };
    let diff = json!((0..18_000).map(entry).collect::<Vec<_>>()).to_string();
    assert!(diff.len() > 2_000_000);
    let commits = [commit(1, &[]), commit(2, &[1]).with(|commit| commit.diff = diff.clone())];
    world.push(&commits, &[("refs/heads/master", &sha(2))]);
    assert_eq!(named(server), 1);
    assert_eq!(diff_of(&world, 2, 200).text, diff);
    for name in [path(0), path(17_999), "some/directory".to_owned(), "moved/17000".to_owned()] {
        let found = world.v4("GET", "/repository/commits").by(&world.rae).query("path", &name).gives(200);
        assert_eq!(found.each("id"), [json!(sha(2))], "{name}");
    }
    let page = world.v4("GET", &format!("/repository/commits/{}/diff?per_page=1", sha(2))).by(&world.rae).gives(200);
    assert_eq!(page.each("new_path"), [json!(path(0))]);
}
