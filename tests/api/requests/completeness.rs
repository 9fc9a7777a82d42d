//! Lists that are written by hand have an entry for every route. A failure names the file to change.

use crate::support::{Contract, Filled, Server, spec, tables, templated, templates};
use edgeforge::inputs::take_known;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Parameters of all requests, and those of paths.
const COMMON: &[&str] = &["private_token", "access_token", "sudo", "format"];

#[test]
fn every_route_is_described_in_its_own_description_and_nothing_that_is_none() {
    for table in tables() {
        let of_table = |(verb, pattern): &(&str, &str)| format!("{verb} {}", templated(pattern));
        let routes: BTreeSet<String> = table.routes.iter().map(of_table).collect();
        let told = table.contract.operations().iter();
        let described: BTreeSet<String> = told.map(|known| format!("{} {}", known.method, known.path)).collect();
        let missing: Vec<_> = routes.difference(&described).collect();
        let invented: Vec<_> = described.difference(&routes).collect();
        assert!(
            missing.is_empty(),
            "{} has routes without a description; add them in openapi/: {missing:#?}",
            table.name
        );
        assert!(invented.is_empty(), "{} describes operations that are not in src/routes/: {invented:#?}", table.name);
    }
}

/// Endpoints that read their body themselves, as a stream: src/areas/mirror/push.rs and moves.rs.
const OWN_READERS: &[(&str, &str)] = &[
    ("POST", "/projects/{id}/mirror/commits"),
    ("PUT", "/projects/{id}/mirror/refs"),
    ("POST", "/projects/{id}/mirror/objects/lacking"),
    ("PUT", "/projects/{id}/mirror/contents"),
    ("POST", "/projects/{id}/import_records"),
    // described parameters that cannot be sent together
    ("POST", "/projects/{id}/issues/{issue_iid}/notes"),
    ("POST", "/projects/{id}/issues/{issue_iid}/discussions"),
    ("POST", "/projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes"),
    ("GET", "/projects/{id}/environments"),
    ("GET", "/issues"),
    ("GET", "/groups/{id}/issues"),
    ("GET", "/projects/{id}/issues"),
];

/// Parameters of a form that another endpoint shares; they have no effect here.
const SHARED: &[(&str, &str, &[&str])] = &[
    ("POST", "/projects/{id}/issues/{issue_iid}/move", &["with_notes"]),
    ("PUT", "/projects/{id}/labels/{name}", &["label_id", "name"]),
    ("DELETE", "/projects/{id}/labels", &["color", "description", "new_name"]),
    ("GET", "/projects/{id}/repository/commits/{sha}/diff", &["cursor"]),
    ("GET", "/projects/{id}/repository/tree", &["cursor"]),
];

/// A value of the described type.
fn sample(contract: &Contract, schema: &Value) -> Value {
    let schema = followed(contract, schema);
    if let Some(first) = ["oneOf", "anyOf", "allOf"].iter().find_map(|of| schema[*of].as_array()?.first()) {
        return sample(contract, first);
    }
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    let kind = schema["type"].as_array().map_or(&schema["type"], |kinds| &kinds[0]);
    match (kind.as_str(), schema["format"].as_str()) {
        (Some("integer" | "number"), _) => json!(1),
        (Some("boolean"), _) => json!(true),
        (Some("array"), _) => json!([sample(contract, &schema["items"])]),
        (_, Some("date")) => json!("2999-01-01"),
        (_, Some("date-time")) => json!("2016-01-01T00:00:00Z"),
        _ => json!("x"),
    }
}

fn followed(contract: &Contract, value: &Value) -> Value {
    let pointer = value["$ref"].as_str().and_then(|address| address.strip_prefix('#'));
    pointer.map_or(value, |pointer| contract.document.pointer(pointer).unwrap()).clone()
}

/// A value by the parameter's name.
fn named_sample(contract: &Contract, name: &str, schema: &Value) -> Value {
    let ends = |end: &&str| name.ends_with(*end);
    match name {
        "expires_at" => json!("2999-01-01"),
        // a request with this one is refused
        "regex" => json!(""),
        "id_after" => json!(1),
        "id_before" => json!(1000),
        _ if ["_after", "_before", "_at", "since", "until"].iter().any(ends) => json!("2016-01-01T00:00:00Z"),
        _ => sample(contract, schema),
    }
}

/// All described parameters of an operation, in the query or in the body.
fn parameters(contract: &Contract, verb: &str, template: &str) -> (Vec<(String, String)>, Map<String, Value>) {
    let told = &contract.document["paths"][template][verb.to_lowercase()];
    let mut query = Vec::new();
    for parameter in told["parameters"].as_array().into_iter().flatten() {
        let parameter = followed(contract, parameter);
        let name = parameter["name"].as_str().unwrap().to_owned();
        if parameter["in"] == "query" && name != "cursor" {
            let value = named_sample(contract, &name, &parameter["schema"]);
            let value = value.as_array().and_then(|list| list.first()).cloned().unwrap_or(value);
            query.push((name, value.as_str().map_or(value.to_string(), str::to_owned)));
        }
    }
    let body = followed(contract, &told["requestBody"]["content"]["application/json"]["schema"]);
    let members = body["properties"].as_object().cloned().unwrap_or_default();
    (
        query,
        members
            .into_iter()
            .map(|(name, schema)| {
                let value = named_sample(contract, &name, &schema);
                (name, value)
            })
            .collect(),
    )
}

