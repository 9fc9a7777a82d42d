//! Reads each part of a commit with a git command of its own.

use serde_json::{Value, json};

use edgeforge_mirror::commit::Commit;
use edgeforge_mirror::diff::LONGEST_PATCH;
use edgeforge_mirror::git::Repository;
use edgeforge_mirror::log::{Log, Range};

use crate::repo::{Repo, Scratch};

/// The hash of the empty tree.
const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

pub fn check(repo: &Repo) -> Vec<Commit> {
    let commits = repo.read();
    let listed = repo.git(&["rev-list", "--branches", "--tags", "--topo-order", "--reverse"]);
    let ids: Vec<&str> = commits.iter().map(|commit| commit.id.as_str()).collect();
    assert_eq!(ids, listed.lines().collect::<Vec<_>>());
    commits.iter().for_each(|commit| check_one(repo, commit));
    commits
}

fn check_one(repo: &Repo, commit: &Commit) {
    check_fields(repo, commit);
    check_stats(repo, commit);
    check_diff(repo, commit);
}

/// Compares commits of your own repository: EDGEFORGE_REPOSITORY=PATH EDGEFORGE_SAMPLE=N, run with
/// `--ignored`.
#[test]
#[ignore = "it needs a repository; see its comment"]
fn commits_of_a_given_repository_are_read_as_git_says() {
    let path = std::env::var("EDGEFORGE_REPOSITORY").unwrap().into();
    let sample = std::env::var("EDGEFORGE_SAMPLE").map_or(100, |number| number.parse().unwrap());
    let repo = Repo { scratch: Scratch::new(), path };
    let listed = repo.git(&["rev-list", "--branches", "--tags"]);
    let all: Vec<&str> = listed.lines().collect();
    let every = (all.len() / sample).max(1);
    let chosen: Vec<String> = all.into_iter().step_by(every).map(str::to_owned).collect();
    let repository = Repository::open(&repo.path).unwrap();
    let mut log = Log::start(&repository, Range::These(&chosen)).unwrap();
    let mut compared = 0;
    while let Some(commit) = log.read().unwrap() {
        check_one(&repo, &commit);
        compared += 1;
    }
    assert_eq!(compared, chosen.len());
}

pub fn diff(commit: &Commit) -> Vec<Value> {
    serde_json::from_str(&commit.diff).unwrap()
}

fn format(repo: &Repo, commit: &Commit, format: &str) -> String {
    let output = repo.git_bytes(&["log", "-1", "-z", &format!("--format={format}"), "--date=raw", &commit.id]);
    let text = String::from_utf8_lossy(&output).into_owned();
    text.strip_suffix('\0').unwrap_or(&text).to_owned()
}

fn check_fields(repo: &Repo, commit: &Commit) {
    assert_eq!(commit.object.parents.join(" "), format(repo, commit, "%P"));
    assert_eq!(commit.texts.author_name, format(repo, commit, "%an"));
    assert_eq!(commit.texts.author_email, format(repo, commit, "%ae"));
    assert_eq!(commit.texts.committer_name, format(repo, commit, "%cn"));
    assert_eq!(commit.texts.committer_email, format(repo, commit, "%ce"));
    assert_eq!(commit.texts.message, format(repo, commit, "%B"));
    if commit.object.encoding.is_none() {
        assert_eq!(commit.object.texts, commit.texts, "what the server reads from the object is what git shows");
    }
    let dates =
        [(commit.object.authored, format(repo, commit, "%ad")), (commit.object.committed, format(repo, commit, "%cd"))];
    for (date, wanted) in dates {
        // a date after the year 9999 is its last second, by the local clock
        if date.seconds + i64::from(date.zone.max(0)) * 60 == 253_402_300_799 {
            continue;
        }
        // git may print no date or an invalid zone; the tests that create such commits check their dates
        if wanted.len() > 5 && wanted.rfind(' ') == Some(wanted.len() - 6) {
            assert_eq!(format!("{} {}", date.seconds, date.zone_text()), wanted);
        }
    }
}

fn before(commit: &Commit) -> &str {
    commit.object.parents.first().map_or(EMPTY, String::as_str)
}

fn check_stats(repo: &Repo, commit: &Commit) {
    let text = repo.git(&["diff", "--shortstat", "-M", before(commit), &commit.id]);
    let number = |word: &str| {
        let part = text.split(',').find(|part| part.contains(word));
        part.map_or(0, |part| part.trim().split(' ').next().unwrap().parse().unwrap())
    };
    assert_eq!((commit.additions, commit.deletions), (number("insertion"), number("deletion")), "{}", commit.id);
}

/// git diffs each file separately. A file that changes its type is two entries.
fn check_diff(repo: &Repo, commit: &Commit) {
    let raw = repo.git_bytes(&["diff-tree", "-r", "-M", "--raw", "-z", before(commit), &commit.id]);
    let mut fields = raw.split(|byte| *byte == 0);
    let mut wanted = Vec::new();
    while let Some(words) = fields.next().filter(|words| !words.is_empty()) {
        let words: Vec<String> = String::from_utf8_lossy(words).split(' ').map(str::to_owned).collect();
        let (a_mode, b_mode, status) = (&words[0][1..], words[1].as_str(), &words[4]);
        let old = fields.next().unwrap().to_vec();
        let renamed = status.starts_with('R');
        let new = if renamed { fields.next().unwrap().to_vec() } else { old.clone() };
        let patches = patches(repo, commit, &old, &new);
        let sides = if status == "T" { vec![(a_mode, "0"), ("0", b_mode)] } else { vec![(a_mode, b_mode)] };
        assert_eq!(patches.len(), sides.len());
        for ((a_mode, b_mode), patch) in sides.into_iter().zip(patches) {
            let mode = |mode: &str| if mode == "000000" { "0".to_owned() } else { mode.to_owned() };
            let (a_mode, b_mode) = (mode(a_mode), mode(b_mode));
            wanted.push(json!({
                "old_path": String::from_utf8_lossy(&old),
                "new_path": String::from_utf8_lossy(&new),
                "new_file": a_mode == "0",
                "deleted_file": b_mode == "0",
                "renamed_file": renamed,
                "a_mode": a_mode,
                "b_mode": b_mode,
                "diff": patch,
            }));
        }
    }
    let got = diff(commit);
    for (got, wanted) in got.iter().zip(&wanted) {
        assert_eq!(got, wanted, "{}", commit.id);
    }
    assert_eq!(got.len(), wanted.len(), "{}", commit.id);
}

fn patches(repo: &Repo, commit: &Commit, old: &[u8], new: &[u8]) -> Vec<String> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let mut git = repo.command();
    git.args(["--literal-pathspecs", "diff", "-M", before(commit), &commit.id, "--"]);
    git.arg(OsStr::from_bytes(old)).arg(OsStr::from_bytes(new));
    let output = crate::repo::printed(&mut git, b"");
    let mut patches: Vec<Vec<u8>> = Vec::new();
    let mut inside = false;
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            patches.push(Vec::new());
            inside = false;
        }
        inside |= line.starts_with(b"--- ") || line.starts_with(b"Binary files ");
        if inside {
            patches.last_mut().unwrap().extend_from_slice(line);
        }
    }
    let text = |patch: &Vec<u8>| {
        if patch.len() > LONGEST_PATCH { String::new() } else { String::from_utf8_lossy(patch).into_owned() }
    };
    patches.iter().map(text).collect()
}
