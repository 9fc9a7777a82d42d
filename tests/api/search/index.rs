//! The index of words, which the Cron trigger fills (behaviour 17).

use crate::support::git::commit;
use crate::support::v4::ask;
use crate::support::{Answer, Person, Server, Visibility, World, instant, spec, templates};
use serde_json::{Value, json};

/// A server of its own: the index is one for all projects.
pub(super) fn world() -> Option<World> {
    spec().is_in_process().then(|| World::new(Server::own(templates::blobs()), Visibility::Public))
}

pub(super) fn make(world: &World, fields: Value) -> Value {
    ask(world, "POST", "/issues").by(&world.ann).json(fields).gives(201).json
}

/// Issues with these titles, each made in a statement of SQL.
pub(super) fn fill(world: &World, count: i64, title: &str) {
    world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < {count})
        insert into issues (project_id, iid, author_id, title, created_at, updated_at)
        select {0}, (select last_iid from issue_counts where project_id = {0}) + n, {1}, {title}, n, n from n",
        world.project.id, world.ann.id
    ));
}

fn index(world: &World) {
    while world.server.index() != Default::default() {}
}

fn has_next(answer: &Answer) -> bool {
    answer.header("Link").is_some_and(|link| link.contains("rel=\"next\""))
}

/// The titles on the first page, `X-Total`, and whether there is a next page.
fn found(world: &World, by: &Person, query: &str) -> (Vec<Value>, Option<String>, bool) {
    let answer = ask(world, "GET", &format!("/issues?{query}")).by(by).gives(200);
    let total = answer.header("X-Total").map(str::to_owned);
    (answer.each("title"), total, has_next(&answer))
}

fn all(titles: &[&str]) -> (Vec<Value>, Option<String>, bool) {
    (titles.iter().map(|&title| title.into()).collect(), Some(titles.len().to_string()), false)
}

#[test]
fn a_search_finds_an_issue_behind_thousands_of_others_and_counts_it() {
    let Some(world) = world() else { return };
    make(&world, json!({ "title": "a zebra" }));
    fill(&world, 6000, "'issue ' || n");
    world.server.tamper("update issues set created_at = 1, updated_at = 1 where title = 'a zebra'");
    // no index yet: the page has looked at a part of them, and has a next one
    let (titles, total, has_next) = found(&world, &world.ann, "search=zebra");
    assert!(titles.is_empty() && total.is_none() && has_next, "{titles:?} {total:?}");
    index(&world);
    for query in ["search=zebra", "search=ZEB&sort=asc", "search=zebra&order_by=updated_at", "search=a+zebra&in=title"]
    {
        assert_eq!(found(&world, &world.ann, query), all(&["a zebra"]), "{query}");
    }
    assert_eq!(found(&world, &world.ann, "search=zebra&in=description"), all(&[]));
    assert_eq!(found(&world, &world.ann, "search=zebra&state=closed"), all(&[]));
    let everywhere = world.server.ask_v4("GET", "/search?scope=issues&search=zebra".to_owned());
    assert_eq!(everywhere.by(&world.ann).gives(200).each("title"), ["a zebra"]);
    // one more than the pages of a search sort, so these pages end early, and the number is known
    fill(&world, 5000, "'issue again'");
    index(&world);
    let (titles, total, has_next) = found(&world, &world.ann, "search=issue");
    assert_eq!((titles.len(), total, has_next), (20, None, true));
    let (titles, total, _) = found(&world, &world.ann, "search=again");
    assert_eq!((titles.len(), total.as_deref()), (20, Some("5000")));
}

#[test]
fn a_search_of_many_projects_counts_up_to_4000_issues() {
    let Some(world) = world() else { return };
    fill(&world, 4001, "iif(n > 1500, 'wide', 'wider') || ' x'");
    index(&world);
    let total = |query: &str| {
        let path = format!("/search?scope=issues&per_page=100&{query}");
        let answer = world.server.ask_v4("GET", path).by(&world.ann).gives(200);
        answer.header("X-Total").map(str::to_owned)
    };
    for page in [1, 15, 16] {
        assert_eq!(total(&format!("search=wider&page={page}")).as_deref(), Some("1500"), "{page}");
    }
    assert_eq!(total("search=wide"), None);
    assert_eq!(total("search=narrow").as_deref(), Some("0"));
}

