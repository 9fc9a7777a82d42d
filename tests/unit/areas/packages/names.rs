use super::FileAddress;

fn error(name: &str, version: &str, file: &str) -> String {
    let error = FileAddress::read(name, version, file).expect_err(file);
    format!("{error:?}")
}

#[test]
fn names_are_of_plain_letters() {
    for file in ["a", "a.tar.gz", "A_b+c-1.0", "a/b/c.txt", "a~b@c", "x..y", "dir.d/a"] {
        assert!(FileAddress::read("my.pkg_1+x-y", "1.0.0-rc.1+b_2", file).is_ok(), "{file}");
    }
    for name in ["", " ", "a b", "a/b", "a@b", "ü", "..", ".", "a\n", &"x".repeat(256)] {
        assert!(error(name, "1", "f").contains("package_name is invalid"), "{name}");
        assert!(error("n", name, "f").contains("package_version is invalid"), "{name}");
    }
    assert!(error("n", "1..2", "f").contains("package_version is invalid"));
    for file in ["", " ", "a b", "~a", "a~", "@a", "/a", "a/", "a//b", "a\\b", "ü", "a/./b", "a%b", &"x".repeat(256)] {
        assert!(error("n", "1", file).contains("file_name is invalid"), "{file}");
    }
}

#[test]
fn a_path_that_leads_out_is_refused_in_any_spelling() {
    for file in ["..", "../a", "a/..", "a/../b", "%2e%2e/a", "%2E%2e%2Fa", "a\\..\\b", "..%5Ca", ".%2e"] {
        assert!(error("n", "1", file).contains("file_name should be a valid file path"), "{file}");
    }
}

#[test]
fn a_path_keeps_its_slashes() {
    let named = FileAddress::read("n+1", "1.0", "a/b~c.txt").unwrap();
    assert_eq!((named.path().as_str(), named.last()), ("packages/generic/n%2B1/1.0/a/b~c.txt", "b~c.txt"));
}
