//! License templates (specification, "License templates"; behaviour 11).

use crate::support::{Answer, Ask, Person, Server, now, spec, templates, unique};
use chrono::Datelike;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

fn year() -> String {
    chrono::DateTime::from_timestamp_millis(now()).unwrap().year().to_string()
}

fn show(key: &str) -> Answer {
    spec().get(format!("/licenses/{key}")).gives(200)
}

fn content(answer: &Answer) -> &str {
    answer.json["content"].as_str().unwrap()
}

#[test]
fn an_unknown_template_is_not_found() {
    let long = "a".repeat(2_000);
    for key in ["no-such", "other", "no-license", "...", "licenses", &long] {
        spec().get(format!("/licenses/{key}")).refused(404, json!({ "message": "404 License Not Found" }));
    }
    for no_key in ["foo%2Fbar", "%20", "m%C3%AFt"] {
        spec().get(format!("/licenses/{no_key}")).refused(404, json!({ "error": "404 Not Found" }));
    }
}

#[test]
fn fifteen_templates_are_listed_in_order_of_their_keys() {
    let answer = spec().get("/licenses").gives(200);
    assert_eq!(answer.each("key"), templates::listed());
    assert_eq!(answer.header("X-Total"), None);
    assert_eq!(spec().get("/licenses?per_page=2&page=2").gives(200).json, answer.json);
}

#[test]
fn the_list_leaves_the_placeholders() {
    let answer = spec().get("/licenses?project=P&fullname=N").gives(200);
    let mit = answer.json.as_array().unwrap().iter().find(|license| license["key"] == "mit").unwrap();
    assert!(mit["content"].as_str().unwrap().contains("Copyright (c) [year] [fullname]"), "{mit}");
}

#[test]
fn popular_templates_are_three() {
    for truth in ["popular=1", "popular=true", "popular=TRUE", "popular=on"] {
        let answer = spec().get(format!("/licenses?{truth}")).gives(200);
        assert_eq!(answer.each("key"), ["apache-2.0", "gpl-3.0", "mit"], "{truth}");
    }
    for none in ["popular=0", "popular=false", "popular=", "popular=perhaps"] {
        let answer = spec().get(format!("/licenses?{none}")).gives(200);
        assert_eq!(answer.each("key").len(), 15, "{none}");
        assert_eq!(answer.each("featured"), answer.each("popular"));
    }
}

#[test]
fn a_template_has_the_fields_of_the_specification() {
    let answer = show("mit");
    let names = "key name nickname featured popular html_url source_url description conditions permissions \
                 limitations content";
    let names: Vec<&str> = names.split(' ').collect();
    let places: Vec<usize> = names.iter().map(|name| answer.text.find(&format!("\"{name}\":")).expect(name)).collect();
    assert_eq!(answer.json.as_object().unwrap().len(), names.len());
    assert!(places.is_sorted(), "{}", answer.text);
    let mit = &answer.json;
    assert_eq!((&mit["key"], &mit["name"], &mit["nickname"]), (&json!("mit"), &json!("MIT License"), &json!(null)));
    assert_eq!((&mit["featured"], &mit["popular"]), (&json!(true), &json!(true)));
    assert_eq!(mit["html_url"], "http://choosealicense.com/licenses/mit/");
    assert_eq!(mit["source_url"], "https://opensource.org/licenses/MIT");
    assert_eq!(mit["conditions"], json!(["include-copyright"]));
    assert_eq!(show("gpl-3.0").json["nickname"], "GNU GPLv3");
}

#[test]
fn the_case_of_a_key_does_not_matter() {
    for key in ["MIT", "Mit", "mit.json", "Apache-2.0"] {
        assert_eq!(show(key).json["key"], key.trim_end_matches(".json").to_lowercase());
    }
}

#[test]
fn a_template_that_is_not_listed_is_found_by_its_key() {
    assert_eq!(show("wtfpl").json["key"], "wtfpl");
}

/// The text between two brackets, and the mark that replaces its value below.
const FORMS: &[(&str, char)] = &[
    ("year", '\u{1}'),
    ("yyyy", '\u{1}'),
    ("project", '\u{2}'),
    ("program", '\u{2}'),
    ("description", '\u{2}'),
    ("one line to give the program's name and a brief idea of what it does.", '\u{2}'),
    ("one line to give the library's name and a brief idea of what it does.", '\u{2}'),
    ("fullname", '\u{3}'),
    ("name of author", '\u{3}'),
    ("name of copyright owner", '\u{3}'),
];

