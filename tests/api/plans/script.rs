//! The requests of the plan snapshots: each route that reads, with each of its described parameters, and each write.

use crate::imports::{AT, mirrored, one_of_each, sent, with};
use crate::jwt::{FIRST, assertion, claims_of, signed, trusted};
use crate::packages::{downloading, published};
use crate::reports::report;
use crate::sessions::started;
use crate::support::contents::{blob, object, tree};
use crate::support::git::{commit, sha};
use crate::support::{Ask, Filled, Person, Server, Table, Visibility, World, now, tables, templated, urlencoded};
use crate::uploads::{address, uploaded};
use edgeforge::store::RemoteAnswer;
use edgeforge_wire::contents::Kind;
use serde_json::{Value, json};

impl Filled {
    /// Values of a parameter that may select another statement.
    fn values(&self, name: &str, entry: &Value) -> Vec<String> {
        let schema = &entry["schema"];
        let words = |value: &Value| {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let named = words(&schema["enum"]);
        if !named.is_empty() {
            return named;
        }
        let one = match name {
            "cursor" | "private_token" | "access_token" | "sudo" => return Vec::new(),
            "page" => "2",
            "scope" => "all",
            "labels" => return ["bug", "bug,new", "No Label"].map(str::to_owned).into(),
            "milestone" => return ["v1", "No Milestone"].map(str::to_owned).into(),
            "since" | "until" | "created_after" | "created_before" | "updated_after" | "updated_before" => {
                "2016-01-01T00:00:00Z"
            }
            "author_id" | "project_id" => {
                return vec![if name == "author_id" { self.world.ann.id } else { self.world.project.id }.to_string()];
            }
            "username" => return vec![self.world.ann.username.clone()],
            "ref" | "ref_name" => "master",
            // generated names have random numbers, which a search may or may not match
            "search" => "nowhere",
            _ if schema["type"] == "boolean" => "true",
            _ if schema["type"] == "integer" => "1",
            _ => "1",
        };
        vec![one.to_owned()]
    }

    /// Each parameter alone, and each order in both directions.
    fn read_everything(&self, server: &'static Server, table: &Table) {
        let contract = table.contract;
        for (verb, pattern) in table.routes {
            if *verb != "GET" {
                continue;
            }
            let path = self.address(pattern);
            let template = templated(pattern);
            let described = &contract.document["paths"][&template]["get"]["parameters"];
            let get = |query: &[(&str, &str)]| {
                let target = format!("{path}?{}", urlencoded(query));
                table.ask(server, "GET", target).by(&self.world.root).send();
            };
            get(&[]);
            let mut parameters: Vec<(String, Vec<String>)> = Vec::new();
            for entry in described.as_array().into_iter().flatten() {
                let entry = followed(&contract.document, entry);
                if entry["in"] == "query" {
                    let name = entry["name"].as_str().unwrap().to_owned();
                    let values = self.values(&name, &entry);
                    parameters.push((name, values));
                }
            }
            let of = |wanted: &str| {
                parameters.iter().find(|(name, _)| name == wanted).map(|(_, values)| values.clone()).unwrap_or_default()
            };
            for (name, values) in &parameters {
                for value in values {
                    get(&[(name, value)]);
                }
            }
            for order in of("order_by") {
                for sort in of("sort") {
                    get(&[("order_by", &order), ("sort", &sort)]);
                }
            }
            for search in of("search") {
                for scope in of("scope") {
                    get(&[("scope", &scope), ("search", &search)]);
                }
            }
            if !of("author_id").is_empty() && !of("project_id").is_empty() {
                get(&[("author_id", "1"), ("project_id", "1")]);
            }
            if !of("blocked").is_empty() {
                get(&[("active", "true"), ("blocked", "true")]);
                get(&[("username", "root"), ("active", "true")]);
            }
        }
    }
}

fn followed(document: &Value, value: &Value) -> Value {
    let pointer = value["$ref"].as_str().and_then(|address| address.strip_prefix('#'));
    pointer.map_or(value, |pointer| document.pointer(pointer).unwrap()).clone()
}

/// Writes of somebody who is no member.
fn somebody_else(world: &World) {
    let (open, other) = (world.sibling(Visibility::Public), world.server.person("Other"));
    open.issue(&other, json!({ "title": "t" }));
    open.v4("POST", "/issues/1/todo").by(&other).json(json!({})).gives(201);
    let sudo = open.v4("POST", "/issues/1/notes").by(&world.root).header("SUDO", other.username.as_str());
    sudo.json(json!({ "body": "by another" })).gives(201);
}

/// Sends all requests, in a fixed order.
pub fn run(server: &'static Server) {
    server.outside("GET", "/-/readiness");
    let scene = Filled::new(server);
    hooks(server, &scene.world);
    tables().iter().for_each(|table| scene.read_everything(server, table));
    scene.world.get("/badges/master/build.svg").send();
    writes_to_issues(&scene);
    writes_to_commits(&scene);
    tokens(server, &scene.world);
    people_and_places(server, &scene.world);
    objects(server);
    imports(server);
    let world = &scene.world;
    somebody_else(world);
    // deletes the project, restores it, and deletes it again
    let restore = world.at("/restore");
    server.ask_v4("POST", &restore).by(&world.root).send();
    world.delete("").by(&world.ann).send();
    server.sweep(now() + 10 * 86_400_000).expect("a sweep");
    server.tamper(
        "update issue_index set below = (select max(id) + 1 from issues);
        update note_index set below = (select max(id) + 1 from notes);
        update commit_index set below = (select max(id) + 1 from commits)",
    );
    server.index();
}

/// A hook that gets everything, its tries, and tests with each kind of record.
fn hooks(server: &'static Server, world: &World) {
    let ann = &world.ann;
    let kinds = [
        "issues_events",
        "confidential_issues_events",
        "note_events",
        "confidential_note_events",
        "milestone_events",
        "push_events",
        "tag_push_events",
        "pipeline_events",
        "deployment_events",
        "emoji_events",
        "releases_events",
    ];
    let mut fields = json!({ "url": "https://hooks.example.org/", "token": "t" });
    kinds.iter().for_each(|kind| fields[kind] = json!(true));
    let hook = format!("/hooks/{}", world.v4("POST", "/hooks").by(ann).json(fields.clone()).gives(201).id());
    world.v4("PUT", &hook).by(ann).json(json!({ "name": "n" })).gives(200);
    world.v4("PUT", &format!("{hook}/custom_headers/X-A")).by(ann).json(json!({ "value": "v" })).gives(204);
    let note = world.v4("GET", "/issues/1/notes").by(ann).gives(200).json[0]["id"].clone();
    world
        .v4("PUT", &format!("/issues/1/notes/{note}"))
        .by(ann)
        .header("If-Unmodified-Since", "2100-01-01")
        .json(json!({ "body": "for nobody" }))
        .gives(200);
    let star = json!({ "name": "star" });
    let star = world.v4("POST", "/issues/1/award_emoji").by(ann).json(star).gives(201).id();
    world.v4("DELETE", &format!("/issues/1/award_emoji/{star}")).by(ann).gives(204);
    let silent = |path: &str, title: &str| {
        let ask = world.v4("POST", path).by(&world.root).header("X-Edgeforge-Silent", "true");
        ask.json(json!({ "title": title })).gives(201);
    };
    silent("/issues", "for nobody");
    silent("/milestones", "for nobody");
    let issue = || world.issue(ann, json!({ "title": "for hooks" }));
    let answer = |status: u16| {
        server.database().receive(move |_| Ok(RemoteAnswer { status, ..RemoteAnswer::default() }));
    };
    server.tamper("update hooks set dropped = 1");
    for (status, at) in [(500, now()), (200, now() + 100_000), (200, now() + 49 * 3_600_000)] {
        issue();
        answer(status);
        server.deliver(at);
    }
    let event = world.v4("GET", &format!("{hook}/events")).by(ann).gives(200).json[0]["id"].clone();
    for kind in kinds {
        // more than five in a minute
        server.turn_to(now() + 61_000);
        world.v4("POST", &format!("{hook}/test/{kind}")).by(ann).send();
    }
    world.v4("POST", &format!("{hook}/events/{event}/resend")).by(ann).send();
    server.turn_to(0);
    issue();
    let path = "/hooks";
    let system = server
        .ask_v4("POST", path)
        .by(&world.root)
        .json(json!({ "url": "https://hooks.example.org/" }))
        .gives(201)
        .id();
    server.ask_v4("GET", path).by(&world.root).gives(200);
    server.ask_v4("POST", format!("{path}/{system}")).by(&world.root).gives(201);
    let gone = world.v4("POST", "/hooks").by(ann).json(fields).gives(201).id();
    world.v4("DELETE", &format!("/hooks/{gone}")).by(ann).gives(204);
}

/// Sends trees and files, loses one, and ends others.
fn contents(server: &'static Server) {
    let world = World::new(server, Visibility::Private);
    let (file, long) = (blob("text"), blob("long"));
    let root = tree(&[("100644", b"a", file.id()), ("100644", b"b", long.id())]);
    let tip = world.push_tree(&root, &[root.clone(), file.clone()]);
    let commit = commit(1, &[]).with(|commit| commit.tree = root.id().to_owned());
    world.send_objects(&[object(Kind::Commit, commit.object())]);
    let left_out = json!([{ "id": long.id(), "kind": "blob", "size": 4, "reason": "size" }]);
    world.note(json!({ "extent": "tips", "left_out": left_out.clone(), "unneeded": [long.id()], "ended": [sha(90)] }));
    let shorter = tree(&[("100644", b"a", file.id())]);
    let next = crate::support::git::commit(2, &[1]).with(|commit| commit.tree = shorter.id().to_owned());
    world.push(std::slice::from_ref(&next), &[("refs/heads/shorter", &next.sha)]);
    world.note(json!({ "extent": "tips", "begun": [next.sha] }));
    world.send_objects(&[shorter]);
    world.v4("GET", "/search?scope=commits&search=change").by(&world.ann).gives(200);
    let text = json!({ "text": "#1 @ann 1234567", "gfm": true, "project": world.project.path });
    server.ask_v4("POST", "/markdown").by(&world.ann).json(text).gives(201);
    world.note(json!({ "extent": "tips", "left_out": left_out, "complete": [next.sha] }));
    let compared = format!("/repository/compare?from={tip}&to={}", next.sha);
    world.v4("GET", &compared).by(&world.ann).gives(200);
    let lacking = json!({ "objects": [file.id(), long.id(), sha(9)] });
    world.post("/mirror/objects/lacking").by(&world.ann).json(lacking).send();
    for path in [
        "compare?from=master&to=master",
        "merge_base?refs=master,master",
        "tree",
        "files/a?ref=master",
        "files/b?ref=master",
        "files/a/raw",
        "archive.tar?path=a",
        "raw/master%2Fa",
        "contributors",
    ] {
        world.v4("GET", &format!("/repository/{path}")).by(&world.ann).send();
    }
    for id in [file.id(), long.id()] {
        world.v4("GET", &format!("/repository/blobs/{id}")).by(&world.ann).send();
    }
    let key = server.bucket().keys().into_iter().find(|key| key.ends_with(file.id())).expect("the file's key");
    assert!(server.bucket().lose(&key));
    world.v4("GET", "/repository/files/a?ref=master").by(&world.ann).send();
    world.note(json!({ "extent": "tips", "complete": [tip], "unneeded": [root.id()] }));
    server.tamper("update objects set unneeded_at = 1 where unneeded_at is not null");
    server.sweep(now()).expect("a sweep");
}

/// Uploads and packages, read and deleted, and those of a deleted project.
fn files(server: &'static Server) {
    let world = World::new(server, Visibility::Private);
    let ann = &world.ann;
    let upload = || uploaded(&world, ann, "a.txt", b"text");
    let [first, second, _] = [upload(), upload(), upload()];
    let (own, named) = (format!("/uploads/{}", first["id"]), address(&second));
    for path in ["/uploads", &own, &named] {
        world.v4("GET", path).by(ann).gives(200);
    }
    for path in [&own, &named] {
        world.v4("DELETE", path).by(ann).gives(204);
    }
    let third = address(&upload());
    let issue = world.issue(ann, json!({ "title": "a", "description": format!("[a]({third})") }));
    world.moved(ann, &issue, &world.sibling(Visibility::Private).project);
    let file = published(&world, ann, "tool/1.0/a", b"one");
    published(&world, ann, "tool/1.0/a", b"two");
    published(&world, ann, "tool/2.0/a", b"three");
    downloading(&world, "tool/1.0/a").by(ann).gives(200);
    let package = format!("/packages/{}", file["package_id"]);
    world.v4("GET", &format!("{package}/package_files")).by(ann).gives(200);
    world.v4("DELETE", &format!("{package}/package_files/{}", file["id"])).by(ann).gives(204);
    world.v4("DELETE", &package).by(ann).gives(204);
    world.push_line(3);
    let job = world.posted_job(ann, 3, "reported", "success");
    for (kind, item) in [
        ("tests", json!({ "status": "failed", "name": "a" })),
        ("quality", json!({ "severity": "info", "path": "f", "line": 1, "description": "d" })),
    ] {
        world.reporting(job, kind, &report(kind, json!({}), &[item])).by(ann).gives(201);
    }
    let pipeline = world.v4("GET", &format!("/jobs/{job}")).by(ann).gives(200).json["pipeline"]["id"].clone();
    world.v4("GET", &format!("/pipelines/{pipeline}/problems")).by(ann).gives(200);
    world.v4("GET", &format!("/jobs/{job}/artifacts/gl-code-quality-report.json")).by(ann).gives(200);
    world.v4("DELETE", &format!("/jobs/{job}/artifacts")).by(ann).gives(204);
}

/// Moves diffs into an object store, loses the objects, reads one, and rechecks the other.
fn objects(server: &'static Server) {
    let world = World::new(server, Visibility::Private);
    let path = "x".repeat(2000);
    let [long, other] = [90, 91].map(|number| commit(number, &[]).with(|commit| {
        commit.diff = format!(
            r#"[{{"diff":"{path}","new_path":"f","old_path":"f","a_mode":"0","b_mode":"0","new_file":false,"renamed_file":false,"deleted_file":false}}]"#
        );
    }));
    let commits = json!({ "commits": [long.wire(), other.wire()] });
    world.post("/mirror/commits").by(&world.ann).json(commits).send();
    server.bucket().bind(true);
    contents(server);
    files(server);
    server.sweep(now()).expect("a sweep");
    world.get(&format!("/repository/commits/{}/diff", long.sha)).by(&world.ann).gives(200);
    assert!(server.bucket().keys().iter().all(|key| server.bucket().lose(key)));
    world.get(&format!("/repository/commits/{}/diff", long.sha)).by(&world.ann).gives(404);
    let recheck = json!({ "objects": [other.sha], "recheck": true });
    let lost = world.post("/mirror/objects/lacking").by(&world.ann).json(recheck).gives(200);
    assert_eq!(lost.json["objects"], json!([other.sha]));
    server.bucket().bind(false);
}

/// Sends it, then twice with an idempotency key.
/// Imports a record of each kind, and then each in another form.
fn imports(server: &'static Server) {
    let world = World::new(server, Visibility::Private);
    mirrored(&world);
    let mut records = one_of_each(&world);
    sent(&world, &records);
    for record in &mut records {
        let other = json!({ "author": world.rae.id, "user": world.rae.id, "updated_at": AT + 100 });
        *record = with(record.clone(), other);
    }
    sent(&world, &records);
}

fn keyed(ask: impl Fn() -> Ask, key: &str) {
    for _ in 0..2 {
        ask().header("Idempotency-Key", key).send();
    }
}

fn writes_to_issues(scene: &Filled) {
    let Filled { world, other, issue, note, milestone, .. } = scene;
    let ann = &world.ann;
    let issue = format!("/issues/{issue}");
    let put = |fields: Value| drop(world.put(&issue).by(ann).json(fields).send());
    keyed(|| world.post("/issues").by(ann).json(json!({ "title": "key", "labels": "a" })), "issue");
    keyed(|| world.post(&format!("{issue}/notes")).by(ann).json(json!({ "body": "key" })), "note");
    for (key, body) in [("commands", "/label ~a\n/milestone %1\n/assign @root\n/todo"), ("both", "@all\n/subscribe")] {
        keyed(|| world.post(&format!("{issue}/notes")).by(ann).json(json!({ "body": body })), key);
    }
    put(
        json!({ "title": "u", "description": "for @root", "assignee_id": world.rae.id, "milestone_id": "", "labels": "new" }),
    );
    put(json!({ "state_event": "close" }));
    put(json!({ "state_event": "reopen", "milestone_id": milestone }));
    world.put(&format!("{issue}/notes/{note}")).by(ann).json(json!({ "body": "for @root" })).send();
    for verb in ["POST", "DELETE"] {
        world.server.ask(verb, world.at(&format!("{issue}/subscription"))).by(&world.root).send();
    }
    world.post(&format!("{issue}/todo")).by(&world.root).send();
    let todos = world.server.get("/todos").by(&world.bob).send().json;
    world.server.delete(format!("/todos/{}", todos[0]["id"])).by(&world.bob).send();
    for query in ["", "?author_id=1", "?project_id=1", "?author_id=1&project_id=1"] {
        world.server.delete(format!("/todos{query}")).by(&world.bob).send();
    }
    let listed = world.v4("GET", "/issues?with_labels_details=true").by(ann).gives(200).json;
    world.v4("GET", &format!("/issues/{}/closed_by", listed[0]["iid"])).by(ann).gives(200);
    for order in ["created_at", "updated_at"] {
        world.v4("GET", &format!("/issues/{}/notes?order_by={order}", listed[0]["iid"])).by(ann).send();
    }
    let first = format!("/issues/{}", listed[0]["iid"]);
    for rest in ["/participants", "/discussions/x", "/notes", "/notes?sort=asc"] {
        world.v4("GET", &format!("{first}{rest}")).by(ann).send();
    }
    world.server.ask_v4("GET", format!("/issues/{}", listed[0]["id"])).by(&world.root).gives(200);
    world.post(&format!("{issue}/notes")).by(ann).json(json!({ "body": "for @root" })).send();
    world.post(&format!("{issue}/notes")).by(ann).json(json!({ "body": "" })).send();
    world.delete(&format!("{issue}/notes/{note}")).by(ann).send();
    around_issues(scene);
    releases(scene);
    // enough for a move to copy them in chunks
    let id = issue.rsplit('/').next().unwrap();
    world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 1100)
        insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
        select project_id, id, author_id, 'x', 0, 0 from issues, n where id = {id};
        insert into participants (issue_id, user_id, note_id) select issue_id, author_id, id from notes
        where issue_id = {id} on conflict do nothing"
    ));
    let fields = json!({ "to_project_id": other.project.id });
    world.post(&format!("{issue}/move")).by(ann).json(fields).send();
    world.put("/labels").by(ann).json(json!({ "name": "bug", "new_name": "bugs" })).send();
    world.delete("/labels").by(ann).json(json!({ "name": "bugs" })).send();
    let due = json!({ "title": "v2", "due_date": "2026-01-01", "state_event": "close" });
    world.put(&format!("/milestones/{milestone}")).by(ann).json(due).send();
    let again = world.v4("PUT", &format!("/milestones/{milestone}")).by(ann);
    again.header("If-Unmodified-Since", "2100-01-01").json(json!({ "title": "v3" })).gives(200);
    world.delete(&issue).by(ann).send();
    world.server.ask_v4("DELETE", world.at(&format!("/milestones/{milestone}"))).by(ann).send();
}

