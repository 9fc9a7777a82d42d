//! What the Cron trigger deletes (docs/limits.md, "Retention"). Each test has a server of its own.

use super::counters::disagreements;
use crate::hooks::hook;
use crate::support::git::{line, sha};
use crate::support::{Dice, Fault, Filled, Server, Visibility, World, now, spec};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use edgeforge::retention::{MOST_ROWS, MOST_STATEMENTS, SweepCounts};
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;

const ALL: Retention = Retention {
    deleted_projects: 30,
    ended_tokens: 30,
    idempotency_keys: 1,
    statuses: 30,
    events: 0,
    audit_events: 365,
    reports: 90,
};

fn server(retention: Retention) -> Option<&'static Server> {
    spec().is_in_process().then(|| Server::with(|config| config.retention = retention))
}

fn count(server: &Server, from: &str) -> i64 {
    server.rows(&format!("select json_quote(count(*)) as v from {from}"))[0].as_i64().unwrap()
}

/// Runs until a run has nothing left to do; what the runs did.
fn finish(server: &Server, now: i64) -> Vec<SweepCounts> {
    let mut runs = Vec::new();
    loop {
        let swept = server.sweep(now).unwrap();
        assert!(swept.rows_written <= MOST_ROWS && swept.statements <= MOST_STATEMENTS, "{swept:?}");
        runs.push(swept);
        if !swept.unfinished {
            return runs;
        }
        assert!(runs.len() < 1000, "no end");
    }
}

/// Every table's rows as texts, but for where a sweep stands, and for the indexes of words.
fn all_rows(server: &Server) -> Vec<(String, Vec<String>)> {
    let tables = server.rows("select json_quote(name) as v from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'sweeps' and name not like '%_words%' order by name");
    let rows = |table: &Value| {
        let table = table.as_str().unwrap();
        let columns = server.rows(&format!("select json_group_array(name) as v from pragma_table_info('{table}')"));
        let columns: Vec<&str> = columns[0].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let rows = server.rows(&format!("select json_array({}) as v from {table}", columns.join(", ")));
        let mut rows: Vec<String> = rows.iter().map(Value::to_string).collect();
        rows.sort();
        (table.to_owned(), rows)
    };
    tables.iter().map(rows).collect()
}

#[test]
fn nothing_ends_unless_the_deployment_says_so() {
    let Some(server) = server(Retention::default()) else { return };
    let scene = Filled::new(server);
    scene.world.delete("").by(&scene.world.ann).gives(200);
    let before = all_rows(server);
    let swept = server.sweep(now() + 10_000 * DAY).unwrap();
    assert_eq!(swept.rows_written, 0);
    assert!(all_rows(server) == before);
}

#[test]
fn a_number_of_days_beyond_all_time_ends_nothing() {
    let days = Retention {
        deleted_projects: i64::MAX,
        ended_tokens: i64::MAX,
        idempotency_keys: i64::MAX,
        statuses: i64::MAX,
        events: i64::MAX,
        audit_events: i64::MAX,
        reports: i64::MAX,
    };
    let Some(server) = server(days) else { return };
    let scene = Filled::new(server);
    scene.world.delete("").by(&scene.world.ann).gives(200);
    let before = all_rows(server);
    finish(server, now() + 10_000 * DAY);
    assert!(all_rows(server) == before);
}

#[test]
fn what_is_not_old_enough_stays() {
    let Some(server) = server(ALL) else { return };
    let scene = Filled::new(server);
    scene
        .world
        .post("/issues")
        .by(&scene.world.ann)
        .header("Idempotency-Key", "k")
        .json(json!({ "title": "t" }))
        .gives(200);
    scene.world.post("/statuses/master").by(&scene.world.bob).json(json!({ "state": "success" })).gives(201);
    scene.world.post("/statuses/master").by(&scene.world.bob).json(json!({ "state": "failed" })).gives(201);
    scene.world.delete("").by(&scene.world.ann).gives(200);
    let before = all_rows(server);
    finish(server, now() + DAY - 60_000);
    assert!(all_rows(server) == before);
    finish(server, now() + 30 * DAY - 60_000);
    assert_eq!(count(server, "idempotency_keys"), 0);
    let pairs = before.iter().zip(all_rows(server));
    let changed: Vec<String> = pairs.filter(|(one, other)| *one != other).map(|(_, (table, _))| table).collect();
    assert_eq!(changed, ["idempotency_keys", "shares", "stored"]);
}

