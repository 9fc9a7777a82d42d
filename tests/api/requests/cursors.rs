//! Following `next`: a page at any depth costs a page, and nothing is skipped or repeated while others write.

use crate::support::{Person, Visibility, World, spec, unique};
use serde_json::{Value, json};

/// All numbers that following the links finds; `between` is done after each page.
fn follow(person: &Person, first: String, mut between: impl FnMut(usize)) -> Vec<i64> {
    let mut found = Vec::new();
    let mut path = Some(first);
    while let Some(here) = path {
        let page = spec().get(here).by(person).gives(200);
        found.extend(page.each("iid").iter().map(|iid| iid.as_i64().unwrap()));
        path = page.next();
        assert_eq!(path.is_some(), page.header("X-Next-Page") != Some(""), "{}", page.what);
        between(found.len());
        assert!(found.len() < 1000, "{}: no end", page.what);
    }
    found
}

fn filled(count: usize) -> World {
    let world = World::new(spec(), Visibility::Private);
    for number in 0..count {
        world.issue(&world.ann, fields(number));
    }
    world
}

fn fields(number: usize) -> Value {
    let label = if number.is_multiple_of(2) { "even" } else { "odd" };
    json!({ "title": format!("issue {number}"), "labels": label, "confidential": number.is_multiple_of(5) })
}

#[test]
fn what_is_made_meanwhile_neither_shifts_nor_repeats_a_page() {
    let world = filled(23);
    let mut made = 23;
    let found = follow(&world.rae, world.at("/issues?per_page=5"), |_| {
        for _ in 0..7 {
            world.issue(&world.ann, fields(made));
            made += 1;
        }
    });
    assert_eq!(found, (1..=23).rev().collect::<Vec<_>>());
}

#[test]
fn in_ascending_order_what_is_made_meanwhile_comes_at_the_end() {
    let world = filled(9);
    let mut made = 9;
    let found = follow(&world.rae, world.at("/issues?per_page=4&sort=asc"), |seen| {
        if seen < 8 {
            world.issue(&world.ann, fields(made));
            made += 1;
        }
    });
    assert_eq!(found, (1..=i64::try_from(made).unwrap()).collect::<Vec<_>>());
}

#[test]
fn what_is_deleted_or_closed_meanwhile_skips_nobody_else() {
    let world = filled(20);
    let ids = world.get("/issues?per_page=100").by(&world.ann).gives(200).each("id");
    let mut gone = ids[..8].iter();
    let found = follow(&world.rae, world.at("/issues?per_page=4&state=opened"), |seen| {
        // only what was shown already
        for id in gone.by_ref().take(if seen >= 4 { 3 } else { 0 }) {
            world.delete(&format!("/issues/{id}")).by(&world.ann).gives(200);
        }
    });
    assert_eq!(found, (1..=20).rev().collect::<Vec<_>>());
}

#[test]
fn every_list_follows_through_to_its_end() {
    let world = filled(17);
    let group = world.group;
    let even: Vec<i64> = (1..=17).rev().filter(|iid| iid % 2 == 1).collect();
    let all: Vec<i64> = (1..=17).rev().collect();
    let open: Vec<i64> = all.iter().copied().filter(|iid| iid % 5 != 1).collect();
    for size in [1, 3, 17, 18] {
        let list = |query: &str| world.at(&format!("/issues?per_page={size}&{query}"));
        assert_eq!(follow(&world.rae, list(""), |_| {}), all);
        assert_eq!(follow(&world.gus, list(""), |_| {}), open);
        assert_eq!(follow(&world.rae, list("labels=even"), |_| {}), even);
        assert_eq!(follow(&world.rae, list("labels=even,odd"), |_| {}), all);
        assert_eq!(follow(&world.rae, list("labels=even&order_by=updated_at"), |_| {}), even);
        assert_eq!(follow(&world.rae, list("order_by=updated_at&milestone=No%20Milestone"), |_| {}), all);
    }
    let of_group = spec().get(format!("/groups/{group}/issues?per_page=2&labels=even")).by(&world.ann).gives(200);
    assert!(of_group.next().unwrap().contains("cursor="), "{:?}", of_group.header("Link"));
}

