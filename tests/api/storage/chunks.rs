//! Changes of very many rows: each statement changes at most some thousand, no row is left out, and a later request completes
//! what an earlier one did not finish.

use crate::support::git::{commit, sha};
use crate::support::{Answer, Ask, Server, Visibility, World};
use serde_json::{Value, json};

/// Rows that one statement changes at most. SQLite does not count those of indexes, of which the platform counts each.
const MOST: u64 = 2200;

struct Scene {
    server: &'static Server,
    world: World,
}

impl Scene {
    fn new() -> Scene {
        let server = Server::with(|_| {});
        Scene { server, world: World::new(server, Visibility::Private) }
    }

    /// Inserts for each number `n` from 1 to `most`; `u`: the namespace of ann.
    fn many(&self, most: u32, insert: &str, select: &str) {
        let numbers = format!("with recursive n(n) as (select 1 union all select n + 1 from n where n < {most})");
        let ann = self.world.ann.id;
        let from = format!("n cross join namespaces u where u.id = {ann}");
        self.server.tamper(&format!("insert into {insert} {numbers} select {select} from {from}"));
    }

    fn count(&self, from: &str) -> i64 {
        self.server.rows(&format!("select json_quote(count(*)) as v from {from}"))[0].as_i64().unwrap()
    }

    /// Sends the request and checks that it changed the rows in chunks. Returns the answer and the number of statements.
    #[track_caller]
    fn in_chunks(&self, ask: Ask, status: u16) -> (Answer, usize) {
        self.server.database().record();
        let answer = ask.send();
        assert_eq!(answer.status, status, "{}: {}", answer.what, answer.text);
        let recorded = self.server.database().recorded();
        let worst = recorded.iter().max_by_key(|(_, answer)| answer.rows_written).unwrap();
        assert!(worst.1.rows_written <= MOST, "{} rows: {}", worst.1.rows_written, worst.0.sql);
        (answer, recorded.len())
    }

    /// From now on [`Scene::rewritten`] knows each update of an issue.
    fn watch_issues(&self) {
        self.server.tamper(
            "create temp table rewritten (bytes integer);
            create temp trigger issues_rewritten after update on main.issues begin
              insert into rewritten values (coalesce(octet_length(new.description), 0));
            end",
        );
    }

    /// The bytes of descriptions that updates of issues wrote again.
    fn rewritten(&self) -> i64 {
        let sum = self.server.rows("select json_quote(coalesce(sum(bytes), 0)) as v from rewritten");
        self.server.tamper("delete from rewritten");
        sum[0].as_i64().unwrap()
    }

    /// Issues with the label 70 and the milestone 80, and these.
    fn issues(&self, most: u32) {
        let (project, author) = (self.world.project.id, self.world.ann.id);
        self.server.tamper(&format!(
            "insert into labels (id, project_id, title, color, created_at) values (70, {project}, 'bug', '#428BCA', 1);
            insert into milestones (id, project_id, iid, title, created_at, updated_at) values (80, {project}, 1, 'v1', 1, 1)"
        ));
        self.many(
            most,
            "issues (project_id, iid, author_id, milestone_id, title, created_at, updated_at)",
            &format!("{project}, n, {author}, 80, 'One', n, n"),
        );
        self.server.tamper(
            "insert into issue_labels (issue_id, label_id, section, created_at) select id, 70, section, created_at from issues",
        );
    }
}

#[test]
fn a_label_leaves_thousands_of_issues_in_portions() {
    let scene = Scene::new();
    scene.issues(2500);
    let delete = || scene.world.delete("/labels?name=bug").by(&scene.world.ann);
    scene.in_chunks(delete(), 200);
    assert_eq!((scene.count("issue_labels"), scene.count("labels")), (0, 0));
    let (_, statements) = scene.in_chunks(delete(), 404);
    assert!(statements <= 6, "{statements} statements for a label that is not there");
    assert_eq!(super::counters::disagreements(scene.server), Vec::<Value>::new());
}

