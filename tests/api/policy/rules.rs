//! Changes each rule of `src/kernel/policy.rs` in turn, for this thread alone. Single records, lists, totals and comments must
//! follow. A statement with a level of its own does not follow, and fails here.

use super::{Scene, all};
use crate::support::{Person, Visibility, World, spec, titles, unique};
use edgeforge::policy::{Access, Action, least, trial};
use serde_json::{Value, json};
use std::path::Path;

const LEVELS: [Access; 3] = [Access::Guest, Access::Developer, Access::Owner];

/// The outcomes for a confidential issue, in all places that may show it.
struct Traces {
    world: World,
    issue: Value,
    note: i64,
    milestone: i64,
    /// The milestone's title, which is unique.
    plan: String,
}

impl Traces {
    fn new(visibility: Visibility) -> Traces {
        let world = World::new(spec(), visibility);
        let title = unique("plan");
        let milestone = world.milestone(&title);
        let plan = json!({ "labels": "bug", "milestone_id": milestone });
        for (title, confidential) in [("open", false), ("hidden", true)] {
            let mut fields = plan.clone();
            fields["title"] = title.into();
            fields["confidential"] = confidential.into();
            world.issue(&world.ann, fields);
        }
        let issue = Traces::hidden(&world);
        let note = world.comment(&world.ann, &issue, "x")["id"].as_i64().unwrap();
        Traces { world, issue, note, milestone, plan: title }
    }

    fn hidden(world: &World) -> Value {
        let list = world.get("/issues").by(&world.ann).gives(200).json;
        list.as_array().unwrap().iter().find(|issue| issue["title"] == "hidden").unwrap().clone()
    }

