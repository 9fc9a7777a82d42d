use super::{Glob, Steps};

fn fits(pattern: &str, path: &str) -> bool {
    Glob::new(pattern.as_bytes()).fits(path.as_bytes(), false, &mut Steps::default())
}

#[test]
fn a_pattern_without_a_slash_is_of_names_and_one_with_a_slash_of_paths() {
    for (pattern, path, is_fit) in [
        ("*.c", "a.c", true),
        ("*.c", "x/y/a.c", true),
        ("*.c", "a.cc", false),
        ("/*.c", "x/a.c", false),
        ("x/*.c", "x/a.c", true),
        ("x/*", "x/y/a", false),
        ("x/**", "x/y/a", true),
        ("x/**", "x", false),
        ("x/**/a", "x/a", true),
        ("x/**/a", "x/y/z/a", true),
        ("x/**/a", "x/yza", false),
        ("**/a", "a", true),
        ("**/a", "x/ya", false),
        ("**/**/a", "a", true),
        ("**/**/**/a", "x/y/a", true),
        ("x/**/**/a", "x/ya", false),
        ("ab*ba", "aba", false),
        ("x**/a", "xy/z/a", true),
        ("x**/a", "xa", true),
        ("?**/a", "xy/a", true),
        ("?**/a", "xy/z/a", false),
        ("[[:digit:]_]x", "1x", true),
        ("[[:digit:]_]x", "ax", false),
        ("[[:none:]]x", "1x", false),
        ("[\\a-\\c]x", "bx", true),
        ("a\\", "a\\", false),
        ("a?c", "abc", true),
        ("/a?c", "a/c", false),
        ("[a-c]x", "bx", true),
        ("[!a-c]x", "bx", false),
        ("[]]x", "]x", true),
        ("[ab", "[ab", false),
        ("\\*", "*", true),
        ("\\*", "a", false),
        ("", "a", false),
    ] {
        assert_eq!(fits(pattern, path), is_fit, "{pattern} {path}");
    }
    let of_directories = Glob::new(b"x/");
    assert!(
        !of_directories.fits(b"x", false, &mut Steps::default())
            && of_directories.fits(b"y/x", true, &mut Steps::default())
    );
}

#[test]
fn a_pattern_takes_at_most_four_times_its_length_times_that_of_the_path() {
    for (pattern, path) in [
        ("/".to_owned() + &"*a".repeat(500) + "?", "a".repeat(1_000)),
        ("**/".repeat(500) + "?", "a/".repeat(500) + "bb"),
    ] {
        let mut steps = Steps::default();
        Glob::new(pattern.as_bytes()).fits(path.as_bytes(), false, &mut steps);
        assert!(steps.0 <= 4 * 1_002 * 1_002, "{steps:?}");
    }
}

#[test]
fn several_stars_between_slashes_are_one() {
    assert_eq!(Glob::new(("**/".repeat(679) + "x").as_bytes()).pieces.len(), 2);
}
