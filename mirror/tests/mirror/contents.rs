use std::collections::BTreeSet;

use edgeforge_wire::contents::{Extent, Kind, Reason};

use crate::peer::Peer;
use crate::repo::{Repo, messages};
use crate::shelf::Shelf;
use crate::world::Fault;

fn peer() -> Peer {
    let peer = Peer::new();
    peer.world().shelf = Some(Shelf::default());
    peer
}

/// Odd names, links, a submodule, and a file in a directory.
fn repository() -> Repo {
    let repo = Repo::new();
    repo.write("a b", "one\r\n").write("dir/c\nd", b"\0\xff").write("empty", "").commit("first");
    repo.git(&["update-index", "--add", "--cacheinfo", "120000", &repo.git(&["rev-parse", "HEAD:empty"]), "link"]);
    repo.git(&["update-index", "--add", "--cacheinfo", "160000", &repo.git(&["rev-parse", "HEAD"]), "module"]);
    repo.git(&["commit", "-qm", "second"]);
    repo
}

/// The trees and files that these revisions need.
fn needed(repo: &Repo, revisions: &[&str]) -> BTreeSet<String> {
    let mut arguments = vec!["rev-list", "--objects", "--no-object-names"];
    arguments.extend(revisions);
    let listed = repo.git(&arguments);
    let kinds = repo.feed(&["cat-file", "--batch-check=%(objecttype)"], (listed.clone() + "\n").as_bytes());
    let pairs = listed.lines().zip(kinds.lines());
    pairs.filter(|(_, kind)| *kind != "commit").map(|(id, _)| id.to_owned()).collect()
}

fn stored(peer: &Peer) -> BTreeSet<String> {
    peer.world().shelf.as_ref().unwrap().objects.keys().cloned().collect()
}

fn shelf<T>(peer: &Peer, look: impl FnOnce(&mut Shelf) -> T) -> T {
    look(peer.world().shelf.as_mut().unwrap())
}

#[test]
fn a_sync_sends_what_the_tips_need_before_the_refs_and_then_nothing() {
    let (repo, peer) = (repository(), peer());
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("sent 6 objects ("), "{said}");
    assert_eq!(stored(&peer), needed(&repo, &["main^{tree}"]));
    let paths: Vec<String> = peer.world().requests.iter().map(|(_, path, _)| path.clone()).collect();
    let at = |end: &str| paths.iter().position(|path| path.ends_with(end)).unwrap();
    assert!(at("mirror/objects") < at("mirror/refs"), "{paths:?}");
    let tip = repo.git(&["rev-parse", "main"]);
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&tip)), Some(Extent::Tips));
    let writes = peer.writes();
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
    assert_eq!(peer.writes(), writes);
}

#[test]
fn the_history_is_sent_where_it_is_asked_for_and_nothing_where_not() {
    let (repo, peer) = (repository(), peer());
    repo.write("a b", "two\n").git(&["rm", "-q", "empty"]);
    repo.commit("third");
    repo.sync(&peer, &["--contents", "none"]);
    assert!(stored(&peer).is_empty());
    repo.sync(&peer, &["--contents", "tips"]);
    assert_eq!(stored(&peer), needed(&repo, &["main^{tree}"]));
    repo.sync(&peer, &["--contents", "history"]);
    assert_eq!(stored(&peer), needed(&repo, &["main"]));
    assert_eq!(repo.sync(&peer, &["--contents", "history"]), "edgeforge-mirror: nothing to send\n");
}

#[test]
fn the_extent_that_was_synced_is_kept_where_none_is_given() {
    let (repo, peer) = (repository(), peer());
    repo.git(&["switch", "-qc", "topic"]);
    repo.write("topic", "topic\n").commit("on topic");
    repo.git(&["switch", "-q", "main"]);
    repo.write("a b", "two\n").commit("on main");
    repo.sync(&peer, &["--contents", "history"]);
    peer.world().is_hook = true;
    let verified = repo.program(&peer, "verify").arg("--contents").output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
    assert!(repo.program(&peer, "status").output().unwrap().status.success());
    repo.write("a b", "three\n").commit("further on main");
    repo.write("a b", "four\n").commit("last on main");
    repo.sync(&peer, &[]);
    assert_eq!(stored(&peer), needed(&repo, &["--all"]));
    // the configuration says otherwise
    repo.git(&["config", "edgeforge.contents", "tips"]);
    repo.write("a b", "five\n").commit("fifth on main");
    repo.sync(&peer, &[]);
    let tip = repo.git(&["rev-parse", "main"]);
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&tip)), Some(Extent::Tips));
}

