//! What comparisons and trees cost at most, by the work that the server counts. Each test doubles one dimension of a repository.

use crate::reports::report;
use crate::support::contents::{Object, blob, tree};
use crate::support::git::commit;
use crate::support::{Answer, Ask, Dice, Server, Visibility, World, spec};
use edgeforge::route::{Route, Segment};
use edgeforge::{Dialect, Profile, routes};
use edgeforge_wire::contents::Kind;
use serde_json::json;
use std::sync::Mutex;

/// Milliseconds of work, and bytes of an answer, of any comparison.
const MOST_WORK: f64 = 2200.0;
const MOST_BYTES: usize = 24 << 20;

/// A directory or a file, with all that is below it. Its own object is the last one.
type Node = Vec<Object>;

fn file(text: impl Into<Vec<u8>>) -> Node {
    vec![blob(text)]
}

/// So many entries of one directory, whose contents take turns.
fn entries(prefix: &str, count: usize, contents: &[&Node]) -> Node {
    let names: Vec<String> = (0..count).map(|number| format!("{prefix}{number:06}")).collect();
    let turns = contents.iter().map(|node| node.last().unwrap()).cycle();
    let mode = |object: &Object| if object.heading.kind == Kind::Tree { "40000" } else { "100644" };
    let listed: Vec<(&str, &[u8], &str)> =
        names.iter().zip(turns).map(|(name, object)| (mode(object), name.as_bytes(), object.id())).collect();
    let below: Vec<Object> = contents.iter().flat_map(|node| node.iter().cloned()).collect();
    [below, vec![tree(&listed)]].concat()
}

fn pushed([old, new]: [&Node; 2]) -> World {
    let world = World::new(spec(), Visibility::Public);
    let with = |number, parents: &[u32], root: &Node| {
        commit(number, parents).with(|commit| commit.tree = root.last().unwrap().id().to_owned())
    };
    let commits = [with(1, &[], old), with(2, &[1], new)];
    world.push(&commits, &[("refs/heads/master", &commits[1].sha), ("refs/heads/old", &commits[0].sha)]);
    [old, new].iter().for_each(|side| side.chunks(50).for_each(|some| world.send_objects(some)));
    world.note(json!({ "extent": "history" }));
    world
}

fn work(answer: &Answer) -> f64 {
    answer.record.as_ref().unwrap().cost.work
}

/// Compares repositories of doubled sizes. Returns the last answer.
fn doubled(sizes: &[usize], sides: impl Fn(usize) -> [Node; 2]) -> Answer {
    asked("compare?from=old&to=master", sizes, sides)
}

/// The work grows with the size at most, until an answer is cut or refused, and has an upper bound.
fn asked(path: &str, sizes: &[usize], sides: impl Fn(usize) -> [Node; 2]) -> Answer {
    let mut before: Option<(usize, f64)> = None;
    let ask = |size: &usize| {
        let [old, new] = sides(*size);
        let world = pushed([&old, &new]);
        let answer = world.v4("GET", &format!("/repository/{path}")).send();
        assert!([200, 422].contains(&answer.status), "{size}: {}", answer.text);
        assert!(work(&answer) < MOST_WORK && answer.text.len() < MOST_BYTES, "{size}: {}", work(&answer));
        let (smaller, less) = before.unwrap_or((*size, f64::MAX));
        let most = less * (*size as f64 / smaller as f64) * 1.25 + 1.0;
        assert!(work(&answer) < most, "{size}: {} ms after {less} of {smaller}", work(&answer));
        before = Some((*size, work(&answer)));
        answer
    };
    sizes.iter().map(ask).last().unwrap()
}

/// So many lines, of which so many are different, in another order for each seed.
fn lines(count: usize, different: usize, seed: u64) -> String {
    let mut dice = Dice(seed);
    (0..count).map(|_| format!("{:x}\n", dice.roll(different))).collect()
}

fn is_cut(answer: &Answer) -> bool {
    answer.status == 200 && answer.json["compare_timeout"] == true
}

#[test]
fn a_comparison_of_more_changed_files_costs_in_proportion_until_patches_are_left_out() {
    if !spec().is_in_process() {
        return;
    }
    let [old, new] = [1, 2].map(|seed| file(lines(100_000, 4000, seed)));
    assert!(is_cut(&doubled(&[1, 2, 64, 1024], |count| [&old, &new].map(|text| entries("f", count, &[text])))));
    let [old, new] = [1, 2].map(|seed| file(format!("{seed}")));
    assert!(is_cut(&doubled(&[500, 1000, 2000], |count| [&old, &new].map(|text| entries("f", count, &[text])))));
}

