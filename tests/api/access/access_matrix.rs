//! Tries every route with every kind of caller that it must refuse: tokens that are wrong, revoked, expired or of
//! blocked users; tokens of other projects and of their hooks; tokens whose maker left; and SUDO by users without the
//! right. `src/routes/v3.rs` has the rule of each route.

use crate::support::ROUTES;
use crate::support::{Ask, Person, Server, Visibility, World, instant, spec, unique};
use Kind::{Administrators, Badge, Group, Itself, Open, Project, SignedIn};
use edgeforge::{Dialect, Place, Profile};
use serde_json::json;
use std::thread;
use std::time::Duration;

/// The callers that a route accepts, before other checks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Everyone, with any token or none.
    Open,
    /// Everyone if the project is public, else as [`Kind::Project`].
    Badge,
    /// Users with their own token or a project's.
    Itself,
    /// Users with their own token.
    SignedIn,
    /// Administrators.
    Administrators,
    /// Members of the project with the level of the action.
    Project,
    /// Members of the group with the level of the action.
    Group,
}

/// The kind of a route, from the table of routes.
fn kind(method: &str, pattern: &str) -> Kind {
    let mut routes = edgeforge::routes(Dialect::V3(Profile::Spec));
    match routes.find(|route| (route.verb, route.pattern) == (method, pattern)).unwrap().place {
        Place::Project | Place::OpenProject | Place::Packages => Project,
        Place::LenientProject => Badge,
        Place::Group | Place::OpenGroup => Group,
        Place::User | Place::Anyone => SignedIn,
        Place::AnyToken | Place::AnyTokenOrNone => Itself,
        Place::Admin => Administrators,
        Place::Public => Open,
    }
}

/// The callers to refuse: what they send.
pub struct Callers {
    /// Invalid tokens, and why.
    nobodies: Vec<(&'static str, Person)>,
    /// A hook token of another project of ann's, and a token of that project with all scopes.
    pub hook: Person,
    pub project: Person,
    pub ann: Person,
    /// A personal token of root's.
    own: Person,
    /// A read-only token of ann's.
    pub reader: Person,
}

fn token(server: &'static Server, whose: &Person, fields: serde_json::Value) -> Person {
    let made = server.post(format!("/users/{}/personal_access_tokens", whose.id)).by(whose).json(fields);
    Person { token: made.gives(201).json["token"].as_str().unwrap().to_owned(), ..whose.clone() }
}

impl Callers {
    pub fn new() -> Callers {
        let cast = spec().cast();
        // long enough after each request for a busy machine
        let soon = || chrono::DateTime::from_timestamp_millis(instant() + 6000).unwrap().to_rfc3339();
        let expired = token(spec(), &cast.ann, json!({ "name": "soon", "expires_at": soon() }));
        let revoked = token(spec(), &cast.ann, json!({ "name": "revoked" }));
        let at = format!("/users/{}/personal_access_tokens", cast.ann.id);
        let listed = spec().get(format!("{at}?per_page=100")).by(&cast.ann).gives(200).json;
        let made = listed.as_array().unwrap().iter().rev().find(|token| token["name"] == "revoked").unwrap();
        spec().delete(format!("{at}/{}", made["id"])).by(&cast.ann).gives(204);
        let blocked = spec().person("Blocked");
        spec().put(format!("/users/{}/block", blocked.id)).by(&cast.root).gives(200);
        let other = World::new(spec(), Visibility::Public);
        let hook = other.post("/hook_tokens").by(&cast.ann).json(json!({ "name": "hook" })).gives(201).json;
        let hook = Person { token: hook["token"].as_str().unwrap().to_owned(), ..cast.ann.clone() };
        let every =
            json!({ "name": "every", "scopes": ["api", "read_api", "statuses", "deployments"], "access_level": 40 });
        let (project, _) = of_project(&other, &cast.ann, every.clone());
        let (ended, path) = of_project(&other, &cast.ann, every.clone());
        other.delete(&path).by(&cast.ann).gives(204);
        let mut soon_over = every.clone();
        soon_over["expires_at"] = json!(soon());
        let (over, _) = of_project(&other, &cast.ann, soon_over);
        let max = spec().person("Max");
        other.admit(&max, 40);
        let (orphan, _) = of_project(&other, &max, every);
        spec().put(format!("/users/{}/block", max.id)).by(&cast.root).gives(200);
        let reader = token(spec(), &cast.ann, json!({ "name": "reader", "scopes": ["read_api"] }));
        let own = token(spec(), &cast.root, json!({ "name": "own" }));
        let wrong = Person { token: "wrong".to_owned(), ..cast.ann.clone() };
        while spec().get("/user").by(&expired).send().status == 200 {
            thread::sleep(Duration::from_millis(200));
        }
        while spec().get("/user").by(&over).send().status == 200 {
            thread::sleep(Duration::from_millis(200));
        }
        let nobodies = vec![
            ("wrong", wrong),
            ("revoked", revoked),
            ("expired", expired),
            ("blocked", blocked),
            ("revoked, of a project", ended),
            ("expired, of a project", over),
            ("of a project, its maker blocked", orphan),
        ];
        Callers { nobodies, hook, project, ann: cast.ann.clone(), own, reader }
    }

