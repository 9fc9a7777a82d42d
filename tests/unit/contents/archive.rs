use super::*;

fn entry(kind: Kind, path: &[u8]) -> Found {
    Found { kind, path: path.to_vec(), mode: 0o100_644, id: String::new() }
}

fn is_refused(entries: &[(Kind, &[u8])]) -> bool {
    let found: Vec<Found> = entries.iter().map(|(kind, path)| entry(*kind, path)).collect();
    check(&found, 0).is_err()
}

#[test]
fn no_archive_has_names_that_lead_elsewhere() {
    for path in ["..", ".", ".git", ".GIT", "a\\..\\b", "/etc", ""] {
        assert!(is_refused(&[(Kind::Blob, path.as_bytes())]), "{path}");
    }
    // as Windows and macOS read them
    for path in [
        "git~1",
        "GIT~1",
        ".git.",
        ".git ",
        ".g\u{200c}it",
        ".git\u{feff}",
        ".git::$INDEX_ALLOCATION",
        "a/.GIT/b",
    ] {
        assert!(
            is_refused(&[(Kind::Tree, b"a"), (Kind::Tree, b"a/.GIT"), (Kind::Blob, path.as_bytes())]),
            "{path}"
        );
    }
    let link = Found { mode: LINK, ..entry(Kind::Blob, b"A") };
    assert!(check(&[link, entry(Kind::Tree, b"a"), entry(Kind::Blob, b"a/b")], 0).is_err());
    for path in ["a", "..a", ".gitignore", "a\nb", "-x", "ü"] {
        assert!(!is_refused(&[(Kind::Blob, path.as_bytes())]), "{path}");
    }
    assert!(!is_refused(&[(Kind::Blob, b"\xff\xfe")]));
    // through a link, or a name with a slash
    assert!(is_refused(&[(Kind::Blob, b"a"), (Kind::Blob, b"a/b")]));
    assert!(is_refused(&[(Kind::Blob, b"a"), (Kind::Tree, b"a"), (Kind::Blob, b"a/b")]));
    assert!(!is_refused(&[(Kind::Tree, b"a"), (Kind::Blob, b"a/b")]));
    assert!(is_refused(&[(Kind::Tree, b"a"), (Kind::Blob, b"a/../b")]));
}

#[test]
fn an_archive_has_a_bounded_number_of_members_and_bytes_of_names() {
    let many = |number: usize, kind: Kind, mode: u32, length: usize| -> Vec<Found> {
        let path = |n: usize| format!("{n:0length$}").into_bytes();
        (0..number).map(|n| Found { kind, path: path(n), mode, id: String::new() }).collect()
    };
    assert!(check(&many(MOST_FILES, Kind::Blob, 0o100_644, 6), 0).is_ok());
    assert!(check(&many(MOST_FILES + 1, Kind::Blob, 0o100_644, 6), 0).is_err());
    assert!(check(&many(MOST_MEMBERS, Kind::Commit, 0o160_000, 6), 0).is_ok());
    assert!(check(&many(MOST_MEMBERS + 1, Kind::Commit, 0o160_000, 6), 0).is_err());
    assert!(check(&many(MOST_LINKS + 1, Kind::Blob, LINK, 6), 0).is_err());
    assert!(check(&many(1, Kind::Blob, 0o100_644, LONGEST_PATH + 1), 0).is_err());
    assert!(check(&many(MOST_OF_PATHS / 4096 + 1, Kind::Blob, 0o100_644, 4096), 0).is_err());
}

#[test]
fn what_is_excluded_is_a_file_or_a_directory() {
    let excluded = ["docs".to_owned(), "/a/b/".to_owned(), String::new()];
    for (path, is_out) in [("docs", true), ("docs/x", true), ("docs2", false), ("a/b/c", true), ("a", false)]
    {
        assert_eq!(is_excluded(path.as_bytes(), &excluded), is_out, "{path}");
    }
}
