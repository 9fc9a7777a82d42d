use serde_json::json;

use crate::forge::Target;
use crate::gitlab::{at, large, small};
use crate::http::Faults;
use crate::programs::{Folder, ends_with, exported, said};

fn target() -> Target {
    Target::new(Faults::default())
}

#[test]
fn an_import_writes_all_that_the_archive_has() {
    let (gitlab, folder) = exported(small());
    let target = target();
    ends_with(&folder.import(&target, &[]), 0);
    let forge = target.forge();
    let count = |kind| forge.of_kind(kind).len();
    let kinds = ["label", "milestone", "issue", "note", "event", "award", "link"];
    assert_eq!(kinds.map(count), [2, 1, 3, 2, 3, 1, 1]);
    let issues = forge.of_kind("issue");
    let issue = issues.iter().find(|of| of["iid"] == 2).unwrap();
    assert_eq!((forge.user(&issue["author"]), forge.user(&issue["closed_by"])), ("anna", "bob"));
    assert_eq!(issue["labels"], json!(["bug", "team::a"]));
    let named = ["milestone", "due", "estimate", "spent", "state"].map(|name| issue[name].clone());
    assert_eq!(named, [json!("v1"), json!("2020-05-01"), json!(3600), json!(1800), json!("closed")]);
    assert_eq!(issue["at"], 1_583_022_000_000_i64);
    let labels = forge.of_kind("label");
    assert!(labels.iter().any(|of| of["title"] == "team::a" && of["color"] == "#aabbcc"), "{labels:?}");
    assert_eq!(forge.files["0123456789abcdef0123456789abcdef"], b"\x89PNG of a");
    drop(gitlab);
}

#[test]
fn a_second_import_writes_nothing() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    ends_with(&folder.import(&target, &[]), 0);
    let before = target.forge().records.clone();
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(target.forge().records, before);
    let report = folder.report("import.json");
    assert_eq!((&report["kinds"]["record"]["same"], &report["kinds"]["file"]["same"]), (&json!(13), &json!(1)));
}

#[test]
fn no_file_that_is_there_is_asked_for_again() {
    let (_gitlab, folder) = exported(large(100, 5));
    for number in 0..150 {
        let home = folder.0.join(format!("out/uploads/{number:032x}"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(home.join("a.txt"), "a").unwrap();
    }
    let target = target();
    ends_with(&folder.import(&target, &[]), 0);
    let (first, writes) = (target.http.requests(), target.forge().writes);
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(folder.report("import.json")["kinds"]["file"]["same"], json!(150));
    // the token, the project, its users and files, and three batches of records
    assert_eq!((target.http.requests() - first, target.forge().writes - writes), (7, 3));
}

#[test]
fn records_go_in_batches_of_three_hundred() {
    let (_gitlab, folder) = exported(large(50, 20));
    let target = target();
    ends_with(&folder.import(&target, &[]), 0);
    let batches = target.forge().batches.clone();
    assert!(batches.iter().all(|count| *count <= 300) && batches.len() == 4, "{batches:?}");
    assert_eq!(batches.iter().sum::<usize>(), 1 + 1 + 50 * 21);
}

#[test]
fn a_batch_that_is_refused_whole_is_halved() {
    let (_gitlab, folder) = exported(large(10, 20));
    let target = target();
    target.forge().most_records = Some(20);
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(target.forge().records.len(), 1 + 1 + 10 * 21);
}

#[test]
fn an_issue_whose_number_is_taken_is_refused_with_all_of_it() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    target.forge().own_issues = vec![2];
    let output = folder.import(&target, &[]);
    ends_with(&output, 3);
    assert!(said(&output).contains("2 is an issue that was made here"), "{}", said(&output));
    assert_eq!(target.forge().of_kind("issue").len(), 2);
    assert_eq!(target.forge().of_kind("note").len(), 0);
}

#[test]
fn another_import_at_the_same_time_and_a_slow_server_are_waited_for() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    target.forge().next = vec![409, 503, 409, 429];
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(target.forge().of_kind("issue").len(), 3);
}

