//! Every hash, name, id and address that an answer or the body of a hook has is taken where one is asked for. The lists
//! and the routes below them are those of the description.

use crate::commits::names::{reads_of_a_commit, segment};
use crate::hooks::{body, delivered, hook};
use crate::support::contents::{blob, tree};
use crate::support::git::{commit, sha};
use crate::support::{Answer, Server, Visibility, World, contract_of, now};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const BASES: [&str; 2] = ["/api/v3", "/api/v4"];

/// What a member of a list is called in the path, and which of its members that is. Others go by their id.
const KEYS: &[(&str, &[&str])] = &[
    ("sha", &["id", "short_id"]),
    ("issue_iid", &["iid"]),
    ("key", &["key"]),
    ("label_id", &["id", "name"]),
    ("name", &["name"]),
    ("tag", &["tag_name"]),
    ("issue_link_id", &["issue_link_id"]),
];

/// Reads that are refused for every record or nearly so, and files that the Worker serves.
const REFUSED: &[&str] = &["/signature", "/blame", "/epics", "/openapi.json", "/gl-code-quality-report"];

/// What a read says that lacks parameters.
const LACKING: &[&str] = &["missing", "not given", "Provide at least"];

/// Page addresses of a project behind `/-/`, and what the page asks.
const PAGES: &[(&str, &str)] = &[
    ("commit/", "repository/commits/"),
    ("tree/", "repository/commits/"),
    ("tags/", "repository/tags/"),
    ("issues/", "issues/"),
    ("releases/", "releases/"),
    ("pipelines/", "pipelines/"),
    ("environments/", "environments/"),
];

/// Members that hold the name of a commit.
const NAMES: &[&str] = &[
    "id",
    "short_id",
    "sha",
    "short_sha",
    "parent_ids",
    "target",
    "after",
    "before",
    "checkout_sha",
    "commit_id",
    "last_commit_id",
    "ref",
    "default_branch",
];

struct Told {
    world: World,
    answers: BTreeMap<String, Option<Value>>,
    /// Fields that told something, values that were asked for, and routes that were asked.
    fields: BTreeSet<String>,
    values: BTreeSet<String>,
    routes: BTreeSet<String>,
    failures: Vec<String>,
}

/// Odd names everywhere, a tag of a tag, and a record of each kind.
fn world() -> (World, Vec<Value>) {
    let world = World::new(Server::with_objects(|_| ()), Visibility::Public);
    let flags = "push tag_push note issues pipeline deployment releases milestone emoji confidential_issues";
    let flags: BTreeMap<String, bool> = flags.split(' ').map(|flag| (format!("{flag}_events"), true)).collect();
    hook(&world, json!(flags));
    let file = blob("one\n");
    let inner = tree(&[("100644", "c d+%.json".as_bytes(), file.id())]);
    let root = tree(&[("100644", b"a", file.id()), ("40000", "ü".as_bytes(), inner.id())]);
    for number in [1_u32, 2] {
        let parents: &[u32] = if number == 1 { &[] } else { &[1] };
        let made = commit(number, parents).with(|commit| commit.tree = root.id().to_owned());
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [made.wire()] })).gives(201);
    }
    let (first, second) = (sha(1), sha(2));
    world.tag("refs/heads/master", [None, Some(&second)], None, &[]);
    world.send_objects(&[file, inner, root]);
    world.note(json!({ "extent": "tips", "complete": [first, second] }));
    for name in ["heads/refs/heads/fix", "heads/größe/日本", "heads/100%+#1.json", "heads/a/-/b", "tags/refs/tags/v2"]
    {
        world.tag(&format!("refs/{name}"), [None, Some(&first)], None, &[]);
    }
    let [tag, other, outer, inside] = ["ab12", "cd34", "ef56", "0a9b"].map(|start| start.repeat(10));
    world.tag("refs/tags/v1.0", [None, Some(&first)], Some(&tag), &[]);
    world.tag("refs/tags/v1.0", [Some(&first), Some(&second)], Some(&other), &[]);
    world.tag("refs/tags/of/ä-tag", [None, Some(&first)], Some(&outer), &[&inside]);
    let post = |path: &str, body: Value| world.v4("POST", path).by(&world.ann).json(body).gives(201).json;
    post("/labels", json!({ "name": "a/b?%ü.json", "color": "#ff0000" }));
    let milestone = post("/milestones", json!({ "title": "m/1 #ü" }))["id"].clone();
    let issue =
        json!({ "title": "t", "labels": "a/b?%ü.json", "milestone_id": milestone, "assignee_id": world.bob.id });
    post("/issues", issue.clone());
    post("/issues", issue);
    let note = post("/issues/1/notes", json!({ "body": format!("@{}", world.bob.username) }))["id"].clone();
    post("/issues/1/award_emoji", json!({ "name": "thumbsup" }));
    post(&format!("/issues/1/notes/{note}/award_emoji"), json!({ "name": "rocket" }));
    let link = json!({ "target_project_id": world.project.id, "target_issue_iid": 2 });
    post("/issues/1/links", link);
    post(&format!("/statuses/{tag}"), json!({ "state": "success", "name": "ü/1" }));
    post("/statuses/master", json!({ "state": "success", "name": "b" }));
    post(&format!("/repository/commits/{outer}/discussions"), json!({ "body": "b" }));
    for environment in ["review/a b", "ünï"] {
        let sha = if environment == "ünï" { &inside } else { &tag };
        post(
            "/deployments",
            json!({ "environment": environment, "sha": sha, "ref": "master", "tag": false, "status": "success" }),
        );
    }
    post("/releases", json!({ "tag_name": "of/ä-tag", "description": "d" }));
    post("/releases/of%2Fä-tag/assets/links", json!({ "name": "l", "url": "https://example.com/l" }));
    post("/badges", json!({ "link_url": "https://example.com/", "image_url": "https://example.com/i" }));
    let bodies = delivered(world.server, now()).iter().map(body).collect();
    (world, bodies)
}

