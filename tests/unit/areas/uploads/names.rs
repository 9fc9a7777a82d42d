use super::stored;

#[test]
fn a_name_is_the_last_part_of_a_path_in_plain_letters() {
    for (sent, name) in [
        ("dk.png", "dk.png"),
        ("/etc/passwd", "passwd"),
        ("C:\\dir\\a b.txt", "a_b.txt"),
        ("a]b(c)<d>\"e'.txt", "a_b_c__d__e_.txt"),
        ("ü+ä-1_2.txt", "ü+ä-1_2.txt"),
        ("..", "_.."),
        (".", "_."),
        ("../..", "_.."),
        ("a\r\nb", "a__b"),
        ("a%2Fb", "a_2Fb"),
        ("🐙", "_"),
    ] {
        assert_eq!(stored(sent).as_deref(), Some(name), "{sent}");
    }
}

#[test]
fn a_blank_or_long_name_is_none() {
    for sent in ["", " ", "a/", "\\"] {
        assert_eq!(stored(sent), None, "{sent}");
    }
    assert!(stored(&"x".repeat(255)).is_some() && stored(&"x".repeat(256)).is_none());
    assert!(stored(&"ü".repeat(127)).is_some() && stored(&"ü".repeat(128)).is_none());
}
