use super::*;

fn of(old: Option<&str>, new: Option<&str>) -> String {
    let side = |bytes: Option<&'static str>| Side { path: b"f", bytes: bytes.map(str::as_bytes) };
    let leak = |text: Option<&str>| text.map(|text| &*Box::leak(text.to_owned().into_boxed_str()));
    patch(side(leak(old)), side(leak(new)), &mut 1_000_000).unwrap()
}

#[test]
fn a_patch_is_that_of_git() {
    assert_eq!(of(None, Some("a\n")), "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
    assert_eq!(of(Some("a\nb\n"), None), "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n");
    assert_eq!(of(Some("a"), Some("b\n")), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n");
    assert_eq!(of(Some("a\0"), Some("b")), "Binary files a/f and b/f differ\n");
    assert_eq!(of(Some("same"), Some("same")), "");
    let lines = |changed: u32| {
        (1..=20).map(|line| if line == changed { "x\n".to_owned() } else { format!("l{line}\n") }).collect::<String>()
    };
    assert!(of(Some(&lines(0)), Some(&lines(10))).contains("@@ -7,7 +7,7 @@ l6\n l7\n"));
    // no letter of a heading is cut into two
    let long = |begin: &str, changed: u32| lines(changed).replace("l6\n", &format!("{begin}{}\n", "ä".repeat(50)));
    let heading = format!("@@ -7,7 +7,7 @@ _{}\n l7\n", "ä".repeat(39));
    assert!(of(Some(&long("_", 0)), Some(&long("_", 10))).contains(&heading));
    let heading = format!("@@ -7,7 +7,7 @@ __{}\n l7\n", "ä".repeat(39));
    assert!(of(Some(&long("__", 0)), Some(&long("__", 10))).contains(&heading));
}

#[test]
fn odd_names_are_quoted_as_git_quotes_them() {
    let name = |path: &[u8]| super::name(Side { path, bytes: Some(b"") }, b"a/");
    assert_eq!(name(b"a b"), "a/a b");
    assert_eq!(name(b"a\n\"\xff"), "\"a/a\\n\\\"\\377\"");
}

/// Two kinds of lines, so that few of them differ, and all are frequent.
#[test]
fn lines_of_few_kinds_are_left_out_before_they_are_looked_at_again_and_again() {
    let lines = |seed: u32| -> String {
        let kind = |line: u32| (line + seed).wrapping_mul(2_654_435_761) >> 31;
        (0..40_000).map(|line| format!("{}\n", kind(line))).collect()
    };
    let (old, new) = (lines(1), lines(393_216));
    let [old, new] = [&old, &new].map(|text| Side { path: b"f", bytes: Some(text.as_bytes()) });
    let mut steps = 1_000_000;
    assert_eq!((patch(old, new, &mut steps), steps), (None, 0));
    steps = 5_000_000;
    assert!(patch(old, new, &mut steps).is_some() && steps > 3_000_000);
}
