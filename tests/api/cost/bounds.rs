//! The most rows that a request examines, sorts or changes (behaviour 5.3, 6.5 and 13). Each test has one row too many.

use crate::support::{Answer, Server, Visibility, World, templates};
use serde_json::{Value, json};

/// A project on a server of the test's own, with access to its database.
fn world() -> World {
    World::new(Server::own(templates::blobs()), Visibility::Private)
}

/// Inserts a row for each number `n` from `first` to `last`.
fn many(world: &World, first: i64, last: i64, into: &str, select: &str) {
    let numbers = format!("with recursive n(n) as (select {first} union all select n + 1 from n where n < {last})");
    world.server.tamper(&format!("insert into {into} {numbers} select {select} from n where n <= {last}"));
}

fn get(world: &World, path: &str) -> Answer {
    world.v4("GET", path).by(&world.ann).gives(200)
}

fn issues(world: &World, first: i64, last: i64) {
    let (project, ann) = (world.project.id, world.ann.id);
    let columns = "issues (project_id, iid, author_id, title, created_at, updated_at)";
    many(world, first, last, columns, &format!("{project}, n, {ann}, 'x', n, n"));
}

/// Commits on master without diffs, each the child of the one before and a minute later.
fn commits(world: &World, first: i64, last: i64) {
    let project = world.project.id;
    let columns = "commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
        committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)";
    let row = format!(
        "n, {project}, printf('%040x', n), 'A', 'a@b.c', n * 60, 0, 'A', 'a@b.c', n * 60, 0, 'm', 0, 0, '[]', 'master'"
    );
    many(world, first, last, columns, &row);
    let columns = "parents (child_id, position, parent_id, parent_committed_at)";
    many(world, first.max(2), last, columns, "n, 0, n - 1, n * 60 - 60");
    many(world, first, last, "diffs (commit_id, part, text)", "n, 0, '[]'");
    point(world, "refs/heads/master", last);
    world.server.tamper(&format!("update projects set default_branch = 'master' where id = {project}"));
}

fn point(world: &World, name: &str, commit: i64) {
    let project = world.project.id;
    world
        .server
        .tamper(&format!("insert into refs (project_id, name, commit_id) values ({project}, '{name}', {commit})"));
}

fn sha(number: i64) -> String {
    format!("{number:040x}")
}

fn environment(world: &World) {
    world.push_line(1);
    let project = world.project.id;
    world.server.tamper(&format!(
        "insert into environments (id, project_id, number, name, created_at, state) values (90, {project}, 1, 'live', 1, 'stopped')"
    ));
}

fn deployments(world: &World, first: i64, last: i64, state: &str) {
    let (project, ann) = (world.project.id, world.ann.id);
    let columns =
        "deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)";
    let commit = "(select max(id) from commits)";
    many(world, first, last, columns, &format!("{project}, n, 90, {commit}, '', {ann}, {ann}, 'e', '{state}', n"));
}

#[test]
fn a_page_by_its_number_looks_at_ten_thousand_issues() {
    let world = world();
    issues(&world, 1, 5000);
    world.server.tamper("update issues set due_date = '2020-01-01' where iid in (5, 6)");
    let page = |number: u32| get(&world, &format!("/issues?due_date=any&per_page=1&page={number}"));
    assert_eq!((page(1).each("iid"), page(2).each("iid")), (vec![json!(6)], vec![json!(5)]));
    issues(&world, 5001, 10_100);
    let first = page(1);
    assert_eq!((first.each("iid"), first.header("X-Next-Page")), (vec![], Some("2")));
    let second = world.v4("GET", "/issues?due_date=any&per_page=1&page=2").by(&world.ann);
    second.refused(400, json!({ "error": "the page before ends early: follow its next link" }));
}

