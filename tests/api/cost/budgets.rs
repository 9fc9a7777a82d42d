//! The cost of requests of members of a private project with more than a page of each record.

use crate::imports::{asking, key, record, with};
use crate::reports::tests;
use crate::support::git::sha;
use crate::support::{Answer, Ask, Server, Visibility, World, alone, difference, spec, templates, unique};
use serde_json::{Value, json};
use std::fmt::Write;

const FILE: &str = "tests/api/cost/budgets.txt";

/// What requests cost. In-process the file has SQLite's instructions and rows written of each, exactly: the server has no
/// other requests. Over HTTP each has a bound for the rows that D1 bills, which depend on what other tests stored
/// before: the end of an index range counts as read once another project has an entry behind it, and an insert reads
/// SQLite's table of sequences up to its row.
struct Budgets {
    server: &'static Server,
    exact: String,
    /// The requests over HTTP that cost more than their bound.
    dear: Vec<String>,
}

impl Budgets {
    /// `most`: rows that D1 reads and writes.
    #[track_caller]
    fn costs(&mut self, ask: Ask, most: [u32; 2]) -> Answer {
        if self.server.is_in_process() {
            self.server.database().take_steps();
        }
        let answer = ask.send();
        assert!(answer.status < 300, "{}: {} {}", answer.what, answer.status, answer.text);
        let rows = ["rows_read", "rows_written"].map(|name| answer.figure(name));
        if self.server.is_in_process() {
            let (steps, _) = self.server.database().take_steps();
            writeln!(self.exact, "{steps:>12} {:>8}  {}", rows[1], answer.what).unwrap();
        } else if rows[0] > most[0] || rows[1] > most[1] {
            self.dear.push(format!("{}: {rows:?} of {most:?} rows read and written", answer.what));
        }
        answer
    }

    fn hold(self) {
        assert!(self.dear.is_empty(), "{:#?}", self.dear);
        if self.server.is_in_process() {
            let differs = difference(FILE, &format!("instructions  written  request\n{}", self.exact));
            assert!(
                differs.is_none(),
                "{}; if that is intended, run UPDATE_SNAPSHOTS=1 cargo test --test api budgets",
                differs.unwrap()
            );
        }
    }
}

/// 120 commits, 50 statuses of the tip, 50 issues with a label, a milestone and an assignee.
fn filled() -> World {
    let world = World::new(alone(), Visibility::Private);
    let tip = world.push_line(120);
    world.milestone("v1");
    let milestone = world.milestone("v2");
    world.post("/labels").by(&world.rae).json(json!({ "name": "bug", "color": "#ff0000" })).gives(201);
    for number in 0..50 {
        let fields = json!({ "title": format!("Issue {number}"), "labels": "bug", "milestone_id": milestone,
            "assignee_id": world.bob.id });
        world.post("/issues").by(&world.rae).json(fields).gives(200);
        let status = json!({ "state": "success", "name": format!("job {number}") });
        world.post(&format!("/statuses/{tip}")).by(&world.bob).json(status).gives(201);
    }
    world
}

