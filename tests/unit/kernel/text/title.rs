use super::title;

#[test]
fn a_title_is_the_first_line_and_at_most_100_characters() {
    assert_eq!(title("one\n\ntwo\n"), "one");
    assert_eq!(title("  \n\none\n"), "one");
    assert_eq!(title(" \n"), "--no commit message");
    assert_eq!(title("one\u{3000}\ntwo"), "one\u{3000}");
    assert_eq!(title(&"é".repeat(100)), "é".repeat(100));
    assert_eq!(title(&"é".repeat(101)), format!("{}…", "é".repeat(80)));
}
