use super::{Home, MOST, Reference, references};
use regex::Regex;

const HOME: Home<'_> = Home { base: "https://forge.example.com", full_path: "ann/site" };

fn read(message: &str) -> [Vec<i64>; 2] {
    let found = references(message, &HOME);
    [true, false].map(|closes| {
        let of_kind = |known: &&Reference| known.closes == closes;
        let own = found.iter().filter(of_kind).filter(|known| known.issue.project.is_none());
        own.map(|known| known.issue.iid).collect()
    })
}

fn closed(message: &str) -> Vec<i64> {
    let [closed, _] = read(message);
    closed
}

fn mentioned(message: &str) -> Vec<i64> {
    let [_, mentioned] = read(message);
    mentioned
}

#[test]
fn a_message_closes_what_stands_behind_a_keyword() {
    for (message, expected) in [
        ("Closes #1", &[1][..]),
        ("closes: #1", &[1]),
        ("Fixing issues #5, issue #6", &[5, 6]),
        ("fix #1 #2", &[1, 2]),
        ("Fixes #1,#2 and #3", &[1, 2, 3]),
        ("Fixes #1, #2, and #3", &[1, 2, 3]),
        ("Implements: #9", &[9]),
        ("implement #9", &[9]),
        ("resolved #4", &[4]),
        ("Resolving #4", &[4]),
        ("Closes #1, fixes #2", &[1, 2]),
        ("closing issue #3.", &[3]),
        ("not closing #3", &[3]),
        ("(Closes #3)", &[3]),
        ("Fixes #18, #19\nand #23", &[18, 19, 23]),
        ("Fixes #18,\r\n#19", &[18, 19]),
        ("Fixes site#2", &[2]),
        ("Fixes ann/site#2 and Ann/Site#3", &[2, 3]),
        ("Fixes https://forge.example.com/ann/site/-/issues/7", &[7]),
        ("Fixes https://forge.example.com/ann/site/-/work_items/7.", &[7]),
        ("fixes https://forge.example.com/ann/site/issues/7 and #8", &[7, 8]),
        ("Title\n\nCloses #1\nCloses #2\n", &[1, 2]),
        ("Fixes #1 and other/place#2 and #3", &[1, 3]),
        ("Fixes #1-#3", &[1]),
        ("Fixes #1/#2", &[1]),
        ("Fixes #1 ,and #2", &[1]),
        ("Fixes #1, ...#2, #3", &[1, 3]),
        ("Fixes #1 /site#2", &[1]),
        ("Fixes #1 ann//site#2", &[1]),
        ("Fixes https://forge.example.com/ann/site/-/issues/7/, #8", &[7, 8]),
        ("Fixes https://forge.example.com/ann/site/-/issues/7/designs?version=2&page=1#note_5 #8", &[7, 8]),
    ] {
        assert_eq!(closed(message), expected, "{message:?}");
    }
}

#[test]
fn a_message_closes_nothing_by_words_that_only_look_like_keywords() {
    for message in [
        "CLOSES #1",
        "Close#1",
        "Closes : #1",
        "Closes (#3)",
        "fix bug #1",
        "fix(core): #3",
        "hotfix #3",
        "unclosed #1",
        "Closes\n#1",
        "closer #1",
        "fixs #1",
        "Fixes other/place#2",
        "Fixes elsewhere#2",
        "Fixes https://elsewhere.example.com/ann/site/-/issues/7",
        "Fixes https://forge.example.com/bob/site/-/issues/7",
        "Fixes #1x",
        "Fixes JIRA-12, #3",
        "Closes ABC-12 #1",
        "Closes ABC-12\n#1",
        "Fixes ...#1",
        "Fixes -#1",
        "Fixes site.git#1",
        "Fixes #",
        "Fixes",
        "",
    ] {
        assert_eq!(closed(message), [0; 0], "{message:?}");
    }
    assert_eq!(closed("Fixes #1, #2, see #3"), [1, 2]);
    assert_eq!(closed("Resolve #1 & #2"), [1]);
    assert_eq!(closed("Fixes #1\n\n#2"), [1]);
}