#[test]
#[ignore = "a proof: make prove"]
fn a_comparison_of_longer_files_costs_in_proportion_until_patches_are_left_out() {
    if !spec().is_in_process() {
        return;
    }
    // with few different lines the dearest patch takes the product of their numbers
    for different in [2, 20, 100_000] {
        let sides = |count| [1, 2].map(|seed| entries("f", 1, &[&file(lines(count, different, seed))]));
        assert!(is_cut(&doubled(&[16_000, 64_000], sides)));
    }
    let sides = |bytes| [b'a', b'b'].map(|byte| entries("f", 1, &[&file(vec![byte; bytes])]));
    assert!(is_cut(&doubled(&[1 << 18, 1 << 19, 1 << 22], sides)));
}

#[test]
fn a_file_that_was_written_anew_leaves_patches_to_the_others() {
    if !spec().is_in_process() {
        return;
    }
    // few bytes, and more steps than one file has
    let [old, new] = [1, 2].map(|seed| file(lines(16_000, 20, seed)));
    let [small, smaller] = [file("one\ntwo\n"), file("one\n")];
    let sides = [[&old, &small], [&new, &smaller]].map(|contents| entries("f", 4, &contents));
    let world = pushed([&sides[0], &sides[1]]);
    let answer = world.v4("GET", "/repository/compare?from=old&to=master").gives(200);
    let large: Vec<bool> =
        answer.json["diffs"].as_array().unwrap().iter().map(|file| file["too_large"] == true).collect();
    assert_eq!(large, [true, false, true, false]);
}

#[test]
#[ignore = "a proof: make prove"]
fn a_comparison_of_more_similar_files_costs_in_proportion_until_they_are_not_looked_for() {
    if !spec().is_in_process() {
        return;
    }
    let [old, new] = [1, 2].map(|seed| file(lines(50_000, 1 << 30, seed)));
    let sides = |count| [entries("a", count, &[&old]), entries("b", count, &[&new])];
    assert!(is_cut(&doubled(&[1, 4, 16, 64], sides)));
    let texts = |more| (0..75).map(move |seed| file(lines(500, 1 << 30, seed) + more)).collect::<Vec<Node>>();
    let (olds, news) = (texts(""), texts("one more line\n"));
    let sides = |count| {
        [("a", &olds), ("b", &news)].map(|(name, texts)| entries(name, count, &texts.iter().collect::<Vec<_>>()))
    };
    let last = doubled(&[9, 18, 37, 75], sides);
    assert!(last.json["diffs"].as_array().unwrap().iter().all(|file| file["renamed_file"] == true));
}

#[test]
#[ignore = "a proof: make prove"]
fn a_comparison_of_more_names_and_directories_costs_in_proportion_until_it_is_refused() {
    if !spec().is_in_process() {
        return;
    }
    let (one, other) = (file("one"), file("other"));
    // equal files move to other names
    let sides = |count| ["a", "b"].map(|name| entries(name, count, &[&one]));
    assert_eq!(doubled(&[5000, 10_000, 20_000, 100_000], sides).status, 422);
    let sides = |count| [&one, &other].map(|text| entries("d", count, &[&entries("f", 1, &[text])]));
    assert_eq!(doubled(&[700, 1400, 2800, 100_000], sides).status, 422);
    let deep = |text: &Node, count| (0..count).fold(entries("f", 1, &[text]), |below, _| entries("d", 1, &[&below]));
    assert_eq!(doubled(&[700, 1400, 2800], |count| [deep(&one, count), deep(&other, count)]).status, 422);
    let long = |text: &Node, count| {
        (0..20).fold(entries("f", count, &[text]), |below, _| entries(&"d".repeat(4000), 1, &[&below]))
    };
    assert_eq!(doubled(&[12, 25, 50, 100], |count| [long(&one, count), long(&other, count)]).status, 422);
}

