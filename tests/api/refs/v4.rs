//! Branches and tags of v4.

use crate::support::git::{commit, line, sha};
use crate::support::v4::{keys, words};
use crate::support::{Answer, Server, Visibility, World, spec, templates};
use serde_json::{Value, json};

/// master at change 3, the branches `topic/one` at 2, `Topic-two` at 4 (not merged), tags `v1.9` at 1, `v1.10` at 3, `v1.10-rc1` at 2.
fn world() -> World {
    let world = World::new(spec(), Visibility::Public);
    let mut commits = line(3);
    commits.push(commit(4, &[1]));
    let [one, two, three, four] = [1, 2, 3, 4].map(sha);
    world.push(
        &commits,
        &[
            ("refs/heads/master", &three),
            ("refs/heads/topic/one", &two),
            ("refs/heads/Topic-two", &four),
            ("refs/tags/v1.9", &one),
            ("refs/tags/v1.10", &three),
            ("refs/tags/v1.10-rc1", &two),
        ],
    );
    world
}

impl World {
    fn refs_v4(&self, rest: &str) -> Answer {
        self.v4("GET", &format!("/repository/{rest}")).gives(200)
    }
}

#[test]
fn refs_of_a_public_project_are_open() {
    let world = self::world();
    let get = |rest: &str| world.v4("GET", &format!("/repository/{rest}"));
    get("branches/nothing").refused(404, json!({ "message": "404 Branch Not Found" }));
    get("tags/nothing").refused(404, json!({ "message": "404 Tag Not Found" }));
    for (rest, told) in [
        ("branches?sort=odd", "sort does not have a valid value"),
        ("branches?regex=a", "regex is not supported"),
        ("tags?order_by=odd", "order_by does not have a valid value"),
        ("tags?sort=odd", "sort does not have a valid value"),
    ] {
        get(rest).refused(400, json!({ "error": told }));
    }
}

#[test]
fn a_branch_has_what_v4_tells_of_it() {
    let world = world();
    let branch = world.refs_v4("branches/topic%2Fone").json;
    let fields = "name commit merged protected developers_can_push developers_can_merge can_push default web_url";
    assert_eq!(keys(&branch), words(fields));
    assert_eq!(branch["commit"], world.refs_v4("commits?ref_name=topic/one").json[0]);
    let page = format!("{}/{}", world.server.origin, world.project.path);
    assert_eq!(branch["web_url"], format!("{page}/-/tree/topic/one"));
    let told = |name: &str, person| {
        let branch = world.v4("GET", &format!("/repository/branches/{name}")).by(person).gives(200).json;
        ["merged", "protected", "can_push", "default"].map(|field| branch[field] == true)
    };
    assert_eq!(told("master", &world.bob), [false, true, false, true]);
    assert_eq!(told("master", &world.ann), [false, true, true, true]);
    assert_eq!(told("topic%2Fone", &world.bob), [true, false, true, false]);
    assert_eq!(told("Topic-two", &world.rae), [false, false, false, false]);
    assert_eq!(branch["can_push"], false);
    assert_eq!(world.refs_v4("branches").json[2], branch);
    world.v4("HEAD", "/repository/branches/topic%2Fone").gives(200);
    world.v4("HEAD", "/repository/branches/nothing").gives(404);
}

