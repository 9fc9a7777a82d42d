//! Lists of issues in v4: what each parameter finds, and how many there are.

use crate::support::v4::{ask, at, made, names};
use crate::support::{Person, Server, Visibility, World, spec, templates, urlencoded};
use serde_json::{Value, json};

fn found(world: &World, person: &Person, query: &str) -> Vec<Value> {
    let listed = ask(world, "GET", &format!("/issues?sort=asc&{query}")).by(person).gives(200);
    let titles = listed.each("title");
    assert_eq!(listed.header("x-total"), Some(titles.len().to_string().as_str()), "the total of {query}");
    titles
}

#[test]
fn a_list_without_a_token_is_of_everything_and_says_so() {
    let world = World::new(spec(), Visibility::Public);
    made(&world, &world.ann, json!({ "title": "open" }));
    made(&world, &world.ann, json!({ "title": "secret", "confidential": true }));
    let unauthorized = json!({ "message": "401 Unauthorized" });
    for path in ["/issues", "/issues?scope=created_by_me", "/issues?state=x", "/issues_statistics"] {
        spec().ask_v4("GET", path).refused(401, unauthorized.clone());
    }
    let list = ask(&world, "GET", "/issues").gives(200);
    assert_eq!((list.each("title"), list.header("X-Total")), (vec![json!("open")], Some("1")));
    assert!(list.json[0].get("subscribed").is_none());
    let counts = ask(&world, "GET", "/issues_statistics").gives(200).json;
    assert_eq!(counts, json!({ "statistics": { "counts": { "all": 1, "closed": 0, "opened": 1 } } }));
    let group = format!("/groups/{}/issues?scope=all", world.group);
    spec().ask_v4("GET", group).gives(200);
    // whose own issues would these be
    assert_eq!(ask(&world, "GET", "/issues?scope=created_by_me").gives(200).json, json!([]));
}

#[test]
fn what_a_list_is_not_to_be_asked_for_is_told() {
    let world = World::new(spec(), Visibility::Private);
    for (query, error) in [
        ("state=x", "state does not have a valid value"),
        ("scope=mine", "scope does not have a valid value"),
        ("order_by=weight", "order_by does not have a valid value"),
        ("milestone_id=3", "milestone_id does not have a valid value"),
        ("in=body", "in does not have a valid value"),
        ("issue_type=x", "issue_type does not have a valid value"),
        ("due_date=x", "due_date does not have a valid value"),
        ("created_after=x", "created_after is invalid"),
        ("updated_before=x", "updated_before is invalid"),
        ("confidential=maybe", "confidential is invalid"),
        ("iids=x", "iids is invalid"),
        ("assignee_id=x", "assignee_id is invalid"),
        ("author_id=1&author_username=a", "author_id, author_username are mutually exclusive"),
        ("assignee_id=1&assignee_username=a", "assignee_id, assignee_username are mutually exclusive"),
        ("milestone_id=Any&milestone=a", "milestone_id, milestone are mutually exclusive"),
        ("assignee_username=a,b", "assignee_username allows one value, but found 2: [a, b]"),
    ] {
        ask(&world, "GET", &format!("/issues?{query}")).by(&world.ann).refused(400, json!({ "error": error }));
    }
}

