use super::found;

#[test]
fn trailers_are_the_last_paragraph_if_it_is_no_title() {
    for (message, expected) in [
        ("Title\n\nSigned-off-by: A <a@b>\nSee: 1\n", vec![("Signed-off-by", "A <a@b>"), ("See", "1")]),
        ("Title\n\nText.\n\nSee: 1\nSee : 2\n\n", vec![("See", "1"), ("See", "2")]),
        ("Title\n\nSee: one\n  two\n\tthree\n", vec![("See", "one two three")]),
        ("Title\n\nText\nSigned-off-by: A\n", vec![("Signed-off-by", "A")]),
        ("Title\n\nText\nSee: 1\n", vec![]),
        ("Title: x\n", vec![]),
        ("\nTitle: x\n", vec![]),
        ("Title\n\nno key: 1\n", vec![]),
        ("Title\n\n: 1\n", vec![]),
        ("Title\n\nSee:\n", vec![("See", "")]),
        // git passes over the lines that it once put below a message
        ("Merge\n\nSee: 1\n\nConflicts:\n\tx\n\ty\n", vec![("See", "1")]),
        ("Merge\n\nConflicts:\n\tx\n", vec![]),
        ("Merge\n\nSee: 1\n\n# a comment\n", vec![("See", "1")]),
        ("Merge\n\nConflicts:\n\tx\n\nSee: 1\n", vec![("See", "1")]),
        ("", vec![]),
    ] {
        let found = found(message);
        let found: Vec<_> = found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{message:?}");
    }
}
