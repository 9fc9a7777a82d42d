use super::*;

fn entry(kind: Kind, path: &[u8]) -> PathEntry {
    PathEntry { kind, path: path.to_vec(), mode: 0o100_644, id: String::new() }
}

fn is_refused(entries: &[(Kind, &[u8])]) -> bool {
    let found: Vec<PathEntry> = entries.iter().map(|(kind, path)| entry(*kind, path)).collect();
    check(&found).is_err()
}

fn check(found: &[PathEntry]) -> Result<usize> {
    check_size(found, 0)?;
    check_names(found)
}

#[test]
fn no_archive_has_names_that_lead_elsewhere() {
    for path in ["..", ".", ".git", ".GIT", "a\\..\\b", "/etc", ""] {
        assert!(is_refused(&[(Kind::Blob, path.as_bytes())]), "{path}");
    }
    // as Windows and macOS read them
    for path in
        ["git~1", "GIT~1", ".git.", ".git ", ".g\u{200c}it", ".git\u{feff}", ".git::$INDEX_ALLOCATION", "a/.GIT/b"]
    {
        assert!(is_refused(&[(Kind::Tree, b"a"), (Kind::Blob, path.as_bytes())]), "{path}");
    }
    for path in ["\\a", "C:\\a", "c:\\..", ".. ", "a\\.git\\config"] {
        assert!(is_refused(&[(Kind::Blob, path.as_bytes())]), "{path}");
        assert!(is_refused(&[(Kind::Tree, path.as_bytes())]), "{path}");
    }
    // through a link, or a name with a slash
    assert!(is_refused(&[(Kind::Blob, b"a"), (Kind::Blob, b"a/b")]));
    assert!(is_refused(&[(Kind::Blob, b"a"), (Kind::Tree, b"a"), (Kind::Blob, b"a/b")]));
    assert!(!is_refused(&[(Kind::Tree, b"a"), (Kind::Blob, b"a/b")]));
    assert!(is_refused(&[(Kind::Tree, b"a"), (Kind::Blob, b"a/../b")]));
}

#[test]
fn an_archive_counts_the_names_that_windows_reads_otherwise() {
    let others = |path: &str| check(&[entry(Kind::Blob, path.as_bytes())]).unwrap();
    for path in [
        "Foo::Bar.3pm",
        "C:evil",
        "CON",
        "nul",
        "Aux",
        "com1",
        "LPT\u{b9}",
        "conout$",
        "evil.exe.",
        "a ",
        "...",
        "a\\b",
        "a\nb",
        "a?",
        "<>",
    ] {
        assert_eq!(others(path), 1, "{path}");
    }
    for path in ["a", "..a", ".gitignore", "-x", "ü", " a", "a.b", "aux.c", "com", "com10", "console"] {
        assert_eq!(others(path), 0, "{path}");
    }
    assert_eq!(check(&[entry(Kind::Blob, b"\xff\xfe")]).unwrap(), 0);
    // a directory counts once, however many files it has
    let found = [entry(Kind::Tree, b"a:b"), entry(Kind::Blob, b"a:b/c"), entry(Kind::Blob, b"a:b/d:e")];
    assert_eq!(check(&found).unwrap(), 2);
}

#[test]
fn a_link_and_a_directory_whose_names_are_one_elsewhere_are_not_in_one_archive() {
    let are_one = |link: &str, directory: &str| {
        let link = PathEntry { mode: LINK, ..entry(Kind::Blob, link.as_bytes()) };
        let directory = directory.as_bytes();
        let found = [link, entry(Kind::Tree, directory), entry(Kind::Blob, &[directory, b"/f"].concat())];
        check_names(&found).is_err()
    };
    for (link, directory) in [
        ("A", "a"),
        ("e\u{301}", "\u{e9}"),
        ("E\u{301}", "\u{e9}"),
        ("a\u{323}\u{301}", "a\u{301}\u{323}"),
        ("\u{212a}", "k"),
        ("\u{17f}", "S"),
        ("\u{df}", "SS"),
        ("\u{37e}", ";"),
        ("\u{ac00}", "\u{1100}\u{1161}"),
        ("a\u{feff}", "a"),
    ] {
        assert!(are_one(link, directory) && are_one(directory, link), "{link} {directory}");
    }
    for (link, directory) in [("e", "\u{e9}"), ("\u{e9}", "\u{e8}"), ("a\u{301}b", "ab\u{301}"), ("a", "b")] {
        assert!(!are_one(link, directory), "{link} {directory}");
    }
}

#[test]
fn an_archive_has_a_bounded_number_of_members_and_bytes_of_names() {
    let many = |number: usize, kind: Kind, mode: u32, length: usize| -> Vec<PathEntry> {
        let path = |n: usize| format!("{n:0length$}").into_bytes();
        (0..number).map(|n| PathEntry { kind, path: path(n), mode, id: String::new() }).collect()
    };
    assert!(check(&many(MOST_FILES, Kind::Blob, 0o100_644, 6)).is_ok());
    assert!(check(&many(MOST_FILES + 1, Kind::Blob, 0o100_644, 6)).is_err());
    assert!(check(&many(MOST_MEMBERS, Kind::Commit, 0o160_000, 6)).is_ok());
    assert!(check(&many(MOST_MEMBERS + 1, Kind::Commit, 0o160_000, 6)).is_err());
    assert!(check(&many(MOST_LINKS + 1, Kind::Blob, LINK, 6)).is_err());
    assert!(check(&many(1, Kind::Blob, 0o100_644, LONGEST_PATH + 1)).is_err());
    assert!(check(&many(MOST_OF_PATHS / 4096 + 1, Kind::Blob, 0o100_644, 4096)).is_err());
}

