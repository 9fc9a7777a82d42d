//! Issues that are closed and mentioned by the messages of pushed commits.

use crate::support::git::{Commit, commit, sha};
use crate::support::{Person, Visibility, World, spec, unique};
use serde_json::{Value, json};

/// Commit `number` on `parents` with this message.
fn said(number: u32, parents: &[u32], message: &str) -> Commit {
    commit(number, parents).with(|commit| commit.message = format!("{message}\n"))
}

struct Scene {
    world: World,
}

impl Scene {
    /// A project whose branch `main` ends at commit 1.
    fn new() -> Scene {
        let scene = Scene::empty();
        scene.send(&[commit(1, &[])]);
        scene.swap(&[("main", None, Some(1))]);
        scene
    }

    fn empty() -> Scene {
        Scene { world: World::new(spec(), Visibility::Public) }
    }

    fn send(&self, commits: &[Commit]) {
        let wire: Vec<Value> = commits.iter().map(Commit::wire).collect();
        let push = self.world.post("/mirror/commits").by(&self.world.ann);
        push.json(json!({ "commits": wire })).gives(201);
    }

    fn swap(&self, moves: &[(&str, Option<u32>, Option<u32>)]) -> Value {
        self.swap_as(&self.world.ann, moves, json!({ "default_branch": "main" }))
    }

    fn swap_as(&self, person: &Person, moves: &[(&str, Option<u32>, Option<u32>)], mut more: Value) -> Value {
        let change = |(name, old, new): &(&str, Option<u32>, Option<u32>)| json!({ "name": format!("refs/heads/{name}"), "old": old.map(sha), "new": new.map(sha) });
        more["changes"] = moves.iter().map(change).collect();
        self.world.put("/mirror/refs").by(person).json(more).gives(200).json
    }

    /// Commits `said` on `main`, from `old` to the last of them.
    fn push(&self, old: u32, new: u32, commits: &[Commit]) -> Value {
        self.send(commits);
        self.swap(&[("main", Some(old), Some(new))])
    }

    /// The number of a new issue.
    fn issue(&self) -> i64 {
        self.issue_of(json!({ "title": "x" }))
    }

    fn issue_of(&self, fields: Value) -> i64 {
        self.world.issue(&self.world.bob, fields)["iid"].as_i64().unwrap()
    }

    fn show(&self, iid: i64) -> Value {
        self.world.v4("GET", &format!("/issues/{iid}")).by(&self.world.ann).gives(200).json
    }

    fn state(&self, iid: i64) -> String {
        self.show(iid)["state"].as_str().unwrap().to_owned()
    }

    fn reopen(&self, iid: i64) {
        let reopen = self.world.v4("PUT", &format!("/issues/{iid}")).by(&self.world.ann);
        reopen.json(json!({ "state_event": "reopen" })).gives(200);
    }

    /// System comments of the issue, the oldest first.
    fn notes(&self, iid: i64) -> Vec<String> {
        let path = format!("/issues/{iid}/notes?sort=asc&per_page=100");
        let notes = self.world.v4("GET", &path).by(&self.world.ann).gives(200).json;
        let notes = notes.as_array().unwrap().iter().filter(|note| note["system"] == true);
        notes.map(|note| note["body"].as_str().unwrap().to_owned()).collect()
    }
}

fn closed(number: u32) -> String {
    format!("closed via commit {}", sha(number))
}

fn mentioned(number: u32) -> String {
    format!("mentioned in commit {}", sha(number))
}

#[test]
fn a_push_to_the_default_branch_closes_what_its_messages_say() {
    let scene = Scene::new();
    let [first, second, third] = [(); 3].map(|()| scene.issue());
    let before = scene.show(third)["updated_at"].clone();
    let message = format!("Mend it\n\nFixes #{first}, #{second}; see #{third} and #987654.");
    let answer = scene.push(1, 2, &[said(2, &[1], &message)]);
    assert_eq!((&answer["refs"], &answer["skipped"]), (&json!(1), &Value::Null));
    for iid in [first, second] {
        let issue = scene.show(iid);
        assert_eq!((&issue["state"], &issue["closed_by"]["id"]), (&json!("closed"), &json!(scene.world.ann.id)));
        assert_eq!(issue["closed_at"], issue["updated_at"]);
        assert_eq!(scene.notes(iid), [closed(2)]);
    }
    let issue = scene.show(third);
    assert_eq!((&issue["state"], &issue["updated_at"]), (&json!("opened"), &before));
    assert_eq!(scene.notes(third), [mentioned(2)]);
    // v3 has the same comments
    let notes = format!("/issues/{}/notes", scene.show(first)["id"]);
    assert_eq!(scene.world.get(&notes).by(&scene.world.ann).gives(200).each("body"), [closed(2)]);
}

