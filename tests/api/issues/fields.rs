//! The fields that a request sets and the answer shows under one name. They come from the descriptions in `openapi/`,
//! so a new one is tried here, too.

use crate::hooks::{body, delivered, hook};
use crate::support::{Server, Table, Visibility, World, now, spec, tables};
use serde_json::{Value, json};

/// Parameters that the answer shows in another form, or that have tests of their own.
const APART: [&str; 6] = ["created_at", "iid", "issue_type", "labels", "milestone", "updated_at"];

fn schema<'a>(table: &'a Table, name: &str) -> &'a serde_json::Map<String, Value> {
    table.contract.document["components"]["schemas"][name]["properties"].as_object().unwrap()
}

/// Each field with two values.
fn fields(table: &Table) -> Vec<(&str, [Value; 2])> {
    let (new, changed, shown) = (schema(table, "NewIssueParams"), schema(table, "IssueParams"), schema(table, "Issue"));
    let plain = new.iter().filter(|(name, _)| shown.contains_key(*name) && !APART.contains(&name.as_str()));
    let fields = plain.map(|(name, described)| {
        assert!(changed.contains_key(name), "{} {name}: a change takes it, too", table.name);
        let values = match described {
            described if described["type"] == "boolean" => [json!(true), json!(false)],
            described if described["format"] == "date" => [json!("2030-01-02"), json!("2031-02-03")],
            described if described["enum"].is_array() => [described["enum"][0].clone(), described["enum"][1].clone()],
            described => {
                assert_eq!(described["type"], "string", "{} {name}: give it two values here", table.name);
                [json!("one"), json!("two")]
            }
        };
        (name.as_str(), values)
    });
    fields.collect()
}

fn path(table: &Table, world: &World, issue: &Value) -> String {
    let name = if table.name == "v4" { &issue["iid"] } else { &issue["id"] };
    format!("{}/{name}", world.at("/issues"))
}

fn create(table: &Table, world: &World, value: impl Fn(&[Value; 2]) -> Value) -> Value {
    let mut new = json!({ "title": "t" });
    new.as_object_mut().unwrap().extend(fields(table).iter().map(|(name, both)| ((*name).to_owned(), value(both))));
    table.ask(world.server, "POST", world.at("/issues")).by(&world.ann).json(new).gives(table.dialect.created()).json
}

#[test]
fn a_field_is_shown_as_it_was_made_changed_and_moved() {
    for table in tables() {
        let world = World::new(spec(), Visibility::Private);
        let target = world.sibling(Visibility::Private).project;
        let issue = create(&table, &world, |[first, _]| first.clone());
        let ask = |verb: &str, end: &str, fields: Value| {
            let path = format!("{}{end}", path(&table, &world, &issue));
            let ask = table.ask(world.server, verb, path).by(&world.ann);
            match verb {
                "GET" => ask.gives(200).json,
                "PUT" => ask.json(fields).gives(200).json,
                _ => ask.json(fields).gives(201).json,
            }
        };
        for (name, [first, second]) in fields(&table) {
            assert_eq!([&issue[name], &ask("GET", "", Value::Null)[name]], [&first; 2], "{} {name}", table.name);
            let changed = ask("PUT", "", json!({ name: second }));
            assert_eq!([&changed[name], &ask("GET", "", Value::Null)[name]], [&second; 2], "{} {name}", table.name);
        }
        let moved = ask("POST", "/move", json!({ "to_project_id": target.id }));
        for (name, [_, second]) in fields(&table) {
            assert_eq!(moved[name], second, "{} {name}", table.name);
        }
    }
}

#[test]
fn a_hook_is_sent_each_field_and_its_change() {
    let world = World::new(Server::with(|_| ()), Visibility::Internal);
    hook(&world, json!({ "issues_events": true, "confidential_issues_events": true }));
    for table in tables() {
        let issue = create(&table, &world, |[first, _]| first.clone());
        let opened = body(&delivered(world.server, now())[0]);
        for (name, [first, second]) in fields(&table) {
            assert_eq!(opened["object_attributes"][name], first, "{} {name}", table.name);
            let change = table.ask(world.server, "PUT", path(&table, &world, &issue)).by(&world.ann);
            change.json(json!({ name: second })).gives(200);
            let sent = delivered(world.server, now());
            let edited = body(sent.first().unwrap_or_else(|| panic!("{} {name}: the change is no event", table.name)));
            let difference = json!({ "previous": first, "current": second });
            assert_eq!(edited["changes"][name], difference, "{} {name}", table.name);
        }
    }
}

#[test]
fn a_filter_with_the_name_and_the_values_of_a_field_finds_the_issues_with_a_value() {
    for table in tables() {
        let world = World::new(spec(), Visibility::Private);
        let issues = [0, 1].map(|at| create(&table, &world, |both| both[at].clone())["id"].clone());
        let list = &table.contract.document["paths"]["/projects/{id}/issues"]["get"]["parameters"];
        let new = schema(&table, "NewIssueParams");
        for (name, values) in fields(&table) {
            let same = |filter: &&Value| {
                filter["name"] == name && ["type", "enum"].iter().all(|key| filter["schema"][key] == new[name][key])
            };
            if !list.as_array().unwrap().iter().any(|filter| same(&filter)) {
                continue;
            }
            for (value, issue) in values.iter().zip(&issues) {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let found = table.ask(world.server, "GET", format!("{}?{name}={value}", world.at("/issues")));
                assert_eq!(
                    found.by(&world.ann).gives(200).each("id"),
                    std::slice::from_ref(issue),
                    "{} {name}",
                    table.name
                );
            }
        }
    }
}
