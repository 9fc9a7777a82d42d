use serde_json::json;

use crate::forge::{Target, sum};
use crate::gitlab::{GitLab, SOURCE_TOKEN, Version, World, small};
use crate::http::Faults;
use crate::programs::{Folder, ends_with, said};

/// With two versions of a package, of which one file was published twice.
fn world() -> World {
    let mut world = small();
    for (id, version, files) in
        [(5, "1.0", vec![("a.bin", "old"), ("a.bin", "one")]), (6, "2.0", vec![("b/c.txt", "two")])]
    {
        world.list("packages").push(json!({"id": id, "name": "tool", "version": version, "package_type": "generic"}));
        for (name, text) in files {
            let file = json!({"file_name": name, "file_sha256": sum(text.as_bytes())});
            world.list(&format!("packages/{id}/package_files")).push(file);
            world.files.insert(format!("packages/generic/tool/{version}/{name}"), text.as_bytes().to_vec());
        }
    }
    world
}

fn exported(world: World) -> (GitLab, Folder) {
    let (gitlab, folder) = (GitLab::new(world, Version::Eighteen, Faults::default()), Folder::new());
    ends_with(&folder.export(&gitlab, &["--with", "packages"]), 0);
    (gitlab, folder)
}

#[test]
fn packages_come_if_asked_and_each_file_once() {
    let (gitlab, folder) = exported(world());
    assert_eq!(std::fs::read(folder.0.join("out/packages/tool/1.0/a.bin")).unwrap(), b"one");
    let report = folder.report("export.json");
    assert_eq!(
        (&report["kinds"]["package file"]["read"], &report["kinds"]["package file"]["new"]),
        (&json!(2), &json!(2))
    );
    let requests = gitlab.http.requests();
    ends_with(&folder.export(&gitlab, &["--with", "packages"]), 0);
    assert_eq!(folder.report("export.json")["kinds"]["package file"]["new"], json!(0));
    assert!(gitlab.http.requests() - requests < 30);
    let plain = Folder::new();
    ends_with(&plain.export(&gitlab, &[]), 0);
    assert!(!plain.0.join("out/packages").exists());
    let target = Target::new(Faults::default());
    let dry = folder.import(&target, &["--dry-run"]);
    assert!(said(&dry).contains("3 of files") && target.forge().packages.is_empty(), "{}", said(&dry));
    ends_with(&folder.import(&target, &[]), 0);
    let published = target.forge().packages.clone();
    assert_eq!(published.keys().collect::<Vec<_>>(), ["tool/1.0/a.bin", "tool/2.0/b/c.txt"]);
    assert_eq!(published["tool/1.0/a.bin"], b"one");
}

#[test]
fn a_file_of_a_package_that_is_there_stays() {
    let (_gitlab, folder) = exported(world());
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, &[]), 0);
    target.forge().packages.insert("tool/2.0/b/c.txt".to_owned(), b"newer".to_vec());
    let writes = target.forge().writes;
    let output = folder.import(&target, &[]);
    ends_with(&output, 0);
    let counts = folder.report("import.json")["kinds"]["package file"].clone();
    assert_eq!([&counts["same"], &counts["kept"], &counts["new"]], [&json!(1), &json!(1), &json!(0)]);
    assert!(said(&output).contains("1 x files that are here with other bytes"), "{}", said(&output));
    // the records, and no file
    let forge = target.forge();
    assert_eq!((forge.writes, &*forge.packages["tool/2.0/b/c.txt"]), (writes + 1, &b"newer"[..]));
}

#[test]
fn a_package_leads_to_no_place_outside_of_the_archive() {
    let mut world = world();
    for name in ["../../../out.txt", "/etc/x", "a//b", "."] {
        world.list("packages/6/package_files").push(json!({"file_name": name, "file_sha256": sum(b"x")}));
    }
    let (_gitlab, folder) = exported(world);
    let left = folder.report("export.json")["left_out"]["files of packages whose names are no path"]["count"].clone();
    assert_eq!(left, 4);
}

#[test]
fn a_file_of_a_package_that_is_cut_is_refused() {
    let mut world = world();
    world.files.insert("packages/generic/tool/1.0/a.bin".to_owned(), b"on".to_vec());
    let (gitlab, folder) = (GitLab::new(world, Version::Eighteen, Faults::default()), Folder::new());
    let output = folder.export(&gitlab, &["--with", "packages"]);
    ends_with(&output, 3);
    assert!(said(&output).contains("its bytes do not have its SHA-256"), "{}", said(&output));
    assert!(!folder.0.join("out/packages/tool/1.0").exists());
}

#[test]
fn a_package_that_differs_is_told() {
    let mut world = world();
    for (id, user) in &mut world.users {
        (user["email"], user["confirmed_at"]) = (json!(format!("{id}@example.com")), json!("2020-01-01T00:00:00.000Z"));
    }
    let (gitlab, folder) = exported(world);
    let fixed = ["import", "--verify", "--archive", "out", "--server", &gitlab.http.address, "--project", "group/proj"];
    let verify = || folder.program(&fixed).env("EDGEFORGE_TOKEN", SOURCE_TOKEN).output().unwrap();
    ends_with(&verify(), 0);
    for (path, text) in [("1.0/a.bin", "eno"), ("2.0/b/c.txt", "three")] {
        std::fs::write(folder.0.join("out/packages/tool").join(path), text).unwrap();
    }
    let output = verify();
    ends_with(&output, 1);
    for line in ["packages/tool/1.0/a.bin has other bytes", "packages/tool/2.0/b/c.txt: 5 and 3 bytes"] {
        assert!(said(&output).contains(line), "{line}\n{}", said(&output));
    }
}