/// Releases with links and milestones, made, changed and removed.
fn releases(scene: &Filled) {
    let Filled { world, milestone, .. } = scene;
    let v4 = |verb: &str, rest: &str| world.v4(verb, &format!("/releases{rest}")).by(&world.ann);
    v4("POST", "").json(json!({ "tag_name": "absent" })).gives(422);
    let link = |name: &str| json!({ "name": name, "url": format!("https://{name}"), "filepath": format!("/{name}") });
    let fields = json!({ "tag_name": "v1", "milestone_ids": [milestone], "assets": { "links": [link("a")] } });
    v4("POST", "").json(fields).gives(201);
    v4("PUT", "/v1").json(json!({ "description": "x", "milestones": [] })).gives(200);
    for path in ["", "/v1", "/v1/assets/links", "/v1/downloads/a", "/permalink/latest"] {
        v4("GET", path).send();
    }
    let made = v4("POST", "/v1/assets/links").json(link("b")).gives(201).id();
    let one = format!("/v1/assets/links/{made}");
    v4("PUT", &one).json(json!({ "name": "c" })).gives(200);
    v4("DELETE", &one).gives(200);
    let again = json!({ "description": "y" });
    world.put("/repository/tags/v1/release").by(&world.ann).json(again).gives(200);
    v4("DELETE", "/v1").gives(200);
}

