//! `/-/liveness`, `/-/readiness` and `/-/health` (behaviour 5.6).

use crate::support::{Fault, Server, now, spec};
use serde_json::{Value, json};

fn readiness(server: &Server) -> (u16, Value) {
    let (status, kind, body) = server.outside("GET", "/-/readiness");
    assert_eq!(kind, "application/json");
    (status, serde_json::from_str(&body).unwrap())
}

#[test]
fn probes_need_no_token_and_say_that_the_server_runs() {
    let (status, kind, body) = spec().outside("GET", "/-/health");
    assert_eq!((status, kind.as_str(), body.as_str()), (200, "text/plain; charset=utf-8", "edgeforge OK\n"));
    let (status, kind, body) = spec().outside("GET", "/-/liveness");
    assert_eq!((status, kind.as_str(), body.as_str()), (200, "application/json", r#"{"status":"ok"}"#));
    let ok = json!([{ "status": "ok" }]);
    let (status, body) = readiness(spec());
    assert_eq!((status, &body["status"]), (200, &json!("ok")));
    for check in ["config_check", "db_check", "kv_check", "r2_check"] {
        assert_eq!(body[check], ok, "{check}");
    }
    assert_eq!(spec().outside("HEAD", "/-/readiness").0, 200);
}

#[test]
fn a_probe_by_another_verb_or_name_is_not_found() {
    for (verb, path) in
        [("POST", "/-/readiness"), ("GET", "/-/ready"), ("GET", "/-/readiness/x"), ("GET", "/-/")]
    {
        let (status, _, body) = spec().outside(verb, path);
        assert_eq!((status, body.trim()), (404, r#"{"error":"404 Not Found"}"#), "{verb} {path}");
    }
}

#[test]
fn readiness_fails_without_the_database_and_liveness_does_not() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    assert_eq!(readiness(server).0, 200);
    server.database().break_down(|| Some(Fault::Before("Network connection lost")));
    // for a second the last answer holds
    assert_eq!(readiness(server).0, 200);
    server.turn_to(now() + 5000);
    let (status, body) = readiness(server);
    assert_eq!((status, &body["status"]), (503, &json!("failed")));
    assert_eq!(body["db_check"], json!([{ "status": "failed", "message": "D1 does not answer" }]));
    assert_eq!(body["kv_check"], json!([{ "status": "ok" }]));
    assert_eq!(server.outside("GET", "/-/liveness").0, 200);
}

#[test]
fn readiness_names_the_error_in_the_configuration() {
    if !spec().is_in_process() {
        return;
    }
    let fault = "ADMIN_TOKEN has fewer than 20 characters";
    let server = Server::with(|config| config.fault = Some(fault.to_owned()));
    let (status, body) = readiness(server);
    assert_eq!(status, 503);
    assert_eq!(body["config_check"], json!([{ "status": "failed", "message": fault }]));
    assert_eq!(server.outside("GET", "/api/v3/version").0, 500);
}

#[test]
fn many_probes_in_a_second_ask_the_database_once() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    server.database().record();
    for _ in 0..20 {
        assert_eq!(readiness(server).0, 200);
    }
    assert_eq!(server.database().recorded().len(), 1);
}