#[test]
fn a_page_by_its_number_looks_at_ten_thousand_rows() {
    let world = world();
    let people = |first: i64, last: i64| {
        let columns = "namespaces (id, kind, path, path_key)";
        many(&world, first, last, columns, "100000 + n, 'user', 'm' || n, 'm' || n");
        let columns = "users (id, username, name, email, email_key, created_at)";
        many(&world, first, last, columns, "100000 + n, 'm' || n, 'M', n || '@m', n || '@m', n");
    };
    people(1, 5000);
    world.server.tamper("update users set state = 'blocked' where id in (100005, 100006)");
    let page = |number: u32| {
        let path = format!("/users?blocked=true&per_page=1&page={number}");
        world.server.ask_v4("GET", path).by(&world.root).gives(200)
    };
    assert_eq!((page(1).each("id"), page(2).each("id")), (vec![json!(100_006)], vec![json!(100_005)]));
    people(5001, 10_100);
    let first = page(1);
    assert_eq!((first.each("id"), first.header("X-Next-Page")), (vec![], Some("2")));
    let second = world.server.ask_v4("GET", "/users?blocked=true&per_page=1&page=2").by(&world.root);
    second.refused(400, json!({ "error": "the page before ends early: follow its next link" }));
}

#[test]
fn a_page_at_any_depth_costs_the_same() {
    let world = world();
    issues(&world, 1, 2000);
    commits(&world, 1, 2000);
    for list in ["/issues", "/repository/commits"] {
        let (mut costs, mut answer) = (Vec::new(), get(&world, list));
        for _ in 0..90 {
            world.server.database().take_steps();
            answer = world.next_of(&answer);
            costs.push(world.server.database().take_steps().0);
        }
        let (near, deep) = (costs[2], costs[88]);
        assert!(deep <= near + near / 10, "{list}: {near} steps, and {deep} far in");
    }
}

#[test]
fn a_page_of_commits_by_its_number_is_among_the_first_ten_thousand() {
    let world = world();
    commits(&world, 1, 10_150);
    let list = |query: &str| world.v4("GET", &format!("/repository/commits?per_page=100&{query}")).by(&world.ann);
    assert_eq!(list("page=101").gives(200).each("id")[0], json!(sha(150)));
    let text = |most: i64| json!({ "error": format!("page is beyond the first {most} records: follow the next link of the page before") });
    list("page=102").refused(400, text(10_000));
    list("page=103").refused(400, text(10_000));
    // what `until` passes counts as well, and each parent of a range is compared
    list("page=82&until=2020-01-01").refused(400, text(8000));
    assert_eq!(list("page=81&until=2020-01-01").gives(200).each("id")[0], json!(sha(2150)));
    assert_eq!(list("page=51&until=1970-01-07").gives(200).each("id")[0], json!(sha(3640)));
    point(&world, "refs/heads/old", 1);
    list("page=11&ref_name=old..master").refused(400, text(900));
    list("page=102&since=1970-01-02").gives(200);
    // those of all branches wait in the queue
    assert_eq!(list("page=31&all=true").gives(200).each("id")[0], json!(sha(7150)));
    list("page=32&all=true").refused(400, text(3000));
    // where the length is known, so is the end
    let v3 = |page: i64| world.get(&format!("/repository/commits?per_page=100&page={page}")).by(&world.ann);
    assert_eq!(v3(101).gives(200).each("id")[0], json!(sha(150)));
    world.server.tamper("update refs set commits = 10150 where name = 'refs/heads/master'");
    v3(102).refused(400, text(10_000));
    let past = v3(103).gives(200);
    assert_eq!((&past.json, past.header("X-Total"), past.next()), (&json!([]), Some("10150"), None));
    list("page=102").refused(400, text(10_000));
    // no filter makes the list longer
    for filter in ["", "&until=2020-01-01", "&since=1970-01-01", "&author=A", "&path=x", "&first_parent=true"] {
        let past = list(&format!("page=103{filter}")).gives(200);
        assert_eq!((&past.json, past.header("X-Total"), past.next()), (&json!([]), None, None), "{filter}");
    }
    let past = world.get("/repository/commits?per_page=100&page=103&until=2020-01-01").by(&world.ann).gives(200);
    assert_eq!((&past.json, past.header("X-Total")), (&json!([]), None));
    list("page=32&all=true").refused(400, text(3000));
    assert_eq!(list("page=31&all=true").gives(200).each("id")[0], json!(sha(7150)));
}