#[test]
fn a_milestone_leaves_thousands_of_issues_in_portions() {
    let scene = Scene::new();
    scene.issues(1500);
    let delete = || {
        scene
            .server
            .ask_v4("DELETE", format!("/projects/{}/milestones/80", scene.world.project.id))
            .by(&scene.world.ann)
    };
    scene.in_chunks(delete(), 204);
    assert_eq!(scene.count("issues where milestone_id is not null"), 0);
    let (_, statements) = scene.in_chunks(delete(), 404);
    assert!(statements <= 5, "{statements} statements for a milestone that is not there");
    assert_eq!(super::counters::disagreements(scene.server), Vec::<Value>::new());
}

#[test]
fn a_milestone_leaves_issues_with_long_descriptions_a_few_at_a_time() {
    let scene = Scene::new();
    scene.issues(200);
    scene.server.tamper(&format!("update issues set description = printf('%0{LONG}d', 0)"));
    scene.server.database().record();
    let path = format!("/projects/{}/milestones/80", scene.world.project.id);
    scene.server.ask_v4("DELETE", path).by(&scene.world.ann).gives(204);
    let recorded = scene.server.database().recorded();
    // each issue changes the counters of its milestone
    let issues = recorded.iter().filter(|(statement, _)| statement.sql.contains("milestone_id = null"));
    let most = issues.map(|(_, answer)| answer.rows_written / 2).max().unwrap();
    assert_eq!((most, scene.count("issues where milestone_id is not null")), (10, 0));
    assert_eq!(super::counters::disagreements(scene.server), Vec::<Value>::new());
}

/// As one is left that was on too many issues for one request.
#[test]
fn who_deletes_a_deleted_milestone_again_goes_on() {
    let scene = Scene::new();
    scene.issues(3);
    scene.server.tamper("update milestones set iid = -iid, title = printf('%0300d', id)");
    let path = format!("/projects/{}/milestones/80", scene.world.project.id);
    scene.server.ask_v4("DELETE", path.as_str()).by(&scene.world.gus).gives(403);
    assert_eq!(scene.count("issues where milestone_id is not null"), 3);
    scene.server.ask_v4("DELETE", path.as_str()).by(&scene.world.ann).gives(404);
    assert_eq!(scene.count("issues where milestone_id is not null"), 0);
}

#[test]
fn a_group_with_thousands_of_projects_gets_another_name_and_path_at_once() {
    let scene = Scene::new();
    let ann = &scene.world.ann;
    let group = scene.server.post("/groups").by(ann).json(json!({ "name": "Old", "path": "old" })).gives(201).id();
    let others =
        scene.server.post("/groups").by(ann).json(json!({ "name": "Older", "path": "old-er" })).gives(201).id();
    let columns = "projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)";
    for (first, of, path) in [(1_000_000, group, "old"), (2_000_000, others, "old-er")] {
        let most = if of == group { 3000 } else { 3 };
        scene.many(
            most,
            columns,
            &format!(
                "{first} + n, {of}, {}, 'P' || n, 'P' || n, '{path}/P' || n, '{path}/p' || n, '? / P' || n, 0, n, n",
                ann.id
            ),
        );
    }
    scene.server.tamper("update projects set deleted_at = 5, path_key = '/' || id where id = 1000002");
    let rename = |fields| {
        let path = format!("/groups/{group}");
        let (answer, _) = scene.in_chunks(scene.server.put(path).by(ann).json(fields), 200);
        answer.json
    };
    let names = |of: i64| {
        scene.count(&format!(
            "projects where namespace_id = {of} and path_key = lower(full_path) and deleted_at is null"
        ))
    };
    let shown = |path: &str| scene.server.get(format!("/projects/{path}")).by(ann).send();
    // another path, the same in other letters, another name, and one whose path begins as the old one did
    for (fields, path, name) in [
        (json!({ "path": "next" }), "next", "Old"),
        (json!({ "path": "NEXT" }), "NEXT", "Old"),
        (json!({ "name": "New" }), "NEXT", "New"),
        (json!({ "name": "Last", "path": "next-er" }), "next-er", "Last"),
    ] {
        rename(fields);
        let answer = shown(&format!("{path}%2Fp3000"));
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.json["path_with_namespace"], json!(format!("{path}/P3000")));
        assert_eq!(answer.json["name_with_namespace"], json!(format!("{name} / P3000")));
        assert_eq!((names(group), names(others)), (2999, 3));
        assert_eq!(
            scene.count(&format!("projects where full_path like '{path}/%' and full_name like '{name} / %'")),
            2999
        );
    }
    assert_eq!(shown("next%2Fp3000").status, 404);
    assert_eq!(shown("old-er%2Fp3").json["name_with_namespace"], json!("? / P3"), "another group's");
}

