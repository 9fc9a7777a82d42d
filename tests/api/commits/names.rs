//! What names a commit (behaviour 7.2): hashes of commits and of annotated tags, refs, and HEAD.

use crate::support::contents::{blob, tree};
use crate::support::git::{commit, sha};
use crate::support::{Answer, Visibility, World, contract_of, spec};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

/// Every described read of a project that names a commit, as its path below the project with `NAME` in the place of the
/// name, and `PATH` for a file.
pub(crate) fn reads_of_a_commit(base: &str) -> Vec<String> {
    let mut reads = Vec::new();
    for known in contract_of(base).operations().iter().filter(|known| known.method == "GET") {
        let Some(path) = known.path.strip_prefix("/projects/{id}/") else { continue };
        // blobs have hashes of their own, a list of pipelines is filtered by the text, and the rest needs a record
        let others = ["mirror/", "repository/raw_blobs/", "pipelines", "discussions/"];
        let is_blob = base.ends_with("v4") && path.starts_with("repository/blobs/");
        if is_blob || others.iter().any(|other| path.contains(other)) {
            continue;
        }
        let place = |name: &str| path.contains(&format!("{{{name}}}"));
        let filled = path.replace("{sha}", "NAME").replace("{git_ref}", "NAME").replace("{format}", "tar");
        let filled = filled.replace("raw/{name}", "raw/NAME%2FPATH").replace("{file_path}", "PATH");
        let mut query: Vec<&str> = known
            .parameters
            .keys()
            .filter_map(|name| match name.as_str() {
                "sha" if !place("sha") => Some("sha=NAME"),
                "ref" if !path.ends_with("/statuses") => Some("ref=NAME"),
                "ref_name" if !path.ends_with("/statuses") => Some("ref_name=NAME"),
                "from" => Some("from=NAME&to=master"),
                "to" => Some("from=master&to=NAME"),
                "refs" => Some("refs[]=NAME&refs[]=master"),
                _ => None,
            })
            .collect();
        if query.is_empty() && !filled.contains("NAME") {
            continue;
        }
        if query.is_empty() {
            query.push("");
        }
        for query in query {
            let more = match path.rsplit('/').next() {
                Some("search") => "&scope=commits&search=Change",
                Some("blob") => "filepath=PATH",
                Some("files") => "&file_path=PATH",
                Some("{sha}") if path.contains("blobs") => "filepath=PATH",
                _ => "",
            };
            reads.push(format!("{filled}?{query}{more}").trim_end_matches('?').to_owned());
        }
    }
    reads
}

/// A name as a segment of a path.
pub(crate) fn segment(name: &str) -> String {
    utf8_percent_encode(name, NON_ALPHANUMERIC).to_string()
}

/// An answer without the name by which it was asked, and without the hash of the commit.
pub(super) fn plain(answer: &Answer, name: &str, hash: &str) -> String {
    [hash, name, &segment(name)].iter().fold(answer.text.clone(), |text, word| text.replace(word, "NAME"))
}

impl World {
    pub(crate) fn tag(&self, name: &str, at: [Option<&str>; 2], tag: Option<&str>, inner: &[&str]) {
        let [old, new] = at;
        let change =
            json!({ "name": name, "old": old, "new": new, "message": "m", "tag_sha": tag, "inner_tags": inner });
        let swap = json!({ "default_branch": "master", "changes": [change] });
        self.put("/mirror/refs").by(&self.ann).json(swap).gives(200);
    }

    /// The same reads by each name as by the hash. Returns how many answered 200.
    fn reads_alike(&self, names: &[&str], hash: &str) -> usize {
        let mut answered = 0;
        for base in ["/api/v3", "/api/v4"] {
            for path in reads_of_a_commit(base) {
                let path = path.replace("PATH", "a");
                let get = |name: &str| {
                    let path = path.replace("NAME", &segment(name));
                    self.server
                        .ask_at("GET", format!("{base}/projects/{}/{path}", self.project.id))
                        .by(&self.ann)
                        .send()
                };
                let by_hash = get(hash);
                answered += usize::from(by_hash.status == 200);
                for name in names {
                    // those by the name of a branch are those of the branch
                    if path.ends_with("/statuses") && name.contains('/') {
                        continue;
                    }
                    let shown = get(name);
                    // the directory of an archive has the name
                    let is_alike =
                        path.contains("/archive") || plain(&shown, name, hash) == plain(&by_hash, name, hash);
                    assert!(
                        is_alike && shown.status == by_hash.status,
                        "{base} {path}, {name}: {} {}\n{hash}: {} {}",
                        shown.status,
                        shown.text,
                        by_hash.status,
                        by_hash.text
                    );
                }
            }
        }
        answered
    }

