use super::{Command, MOST, split};
use crate::kernel::dialect::Dialect;

/// The rest of the text, and the commands as name and argument.
fn read(text: &str) -> Option<(String, Vec<(&'static str, String)>)> {
    let (rest, commands) = split(text, Dialect::V4)?;
    Some((rest, commands.into_iter().map(|Command { name, argument }| (name, argument)).collect()))
}

#[test]
fn a_command_is_a_line_of_its_own_and_leaves_the_text() {
    let close = || ("close", String::new());
    for (text, rest, commands) in [
        ("/close", "", vec![close()]),
        ("/CLOSE  \r\n", "", vec![close()]),
        ("one\n/close\n\n \ntwo", "one\ntwo", vec![close()]),
        ("one\r\n/labels  ~a ~\"b c\" \r\n/close", "one", vec![("label", "~a ~\"b c\"".to_owned()), close()]),
        ("> said\n/close", "> said", vec![close()]),
        ("/spend_time 1h\n/unknown", "/unknown", vec![("spend", "1h".to_owned())]),
        ("/tableflip\nthen", "(╯°□°)╯︵ ┻━┻\nthen", vec![]),
        ("what is /shrug\n/shrug so", "what is /shrug\nso ¯\\＿(ツ)＿/¯", vec![]),
    ] {
        assert_eq!(read(text), Some((rest.to_owned(), commands)), "{text:?}");
    }
}

#[test]
fn what_only_looks_like_a_command_stays_text() {
    for text in [
        "",
        "close",
        " /close",
        "/closed",
        "/close/",
        "/ close",
        "//close",
        "/unknown",
        "see /close",
        "```\n/close\n```",
        "~~~ sh\n/close",
        "`\n/close\n`",
        "a `b\n/close c` d",
        "<div>\n/close\n</div>",
        "<!--\n/close\n-->",
    ] {
        assert_eq!(read(text), None, "{text:?}");
    }
}

#[test]
fn a_text_has_a_hundred_commands_at_most() {
    let (rest, commands) = read(&"/close\n".repeat(MOST + 2)).unwrap();
    assert_eq!((rest.as_str(), commands.len()), ("/close\n/close", MOST));
}

#[test]
fn a_hostile_text_is_split_in_time() {
    for part in ["/close\n", "`\n/close\n", "/", "/close ", "\n/", "```\n/close\n", "<a>\n/close\n"] {
        split(&part.repeat(900_000 / part.len()), Dialect::V4);
    }
}