impl Told {
    fn get(&self, target: &str) -> Answer {
        let mut shown = self.world.server.ask_at("GET", target).by(&self.world.ann).send();
        if shown.status == 403 {
            shown = self.world.server.ask_at("GET", target).by(&self.world.root).send();
        }
        shown
    }

    /// The answer, which has to be a success if the path names something of an answer.
    fn read(&mut self, target: &str, route: &str, is_named: bool) -> Option<Value> {
        if let Some(known) = self.answers.get(target) {
            return known.clone();
        }
        let shown = self.get(target);
        // a gate that is not green
        let is_good = (200..400).contains(&shown.status) || shown.status == 409;
        let lacks_parameters = shown.status == 400 && LACKING.iter().any(|word| shown.text.contains(word));
        if is_named && !is_good && !lacks_parameters && !REFUSED.iter().any(|end| target.ends_with(end)) {
            self.failures.push(format!("{}: {} {:.200}", shown.what, shown.status, shown.text));
        }
        self.routes.insert(route.to_owned());
        let value = is_good.then(|| shown.json.clone());
        self.answers.insert(target.to_owned(), value.clone());
        value
    }

    /// Asks for everything below the list at `prefix`, by what its members tell.
    fn walk(&mut self, route: &str, prefix: &str, rest: &[&str], is_named: bool) {
        let Some((part, rest)) = rest.split_first() else {
            self.read(prefix, route, is_named);
            return;
        };
        let Some(name) = part.strip_prefix('{').map(|name| name.trim_end_matches('}')) else {
            return self.walk(route, &format!("{prefix}/{part}"), rest, is_named);
        };
        let values: Vec<(String, String)> = match (prefix.rsplit('/').next(), name) {
            (Some("projects"), "id") => {
                let of_path = if rest.is_empty() { vec![self.world.project.path.clone()] } else { Vec::new() };
                let all = [self.world.project.id.to_string()].into_iter().chain(of_path);
                all.map(|value| ("project".to_owned(), value)).collect()
            }
            (Some("groups"), "id") => vec![("group".to_owned(), self.world.cast.group.to_string())],
            _ => {
                let list = self.answers.get(prefix).cloned().flatten().unwrap_or_default();
                let keys = KEYS.iter().find(|(known, _)| *known == name).map_or(&["id"][..], |(_, keys)| *keys);
                // nobody gives a comment of the system an emoji
                let is_asked = |member: &&Value| !(rest == ["award_emoji"] && member["system"] == true);
                let members = list.as_array().into_iter().flatten().filter(is_asked).take(6);
                let told = members.flat_map(|member| keys.iter().map(move |key| (*key, &member[*key])));
                told.filter(|(_, value)| !value.is_null())
                    .map(|(key, value)| (key.to_owned(), value.as_str().map_or(value.to_string(), str::to_owned)))
                    .collect()
            }
        };
        for (key, value) in values {
            self.fields.insert(format!("{route} {key}"));
            self.values.insert(value.clone());
            self.walk(route, &format!("{prefix}/{}", segment(&value)), rest, true);
        }
    }