#[test]
fn due_dates_order_the_thousand_newest_issues() {
    let world = world();
    issues(&world, 1, 1000);
    world.server.tamper("update issues set due_date = '2020-01-01' where iid = 1");
    let first = || get(&world, "/issues?order_by=due_date&sort=asc&per_page=1").each("iid");
    assert_eq!(first(), [1]);
    issues(&world, 1001, 1001);
    assert_ne!(first(), [1]);
}

#[test]
fn titles_order_the_thousand_newest_issues() {
    let world = world();
    issues(&world, 1, 1000);
    world.server.tamper("update issues set title = 'AAA' where iid = 1");
    let first = || get(&world, "/issues?order_by=title&sort=asc&per_page=1").each("iid");
    assert_eq!(first(), [1]);
    issues(&world, 1001, 1001);
    assert_ne!(first(), [1]);
}

#[test]
fn comments_by_update_or_kind_are_of_the_thousand_newest() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let (project, ann) = (world.project.id, world.ann.id);
    let columns = "notes (project_id, issue_id, author_id, body, created_at, updated_at)";
    let row = format!("{project}, {}, {ann}, 'Comment ' || n, n, n", issue["id"]);
    let first =
        |query: &str| get(&world, &format!("/issues/{}/notes?per_page=1&sort=asc&{query}", issue["iid"])).each("body");
    let bounded = ["order_by=updated_at", "activity_filter=only_comments"];
    many(&world, 1, 1000, columns, &row);
    assert_eq!(bounded.map(first), [["Comment 1"], ["Comment 1"]]);
    many(&world, 1001, 1001, columns, &row);
    assert_eq!(bounded.map(first), [["Comment 2"], ["Comment 2"]]);
    assert_eq!(first(""), ["Comment 1"]);
}

#[test]
fn a_discussion_costs_the_same_among_any_number_of_comments() {
    let world = world();
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let at = format!("/issues/{}/discussions", issue["iid"]);
    world.comment(&world.ann, &issue, "first");
    let list = get(&world, &at);
    let one = format!("{at}/{}", list.each("id")[0].as_str().unwrap());
    let cost = || {
        get(&world, &one);
        world.server.database().take_steps();
        let answer = get(&world, &one);
        assert_eq!((list.trips, answer.trips), (1, 1));
        world.server.database().take_steps().0
    };
    let few = cost();
    let columns = "notes (project_id, issue_id, author_id, body, created_at, updated_at)";
    let row = format!("{}, {}, {}, 'x', n, n", world.project.id, issue["id"], world.ann.id);
    many(&world, 1, 2000, columns, &row);
    let more = cost();
    assert_eq!(more, few);
}

#[test]
fn an_issue_with_more_than_300_000_comments_is_not_moved() {
    let world = world();
    let to = json!({ "to_project_id": world.sibling(Visibility::Private).project.id });
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let count = |comments: u32| {
        world.server.tamper(&format!("update issues set user_notes_count = {comments}"));
        world.post(&format!("/issues/{}/move", issue["id"])).by(&world.ann).json(to.clone())
    };
    let text = "400 Bad request - The issue has more than 300000 comments";
    count(300_001).refused(400, json!({ "message": text }));
    count(300_000).gives(201);
}

