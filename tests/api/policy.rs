//! The permission table by the real doors: each persona really tries each action in a project of each visibility, and
//! what came of it is compared with `policy.txt`. `BLESS=1 cargo test --test api policy` writes that file.

use crate::support::{Answer, Ask, Person, Visibility, World, spec, unique};
use edgeforge::policy::Action;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::thread;

/// Who tries. `max` is a master; `nobody` has no token.
const PERSONAS: [&str; 8] = ["root", "ann", "max", "bob", "rae", "gus", "eve", "nobody"];

/// What somebody tries: the action as the policy names it, what he does, the request, and what came of it.
type Attempt = (Action, &'static str, fn(&Scene, &str) -> Ask, fn(&Answer) -> String);

const ATTEMPTS: &[Attempt] = &[
    (Action::ReadProject, "read a project", |scene, _| scene.get(""), status),
    (Action::EditProject, "describe it", |scene, _| scene.put("").form(&[("description", "x")]), status),
    (Action::DeleteProject, "delete it", |scene, who| scene.fresh(who), status),
    (Action::ReadMembers, "list members", |scene, _| scene.get("/members"), status),
    (Action::ManageMembers, "change a member", |scene, _| scene.change_member(), status),
    (Action::CreateProject, "make one in a group", |scene, _| scene.new_project(), status),
    (Action::ManageGroup, "describe the group", |scene, _| scene.change_group(), status),
    (Action::ManageHooks, "list hook tokens", |scene, _| scene.get("/hook_tokens"), status),
    (Action::ReadIssues, "list issues", |scene, _| scene.get("/issues"), status),
    (Action::ReadIssues, "read an issue", |scene, _| scene.get(&scene.open("")), status),
    (Action::ReadIssues, "subscribe to it", |scene, _| scene.post(&scene.open("/subscription")), status),
    (Action::ReadIssues, "list its comments", |scene, _| scene.get(&scene.open("/notes")), status),
    (
        Action::ReadIssues,
        "comment on it",
        |scene, _| scene.post(&scene.open("/notes")).form(&[("body", "x")]),
        status,
    ),
    (Action::CreateIssue, "write an issue", |scene, _| scene.write(&[]), status),
    (
        Action::SetTimes,
        "say when",
        |scene, _| scene.write(&[("created_at", "2001-01-01")]),
        |answer| effect(answer, answer.json["created_at"] == "2001-01-01T00:00:00.000Z"),
    ),
    (
        Action::EditAnyIssue,
        "label a new one",
        |scene, _| scene.write(&[("labels", "bug")]),
        |answer| effect(answer, answer.json["labels"] == json!(["bug"])),
    ),
    (Action::ReadHiddenIssues, "read a confidential one", |scene, _| scene.get(&scene.hidden("")), status),
    (
        Action::EditAnyIssue,
        "edit an issue",
        |scene, _| scene.put(&scene.open("")).form(&[("title", "x")]),
        status,
    ),
    (
        Action::EditAnyIssue,
        "edit a confidential one",
        |scene, _| scene.put(&scene.hidden("")).form(&[("title", "x")]),
        status,
    ),
    (
        Action::EditAnyNote,
        "edit a comment",
        |scene, _| scene.put(&scene.note()).form(&[("body", "x")]),
        status,
    ),
    (Action::MoveIssue, "move an issue", |scene, _| scene.moving(), status),
    (
        Action::DeleteIssue,
        "delete an issue",
        |scene, _| scene.delete(&format!("/issues/{}", scene.new_issue())),
        status,
    ),
    (Action::ReadLabels, "list labels", |scene, _| scene.get("/labels"), status),
    (
        Action::ManageLabels,
        "make a label",
        |scene, _| scene.post("/labels").form(&[("name", &unique("label")), ("color", "#ff0000")]),
        status,
    ),
    (Action::ReadMilestones, "list milestones", |scene, _| scene.get("/milestones"), status),
    (
        Action::ManageMilestones,
        "make a milestone",
        |scene, _| scene.post("/milestones").form(&[("title", &unique("milestone"))]),
        status,
    ),
    (Action::ReadCommits, "list commits", |scene, _| scene.get("/repository/commits"), status),
    (Action::ReadCommits, "read a commit", |scene, _| scene.get("/repository/commits/master"), status),
    (Action::ReadCommits, "read its diff", |scene, _| scene.get("/repository/commits/master/diff"), status),
    (
        Action::ReadCommits,
        "list its comments",
        |scene, _| scene.get("/repository/commits/master/comments"),
        status,
    ),
    (Action::ReadCommits, "list branches", |scene, _| scene.get("/repository/branches"), status),
    (
        Action::CommentCommit,
        "comment on it",
        |scene, _| scene.post("/repository/commits/master/comments").form(&[("note", "x")]),
        status,
    ),
    (
        Action::ReadStatuses,
        "list its statuses",
        |scene, _| scene.get("/repository/commits/master/statuses"),
        status,
    ),
    (
        Action::PostStatus,
        "post a status",
        |scene, _| scene.post("/statuses/master").form(&[("state", "success")]),
        status,
    ),
    (Action::PushMirror, "see the mirror", |scene, _| scene.get("/mirror"), status),
    (
        Action::PushMirror,
        "push to it",
        |scene, _| scene.post("/mirror/commits").json(json!({ "commits": [] })),
        status,
    ),
];

fn status(answer: &Answer) -> String {
    answer.status.to_string()
}

/// Whether what was asked for really happened, where asking is no mistake.
fn effect(answer: &Answer, happened: bool) -> String {
    match answer.status {
        200 => (if happened { "yes" } else { "no" }).to_owned(),
        refused => refused.to_string(),
    }
}

struct Scene {
    world: World,
    /// Where issues may be moved to; everybody stands there as here.
    target: World,
    group: i64,
    max: Person,
    /// A guest whose level is changed.
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
        Scene { world, target, group, max, guest, open, hidden, note }
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
            _ => None,
        }
    }

    fn attempt(&self, (_, _, ask, shown): &Attempt, who: &str) -> String {
        let ask = ask(self, who);
        let ask = match self.person(who) {
            Some(person) => ask.by(person),
            None => ask,
        };
        shown(&ask.send())
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
        self.post(&format!("/issues/{issue}/move"))
            .form(&[("to_project_id", &self.target.project.id.to_string())])
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

    /// Deleting a project that was made for this attempt.
    fn fresh(&self, who: &str) -> Ask {
        let visibility = if self.get("").by(&self.eve).send().status == 404 {
            Visibility::Private
        } else {
            Visibility::Public
        };
        let world = World::new(spec(), visibility);
        if who == "max" {
            world.admit(&self.max, 40);
        }
        world.delete("")
    }
}

