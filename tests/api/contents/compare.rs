//! Comparisons, and where commits met, against git itself.

use crate::support::contents::{Object, blob, object, tree};
use crate::support::git::{commit, sha};
use crate::support::{Dice, Server, Visibility, World, spec};
use edgeforge_wire::contents::Kind;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Repository(pub PathBuf);

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Repository {
    pub fn new() -> Repository {
        let name = format!("compare-{}-{}", std::process::id(), crate::support::random_number());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        let repository = Repository(path);
        repository.git(&["init", "-q", "-b", "main"], b"");
        repository
    }

    pub fn git(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let mut git = Command::new("git");
        git.current_dir(&self.0).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "Ann").env(format!("GIT_{role}_EMAIL"), "ann@example.com");
        }
        let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // git answers while it reads
            scope.spawn(move || stdin.write_all(input).unwrap());
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "git {arguments:?}");
            output.stdout
        })
    }

    pub fn text(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.git(arguments, b"")).trim_end().to_owned()
    }

    /// The best common ancestors of the first commit and the others, the first of which `git merge-base` names.
    pub fn merge_bases(&self, commits: &[String]) -> Vec<String> {
        let output =
            Command::new("git").current_dir(&self.0).args(["merge-base", "--all"]).args(commits).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Sends all of its commits, trees and files.
    pub fn push(&self, world: &World) {
        let commits = self.text(&["rev-list", "--topo-order", "--reverse", "--all"]);
        let wire = commits.lines().map(|id| {
            let object = String::from_utf8(self.git(&["cat-file", "commit", id], b"")).unwrap();
            json!({ "id": id, "object": object, "additions": 0, "deletions": 0, "diff": "[]" })
        });
        let wire: Vec<Value> = wire.collect();
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
        let refs = self.text(&["for-each-ref", "--format=%(refname) %(objectname)"]);
        let refs: Vec<(&str, &str)> = refs.lines().map(|line| line.split_once(' ').unwrap()).collect();
        world.push(&[], &refs);
        let listed = self.text(&["rev-list", "--objects", "--no-object-names", "--all"]);
        let kinds = self.git(&["cat-file", "--batch-check"], (listed + "\n").as_bytes());
        let kinds = String::from_utf8(kinds).unwrap();
        let objects = kinds.lines().filter_map(|line| {
            let mut words = line.split(' ');
            let (id, kind) = (words.next().unwrap(), Kind::read(words.next().unwrap()).unwrap());
            (kind != Kind::Commit).then(|| object(kind, self.git(&["cat-file", kind.word(), id], b"")))
        });
        let objects: Vec<Object> = objects.collect();
        objects.chunks(500).for_each(|some| world.send_objects(some));
        world.note(json!({ "extent": "history" }));
    }

    /// Path, and patch from the `---` line on, of each file.
    pub fn diff(&self, range: &str) -> Vec<(String, String)> {
        let text = String::from_utf8_lossy(&self.git(&["diff", "--no-color", "-M50%", "--full-index", range], b""))
            .into_owned();
        let names = self.git(&["diff", "--name-status", "-z", "-M50%", range], b"");
        let names = String::from_utf8_lossy(&names).into_owned();
        let mut words = names.split('\0').map(str::to_owned);
        let mut paths = Vec::new();
        while let Some(status) = words.next().filter(|status| !status.is_empty()) {
            let path = words.next().filter(|_| !status.starts_with('R')).or_else(|| words.next()).unwrap();
            // a file that became a link has two patches
            paths.extend(vec![path; 1 + usize::from(status == "T")]);
        }
        // in a patch a line of the file has a mark before it
        let text = format!("\n{text}");
        let files = text.split("\ndiff --git ").skip(1);
        let files = files.map(|file| if file.ends_with('\n') { file.to_owned() } else { format!("{file}\n") });
        let body = |file: String| {
            let at = file.find("\n--- ").or(file.find("\nBinary files "));
            at.map(|at| file[at + 1..].to_owned()).unwrap_or_default()
        };
        let files: Vec<String> = files.map(body).collect();
        assert_eq!(paths.len(), files.len(), "{range}");
        paths.into_iter().zip(files).collect()
    }
}

fn ids(compared: &Value) -> Vec<&str> {
    let commits = compared["commits"].as_array().unwrap().iter();
    commits.map(|commit| commit["id"].as_str().unwrap()).collect()
}