/// Emoji, which a move copies, links, times, and who follows a label.
fn around_issues(scene: &Filled) {
    let Filled { world, issue, .. } = scene;
    let ann = &world.ann;
    let comment = world.post(&format!("/issues/{issue}/notes")).by(ann).json(json!({ "body": "x" })).gives(201).id();
    for at in [format!("/issues/{issue}/award_emoji"), format!("/issues/{issue}/notes/{comment}/award_emoji")] {
        for name in ["star", "star", "tada"] {
            world.post(&at).by(ann).json(json!({ "name": name })).send();
        }
        let all = world.get(&at).by(ann).gives(200).json;
        world.delete(&format!("{at}/{}", all[0]["id"])).by(ann).gives(200);
    }
    let [one, other] = ["one", "other"].map(|title| world.issue(ann, json!({ "title": title }))["iid"].clone());
    let v4 = |verb: &str, rest: &str| world.v4(verb, &format!("/issues/{one}{rest}")).by(ann);
    let link = json!({ "target_project_id": world.project.id, "target_issue_iid": other, "link_type": "blocks" });
    let link = v4("POST", "/links").json(link).gives(201).id();
    v4("GET", "/links").gives(200);
    v4("GET", &format!("/links/{link}")).gives(200);
    v4("DELETE", &format!("/links/{link}")).gives(200);
    v4("POST", "/time_estimate").json(json!({ "duration": "1h" })).gives(200);
    v4("POST", "/add_spent_time").json(json!({ "duration": "1h" })).gives(201);
    world.v4("GET", "/issues?my_reaction_emoji=star").by(ann).gives(200);
    let badge = json!({ "link_url": "https://a", "image_url": "https://b" });
    let made = world.v4("POST", "/badges").by(ann).json(badge.clone()).gives(201).id();
    world.v4("PUT", &format!("/badges/{made}")).by(ann).json(badge).gives(200);
    world.v4("DELETE", &format!("/badges/{made}")).by(ann).gives(204);
    for word in ["subscribe", "unsubscribe"] {
        world.v4("POST", &format!("/labels/new/{word}")).by(ann).gives(201);
    }
}