#[test]
#[ignore = "a proof: make prove"]
fn a_tree_of_more_entries_costs_in_proportion_until_it_is_refused() {
    if !spec().is_in_process() {
        return;
    }
    let text = file("text");
    let list = |sizes: &[usize], root: &dyn Fn(usize) -> Node| {
        let path = "tree?recursive=true&per_page=1";
        asked(path, sizes, |size| [root(size), root(size)]).status
    };
    assert_eq!(list(&[12_500, 25_000, 50_000, 101_000], &|count| entries("f", count, &[&text])), 422);
    let wide = |count| entries("d", count, &[&entries("f", 100, &[&text])]);
    assert_eq!(list(&[200, 400, 800, 1600], &wide), 422);
    let deep = |count| (0..count).fold(text.clone(), |below, _| entries("d", 1, &[&below]));
    assert_eq!(list(&[200, 400, 800, 1600], &deep), 422);
    let long = |count| (0..count).fold(text.clone(), |below, _| entries(&"d".repeat(4000), 2, &[&text, &below]));
    assert_eq!(list(&[20, 40, 80, 160], &long), 422);
}

#[test]
fn a_listing_whose_names_are_long_in_json_is_refused_unless_it_is_read_by_pages() {
    let text = file("text");
    let root = entries(&"\u{1}".repeat(1600), 900, &[&text]);
    let world = World::new(spec(), Visibility::Public);
    world.push_tree(root.last().unwrap(), &root);
    let refused = |answer: Answer| {
        assert_eq!(answer.status, 422, "{}", answer.text.len());
        assert!(answer.text.contains("more than 16777216 bytes of names"), "{}", answer.text);
    };
    refused(world.v4("GET", "/repository/tree?recursive=true&pagination=none").send());
    refused(world.get("/repository/tree").by(&world.ann).send());
    assert_eq!(world.v4("GET", "/repository/tree?per_page=100").send().each("id").len(), 100);
}

/// Asks for a tree, and while it is read for others. Adds the statuses in the order in which they began.
fn ask_within(server: &'static Server, path: String, asks: Vec<String>, statuses: &'static Mutex<Vec<u16>>) {
    let Some((token, rest)) = asks.split_first() else { return };
    let (at, rest, within) = (asks.len(), rest.to_vec(), path.clone());
    server.bucket().before_read(move || ask_within(server, within, rest, statuses));
    let answer = server.ask_v4("GET", path).header("PRIVATE-TOKEN", token).send();
    server.bucket().before_read(|| ());
    assert!(answer.status == 200 || answer.header("Retry-After") == Some("1"), "{at}: {}", answer.text);
    statuses.lock().unwrap().push(answer.status);
}

#[test]
fn four_trees_are_read_at_once_and_three_of_a_person() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with_objects(|_| ());
    let world = World::new(server, Visibility::Public);
    let root = entries("f", 1, &[&file("text")]);
    world.push_tree(root.last().unwrap(), &root);
    let path = world.at("/repository/tree");
    let [ann, bob, eve] = [&world.ann, &world.bob, &world.eve].map(|person| person.token.clone());
    let asks = [&ann, &ann, &ann, &ann].map(Clone::clone).to_vec();
    let statuses: &'static Mutex<Vec<u16>> = Box::leak(Box::default());
    ask_within(server, path.clone(), asks, statuses);
    assert_eq!(*statuses.lock().unwrap(), [429, 200, 200, 200]);
    statuses.lock().unwrap().clear();
    ask_within(server, path.clone(), [&ann, &ann, &bob, &bob, &eve].map(Clone::clone).to_vec(), statuses);
    assert_eq!(*statuses.lock().unwrap(), [429, 200, 200, 200, 200]);
    // all have ended
    assert_eq!(server.ask_v4("GET", path).header("PRIVATE-TOKEN", &eve).send().status, 200);
}

/// The GET routes of an API with their paths in a project, which has the file `f000000` on `master`.
fn paths_of_project(dialect: Dialect, project: i64, file: &str) -> Vec<(&'static Route, String)> {
    let gets = routes(dialect).filter(|route| route.verb == "GET" && route.address().starts_with("/projects/:id/"));
    let filled = |route: &'static Route| {
        let names = route.path.iter().map(|segment| match segment {
            Segment::Word(word) => (*word).to_owned(),
            Segment::Any("id") => project.to_string(),
            Segment::Any("format") => "tar".to_owned(),
            Segment::Any("file_path") => "f000000".to_owned(),
            Segment::Any("name") if route.address().ends_with("raw/:name") => "master/f000000".replace('/', "%2F"),
            Segment::Any("sha") if route.address().contains("raw_blobs") => file.to_owned(),
            Segment::Any("sha") if route.address().contains("blobs") && dialect == Dialect::V4 => file.to_owned(),
            Segment::Any("sha" | "name" | "branch" | "git_ref") => "master".to_owned(),
            Segment::Any(_) => "1".to_owned(),
        });
        let query = "?filepath=f000000&from=old&to=master&file_path=f000000&ref=master&refs[]=old&refs[]=master";
        (route, format!("/{}{query}", names.collect::<Vec<_>>().join("/")))
    };
    gets.map(filled).collect()
}

