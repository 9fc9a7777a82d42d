use super::{Candidates, Reference, candidates, references};

#[test]
fn a_reference_is_a_word_of_its_own() {
    let first = |text: &str| {
        let (found, at) = references(text).next()?;
        let parts = [0..at.start, at.clone(), at.end..text.len()].map(|part| text.get(part).unwrap());
        Some((found, parts.join("|")))
    };
    let comparison = |dots| Reference::Comparison("12abcde".to_owned(), dots, "abcdef0".to_owned());
    let person = |name: &str| Reference::Person(name.to_owned());
    for (text, found, parts) in [
        ("#1", Reference::Issue(1), "|#1|"),
        ("a #12, b", Reference::Issue(12), "a |#12|, b"),
        ("x#1 (#2)", Reference::Issue(2), "x#1 (|#2|)"),
        ("a@b @Ann.", person("ann"), "a@b |@Ann|."),
        ("é#1 @a.b-c_d", person("a.b-c_d"), "é#1 |@a.b-c_d|"),
        ("\0#1 #3/a", Reference::Issue(3), "\0#1 |#3|/a"),
        ("see 12abCDE.", Reference::Commit("12abcde".to_owned()), "see |12abCDE|."),
        ("a abcdef0/x", Reference::Commit("abcdef0".to_owned()), "a |abcdef0|/x"),
        ("(12abCDE...abcdef0)", comparison("..."), "(|12abCDE...abcdef0|)"),
        ("12abcde..abcdef0.", comparison(".."), "|12abcde..abcdef0|."),
        ("12abcde....abcdef0", Reference::Commit("12abcde".to_owned()), "|12abcde|....abcdef0"),
        ("12abcde..abc", Reference::Commit("12abcde".to_owned()), "|12abcde|..abc"),
        ("1234567 #1", Reference::Commit("1234567".to_owned()), "|1234567| #1"),
    ] {
        assert_eq!(first(text), Some((found, parts.to_owned())), "{text}");
    }
    for text in [
        "#",
        "#a",
        "a#1",
        "#1a",
        "&#1",
        "/@ann",
        "@",
        "@.",
        "#1234567890123456",
        "\0@ann",
        "abcdef",
        "xabcdef0",
        "abcdef0g",
        "é1234567",
        "x@1234567",
    ] {
        assert_eq!(first(text), None, "{text}");
    }
    // what is before the second is the end of the first
    for text in ["#1#2", "@a@b", "1234567#2", "#1@b"] {
        assert_eq!(references(text).count(), 1, "{text}");
    }
    assert_eq!(references("#1&#2 &@a #3&").count(), 3);
    assert_eq!(first("é@a"), Some((person("a"), "é|@a|".to_owned())));
}

#[test]
fn hostile_references_are_read_in_bounded_time_and_number() {
    let text: String = (1..200_000).map(|number| format!("#{number} @n{number} {number:08x} ")).collect();
    let Candidates { iids, names, hashes } = candidates(&text);
    assert_eq!((iids.len(), names.len(), hashes.len()), (1000, 1000, 1000));
    for text in [
        "@".repeat(1_000_000),
        "#".repeat(1_000_000),
        "a#1".repeat(300_000),
        "a".repeat(1_000_000),
        "a.".repeat(500_000),
    ] {
        assert_eq!(candidates(&text), Candidates::default());
    }
}