/// The life of an environment of v4, and of one deployment that is deleted alone.
fn environments(world: &World) {
    let ask = |verb: &str, rest: &str| world.v4(verb, rest).by(&world.ann);
    let made = ask("POST", "/environments").json(json!({ "name": "v4" })).gives(201).id();
    let path = format!("/environments/{made}");
    ask("GET", &path).gives(200);
    ask("PUT", &path).json(json!({ "tier": "other" })).gives(200);
    let fields = json!({ "environment": "v4", "sha": "master", "ref": "master", "tag": false, "status": "failed" });
    for _ in 0..2 {
        let deployed = ask("POST", "/deployments").json(fields.clone()).gives(201).id();
        ask("DELETE", &format!("/deployments/{deployed}")).gives(204);
    }
    ask("POST", "/deployments").json(fields).gives(201);
    ask("POST", &format!("{path}/stop")).gives(200);
    ask("DELETE", &path).gives(204);
}

fn writes_to_commits(scene: &Filled) {
    let Filled { world, deployment, .. } = scene;
    let ann = &world.ann;
    let tip = sha(3);
    for state in ["pending", "running", "success"] {
        let status = || world.post(&format!("/statuses/{tip}")).by(ann).json(json!({ "state": state, "name": "s" }));
        status().send();
        keyed(status, state);
    }
    for (name, body) in [
        ("plain", json!({ "note": "n for @root" })),
        ("line", json!({ "note": "n", "path": "f", "line": 1, "line_type": "new" })),
    ] {
        keyed(|| world.post(&format!("/repository/commits/{tip}/comments")).by(ann).json(body.clone()), name);
    }
    let discussions = format!("/repository/commits/{tip}/discussions");
    let listed = world.v4("GET", &discussions).by(ann).gives(200).json;
    let [discussion, note] = [&listed[0]["id"], &listed[0]["notes"][0]["id"]];
    let note = format!("{discussions}/{}/notes/{note}", discussion.as_str().unwrap());
    let since = "2035-01-01T00:00:00Z";
    let change = world.v4("PUT", &note).by(ann).header("If-Unmodified-Since", since);
    change.json(json!({ "body": "changed" })).gives(200);
    world.v4("DELETE", &note).by(ann).gives(204);
    let again = json!({ "environment": "f", "sha": "master", "ref": "master", "status": "pending",
        "external_url": "http://example.com" });
    for key in ["deployment", "another"] {
        keyed(|| world.post("/deployments").by(ann).json(again.clone()), key);
    }
    world.put(&format!("/deployments/{deployment}")).by(ann).json(json!({ "status": "success" })).send();
    environments(world);
    // forks the history, and sets it back
    let fork = commit(4, &[2]);
    world.post("/mirror/commits").by(ann).json(json!({ "commits": [fork.wire()] })).send();
    let swap = |name: &str, old: Value, new: Value| {
        let change = json!({ "name": name, "old": old, "new": new, "message": null, "forced": true });
        world.put("/mirror/refs").by(ann).json(json!({ "default_branch": "master", "changes": [change] })).send();
    };
    swap("refs/heads/master", tip.as_str().into(), fork.sha.as_str().into());
    let [closed, seen] = ["closed", "seen"].map(|title| world.issue(ann, json!({ "title": title }))["iid"].clone());
    let says = commit(10, &[4]).with(|commit| commit.message = format!("Fixes #{closed}, see #{seen}"));
    world.post("/mirror/commits").by(ann).json(json!({ "commits": [says.wire()] })).send();
    swap("refs/heads/master", fork.sha.as_str().into(), says.sha.as_str().into());
    swap("refs/heads/next", tip.as_str().into(), Value::Null);
    swap("refs/tags/v1", tip.as_str().into(), Value::Null);
    let side = commit(5, &[1]).with(|commit| commit.more_paths = vec!["a/b".to_owned()]);
    world.post("/mirror/commits").by(ann).json(json!({ "commits": [side.wire()] })).send();
    for (portion, more) in [(0, true), (1, false)] {
        let name = format!("refs/heads/staged{portion}");
        let change = json!({ "name": name, "old": null, "new": side.sha, "message": null, "forced": false });
        let swap =
            json!({ "default_branch": "staged1", "changes": [change], "sync": "s", "portion": portion, "more": more });
        world.put("/mirror/refs").by(ann).json(swap).send();
    }
    let recheck = json!({ "default_branch": "staged1", "changes": [], "recheck": true });
    world.put("/mirror/refs").by(ann).json(recheck).send();
    let octopus = commit(9, &[1, 2, 3, 4]);
    world.post("/mirror/commits").by(ann).json(json!({ "commits": [octopus.wire()] })).send();
    // more than the limit
    let large = commit(6, &[1]).with(|commit| commit.diff = json!(["x".repeat(200_000)]).to_string());
    world.post("/mirror/commits").by(ann).json(json!({ "commits": [large.wire()] })).send();
    let orphan = commit(8, &[7]);
    world.post("/mirror/commits").by(ann).json(json!({ "commits": [orphan.wire()] })).send();
    world.delete(&format!("/mirror/commits/{tip}")).by(ann).send();
}

