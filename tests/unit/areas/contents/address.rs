use super::*;

#[test]
fn the_longest_ref_is_tried_first() {
    assert_eq!(names("a/b/c", ""), r#"["a/b","a"]"#);
    assert_eq!(names("a/b", "refs/tags/"), r#"["refs/tags/a"]"#);
    assert_eq!(names("a", ""), "[]");
    let deep = "a/".repeat(500);
    assert_eq!(names(&deep, "").matches(',').count(), MOST_REFS - 1);
}