#[test]
fn tokens_that_ended_go_and_others_stay() {
    let Some(server) = server(Retention { ended_tokens: 30, ..Retention::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    server.tamper("update tokens set expires_at = null, revoked_at = null");
    server.tamper("drop trigger tokens_of_user_end");
    let kept = count(server, "tokens");
    let later = now() + 100 * DAY;
    let many = |from: i64, expires: &str, revoked: &str| {
        server.tamper(&format!(
            "insert into tokens (hash, id, user_id, name, created_at, expires_at, revoked_at)
            with recursive n (n) as (select {from} union all select n + 1 from n where n < {from} + 999)
            select 'hash ' || n, 1000000 + n, {}, 't', 1, {expires}, {revoked} from n",
            world.ann.id
        ));
    };
    many(0, &(later - 30 * DAY - 1).to_string(), "null");
    many(1000, "null", &(later - 30 * DAY - 1).to_string());
    many(2000, &(later - 30 * DAY + 1).to_string(), "null");
    many(3000, &(later + DAY).to_string(), &(later - DAY).to_string());
    finish(server, later);
    assert_eq!(count(server, "tokens"), kept + 2000);
    // the id of a token never names another
    let path = format!("/users/{}/personal_access_tokens", world.ann.id);
    server.tamper("delete from tokens where id >= 1000000");
    let new = server.post(path).by(&server.root()).json(json!({ "name": "new" })).gives(201);
    assert_eq!(new.json["id"], 1_003_000 + 1000);
    world.get("/issues").by(&world.ann).gives(200);
}

#[test]
fn old_statuses_go_but_the_newest_of_a_name() {
    let Some(server) = server(Retention { statuses: 30, ..Retention::default() }) else { return };
    let world = World::new(server, Visibility::Private);
    world.push(&line(3), &[("refs/heads/master", &sha(3)), ("refs/tags/v1", &sha(3))]);
    let post = |number: u32, name: &str, git_ref: &str, state: &str| {
        let fields = json!({ "state": state, "name": name, "ref": git_ref });
        world.post(&format!("/statuses/{}", sha(number))).by(&world.bob).json(fields).gives(201).id()
    };
    let mut newest = Vec::new();
    for (number, name, git_ref) in
        [(1, "a", "master"), (2, "a", "master"), (3, "a", "master"), (3, "b", "v1"), (3, "a", "v1")]
    {
        for state in ["failed", "canceled", "success", "failed"] {
            post(number, name, git_ref, state);
        }
        newest.push(post(number, name, git_ref, "success"));
    }
    let deployed = json!({ "environment": "e", "sha": sha(2), "ref": "master", "status": "success" });
    world.post("/deployments").by(&world.ann).json(deployed).gives(201);
    let shown = |number: u32| world.get(&format!("/repository/commits/{}", sha(number))).by(&world.ann).gives(200).json;
    let heads = |number: u32| {
        world.get(&format!("/repository/commits/{}/statuses", sha(number))).by(&world.ann).gives(200).json
    };
    // one is younger than the others, and of a name that has a newer one
    let young = post(1, "young", "master", "failed");
    post(1, "young", "master", "success");
    server.tamper(&format!("update statuses set created_at = created_at - 40 * {DAY} where id < {young}"));
    let before: Vec<Value> = (1..=3).flat_map(|number| [shown(number), heads(number)]).collect();
    let (all, deployments) = (count(server, "statuses"), count(server, "deployments"));
    let runs = finish(server, now());
    assert!(runs.iter().any(|run| run.rows_written > 0));
    assert_eq!(count(server, "statuses"), all - 4 * 5, "of each five the newest is left");
    assert_eq!(count(server, "deployments"), deployments);
    let after: Vec<Value> = (2..=3).flat_map(|number| [shown(number), heads(number)]).collect();
    assert!(before[2..] == after[..]);
    let posted = "select json_array(n.commit_id, n.ref, n.posted) as v from status_counts n where n.posted <>
      (select count(*) from statuses s where s.commit_id = n.commit_id and s.ref = n.ref)";
    assert_eq!(server.rows(posted), Vec::<Value>::new());
    let posted = "select json_array(h.commit_id, h.ref, h.name, h.posted) as v from status_heads h where h.posted <>
      (select count(*) from statuses s where s.commit_id = h.commit_id and s.ref = h.ref and s.name = h.name)";
    assert_eq!(server.rows(posted), Vec::<Value>::new());
    assert_eq!(disagreements(server), Vec::<Value>::new());
    let list = world.get(&format!("/repository/commits/{}/statuses?all=true", sha(1))).by(&world.ann).gives(200);
    assert_eq!(list.json.as_array().unwrap().len(), 3);
    assert_eq!(list.header("X-Total"), Some("3"));
    assert!(newest.iter().all(|id| count(server, &format!("statuses where id = {id}")) == 1));
    // what is no more the newest goes with a later run
    post(3, "b", "v1", "failed");
    finish(server, now());
    assert_eq!(count(server, &format!("statuses where id = {}", newest[3])), 0);
}

/// Two projects with one of everything, of which the first is deleted.
fn two_projects(server: &'static Server) -> [Filled; 2] {
    let scenes = [Filled::new(server), Filled::new(server)];
    for scene in &scenes {
        let world = &scene.world;
        for number in 0..12 {
            let fields =
                json!({ "title": format!("issue {number}"), "labels": "bug,x", "confidential": number % 3 == 0 });
            let issue = world.issue(&world.ann, fields);
            world.comment(&world.ann, &issue, "words");
            world.post(&format!("/issues/{}/subscription", issue["id"])).by(&world.rae).send();
        }
        for state in ["failed", "success"] {
            world.post("/statuses/master").by(&world.bob).json(json!({ "state": state })).gives(201);
        }
        let note = json!({ "note": "a word" });
        world.post(&format!("/repository/commits/{}/comments", sha(1))).by(&world.ann).json(note).gives(201);
        world.post("/hook_tokens").by(&world.ann).json(json!({ "name": "h" })).send();
        // two issues changed places
        let there = json!({ "to_project_id": scene.other.project.id });
        world.post(&format!("/issues/{}/move", scene.issue)).by(&world.ann).json(there).send();
        let moved = scene.other.issue(&world.ann, json!({ "title": "m" }));
        let here = json!({ "to_project_id": world.project.id });
        scene.other.post(&format!("/issues/{}/move", moved["id"])).by(&world.ann).json(here).send();
    }
    scenes[0].world.delete("").by(&scenes[0].world.ann).gives(200);
    scenes
}

/// What is left of a project in tables that say whose their rows are.
fn left_of(server: &Server, project: i64) -> Vec<(String, i64)> {
    server.index();
    let tables = server.rows(
        "select json_quote(t.name) as v from sqlite_schema t join pragma_table_info(t.name) c
      where t.type = 'table' and c.name = 'project_id'",
    );
    let left = tables.iter().map(|table| {
        let table = table.as_str().unwrap();
        (table.to_owned(), count(server, &format!("{table} where project_id = {project}")))
    });
    // the row of the project itself stays, and counts
    left.filter(|(table, rows)| *rows > 0 && table != "storage").collect()
}

#[test]
fn what_hung_on_a_deleted_project_goes_and_nothing_else() {
    let Some(server) = server(ALL) else { return };
    let [gone, stays] = two_projects(server);
    let project = gone.world.project.id;
    let of_other = left_of(server, stays.world.project.id);
    assert!(left_of(server, project).len() > 15, "{:?}", left_of(server, project));
    // what is no project's is swept, too, of both
    finish(server, now() + 31 * DAY);
    assert_eq!(left_of(server, project), []);
    let statuses = |left: &(String, i64)| left.0 != "statuses" && left.0 != "tokens";
    let expected: Vec<_> = of_other.into_iter().filter(statuses).collect();
    let is: Vec<_> = left_of(server, stays.world.project.id).into_iter().filter(statuses).collect();
    assert_eq!(is, expected);
    assert_eq!(disagreements(server), Vec::<Value>::new());
    assert_eq!(
        server.rows(&format!(
            "select json_quote(s.bytes - p.quota_bytes) as v from storage s join projects p on p.id = s.project_id where p.id = {project}"
        )),
        [json!(0)]
    );
    assert_eq!(count(server, "commits c left join projects p on p.id = c.project_id where p.purged_at is not null"), 0);
    assert_eq!(count(server, "diffs d left join commits c on c.id = d.commit_id where c.id is null"), 0);
    stays.world.get("/issues").by(&stays.world.ann).gives(200);
    gone.world.get("/issues").by(&gone.world.ann).gives(404);
    server.ask_v4("POST", gone.world.at("/restore")).by(&gone.world.root).gives(404);
    // and nothing is left to do
    assert!(finish(server, now() + 31 * DAY).iter().all(|run| run.rows_written <= 4));
}

#[test]
fn of_several_projects_that_end_together_nothing_is_left() {
    let Some(server) = server(ALL) else { return };
    let worlds = [(); 3].map(|()| World::new(server, Visibility::Private));
    for world in &worlds {
        world.push_line(2);
        let issue = world.issue(&world.ann, json!({ "title": "t", "description": "text", "labels": "bug" }));
        world.comment(&world.ann, &issue, "words");
    }
    // without labels and milestones no foreign key notices
    let plain = World::new(server, Visibility::Private);
    plain.issue(&plain.ann, json!({ "title": "t", "description": "text" }));
    for world in worlds.iter().chain([&plain]) {
        world.delete("").by(&world.ann).gives(200);
    }
    finish(server, now() + 31 * DAY);
    for world in worlds.iter().chain([&plain]) {
        assert_eq!(left_of(server, world.project.id), []);
    }
    assert_eq!(disagreements(server), Vec::<Value>::new());
}

#[test]
fn a_full_project_whose_token_ends_soon_stops_no_sweep() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { project_bytes: 1_000_000, ..Quotas::default() };
    let server = Server::with(|config| (config.retention, config.quotas) = (ALL, quotas));
    let [full, gone] = [(); 2].map(|()| World::new(server, Visibility::Private));
    hook(&full, json!({ "resource_access_token_events": true }));
    let token = json!({ "name": "t", "scopes": ["api"] });
    full.v4("POST", "/access_tokens").by(&full.ann).json(token).gives(201);
    let later = now() + 31 * DAY;
    server.tamper(&format!("update tokens set expires_at = {} where kind = 'project'", later + 3 * DAY));
    server.tamper(&format!("update storage set bytes = 999999 where project_id = {}", full.project.id));
    gone.issue(&gone.ann, json!({ "title": "t" }));
    gone.delete("").by(&gone.ann).gives(200);
    finish(server, later);
    assert_eq!(left_of(server, gone.project.id), []);
    assert_eq!(count(server, "hook_events"), 0);
}

#[test]
fn a_step_that_fails_stops_no_other_step_of_a_sweep() {
    let Some(server) = server(ALL) else { return };
    let gone = World::new(server, Visibility::Private);
    gone.issue(&gone.ann, json!({ "title": "t" }));
    gone.delete("").by(&gone.ann).gives(200);
    server.tamper(
        "insert into hook_chains values ('c', 1, 'c', 0);
         create trigger fault before delete on hook_chains begin select raise(abort, 'a fault'); end",
    );
    assert!(server.sweep(now() + 31 * DAY).is_err());
    assert_eq!(left_of(server, gone.project.id), []);
}

#[test]
fn a_run_that_is_killed_anywhere_is_gone_on_with() {
    let Some(whole) = server(ALL) else { return };
    let scenes = two_projects(whole);
    let later = now() + 31 * DAY;
    finish(whole, later);
    let tables: Vec<(String, usize)> = all_rows(whole).into_iter().map(|(table, rows)| (table, rows.len())).collect();
    let project = scenes[0].world.project.id;
    for lost in [0, 1, 2] {
        let Some(server) = server(ALL) else { return };
        two_projects(server);
        // one batch in four fails: before, during or after it
        let mut dice = Dice(1 + lost as u64);
        server.database().break_down(move || {
            let text = "D1_ERROR: Network connection lost.";
            (dice.roll(4) == 0).then_some([Fault::Before(text), Fault::During(text), Fault::After(text)][lost])
        });
        let mut killed = 0;
        while server.sweep(later).map_or(true, |swept| swept.unfinished) {
            killed += 1;
            assert!(killed < 1000, "no end");
        }
        assert!(killed > 3);
        server.database().mend();
        finish(server, later);
        let same: Vec<(String, usize)> =
            all_rows(server).into_iter().map(|(table, rows)| (table, rows.len())).collect();
        assert_eq!(same, tables);
        assert_eq!(left_of(server, project), []);
        assert_eq!(disagreements(server), Vec::<Value>::new());
    }
}

#[test]
fn a_run_writes_no_more_than_its_share_however_much_there_is() {
    let Some(server) = server(ALL) else { return };
    let world = World::new(server, Visibility::Private);
    let tip = world.push_line(2);
    world.post(&format!("/statuses/{tip}")).by(&world.bob).json(json!({ "state": "failed" })).gives(201);
    server.tamper(&format!(
        "insert into statuses (project_id, commit_id, ref, name, user_id, state, created_at)
        with recursive n (n) as (select 1 union all select n + 1 from n where n < 20000)
        select s.project_id, s.commit_id, s.ref, s.name, s.user_id, 'failed', {} from n cross join (select * from statuses limit 1) s",
        now() - 40 * DAY
    ));
    let runs = finish(server, now());
    assert!(runs.len() > 3, "{runs:?}");
    assert_eq!(count(server, "statuses"), 2, "the newest, and the one of today");
    assert_eq!(disagreements(server), Vec::<Value>::new());
}
