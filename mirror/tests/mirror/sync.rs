use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::json;

use edgeforge_wire::text::is_hash;

use crate::peer::Peer;
use crate::repo::{Repo, messages};

/// Compares refs, their commits and the default branch.
pub fn assert_equal(repo: &Repo, peer: &Peer) {
    let listed = repo.git(&["for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags"]);
    let names: String = listed.lines().map(|name| format!("{name}^{{commit}}\n")).collect();
    let peeled = repo.feed(&["cat-file", "--batch-check=%(objectname)"], names.as_bytes());
    let pairs = listed.lines().zip(peeled.lines()).filter(|(_, hash)| is_hash(hash));
    let wanted: BTreeMap<String, String> = pairs.map(|(name, hash)| (name.to_owned(), hash.to_owned())).collect();
    let world = peer.world();
    assert_eq!(world.refs, wanted);
    let all = repo.git(&["rev-list", "--branches", "--tags"]);
    let missing: Vec<_> = all.lines().filter(|id| !world.commits.contains_key(*id)).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn the_first_sync_sends_everything_and_the_second_nothing() {
    let (repo, peer) = (Repo::grown(20), Peer::new());
    repo.git(&["branch", "side", "HEAD~5"]);
    repo.git(&["tag", "v1"]);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("sent 20 commits in") && said.contains("changed 3 refs"), "{said}");
    assert_equal(&repo, &peer);
    assert_eq!(peer.world().default_branch.as_deref(), Some("main"));
    let writes = peer.writes();
    assert_eq!(writes, 2, "a batch and a swap");
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
    assert_eq!(peer.writes(), writes);
}

#[test]
fn what_arrives_is_what_the_program_read() {
    let (repo, peer) = (Repo::new(), Peer::new());
    repo.write("a \"quoted\" name", "one\n").commit("first\n\nbody \u{1F980}");
    repo.write("b", b"\0\x01").write("a \"quoted\" name", b"\xff\n").commit("second");
    repo.sync(&peer, &[]);
    for commit in repo.read() {
        let stored = peer.world().commits[&commit.id].clone();
        assert_eq!(stored["message"], commit.texts.message);
        assert_eq!((&stored["diff"], &stored["additions"]), (&json!(commit.diff), &json!(commit.additions)));
    }
}

#[test]
fn only_missing_commits_are_sent() {
    let (repo, peer) = (Repo::grown(20), Peer::new());
    repo.sync(&peer, &[]);
    repo.git(&["checkout", "-qb", "side", "HEAD~10"]);
    repo.write("side", "x").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-m", "merge", "side"]);
    assert!(repo.sync(&peer, &[]).contains("sent 2 commits"));
    assert_equal(&repo, &peer);
    repo.git(&["tag", "v1", "HEAD~1"]);
    assert!(repo.sync(&peer, &[]).contains("sent 0 commits"));
    assert_equal(&repo, &peer);
}

#[test]
fn commits_that_a_ref_reaches_again_are_not_sent_twice() {
    let (repo, peer) = (Repo::grown(1200), Peer::new());
    let tip = repo.head();
    repo.sync(&peer, &[]);
    repo.git(&["update-ref", "refs/heads/main", "HEAD~1100"]);
    repo.sync(&peer, &[]);
    repo.git(&["update-ref", "refs/heads/main", &tip]);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("the server already has some of these commits") && said.contains("changed 1 ref"), "{said}");
    assert!(!said.contains("interrupted") && said.contains("sent 0 commits"), "{said}");
}

#[test]
fn batches_hold_at_most_five_hundred_commits() {
    let (repo, peer) = (Repo::grown(1203), Peer::new());
    repo.sync(&peer, &[]);
    let mut batches = peer.world().batches.clone();
    batches.sort_unstable();
    assert_eq!(batches, [203, 500, 500]);
    assert_equal(&repo, &peer);
}

#[test]
fn a_large_commit_is_a_batch_of_its_own() {
    let (repo, peer) = (Repo::new(), Peer::new());
    repo.commit("small");
    for number in 0..60 {
        repo.write(&format!("{number}"), format!("\"{number:098}\n").repeat(1000));
    }
    repo.commit("more than five mebibytes");
    repo.commit("small");
    repo.sync(&peer, &["--no-gzip"]);
    assert_eq!(peer.world().batches, [1, 1, 1]);
    assert_equal(&repo, &peer);
}

