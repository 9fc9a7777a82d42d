//! The permission table, by real requests: each persona tries each action in a project of each visibility, and
//! `policy.txt` records the outcomes. `UPDATE_SNAPSHOTS=1 cargo test --test api policy` writes that file.

mod attempts;
mod issues;
mod routes;
mod rules;

use crate::support::ROUTES;
use crate::support::{Ask, Person, Visibility, World, difference, spec, unique};
use attempts::{ATTEMPTS, Attempt};
use edgeforge::policy::{Action, changes_archived, least};
use edgeforge::{Dialect, Place, Profile};
use issues::{ISSUES, PLANS};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Mutex;
use std::thread;

/// The personas. `max` is a master; `nobody` has no token.
const PERSONAS: [&str; 8] = ["root", "ann", "max", "bob", "rae", "gus", "eve", "nobody"];

/// The tokens: ann's read-only personal token, those of the project with one scope each, which ann made and which have
/// the rights of a master, and one of a hook.
const TOKENS: [(&str, &str, &str); 6] = [
    ("reader", "personal", "read_api"),
    ("api", "project", "api"),
    ("read", "project", "read_api"),
    ("stat", "project", "statuses"),
    ("depl", "project", "deployments"),
    ("hook", "hook", "mirror"),
];

fn columns() -> impl Iterator<Item = &'static str> {
    PERSONAS.into_iter().chain(TOKENS.map(|(name, ..)| name))
}

/// Verb and pattern of the routes that the attempts used, in-process only.
static TRIED: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());

struct Scene {
    world: World,
    /// The project to move issues to. Everybody has the same level in it.
    target: World,
    group: i64,
    max: Person,
    tokens: Vec<Person>,
    /// A guest for attempts that change a level.
    guest: Person,
    open: i64,
    hidden: i64,
    note: i64,
}

impl std::ops::Deref for Scene {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Scene {
    fn new(visibility: Visibility) -> Scene {
        let (max, guest) = (spec().person("Max"), spec().person("Guest"));
        let [world, target] = [(); 2].map(|()| World::new(spec(), visibility));
        world.push_line(1);
        [&world, &target].iter().for_each(|place| place.admit(&max, 40));
        world.admit(&guest, 10);
        let path = unique("group");
        let fields = json!({ "name": path, "path": path, "visibility_level": visibility as i64 });
        let group = spec().post("/groups").by(&world.ann).json(fields).gives(201).id();
        for (person, level) in [(&max, 40), (&world.bob, 30), (&world.rae, 20), (&world.gus, 10)] {
            let member = json!({ "user_id": person.id, "access_level": level });
            spec().post(format!("/groups/{group}/members")).by(&world.ann).json(member).gives(201);
        }
        let [open, hidden] = [false, true].map(|confidential| {
            let issue = world.issue(&world.ann, json!({ "title": "x", "confidential": confidential }));
            issue["id"].as_i64().unwrap()
        });
        let note = world.post(&format!("/issues/{open}/notes")).by(&world.ann).json(json!({ "body": "x" }));
        let note = note.gives(201).id();
        let tokens = TOKENS.map(|(name, kind, scope)| {
            let at = match kind {
                "personal" => format!("/users/{}/personal_access_tokens", world.ann.id),
                "project" => world.at("/access_tokens"),
                _ => world.at("/hook_tokens"),
            };
            let new = json!({ "name": name, "scopes": [scope], "access_level": 40 });
            let made = spec().post(at).by(&world.ann).json(new).gives(201).json;
            Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() }
        });
        let tokens = tokens.into();
        Scene { tokens, world, target, group, max, guest, open, hidden, note }
    }

    fn person(&self, who: &str) -> Option<&Person> {
        let cast = self.world.cast;
        match who {
            "root" => Some(&cast.root),
            "ann" => Some(&cast.ann),
            "max" => Some(&self.max),
            "bob" => Some(&cast.bob),
            "rae" => Some(&cast.rae),
            "gus" => Some(&cast.gus),
            "eve" => Some(&cast.eve),
            who => self.tokens.get(TOKENS.iter().position(|(name, ..)| *name == who)?),
        }
    }

    fn attempt(&self, (_, _, ask, shown): &Attempt, who: &str) -> String {
        let ask = ask(self, who);
        let ask = match self.person(who) {
            Some(person) => ask.by(person),
            None => ask,
        };
        let answer = ask.send();
        let verb = answer.what.split(' ').next().unwrap_or_default().to_owned();
        let route = answer.record.as_ref().map(|record| record.route.to_string());
        TRIED.lock().unwrap().extend(route.map(|route| (verb, route)));
        shown(&answer)
    }

    fn open(&self, rest: &str) -> String {
        format!("/issues/{}{rest}", self.open)
    }

    fn hidden(&self, rest: &str) -> String {
        format!("/issues/{}{rest}", self.hidden)
    }

    fn note(&self) -> String {
        format!("/issues/{}/notes/{}", self.open, self.note)
    }

    fn write(&self, fields: &[(&str, &str)]) -> Ask {
        self.post("/issues").form(&[&[("title", "x")], fields].concat())
    }

    fn new_issue(&self) -> i64 {
        self.world.issue(&self.ann, json!({ "title": "x" }))["id"].as_i64().unwrap()
    }

