//! GET /projects/:id/issues

use super::{Scene, milestone};
use crate::support::{Answer, Person, Visibility, World, spec, unique};
use serde_json::{Value, json};

#[test]
fn a_filter_that_is_none_of_the_known_is_refused() {
    let scene = Scene::new(spec());
    for (query, text) in [
        ("state=bogus", "state does not have a valid value (opened, closed, all)"),
        ("state=OPENED", "state does not have a valid value (opened, closed, all)"),
        ("order_by=title", "order_by does not have a valid value (created_at, updated_at)"),
        ("sort=sideways", "sort does not have a valid value (asc, desc)"),
        ("iid=abc", "iid is invalid"),
        ("iid[]=1&iid[]=x", "iid is invalid"),
        ("page=x", "page is invalid"),
    ] {
        let get = scene.get(&format!("/issues?{query}")).by(&scene.eve);
        get.refused(400, json!({ "error": text }));
    }
}

#[test]
fn a_list_shows_the_confidential_issues_that_concern_the_caller() {
    let scene = Scene::new(spec());
    let Scene { closed, hidden, own, open, ref dan, .. } = scene;
    for (person, shown) in [
        (&scene.gus, vec![open, closed]),
        (&scene.eve, vec![open, own, closed]),
        (dan, vec![open, hidden, closed]),
        (&scene.rae, vec![open, own, hidden, closed]),
        (&scene.bob, vec![open, own, hidden, closed]),
        (&scene.ann, vec![open, own, hidden, closed]),
        (&scene.root, vec![open, own, hidden, closed]),
    ] {
        assert_eq!(scene.list(person, ""), shown, "{}", person.name);
        let reverse: Vec<i64> = shown.iter().copied().rev().collect();
        assert_eq!(scene.list(person, "sort=asc"), reverse, "{}", person.name);
        // every filter on the way keeps what is hidden hidden
        let opened: Vec<i64> = shown.iter().copied().filter(|id| *id != closed).collect();
        assert_eq!(scene.list(person, "state=opened"), opened, "{}", person.name);
        assert_eq!(scene.list(person, "labels=No%20Label").len(), shown.len() - 1, "{}", person.name);
        assert_eq!(scene.list(person, "milestone=No%20Milestone").len(), shown.len() - 2, "{}", person.name);
        assert_eq!(scene.list(person, "iid[]=1&iid[]=2&iid[]=3&iid[]=4").len(), shown.len());
        assert_eq!(scene.list(person, "order_by=updated_at").len(), shown.len());
    }
}

#[test]
fn a_hidden_issue_is_hidden_under_its_label_and_milestone_too() {
    let world = World::new(spec(), Visibility::Public);
    let milestone = milestone(&world, "1.0.0");
    let fields = |title: &str, assignee: Option<&Person>| {
        json!({ "title": title, "confidential": title != "seen", "labels": "a, b", "milestone_id": milestone,
            "assignee_id": assignee.map(|person| person.id) })
    };
    world.issue(&world.ann, fields("seen", None));
    world.issue(&world.ann, fields("hidden", None));
    world.issue(&world.ann, fields("for eve", Some(&world.eve)));
    for query in [
        "labels=a",
        "labels=a,b",
        "labels=b&order_by=updated_at",
        "milestone=1.0.0",
        "milestone=1.0.0&order_by=updated_at",
        "milestone=1.0.0&labels=a",
        "state=opened&labels=a",
        "state=opened&milestone=1.0.0",
    ] {
        let titles = |person: &Person| {
            let answer = world.get(&format!("/issues?{query}")).by(person).gives(200);
            let titles = answer.each("title");
            assert_eq!(answer.header("X-Total"), Some(titles.len().to_string().as_str()), "{}", answer.what);
            titles
        };
        assert_eq!(titles(&world.gus), ["seen"], "{query}");
        assert_eq!(titles(&world.eve), ["for eve", "seen"], "{query}");
        assert_eq!(titles(&world.rae), ["for eve", "hidden", "seen"], "{query}");
    }
}

