//! A database without an index of words gets one while people work and the Cron trigger is killed (behaviour 17).

use super::index::{fill, make, world};
use crate::support::v4::ask;
use crate::support::{Dice, Fault, World};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const WORKERS: u64 = 8;

/// The number of issues that were there before the index: ten thousand, or those of the variable.
fn issues() -> i64 {
    std::env::var("INDEXED_ISSUES").ok().map_or(10_000, |text| text.parse().expect("INDEXED_ISSUES"))
}

/// The kinds of records, each with the columns of its index.
const KINDS: [&str; 3] = ["issue", "note", "commit"];

/// Somebody makes, changes, comments on, hides and deletes issues, and finds what they have just written.
fn work(world: &World, seed: u64, is_over: &AtomicBool) -> u64 {
    let (mut dice, mut done) = (Dice(seed), 0);
    let path = |issue: &Value| format!("/issues/{}", issue["iid"]);
    while !is_over.load(Ordering::Relaxed) {
        let word = format!("w{:016x}", dice.number());
        let issue = make(world, json!({ "title": word, "description": "made while the index grows" }));
        let put = |fields: Value| ask(world, "PUT", &path(&issue)).by(&world.ann).json(fields).gives(200);
        let is_found = |word: &str, times: usize| {
            let found = ask(world, "GET", &format!("/issues?search={word}")).by(&world.ann).gives(200);
            assert_eq!(found.each("iid"), vec![issue["iid"].clone(); times], "{word}");
        };
        let body = json!({ "body": format!("{word} noted") });
        ask(world, "POST", &format!("{}/notes", path(&issue))).by(&world.ann).json(body).gives(201);
        match dice.roll(4) {
            0 => drop(put(json!({ "title": format!("{word} again") }))),
            1 => drop(put(json!({ "confidential": true }))),
            2 => drop(ask(world, "DELETE", &path(&issue)).by(&world.ann).gives(204)),
            _ => drop(put(json!({ "title": format!("{word} x"), "confidential": true }))),
        }
        let is_there = ask(world, "GET", &path(&issue)).by(&world.ann).send().status == 200;
        is_found(&word, usize::from(is_there));
        done += 1;
    }
    done
}

/// A copy of the index as it is: each token with its record and column.
fn keep(world: &World, kind: &str, as_name: &str) {
    world.server.tamper(&format!(
        "create virtual table if not exists temp.{kind}_terms using fts5vocab(main, {kind}_words, instance);
        drop table if exists temp.{as_name};
        create table temp.{as_name} as select term, doc, col from temp.{kind}_terms"
    ));
}

fn number(world: &World, sql: &str) -> i64 {
    world.server.rows(&format!("select json_quote(({sql})) as v"))[0].as_i64().unwrap()
}

#[test]
#[ignore = "a proof: make prove"]
fn an_old_database_is_indexed_exactly_while_people_work_and_the_cron_trigger_is_killed() {
    let Some(world) = world() else { return };
    let (world, before) = (&world, issues());
    fill(world, before, "'common word' || n % 97 || ' 日本語' || n % 13");
    world.server.tamper(
        "insert into notes (project_id, issue_id, author_id, created_at, updated_at, body)
        select project_id, id, author_id, 1, 1, 'note' || id % 89 from issues where id % 5 = 0",
    );
    for kind in KINDS {
        world.server.tamper(&format!(
            "delete from unindexed_{kind}s; update {kind}_index set below = (select coalesce(max(id), 0) + 1 from {kind}s)"
        ));
    }
    // only batches of this thread fail, which runs the Cron trigger: it ends before, in or after one
    let (cron, mut kills) = (std::thread::current().id(), 0);
    let left: &'static AtomicU64 = Box::leak(Box::default());
    world.server.database().break_down(move || {
        if std::thread::current().id() != cron || left.fetch_sub(1, Ordering::Relaxed) > 0 {
            return None;
        }
        kills += 1;
        Some([Fault::Before, Fault::During, Fault::After][kills % 3]("D1_ERROR: the process was killed"))
    });
    let (is_over, mut dice, mut kills, mut runs) = (AtomicBool::new(false), Dice(67), 0, 0);
    let is_old = "select exists (select 1 from issue_index x cross join issues i on i.id < x.below)";
    let done: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|seed| {
                let is_over = &is_over;
                scope.spawn(move || work(world, seed, is_over))
            })
            .collect();
        while number(world, is_old) == 1 {
            left.store(dice.roll(20.max(before as usize / 2500)) as u64, Ordering::Relaxed);
            kills += u64::from(world.server.try_to_index().is_err());
            runs += 1;
            // so that the others get their turns
            std::thread::sleep(Duration::from_millis(20));
        }
        is_over.store(true, Ordering::Relaxed);
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    world.server.database().mend();
    while world.server.index() != Default::default() {
        runs += 1;
    }
    let mut texts = 0;
    for kind in KINDS {
        assert_eq!(number(world, &format!("select count(*) from unindexed_{kind}s")), 0, "{kind}");
        keep(world, kind, "grown");
        world.server.tamper(&format!(
            "insert into {kind}_words ({kind}_words) values ('delete-all');
            update {kind}_index set below = (select coalesce(max(id), 0) + 1 from {kind}s)"
        ));
        while world.server.index() != Default::default() {}
        keep(world, kind, "anew");
        for (one, other) in [("grown", "anew"), ("anew", "grown")] {
            let differ = format!("select count(*) from (select * from temp.{one} except select * from temp.{other})");
            assert_eq!(number(world, &differ), 0, "{kind}: {one} has what {other} has not");
        }
        texts += number(world, "select count(distinct doc) from temp.anew");
    }
    let all = number(world, "select count(*) from issues where title like '% word96 %'");
    let found = ask(world, "GET", "/issues?search=common+word96").by(&world.ann).gives(200);
    assert_eq!(found.header("X-Total"), Some(&*all.to_string()));
    assert!(kills >= 10, "{kills} kills");
    println!(
        "{before} issues indexed in {runs} runs, {kills} of them killed, while {WORKERS} people wrote {done} more:"
    );
    println!("the index has {texts} texts, and each token that a new one has, and no other");
}
