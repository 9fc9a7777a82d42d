//! Commits of v4.

use crate::support::git::{commit, sha};
use crate::support::v4::{keys, words};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

const COMMIT: &str = "id short_id created_at parent_ids title message author_name author_email authored_date committer_name \
    committer_email committed_date trailers extended_trailers web_url";

impl World {
    /// The list of commits as anybody sees it.
    pub(super) fn commits_v4(&self, query: &str) -> Answer {
        self.v4("GET", &format!("/repository/commits{query}")).gives(200)
    }

    fn commit_v4(&self, rest: &str) -> Answer {
        self.v4("GET", &format!("/repository/commits/{rest}")).gives(200)
    }
}

fn public(length: u32) -> (World, String) {
    let world = World::new(spec(), Visibility::Public);
    let tip = world.push_line(length);
    (world, tip)
}

#[test]
fn a_commit_has_what_v4_tells_of_it() {
    let (world, tip) = public(2);
    let at = "2014-05-15T18:53:20.000+02:00";
    let url = format!("{}/{}/-/commit/{tip}", world.server.origin, world.project.path);
    let listed = json!({
        "id": tip, "short_id": tip[..8], "created_at": at, "parent_ids": [sha(1)], "title": "Change 2",
        "message": "Change 2\n\nThe reason.\n", "author_name": "Ann", "author_email": "ann@example.com",
        "authored_date": "2014-05-15T18:52:20.000+02:00", "committer_name": "Bob", "committer_email": "bob@example.com",
        "committed_date": at, "trailers": {}, "extended_trailers": {}, "web_url": url,
    });
    assert_eq!(keys(&listed), words(COMMIT));
    assert_eq!(world.commits_v4("?per_page=1").json, json!([listed]));
    let mut alone = listed.clone();
    alone["status"] = Value::Null;
    alone["project_id"] = json!(world.project.id);
    alone["last_pipeline"] = Value::Null;
    assert_eq!(world.commit_v4("master?stats=false").json, alone);
    alone["stats"] = json!({ "additions": 3, "deletions": 1, "total": 4 });
    for name in ["master", &tip, &tip[..8], "HEAD"] {
        assert_eq!(world.commit_v4(name).json, alone, "{name}");
    }
    world.v4("POST", "/statuses/master").by(&world.bob).json(json!({ "state": "success" })).gives(201);
    assert_eq!(world.commit_v4("master").json["status"], "success");
    let missing = json!({ "message": "404 Commit Not Found" });
    world.v4("GET", "/repository/commits/nothing").refused(404, missing);
}

#[test]
fn trailers_are_told_only_where_a_list_asks_for_them() {
    let world = World::new(spec(), Visibility::Public);
    let message = "Title\n\nText.\n\nSee: 1\nSee: 2\nSigned-off-by: A <a@b>\n";
    let made = commit(1, &[]).with(|commit| commit.message = message.to_owned());
    world.push(std::slice::from_ref(&made), &[("refs/heads/master", &made.sha)]);
    let last = json!({ "See": "2", "Signed-off-by": "A <a@b>" });
    let all = json!({ "See": ["1", "2"], "Signed-off-by": ["A <a@b>"] });
    let told = |commit: &Value| (commit["trailers"].clone(), commit["extended_trailers"].clone());
    assert_eq!(told(&world.commits_v4("?trailers=true").json[0]), (last, all));
    let none = (json!({}), json!({}));
    assert_eq!(told(&world.commits_v4("").json[0]), none);
    assert_eq!(told(&world.commit_v4("master").json), none);
    assert_eq!(told(&world.commit_v4("master?trailers=true").json), none);
    let found = world.v4("GET", "/search?scope=commits&search=Title").by(&world.bob).gives(200);
    assert_eq!(told(&found.json[0]), none);
}