#[test]
fn every_filter_finds_its_issues() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("1.0");
    let (ann, bob) = (&world.ann, &world.bob);
    made(&world, ann, json!({ "title": "a", "labels": "x,y", "milestone_id": milestone, "assignee_ids": [bob.id] }));
    let b = made(&world, &world.gus, json!({ "title": "b crate", "description": "needle" }));
    made(&world, ann, json!({ "title": "c", "labels": "x", "confidential": true, "due_date": "2020-01-01" }));
    at(&world, "PUT", &b, "").by(ann).json(json!({ "state_event": "close" })).gives(200);
    for (query, titles) in [
        ("".to_owned(), &["a", "b crate", "c"][..]),
        ("state=opened".to_owned(), &["a", "c"]),
        ("scope=created_by_me".to_owned(), &["a", "c"]),
        ("scope=created-by-me".to_owned(), &["a", "c"]),
        ("labels=x".to_owned(), &["a", "c"]),
        ("labels=x,y".to_owned(), &["a"]),
        ("labels[]=x&labels[]=y".to_owned(), &["a"]),
        ("labels=none".to_owned(), &["b crate"]),
        ("labels=ANY".to_owned(), &["a", "c"]),
        ("labels=No Label".replace(' ', "%20"), &["b crate"]),
        ("labels=".to_owned(), &["a", "b crate", "c"]),
        ("milestone=1.0".to_owned(), &["a"]),
        ("milestone=None".to_owned(), &["b crate", "c"]),
        ("milestone_id=Any".to_owned(), &["a"]),
        ("iids=1,3".to_owned(), &["a", "c"]),
        ("iids[]=2".to_owned(), &["b crate"]),
        (format!("author_id={}", world.gus.id), &["b crate"]),
        (format!("author_username={}", world.gus.username.to_uppercase()), &["b crate"]),
        ("author_id=999999999".to_owned(), &[]),
        (format!("assignee_id={}", bob.id), &["a"]),
        (format!("assignee_username[]={}", bob.username), &["a"]),
        ("assignee_id=0".to_owned(), &["b crate", "c"]),
        ("assignee_id=None".to_owned(), &["b crate", "c"]),
        ("assignee_id=Any".to_owned(), &["a"]),
        ("search=NEEDLE".to_owned(), &["b crate"]),
        ("search=needle&in=title".to_owned(), &[]),
        ("search=crate&in=title,description".to_owned(), &["b crate"]),
        ("search=".to_owned(), &["a", "b crate", "c"]),
        ("created_after=2020-01-01".to_owned(), &["a", "b crate", "c"]),
        ("created_before=2020-01-01".to_owned(), &[]),
        ("confidential=true".to_owned(), &["c"]),
        ("confidential=False".to_owned(), &["a", "b crate"]),
        ("due_date=overdue".to_owned(), &["c"]),
        ("due_date=overdue&state=closed".to_owned(), &[]),
        ("due_date=0".to_owned(), &["a", "b crate"]),
        ("due_date=any".to_owned(), &["c"]),
        ("issue_type=issue".to_owned(), &["a", "b crate", "c"]),
        ("issue_type=task".to_owned(), &[]),
        ("weight=5".to_owned(), &[]),
        ("weight=None".to_owned(), &["a", "b crate", "c"]),
        ("iteration_id=7".to_owned(), &[]),
        ("iteration_title=Any".to_owned(), &[]),
        ("epic_id=3".to_owned(), &[]),
        ("health_status=on_track".to_owned(), &[]),
        ("my_reaction_emoji=None".to_owned(), &["a", "b crate", "c"]),
        ("my_reaction_emoji=thumbsup".to_owned(), &[]),
        (format!("closed_by_id={}", ann.id), &["b crate"]),
        ("not[labels]=y".to_owned(), &["b crate", "c"]),
        ("not[labels]=x,y".to_owned(), &["b crate"]),
        ("not[milestone]=1.0".to_owned(), &["b crate", "c"]),
        ("not[iids][]=1".to_owned(), &["b crate", "c"]),
        (format!("not[author_id]={}", ann.id), &["b crate"]),
        (format!("not[assignee_username]={}", bob.username), &["b crate", "c"]),
        ("order_by=updated_at".to_owned(), &["a", "c", "b crate"]),
        ("order_by=priority".to_owned(), &["a", "b crate", "c"]),
    ] {
        let titles: Vec<Value> = titles.iter().map(|title| json!(title)).collect();
        assert_eq!(found(&world, ann, &query), titles, "{query}");
    }
    assert_eq!(found(&world, &world.gus, ""), ["a", "b crate"]);
    let counts = |person: &Person, query: &str| {
        let told = ask(&world, "GET", &format!("/issues_statistics?{query}")).by(person).gives(200).json;
        told["statistics"]["counts"].clone()
    };
    assert_eq!(counts(ann, ""), json!({ "all": 3, "closed": 1, "opened": 2 }));
    assert_eq!(counts(ann, "labels=x&state=closed"), json!({ "all": 2, "closed": 0, "opened": 2 }));
    assert_eq!(counts(&world.gus, ""), json!({ "all": 2, "closed": 1, "opened": 1 }));
}

#[test]
fn labels_are_whole_and_references_are_as_the_list_names_them() {
    let world = World::new(spec(), Visibility::Private);
    let milestone = world.milestone("1.0");
    let person = spec().person("Tom");
    world.admit(&person, 20);
    let issue = made(&world, &person, json!({ "title": "a", "labels": "x", "milestone_id": milestone }));
    let first = |path: String| spec().ask_v4("GET", path).by(&person).gives(200).json[0].clone();
    let own = first("/issues".to_owned());
    assert_eq!([&own["id"], &own["references"]["relative"]], [&issue["id"], &issue["references"]["full"]]);
    let path = world.project.path.rsplit('/').next().unwrap();
    let of_group = first(format!("/groups/{}/issues?author_id={}", world.group, person.id));
    assert_eq!(of_group["references"]["relative"], format!("{path}#{}", issue["iid"]));
    let whole = first(world.at("/issues?with_labels_details=true"));
    assert_eq!(whole["references"]["relative"], format!("#{}", issue["iid"]));
    assert_eq!(names(&whole["labels"][0]), "archived color description description_html id name text_color");
    let of_milestone = first(world.at(&format!("/milestones/{milestone}/issues")));
    assert_eq!([&of_milestone["id"], &of_milestone["subscribed"]], [&issue["id"], &Value::Null]);
    let absent = json!({ "message": "404 Not found" });
    ask(&world, "GET", "/milestones/99999999/issues").by(&person).refused(404, absent);
}