#[test]
fn a_namespace_with_more_than_5000_projects_keeps_its_name() {
    let world = world();
    let user = format!("/users/{}", world.ann.id);
    let group = format!("/groups/{}", world.group);
    let count = |projects: u32| {
        for table in ["users", "groups"] {
            world.server.tamper(&format!("update {table} set projects_count = {projects}"));
        }
    };
    let text = "400 Bad request - A namespace with more than 5000 projects keeps its name";
    let refused = json!({ "message": text });
    for (path, fields) in [(&user, json!({ "username": "anna" })), (&group, json!({ "path": "other" }))] {
        for by_v4 in [false, true] {
            let server = world.server;
            let put = || if by_v4 { server.ask_v4("PUT", path.as_str()) } else { server.put(path.as_str()) };
            count(5001);
            put().by(&world.root).json(fields.clone()).refused(400, refused.clone());
            count(5000);
            put().by(&world.root).json(fields.clone()).gives(200);
        }
    }
}

#[test]
fn all_of_more_than_2500_refs_is_refused() {
    let world = world();
    commits(&world, 1, 2);
    let row = format!("{}, printf('refs/heads/r%04d', n), iif(n = 2500, 2, 1)", world.project.id);
    world.server.tamper("delete from refs");
    many(&world, 1, 2500, "refs (project_id, name, commit_id)", &row);
    let all = |query: &str| {
        let list = world.v4("GET", &format!("/repository/commits?all=true{query}"));
        list.by(&world.ann)
    };
    assert_eq!(all("").gives(200).each("id"), [json!(sha(2)), json!(sha(1))]);
    many(&world, 2501, 2501, "refs (project_id, name, commit_id)", &row);
    let text = "400 Bad request - More than 2500 branches and tags: list those of one by ref_name";
    for query in ["", "&page=2", "&first_parent=true&author=a"] {
        all(query).refused(400, json!({ "message": text }));
    }
}

#[test]
fn the_refs_of_a_commit_are_looked_for_in_5000_descendants() {
    let world = world();
    commits(&world, 1, 5100);
    point(&world, "refs/heads/far", 5050);
    point(&world, "refs/heads/near", 4950);
    let refs = get(&world, &format!("/repository/commits/{}/refs", sha(1)));
    assert_eq!(refs.each("name"), ["master", "near"]);
}

#[test]
fn a_commit_has_statuses_of_a_thousand_refs() {
    let world = world();
    world.push_line(1);
    let (project, bob) = (world.project.id, world.bob.id);
    let columns = "statuses (project_id, commit_id, ref, name, user_id, state, created_at)";
    let tip = "(select max(id) from commits)";
    many(&world, 1, 999, columns, &format!("{project}, {tip}, n, 'x', {bob}, 'success', n"));
    let post = |git_ref: &str| {
        let fields = json!({ "state": "success", "name": "build", "ref": git_ref });
        world.post("/statuses/master").by(&world.bob).json(fields).send()
    };
    assert_eq!([post("a").status, post("a").status, post("7").status], [201; 3]);
    let refused = post("b");
    let text = "400 Bad request - A commit has statuses of at most 1000 refs";
    assert_eq!((refused.status, &refused.json["message"]), (400, &json!(text)));
}

#[test]
fn an_author_is_looked_for_in_1000_commits_and_a_path_in_200_diffs() {
    let world = world();
    commits(&world, 1, 1200);
    world.server.tamper("update commits set author_name = 'Rare' where id in (190, 210)");
    let change = r#"[{"diff":"","new_path":"x","old_path":"x","a_mode":"100644","b_mode":"100644","new_file":false,"renamed_file":false,"deleted_file":false}]"#;
    world.server.tamper(&format!("update diffs set text = '{change}' where commit_id in (990, 1010)"));
    for (query, near, far) in [("author=rare", 210, 190), ("path=x", 1010, 990)] {
        let first = get(&world, &format!("/repository/commits?{query}"));
        assert_eq!(first.each("id"), [sha(near)], "{query}");
        assert_eq!(world.next_of(&first).each("id"), [sha(far)], "{query}");
    }
}

#[test]
fn tags_by_version_are_the_thousand_last_names() {
    let world = world();
    commits(&world, 1, 1);
    let row = format!("{}, printf('refs/tags/v%04d', n), 1", world.project.id);
    let first = || get(&world, "/repository/tags?order_by=version&sort=asc&per_page=1").each("name");
    many(&world, 1, 1000, "refs (project_id, name, commit_id)", &row);
    assert_eq!(first(), ["v0001"]);
    many(&world, 1001, 1001, "refs (project_id, name, commit_id)", &row);
    assert_eq!(first(), ["v0002"]);
}

