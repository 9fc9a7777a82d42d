use super::*;

#[test]
fn a_text_is_measured_in_characters_and_as_json() {
    let fault = |name: &str, text: &str, times: usize| too_long(name, &text.repeat(times));
    assert_eq!(fault("title", "🐙", 255), None);
    assert_eq!(fault("title", "x", 256), Some(error::too_long(255, "characters")));
    assert_eq!(fault("description", "x", 1_000_001), Some(error::too_long(1_000_000, "characters")));
    for (text, length) in [("x", 1), ("\u{1}", 6), ("\n", 2), ("é", 2)] {
        assert_eq!(fault("note", text, MOST_AS_JSON / length), None, "{text:?}");
        let refused = fault("note", text, MOST_AS_JSON / length + 1);
        assert_eq!(refused, Some(error::too_long(MOST_AS_JSON, "bytes as JSON")), "{text:?}");
    }
}

#[test]
fn a_branch_is_measured_in_bytes() {
    assert_eq!(too_long("default_branch", &"é".repeat(512)), None);
    assert_eq!(too_long("default_branch", &"é".repeat(513)), Some(error::too_long(1024, "characters")));
}