#[test]
fn what_is_excluded_is_a_file_or_a_directory() {
    let paths =
        [("a", Kind::Tree), ("a/b", Kind::Tree), ("a/b/c", Kind::Tree), ("a/b/c/d", Kind::Blob), ("a2", Kind::Blob)];
    let found: Vec<PathEntry> = paths.iter().map(|(path, kind)| entry(*kind, path.as_bytes())).collect();
    let left = |excluded: &str| {
        let excluded = HashSet::from([excluded.as_bytes().to_vec()]);
        let left = without_excluded(found.clone(), excluded, &mut Steps::default());
        left.iter().map(|entry| lossy(&entry.path)).collect::<Vec<_>>().join(" ")
    };
    for (excluded, wanted) in [
        ("a", "a2"),
        ("a/b", "a a2"),
        ("a/b/c/d", "a a/b a/b/c a2"),
        ("a2", "a a/b a/b/c a/b/c/d"),
        ("b", "a a/b a/b/c a/b/c/d a2"),
        ("", "a a/b a/b/c a/b/c/d a2"),
    ] {
        assert_eq!(left(excluded), wanted, "{excluded}");
    }
}

/// What an archive is asked for. Each number may be doubled.
#[derive(Debug, Clone, Copy)]
struct Shape {
    files: usize,
    depth: usize,
    excluded: usize,
    /// Files of attributes, and the rules and settings of each.
    attributes: usize,
    rules: usize,
    settings: usize,
    /// How often a pattern has the same piece, and its length in letters.
    pieces: usize,
}

impl Shape {
    fn dimensions(&mut self) -> [&mut usize; 7] {
        let Shape { files, depth, excluded, attributes, rules, settings, pieces } = self;
        [files, depth, excluded, attributes, rules, settings, pieces]
    }

    /// Steps until the archive is there or refused, and the most that they may be.
    fn steps(self, piece: &str) -> (Steps, u64) {
        let above: Vec<String> = (0..self.depth).map(|depth| "a/".repeat(depth + 1)).collect();
        let mut found: Vec<PathEntry> =
            above.iter().map(|path| entry(Kind::Tree, path.trim_end_matches('/').as_bytes())).collect();
        let deepest = above.last().unwrap();
        found.extend((0..self.files).map(|n| entry(Kind::Blob, format!("{deepest}b{n:06}").as_bytes())));
        let excluded = (0..self.excluded).map(|n| format!("{deepest}c{n}").into_bytes()).collect();
        let mut steps = Steps::default();
        let found = without_excluded(found, excluded, &mut steps);
        let pattern = format!("{}?{}\n", piece.repeat(self.pieces), " text".repeat(self.settings));
        let mut attributes = Attributes::default();
        for n in 0..self.attributes {
            attributes.add(above[n % self.depth].clone().into_bytes(), pattern.repeat(self.rules).as_bytes());
        }
        let (entries, length) = (found.len() as u64, deepest.len() as u64 + 7);
        let rules = (self.attributes * self.rules) as u64;
        let pieces = (self.pieces * piece.len() + 2) as u64;
        let of_rule = 4 * pieces * length + self.settings as u64 + 2;
        let most = entries * (2 + self.attributes as u64 * (1 + length) + rules * of_rule);
        if check_size(&found, 0).is_ok() {
            _ = without_ignored(found, &attributes, &mut steps);
        }
        (steps, most)
    }
}

/// Both are found by doubling: what takes longer than in proportion, and what has no end.
#[test]
fn the_steps_of_an_archive_grow_in_proportion_to_each_number_and_have_an_end() {
    let small = Shape { files: 2, depth: 3, excluded: 4, attributes: 2, rules: 2, settings: 2, pieces: 3 };
    for piece in ["**/", "*a", "**/a/", "a", "?", "[ab]", "*/", "a/**/", "*"] {
        for at in 0..7 {
            let mut shape = small;
            for _ in 0..7 {
                *shape.dimensions()[at] *= 2;
                let (Steps(steps), most) = shape.steps(piece);
                assert!(steps <= most, "{steps} steps of {most}: {piece} {shape:?}");
            }
        }
    }
    let large = Shape { files: 1, depth: 400, excluded: 4, attributes: 100, rules: 20, settings: 1, pieces: 400 };
    for piece in ["*a", "a/**/", "?"] {
        let (Steps(steps), most) = large.steps(piece);
        // one more letter of a path for each file of attributes
        assert!(
            most > MOST_STEPS && steps > MOST_STEPS && steps < MOST_STEPS + 100 * 5 * 2_000,
            "{steps} steps: {piece}"
        );
    }
}

#[test]
fn hostile_patterns_and_excluded_paths_take_few_steps() {
    let deep = Shape { files: 1, depth: 899, excluded: 0, attributes: 1, rules: 1, settings: 1, pieces: 679 };
    let (Steps(steps), _) = deep.steps("**/");
    assert!(steps < 5 * 900 * 900, "{steps}");
    let wide = Shape { files: 100_000, depth: 1, excluded: 4_080, attributes: 1, rules: 1, settings: 1, pieces: 1 };
    let (Steps(steps), _) = wide.steps("a");
    assert_eq!(steps, 2 * 100_001, "two look-ups for each entry, and no rule");
}