    /// The number of places in which this person finds it, each with its name.
    fn found_by(&self, person: &Person) -> Vec<(&'static str, bool)> {
        let Traces { world, issue, note, milestone, plan } = self;
        let path = world.issue_path(issue);
        let reads = |path: String| spec().get(path).by(person).send().status == 200;
        let lists = |path: String| {
            let (total, titles) = titles(&spec().get(path).by(person).gives(200));
            let listed = titles.contains(&"hidden".to_owned());
            assert_eq!(total, 1 + i64::from(listed), "the total of what {} sees", person.name);
            listed
        };
        let todo = || {
            let made = spec().post(format!("{path}/todo")).by(person).send().status < 300;
            let todos = spec().get("/todos?per_page=100").by(person).gives(200).json;
            let of_issue = |todo: &&Value| todo["target"]["id"] == issue["id"];
            let todo = todos.as_array().unwrap().iter().find(of_issue).map(|todo| todo["id"].clone());
            let done = todo.map(|id| spec().delete(format!("/todos/{id}")).by(person).send().status == 200);
            assert_eq!(done.unwrap_or_default(), made, "the todo of {}", person.name);
            made
        };
        // mentioned by a comment, by the text of a new and of an old issue, and by an edited comment
        let name = format!("@{}", person.username);
        let is_told = |issue: Value| {
            let seen = world.edit(&world.ann, &issue, json!({ "confidential": true }));
            let todos = spec().get("/todos?per_page=100").by(person).gives(200).json;
            let found = todos.as_array().unwrap().iter().any(|todo| todo["target"]["id"] == seen["id"]);
            world.delete(&format!("/issues/{}", seen["id"])).by(&world.ann).gives(200);
            found
        };
        let new =
            |text: &str| world.issue(&world.ann, json!({ "title": "m", "description": text, "confidential": true }));
        let mentioned = is_told(new(&name));
        let issue_edited = new("");
        world.edit(&world.ann, &issue_edited, json!({ "description": name }));
        let mentioned_later = is_told(issue_edited);
        let commented = new("");
        world.comment(&world.ann, &commented, &name);
        let mentioned_by_comment = is_told(commented);
        let takes_part = |issue: &Value, note: i64| {
            let count = "select json_quote(count(*)) as v from participants";
            let of_note =
                format!("{count} where user_id = {} and issue_id = {} and note_id = {note}", person.id, issue["id"]);
            spec().rows(&of_note)[0] == 1
        };
        let edited = new("");
        let first = world.comment(&world.ann, &edited, "x")["id"].as_i64().unwrap();
        let at = format!("{}/notes/{first}", world.issue_path(&edited));
        spec().put(at).by(&world.ann).json(json!({ "body": name })).gives(200);
        let takes_part = takes_part(&edited, first);
        world.delete(&format!("/issues/{}", edited["id"])).by(&world.ann).gives(200);

        let count = |list: String, key: &str| {
            let answer = spec().get(list).by(person).gives(200).json;
            answer.as_array().map_or(answer[key].clone(), |list| list[0][key].clone()) == 2
        };
        vec![
            ("GET issue", reads(path.clone())),
            ("its comments", reads(format!("{path}/notes"))),
            ("a comment", reads(format!("{path}/notes/{note}"))),
            ("a new comment", {
                let made = spec().post(format!("{path}/notes")).by(person).json(json!({ "body": "y" })).send();
                made.status == 201
            }),
            ("subscribing", [201, 304].contains(&spec().post(format!("{path}/subscription")).by(person).send().status)),
            ("a todo", todo()),
            ("a mention in a new issue", mentioned),
            ("a mention in an old issue", mentioned_later),
            ("a mention in a comment", mentioned_by_comment),
            ("a mention in a changed comment", takes_part),
            ("the project's list", lists(world.at("/issues"))),
            ("the list of a state", lists(world.at("/issues?state=opened"))),
            ("the list of a label", lists(world.at("/issues?labels=bug"))),
            ("the list of a milestone", lists(world.at(&format!("/issues?milestone={plan}")))),
            ("the group's list", lists(format!("/groups/{}/issues?milestone={plan}", world.group))),
            ("the milestone's issues", lists(world.at(&format!("/milestones/{milestone}/issues")))),
            ("its number in the project's list", {
                let list = world.get(&format!("/issues?iid={}", issue["iid"])).by(person).gives(200);
                !list.each("id").is_empty()
            }),
            ("the project's number of issues", count(world.at(""), "open_issues_count")),
            ("the label's number of issues", count(world.at("/labels"), "open_issues_count")),
        ]
        .into_iter()
        .chain(self.found_in_v4(person))
        .collect()
    }

    /// The same places of v4.
    fn found_in_v4(&self, person: &Person) -> Vec<(&'static str, bool)> {
        let Traces { world, issue, plan, .. } = self;
        let ask = |path: String| spec().ask_v4("GET", path).by(person).send();
        let of_issue = |rest: &str| ask(world.at(&format!("/issues/{}{rest}", issue["iid"]))).status == 200;
        let lists = |path: &str, word: &str| {
            let list = ask(format!("{path}/issues?milestone={plan}&{word}"));
            assert_eq!(list.status, 200, "{}", list.text);
            list.each("title").contains(&"hidden".into())
        };
        let counts = |path: &str| {
            let answer = ask(format!("{path}/issues_statistics?milestone={plan}&scope=all"));
            answer.json["statistics"]["counts"]["all"] == 2
        };
        let (project, group) = (world.at(""), format!("/groups/{}", world.group));
        vec![
            ("v4's issue", of_issue("")),
            ("its discussions", of_issue("/discussions")),
            ("its participants", of_issue("/participants")),
            ("v4's list of the project", lists(&project, "")),
            ("v4's list of the group", lists(&group, "scope=all")),
            ("v4's list of all", lists("", "scope=all")),
            ("a search in the project", lists(&project, "search=hidden")),
            ("a search in all", lists("", "scope=all&search=hidden")),
            ("the project's statistics", counts(&project)),
            ("the group's statistics", counts(&group)),
            ("the statistics of all", counts("")),
        ]
    }
}

