//! Milestones of v4.

use crate::support::v4::{ask, at, made, names};
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn milestone(world: &World, fields: Value) -> Value {
    ask(world, "POST", "/milestones").by(&world.rae).json(fields).gives(201).json
}

fn listed(world: &World, query: &str) -> Value {
    let list = ask(world, "GET", &format!("/milestones{query}")).by(&world.gus).gives(200);
    assert_eq!(list.header("X-Total"), Some(list.each("iid").len().to_string().as_str()), "{query}");
    json!(list.each("title"))
}

#[test]
fn a_milestone_that_is_absent_is_told_and_others_are_open() {
    let world = World::new(spec(), Visibility::Public);
    let one = milestone(&world, json!({ "title": "1.0" }));
    let path = format!("/milestones/{}", one["id"]);
    for path in ["/milestones", &path] {
        ask(&world, "GET", path).gives(200);
    }
    let absent = json!({ "message": "404 Not found" });
    for verb in ["GET", "PUT", "DELETE"] {
        let body = json!({ "title": "x" });
        ask(&world, verb, "/milestones/99999999").by(&world.rae).json(body.clone()).refused(404, absent.clone());
        let bad = json!({ "error": "milestone_id is invalid" });
        ask(&world, verb, "/milestones/x").by(&world.rae).json(body).refused(400, bad);
    }
}

#[test]
fn what_a_milestone_lacks_is_told() {
    let world = World::new(spec(), Visibility::Private);
    let one = milestone(&world, json!({ "title": "1.0", "start_date": "2030-02-01" }));
    let path = format!("/milestones/{}", one["id"]);
    let refused = |verb: &str, path: &str, body: Value, told: Value| {
        ask(&world, verb, path).by(&world.rae).json(body).refused(400, told)
    };
    refused("POST", "/milestones", json!({}), json!({ "error": "title is missing" }));
    refused(
        "PUT",
        &path,
        json!({}),
        json!({ "error": "title, description, start_date, due_date, state_event are missing, at least one parameter must be provided" }),
    );
    let blank = json!({ "message": { "title": ["can't be blank"] } });
    refused("PUT", &path, json!({ "title": "" }), blank.clone());
    refused("POST", "/milestones", json!({ "title": "" }), blank);
    let order = json!({ "message": { "due_date": ["must be greater than start date"] } });
    refused("PUT", &path, json!({ "due_date": "2030-01-31" }), order.clone());
    let both = json!({ "title": "2.0", "start_date": "2030-01-02", "due_date": "2030-01-01" });
    refused("POST", "/milestones", both, order);
    let taken = json!({ "message": { "title": ["has already been taken"] } });
    refused("POST", "/milestones", json!({ "title": "1.0" }), taken);
    let bad = json!({ "message": { "start_date": ["is invalid"] } });
    refused("POST", "/milestones", json!({ "title": "3.0", "start_date": "soon" }), bad);
}

#[test]
fn a_milestone_has_dates_and_an_address() {
    let world = World::new(spec(), Visibility::Private);
    let fields = json!({ "title": "1.0", "start_date": "2019-12-01", "due_date": "2020-01-01" });
    let one = milestone(&world, fields);
    assert_eq!(
        names(&one),
        "created_at description due_date expired id iid project_id start_date state title updated_at web_url"
    );
    assert_eq!(
        [&one["start_date"], &one["due_date"], &one["expired"]],
        [&json!("2019-12-01"), &json!("2020-01-01"), &json!(true)]
    );
    let web = one["web_url"].as_str().unwrap();
    assert!(web.ends_with(&format!("/{}/-/milestones/1", world.project.path)), "{web}");
    let path = format!("/milestones/{}", one["id"]);
    assert_eq!(ask(&world, "GET", &path).by(&world.gus).gives(200).json, one);
    let put = |body: Value| ask(&world, "PUT", &path).by(&world.rae).json(body).gives(200).json;
    let cleared = put(json!({ "start_date": "", "due_date": null }));
    assert_eq!([&cleared["start_date"], &cleared["expired"]], [&Value::Null, &json!(false)]);
    assert_eq!(put(json!({ "state_event": "close" }))["state"], "closed");
    assert_eq!(put(json!({ "state_event": "activate" }))["state"], "active");
    let nothing = ask(&world, "GET", &format!("{path}/merge_requests")).by(&world.gus).gives(200);
    assert_eq!(nothing.json, json!([]));
}