#[test]
fn the_state_filter_knows_opened_closed_and_all() {
    let scene = Scene::new(spec());
    let list = |query: &str| scene.list(&scene.gus, query);
    assert_eq!(list("state=opened"), [scene.open]);
    assert_eq!(list("state=closed"), [scene.closed]);
    for all in ["state=all", "state=", ""] {
        assert_eq!(list(all), [scene.open, scene.closed], "{all}");
    }
    let closed = scene.get("/issues?state=closed").by(&scene.gus).gives(200);
    assert_eq!(closed.each("state"), ["closed"]);
}

#[test]
fn a_label_filter_takes_issues_with_any_of_the_names() {
    let scene = Scene::new(spec());
    let other = scene.issue(&scene.ann, json!({ "title": "other", "labels": "a b, c&d" }))["id"].clone();
    let open = json!(scene.open);
    for (query, shown) in [
        ("labels=label", vec![&open]),
        ("labels=label,foo,bar", vec![&open]),
        ("labels=foo,bar", vec![]),
        ("labels=LABEL", vec![]),
        ("labels=foo,%20label", vec![&open]),
        ("labels=a+b", vec![&other]),
        ("labels=a%20b,label", vec![&other, &open]),
        ("labels=c%26d,a%20b", vec![&other]),
        ("labels[]=label&labels[]=c%26d", vec![&other, &open]),
        ("labels=label&state=opened", vec![&open]),
        ("labels=label&state=closed", vec![]),
        ("labels=label&order_by=updated_at", vec![&open]),
        ("labels=&labels=foo,label", vec![&open]),
    ] {
        let found = scene.list(&scene.gus, query);
        assert_eq!(found.iter().collect::<Vec<_>>(), shown, "{query}");
    }
}

#[test]
fn a_milestone_filter_takes_the_exact_title() {
    let scene = Scene::new(spec());
    let hidden = [scene.own, scene.hidden];
    for (query, shown) in [
        ("milestone=1.0.0", vec![scene.open, scene.closed]),
        ("milestone=1.0.0&state=closed", vec![scene.closed]),
        ("milestone=1.0.0&state=opened", vec![scene.open]),
        ("milestone=1.0.0&labels=label", vec![scene.open]),
        ("milestone=1.0.0&labels=foo", vec![]),
        ("milestone=1.0.0&order_by=updated_at&sort=asc", vec![scene.closed, scene.open]),
        ("milestone=2.0.0", vec![]),
        ("milestone=foo", vec![]),
        ("milestone=No%20Milestone", hidden.to_vec()),
        ("milestone=No%20Milestone&state=closed", vec![]),
    ] {
        assert_eq!(scene.list(&scene.rae, query), shown, "{query}");
    }
}

#[test]
fn a_filter_without_a_value_is_none_in_every_list() {
    let zoe = spec().person("Zoe");
    let path = unique("team");
    let group = spec().post("/groups").by(&zoe).json(json!({ "name": path, "path": path })).gives(201).id();
    let project = spec().project(&zoe, group, Visibility::Private);
    let at = format!("/projects/{}", project.id);
    for title in ["a", "b"] {
        let issue = json!({ "title": title, "labels": "x" });
        spec().post(format!("{at}/issues")).by(&zoe).json(issue).gives(200);
    }
    for list in [format!("{at}/issues"), "/issues".to_owned(), format!("/groups/{group}/issues")] {
        let total = |query: &str| {
            let list = spec().get(format!("{list}?per_page=1&{query}")).by(&zoe).gives(200);
            list.header("X-Total").map(str::to_owned)
        };
        let blanks = [
            "state=",
            "labels=",
            "labels=,",
            "labels[]=",
            "milestone=",
            "iid=",
            "iid[]=",
            "order_by=",
            "sort=",
            "labels=&milestone=&iid[]=&state=%20",
        ];
        for blank in blanks {
            assert_eq!(total(blank).as_deref(), Some("2"), "{list}?{blank}");
        }
    }
    spec().post(format!("{at}/milestones")).by(&zoe).json(json!({ "title": "m" })).gives(201);
    let milestones = spec().get(format!("{at}/milestones?iid[]=&state=")).by(&zoe).gives(200);
    assert_eq!(milestones.each("title"), ["m"]);
}