#[test]
fn the_pages_of_commits_count_from_1_and_tell_no_totals() {
    let (world, _) = public(5);
    let titles = |answer: &Answer| answer.each("title");
    let first = world.commits_v4("?per_page=2");
    assert_eq!(titles(&first), ["Change 5", "Change 4"]);
    let told = |name: &str| first.header(name);
    assert_eq!(["X-Page", "X-Next-Page", "X-Prev-Page"].map(told), [Some("1"), Some("2"), Some("")]);
    assert_eq!(["X-Total", "X-Total-Pages"].map(told), [None, None]);
    assert!(!first.header("Link").unwrap().contains("rel=\"last\""));
    assert_eq!(titles(&world.commits_v4("?per_page=2&page=3")), ["Change 1"]);
    assert_eq!(titles(&world.commits_v4("?per_page=2&page=0")), ["Change 5", "Change 4"]);
    let next = world.next_of(&first);
    assert_eq!(titles(&next), ["Change 3", "Change 2"]);
    assert_eq!(titles(&world.next_of(&next)), ["Change 1"]);
}

impl World {
    /// The page that an answer's `next` link leads to.
    pub fn next_of(&self, answer: &Answer) -> Answer {
        let target = answer.next().expect("a next page");
        self.server.ask_v4("GET", target).by(&self.cast.root).gives(200)
    }
}

#[test]
fn a_list_is_of_a_ref_and_of_a_time() {
    let (world, _) = public(4);
    let titles = |query: &str| world.commits_v4(query).each("title");
    assert_eq!(titles(&format!("?ref_name={}", sha(2))), ["Change 2", "Change 1"]);
    assert_eq!(world.commits_v4("?ref_name=nothing").json, json!([]));
    assert_eq!(titles("?since=2014-05-16T16:53:20Z"), ["Change 4", "Change 3"]);
    assert_eq!(titles("?until=2014-05-14T18:53:20%2B02:00"), ["Change 1"]);
    assert_eq!(world.commits_v4("?with_stats=true").json[0]["stats"]["total"], 4);
    for name in ["since", "until"] {
        let list = world.v4("GET", &format!("/repository/commits?{name}=lately"));
        list.refused(400, json!({ "error": format!("{name} is invalid") }));
    }
    let empty = World::new(spec(), Visibility::Public);
    assert_eq!(empty.commits_v4("").json, json!([]));
}

#[test]
fn a_diff_comes_in_pages_and_begins_at_its_hunks() {
    let world = World::new(spec(), Visibility::Public);
    let file = |number: usize| {
        let diff = format!("--- a/f{number}\n+++ b/f{number}\n@@ -1 +1 @@\n-a\n+b\n");
        json!({
            "diff": diff, "new_path": format!("f{number}"), "old_path": format!("f{number}"), "a_mode": "100644",
            "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false,
        })
    };
    let mut files: Vec<Value> = (0..21).map(file).collect();
    files[1]["diff"] = json!("");
    files[2] = json!({
        "diff": "", "new_path": "new", "old_path": "new", "a_mode": null, "b_mode": "100644", "new_file": true,
        "renamed_file": false, "deleted_file": false,
    });
    files[3] = files[2].clone();
    files[3]["too_large"] = json!(true);
    let made = commit(1, &[]).with(|commit| commit.diff = json!(files).to_string());
    world.push(std::slice::from_ref(&made), &[("refs/heads/master", &made.sha)]);
    let first = world.commit_v4("master/diff");
    let expected = json!({
        "diff": "@@ -1 +1 @@\n-a\n+b\n", "collapsed": false, "too_large": false, "new_path": "f0", "old_path": "f0",
        "a_mode": "100644", "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false,
        "generated_file": null,
    });
    assert_eq!(first.json[0], expected);
    let told = |at: usize| (first.json[at]["too_large"].clone(), first.json[at]["a_mode"].clone());
    assert_eq!(told(1), (json!(true), json!("100644")));
    assert_eq!(told(2), (json!(false), json!("0")));
    assert_eq!(told(3), (json!(true), json!("0")));
    assert_eq!(first.json.as_array().unwrap().len(), 20);
    assert_eq!((first.header("X-Total"), first.header("X-Next-Page")), (Some("21"), Some("2")));
    let second = world.commit_v4("master/diff?page=2&unidiff=true");
    assert_eq!(second.each("new_path"), ["f20"]);
    assert_eq!(second.json[0]["diff"], "--- a/f20\n+++ b/f20\n@@ -1 +1 @@\n-a\n+b\n");
    let missing = json!({ "message": "404 Commit Not Found" });
    world.v4("GET", "/repository/commits/nothing/diff").refused(404, missing);
}

