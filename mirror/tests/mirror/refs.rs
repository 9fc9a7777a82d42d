use crate::peer::Peer;
use crate::repo::{Repo, messages};
use crate::sync::assert_equal;
use serde_json::json;

#[test]
fn an_empty_repository_has_no_default_branch() {
    let (repo, peer) = (Repo::bare(), Peer::new());
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
    // as an older hook sent it
    peer.world().default_branch = Some("main".to_owned());
    repo.sync(&peer, &[]);
    assert_eq!(peer.world().default_branch, None);
    assert!(peer.world().refs.is_empty() && peer.world().commits.is_empty());
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
}

#[test]
fn a_repository_that_was_emptied_takes_its_refs_away() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["tag", "v1"]);
    repo.sync(&peer, &[]);
    repo.git(&["tag", "-d", "v1"]);
    repo.git(&["update-ref", "-d", "refs/heads/main"]);
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(messages(&output).contains("give --replace"), "{}", messages(&output));
    assert_eq!(peer.world().refs.len(), 2);
    let said = repo.sync(&peer, &["--replace"]);
    assert!(said.contains("changed 0 refs, deleted 2"), "{said}");
    assert!(peer.world().refs.is_empty());
    assert!(repo.sync(&peer, &[]).contains("nothing to send"));
}

#[test]
fn an_unrelated_repository_does_not_take_the_place_of_another_unasked() {
    let (repo, other, peer) = (Repo::grown(3), Repo::new(), Peer::new());
    repo.git(&["branch", "old"]);
    repo.sync(&peer, &[]);
    other.write("x", "other\n").commit("other");
    let output = other.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", messages(&output));
    assert_equal(&repo, &peer);
    other.sync(&peer, &["--replace"]);
    assert_equal(&other, &peer);
}

#[test]
fn a_sync_that_may_replace_is_a_history_also_where_it_replaces_nothing() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.sync(&peer, &[]);
    repo.commit("more");
    repo.sync(&peer, &["--replace"]);
    assert!(peer.world().is_history);
    repo.commit("more");
    repo.sync(&peer, &[]);
    assert!(!peer.world().is_history);
}

#[test]
fn messages_that_the_server_did_not_read_are_counted() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    peer.world().skipped = 20;
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("closed and mentioned no issues by the messages of 20 commits"), "{said}");
}

#[test]
fn a_ref_that_git_cannot_read_stays_as_the_server_has_it() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["branch", "side", "HEAD~1"]);
    repo.sync(&peer, &[]);
    let side = peer.world().refs["refs/heads/side"].clone();
    std::fs::write(repo.path.join(".git/refs/heads/side"), "").unwrap();
    repo.commit("more");
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("git cannot read refs/heads/side"), "{said}");
    assert_eq!(peer.world().refs["refs/heads/side"], side);
    assert_eq!(peer.world().refs["refs/heads/main"], repo.head());
}

#[test]
fn the_default_branch_that_git_cannot_read_stays_too() {
    let (repo, peer) = (Repo::new(), Peer::new());
    repo.write("a", "one\n").commit("first");
    repo.write("a", "two\n").commit("second");
    repo.git(&["branch", "side"]);
    repo.sync(&peer, &[]);
    std::fs::write(repo.path.join(".git/refs/heads/main"), "").unwrap();
    let first = peer.world().refs["refs/heads/main"].clone();
    repo.git(&["update-ref", "refs/heads/side", "side~1"]);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("git cannot read refs/heads/main"), "{said}");
    let world = peer.world();
    assert_eq!(world.default_branch.as_deref(), Some("main"));
    assert!(world.refs["refs/heads/main"] == first && world.refs["refs/heads/side"] != first);
    drop(world);
    let output = repo.program(&peer, "verify").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_branch_may_end_in_a_space_that_git_does_not_trim() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["checkout", "-q", "-b", "wide\u{3000}"]);
    repo.sync(&peer, &[]);
    assert_eq!(peer.world().default_branch.as_deref(), Some("wide\u{3000}"));
    assert_equal(&repo, &peer);
}

#[test]
fn a_tags_message_keeps_its_leading_blank_lines_and_is_cut_at_its_limit() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    let tag = |name: &str, message: &str| {
        let head = format!("object {}\ntype commit\ntag {name}\ntagger A <a@x> 1 +0000\n\n", repo.head());
        let hash = repo.feed(&["hash-object", "-t", "tag", "-w", "--stdin"], (head + message).as_bytes());
        repo.git(&["update-ref", &format!("refs/tags/{name}"), &hash]);
    };
    tag("blank", "\n\nlate\n");
    tag("long", &"\u{1}".repeat(70_000));
    repo.sync(&peer, &[]);
    let world = peer.world();
    assert_eq!(world.tags["refs/tags/blank"].1, "\n\nlate\n");
    assert_eq!(world.tags["refs/tags/long"].1.len(), 65_536);
}