#[test]
fn a_request_costs_a_page_and_not_a_project() {
    let world = filled();
    let (server, rae, bob) = (world.server, &world.rae, &world.bob);
    let mut budgets = Budgets { server, exact: String::new(), dear: Vec::new() };
    for (path, read) in [
        ("/issues", 560),
        ("/issues?state=opened", 560),
        // each issue also in the index that filters read
        ("/issues?labels=bug", 1010),
        ("/issues?milestone=v2", 940),
        ("/repository/commits", 630),
        (&format!("/repository/commits/{}", sha(77)), 26),
        (&format!("/repository/commits/{}/diff", sha(77)), 26),
        (&format!("/repository/commits/{}/comments", sha(77)), 44),
        ("/repository/branches", 50),
        (&format!("/repository/commits/{}/statuses", sha(120)), 870),
        ("", 30),
    ] {
        budgets.costs(world.get(path).by(rae), [read, 0]);
    }
    let names: String = (0..50).map(|number| format!("names[]=job+{number}&")).collect();
    let gate = format!("/repository/commits/{}/gate?{names}ref=master", sha(120));
    budgets.costs(world.v4("GET", &gate).by(rae), [400, 0]);
    budgets.costs(server.get("/user").by(rae), [12, 0]);
    budgets.costs(server.get("/application/settings").by(&world.root), [8, 0]);
    let made = budgets.costs(world.post("/issues").by(rae).json(json!({ "title": "One" })), [66, 14]);
    let issue = world.issue_path(&made.json);
    budgets.costs(server.get(&issue).by(rae), [30, 0]);
    budgets.costs(server.put(&issue).by(rae).json(json!({ "title": "Another" })), [170, 16]);
    budgets.costs(server.put(&issue).by(rae).json(json!({ "state_event": "close" })), [190, 21]);
    budgets.costs(server.post(format!("{issue}/notes")).by(rae).json(json!({ "body": "Well" })), [100, 17]);
    budgets.costs(server.get(format!("{issue}/notes")).by(rae), [112, 0]);
    for state in ["pending", "running", "success", "success"] {
        let status = world.post(&format!("/statuses/{}", sha(120))).by(bob);
        budgets.costs(status.form(&[("state", state), ("name", "one more")]), [52, 8]);
    }
    let of_issue = |kind: &str, number: usize| {
        let record = with(record(&world, kind), json!({ "key": key(number), "issue": 1000 }));
        if kind == "issue" { with(record, json!({ "iid": 1000 })) } else { record }
    };
    let notes: Vec<Value> = (0..50).map(|at| of_issue("note", 100 + at)).collect();
    for (records, most) in [(vec![of_issue("issue", 1)], [400, 60]), (notes.clone(), [2500, 500]), (notes, [800, 10])] {
        budgets.costs(asking(&world, &records), most);
    }
    budgets.hold();
}

/// The rows that each statement writes, with those of indexes, and SQLite's instructions.
#[test]
fn a_report_costs_its_row_and_a_view_of_it_no_history() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_objects(|_| {}), Visibility::Private);
    world.push_line(60);
    let names: Vec<String> = (0..2000).map(|number| format!("test {number}")).collect();
    let state = |number| if number < 200 { "failed" } else { "success" };
    let cases: Vec<_> = names.iter().enumerate().map(|(number, name)| (state(number), name.as_str())).collect();
    let cost = |ask: Ask| {
        world.server.database().take_steps();
        let answer = ask.send();
        assert!(answer.status < 300, "{}: {}", answer.what, answer.text);
        let (steps, _) = world.server.database().take_steps();
        (steps, answer.figure("rows_written"), answer.trips)
    };
    let mut pipeline = Value::Null;
    let mut last = (0, 0, 0);
    for commit in 1..=60 {
        let job = world.posted_job(&world.bob, commit, "tested", "failed");
        last = cost(world.reporting(job, "tests", &tests(&cases)).by(&world.bob));
        if commit == 60 {
            let shown = world.v4("GET", &format!("/jobs/{job}")).by(&world.rae).gives(200).json;
            pipeline = shown["pipeline"]["id"].clone();
        }
    }
    let views = ["test_report", "test_report_summary", "problems"];
    let views = views.map(|rest| cost(world.v4("GET", &format!("/pipelines/{pipeline}/{rest}")).by(&world.rae)));
    println!("instructions, rows written, trips: PUT of 2,000 cases {last:?}; {views:?}");
    let most =
        [(last, (40_000, 14, 2)), (views[0], (2000, 0, 1)), (views[1], (2000, 0, 1)), (views[2], (700_000, 0, 2))];
    for (cost, most) in most {
        assert!(cost.0 <= most.0 && cost.1 <= most.1 && cost.2 <= most.2, "{cost:?} of {most:?}");
    }
}

#[test]
fn what_is_written_most_is_written_in_one_trip() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(2);
    let issue = world.issue(&world.rae, json!({ "title": "t" }));
    let label = json!({ "title": "t", "labels": "a,b", "assignee_id": world.bob.id, "description": "for @root" });
    let line = json!({ "note": "n", "path": "f", "line": 1, "line_type": "new" });
    for (path, body, trips) in [
        (world.at(&format!("/statuses/{tip}")), json!({ "state": "success" }), 1),
        (world.at("/issues"), label, 1),
        (format!("{}/notes", world.issue_path(&issue)), json!({ "body": "for @root" }), 1),
        (world.at(&format!("/repository/commits/{tip}/comments")), json!({ "note": "n" }), 1),
        // the line is looked up in the diff
        (world.at(&format!("/repository/commits/{tip}/comments")), line, 2),
    ] {
        let post = || spec().post(&path).by(&world.bob).json(body.clone());
        assert_eq!(post().send().trips, trips, "{path}");
        let key = unique("key");
        let keyed = || post().header("Idempotency-Key", &key).send().trips;
        assert_eq!(keyed(), trips, "{path} with a key");
        // a repeat reads the first answer in an extra round trip
        assert!(keyed() <= trips + 1, "{path} with a key again");
        // a refusal may ask for its reason, and reads less
        let rows = |answer: &Answer| answer.figure("rows_read");
        let refused = spec().post(&path).by(&world.eve).json(body.clone()).send();
        assert!(refused.trips <= 2, "{path} by a stranger");
        assert!(rows(&refused) < rows(&post().send()), "{path} by a stranger");
    }
}

