use crate::oracle::diff;
use crate::repo::Repo;

#[test]
fn very_long_lines_are_read() {
    let repo = Repo::new();
    repo.write("a", "x".repeat(150_000) + "\n").commit("long");
    repo.write("a", "y".repeat(150_000)).commit("two long ones are over the limit");
    repo.write("b", "x".repeat(3_000_000)).write("c", "short\n").commit("one alone is");
    let commits = repo.read();
    assert_eq!(
        diff(&commits[0])[0]["diff"].as_str().unwrap().len(),
        150_000 + "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+\n".len()
    );
    assert_eq!(diff(&commits[1])[0]["diff"], "");
    assert_eq!((commits[1].additions, commits[1].deletions), (1, 1), "they count all the same");
    assert_eq!(diff(&commits[2])[0]["diff"], "");
    assert_eq!(diff(&commits[2])[1]["diff"], "--- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+short\n");
}

#[test]
fn a_patch_over_two_hundred_kibibytes_is_left_out_but_counted() {
    let repo = Repo::new();
    repo.write("a", "twenty bytes a line\n".repeat(50_000)).write("b", "b\n").commit("long");
    let commits = repo.read();
    assert_eq!((commits[0].additions, diff(&commits[0])[0]["diff"].as_str()), (50_001, Some("")));
    assert_eq!(diff(&commits[0])[1]["new_path"], "b");
}

#[test]
fn a_commit_of_more_than_a_thousand_files_is_cut_at_the_end_but_counted() {
    let repo = Repo::new();
    for number in 0..1100 {
        repo.write(&format!("{number:04}"), "x\n");
    }
    repo.commit("many");
    let commits = repo.read();
    assert_eq!((commits[0].additions, diff(&commits[0]).len()), (1100, 1000));
    assert_eq!(diff(&commits[0])[999]["new_path"], "0999");
}

#[test]
fn five_mebibytes_of_text_are_cut_at_the_end_but_counted() {
    let repo = Repo::new();
    for number in 0..60 {
        repo.write(&format!("{number:02}"), format!("{number:099}\n").repeat(1000));
    }
    repo.commit("much");
    let commits = repo.read();
    let files = diff(&commits[0]);
    let bytes: usize = files.iter().map(|file| file["diff"].as_str().unwrap().len()).sum();
    assert_eq!((commits[0].additions, files.len()), (60_000, 51));
    assert!(bytes <= 5 * 1024 * 1024);
}
