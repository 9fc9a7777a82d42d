use super::*;

fn accepts(path: &str) -> bool {
    let mut errors = ValidationErrors::default();
    check_namespace(&mut errors, "path", path);
    errors.result().is_ok()
}

#[test]
fn a_path_is_made_of_letters_digits_dash_dot_and_underscore() {
    for good in ["ann", "Ann.B-c_1", ".ann", "_", "5a", "7.0"] {
        assert!(accepts(good), "{good}");
    }
    for bad in
        ["", "-ann", "ann.", "a.git", "a.ATOM", "a b", "a/b", "ä", "admin", "API", ".", "..", "a.json", "5", "0046"]
    {
        assert!(!accepts(bad), "{bad}");
    }
}

#[test]
fn a_slug_keeps_what_an_address_may_have() {
    for (name, path) in [("My  Project!", "my-project"), ("a_b.c", "a_b-c"), ("Ünï", "n"), ("--", "")] {
        assert_eq!(slug(name), path);
    }
}

#[test]
fn a_branch_has_a_name_that_git_allows() {
    for good in ["main", "a/b", "x.json", "ä", "a-b_c", "@a"] {
        assert!(is_branch(good), "{good}");
    }
    for bad in [
        "", "-a", "a..b", "a b", "a~", "a^", "a:b", "a?", "a*", "a[", "a\\b", "/a", "a/", "a//b", ".a", "b/.a", "a.",
        "a.lock", "@", "HEAD", "a@{b", "a\u{7}",
    ] {
        assert!(!is_branch(bad), "{bad}");
    }
}
