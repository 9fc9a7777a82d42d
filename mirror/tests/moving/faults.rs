use std::process::Stdio;
use std::time::Duration;

use crate::forge::Target;
use crate::gitlab::{GitLab, Version, large};
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
fn two_imports_at_once_write_each_record_once() {
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