#[test]
fn a_commit_has_no_merge_requests_and_no_signature() {
    let (world, _) = public(1);
    assert_eq!(world.commit_v4("master/merge_requests?state=opened").json, json!([]));
    let get = |rest: &str| world.v4("GET", &format!("/repository/commits/{rest}"));
    get("master/signature").refused(404, json!({ "message": "404 Signature Not Found" }));
    for rest in ["nothing/signature", "nothing/merge_requests"] {
        get(rest).refused(404, json!({ "message": "404 Commit Not Found" }));
    }
}

#[test]
fn a_repository_is_not_written() {
    let (world, _) = public(1);
    world.v4("POST", "/repository/commits").by(&world.ann).gives(403);
    let refused = world.v4("POST", "/repository/commits/master").by(&world.ann).gives(405);
    assert!(refused.json["error"].as_str().unwrap().starts_with("405 Not Allowed - "), "{}", refused.text);
    assert_eq!(refused.header("Allow"), Some("OPTIONS, GET, HEAD"));
}

#[test]
fn a_list_is_of_all_refs_or_of_first_parents() {
    let world = World::new(spec(), Visibility::Public);
    let commits = [commit(1, &[]), commit(2, &[1]), commit(3, &[1]), commit(4, &[2, 3]), commit(5, &[3])];
    let [main, side, old] = [4, 5, 3].map(sha);
    world.push(&commits, &[("refs/heads/master", &main), ("refs/heads/side", &side), ("refs/tags/v1", &old)]);
    let titles = |query: &str| world.commits_v4(query).each("title");
    let changes = |numbers: &[u32]| -> Vec<Value> { numbers.iter().map(|n| json!(format!("Change {n}"))).collect() };
    assert_eq!(titles(""), changes(&[4, 3, 2, 1]));
    assert_eq!(titles("?first_parent=true"), changes(&[4, 2, 1]));
    assert_eq!(titles("?all=true&ref_name=v1"), changes(&[5, 4, 3, 2, 1]));
    assert_eq!(titles("?all=true&until=2014-05-16T18:53:20%2B02:00"), changes(&[3, 2, 1]));
    assert_eq!(titles("?order=topo"), changes(&[4, 3, 2, 1]));
    for (query, all) in [("?all=true&per_page=2", &[5, 4, 3, 2, 1][..]), ("?first_parent=true&per_page=2", &[4, 2, 1])]
    {
        let first = world.commits_v4(query);
        assert_eq!(first.each("title"), changes(&all[..2]), "{query}");
        let rest = &all[2..];
        assert_eq!(world.next_of(&first).each("title"), changes(&rest[..rest.len().min(2)]), "{query}");
        assert_eq!(titles(&format!("{query}&page=2")), changes(&rest[..rest.len().min(2)]), "{query}");
    }
    for (query, told) in [("?order=odd", "order does not have a valid value"), ("?all=perhaps", "all is invalid")] {
        world.v4("GET", &format!("/repository/commits{query}")).refused(400, json!({ "error": told }));
    }
}