#[test]
fn an_iid_filter_takes_exactly_these_numbers() {
    let scene = Scene::new(spec());
    for (query, shown) in [
        ("iid=1", vec![scene.closed]),
        ("iid=99999", vec![]),
        ("iid=0", vec![]),
        ("iid[]=1&iid[]=4", vec![scene.open, scene.closed]),
        ("iid[]=4&iid[]=4", vec![scene.open]),
        ("iid=1,4&sort=asc", vec![scene.closed, scene.open]),
        ("iid=1&state=opened", vec![]),
        ("iid=4&labels=label&milestone=1.0.0", vec![scene.open]),
        // somebody else's
        ("iid=2", vec![]),
    ] {
        assert_eq!(scene.list(&scene.gus, query), shown, "{query}");
    }
}

#[test]
fn a_list_is_ordered_by_creation_or_change_either_way() {
    let world = World::new(spec(), Visibility::Private);
    let make = |title: &str, at: &str| world.issue(&world.ann, json!({ "title": title, "created_at": at }));
    make("second", "2016-01-02T00:00:00Z");
    make("first", "2016-01-01T00:00:00Z");
    make("third", "2016-01-03T00:00:00Z");
    let put = |iid: i64, at: &str| {
        let id = world.get(&format!("/issues?iid={iid}")).by(&world.ann).gives(200).each("id")[0].clone();
        world.put(&format!("/issues/{id}")).by(&world.ann).json(json!({ "title": iid.to_string(), "updated_at": at }))
    };
    // first, third, second
    for (iid, at) in [(1, "2017-01-03T00:00:00Z"), (2, "2017-01-01T00:00:00Z"), (3, "2017-01-02T00:00:00Z")] {
        put(iid, at).gives(200);
    }
    let iids = |query: &str| world.get(&format!("/issues?{query}")).by(&world.gus).gives(200).each("iid");
    assert_eq!(iids(""), [3, 1, 2]);
    assert_eq!(iids("order_by=created_at&sort=desc"), [3, 1, 2]);
    assert_eq!(iids("sort=asc"), [2, 1, 3]);
    assert_eq!(iids("order_by=updated_at"), [1, 3, 2]);
    assert_eq!(iids("order_by=updated_at&sort=asc"), [2, 3, 1]);
    assert_eq!(iids("order_by=&sort="), [3, 1, 2]);
}

#[test]
fn issues_of_the_same_instant_are_ordered_by_id() {
    let world = World::new(spec(), Visibility::Private);
    let ids: Vec<Value> = (0..6)
        .map(|number| {
            let fields = json!({ "title": "x", "created_at": "2016-01-01T00:00:00Z", "confidential": number % 2 == 0,
                "labels": "l" });
            world.issue(&world.ann, fields)["id"].clone()
        })
        .collect();
    let list = |query: &str| world.get(&format!("/issues?{query}")).by(&world.rae).gives(200);
    let newest_first: Vec<&Value> = ids.iter().rev().collect();
    for query in ["", "labels=l", "iid[]=1&iid[]=2&iid[]=3&iid[]=4&iid[]=5&iid[]=6"] {
        let answer: Answer = list(query);
        assert_eq!(answer.each("id").iter().collect::<Vec<_>>(), newest_first, "{query}");
    }
    assert_eq!(list("sort=asc&labels=l").each("id"), ids);
}
