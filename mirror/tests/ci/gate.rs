use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{Answer, Folder, NOBODY, Request, SHA, Server, said};

fn gate(server: &str, options: &[&str]) -> Output {
    Folder::new().program(server, "gate").args(["--sha", SHA, "--retries", "0"]).args(options).output().unwrap()
}

fn answer(state: &str) -> Value {
    json!({"sha": SHA, "state": state, "checks": [{"name": "ci/test", "ref": "main", "state": "running", "job_id": 7}]})
}

fn code(answer: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static, options: &[&str]) -> Option<i32> {
    gate(&Server::with(answer).address, options).status.code()
}

#[test]
fn only_green_is_zero() {
    assert_eq!(code(|_, _| Some((200, answer("success"))), &[]), Some(0));
    assert_eq!(code(|_, _| Some((409, answer("failed"))), &["--wait", "1m"]), Some(1));
    assert_eq!(code(|_, _| Some((409, answer("pending"))), &[]), Some(8));
    assert_eq!(code(|_, _| Some((404, json!({"message": "404 Commit Not Found"}))), &[]), Some(8));
    // a proxy, an old server, a wrong token, too many refs, an outage, an answer of no sense
    assert_eq!(code(|_, _| Some((200, json!(null))), &[]), Some(4));
    assert_eq!(code(|_, _| Some((200, answer("pending"))), &[]), Some(4));
    assert_eq!(code(|_, _| Some((409, answer("success"))), &[]), Some(4));
    for status in [301, 400, 401, 403, 404, 422, 429, 500, 503] {
        assert_eq!(code(move |_, _| Some((status, json!({"message": "no"}))), &[]), Some(4), "{status}");
    }
    assert_eq!(code(|_, _| None, &[]), Some(4));
    assert_eq!(gate(NOBODY, &[]).status.code(), Some(4));
}

#[test]
fn what_is_asked_is_in_the_query() {
    let server = Server::with(|_, _| Some((200, answer("success"))));
    let options =
        ["--names", "ci/test, lint", "--name", "os (a, b)", "--ref", "main", "--users", "1,-7", "--allow-skipped"];
    let output = gate(&server.address, &options);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "running ci/test main\n");
    let query = "names%5B%5D=ci%2Ftest&names%5B%5D=lint&names%5B%5D=os%20%28a%2C%20b%29&user_id%5B%5D=1&user_id%5B%5D=-7&ref=main&allow_skipped=true";
    let line = format!("GET /api/v4/projects/ann%2Fproj/repository/commits/{SHA}/gate?{query}");
    assert_eq!(server.requests()[0].line, line);
}

#[test]
fn a_gate_waits_while_that_helps() {
    let server = Server::with(|_, number| match number {
        1 => Some((404, json!({"message": "404 Commit Not Found", "state": "pending"}))),
        2 => Some((409, answer("pending"))),
        _ => Some((200, answer("success"))),
    });
    let output = gate(&server.address, &["--wait", "9s"]);
    assert_eq!((output.status.code(), server.requests().len()), (Some(0), 3), "{}", said(&output));
    let began = Instant::now();
    let pending = Server::with(|_, _| Some((409, answer("pending"))));
    assert_eq!(gate(&pending.address, &["--wait", "3s", "--missing", "0"]).status.code(), Some(8));
    assert!(began.elapsed() > Duration::from_secs(2) && pending.requests().len() >= 3);
}

#[test]
fn a_status_that_never_comes_ends_the_wait() {
    let missing =
        json!({"sha": SHA, "state": "pending", "checks": [{"name": "typo", "ref": "main", "state": "missing"}]});
    let server = Server::with(move |_, _| Some((409, missing.clone())));
    let began = Instant::now();
    let output = gate(&server.address, &["--names", "typo", "--wait", "1h", "--missing", "2s"]);
    assert_eq!(output.status.code(), Some(8));
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(String::from_utf8(output.stdout).unwrap().contains("missing typo main"));
}
