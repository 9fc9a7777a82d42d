use super::{Pattern, pattern};

#[test]
fn a_latin_word_begins_a_word_and_another_one_stands_anywhere() {
    let whole = |glob: &str| Pattern { glob: glob.to_owned(), text: String::new() };
    assert_eq!(pattern("été2"), whole("*[^0-9a-zÀ-\u{2ff}][éÉ]t[éÉ]2*"));
    assert_eq!(pattern("日本"), whole("*日本*"));
    assert_eq!(pattern("мир"), whole("*[мМ][иИ][рР]*"));
}

#[test]
fn no_pattern_is_longer_than_the_database_takes() {
    for word in ["a".repeat(400), "é".repeat(99), "日".repeat(99), "я".repeat(30)] {
        let Pattern { glob, text } = pattern(&word);
        assert!(glob.len() <= 50 && glob.ends_with('*'), "{glob}");
        assert!(word.ends_with(&text) && !text.is_empty(), "{text}");
    }
}