#[test]
fn a_message_mentions_its_other_references_once() {
    assert_eq!(mentioned("see #1, #2 and #1; fixes #3"), [1, 2]);
    assert_eq!(mentioned("CLOSES #1"), [1]);
    assert_eq!(mentioned("fix(core): #3 (ann/site#4) [site#5]"), [3, 4, 5]);
    assert_eq!(mentioned("https://forge.example.com/ann/site/-/issues/7"), [7]);
    assert_eq!(mentioned("other#1 a/b#2 #3x #0x1 x-#4 https://x.example.com/#5 &#39;"), [39]);
    assert_eq!(mentioned("ä#1 #2-#3 -#4"), [1, 2, 3, 4]);
}

#[test]
fn a_hostile_message_is_read_in_time_and_up_to_a_hundred_references() {
    let many: String = (1..1000).map(|number| format!("Fixes #{number} ")).collect();
    assert_eq!(closed(&many).len(), MOST);
    for part in [
        "fix ",
        "fixes #",
        "#1",
        "a",
        "a/",
        "fix a",
        "#1.a",
        "#1-",
        "issues ",
        "https://forge.example.com/",
        "A-",
        ", and ",
    ] {
        references(&part.repeat(1_000_000 / part.len()), &HOME);
        references(&format!("#1.{}", part.repeat(1_000_000 / part.len())), &HOME);
    }
    assert_eq!(closed(&format!("{}fixes #1", " ".repeat(64 << 10))), [0; 0]);
    assert_eq!(closed(&"#999999999999999999999999".replacen('#', "fixes #", 1)), [0; 0]);
}

#[test]
fn issues_of_other_projects_are_named_by_whole_paths_names_in_the_namespace_and_addresses() {
    for (message, expected) in [
        ("Fixes other/place#2", &[("other/place", 2)][..]),
        ("Fixes Other/Group/Place#2 and #3", &[("other/group/place", 2)]),
        ("Fixes blog#4", &[("ann/blog", 4)]),
        ("Fixes https://forge.example.com/other/place/-/issues/7", &[("other/place", 7)]),
        ("Fixes ann/SITE#2, #3", &[]),
    ] {
        let found = references(message, &HOME);
        let others = found.iter().filter_map(|known| Some((known.issue.project.as_deref()?, known.issue.iid)));
        assert_eq!(others.collect::<Vec<_>>(), expected, "{message:?}");
        assert!(found.iter().all(|known| known.closes), "{message:?}");
    }
}

#[test]
fn of_references_that_are_repeated_the_first_thousand_are_read() {
    let message = |count: usize| format!("{}#2", "see #1 ".repeat(count));
    assert_eq!(mentioned(&message(999)), [1, 2]);
    assert_eq!(mentioned(&message(1000)), [1]);
}

