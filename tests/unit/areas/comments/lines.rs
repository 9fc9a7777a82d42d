use super::Anchor;
use serde_json::json;

fn anchor(path: &str, line: i64, line_type: &'static str) -> Anchor {
    Anchor { path: path.to_owned(), line, line_type }
}

#[test]
fn only_added_and_removed_lines_match() {
    let patch = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n\\ No newline at end of file\n";
    let diff = json!([{ "new_path": "f", "diff": patch }]).to_string();
    for (path, line, kind, found) in [
        ("f", 2, "new", true),
        ("f", 2, "old", true),
        ("f", 1, "new", false),
        ("f", 3, "new", false),
        ("f", 1, "old", false),
        ("f", 99, "new", false),
        ("g", 2, "new", false),
    ] {
        assert_eq!(anchor(path, line, kind).found_in(&diff), found, "{path} {line} {kind}");
    }
}

#[test]
fn a_diff_that_counts_beyond_all_numbers_is_read() {
    let diff = json!([{ "new_path": "f", "diff": "@@ -9223372036854775807 +9223372036854775807 @@\n+x\n+y\n" }]);
    assert!(anchor("f", i64::MAX, "new").found_in(&diff.to_string()));
    assert!(!anchor("f", 1, "new").found_in(&diff.to_string()));
}

#[test]
fn a_removed_line_has_the_number_of_its_side_or_of_the_line_after_it() {
    let diff = json!([{ "new_path": "f", "diff": "@@ -1,3 +1,4 @@\n+new\n+new\n one\n-two\n three\n" }]).to_string();
    let found = |line| anchor("f", line, "old").found_in(&diff);
    assert_eq!([1, 2, 3, 4, 5].map(found), [false, true, false, true, false]);
}

#[test]
fn the_lines_of_a_removed_file_are_not_line_0() {
    let diff = json!([{ "new_path": "f", "diff": "@@ -1,2 +0,0 @@\n-one\n-two\n" }]).to_string();
    assert_eq!([0, 1, 2].map(|line| anchor("f", line, "old").found_in(&diff)), [false, true, true]);
}