/// The text with its placeholders replaced, found another way than the server finds them.
fn rendered(raw: &str, project: Option<&str>, fullname: Option<&str>) -> String {
    let mut text = raw.to_owned();
    for (form, mark) in FORMS {
        for (open, close) in [("<", ">"), ("{", "}"), ("[", "]")] {
            let value = match mark {
                '\u{1}' => Some("year"),
                '\u{2}' => project,
                _ => fullname,
            };
            if value.is_some() {
                text = text.replace(&format!("{open}{form}{close}"), &mark.to_string());
            }
        }
    }
    text.split_inclusive(|letter: char| ('\u{1}'..='\u{3}').contains(&letter))
        .map(|piece| {
            let value = match piece.chars().last() {
                Some('\u{1}') => year(),
                Some('\u{2}') => project.unwrap_or_default().to_owned(),
                Some('\u{3}') => fullname.unwrap_or_default().to_owned(),
                _ => return piece.to_owned(),
            };
            format!("{}{value}", &piece[..piece.len() - 1])
        })
        .collect()
}

/// Values that a careless replacement would read as something else.
const VALUES: &[&str] = &["Anton", "$1 ${name} $0", r"\0 \1 \\", "[fullname] <project> {year}", "Zoë 鈴木 👋 &amp;"];

/// All listed templates of a server, with every combination of caller, project and full name.
fn renders_all(server: &'static Server, caller: &Person) {
    let raw = server.get("/licenses").gives(200).json;
    let given: Vec<Option<&str>> =
        [None, Some(""), Some("  ")].into_iter().chain(VALUES.iter().copied().map(Some)).collect();
    let present = |value: Option<&'static str>| value.filter(|text| !text.trim().is_empty());
    for license in raw.as_array().unwrap() {
        let (key, raw) = (license["key"].as_str().unwrap(), license["content"].as_str().unwrap());
        for (at, project) in given.iter().copied().enumerate() {
            // each value of the one with another of the other
            let fullname = given[(at * 3 + 1) % given.len()];
            for caller in [None, Some(caller)] {
                let mut ask = server.get(format!("/licenses/{key}"));
                for (name, value) in [("project", project), ("fullname", fullname)] {
                    ask = value.into_iter().fold(ask, |ask, value| ask.query(name, value));
                }
                ask = caller.into_iter().fold(ask, Ask::by);
                let answer = ask.gives(200);
                let name = present(fullname).or(caller.map(|person| person.name.as_str()));
                assert_eq!(content(&answer), rendered(raw, present(project), name), "{}", answer.what);
                let asks_database = caller.is_some() && present(fullname).is_none();
                assert_eq!(answer.trips, u32::from(asks_database), "{}", answer.what);
                let mut rest = answer.json.clone();
                rest["content"] = license["content"].clone();
                assert_eq!(&rest, license, "only the content differs");
            }
        }
    }
}

#[test]
fn placeholders_are_replaced_and_nothing_else_whoever_asks() {
    renders_all(spec(), &spec().cast().eve);
}

/// A server with the templates that are deployed.
fn real() -> Option<&'static Server> {
    static REAL: LazyLock<Option<&'static Server>> = LazyLock::new(|| templates::real_blobs().map(Server::own));
    *REAL
}

/// The texts in brackets, with each run of white space as one blank.
fn bracketed(text: &str) -> Vec<String> {
    let pattern = regex::Regex::new(r"[<{\[]([^<>{}\[\]]{1,150})[>}\]]").unwrap();
    let words = |found: &str| found.split_whitespace().collect::<Vec<_>>().join(" ");
    pattern.captures_iter(text).map(|found| words(&found[1])).collect()
}

/// What authors of licenses put in brackets and neither a project nor a name fills.
fn is_no_placeholder(text: &str) -> bool {
    const OTHERS: [&str; 5] = [
        "signature of Ty Coon",
        "email",
        "projecturl",
        "insert your license name here",
        "name license(s), version(s), and exceptions or additional permissions here",
    ];
    // addresses, and letters that may be missing in French words
    let is_short = ["a", "nrs", "nria", "ogiciel", "ibre"].contains(&text);
    OTHERS.contains(&text) || is_short || text.contains(['@', '#']) || text.contains("://")
}

