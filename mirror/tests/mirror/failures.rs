use std::process::Stdio;
use std::time::Duration;

use crate::peer::{Peer, bookmark};
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
    assert!(said.contains("changed during the sync") && said.contains("nothing to send"), "{said}");
    assert_equal(&repo, &peer);
}

#[test]
fn a_read_brings_the_newest_state_that_was_told_and_none_after_a_lost_answer() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    // the batch is accepted and the swap fails as if another client had moved a ref, so the refs are read
    // again
    peer.world().faults.extend([Fault::Taken, Fault::Said(409, "refs/heads/main has moved")]);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    assert_eq!(peer.world().read_bookmark, Some(bookmark(1)));

    repo.git(&["branch", "side", "HEAD~1"]);
    peer.world().faults.push_back(Fault::AnswerLost);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    assert_eq!(peer.world().read_bookmark, None);
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
    assert!(messages(&output).contains("the project does not exist"), "{}", messages(&output));
    peer.world().faults.push_back(Fault::Status(413, None));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert!(messages(&output).contains("answered 413 not now"), "{}", messages(&output));
    assert_eq!(peer.writes(), 1);
}

#[test]
fn a_batch_that_the_server_refuses_for_good_ends_the_sync() {
    let (repo, peer) = (Repo::grown(1200), Peer::new());
    // the second batch is refused early, and again after its parents have arrived
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
    assert!(messages(&output).contains("the server redirects"), "{}", messages(&output));
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
    peer.world().faults.extend([Fault::Taken, Fault::Taken, Fault::Taken, Fault::Taken, Fault::Status(413, None)]);
    assert_eq!(repo.program(&peer, "sync").args(["--jobs", "1"]).output().unwrap().status.code(), Some(4));
    assert_eq!(peer.world().commits.len(), 2000);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("sending the others") && said.contains("sent 1000 commits"), "{said}");
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
fn a_sha256_repository_is_sent_as_any_other() {
    let (repo, peer) = (Repo::with(&["init", "-q", "--object-format=sha256"]), Peer::new());
    repo.write("a", "one\n").commit("first");
    repo.write("a", "two\n").commit("second");
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    assert_eq!(peer.world().refs["refs/heads/main"].len(), 64);
}

#[test]
fn one_commit_that_cannot_be_indexed_keeps_only_its_own_branches_back() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    let tip = repo.head();
    repo.git(&["checkout", "-q", "--detach"]);
    let parents: Vec<String> = (0..101).map(|number| repo.orphan(number)).collect();
    let lines: String = parents.iter().map(|parent| format!("parent {parent}\n")).collect();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let merge = format!("tree {tree}\n{lines}author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nmany\n");
    let merge = repo.feed(&["hash-object", "-t", "commit", "-w", "--stdin"], merge.as_bytes());
    repo.git(&["update-ref", "refs/heads/many", &merge]);
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = messages(&output);
    assert!(
        said.contains(&format!(
            "skipped refs/heads/many: commit {merge} cannot be indexed: it has more than 100 parents"
        )),
        "{said}"
    );
    assert!(said.contains("1 ref could not be updated"), "{said}");
    assert_eq!(peer.world().refs.keys().collect::<Vec<_>>(), ["refs/heads/main"]);
    assert_eq!(peer.world().refs["refs/heads/main"], tip);
}

#[test]
fn a_proxy_that_answers_in_the_servers_place_is_no_success() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    peer.world().faults.extend([Fault::Taken, Fault::Page(200)]);
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(messages(&output).contains("not with the JSON of this API"), "{}", messages(&output));
}

#[test]
fn a_retry_after_of_zero_still_pauses_between_attempts() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    peer.world().faults.extend((0..3).map(|_| Fault::Status(503, Some(0))));
    let started = std::time::Instant::now();
    repo.sync(&peer, &[]);
    assert!(started.elapsed() >= Duration::from_millis(250 + 500 + 1000));
}

#[test]
fn control_characters_from_a_server_do_not_reach_the_terminal() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    peer.world().faults.push_back(Fault::Said(403, "\u{1b}[2Jno"));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert!(messages(&output).contains("\u{fffd}[2Jno") && !messages(&output).contains('\u{1b}'));
    let output = repo.program(&peer, "sync").args(["--project", "other"]).output().unwrap();
    assert!(messages(&output).contains("answered 404 Project Not Found:"), "{}", messages(&output));
}

#[test]
fn an_address_that_is_none_gets_no_token() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    for address in ["http://127.0.0.1:99999", "http://me:secret@127.0.0.1", "http://", "http://a b"] {
        let output = repo.program(&peer, "sync").args(["--server", address]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}: {}", messages(&output));
        assert!(!messages(&output).contains("secret"));
    }
}

#[test]
fn a_partial_clone_that_lacks_objects_says_what_to_do() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.path.display());
    for filter in ["--filter=blob:none", "--filter=tree:0"] {
        let scratch = Scratch::new();
        let path = scratch.0.join("repo");
        repo.git(&["clone", "-q", "--bare", filter, &url, path.to_str().unwrap()]);
        let output = Repo { scratch, path }.program(&peer, "sync").output().unwrap();
        let said = messages(&output);
        assert_eq!(output.status.code(), Some(3));
        assert!(said.contains("is a partial clone and lacks objects; run git fetch --refetch"), "{said}");
    }
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

#[test]
fn a_bundle_and_a_repository_without_its_alternates_say_what_to_do_in_one_line() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let bundle = repo.scratch.0.join("x.bundle");
    repo.git(&["bundle", "create", "-q", bundle.to_str().unwrap(), "--all"]);
    let run = |path: &std::path::Path| {
        let output = repo.program(&peer, "sync").arg("--repository").arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", messages(&output));
        messages(&output)
    };
    let said = run(&bundle);
    assert!(said.contains("is a bundle; run git clone --mirror") && said.lines().count() == 1, "{said}");

    let clone = repo.scratch.0.join("clone");
    repo.git(&["clone", "-q", "--shared", ".", clone.to_str().unwrap()]);
    let (there, gone) = (repo.path.join(".git/objects"), repo.path.join(".git/gone"));
    std::fs::rename(&there, &gone).unwrap();
    let said = run(&clone);
    std::fs::rename(&gone, &there).unwrap();
    assert!(said.contains(&format!("objects of this repository are in {}", there.display())), "{said}");
    assert!(said.contains("restore that directory") && said.lines().count() == 1, "{said}");
    let output = repo.program(&peer, "sync").arg("--repository").arg(&clone).output().unwrap();
    assert!(output.status.success(), "{}", messages(&output));
}
