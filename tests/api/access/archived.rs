//! An archived project is only read (behaviour 3.2).

use crate::support::v4::archived;
use crate::support::{Ask, Server, Visibility, World, spec, unique};
use edgeforge::policy::{Access, changes_archived, least};
use edgeforge::route::Route;
use edgeforge::{Dialect, Profile};
use serde_json::{Value, json};

const V3: Dialect = Dialect::V3(Profile::Spec);

fn ask(server: &'static Server, dialect: Dialect, verb: &str, path: String) -> Ask {
    if dialect == Dialect::V4 { server.ask_v4(verb, path) } else { server.ask(verb, path) }
}

/// The routes of projects that write, but for those of administrators (`imports::refusals`).
fn writes(dialect: Dialect) -> impl Iterator<Item = &'static Route> {
    edgeforge::routes(dialect).filter(|route| {
        let is_of_owners = route.actions.first().is_none_or(|action| least(*action).0 <= Access::Owner);
        route.verb != "GET" && route.place.is_project() && is_of_owners
    })
}

/// Whether the owner is refused because the project is archived.
fn is_refused(world: &World, dialect: Dialect, route: &Route) -> bool {
    let named = route.address().replacen(":id", &world.project.id.to_string(), 1);
    let path = named.split('/').map(|part| if part.starts_with(':') { "1" } else { part }).collect::<Vec<_>>();
    let answer = ask(spec(), dialect, route.verb, path.join("/")).by(&world.ann).json(json!({})).send();
    // v3 has two blanks before the reason
    let message = answer.json["message"].as_str().unwrap_or_default().replace("  ", " ");
    answer.status == 403 && json!({ "message": message }) == archived()
}

#[test]
fn an_archived_project_refuses_every_write_but_those_that_are_named() {
    let (live, closed) = (World::new(spec(), Visibility::Public), World::new(spec(), Visibility::Public));
    closed.post("/archive").by(&closed.ann).gives(201);
    let mut allowed = Vec::new();
    for dialect in [V3, Dialect::V4] {
        for route in writes(dialect) {
            if changes_archived(route.actions[0]) {
                allowed.push(format!("{} {}", route.verb, route.address()));
                continue;
            }
            assert!(is_refused(&closed, dialect, route), "{dialect:?} {} {}", route.verb, route.pattern);
            assert!(!is_refused(&live, dialect, route), "{dialect:?} {} {}", route.verb, route.pattern);
        }
    }
    allowed.sort();
    allowed.dedup();
    let expected = [
        "DELETE /projects/:id",
        "DELETE /projects/:id/access_tokens/:token_id",
        "DELETE /projects/:id/hook_tokens/:token_id",
        "DELETE /projects/:id/members/:user_id",
        "DELETE /projects/:id/mirror/commits/:sha",
        "POST /projects/:id/access_tokens",
        "POST /projects/:id/access_tokens/:token_id/rotate",
        "POST /projects/:id/archive",
        "POST /projects/:id/hook_tokens",
        "POST /projects/:id/members",
        "POST /projects/:id/unarchive",
        "PUT /projects/:id/members/:user_id",
    ];
    let (of_hook, others): (Vec<_>, Vec<_>) =
        allowed.into_iter().partition(|line| line.contains("/mirror/") && !line.starts_with("DELETE"));
    assert_eq!(others, expected);
    assert!(of_hook.len() > 3, "{of_hook:?}");
}

#[test]
fn a_write_to_an_archived_project_changes_no_record() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(1);
    let issue = world.issue(&world.ann, json!({ "title": "t", "labels": "bug" }));
    world.comment(&world.ann, &issue, "a comment");
    world.post("/milestones").by(&world.ann).json(json!({ "title": "m" })).gives(201);
    world.post("/archive").by(&world.ann).gives(201);
    let shown = || {
        let read = |path: &str| world.v4("GET", path).by(&world.ann).gives(200).json;
        let of_issue = ["", "/notes", "/links", "/award_emoji", "/time_stats"];
        let of_issue = of_issue.map(|path| read(&format!("/issues/{}{path}", issue["iid"])));
        let statuses = read(&format!("/repository/commits/{tip}/statuses"));
        let of_project =
            ["", "/issues", "/labels", "/milestones", "/environments", "/deployments", "/events"].map(read);
        json!([of_issue, statuses, of_project])
    };
    let before = shown();
    let at = format!("/issues/{}", issue["iid"]);
    let v4: &[(&str, String, Value)] = &[
        ("POST", "/issues".into(), json!({ "title": "u" })),
        ("PUT", at.clone(), json!({ "title": "u", "state_event": "close" })),
        ("POST", format!("{at}/notes"), json!({ "body": "b" })),
        ("POST", format!("{at}/discussions"), json!({ "body": "b" })),
        ("POST", format!("{at}/award_emoji"), json!({ "name": "star" })),
        ("POST", format!("{at}/unsubscribe"), json!({})),
        ("POST", format!("{at}/todo"), json!({})),
        ("POST", format!("{at}/time_estimate"), json!({ "duration": "1h" })),
        ("DELETE", at, json!({})),
        ("POST", "/labels".into(), json!({ "name": "l", "color": "#112233" })),
        ("DELETE", "/labels/bug".into(), json!({})),
        ("POST", "/milestones".into(), json!({ "title": "n" })),
        ("POST", format!("/statuses/{tip}"), json!({ "state": "success" })),
        ("POST", format!("/repository/commits/{tip}/comments"), json!({ "note": "n" })),
        ("POST", "/environments".into(), json!({ "name": "e" })),
        (
            "POST",
            "/deployments".into(),
            json!({ "environment": "e", "sha": tip, "ref": "master", "tag": false, "status": "success" }),
        ),
        ("PUT", String::new(), json!({ "description": "d" })),
        ("POST", "/hooks".into(), json!({ "url": "https://hooks.example.org" })),
    ];
    for (verb, path, fields) in v4 {
        let write = || world.v4(verb, path).json(fields.clone());
        write().by(&world.ann).refused(403, archived());
        write().by(&world.ann).header("Idempotency-Key", unique("key")).refused(403, archived());
        // an administrator is no exception, and a stranger learns nothing
        write().by(&world.root).refused(403, archived());
        write().by(&world.eve).gives(404);
    }
    assert_eq!(shown(), before);
}

