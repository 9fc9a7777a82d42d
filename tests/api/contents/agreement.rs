//! A commit's diff, which the hook takes from git, and the comparison with its parent, which the server makes, are both
//! those of git.

use super::compare::Repository;
use crate::support::contents::{Object, object};
use crate::support::{Dice, Visibility, World, spec};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use edgeforge_mirror::git;
use edgeforge_mirror::log::{Log, Range};
use edgeforge_mirror::objects::Objects;
use edgeforge_wire::contents::Kind;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Commits, each with its first parent.
type Pairs = Vec<[String; 2]>;

/// Sends the second commit of each pair as the hook does, all others without diffs, and the trees and files in which
/// both differ. The last one reaches all.
fn push(repository: &Repository, world: &World, pairs: &Pairs) {
    let opened = git::Repository::open(&repository.0).unwrap();
    let mut objects = Objects::start(&opened).unwrap();
    let commits: Vec<String> = pairs.iter().map(|[_, commit]| commit.clone()).collect();
    let mut log = Log::start(&opened, Range::These(&commits)).unwrap();
    let mut diffs = HashMap::new();
    while let Some(commit) = log.read().unwrap() {
        diffs.insert(commit.id.clone(), json!(commit.into_wire()));
    }
    let tip = commits.last().unwrap();
    let listed = repository.text(&["rev-list", "--topo-order", "--reverse", tip]);
    let wire = listed.lines().map(|id| {
        diffs.remove(id).unwrap_or_else(|| {
            let object = BASE64_STANDARD.encode(objects.object(id).unwrap());
            json!({ "id": id, "object_base64": object, "additions": 0, "deletions": 0, "diff": "[]" })
        })
    });
    for some in wire.collect::<Vec<Value>>().chunks(20) {
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": some })).gives(201);
    }
    world.push(&[], &[("refs/heads/master", tip)]);
    // what a comparison reads: both roots, and what is not in both
    let lines: String = pairs.iter().map(|[parent, commit]| format!("{commit} {parent}\n")).collect();
    let listed = repository.git(&["diff-tree", "--stdin", "-r", "-t", "--no-commit-id"], lines.as_bytes());
    let mut wanted: BTreeSet<String> = pairs.iter().flatten().map(|commit| format!("{commit}^{{tree}}")).collect();
    for line in String::from_utf8_lossy(&listed).lines() {
        let words: Vec<&str> = line.trim_start_matches(':').split_whitespace().collect();
        let sides = [(words[0], words[2]), (words[1], words[3])].into_iter();
        wanted.extend(sides.filter(|(mode, _)| !["000000", "160000"].contains(mode)).map(|(_, id)| id.to_owned()));
    }
    let wanted: String = wanted.into_iter().map(|id| id + "\n").collect();
    let kinds = repository.git(&["cat-file", "--batch-check"], wanted.as_bytes());
    let listed: BTreeSet<&str> = std::str::from_utf8(&kinds).unwrap().lines().collect();
    let read = listed.into_iter().map(|line| {
        let mut words = line.split(' ');
        let id = words.next().unwrap();
        object(Kind::read(words.next().unwrap()).unwrap(), objects.object(id).unwrap())
    });
    let all: Vec<Object> = read.collect();
    all.chunks(200).for_each(|some| world.send_objects(some));
    world.note(json!({ "extent": "history" }));
}

/// Path and patch of each file. None if the answer says that the patch is left out.
fn patches(files: &Value) -> Vec<(String, Option<String>)> {
    let text = |file: &Value, name: &str| file[name].as_str().unwrap().to_owned();
    let patch = |file: &Value| (file["too_large"] != true).then(|| text(file, "diff"));
    files.as_array().unwrap().iter().map(|file| (text(file, "new_path"), patch(file))).collect()
}

/// Checks both endpoints for each pair. Returns how many patches were equal, and how many were left out by the bounds:
/// files after a thousand or 5 MiB, patches over 200 KiB, those of files over 512 KiB, those that take too long, and
/// renames among too many files.
fn agree(repository: &Repository, pairs: &Pairs) -> [usize; 2] {
    let world = World::new(spec(), Visibility::Private);
    push(repository, &world, pairs);
    let mut counts = [0; 2];
    for [parent, commit] in pairs {
        let of_git = repository.diff(&format!("{parent}..{commit}"));
        let of_hook = world.get(&format!("/repository/commits/{commit}/diff")).by(&world.ann).gives(200).json;
        let path = format!("/repository/compare?from={parent}&to={commit}&straight=true&unidiff=true");
        let of_server = world.v4("GET", &path).by(&world.ann).gives(200).json;
        let bytes: usize = of_git.iter().map(|(_, patch)| patch.len()).sum();
        let is_long = of_git.len() > 1000 || bytes > 5 << 20;
        for found in [patches(&of_hook), patches(&of_server["diffs"])] {
            assert!(found.len() == of_git.len() || is_long, "{commit}: {} of {} files", found.len(), of_git.len());
            let mut equal = 0;
            for ((path, patch), wanted) in found.into_iter().zip(&of_git) {
                let Some(patch) = patch else { continue };
                let is_equal = (&path, &patch) == (&wanted.0, &wanted.1);
                assert!(is_equal || is_long, "{commit}: {path} {patch:?} {wanted:?}");
                equal += usize::from(is_equal);
            }
            counts[0] += equal;
            counts[1] += of_git.len() - equal;
        }
    }
    counts
}