#[test]
fn a_search_finds_what_the_texts_are_now_whether_they_are_indexed_or_not() {
    let Some(world) = world() else { return };
    let [first, second, third] = ["one", "two", "three"].map(|word| make(&world, json!({ "title": word })));
    for title in ["日本語の問題", "Übermut", "программирование"] {
        make(&world, json!({ "title": "x", "description": format!("see {title}") }));
    }
    let put = |issue: &Value, fields: Value| {
        ask(&world, "PUT", &format!("/issues/{}", issue["iid"])).by(&world.ann).json(fields).gives(200);
    };
    let is = |by: &Person, word: &str, titles: &[&str]| {
        assert_eq!(found(&world, by, &format!("search={word}")), all(titles), "{word}");
    };
    let check = || {
        is(&world.ann, "one", &[]);
        is(&world.ann, "new", &["new one"].map(|_| "new"));
        is(&world.ann, "two", &["two"]);
        is(&world.eve, "two", &[]);
        is(&world.ann, "three", &[]);
        for word in ["%E6%9C%AC%E8%AA%9E", "%C3%9Cber", "%D0%9F%D0%A0%D0%9E%D0%93%D0%A0%D0%90%D0%9C%D0%9C%D0%98%D0%A0"]
        {
            is(&world.eve, word, &["x"]);
        }
        is(&world.ann, "bermut", &[]);
    };
    index(&world);
    put(&first, json!({ "title": "new" }));
    put(&second, json!({ "confidential": true }));
    ask(&world, "DELETE", &format!("/issues/{}", third["iid"])).by(&world.ann).gives(204);
    check();
    index(&world);
    check();
    // an author finds their confidential issue, and none of others
    let own = ask(&world, "POST", "/issues").by(&world.gus).json(json!({ "title": "mine", "confidential": true }));
    own.gives(201);
    make(&world, json!({ "title": "mine, too", "confidential": true }));
    for _ in 0..2 {
        is(&world.gus, "mine", &["mine"]);
        is(&world.eve, "mine", &[]);
        is(&world.ann, "mine", &["mine, too", "mine"]);
        index(&world);
    }
}

#[test]
fn issues_that_were_there_before_the_index_are_added_to_it_and_readiness_says_how_many_are() {
    let Some(world) = world() else { return };
    make(&world, json!({ "title": "zebra" }));
    fill(&world, 900, "'issue ' || n");
    world
        .server
        .tamper("delete from unindexed_issues; update issue_index set below = (select max(id) + 1 from issues)");
    let (titles, total, has_next) = found(&world, &world.ann, "search=zebra");
    assert_eq!((titles, total, has_next), (vec!["zebra".into()], None, true), "the newest are looked at");
    let (titles, total, has_next) = found(&world, &world.ann, "search=nowhere");
    assert!(titles.is_empty() && total.is_none() && has_next);
    // a number that leaves out issues would be wrong
    let statistics = || {
        let answer = ask(&world, "GET", "/issues_statistics?search=issue").by(&world.ann).gives(200);
        answer.json["statistics"]["counts"]["all"].clone()
    };
    assert_eq!(statistics(), Value::Null);
    let told = || {
        let (_, _, body) = world.server.outside("GET", "/-/readiness");
        serde_json::from_str::<Value>(&body).unwrap()["search_check"].clone()
    };
    assert_eq!(told(), json!([{ "status": "ok", "message": "0 % of the texts are in the index of words" }]));
    index(&world);
    // an answer is kept for a second
    world.server.turn_to(instant() + 5000);
    assert_eq!(told(), Value::Null);
    assert_eq!(found(&world, &world.ann, "search=zebra"), all(&["zebra"]));
    assert_eq!(found(&world, &world.ann, "search=nowhere"), all(&[]));
    assert_eq!(statistics(), 900);
}

#[test]
fn a_search_reads_the_texts_of_300_issues_and_a_deleted_one_hides_no_other() {
    let Some(world) = world() else { return };
    let first = make(&world, json!({ "title": "the first" }));
    make(&world, json!({ "title": "zebra" }));
    fill(&world, 400, "'issue ' || n");
    ask(&world, "DELETE", &format!("/issues/{}", first["iid"])).by(&world.ann).gives(204);
    let too_many = |by: &Person| {
        let (titles, total, has_next) = found(&world, by, "search=nowhere");
        assert!(titles.is_empty() && total.is_none() && has_next, "{titles:?} {total:?}");
    };
    too_many(&world.ann);
    index(&world);
    assert_eq!(found(&world, &world.ann, "search=zebra"), all(&["zebra"]));
    // the index has no key for what somebody sees only as an author
    world.server.tamper(&format!("update issues set confidential = 1, author_id = {}", world.gus.id));
    index(&world);
    too_many(&world.gus);
    assert_eq!(found(&world, &world.eve, "search=zebra"), all(&[]));
    assert_eq!(found(&world, &world.ann, "search=zebra"), all(&["zebra"]));
}