const DIALECTS: [Dialect; 2] = [Dialect::V3(Profile::Spec), Dialect::V4];

fn ask_dialect(server: &'static Server, dialect: Dialect, path: String) -> Ask {
    if dialect == Dialect::V4 { server.ask_v4("GET", path) } else { server.ask("GET", path) }
}

/// Calls `act` while four trees are read.
fn with_all_places(server: &'static Server, path: String, tokens: Vec<String>, act: Box<dyn FnOnce() + Send>) {
    let Some((token, rest)) = tokens.split_first() else { return act() };
    let (rest, within) = (rest.to_vec(), path.clone());
    server.bucket().before_read(move || with_all_places(server, within, rest, act));
    server.ask_v4("GET", path).header("PRIVATE-TOKEN", token).gives(200);
}

#[test]
fn a_costly_route_takes_its_place_before_the_database_is_asked() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with_objects(|_| ());
    let world = World::new(server, Visibility::Public);
    let root = entries("f", 1, &[&file("text")]);
    world.push_tree(root.last().unwrap(), &root);
    let [ann, bob, eve] = [&world.ann, &world.bob, &world.eve].map(|person| person.token.clone());
    let (project, tokens) = (world.project.id, vec![ann.clone(), ann.clone(), ann, bob]);
    let act = move || {
        for dialect in DIALECTS {
            let all = paths_of_project(dialect, project, "x");
            let costly: Vec<_> = all.into_iter().filter(|(route, _)| route.is_costly).collect();
            assert!(costly.len() > 8);
            for (route, path) in costly {
                let answer = ask_dialect(server, dialect, path).header("PRIVATE-TOKEN", &eve).send();
                let trips = answer.record.as_ref().unwrap().cost.trips;
                assert_eq!((answer.status, trips), (429, 0), "{}: {}", route.pattern, answer.text);
                assert!(answer.text.contains("others have them"), "{}", answer.text);
            }
        }
    };
    with_all_places(server, world.at("/repository/tree"), tokens, Box::new(act));
}

#[test]
fn every_route_that_reads_the_object_store_takes_a_place() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with_objects(|_| ());
    let world = World::new(server, Visibility::Public);
    let text = file("text");
    let [old, root] = [entries("f", 1, &[&file("old")]), entries("f", 1, &[&text])];
    let with = |number, parents: &[u32], root: &Node| {
        let diff = json!([{ "diff": "+".repeat(2000), "old_path": "f", "new_path": "f", "a_mode": null, "b_mode": null,
            "new_file": false, "renamed_file": false, "deleted_file": false }]);
        commit(number, parents).with(|commit| {
            commit.tree = root.last().unwrap().id().to_owned();
            commit.diff = diff.to_string();
        })
    };
    let commits = [with(1, &[], &old), with(2, &[1], &root)];
    world.push(&commits, &[("refs/heads/master", &commits[1].sha), ("refs/heads/old", &commits[0].sha)]);
    world.send_objects(&[old, root.clone()].concat());
    world.note(json!({ "extent": "history" }));
    let job = world.reported(2, "test", &[("failed", "adds")]);
    let finding = json!({ "path": "f", "line": 1, "severity": "minor", "description": "long" });
    world.reporting(job, "quality", &report("quality", json!({}), &[finding])).by(&world.bob).gives(201);
    assert_eq!(job, 1);
    let mut costly = 0;
    for dialect in DIALECTS {
        for (route, path) in paths_of_project(dialect, world.project.id, text[0].id()) {
            server.bucket().take_reads();
            let answer = ask_dialect(server, dialect, path.clone()).by(&world.ann).send();
            let reads = server.bucket().take_reads();
            assert!(route.is_costly || reads == 0, "{} reads: add @costly", route.pattern);
            assert!(!route.is_costly || reads > 0, "{} reads nothing of {path}: {}", route.pattern, answer.text);
            costly += usize::from(route.is_costly);
        }
    }
    assert!(costly > 16, "{costly}");
}
