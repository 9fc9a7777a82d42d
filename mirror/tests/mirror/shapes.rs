use crate::oracle::{check, diff};
use crate::repo::Repo;

#[test]
fn an_ordinary_history_is_read_parents_first() {
    let repo = Repo::new();
    repo.write("a.txt", "one\ntwo\nthree\n").write("b/c.txt", "x\n").commit("first\n\nwith a body\n");
    repo.write("a.txt", "one\n2\nthree\nfour\n").commit("second");
    std::fs::remove_file(repo.path.join("b/c.txt")).unwrap();
    repo.commit("third");
    let commits = check(&repo);
    assert_eq!(commits[0].texts.message, "first\n\nwith a body\n");
    assert_eq!((commits[1].additions, commits[1].deletions), (2, 1));
    assert_eq!(
        diff(&commits[1])[0]["diff"],
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n"
    );
    assert_eq!(diff(&commits[0])[0]["a_mode"], "0");
    assert_eq!(diff(&commits[2])[0]["b_mode"], "0");
}

#[test]
fn an_empty_repository_has_no_commits() {
    assert!(check(&Repo::new()).is_empty());
    assert!(check(&Repo::bare()).is_empty());
}

#[test]
fn empty_commits_and_empty_messages_are_read() {
    let repo = Repo::new();
    repo.commit("");
    repo.commit("");
    repo.write("a", "").commit("");
    let commits = check(&repo);
    assert_eq!(commits[1].texts.message, "");
    assert_eq!(commits[1].diff, "[]");
    assert_eq!(diff(&commits[2])[0]["diff"], "", "an empty file has no lines");
}

#[test]
fn a_merge_is_compared_with_its_first_parent() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("base");
    repo.git(&["checkout", "-qb", "side"]);
    repo.write("side", "s\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("main", "m\n").commit("main");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let commits = check(&repo);
    let merge = commits.last().unwrap();
    assert_eq!(merge.object.parents.len(), 2);
    assert_eq!(diff(merge).len(), 1);
    assert_eq!(diff(merge)[0]["new_path"], "side");
}

#[test]
fn a_merge_that_keeps_our_side_has_no_diff() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("base");
    repo.git(&["checkout", "-qb", "side"]);
    repo.write("side", "s\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("main");
    repo.git(&["merge", "-q", "-s", "ours", "-m", "merge", "side"]);
    assert_eq!(check(&repo).last().unwrap().diff, "[]");
}

#[test]
fn an_octopus_has_all_its_parents() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("base");
    for side in ["one", "two", "three", "four"] {
        repo.git(&["checkout", "-qb", side, "main"]);
        repo.write(side, side).commit(side);
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-m", "octopus", "one", "two", "three", "four"]);
    let commits = check(&repo);
    let octopus = commits.last().unwrap();
    assert_eq!((octopus.object.parents.len(), diff(octopus).len()), (4, 3), "fast-forwarded to one, then three more");
}

#[test]
fn several_roots_are_read() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("root");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.write("b", "b\n").commit("another root");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--allow-unrelated-histories", "-m", "joined", "other"]);
    let commits = check(&repo);
    assert_eq!(commits.iter().filter(|commit| commit.object.parents.is_empty()).count(), 2);
}

#[test]
fn commits_older_than_their_parents_still_come_after_them() {
    let repo = Repo::new();
    let dates = ["1500000000 +0000", "1000000000 +0000", "1600000000 +0000", "900000000 +0000"];
    let made: Vec<String> = dates.iter().map(|date| repo.commit_at(date, date)).collect();
    let read: Vec<String> = check(&repo).into_iter().map(|commit| commit.id).collect();
    assert_eq!(read, made);
}