#[test]
fn a_recheck_sends_the_history_again_that_was_sent() {
    let (repo, peer) = (repository(), peer());
    repo.write("a b", "two\n").commit("third");
    repo.sync(&peer, &["--contents", "history"]);
    let before = stored(&peer);
    let lost: Vec<String> = before.iter().cloned().collect();
    shelf(&peer, |shelf| shelf.lost.extend(lost));
    repo.sync(&peer, &["--recheck"]);
    assert_eq!(stored(&peer), before);
}

#[test]
fn a_push_sends_only_what_is_new_and_names_what_nobody_needs() {
    let (repo, peer) = (repository(), peer());
    repo.sync(&peer, &[]);
    let old = repo.git(&["rev-parse", "main:a b"]);
    let before = needed(&repo, &["main^{tree}"]);
    repo.write("a b", "two\n").commit("third");
    shelf(&peer, |shelf| shelf.requests.clear());
    repo.sync(&peer, &[]);
    // the commit, its tree and the file
    assert_eq!(shelf(&peer, |shelf| shelf.requests.clone()), [3]);
    let now = needed(&repo, &["main^{tree}"]);
    let gone: BTreeSet<String> = before.difference(&now).cloned().collect();
    assert!(gone.contains(&old));
    assert_eq!(shelf(&peer, |shelf| shelf.unneeded.clone()), gone);
    assert_eq!(shelf(&peer, |shelf| shelf.complete.len()), 1);
    // what is needed again stays
    repo.write("a b", "one\r\n").commit("fourth");
    repo.sync(&peer, &[]);
    assert!(!shelf(&peer, |shelf| shelf.unneeded.contains(&old)));
}

#[test]
fn the_merge_base_with_the_default_branch_is_sent_until_its_branch_goes() {
    let (repo, peer) = (repository(), peer());
    let base = repo.git(&["rev-parse", "main"]);
    repo.git(&["switch", "-qc", "topic"]);
    repo.write("topic", "topic\n").commit("on topic");
    repo.git(&["switch", "-q", "main"]);
    repo.write("a b", "two\n").commit("on main");
    repo.sync(&peer, &[]);
    assert_eq!(stored(&peer), needed(&repo, &["main^{tree}", "topic^{tree}", &format!("{base}^{{tree}}")]));
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&base)), Some(Extent::Tips));
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
    // it moves with a merge of the default branch, although both commits have the same date
    repo.git(&["switch", "-q", "topic"]);
    repo.git(&["merge", "-qm", "merge", "main"]);
    let merged = repo.git(&["rev-parse", "main"]);
    repo.git(&["switch", "-q", "main"]);
    repo.write("a b", "three\n").commit("further");
    repo.sync(&peer, &[]);
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&merged)), Some(Extent::Tips));
    peer.world().is_hook = true;
    let verified = repo.program(&peer, "verify").arg("--contents").output().unwrap();
    assert!(verified.status.success(), "{}", messages(&verified));
    repo.git(&["branch", "-qD", "topic"]);
    repo.sync(&peer, &[]);
    assert_eq!(shelf(&peer, |shelf| shelf.complete.len()), 1);
    let left: BTreeSet<String> =
        stored(&peer).difference(&shelf(&peer, |shelf| shelf.unneeded.clone())).cloned().collect();
    assert_eq!(left, needed(&repo, &["main^{tree}"]));
}

#[test]
fn a_merge_base_gets_the_room_that_the_tips_leave() {
    let (repo, peer) = (repository(), peer());
    repo.git(&["switch", "-qc", "topic"]);
    repo.write("topic", "topic\n").commit("on topic");
    repo.git(&["switch", "-q", "main"]);
    repo.write("a b", "two\n").commit("on main");
    let tips = needed(&repo, &["main^{tree}", "topic^{tree}"]);
    shelf(&peer, |shelf| shelf.room = Some(tips.len()));
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("the server has no room to compare all branches and tags"), "{said}");
    assert_eq!((stored(&peer), shelf(&peer, |shelf| shelf.complete.len())), (tips, 2));
}

