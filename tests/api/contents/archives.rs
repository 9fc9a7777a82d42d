//! Archives of commits, and files by the addresses of their pages.

use super::attributes::members;
use super::v4::SUBMODULE;
use crate::support::contents::{blob, tree};
use crate::support::git::commit;
use crate::support::{Answer, Dice, Visibility, World, spec};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use std::io::Read;
use std::process::Command;

struct Files {
    world: World,
    commit: String,
}

/// A repository with files of all kinds, also with a name of 300 bytes and of odd letters.
fn files(visibility: Visibility) -> Files {
    let world = World::new(spec(), visibility);
    let long = "x".repeat(150);
    let (text, script, empty) = (blob("text\n"), blob("#!/bin/sh\n"), blob(""));
    let link = blob("bin/run");
    let deep = tree(&[("100644", long.as_bytes(), text.id())]);
    let bin = tree(&[("40000", long.as_bytes(), deep.id()), ("100755", b"run", script.id())]);
    let odd =
        tree(&[("100644", b" a b", text.id()), ("100644", b"a\nb", text.id()), ("100644", "ü".as_bytes(), text.id())]);
    let root = tree(&[
        ("100644", b"README.md", text.id()),
        ("40000", b"bin", bin.id()),
        ("100644", b"empty", empty.id()),
        ("120000", b"link", link.id()),
        ("160000", b"module", SUBMODULE),
        ("40000", b"odd", odd.id()),
    ]);
    let commit = world.push_tree(&root, &[root.clone(), bin, deep, odd, text, script, empty, link]);
    Files { world, commit }
}

impl Files {
    fn get(&self, path: &str, status: u16) -> Answer {
        self.world.v4("GET", &format!("/repository/{path}")).by(&self.world.rae).gives(status)
    }

    fn stem(&self) -> String {
        let project = self.world.project.path.rsplit('/').next().unwrap();
        format!("{project}-master-{}", self.commit)
    }
}

/// What a program lists of an archive: one line for each member.
fn listed(program: &str, arguments: &[&str], name: &str, bytes: &[u8]) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("archive-{}-{name}", std::process::id()));
    std::fs::write(&folder, bytes).unwrap();
    let answer = Command::new(program).env("LC_ALL", "C.UTF-8").args(arguments).arg(&folder).output().unwrap();
    std::fs::remove_file(&folder).ok();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8_lossy(&answer.stdout).lines().map(str::to_owned).collect()
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut tar = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut tar).unwrap();
    tar
}

#[test]
fn archives_are_for_those_who_read_code() {
    let files = files(Visibility::Private);
    for path in ["archive", "archive.zip", "archive.tar.gz", "raw/master%2FREADME.md", "contributors"] {
        let path = format!("/repository/{path}");
        let missing = json!({ "message": "404 Project Not Found" });
        files.world.v4("GET", &path).refused(404, missing.clone());
        files.world.v4("GET", &path).by(&files.world.eve).refused(404, missing);
        files.world.v4("GET", &path).by(&files.world.gus).gives(403);
    }
    for path in ["archive", "archive.zip", "contributors", "compare?from=master&to=master"] {
        let path = format!("/repository/{path}");
        files.world.get(&path).gives(401);
        files.world.get(&path).by(&files.world.gus).gives(403);
        files.world.get(&path).by(&files.world.rae).gives(200);
    }
    let public = self::files(Visibility::Public);
    public.world.v4("GET", "/repository/archive").gives(200);
    public.world.get("/repository/archive").gives(401);
}

#[test]
fn an_archive_has_all_files_of_a_commit_below_one_directory() {
    let files = files(Visibility::Private);
    let stem = files.stem();
    let answer = files.get("archive.tar", 200);
    assert_eq!(
        answer.header("Content-Disposition"),
        Some(format!("attachment; filename=\"{stem}.tar\"; filename*=UTF-8''{stem}.tar").as_str())
    );
    let long = "x".repeat(150);
    let names = listed("tar", &["--quoting-style=escape", "-tf"], "a.tar", &answer.bytes);
    let wanted = [
        "",
        "README.md",
        "bin/",
        "bin/run",
        &format!("bin/{long}/"),
        &format!("bin/{long}/{long}"),
        "empty",
        "link",
        "module/",
        "odd/",
        "odd/ a b",
        "odd/a\\nb",
        "odd/ü",
    ];
    assert_eq!(names, wanted.map(|name| format!("{stem}/{name}")));
    let modes = listed("tar", &["-tvf"], "b.tar", &answer.bytes);
    let mode = |name: &str| modes.iter().find(|line| line.contains(name)).unwrap().get(..10).unwrap().to_owned();
    assert_eq!([mode("README"), mode("bin/run"), mode("module/")], ["-rw-r--r--", "-rwxr-xr-x", "drwxr-xr-x"]);
    assert!(modes.iter().any(|line| line.ends_with("/link -> bin/run")), "{modes:?}");
    for format in ["archive", "archive.tar.gz", "archive.tgz", "archive?format=gz"] {
        assert_eq!(unpacked(&files.get(format, 200).bytes), answer.bytes, "{format}");
    }
    assert!(String::from_utf8_lossy(&answer.bytes[512..600]).starts_with(&format!("52 comment={}\n", files.commit)));
}

