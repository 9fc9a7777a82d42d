//! What a hostile server or repository must not do.

use serde_json::{Value, json};

use crate::peer::Peer;
use crate::repo::{Repo, messages};

const HASH: &str = "0123456789012345678901234567890123456789";

/// Syncs with a server that answers `GET mirror` so. Returns the exit code and what the hook said.
fn against(answer: fn(usize) -> Value) -> (Option<i32>, String) {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    peer.world().hostile = Some(answer);
    let output = repo.program(&peer, "sync").output().unwrap();
    assert!(peer.world().requests.len() < 2000);
    (output.status.code(), messages(&output))
}

fn page(number: usize, sha: &str, next: Value) -> Value {
    let name = format!("refs/heads/{number:09}");
    json!({ "default_branch": null, "refs": [{ "name": name, "sha": sha, "tag_sha": null }], "next": next })
}

#[test]
fn a_list_of_a_server_goes_on_and_ends() {
    let repeated: fn(usize) -> Value = |number| page(number, HASH, json!("refs/heads/same"));
    let backwards: fn(usize) -> Value = |number| page(number, HASH, json!(format!("refs/heads/{:09}", 900 - number)));
    let empty: fn(usize) -> Value =
        |number| json!({ "default_branch": null, "refs": [], "next": format!("refs/heads/{number:09}") });
    let heavy: fn(usize) -> Value = |number| {
        let name = format!("refs/heads/{number:09}");
        let text = "x".repeat(100 << 20);
        json!({ "default_branch": null, "refs": [{ "name": name, "sha": HASH, "message": text }], "next": name })
    };
    for answer in [repeated, backwards, empty, heavy] {
        let (code, said) = against(answer);
        assert_eq!(code, Some(4), "{said}");
        assert!(said.contains("answered with a list that does not end"), "{said}");
    }
}

#[test]
fn what_a_server_names_as_a_hash_is_one() {
    let lines: fn(usize) -> Value = |number| page(number, &format!("{HASH}\n{HASH}"), Value::Null);
    let option: fn(usize) -> Value = |number| page(number, "--batch-all-objects", Value::Null);
    let forgotten: fn(usize) -> Value =
        |_| json!({ "default_branch": null, "refs": [], "forgotten": ["HEAD"], "next": null });
    let unreferenced: fn(usize) -> Value = |_| {
        let other = json!({ "sha": "@{upstream}", "contents": "tips" });
        json!({ "default_branch": null, "refs": [], "unreferenced": [other], "next": null })
    };
    for answer in [lines, option, forgotten, unreferenced] {
        let (code, said) = against(answer);
        assert_eq!(code, Some(4), "{said}");
        assert!(said.contains("which is no hash"), "{said}");
    }
}

fn commit_of(repo: &Repo, tree: &str, parent: &str) -> String {
    let text = format!(
        "tree {tree}\nparent {parent}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nbad\n"
    );
    repo.feed(&["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], text.as_bytes())
}

#[test]
fn a_commit_that_git_cannot_show_holds_back_only_the_refs_that_contain_it() {
    let repo = Repo::grown(3);
    let head = repo.head();
    let blob = repo.feed(&["hash-object", "-w", "--stdin"], b"a file\n");
    let tree = |entry: String| {
        let (mode, id) = entry.split_once(' ').unwrap();
        repo.feed(&["mktree", "--missing"], format!("{mode} {id}\tname\n").as_bytes())
    };
    let broken = [
        commit_of(&repo, HASH, &head),
        commit_of(&repo, &blob, &head),
        // a directory that is a file, one that is missing, and a file that is missing
        commit_of(&repo, &tree(format!("040000 tree {HASH}")), &head),
        commit_of(&repo, &tree(format!("100644 blob {HASH}")), &head),
    ];
    for bad in broken {
        let peer = Peer::new();
        for branch in ["a-bad", "z-bad"] {
            repo.git(&["update-ref", &format!("refs/heads/{branch}"), &bad]);
        }
        repo.git(&["branch", "-f", "side", "HEAD~1"]);
        let output = repo.program(&peer, "sync").output().unwrap();
        let said = messages(&output);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(&format!("skipped refs/heads/a-bad: commit {bad} cannot be indexed")), "{said}");
        assert!(said.contains("2 refs could not be updated"), "{said}");
        let names: Vec<String> = peer.world().refs.keys().cloned().collect();
        assert_eq!(names, ["refs/heads/main", "refs/heads/side"], "{said}");
        assert!(!peer.world().commits.contains_key(&bad));
        // and again
        let later = repo.program(&peer, "sync").output().unwrap();
        assert_eq!(later.status.code(), Some(3), "{}", messages(&later));
    }
}

#[test]
fn a_name_that_begins_with_a_dash_is_not_sent() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    for name in ["refs/heads/--upload-pack=touch", "refs/tags/-x"] {
        repo.git(&["update-ref", name, "HEAD"]);
    }
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/--upload-pack=touch"]);
    let said = repo.sync(&peer, &[]);
    for name in ["refs/heads/--upload-pack=touch", "refs/tags/-x"] {
        assert!(said.contains(&format!("skipped {name}: its name begins with -")), "{said}");
    }
    assert_eq!(peer.world().default_branch.as_deref(), Some("main"));
    assert_eq!(peer.world().refs.len(), 1);
    assert_eq!(repo.sync(&peer, &[]).matches("nothing to send").count(), 1);
}
