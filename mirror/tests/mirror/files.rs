use std::os::unix::fs::symlink;

use crate::oracle::{check, diff};
use crate::repo::Repo;

#[test]
fn a_file_without_a_final_line_feed_says_so() {
    let repo = Repo::new();
    repo.write("a", "no line feed").commit("none");
    repo.write("a", "still none").commit("none on either side");
    repo.write("a", "one\n").commit("one");
    repo.write("a", "one\ntwo").commit("none again");
    let commits = check(&repo);
    assert_eq!(
        diff(&commits[1])[0]["diff"],
        "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-no line feed\n\\ No newline at end of file\n+still none\n\\ No newline at end of file\n"
    );
}

#[test]
fn patch_lines_that_look_like_gits_own_are_text() {
    let repo = Repo::new();
    let nasty = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\nBinary files a and b differ\n\\ No newline\n:100644 100644 1 2 M\n";
    repo.write("a", nasty).write("b", "-- a\n++ b\n").commit(nasty);
    repo.write("a", nasty.to_owned() + nasty).write("b", "").commit("twice");
    repo.write("a", "").write("b", "- a\n+ b\n").commit("gone");
    check(&repo);
}

#[test]
fn binary_files_are_named_and_not_counted() {
    let repo = Repo::new();
    repo.write("new.bin", b"\0\x01\x02").commit("created");
    repo.write("new.bin", b"\0\x01\x03\n\n").commit("changed");
    std::fs::remove_file(repo.path.join("new.bin")).unwrap();
    repo.commit("deleted");
    let commits = check(&repo);
    assert_eq!(diff(&commits[1])[0]["diff"], "Binary files a/new.bin and b/new.bin differ\n");
    assert_eq!((commits[1].additions, commits[1].deletions), (0, 0));
}

#[test]
fn text_of_any_bytes_becomes_utf8() {
    let repo = Repo::new();
    repo.write("latin1", b"caf\xe9\n").write("mixed", b"\xff\xfe\xc3\n\xe2\x82\n").commit("bytes");
    // a NUL after the bytes that git examines to tell text from binary
    let late = [vec![b'x'; 9000], b"\na\0b\n\0\nend\n".to_vec()].concat();
    repo.write("late", &late).commit("a late NUL");
    repo.write("late", [late, b"\0\n\0diff --git\n".to_vec()].concat()).commit("more of them");
    repo.write("cr", "one\r\ntwo\rthree\r\n\u{2028}\u{85}x\n").commit("other line ends");
    repo.write("cr", "one\r\ntwo\r3\r\n\u{b}\u{c}\u{1b}[31m\n").commit("and controls");
    let commits = check(&repo);
    assert!(diff(&commits[0])[0]["diff"].as_str().unwrap().contains("+caf\u{fffd}\n"));
    assert!(diff(&commits[2])[0]["diff"].as_str().unwrap().contains("+\0diff --git\n"));
}

#[test]
fn renames_are_found_and_copies_are_not() {
    let repo = Repo::new();
    let text: String = (0..40).map(|number| format!("line {number}\n")).collect();
    repo.write("old name", &text).write("copied", text.to_uppercase()).commit("base");
    repo.git(&["mv", "old name", "new\tname"]);
    repo.commit("pure");
    repo.git(&["mv", "new\tname", "third"]);
    repo.write("third", text.replace("line 7", "line seven")).commit("with a change");
    repo.write("copy", text.to_uppercase()).write("copied", text.to_uppercase() + "more\n").commit("copy");
    repo.git(&["mv", "third", "fourth"]);
    repo.git(&["update-index", "--chmod=+x", "fourth"]);
    repo.git(&["commit", "-qm", "rename and mode"]);
    let commits = check(&repo);
    let pure = &diff(&commits[1])[0];
    assert_eq!((&pure["old_path"], &pure["new_path"]), (&"old name".into(), &"new\tname".into()));
    assert_eq!((&pure["renamed_file"], &pure["diff"]), (&true.into(), &"".into()));
    assert!(diff(&commits[2])[0]["diff"].as_str().unwrap().starts_with("--- \"a/new\\tname\"\n+++ b/third\n@@"));
    assert_eq!(diff(&commits[3])[1]["new_file"], true, "a copy is a new file");
    assert_eq!(diff(&commits[4])[0]["b_mode"], "100755");
}

