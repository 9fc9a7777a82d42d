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
use std::collections::HashMap;

/// Sends these commits as the hook does, those before them without diffs, and the trees and files of the former.
fn push(repository: &Repository, world: &World, commits: &[String]) {
    let opened = git::Repository::open(&repository.0).unwrap();
    let mut objects = Objects::start(&opened).unwrap();
    let mut log = Log::start(&opened, Range::These(commits)).unwrap();
    let mut diffs = HashMap::new();
    while let Some(commit) = log.read().unwrap() {
        diffs.insert(commit.id.clone(), json!(commit.into_wire()));
    }
    let listed = repository.text(&["rev-list", "--topo-order", "--reverse", commits.last().unwrap()]);
    let wire = listed.lines().map(|id| {
        diffs.remove(id).unwrap_or_else(|| {
            let object = BASE64_STANDARD.encode(objects.object(id).unwrap());
            json!({ "id": id, "object_base64": object, "additions": 0, "deletions": 0, "diff": "[]" })
        })
    });
    for some in wire.collect::<Vec<Value>>().chunks(50) {
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": some })).gives(201);
    }
    let tip = commits.last().unwrap();
    world.push(&[], &[("refs/heads/master", tip)]);
    let trees: String = commits.iter().map(|commit| format!("{commit}^{{tree}}\n")).collect();
    let listed = repository.git(&["rev-list", "--objects", "--no-object-names", "--stdin"], trees.as_bytes());
    let kinds = repository.git(&["cat-file", "--batch-check"], &listed);
    let all: Vec<Object> = String::from_utf8(kinds)
        .unwrap()
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            let id = words.next().unwrap();
            object(Kind::read(words.next().unwrap()).unwrap(), objects.object(id).unwrap())
        })
        .collect();
    all.chunks(200).for_each(|some| world.send_objects(some));
    world.note(json!({ "extent": "history" }));
}

fn patches(files: &Value) -> Vec<(String, String)> {
    let text = |file: &Value, name: &str| file[name].as_str().unwrap().to_owned();
    files.as_array().unwrap().iter().map(|file| (text(file, "new_path"), text(file, "diff"))).collect()
}

/// Checks both endpoints for each commit and its parent. Returns how many patches were equal, and how many were left out
/// for the length of a file.
fn agree(repository: &Repository, commits: &[String]) -> [usize; 2] {
    let world = World::new(spec(), Visibility::Private);
    push(repository, &world, commits);
    let mut counts = [0; 2];
    for (parent, commit) in commits.iter().zip(&commits[1..]) {
        let of_git = repository.diff(&format!("{parent}..{commit}"));
        let of_hook = world.get(&format!("/repository/commits/{commit}/diff")).by(&world.ann).gives(200).json;
        let path = format!("/repository/compare?from={parent}&to={commit}&straight=true&unidiff=true");
        let of_server = world.v4("GET", &path).by(&world.ann).gives(200).json;
        for found in [patches(&of_hook), patches(&of_server["diffs"])] {
            assert_eq!(found.len(), of_git.len(), "{commit}");
            for (found, wanted) in found.into_iter().zip(&of_git) {
                let is_left_out = found.1.is_empty() && !wanted.1.is_empty();
                assert!(is_left_out && found.0 == wanted.0 || found == *wanted, "{commit}: {found:?} {wanted:?}");
                counts[usize::from(is_left_out)] += 1;
            }
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
    let [count, left_out] = agree(&repository, &commits);
    assert!(count > 800 && left_out == 0, "{count} patches, {left_out} are left out");
}
