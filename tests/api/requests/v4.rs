//! What holds for every request of v4.

use crate::support::{contract_v4, spec, templated, unique};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn every_route_of_v4_is_described_and_nothing_that_is_none() {
    let routes: BTreeSet<String> =
        crate::support::ROUTES_V4.iter().map(|(verb, pattern)| format!("{verb} {}", templated(pattern))).collect();
    let told = contract_v4().operations().iter().map(|known| format!("{} {}", known.method, known.path));
    let described: BTreeSet<String> = told.collect();
    let missing: Vec<_> = routes.difference(&described).collect();
    let invented: Vec<_> = described.difference(&routes).collect();
    assert!(missing.is_empty() && invented.is_empty(), "missing: {missing:#?}, invented: {invented:#?}");
}

#[test]
fn the_page_of_routes_tells_those_that_there_are() {
    let page = include_str!("../../../docs/v4.md");
    let told: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `/")?.split_once("` | "))
        .flat_map(|(path, rest)| {
            let verbs = rest.split(" | ").next().unwrap_or_default();
            verbs.split(", ").map(move |verb| format!("{verb} /{path}")).collect::<Vec<_>>()
        })
        .collect();
    let routes: BTreeSet<String> =
        crate::support::ROUTES_V4.iter().map(|(verb, pattern)| format!("{verb} {}", templated(pattern))).collect();
    let missing: Vec<_> = routes.difference(&told).collect();
    let invented: Vec<_> = told.difference(&routes).collect();
    assert!(missing.is_empty() && invented.is_empty(), "missing: {missing:#?}, invented: {invented:#?}");
}

#[test]
fn version_and_metadata_are_for_who_is_signed_in() {
    let ann = &spec().cast().ann;
    for path in ["/version", "/metadata"] {
        spec().ask_v4("GET", path).refused(401, json!({ "message": "401 Unauthorized" }));
        let told = spec().ask_v4("GET", path).by(ann).gives(200);
        let version = told.json["version"].as_str().unwrap();
        assert_eq!(version, "17.0.0-edgeforge");
        let kas = json!({ "enabled": false, "externalUrl": null, "externalK8sProxyUrl": null, "version": null });
        assert_eq!((&told.json["enterprise"], &told.json["kas"]), (&json!(false), &kas));
    }
}

#[test]
fn sudo_is_refused_in_the_words_of_v4() {
    let ann = &spec().cast().ann;
    let refused = json!({ "message": "403 Forbidden - Must be admin to use sudo" });
    spec().ask_v4("GET", "/version").by(ann).header("Sudo", "1").refused(403, refused);
    let name = unique("nobody");
    let missing = json!({ "message": format!("404 User with ID or username '{name}' Not Found") });
    spec().ask_v4("GET", "/version").by(&spec().root()).query("sudo", &name).refused(404, missing);
}

#[test]
fn an_unknown_path_is_404_and_an_unknown_verb_405() {
    spec().ask_v4("GET", "/nothing").refused(404, json!({ "error": "404 Not Found" }));
    let refused = spec().ask_v4("POST", "/version").gives(405);
    let text = "405 Not Allowed - this path takes OPTIONS, GET, HEAD; /docs lists all endpoints";
    assert_eq!(refused.json, json!({ "error": text }));
    assert_eq!(refused.header("Allow"), Some("OPTIONS, GET, HEAD"));
}
