//! Modes of old histories, which git reads as those of today.

use super::compare::Repository;
use super::v4::SUBMODULE;
use crate::support::contents::{blob, tree};
use crate::support::{Visibility, World, spec};
use serde_json::json;

/// The modes in a tree, as it is stored, and as git reads them.
const MODES: [(&str, &[u8], &str); 9] = [
    ("100644", b"a", "100644"),
    ("100664", b"b", "100644"),
    ("100600", b"c", "100644"),
    ("0100644", b"d", "100644"),
    ("100744", b"e", "100755"),
    ("100777", b"f", "100755"),
    ("120644", b"g", "120000"),
    ("040755", b"h", "040000"),
    ("160755", b"i", "160000"),
];

struct Written {
    repository: Repository,
    old: String,
    new: String,
}

/// Two commits of the same files: one with the modes of old programs, one with those of git.
fn written() -> Written {
    let repository = Repository::new();
    let write = |kind: &str, bytes: &[u8]| {
        let id = repository.git(&["hash-object", "-t", kind, "--literally", "-w", "--stdin"], bytes);
        String::from_utf8(id).unwrap().trim().to_owned()
    };
    let file = write("blob", &blob("a").bytes);
    let below = write("tree", &tree(&[("100644", b"x", &file)]).bytes);
    let commit = |modes: fn(&(&'static str, &'static [u8], &'static str)) -> &'static str, name: &str| {
        let entries: Vec<(&str, &[u8], &str)> = MODES
            .iter()
            .map(|entry| {
                let id = match entry.2 {
                    "040000" => below.as_str(),
                    "160000" => SUBMODULE,
                    _ => file.as_str(),
                };
                (modes(entry), entry.1, id)
            })
            .collect();
        let root = write("tree", &tree(&entries).bytes);
        let id = repository.text(&["commit-tree", &root, "-m", name]);
        repository.git(&["branch", name, &id], b"");
        id
    };
    let old = commit(|(stored, ..)| stored, "old");
    let new = commit(|(.., read)| read.trim_start_matches('0'), "new");
    Written { repository, old, new }
}

#[test]
fn modes_of_old_programs_are_read_as_git_reads_them() {
    let Written { repository, old, new } = written();
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let get = |path: &str| world.v4("GET", path).by(&world.rae).gives(200);
    let mut shown: Vec<String> = get("/repository/tree?ref=old&per_page=100")
        .json
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| ["mode", "type", "id"].map(|field| entry[field].as_str().unwrap()).join(" "))
        .collect();
    let mut wanted: Vec<String> =
        repository.text(&["ls-tree", "old"]).lines().map(|line| line.split_once('\t').unwrap().0.to_owned()).collect();
    shown.sort();
    wanted.sort();
    assert_eq!(shown, wanted);
    assert_eq!(repository.text(&["diff", &old, &new]), "");
    let compared = get("/repository/compare?from=old&to=new&straight=true").json;
    assert_eq!(compared["diffs"], json!([]));
    for (name, is_executable) in [("b", false), ("e", true), ("f", true)] {
        let file = get(&format!("/repository/files/{name}?ref=old")).json;
        assert_eq!(file["execute_filemode"], json!(is_executable), "{name}");
    }
}

#[test]
fn an_archive_of_old_modes_is_that_of_git() {
    let Written { repository, .. } = written();
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let answer = world.v4("GET", "/repository/archive.tar?sha=old").by(&world.rae).gives(200);
    let listed = |name: &str, bytes: &[u8]| {
        let path = repository.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        let tar = std::process::Command::new("tar").arg("-tvf").arg(&path).output().unwrap();
        let lines = String::from_utf8(tar.stdout).unwrap();
        // the mode, and the path below the first directory
        let line = |line: &str| {
            format!(
                "{} {}",
                line.split(' ').next().unwrap(),
                line.split_once('/').unwrap().1.split_once('/').unwrap().1
            )
        };
        lines.lines().map(line).collect::<Vec<_>>()
    };
    let git = repository.git(&["-c", "tar.umask=0022", "archive", "--prefix=all/", "old"], b"");
    assert_eq!(listed("ours.tar", &answer.bytes), listed("git.tar", &git));
}