#[test]
fn a_page_number_alone_goes_on_working() {
    let world = filled(9);
    let page = |query: &str| world.get(&format!("/issues?{query}")).by(&world.rae).gives(200).each("iid");
    assert_eq!(page("per_page=4&page=1"), [9, 8, 7, 6]);
    assert_eq!(page("per_page=4&page=2"), [5, 4, 3, 2]);
    assert_eq!(page("per_page=4&page=3"), [1]);
    assert_eq!(page("per_page=4&page=4"), Vec::<i64>::new());
}

#[test]
fn a_cursor_is_of_one_page_of_one_question() {
    let world = filled(12);
    let first = world.get("/issues?per_page=4&state=opened").by(&world.rae).gives(200);
    let (_, cursor) = first.next().unwrap().split_once("cursor=").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let cursor = cursor.split('&').next().unwrap().to_owned();
    assert!(cursor.len() <= 200, "{cursor}");
    // made now, these shift every page that is found by its number
    for number in 12..14 {
        world.issue(&world.ann, fields(number));
    }
    let page = |query: &str| {
        let list = world.get(&format!("/issues?{query}&cursor={cursor}")).by(&world.rae).gives(200);
        (list.header("X-Page").unwrap_or_default().to_owned(), list.each("iid"))
    };
    let of = |number: &str, iids: [i64; 4]| (number.to_owned(), iids.map(Value::from).to_vec());
    // the cursor's own page
    assert_eq!(page("per_page=4&state=opened"), of("2", [8, 7, 6, 5]));
    assert_eq!(page("per_page=4&state=opened&page=2"), of("2", [8, 7, 6, 5]));
    // another page, order or filter: by number
    assert_eq!(page("per_page=4&state=opened&page=1"), of("1", [14, 13, 12, 11]));
    assert_eq!(page("per_page=4&state=opened&page=3"), of("3", [6, 5, 4, 3]));
    assert_eq!(page("per_page=4&state=all&page=2"), of("2", [10, 9, 8, 7]));
    assert_eq!(page("per_page=4&state=opened&sort=asc"), of("1", [1, 2, 3, 4]));
    assert_eq!(page("per_page=4&state=opened&order_by=updated_at&page=2"), of("2", [10, 9, 8, 7]));
    assert_eq!(page("per_page=2&state=opened&page=2").1, [12, 11]);
    // another list
    let other = world.sibling(Visibility::Private);
    other.issue(&world.ann, fields(0));
    let list = other.get(&format!("/issues?per_page=4&state=opened&cursor={cursor}")).by(&world.rae).gives(200);
    assert_eq!((list.each("iid"), list.header("X-Page")), (vec![json!(1)], Some("1")));
}

#[test]
fn a_word_that_is_no_cursor_is_refused_by_every_list() {
    let world = filled(1);
    let id = world.project.id;
    for list in ["/issues", "/todos", "/projects", "/groups", "/users"]
        .map(str::to_owned)
        .into_iter()
        .chain(["issues", "members", "milestones", "repository/commits"].map(|rest| format!("/projects/{id}/{rest}")))
    {
        for junk in ["x", "5", "1451921511081_7", "WzEsMSwyLDNd%20x", "WzEsMSwwLDNd", "..", "%7B%7D"] {
            let path = format!("{list}?cursor={junk}");
            spec().get(path).by(&world.ann).refused(400, json!({ "error": "cursor is invalid" }));
        }
        spec().get(format!("{list}?cursor=")).by(&world.ann).gives(200);
    }
}

/// What all pages of three hold, each but the first found by a cursor.
fn by_threes(person: &Person, list: &str) -> Vec<Value> {
    let joint = if list.contains('?') { '&' } else { '?' };
    let (mut found, mut path) = (Vec::new(), Some(format!("{list}{joint}per_page=3")));
    while let Some(here) = path {
        let page = spec().get(here).by(person).gives(200);
        found.extend(page.json.as_array().unwrap().iter().cloned());
        path = page.next();
        assert!(path.as_ref().is_none_or(|path| path.contains("cursor=")), "{}", page.what);
        assert!(found.len() < 100, "{}: no end", page.what);
    }
    found
}

