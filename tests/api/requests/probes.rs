//! `/-/liveness`, `/-/readiness` and `/-/health` (behaviour 5.6).

use crate::support::{Fault, Server, now, spec};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn readiness(server: &Server) -> (u16, Value) {
    let (status, kind, body) = server.outside("GET", "/-/readiness");
    assert_eq!(kind, "application/json");
    (status, serde_json::from_str(&body).unwrap())
}

const CHECKS: [&str; 4] = ["config_check", "db_check", "kv_check", "r2_check"];

/// The checks that fail, with their messages.
fn failed(server: &Server) -> Vec<(&'static str, String)> {
    let (status, body) = readiness(server);
    assert_eq!((status, &body["status"]), (503, &json!("failed")), "{body}");
    let message = |check: &str| body[check][0]["message"].as_str().map(str::to_owned);
    CHECKS.into_iter().filter_map(|check| message(check).map(|text| (check, text))).collect()
}

const UNMIGRATED: &str = "the database lacks tables of this version: run scripts/migrate, or npx wrangler d1 migrations apply DB --local for a local server";

/// Of what requests ask first.
const EMPTIED: &str = "drop view callers; drop table d1_migrations";

#[test]
fn probes_need_no_token_and_say_that_the_server_runs() {
    let (status, kind, body) = spec().outside("GET", "/-/health");
    assert_eq!((status, kind.as_str(), body.as_str()), (200, "text/plain; charset=utf-8", "edgeforge OK\n"));
    let (status, kind, body) = spec().outside("GET", "/-/liveness");
    assert_eq!((status, kind.as_str(), body.as_str()), (200, "application/json", r#"{"status":"ok"}"#));
    let ok = json!([{ "status": "ok" }]);
    let (status, body) = readiness(spec());
    assert_eq!((status, &body["status"]), (200, &json!("ok")));
    for check in CHECKS {
        assert_eq!(body[check], ok, "{check}");
    }
    assert_eq!(spec().outside("HEAD", "/-/readiness").0, 200);
}

#[test]
fn a_probe_by_another_verb_or_name_is_not_found() {
    for (verb, path) in [("POST", "/-/readiness"), ("GET", "/-/ready"), ("GET", "/-/readiness/x"), ("GET", "/-/")] {
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
    assert_eq!(failed(server), [("db_check", "D1 does not answer".to_owned())]);
    assert_eq!(server.outside("GET", "/-/liveness").0, 200);
}

#[test]
fn readiness_fails_until_the_newest_migration_is_applied() {
    if !spec().is_in_process() {
        return;
    }
    let lacking = [("db_check", UNMIGRATED.to_owned())];
    let server = Server::with(|_| ());
    server.tamper("insert into d1_migrations (name) values ('0000_of_a_later_version.sql')");
    assert_eq!(readiness(server).0, 200);
    server.tamper("delete from d1_migrations where name = (select max(name) from d1_migrations)");
    server.turn_to(now() + 5000);
    assert_eq!(failed(server), lacking, "NEWEST in src/areas/health/mod.rs is not the newest file of migrations/");
    let server = Server::with(|_| ());
    server.tamper(EMPTIED);
    assert_eq!(failed(server), lacking);
}

#[test]
fn a_database_without_tables_is_503_with_the_command_that_makes_them() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    server.tamper(EMPTIED);
    // no fault: only such a server may answer 503
    server.database().break_down(|| None);
    let refusal = json!({ "message": format!("503 Service Unavailable - {UNMIGRATED}") });
    for ask in [server.get("/projects"), server.ask_v4("GET", "/projects"), server.ask_v4("GET", "/user")] {
        let answer = ask.header("PRIVATE-TOKEN", "anybody's").gives(503);
        assert_eq!((&answer.json, answer.header("Retry-After")), (&refusal, Some("60")));
        assert!(answer.cause().unwrap().contains("no such table: callers"));
    }
    assert_eq!(server.ask_v4("GET", "/projects").gives(503).json, refusal);
}

#[test]
fn readiness_fails_without_license_templates() {
    let what = "KV has no license templates: run make deploy, or make licenses for a local server";
    assert_eq!(failed(Server::own(BTreeMap::new())), [("kv_check", what.to_owned())]);
}

#[test]
fn readiness_fails_while_nobody_has_a_token_to_begin_with() {
    let what = "there is no ADMIN_TOKEN, and nobody has a token: run npx wrangler secret put ADMIN_TOKEN, or write it into .dev.vars for a local server";
    let server = Server::with(|config| config.admin_token_hash = None);
    assert_eq!(failed(server), [("config_check", what.to_owned())]);
    server.tamper("insert into tokens (hash, id, user_id, name, created_at) values ('x', 1, 1, 'laptop', 0)");
    server.turn_to(now() + 5000);
    assert_eq!(readiness(server).0, 200);
    server.tamper(EMPTIED);
    server.turn_to(now() + 10_000);
    assert_eq!(failed(server), [("config_check", what.to_owned()), ("db_check", UNMIGRATED.to_owned())]);
}

#[test]
fn what_readiness_names_is_in_the_log() {
    let answer = Server::own(BTreeMap::new()).exchange("GET", "/-/readiness", &[], None);
    assert!(answer.record.unwrap().cause.unwrap().starts_with("KV has no license templates"));
}

#[test]
fn readiness_names_the_error_in_the_configuration() {
    if !spec().is_in_process() {
        return;
    }
    let fault = "ADMIN_TOKEN has fewer than 20 characters";
    let server = Server::with(|config| config.fault = Some(fault.to_owned()));
    assert_eq!(failed(server), [("config_check", fault.to_owned())]);
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

#[test]
fn the_first_probes_at_once_ask_the_database_once() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    server.database().record();
    std::thread::scope(|scope| {
        (0..4).for_each(|_| drop(scope.spawn(|| assert_eq!(readiness(server).0, 200))));
    });
    assert_eq!(server.database().recorded().len(), 1);
}
