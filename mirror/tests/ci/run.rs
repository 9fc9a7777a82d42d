use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use crate::server::{Folder, NOBODY, SHA, SOON, Server, TOKEN, said, silent, taken};

const TWO: &str =
    r#"<testsuite name="s"><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite>"#;

#[test]
fn a_status_runs_then_gets_its_report_and_then_ends() {
    let (folder, server) = (Folder::new(), Server::new());
    let options = ["--junit", "*.xml", "--coverage", "81.5%", "--ref", "main", "--url", "https://ci/1"];
    let output = folder.run(&server.address, &options, &format!("sleep 0.3; echo '{TWO}' >out.xml; exit 3"));
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert_eq!(server.told(), ["running", "tests", "failed"]);
    let requests = server.requests();
    let line = format!("POST /api/v4/projects/ann%2Fproj/statuses/{SHA}");
    assert_eq!((&requests[0].line, &requests[2].line), (&line, &line));
    assert_eq!(requests[1].line, "PUT /api/v4/projects/ann%2Fproj/jobs/701/reports/tests");
    assert!(requests.iter().all(|request| request.headers["private-token"] == TOKEN));
    let begun = json!({"state": "running", "name": "ci/test", "ref": "main", "target_url": "https://ci/1",
        "description": null, "coverage": null});
    assert_eq!(requests[0].json(), begun);
    let ended = json!({"state": "failed", "name": "ci/test", "ref": "main", "target_url": "https://ci/1",
        "description": "1 of 2 tests failed", "coverage": 81.5});
    assert_eq!(requests[2].json(), ended);
    let keys = [0, 2].map(|number: usize| requests[number].headers["idempotency-key"].clone());
    assert!(keys[0] != keys[1] && keys.iter().all(|key| key.len() > 16), "{keys:?}");
    let lines = requests[1].lines();
    assert_eq!(
        lines[0],
        json!({"report": "tests", "version": 1, "problem": null, "more": {"success": 0, "skipped": 0}})
    );
    let failed = json!({"status": "failed", "name": "b", "suite": "s", "execution_time": 0.0, "system_output": "no"});
    assert_eq!(lines[1], failed);
    assert_eq!(lines[2], json!({"status": "success", "name": "a", "execution_time": 0.0}));
    assert_eq!(lines[3], json!({"end": 2}));
}

#[test]
fn the_exit_code_is_that_of_the_command_whatever_the_server_does() {
    let refusing = Server::with(|_, _| Some((403, json!({"message": "403 Forbidden"}))));
    let broken = Server::with(|_, _| None);
    let odd = Server::with(|_, _| Some((201, json!(null))));
    let (up, slow) = (Server::new(), silent());
    let folder = Folder::new();
    for address in
        [&up.address, &refusing.address, &broken.address, &odd.address, &slow.address, NOBODY, "nonsense", ""]
    {
        for (script, code) in [("exit 0", 0), ("exit 4", 4), ("kill -9 $$", 137)] {
            let output = folder.run(address, SOON, script);
            assert_eq!(output.status.code(), Some(code), "{address} {script}: {}", said(&output));
        }
    }
    for code in (0..=255).step_by(15) {
        let mut program = folder.program("", "run");
        program.args(["--name", "x", "--", "sh", "-c", &format!("exit {code}")]);
        assert_eq!(program.output().unwrap().status.code(), Some(code));
    }
}

#[test]
fn strict_makes_a_success_a_failure_if_something_was_not_sent() {
    let folder = Folder::new();
    let refusing = Server::with(|request, number| match request.line.contains("/reports/") {
        true => Some((501, json!({"message": "no object store"}))),
        false => taken(number),
    });
    let strict = ["--strict", "--wait", "1s", "--junit", "*.xml"];
    let code = |address: &str, options: &[&str], script: &str| folder.run(address, options, script).status.code();
    assert_eq!(code(NOBODY, &strict[..3], "exit 0"), Some(4));
    assert_eq!(code(NOBODY, &strict[..3], "exit 7"), Some(7));
    assert_eq!(code("", &strict[..3], "exit 0"), Some(4));
    let server = Server::new();
    assert_eq!(code(&server.address, &strict[..3], "exit 0"), Some(0));
    assert_eq!(code(&server.address, &strict, "exit 0"), Some(4), "no file");
    let writes = format!("echo '{TWO}' >out.xml");
    assert_eq!(code(&server.address, &strict, &writes), Some(0));
    let began = Instant::now();
    let output = folder.run(&refusing.address, &strict, &writes);
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("the report of tests is not taken: 501 no object store"), "{}", said(&output));
    assert!(began.elapsed() < Duration::from_secs(1), "501 is not tried again");
    assert_eq!(refusing.told(), ["running", "tests", "success"]);
}