    fn moving(&self) -> Ask {
        let issue = self.new_issue();
        self.post(&format!("/issues/{issue}/move")).form(&[("to_project_id", &self.target.project.id.to_string())])
    }

    fn change_member(&self) -> Ask {
        self.put(&format!("/members/{}", self.guest.id)).form(&[("access_level", "20")])
    }

    fn new_project(&self) -> Ask {
        let fields = json!({ "name": unique("project"), "namespace_id": self.group });
        spec().post("/projects").json(fields)
    }

    fn change_group(&self) -> Ask {
        spec().put(format!("/groups/{}", self.group)).form(&[("description", "x")])
    }

    /// Deletes a project that was made for this attempt.
    fn fresh(&self, who: &str) -> Ask {
        let visibility =
            if self.get("").by(&self.eve).send().status == 404 { Visibility::Private } else { Visibility::Public };
        let world = World::new(spec(), visibility);
        if who == "max" {
            world.admit(&self.max, 40);
        }
        world.delete("")
    }
}

fn all() -> impl Iterator<Item = &'static Attempt> {
    ATTEMPTS.iter().chain(ISSUES).chain(PLANS)
}

fn table(name: &str, visibility: Visibility) -> String {
    let scene = Scene::new(visibility);
    let mut text = format!("\n{name:<48}");
    columns().for_each(|who| write!(text, "{who:>7}").unwrap());
    text.push('\n');
    for attempt in all() {
        let (action, what, ..) = attempt;
        write!(text, "{:<24}{what:<24}", format!("{action:?}")).unwrap();
        columns().for_each(|who| write!(text, "{:>7}", scene.attempt(attempt, who)).unwrap());
        text.push('\n');
    }
    text
}

/// Each action in a project or group is tried on one route that needs it. The table of routes shows that the action's
/// other routes have the same rule.
fn every_action_is_tried() {
    if !spec().is_in_process() {
        return;
    }
    let tried = TRIED.lock().unwrap();
    let gates = edgeforge::routes(Dialect::V3(Profile::Spec)).map(|route| (route.place, route.actions.first()));
    let routes = || ROUTES.iter().zip(gates.clone());
    let is_tried = |wanted: (Place, Option<&Action>)| {
        routes().any(|((verb, pattern), gate)| {
            gate == wanted && tried.contains(&((*verb).to_owned(), (*pattern).to_owned()))
        })
    };
    // a public badge is a status that anybody may see
    let needs_attempt = |gate: (Place, Option<&Action>)| matches!(gate.0, Place::Project) && gate.1.is_some();
    let untried: Vec<_> = routes().filter(|(_, gate)| needs_attempt(*gate) && !is_tried(*gate)).collect();
    assert!(untried.is_empty(), "no attempt tries these; add one to tests/api/policy/attempts.rs: {untried:#?}");
}

/// The levels that the pages use (`page/rights.mjs`) are those of the policy.
#[test]
fn the_pages_know_the_policy() {
    let mut text = "// Written from src/kernel/policy.rs by UPDATE_SNAPSHOTS=1 cargo test --test api policy: the least level of a member that may.\n".to_owned();
    text.push_str("export const LEAST = {\n");
    for action in Action::ALL {
        let (access, _) = least(*action);
        writeln!(text, "  {action:?}: {},", access.level()).unwrap();
    }
    text.push_str("};\n");
    let names = Action::ALL.iter().filter(|action| changes_archived(**action)).map(|action| format!("\"{action:?}\""));
    writeln!(text, "export const CHANGES_ARCHIVED = [{}];", names.collect::<Vec<_>>().join(", ")).unwrap();
    let how = "page/policy.mjs is stale: write it with UPDATE_SNAPSHOTS=1 cargo test --test api policy";
    assert_eq!(difference("page/policy.mjs", &text), None, "{how}");
}

#[test]
fn everybody_may_do_exactly_what_the_table_says() {
    let mut text =
        "Who may do what: what really came of each attempt, by visibility of the project (or group).\n".to_owned();
    text.push_str("Behind `nobody`: tokens of ann's that do less. `reader`: her own with scope read_api. `api`, `read`, `stat`, `depl`: of the project,\nof level 40, with one scope each (api, read_api, statuses, deployments). `hook`: of the mirror's hook.\n");
    text.push_str("`yes` and `no`: what was asked for was done, or passed over. Written by UPDATE_SNAPSHOTS=1 cargo test --test api policy\n");
    let visibilities =
        [("private", Visibility::Private), ("internal", Visibility::Internal), ("public", Visibility::Public)];
    thread::scope(|scope| {
        let tables = visibilities.map(|(name, visibility)| scope.spawn(move || table(name, visibility)));
        tables.into_iter().for_each(|table| text.push_str(&table.join().unwrap()));
    });
    let tried = |action: &&Action| all().any(|attempt| attempt.0 == **action);
    let untried: Vec<String> =
        Action::ALL.iter().filter(|action| !tried(action)).map(|action| format!("{action:?}")).collect();
    assert!(
        untried.is_empty(),
        "add an attempt to tests/api/policy/attempts.rs for the actions {}",
        untried.join(", ")
    );
    every_action_is_tried();
    let difference = difference("tests/api/policy/policy.txt", &text);
    assert_eq!(difference, None, "tests/api/policy/policy.txt differs; the new table:\n{text}");
}
