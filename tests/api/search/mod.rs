//! Searches of v4 (behaviour 17).

mod index;
mod upgrade;

use crate::support::git::commit;
use crate::support::v4::{ask, names};
use crate::support::{Answer, Person, Server, Visibility, World, alone, spec, templates, unique};
use serde_json::{Value, json};

#[test]
fn searches_need_a_token_and_a_scope() {
    // a search of all projects needs a server that has no more than it looks at
    let world = World::new(alone(), Visibility::Public);
    let group = format!("/groups/{}/search", world.project.path.split('/').next().unwrap());
    for path in ["/search".to_owned(), world.at("/search"), world.at("/-/search"), group] {
        let ask = |query: &str| world.server.ask_v4("GET", format!("{path}?{query}"));
        ask("scope=issues&search=x").gives(401);
        ask("").by(&world.ann).refused(400, json!({ "error": "scope is missing, search is missing" }));
        ask("scope=issues").by(&world.ann).refused(400, json!({ "error": "search is missing" }));
        ask("scope=issues&search=").by(&world.ann).refused(400, json!({ "error": "search is empty" }));
        let unknown = json!({ "error": "scope does not have a valid value" });
        for scope in ["x", "blobs"] {
            let refused = ask(&format!("scope={scope}&search=x")).by(&world.ann).gives(400).json;
            let (_, words) = refused["hint"].as_str().unwrap().split_once("scope is one of ").unwrap();
            // the scopes of this route, and no others
            for scope in words.split(", ") {
                ask(&format!("scope={scope}&search=xyz")).by(&world.ann).gives(200);
            }
            assert!(words.split(", ").count() > 4, "{words}");
        }
        if path.contains("/projects/") {
            ask("scope=projects&search=x").by(&world.ann).refused(400, unknown);
        } else {
            ask("scope=wiki_blobs&search=x").by(&world.ann).refused(400, unknown);
        }
    }
    let hidden = World::new(world.server, Visibility::Private);
    let missing = json!({ "message": "404 Project Not Found" });
    ask(&hidden, "GET", "/search?scope=issues&search=x").by(&hidden.eve).refused(404, missing);
}

#[test]
fn issues_are_found_by_words_and_by_their_number() {
    let world = World::new(alone(), Visibility::Private);
    let word = unique("needle");
    let post = |fields: Value| ask(&world, "POST", "/issues").by(&world.ann).json(fields).gives(201).json;
    let open = post(json!({ "title": format!("an {word}") }));
    let hidden = post(json!({ "title": "x", "description": word, "confidential": true }));
    let closed = post(json!({ "title": format!("{word} two") }));
    let path = format!("/issues/{}", closed["iid"]);
    ask(&world, "PUT", &path).by(&world.ann).json(json!({ "state_event": "close" })).gives(200);
    let ids = |query: &str, by: &crate::support::Person| {
        let path = format!("/search?scope=issues&{query}");
        ask(&world, "GET", &path).by(by).gives(200).each("id")
    };
    let all = [&closed, &hidden, &open].map(|issue| issue["id"].clone());
    assert_eq!(ids(&format!("search={word}"), &world.ann), all);
    assert_eq!(ids(&format!("search={word}"), &world.gus), [all[0].clone(), all[2].clone()]);
    assert_eq!(ids(&format!("search={word}&state=opened&confidential=false"), &world.ann), [all[2].clone()]);
    assert_eq!(ids(&format!("search=%23{}", open["iid"]), &world.ann), [all[2].clone()]);
    // its links ask for the same
    let numbered =
        ask(&world, "GET", &format!("/search?scope=issues&search=%23{}", open["iid"])).by(&world.ann).gives(200);
    let link = numbered.header("Link").unwrap();
    assert!(link.contains(&format!("scope=issues&search=%23{}>", open["iid"])), "{link}");
    assert_eq!(ids(&format!("search={}", hidden["iid"]), &world.gus), Vec::<Value>::new());
    let global = world.server.ask_v4("GET", format!("/search?scope=issues&search={word}"));
    assert_eq!(global.by(&world.gus).gives(200).each("id").len(), 2);
    let global = world.server.ask_v4("GET", format!("/search?scope=issues&search={word}"));
    assert_eq!(global.by(&world.eve).gives(200).json, json!([]));
    let first = ask(&world, "GET", &format!("/search?scope=issues&search={word}&per_page=1")).by(&world.ann).gives(200);
    let next = world.server.ask_v4("GET", first.next().unwrap()).by(&world.ann).gives(200);
    assert_eq!(next.each("id"), [all[1].clone()]);
}

