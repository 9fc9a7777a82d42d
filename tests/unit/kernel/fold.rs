use super::*;

#[test]
fn a_pattern_has_both_cases_of_letters_beyond_ascii_and_no_signs_of_glob() {
    assert_eq!(patterns("A*b"), r#"[["*","a*b"]]"#);
    assert_eq!(patterns("\u{d6}z*"), "[[\"*[\u{f6}\u{d6}]z[*]*\",\"\"]]");
    let long: Vec<[String; 2]> = serde_json::from_str(&patterns(&"\u{43f}".repeat(20))).unwrap();
    assert_eq!(long.len(), 3);
    assert!(long.iter().all(|[pattern, _]| pattern.len() <= LONGEST_PATTERN));
}