#[test]
fn a_first_sync_closes_and_mentions_nothing_and_neither_does_its_history_later() {
    let scene = Scene::empty();
    let iid = scene.issue();
    let fixes = format!("Fixes #{iid}");
    scene.send(&[said(1, &[], &fixes), said(2, &[1], &fixes), said(3, &[1], &fixes)]);
    scene.swap(&[("main", None, Some(2)), ("topic", None, Some(3))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![]));
    // a new branch at a commit of the history
    scene.swap(&[("again", None, Some(3))]);
    assert_eq!(scene.notes(iid), [""; 0]);
    // the topic of the history comes into the default branch
    scene.push(2, 4, &[said(4, &[2, 3], "Merge")]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("closed".to_owned(), vec![closed(3)]));
}

#[test]
fn an_empty_server_that_gets_a_few_commits_closes_nothing() {
    let scene = Scene::empty();
    let iid = scene.issue();
    scene.send(&[said(1, &[], &format!("Fixes #{iid}"))]);
    scene.swap(&[("main", None, Some(1))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![]));
}

#[test]
fn another_branch_mentions_and_its_merge_closes() {
    let scene = Scene::new();
    let iid = scene.issue();
    scene.send(&[said(2, &[1], &format!("Closes #{iid}"))]);
    scene.swap(&[("topic", None, Some(2))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![mentioned(2)]));
    scene.swap(&[("other", None, Some(2))]);
    assert_eq!(scene.notes(iid), [mentioned(2)]);
    scene.swap(&[("main", Some(1), Some(2))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("closed".to_owned(), vec![mentioned(2), closed(2)]));
}

#[test]
fn what_a_commit_did_it_does_not_do_again() {
    let scene = Scene::new();
    let [iid, seen] = [(); 2].map(|()| scene.issue());
    scene.push(1, 2, &[said(2, &[1], &format!("Closes #{iid}, see #{seen}"))]);
    scene.reopen(iid);
    let notes = scene.notes(iid);
    // back and forth
    scene.swap(&[("main", Some(2), Some(1))]);
    scene.swap(&[("main", Some(1), Some(2))]);
    // the same again
    scene.swap(&[("main", Some(2), Some(2)), ("topic", None, Some(2))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), notes));
    assert_eq!(scene.notes(seen), [mentioned(2)]);
    // another commit does
    scene.push(2, 3, &[said(3, &[2], &format!("Closes #{iid}"))]);
    assert_eq!(scene.state(iid), "closed");
    // a closed issue gets no second comment, and its commit has had its turn
    let notes = scene.notes(iid);
    scene.push(3, 4, &[said(4, &[3], &format!("Closes #{iid}"))]);
    assert_eq!(scene.notes(iid), notes);
    scene.reopen(iid);
    scene.swap(&[("main", Some(4), Some(1))]);
    scene.swap(&[("main", Some(1), Some(4))]);
    assert_eq!(scene.state(iid), "opened");
}

#[test]
fn of_two_commits_of_a_push_the_first_closes() {
    let scene = Scene::new();
    let iid = scene.issue();
    let fixes = format!("Fixes #{iid}");
    scene.push(1, 3, &[said(2, &[1], &fixes), said(3, &[2], &fixes)]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("closed".to_owned(), vec![closed(2)]));
}

#[test]
fn rewritten_history_closes_nothing_and_mentions_by_new_commits_alone() {
    let scene = Scene::new();
    let [iid, other] = [(); 2].map(|()| scene.issue());
    scene.push(1, 2, &[commit(2, &[1])]);
    scene.send(&[said(3, &[1], &format!("Fixes #{iid}"))]);
    scene.swap(&[("main", Some(2), Some(3))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![mentioned(3)]));
    // the default branch is another one, which closes nothing
    scene.send(&[said(4, &[3], &format!("Fixes #{other}"))]);
    scene.swap_as(&scene.world.ann, &[("next", None, Some(4))], json!({ "default_branch": "next" }));
    assert_eq!((scene.state(other), scene.notes(other)), ("opened".to_owned(), vec![mentioned(4)]));
    scene.swap_as(&scene.world.ann, &[], json!({ "default_branch": "main" }));
    assert_eq!(scene.state(other), "opened");
}

#[test]
fn a_sync_that_says_it_is_a_history_closes_nothing() {
    for word in ["history", "recheck"] {
        let scene = Scene::new();
        let iid = scene.issue();
        scene.send(&[said(2, &[1], &format!("Fixes #{iid}"))]);
        scene.swap_as(&scene.world.ann, &[("main", Some(1), Some(2))], json!({ "default_branch": "main", word: true }));
        scene.swap(&[("topic", None, Some(2))]);
        assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![]), "{word}");
    }
}