#[test]
fn the_refs_of_a_commit_are_those_that_contain_it() {
    let world = World::new(spec(), Visibility::Public);
    let commits = [commit(1, &[]), commit(2, &[1]), commit(3, &[1])];
    let [one, two, three] = [1, 2, 3].map(sha);
    world.push(
        &commits,
        &[("refs/heads/master", &two), ("refs/heads/side", &three), ("refs/tags/v1", &one), ("refs/tags/v2", &two)],
    );
    let refs = |sha: &str, query: &str| world.commit_v4(&format!("{sha}/refs{query}"));
    let all = json!([
        { "type": "branch", "name": "master" }, { "type": "branch", "name": "side" },
        { "type": "tag", "name": "v1" }, { "type": "tag", "name": "v2" },
    ]);
    assert_eq!(refs(&one, "").json, all);
    assert_eq!(refs(&one[..8], "?type=all").json, all);
    assert_eq!(refs(&one, "?type=branch").each("name"), ["master", "side"]);
    assert_eq!(refs(&one, "?type=tag").each("name"), ["v1", "v2"]);
    assert_eq!(refs("v2", "").each("name"), ["master", "v2"]);
    assert_eq!(refs(&three, "").each("name"), ["side"]);
    let page = refs(&one, "?per_page=3");
    assert_eq!((page.header("X-Total"), page.header("X-Next-Page")), (Some("4"), Some("2")));
    assert_eq!(world.next_of(&page).each("name"), ["v2"]);
    let get = |rest: &str| world.v4("GET", &format!("/repository/commits/{rest}"));
    get("nothing/refs").refused(404, json!({ "message": "404 Commit Not Found" }));
    get("master/refs?type=odd").refused(400, json!({ "error": "type does not have a valid value" }));
}

/// The diff of a commit that changes the only line of `f`.
fn one_line_changed() -> String {
    let diff = json!([{
        "diff": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "new_path": "f", "old_path": "f", "a_mode": "100644",
        "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false,
    }]);
    diff.to_string()
}

#[test]
fn a_commit_is_commented_on() {
    let world = World::new(spec(), Visibility::Public);
    let made = commit(1, &[]).with(|commit| commit.diff = one_line_changed());
    world.push(std::slice::from_ref(&made), &[("refs/heads/master", &made.sha)]);
    let path = format!("/repository/commits/{}/comments", made.sha);
    let post = || world.v4("POST", &path);
    post().by(&world.eve).refused(400, json!({ "error": "note is missing" }));
    let eve = |fields: Value| post().by(&world.eve).json(fields);
    eve(json!({ "note": "a", "path": "f" })).refused(400, json!({ "error": "line is missing" }));
    let odd = json!({ "note": "a", "path": "f", "line": 1, "line_type": "odd" });
    eve(odd).refused(400, json!({ "error": "line_type does not have a valid value" }));
    let first = eve(json!({ "note": "Nice", "path": "f", "line": 1 })).gives(201).json;
    assert_eq!(keys(&first), words("note path line line_type author created_at"));
    assert_eq!(keys(&first["author"]), words("id username public_email name state locked avatar_url web_url"));
    assert_eq!(["path", "line", "line_type"].map(|name| first[name].clone()), [json!("f"), json!(1), json!("new")]);
    let second = eve(json!({ "note": "Well", "line": 1 })).gives(201).json;
    assert_eq!(second["line"], Value::Null);
    let list = world.v4("GET", &path).gives(200);
    assert_eq!((list.json.clone(), list.header("X-Total")), (json!([first, second]), Some("2")));
    let path = format!("/repository/commits/{}/discussions", made.sha);
    let list = world.v4("GET", &path).gives(200);
    assert_eq!(list.header("X-Total"), Some("2"));
    let note = &list.json[0]["notes"][0];
    assert_eq!((&note["body"], &note["author"]), (&json!("Nice"), &first["author"]));
    assert_eq!((&note["noteable_type"], &note["noteable_id"]), (&json!("Commit"), &Value::Null));
    assert_eq!(note["project_id"], world.project.id);
    assert_eq!(list.json[0]["individual_note"], true);
    let nothing = world.v4("GET", "/repository/commits/nothing/discussions").by(&world.eve);
    nothing.refused(404, json!({ "message": "404 Commit Not Found" }));
}