#[test]
fn a_change_of_mode_alone_has_no_text() {
    let repo = Repo::new();
    repo.write("run", "x\n").commit("base");
    repo.git(&["update-index", "--chmod=+x", "run"]);
    repo.git(&["commit", "-qm", "executable"]);
    let commits = check(&repo);
    let entry = &diff(&commits[1])[0];
    assert_eq!((&entry["a_mode"], &entry["b_mode"]), (&"100644".into(), &"100755".into()));
    assert_eq!((&entry["diff"], &entry["new_file"]), (&"".into(), &false.into()));
}

#[test]
fn links_are_files_of_their_own_mode() {
    let repo = Repo::new();
    symlink("target", repo.path.join("link")).unwrap();
    repo.commit("link");
    std::fs::remove_file(repo.path.join("link")).unwrap();
    symlink("other target", repo.path.join("link")).unwrap();
    repo.commit("changed");
    let commits = check(&repo);
    assert_eq!(diff(&commits[0])[0]["b_mode"], "120000");
}

#[test]
fn a_file_that_becomes_a_link_is_deleted_and_created() {
    let repo = Repo::new();
    repo.write("a", "one\ntwo\ntarget").write("z", "z\n").commit("file");
    std::fs::remove_file(repo.path.join("a")).unwrap();
    symlink("target", repo.path.join("a")).unwrap();
    repo.write("z", "zz\n").commit("link");
    std::fs::remove_file(repo.path.join("a")).unwrap();
    repo.write("a", "target").commit("file with the link's text");
    let commits = check(&repo);
    let entries = diff(&commits[1]);
    assert_eq!(entries.len(), 3);
    assert_eq!((&entries[0]["deleted_file"], &entries[1]["new_file"]), (&true.into(), &true.into()));
    assert_eq!(entries[2]["new_path"], "z");
}

#[test]
fn submodules_are_links_to_commits() {
    let library = Repo::grown(2);
    let repo = Repo::new();
    repo.git(&["submodule", "--quiet", "add", library.path.to_str().unwrap(), "lib"]);
    repo.commit("added");
    repo.git(&["-C", "lib", "checkout", "-q", "HEAD~1"]);
    repo.commit("moved back");
    repo.git(&["rm", "-qf", "lib"]);
    repo.write("lib", "a file now\n").commit("a file instead");
    let commits = check(&repo);
    let entries = diff(&commits[1]);
    assert_eq!(entries[0]["a_mode"], "160000");
    assert!(entries[0]["diff"].as_str().unwrap().contains("-Subproject commit "));
}

#[test]
fn paths_of_any_bytes_are_read() {
    let repo = Repo::new();
    for name in ["with space", "quo\"te", "line\nfeed", "tab\t", "ünïcödé/日本", "back\\slash", "-dash", ":colon", "*"]
    {
        repo.write(name, format!("{name}\n"));
    }
    repo.commit("created");
    for name in ["with space", "quo\"te", "line\nfeed", "ünïcödé/日本", ":colon"] {
        repo.write(name, "changed");
    }
    repo.write("line\nfeed", b"\0binary").commit("changed");
    repo.git(&["mv", "line\nfeed", "another\nline\nfeed"]);
    repo.git(&["mv", "tab\t", "diff --git a"]);
    repo.commit("renamed");
    let commits = check(&repo);
    assert!(diff(&commits[0]).iter().any(|entry| entry["new_path"] == "ünïcödé/日本"));
}

#[test]
fn paths_that_are_no_utf8_become_it() {
    let repo = Repo::new();
    let blob = repo.feed(&["hash-object", "-w", "--stdin"], b"x\n");
    let tree = repo.feed(&["mktree", "-z"], &[format!("100644 blob {blob}\t").as_bytes(), b"caf\xe9\0"].concat());
    let commit = repo.git(&["commit-tree", &tree, "-m", "latin1"]);
    repo.git(&["update-ref", "refs/heads/main", &commit]);
    assert_eq!(diff(&check(&repo)[0])[0]["new_path"], "caf\u{fffd}");
}