#[test]
fn a_search_finds_a_comment_behind_thousands_of_others_and_counts_it() {
    let Some(world) = world() else { return };
    let [open, hidden] = [false, true].map(|is| make(&world, json!({ "title": "x", "confidential": is })));
    let note = |issue: &Value, body: &str| {
        let path = format!("/issues/{}/notes", issue["iid"]);
        ask(&world, "POST", &path).by(&world.ann).json(json!({ "body": body })).gives(201).json
    };
    let first = note(&open, "a Zebra-crossing");
    note(&hidden, "the zebra nobody sees");
    world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 12000)
        insert into notes (project_id, issue_id, author_id, created_at, updated_at, body)
        select {}, {}, {}, n, n, 'comment ' || n from n",
        world.project.id, open["id"], world.ann.id
    ));
    let search = |by: &Person, text: &str| {
        let answer = ask(&world, "GET", &format!("/search?scope=notes&search={text}")).by(by).gives(200);
        (answer.each("body"), answer.header("X-Total").map(str::to_owned))
    };
    let found = |texts: &[&str]| (texts.iter().map(|&text| text.into()).collect(), Some(texts.len().to_string()));
    index(&world);
    for text in ["zebra", "ZEB", "crossing+a", "zebra+a+crossing+cross"] {
        assert_eq!(search(&world.eve, text), found(&["a Zebra-crossing"]), "{text}");
    }
    assert_eq!(search(&world.ann, "zebra"), found(&["the zebra nobody sees", "a Zebra-crossing"]));
    assert_eq!(search(&world.eve, "ebra"), found(&[]));
    assert_eq!(search(&world.eve, "%2B-"), found(&[]));
    let (texts, total) = search(&world.eve, "comment");
    assert_eq!((texts.len(), texts[0].as_str(), total), (20, Some("comment 12000"), None));
    assert_eq!(search(&world.eve, "comment+11999"), found(&["comment 11999"]));
    // what is changed is found as it is now, indexed again or not
    let path = |issue: &Value, note: &Value| format!("/issues/{}/notes/{}", issue["iid"], note["id"]);
    let change = |path: &str, fields: Value| ask(&world, "PUT", path).by(&world.ann).json(fields).gives(200);
    change(&path(&open, &first), json!({ "body": "a giraffe" }));
    change(&format!("/issues/{}", hidden["iid"]), json!({ "confidential": false }));
    for _ in 0..2 {
        assert_eq!(search(&world.eve, "zebra"), found(&["the zebra nobody sees"]));
        assert_eq!(search(&world.eve, "giraffe"), found(&["a giraffe"]));
        index(&world);
    }
    change(&format!("/issues/{}", hidden["iid"]), json!({ "confidential": true }));
    ask(&world, "DELETE", &path(&open, &first)).by(&world.ann).gives(204);
    for _ in 0..2 {
        assert_eq!(search(&world.eve, "zebra"), found(&[]));
        assert_eq!(search(&world.ann, "zebra"), found(&["the zebra nobody sees"]));
        assert_eq!(search(&world.ann, "giraffe"), found(&[]));
        index(&world);
    }
    // the author of a confidential issue, who sees no others, is answered from the texts
    world.server.tamper(&format!("update issues set author_id = {} where id = {}", world.gus.id, hidden["id"]));
    assert_eq!(search(&world.gus, "zebra"), found(&["the zebra nobody sees"]));
}

#[test]
fn a_search_for_a_comment_says_whether_the_index_has_all() {
    let Some(world) = world() else { return };
    let issue = make(&world, json!({ "title": "x" }));
    let path = format!("/issues/{}/notes", issue["iid"]);
    ask(&world, "POST", &path).by(&world.ann).json(json!({ "body": "zebra" })).gives(201);
    world.server.tamper("delete from unindexed_notes; update note_index set below = (select max(id) + 1 from notes)");
    let search = || ask(&world, "GET", "/search?scope=notes&search=zebra").by(&world.ann).gives(200);
    let answer = search();
    assert_eq!((answer.each("body"), answer.header("X-Total")), (vec![], None));
    assert_eq!(answer.header("X-Hint"), Some("the index of words is still being made: older texts are not found yet"));
    index(&world);
    let answer = search();
    assert_eq!((answer.each("body"), answer.header("X-Total")), (vec!["zebra".into()], Some("1")));
    assert_eq!(answer.header("X-Hint"), None);
}

