use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::{Folder, SHA, Server, silent};

fn begun(folder: &Folder, server: &Server, script: &str) -> Child {
    let mut program = folder.program(&server.address, "run");
    program.args(["--name", "x", "--sha", SHA, "--", "sh", "-c", script]).stdin(Stdio::null()).stdout(Stdio::null());
    let child = program.stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while !folder.0.join("ready").exists() {
        assert!(began.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn kill(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn signals_go_on_to_the_command_which_is_canceled() {
    for (signal, code) in [("INT", 12), ("TERM", 15), ("HUP", 11)] {
        let (folder, server) = (Folder::new(), Server::new());
        let script =
            format!("trap 'echo {signal} >got; exit {code}' {signal}; touch ready; while :; do sleep 0.1; done");
        let mut child = begun(&folder, &server, &script);
        let began = Instant::now();
        kill(&child, &format!("-{signal}"));
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(fs::read_to_string(folder.0.join("got")).unwrap(), format!("{signal}\n"));
        assert_eq!(server.told(), ["running", "canceled"]);
    }
}

#[test]
#[ignore = "a proof: make prove"]
fn a_command_that_ignores_signals_is_killed_and_canceled_within_ten_seconds() {
    let (folder, server) = (Folder::new(), Server::new());
    let mut child = begun(&folder, &server, "trap '' TERM; touch ready; while :; do sleep 0.1; done");
    let began = Instant::now();
    kill(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(137));
    let took = began.elapsed();
    assert!(took > Duration::from_secs(6) && took < Duration::from_secs(9), "{took:?}");
    assert_eq!(server.told(), ["running", "canceled"]);
}

#[test]
fn a_server_that_is_silent_does_not_hold_a_canceled_command() {
    let (folder, server) = (Folder::new(), silent());
    let mut child = begun(&folder, &server, "touch ready; exec sleep 60");
    let began = Instant::now();
    kill(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < Duration::from_millis(2500), "{:?}", began.elapsed());
}

#[test]
fn a_signal_after_the_command_has_ended_ends_the_program() {
    let (folder, server) = (Folder::new(), silent());
    let mut child = begun(&folder, &server, "touch ready");
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    kill(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(began.elapsed() < Duration::from_secs(2));
}
