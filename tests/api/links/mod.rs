//! Links between issues (behaviour 13.2).

use crate::support::v4::{at, has_keys, made};
use crate::support::{Ask, Person, Visibility, World, spec};
use serde_json::{Value, json};

fn to(world: &World, target: &Value) -> Value {
    json!({ "target_project_id": world.project.id, "target_issue_iid": target["iid"] })
}

fn linking(world: &World, issue: &Value, person: &Person, target: Value) -> Ask {
    at(world, "POST", issue, "/links").by(person).json(target)
}

fn kinds(world: &World, issue: &Value, person: &Person) -> Value {
    let list = at(world, "GET", issue, "/links").by(person).gives(200).json;
    let one = |row: &Value| json!([row["title"], row["link_type"]]);
    json!(list.as_array().unwrap().iter().map(one).collect::<Vec<Value>>())
}

fn blocking(world: &World, issue: &Value, person: &Person) -> Value {
    let one = at(world, "GET", issue, "").by(person).gives(200).json["blocking_issues_count"].clone();
    let list = world.v4("GET", &format!("/issues?iids[]={}", issue["iid"])).by(person).gives(200).json;
    assert_eq!(list[0]["blocking_issues_count"], one);
    one
}

fn bodies(world: &World, issue: &Value, person: &Person) -> Vec<Value> {
    at(world, "GET", issue, "/notes?sort=asc").by(person).gives(200).each("body")
}

const NO_MATCH: &str = "No matching issue found. Make sure that you are adding a valid issue URL.";
const FORBIDDEN: &str =
    "403 Forbidden - Couldn't link issue. You must have at least the Reporter role in both projects.";

