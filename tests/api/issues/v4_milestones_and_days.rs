//! Milestones by title, lists by due date, and days that are read from times.

use crate::support::v4::{ask, at, made};
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

#[test]
fn a_milestone_is_named_by_its_title_too() {
    let world = World::new(spec(), Visibility::Private);
    let (first, second) = (world.milestone("1.0"), world.milestone("2.0"));
    let other = world.sibling(Visibility::Private);
    other.milestone("3.0");
    let post = |fields: Value| ask(&world, "POST", "/issues").by(&world.rae).json(fields);
    let unknown = json!({ "message": { "milestone_id": ["is invalid"] } });
    post(json!({ "title": "t", "milestone": "3.0" })).refused(400, unknown.clone());
    let both = json!({ "error": "milestone_id, milestone are mutually exclusive" });
    post(json!({ "title": "t", "milestone": "1.0", "milestone_id": first })).refused(400, both.clone());
    let issue = post(json!({ "title": "t", "milestone": "1.0" })).gives(201).json;
    assert_eq!(issue["milestone"]["id"], first);
    // a title that is a number is a title
    world.milestone("17");
    let named = post(json!({ "title": "t", "milestone": 17 })).gives(201).json;
    assert_eq!(named["milestone"]["title"], "17");
    let put = |fields: Value| at(&world, "PUT", &issue, "").by(&world.rae).json(fields);
    put(json!({ "milestone": "3.0" })).refused(400, unknown);
    put(json!({ "milestone": "1.0", "milestone_id": first })).refused(400, both);
    assert_eq!(put(json!({ "milestone": "2.0" })).gives(200).json["milestone"]["id"], second);
    assert_eq!(put(json!({ "title": "u" })).gives(200).json["milestone"]["id"], second);
    assert_eq!(put(json!({ "milestone": "" })).gives(200).json["milestone"], Value::Null);
    // a guest's milestone is ignored
    let plain = made(&world, &world.gus, json!({ "title": "t", "milestone": "1.0" }));
    assert_eq!(plain["milestone"], Value::Null);
}

#[test]
fn a_list_by_due_dates_has_those_without_one_last() {
    let world = World::new(spec(), Visibility::Private);
    let due = |title: &str, due: Value, milestone: Value| {
        made(&world, &world.rae, json!({ "title": title, "due_date": due, "milestone": milestone }));
    };
    for (title, day) in [("m1", "2031-01-01"), ("m2", "2030-01-01")] {
        let milestone = json!({ "title": title, "due_date": day });
        ask(&world, "POST", "/milestones").by(&world.rae).json(milestone).gives(201);
    }
    due("a", json!("2030-06-01"), Value::Null);
    due("b", Value::Null, json!("m1"));
    due("c", json!("2030-01-01"), json!("m2"));
    due("d", json!("2030-06-01"), json!("m2"));
    due("e", Value::Null, Value::Null);
    let list = |query: &str| ask(&world, "GET", &format!("/issues?{query}")).by(&world.rae).gives(200);
    for (query, titles) in [
        ("order_by=due_date&sort=asc", "cadbe"),
        ("order_by=due_date", "daceb"),
        ("order_by=milestone_due&sort=asc", "cdbae"),
        ("order_by=milestone_due&sort=desc", "bdcea"),
        ("order_by=due_date&sort=asc&milestone=m2", "cd"),
        ("order_by=due_date&sort=asc&per_page=2&page=2", "db"),
        ("order_by=due_date&sort=asc&pagination=keyset", "cadbe"),
        ("order_by=priority", "edcba"),
        ("order_by=due_date&iids=1,2,3", "cba"),
    ] {
        let found: String = list(query).each("title").iter().map(|title| title.as_str().unwrap().to_owned()).collect();
        assert_eq!(found, titles, "{query}");
    }
    let page = list("order_by=due_date&per_page=2");
    assert_eq!((page.header("X-Total"), page.header("X-Next-Page")), (Some("5"), Some("2")));
    assert_eq!(list("order_by=due_date&per_page=2&page=3").header("X-Next-Page"), Some(""));
    assert_eq!(list("order_by=due_date").header("X-Total"), Some("5"));
    for filter in ["closed_by_id=1", "not[author_id]=1", "author_id=1", "labels=a", "my_reaction_emoji=x"] {
        let path = format!("/issues?order_by=due_date&{filter}");
        ask(&world, "GET", &path).by(&world.ann).gives(200);
    }
}

