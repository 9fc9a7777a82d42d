//! A world with one record of each kind.

use crate::reports::report;
use crate::support::contents::{Object, blob, tree};
use crate::support::git::commit;
use crate::support::{Server, Visibility, World, now};
use serde_json::{Value, json};

/// Entries of a root tree with a file that all requests for a file name.
pub fn root(files: &[(&str, &Object)]) -> Object {
    let entries: Vec<(&str, &[u8], &str)> =
        files.iter().map(|(name, file)| ("100644", name.as_bytes(), file.id())).collect();
    tree(&entries)
}

pub struct Stock {
    pub world: World,
    /// Hashes of `old`, and of `master` and `v1`.
    pub commits: [String; 2],
    pub path: String,
}

impl Stock {
    pub fn new() -> Stock {
        let server = Server::with_objects(|_| {});
        let world = World::new(server, Visibility::Public);
        let files = [blob("* text\n"), blob("one\n"), blob("two\n")];
        let [before, after] = [1, 2].map(|file| root(&[(".gitattributes", &files[0]), ("a", &files[file])]));
        let first = commit(1, &[]).with(|commit| commit.tree = before.id().to_owned());
        let second = commit(2, &[1]).with(|commit| commit.tree = after.id().to_owned());
        let commits = [first.sha.clone(), second.sha.clone()];
        let refs = ["refs/heads/master", "refs/heads/old", "refs/tags/v1"]
            .map(|name| (name, &*commits[usize::from(name != "refs/heads/old")]));
        world.push(&[first, second], &refs);
        world.send_objects(&[files.as_slice(), &[before, after]].concat());
        world.note(json!({ "extent": "history" }));
        let stock = Stock { world, commits, path: "a".to_owned() };
        stock.fill();
        stock
    }

    fn fill(&self) {
        let Stock { world, .. } = self;
        let post = |path: &str, body: Value| world.v4("POST", path).by(&world.ann).json(body).gives(201).json;
        post("/hooks", json!({ "url": "https://hooks.example.org/", "issues_events": true, "note_events": true }));
        post("/labels", json!({ "name": "bug", "color": "#ff0000" }));
        post("/milestones", json!({ "title": "v1" }));
        let milestone = &world.get("/milestones").by(&world.ann).gives(200).json[0]["id"].clone();
        for title in ["one", "other"] {
            let fields = json!({ "title": title, "description": "for @root", "labels": "bug", "milestone_id": milestone, "assignee_id": world.ann.id });
            post("/issues", fields);
        }
        post("/issues/1/links", json!({ "target_project_id": world.project.id, "target_issue_iid": 2 }));
        let note = post("/issues/1/notes", json!({ "body": "word" }))["id"].clone();
        post("/issues/1/award_emoji", json!({ "name": "star" }));
        post(&format!("/issues/1/notes/{note}/award_emoji"), json!({ "name": "star" }));
        for change in [json!({ "state_event": "close" }), json!({ "state_event": "reopen" })] {
            world.v4("PUT", "/issues/1").by(&world.ann).json(change).gives(200);
        }
        world.v4("POST", "/issues/1/todo").by(&world.ann).gives(201);
        post("/statuses/master", json!({ "state": "success", "ref": "master", "name": "job" }));
        let job = world.v4("GET", "/jobs").by(&world.ann).gives(200).json[0]["id"].as_i64().unwrap();
        for (kind, item) in [
            ("tests", json!({ "status": "failed", "name": "a" })),
            ("quality", json!({ "severity": "info", "path": "f", "line": 1, "description": "d" })),
        ] {
            world.reporting(job, kind, &report(kind, json!({}), &[item])).by(&world.ann).gives(201);
        }
        post("/repository/commits/master/comments", json!({ "note": "word" }));
        post(
            "/deployments",
            json!({ "environment": "e", "sha": self.commits[1], "ref": "master", "tag": false, "status": "success" }),
        );
        post("/releases", json!({ "tag_name": "v1", "description": "x", "milestones": ["v1"] }));
        post("/releases/v1/assets/links", json!({ "name": "l", "url": "https://x/", "direct_asset_path": "/l" }));
        post("/badges", json!({ "link_url": "https://x/", "image_url": "https://x/" }));
        post("/access_tokens", json!({ "name": "t", "scopes": ["api"], "access_level": 30 }));
        post("/hook_tokens", json!({ "name": "t" }));
        let system = json!({ "url": "https://hooks.example.org/" });
        world.server.ask_v4("POST", "/hooks").by(&world.root).json(system).gives(201);
        let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nx\r\n--x--\r\n";
        world.v4("POST", "/uploads").by(&world.ann).body("multipart/form-data; boundary=x", form).gives(201);
        world.v4("PUT", "/packages/generic/p/1/f").by(&world.ann).body("application/octet-stream", "x").gives(201);
        world.server.deliver(now());
    }

    /// The words in braces of `dimensions.sql`, and their values.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let Stock { world, commits, .. } = self;
        let of = |sql: &str| world.server.rows(&format!("select json_array((select {sql})) as v"))[0][0].to_string();
        let users = "insert into namespaces (id, kind, path, path_key) select 1000000 + n, 'user', 'p' || n, 'p' || n from numbers;
insert into users (id, username, name, email, email_key, created_at) select 1000000 + n, 'p' || n, 'P', 'p' || n, 'p' || n, n from numbers;";
        let projects = "insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
select 3000000 + n, {group}, {ann}, 'n' || n, 'n' || n, 'crew/n' || n, 'crew/n' || n, 'n', 20, n, n from numbers;";
        let rows = "insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
select {commit} + n, {project}, printf('%040x', n), 'A', 'a@b.c', n, 0, 'A', 'a@b.c', {at} + n, 0, 'm', 0, 0, '[]', 'master' from numbers;
insert into diffs (commit_id, part, text) select {commit} + n, 0, '[]' from numbers;";
        vec![
            ("{users}", users.to_owned()),
            ("{projects}", projects.to_owned()),
            ("{commits}", rows.to_owned()),
            ("{project}", world.project.id.to_string()),
            ("{group}", world.group.to_string()),
            ("{ann}", world.ann.id.to_string()),
            ("{rae}", world.rae.id.to_string()),
            ("{issue}", of("min(id) from issues")),
            ("{label}", of("id from labels")),
            ("{milestone}", of("id from milestones")),
            ("{note}", of("id from notes where body = 'word'")),
            ("{commit}", of(&format!("id from commits where sha = '{}'", commits[1]))),
            ("{at}", of(&format!("committed_at from commits where sha = '{}'", commits[1]))),
            ("{environment}", of("id from environments")),
            ("{release}", of("id from releases")),
            ("{package}", of("id from packages")),
            ("{hook}", of("id from hooks where project_id > 0")),
            ("{now}", now().to_string()),
        ]
    }

    pub fn server(&self) -> &'static Server {
        self.world.server
    }
}
