use super::*;

#[test]
fn a_bookmark_is_numbers_with_dashes_between() {
    let ones = ["00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683", "0-f", "A-9"];
    assert!(ones.into_iter().all(is_bookmark));
    let long = format!("0-{}", "0".repeat(LONGEST - 1));
    let none = ["", "-", "0", "0-", "-0", "0--0", " 0-0", "0-0, 0-1", "first-primary", "g-0", "0-é", &long];
    for text in none {
        assert!(!is_bookmark(text), "{text}");
    }
    // the words with which a session may begin
    for reading in [Reading::Marked, Reading::Nearest] {
        assert!(!is_bookmark(reading.constraint().unwrap_or_default()), "{reading:?}");
    }
}
