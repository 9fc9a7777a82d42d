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
