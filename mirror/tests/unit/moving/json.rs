use super::*;

#[test]
fn a_half_of_a_surrogate_is_replaced() {
    let read = |text: &str| parse(text.as_bytes()).unwrap();
    assert_eq!(read(r#"["a\ud83db", "\ude00", "\ud83d\ude00", "\\ud83d"]"#)[0], "a\u{fffd}b");
    assert_eq!(read(r#"["\ud83d", "\ude00", "\ud83d\ude00", "\\ud83d"]"#)[1], "\u{fffd}");
    assert_eq!(read(r#"["\ud83d", "\ude00", "\ud83d\ude00", "\\ud83d"]"#)[2], "\u{1f600}");
    assert_eq!(read(r#"["\ud83d", "\ude00", "\ud83d\ude00", "\\ud83d"]"#)[3], "\\ud83d");
    assert!(parse(br#"["\ud83d"#).is_err());
}

#[test]
fn what_is_too_deep_is_refused() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(parse(nested(100).as_bytes()).is_ok());
    assert!(parse(nested(101).as_bytes()).unwrap_err().contains("deeper"));
    assert!(parse(format!("{{\"a\": {:?}}}", "[".repeat(500)).as_bytes()).is_ok());
}
