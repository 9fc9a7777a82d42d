use super::*;

#[test]
fn a_mention_is_a_user_name_after_an_at_sign() {
    assert_eq!(mentions(&["@ann, see @bob.", "mail a@eve.org @ann"]), ["ann", "bob"]);
}

#[test]
fn a_mention_is_read_without_regard_to_case() {
    assert_eq!(mentions(&["@ANN and @ann", "@Bob"]), ["ann", "bob"]);
}

#[test]
fn code_and_comments_mention_nobody() {
    for text in [
        "`@ann`",
        "`` a ` @ann ``",
        "```\nimport x from '@ann/core'\n```",
        "~~~\n@ann\n~~~",
        "`````\n```\n@ann\n`````",
        "a\n\n    @ann",
        "- a\n\n  ```\n  @ann\n  ```",
        "<code>@ann</code>",
        "a <CODE class=\"b>\">@ann *@ann*</CODE>",
        "<pre>\n\n@ann\n</pre>",
        "<!-- @ann -->",
        "a <!--\n@ann --> b",
        "\\@ann",
        "[@ann](https://x)",
        "https://x/?by=@ann",
        "ann@x.org",
    ] {
        assert_eq!(mentions(&[text]), [""; 0], "{text}");
    }
}

#[test]
fn what_markdown_shows_as_text_mentions_people() {
    for text in [
        "**@ann**",
        "# @ann",
        "- [ ] @ann",
        "> @ann",
        "|a|\n|-|\n|@ann|",
        "`a`@ann",
        "<b>@ann</b>",
        "<div>\n@ann\n</div>",
        "<code>a</code> @ann",
        "a <code>\n\n@ann",
        "``` a`b\n@ann",
        "\\\\@ann",
        "&#64;ann",
        "a\\\n@ann",
    ] {
        assert_eq!(mentions(&[text]), ["ann"], "{text}");
    }
    assert_eq!(mentions(&["@a_b_c and @a-b.c."]), ["a-b.c", "a_b_c"]);
}

#[test]
fn a_label_name_is_trimmed_stripped_of_tags_and_taken_once() {
    let names = ["bug", " bug ", "", "<b>big</b>"].map(str::to_owned).to_vec();
    assert_eq!(label_names(names, &mut ValidationErrors::default()), ["big", "bug"]);
}
