use super::*;

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn texts() -> Texts {
    let names = [("anna".to_owned(), "anna-gitlab".to_owned())].into();
    Texts::new("https://gl.example.com/group/proj", Some(12), "https://forge.example.com/new/proj", names)
}

fn rewritten(text: &str) -> String {
    texts().rewritten(text, "there")
}

#[test]
fn addresses_of_the_projects_issues_become_those_of_here() {
    let here = "see https://forge.example.com/new/proj/-/issues/7#note_3.";
    assert_eq!(rewritten("see https://gl.example.com/group/proj/-/issues/7#note_3."), here);
    assert_eq!(rewritten("see https://gl.example.com/group/proj/issues/7#note_3."), here);
    for other in ["https://gl.example.com/group/proj2/-/issues/7", "https://gl.example.com/group/proj/-/issues/new"] {
        assert_eq!(rewritten(other), other);
    }
}

#[test]
fn long_addresses_of_uploads_become_short_ones() {
    for long in ["https://gl.example.com/group/proj/uploads/", "/-/project/12/uploads/", "/group/proj/uploads/"] {
        assert_eq!(rewritten(&format!("![a]({long}{SECRET}/a.png)")), format!("![a](/uploads/{SECRET}/a.png)"));
    }
    for other in ["/-/project/13/uploads/", "/other/group/proj/uploads/"] {
        let text = format!("![a]({other}{SECRET}/a.png)");
        assert_eq!(rewritten(&text), text);
    }
}

#[test]
fn a_mention_gets_the_name_of_here_but_not_in_code() {
    assert_eq!(
        rewritten("@Anna, a@anna.org `@anna` (@anna) @anna."),
        "@anna-gitlab, a@anna.org `@anna` (@anna-gitlab) @anna-gitlab."
    );
    assert_eq!(rewritten("```\n@anna\n```\n@anna"), "```\n@anna\n```\n@anna-gitlab");
    assert_eq!(rewritten("@annabel @anna-x @anna.b"), "@annabel @anna-x @anna.b");
}

#[test]
fn what_is_too_long_is_cut_and_says_so() {
    let whole = "é".repeat(400_000);
    assert_eq!(rewritten(&whole), whole);
    let cut = rewritten(&"é".repeat(1_000_001));
    assert!(cut.ends_with("\n\n(cut: 2000002 bytes, see there)") && escaped_len(&cut) <= MOST_AS_JSON);
    let cut = rewritten(&"\u{1}".repeat(200_000));
    assert!(cut.contains("(cut: 200000 bytes") && escaped_len(&cut) <= MOST_AS_JSON);
    assert_eq!(rewritten("a\0b"), "ab");
}

#[test]
fn names_lose_the_characters_that_make_them_look_like_others() {
    assert_eq!(name("a\tb\u{202e}c\u{2066}\0d"), "abcd");
    assert_eq!(name(&"\u{e9}".repeat(300)).chars().count(), TITLE);
}