#[test]
fn with_a_project_and_a_name_no_placeholder_of_any_template_is_left() {
    let Some(server) = real() else { return };
    let blobs = templates::real_blobs().expect("the same package");
    let keys: Vec<&str> = blobs.keys().filter_map(|key| key.strip_prefix("licenses/")).collect();
    assert!(keys.len() >= 39 && templates::listed().iter().all(|key| keys.contains(key)), "{keys:?}");
    let years = regex::Regex::new(r"(?i)[<{\[](year|yyyy)[>}\]]").unwrap();
    let mut filled = 0;
    for key in keys {
        let stored: Value = serde_json::from_str(&blobs[&format!("licenses/{key}")]).unwrap();
        let stored = stored["content"].as_str().unwrap();
        let get = || server.get(format!("/licenses/{key}"));
        let answer = get().query("project", "P").query("fullname", "N").gives(200);
        let left: Vec<String> =
            bracketed(content(&answer)).into_iter().filter(|text| !is_no_placeholder(text)).collect();
        assert!(left.is_empty(), "{key}: {left:?}");
        filled += usize::from(content(&answer) != stored);
        // without them it is the text as it is stored, in its year
        let own = get().gives(200);
        assert_eq!(content(&own), years.replace_all(stored, year()), "{key}");
    }
    assert!(filled >= 12, "{filled}");
}

#[test]
fn the_real_templates_render_to_the_last_letter() {
    let Some(server) = real() else { return };
    renders_all(server, &server.root());
    // how often each holds year, full name and project
    let hits = |key: &str| match key {
        "gpl-3.0" => (2, 2, 2),
        "agpl-3.0" | "gpl-2.0" | "lgpl-2.1" => (1, 1, 1),
        "apache-2.0" | "bsd-2-clause" | "bsd-3-clause" | "isc" | "mit" => (1, 1, 0),
        _ => (0, 0, 0),
    };
    for key in templates::listed() {
        let ask = server.get(format!("/licenses/{key}")).query("project", "\u{2}").query("fullname", "\u{3}");
        let answer = ask.gives(200);
        let text = content(&answer);
        let count = |what: char| text.matches(what).count();
        assert_eq!((count('\u{3}'), count('\u{2}')), (hits(key).1, hits(key).2), "{key}");
        let raw = server.get("/licenses").gives(200).json;
        let raw = raw.as_array().unwrap().iter().find(|license| license["key"] == key).unwrap()["content"].clone();
        let years = |text: &str| text.matches(&year()).count();
        assert_eq!(years(text) - years(raw.as_str().unwrap()), hits(key).0, "{key}");
        for (form, _) in FORMS {
            assert!(!text.to_lowercase().contains(&format!("<{form}>")), "{key}: {form}");
            assert!(!text.to_lowercase().contains(&format!("[{form}]")), "{key}: {form}");
        }
    }
    for (key, opening, line) in [
        ("mit", "MIT License", "Copyright (c) YEAR Anton"),
        ("gpl-3.0", "GNU GENERAL PUBLIC LICENSE", "Copyright (C) YEAR  Anton"),
        ("gpl-2.0", "GNU GENERAL PUBLIC LICENSE", "Copyright (C) YEAR  Anton"),
        ("agpl-3.0", "GNU AFFERO GENERAL PUBLIC LICENSE", "Copyright (C) YEAR  Anton"),
        ("apache-2.0", "Apache License", "Copyright YEAR Anton"),
    ] {
        let answer = server.get(format!("/licenses/{key}?project=My+Awesome+Project&fullname=Anton")).gives(200);
        assert!(content(&answer).trim_start().starts_with(opening), "{key}");
        assert!(content(&answer).contains(&line.replace("YEAR", &year())), "{key}");
        assert_eq!(content(&answer).contains("My Awesome Project"), key.contains("gpl"), "{key}");
    }
}

#[test]
fn the_name_of_who_asks_stands_for_a_full_name_that_was_not_given() {
    let root = spec().root();
    let username = unique("zoe");
    let new =
        json!({ "name": r"[project] $1 \0 Zoë", "username": username, "email": format!("{username}@example.com") });
    let id = spec().post("/users").by(&root).json(new).gives(201).id();
    let tokens = format!("/users/{id}/personal_access_tokens");
    let token = spec().post(tokens).by(&root).json(json!({ "name": "tests" })).gives(201).json["token"].clone();
    let person = Person { id, token: token.as_str().unwrap().to_owned(), ..root };
    let line = format!(r"Copyright (c) {} [project] $1 \0 Zoë", year());
    for query in ["", "?fullname=", "?fullname=+", "?project=P"] {
        let answer = spec().get(format!("/licenses/mit{query}")).by(&person).gives(200);
        assert!(content(&answer).contains(&line), "{query}: {}", answer.text);
        assert_eq!(answer.trips, 1);
    }
}