#[test]
fn projects_milestones_and_people_are_found() {
    let world = World::new(spec(), Visibility::Private);
    let word = unique("gold");
    ask(&world, "PUT", "").by(&world.ann).json(json!({ "description": format!("a {word} mine") })).gives(200);
    ask(&world, "POST", "/milestones").by(&world.ann).json(json!({ "title": format!("{word} one") })).gives(201);
    let global =
        |query: &str, by: &crate::support::Person| spec().ask_v4("GET", format!("/search?{query}")).by(by).gives(200);
    let found = global(&format!("scope=projects&search={word}"), &world.gus);
    assert_eq!(found.each("id"), [json!(world.project.id)]);
    assert!(found.json[0].get("namespace").is_some() && found.json[0].get("permissions").is_none());
    assert_eq!(global(&format!("scope=projects&search={word}"), &world.eve).json, json!([]));
    let in_project = |query: &str| ask(&world, "GET", &format!("/search?{query}")).by(&world.gus).gives(200);
    assert_eq!(in_project(&format!("scope=milestones&search={word}")).each("title"), [json!(format!("{word} one"))]);
    let people = global(&format!("scope=users&search={}", world.bob.username), &world.eve);
    assert_eq!(people.each("username"), [json!(world.bob.username)]);
    assert_eq!(names(&people.json[0]), "avatar_url id locked name public_email state username web_url");
    assert_eq!(
        in_project(&format!("scope=users&search={}", world.bob.username)).each("username"),
        [json!(world.bob.username)]
    );
    assert_eq!(in_project(&format!("scope=users&search={}", world.eve.username)).json, json!([]));
    let address = format!("scope=users&search={}", world.bob.email.to_uppercase());
    assert_eq!(in_project(&address).json, json!([]));
    // an e-mail address is only shown to administrators
    let root = spec().root();
    let by_root = ask(&world, "GET", &format!("/search?{address}")).by(&root).gives(200);
    assert_eq!(by_root.each("username"), [json!(world.bob.username)]);
    let part = address.trim_end_matches("COM");
    assert_eq!(ask(&world, "GET", &format!("/search?{part}")).by(&root).gives(200).json, json!([]));
    for scope in ["merge_requests", "wiki_blobs"] {
        assert_eq!(in_project(&format!("scope={scope}&search=x")).json, json!([]));
    }
}

#[test]
fn milestones_of_many_projects_are_found() {
    let world = World::new(alone(), Visibility::Private);
    let word = unique("copper");
    let add = |world: &World, title: &str, state: Option<&str>| {
        let made = ask(world, "POST", "/milestones").by(&world.ann).json(json!({ "title": title })).gives(201).json;
        if let Some(event) = state {
            let change = json!({ "state_event": event });
            ask(world, "PUT", &format!("/milestones/{}", made["id"])).by(&world.ann).json(change).gives(200);
        }
    };
    let group = json!({ "name": unique("g"), "path": unique("g") });
    let group = world.server.ask_v4("POST", "/groups").by(&world.ann).json(group).gives(201).json;
    let inside = world.server.project(&world.ann, group["id"].as_i64().unwrap(), Visibility::Private);
    let open = world.sibling(Visibility::Public);
    let (first, second, third) = (format!("{word} one"), format!("{word} two"), format!("{word} three"));
    add(&world, &first, Some("close"));
    let made = json!({ "title": second });
    world.server.ask_v4("POST", format!("/projects/{}/milestones", inside.id)).by(&world.ann).json(made).gives(201);
    add(&open, &third, None);
    let search = |path: &str, query: &str, by: &Person| {
        let path = format!("{path}/search?scope=milestones&search={}&{query}", word.to_uppercase());
        world.server.ask_v4("GET", path).by(by).gives(200)
    };
    let titles = |answer: Answer| answer.each("title");
    assert_eq!(titles(search("", "", &world.ann)), [&*third, &second, &first]);
    assert_eq!(titles(search("", "state=closed", &world.ann)), [&*first]);
    assert_eq!(titles(search("", "", &world.gus)), [&*third, &first]);
    assert_eq!(titles(search("", "", &world.eve)), [&*third]);
    let in_group = format!("/groups/{}", group["id"]);
    let found = search(&in_group, "", &world.ann);
    let address = found.json[0]["web_url"].as_str().unwrap();
    assert!(address.contains(group["path"].as_str().unwrap()), "{address}");
    assert_eq!(titles(found), [&*second]);
    let one = search("", "per_page=1&odd=a+b", &world.ann);
    assert_eq!(one.each("title"), [&*third]);
    // what nobody reads stays in links
    let query = format!("odd=a+b&page=2&per_page=1&scope=milestones&search={}", word.to_uppercase());
    let link = one.header("Link").unwrap();
    assert!(link.contains(&query), "{link}");
    assert_eq!(titles(world.next_of(&one)), [&*second]);
}

