//! The index of words, which the Cron trigger fills (behaviour 17).

use crate::support::v4::ask;
use crate::support::{Person, Server, Visibility, World, now, spec, templates};
use serde_json::{Value, json};

/// A server of its own: the index is one for all projects.
fn world() -> Option<World> {
    spec().is_in_process().then(|| World::new(Server::own(templates::blobs()), Visibility::Public))
}

fn make(world: &World, fields: Value) -> Value {
    ask(world, "POST", "/issues").by(&world.ann).json(fields).gives(201).json
}

/// Issues with these titles, each made in a statement of SQL.
fn fill(world: &World, count: i64, title: &str) {
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

/// The titles on the first page, `X-Total`, and whether there is a next page.
fn found(world: &World, by: &Person, query: &str) -> (Vec<Value>, Option<String>, bool) {
    let answer = ask(world, "GET", &format!("/issues?{query}")).by(by).gives(200);
    let total = answer.header("X-Total").map(str::to_owned);
    let has_next = answer.header("Link").is_some_and(|link| link.contains("rel=\"next\""));
    (answer.each("title"), total, has_next)
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
    assert_eq!(told(), json!([{ "status": "ok", "message": "0 % of the issues are in the index of words" }]));
    index(&world);
    // an answer is kept for a second
    world.server.turn_to(now() + 5000);
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