#[test]
fn a_list_by_title_looks_at_no_case() {
    let world = World::new(spec(), Visibility::Private);
    for title in ["beta", "Alpha", "alpha", "Gamma"] {
        made(&world, &world.rae, json!({ "title": title, "labels": title }));
    }
    let list = |query: &str| ask(&world, "GET", &format!("/issues?{query}")).by(&world.rae).gives(200);
    for (query, titles) in [
        ("order_by=title&sort=asc", json!(["Alpha", "alpha", "beta", "Gamma"])),
        ("order_by=title", json!(["Gamma", "beta", "alpha", "Alpha"])),
        ("order_by=title&labels=alpha", json!(["alpha"])),
        ("order_by=title&sort=asc&per_page=2&page=2", json!(["beta", "Gamma"])),
        // as with the orders by days
        ("order_by=title&iids=1,2", json!(["Alpha", "beta"])),
    ] {
        assert_eq!(json!(list(query).each("title")), titles, "{query}");
    }
    let first = list("order_by=title&sort=asc&per_page=2");
    assert_eq!((first.header("X-Total"), first.header("X-Next-Page")), (Some("4"), Some("2")));
    let next = spec().ask_v4("GET", first.next().unwrap()).by(&world.rae).gives(200);
    assert_eq!(json!(next.each("title")), json!(["beta", "Gamma"]));
    let keyset = list("order_by=title&sort=asc&pagination=keyset&per_page=3");
    assert_eq!(json!(keyset.each("title")), json!(["Alpha", "alpha", "beta"]));
}

#[test]
fn a_list_of_several_projects_has_the_orders_of_a_list_of_one() {
    let (zoe, group) = (spec().person("Zoe"), World::group_of_its_own(spec()));
    let [first, second] = [(); 2].map(|()| World::within(spec(), group, Visibility::Private));
    first.admit(&zoe, 20);
    second.admit(&zoe, 20);
    for (at, title, day) in [(&first, "b", "2030-01-01"), (&second, "a", "2030-01-03"), (&first, "c", "2030-01-02")] {
        made(at, &zoe, json!({ "title": title, "due_date": day }));
    }
    made(&second, &zoe, json!({ "title": "d" }));
    for path in [format!("/groups/{group}/issues?"), "/issues?".to_owned()] {
        let list = |query: &str| spec().ask_v4("GET", format!("{path}{query}")).by(&zoe).gives(200);
        for (query, titles) in [
            ("order_by=title&sort=asc", json!(["a", "b", "c", "d"])),
            ("order_by=title", json!(["d", "c", "b", "a"])),
            ("order_by=due_date&sort=asc", json!(["b", "c", "a", "d"])),
            ("order_by=due_date&sort=asc&per_page=2&page=2", json!(["a", "d"])),
            ("order_by=title&sort=asc&due_date=0", json!(["d"])),
        ] {
            assert_eq!(json!(list(query).each("title")), titles, "{path}{query}");
        }
        let first = list("order_by=title&sort=asc&per_page=3");
        let next = spec().ask_v4("GET", first.next().unwrap()).by(&zoe).gives(200);
        assert_eq!(json!(next.each("title")), json!(["d"]));
    }
}

#[test]
fn of_a_time_the_day_counts_where_a_day_is_asked_for() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.rae, json!({ "title": "t", "due_date": "2030-01-02T23:59:59-05:00" }));
    assert_eq!(issue["due_date"], "2030-01-02");
    let odd =
        ask(&world, "POST", "/issues").by(&world.rae).json(json!({ "title": "t", "due_date": "2030-13-02T00:00" }));
    odd.refused(400, json!({ "message": { "due_date": ["is invalid"] } }));
    let fields = json!({ "title": "m", "due_date": "2030-01-02T00:00:00.000Z", "start_date": "2029-01-02 10:00" });
    let milestone = ask(&world, "POST", "/milestones").by(&world.rae).json(fields).gives(201);
    assert_eq!([&milestone.json["due_date"], &milestone.json["start_date"]], ["2030-01-02", "2029-01-02"]);
    let path = format!("/milestones/{}", milestone.id());
    let edit = ask(&world, "PUT", &path).by(&world.rae).json(json!({ "due_date": "2031-01-02T00:00:00Z" }));
    assert_eq!(edit.gives(200).json["due_date"], "2031-01-02");
}