#[test]
fn whoever_reads_confidential_issues_by_the_rule_finds_them_everywhere() {
    if !spec().is_in_process() {
        return;
    }
    let max = spec().person("Max");
    for visibility in [Visibility::Private, Visibility::Public] {
        let traces = Traces::new(visibility);
        let world = &traces.world;
        world.admit(&max, 40);
        for level in LEVELS {
            trial::with(Action::ReadConfidentialIssues, (level, None), || {
                for (person, access) in [
                    (&max, Access::Master),
                    (&world.bob, Access::Developer),
                    (&world.rae, Access::Reporter),
                    (&world.gus, Access::Guest),
                ] {
                    let expected = access >= level;
                    let found = traces.found_by(person);
                    let astray: Vec<_> = found.iter().filter(|(_, found)| *found != expected).collect();
                    assert!(
                        astray.is_empty(),
                        "with ReadConfidentialIssues for {level:?} and above, a {access:?} should {}find a confidential issue, but: {astray:?}",
                        if expected { "" } else { "not " },
                    );
                }
            });
        }
    }
}

/// The other conditions of an attempt: the level from which it succeeds under any rule.
fn beside(action: Action, what: &str) -> Access {
    let hidden = what.contains("confidential") && action != Action::CreateIssue;
    match action {
        // a caller who grants a level must have it
        Action::ManageMembers => Access::Reporter,
        _ if hidden => least(Action::ReadConfidentialIssues).0,
        _ => Access::Guest,
    }
}

#[test]
fn whoever_may_by_a_rule_that_was_changed_does() {
    if !spec().is_in_process() {
        return;
    }
    let scene = Scene::new(Visibility::Private);
    let personas =
        [("max", Access::Master), ("bob", Access::Developer), ("rae", Access::Reporter), ("gus", Access::Guest)];
    let mut astray = Vec::new();
    for attempt in all() {
        let (action, what, ..) = attempt;
        // the rules of visibility cannot change alone: every list depends on them
        if matches!(action, Action::ReadProject | Action::ReadIssues) {
            continue;
        }
        for level in LEVELS {
            trial::with(*action, (level, None), || {
                for (who, access) in personas {
                    let outcome = scene.attempt(attempt, who);
                    let done = !["no", "400", "401", "403", "404"].contains(&outcome.as_str());
                    if done != (access >= level.max(beside(*action, what))) {
                        astray.push(format!("{action:?} from {level:?} on: {who} tries to {what}: {outcome}"));
                    }
                }
            });
        }
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
}

#[test]
fn lists_across_projects_stand_on_two_rules_that_say_the_same() {
    // These lists check who sees a project. If ReadIssues differs from ReadProject, the lists of issues and to-do items
    // across projects must check more.
    assert_eq!(least(Action::ReadIssues), least(Action::ReadProject));
    assert_eq!(least(Action::ReadConfidentialIssues).1, None);
}

#[test]
fn no_statement_holds_a_level_of_its_own() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        if file == "src/kernel/policy.rs" {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> = line
                .split(|letter: char| !letter.is_ascii_alphanumeric() && !"_.<>=?".contains(letter))
                .filter(|word| !word.is_empty())
                .collect();
            let is_level = |word: &str| ["10", "20", "30", "40", "50", "60"].contains(&word);
            let about = |word: &str| {
                let word = word.rsplit('.').next().unwrap_or(word);
                ["access", "visibility", "token_access", "sees_from"].contains(&word)
            };
            let compared = words.windows(3).any(|three| {
                about(three[0]) && ["=", "<", ">", "<=", ">=", "<>"].contains(&three[1]) && is_level(three[2])
            });
            let chosen = words.windows(2).any(|two| two[0] == "then" && is_level(two[1]));
            if compared || chosen {
                found.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "only src/kernel/policy.rs may write a level as a number; elsewhere take it as a parameter:\n{}",
        found.join("\n")
    );
}

/// Path and text of every source file of the service.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut files) = (vec![root.join("src")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}
