//! The list of what administrators did.

mod list;
mod rows;

use crate::support::{Ask, Person, Server, Table};
use edgeforge::route::Route;
use serde_json::{Value, json};

/// No row may have these.
const SECRETS: [&str; 4] = ["hidden-password", "hidden-token", "hidden-value", "hidden-name"];

const URL: &str = "https://u:hidden-password@hooks.example.org/{a}";

fn events(server: &'static Server) -> Vec<Value> {
    let listed = server.ask_v4("GET", "/audit_events?per_page=100").by(&server.root()).gives(200).json;
    listed.as_array().unwrap().clone()
}

fn count(server: &Server) -> i64 {
    server.rows("select json_quote(count(*)) as v from audit_events")[0].as_i64().unwrap()
}

fn is_for_administrators(route: &&'static Route) -> bool {
    route.place == edgeforge::Place::Admin && route.verb != "GET"
}

fn new_user(server: &'static Server) -> i64 {
    server.person("Pat").id
}

fn new_hook(server: &'static Server) -> i64 {
    // the system has at most 20
    server.tamper("delete from hooks");
    let hook = json!({
        "url": URL, "token": "hidden-token", "custom_headers": [{ "key": "X-A", "value": "hidden-value" }],
        "url_variables": [{ "key": "a", "value": "hidden-value" }, { "key": "b", "value": "hidden-value" }],
    });
    server.ask_v4("POST", "/hooks").by(&server.root()).json(hook).gives(201).id()
}

fn deleted_project(server: &'static Server) -> i64 {
    let pat = server.person("Pat");
    let project = server.project(&pat, pat.id, crate::support::Visibility::Private);
    server.ask_v4("DELETE", format!("/projects/{}", project.id)).by(&pat).gives(202);
    project.id
}

/// A request of this route that succeeds, and the kind and id of what it is about. The id is None if the request makes it.
fn request(server: &'static Server, table: &Table, route: &Route) -> (Ask, &'static str, Option<i64>) {
    let name = crate::support::unique("new");
    let user = || ("User", Some(new_user(server)));
    let hook = || ("SystemHook", Some(new_hook(server)));
    let limit = crate::support::random_number() % 1_000_000;
    let (about, body): (_, Value) = match (route.verb, route.address().as_str()) {
        (_, "/application/settings") => (("ApplicationSetting", None), json!({ "default_projects_limit": limit })),
        (_, "/users") => {
            (("User", None), json!({ "email": format!("{name}@example.com"), "username": name, "name": "hidden-name" }))
        }
        ("PUT", "/users/:id") => (user(), json!({ "name": "hidden-name" })),
        (_, "/users/:id" | "/users/:id/block" | "/users/:id/unblock") => (user(), json!({})),
        (_, "/projects/user/:user_id") => (("Project", None), json!({ "name": name })),
        (_, "/projects/:id/restore") => (("Project", Some(deleted_project(server))), json!({})),
        (_, "/hooks") => (("SystemHook", None), json!({ "url": "https://hooks.example.org/" })),
        ("PUT", "/hooks/:hook_id") => (hook(), json!({ "token": "hidden-token" })),
        (_, "/hooks/:hook_id") => (hook(), json!({})),
        (_, address) if address.starts_with("/hooks/:hook_id/") => (hook(), json!({ "value": "hidden-value" })),
        (verb, address) => panic!("{verb} {address} writes for administrators: add a request of it"),
    };
    let (kind, id) = about;
    let shown = id.unwrap_or_else(|| new_user(server)).to_string();
    let key = if route.address().contains("custom_headers") { "X-A" } else { "b" };
    let path = [":id", ":user_id", ":hook_id"]
        .iter()
        .fold(route.address(), |path, name| path.replace(&format!("/{name}"), &format!("/{shown}")));
    (table.ask(server, route.verb, path.replace("/:key", &format!("/{key}"))).json(body), kind, id)
}

/// A new user who is an administrator.
fn administrator(server: &'static Server) -> Person {
    let ada = server.person("Ada");
    server.ask_v4("PUT", format!("/users/{}", ada.id)).by(&server.root()).json(json!({ "admin": true })).gives(200);
    ada
}