#[test]
fn a_list_of_a_project_is_read_by_keyset() {
    let world = World::new(spec(), Visibility::Private);
    for title in ["a", "b", "c"] {
        made(&world, &world.ann, json!({ "title": title }));
    }
    let page = ask(&world, "GET", "/issues?pagination=keyset&per_page=2").by(&world.ann).gives(200);
    assert_eq!(
        (json!(page.each("title")), page.header("X-Total"), page.header("X-Page")),
        (json!(["c", "b"]), None, None)
    );
    let link = page.header("Link").unwrap();
    assert!(link.ends_with("rel=\"next\"") && !link.contains("rel=\"first\""), "{link}");
    let target = link.split('>').next().unwrap().split("/api/v4").nth(1).unwrap();
    let last = spec().ask_v4("GET", target).by(&world.ann).gives(200);
    assert_eq!((json!(last.each("title")), last.header("Link")), (json!(["a"]), None));
}

#[test]
fn a_search_is_for_the_beginnings_of_latin_words_and_for_parts_of_others() {
    let world = World::new(spec(), Visibility::Public);
    let long = "программирование";
    for title in ["Fix the Login page", "Übermut", "日本語の問題", long, "a-relogin_b2"] {
        made(&world, &world.ann, json!({ "title": title }));
    }
    let listed = |text: &str| found(&world, &world.ann, &urlencoded(&[("search", text)]));
    assert_eq!(listed("LOG page"), ["Fix the Login page"]);
    assert_eq!(listed("ogin"), Vec::<Value>::new());
    assert_eq!(listed("b2"), ["a-relogin_b2"]);
    assert_eq!(listed("über"), ["Übermut"]);
    assert_eq!(listed("bermut"), Vec::<Value>::new());
    assert_eq!(listed("本語"), ["日本語の問題"]);
    assert_eq!(listed("ПРОГРАММ"), [long]);
    assert_eq!(listed("Программирование"), [long]);
    assert_eq!(listed("Программисты"), Vec::<Value>::new());
    assert_eq!(listed(&"a".repeat(255)), Vec::<Value>::new());
    assert_eq!(listed("*"), Vec::<Value>::new());
    // the beginning of a description counts, and a very long one is passed over, so that many of them do not cost seconds
    for (title, before, behind) in [("fits", 3000, 16_000), ("far in", 5000, 0), ("too long", 0, 20_000)] {
        let description = format!("{} needle {}", "x".repeat(before), "x".repeat(behind));
        made(&world, &world.ann, json!({ "title": title, "description": description }));
    }
    assert_eq!(listed("needle"), ["fits"]);
}

#[test]
fn a_list_of_very_many_projects_is_refused_and_costs_what_a_thousand_do() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::own(templates::blobs()), Visibility::Public);
    let ann = world.ann.id;
    let fields = json!({ "name": "wide", "path": "wide", "visibility": "private" });
    let group = world.server.ask_v4("POST", "/groups".to_owned()).by(&world.ann).json(fields).gives(201).id();
    world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 5000)
        insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
        select 3000000 + n, {group}, {ann}, 'n' || n, 'n' || n, 'x/n' || n, 'x/n' || n, 'n', 0, 0, 0 from n"
    ));
    let told = json!({ "error": "these are the issues of more than 1000 projects: ask for those of one" });
    for path in ["issues?scope=all", "issues_statistics?scope=all"] {
        for path in [format!("/{path}"), format!("/groups/{group}/{path}")] {
            world.server.ask_v4("GET", path).by(&world.ann).refused(400, told.clone());
        }
    }
    world.server.ask_v4("GET", "/issues?scope=created_by_me".to_owned()).by(&world.ann).gives(200);
}

#[test]
fn a_page_with_whole_labels_ends_at_four_megabytes() {
    let world = World::new(spec(), Visibility::Public);
    let names: Vec<String> = (0..500).map(|number| format!("l{number}")).collect();
    for _ in 0..12 {
        world.issue(&world.ann, json!({ "title": "x", "labels": names.join(",") }));
    }
    // five characters of HTML each
    let long = "update labels set description = replace(hex(zeroblob(127)), '0', '&')";
    if !spec().tamper(&format!("{long} where project_id = (select project_id from issues order by id desc limit 1)")) {
        return;
    }
    for query in ["", "&order_by=updated_at&sort=asc", "&order_by=due_date"] {
        let mut seen = Vec::new();
        let mut next = Some(world.at(&format!("/issues?with_labels_details=true&per_page=100{query}")));
        while let Some(target) = next {
            let page = spec().ask_v4("GET", target).gives(200);
            assert!(page.text.len() < 4_500_000, "{}", page.text.len());
            seen.extend(page.each("iid"));
            next = page.next();
        }
        let distinct: std::collections::BTreeSet<String> = seen.iter().map(ToString::to_string).collect();
        assert_eq!((seen.len(), distinct.len()), (12, 12), "{query}");
    }
}