    /// The same writes by a name as by the hash.
    fn writes_alike(&self, name: &str, hash: &str) {
        let at = segment(name);
        for base in ["/api/v3", "/api/v4"] {
            let ask = |verb: &str, path: &str, body: Value| {
                let target = format!("{base}/projects/{}/{path}", self.project.id);
                self.server.ask_at(verb, target).by(&self.ann).json(body)
            };
            let status = json!({ "state": "success", "name": format!("{base} {name}") });
            let posted = ask("POST", &format!("statuses/{at}"), status.clone()).gives(201).json;
            assert_eq!(posted["sha"], hash, "{name}");
            let of_ref = segment(posted["ref"].as_str().unwrap());
            let listed = ask("GET", &format!("repository/commits/{hash}/statuses?ref={of_ref}"), json!({})).gives(200);
            assert!(listed.each("name").contains(&status["name"]), "{}", listed.text);
            ask("POST", &format!("repository/commits/{at}/comments"), json!({ "note": name })).gives(201);
            let comments = ask("GET", &format!("repository/commits/{hash}/comments"), json!({})).gives(200);
            assert_eq!(comments.each("note").last(), Some(&json!(name)));
            let deployment =
                json!({ "environment": "e", "sha": name, "ref": "master", "tag": false, "status": "success" });
            let made = ask("POST", "deployments", deployment).gives(201).json;
            assert_eq!(made["sha"], hash, "{made}");
        }
    }
}

/// Two commits on `master`, each with the file `a`.
pub(super) fn world() -> World {
    let world = World::new(spec(), Visibility::Public);
    let file = blob("one\n");
    let root = tree(&[("100644", b"a", file.id())]);
    let first = commit(1, &[]).with(|commit| commit.tree = root.id().to_owned());
    let second = commit(2, &[1]).with(|commit| commit.tree = root.id().to_owned());
    world.push(&[first, second], &[("refs/heads/master", &sha(2))]);
    world.send_objects(&[file, root]);
    world.note(json!({ "extent": "tips", "complete": [sha(1), sha(2)] }));
    world
}

#[test]
fn the_hash_of_an_annotated_tag_names_its_commit_wherever_one_is_named() {
    let world = world();
    let first = sha(1);
    let [tag, outer, middle, inner, moved] = ["ab12", "cd34", "ef56", "0a9b", "fe01"].map(|start| start.repeat(10));
    world.tag("refs/tags/v0", [None, Some(&first)], Some(&moved), &[]);
    world.tag("refs/tags/v1", [None, Some(&first)], Some(&tag), &[]);
    world.tag("refs/tags/of-a-tag", [None, Some(&first)], Some(&outer), &[&middle, &inner]);
    // a Tag Push hook has the old hash
    world.tag("refs/tags/v0", [Some(&first), None], None, &[]);
    let (upper, short) = (tag.to_uppercase(), &tag[..8]);
    let names: [&str; 7] = [&tag, &upper, short, &outer, &middle, &inner[..39], &moved];
    let answered = world.reads_alike(&names, &first);
    assert!(answered >= 38, "{answered}");
    for name in names {
        world.writes_alike(name, &first);
    }
    let shown = world.v4("GET", "/repository/tags/of-a-tag").by(&world.ann).gives(200).json;
    assert_eq!((&shown["target"], &shown["commit"]["id"]), (&json!(outer), &json!(first)));
}

#[test]
fn an_abbreviation_of_a_tag_and_of_another_object_names_nothing() {
    let world = world();
    let tag = format!("{}{}", &sha(2)[..6], "f".repeat(34));
    world.tag("refs/tags/v1", [None, Some(&sha(1))], Some(&tag), &[]);
    // the same object twice is one
    world.tag("refs/tags/v2", [None, Some(&sha(1))], Some(&tag), &[]);
    let get = |name: &str| world.v4("GET", &format!("/repository/commits/{name}")).by(&world.ann).send();
    assert_eq!(get(&tag[..6]).status, 404);
    assert_eq!(get(&tag[..8]).json["id"], sha(1));
    assert_eq!(get(&sha(2)[..8]).json["id"], sha(2));
    assert_eq!(get(&tag).json["id"], sha(1));
    assert_eq!(get(&"f".repeat(40)).status, 404);
}

#[test]
fn a_name_of_a_ref_is_read_as_git_reads_it() {
    let world = world();
    let (first, second) = (sha(1), sha(2));
    let ref_at = |name: &str, at: &str| world.tag(name, [None, Some(at)], None, &[]);
    for name in ["refs/heads/refs/heads/fix", "refs/tags/refs/tags/v1", "refs/tags/v3"] {
        ref_at(name, &first);
    }
    let names = ["refs/heads/fix", "refs/tags/v1", "refs/heads/refs/heads/fix", "refs/tags/refs/tags/v1", "v3"];
    world.reads_alike(&names, &first);
    for name in names {
        world.writes_alike(name, &first);
    }
    // a full name comes before such a branch or tag, and a tag before a branch
    for name in ["refs/heads/fix", "refs/tags/v1", "refs/heads/v3"] {
        ref_at(name, &second);
    }
    ref_at("refs/tags/refs/heads/fix", &first);
    world.reads_alike(&["refs/heads/fix", "fix", "refs/tags/v1", "v1", "refs/heads/v3", "HEAD"], &second);
    let first_ones =
        ["refs/heads/refs/heads/fix", "refs/tags/refs/tags/v1", "v3", "refs/tags/v3", "refs/tags/refs/heads/fix"];
    world.reads_alike(&first_ones, &first);
    // the branch by whose name a status is posted is its ref
    let status = json!({ "state": "success", "name": "by branch" });
    let posted = world.v4("POST", "/statuses/refs%2Fheads%2Ffix").by(&world.ann).json(status).gives(201);
    assert_eq!(posted.json["ref"], "fix");
}