#[test]
fn a_bad_token_is_nobodys() {
    let anonymous = show("mit");
    assert!(content(&anonymous).contains("[fullname]"));
    for (name, value) in [("PRIVATE-TOKEN", "no such token"), ("Authorization", "Bearer nothing")] {
        let answer = spec().get("/licenses/mit").header(name, value).gives(200);
        assert_eq!(answer.json, anonymous.json);
        assert_eq!(spec().get("/licenses").header(name, value).gives(200).trips, 0);
    }
    let eve = &spec().cast().eve;
    let not_root = spec().get("/licenses/mit").by(eve).header("SUDO", "root").gives(200);
    assert_eq!(not_root.json, anonymous.json);
}

#[test]
fn templates_cost_no_query_of_the_database() {
    let ann = &spec().cast().ann;
    assert_eq!(spec().get("/licenses").gives(200).trips, 0);
    assert_eq!(spec().get("/licenses").by(ann).gives(200).trips, 0);
    assert_eq!(show("mit").trips, 0);
    assert_eq!(spec().get("/licenses/mit?fullname=N").by(ann).gives(200).trips, 0);
    assert_eq!(spec().get("/licenses/no-such").by(ann).gives(404).trips, 0);
}

/// The made-up templates with some entries changed.
fn with(changes: &[(&str, Option<&str>)]) -> &'static Server {
    let mut blobs = templates::blobs();
    for (key, value) in changes {
        match value {
            Some(text) => blobs.insert((*key).to_owned(), (*text).to_owned()),
            None => blobs.remove(*key),
        };
    }
    Server::own(blobs)
}

#[test]
fn one_entry_is_enough_for_a_template_of_ones_own() {
    let server = with(&[
        ("licenses/acme-1.0", Some(r#"{"content":"© [year] [fullname], <project>"}"#)),
        (
            "licenses/full",
            Some(r#"{"key":"another","name":"Full","nickname":null,"tags":1,"conditions":null,"content":""}"#),
        ),
    ]);
    let answer = server.get("/licenses/ACME-1.0?fullname=Acme&project=X").gives(200);
    let expected = json!({
        "key": "acme-1.0", "name": "acme-1.0", "nickname": null, "featured": false, "popular": false,
        "html_url": "", "source_url": "", "description": "", "conditions": [], "permissions": [],
        "limitations": [], "content": format!("© {} Acme, X", year()),
    });
    assert_eq!(answer.json, expected);
    assert_eq!(answer.cause(), None);
    let full = server.get("/licenses/full").gives(200).json;
    assert_eq!((&full["key"], &full["name"], &full["conditions"]), (&json!("full"), &json!("Full"), &json!([])));
    assert_eq!(server.get("/licenses").gives(200).each("key").len(), 15);
}

#[test]
fn a_broken_or_missing_template_is_not_found_and_named_in_the_log() {
    let missing = json!({ "message": "404 License Not Found" });
    for broken in ["", "{", "null", "[]", "{}", r#"{"content":7}"#, r#"{"content":"a","conditions":"b"}"#] {
        let answer = with(&[("licenses/isc", Some(broken))]).get("/licenses/isc").gives(404);
        assert_eq!(answer.json, missing);
        let cause = answer.cause().expect("a line in the log");
        assert!(cause.starts_with("broken license template in blob licenses/isc: "), "{cause}");
    }
    let answer = with(&[("licenses/isc", None)]).get("/licenses/isc").gives(404);
    assert_eq!(answer.json, missing);
    let cause = answer.cause().expect("a line in the log");
    assert!(cause.contains("licenses/isc"), "{cause}");
    let unknown = with(&[]).get("/licenses/no-such").gives(404);
    assert_eq!(unknown.cause(), None, "nobody has to mend a key that was never there");
}

#[test]
fn a_broken_or_missing_list_is_empty_and_named_in_the_log() {
    for (text, count) in
        [(None, 0), (Some("{"), 0), (Some("{}"), 0), (Some(r#"[{"key":"a","content":"b"},{"key":"c"}]"#), 1)]
    {
        let answer = with(&[("licenses", text)]).get("/licenses").gives(200);
        assert_eq!(answer.json.as_array().map(Vec::len), Some(count), "{text:?}");
        let cause = answer.cause().expect("a line in the log");
        assert!(cause.contains("blob licenses"), "{cause}");
    }
    let nothing = Server::own(BTreeMap::new());
    assert_eq!(nothing.get("/licenses").gives(200).json, Value::from(Vec::<Value>::new()));
    assert!(nothing.get("/licenses/mit").gives(404).cause().is_some_and(|cause| cause.contains("not loaded")));
}