/// A group with these projects, each with so many living tokens that have their own users.
fn group(scene: &Scene, projects: u32, tokens: u32) -> String {
    let ann = &scene.world.ann;
    let fields = json!({ "name": "Old", "path": "old", "visibility_level": 20 });
    let group = scene.server.post("/groups").by(ann).json(fields).gives(201).id();
    let columns = "projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)";
    scene.many(projects, columns, &format!("1000000 + n, {group}, {}, 'P' || n, 'P' || n, 'old/P' || n, 'old/p' || n, 'Old / P' || n, n % 2 * 10, n, n", ann.id));
    scene.server.tamper(&format!("update groups set projects_count = {projects} where id = {group}"));
    let columns = "namespaces (id, kind, path, path_key)";
    scene.many(projects * tokens, columns, "-1000000 - n, 'user', 'bot' || n, 'bot' || n");
    let columns = "users (id, username, name, email, email_key, created_at)";
    scene.many(projects * tokens, columns, "-1000000 - n, 'bot' || n, 'Bot', n || '@b', n || '@b', 1");
    let columns = "tokens (hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at)";
    let row = format!(
        "'hash' || n, 1000000 + n, {}, 'project', 1000001 + (n - 1) / {tokens}, -1000000 - n, 4, 30, 't', n, 9000000000000",
        ann.id
    );
    scene.many(projects * tokens, columns, &row);
    format!("/groups/{group}")
}

/// Living tokens, active users of tokens and projects of the groups.
fn left_of_groups(scene: &Scene) -> [i64; 3] {
    [
        "tokens where revoked_at is null and kind = 'project'",
        "users where id < -1000000 and state = 'active'",
        "projects where id > 1000000 and deleted_at is null",
    ]
    .map(|from| scene.count(from))
}

#[test]
fn a_group_goes_with_thousands_of_tokens_of_its_projects() {
    let scene = Scene::new();
    let path = group(&scene, 3, 1000);
    scene.in_chunks(scene.server.ask_v4("DELETE", path.as_str()).by(&scene.world.ann), 202);
    assert_eq!(left_of_groups(&scene), [0; 3]);
    scene.server.ask_v4("GET", path).by(&scene.world.ann).gives(404);
    assert_eq!(super::counters::disagreements(scene.server), Vec::<Value>::new());
}

/// Where the database is slow, a request ends after the first batch.
#[test]
fn a_group_that_is_deleted_again_goes_on_with_its_projects() {
    let scene = Scene::new();
    let path = group(&scene, 250, 1);
    let delete = || scene.server.ask_v4("DELETE", path.as_str()).by(&scene.world.ann);
    // two projects get further tokens, so that the three steps for 250 projects do not do
    scene.many(
        200,
        "tokens (hash, id, user_id, kind, project_id, scopes, name, created_at)",
        &format!("'more' || n, 2000000 + n, {}, 'hook', 1000002 + n % 2, 64, 'h', n", scene.world.ann.id),
    );
    scene.server.database().cost(1500.0);
    let text = "Group still has projects: delete it again, until all of them are gone";
    delete().refused(409, json!({ "message": text }));
    let [.., projects] = left_of_groups(&scene);
    assert!((1..250).contains(&projects), "{projects}");
    scene.server.ask_v4("GET", path.as_str()).by(&scene.world.ann).gives(200);
    scene.server.database().cost(0.0);
    delete().gives(202);
    assert_eq!(left_of_groups(&scene), [0; 3]);
    scene.server.ask_v4("GET", path.as_str()).by(&scene.world.ann).gives(404);
}