#[test]
fn todos_that_a_filter_leaves_out_cost_nothing() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let other = world.sibling(Visibility::Private);
    let [issue, elsewhere] = [&world, &other].map(|at| at.issue(&at.ann, json!({ "title": "t" }))["id"].clone());
    let [bob, ann, here, there] = [world.bob.id, world.ann.id, world.project.id, other.project.id];
    for filters in 0..8 {
        let reader = world.server.person("Reader");
        [&world, &other].into_iter().for_each(|at| at.admit(&reader, 30));
        let add = |count: u32, author: i64, place: (i64, &Value), action: &str, state: &str| {
            world.server.tamper(&format!(
                "with recursive n(n) as (select 1 union all select n + 1 from n where n < {count})
                insert into todos (user_id, author_id, project_id, issue_id, action, state, created_at, updated_at)
                select {}, {author}, {}, {}, '{action}', '{state}', 0, 0 from n",
                reader.id, place.0, place.1
            ));
        };
        let [by_author, by_project, by_action] = [1, 2, 4].map(|filter| filters & filter > 0);
        let asked = [
            (by_author, format!("&author_id={bob}")),
            (by_project, format!("&project_id={here}")),
            (by_action, "&action=mentioned".to_owned()),
        ];
        let query: String = asked.into_iter().filter(|asked| asked.0).map(|asked| asked.1).collect();
        let steps = || {
            let get = || world.server.get(format!("/todos?per_page=20&page=2{query}")).by(&reader).gives(200);
            get();
            world.server.database().take_steps();
            let answer = get();
            assert_eq!((answer.header("X-Total"), answer.each("id").len()), (Some("100"), 20), "{query}");
            world.server.database().take_steps()
        };
        add(100, bob, (here, &issue), "mentioned", "pending");
        let others = [
            (by_author, ann, (here, &issue), "mentioned"),
            (by_project, bob, (there, &elsewhere), "mentioned"),
            (by_action, bob, (here, &issue), "assigned"),
        ];
        let add_others = |count: u32| {
            add(count, bob, (here, &issue), "mentioned", "done");
            for (_, author, place, action) in others.into_iter().filter(|other| other.0) {
                add(count, author, place, action, "pending");
            }
        };
        add_others(1);
        let before = steps();
        add_others(500);
        assert_eq!(steps(), before, "{query}");
    }
}

#[test]
fn a_page_of_todos_costs_the_same_among_many_of_every_action() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }))["id"].clone();
    let reader = world.server.person("Reader");
    world.admit(&reader, 30);
    // these are not counted
    let add = |count: u32| {
        world.server.tamper(&format!(
            "with recursive n(n) as (select 1 union all select n + 1 from n where n < {count})
            insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
            select {}, {}, {}, {issue}, iif(n % 3, 'mentioned', 'assigned'), 0, 0 from n",
            reader.id, world.ann.id, world.project.id
        ));
    };
    add(10_100);
    let steps = || {
        let get = || world.server.get("/todos?per_page=20").by(&reader).gives(200);
        get();
        world.server.database().take_steps();
        let answer = get();
        let ids = answer.each("id");
        assert!(answer.header("X-Total").is_none() && ids.is_sorted_by(|a, b| a.as_i64() > b.as_i64()));
        world.server.database().take_steps().0
    };
    let before = steps();
    add(10_100);
    assert_eq!(steps(), before);
}