/// Random lines of a few kinds, so that some may be matched in several ways.
fn text(dice: &mut Dice, kinds: usize) -> String {
    let lines = (0..dice.roll(25)).map(|_| match dice.roll(kinds) {
        0 => "\n".to_owned(),
        1 => "\t}\n".to_owned(),
        kind => format!("o{kind}\n"),
    });
    lines.collect()
}

#[test]
fn the_diff_of_a_commit_and_a_comparison_with_its_parent_are_those_of_git() {
    let repository = Repository::new();
    let mut dice = Dice(5);
    let mut commits = Vec::new();
    let mut files: Vec<(usize, String)> = (0..100).map(|_| (2 + dice.roll(9), String::new())).collect();
    for step in 0..6 {
        for (number, (kinds, file)) in files.iter_mut().enumerate() {
            let (at, end) = (dice.roll(file.lines().count() + 1), dice.roll(4));
            let lines: Vec<&str> = file.split_inclusive('\n').collect();
            let new = text(&mut dice, *kinds);
            *file = match dice.roll(3) {
                0 => new,
                1 => lines[..at].concat() + &new + &lines[at..].concat(),
                _ => lines[..at].concat() + &lines[(at + end).min(lines.len())..].concat() + &lines[..at].concat(),
            };
            std::fs::write(repository.0.join(format!("{number:03}")), &*file).unwrap();
        }
        std::fs::write(repository.0.join("odd"), ["o0\n\no2\no3\no4\n", "\n\n"][step % 2]).unwrap();
        repository.git(&["add", "--all"], b"");
        repository.git(&["commit", "-qm", &format!("step {step}")], b"");
        commits.push(repository.text(&["rev-parse", "HEAD"]));
    }
    let pairs = commits.windows(2).map(|pair| pair.to_vec().try_into().unwrap()).collect();
    let [count, left_out] = agree(&repository, &pairs);
    assert!(count > 800 && left_out == 0, "{count} patches, {left_out} are left out");
}

/// Pairs of commits with the trees of so many real commits and their parents, in a repository of their own: so a
/// shallow clone will do, and `.gitattributes` do not count, as they do not for the hook.
fn real(path: &str, most: usize) -> (Repository, Pairs) {
    let repository = Repository::new();
    let of_path = |words: &[&str]| repository.text(&[&["-C", path], words].concat());
    let objects = of_path(&["rev-parse", "--path-format=absolute", "--git-path", "objects"]);
    std::fs::write(repository.0.join(".git/objects/info/alternates"), objects + "\n").unwrap();
    let trees = of_path(&["log", "--first-parent", "--reverse", "--format=%T", "HEAD"]);
    let trees: Vec<&str> = trees.lines().collect();
    let changed: Vec<&[&str]> = trees.windows(2).filter(|pair| pair[0] != pair[1]).collect();
    let mut pairs = Pairs::new();
    for nth in 0..most.min(changed.len()) {
        let add = |tree: &str, parent: Option<&String>| {
            let parent = parent.map(|parent| ["-p", parent]);
            let words: Vec<&str> = parent.iter().flatten().copied().collect();
            repository.text(&[&["commit-tree", "-m", "x", tree], &words[..]].concat())
        };
        let pair = changed[(nth + 1) * changed.len() / most.min(changed.len()) - 1];
        let parent = add(pair[0], pairs.last().map(|[_, commit]| commit));
        let commit = add(pair[1], Some(&parent));
        pairs.push([parent, commit]);
    }
    (repository, pairs)
}

/// Of this repository, or of that in `EDGEFORGE_REPOSITORY`. A copy of the sources without a history has nothing to
/// compare.
#[test]
#[ignore = "a proof: make prove"]
fn the_diffs_and_comparisons_of_200_real_commits_are_those_of_git() {
    let path = std::env::var("EDGEFORGE_REPOSITORY").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    if !Path::new(&path).join(".git").exists() {
        println!("{path} has no .git: no commit is compared");
        return;
    }
    let (repository, pairs) = real(&path, 200);
    let is_shallow = repository.text(&["-C", &path, "rev-parse", "--is-shallow-repository"]) == "true";
    assert!(pairs.len() == 200 || is_shallow, "{} pairs", pairs.len());
    if pairs.is_empty() {
        println!("{path} is a clone of one commit: none is compared");
        return;
    }
    let [count, left_out] = agree(&repository, &pairs);
    println!("{} commits: {count} patches are those of git, {left_out} are left out", pairs.len());
    assert!(count > pairs.len() && left_out < count / 2, "{count} patches, {left_out} are left out");
}
