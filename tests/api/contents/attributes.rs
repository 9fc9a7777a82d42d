//! What `.gitattributes` do to archives, beside `git archive`.

use super::compare::Repository;
use super::v4::SUBMODULE;
use crate::support::contents::{blob, tree};
use crate::support::{Dice, Visibility, World, spec};
use serde_json::json;
use std::collections::BTreeMap;

/// Path, mode and content of each member of a tar archive without its first directory. None: a directory.
pub fn members(mut tar: &[u8]) -> BTreeMap<String, (String, Option<Vec<u8>>)> {
    let mut found = BTreeMap::new();
    while let Some((head, rest)) = tar.split_at_checked(512).filter(|(head, _)| head[0] != 0) {
        let text = |from: usize, to: usize| {
            let field = head[from..to].split(|byte| *byte == 0).next().unwrap();
            String::from_utf8_lossy(field).into_owned()
        };
        let size = usize::from_str_radix(&text(124, 135), 8).unwrap();
        let content = match head[156] {
            b'0' => Some(rest[..size].to_vec()),
            b'2' => Some(format!("link to {}", text(157, 257)).into_bytes()),
            _ => None,
        };
        if let Some((_, path)) = text(0, 100).split_once('/').filter(|_| head[156] != b'g') {
            found.insert(path.to_owned(), (text(100, 107), content));
        }
        tar = &rest[size.div_ceil(512) * 512..];
    }
    found
}

fn pattern(dice: &mut Dice) -> String {
    let plain = [
        "a",
        "b",
        "c",
        "ab",
        "*",
        "*.b",
        "a/*",
        "a/**",
        "/b",
        "*a*",
        "b/",
        "**/a/",
        "**/**/b",
        "/a/**/c",
        "/**/**/**/c",
        "[abc]",
        "a**",
        "x**/b",
        "[[:alpha:]]",
        "[a-\\c]b",
        "[a",
        "b/x.b/",
        "\"\\141\"",
        "\"a\\",
        "x*",
        "\"x y\"",
    ];
    if dice.roll(2) == 0 {
        return (*dice.one(&plain)).to_owned();
    }
    let pieces = ["a", "b", "c", "*", "**", "?", "[ab]", "[!a]", "/", "/", ".", "\\a", "ab", "*.b", "x y"];
    let begins = ["", "", "", "/", "**/", "*", "a/", "a/**/"];
    let middle: String = (0..1 + dice.roll(3)).map(|_| *dice.one(&pieces)).collect();
    let pattern = format!("{}{middle}{}", dice.one(&begins), dice.one(&["", "", "", "/", "/**", "/*"]));
    if pattern.contains(' ') { format!("\"{}\"", pattern.replace("\\a", "a")) } else { pattern }
}

fn attributes(dice: &mut Dice) -> String {
    let words = [
        "text=input",
        "text=x",
        "crlf",
        "-crlf",
        "crlf=auto",
        "export-ignore=x",
        "-binary",
        "!binary",
        "eol",
        "eol=crlf",
        "!a/word",
        "text",
        "-text",
        "!text",
        "text=auto",
        "eol=crlf",
        "eol=crlf",
        "eol=lf",
        "!eol",
        "binary",
        "diff=x",
        "export-ignore",
        "-export-ignore",
        "!export-ignore",
    ];
    let line = |dice: &mut Dice| {
        let words: Vec<&str> = (0..1 + dice.roll(2)).map(|_| *dice.one(&words)).collect();
        format!("{} {}\n", pattern(dice), words.join(" "))
    };
    (0..1 + dice.roll(6)).map(|_| line(dice)).collect::<String>() + "# a comment\n\n"
}

