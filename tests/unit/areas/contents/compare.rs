use super::*;

fn commit(sha: &str, committed_at: i64, parents: &[&str]) -> CommitRow {
    CommitRow {
        sha: sha.to_owned(),
        author_name: String::new(),
        author_email: String::new(),
        authored_at: 0,
        author_zone: 0,
        committer_name: String::new(),
        committer_email: String::new(),
        committed_at,
        committer_zone: 0,
        message: String::new(),
        additions: 0,
        deletions: 0,
        parent_shas: parents.iter().map(|sha| (*sha).to_owned()).collect(),
    }
}

/// Hashes, dates and parents, the tip first.
fn listed<const N: usize>(commits: [(&str, i64, Vec<&str>); N]) -> String {
    let tip = commits[0].0;
    let commits = commits.iter().map(|(sha, at, parents)| commit(sha, *at, parents)).collect();
    as_git_lists(commits, tip).into_iter().map(|commit| commit.sha).collect()
}

#[test]
fn of_two_branches_the_newest_commit_comes_next() {
    let commits =
        [("m", 9, vec!["a", "b"]), ("a", 7, vec!["c"]), ("b", 8, vec!["d"]), ("c", 3, vec![]), ("d", 5, vec![])];
    assert_eq!(listed(commits), "mbadc");
}

#[test]
fn of_one_second_the_first_parent_comes_first() {
    let commits =
        [("m", 9, vec!["b", "a"]), ("a", 8, vec!["c"]), ("b", 8, vec!["d"]), ("c", 8, vec![]), ("d", 8, vec![])];
    assert_eq!(listed(commits), "mbadc");
}

#[test]
fn a_parent_newer_than_its_child_comes_right_after_it() {
    let commits = [("m", 9, vec!["a", "b"]), ("a", 5, vec!["c"]), ("b", 6, vec![]), ("c", 7, vec![])];
    assert_eq!(listed(commits), "mbac");
    let commits = [("m", 9, vec!["a", "b"]), ("a", -5, vec![]), ("b", 6, vec![])];
    assert_eq!(listed(commits), "mab");
}