#[test]
fn a_server_that_is_full_or_refuses_ends_the_import() {
    let (_gitlab, folder) = exported(small());
    for status in [507, 403, 401, 404] {
        let target = target();
        target.forge().next = vec![status];
        let output = folder.import(&target, &[]);
        ends_with(&output, 4);
        assert!(said(&output).contains(&format!("answered {status}")), "{}", said(&output));
    }
}

#[test]
fn a_token_that_is_no_administrators_writes_nothing() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    target.forge().users[0]["is_admin"] = json!(false);
    ends_with(&folder.import(&target, &[]), 4);
    assert_eq!(target.forge().writes, 0);
}

#[test]
fn a_project_is_made_only_if_that_is_asked() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    target.forge().has_project = false;
    ends_with(&folder.import(&target, &[]), 4);
    assert_eq!(target.forge().writes, 0);
    ends_with(&folder.import(&target, &["--create"]), 0);
    let forge = target.forge();
    let made = ["name", "path", "namespace_id", "description", "visibility"].map(|name| forge.project[name].clone());
    assert_eq!(made, [json!("Proj"), json!("proj"), json!(5), json!("A project"), json!("private")]);
}

#[test]
fn an_archived_project_is_archived_last() {
    let mut world = small();
    world.project["archived"] = json!(true);
    let (_gitlab, folder) = exported(world);
    let target = target();
    target.forge().has_project = false;
    for _ in 0..2 {
        ends_with(&folder.import(&target, &["--create"]), 0);
        assert!(target.forge().is_archived);
    }
    assert_eq!(target.forge().of_kind("issue").len(), 3);
}

#[test]
fn a_dry_run_sends_nothing() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    let output = folder.import(&target, &["--dry-run", "--map", "map.txt"]);
    ends_with(&output, 0);
    assert_eq!(target.forge().writes, 0);
    assert!(
        said(&output).contains("nothing was sent: 1 requests of records, 1 of files, 2 of people"),
        "{}",
        said(&output)
    );
    assert!(folder.0.join("map.txt").exists());
}

#[test]
fn a_dry_run_refuses_what_the_import_refuses() {
    let mut world = small();
    let status =
        |sha: &str| json!({"name": "unit", "sha": sha, "ref": "main", "status": "success", "created_at": at(1)});
    let shas = ["a".repeat(40), "b".repeat(40)];
    *world.list("pipelines") = shas.iter().map(|sha| json!({"sha": sha})).collect();
    for sha in &shas {
        *world.list(&format!("repository/commits/{sha}/statuses")) = vec![status(sha)];
    }
    *world.list("releases") = vec![json!({"tag_name": "v1", "created_at": at(1), "released_at": at(1)})];
    let (_gitlab, folder) = exported(world);
    let target = target();
    target.forge().own_issues = vec![2];
    target.forge().indexed = Some([shas[0].clone()].into());
    let refused = |more: &[&str], code| {
        let output = folder.import(&target, more);
        ends_with(&output, code);
        folder.report("import.json")["refused"].clone()
    };
    let foreseen = refused(&["--dry-run"], 3);
    assert_eq!(target.forge().writes, 0);
    assert_eq!(foreseen["2 is an issue that was made here"]["count"], 8);
    assert_eq!(foreseen["tag: it is not indexed"]["addresses"], json!(["release v1"]));
    assert_eq!(foreseen["sha: the commit is not indexed"]["addresses"], json!(["status unit of bbbbbbbb"]));
    assert_eq!(refused(&[], 3), foreseen);
    // what an import has brought is not taken
    assert_eq!(refused(&["--dry-run"], 3), foreseen);
    target.forge().own_issues.clear();
    target.forge().indexed = None;
    ends_with(&folder.import(&target, &[]), 0);
    target.forge().indexed = Some([shas[0].clone(), shas[1].clone(), "v1".to_owned()].into());
    assert_eq!(refused(&["--dry-run"], 0), json!({}));
    // a project that is not made yet has no commits
    target.forge().has_project = false;
    assert_eq!(refused(&["--dry-run", "--create"], 3)["sha: the commit is not indexed"]["count"], 2);
}

