//! The OpenAPI description. `Ask::send` checks that every answer of the suite is as described.

use crate::support::{contract, spec, unique};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn every_operation_has_a_name_of_its_own_and_its_links_lead_to_one() {
    let paths = contract().document["paths"].as_object().unwrap();
    let operations: Vec<_> = paths.values().flat_map(|verbs| verbs.as_object().unwrap().values()).collect();
    let names: BTreeSet<&str> = operations.iter().map(|told| told["operationId"].as_str().unwrap()).collect();
    assert_eq!(names.len(), operations.len());
    for answer in operations.iter().flat_map(|told| told["responses"].as_object().unwrap().values()) {
        for link in answer["links"].as_object().into_iter().flat_map(|links| links.values()) {
            let to = link["operationId"].as_str().unwrap();
            assert!(names.contains(to), "{to}");
        }
    }
}

#[test]
fn every_described_header_may_be_read_by_a_page_of_another_origin() {
    let answer = spec().get("/licenses").gives(200);
    let exposed: BTreeSet<&str> = answer.header("Access-Control-Expose-Headers").unwrap().split(", ").collect();
    let described = contract().document["components"]["headers"].as_object().unwrap();
    // browsers show this one in any case
    let missing: Vec<_> =
        described.keys().filter(|name| *name != "Cache-Control" && !exposed.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_placeholder_of_a_path_is_described() {
    for (path, verbs) in contract().document["paths"].as_object().unwrap() {
        let named: BTreeSet<&str> = path.split(['{', '}']).skip(1).step_by(2).collect();
        for told in verbs.as_object().unwrap().values() {
            let parameters = told["parameters"].as_array().into_iter().flatten();
            let placed = parameters.filter(|told| told["in"] == "path");
            let described: BTreeSet<&str> = placed.map(|told| told["name"].as_str().unwrap()).collect();
            assert_eq!(described, named, "{path}");
        }
    }
}

#[test]
fn the_description_is_served_and_the_page_that_shows_it() {
    let Some((kind, text)) = spec().file("/api/v3/openapi.json") else { return };
    assert_eq!(kind, "application/json");
    let served: Value = serde_json::from_str(&text).unwrap();
    assert!(served == contract().document, "the served description is stale: run scripts/build");
    let (kind, page) = spec().file("/docs").expect("a page");
    assert!(kind.starts_with("text/html") && page.contains("swagger-ui"), "{kind}: {page}");
}

#[test]
fn a_path_is_described_as_it_is_taken() {
    let zoe = spec().person("Paths");
    let described = |name: &str| {
        let schema = &contract().document["components"]["schemas"][name]["properties"]["path"];
        jsonschema::validator_for(schema).unwrap()
    };
    let (project, group) = (described("NewProjectParams"), described("NewGroupParams"));
    let base = unique("p");
    for (form, both, of_project) in [
        ("{}", true, true),
        ("{}.b", true, true),
        (".{}", true, true),
        ("_{}-", true, true),
        ("{}.", false, true),
        ("-{}", false, false),
        ("{}.git", false, false),
        ("{}.Json", false, false),
        ("{} x", false, false),
        ("{}/x", false, false),
    ] {
        let path = Value::from(form.replace("{}", &base));
        let new = json!({ "name": unique("n"), "path": path });
        let status = |to: &str| spec().post(to).by(&zoe).json(new.clone()).send().status;
        assert_eq!((status("/groups") == 201, group.is_valid(&path)), (both, both), "group {path}");
        assert_eq!((status("/projects") == 201, project.is_valid(&path)), (of_project, of_project), "project {path}");
    }
}