#[test]
fn a_filter_of_deployments_ends_a_page_early() {
    let world = world();
    environment(&world);
    deployments(&world, 1, 10_200, "success");
    deployments(&world, 10_201, 10_201, "failed");
    let row = format!("1000 + n, {}, 1000 + n, printf('many-%04d', n), 1", world.project.id);
    many(&world, 1, 10_200, "environments (id, project_id, number, name, created_at)", &row);
    let row = format!("20000, {}, 20000, 'zebra', 1", world.project.id);
    many(&world, 1, 1, "environments (id, project_id, number, name, created_at)", &row);
    for list in ["/deployments?status=failed", "/environments?search=zebra"] {
        let first = get(&world, list);
        assert_eq!((&first.json, first.header("X-Total")), (&json!([]), None), "{list}");
        assert_eq!(world.next_of(&first).each("id").len(), 1, "{list}");
    }
}

#[test]
fn deployments_in_another_order_are_the_thousand_newest() {
    let world = world();
    environment(&world);
    deployments(&world, 1, 1, "success");
    deployments(&world, 2, 1000, "failed");
    let orders = ["ref", "updated_at", "finished_at"];
    let firsts = || {
        orders.map(|order| {
            let list = get(&world, &format!("/deployments?order_by={order}&sort=asc&per_page=100"));
            list.each("iid").contains(&json!(1))
        })
    };
    let last = || get(&world, "/environments/90").json["last_deployment"]["iid"].clone();
    assert_eq!((firsts(), last()), ([true; 3], json!(1)));
    deployments(&world, 1001, 1001, "failed");
    assert_eq!((firsts(), last()), ([false; 3], Value::Null));
}

#[test]
fn an_environment_with_more_than_9000_deployments_is_not_removed() {
    let world = world();
    environment(&world);
    deployments(&world, 1, 9001, "success");
    let text = "400 Bad request - The environment has more than 9000 deployments";
    world.v4("DELETE", "/environments/90").by(&world.ann).refused(400, json!({ "message": text }));
    get(&world, "/environments/90");
}

#[test]
fn a_total_of_v4_is_counted_up_to_ten_thousand_issues_of_a_project() {
    let world = world();
    let total = |list: &str| get(&world, list).header("X-Total").map(str::to_owned);
    let lists = ["due_date=0", "assignee_id=None", "not[labels]=a", "updated_after=1970-01-01"];
    issues(&world, 1, 10_000);
    for list in lists {
        assert_eq!(total(&format!("/issues?per_page=1&{list}")).as_deref(), Some("10000"), "{list}");
    }
    issues(&world, 10_001, 10_001);
    for list in lists {
        assert_eq!(total(&format!("/issues?per_page=1&{list}")), None, "{list}");
    }
}

#[test]
fn a_total_of_many_projects_in_v4_is_counted_up_to_a_thousand_issues() {
    let world = world();
    let list = "/issues?scope=all&due_date=0";
    let total = || world.server.ask_v4("GET", list).by(&world.ann).gives(200).header("X-Total").map(str::to_owned);
    issues(&world, 1, 1000);
    assert_eq!(total().as_deref(), Some("1000"));
    issues(&world, 1001, 1001);
    assert_eq!(total(), None);
}

#[test]
fn a_page_reads_the_texts_of_fewer_issues_the_more_words_are_searched_for() {
    let world = world();
    issues(&world, 1, 2000);
    world.server.tamper("update issues set title = 'needle thread' where iid = 1750");
    let search = |words: &str| get(&world, &format!("/issues?search={words}"));
    // none of them is in the index of words
    assert_eq!(search("needle").each("iid"), [1750]);
    let first = search("needle%20thread");
    assert_eq!(first.json, json!([]));
    assert_eq!(world.next_of(&first).each("iid"), [1750]);
    while world.server.index() != Default::default() {}
    let [first] = ["needle%20thread"].map(search);
    assert_eq!((first.each("iid").len(), first.header("X-Total")), (1, Some("1")));
}