#[test]
fn milestones_are_listed_newest_first() {
    let world = World::new(spec(), Visibility::Private);
    for title in ["a", "b", "Cab"] {
        milestone(&world, json!({ "title": title }));
    }
    let last = ask(&world, "GET", "/milestones?iids[]=3").by(&world.rae).gives(200).json[0]["id"].clone();
    ask(&world, "PUT", &format!("/milestones/{last}"))
        .by(&world.rae)
        .json(json!({ "state_event": "close" }))
        .gives(200);
    assert_eq!(listed(&world, ""), json!(["Cab", "b", "a"]));
    assert_eq!(listed(&world, "?iids=1,3"), json!(["Cab", "a"]));
    assert_eq!(listed(&world, "?state=active"), json!(["b", "a"]));
    assert_eq!(listed(&world, "?title=a"), json!(["a"]));
    assert_eq!(listed(&world, "?search=A"), json!(["Cab", "a"]));
    assert_eq!(listed(&world, "?updated_before=2020-01-01"), json!([]));
    assert_eq!(listed(&world, "?updated_after=2020-01-01"), json!(["Cab", "b", "a"]));
    let page = ask(&world, "GET", "/milestones?per_page=2&page=2").by(&world.gus).gives(200);
    assert_eq!((page.each("title"), page.header("X-Total")), (vec![json!("a")], Some("3")));
    let refused = json!({ "error": "state does not have a valid value" });
    ask(&world, "GET", "/milestones?state=x").by(&world.rae).refused(400, refused);
    let refused = json!({ "error": "updated_after is invalid" });
    ask(&world, "GET", "/milestones?updated_after=x").by(&world.rae).refused(400, refused);
}

#[test]
fn the_issues_of_a_deleted_milestone_lose_it_and_its_number_is_not_given_again() {
    let world = World::new(spec(), Visibility::Private);
    let [one, two] = ["1.0", "2.0"].map(|title| milestone(&world, json!({ "title": title })));
    let issue = made(&world, &world.rae, json!({ "title": "t", "milestone_id": two["id"] }));
    assert_eq!(issue["milestone"]["title"], "2.0");
    let path = format!("/milestones/{}", two["id"]);
    ask(&world, "DELETE", &path).by(&world.rae).json(json!({})).gives(204);
    let absent = json!({ "message": "404 Not found" });
    ask(&world, "DELETE", &path).by(&world.rae).refused(404, absent.clone());
    ask(&world, "GET", &path).by(&world.rae).refused(404, absent.clone());
    world.get(&path).by(&world.rae).refused(404, absent);
    assert_eq!(at(&world, "GET", &issue, "").by(&world.rae).gives(200).json["milestone"], Value::Null);
    assert_eq!(world.titles(&world.rae, "milestone=2.0").1, Vec::<String>::new());
    let refused = json!({ "message": { "milestone_id": ["is invalid"] } });
    at(&world, "PUT", &issue, "").by(&world.rae).json(json!({ "milestone_id": two["id"] })).refused(400, refused);
    let three = milestone(&world, json!({ "title": "2.0" }));
    assert_eq!(three["iid"], 3);
    assert_eq!(listed(&world, ""), json!(["2.0", "1.0"]));
    // v3 counts them without looking
    for query in ["", "?state=active"] {
        let list = world.get(&format!("/milestones{query}")).by(&world.gus).gives(200);
        assert_eq!(
            (list.each("id"), list.header("X-Total")),
            (vec![one["id"].clone(), three["id"].clone()], Some("2"))
        );
    }
    ask(&world, "DELETE", &format!("/milestones/{}", one["id"])).by(&world.rae).gives(204);
    assert_eq!(listed(&world, ""), json!(["2.0"]));
    assert_eq!(world.get("/milestones").by(&world.gus).gives(200).header("X-Total"), Some("1"));
}