/// Two branches of random changes to files, of which some move, grow, or lose their last line end.
fn random(seed: u64) -> Repository {
    let repository = Repository::new();
    let mut dice = Dice(seed);
    let line = |dice: &mut Dice| match dice.roll(6) {
        0 => "\n".to_owned(),
        1 => format!("fn f{}() {{\n", dice.roll(30)),
        2 => "}\n".to_owned(),
        3 => format!("\tcall({});\r\n", dice.roll(9)),
        _ => format!("    let x{} = {};\n", dice.roll(20), dice.roll(20)),
    };
    let mut files: Vec<(String, Vec<String>)> = (0..8)
        .map(|number| (format!("d{}/file {number}.rs", number % 3), (0..40).map(|_| line(&mut dice)).collect()))
        .collect();
    for step in 0..14 {
        if step == 5 {
            repository.git(&["branch", "-q", "side"], b"");
        }
        if step == 10 {
            repository.git(&["checkout", "-q", "side"], b"");
            files.truncate(5);
        }
        for _ in 0..4 {
            let at = dice.roll(files.len());
            let (name, lines) = &mut files[at];
            match dice.roll(9) {
                0 => *name = format!("d{}/moved {}-{step}.rs", dice.roll(3), dice.roll(99)),
                1 => *lines = vec![format!("{}", dice.roll(9))],
                2 => lines.clear(),
                3 => lines.extend((0..30).map(|_| line(&mut dice))),
                _ => {
                    for _ in 0..3 {
                        let place = dice.roll(lines.len() + 1);
                        if dice.roll(2) == 0 && place < lines.len() {
                            lines.remove(place);
                        } else {
                            lines.insert(place, line(&mut dice));
                        }
                    }
                }
            }
        }
        for entry in std::fs::read_dir(&repository.0).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.file_name().unwrap() != ".git" {
                let _ = std::fs::remove_dir_all(&entry);
            }
        }
        for (name, lines) in &files {
            let path = repository.0.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, lines.concat()).unwrap();
        }
        std::fs::write(repository.0.join("binary"), [0, step as u8]).unwrap();
        repository.git(&["add", "--all"], b"");
        repository.git(&["commit", "-qm", &format!("step {step}")], b"");
    }
    repository
}

#[test]
fn random_comparisons_are_those_of_git() {
    let mut files = 0;
    for seed in 1..=3 {
        let repository = random(seed);
        let world = World::new(spec(), Visibility::Private);
        repository.push(&world);
        let all = repository.text(&["rev-list", "--all"]);
        let all: Vec<&str> = all.lines().collect();
        let mut dice = Dice(seed);
        for _ in 0..8 {
            let (from, to) = (*dice.one(&all), *dice.one(&all));
            for (straight, dots) in [(false, "..."), (true, "..")] {
                let range = format!("{from}{dots}{to}");
                let path = format!("/repository/compare?from={from}&to={to}&straight={straight}&unidiff=true");
                let compared = world.v4("GET", &path).by(&world.rae).gives(200).json;
                let expected = repository.diff(&range);
                let found: Vec<(String, String)> = compared["diffs"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|file| {
                        (file["new_path"].as_str().unwrap().to_owned(), file["diff"].as_str().unwrap().to_owned())
                    })
                    .collect();
                files += found.len();
                assert_eq!(found, expected, "{range} of {seed}");
                let commits = repository.text(&["rev-list", "--reverse", &format!("{from}..{to}")]);
                let ids = ids(&compared);
                assert_eq!(ids, commits.lines().collect::<Vec<_>>(), "{range}");
                assert_eq!(compared["compare_same_ref"], from == to);
            }
            let base = repository.text(&["merge-base", from, to]);
            let found =
                world.v4("GET", &format!("/repository/merge_base?refs[]={from}&refs[]={to}")).by(&world.rae).gives(200);
            assert_eq!(found.json["id"], base.as_str());
        }
    }
    assert!(files > 200, "{files} files");
}