#[test]
fn a_comment_on_a_commit_is_answered_changed_and_deleted_by_its_discussion() {
    let world = World::new(spec(), Visibility::Public);
    let commits = [commit(1, &[]), commit(2, &[1]).with(|commit| commit.diff = one_line_changed())];
    let [first, tip] = [0, 1].map(|at| commits[at].sha.clone());
    world.push(&commits, &[("refs/heads/master", &tip)]);
    let all = format!("/repository/commits/{tip}/discussions");
    let ask = |method: &str, rest: &str| world.v4(method, &format!("{all}{rest}"));
    let absent = || json!({ "message": "404 Discussion Not Found" });
    ask("POST", "").by(&world.eve).refused(400, json!({ "error": "body is missing" }));
    for position in [json!("f"), json!({ "new_path": "f" }), json!({ "new_path": "f", "new_line": "x" })] {
        let fields = json!({ "body": "a", "position": position });
        ask("POST", "").by(&world.eve).json(fields).refused(400, json!({ "error": "position is invalid" }));
    }
    let place = json!({ "old_path": "f", "old_line": 1 });
    let made = ask("POST", "").by(&world.eve).json(json!({ "body": "Why?", "position": place })).gives(201).json;
    let note = &made["notes"][0];
    let position = json!({
        "base_sha": first, "start_sha": first, "head_sha": tip, "old_path": "f", "new_path": "f",
        "position_type": "text", "old_line": 1, "new_line": null,
    });
    assert_eq!((&note["type"], &note["position"], &note["body"]), (&json!("DiffNote"), &position, &json!("Why?")));
    let one = format!("/{}", made["id"].as_str().unwrap());
    assert_eq!(ask("GET", &one).gives(200).json, made);
    let answer = ask("POST", &format!("{one}/notes")).by(&world.gus).json(json!({ "body": "So." })).gives(201).json;
    assert_eq!((&answer["position"], &answer["author"]["id"]), (&position, &json!(world.gus.id)));
    // another place is on the whole commit
    let nowhere = json!({ "body": "Hm", "position": { "new_path": "g", "new_line": 1 } });
    let whole = ask("POST", "").by(&world.eve).json(nowhere).gives(201).json;
    assert_eq!((&whole["notes"][0]["type"], whole["notes"][0].get("position")), (&Value::Null, None));
    let own = format!("{one}/notes/{}", note["id"]);
    let change = |path: &str, person: &Person| ask("PUT", path).by(person).json(json!({ "body": "Why so?" }));
    change(&own, &world.gus).refused(403, json!({ "message": "403 Forbidden" }));
    change(&format!("{one}/notes/{}", answer["id"]), &world.gus).refused(404, absent());
    ask("PUT", &own).by(&world.eve).refused(400, json!({ "error": "body is missing" }));
    let changed = change(&own, &world.eve).gives(200).json;
    assert_eq!((&changed["body"], &changed["created_at"]), (&json!("Why so?"), &note["created_at"]));
    assert_ne!(changed["updated_at"], note["updated_at"]);
    assert_eq!(change(&own, &world.ann).gives(200).json, changed);
    let since = |method: &str| {
        let old = note["updated_at"].as_str().unwrap();
        ask(method, &own).by(&world.eve).header("If-Unmodified-Since", old).json(json!({ "body": "Late" }))
    };
    since("PUT").gives(412);
    since("DELETE").gives(412);
    ask("DELETE", &own).by(&world.gus).refused(403, json!({ "message": "403 Forbidden" }));
    ask("DELETE", &own).by(&world.ann).gives(204);
    for (method, rest) in [("GET", &one), ("PUT", &own), ("DELETE", &own)] {
        ask(method, rest).by(&world.eve).refused(404, absent());
    }
    assert_eq!(ask("GET", "").gives(200).each("id").len(), 2);
    // on another commit it is none
    let other = format!("/repository/commits/{first}/discussions/{}", whole["id"].as_str().unwrap());
    world.v4("GET", &other).by(&world.eve).refused(404, absent());
}

