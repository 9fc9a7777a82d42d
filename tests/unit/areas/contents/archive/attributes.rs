use super::super::ends::with_crlf;
use super::*;

#[test]
fn only_lines_with_a_rule_that_counts_are_rules() {
    let settings = |line: &str| rule(line.as_bytes()).map(|rule| rule.settings);
    for line in [
        "",
        "# *.c text",
        "*.c",
        "*.c diff=cpp",
        "!*.c text",
        "[attr]x text",
        "\"*.c",
        "*.c text # a word",
        "*.c text =x",
        "*.c text builtin_x",
        "*.c\u{c}text",
    ] {
        assert_eq!(settings(line), None, "{line}");
    }
    assert_eq!(settings("  *.c\ttext  eol=crlf\r"), Some(vec![Setting::Text(Text::Yes), Setting::EndsWithCrlf(true)]));
    assert_eq!(settings("\"a \\\"b\" export-ignore"), Some(vec![Setting::Ignored(true)]));
    assert_eq!(settings("* binary -eol"), Some(vec![Setting::Binary(true), Setting::EndsWithCrlf(false)]));
    assert_eq!(settings(&format!("{} text", "a".repeat(2043))), None);
    assert_eq!(unquoted(b"\"\\303\\251\\t\" x"), Some((b"\xc3\xa9\t".to_vec(), &b" x"[..])));
    assert_eq!(unquoted(b"\"\\x\""), None);
}

#[test]
fn only_texts_get_crlf_where_git_guesses() {
    let made = |bytes: &[u8], ends| with_crlf(bytes, ends).map(|made| String::from_utf8_lossy(&made).into_owned());
    assert_eq!(made(b"a\nb", Ends::AsStored), None);
    assert_eq!(made(b"a\r\nb\n", Ends::Crlf).as_deref(), Some("a\r\nb\r\n"));
    assert_eq!(made(b"a\0\n", Ends::Crlf).as_deref(), Some("a\0\r\n"));
    assert_eq!(made(b"a\r\nb\n", Ends::CrlfIfText), None);
    assert_eq!(made(b"a\0\n", Ends::CrlfIfText), None);
    assert_eq!(made(b"\n", Ends::CrlfIfText).as_deref(), Some("\r\n"));
    assert_eq!(made(b"a", Ends::Crlf), None);
}