#[test]
fn a_project_may_keep_its_issues_open() {
    let scene = Scene::new();
    let set = |person: &Person, value: bool| {
        scene.world.v4("PUT", "").by(person).json(json!({ "autoclose_referenced_issues": value })).send()
    };
    assert_eq!(scene.world.v4("GET", "").gives(200).json["autoclose_referenced_issues"], true);
    set(&scene.world.bob, false).has_status(403);
    assert_eq!(set(&scene.world.ann, false).json["autoclose_referenced_issues"], false);
    assert_eq!(scene.world.v4("GET", "").gives(200).json["autoclose_referenced_issues"], false);
    let iid = scene.issue();
    scene.push(1, 2, &[said(2, &[1], &format!("Fixes #{iid}"))]);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![mentioned(2)]));
    set(&scene.world.ann, true);
    scene.push(2, 3, &[said(3, &[2], &format!("Fixes #{iid}"))]);
    assert_eq!(scene.state(iid), "closed");
}

#[test]
fn a_hook_closes_confidential_issues_and_none_of_other_projects() {
    let scene = Scene::new();
    let elsewhere = Scene::new();
    let theirs = elsewhere.issue();
    let iid = scene.issue_of(json!({ "title": "hidden", "confidential": true }));
    let made = scene.world.v4("POST", "/hook_tokens").by(&scene.world.ann).json(json!({ "name": "h" }));
    let token = made.gives(201).json["token"].as_str().unwrap().to_owned();
    let hook = Person { token, ..scene.world.ann.clone() };
    let other = &elsewhere.world.project.path;
    let message = format!("Fixes #{iid} and {other}#{theirs}");
    scene.send(&[said(2, &[1], &message)]);
    scene.swap_as(&hook, &[("main", Some(1), Some(2))], json!({ "default_branch": "main" }));
    assert_eq!((scene.state(iid), scene.notes(iid)), ("closed".to_owned(), vec![closed(2)]));
    let closer = scene.show(iid)["closed_by"].clone();
    assert_eq!(closer["name"], "h (mirror)");
    assert!(closer["id"].as_i64().unwrap() < 0);
    assert_eq!((elsewhere.state(theirs), elsewhere.notes(theirs)), ("opened".to_owned(), vec![]));
    // nothing of it is seen by who does not see the issue
    scene.world.v4("GET", &format!("/issues/{iid}")).by(&scene.world.eve).gives(404);
}

#[test]
fn a_push_leaves_the_issues_of_an_archived_project_alone() {
    let scene = Scene { world: World::new(spec(), Visibility::Private) };
    scene.send(&[commit(1, &[])]);
    scene.swap(&[("main", None, Some(1))]);
    let world = &scene.world;
    let made = world.v4("POST", "/hook_tokens").by(&world.ann).json(json!({ "name": "h", "cross_project": true }));
    let token = made.gives(201).json["token"].as_str().unwrap().to_owned();
    let near = world.sibling(Visibility::Private);
    let [theirs, own] =
        [near.issue(&near.ann, json!({ "title": "x" })), world.issue(&world.ann, json!({ "title": "x" }))];
    for at in [&near, world] {
        at.post("/archive").by(&at.ann).gives(201);
    }
    let message = format!("Fixes {}#{}, #{}", near.project.path, theirs["iid"], own["iid"]);
    scene.send(&[said(2, &[1], &message)]);
    let hook = Person { token, ..world.ann.clone() };
    scene.swap_as(&hook, &[("main", Some(1), Some(2))], json!({ "default_branch": "main" }));
    let shown = [(&near, &theirs), (world, &own)].map(|(at, issue)| {
        at.v4("GET", &format!("/issues/{}", issue["iid"])).by(&at.ann).gives(200).json["state"].clone()
    });
    assert_eq!(shown, ["opened", "opened"]);
}