/// Who comes in by a JWT.
fn jwts(server: &'static Server, world: &World) {
    let trust = trusted(world, &world.ann, json!({}));
    let claims = claims_of(&trust, now());
    server.ask_v4("GET", world.at("")).header("PRIVATE-TOKEN", signed(&FIRST, "first", &claims)).gives(200);
    for email in ["newcomer@example.com", "newcomer@other.example"] {
        server.ask_at("GET", "/-/access").header("Cf-Access-Jwt-Assertion", assertion(email)).gives(302);
    }
}

fn tokens(server: &'static Server, world: &World) {
    jwts(server, world);
    let ann = &world.ann;
    let [one, other] = [started(server, ann), started(server, ann)];
    one.write(server, "DELETE", &format!("/users/{}/sessions/{}", ann.id, other.id)).gives(204);
    one.write(server, "DELETE", "/session").gives(200);
    let personal = format!("/users/{}/personal_access_tokens", ann.id);
    for (at, fields) in [
        (personal, json!({ "name": "x", "scopes": ["api"] })),
        (world.at("/access_tokens"), json!({ "name": "x", "scopes": ["api"], "access_level": 30 })),
        (world.at("/hook_tokens"), json!({ "name": "x" })),
    ] {
        let post = || server.post(&at).by(ann).json(fields.clone());
        let made = post().send();
        keyed(post, &format!("key of {}", made.json["id"]));
        server.post(format!("{at}/{}/rotate", made.json["id"])).by(ann).json(json!({})).send();
        let made = post().send();
        server.delete(format!("{at}/{}", made.json["id"])).by(ann).send();
    }
    let fields = json!({ "name": "x", "scopes": ["api"], "access_level": 30, "expires_at": "2100-01-01" });
    let bot = world.v4("POST", "/access_tokens").by(ann).json(fields).gives(201).json;
    let kept = server.post(world.at(&format!("/access_tokens/{}/rotate", bot["id"]))).by(ann);
    kept.json(json!({ "keep_old_for_a_day": true })).gives(201);
    server.ask_v4("GET", format!("/users/{}", bot["user_id"])).by(ann).gives(200);
    let token = bot["token"].as_str().unwrap();
    world.v4("GET", &format!("/members/all/{}", bot["user_id"])).header("PRIVATE-TOKEN", token).gives(200);
    let itself = world.at("/access_tokens/self/rotate");
    server.ask_v4("POST", itself).by(ann).json(json!({})).send();
}