#[test]
fn branches_are_searched_and_ordered() {
    let world = world();
    let listed = |query: &str| world.refs_v4(&format!("branches{query}")).each("name");
    assert_eq!(listed(""), ["Topic-two", "master", "topic/one"]);
    assert_eq!(listed("?sort=updated_desc"), ["Topic-two", "master", "topic/one"]);
    assert_eq!(listed("?sort=updated_asc"), ["topic/one", "master", "Topic-two"]);
    assert_eq!(listed("?search=TOPIC"), ["Topic-two", "topic/one"]);
    assert_eq!(listed("?search=%5Etopic/"), ["topic/one"]);
    assert_eq!(listed("?search=o%24"), ["Topic-two"]);
    assert_eq!(listed("?search=%5Emaster%24"), ["master"]);
    assert_eq!(listed("?search=%5Easter%24"), Vec::<Value>::new());
    for (pattern, found) in [
        ("t*o", &["Topic-two", "topic/one"][..]),
        ("^m*r$", &["master"]),
        ("^t*e$", &["topic/one"]),
        ("o*p*/*e", &["topic/one"]),
        ("*-*", &["Topic-two"]),
        ("e*t", &[]),
        ("^a*", &[]),
        ("*", &["Topic-two", "master", "topic/one"]),
        ("^", &["Topic-two", "master", "topic/one"]),
    ] {
        let pattern = pattern.replace('^', "%5E").replace('$', "%24").replace('*', "%2A");
        assert_eq!(listed(&format!("?search={pattern}")), *found, "{pattern}");
        assert_eq!(listed(&format!("?search={pattern}&sort=updated_desc")).len(), found.len(), "{pattern}");
    }
    let stars = |count: usize| format!("/repository/branches?search=m{}", "*".repeat(count));
    assert_eq!(world.v4("GET", &stars(9)).by(&world.rae).gives(200).each("name"), ["master"]);
    let many = json!({ "error": "search has too many stars (maximum is 9)" });
    world.v4("GET", &stars(10)).by(&world.rae).refused(400, many.clone());
    world.v4("GET", "/repository/tags?search=***%C3%A9*******").by(&world.rae).refused(400, many);
    for order in ["name_asc", "updated_asc", "updated_desc"] {
        let query = format!("branches?sort={order}&per_page=1");
        let all = listed(&format!("?sort={order}"));
        let mut answer = world.refs_v4(&query);
        for (at, name) in all.iter().enumerate() {
            assert_eq!(answer.each("name"), std::slice::from_ref(name), "{order}");
            assert_eq!(
                world.refs_v4(&format!("{query}&page={}", at + 1)).each("name"),
                std::slice::from_ref(name),
                "{order}"
            );
            if at < 2 {
                answer = world.next_of(&answer);
            }
        }
        assert_eq!((answer.header("X-Next-Page"), answer.header("X-Total")), (Some(""), Some("3")));
    }
}

#[test]
fn letters_of_every_script_are_found_in_names_of_branches_and_tags() {
    let world = World::new(spec(), Visibility::Public);
    let tip = world.push_line(1);
    let names = ["heads/Übung-Ä", "heads/plain", "tags/Ölung"];
    let changes: Vec<Value> =
        names.iter().map(|name| json!({ "name": format!("refs/{name}"), "old": null, "new": tip })).collect();
    let swap = json!({ "default_branch": "master", "changes": changes });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    for (list, search, found) in [
        ("branches", "übung", &["Übung-Ä"][..]),
        ("branches", "^ü*ä$", &["Übung-Ä"]),
        ("branches", "^bung-ä", &[]),
        ("branches", "ü$", &[]),
        ("tags", "ÖLUNG", &["Ölung"]),
    ] {
        let query = form_urlencoded::byte_serialize(search.as_bytes()).collect::<String>();
        let listed = world.refs_v4(&format!("{list}?search={query}"));
        assert_eq!(listed.each("name"), *found, "{search}");
        assert_eq!(listed.header("X-Total"), Some(found.len().to_string().as_str()), "{search}");
    }
}