#[test]
fn who_may_not_edit_both_issues_does_not_link_them() {
    let world = World::new(spec(), Visibility::Public);
    let other = World::new(spec(), Visibility::Public);
    let secret = World::new(spec(), Visibility::Private);
    let [a, b] = ["a", "b"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    let foreign = made(&other, &other.ann, json!({ "title": "foreign" }));
    let unseen = made(&secret, &secret.ann, json!({ "title": "unseen" }));
    let hidden = made(&world, &world.ann, json!({ "title": "hidden", "confidential": true }));
    let message = |text: &str| json!({ "message": text });
    linking(&world, &hidden, &world.gus, to(&world, &a)).refused(404, message("404 Not found"));
    let missing = json!({ "error": "target_project_id is missing, target_issue_iid is missing" });
    linking(&world, &a, &world.rae, json!({})).refused(400, missing);
    linking(&world, &a, &world.rae, to(&world, &a)).refused(404, message(NO_MATCH));
    linking(&world, &a, &world.eve, to(&secret, &unseen)).refused(404, message(NO_MATCH));
    linking(&world, &a, &world.gus, to(&world, &hidden)).refused(404, message(NO_MATCH));
    let nowhere = json!({ "target_project_id": "no/where", "target_issue_iid": 1 });
    linking(&world, &a, &world.ann, nowhere).refused(404, message(NO_MATCH));
    linking(&world, &a, &world.gus, to(&world, &b)).refused(403, message(FORBIDDEN));
    // an outsider of the other project
    let own = made(&world, &world.eve, json!({ "title": "own" }));
    linking(&world, &own, &world.eve, to(&other, &foreign)).refused(403, message(FORBIDDEN));
    let odd = json!({ "target_project_id": world.project.id, "target_issue_iid": b["iid"], "link_type": "odd" });
    linking(&world, &a, &world.rae, odd).refused(400, json!({ "error": "link_type does not have a valid value" }));
    assert_eq!(kinds(&world, &a, &world.ann), json!([]));
    assert_eq!(bodies(&world, &a, &world.ann), [""; 0]);
}

#[test]
fn linked_issues_are_seen_from_both_sides() {
    let world = World::new(spec(), Visibility::Private);
    let [a, b, c] = ["a", "b", "c"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    let link = linking(&world, &a, &world.rae, to(&world, &b)).gives(201).json;
    has_keys(&link, &["id source_issue target_issue link_type"]);
    assert_eq!([&link["source_issue"]["id"], &link["target_issue"]["id"]], [&a["id"], &b["id"]]);
    let by_path =
        json!({ "target_project_id": world.project.path, "target_issue_iid": c["iid"], "link_type": "blocks" });
    linking(&world, &a, &world.rae, by_path).gives(201);
    assert_eq!(kinds(&world, &a, &world.gus), json!([["b", "relates_to"], ["c", "blocks"]]));
    assert_eq!(kinds(&world, &b, &world.gus), json!([["a", "relates_to"]]));
    assert_eq!(kinds(&world, &c, &world.gus), json!([["a", "is_blocked_by"]]));
    let mut blocked = to(&world, &c);
    blocked["link_type"] = json!("is_blocked_by");
    let link = linking(&world, &b, &world.rae, blocked).gives(201).json;
    assert_eq!((&link["link_type"], &link["source_issue"]["id"]), (&json!("is_blocked_by"), &b["id"]));
    assert_eq!(kinds(&world, &c, &world.gus), json!([["a", "is_blocked_by"], ["b", "blocks"]]));
    let list = at(&world, "GET", &a, "/links").by(&world.gus).gives(200);
    let first = &list.json[0];
    let shown = at(&world, "GET", &b, "").by(&world.gus).gives(200).json;
    let mut expected: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    expected.retain(|name| *name != "subscribed");
    expected.extend(["issue_link_id", "link_type", "link_created_at", "link_updated_at"]);
    has_keys(first, &expected);
    let page = at(&world, "GET", &a, "/links?per_page=1").by(&world.gus).gives(200);
    assert_eq!(page.json, json!([first]));
    assert_eq!(spec().ask_v4("GET", page.next().unwrap()).by(&world.gus).gives(200).json, json!([list.json[1]]));
}

#[test]
fn two_issues_are_linked_once_either_way_round() {
    let world = World::new(spec(), Visibility::Private);
    let [a, b] = ["a", "b"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    linking(&world, &a, &world.rae, to(&world, &b)).gives(201);
    for (one, other) in [(&a, &b), (&b, &a)] {
        let taken = json!({ "message": "Issue(s) already assigned" });
        linking(&world, one, &world.rae, to(&world, other)).refused(409, taken);
    }
    let [c, d] = ["c", "d"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    let send = |(one, other): (&Value, &Value)| linking(&world, one, &world.rae, to(&world, other)).send().status;
    let send = &send;
    std::thread::scope(|scope| {
        let pairs = (0..4).flat_map(|_| [(&c, &d), (&d, &c)]);
        let tries: Vec<_> = pairs.map(|pair| scope.spawn(move || send(pair))).collect();
        let mut statuses: Vec<u16> = tries.into_iter().map(|each| each.join().unwrap()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    });
}

#[test]
fn a_link_is_shown_and_removed_from_either_side_by_who_may_edit_both() {
    let world = World::new(spec(), Visibility::Private);
    let [a, b, c] = ["a", "b", "c"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    let link = linking(&world, &a, &world.rae, to(&world, &b)).gives(201).json;
    let path = format!("/links/{}", link["id"]);
    assert_eq!(at(&world, "GET", &a, &path).by(&world.gus).gives(200).json["target_issue"]["title"], "b");
    let back = at(&world, "GET", &b, &path).by(&world.gus).gives(200).json;
    assert_eq!([&back["source_issue"]["title"], &back["target_issue"]["title"]], ["b", "a"]);
    for verb in ["GET", "DELETE"] {
        at(&world, verb, &c, &path).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    }
    at(&world, "DELETE", &a, &path).by(&world.gus).refused(403, json!({ "message": "403 Forbidden" }));
    let gone = at(&world, "DELETE", &b, &path).by(&world.rae).gives(200).json;
    assert_eq!(gone["id"], link["id"]);
    at(&world, "DELETE", &b, &path).by(&world.rae).refused(404, json!({ "message": "404 Not found" }));
    let texts = |number: &Value| {
        ["marked this issue as related to", "removed the relation with"].map(|text| json!(format!("{text} #{number}")))
    };
    assert_eq!(bodies(&world, &a, &world.gus), texts(&b["iid"]));
    assert_eq!(bodies(&world, &b, &world.gus), texts(&a["iid"]));
}

#[test]
fn a_link_with_an_issue_that_the_caller_does_not_see_is_none_for_them() {
    let world = World::new(spec(), Visibility::Public);
    let project = spec().project(&world.ann, world.ann.id, Visibility::Private);
    let other = World { project, ..world.sibling(Visibility::Private) };
    let a = made(&world, &world.ann, json!({ "title": "a" }));
    let hidden = made(&world, &world.ann, json!({ "title": "hidden", "confidential": true }));
    let foreign = made(&other, &world.ann, json!({ "title": "foreign" }));
    for (at_home, target) in [(&world, &hidden), (&other, &foreign)] {
        let mut fields = to(at_home, target);
        fields["link_type"] = json!("blocks");
        linking(&world, &a, &world.ann, fields).gives(201);
    }
    assert_eq!(kinds(&world, &a, &world.ann), json!([["hidden", "blocks"], ["foreign", "blocks"]]));
    let blocks = "marked this issue as blocking";
    let path = other.project.path.as_str();
    let told = [format!("{blocks} #{}", hidden["iid"]), format!("{blocks} {path}#{}", foreign["iid"])];
    assert_eq!(bodies(&world, &a, &world.ann), told);
    let list = at(&world, "GET", &a, "/links").by(&world.ann).gives(200).json;
    let unseen = format!("{blocks} another issue");
    for person in [&world.gus, &world.eve] {
        assert_eq!(kinds(&world, &a, person), json!([]));
        assert_eq!(bodies(&world, &a, person), [unseen.as_str(); 2]);
        assert_eq!(blocking(&world, &a, person), 0);
        for row in list.as_array().unwrap() {
            let path = format!("/links/{}", row["issue_link_id"]);
            at(&world, "GET", &a, &path).by(person).refused(404, json!({ "message": "404 Not found" }));
        }
    }
    assert_eq!(blocking(&world, &a, &world.rae), 1);
    assert_eq!(blocking(&world, &a, &world.ann), 2);
    assert_eq!(world.v4("GET", &format!("/issues/{}", a["iid"])).gives(200).json["blocking_issues_count"], 0);
    // once it may be seen, visitors get its number as well
    at(&world, "PUT", &hidden, "").by(&world.ann).json(json!({ "confidential": false })).gives(200);
    assert_eq!(bodies(&world, &a, &world.eve), [told[0].as_str(), unseen.as_str()]);
    assert_eq!(world.v4("GET", &format!("/issues/{}", a["iid"])).gives(200).json["blocking_issues_count"], 1);
}

#[test]
fn an_issue_counts_the_open_issues_that_it_blocks() {
    let world = World::new(spec(), Visibility::Private);
    let [a, b, c] = ["a", "b", "c"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    for target in [&b, &c] {
        let mut fields = to(&world, target);
        fields["link_type"] = json!("blocks");
        linking(&world, &a, &world.rae, fields).gives(201);
    }
    assert_eq!(blocking(&world, &a, &world.gus), 2);
    assert_eq!(blocking(&world, &b, &world.gus), 0);
    at(&world, "PUT", &b, "").by(&world.ann).json(json!({ "state_event": "close" })).gives(200);
    assert_eq!(blocking(&world, &a, &world.gus), 1);
    at(&world, "DELETE", &c, "").by(&world.ann).gives(204);
    assert_eq!(blocking(&world, &a, &world.gus), 0);
    assert_eq!(kinds(&world, &a, &world.gus), json!([["b", "blocks"]]));
}

#[test]
fn an_issue_has_1000_links_at_most_and_blocks_50() {
    let world = World::new(spec(), Visibility::Private);
    if !spec().is_in_process() {
        return;
    }
    let [a, b, c] = ["a", "b", "c"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    let fill = |kind: &str, from: i64, to: i64| {
        spec().tamper(&format!(
            "with recursive n(n) as (select {from} union all select n + 1 from n where n < {to})
            insert into issues (project_id, iid, author_id, title, created_at, updated_at)
            select {0}, (select last_iid from issue_counts where project_id = {0}) + n - {from} + 1, {1}, 't', 0, 0 from n;
            insert into issue_links (source_id, target_id, link_type, created_at, project_id)
            select {2}, id, '{kind}', 0, {0} from issues where project_id = {0} and title = 't';
            update issues set title = 'u' where project_id = {0} and title = 't'",
            world.project.id, world.ann.id, a["id"]
        ));
    };
    let full = json!({ "message": "400 Bad request - An issue has at most 1000 links and blocks at most 50 issues" });
    fill("blocks", 1, 50);
    let mut blocks = to(&world, &b);
    blocks["link_type"] = json!("blocks");
    linking(&world, &a, &world.ann, blocks).refused(400, full.clone());
    fill("relates_to", 1, 949);
    linking(&world, &a, &world.ann, to(&world, &b)).gives(201);
    linking(&world, &a, &world.ann, to(&world, &c)).refused(400, full.clone());
    linking(&world, &c, &world.ann, to(&world, &a)).refused(400, full);
    let all = at(&world, "GET", &a, "/links").by(&world.ann).gives(200);
    assert_eq!((all.json.as_array().unwrap().len(), all.next()), (1000, None));
}