#[test]
fn who_has_thousands_of_projects_gets_another_name_at_once() {
    let scene = Scene::new();
    let ann = &scene.world.ann;
    let columns = "projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)";
    scene.many(
        3000,
        columns,
        &format!(
            "1000000 + n, {0}, {0}, 'P' || n, 'P' || n, u.path || '/P' || n, u.path_key || '/p' || n, 'x', 0, n, n",
            ann.id
        ),
    );
    scene.server.tamper(&format!("update users set projects_count = projects_count + 3000 where id = {}", ann.id));
    let path = format!("/users/{}", ann.id);
    scene.in_chunks(
        scene.server.put(path).by(&scene.server.cast().root).json(json!({ "username": "anna", "name": "Anna" })),
        200,
    );
    assert_eq!(
        scene.count(
            "projects where full_path like 'anna/P%' and path_key = lower(full_path) and full_name like 'Anna / P%'"
        ),
        3000
    );
}

#[test]
fn an_issue_takes_thousands_of_comments_along_in_their_order() {
    let scene = Scene::new();
    let target = scene.world.sibling(Visibility::Private);
    let issue = scene.world.issue(&scene.world.ann, json!({ "title": "Much said" }));
    let (project, id) = (scene.world.project.id, issue["id"].as_i64().unwrap());
    scene.many(3000, "namespaces (id, kind, path, path_key)", "100000 + n, 'user', 'many' || n, 'many' || n");
    scene.many(
        3000,
        "users (id, username, name, email, email_key, created_at)",
        "100000 + n, 'many' || n, 'M', n || '@m', n || '@m', 1",
    );
    scene.many(
        11_500,
        "notes (project_id, issue_id, author_id, body, created_at, updated_at)",
        &format!("{project}, {id}, 100001 + n % 3000, 'Comment ' || n, n, n"),
    );
    scene
        .server
        .tamper("insert into participants (issue_id, user_id, note_id) select issue_id, author_id, id from notes");
    let path = format!("{}/move", scene.world.issue_path(&issue));
    let ask = scene.server.post(path).by(&scene.world.ann).json(json!({ "to_project_id": target.project.id }));
    let (moved, _) = scene.in_chunks(ask, 201);
    assert_eq!(moved.json["user_notes_count"], 11_500);
    let wrong = format!(
        "(select body, row_number() over (order by id) as number from notes where issue_id = {} and not system) where body <> 'Comment ' || number",
        moved.json["id"]
    );
    assert_eq!(scene.count(&wrong), 0);
    assert_eq!(scene.count(&format!("participants where issue_id = {}", moved.json["id"])), 3000);
}

/// Comments and emoji are counted in the row of their issue, which holds its description.
#[test]
fn a_move_or_clone_writes_a_long_description_once_however_many_comments_come_along() {
    let scene = Scene::new();
    let target = scene.world.sibling(Visibility::Private);
    let issue = scene.world.issue(&scene.world.ann, json!({ "title": "t", "description": "d".repeat(LONG) }));
    let (project, ann, id) = (scene.world.project.id, scene.world.ann.id, &issue["id"]);
    scene.many(
        50,
        "notes (project_id, issue_id, author_id, body, system, created_at, updated_at)",
        &format!("{project}, {id}, {ann}, 'c', n % 2, n, n"),
    );
    scene.many(40, "awards (issue_id, note_id, user_id, name, created_at)", &format!("{id}, 0, n, 'x', n"));
    scene.watch_issues();
    // of the old issue a move writes the comment that it left, and that it is closed
    for (verb, written) in [("clone", 1), ("move", 3)] {
        let path = format!("/projects/{project}/issues/{}/{verb}", issue["iid"]);
        let fields = json!({ "to_project_id": target.project.id, "with_notes": true });
        let new = scene.server.ask_v4("POST", path).by(&scene.world.ann).json(fields).gives(201).json;
        assert_eq!(scene.rewritten(), written * LONG as i64, "{verb}");
        assert_eq!([&new["user_notes_count"], &new["description"]], [&json!(25), &issue["description"]]);
        assert_eq!(scene.count(&format!("awards where issue_id = {}", new["id"])), 40);
    }
    assert_eq!(super::counters::disagreements(scene.server), Vec::<Value>::new());
}