#[test]
fn a_hook_made_for_it_closes_issues_of_other_projects_where_its_maker_may() {
    let scene = Scene { world: World::new(spec(), Visibility::Private) };
    scene.send(&[commit(1, &[])]);
    scene.swap(&[("main", None, Some(1))]);
    let world = &scene.world;
    let made = world.v4("POST", "/hook_tokens").by(&world.ann);
    let made = made.json(json!({ "name": "h", "cross_project": true })).gives(201).json;
    assert_eq!(made["cross_project"], true);
    let hook = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    let near = world.sibling(Visibility::Private);
    // a project that everybody sees and where the maker has no part
    let name = unique("strange");
    let new = json!({ "name": name, "visibility": "public" });
    let maker = spec().person("Stranger");
    let strange = spec().ask_v4("POST", "/projects").by(&maker).json(new).gives(201).json;
    let theirs = format!("/projects/{}/issues", strange["id"]);
    let kept = spec().ask_v4("POST", &theirs).by(&maker).json(json!({ "title": "x" })).gives(201).json;
    let reader = spec().person("Reader");
    near.admit(&reader, 20);
    let [first, second, hidden] = [(); 3].map(|()| near.issue(&near.ann, json!({ "title": "x" })));
    let secret = json!({ "confidential": true });
    near.v4("PUT", &format!("/issues/{}", hidden["iid"])).by(&near.ann).json(secret).gives(200);
    let name = near.project.path.rsplit('/').next().unwrap();
    let message = format!(
        "Fixes {}#{} and {name}#{}, {name}#987654, {}#{}; see {name}#{}",
        near.project.path,
        first["iid"],
        hidden["iid"],
        strange["path_with_namespace"].as_str().unwrap(),
        kept["iid"],
        second["iid"]
    );
    scene.send(&[said(2, &[1], &message)]);
    scene.swap_as(&hook, &[("main", Some(1), Some(2))], json!({ "default_branch": "main" }));
    let show =
        |at: &World, issue: &Value| at.v4("GET", &format!("/issues/{}", issue["iid"])).by(&at.ann).gives(200).json;
    let state = |at: &World, issue: &Value| show(at, issue)["state"].clone();
    assert_eq!([&first, &second, &hidden].map(|issue| state(&near, issue)), ["closed", "opened", "closed"]);
    let kept = spec().ask_v4("GET", format!("{theirs}/{}", kept["iid"])).by(&maker).gives(200);
    assert_eq!((&kept.json["state"], &kept.json["user_notes_count"]), (&json!("opened"), &json!(0)));
    let notes = |issue: &Value, reader: &Person| {
        near.v4("GET", &format!("/issues/{}/notes", issue["iid"])).by(reader).gives(200).each("body")
    };
    let from = format!("{}@{}", world.project.path, sha(2));
    assert_eq!(notes(&first, &near.ann), [format!("closed via commit {from}")]);
    assert_eq!(notes(&second, &near.ann), [format!("mentioned in commit {from}")]);
    // who does not see the project of the commit reads neither its name nor the hash
    assert_eq!(notes(&first, &reader), ["closed via commit of another project"]);
    // and so does who sees the project but may not read its commits
    world.admit(&reader, 10);
    assert_eq!(notes(&first, &reader), ["closed via commit of another project"]);
    let events = near.v4("GET", &format!("/issues/{}/resource_state_events", first["iid"])).by(&reader);
    let events = events.gives(200);
    assert_eq!(events.each("source_commit"), [Value::Null]);
    // and neither the name of its hook
    for by in [events.each("user"), vec![show(&near, &first)["closed_by"].clone()]] {
        assert_eq!(by[0]["username"], world.ann.username);
    }
    // another project may keep its issues open
    near.v4("PUT", "").by(&near.ann).json(json!({ "autoclose_referenced_issues": false })).gives(200);
    scene.send(&[said(3, &[2], &format!("Fixes {name}#{}", second["iid"]))]);
    scene.swap_as(&hook, &[("main", Some(2), Some(3))], json!({ "default_branch": "main" }));
    assert_eq!((state(&near, &second), notes(&second, &near.ann).len()), (json!("opened"), 2));
    // and one without issues has none
    near.v4("PUT", "").by(&near.ann).json(json!({ "issues_enabled": false })).gives(200);
    scene.send(&[said(4, &[3], &format!("Fixes {name}#{}", second["iid"]))]);
    scene.swap_as(&hook, &[("main", Some(3), Some(4))], json!({ "default_branch": "main" }));
    near.v4("PUT", "").by(&near.ann).json(json!({ "issues_enabled": true })).gives(200);
    assert_eq!((state(&near, &second), notes(&second, &near.ann).len()), (json!("opened"), 2));
}

#[test]
fn a_project_without_issues_is_pushed_to_as_before() {
    let scene = Scene::new();
    let iid = scene.issue();
    scene.world.v4("PUT", "").by(&scene.world.ann).json(json!({ "issues_enabled": false })).gives(200);
    scene.push(1, 2, &[said(2, &[1], &format!("Fixes #{iid}"))]);
    scene.world.v4("PUT", "").by(&scene.world.ann).json(json!({ "issues_enabled": true })).gives(200);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![]));
}