/// The kinds of messages that GitLab tries: one reference behind each keyword, and lists with other projects and
/// addresses. Returns how many there are.
#[test]
fn an_address_in_a_list_does_not_end_it() {
    let mut tried = 0;
    let words = "close closes closed closing fix fixes fixed fixing resolve resolves resolved resolving implement \
        implements implemented implementing";
    for word in words.split_whitespace() {
        let (first, rest) = word.split_at(1);
        let capital = format!("{}{rest}", first.to_uppercase());
        for word in [word, &capital] {
            for message in [format!("{word} #1"), format!("{word}: #1"), format!("Awesome commit ({word} #1)")] {
                assert_eq!(closed(&message), [1], "{message:?}");
                tried += 1;
            }
        }
    }
    for (message, expected) in [
        ("suffix #1", &[][..]),
        ("Closes https://google.com/bob/site/-/issues/2", &[]),
        ("Closes #1 and fix #2", &[1, 2]),
        ("Closes #1, closes #2", &[1, 2]),
        ("Closes #1, #2 and #3", &[1, 2, 3]),
        ("Closes #1, #2, and #3", &[1, 2, 3]),
        ("Closes #1 , #2 , and #3", &[1, 2, 3]),
        ("Closes #1 #2 #3", &[1, 2, 3]),
        ("Closes #1, #2 #3", &[1, 2, 3]),
        ("Awesome commit (closes #1)\nAlso fixes #2", &[1, 2]),
        ("Awesome commit (closes #1)\nAlso fixing issues #2, #3 and #4", &[1, 2, 3, 4]),
        ("Closes #1 and bob/site#2", &[1]),
        (
            "Closes https://forge.example.com/bob/x/-/issues/2, #1 and https://forge.example.com/ann/site/-/issues/3",
            &[1, 3],
        ),
        ("Closes https://google.com/bob/site/-/issues/2 and #1", &[1]),
        // siblings
        ("Closes http://a.example/?q=1&r=(2)#3, #1", &[1]),
        ("Closes issue https://a.example/x #1", &[1]),
        ("Closes #1 and https://a.example/x, #2", &[1, 2]),
        ("Closes https://forge.example.com/ann/site/-/merge_requests/7 and #8", &[8]),
        ("Closes https://a.example/x\n#1", &[1]),
        ("Closes https:// #1", &[]),
        ("Closes ftp://a.example/x #1", &[]),
        ("Closes https://a.example/ä #1", &[]),
        ("Closes https://a.example/x see #1", &[]),
    ] {
        assert_eq!(closed(message), expected, "{message:?}");
        tried += 1;
    }
    assert_eq!(tried, 119);
}

/// GitLab's pattern with one line break where it has blanks, and that of an issue in it. It has no look-behind, so no
/// number is followed by a dot.
fn patterns() -> [Regex; 2] {
    const GAP: &str = r"(?: *(?:\r?\n *)?)";
    const BLANKS: &str = r"(?: +(?:\r?\n *)?|\r?\n *)";
    let address = r"https?://[A-Za-z0-9_.!~*'()%;/?:@&=+$,\[\]#-]+";
    let issue = r"(?:(?:[A-Za-z0-9_.][A-Za-z0-9_.-]*/)*[A-Za-z0-9_.][A-Za-z0-9_.-]*)?#\d+\b";
    let words = "(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?)";
    let separator = format!("(?:(?:{GAP},)?{BLANKS}and{BLANKS}|{GAP},{GAP}|{GAP})");
    let list = format!(r"\b{words}:? +(?:(?:issues? +)?(?:{address}|{issue}){separator}|[A-Z][A-Z0-9_]+-\d+)+");
    [list.as_str(), issue].map(|pattern| Regex::new(pattern).unwrap())
}

fn by_pattern([list, issue]: &[Regex; 2], message: &str) -> Vec<i64> {
    let mut found = Vec::new();
    for piece in list.find_iter(message) {
        for reference in issue.find_iter(piece.as_str()) {
            // autolinked
            let before = piece.as_str().get(..reference.start()).unwrap_or_default();
            if before.rsplit([' ', '\n']).next().is_some_and(|word| word.contains("://")) {
                continue;
            }
            let (path, iid) = reference.as_str().split_once('#').unwrap();
            let iid = iid.parse().unwrap();
            if ["", "site", "ann/site"].contains(&path) && !found.contains(&iid) {
                found.push(iid);
            }
        }
    }
    found
}

#[test]
fn a_message_closes_what_the_pattern_of_gitlab_finds() {
    const PARTS: [&str; 27] = [
        "Closes ",
        "fixes ",
        "Resolve: ",
        "implement",
        " ",
        " ",
        ",",
        ", ",
        " and ",
        "and ",
        " ,and ",
        "#1",
        "#2",
        "#3 ",
        "-",
        "/",
        "...",
        "ABC-12",
        "issue ",
        "issues ",
        "site#4",
        "ann/site#5",
        "bob/x#6",
        "#7x",
        "\n",
        "see ",
        "https://a.example/x",
    ];
    let patterns = patterns();
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let count = 1 + next(9);
        let message: String = (0..count).map(|_| PARTS[next(PARTS.len())]).collect();
        let has_look_behind = message.as_bytes().windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1] == b'.');
        if !has_look_behind {
            assert_eq!(closed(&message), by_pattern(&patterns, &message), "{message:?}");
        }
    }
}