#[test]
fn a_page_of_what_is_searched_for_costs_the_same_among_many() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let (ann, project) = (world.ann.id, world.project.id);
    let crowd = world.server.post("/groups").by(&world.ann).json(json!({ "name": "Crowd", "path": "crowd" }));
    let crowd = crowd.gives(201).id();
    // this many people, groups, projects and tokens, from that number on
    let add = |from: i64, to: i64| {
        let numbers = format!("with recursive n(n) as (select {from} union all select n + 1 from n where n < {to})");
        world.server.tamper(&format!(
            "{numbers} insert into namespaces (id, kind, path, path_key) select 1000000 + n, 'user', 'p' || n, 'p' || n from n;
            {numbers} insert into users (id, username, name, email, email_key, created_at)
            select 1000000 + n, 'p' || n, 'P', n || '@example.org', n || '@example.org', 0 from n;
            {numbers} insert into namespaces (id, kind, path, path_key) select 2000000 + n, 'group', 'g' || n, 'g' || n from n;
            {numbers} insert into groups (id, name, path, visibility, created_at) select 2000000 + n, 'g' || n, 'g' || n, 20, 0 from n;
            {numbers} insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
            select 3000000 + n, {crowd}, {ann}, 'n' || n, 'n' || n, 'crowd/n' || n, 'crowd/n' || n, 'n', 0, 0, 0 from n;
            {numbers} insert into project_members (user_id, project_id, access, created_at, namespace_id)
            select 1000000 + n, id, 10, 0, namespace_id from n cross join projects where id = {project};
            {numbers} insert into tokens (hash, id, user_id, name, created_at, revoked_at) select 'x' || n, 4000000 + n, {ann}, 't' || n, 0, 1 from n;"
        ));
    };
    // instructions, counted from the second time on
    let steps = || {
        let mut told = Vec::new();
        for list in [
            "v3/users?search=zzz",
            "v3/projects/visible?search=zzz",
            "v3/groups?search=zzz",
            "v4/users?search=zzz",
            "v4/users?blocked=true",
            "v4/projects?search=zzz",
            "v4/projects?membership=true&search=zzz&order_by=updated_at",
            "v4/projects?visibility=public&order_by=path",
            "v4/groups?search=zzz",
            "v4/groups?skip_groups=1&order_by=id",
            "v4/personal_access_tokens?search=zzz",
            &format!("v4/groups/{crowd}/projects?search=zzz&order_by=name"),
            &format!("v3/projects/{project}/members?query=zzz"),
            &format!("v4/projects/{project}/members/all?query=zzz"),
        ] {
            let get = || {
                let ask = match list.strip_prefix("v3") {
                    Some(path) => world.server.get(path),
                    None => world.server.ask_v4("GET", list.trim_start_matches("v4")),
                };
                ask.by(&world.ann).gives(200);
                world.server.database().take_steps()
            };
            get();
            told.push((list.to_owned(), get()));
        }
        told
    };
    // more than a page by its number reads
    add(1, 10_300);
    let before = steps();
    add(10_301, 10_900);
    assert_eq!(steps(), before);
}

#[test]
fn a_list_of_old_commits_passes_over_so_many_newer_ones_and_no_more() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let project = world.project.id;
    // a commit a minute
    let add = |from: i64, to: i64| {
        let numbers = format!("with recursive n(n) as (select {from} union all select n + 1 from n where n < {to})");
        world.server.tamper(&format!(
            "{numbers} insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
              committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
            select n, {project}, printf('%040x', n), 'A', 'a@b.c', n * 60, 0, 'A', 'a@b.c', n * 60, 0, 'm', 0, 0, '[]', 'master' from n;
            {numbers} insert into parents (child_id, position, parent_id, parent_committed_at) select n, 0, n - 1, n * 60 - 60 from n where n > 1;
            insert into refs (project_id, name, commit_id) values ({project}, 'refs/heads/master', {to})
            on conflict (project_id, name) do update set commit_id = excluded.commit_id;
            update projects set default_branch = 'master' where id = {project};"
        ));
    };
    // up to the hundredth
    let list = || {
        let (mut pages, mut found) = (Vec::new(), Vec::new());
        let mut path = world.at("/repository/commits?until=1970-01-01T01:40:00Z&per_page=100");
        loop {
            let page = world.server.get(&path).by(&world.rae).gives(200);
            found.extend(page.each("id"));
            pages.push(world.server.database().take_steps().0);
            let Some(next) = page.next() else { break };
            path = next;
        }
        let wanted: Vec<Value> = (1..=100).rev().map(|number| json!(format!("{number:040x}"))).collect();
        assert_eq!(found, wanted);
        pages
    };
    add(1, 2_800);
    list();
    let before = list();
    add(2_801, 5_300);
    let after = list();
    assert_eq!((before.len(), after.len()), (2, 3));
    assert_eq!(before[0], after[0]);
}
