//! Fifty archives that are broken, made from a good one.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tar::{Builder, EntryType, Header};

use crate::forge::Target;
use crate::gitlab::small;
use crate::http::Faults;
use crate::programs::{Folder, ends_with, exported, said};

const ISSUES: &str = "tree/project/issues.ndjson";

/// An import of it says this on one line, ends with 3, and sends nothing.
fn refuses(folder: &Folder, target: &Target, archive: &str, why: &str) {
    let output = folder.import_from(target, archive, &[]);
    ends_with(&output, 3);
    let said = said(&output);
    assert!(said.contains(why) && said.trim().lines().count() == 1, "{why}\n{said}");
    assert_eq!(target.http.requests(), 0);
    let left = fs::read_dir(&folder.0)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("unpacked"));
    assert_eq!(left.count(), 0);
}

fn with_issue(folder: &Folder, change: impl Fn(&mut Value)) {
    let mut lines = folder.lines(ISSUES);
    change(&mut lines[1]);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.0.join("out").join(ISSUES), text).unwrap();
}

#[test]
fn a_folder_that_is_broken_writes_nothing() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    let out = folder.0.join("out");
    let good = fs::read(out.join(ISSUES)).unwrap();
    let mut count = 0;
    let mut case = |why: &str, spoil: &dyn Fn(&Path)| {
        let kept = folder.0.join("kept");
        copy(&out, &kept);
        spoil(&out);
        refuses(&folder, &target, "out", why);
        fs::remove_dir_all(&out).unwrap();
        fs::rename(&kept, &out).unwrap();
        count += 1;
    };
    let version = |text: &'static str| move |out: &Path| fs::write(out.join("VERSION"), text).unwrap();
    case("was written by an export of version 0.1.8; 0.2.4 is read", &version("0.1.8"));
    case("was written by an export of version 0.2.40; 0.2.4 is read", &version("0.2.40\n"));
    case("was written by an export of version ;", &version(""));
    case("has no VERSION", &|out| fs::remove_file(out.join("VERSION")).unwrap());
    case("has no tree/project.json", &|out| fs::remove_file(out.join("tree/project.json")).unwrap());
    case("an older form", &|out| fs::rename(out.join("tree/project.json"), out.join("project.json")).unwrap());
    case("tree/project.json, line 1: it is no object", &|out| fs::write(out.join("tree/project.json"), "[]").unwrap());
    case("edgeforge/manifest.json has the format", &|out| {
        fs::write(out.join("edgeforge/manifest.json"), "{\"format\": 2}").unwrap()
    });
    case("its export has not ended", &|out| {
        let path = out.join("edgeforge/manifest.json");
        let text = fs::read_to_string(&path).unwrap().replace("\"complete\":true", "\"complete\":false");
        fs::write(path, text).unwrap();
    });
    let line = |text: Vec<u8>| {
        let good = good.clone();
        move |out: &Path| fs::write(out.join(ISSUES), [&good[..], &text, b"\n"].concat()).unwrap()
    };
    let at_four = "tree/project/issues.ndjson, line 4: ";
    for (why, text) in [
        ("it is no object", b"[]".to_vec()),
        ("it is no object", b"7".to_vec()),
        ("it is no object", b"null".to_vec()),
        ("EOF", b"{\"iid\": 9".to_vec()),
        ("it is no UTF-8", b"{\"iid\": 9, \"title\": \"\xff\"}".to_vec()),
        ("it is deeper than 100 levels", format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100)).into_bytes()),
        ("it has no iid", b"{\"title\": \"x\"}".to_vec()),
        ("it has no iid", b"{\"iid\": null}".to_vec()),
        ("its iid is 0", b"{\"iid\": 0}".to_vec()),
        ("its iid is -4", b"{\"iid\": -4}".to_vec()),
        ("its iid is \"9\"", b"{\"iid\": \"9\"}".to_vec()),
        ("its iid is 1.5", b"{\"iid\": 1.5}".to_vec()),
        ("a second issue has the iid 2", b"{\"iid\": 2, \"created_at\": \"2020-01-01\"}".to_vec()),
        ("it has no created_at", b"{\"iid\": 9}".to_vec()),
        ("created_at is no time: \"soon\"", b"{\"iid\": 9, \"created_at\": \"soon\"}".to_vec()),
        ("created_at is no time: 12", b"{\"iid\": 9, \"created_at\": 12}".to_vec()),
        ("created_at is no time: \"2020-13-01", b"{\"iid\": 9, \"created_at\": \"2020-13-01T00:00:00Z\"}".to_vec()),
        ("expected", b"<html>".to_vec()),
        ("trailing characters", b"{\"iid\": 9} {\"iid\": 10}".to_vec()),
    ] {
        case(&format!("{at_four}{why}"), &line(text));
    }
    case(&format!("{at_four}it has more than 67108864 bytes"), &|out| {
        let mut file = fs::OpenOptions::new().append(true).open(out.join(ISSUES)).unwrap();
        file.write_all(&vec![b'x'; (64 << 20) + 2]).unwrap();
    });
    let home = &folder;
    let changed = |change: fn(&mut Value)| move |_: &Path| with_issue(home, change);
    case("line 2: notes 1: created_at is no time", &changed(|of| of["notes"][0]["created_at"] = json!("x")));
    case("line 2: notes 2: it has no created_at", &changed(|of| of["notes"][1]["created_at"] = json!(null)));
    case("line 2: notes 1: it is no object", &changed(|of| of["notes"][0] = json!("x")));
    case("line 2: award_emoji 1: created_at is no time", &changed(|of| of["award_emoji"][0]["created_at"] = json!(7)));
    case(
        "line 2: resource_state_events 1: created_at is no time",
        &changed(|of| of["resource_state_events"][0]["created_at"] = json!("x")),
    );
    let file = |path: &'static str, text: &'static str| move |out: &Path| fs::write(out.join(path), text).unwrap();
    case("edgeforge/statuses.ndjson, line 1: at is no time", &file("edgeforge/statuses.ndjson", "{\"at\": \"x\"}"));
    case("edgeforge/users.ndjson, line 2: it is no object", &file("edgeforge/users.ndjson", "{\"id\": 1}\n1\n"));
    case("tree/project/labels.ndjson, line 1: it is no object", &file("tree/project/labels.ndjson", "\"bug\""));
    case(
        "tree/project/releases.ndjson, line 1: it has no created_at",
        &file("tree/project/releases.ndjson", "{\"tag\": \"v1\"}"),
    );
    assert_eq!(count, 38);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place)
        } else {
            let _ = fs::copy(&path, &place).unwrap();
        }
    }
}