#[test]
fn a_dry_run_refuses_a_milestone_whose_number_or_title_is_taken() {
    let (_gitlab, folder) = exported(small());
    let target = target();
    for (iid, title, why) in
        [(5, "other", "iid: 3 is not above 5, the last number"), (1, "v1", "title: has already been taken")]
    {
        let own = json!({"kind": "milestone", "iid": iid, "title": title, "at": 0});
        target.forge().records = [("own".to_owned(), own)].into();
        let output = folder.import(&target, &["--dry-run"]);
        ends_with(&output, 3);
        assert!(said(&output).contains(&format!("refused: 1 x {why}\n  milestone v1")), "{}", said(&output));
        // the issue of a milestone that does not come, and all that hangs on it
        let refused = &folder.report("import.json")["refused"];
        let counts = ["milestone: there is none of this title", "issue: there is no issue 2"];
        let counts = counts.map(|why| refused.get(why).map_or(json!(0), |of| of["count"].clone()));
        assert_eq!(counts, if iid == 5 { [json!(1), json!(7)] } else { [json!(0), json!(0)] });
    }
}

#[test]
fn a_file_that_is_no_archive_stays() {
    let (gitlab, folder) = exported(small());
    for name in ["notes.txt", "notes.tar.gz"] {
        std::fs::write(folder.0.join(name), "notes of somebody").unwrap();
        let output = folder.export_to(&gitlab, name, &[]);
        ends_with(&output, 2);
        assert!(said(&output).contains("is a file that is no archive"), "{}", said(&output));
        assert_eq!(std::fs::read(folder.0.join(name)).unwrap(), b"notes of somebody");
    }
    // an archive of before is written anew
    for _ in 0..2 {
        ends_with(&folder.export_to(&gitlab, "all.tar.gz", &[]), 0);
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_an_archive() {
    use std::os::unix::fs::PermissionsExt;
    let (gitlab, folder) = exported(small());
    ends_with(&folder.export_to(&gitlab, "all.tar.gz", &[]), 0);
    for (name, mode) in [("out", 0o700), ("all.tar.gz", 0o600)] {
        assert_eq!(std::fs::metadata(folder.0.join(name)).unwrap().permissions().mode() & 0o777, mode, "{name}");
    }
}

#[test]
fn a_repository_is_bundled_into_a_folder_that_is_given_from_here() {
    let (gitlab, folder) = exported(small());
    let git = |args: &[&str]| {
        let name = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let done = std::process::Command::new("git").current_dir(&folder.0).args(name).args(args).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q", "there"]);
    git(&["-C", "there", "commit", "-q", "--allow-empty", "-m", "One"]);
    ends_with(&folder.export_to(&gitlab, "bundled", &["--repository", "there"]), 0);
    git(&["bundle", "list-heads", "bundled/project.bundle"]);
    let output = folder.export_to(&gitlab, "other", &["--repository", "nowhere"]);
    ends_with(&output, 2);
    assert!(!folder.0.join("other").exists());
}

#[test]
fn a_file_archive_is_unpacked_and_leaves_nothing_behind() {
    let (gitlab, folder) = exported(small());
    ends_with(&folder.export_to(&gitlab, "all.tar.gz", &[]), 0);
    let target = target();
    ends_with(&folder.import_from(&target, "all.tar.gz", &[]), 0);
    assert_eq!(target.forge().of_kind("issue").len(), 3);
    let mut names: Vec<_> = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["all.tar.gz", "export.json", "import.json", "out"]);
}

#[test]
fn wrong_use_ends_with_two() {
    let folder = Folder::new();
    for wrong in [
        &["import"][..],
        &["import", "--archive", "x", "--server", "nowhere", "--project", "a/b"],
        &["export", "--from", "http://localhost", "--project", "a/b", "--to", "x", "--with", "wings"],
    ] {
        ends_with(&folder.program(wrong).output().unwrap(), 2);
    }
}
