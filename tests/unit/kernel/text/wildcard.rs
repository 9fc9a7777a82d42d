use super::*;

#[test]
fn a_star_stands_for_anything() {
    for (pattern, text, is_whole) in [
        ("example.com", "example.com", true),
        ("example.com", "www.example.com", false),
        ("*.example.com", "www.example.com", true),
        ("*.example.com", "a.b.example.com", true),
        ("*.example.com", "example.com", false),
        ("*.example.com", "evil-example.com", false),
        ("*ex*ple*", "www.example.com", true),
        ("ab*ba", "aba", false),
        ("*", "", true),
    ] {
        assert_eq!(fits(pattern, text), is_whole, "{pattern} {text}");
    }
}