#[test]
fn refs_are_asked_for_in_pages() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    for name in ["a", "b", "c", "d"] {
        repo.git(&["branch", name]);
    }
    repo.sync(&peer, &[]);
    peer.world().page = Some(2);
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
    repo.git(&["branch", "-D", "c"]);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
}

#[test]
fn a_forced_push_is_marked_and_a_fast_forward_is_not() {
    let (repo, peer) = (Repo::grown(5), Peer::new());
    repo.git(&["branch", "steady", "HEAD~2"]);
    repo.git(&["branch", "gone"]);
    repo.sync(&peer, &[]);
    repo.git(&["reset", "-q", "--hard", "HEAD~3"]);
    repo.commit("another way");
    repo.git(&["update-ref", "refs/heads/steady", &repo.git(&["rev-parse", "gone"])]);
    repo.git(&["branch", "-qD", "gone"]);
    let output = repo.program(&peer, "status").output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let marks: Vec<String> = shown.lines().take(3).map(|line| line[..16].to_owned()).collect();
    assert_eq!(marks, ["! refs/heads/mai", "* refs/heads/ste", "- refs/heads/gon"], "{shown}");
    assert_eq!(shown.matches("(forced)").count(), 1);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
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
fn a_tag_of_a_tag_brings_the_hashes_of_the_tags_inside() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["tag", "-a", "-m", "inner", "v1"]);
    for (inner, outer) in [("v1", "v2"), ("v2", "v3")] {
        repo.git(&["tag", "-a", "-m", "a tag of a tag", outer, inner]);
    }
    let hash = |tag: &str| repo.git(&["rev-parse", tag]);
    let (first, second) = (hash("v1"), hash("v2"));
    repo.git(&["tag", "-d", "v1", "v2"]);
    repo.git(&["tag", "-a", "-m", "plain", "v0"]);
    repo.sync(&peer, &[]);
    assert_equal(&repo, &peer);
    let world = peer.world();
    let sent = |name: &str| world.swapped.iter().find(|change| change["name"] == name).unwrap()["inner_tags"].clone();
    assert_eq!(sent("refs/tags/v3"), json!([second, first]));
    assert_eq!(sent("refs/tags/v0"), json!(null));
}

#[test]
fn tags_that_point_at_no_commit_are_skipped_with_a_warning() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["tag", "tree", "HEAD^{tree}"]);
    repo.git(&["tag", "-a", "-m", "blob", "blob", "HEAD:number"]);
    repo.git(&["tag", "-a", "-m", "outer", "outer", "blob"]);
    let said = repo.sync(&peer, &[]);
    for tag in ["tree", "blob", "outer"] {
        assert!(said.contains(&format!("warning: skipped refs/tags/{tag}: it does not point at a commit")), "{said}");
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
}

#[test]
fn without_the_branch_of_head_another_one_is_the_default_branch_with_a_warning() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let default = || peer.world().default_branch.clone().unwrap();
    repo.git(&["branch", "-m", "main", "trunk"]);
    repo.sync(&peer, &[]);
    assert_eq!(default(), "trunk");
    // the branch of HEAD has gone, and one is left
    repo.git(&["update-ref", "refs/heads/other", "HEAD"]);
    repo.git(&["update-ref", "-d", "refs/heads/trunk"]);
    let said = repo.sync(&peer, &["--quiet"]);
    let warning = "warning: HEAD names the branch trunk, which is not here; the default branch on the server is other";
    assert!(said.contains(warning), "{said}");
    assert!(said.contains("git symbolic-ref HEAD refs/heads/BRANCH"), "{said}");
    assert_eq!(default(), "other");
    // of several: main, then master, then the first
    for (name, wanted) in [("another", "another"), ("master", "master"), ("main", "main")] {
        repo.git(&["update-ref", &format!("refs/heads/{name}"), "refs/heads/other"]);
        repo.sync(&peer, &[]);
        assert_eq!(default(), wanted);
    }
    assert!(repo.sync(&peer, &[]).ends_with("nothing to send\n"));
    peer.world().is_hook = true;
    let verified = repo.program(&peer, "verify").output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}

#[test]
fn with_a_detached_head_another_branch_is_the_default_branch_with_a_warning() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["branch", "side"]);
    repo.git(&["checkout", "-q", "--detach", "main"]);
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("warning: HEAD is detached; the default branch on the server is main"), "{said}");
    assert_eq!(peer.world().default_branch.as_deref(), Some("main"));
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
    assert!(said.contains("refs changed during the sync (refs/heads/main has moved)"), "{said}");
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
