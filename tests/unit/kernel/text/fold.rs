use super::*;

#[test]
fn a_pattern_has_both_cases_of_letters_beyond_ascii_and_no_signs_of_glob() {
    assert_eq!(patterns("A*b"), r#"[{"glob":"*","text":"a*b"}]"#);
    assert_eq!(patterns("\u{d6}z*"), "[{\"glob\":\"*[\u{f6}\u{d6}]z[*]*\",\"text\":\"\"}]");
    let long: serde_json::Value = serde_json::from_str(&patterns(&"\u{43f}".repeat(20))).unwrap();
    let globs: Vec<&str> = long.as_array().unwrap().iter().map(|one| one["glob"].as_str().unwrap()).collect();
    assert_eq!(globs.len(), 3);
    assert!(globs.iter().all(|glob| glob.len() <= LONGEST_PATTERN));
}
