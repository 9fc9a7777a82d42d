//! Servers and repositories that fail, and programs that are killed.

use std::process::Stdio;
use std::time::Duration;

use crate::peer::Peer;
use crate::repo::{Repo, Scratch, messages};
use crate::sync::assert_equal;
use crate::world::Fault;

#[test]
fn overload_lost_connections_and_lost_answers_are_tried_again() {
    let (repo, peer) = (Repo::grown(600), Peer::new());
    peer.world().faults.extend([
        Fault::Status(503, None),
        Fault::Dropped,
        Fault::Status(429, Some(1)),
        Fault::AnswerLost,
    ]);
    repo.sync(&peer, &["--jobs", "2"]);
    assert_equal(&repo, &peer);
}

#[test]
fn a_swap_whose_answer_is_lost_is_found_done() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.sync(&peer, &[]);
    repo.git(&["branch", "side", "HEAD~1"]);
    peer.world().faults.push_back(Fault::AnswerLost);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("changed meanwhile") && said.contains("nothing to send"), "{said}");
    assert_equal(&repo, &peer);
}

#[test]
fn a_server_that_stays_away_is_given_up_with_exit_code_four() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    peer.world().faults.extend((0..3).map(|_| Fault::Status(503, Some(0))));
    let output = repo.program(&peer, "sync").args(["--retries", "2"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(messages(&output).contains("cannot be reached: 503 not now"), "{}", messages(&output));
    assert!(peer.world().refs.is_empty());

    let nobody = Peer::new();
    let address = nobody.address.clone();
    drop(nobody);
    let mut program = repo.program(&peer, "sync");
    let output = program.args(["--retries", "1", "--server", &address]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn a_refusal_is_not_tried_again() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let output = repo.program(&peer, "sync").env("EDGEFORGE_TOKEN", "wrong").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(messages(&output).contains("401 Unauthorized: the token is not valid"), "{}", messages(&output));
    let output = repo.program(&peer, "sync").args(["--project", "other"]).output().unwrap();
    assert!(messages(&output).contains("there is no such project"), "{}", messages(&output));
    peer.world().faults.push_back(Fault::Status(413, None));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert!(messages(&output).contains("answers 413 not now"), "{}", messages(&output));
    assert_eq!(peer.writes(), 1);
}

#[test]
fn a_batch_that_the_server_refuses_for_good_ends_the_sync() {
    let (repo, peer) = (Repo::grown(1200), Peer::new());
    // the second batch is refused ahead of its parents, and then again when they have arrived
    peer.world().delay = (Duration::from_millis(50), Duration::ZERO);
    peer.world().faults.extend((0..8).map(|_| Fault::Status(400, None)));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(messages(&output).contains("the server refused batch 0: not now"), "{}", messages(&output));
    assert!(peer.world().refs.is_empty());
}

#[test]
fn a_redirect_is_not_followed_with_the_token() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    peer.world().faults.push_back(Fault::Status(302, None));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert!(messages(&output).contains("it redirects"), "{}", messages(&output));
}

#[test]
fn a_killed_sync_is_completed_by_the_next_one() {
    let (repo, peer) = (Repo::grown(6000), Peer::new());
    repo.git(&["tag", "v1", "HEAD~100"]);
    peer.world().delay = (Duration::ZERO, Duration::from_millis(10));
    for number in 0..20_u64 {
        let mut program = repo.program(&peer, "sync");
        let mut run = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(7 + 13 * number));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    let fresh = Peer::new();
    repo.sync(&fresh, &[]);
    assert_eq!(peer.world().commits, fresh.world().commits);
    assert_eq!(peer.world().refs, fresh.world().refs);
}

#[test]
fn a_sync_that_was_cut_off_is_not_begun_again() {
    let (repo, peer) = (Repo::grown(3000), Peer::new());
    peer.world().faults.extend([
        Fault::Taken,
        Fault::Taken,
        Fault::Taken,
        Fault::Taken,
        Fault::Status(413, None),
    ]);
    assert_eq!(repo.program(&peer, "sync").args(["--jobs", "1"]).output().unwrap().status.code(), Some(4));
    assert_eq!(peer.world().commits.len(), 2000);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("going on from there") && said.contains("sent 1000 commits"), "{said}");
    assert_equal(&repo, &peer);
}

#[test]
fn a_damaged_repository_moves_no_ref() {
    let (repo, peer) = (Repo::grown(700), Peer::new());
    repo.sync(&peer, &[]);
    let before = peer.world().refs.clone();
    repo.write("lost", "this blob will be lost\n").commit("one");
    repo.write("lost", "changed\n").commit("two");
    let blob = repo.git(&["rev-parse", "HEAD:lost"]);
    std::fs::remove_file(repo.path.join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", messages(&output));
    assert!(messages(&output).contains(&blob), "{}", messages(&output));
    assert_eq!(peer.world().refs, before);
}

#[test]
fn a_sha256_repository_is_refused_in_plain_words() {
    let (repo, peer) = (Repo::with(&["init", "-q", "--object-format=sha256"]), Peer::new());
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(messages(&output).contains("is a sha256 repository; edgeforge indexes SHA-1 repositories only"));
}

#[test]
fn a_shallow_clone_is_refused_in_plain_words() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    let shallow = format!("file://{}", repo.path.display());
    let scratch = Scratch::new();
    let path = scratch.0.join("repo");
    repo.git(&["clone", "-q", "--depth=1", &shallow, path.to_str().unwrap()]);
    let output = Repo { scratch, path }.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(messages(&output).contains("its history is incomplete"), "{}", messages(&output));
}

#[test]
fn a_directory_without_a_repository_is_refused() {
    let peer = Peer::new();
    let repo = Repo { scratch: Scratch::new(), path: "/".into() };
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(messages(&output).contains("not a git repository"), "{}", messages(&output));
}