/// A `.tar.gz` of these entries.
fn packed(entries: &[(&[u8], EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (path, kind, bytes) in entries {
        let mut header = Header::new_gnu();
        header.as_old_mut().name[..path.len()].copy_from_slice(path);
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

#[test]
fn a_file_that_is_broken_writes_nothing() {
    let (gitlab, folder) = exported(small());
    ends_with(&folder.export_to(&gitlab, "good.tar.gz", &[]), 0);
    let target = Target::new(Faults::default());
    let good = fs::read(folder.0.join("good.tar.gz")).unwrap();
    let case = |bytes: &[u8], why: &str| {
        fs::write(folder.0.join("bad.tar.gz"), bytes).unwrap();
        refuses(&folder, &target, "bad.tar.gz", why);
    };
    let file = EntryType::Regular;
    case(b"", "bad.tar.gz: ");
    case(b"PK\x03\x04 a zip", "bad.tar.gz: it is broken: invalid gzip header");
    // cut anywhere
    for part in [1, 2, 3, 5, 8] {
        case(&good[..good.len() * part / 9], "bad.tar.gz: ");
    }
    case(&good[..good.len() - 1], "bad.tar.gz: it is broken");
    let mut wrong = good.clone();
    let place = wrong.len() - 6;
    wrong[place] ^= 1;
    case(&wrong, "bad.tar.gz: it is broken");
    case(&packed(&[(b"/VERSION", file, b"0.2.4")]), "the path \"/VERSION\" leads out of it");
    case(&packed(&[(b"a/../../VERSION", file, b"0.2.4")]), "leads out of it");
    case(&packed(&[(b"VERSION", file, b"0.2.4"), (b"./VERSION", file, b"0.2.4")]), "two entries of the path ./VERSION");
    case(&packed(&[(b"VERSION", file, b"0.2.4"), (b"VERSION/x", file, b"")]), "VERSION/x cannot be unpacked");
    case(
        &packed(&[(b"././@LongLink", EntryType::GNULongName, &[b'a'; 5000]), (b"x", file, b"")]),
        "more than 4096 bytes",
    );
    case(
        &packed(&[(b"././@LongLink", EntryType::GNULongName, &[b'a'; 70_000]), (b"x", file, b"")]),
        "more than 4096 bytes",
    );
    case(&packed(&[(b"././@LongLink", EntryType::GNULongName, b"a\0b"), (b"x", file, b"")]), "a path has a NUL");
    case(&packed(&[(b"a\xff", file, b"")]), "a path is no UTF-8");
    case(&packed(&[(b"zeros", file, &vec![0; 60 << 20])]), "more than");
    case(&packed(&[]), "it has no files");
    // links and devices are passed over
    let links = packed(&[(b"VERSION", EntryType::Symlink, b""), (b"null", EntryType::Char, b"")]);
    case(&links, "it has no files");
    let sum = packed(&[(b"VERSION", file, b"0.2.4")]);
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&sum[..]), &mut plain).unwrap();
    plain[150] ^= 1;
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&plain).unwrap();
    case(&packer.finish().unwrap(), "it is broken");
}

#[test]
fn a_wrong_value_of_a_field_that_may_be_absent_is_counted() {
    let (_gitlab, folder) = exported(small());
    with_issue(&folder, |of| {
        of["due_date"] = json!("soon");
        of["time_estimate"] = json!("much");
        of["confidential"] = json!("no");
        of["other"] = json!({"a": []});
    });
    let target = Target::new(Faults::default());
    let output = folder.import(&target, &[]);
    ends_with(&output, 0);
    assert!(said(&output).contains("left out: 3 x wrong values of fields that may be absent"), "{}", said(&output));
    let forge = target.forge();
    let issue = forge.of_kind("issue").into_iter().find(|of| of["iid"] == 2).unwrap();
    assert_eq!((&issue["estimate"], issue.get("due")), (&json!(0), None));
}
