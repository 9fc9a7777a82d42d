use super::without_head;

#[test]
fn a_diff_begins_at_its_first_hunk() {
    for (diff, expected) in [
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n", "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n"),
        ("@@ -1 +1 @@\n", "@@ -1 +1 @@\n"),
        ("Binary files a/f and b/f differ\n", "Binary files a/f and b/f differ\n"),
        ("", ""),
    ] {
        assert_eq!(without_head(diff.to_owned()), expected);
    }
}