/// A comment writes the row of its issue again, a closing once more, and that of its milestone.
#[test]
fn a_push_writes_at_most_50_megabytes_of_issues_and_milestones_again() {
    let scene = Scene::new();
    scene.issues(400);
    scene.server.tamper(&format!(
        "update issues set description = printf('%0{LONG}d', 0);
        update issues set milestone_id = null where iid <= 300;
        update milestones set description = printf('%0{LONG}d', 0)"
    ));
    let ann = &scene.world.ann;
    let mut old = None;
    let mut push = |number: u32, message: String| {
        let parents: Vec<u32> = old.into_iter().collect();
        let said = commit(number, &parents).with(|commit| commit.message = message);
        scene.world.post("/mirror/commits").by(ann).json(json!({ "commits": [said.wire()] })).gives(201);
        let change = json!({ "name": "refs/heads/main", "old": old.map(sha), "new": sha(number) });
        let swap = json!({ "default_branch": "main", "changes": [change] });
        scene.world.put("/mirror/refs").by(ann).json(swap).gives(200);
        old = Some(number);
    };
    let all = |word: &str, first: u32| {
        let list: Vec<String> = (first..first + 100).map(|iid| format!("{word} #{iid}")).collect();
        list.join("\n")
    };
    push(1, "First".to_owned());
    scene.watch_issues();
    let closed =
        |first: u32| scene.count(&format!("issues where state = 'closed' and iid between {first} and {}", first + 99));
    // 100 mentions are 10 MB, and 100 closings 20 MB
    push(2, all("see", 1));
    assert_eq!(scene.rewritten(), 100 * LONG as i64);
    push(3, all("fixes", 101));
    assert_eq!((scene.rewritten(), closed(101)), (200 * LONG as i64, 100));
    scene.server.tamper("update issues set description = printf('%0300000d', 0)");
    scene.rewritten();
    push(4, all("see", 1));
    assert_eq!(scene.rewritten(), 100 * 300_000);
    push(5, all("fixes", 201));
    assert_eq!((scene.rewritten(), closed(201)), (2 * 83 * 300_000, 83));
    // with the milestone
    push(6, all("fixes", 301));
    assert_eq!((scene.rewritten(), closed(301)), (2 * 71 * 300_000, 71));
}

/// A description far longer than others.
const LONG: usize = 100_000;

#[test]
fn an_environment_goes_with_thousands_of_deployments() {
    let scene = Scene::new();
    scene.world.push_line(1);
    let (project, user) = (scene.world.project.id, scene.world.ann.id);
    scene.server.tamper(&format!(
        "insert into environments (id, project_id, number, name, created_at, state) values (90, {project}, 1, 'live', 1, 'stopped')"
    ));
    scene.many(
        9000,
        "deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)",
        &format!("{project}, n, 90, (select max(id) from commits), '', {user}, {user}, 'live', 'success', n"),
    );
    scene.in_chunks(
        scene.server.ask_v4("DELETE", format!("/projects/{project}/environments/90")).by(&scene.world.ann),
        204,
    );
    assert_eq!((scene.count("deployments"), scene.count("environments")), (0, 0));
}
