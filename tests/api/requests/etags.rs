//! Entity tags (behaviour 5.5). [`Ask::send`](crate::support::Ask) checks that every answer to a read has one and no
//! other answer does. It also checks the other headers for caches.

use crate::support::git::{commit, line, sha};
use crate::support::{Answer, Ask, Person, Visibility, World, spec};
use serde_json::{Value, json};

/// What a commit's diff is in these tests.
const DIFF: &str = r#"[{"diff":"@@ -1 +1 @@\n-a\n+b\n","new_path":"f","old_path":"f","a_mode":"100644","b_mode":"100644","new_file":false,"renamed_file":false,"deleted_file":false}]"#;

fn tag(answer: &Answer) -> String {
    answer.header("ETag").expect("a tag").to_owned()
}

/// A project with two commits, of which the second has a diff, and one issue.
fn world(visibility: Visibility) -> World {
    let world = World::new(spec(), visibility);
    let mut commits = line(1);
    commits.push(commit(2, &[1]).with(|commit| commit.diff = DIFF.to_owned()));
    world.push(&commits, &[("refs/heads/master", &sha(2))]);
    world.issue(&world.ann, json!({ "title": "one" }));
    world
}

/// Reads of all sorts in that project.
fn reads() -> Vec<String> {
    let tip = sha(2);
    let commits = "/repository/commits";
    ["", "/issues", "/labels", "/members", "/repository/branches/master", "/badges/master/build.svg"]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("{commits}/{tip}"), format!("{commits}/{tip}/diff"), format!("{commits}/{tip}/statuses")])
        .collect()
}

/// Sends with a tag.
fn knowing(ask: Ask, tag: &str) -> Answer {
    ask.header("If-None-Match", tag).send()
}

#[test]
fn whoever_is_refused_is_refused_with_the_right_tag_too() {
    let world = world(Visibility::Private);
    let dan = spec().person("Dantags");
    world.admit(&dan, 20);
    let known: Vec<_> = reads().into_iter().map(|path| (tag(&world.get(&path).by(&dan).gives(200)), path)).collect();
    for (tag, path) in &known {
        assert_eq!(knowing(world.get(path).by(&dan), tag).status, 304, "{path}");
        for tag in [tag.as_str(), "*"] {
            assert_eq!(knowing(world.get(path), tag).status, 401, "{path}");
            assert_eq!(knowing(world.get(path).header("PRIVATE-TOKEN", "nobody's"), tag).status, 401, "{path}");
            assert_eq!(knowing(world.get(path).by(&world.eve), tag).status, 404, "{path}");
            assert_eq!(knowing(world.get(&format!("{path}?sudo={}", world.ann.id)).by(&dan), tag).status, 403);
        }
    }
    let guest = [401, 403, 404];
    let diff = format!("/repository/commits/{}/diff", sha(2));
    assert!(guest.contains(&knowing(world.get(&diff).by(&world.gus), "*").status));
    assert_eq!(knowing(world.get("/issues?state=odd").by(&dan), "*").status, 400);
    // what was once seen is no more
    world.delete(&format!("/members/{}", dan.id)).by(&world.ann).gives(200);
    for (tag, path) in &known {
        assert_eq!(knowing(world.get(path).by(&dan), tag).status, 404, "{path}");
        assert_eq!(knowing(spec().ask("HEAD", world.at(path)).by(&dan), tag).status, 404, "{path}");
    }
}

#[test]
fn a_tag_of_one_caller_stands_for_nothing_that_another_is_answered() {
    let world = world(Visibility::Private);
    // the same bytes for both, and yet not the same tag
    let list = |person: &Person| world.get("/labels").by(person).gives(200);
    let (of_ann, of_bob) = (list(&world.ann), list(&world.bob));
    assert_eq!(of_ann.text, of_bob.text);
    assert_eq!(knowing(world.get("/labels").by(&world.bob), &tag(&of_ann)).status, 200);
    assert_eq!(knowing(world.get("/labels").by(&world.bob), &tag(&of_bob)).status, 304);
    // acted for by root, bob is bob
    let sudo = || world.get("/labels").by(&world.root).header("SUDO", world.bob.username.clone());
    assert_eq!(knowing(sudo(), &tag(&of_bob)).status, 304);
    assert_eq!(knowing(sudo(), &tag(&world.get("/labels").by(&world.root).gives(200))).status, 200);
    // a license with the caller's name in it is another text, and so has another tag
    let license = |person: &Person| spec().get("/licenses/mit").by(person).gives(200);
    let (of_ann, of_bob) = (license(&world.ann), license(&world.bob));
    assert_ne!(of_ann.text, of_bob.text);
    assert_ne!(tag(&of_ann), tag(&of_bob));
    assert_eq!(knowing(spec().get("/licenses/mit").by(&world.bob), &tag(&of_ann)).json, of_bob.json);
    assert_eq!(knowing(spec().get("/licenses/mit"), &tag(&of_ann)).status, 200);
}