#[test]
fn lists_of_every_kind_follow_through() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(3);
    // nobody else gives them to-do items
    let zoe = spec().person("Zoe");
    world.admit(&zoe, 20);
    let issue = world.issue(&world.ann, json!({ "title": "Much said" }));
    let at_issue = world.issue_path(&issue);
    let at_commit = world.at(&format!("/repository/commits/{tip}"));
    for number in 0..7 {
        spec().post(format!("{at_issue}/notes")).by(&world.rae).json(json!({ "body": format!("{number}") })).gives(201);
        spec().put(&at_issue).by(&world.ann).json(json!({ "title": format!("Title {number}") })).gives(200);
        spec().post(format!("{at_commit}/comments")).by(&world.rae).json(json!({ "note": "Well" })).gives(201);
        world.milestone(&format!("v{number}"));
        let other = world.issue(&world.ann, json!({ "title": "To do" }));
        spec().post(format!("{}/todo", world.issue_path(&other))).by(&zoe).gives(200);
        for (state, name) in [("success", "again"), ("failed", "again"), ("success", "once")] {
            let name = if name == "once" { format!("once {number}") } else { name.to_owned() };
            let status = json!({ "state": state, "name": name, "ref": format!("branch{}", number % 2) });
            world.post(&format!("/statuses/{tip}")).by(&world.bob).json(status).gives(201);
        }
        let deployment = json!({ "environment": format!("place {number}"), "sha": tip, "status": "success",
            "ref": "branch0", "stage": if number % 2 == 0 { "external" } else { "deploy" } });
        world.post("/deployments").by(&world.bob).json(deployment).gives(201);
    }
    let statuses = format!("{at_commit}/statuses");
    for (list, length) in [
        (format!("{at_issue}/notes"), 14),
        (format!("{at_commit}/comments"), 7),
        (world.at("/milestones"), 7),
        (world.at("/milestones?state=active"), 7),
        ("/todos".to_owned(), 7),
        ("/todos?action=marked".to_owned(), 7),
        (world.at("/deployments"), 7),
        (world.at("/environments"), 7),
        (format!("{statuses}?ref=branch0"), 5),
        (format!("{statuses}?ref=branch0&all=true"), 12),
        (format!("{statuses}?ref=branch0&stage=external"), 5),
        (format!("{statuses}?ref=branch0&stage=deploy&all=true"), 0),
        (format!("{statuses}?ref=branch1&name=again&all=true"), 6),
        (format!("{statuses}?ref=branch1&name=again&stage=external&all=true"), 6),
        (format!("{statuses}?ref=branch1&name=again"), 1),
        (format!("{statuses}?ref=branch1&name=again&stage=deploy"), 0),
    ] {
        let joint = if list.contains('?') { '&' } else { '?' };
        let whole = spec().get(format!("{list}{joint}per_page=100")).by(&zoe).gives(200);
        assert_eq!(whole.json.as_array().map(Vec::len), Some(length), "{list}");
        assert_eq!(whole.header("X-Total"), Some(length.to_string().as_str()), "{list}");
        assert_eq!(Some(&by_threes(&zoe, &list)), whole.json.as_array(), "{list}");
    }
}