    /// The nobodies that the test sends to a route: all in-process, and over HTTP one for each route in turn.
    pub fn nobodies_at(&self, route: usize) -> impl Iterator<Item = &(&'static str, Person)> {
        let all = self.nobodies.len();
        let (first, count) = if spec().is_in_process() { (0, all) } else { (route % all, 1) };
        self.nobodies.iter().skip(first).take(count)
    }
}

/// A token of the project, and its path.
fn of_project(world: &World, maker: &Person, fields: serde_json::Value) -> (Person, String) {
    let made = world.post("/access_tokens").by(maker).json(fields).gives(201).json;
    let token = made["token"].as_str().unwrap().to_owned();
    (Person { token, ..maker.clone() }, format!("/access_tokens/{}", made["id"]))
}

/// The route's path with this project and group; other placeholders are 1.
pub fn address(pattern: &str, project: i64, group: i64) -> String {
    let mut path = String::new();
    for part in pattern.trim_matches(['[', ']']).split(',').map(str::trim) {
        let value = match part.strip_prefix('"') {
            Some(word) => word.trim_end_matches('"').to_owned(),
            None if path == "/projects" => project.to_string(),
            None if path == "/groups" => group.to_string(),
            None => "1".to_owned(),
        };
        path = format!("{path}/{value}");
    }
    path
}

/// The routes that accept everyone, with any token. Add a new one only if it shows nothing private.
#[test]
fn few_routes_are_open_to_everybody() {
    let open: Vec<_> = ROUTES.iter().filter(|(verb, pattern)| kind(verb, pattern) == Open).collect();
    let expected = [("GET", "[]"), ("GET", r#"["licenses"]"#), ("GET", r#"["licenses", key]"#)];
    assert_eq!(open, expected.iter().collect::<Vec<_>>());
}

#[test]
fn a_hooks_token_of_another_project_opens_no_route_that_is_not_open() {
    let (other, world) = (World::new(spec(), Visibility::Public), World::new(spec(), Visibility::Public));
    let hook = other.post("/hook_tokens").by(&other.ann).json(json!({ "name": "hook" })).gives(201).json;
    let hook = Person { token: hook["token"].as_str().unwrap().to_owned(), ..other.ann.clone() };
    for (method, pattern) in ROUTES.iter().filter(|(method, pattern)| kind(method, pattern) != Open) {
        drop(spec().ask(method, address(pattern, world.project.id, world.group)).by(&hook).gives(403));
    }
}

#[test]
fn nobody_comes_in_with_what_is_no_token_of_theirs() {
    let callers = Callers::new();
    let missing = |what: &str| json!({ "message": format!("404 {what} Not Found") });
    let unauthorized = json!({ "message": "401 Unauthorized" });
    let forbidden = json!({ "message": "403 Forbidden" });
    let scopes = json!({ "message": "403 Forbidden  - The scopes of the token do not allow this" });
    let max = spec().person("Max");
    for visibility in [Visibility::Public, Visibility::Private] {
        let world = World::new(spec(), visibility);
        let path = unique("matrix");
        let fields = json!({ "name": path, "path": path, "visibility_level": visibility as i64 });
        let group = spec().post("/groups").by(&world.ann).json(fields).gives(201).id();
        let open = visibility == Visibility::Public;
        // made by a master who has lost that level
        world.admit(&max, 40);
        let every = json!({ "name": "every", "scopes": ["api", "statuses", "deployments"], "access_level": 40 });
        let (removed, _) = of_project(&world, &max, every);
        world.delete(&format!("/members/{}", max.id)).by(&world.ann).gives(200);
        let strangers = [&callers.hook, &callers.project, &removed];
        for (route, (method, pattern)) in ROUTES.iter().enumerate() {
            let ask = || -> Ask { spec().ask(method, address(pattern, world.project.id, group)) };
            let kind = kind(method, pattern);
            let anybody = kind == Open || (kind == Badge && open);
            if anybody {
                let status = ask().send().status;
                callers.nobodies_at(route).for_each(|(_, person)| drop(ask().by(person).gives(status)));
            } else {
                for (why, person) in callers.nobodies_at(route) {
                    let answer = ask().by(person).send();
                    assert_eq!((answer.status, &answer.json), (401, &unauthorized), "{why}: {}", answer.what);
                    let sudo = ask().by(person).header("SUDO", "root").send();
                    assert_eq!((sudo.status, &sudo.json), (401, &unauthorized), "{why}: {} with SUDO", answer.what);
                }
                ask().refused(401, unauthorized.clone());
            }
            match kind {
                Open => {}
                Project | Badge if !open => {
                    strangers.iter().for_each(|person| ask().by(person).refused(404, missing("Project")))
                }
                Group if !open => strangers.iter().for_each(|person| ask().by(person).refused(404, missing("Group"))),
                Project | Badge | Group => {
                    strangers.iter().for_each(|person| ask().by(person).refused(403, forbidden.clone()))
                }
                Itself => {
                    ask().by(&callers.hook).refused(403, scopes.clone());
                    drop(ask().by(&callers.project).gives(200));
                }
                SignedIn | Administrators => {
                    strangers.iter().for_each(|person| ask().by(person).refused(403, scopes.clone()))
                }
            }
            // nor with a read-only token
            let reader = ask().by(&callers.reader).send();
            match (*method, kind) {
                (_, Open) => {}
                ("GET", _) => assert_ne!(reader.json, scopes, "{method} {pattern}"),
                (_, SignedIn) => {
                    assert_eq!((reader.status, &reader.json), (403, &scopes), "{method} {pattern}")
                }
                _ => assert!(matches!(reader.status, 403 | 404), "{method} {pattern}: {}", reader.status),
            }
            for (person, text) in [
                (&callers.ann, "403 Forbidden  - Must be admin to use sudo"),
                (&callers.own, "403 Forbidden  - Private token must be specified in order to use sudo"),
            ] {
                for whom in ["root", "no-such", &callers.ann.username] {
                    let ask = ask().by(person).header("SUDO", whom);
                    if anybody {
                        assert!([200, 404].contains(&ask.send().status), "{method} {pattern}");
                    } else {
                        ask.refused(403, json!({ "message": text }));
                    }
                }
            }
        }
    }
}

/// Whether the endpoint takes parameters.
#[test]
fn a_query_that_cannot_be_read_is_refused_by_every_route() {
    let world = World::new(spec(), Visibility::Public);
    let path = unique("unread");
    let group = json!({ "name": path, "path": path });
    let group = spec().post("/groups").by(&world.ann).json(group).gives(201).id();
    for (method, pattern) in ROUTES.iter() {
        for (query, text) in [
            ("a=%zz", "invalid percent-encoding"),
            ("a[]=1&a=2", "a is invalid"),
            ("a=%00", "string contains a null byte"),
        ] {
            let address = format!("{}?{query}", address(pattern, world.project.id, group));
            let answer = spec().ask(method, &address).by(&world.root).send();
            let told = json!({ "error": text });
            // an issue or a token 1 may be missing
            let holds = (answer.status, &answer.json) == (400, &told) || answer.status == 404;
            assert!(holds, "{method} {address}: {} {}", answer.status, answer.text);
            if kind(method, pattern) != Open && kind(method, pattern) != Badge {
                spec().ask(method, &address).refused(401, json!({ "message": "401 Unauthorized" }));
            }
        }
    }
    spec().get(format!("/projects/{}", world.project.id)).by(&world.ann).gives(200);
    // a body is not a query, and is ignored where none is read
    for path in ["", "/labels", "/members"] {
        world.get(path).by(&world.ann).body("application/json", "{").gives(200);
    }
    let hook = world.post("/hook_tokens").by(&world.ann).json(json!({ "name": "h" })).gives(201).id();
    let revoke = world.delete(&format!("/hook_tokens/{hook}")).by(&world.ann);
    revoke.body("application/json", "{").gives(204);
    let archive = world.post("/archive").by(&world.ann).body("application/json", "{");
    archive.refused(400, json!({ "error": "message body does not match declared format" }));
}

/// On workerd these are the rows that D1 bills. SQLite in this process counts fewer.
#[test]
fn what_is_hidden_costs_a_look_up_beyond_what_is_not_there() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(3);
    world.issue(&world.ann, json!({ "title": "hidden" }));
    let path = unique("hidden");
    let group = json!({ "name": path, "path": path, "visibility_level": 0 });
    let group = spec().post("/groups").by(&world.ann).json(group).gives(201).id();
    for _ in 0..2 {
        spec().project(&world.ann, group, Visibility::Private);
    }
    let wrong = Person { token: "wrong".to_owned(), ..world.eve.clone() };
    let encoded = world.project.path.replace('/', "%2F");
    for (method, pattern) in ROUTES.iter() {
        let kind = kind(method, pattern);
        let pairs = match kind {
            Project | Badge => {
                [(world.project.id.to_string(), "987654321".to_owned()), (encoded.clone(), "no%2Fsuch".to_owned())]
            }
            Group => [(group.to_string(), "987654321".to_owned()), (path.clone(), "no-such-group".to_owned())],
            _ => continue,
        };
        for (hidden, absent) in pairs {
            for person in [&world.eve, &wrong] {
                let rows = |name: &str| {
                    let place = if kind == Group { "/groups/" } else { "/projects/" };
                    let at = address(pattern, 0, 0).replacen(&format!("{place}0"), &format!("{place}{name}"), 1);
                    let answer = spec().ask(method, at).by(person).send();
                    (answer.status, answer.figure("rows_read"))
                };
                let ((status, cost), (same, other)) = (rows(&hidden), rows(&absent));
                assert_eq!(status, same, "{method} {pattern}");
                // each statement looks up its project: five rows
                assert!(cost.abs_diff(other) <= 40, "{method} {pattern} {hidden}: {cost} rows, {absent}: {other}");
            }
        }
    }
}
