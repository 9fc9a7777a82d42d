use super::*;

#[test]
fn a_star_in_a_branch_filter_is_any_run_of_characters() {
    for (filter, branch) in [
        ("main", "main"),
        ("release/*", "release/1.2"),
        ("*", ""),
        ("*-fix", "a-fix"),
        ("a*b*c", "a-b-b-c"),
        ("a*", "a"),
        ("*a*", "bab"),
    ] {
        assert!(fits(filter, branch), "{filter} {branch}");
    }
    for (filter, branch) in [
        ("main", "main2"),
        ("main", "a/main"),
        ("release/*", "release"),
        ("*-fix", "fix"),
        ("a*b*c", "acb"),
        ("a*a", "a"),
    ] {
        assert!(!fits(filter, branch), "{filter} {branch}");
    }
}

#[test]
fn a_regular_expression_of_a_branch_filter_is_one_of_re2() {
    for (filter, branch) in [
        ("feature/.*", "my-feature/1"),
        ("^(main|release/.*)$", "release/日本"),
        ("^[^/]+$", "größe"),
        (r"^\S+$", "größe"),
        (r"^\D+$", "größe"),
        (r"^\W$", "é"),
        ("^(?s).{2}$", "日本"),
        (r"^\p{L}+$", "größe"),
        (r"^\pL\P{L}$", "é1"),
        (r"^\p{Lu}", "Äpfel"),
        ("(?i)^feature/[^/]+$", "FEATURE/größe"),
        ("(?i:FIX)-ä.", "fix-äß"),
        ("^[äö]$", "ö"),
        (r"^[\w.-]+$", "v1.2-rc"),
        (r"^[^\D]+$", "123"),
        (r"^[^\s/]+$", "a\u{a0}b"),
        (r"\bfix\b", "a-fix-b"),
        (r"\bfix\b", "éfixé"),
        (r"\Bix\b", "fix"),
        ("^[a&&b]+$", "&a&"),
        ("^[[:alpha:]~[]+$", "a[~"),
        ("^[]a]+$", "]a"),
        ("^[^]a]+$", "b"),
        (r"^\<\>$", "<>"),
        (r"^v\d+\.\d+\.x$", "v1.20.x"),
        ("(?P<kind>fix|feat)/", "feat/1"),
        ("^[+--]+$", "+,-"),
        (r"^[\w--]+$", "a-b"),
        ("^[--a]+$", "-Za"),
        ("^[a-z--]+$", "a-z"),
        ("^[^--/]+$", "a+b"),
        ("^[--]$", "-"),
        (r"^release\/\d{1,2}\_x\-[\-\w]+$", "release/12_x-a-b"),
        (r"^(?:\p{Lu}\p{Ll}*|\p{Nd}+)+$", "ÄpfelБ٣"),
        (r"^[\p{L}\p{M}./-]+$", "größe/é-日本.x"),
        (r"^[^\p{Lu}]+$", "größe"),
        (r"^\x{65e5}\x{672C}$", "日本"),
        (r"\A[[:^digit:]]+\z", "größe"),
        ("(?-i)^ä(?U:.+)ö$", "ä日ö"),
        ("", "main"),
    ] {
        assert!(is_of_branch("regex", filter, branch), "{filter} {branch}");
    }
    for (filter, branch) in [
        ("^feature/.*", "my-feature/1"),
        ("^[^/]+$", "a/b"),
        (r"^\w+$", "größe"),
        (r"^\d$", "٣"),
        (r"\s", "a\u{a0}b"),
        (r"\s", "a\u{b}b"),
        ("^.$", "日本"),
        (r"\p{L}", "1.2"),
        (r"\bfix\b", "prefix"),
        ("^[a&&b]+$", "c"),
        ("^(?-s).$", "\n"),
        ("^[+--]+$", "."),
        ("^[--a]+$", "b"),
        ("^[^--/]+$", "a.b"),
        (r"^[^\p{Lu}]+$", "Größe"),
        (r"^[\p{L}]+$", "a1"),
    ] {
        assert!(!is_of_branch("regex", filter, branch), "{filter} {branch}");
    }
    for filter in ["(", "[a", r"\", r"[\b]", r"(a)\1", "(?=a)", "(a{1000}){1000}"] {
        assert!(pattern(filter).is_none(), "{filter}");
    }
}