#[test]
fn a_search_for_milestones_that_looks_at_a_part_says_so() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let group = json!({ "name": unique("g"), "path": unique("g") });
    let group = world.server.ask_v4("POST", "/groups").by(&world.ann).json(group).gives(201).json;
    let project = world.server.project(&world.ann, group["id"].as_i64().unwrap(), Visibility::Private);
    let fill = |from: i64, to: i64| {
        world.server.tamper(&format!(
            "with recursive n(n) as (select {from} union all select n + 1 from n where n < {to})
            insert into milestones (project_id, iid, title, created_at, updated_at)
            select {}, n, 'copper ' || n, 0, 0 from n",
            project.id
        ));
    };
    let search = |path: &str, by: &Person| {
        let path = format!("{path}/search?scope=milestones&search=copper+1");
        let answer = world.server.ask_v4("GET", path).by(by).gives(200);
        (answer.each("title").len(), answer.header("x-hint").is_some(), answer.header("x-total").map(str::to_owned))
    };
    let in_group = format!("/groups/{}", group["id"]);
    fill(1, 18);
    let all = (10, false, Some("10".to_owned()));
    assert_eq!((search("", &world.ann), search(&in_group, &world.ann)), (all.clone(), all));
    // 1,000 of each project are looked at, here those from 19 on
    fill(19, 1018);
    for path in ["", &in_group] {
        let (found, is_part, total) = search(path, &world.ann);
        assert_eq!((found, is_part, total), (20, true, None), "{path}");
    }
    // a user who does not see the project learns nothing of it
    assert_eq!(search("", &world.gus), (0, false, Some("0".to_owned())));
}

#[test]
fn comments_are_found_but_not_those_on_what_the_caller_does_not_see() {
    let world = World::new(spec(), Visibility::Private);
    let word = unique("Basalt");
    let [open, hidden] = [false, true].map(|confidential| {
        let fields = json!({ "title": "x", "confidential": confidential });
        ask(&world, "POST", "/issues").by(&world.ann).json(fields).gives(201).json
    });
    let note = |issue: &Value, body: String| {
        let path = format!("/issues/{}/notes", issue["iid"]);
        ask(&world, "POST", &path).by(&world.ann).json(json!({ "body": body })).gives(201).json
    };
    let (first, _, third) = (
        note(&open, format!("on {word}")),
        note(&open, "something else".to_owned()),
        note(&hidden, word.to_lowercase()),
    );
    let search = |query: &str, by: &Person| {
        ask(&world, "GET", &format!("/search?scope=notes&search={word}&{query}")).by(by).gives(200)
    };
    let found = search("", &world.ann);
    assert_eq!(found.json, json!([third, first]));
    assert_eq!(search("", &world.gus).json, json!([first]));
    let one = search("per_page=1", &world.ann);
    assert_eq!(
        (one.each("id"), world.next_of(&one).each("id")),
        (vec![third["id"].clone()], vec![first["id"].clone()])
    );
    assert_eq!(ask(&world, "GET", "/search?scope=notes&search=closed").by(&world.ann).gives(200).json, json!([]));
    spec().ask_v4("GET", format!("/search?scope=notes&search={word}")).by(&world.ann).gives(400);
}

#[test]
fn commits_are_found_by_their_message_or_their_hash() {
    let world = World::new(spec(), Visibility::Private);
    let word = unique("granite");
    let say = |at: u32, parents: &[u32], message: String| commit(at, parents).with(|commit| commit.message = message);
    let commits = [
        say(1, &[], format!("About {word}")),
        say(2, &[1], "Nothing".to_owned()),
        say(3, &[2], format!("Title\n\nand {} below", word.to_uppercase())),
        say(4, &[2], format!("{word} on a branch")),
    ];
    world.push(&commits, &[("refs/heads/master", &commits[2].sha), ("refs/heads/side", &commits[3].sha)]);
    let search = |query: &str| ask(&world, "GET", &format!("/search?scope=commits&{query}")).by(&world.rae).gives(200);
    let found = search(&format!("search={word}"));
    assert_eq!(found.each("id"), [&*commits[2].sha, &commits[0].sha]);
    let single = ask(&world, "GET", &format!("/repository/commits/{}", commits[2].sha)).by(&world.rae).gives(200);
    assert_eq!(found.json[0], single.json);
    assert_eq!(search(&format!("search={word}&ref=side")).each("id"), [&*commits[3].sha, &commits[0].sha]);
    assert_eq!(search(&format!("search={}", &commits[3].sha[..8])).each("id"), [&*commits[3].sha]);
    assert_eq!(search(&format!("search={}", &commits[3].sha[..6])).json, json!([]));
    let one = search(&format!("search={word}&per_page=1"));
    assert_eq!(
        (one.each("id"), world.next_of(&one).each("id")),
        (vec![json!(commits[2].sha)], vec![json!(commits[0].sha)])
    );
    let refused = json!({ "message": "403 Forbidden" });
    ask(&world, "GET", "/search?scope=commits&search=x").by(&world.gus).refused(403, refused);
}