#[test]
fn a_search_begins_with_the_branch_or_tag_of_that_name() {
    let world = World::new(spec(), Visibility::Public);
    let branches = ["a-x", "x-b", "x", "z-x"].map(|name| format!("refs/heads/{name}"));
    let tags = ["v1.0", "v1", "v0-v1"].map(|name| format!("refs/tags/{name}"));
    let refs: Vec<(&str, String)> = branches.iter().chain(&tags).map(|name| (name.as_str(), sha(1))).collect();
    let refs: Vec<(&str, &str)> = refs.iter().map(|(name, sha)| (*name, sha.as_str())).collect();
    world.push(&[commit(1, &[])], &refs);
    for (list, wanted) in [
        ("branches?search=x", &["x", "a-x", "x-b", "z-x"][..]),
        ("branches?search=x&sort=updated_desc", &["x", "z-x", "x-b", "a-x"]),
        ("branches?search=X", &["a-x", "x", "x-b", "z-x"]),
        ("branches?search=x%24", &["a-x", "x", "z-x"]),
        ("tags?search=v1", &["v1", "v1.0", "v0-v1"]),
        ("tags?search=v1&order_by=name&sort=asc", &["v1", "v0-v1", "v1.0"]),
        ("tags?search=v1&order_by=version", &["v1", "v1.0", "v0-v1"]),
        ("tags?search=v1&order_by=version&sort=asc", &["v1", "v0-v1", "v1.0"]),
    ] {
        let all = world.refs_v4(list);
        assert_eq!(
            (json!(all.each("name")), all.header("X-Total")),
            (json!(wanted), Some(wanted.len().to_string().as_str())),
            "{list}"
        );
        // by the links and by numbers each is there once
        let mut page = world.refs_v4(&format!("{list}&per_page=1"));
        for (at, name) in wanted.iter().enumerate() {
            assert_eq!(page.each("name"), [*name], "{list}");
            let numbered = format!("{list}&per_page=1&page={}", at + 1);
            assert_eq!(world.refs_v4(&numbered).each("name"), [*name], "{numbered}");
            if at + 1 < wanted.len() {
                page = world.next_of(&page);
            }
        }
        assert_eq!(page.next(), None, "{list}");
        let two = world.refs_v4(&format!("{list}&per_page=2"));
        let rest = world.next_of(&two);
        assert_eq!(
            json!([two.each("name"), rest.each("name")].concat()),
            json!(wanted[..wanted.len().min(4)]),
            "{list}"
        );
    }
}

#[test]
fn a_search_among_many_branches_goes_on_page_by_page() {
    let world = World::new(spec(), Visibility::Public);
    let tip = sha(1);
    world.push(&line(1), &[("refs/heads/many", &tip)]);
    let many = format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 10300)
        insert into refs (project_id, name, commit_id)
        select r.project_id, printf('refs/heads/many-%05d', n), r.commit_id
        from refs r
        cross join n
        where r.project_id = {} and r.name = 'refs/heads/many'",
        world.project.id
    );
    if !world.server.tamper(&many) {
        return;
    }
    world.push(&[], &[("refs/heads/zebra", &tip)]);
    let search = || world.v4("GET", "/repository/branches?search=zebr").cost();
    let (first, cost) = search();
    assert_eq!(first.json, json!([]));
    assert_eq!(world.next_of(&first).each("name"), ["zebra"]);
    world.server.tamper(&many.replace("/many-", "/more-"));
    assert_eq!(search().1, cost);
}

#[test]
fn a_tag_has_what_v4_tells_of_it() {
    let world = world();
    let tag = world.refs_v4("tags/v1.10").json;
    let commit = world.refs_v4("commits?ref_name=v1.10").json[0].clone();
    let expected = json!({
        "name": "v1.10", "message": null, "target": sha(3), "commit": commit, "release": null, "protected": false,
        "created_at": null,
    });
    assert_eq!(tag, expected);
    let own = "5".repeat(40);
    let change =
        json!({ "name": "refs/tags/v2", "old": null, "new": sha(2), "message": "Two\n\nlines\n", "tag_sha": own });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    let tag = world.refs_v4("tags/v2").json;
    assert_eq!(
        (&tag["message"], &tag["target"], &tag["commit"]["id"]),
        (&json!("Two\n\nlines"), &json!(own), &json!(sha(2)))
    );
}

#[test]
fn no_tag_has_a_date_of_its_own() {
    let world = world();
    let change =
        json!({ "name": "refs/tags/v2", "old": null, "new": sha(2), "message": "Two", "tag_sha": "5".repeat(40) });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    for (name, message) in [("v1.10", Value::Null), ("v2", json!("Two"))] {
        let tag = world.refs_v4(&format!("tags/{name}")).json;
        assert_eq!([&tag["message"], &tag["created_at"]], [&message, &Value::Null], "{name}");
    }
}