fn random(seed: u64) -> Repository {
    let mut dice = Dice(seed);
    let repository = Repository::new();
    let names = ["a", "b", "c", "ab", "x.b", "a.b", "x y", "ba"];
    let contents: [&[u8]; 6] =
        [b"one\ntwo\n", b"one\r\ntwo\r\n", b"one\r\ntwo\n", b"a\0b\nc\n", b"", b"\x01\x02\n\x1b\n"];
    let write = |path: &std::path::Path, content: &[u8]| {
        // what is there already may be a file where a directory should be
        let _ = std::fs::create_dir_all(path.parent().unwrap());
        let _ = std::fs::write(path, content);
    };
    for _ in 0..30 {
        let depth = 1 + dice.roll(4);
        let path: Vec<&str> = (0..depth).map(|_| *dice.one(&names)).collect();
        write(&repository.0.join(path.join("/")), contents[dice.roll(6)]);
    }
    for place in ["", "a", "b", "a/b", "ab"] {
        if dice.roll(2) == 0 {
            write(&repository.0.join(place).join(".gitattributes"), attributes(&mut dice).as_bytes());
        }
    }
    // stored as they are, whatever the attributes have of them
    repository.git(&["-c", "core.attributesFile=/dev/null", "add", "--all"], b"");
    let staged = repository.text(&["ls-files"]);
    for path in staged.lines().filter(|path| !path.contains('"')) {
        let id = repository.text(&["hash-object", "-w", "--no-filters", path]);
        repository.git(&["update-index", "--cacheinfo", &format!("100644,{id},{path}")], b"");
    }
    // a link whose target is a rule, and submodules
    let link =
        repository.git(&["hash-object", "-w", "--stdin"], format!("{} export-ignore", pattern(&mut dice)).as_bytes());
    let link = String::from_utf8(link).unwrap();
    for (path, mode, id) in
        [("c/.gitattributes", "120000", link.trim()), ("ab/c", "160000", SUBMODULE), ("x", "160000", SUBMODULE)]
    {
        let free = !staged.lines().any(|one| one == path || one == "ab" || one == "c" || one.starts_with(path));
        if free && dice.roll(2) == 0 {
            repository.git(&["update-index", "--add", "--cacheinfo", &format!("{mode},{id},{path}")], b"");
        }
    }
    repository.git(&["commit", "-qm", "all"], b"");
    repository
}

#[test]
fn archives_have_what_attributes_let_them_have_as_gits_have_it() {
    let (left_out, converted) = compare(1..=8);
    assert!(left_out > 2 && converted > 1, "{left_out} left out, {converted} with other ends of lines");
}

#[test]
#[ignore = "a proof: make prove"]
fn archives_of_many_repositories_have_what_attributes_let_them_have() {
    let (left_out, converted) = compare(1..=40);
    assert!(left_out > 20 && converted > 10, "{left_out} left out, {converted} with other ends of lines");
}

/// Compares the archives of random repositories with git's. Returns how many files were left out, and converted.
fn compare(seeds: std::ops::RangeInclusive<u64>) -> (usize, usize) {
    let (mut left_out, mut converted) = (0, 0);
    for seed in seeds {
        let repository = random(seed);
        let world = World::new(spec(), Visibility::Private);
        repository.push(&world);
        let all = repository.text(&["ls-tree", "-r", "--name-only", "HEAD"]);
        let name = |path: &str| repository.text(&["ls-tree", "--name-only", "HEAD", path]);
        for path in ["", "a", "a/b"].into_iter().filter(|path| path.is_empty() || !name(path).is_empty()) {
            let mut arguments = vec!["-c", "tar.umask=0022", "archive", "--format=tar", "--prefix=x/", "HEAD"];
            arguments.extend((!path.is_empty()).then_some(path));
            let wanted = members(&repository.git(&arguments, b""));
            let found = world.v4("GET", &format!("/repository/archive.tar?path={}", path.replace('/', "%2F")));
            let found = members(&found.by(&world.rae).gives(200).bytes);
            let rules = || repository.text(&["grep", "-n", "", "--", "*.gitattributes"]);
            assert_eq!(found, wanted, "path {path:?} of seed {seed}:\n{}", rules());
            if path.is_empty() {
                let files = found.values().filter(|(_, content)| content.is_some()).count();
                left_out += all.lines().count() - files;
                converted += found
                    .iter()
                    .filter(|(path, (_, content))| {
                        let stored = || repository.git(&["cat-file", "blob", &format!("HEAD:{path}")], b"");
                        content.as_ref().is_some_and(|content| !path.contains(' ') && *content != stored())
                    })
                    .count();
            }
        }
    }
    (left_out, converted)
}

