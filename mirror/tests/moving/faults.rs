use std::process::Stdio;
use std::time::Duration;

use crate::forge::Target;
use crate::gitlab::{GitLab, Version, basic, large, note};
use crate::http::{FAULTS, Faults};
use crate::programs::{Folder, ends_with, exported};

#[test]
fn after_every_fault_of_the_source_the_archive_is_whole() {
    let (_whole, undisturbed) = exported(large(40, 5));
    for fault in FAULTS {
        let faults = Faults { each: 9, faults: vec![fault] };
        let (gitlab, folder) = (GitLab::new(large(40, 5), Version::Eighteen, faults), Folder::new());
        ends_with(&folder.export(&gitlab, &[]), 0);
        assert_eq!(folder.content(), undisturbed.content(), "{fault:?}");
    }
}

#[test]
fn after_every_fault_of_the_server_its_records_are_whole() {
    let (_gitlab, folder) = exported(large(60, 40));
    let whole = Target::new(Faults::default());
    ends_with(&folder.import(&whole, &[]), 0);
    for fault in FAULTS {
        let target = Target::new(Faults { each: 4, faults: vec![fault] });
        ends_with(&folder.import(&target, &[]), 0);
        assert_eq!(target.forge().records, whole.forge().records, "{fault:?}");
    }
}

#[test]
fn people_and_files_of_the_issues_before_a_kill_stay_in_the_export() {
    let file = "uploads/abcdefabcdefabcdefabcdefabcdefab/b.txt";
    let world = || {
        let mut world = large(400, 1);
        world.files.insert(file.to_owned(), b"b".to_vec());
        world.list("issues/1/notes").push(note(50_000, basic(77, "zoe"), 11, &format!("See /{file}")));
        world
    };
    let ((gitlab, undisturbed), folder) = (exported(world()), Folder::new());
    let (from, issues) = (gitlab.http.address.clone(), folder.0.join("out/tree/project/issues.ndjson"));
    let export = ["export", "--from", &from, "--project", "group/proj", "--to", "out", "--jobs", "1"];
    let mut child = folder.program(&export).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !issues.metadata().is_ok_and(|file| file.len() > 0) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.0.join("out").join(file).exists(), "the run had come to its end");
    ends_with(&folder.export(&gitlab, &[]), 0);
    assert_eq!(folder.content(), undisturbed.content());
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let (gitlab, undisturbed) = exported(large(150, 3));
    let whole = Target::new(Faults::default());
    ends_with(&undisturbed.import(&whole, &[]), 0);
    let (folder, target) = (Folder::new(), Target::new(Faults::default()));
    let killed = |arguments: &[&str], milliseconds: u64| {
        let mut child = folder.program(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        child.wait().unwrap();
    };
    let (from, server) = (gitlab.http.address.clone(), target.http.address.clone());
    for round in 1..=10 {
        killed(&["export", "--from", &from, "--project", "group/proj", "--to", "out", "--jobs", "2"], 15 * round);
    }
    ends_with(&folder.export(&gitlab, &[]), 0);
    assert_eq!(folder.content(), undisturbed.content());
    for round in 1..=10 {
        killed(&["import", "--archive", "out", "--server", &server, "--project", "new/proj"], 15 * round);
    }
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(target.forge().records, whole.forge().records);
}

#[test]
fn two_imports_at_once_both_end_with_each_record_once() {
    let (_gitlab, folder) = exported(large(60, 10));
    let target = Target::new(Faults::default());
    std::thread::scope(|scope| {
        let runs = [0, 1].map(|_| scope.spawn(|| folder.import(&target, &[])));
        runs.into_iter().for_each(|run| ends_with(&run.join().unwrap(), 0));
    });
    let forge = target.forge();
    assert_eq!(forge.records.len(), 2 + 60 * 11);
    assert_eq!(forge.users.len(), 3);
}

/// The most memory of a run, in kB, and its standard output.
fn measured(mut program: std::process::Command) -> (u64, String) {
    let mut child = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0).max(most);
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    ends_with(&output, 0);
    (most, String::from_utf8(output.stdout).unwrap())
}

#[test]
#[ignore = "a proof: make prove"]
fn ten_times_as_many_issues_take_no_more_memory() {
    let most = [1000, 10_000].map(|issues| {
        let (gitlab, folder) = (GitLab::new(large(issues, 10), Version::Eighteen, Faults::default()), Folder::new());
        let export = ["export", "--from", &gitlab.http.address, "--project", "group/proj", "--to", "out"];
        let (of_export, said) = measured(folder.program(&export));
        // six for each issue, and its share of the list
        assert!(gitlab.http.requests() as i64 <= issues * 61 / 10 + 100, "{}", gitlab.http.requests());
        let target = Target::new(Faults::default());
        let import = ["import", "--archive", "out", "--server", &target.http.address, "--project", "new/proj"];
        let (of_import, told) = measured(folder.program(&import));
        println!("{issues} issues: {of_export} kB of export, {of_import} kB of import\n{said}{told}");
        assert!(target.http.requests() as i64 <= issues * 11 / 250 + 50, "{}", target.http.requests());
        of_export.max(of_import)
    });
    assert!(most[1] < 100_000 && most[1] < most[0] + 10_000, "{most:?} kB");
}