#[test]
fn of_a_damaged_branch_the_stored_merge_base_stays_and_pushes_go_on() {
    let (repo, peer) = (repository(), peer());
    let base = repo.git(&["rev-parse", "main"]);
    repo.git(&["switch", "-qc", "topic"]);
    repo.write("topic", "topic\n").commit("first on topic");
    let lost = repo.git(&["rev-parse", "topic"]);
    repo.write("topic", "two\n").commit("second on topic");
    repo.git(&["switch", "-q", "main"]);
    repo.write("a b", "two\n").commit("on main");
    repo.sync(&peer, &[]);
    std::fs::remove_file(repo.path.join(format!(".git/objects/{}/{}", &lost[..2], &lost[2..]))).unwrap();
    repo.sync(&peer, &[]);
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&base)), Some(Extent::Tips));
    repo.write("a b", "three\n").commit("further on main");
    repo.sync(&peer, &[]);
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&base)), Some(Extent::Tips));
}

#[test]
fn a_branch_with_another_root_has_no_merge_base() {
    let (repo, peer) = (repository(), peer());
    repo.git(&["switch", "-q", "--orphan", "other"]);
    repo.write("other", "other\n").commit("another root");
    repo.git(&["switch", "-q", "main"]);
    repo.sync(&peer, &[]);
    assert_eq!(shelf(&peer, |shelf| shelf.complete.len()), 2);
}

#[test]
fn of_a_commit_that_git_has_lost_the_objects_are_found_by_a_list() {
    let (repo, peer) = (repository(), peer());
    repo.sync(&peer, &[]);
    let lost = "1234567890123456789012345678901234567890".to_owned();
    let extra = "2".repeat(40);
    shelf(&peer, |shelf| {
        shelf.objects.insert(extra.clone(), (Kind::Blob, b"x".to_vec()));
        shelf.complete.insert(lost.clone(), Extent::Tips);
    });
    repo.sync(&peer, &[]);
    assert_eq!(shelf(&peer, |shelf| shelf.unneeded.clone()), [extra].into());
    assert_eq!(shelf(&peer, |shelf| shelf.extent(&lost)), None);
}

