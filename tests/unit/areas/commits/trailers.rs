use super::found;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn trailers_are_the_last_paragraph_if_it_is_no_title() {
    for (message, expected) in [
        ("Title\n\nSigned-off-by: A <a@b>\nSee: 1\n", vec![("Signed-off-by", "A <a@b>"), ("See", "1")]),
        ("Title\n\nText.\n\nSee: 1\nSee : 2\n\n", vec![("See", "1"), ("See", "2")]),
        ("Title\n\nSee: one\n  two\n\tthree\n", vec![("See", "one two three")]),
        ("Title\n\nText\nSigned-off-by: A\n", vec![("Signed-off-by", "A")]),
        ("Title\n\nText\nSee: 1\n", vec![]),
        ("Title: x\n", vec![]),
        ("\nTitle: x\n", vec![]),
        ("Title\n\nno key: 1\n", vec![]),
        ("Title\n\n: 1\n", vec![]),
        ("Title\n\nSee:\n", vec![("See", "")]),
        // git passes over the lines that it once put below a message
        ("Merge\n\nSee: 1\n\nConflicts:\n\tx\n\ty\n", vec![("See", "1")]),
        ("Merge\n\nConflicts:\n\tx\n", vec![]),
        ("Merge\n\nSee: 1\nConflicts:", vec![("See", "1")]),
        ("Merge\n\nSee: 1\n\n# a comment\n", vec![("See", "1")]),
        ("Merge\n\nConflicts:\n\tx\n\nSee: 1\n", vec![("See", "1")]),
        ("", vec![]),
    ] {
        assert_eq!(shown(message), owned(&expected), "{message:?}");
    }
}

#[test]
fn a_comment_between_trailers_is_passed_over() {
    assert_eq!(shown("t\n\nA: b\n# comment\nC: d\n"), owned(&[("A", "b"), ("C", "d")]));
    // what continues a comment is no trailer, so this is no block of trailers
    assert_eq!(shown("t\n\nA: b\n# comment\n  c\nC: d\n"), []);
}

#[test]
fn a_value_keeps_what_git_keeps_of_its_blanks() {
    assert_eq!(shown("t\n\nA: \n b\n"), owned(&[("A", "b")]));
    assert_eq!(shown("t\n\nA: a  \n  b\n"), owned(&[("A", "a   b")]));
    assert_eq!(shown("t\n\nA: \u{a0}a\u{b}\n"), owned(&[("A", "\u{a0}a\u{b}")]));
    assert_eq!(shown("t\r\n\r\nA: b\r\n c\r\n"), owned(&[("A", "b\r c")]));
}

#[test]
fn trailers_of_random_messages_are_those_of_git() {
    compare_with_git(40, 7);
}

#[test]
#[ignore = "a proof: make prove"]
fn trailers_of_2000_random_messages_are_those_of_git() {
    compare_with_git(2000, 1);
}

fn owned(trailers: &[(&str, &str)]) -> Vec<(String, String)> {
    trailers.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn shown(message: &str) -> Vec<(String, String)> {
    found(message).into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn compare_with_git(messages: usize, seed: u64) {
    let (mut state, mut with_trailers) = (seed, 0);
    for _ in 0..messages {
        let message = random_message(&mut state);
        let wanted = of_git(&message);
        with_trailers += usize::from(!wanted.is_empty());
        assert_eq!(shown(&message), wanted, "{message:?}");
    }
    assert!(with_trailers * 4 > messages, "{with_trailers} of {messages}");
}

/// The title is in it, because `git log` passes over blank lines before that and `git interpret-trailers` does not.
fn random_message(state: &mut u64) -> String {
    const LINES: [&str; 24] = [
        "A: b",
        "A: b",
        "Key-2 \t: a: b ",
        "Empty:",
        "Late: ",
        " : c",
        "no key: d",
        "  continued  ",
        "\tcontinued: e",
        "text",
        "",
        "",
        "  ",
        "\r",
        "B: c\r",
        "# comment",
        "# C: comment",
        "Signed-off-by: A <a@example.com>",
        "(cherry picked from commit 1234567)",
        "Conflicts:",
        "\tfile",
        "N: \u{a0}a\u{b}\u{c}",
        "---",
        "# ------------------------ >8 ------------------------",
    ];
    let mut roll = |most: usize| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % most
    };
    let mut message = String::from(if roll(9) == 0 { "Title: t\n" } else { "Title\n" });
    if roll(5) > 0 {
        message.push('\n');
    }
    // most often few kinds of lines, because a block of trailers has little else
    let kinds = if roll(3) == 0 { LINES.len() } else { 9 };
    for _ in 0..1 + roll(7) {
        message.push_str(LINES[roll(kinds)]);
        message.push('\n');
    }
    if roll(5) == 0 {
        message.pop();
    }
    message
}

fn of_git(message: &str) -> Vec<(String, String)> {
    let mut git = Command::new("git");
    git.args(["interpret-trailers", "--parse", "--no-divider"]);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_DIR", "/dev/null");
    let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(message.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.split('\n').filter(|line| !line.is_empty());
    lines.map(|line| line.split_once(": ").unwrap()).map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}
