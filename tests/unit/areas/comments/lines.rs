use super::{Anchor, LineMatch};
use serde_json::json;

fn anchor(path: &str, line: i64, line_type: &'static str) -> Anchor {
    Anchor { path: path.to_owned(), line, line_type }
}

#[test]
fn only_added_and_removed_lines_match() {
    let patch =
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n\\ No newline at end of file\n";
    let diff = json!([{ "new_path": "f", "diff": patch }]).to_string();
    for (path, line, kind, found) in [
        ("f", 2, "new", LineMatch::Changed),
        ("f", 2, "old", LineMatch::Changed),
        ("f", 1, "new", LineMatch::Unchanged),
        ("f", 3, "new", LineMatch::Unchanged),
        ("f", 1, "old", LineMatch::Unchanged),
        ("f", 99, "new", LineMatch::Nothing),
        ("g", 2, "new", LineMatch::Nothing),
    ] {
        assert_eq!(anchor(path, line, kind).found_in(&diff), found, "{path} {line} {kind}");
    }
}

#[test]
fn a_diff_that_counts_beyond_all_numbers_is_read() {
    let diff =
        json!([{ "new_path": "f", "diff": "@@ -9223372036854775807 +9223372036854775807 @@\n+x\n+y\n" }]);
    assert_eq!(anchor("f", i64::MAX, "new").found_in(&diff.to_string()), LineMatch::Changed);
    assert_eq!(anchor("f", 1, "new").found_in(&diff.to_string()), LineMatch::Nothing);
}

#[test]
fn a_removed_line_has_the_number_of_its_side_or_of_the_line_after_it() {
    let diff =
        json!([{ "new_path": "f", "diff": "@@ -1,3 +1,4 @@\n+new\n+new\n one\n-two\n three\n" }]).to_string();
    let found = |line| anchor("f", line, "old").found_in(&diff);
    assert_eq!([2, 4].map(found), [LineMatch::Changed; 2]);
    assert_eq!([1, 3, 5].map(found), [LineMatch::Unchanged, LineMatch::Unchanged, LineMatch::Nothing]);
}