#[test]
fn the_sequence_of_a_commit_counts_what_it_reaches() {
    let world = World::new(spec(), Visibility::Public);
    let commits = [commit(1, &[]), commit(2, &[1]), commit(3, &[1]), commit(4, &[2, 3])];
    world.push(&commits, &[("refs/heads/master", &sha(4))]);
    let count = |name: &str| world.commit_v4(&format!("{name}/sequence")).json;
    let told = |query: &str| world.commit_v4(&format!("master/sequence{query}")).json;
    assert_eq!(
        (count("master"), count(&sha(3)), count(&sha(1))),
        (json!({ "count": 4 }), json!({ "count": 2 }), json!({ "count": 1 }))
    );
    assert_eq!(told("?first_parent=true"), json!({ "count": 3 }));
    let nothing = world.v4("GET", "/repository/commits/nothing/sequence");
    nothing.refused(404, json!({ "message": "404 Commit Not Found" }));
}

#[test]
fn commits_are_listed_by_author_path_and_range() {
    let world = World::new(spec(), Visibility::Public);
    let diff = |old: &str, new: &str| {
        json!([{ "diff": "", "new_path": new, "old_path": old, "a_mode": "100644", "b_mode": "100644",
            "new_file": false, "renamed_file": old != new, "deleted_file": false }])
        .to_string()
    };
    let with = |number: u32, parents: &[u32], author: &'static str, [old, new]: [&str; 2]| {
        commit(number, parents).with(|commit| {
            commit.author = author;
            commit.diff = diff(old, new);
        })
    };
    let commits = [
        with(1, &[], "Ann <a@example.com>", ["src/a", "src/a"]),
        with(2, &[1], "Bob <b@example.com>", ["docs/a", "lib/a"]),
        with(3, &[2], "Ann <a@example.com>", ["src", "src"]),
        with(4, &[2], "Joanna <j@example.com>", ["srcs/a", "srcs/a"]),
        with(5, &[3, 4], "Bob <b@example.com>", ["src/b/c", "src/b/c"]),
    ];
    world.push(&commits, &[("refs/heads/master", &sha(5)), ("refs/heads/side", &sha(4))]);
    let changes =
        |numbers: &[u32]| -> Vec<Value> { numbers.iter().map(|number| json!(format!("Change {number}"))).collect() };
    let listed = |query: &str| world.commits_v4(query).each("title");
    for (query, numbers) in [
        ("?author=ann", &[4, 3, 1][..]),
        ("?author=BOB%20%3C", &[5, 2]),
        ("?author=nobody", &[]),
        ("?path=src", &[5, 3, 1]),
        ("?path=src/b", &[5]),
        ("?path=/lib/a/", &[2]),
        ("?path=docs", &[2]),
        ("?path=sr", &[]),
        ("?path=src&author=ann", &[3, 1]),
        ("?path=src&author=ann&ref_name=side", &[1]),
        ("?path=src&page=2&per_page=2", &[1]),
        ("?ref_name=side..master", &[5, 3]),
        ("?ref_name=master..side", &[]),
        ("?ref_name=side..", &[5, 3]),
        ("?ref_name=side..master&path=src/b", &[5]),
        ("?ref_name=nothing..master", &[]),
        ("?ref_name=master..nothing", &[]),
    ] {
        assert_eq!(listed(query), changes(numbers), "{query}");
    }
    for (query, pages) in [("?path=src&per_page=2", [&[5, 3][..], &[1]]), ("?ref_name=side..&per_page=1", [&[5], &[3]])]
    {
        let first = world.commits_v4(query);
        assert_eq!(first.header("X-Total"), None);
        let next = world.next_of(&first);
        let titles = [first.each("title"), next.each("title")];
        assert_eq!(titles, pages.map(&changes), "{query}");
        assert_eq!(next.header("X-Next-Page"), Some(""), "{query}");
    }
    assert_eq!(listed("?author=ann&until=2014-05-16T18:53:20%2B02:00"), changes(&[3, 1]));
    assert_eq!(listed("?author=ann&since=2014-05-16T00:00:00Z"), changes(&[4, 3]));
    world.v4("GET", "/repository/commits?ref_name=a..b").by(&world.eve).gives(200);
    let hidden = World::new(spec(), Visibility::Private);
    for query in ["a..b", "a"] {
        let asked = hidden.v4("GET", &format!("/repository/commits?ref_name={query}&path=a")).by(&hidden.eve);
        asked.refused(404, json!({ "message": "404 Project Not Found" }));
    }
}