#[test]
fn a_zip_archive_has_the_same_files() {
    let files = files(Visibility::Private);
    let answer = files.get("archive.zip", 200);
    assert_eq!(answer.header("Content-Type"), Some("application/zip"));
    let script = "import calendar, struct, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nassert z.comment.decode() == '{sha}', z.comment\nfor i in z.infolist():\n    mark, at = struct.unpack('<5si', i.extra)\n    assert mark == b'UT\\x05\\0\\1' and 0 <= at - calendar.timegm(i.date_time) < 2, (mark, at, i.date_time)\n    print(oct(i.external_attr >> 16), i.file_size, ascii(i.filename.split('/', 1)[1]), ascii(z.read(i)))";
    let script = script.replace("{sha}", &files.commit);
    let lines = listed("python3", &["-c", &script], "a.zip", &answer.bytes);
    let long = "x".repeat(150);
    let wanted = [
        "0o40755 0 '' b''".to_owned(),
        "0o100644 5 'README.md' b'text\\n'".to_owned(),
        "0o40755 0 'bin/' b''".to_owned(),
        "0o100755 10 'bin/run' b'#!/bin/sh\\n'".to_owned(),
        format!("0o40755 0 'bin/{long}/' b''"),
        format!("0o100644 5 'bin/{long}/{long}' b'text\\n'"),
        "0o100644 0 'empty' b''".to_owned(),
        "0o120777 7 'link' b'bin/run'".to_owned(),
        "0o40755 0 'module/' b''".to_owned(),
        "0o40755 0 'odd/' b''".to_owned(),
        "0o100644 5 'odd/ a b' b'text\\n'".to_owned(),
        "0o100644 5 'odd/a\\nb' b'text\\n'".to_owned(),
        "0o100644 5 'odd/\\xfc' b'text\\n'".to_owned(),
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn an_archive_of_a_path_has_the_directories_above_it() {
    let files = files(Visibility::Private);
    let names = |query: &str| {
        let answer = files.get(&format!("archive.tar?{query}"), 200);
        let names = listed("tar", &["-tf"], &format!("{}.tar", query.len()), &answer.bytes);
        names.into_iter().map(|name| name.split_once('/').unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("path=bin%2Frun"), ["", "bin/", "bin/run"]);
    assert_eq!(names("path=odd%2F&exclude_paths=odd%2Fa%0Ab,odd%2F%C3%BC"), ["", "odd/", "odd/ a b"]);
    assert!(!names("exclude_paths=bin,odd").iter().any(|name| name.starts_with("bin")));
    let stem = format!("{}-bin-run", files.stem());
    let answer = files.get("archive.tar?path=bin%2Frun", 200);
    assert!(answer.header("Content-Disposition").unwrap().contains(&format!("\"{stem}.tar\"")));
    files.get("archive.tar?path=nothing", 404);
}

#[test]
fn an_archive_leaves_out_at_most_100_paths() {
    let files = files(Visibility::Private);
    let archive = |verb: &str, many: usize| {
        let paths: Vec<String> = (0..many).map(|n| format!("{n}/")).collect();
        let path = format!("/repository/archive.tar?exclude_paths=bin,%2Fbin%2F,{}", paths.join(","));
        files.world.v4(verb, &path).by(&files.world.rae)
    };
    let text = "exclude_paths are too many (maximum is 100)";
    archive("GET", 100).refused(400, json!({ "error": text }));
    archive("HEAD", 100).gives(400);
    archive("GET", 1_500).refused(400, json!({ "error": text }));
    let names = listed("tar", &["-tf"], "many.tar", &archive("GET", 99).gives(200).bytes);
    assert!(names.len() > 5 && !names.iter().any(|name| name.contains("/bin")), "{names:?}");
}

#[test]
fn an_archive_has_names_that_windows_cannot_have() {
    let world = World::new(spec(), Visibility::Private);
    let file = blob("x");
    let names = ["Foo::Bar.3pm", "a ", "aux", "b.", "plain"];
    let entries: Vec<_> = names.iter().map(|name| ("100644", name.as_bytes(), file.id())).collect();
    let root = tree(&entries);
    world.push_tree(&root, &[root.clone(), file]);
    let archive =
        |verb: &str, rest: &str| world.v4(verb, &format!("/repository/archive.{rest}")).by(&world.rae).gives(200);
    let told = |answer: &Answer| answer.header("X-Names-Not-For-Windows").map(str::to_owned);
    let tar = archive("GET", "tar");
    let listed = listed("tar", &["-tf"], "windows.tar", &tar.bytes);
    assert_eq!(listed[1..].iter().map(|name| name.split_once('/').unwrap().1).collect::<Vec<_>>(), names);
    assert_eq!(told(&tar).as_deref(), Some("4"));
    assert_eq!(told(&archive("HEAD", "zip")).as_deref(), Some("4"));
    assert_eq!(told(&archive("GET", "zip?path=plain")), None);
}

#[test]
fn an_archive_has_no_file_below_what_is_a_link_on_a_mac() {
    let world = World::new(spec(), Visibility::Private);
    let (target, file) = (blob("/tmp"), blob("x"));
    let below = tree(&[("100644", b"f", file.id())]);
    let (link, directory) = ("E\u{301}".as_bytes(), "\u{e9}".as_bytes());
    let root = tree(&[("120000", link, target.id()), ("40000", directory, below.id())]);
    world.push_tree(&root, &[root.clone(), below, target, file]);
    let archive = |query: &str| world.v4("GET", &format!("/repository/archive.tar{query}")).by(&world.rae);
    let text = "422 Unprocessable entity - an archive cannot hold the name \u{e9}: leave it out with exclude_paths";
    archive("").refused(422, json!({ "message": text }));
    archive("?exclude_paths=%C3%A9").gives(200);
}

#[test]
fn an_archive_costs_its_objects_and_its_bytes_and_head_neither() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(spec(), Visibility::Private);
    let long = blob(vec![b'x'; 3_000_000]);
    let names: Vec<String> = (0..50).map(|n| format!("f{n:02}")).collect();
    let short: Vec<_> = names.iter().map(|name| blob(name.as_bytes())).collect();
    let mut entries: Vec<_> =
        names.iter().zip(&short).map(|(name, file)| ("100644", name.as_bytes(), file.id())).collect();
    entries.push(("100644", b"long", long.id()));
    let root = tree(&entries);
    world.push_tree(&root, &[vec![root.clone(), long], short].concat());
    let work = |verb: &str, path: &str| {
        let answer = world.v4(verb, &format!("/repository/{path}")).by(&world.rae).gives(200);
        answer.record.unwrap().cost.work
    };
    let [head, tar, packed] = [work("HEAD", "archive.tar"), work("GET", "archive.tar"), work("GET", "archive.tar.gz")];
    assert!((25.0..27.0).contains(&(tar - head)), "51 objects and 3 MB: {tar} of {head}");
    assert!((30.0..33.0).contains(&(packed - tar)), "3 MB packed: {packed} of {tar}");
}

/// Zeros of which a packed byte becomes a thousand, and bytes that do not pack.
#[test]
fn a_long_file_is_sent_byte_for_byte_however_well_it_packs() {
    let world = World::new(spec(), Visibility::Private);
    let mut dice = Dice(1);
    let noise: Vec<u8> = (0..200_000).map(|_| dice.roll(256) as u8).collect();
    let long = [vec![0; 1_500_000], noise, b"text\n".repeat(20_000)].concat();
    let (zeros, text) = (vec![0; 2_000_000], b"short\n".to_vec());
    let objects = [&long, &zeros, &text].map(|bytes| blob(bytes.clone()));
    let names: [&[u8]; 3] = [b"a", b"b", b"c"];
    let entries: Vec<_> = names.iter().zip(&objects).map(|(name, file)| ("100644", *name, file.id())).collect();
    let root = tree(&entries);
    world.push_tree(&root, &[vec![root.clone()], objects.to_vec()].concat());
    let get = |path: &str| world.v4("GET", &format!("/repository/{path}")).by(&world.rae);
    assert!(get("files/a/raw?ref=master").gives(200).bytes == long);
    let end = long.len() - 1;
    for (from, to) in [(0, 0), (65_535, 65_537), (1_499_999, 1_500_000), (1_000, 1_600_000), (end, end), (5, end)] {
        let part = get("files/a/raw?ref=master").header("Range", format!("bytes={from}-{to}")).gives(206);
        assert!(part.bytes == long[from..=to], "{from}-{to}: {} bytes", part.bytes.len());
    }
    let content = get("files/a?ref=master").gives(200).json["content"].as_str().unwrap().to_owned();
    assert!(BASE64_STANDARD.decode(content).unwrap() == long);
    let tar = get("archive.tar").gives(200).bytes;
    let found = members(&tar);
    for (name, bytes) in [("a", &long), ("b", &zeros), ("c", &text)] {
        assert!(found[name].1.as_ref() == Some(bytes), "{name}");
    }
    assert!(unpacked(&get("archive.tar.gz").gives(200).bytes) == tar);
    let zip = get("archive.zip").gives(200).bytes;
    assert_eq!(listed("python3", &["-m", "zipfile", "-t"], "long.zip", &zip), ["Done testing"]);
}

#[test]
fn an_archive_that_cannot_be_made_is_refused_before_its_first_byte() {
    let files = files(Visibility::Private);
    let refused = |path: &str, status: u16, answer: serde_json::Value| {
        let path = format!("/repository/{path}");
        files.world.v4("GET", &path).by(&files.world.rae).refused(status, answer);
    };
    refused("archive.tar?sha=nothing", 404, json!({ "message": "404 File Not Found" }));
    refused("archive.tar.bz2", 406, json!({ "message": "406 Not Acceptable" }));
    refused("archive.rar", 404, json!({ "error": "404 Not Found" }));
    let empty = World::new(spec(), Visibility::Private);
    empty.v4("GET", "/repository/archive").by(&empty.rae).refused(404, json!({ "message": "404 File Not Found" }));
    // a file that the hook has not sent yet
    let world = World::new(spec(), Visibility::Private);
    let lacking = blob("not here");
    let root = tree(&[("100644", b"a", lacking.id())]);
    world.push_tree(&root, std::slice::from_ref(&root));
    let answer = world.v4("GET", "/repository/archive").by(&world.rae).gives(503);
    assert!(answer.json["message"].as_str().unwrap().contains("are not mirrored yet"), "{}", answer.text);
}

#[test]
fn the_same_commit_gives_the_same_bytes() {
    let files = files(Visibility::Private);
    let first = files.get("archive", 200);
    assert_eq!(files.get("archive", 200).bytes, first.bytes);
    let tag = first.header("ETag").unwrap();
    let again = files.world.v4("GET", "/repository/archive").by(&files.world.rae).header("If-None-Match", tag);
    again.gives(304);
    assert_ne!(files.get("archive.zip", 200).header("ETag"), Some(tag));
    let head = files.world.v4("HEAD", "/repository/archive").by(&files.world.rae).gives(200);
    assert_eq!((head.header("ETag"), head.bytes.len()), (Some(tag), 0));
}

#[test]
fn the_addresses_of_pages_lead_to_archives_and_files() {
    let files = files(Visibility::Private);
    let page = |path: &str| {
        let path = format!("/{}/-/{path}", files.world.project.path);
        files.world.server.ask_at("GET", path).by(&files.world.rae)
    };
    let project = files.world.project.path.rsplit('/').next().unwrap();
    let named = |file: &str| {
        let answer = page(&format!("archive/{file}")).gives(200);
        answer.header("Content-Disposition").unwrap().split('"').nth(1).unwrap().to_owned()
    };
    assert_eq!(named(&format!("master/{project}-master.tar.gz")), format!("{project}-master.tar.gz"));
    assert_eq!(named("master/other.zip"), format!("{}.zip", files.stem()));
    assert_eq!(named("master.tar.gz"), format!("{}.tar.gz", files.stem()));
    assert_eq!(named(&format!("{}.zip", files.commit)), format!("{project}-{}.zip", files.commit));
    page("archive/master").gives(404);
    page("archive/nothing.zip").gives(404);
    let raw = page("raw/master/bin/run").gives(200);
    assert_eq!((raw.text.as_str(), raw.header("Content-Type")), ("#!/bin/sh\n", Some("text/plain; charset=utf-8")));
    assert!(raw.header("Content-Disposition").unwrap().starts_with("inline"));
    let saved = page("raw/master/bin/run?inline=false").gives(200);
    assert!(saved.header("Content-Disposition").unwrap().starts_with("attachment"));
    page("raw/nothing/bin/run").gives(404);
    page("raw/master/bin").gives(404);
    page("raw/master/bin/run?ref_type=tags").gives(404);
    // also for a guest, who sees the project and not its files: the address of a page does not tell them apart
    for path in ["-/raw/master/README.md", "raw/master/README.md", "-/archive/master/a.zip", "-/archive/master.zip"] {
        let path = format!("/{}/{path}", files.world.project.path);
        let project = json!({ "message": "404 Project Not Found" });
        files.world.server.ask_at("GET", path.clone()).refused(404, project.clone());
        for person in [&files.world.eve, &files.world.gus] {
            files.world.server.ask_at("GET", path.clone()).by(person).refused(404, project.clone());
        }
    }
}

#[test]
fn the_longest_ref_of_an_address_counts() {
    let files = files(Visibility::Private);
    let other = commit(2, &[1]);
    files.world.push(std::slice::from_ref(&other), &[("refs/heads/master/bin", &files.commit)]);
    let path = format!("/{}/-/raw/master/bin/bin/run", files.world.project.path);
    assert_eq!(files.world.server.ask_at("GET", path).by(&files.world.rae).gives(200).text, "#!/bin/sh\n");
}
