//! Tries every route of both APIs with every kind of caller that it must refuse: no token; tokens that are wrong,
//! revoked, expired or of blocked users; tokens of other projects and of their hooks; tokens whose maker left; read-only
//! ones; SUDO by users without the right; strangers, and members below the level of the route.

use crate::support::{Ask, Person, Server, Table, Visibility, World, instant, spec, tables, templated, unique};
use edgeforge::Place;
use edgeforge::policy::{Access, least};
use edgeforge::route::Route;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// Who needs no token, by the description.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Open {
    /// Everyone, with any token or none.
    Always,
    /// Everyone if the record is public. An invalid token is refused.
    WhereIsPublic,
    /// The same, but without a token a record that is not public is 401.
    OrUnauthorized,
    /// Nobody.
    Never,
}

fn open(table: &Table, route: &Route) -> Open {
    let verb = route.verb.to_lowercase();
    let described = &table.contract.document["paths"][templated(route.pattern)][verb];
    match described["responses"]["401"] {
        _ if described["security"][0] != json!({}) => Open::Never,
        Value::Null => Open::Always,
        _ if is_lenient(route) || route.pattern.starts_with(PACKAGES) => Open::OrUnauthorized,
        _ => Open::WhereIsPublic,
    }
}

/// Routes of v4 that are left out without a token: a list without records is the same for everyone, and users are only
/// found by name.
const OWN_AFFAIR: &[&str] = &[
    r#"["users"]"#,
    r#"["users", id]"#,
    r#"["issues"]"#,
    r#"["issues_statistics"]"#,
    r#"["merge_requests"]"#,
    r#"["events"]"#,
];

/// Where a caller without a token gets 401 for a project that is not public.
const PACKAGES: &str = r#"["projects", id, "packages""#;

