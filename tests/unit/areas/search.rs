use super::*;

#[test]
fn a_number_of_an_issue_may_have_a_hash_before_it() {
    for (text, found) in
        [("12", Some("12")), ("#12", Some("12")), (" #1 ", Some("1")), ("#", None), ("1a", None), ("1234567890", None)]
    {
        assert_eq!(number(text), found, "{text}");
    }
}