#[test]
fn what_an_endpoint_reads_is_described_and_what_is_described_is_read() {
    if !spec().is_in_process() {
        return;
    }
    let mut told = Vec::new();
    for table in tables() {
        let server = Server::own(templates::blobs());
        let scene = Filled::new(server);
        let mut routes = table.routes.to_vec();
        // deletes last, and contents before their containers
        routes.sort_by_key(|(verb, pattern)| (*verb == "DELETE", std::cmp::Reverse(pattern.len())));
        for (verb, pattern) in routes {
            let template = templated(pattern);
            let operation =
                table.contract.operations().iter().find(|known| known.method == verb && known.path == template);
            let Some(operation) = operation else { continue };
            let (query, body) = parameters(table.contract, verb, &template);
            let mut target = scene.address(pattern);
            for (at, (name, value)) in query.iter().enumerate() {
                let pair = crate::support::urlencoded(&[(name, value)]);
                target.push_str(&format!("{}{pair}", if at == 0 { "?" } else { "&" }));
            }
            let ask = table.ask(server, verb, target).by(&server.root());
            take_known();
            let answer = if verb == "GET" { ask.send() } else { ask.json(body.into()).send() };
            let read: BTreeSet<String> = take_known().into_iter().map(str::to_owned).collect();
            let described: BTreeSet<String> = operation.parameters.keys().cloned().collect();
            let shares = |name: &str| {
                let of_route = SHARED.iter().filter(|shared| shared.0 == verb && shared.1 == template);
                of_route.flat_map(|shared| shared.2).any(|shared| *shared == name)
            };
            let is_common = |name: &&String| COMMON.contains(&name.as_str()) || shares(name);
            let hidden: Vec<_> = read.difference(&described).filter(|name| !is_common(name)).collect();
            let unread: Vec<_> = described.difference(&read).filter(|name| !is_common(name)).collect();
            if !hidden.is_empty() {
                told.push(format!(
                    "{} {verb} {template} reads parameters that openapi/ does not describe: {hidden:?}",
                    table.name
                ));
            }
            if !unread.is_empty() && !OWN_READERS.contains(&(verb, template.as_str())) {
                told.push(format!(
                    "{} {verb} {template} does not read parameters that openapi/ describes: {unread:?} (it answered {})",
                    table.name, answer.text
                ));
            }
        }
    }
    assert!(told.is_empty(), "parameters and description differ:\n{}", told.join("\n"));
}

/// One described parameter after the other has a wrong value. `Contract::check` panics if an answer names a described
/// parameter as unread.
#[test]
fn a_refusal_names_what_nobody_reads_and_no_parameter_of_its_route() {
    let mut named = 0;
    for table in tables() {
        let server = Server::own(templates::blobs());
        let scene = Filled::new(server);
        for (verb, pattern) in table.routes {
            let (query, body) = parameters(table.contract, verb, &templated(pattern));
            for wrong in query.iter().map(|(name, _)| name).chain(body.keys()) {
                let ask = table.ask(server, verb, scene.address(pattern)).by(&server.root()).query("titel", "x");
                let value = |name: &String, value: &String| if name == wrong { "\u{1}".into() } else { value.clone() };
                let ask = query.iter().fold(ask, |ask, (name, told)| ask.query(name, &value(name, told)));
                let mut body = body.clone();
                body.entry(wrong).and_modify(|value| *value = json!([{ "odd": 1 }]));
                let answer = if *verb == "GET" { ask.send() } else { ask.json(body.clone().into()).send() };
                let unread = answer.header("X-Unread-Parameters");
                named += usize::from([400, 422].contains(&answer.status) && unread == Some("titel"));
                // without one of its parameters
                if body.remove(wrong).is_some() && *verb != "GET" {
                    table.ask(server, verb, scene.address(pattern)).by(&server.root()).json(body.into()).send();
                }
            }
        }
    }
    assert!(named > 500, "{named}");
}

#[test]
fn every_list_has_a_place_in_the_table_of_costs() {
    let mut missing = Vec::new();
    for table in tables() {
        let file = format!("{}/lab/cost-{}.mjs", env!("CARGO_MANIFEST_DIR"), table.name);
        let script = std::fs::read_to_string(&file).unwrap();
        for (verb, pattern) in table.routes.iter().filter(|(verb, _)| *verb == "GET") {
            let template = templated(pattern);
            let told = &table.contract.document["paths"][&template][verb.to_lowercase()];
            let name = told["operationId"].as_str().unwrap_or_default();
            let operation =
                table.contract.operations().iter().find(|known| known.method == *verb && known.path == template);
            let is_list = operation.is_some_and(|known| known.parameters.contains_key("per_page"));
            // the script finds those of missing records itself, or names them by their end
            let is_empty = told["tags"] == json!(["Empty lists"])
                || script.contains(&format!("\"{}\"", name.trim_start_matches("list")));
            if is_list && !is_empty && !script.contains(&format!("  {name}:")) {
                missing.push(format!("{name} (GET {template}, {file})"));
            }
        }
    }
    assert!(missing.is_empty(), "these lists are missing in `lists` of the script named; add them: {missing:#?}");
}