#[test]
fn tags_are_ordered_by_date_name_and_version() {
    let world = world();
    let listed = |query: &str| world.refs_v4(&format!("tags{query}")).each("name");
    let by_date = ["v1.10", "v1.10-rc1", "v1.9"];
    assert_eq!(listed(""), by_date);
    assert_eq!(listed("?sort=asc"), ["v1.9", "v1.10-rc1", "v1.10"]);
    assert_eq!(listed("?order_by=name"), ["v1.9", "v1.10-rc1", "v1.10"]);
    assert_eq!(listed("?order_by=name&sort=asc"), ["v1.10", "v1.10-rc1", "v1.9"]);
    assert_eq!(listed("?order_by=version"), ["v1.10", "v1.10-rc1", "v1.9"]);
    assert_eq!(listed("?order_by=version&sort=asc"), ["v1.9", "v1.10-rc1", "v1.10"]);
    assert_eq!(listed("?search=%5Ev1.1"), ["v1.10", "v1.10-rc1"]);
    assert_eq!(listed("?search=%5Ev*c1%24"), ["v1.10-rc1"]);
    let page = world.refs_v4("tags?order_by=version&sort=asc&per_page=2");
    assert_eq!(world.next_of(&page).each("name"), ["v1.10"]);
    // a tag that moves takes its new commit's date
    let change = json!({ "name": "refs/tags/v1.9", "old": sha(1), "new": sha(4), "message": null });
    let swap = json!({ "default_branch": "master", "changes": [change] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    assert_eq!(listed(""), ["v1.9", "v1.10", "v1.10-rc1"]);
}

#[test]
fn the_default_branch_is_protected_as_the_settings_say() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let get = |rest: &str| world.v4("GET", &format!("/protected_branches{rest}")).by(&world.rae);
    assert_eq!(get("").gives(200).json, json!([]), "without a repository");
    world.push_line(1);
    let changes = json!([{ "name": "refs/heads/topic/one", "old": null, "new": sha(1) }]);
    let refs = json!({ "default_branch": "master", "changes": changes });
    world.put("/mirror/refs").by(&world.ann).json(refs).gives(200);
    let set = |level: i64| {
        let settings = json!({ "default_branch_protection": level });
        world.server.put("/application/settings").by(&world.root).json(settings).gives(200);
    };
    let is_protected = || {
        let branches = world.v4("GET", "/repository/branches").by(&world.rae).gives(200);
        branches.each("protected")
    };
    for (level, push, word) in [(2, 40, "Maintainers"), (1, 30, "Developers + Maintainers")] {
        set(level);
        let list = get("").gives(200);
        let id = world.project.id;
        let levels =
            |level: i64, word: &str| json!([{ "id": id, "access_level": level, "access_level_description": word }]);
        let master = json!({ "id": id, "name": "master", "push_access_levels": levels(push, word),
            "merge_access_levels": levels(40, "Maintainers"), "allow_force_push": false });
        assert_eq!((&list.json, list.header("X-Total")), (&json!([master]), Some("1")));
        assert_eq!(get("/master").gives(200).json, master);
        assert_eq!(is_protected(), [true, false]);
        assert_eq!(get("?search=AST").gives(200).json, json!([master]));
        assert_eq!(get("?search=topic").gives(200).json, json!([]));
    }
    let missing = json!({ "message": "404 Not found" });
    get("/topic%2Fone").refused(404, missing.clone());
    for (method, path) in [("POST", ""), ("PATCH", "/master"), ("DELETE", "/master")] {
        let path = format!("/protected_branches{path}");
        world.v4(method, &path).by(&world.bob).refused(403, json!({ "message": "403 Forbidden" }));
        let refused = world.v4(method, &path).by(&world.ann).gives(403).json;
        assert!(refused["message"].as_str().unwrap().contains("default_branch_protection"), "{refused}");
    }
    let protect = || world.v4("POST", "/protected_tags").json(json!({ "name": "v*" }));
    protect().by(&world.bob).refused(403, json!({ "message": "403 Forbidden" }));
    let text = "403 Forbidden - tags come from the git host, which decides who makes and moves them";
    protect().by(&world.ann).refused(403, json!({ "message": text }));
    set(0);
    assert_eq!((get("").gives(200).json, is_protected()), (json!([]), vec![json!(false), json!(false)]));
    get("/master").refused(404, missing);
}
