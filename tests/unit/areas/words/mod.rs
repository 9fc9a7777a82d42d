use super::*;

fn asked(text: &str) -> Asked {
    let words = text.split_whitespace().map(str::to_lowercase).collect();
    Asked::of(&words)
}

#[test]
fn a_latin_word_has_one_token_and_any_other_word_one_for_each_letter() {
    assert_eq!(tokens("k", "Fix-it ÜBER fix"), "kwfix kwit kwüber");
    assert_eq!(tokens("k", "日本語"), "kw日本語 kw本語 kw語");
    // a Latin word begins behind a letter that is not Latin
    assert_eq!(tokens("k", "本b2本"), "ks2本 kwb2本 kw本 kw本b2本");
    assert_eq!(tokens("k", "1920×1080 nº5 2²b ˜b"), "kw1080 kw1920 kw2 kwb kwnº5");
    assert_eq!(tokens("k", "* \u{0} - 🦀"), "");
}

#[test]
fn a_token_is_cut_to_40_latin_letters_4_ideographs_or_12_others() {
    assert_eq!(tokens("", &"a".repeat(50)), format!("w{}", "a".repeat(40)));
    let token = |text: &str| tokens("", text).split(' ').map(|token| token.chars().count()).max();
    assert_eq!(token(&"я".repeat(50)), Some(13));
    assert_eq!(token(&"日".repeat(50)), Some(5));
}

#[test]
fn the_index_is_asked_for_the_longest_three_words_and_knows_whether_that_is_all() {
    assert_eq!(asked("Log"), Asked { text: "\"#wlog\"*".to_owned(), is_exact: true });
    assert_eq!(asked("ΟΔΌΣ"), Asked { text: "\"#wοδόσ\"*".to_owned(), is_exact: true });
    assert_eq!(asked("b日").text, "(\"#wb日\"* OR \"#sb日\"*)");
    assert_eq!(asked("a bb c dd"), Asked { text: "\"#wbb\"* AND \"#wdd\"* AND \"#wa\"*".to_owned(), is_exact: false });
    assert!(asked(&"a".repeat(40)).is_exact);
    assert!(!asked(&"a".repeat(41)).is_exact);
    assert!(!asked(&"я".repeat(13)).is_exact);
}

#[test]
fn a_letter_is_in_lower_case_if_glob_takes_it_for_that_one() {
    for (one, other) in [('Σ', 'ς'), ('σ', 'ς'), ('É', 'é'), ('я', 'Я'), ('A', 'a'), ('İ', 'i')] {
        assert_eq!(in_one_case(one), in_one_case(other), "{one} {other}");
    }
    for letter in ['ß', 'ẞ', 'ı', 'µ', 'ſ', '\u{212a}'] {
        assert_eq!(in_one_case(letter), letter);
    }
}
