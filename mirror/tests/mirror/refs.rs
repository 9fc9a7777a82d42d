//! Branches, tags and HEAD as they come, move and go.

use crate::peer::Peer;
use crate::repo::{Repo, messages};
use crate::sync::assert_equal;

#[test]
fn an_empty_repository_changes_nothing_but_the_default_branch() {
    let (repo, peer) = (Repo::bare(), Peer::new());
    repo.sync(&peer, &[]);
    assert_eq!(peer.world().default_branch.as_deref(), Some("main"), "unborn, but named");
    assert!(peer.world().refs.is_empty() && peer.world().commits.is_empty());
    assert!(repo.sync(&peer, &[]).contains("nothing to send"));
}

#[test]
fn a_repository_that_was_emptied_takes_its_refs_away() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["tag", "v1"]);
    repo.sync(&peer, &[]);
    repo.git(&["tag", "-d", "v1"]);
    repo.git(&["update-ref", "-d", "refs/heads/main"]);
    repo.sync(&peer, &[]);
    assert!(peer.world().refs.is_empty());
    assert!(repo.sync(&peer, &[]).contains("nothing to send"));
}

#[test]
fn a_forced_push_is_marked_and_a_fast_forward_is_not() {
    let (repo, peer) = (Repo::grown(5), Peer::new());
    repo.git(&["branch", "steady", "HEAD~2"]);
    repo.git(&["branch", "gone"]);
    repo.sync(&peer, &[]);
    repo.git(&["reset", "-q", "--hard", "HEAD~3"]);
    repo.commit("another way");
    repo.git(&["branch", "-qf", "steady", "steady"]);
    repo.git(&["update-ref", "refs/heads/steady", &repo.git(&["rev-parse", "gone"])]);
    repo.git(&["branch", "-qD", "gone"]);
    repo.git(&["branch", "fresh"]);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    let world = peer.world();
    let forced: Vec<_> =
        world.swapped.iter().map(|change| (change["name"].as_str(), &change["forced"])).collect();
    let (yes, no) = (true.into(), false.into());
    assert_eq!(
        forced,
        [
            (Some("refs/heads/main"), &yes),
            (Some("refs/heads/fresh"), &no),
            (Some("refs/heads/steady"), &no),
            (Some("refs/heads/gone"), &no),
        ]
    );
}

#[test]
fn annotated_tags_are_peeled_and_bring_their_message() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["tag", "light"]);
    repo.git(&["tag", "-a", "-m", "Version 1\n\nwith a body", "v1", "HEAD~1"]);
    repo.git(&["tag", "-a", "-m", "a tag of a tag", "nested", "v1"]);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    let world = peer.world();
    assert_eq!(world.refs["refs/tags/nested"], repo.git(&["rev-parse", "HEAD~1"]));
    assert_eq!(world.tags["refs/tags/v1"].1, "Version 1\n\nwith a body\n");
    assert_eq!(world.tags["refs/tags/nested"].1, "a tag of a tag\n");
    assert!(!world.tags.contains_key("refs/tags/light"));
}

#[test]
fn tags_that_point_at_no_commit_are_skipped_with_a_warning() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["tag", "tree", "HEAD^{tree}"]);
    repo.git(&["tag", "-a", "-m", "blob", "blob", "HEAD:number"]);
    repo.git(&["tag", "-a", "-m", "outer", "outer", "blob"]);
    let said = repo.sync(&peer, &[]);
    for tag in ["tree", "blob", "outer"] {
        assert!(
            said.contains(&format!("warning: skipped refs/tags/{tag}: it does not point at a commit")),
            "{said}"
        );
    }
    assert_eq!(peer.world().refs.len(), 1);
}

#[test]
fn other_refs_are_left_at_home() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["update-ref", "refs/pull/1/head", "HEAD~1"]);
    repo.git(&["notes", "add", "-m", "note"]);
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.sync(&peer, &[]);
    assert_eq!(peer.world().refs.keys().collect::<Vec<_>>(), ["refs/heads/main"]);
}

#[test]
fn names_of_refs_are_sent_as_they_are() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    for name in ["feature/x", "ünïcödé", "with-'quote", "a&b=c%20\"d\"", "日本"] {
        repo.git(&["branch", name]);
    }
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
}

#[test]
fn a_ref_whose_name_is_no_utf8_is_skipped_with_a_warning() {
    use std::os::unix::ffi::OsStrExt;
    let (repo, peer) = (Repo::grown(1), Peer::new());
    let mut git = repo.command();
    git.args(["tag"]).arg(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    assert!(git.status().unwrap().success());
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("warning: skipped refs/tags/caf\u{fffd}: its name is not UTF-8"), "{said}");
}

#[test]
fn the_default_branch_follows_head() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let default = || peer.world().default_branch.clone();
    repo.sync(&peer, &[]);
    assert_eq!(default().as_deref(), Some("main"));
    repo.git(&["checkout", "-qb", "release/1"]);
    repo.sync(&peer, &[]);
    assert_eq!(default().as_deref(), Some("release/1"));
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/unborn"]);
    repo.sync(&peer, &[]);
    assert_eq!(default().as_deref(), Some("unborn"));
    repo.git(&["checkout", "-q", "--detach", "main"]);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("sent 0 commits") && said.contains("changed 0 refs"), "{said}");
    assert_eq!(default(), None);
    assert!(repo.sync(&peer, &[]).contains("nothing to send"));
}

#[test]
fn a_branch_that_moved_on_the_server_meanwhile_is_read_again() {
    let (repo, peer) = (Repo::grown(4), Peer::new());
    repo.sync(&peer, &[]);
    let tip = repo.commit("new");
    let older = repo.git(&["rev-parse", "HEAD~3"]);
    let mut times = 0;
    peer.world().before_swap = Some(Box::new(move |world| {
        times += 1;
        if times <= 2 {
            let sha = if times == 1 { older.clone() } else { world.commits.keys().min().unwrap().clone() };
            world.refs.insert("refs/heads/main".to_owned(), sha);
        }
    }));
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("refs changed meanwhile (refs/heads/main has moved)"), "{said}");
    assert_eq!(peer.world().refs["refs/heads/main"], tip);
}

#[test]
fn a_server_whose_refs_never_rest_is_given_up() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let mut times = 0;
    peer.world().before_swap = Some(Box::new(move |world| {
        times += 1;
        world.refs.insert("refs/heads/main".to_owned(), format!("{times:040x}"));
    }));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert!(messages(&output).contains("changed during each of 5 attempts"));
}

#[test]
fn a_tag_made_anew_on_the_same_commit_is_sent() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["tag", "-m", "first", "v1"]);
    repo.sync(&peer, &[]);
    repo.git(&["tag", "-f", "-m", "second", "v1"]);
    assert!(repo.sync(&peer, &[]).contains("sent 0 commits"));
    assert_eq!(peer.world().tags["refs/tags/v1"], (repo.git(&["rev-parse", "v1"]), "second\n".to_owned()));
    repo.git(&["tag", "-f", "v1", "v1^{}"]);
    repo.sync(&peer, &[]);
    assert!(peer.world().tags.is_empty());
    assert!(repo.sync(&peer, &[]).contains("nothing to send"));
}