    /// Collects of `value` names of commits, and addresses.
    fn collect(&mut self, key: &str, value: &Value, names: &mut BTreeSet<String>, addresses: &mut BTreeSet<String>) {
        match value {
            Value::Array(members) => members.iter().for_each(|member| self.collect(key, member, names, addresses)),
            Value::Object(members) => {
                // an entry of a tree and a discussion have hashes of their own
                let is_other = ["mode", "individual_note"].iter().any(|key| members.contains_key(*key));
                let told = members.iter().filter(|(key, _)| !(is_other && *key == "id"));
                told.for_each(|(key, member)| self.collect(key, member, names, addresses));
            }
            Value::String(text) if text.starts_with(&self.world.server.origin) => {
                self.fields.insert(key.to_owned());
                addresses.insert(text.clone());
            }
            Value::String(text) if NAMES.contains(&key) => {
                let is_hash = text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                if !text.trim_matches('0').is_empty() && (is_hash || key == "ref" || key == "default_branch") {
                    self.fields.insert(key.to_owned());
                    names.insert(text.clone());
                }
            }
            _ => {}
        }
    }

    fn follow(&mut self, address: &str) {
        self.values.insert(address.to_owned());
        let path = address.strip_prefix(&self.world.server.origin).unwrap_or_default();
        let project = format!("/{}/", self.world.project.path);
        let target = match path.strip_prefix(&project).and_then(|rest| rest.strip_prefix("-/")) {
            _ if path.starts_with("/api/") => path.to_owned(),
            Some(rest) => {
                let rest = rest.split(['#', '?']).next().unwrap_or_default();
                let rest = rest.strip_suffix("/edit").unwrap_or(rest);
                let Some((from, to)) = PAGES.iter().find(|(from, _)| rest.starts_with(from)) else { return };
                let name = percent_encoding::percent_decode_str(&rest[from.len()..]).decode_utf8_lossy().into_owned();
                format!("/api/v4/projects/{}/{to}{}", self.world.project.id, segment(&name))
            }
            None => return,
        };
        self.read(&target, "an address", true);
    }
}

#[test]
fn what_an_answer_or_a_body_tells_is_taken_where_it_is_asked_for() {
    let (world, bodies) = world();
    let (fields, values, routes) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut told = Told { world, answers: BTreeMap::new(), fields, values, routes, failures: Vec::new() };
    for base in BASES {
        let mut operations: Vec<&str> = Vec::new();
        operations
            .extend(contract_of(base).operations().iter().filter(|one| one.method == "GET").map(|one| &*one.path));
        // a list comes before what is below it
        operations.sort_by_key(|path| (path.split('/').count(), path.to_string()));
        for path in operations {
            let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
            told.walk(&format!("{base}{path}"), base, &parts, false);
        }
    }
    let (mut names, mut addresses) = (BTreeSet::new(), BTreeSet::new());
    // the objects of the mirror are trees and files, too
    let is_of_commits = |path: &str| !path.contains("/mirror/");
    let answers = told.answers.iter().filter(|(path, _)| is_of_commits(path));
    let answers: Vec<Value> = answers.filter_map(|(_, answer)| answer.clone()).chain(bodies).collect();
    answers.iter().for_each(|answer| told.collect("", answer, &mut names, &mut addresses));
    addresses.iter().for_each(|address| told.follow(address));
    for (base, name) in BASES.iter().flat_map(|base| names.iter().map(move |name| (base, name))) {
        told.values.insert(name.clone());
        for read in reads_of_a_commit(base) {
            let path = read.replace("PATH", "a").replace("NAME", &segment(name));
            told.read(&format!("{base}/projects/{}/{path}", told.world.project.id), &read, true);
        }
    }
    let (fields, values, routes) = (told.fields.len(), told.values.len(), told.routes.len());
    println!("{fields} fields, {values} values, {} commits' names, {routes} routes", names.len());
    assert!(told.failures.is_empty(), "{} fail: {:#?}", told.failures.len(), told.failures);
    assert!(
        fields > 60 && values > 60 && names.len() > 20 && routes > 150,
        "{fields} {values} {} {routes}",
        names.len()
    );
}