#[test]
fn a_message_comment_or_description_of_more_than_50000_bytes_is_not_searched() {
    let world = World::new(spec(), Visibility::Private);
    let word = unique("feldspar");
    // two bytes a letter: the bytes count, and not the letters
    let text = |bytes: usize| {
        format!("{word} {:é<1$}", "", (bytes - word.len() - 1) / 2) + ["", "x"][(bytes - word.len() - 1) % 2]
    };
    let texts = [50_000, 50_001].map(text);
    assert_eq!(texts.each_ref().map(String::len), [50_000, 50_001]);
    let commits = [1, 2].map(|at| {
        commit(at, if at == 1 { &[] } else { &[1] }).with(|commit| commit.message = texts[at as usize - 1].clone())
    });
    world.push(&commits, &[("refs/heads/master", &commits[1].sha)]);
    let post = |path: &str, fields: Value| ask(&world, "POST", path).by(&world.ann).json(fields).gives(201).json;
    let issue = post("/issues", json!({ "title": "x" }));
    for text in &texts {
        post("/milestones", json!({ "title": unique("m"), "description": text }));
        post(&format!("/issues/{}/notes", issue["iid"]), json!({ "body": text }));
    }
    for scope in ["commits", "notes", "milestones"] {
        let path = format!("/search?scope={scope}&search={word}");
        let found = ask(&world, "GET", &path).by(&world.ann).gives(200).json;
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{scope}");
        assert!(found.to_string().contains(&texts[0]), "{scope}");
    }
    let by_hash = format!("/search?scope=commits&search={}", commits[1].sha);
    assert_eq!(ask(&world, "GET", &by_hash).by(&world.ann).gives(200).each("id"), [&*commits[1].sha]);
}

#[test]
fn letters_of_every_script_are_found_in_any_case() {
    let world = World::new(spec(), Visibility::Private);
    let (by, word) = (&world.ann, unique("x"));
    let title = format!(
        "\u{dc}bergabe {word} \u{41f}\u{440}\u{438}\u{43c}\u{435}\u{440} \u{39c}\u{3ad}\u{3b3}\u{3b1}\u{3c2} [*?]"
    );
    let post = |path: &str, fields: Value| ask(&world, "POST", path).by(by).json(fields).gives(201).json;
    post("/milestones", json!({ "title": title }));
    post("/labels", json!({ "name": title, "color": "#000000" }));
    post("/environments", json!({ "name": title.replace(" [*?]", "") }));
    let issue = post("/issues", json!({ "title": "t" }));
    post(&format!("/issues/{}/notes", issue["iid"]), json!({ "body": title }));
    let name = json!({ "name": title.replace(" [*?]", "") });
    ask(&world, "PUT", "").by(by).json(name).gives(200);
    let root = spec().root();
    let user = json!({ "username": word, "email": format!("{word}@example.com"), "name": title });
    spec().ask_v4("POST", "/users").by(&root).json(user).gives(201);
    let sought =
        [format!("\u{fc}BERGABE {word}"), format!("{word} \u{43f}\u{420}\u{418}\u{43c}\u{415}\u{440} \u{3bc}")];
    for sought in &sought {
        let sought = url(sought);
        for list in ["milestones", "labels", "environments"] {
            let found = ask(&world, "GET", &format!("/{list}?search={sought}")).by(by).gives(200);
            assert_eq!(found.json.as_array().unwrap().len(), 1, "{list} {sought}");
        }
        for scope in ["milestones", "notes"] {
            let found = ask(&world, "GET", &format!("/search?scope={scope}&search={sought}")).by(by).gives(200);
            assert_eq!(found.json.as_array().unwrap().len(), 1, "{scope} {sought}");
        }
        for path in
            ["/users?search=", "/projects?search=", "/search?scope=users&search=", "/search?scope=projects&search="]
        {
            let found = spec().ask_v4("GET", format!("{path}{sought}")).by(&root).gives(200);
            let is_there =
                found.json.as_array().unwrap().iter().any(|row| row["name"].as_str().unwrap().contains(&word));
            assert!(is_there, "{path}{sought}: {}", found.text);
        }
    }
    for (sought, found) in [("[*?]", 1), ("[x]", 0), ("*[", 0), ("%3F]", 1)] {
        let labels = ask(&world, "GET", &format!("/labels?search={sought}")).by(by).gives(200);
        assert_eq!(labels.json.as_array().unwrap().len(), found, "{sought}");
    }
}

/// The text percent-encoded.
fn url(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