#[test]
fn a_command_that_cannot_start_is_127_and_failed() {
    let (folder, server) = (Folder::new(), Server::new());
    let mut program = folder.program(&server.address, "run");
    let output = program.args(["--name", "x", "--sha", SHA, "--", "./not-there", "--name"]).output().unwrap();
    assert_eq!(output.status.code(), Some(127));
    assert!(said(&output).contains("./not-there cannot be started"), "{}", said(&output));
    assert_eq!(server.told(), ["running", "failed"]);
}

#[test]
fn wrong_use_runs_nothing() {
    let folder = Folder::new();
    for wrong in [
        &["run", "--", "touch", "ran"][..],
        &["run", "--name", "x"],
        &["run", "--name", "", "--", "touch", "ran"],
        &["run", "--name", "x", "--junit", "a**b", "--", "touch", "ran"],
        &["run", "--name", "x", "--wait", "soon", "--", "touch", "ran"],
        &["run", "--name", "x", "--token", "secret", "--", "touch", "ran"],
        &["report", "--junit", "x.xml"],
        &["gate", "--names", ""],
        &["gate", "--names", "a,,b"],
        &["gate", "--names", "a", "--ref", ""],
        &["gate", "--names", "a", "--users", ""],
    ] {
        let output = folder.program(NOBODY, wrong[0]).args(&wrong[1..]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", said(&output));
        assert!(!said(&output).contains("secret"));
    }
    assert!(!folder.0.join("ran").exists());
}

#[test]
fn what_is_not_known_is_said_and_the_command_runs() {
    let folder = Folder::new();
    for variable in ["EDGEFORGE_URL", "EDGEFORGE_PROJECT", "EDGEFORGE_TOKEN"] {
        let mut program = folder.program(NOBODY, "run");
        program.args(["--name", "x", "--sha", SHA, "--", "sh", "-c", "echo ran; exit 9"]);
        let output = program.env_remove(variable).output().unwrap();
        assert_eq!((output.status.code(), &*output.stdout), (Some(9), &b"ran\n"[..]));
        assert!(said(&output).contains("nothing is sent: ") && said(&output).contains(variable), "{}", said(&output));
    }
    let output =
        folder.program(NOBODY, "run").args(["--name", "x", "--", "true"]).env("GIT_DIR", "/nowhere").output().unwrap();
    assert!(said(&output).contains("the commit is not known; give --sha"), "{}", said(&output));
}

#[test]
fn the_command_does_not_get_the_token() {
    let (folder, server) = (Folder::new(), Server::new());
    let output = folder.run(&server.address, &[], "env; echo \"[$EDGEFORGE_TOKEN]\"");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("[]") && shown.contains("EDGEFORGE_URL=") && !shown.contains(TOKEN), "{shown}");
}

#[test]
fn the_command_has_the_input_and_the_folder_and_its_output_streams() {
    let (folder, server) = (Folder::new(), Server::new());
    let mut program = folder.program(&server.address, "run");
    program.args([
        "--name",
        "x",
        "--sha",
        SHA,
        "--",
        "sh",
        "-c",
        "read line; echo \"$line\" >got; head -c 1073741824 /dev/zero",
    ]);
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"hello\n").unwrap();
    let written = std::io::copy(child.stdout.as_mut().unwrap(), &mut std::io::sink()).unwrap();
    assert_eq!((written, child.wait().unwrap().code()), (1 << 30, Some(0)));
    assert_eq!(fs::read_to_string(folder.0.join("got")).unwrap(), "hello\n");
}