#[test]
fn a_commit_of_nothing_but_quotes_is_not_too_large_for_the_server() {
    let (repo, peer) = (Repo::new(), Peer::new());
    for number in 0..40 {
        repo.write(&format!("{number}"), "\"".repeat(180_000));
    }
    repo.commit("quotes");
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
}

#[test]
fn several_batches_are_under_way_at_once() {
    let (repo, peer) = (Repo::grown(3000), Peer::new());
    peer.world().delay = (Duration::ZERO, Duration::from_millis(60));
    repo.sync(&peer, &["--jobs", "3"]);
    assert!(peer.most_under_way() > 1);
    assert_equal(&repo, &peer);
}

#[test]
fn a_server_that_mixes_up_the_order_gets_every_batch_in_the_end() {
    let (repo, peer) = (Repo::grown(4000), Peer::new());
    peer.world().delay = (Duration::from_millis(60), Duration::ZERO);
    let said = repo.sync(&peer, &["--jobs", "4", "--verbose"]);
    assert!(said.contains("8 batches arrived"), "{said}");
    assert_equal(&repo, &peer);
}

#[test]
fn one_job_sends_one_batch_after_the_other() {
    let (repo, peer) = (Repo::grown(1500), Peer::new());
    peer.world().delay = (Duration::from_millis(20), Duration::ZERO);
    repo.sync(&peer, &["--jobs", "1"]);
    assert_eq!(peer.most_under_way(), 1);
    assert_equal(&repo, &peer);
}

#[test]
fn a_dry_run_shows_what_would_be_done_and_changes_nothing() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.sync(&peer, &[]);
    repo.git(&["tag", "v1", "HEAD~1"]);
    repo.git(&["checkout", "-qb", "topic"]);
    let tip = repo.commit("new");
    let writes = peer.writes();
    let output = repo.program(&peer, "sync").arg("--dry-run").output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let wanted = [
        format!("+ refs/heads/topic {}", &tip[..8]),
        format!("+ refs/tags/v1 {}", &repo.git(&["rev-parse", "main~1"])[..8]),
        "! default branch main -> topic".to_owned(),
        "1 commit to send, 2 refs to change".to_owned(),
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), wanted);
    assert_eq!((output.status.code(), peer.writes()), (Some(0), writes));
}

#[test]
fn commits_that_only_the_server_knows_do_not_disturb() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.sync(&peer, &[]);
    let stranger = "f".repeat(40);
    peer.world().commits.insert(stranger.clone(), json!({}));
    peer.world().refs.insert("refs/heads/main".to_owned(), stranger);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
}

#[test]
fn sending_a_stored_batch_again_does_no_harm() {
    let (repo, peer) = (Repo::grown(10), Peer::new());
    repo.sync(&peer, &[]);
    peer.world().refs.clear();
    assert!(repo.sync(&peer, &[]).contains("sent 10 commits"));
    assert_equal(&repo, &peer);
}

#[test]
fn quiet_says_nothing_and_verbose_names_every_request() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let said = repo.sync(&peer, &["--verbose"]);
    for request in ["GET /mirror: 200", "POST /mirror/commits: 201", "PUT /mirror/refs: 200"] {
        assert!(said.contains(request), "{said}");
    }
    assert_eq!(repo.sync(&peer, &["--quiet"]), "");
}

#[test]
fn thousands_of_refs_are_swapped_in_portions() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    let tip = repo.head();
    let lines: String = (0..4100).map(|number| format!("create refs/tags/t{number} {tip}\n")).collect();
    repo.feed(&["update-ref", "--stdin"], lines.as_bytes());
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    assert_eq!(peer.writes(), 1 + 5);
}

#[test]
fn two_syncs_at_once_both_end_well() {
    let (repo, peer) = (Repo::grown(1200), Peer::new());
    peer.world().delay = (Duration::ZERO, Duration::from_millis(100));
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let mut program = repo.program(&peer, "sync");
            program.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            program.spawn().unwrap()
        })
        .collect();
    let outputs: Vec<_> = runs.into_iter().map(|run| run.wait_with_output().unwrap()).collect();
    let ends: BTreeSet<_> = outputs.iter().map(|output| output.status.code()).collect();
    assert_eq!(ends, [Some(0)].into());
    let nothing = outputs.iter().filter(|output| messages(output).contains("nothing to send")).count();
    assert_eq!(nothing, 2, "who waited found nothing left to do");
    assert_equal(&repo, &peer);
}