#[test]
fn the_callers_projects_follow_through_in_every_order() {
    let [pat, olga] = ["Pat", "Olga"].map(|name| spec().person(name));
    let path = unique("many");
    let group = json!({ "name": path, "path": path, "visibility_level": 0 });
    let group = spec().post("/groups").by(&pat).json(group).gives(201).id();
    for number in [5, 3, 8, 1] {
        let own = json!({ "name": format!("Own {number}") });
        spec().post("/projects").by(&pat).json(own).gives(201);
        let shared = json!({ "name": format!("shared {number}"), "namespace_id": group });
        let shared = spec().post("/projects").by(&pat).json(shared).gives(201).id();
        let others = json!({ "name": format!("Theirs {number}"), "visibility_level": 0 });
        let others = spec().post("/projects").by(&olga).json(others).gives(201).id();
        // in the group's once by the group and once by themselves
        spec()
            .post(format!("/projects/{others}/members"))
            .by(&olga)
            .json(json!({ "user_id": pat.id, "access_level": 20 }))
            .gives(201);
        spec()
            .post(format!("/projects/{shared}/members"))
            .by(&pat)
            .json(json!({ "user_id": pat.id, "access_level": 40 }))
            .gives(201);
    }
    for (list, length) in [("/projects", 12), ("/projects/owned", 4), ("/projects/visible", 12)] {
        for order in ["id", "name", "path", "created_at", "updated_at"] {
            if list == "/projects/visible" && !["id", "created_at"].contains(&order) {
                continue;
            }
            for sort in ["asc", "desc"] {
                let list = format!("{list}?order_by={order}&sort={sort}&search=&visibility=private");
                let all = spec().get(format!("{list}&per_page=100")).by(&pat).gives(200);
                let field = if ["id", "name", "path"].contains(&order) { order } else { "id" };
                let mut keys: Vec<String> =
                    all.each(field).iter().map(|key| format!("{:>9}", key.to_string()).to_lowercase()).collect();
                if sort == "desc" {
                    keys.reverse();
                }
                assert!(keys.len() == length && (order == "updated_at" || keys.is_sorted()), "{list}: {keys:?}");
                assert_eq!(Some(&by_threes(&pat, &list)), all.json.as_array(), "{list}");
                if !list.contains("visible?") {
                    assert_eq!(all.header("X-Total"), Some(length.to_string().as_str()), "{list}");
                }
            }
        }
    }
    // without a filter the counters know, with one it is counted
    for (query, total) in [("", "12"), ("?search=shared", "4"), ("?archived=true", "0")] {
        let list = spec().get(format!("/projects{query}")).by(&pat).gives(200);
        assert_eq!(list.header("X-Total"), Some(total), "{query}");
    }
    let gone = spec().get("/projects?search=shared").by(&pat).gives(200).each("id");
    spec().delete(format!("/projects/{}", gone[0])).by(&pat).gives(200);
    assert_eq!(spec().get("/projects").by(&pat).gives(200).header("X-Total"), Some("11"));
}

#[test]
fn what_is_answered_whole_comes_in_pages_where_they_are_asked_for() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(2);
    let names: Vec<String> = (0..7).flat_map(|n| [format!("refs/heads/b{n}"), format!("refs/tags/t{n}")]).collect();
    let changes: Vec<Value> = names.iter().map(|name| json!({ "name": name, "old": null, "new": tip })).collect();
    world.put("/mirror/refs").by(&world.ann).json(json!({ "default_branch": "master", "changes": changes })).gives(200);
    for name in ["a", "B", "c", "é", "d", "E", "f"] {
        world.post("/labels").by(&world.rae).json(json!({ "name": name, "color": "#ff0000" })).gives(201);
    }
    for (list, length) in [("/repository/branches", 8), ("/repository/tags", 7), ("/labels", 7)] {
        let all = world.get(list).by(&world.rae).gives(200);
        assert_eq!((all.json.as_array().map(Vec::len), all.header("Link")), (Some(length), None), "{list}");
        assert_eq!(Some(&by_threes(&world.rae, &world.at(list))), all.json.as_array(), "{list}");
        let second = world.get(&format!("{list}?page=2&per_page=3")).by(&world.rae).gives(200);
        assert_eq!(second.json.as_array().unwrap().as_slice(), &all.json.as_array().unwrap()[3..6], "{list}");
    }
}

#[test]
fn an_issue_with_thousands_of_comments_is_deleted_in_portions() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "Much said" }));
    let filled = spec().tamper(&format!(
        "with recursive n(value) as (select 1 union all select value + 1 from n where value < 12500)
        insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
        select {}, {}, {}, 'Well', value, value from n",
        world.project.id, issue["id"], world.rae.id
    ));
    if !filled {
        return;
    }
    let other = world.issue(&world.ann, json!({ "title": "Nothing said" }));
    world.delete(&format!("/issues/{}", issue["id"])).by(&world.ann).gives(200);
    world.delete(&format!("/issues/{}", other["id"])).by(&world.ann).gives(200);
    let left = spec().rows(&format!("select json_quote(count(*)) as v from notes where issue_id = {}", issue["id"]));
    assert_eq!(left, [json!(0)]);
}