#[test]
fn hostile_attributes_are_refused_or_cost_little() {
    let world = World::new(spec(), Visibility::Private);
    let long = format!("/{}? export-ignore\n", "*a".repeat(400));
    let rules = blob(long.repeat(100));
    let name = "a".repeat(1_000);
    let file = blob("x");
    let names: Vec<String> = (0..100).map(|at| format!("{name}{at:03}")).collect();
    let below: Vec<_> = names.iter().map(|name| ("100644", name.as_bytes(), file.id())).collect();
    let root = [vec![("100644", &b".gitattributes"[..], rules.id())], below].concat();
    let root = tree(&root);
    world.push_tree(&root, &[root.clone(), rules, file]);
    let text = "422 Unprocessable entity - the patterns of .gitattributes take too long to compare";
    world.v4("GET", "/repository/archive").by(&world.rae).refused(422, json!({ "message": text }));
}

#[test]
fn all_attributes_of_an_archive_have_a_bounded_number_of_bytes() {
    let world = World::new(spec(), Visibility::Private);
    let rules = blob("a text\n".repeat(14_000));
    let below = tree(&[("100644", b".gitattributes", rules.id())]);
    let names: Vec<String> = (0..6).map(|at| format!("d{at}")).collect();
    let entries: Vec<_> = names.iter().map(|name| ("40000", name.as_bytes(), below.id())).collect();
    let root = tree(&entries);
    world.push_tree(&root, &[root.clone(), below, rules]);
    let text = "422 Unprocessable entity - all files .gitattributes have more than 500000 bytes";
    world.v4("GET", "/repository/archive").by(&world.rae).refused(422, json!({ "message": text }));
    world.v4("GET", "/repository/archive?path=d1").by(&world.rae).gives(200);
}

#[test]
fn a_long_text_gets_its_ends_of_lines() {
    let world = World::new(spec(), Visibility::Private);
    let mut dice = Dice(1);
    // text that packs badly
    let text: Vec<u8> =
        (0..100_000).map(|_| if dice.roll(50) == 0 { b'\n' } else { 33 + dice.roll(94) as u8 }).collect();
    let (rules, file) = (blob("* eol=crlf"), blob(text.clone()));
    let root = tree(&[("100644", b".gitattributes", rules.id()), ("100644", b"a", file.id())]);
    world.push_tree(&root, &[root.clone(), rules, file]);
    let found = members(&world.v4("GET", "/repository/archive.tar").by(&world.rae).gives(200).bytes);
    let wanted = String::from_utf8(text).unwrap().replace('\n', "\r\n");
    assert_eq!(found["a"].1.as_deref(), Some(wanted.as_bytes()));
}

#[test]
fn a_zip_archive_has_the_sums_of_files_with_other_ends_of_lines() {
    let repository = Repository::new();
    std::fs::write(repository.0.join(".gitattributes"), "*.bat eol=crlf\n").unwrap();
    std::fs::write(repository.0.join("a.bat"), "one\ntwo\n").unwrap();
    repository.git(&["add", "--all"], b"");
    repository.git(&["commit", "-qm", "all"], b"");
    let world = World::new(spec(), Visibility::Private);
    repository.push(&world);
    let zip = world.v4("GET", "/repository/archive.zip").by(&world.rae).gives(200).bytes;
    assert!(zip.windows(10).any(|some| some == b"one\r\ntwo\r\n"));
    let file = repository.0.join("a.zip");
    std::fs::write(&file, zip).unwrap();
    let checked = std::process::Command::new("python3").args(["-m", "zipfile", "-t"]).arg(&file).output().unwrap();
    assert!(checked.status.success() && String::from_utf8_lossy(&checked.stdout).trim() == "Done testing");
}