#[test]
fn what_the_client_has_is_not_sent_again() {
    let world = world(Visibility::Internal);
    for path in reads() {
        let first = world.get(&path).by(&world.rae).gives(200);
        let tag = tag(&first);
        let opaque = tag.trim_start_matches("W/").to_owned();
        let changed = opaque.replacen('"', "\"x", 1);
        for known in [tag.clone(), opaque.clone(), format!("W/{opaque}"), format!("\"a\", {tag}"), "*".to_owned()] {
            let again = knowing(world.get(&path).by(&world.rae), &known);
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}: {known}");
            assert_eq!(again.header("ETag"), Some(tag.as_str()), "{path}");
            for name in ["Cache-Control", "Vary", "Link", "X-Total", "X-Next-Page", "Content-Security-Policy"] {
                assert_eq!(again.header(name), first.header(name), "{path}: {name}");
            }
            assert_eq!(knowing(spec().ask("HEAD", world.at(&path)).by(&world.rae), &known).status, 304);
        }
        for unknown in ["", "\"\"", "W/", changed.as_str(), "x"] {
            let whole = knowing(world.get(&path).by(&world.rae), unknown);
            assert_eq!((whole.status, &whole.text), (200, &first.text), "{path}: {unknown}");
        }
        let head = spec().ask("HEAD", world.at(&path)).by(&world.rae).gives(200);
        assert_eq!(head.header("ETag"), Some(tag.as_str()), "{path}");
    }
}

#[test]
fn what_has_changed_is_sent() {
    let world = world(Visibility::Internal);
    let by = |path: &str| world.get(path).by(&world.rae);
    let list = tag(&by("/issues?per_page=1").gives(200));
    // the same first page of a longer list: its headers tell more
    world.issue(&world.ann, json!({ "title": "an old one", "created_at": "2001-01-01T00:00:00Z" }));
    let longer = knowing(by("/issues?per_page=1"), &list);
    assert_eq!((longer.status, longer.header("X-Total")), (200, Some("2")));
    let commit = format!("/repository/commits/{}", sha(2));
    let (shown, diff) = (tag(&by(&commit).gives(200)), tag(&by(&format!("{commit}/diff")).gives(200)));
    world.post(&format!("/statuses/{}", sha(2))).by(&world.bob).json(json!({ "state": "success" })).gives(201);
    assert_eq!(knowing(by(&commit), &shown).json["status"], "success");
    assert_eq!(knowing(by(&format!("{commit}/diff")), &diff).status, 304);
}

#[test]
fn tags_of_diffs_licenses_and_badges_are_strong_and_others_weak() {
    let world = world(Visibility::Public);
    let diff = format!("/repository/commits/{}/diff", sha(2));
    let strong = |answer: Answer| !tag(&answer).starts_with("W/");
    assert!(strong(world.get(&diff).by(&world.ann).gives(200)));
    assert!(strong(world.v4("GET", &diff).gives(200)));
    assert!(strong(spec().get("/licenses/mit").gives(200)));
    assert!(strong(spec().ask_v4("GET", "/templates/licenses/mit").gives(200)));
    assert!(strong(world.get("/badges/master/build.svg").gives(200)));
    let label = world.v4("POST", "/labels").by(&world.ann).json(json!({ "name": "a", "color": "#123456" }));
    let label = format!("/labels/{}", label.gives(201).id());
    assert!(strong(world.v4("GET", &label).by(&world.ann).gives(200)));
    assert!(!strong(world.get("/issues").by(&world.ann).gives(200)));
    assert!(!strong(spec().get("/licenses").gives(200)));
    // the same bytes have the same tag for every caller and every name of the commit
    let by_name = tag(&world.get("/repository/commits/master/diff").by(&world.bob).gives(200));
    assert_eq!(tag(&world.get(&diff).by(&world.ann).gives(200)), by_name);
    let other = format!("/repository/commits/{}/diff", sha(1));
    assert_ne!(tag(&world.get(&other).by(&world.bob).gives(200)), by_name);
}

#[test]
fn a_write_is_done_whatever_is_known() {
    let world = world(Visibility::Private);
    for tag in ["*", "\"a\""] {
        let made = knowing(world.post("/labels").by(&world.ann).json(json!({ "name": tag, "color": "#123456" })), tag);
        assert_eq!(made.status, 201);
    }
    let names: Vec<Value> = world.get("/labels").by(&world.ann).gives(200).each("name");
    assert_eq!(names, [json!("\"a\""), json!("*")]);
    let issue = world.issue(&world.ann, json!({ "title": "x" }));
    let closing = world.put(&format!("/issues/{}", issue["id"])).by(&world.ann).json(json!({ "state_event": "close" }));
    assert_eq!(knowing(closing, "*").json["state"], "closed");
}

#[test]
fn the_description_has_a_tag_where_it_is_served() {
    for path in ["/api/v3/openapi.json", "/api/v4/openapi.json"] {
        let Some((status, tag)) = spec().file_known(path, "\"another\"") else { return };
        assert_eq!(status, 200, "{path}");
        let tag = tag.expect("a tag");
        assert_eq!(spec().file_known(path, &tag), Some((304, Some(tag))), "{path}");
    }
}

#[test]
fn a_known_tag_spares_the_database_nothing() {
    let world = world(Visibility::Private);
    let by = || world.get("/issues").by(&world.ann);
    let (whole, cost) = by().cost();
    let (known, same) = by().header("If-None-Match", tag(&whole)).cost();
    assert_eq!((known.status, known.trips), (304, whole.trips));
    // D1 counts the end of an index range as read once a test beside has an issue behind it
    let beside = u64::from(!spec().is_in_process());
    assert!(same.abs_diff(cost) <= beside, "{cost} and {same}");
}