#[test]
fn an_interrupted_sync_goes_on() {
    let (repo, peer) = (repository(), peer());
    let pause = Some(0);
    // commits, lacking, begun, then objects
    for at in 0..8 {
        let faults = &mut peer.world().faults;
        faults.extend((0..at).map(|_| Fault::Taken));
        faults.push_back(if at % 2 == 0 { Fault::Status(503, pause) } else { Fault::AnswerLost });
    }
    let output = repo.program(&peer, "sync").args(["--retries", "0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", messages(&output));
    peer.world().faults.clear();
    repo.sync(&peer, &[]);
    assert_eq!(stored(&peer), needed(&repo, &["main^{tree}"]));
    peer.world().is_hook = true;
    let verified = repo.program(&peer, "verify").arg("--contents").output().unwrap();
    assert!(verified.status.success(), "{}", messages(&verified));
}

#[test]
fn what_a_killed_sync_has_stored_goes_if_its_branch_moves() {
    let (repo, peer) = (repository(), peer());
    // commits, lacking, begun, objects, and then the mark of the commit is lost
    peer.world().faults.extend([Fault::Taken, Fault::Taken, Fault::Taken, Fault::Taken]);
    peer.world().faults.push_back(Fault::Status(503, Some(0)));
    let output = repo.program(&peer, "sync").args(["--retries", "0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", messages(&output));
    let before = stored(&peer);
    assert!(!before.is_empty() && shelf(&peer, |shelf| shelf.complete.is_empty()));
    peer.world().faults.clear();
    repo.write("a b", "two\n").git(&["add", "."]);
    repo.git(&["commit", "-q", "--amend", "-m", "another"]);
    repo.sync(&peer, &[]);
    let now = needed(&repo, &["main^{tree}"]);
    assert_eq!(shelf(&peer, |shelf| shelf.unneeded.clone()), before.difference(&now).cloned().collect());
    assert!(shelf(&peer, |shelf| shelf.begun.is_empty()));
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
}

#[test]
fn long_files_and_what_the_server_refuses_are_left_out() {
    let (repo, peer) = (Repo::new(), peer());
    repo.write("long", "x".repeat(2000)).write("odd", "odd").write("short", "s").commit("first");
    let [long, odd, short] = ["long", "odd", "short"].map(|name| repo.git(&["rev-parse", &format!("main:{name}")]));
    shelf(&peer, |shelf| (shelf.most_file_bytes, shelf.refused) = (1000, Some(odd.clone())));
    let said = repo.sync(&peer, &[]);
    assert!(said.contains(&format!("left out the blob {long}: it has 2000 bytes")), "{said}");
    assert!(said.contains(&format!("left out the blob {odd}: the server cannot read it")), "{said}");
    let reasons: Vec<(String, Reason)> =
        shelf(&peer, |shelf| shelf.left_out.values().map(|object| (object.id.clone(), object.reason)).collect());
    assert_eq!(reasons.len(), 2);
    assert!(reasons.contains(&(long, Reason::Size)) && reasons.contains(&(odd, Reason::Unfit)));
    assert!(stored(&peer).contains(&short));
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
}

#[test]
fn a_file_of_many_megabytes_is_streamed() {
    let (repo, peer) = (Repo::new(), peer());
    let mut long = vec![0_u8; 9 << 20];
    long.iter_mut().enumerate().for_each(|(at, byte)| *byte = ((at * at) >> 7) as u8);
    repo.write("long", &long).commit("first");
    repo.sync(&peer, &[]);
    let id = repo.git(&["rev-parse", "main:long"]);
    assert!(shelf(&peer, |shelf| shelf.objects[&id].1 == long));
}

#[test]
fn without_room_the_refs_move_and_the_exit_code_is_three() {
    let (repo, peer) = (repository(), peer());
    shelf(&peer, |shelf| shelf.room = Some(2));
    let output = repo.program(&peer, "sync").output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", messages(&output));
    let reason = "no room for more trees and files: 507 Insufficient Storage: this is the limit; the project has 12345";
    assert!(messages(&output).contains(reason), "{}", messages(&output));
    assert_eq!(peer.world().refs.len(), 1);
    shelf(&peer, |shelf| shelf.room = None);
    repo.sync(&peer, &[]);
    assert_eq!(stored(&peer), needed(&repo, &["main^{tree}"]));
}

#[test]
fn verify_finds_what_is_missing_and_what_is_another() {
    let (repo, peer) = (repository(), peer());
    repo.sync(&peer, &[]);
    let verify = || repo.program(&peer, "verify").args(["--contents", "--sample", "5"]).output().unwrap();
    peer.world().is_hook = true;
    assert!(verify().status.success(), "{}", messages(&verify()));
    let id = repo.git(&["rev-parse", "main:a b"]);
    let object = shelf(&peer, |shelf| shelf.objects.remove(&id)).unwrap();
    let output = verify();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("{id} is not on the server")));
    shelf(&peer, |shelf| shelf.objects.insert(id.clone(), (Kind::Blob, [object.1, b"x".to_vec()].concat())));
    assert!(String::from_utf8_lossy(&verify().stdout).contains(&format!("{id} is a blob of 6 bytes")));
}

#[test]
fn a_recheck_sends_again_what_the_store_has_lost() {
    let (repo, peer) = (repository(), peer());
    repo.git(&["branch", "side", "main~1"]);
    repo.sync(&peer, &[]);
    let said = repo.sync(&peer, &["--recheck"]);
    assert!(!said.contains("lost"), "{said}");
    let (before, diffs) = (stored(&peer), |peer: &Peer| {
        let diffs = peer.world().commits.iter().map(|(id, commit)| (id.clone(), commit["diff"].clone())).collect();
        std::collections::BTreeMap::<String, serde_json::Value>::into_iter(diffs).collect::<Vec<_>>()
    });
    let kept = diffs(&peer);
    let lost = ["main", "main~1", "main:a b", "main^{tree}"].map(|name| repo.git(&["rev-parse", name]));
    shelf(&peer, |shelf| shelf.lost.extend(lost));
    let said = repo.sync(&peer, &["--recheck"]);
    assert!(said.contains("the server's object store has lost 4 objects; sending them again"), "{said}");
    assert!(said.contains("sent 2 commits again") && said.contains("sent 2 objects ("), "{said}");
    assert!(stored(&peer) == before && diffs(&peer) == kept && peer.world().forgotten.is_empty());
    assert_eq!(repo.sync(&peer, &[]), "edgeforge-mirror: nothing to send\n");
}