#[test]
fn a_search_finds_a_commit_behind_thousands_of_others_and_counts_it() {
    let Some(world) = world() else { return };
    let say = |at: u32, message: String| {
        let parents: &[u32] = if at == 1 { &[] } else { &[at - 1] };
        commit(at, parents).with(|commit| commit.message = message)
    };
    let commits: Vec<_> = (1..=950)
        .map(|at| say(at, if at == 7 { "Add the zebra crossing".to_owned() } else { format!("Change {at}") }))
        .collect();
    let refs = [("refs/heads/master", &*commits[649].sha), ("refs/heads/side", &*commits[949].sha)];
    world.push(&commits, &refs);
    let search = |query: &str| {
        let answer = ask(&world, "GET", &format!("/search?scope=commits&search={query}")).by(&world.rae).gives(200);
        (answer.each("title"), answer.header("X-Total").map(str::to_owned), has_next(&answer))
    };
    let zebra: Vec<Value> = vec!["Add the zebra crossing".into()];
    for _ in 0..2 {
        for text in ["zebra", "ZEBRA+cross", "crossing", "add+the"] {
            assert_eq!(search(text), (zebra.clone(), Some("1".to_owned()), false), "{text}");
        }
        assert_eq!(search("crossing+zebra"), (vec![], Some("0".to_owned()), false));
        assert_eq!(search("ebra"), (vec![], Some("0".to_owned()), false));
        let (titles, total, has_next) = search("change&per_page=2&page=2");
        assert_eq!(
            (titles, total.as_deref(), has_next),
            (vec!["Change 648".into(), "Change 647".into()], Some("649"), true)
        );
        // the index does not know the commits of another branch
        assert_eq!(search("949&ref=side"), (vec!["Change 949".into()], None, false));
        assert_eq!(search("zebra&ref=side"), (zebra.clone(), None, false));
        assert_eq!(search("949").0, Vec::<Value>::new());
        index(&world);
    }
}

#[test]
fn a_search_for_a_commit_costs_the_same_however_many_are_not_indexed_yet() {
    let Some(world) = world() else { return };
    world.push(&[commit(1, &[])], &[("refs/heads/master", &commit(1, &[]).sha)]);
    let steps_among = |from: u32, to: u32| {
        world.server.tamper(&format!(
            "with recursive n(n) as (select {from} union all select n + 1 from n where n < {to})
            insert into commits (project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
              committer_email, committed_at, committer_zone, additions, deletions, parent_shas, message)
            select c.project_id, printf('%040d', n), 'A', 'a@x', 1, 0, 'A', 'a@x', 1, 0, 0, 0, '[]', 'Change ' || n
            from n cross join (select project_id from commits limit 1) c"
        ));
        world.server.database().take_steps();
        ask(&world, "GET", "/search?scope=commits&search=zebra").by(&world.rae).gives(200);
        world.server.database().take_steps().0
    };
    let (few, many) = (steps_among(1, 1500), steps_among(1501, 9000));
    assert!(many < few + few / 10, "{few} and {many} steps");
}

#[test]
fn a_search_for_a_comment_says_that_it_has_not_looked_at_all_own_confidential_issues() {
    let Some(world) = world() else { return };
    let search = || ask(&world, "GET", "/search?scope=notes&search=zebra").by(&world.gus).gives(200);
    for (count, total) in [(499, Some("0")), (1, None)] {
        fill(&world, count, "'issue'");
        world.server.tamper(&format!("update issues set confidential = 1, author_id = {}", world.gus.id));
        index(&world);
        let answer = search();
        assert_eq!((answer.header("X-Total"), answer.header("X-Hint").is_some()), (total, total.is_none()), "{count}");
    }
}

#[test]
fn a_search_costs_no_more_by_what_the_caller_does_not_see() {
    let Some(world) = world() else { return };
    let open = make(&world, json!({ "title": "a zebra" }));
    let note = ask(&world, "POST", &format!("/issues/{}/notes", open["iid"])).by(&world.ann);
    note.json(json!({ "body": "a zebra" })).gives(201);
    index(&world);
    let paths = ["/issues?search=zebra", "/search?scope=issues&search=zebra+a", "/search?scope=notes&search=zebra"];
    let steps = || {
        paths.map(|path| {
            // the first time the instance has no memory of the caller
            for _ in 0..2 {
                world.server.database().take_steps();
                let found = ask(&world, "GET", path).by(&world.eve).gives(200);
                assert_eq!(found.json.as_array().map(Vec::len), Some(1), "{path}");
            }
            world.server.database().take_steps().0
        })
    };
    // those of a caller who does not see so many more issues with the words, before they are indexed and after it
    let steps_beside = |hidden: i64| {
        fill(&world, hidden, "'a zebra'");
        world.server.tamper(&format!(
            "update issues set confidential = 1 where id > {0} and not confidential;
            insert into notes (project_id, issue_id, author_id, created_at, updated_at, body)
            select project_id, id, author_id, 1, 1, 'a zebra' from issues i
            where id > {0} and not exists (select 1 from notes n where n.issue_id = i.id)",
            open["id"]
        ));
        let waiting = steps();
        index(&world);
        [waiting, steps()]
    };
    assert_eq!(steps_beside(2), steps_beside(500), "{paths:?}");
}