/// Whether a bad token counts as none where the project is public: at badges.
fn is_lenient(route: &Route) -> bool {
    route.pattern.contains(r#""badges", git_ref"#)
}

/// What a request should be answered.
#[derive(Debug)]
enum Wanted<'a> {
    Status(u16),
    NoStatus(&'a [u16]),
    /// `hint` and an `error` that repeats the message are left out of account.
    Told(u16, &'a str),
    ToldOr404(u16, &'a str),
    NotTold(&'a str),
}

/// The answers that are not as they should be. A test lists all of them at its end.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, ask: Ask, wanted: Wanted<'_>) {
        let answer = ask.send();
        let (status, message) = (answer.status, answer.json["message"].as_str().unwrap_or_default());
        let holds = match wanted {
            Wanted::Status(wanted) => status == wanted,
            Wanted::NoStatus(statuses) => !statuses.contains(&status),
            Wanted::Told(wanted, told) => (status, message) == (wanted, told),
            Wanted::ToldOr404(wanted, told) => status == 404 || (status, message) == (wanted, told),
            Wanted::NotTold(told) => message != told,
        };
        if !holds {
            self.0.push(format!("{}: {status} {}, and not {wanted:?}", answer.what, answer.text));
        }
    }

    fn are_none(self) {
        assert!(self.0.is_empty(), "{} answers: {:#?}", self.0.len(), self.0);
    }
}

/// A project and a group to ask for.
struct Scene {
    world: World,
    group: i64,
}

impl Scene {
    fn new(visibility: Visibility) -> Scene {
        let world = World::new(spec(), visibility);
        let path = unique("matrix");
        let fields = json!({ "name": path, "path": path, "visibility_level": visibility as i64 });
        let group = spec().post("/groups").by(&world.ann).json(fields).gives(201).id();
        Scene { world, group }
    }

    fn ask(&self, table: &Table, route: &Route) -> Ask {
        table.ask(spec(), route.verb, address(route.pattern, self.world.project.id, self.group))
    }
}

/// The callers to refuse: what they send.
struct Callers {
    /// Invalid tokens, and why.
    nobodies: Vec<(&'static str, Person)>,
    /// A hook token of another project of ann's, and a token of that project with all scopes.
    hook: Person,
    project: Person,
    ann: Person,
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
    fn new() -> Callers {
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
    fn nobodies_at(&self, route: usize) -> impl Iterator<Item = &(&'static str, Person)> {
        let all = self.nobodies.len();
        let (first, count) = if spec().is_in_process() { (0, all) } else { (route % all, 1) };
        self.nobodies.iter().skip(first).take(count)
    }
}

/// Every route in-process. Over HTTP one in four, because the same code refuses there.
fn routes_of(table: &Table) -> impl Iterator<Item = &'static Route> {
    edgeforge::routes(table.dialect).step_by(if spec().is_in_process() { 1 } else { 4 })
}

/// A token of the project, and its path.
fn of_project(world: &World, maker: &Person, fields: serde_json::Value) -> (Person, String) {
    let made = world.post("/access_tokens").by(maker).json(fields).gives(201).json;
    let token = made["token"].as_str().unwrap().to_owned();
    (Person { token, ..maker.clone() }, format!("/access_tokens/{}", made["id"]))
}

/// The route's path with this project and group; other placeholders are 1.
fn address(pattern: &str, project: i64, group: i64) -> String {
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

/// Add a new one only if it shows nothing private.
#[test]
fn few_routes_are_open_to_everybody() {
    let [v3, _] = tables();
    let routes = edgeforge::routes(v3.dialect).filter(|route| open(&v3, route) != Open::Never);
    let expected =
        ["[]", r#"["licenses"]"#, r#"["licenses", key]"#, r#"["projects", id, "badges", git_ref, "build.svg"]"#];
    assert_eq!(routes.map(|route| route.pattern).collect::<Vec<_>>(), expected);
}

const UNAUTHORIZED: &str = "401 Unauthorized";
const FORBIDDEN: &str = "403 Forbidden";
const NO_PROJECT: &str = "404 Project Not Found";

/// The text of a refusal. v3 has two blanks in it.
fn forbidden(table: &Table, why: &str) -> String {
    format!("{FORBIDDEN}{} {why}", if table.name == "v3" { "  -" } else { " -" })
}

/// The answer to who sees the project and is below the level. It is 401 at the tokens of a project, as GitLab has it.
fn below(table: &Table, route: &Route) -> Wanted<'static> {
    let of_tokens = table.name == "v4" && route.pattern.starts_with(r#"["projects", id, "access_tokens""#);
    if of_tokens && !route.pattern.contains(r#""self""#) {
        Wanted::Told(401, UNAUTHORIZED)
    } else {
        Wanted::Told(403, FORBIDDEN)
    }
}

#[test]
fn nobody_comes_in_with_what_is_no_token_of_theirs() {
    let (callers, mut faults) = (Callers::new(), Faults::default());
    for visibility in [Visibility::Public, Visibility::Private] {
        let (scene, is_public) = (Scene::new(visibility), visibility == Visibility::Public);
        for table in tables() {
            for (number, route) in routes_of(&table).enumerate() {
                let ask = || scene.ask(&table, route);
                let (open, at) = (open(&table, route), address(route.pattern, 0, 0));
                let alone = ask().send().status;
                let is_found_by_name = at.starts_with("/users/") || at == "/projects" || at == "/groups";
                let without = match open {
                    _ if table.name == "v4" && OWN_AFFAIR.contains(&route.pattern) => Wanted::NoStatus(&[]),
                    Open::Never => Wanted::Told(401, UNAUTHORIZED),
                    Open::OrUnauthorized if !is_public => Wanted::Told(401, UNAUTHORIZED),
                    Open::WhereIsPublic if !is_public && !is_found_by_name => Wanted::Status(404),
                    // 403 without a pipeline
                    _ if at.contains("/pipelines/latest") => Wanted::Status(403),
                    _ => Wanted::NoStatus(&[401, 403]),
                };
                faults.unless(ask(), without);
                let is_open = open == Open::Always || is_lenient(route) && is_public;
                let refused = || if is_open { Wanted::Status(alone) } else { Wanted::Told(401, UNAUTHORIZED) };
                for (_, person) in callers.nobodies_at(number) {
                    faults.unless(ask().by(person), refused());
                    faults.unless(ask().by(person).header("SUDO", "root"), refused());
                }
                for sent in [ask().header("JOB-TOKEN", "job"), ask().query("job_token", "job")] {
                    if !is_open {
                        faults.unless(sent, Wanted::Told(401, UNAUTHORIZED));
                    }
                }
                for (person, why) in [
                    (&callers.ann, "Must be admin to use sudo"),
                    (&callers.own, "Private token must be specified in order to use sudo"),
                ] {
                    let told = forbidden(&table, why);
                    for whom in ["root", "no-such", &callers.ann.username] {
                        let wanted = if is_open { Wanted::Status(alone) } else { Wanted::Told(403, &told) };
                        faults.unless(ask().by(person).header("SUDO", whom), wanted);
                    }
                }
            }
        }
    }
    faults.are_none();
}

#[test]
fn a_token_that_only_reads_writes_nothing_and_one_of_another_project_does_not_come_in() {
    let (callers, mut faults) = (Callers::new(), Faults::default());
    let max = spec().person("Max");
    for visibility in [Visibility::Public, Visibility::Private] {
        let (scene, is_public) = (Scene::new(visibility), visibility == Visibility::Public);
        let world = &scene.world;
        // made by a master who has lost that level
        world.admit(&max, 40);
        let every = json!({ "name": "every", "scopes": ["api", "statuses", "deployments"], "access_level": 40 });
        let (removed, _) = of_project(world, &max, every);
        world.delete(&format!("/members/{}", max.id)).by(&world.ann).gives(200);
        for table in tables() {
            let scopes = forbidden(&table, "The scopes of the token do not allow this");
            for route in routes_of(&table).filter(|route| open(&table, route) != Open::Always) {
                let ask = |person: &Person| scene.ask(&table, route).by(person);
                let is_own = matches!(route.place, Place::AnyToken | Place::AnyTokenOrNone);
                for person in [&callers.hook, &callers.project, &removed] {
                    let wanted = match route.place {
                        place if place.is_project() && !is_public => Wanted::Told(404, NO_PROJECT),
                        place if place.is_group() && !is_public => Wanted::Told(404, "404 Group Not Found"),
                        place if place.is_project() => below(&table, route),
                        place if place.is_group() => Wanted::Told(403, FORBIDDEN),
                        // it shows and ends itself
                        _ if is_own && table.name == "v4" => Wanted::NoStatus(&[401]),
                        _ if is_own && person.token != callers.hook.token => Wanted::Status(200),
                        _ => Wanted::Told(403, &scopes),
                    };
                    faults.unless(ask(person), wanted);
                }
                let wanted = match route.verb {
                    // programs do not see who is signed in
                    "GET" if route.pattern.contains(r#""sessions""#) => Wanted::Told(403, &scopes),
                    "GET" => Wanted::NotTold(&scopes),
                    // its session only reads, too
                    "POST" if route.pattern == r#"["session"]"# => Wanted::Status(201),
                    _ if route.pattern == r#"["session"]"# => {
                        Wanted::Told(403, "403 Forbidden - Only a session ends so")
                    }
                    // rendering writes nothing
                    _ if route.pattern == r#"["markdown"]"# => Wanted::Status(400),
                    _ => Wanted::ToldOr404(403, &scopes),
                };
                faults.unless(ask(&callers.reader), wanted);
            }
        }
    }
    faults.are_none();
}

#[test]
fn a_project_that_the_caller_cannot_see_is_404_for_every_verb_before_anything_else() {
    let (scene, mut faults) = (Scene::new(Visibility::Private), Faults::default());
    let (here, eve) = (scene.world.at(""), &scene.world.eve);
    for table in tables() {
        for route in routes_of(&table).filter(|route| route.place.is_project()) {
            let path = address(route.pattern, scene.world.project.id, 0);
            let rest = path.strip_prefix(&here).unwrap();
            let ask = |place: &str, query: &str| table.ask(spec(), route.verb, format!("{place}{rest}{query}"));
            for place in [&here, "/projects/987654321", "/projects/no%2Fsuch"] {
                faults.unless(ask(place, "").by(eve), Wanted::Told(404, NO_PROJECT));
                if matches!(open(&table, route), Open::Never | Open::OrUnauthorized) {
                    faults.unless(ask(place, ""), Wanted::Told(401, UNAUTHORIZED));
                }
            }
            // lists of v4, and of deployments, validate their parameters first (behaviour 10)
            if table.name == "v3" && !rest.starts_with("/deployments") && !rest.starts_with("/environments") {
                faults.unless(ask(&here, "?page=x&state=odd&since=odd").by(eve), Wanted::Told(404, NO_PROJECT));
            }
        }
    }
    faults.are_none();
    let post = scene.world.post("/issues").by(eve);
    post.body("application/json", "{").refused(404, json!({ "message": NO_PROJECT }));
}

#[test]
fn who_is_below_the_level_of_a_route_is_refused() {
    let mut faults = Faults::default();
    let max = spec().person("Max");
    for visibility in [Visibility::Public, Visibility::Private] {
        let scene = Scene::new(visibility);
        let world = &scene.world;
        world.admit(&max, 40);
        for table in tables() {
            for route in routes_of(&table) {
                let (needed, opened) = match (route.place, route.actions.first()) {
                    (Place::Admin, _) => (Access::Administrator, None),
                    (place, Some(action)) if place.is_project() => least(*action),
                    _ => continue,
                };
                let is_opened = opened.is_some() && visibility == Visibility::Public;
                let people = [(&world.eve, 0), (&world.gus, 10), (&world.rae, 20), (&world.bob, 30), (&max, 40)];
                // who is no member does not see a private project
                let is_seen = visibility == Visibility::Public || !route.place.is_project();
                let seen = people.into_iter().filter(|(_, level)| *level > 0 || is_seen);
                for (person, _) in seen.filter(|(_, level)| *level < needed.level() && !is_opened) {
                    faults.unless(scene.ask(&table, route).by(person), below(&table, route));
                }
            }
        }
    }
    faults.are_none();
}

/// Whether the endpoint takes parameters or not.
#[test]
fn a_query_that_cannot_be_read_is_refused_by_every_route() {
    let (scene, mut faults) = (Scene::new(Visibility::Public), Faults::default());
    let world = &scene.world;
    for table in tables() {
        for route in routes_of(&table) {
            for (query, text) in [
                ("a=%zz", "invalid percent-encoding"),
                ("a[]=1&a=2", "a is invalid"),
                ("a=%00", "string contains a null byte"),
            ] {
                let address = format!("{}?{query}", address(route.pattern, world.project.id, scene.group));
                let ask = || table.ask(spec(), route.verb, address.clone());
                let answer = ask().by(&world.root).send();
                // an issue or a token 1 may be missing
                let is_told = table.name == "v4" || answer.json["error"] == text;
                let holds = answer.status == 400 && is_told || answer.status == 404;
                assert!(holds, "{}: {} {}", answer.what, answer.status, answer.text);
                if open(&table, route) == Open::Never && table.name == "v3" {
                    faults.unless(ask(), Wanted::Told(401, UNAUTHORIZED));
                }
            }
        }
    }
    faults.are_none();
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
    let [v3, _] = tables();
    for route in edgeforge::routes(v3.dialect) {
        let (method, pattern) = (route.verb, route.pattern);
        let pairs = match route.place {
            place if place.is_project() => {
                [(world.project.id.to_string(), "987654321".to_owned()), (encoded.clone(), "no%2Fsuch".to_owned())]
            }
            place if place.is_group() => {
                [(group.to_string(), "987654321".to_owned()), (path.clone(), "no-such-group".to_owned())]
            }
            _ => continue,
        };
        for (hidden, absent) in pairs {
            for person in [&world.eve, &wrong] {
                let rows = |name: &str| {
                    let place = if route.place.is_group() { "/groups/" } else { "/projects/" };
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
