use super::pattern;

#[test]
fn a_latin_word_begins_a_word_and_another_one_stands_anywhere() {
    assert_eq!(pattern("été2"), ["*[^0-9a-zÀ-\u{2ff}][éÉ]t[éÉ]2*", ""]);
    assert_eq!(pattern("日本"), ["*日本*", ""]);
    assert_eq!(pattern("мир"), ["*[мМ][иИ][рР]*", ""]);
}

#[test]
fn no_pattern_is_longer_than_the_database_takes() {
    for word in ["a".repeat(400), "é".repeat(99), "日".repeat(99), "я".repeat(30)] {
        let [pattern, rest] = pattern(&word);
        assert!(pattern.len() <= 50 && pattern.ends_with('*'), "{pattern}");
        assert!(word.ends_with(&rest) && !rest.is_empty(), "{rest}");
    }
}
