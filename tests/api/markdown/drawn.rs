//! What an issue counts of its text is what `/markdown` draws of it.

use crate::support::git::{line, sha};
use crate::support::v4::{at, made};
use crate::support::{Dice, Person, Visibility, World, spec};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PLACES: [&str; 14] = ["", "", "", "  ", "    ", "> ", "- ", "* ", "1. ", "2) ", "10. ", "\t", "# ", "- > "];
const MARKS: [&str; 11] =
    ["", "", "[ ] ", "[x] ", "[X] ", "- [ ] ", "```", "~~~", "`````", "```` text ````", "``` a`b"];
const TEXTS: [&str; 20] = [
    "`",
    "``",
    "*",
    "**",
    "_",
    "~~",
    "[",
    "](/x)",
    "\n",
    " a ",
    "a",
    " | ",
    "é",
    "&",
    "/",
    ".",
    "#",
    "@",
    "https://x/",
    "-",
];
/// What the HTML without references does not tell apart.
const HIDDEN: [&str; 9] = ["\\", "<b>", "</b>", "<code>", "</code>", "<!-- ", " -->", "<div>", "&#64;"];

/// Lines of marks that open or close something, of tasks and of references. With an odd seed also HTML and escapes.
fn text(seed: u64, people: &[&str]) -> String {
    let dice = &mut Dice(seed);
    let mut text = String::new();
    for _ in 0..12 {
        text += dice.one::<&str>(&PLACES);
        text += dice.one::<&str>(&MARKS);
        for _ in 0..dice.roll(6) {
            let of: &[&str] = if seed % 2 == 1 && dice.roll(4) == 0 { &HIDDEN } else { &TEXTS };
            text += of[dice.roll(of.len())];
            text += &match dice.roll(6) {
                0 => format!("@{}", dice.one(people)),
                1 => format!(" @{} ", dice.one(people).to_uppercase()),
                2 => format!("#{}", dice.one(&[0, 1, 2, 3, 4, 5, 9999])),
                3 => format!(" {} ", &sha(1 + dice.roll(3) as u32)[..7 + dice.roll(34)]),
                _ => String::new(),
            };
        }
        text.push('\n');
    }
    text
}

fn html(world: &World, text: &str, gfm: bool) -> String {
    let fields = json!({ "text": text, "gfm": gfm, "project": world.project.path });
    let answer = spec().ask_v4("POST", "/markdown").by(&world.ann).json(fields).gives(201);
    answer.json["html"].as_str().unwrap().to_owned()
}

/// The ends of the links' addresses that begin with `before`.
fn linked(html: &str, before: &str) -> BTreeSet<String> {
    let start = format!("<a href=\"{before}");
    html.split(&start).skip(1).map(|rest| rest.split_once('"').unwrap().0.to_owned()).collect()
}

/// The words of the HTML outside of code and links, each with the two characters before it.
fn words(html: &str) -> Vec<([char; 2], String)> {
    let (mut words, mut hidden) = (vec![], 0);
    for part in html.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        match tag.split(' ').next().unwrap() {
            "code" | "a" => hidden += 1,
            "/code" | "/a" => hidden -= 1,
            _ => {}
        }
        let text = if hidden == 0 { text.replace("&gt;", ">").replace("&amp;", "&") } else { String::new() };
        let (mut before, mut word) = ([' '; 2], String::new());
        for letter in text.chars().chain([' ']) {
            if letter.is_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            let last = word.chars().next_back().unwrap_or(before[1]);
            if !word.is_empty() {
                words.push((before, std::mem::take(&mut word)));
            }
            before = [last, letter];
        }
    }
    words
}

fn compare(world: &World, seed: u64, found: &mut [usize; 4]) {
    let people: Vec<&Person> = vec![&world.bob, &world.rae, &world.gus, &world.eve];
    let names: Vec<&str> = people.iter().map(|person| person.username.as_str()).collect();
    let text = text(seed, &names);
    let (drawn, plain) = (html(world, &text, true), html(world, &text, false));
    let say = format!("{seed}:\n{text}\n{drawn}");
    let is_note = seed % 4 > 1;
    let issue = made(world, &world.ann, json!({ "title": "t", "description": if is_note { "" } else { &text } }));
    if is_note {
        at(world, "POST", &issue, "/notes").by(&world.ann).json(json!({ "body": text })).gives(201);
    } else {
        let count = |word: &str| plain.matches(word).count();
        let boxes = json!({ "count": count("type=\"checkbox\""), "completed_count": count("checked") });
        assert_eq!(issue["task_completion_status"], boxes, "{say}");
        found[0] += count("type=\"checkbox\"");
    }
    let origin = format!("{}/", spec().origin);
    let people_of = |all: &Value| -> BTreeSet<String> {
        all.as_array().unwrap().iter().map(|person| person["username"].as_str().unwrap().to_owned()).collect()
    };
    let mut participants = people_of(&at(world, "GET", &issue, "/participants").by(&world.ann).gives(200).json);
    participants.remove(&world.ann.username);
    let links: BTreeSet<String> =
        linked(&drawn, &origin).into_iter().filter(|name| names.contains(&name.as_str())).collect();
    assert_eq!(participants, links, "{say}");
    let todos = format!("/todos?project_id={}&per_page=1", world.project.id);
    let newest = &spec().ask_v4("GET", todos).by(&world.bob).gives(200).json[0];
    let has_item = newest["target"]["id"] == issue["id"] && newest["action_name"] == "mentioned";
    assert_eq!(has_item, links.contains(&world.bob.username), "{say}");
    let at = format!("{origin}{}/-/", world.project.path);
    let [issues, commits] = ["issues/", "commit/"].map(|kind| linked(&drawn, &format!("{at}{kind}")));
    if seed.is_multiple_of(2) {
        let words = words(&plain);
        let ends = |mark: char| mark.is_alphanumeric() || "_/&".contains(mark);
        let number = |word: &str| word.len() == 1 && word.parse().is_ok_and(|number| (1..=5).contains(&number));
        let is_issue = |before: [char; 2], word: &str| before[1] == '#' && !ends(before[0]) && number(word);
        let shown = words.iter().filter(|(before, word)| is_issue(*before, word)).map(|(_, word)| word.clone());
        assert_eq!(
            issues,
            shown.collect(),
            "{say}
{plain}"
        );
        let hash = |word: &str| (1..=2).map(sha).find(|sha| word.len() >= 7 && sha.starts_with(word));
        let shown = words.iter().filter(|(before, _)| !"#@/&".contains(before[1]));
        assert_eq!(
            commits,
            shown.filter_map(|(_, word)| hash(word)).collect(),
            "{say}
{plain}"
        );
    }
    *found = [found[0], found[1] + links.len(), found[2] + issues.len(), found[3] + commits.len()];
}

fn draw(seeds: std::ops::Range<u64>) {
    let world = World::new(spec(), Visibility::Public);
    world.push(&line(2), &[("refs/heads/master", &sha(2))]);
    for _ in 0..5 {
        made(&world, &world.ann, json!({ "title": "t" }));
    }
    let (mut found, all) = ([0; 4], seeds.end - seeds.start);
    for seed in seeds {
        compare(&world, seed, &mut found);
    }
    println!("{all} texts: {found:?} boxes, people, issues, commits");
    assert!(found.iter().all(|number| *number as u64 * 2 > all), "{found:?}");
}

#[test]
fn what_an_issue_counts_is_what_markdown_draws() {
    draw(0..20);
}

#[test]
#[ignore = "a proof: make prove"]
fn what_200_issues_count_is_what_markdown_draws() {
    draw(1000..1200);
}
