use serde_json::json;

use crate::peer::Peer;
use crate::repo::{Repo, messages};

fn verify(repo: &Repo, peer: &Peer) -> String {
    let output = repo.program(peer, "verify").args(["--sample", "1", "--lists"]).output().unwrap();
    messages(&output) + std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn verify_compares_lists_to_their_end_and_tags() {
    let (repo, peer) = (Repo::grown(250), Peer::new());
    repo.git(&["tag", "v1", "HEAD~1"]);
    repo.git(&["branch", "old", "HEAD~100"]);
    repo.sync(&peer, &[]);
    let shown = verify(&repo, &peer);
    assert!(shown.ends_with("2 lists of 5 pages and 1 tag compared, 0 different\n"), "{shown}");
    let far = repo.git(&["rev-parse", "HEAD~120"]);
    let tip = repo.head();
    peer.world().commits.get_mut(&far).unwrap()["parents"] = json!([]);
    peer.world().refs.insert("refs/tags/v1".to_owned(), tip.clone());
    let shown = verify(&repo, &peer);
    let wanted = [
        "refs/heads/main: its list differs from commit 122 on".to_owned(),
        "refs/heads/old: its list differs from commit 22 on".to_owned(),
        format!("refs/tags/v1: git has {}, the server has {tip}", repo.git(&["rev-parse", "v1"])),
        "compared, 3 different".to_owned(),
    ];
    assert!(wanted.iter().all(|line| shown.contains(line)), "{shown}");
    peer.world().commits.get_mut(&far).unwrap()["parents"] = json!([tip]);
    assert!(verify(&repo, &peer).contains("refs/heads/main: its list differs from commit 122 on"));
}

#[test]
fn a_page_that_ends_early_is_no_difference() {
    let (repo, peer) = (Repo::grown(150), Peer::new());
    repo.sync(&peer, &[]);
    peer.world().most_listed = Some(40);
    let shown = verify(&repo, &peer);
    assert!(shown.ends_with("1 list of 4 pages and 0 tags compared, 0 different\n"), "{shown}");
}

#[test]
fn names_that_git_reads_as_something_else_are_no_difference() {
    let (repo, peer) = (Repo::grown(9), Peer::new());
    let far = repo.git(&["rev-parse", "HEAD~3"]);
    for name in ["HEAD", "refs/heads/v1", "refs/tags/v1", &far, &far.to_uppercase()] {
        repo.git(&["update-ref", &format!("refs/heads/{name}"), "HEAD~1"]);
        repo.git(&["update-ref", &format!("refs/tags/{name}"), "HEAD~2"]);
    }
    repo.git(&["branch", "v1", "HEAD~4"]);
    repo.git(&["tag", "v1", "HEAD~5"]);
    repo.sync(&peer, &[]);
    let shown = verify(&repo, &peer);
    assert!(shown.ends_with("7 lists of 7 pages and 6 tags compared, 0 different\n"), "{shown}");
}

#[test]
fn lists_of_commits_dated_after_9999_are_left_out() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["checkout", "-q", "-b", "late"]);
    repo.commit_raw(b"author A <a@x> 1 +0000\ncommitter A <a@x> 253402300800 +0000\n\nlate\n");
    repo.sync(&peer, &[]);
    let late = repo.head();
    peer.world().commits.get_mut(&late).unwrap()["parents"] = json!([]);
    let shown = verify(&repo, &peer);
    assert!(
        shown.contains("refs/heads/late: its list is not compared, because it has commits dated after the year 9999")
    );
    assert!(shown.contains("1 list of 1 page and 0 tags compared, 0 different\n"), "{shown}");
}

/// At least a page of each list, and 2500 pages of all.
#[test]
fn many_branches_take_few_pages_each() {
    let (repo, peer) = (Repo::grown(301), Peer::new());
    let branches: String = (0..1250).map(|number| format!("create refs/heads/b{number} HEAD~1\n")).collect();
    repo.feed(&["update-ref", "--stdin"], branches.as_bytes());
    repo.sync(&peer, &[]);
    let shown = verify(&repo, &peer);
    assert!(shown.ends_with("1251 lists of 1254 pages and 0 tags compared, 0 different\n"), "{shown}");
}
