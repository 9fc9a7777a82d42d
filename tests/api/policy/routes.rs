//! Who may use each route: `routes.txt` shows it to those who review a change of the tables.

use crate::support::{difference, tables, templated};
use edgeforge::http::Content;
use edgeforge::policy::{Action, least};
use edgeforge::route::Route;
use std::fmt::Write;

/// Segments of the routes that write and that everybody may use who may read: what they write is the caller's own.
const OF_READERS: [&str; 6] = ["award_emoji", "subscription", "subscribe", "unsubscribe", "todo", "rotate"];

fn words(route: &Route) -> Vec<&'static str> {
    let body = match route.content {
        Content::Parameters => "",
        Content::Message => "@message",
        Content::Pieces => "@pieces",
    };
    let is_set = [
        (route.is_costly, "@costly"),
        (route.is_push, "@push"),
        (route.repeats_errors, "@publishes"),
        (route.takes_passwords, "@password"),
    ];
    let words = is_set.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word);
    [body].into_iter().filter(|word| !word.is_empty()).chain(words).collect()
}

/// The action, and the least access of a member who may, or the least visibility from which on every user may.
fn right(action: Action) -> String {
    match least(action) {
        (access, None) => format!("{action:?} ({access:?})"),
        (access, Some(visibility)) => format!("{action:?} ({access:?}, or {visibility:?} project)"),
    }
}

#[test]
fn the_routes_ask_for_what_the_table_says() {
    let mut text =
        "Who may use each route: place, actions with the least level of a member who may, words behind `@`.\n\
                    Written by UPDATE_SNAPSHOTS=1 cargo test --test api policy\n"
            .to_owned();
    for table in tables() {
        for route in edgeforge::routes(table.dialect) {
            let rights: Vec<String> = route.actions.iter().copied().map(right).collect();
            let rights = [&[format!("{:?}", route.place)], &rights[..]].concat().join(", ");
            let words = words(route).join(" ");
            let line = format!("{} {:6} {}  {rights} {words}", table.name, route.verb, route.pattern);
            writeln!(text, "{}", line.trim_end()).unwrap();
        }
    }
    let how = "if that is meant, write it with UPDATE_SNAPSHOTS=1 cargo test --test api policy";
    assert_eq!(difference("tests/api/policy/routes.txt", &text), None, "routes.txt differs: {how}");
}

/// Others are described without an answer that is no refusal, and the suite holds the descriptions.
#[test]
fn a_write_asks_for_more_than_reading() {
    for table in tables() {
        for route in edgeforge::routes(table.dialect) {
            let reads = |action: &Action| format!("{action:?}").starts_with("Read");
            let is_weak = !route.actions.is_empty() && route.actions.iter().all(reads);
            let is_own = route.path.iter().any(|part| part.word().is_some_and(|word| OF_READERS.contains(&word)));
            if route.verb == "GET" || !is_weak || is_own {
                continue;
            }
            let path = templated(route.pattern);
            let described = table.contract.operation(route.verb, &path).expect("a described route");
            let is_refused = described.answers.keys().all(|status| !status.starts_with('2'));
            assert!(is_refused, "{} {}: name an action that writes", route.verb, route.pattern);
        }
    }
}

#[test]
fn a_route_takes_its_body_in_pieces_if_a_file_is_described() {
    for table in tables() {
        for route in edgeforge::routes(table.dialect) {
            let verb = route.verb.to_lowercase();
            let described = &table.contract.document["paths"][&templated(route.pattern)][&verb];
            let body = described["requestBody"]["content"].to_string();
            let has_file = body.contains("octet-stream") || body.contains("ndjson") || body.contains("\"binary\"");
            let is_in_pieces = matches!(route.content, Content::Pieces);
            assert_eq!(is_in_pieces, has_file, "{} {}: @pieces, openapi/", route.verb, route.pattern);
        }
    }
}