/// The rows of one visibility.
fn table(name: &str, visibility: Visibility) -> String {
    let scene = Scene::new(visibility);
    let mut text = format!("\n{name:<42}");
    PERSONAS.iter().for_each(|who| write!(text, "{who:>7}").unwrap());
    text.push('\n');
    for attempt in ATTEMPTS {
        let (action, what, ..) = attempt;
        write!(text, "{:<18}{what:<24}", format!("{action:?}")).unwrap();
        PERSONAS.iter().for_each(|who| write!(text, "{:>7}", scene.attempt(attempt, who)).unwrap());
        text.push('\n');
    }
    text
}

#[test]
fn everybody_may_do_exactly_what_the_table_says() {
    let mut text =
        "Who may do what: what really came of each attempt, by visibility of the project (or group).\n"
            .to_owned();
    text.push_str("`yes` and `no`: what was asked for was done, or passed over. Written by BLESS=1 cargo test --test api policy\n");
    let visibilities = [
        ("private", Visibility::Private),
        ("internal", Visibility::Internal),
        ("public", Visibility::Public),
    ];
    thread::scope(|scope| {
        let tables = visibilities.map(|(name, visibility)| scope.spawn(move || table(name, visibility)));
        tables.into_iter().for_each(|table| text.push_str(&table.join().unwrap()));
    });
    let tried = |action: &&Action| ATTEMPTS.iter().any(|attempt| attempt.0 == **action);
    let untried: Vec<String> =
        Action::ALL.iter().filter(|action| !tried(action)).map(|action| format!("{action:?}")).collect();
    writeln!(text, "\nnot tried: {}", untried.join(", ")).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/policy.txt");
    if std::env::var("BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&file, &text).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    let changed = |(new, old): &(&str, &str)| new != old;
    let first = text.lines().zip(known.lines()).find(changed);
    assert!(text == known, "policy.txt says otherwise, first at\n{first:#?}\nwhole:\n{text}");
}