#[test]
fn a_process_that_the_command_leaves_behind_is_not_waited_for() {
    let (folder, server) = (Folder::new(), Server::new());
    let began = Instant::now();
    let mut program = folder.program(&server.address, "run");
    program.args(["--name", "x", "--sha", SHA, "--", "sh", "-c", "sleep 5 & exit 0"]);
    assert!(program.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[test]
fn without_an_id_from_the_first_post_reports_follow_the_end() {
    let folder = Folder::new();
    let text = "Cannot transition status via :run from :running (Reason(s): Status cannot transition via \"run\")";
    let server = Server::with(move |_, number| match number {
        1 => Some((400, json!({"message": text}))),
        _ => taken(number),
    });
    let output = folder.run(&server.address, &["--junit", "*.xml"], &format!("sleep 0.2; echo '{TWO}' >out.xml"));
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    assert_eq!(server.told(), ["running", "success", "tests"]);
    assert!(server.requests()[2].line.contains("/jobs/702/reports/tests"));
}

#[test]
fn a_commit_that_the_mirror_has_not_sent_yet_is_waited_for() {
    let folder = Folder::new();
    let server = Server::with(|_, number| match number {
        1 | 2 => Some((404, json!({"message": "404 Commit Not Found"}))),
        _ => taken(number),
    });
    let output = folder.run(&server.address, &["--junit", "*.xml"], &format!("sleep 0.2; echo '{TWO}' >out.xml"));
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    assert_eq!(server.told(), ["running", "success", "success", "tests"]);
    let never = Server::with(|_, _| Some((404, json!({"message": "404 Commit Not Found"}))));
    let output = folder.run(&never.address, SOON, "true");
    assert!(said(&output).contains(&format!("the server does not have the commit {SHA}")), "{}", said(&output));
}

#[test]
fn a_retried_post_has_the_same_key() {
    let folder = Folder::new();
    let server = Server::with(|_, number| if number < 3 { Some((503, json!({}))) } else { taken(number) });
    folder.run(&server.address, &[], "sleep 1");
    let keys: Vec<_> = server.requests().iter().map(|request| request.headers["idempotency-key"].clone()).collect();
    assert_eq!(server.told(), ["running", "running", "running", "success"]);
    assert!(keys[0] == keys[1] && keys[1] == keys[2] && keys[2] != keys[3], "{keys:?}");
}

#[test]
fn files_of_an_earlier_run_are_left_out() {
    let (folder, server) = (Folder::new(), Server::new());
    folder.write("old.xml", TWO);
    let hour = SystemTime::now() - Duration::from_secs(3600);
    fs::File::open(folder.0.join("old.xml")).unwrap().set_modified(hour).unwrap();
    let output = folder.run(&server.address, &["--junit", "*.xml", "--strict"], "true");
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("*.xml: 0 read, 1 file left out as older than this run"), "{}", said(&output));
    assert_eq!(server.told(), ["running", "success"]);
    let output = folder.run(&server.address, &["--junit", "*.xml", "--strict", "--old"], "true");
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
}

#[test]
fn a_job_without_failing_tests_says_what_it_has() {
    let (folder, server) = (Folder::new(), Server::new());
    let description = |options: &[&str], script: &str| {
        folder.run(&server.address, options, script);
        server.requests().iter().rev().find(|request| request.line.starts_with("POST")).unwrap().json()["description"]
            .clone()
    };
    folder.write("a.xml", r#"<testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>"#);
    folder.write("q.json", r#"[{"location": {"path": "a.c", "lines": {"begin": 1}}}]"#);
    assert_eq!(description(&[], "exit 2"), "exit code 2");
    assert_eq!(description(&[], "exit 0"), json!(null));
    assert_eq!(description(&["--junit", "a.xml"], "exit 0"), "1 test passed, 1 skipped");
    assert_eq!(
        description(&["--junit", "a.xml", "--code-quality", "q.json"], "exit 0"),
        "1 test passed, 1 skipped, 1 finding"
    );
}

#[test]
fn report_sends_what_a_job_of_another_program_found() {
    let (folder, server) = (Folder::new(), Server::new());
    folder.write("a.xml", TWO).write("b.xml", TWO);
    let report = |server: &str, options: &[&str]| {
        folder.program(server, "report").args(["--job", "812"]).args(options).output().unwrap()
    };
    let output = report(&server.address, &["--junit", "[ab].xml"]);
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    let requests = server.requests();
    assert_eq!(requests[0].line, "PUT /api/v4/projects/ann%2Fproj/jobs/812/reports/tests");
    assert_eq!((requests.len(), requests[0].lines().len()), (1, 6));
    let output = report(&server.address, &["--junit", "none.xml"]);
    assert!(output.status.success() && said(&output).contains("none.xml: 0 read"), "{}", said(&output));
    assert_eq!(report(&server.address, &["--junit", "none.xml", "--strict"]).status.code(), Some(4));
    assert_eq!(report(NOBODY, &["--junit", "a.xml", "--wait", "1"]).status.code(), Some(4));
    let final_ = Server::with(|_, _| Some((409, json!({"message": "409 the job has another report"}))));
    let output = report(&final_.address, &["--junit", "a.xml"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("409 the job has another report"), "{}", said(&output));
}