#[test]
fn a_range_reads_at_most_30000_parents() {
    let world = world();
    commits(&world, 1, 30_005);
    point(&world, "refs/heads/side", 30_004);
    // the tip's only parent is near the end of what may be read
    let begins_at = |parent: i64| {
        let row = format!("parent_id = {parent}, parent_committed_at = 60 * {parent}");
        world.server.tamper(&format!("update parents set {row} where child_id = 30005"));
        world.v4("GET", "/repository/commits?ref_name=side..master").by(&world.ann)
    };
    assert_eq!(begins_at(10).gives(200).each("id"), [sha(30_005)]);
    let text = "400 Bad request - More than 30000 parents of commits would have to be read for this range";
    begins_at(2).refused(400, json!({ "message": text }));
}

#[test]
fn statistics_are_null_above_ten_thousand_issues() {
    let world = world();
    let counts = || get(&world, "/issues_statistics?due_date=0").json["statistics"]["counts"]["all"].clone();
    issues(&world, 1, 10_000);
    assert_eq!(counts(), 10_000);
    issues(&world, 10_001, 10_001);
    assert_eq!(counts(), Value::Null);
    let known = get(&world, "/issues_statistics").json["statistics"]["counts"]["all"].clone();
    assert_eq!(known, 10_001);
}

/// The hashes of all pages, by following `next`.
fn follow(world: &World, path: &str) -> Vec<Value> {
    let mut answer = get(world, path);
    let mut found = answer.each("id");
    while answer.header("X-Next-Page").is_some_and(|page| !page.is_empty()) {
        answer = world.next_of(&answer);
        found.extend(answer.each("id"));
    }
    found
}

#[test]
fn all_lists_tips_that_are_older_than_its_first_page() {
    let world = world();
    commits(&world, 1, 31);
    world.server.tamper("delete from parents where child_id = 2");
    point(&world, "refs/heads/old", 1);
    let wanted: Vec<Value> = (1..=31).rev().map(|number| json!(sha(number))).collect();
    for query in ["", "&first_parent=true", "&author=a@b", "&since=1970-01-01T00:01:00Z", "&until=1970-01-02T00:00:00Z"]
    {
        assert_eq!(follow(&world, &format!("/repository/commits?all=true&per_page=5{query}")), wanted, "{query}");
    }
}

#[test]
fn a_range_has_nothing_that_its_beginning_reaches_however_far_back() {
    let world = world();
    commits(&world, 1, 1301);
    // the tip merges a commit whose parent is the 200th
    world.server.tamper("delete from parents where child_id = 1300");
    world.server.tamper("insert into parents (child_id, position, parent_id, parent_committed_at) values (1300, 0, 200, 12000), (1301, 1, 1299, 77940)");
    point(&world, "refs/tags/v1", 1299);
    point(&world, "refs/tags/v2", 1301);
    let found = follow(&world, "/repository/commits?ref_name=v1..v2&per_page=100");
    assert_eq!(found, [json!(sha(1301)), json!(sha(1300))]);
}

#[test]
fn all_goes_on_by_cursor_from_2500_tips() {
    let world = world();
    commits(&world, 1, 15_000);
    world.server.tamper("delete from parents where child_id % 6 <> 0");
    world.server.tamper(
        "update parents set parent_id = child_id - 6, parent_committed_at = child_id * 60 - 360 where child_id > 6",
    );
    let row = format!("{}, 'refs/heads/r' || n, 6 * n - 1", world.project.id);
    many(&world, 1, 2499, "refs (project_id, name, commit_id)", &row);
    let found = follow(&world, "/repository/commits?all=true&per_page=100");
    assert_eq!(found.len(), 2500 + 2499);
}