fn people_and_places(server: &'static Server, world: &World) {
    let (ann, root) = (&world.ann, &world.root);
    let zoe: Person = server.person("Zoe");
    let user = format!("/users/{}", zoe.id);
    let fields = json!({ "name": "Zoe Z", "username": format!("{}z", zoe.username), "bio": "b", "email": format!("z{}", zoe.email) });
    server.put(&user).by(root).json(fields).send();
    server.put(format!("{user}/block")).by(root).send();
    server.put(format!("{user}/unblock")).by(root).send();
    let group = format!("/groups/{}", world.group);
    for at in [world.at("/members"), format!("{group}/members")] {
        server.post(&at).by(ann).json(json!({ "user_id": zoe.id, "access_level": 10 })).send();
        server.get(format!("{at}?query=z")).by(ann).send();
        server.put(format!("{at}/{}", zoe.id)).by(ann).json(json!({ "access_level": 20 })).send();
        server.delete(format!("{at}/{}", zoe.id)).by(ann).send();
    }
    server.delete(&user).by(root).send();
    server.put("/application/settings").by(root).json(json!({ "signup_enabled": false })).send();
    let again = server.ask_v4("PUT", "/application/settings").by(root);
    again.header("If-Unmodified-Since", "2100-01-01").json(json!({ "signup_enabled": true })).gives(200);
    let made = json!({ "name": "of zoe", "description": "d" });
    server.post(format!("/projects/user/{}", ann.id)).by(root).json(made).send();
    let change = json!({ "name": "renamed", "path": "renamed", "description": "d", "default_branch": "master",
        "issues_enabled": true, "visibility_level": 0 });
    world.put("").by(ann).json(change).send();
    let again = world.v4("PUT", "").by(ann).header("If-Unmodified-Since", "2100-01-01");
    again.json(json!({ "description": "e" })).gives(200);
    world.post("/archive").by(ann).send();
    world.post("/unarchive").by(ann).send();
    let change = json!({ "name": "Renamed", "path": "renamed-group", "description": "d" });
    server.put(&group).by(ann).json(change).send();
    world.delete("").by(ann).send();
    let empty = json!({ "name": "empty", "path": "empty" });
    let empty = server.post("/groups").by(ann).json(empty).gives(201).id();
    server.project(ann, empty, Visibility::Private);
    server.ask_v4("DELETE", format!("/groups/{empty}")).by(ann).gives(202);
}