#[test]
fn of_a_long_push_the_newest_hundred_commits_count_and_the_answer_says_how_many_do_not() {
    let scene = Scene::new();
    let [old, new] = [(); 2].map(|()| scene.issue());
    let chain: Vec<Commit> = (2..=151)
        .map(|number| match number {
            51 => said(number, &[number - 1], &format!("Fixes #{old}")),
            52 => said(number, &[number - 1], &format!("Fixes #{new}")),
            _ => commit(number, &[number - 1]),
        })
        .collect();
    let answer = scene.push(1, 151, &chain);
    assert_eq!(answer["skipped"], 50);
    assert_eq!((scene.state(old), scene.state(new)), ("opened".to_owned(), "closed".to_owned()));
}

#[test]
fn of_long_messages_four_megabytes_are_read_and_one_as_json() {
    let letters = "x".repeat(890_000);
    let controls = "\u{1}".repeat(65_000);
    for (message, all, read) in [(&letters, 5, 4), (&controls, 3, 2)] {
        let scene = Scene::new();
        let issues: Vec<i64> = (0..all).map(|_| scene.issue()).collect();
        let chain: Vec<Commit> = (2..)
            .zip(&issues)
            .map(|(number, iid)| said(number, &[number - 1], &format!("Fixes #{iid}\n{message}")))
            .collect();
        for commit in &chain {
            scene.send(std::slice::from_ref(commit));
        }
        let tip = 1 + all as u32;
        assert_eq!(scene.swap(&[("main", Some(1), Some(tip))])["skipped"], all - read);
        let open: Vec<bool> = issues.iter().map(|iid| scene.state(*iid) == "opened").collect();
        assert_eq!(open, (0..all).map(|at| at < all - read).collect::<Vec<_>>(), "the newest are read");
    }
}

#[test]
fn a_push_closes_200_issues_and_5000_labels_and_mentions_the_others() {
    let scene = Scene::new();
    let labels: Vec<String> = (0..500).map(|number| format!("l{number}")).collect();
    let labelled = json!({ "title": "x", "labels": labels.join(",") });
    let heavy: Vec<i64> = (0..10).map(|_| scene.issue_of(labelled.clone())).collect();
    let close = |issues: &[i64]| issues.iter().map(|iid| format!("Fixes #{iid}\n")).collect::<String>();
    scene.push(1, 2, &[said(2, &[1], &close(&heavy))]);
    let states: Vec<String> = heavy.iter().map(|iid| scene.state(*iid)).collect();
    assert_eq!(states.iter().filter(|state| *state == "closed").count(), 9);
    assert_eq!((states[9].as_str(), scene.notes(heavy[9])), ("opened", vec![mentioned(2)]));
    let light: Vec<i64> = (0..201).map(|_| scene.issue()).collect();
    let chain: Vec<Commit> =
        (3..).zip(light.chunks(100)).map(|(number, part)| said(number, &[number - 1], &close(part))).collect();
    scene.push(2, 5, &chain);
    assert_eq!((scene.state(light[199]), scene.state(light[200])), ("closed".to_owned(), "opened".to_owned()));
    assert_eq!(scene.notes(light[200]), [mentioned(5)]);
}

#[test]
fn a_push_that_is_refused_closes_nothing() {
    let scene = Scene::new();
    let iid = scene.issue();
    scene.send(&[said(2, &[1], &format!("Fixes #{iid}")), commit(3, &[1])]);
    let change = |name: &str, old: u32, new: u32| json!({ "name": format!("refs/heads/{name}"), "old": sha(old), "new": sha(new) });
    let moves = json!({ "default_branch": "main", "changes": [change("main", 1, 2), change("gone", 1, 3)] });
    scene.world.put("/mirror/refs").by(&scene.world.ann).json(moves).gives(409);
    assert_eq!((scene.state(iid), scene.notes(iid)), ("opened".to_owned(), vec![]));
}

#[test]
fn a_deleted_issue_leaves_no_reference() {
    let scene = Scene::new();
    let iid = scene.issue();
    scene.push(1, 2, &[said(2, &[1], &format!("see #{iid}"))]);
    scene.world.v4("DELETE", &format!("/issues/{iid}")).by(&scene.world.root).gives(204);
    if spec().is_in_process() {
        let left = format!(
            "select count(*) as \"left\" from commit_references where issue_id in
             (select id from issues where project_id = {} and iid = {iid})",
            scene.world.project.id
        );
        assert_eq!(spec().rows(&left), [json!({ "left": 0 })]);
    }
    scene.push(2, 3, &[said(3, &[2], &format!("Fixes #{iid}"))]);
}