/// Commits of random parents and of dates a few seconds apart, without files.
pub fn dated(seed: u64) -> (Repository, Vec<String>) {
    let repository = Repository::new();
    let mut dice = Dice(seed);
    let tree = String::from_utf8(repository.git(&["mktree"], b"")).unwrap();
    let mut all: Vec<String> = Vec::new();
    for number in 0..30 {
        let mut parents: Vec<String> = Vec::new();
        for _ in 0..if number == 0 { 0 } else { 1 + dice.roll(3) } {
            let parent = all[number - 1 - dice.roll(number.min(5))].clone();
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        let parents: String = parents.iter().map(|parent| format!("parent {parent}\n")).collect();
        let who = format!("Ann <ann@example.com> {} +0000", 1_700_000_000 + number / 3 + dice.roll(4));
        let text = format!("tree {tree}{parents}author {who}\ncommitter {who}\n\n{number}\n");
        let written = repository.git(&["hash-object", "-t", "commit", "-w", "--stdin"], text.as_bytes());
        all.push(String::from_utf8(written).unwrap().trim().to_owned());
        repository.git(&["branch", &format!("b{number}"), all.last().unwrap()], b"");
    }
    (repository, all)
}

#[test]
fn the_commits_of_a_comparison_are_in_the_order_of_git_whatever_their_dates() {
    for seed in 1..=3 {
        let (repository, all) = dated(seed);
        let world = World::new(spec(), Visibility::Private);
        repository.push(&world);
        let mut dice = Dice(seed);
        for _ in 0..12 {
            let (from, to) = (dice.one(&all), dice.one(&all));
            let path = format!("/repository/compare?from={from}&to={to}");
            let compared = world.v4("GET", &path).by(&world.rae).gives(200).json;
            let ids = ids(&compared);
            let wanted = repository.text(&["rev-list", "--reverse", &format!("{from}..{to}")]);
            assert_eq!(ids, wanted.lines().collect::<Vec<_>>(), "{from}..{to} of {seed}");
        }
    }
}

#[test]
fn a_comparison_reads_the_files_of_the_merge_base() {
    let world = World::new(spec(), Visibility::Private);
    let text = ["base\n", "master\n", "topic\n"].map(blob);
    let roots = text.each_ref().map(|file| tree(&[("100644", b"file", file.id())]));
    let with = |number: u32, parents: &[u32]| {
        commit(number, parents).with(|commit| commit.tree = roots[number as usize - 1].id().to_owned())
    };
    let commits = [with(1, &[]), with(2, &[1]), with(3, &[1])];
    let refs = [("refs/heads/master", commits[1].sha.as_str()), ("refs/heads/topic", commits[2].sha.as_str())];
    world.push(&commits, &refs);
    world.send_objects(&[&text[1..], &roots[1..]].concat());
    world.note(json!({ "extent": "tips", "complete": [commits[1].sha, commits[2].sha] }));
    let compare =
        |status: u16| world.v4("GET", "/repository/compare?from=master&to=topic").by(&world.rae).gives(status).json;
    let refused = format!(
        "422 Unprocessable entity - objects of {} are not mirrored: no branch or tag ends there",
        commits[0].sha
    );
    assert_eq!(compare(422)["message"], refused.as_str());
    world.send_objects(&[text[0].clone(), roots[0].clone()]);
    world.note(json!({ "extent": "tips", "complete": [commits[0].sha] }));
    assert_eq!(compare(200)["diffs"][0]["diff"], "@@ -1 +1 @@\n-base\n+topic\n");
}

#[test]
fn a_comparison_names_what_it_compares_and_ends_at_its_newest_commit() {
    let repository = random(7);
    let world = World::new(spec(), Visibility::Public);
    repository.push(&world);
    let [main, side, base] = [&["rev-parse", "main"][..], &["rev-parse", "side"], &["merge-base", "main", "side"]]
        .map(|words| repository.text(words));
    let compared = world.v4("GET", "/repository/compare?from=main&to=side").gives(200).json;
    let address = compared["web_url"].as_str().unwrap();
    assert!(address.ends_with(&format!("/{}/-/compare/{base}...{side}", world.project.path)), "{address}");
    assert_eq!(compared["commit"]["id"], side.as_str());
    let diffs = compared["diffs"].as_array().unwrap();
    assert!(diffs.iter().any(|file| file["diff"].as_str().unwrap().starts_with("@@")));
    assert!(!diffs.iter().any(|file| file["diff"].as_str().unwrap().starts_with("---")));
    let straight = world.v4("GET", "/repository/compare?from=main&to=side&straight=true").gives(200).json;
    assert!(straight["web_url"].as_str().unwrap().ends_with(&format!("{main}..{side}")));
    let same = world.v4("GET", "/repository/compare?from=main&to=main").gives(200).json;
    assert_eq!((&same["commit"], &same["commits"], &same["diffs"]), (&Value::Null, &json!([]), &json!([])));
    let behind = world.v4("GET", &format!("/repository/compare?from=main&to={base}")).gives(200).json;
    assert_eq!((&behind["commits"], &behind["diffs"]), (&json!([]), &json!([])));
    for (query, status, text) in [
        ("", 400, "from is missing, to is missing"),
        ("?to=main", 400, "from is missing"),
        ("?from=main&to=nowhere", 404, "404 Ref Not Found"),
        ("?from=nowhere&to=main", 404, "404 Ref Not Found"),
    ] {
        let refused = world.v4("GET", &format!("/repository/compare{query}")).by(&world.rae).gives(status).json;
        assert!(refused["error"] == text || refused["message"] == text, "{query}: {refused}");
    }
    let own = format!("/repository/compare?from=main&to=main&from_project_id={}", world.project.id);
    world.v4("GET", &own).by(&world.rae).gives(200);
    let other = world.v4("GET", "/repository/compare?from=main&to=main&from_project_id=5000").by(&world.rae).gives(400);
    let text = format!("Target project id:5000 is not a fork of project id:{}", world.project.id);
    assert_eq!(other.json["message"], text.as_str());
}

#[test]
fn commits_that_never_met_have_no_base() {
    let world = World::new(spec(), Visibility::Private);
    world.push(&[commit(1, &[]), commit(2, &[])], &[("refs/heads/a", &sha(1)), ("refs/heads/b", &sha(2))]);
    let refused = |query: &str, status: u16| {
        world.v4("GET", &format!("/repository/merge_base{query}")).by(&world.rae).gives(status).json
    };
    assert_eq!(refused("?refs[]=a&refs[]=b", 404)["message"], "404 Merge Base Not Found");
    assert_eq!(refused("?refs[]=a", 400)["message"], "Provide at least 2 refs");
    assert_eq!(refused("?refs[]=a&refs[]=x", 400)["message"], "Could not find ref: x");
    assert_eq!(refused("?refs=x,y", 400)["message"], "Could not find refs: x, y");
    world.v4("GET", "/repository/merge_base?refs=a,b").by(&world.gus).gives(403);
    world.v4("GET", "/repository/compare?from=a&to=b").by(&world.gus).gives(403);
    let compared = world.v4("GET", "/repository/compare?from=a&to=b").by(&world.rae).gives(200).json;
    assert_eq!((&compared["diffs"], compared["commits"].as_array().unwrap().len()), (&json!([]), 1));
}

#[test]
fn a_comparison_leaves_long_files_out_and_says_so() {
    let repository = Repository::new();
    let mut commits = Vec::new();
    for step in 0..2 {
        let long: String = (0..60_000).map(|line| format!("{line} of {step}\n")).collect();
        let longer = format!("{step}").repeat(600 << 10);
        for (name, text) in [("long", long.as_str()), ("longer", &longer), ("short", &format!("{step}\n"))] {
            std::fs::write(repository.0.join(name), text).unwrap();
        }
        repository.git(&["add", "--all"], b"");
        repository.git(&["commit", "-qm", "x"], b"");
        commits.push(repository.text(&["rev-parse", "HEAD"]));
    }
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let path = format!("/repository/compare?from={}&to={}", commits[0], commits[1]);
    let compared = world.v4("GET", &path).by(&world.rae).gives(200).json;
    assert_eq!(compared["compare_timeout"], true);
    let files = compared["diffs"].as_array().unwrap().iter();
    let shown: Vec<(&Value, &Value)> = files.map(|file| (&file["too_large"], &file["diff"])).collect();
    let (left_out, none) = (json!(true), json!(""));
    assert_eq!(shown[..2], [(&left_out, &none), (&left_out, &none)]);
    assert_eq!(shown[2], (&json!(false), &json!("@@ -1 +1 @@\n-0\n+1\n")));
}

#[test]
fn a_comparison_says_that_it_did_not_look_for_similar_files_among_too_many() {
    let repository = Repository::new();
    let text: String = (0..40).map(|line| format!("line {line}\n")).collect();
    std::fs::write(repository.0.join("old"), &text).unwrap();
    repository.git(&["add", "--all"], b"");
    repository.git(&["commit", "-qm", "x"], b"");
    let first = repository.text(&["rev-parse", "HEAD"]);
    std::fs::remove_file(repository.0.join("old")).unwrap();
    std::fs::write(repository.0.join("new"), text + "one more\n").unwrap();
    for number in 0..1000 {
        std::fs::write(repository.0.join(format!("file {number}")), format!("{number}\n")).unwrap();
    }
    repository.git(&["add", "--all"], b"");
    repository.git(&["commit", "-qm", "x"], b"");
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let path = format!("/repository/compare?from={first}&to=main");
    let compared = world.v4("GET", &path).by(&world.rae).gives(200).json;
    assert_eq!((&compared["compare_timeout"], compared["diffs"].as_array().unwrap().len()), (&json!(true), 1000));
}

/// Git looks for similar files among a thousand.
#[test]
fn a_directory_of_400_files_that_moved_and_changed_is_400_renames() {
    let repository = Repository::new();
    let commit = |folder: &str, more: &str| {
        let _ = std::fs::remove_dir_all(repository.0.join("old"));
        std::fs::create_dir_all(repository.0.join(folder)).unwrap();
        for number in 0..400 {
            // a fourth of them without its name
            let name = if number % 4 == 0 && folder == "new" { number + 1000 } else { number };
            let text: String = (0..30).map(|line| format!("line {line} of {number}\n")).collect();
            std::fs::write(repository.0.join(format!("{folder}/{name}")), text + more).unwrap();
        }
        repository.git(&["add", "--all"], b"");
        repository.git(&["commit", "-qm", folder], b"");
        repository.text(&["rev-parse", "HEAD"])
    };
    let (first, second) = (commit("old", ""), commit("new", "one more\n"));
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let path = format!("/repository/compare?from={first}&to={second}&unidiff=true");
    let answer = world.v4("GET", &path).by(&world.rae).gives(200);
    let diffs = answer.json["diffs"].as_array().unwrap();
    let found: Vec<(&str, &str)> =
        diffs.iter().map(|file| (file["old_path"].as_str().unwrap(), file["new_path"].as_str().unwrap())).collect();
    let wanted = repository.text(&["diff", "--name-status", "-M50%", &first, &second]);
    let wanted: Vec<(&str, &str)> =
        wanted.lines().map(|line| line.split_once('\t').unwrap().1.split_once('\t').unwrap()).collect();
    assert_eq!((found.len(), &answer.json["compare_timeout"]), (400, &json!(false)));
    assert_eq!(found, wanted);
}

#[test]
fn a_file_that_became_a_link_is_deleted_and_new() {
    let repository = Repository::new();
    let commit = || {
        repository.git(&["add", "--all"], b"");
        repository.git(&["commit", "-qm", "x"], b"");
        repository.text(&["rev-parse", "HEAD"])
    };
    std::fs::write(repository.0.join("a"), "text\nof some\nlines\n").unwrap();
    let first = commit();
    std::fs::rename(repository.0.join("a"), repository.0.join("b")).unwrap();
    std::os::unix::fs::symlink("b", repository.0.join("a")).unwrap();
    let second = commit();
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let path = format!("/repository/compare?from={first}&to={second}");
    let compared = world.v4("GET", &path).by(&world.rae).gives(200).json;
    let shown: Vec<Value> = compared["diffs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| json!([file["new_path"], file["deleted_file"], file["new_file"], file["renamed_file"]]))
        .collect();
    let expected =
        [json!(["a", true, false, false]), json!(["a", false, true, false]), json!(["b", false, true, false])];
    assert_eq!(shown, expected);
}

#[test]
fn a_file_that_is_not_stored_for_its_size_is_left_out_of_a_comparison() {
    if !spec().is_in_process() {
        return;
    }
    let repository = Repository::new();
    let mut commits = Vec::new();
    for text in ["one\n", "more than twenty bytes of text\n"] {
        std::fs::write(repository.0.join("long"), text).unwrap();
        std::fs::write(repository.0.join("short"), text.get(..3).unwrap()).unwrap();
        repository.git(&["add", "--all"], b"");
        repository.git(&["commit", "-qm", "x"], b"");
        commits.push(repository.text(&["rev-parse", "HEAD"]));
    }
    let long = repository.text(&["rev-parse", "HEAD:long"]);
    let world = World::new(Server::with_objects(|_| ()), Visibility::Private);
    repository.push(&world);
    let path = format!("/repository/compare?from={}&to={}", commits[0], commits[1]);
    let out = json!([{ "id": long, "kind": "blob", "size": 31, "reason": "size" }]);
    world.server.tamper("delete from objects where size = 31");
    let key = world.server.bucket().keys().into_iter().find(|key| key.ends_with(&long)).unwrap();
    assert!(world.server.bucket().lose(&key));
    world.note(json!({ "extent": "history", "left_out": out }));
    let compared = world.v4("GET", &path).by(&world.rae).gives(200).json;
    assert_eq!(compared["compare_timeout"], true);
    let shown: Vec<&Value> = compared["diffs"].as_array().unwrap().iter().map(|file| &file["too_large"]).collect();
    assert_eq!(shown, [&json!(true), &json!(false)]);
}