#[test]
fn an_archived_project_is_pushed_to_and_its_access_is_managed() {
    let world = World::new(spec(), Visibility::Private);
    let issue = json!({ "title": "t" });
    world.post("/archive").by(&world.ann).gives(201);
    let tip = world.push_line(1);
    world.get(&format!("/repository/commits/{tip}")).by(&world.gus).gives(403);
    world.get(&format!("/repository/commits/{tip}")).by(&world.rae).gives(200);
    let token = json!({ "name": "ci", "scopes": ["api"] });
    let made = world.post("/access_tokens").by(&world.ann).json(token).gives(201).json;
    world.delete(&format!("/access_tokens/{}", made["id"])).by(&world.ann).gives(204);
    world.post("/members").by(&world.ann).json(json!({ "user_id": world.eve.id, "access_level": 10 })).gives(201);
    world.delete(&format!("/members/{}", world.eve.id)).by(&world.eve).gives(200);
    world.post("/issues").by(&world.ann).json(issue.clone()).gives(403);
    world.post("/unarchive").by(&world.bob).gives(403);
    world.post("/unarchive").by(&world.ann).gives(201);
    world.issue(&world.ann, issue);
    world.post("/archive").by(&world.ann).gives(201);
    world.v4("DELETE", "").by(&world.ann).gives(202);
}

#[test]
fn no_issue_is_moved_into_an_archived_project_or_linked_with_one_of_it() {
    let (from, to) = (World::new(spec(), Visibility::Public), World::new(spec(), Visibility::Public));
    let admit = json!({ "user_id": from.ann.id, "access_level": 40 });
    to.post("/members").by(&to.ann).json(admit).gives(201);
    let [one, other] = [(&from, &from.ann), (&to, &to.ann)].map(|(world, by)| world.issue(by, json!({ "title": "t" })));
    to.post("/archive").by(&to.ann).gives(201);
    let moving = from.v4("POST", &format!("/issues/{}/move", one["iid"])).by(&from.ann);
    let refusal = json!({ "message": "400 Bad request - Cannot move issue due to insufficient permissions!" });
    let answer = moving.json(json!({ "to_project_id": to.project.id })).gives(400).json;
    assert!(refusal["message"].as_str().unwrap().ends_with(answer["message"].as_str().unwrap()), "{answer}");
    let target = json!({ "target_project_id": to.project.id, "target_issue_iid": other["iid"] });
    let links = format!("/issues/{}/links", one["iid"]);
    from.v4("POST", &links).by(&from.ann).json(target.clone()).gives(403);
    to.post("/unarchive").by(&to.ann).gives(201);
    from.v4("POST", &links).by(&from.ann).json(target).gives(201);
}

#[test]
fn a_text_of_an_archived_project_is_still_rendered() {
    let world = World::new(spec(), Visibility::Private);
    world.post("/archive").by(&world.ann).gives(201);
    let text = json!({ "text": "#1", "gfm": true, "project": world.project.path });
    spec().ask_v4("POST", "/markdown").by(&world.ann).json(text).gives(201);
}

#[test]
fn an_issue_of_an_archived_project_says_so_in_a_header() {
    let world = World::new(spec(), Visibility::Public);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let header =
        || world.v4("GET", &format!("/issues/{}", issue["iid"])).gives(200).header("X-Archived").map(str::to_owned);
    assert_eq!(header().as_deref(), Some("false"));
    world.post("/archive").by(&world.ann).gives(201);
    assert_eq!(header().as_deref(), Some("true"));
    assert_eq!(world.v4("GET", "").gives(200).json["archived"], true);
}
