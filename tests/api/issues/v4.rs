//! Single issues of v4.

use crate::support::v4::{ask, at, made, names};
use crate::support::{Answer, Visibility, World, spec, unique};
use serde_json::{Value, json};

/// The fields of every issue.
const FIELDS: &str = "_links assignee assignees author blocking_issues_count closed_at closed_by confidential created_at description discussion_locked downvotes due_date has_tasks id iid imported imported_from issue_type labels merge_requests_count milestone moved_to_id project_id references service_desk_reply_to severity start_date state task_completion_status time_stats title type updated_at upvotes user_notes_count web_url";

fn edited(world: &World, issue: &Value, fields: Value) -> Value {
    at(world, "PUT", issue, "").by(&world.rae).json(fields).gives(200).json
}

fn said(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn an_issue_is_shown_whole() {
    let world = World::new(spec(), Visibility::Private);
    let description = "- [ ] a\n- [x] b";
    let milestone = world.milestone("1.0");
    let issue = made(
        &world,
        &world.rae,
        json!({ "title": " Hello ", "description": description, "labels": ["b", "a"],
            "assignee_ids": [world.bob.id], "milestone_id": milestone, "due_date": "2030-01-02" }),
    );
    let iid = issue["iid"].as_i64().unwrap();
    assert_eq!(names(&issue), names(&json_with(FIELDS, &["subscribed", "task_status"])));
    assert_eq!(at(&world, "GET", &issue, "").by(&world.rae).gives(200).json, issue);
    assert_eq!(issue["title"], "Hello");
    assert_eq!(issue["labels"], json!(["a", "b"]));
    assert_eq!(issue["assignees"], json!([issue["assignee"]]));
    assert_eq!(issue["assignee"]["username"], world.bob.username);
    assert_eq!(names(&issue["author"]), "avatar_url id locked name public_email state username web_url");
    let web = issue["web_url"].as_str().unwrap();
    assert!(web.ends_with(&format!("/{}/-/issues/{iid}", world.project.path)), "{web}");
    assert_eq!(
        issue["references"],
        json!({ "short": format!("#{iid}"), "relative": format!("#{iid}"),
            "full": format!("{}#{iid}", world.project.path) })
    );
    assert_eq!(issue["task_completion_status"], json!({ "count": 2, "completed_count": 1 }));
    assert_eq!(
        [&issue["has_tasks"], &issue["task_status"]],
        [&json!(true), &json!("1 of 2 checklist items completed")]
    );
    assert_eq!(issue["time_stats"]["human_total_time_spent"], Value::Null);
    assert_eq!(
        names(&issue["milestone"]),
        "created_at description due_date expired id iid project_id start_date state title updated_at web_url"
    );
    let own = issue["_links"]["self"].as_str().unwrap();
    assert!(own.ends_with(&format!("/api/v4/projects/{}/issues/{iid}", world.project.id)), "{own}");
    let plain = made(&world, &world.gus, json!({ "title": "t" }));
    assert_eq!(names(&plain), names(&json_with(FIELDS, &["subscribed"])));
    assert_eq!(
        [&plain["assignees"], &plain["discussion_locked"], &plain["closed_at"]],
        [&json!([]), &Value::Null, &Value::Null]
    );
}

#[test]
fn an_issue_has_whole_labels_if_asked_and_a_header_with_the_role_of_the_caller() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t", "labels": "bug,ci" }));
    let show = |rest: &str| at(&world, "GET", &issue, rest);
    let whole = show("?with_labels_details=true").by(&world.rae).gives(200).json;
    assert_eq!(
        whole["labels"].as_array().unwrap().iter().map(|label| &label["name"]).collect::<Vec<_>>(),
        ["bug", "ci"]
    );
    assert!(whole["labels"][0]["color"].as_str().unwrap().starts_with('#'));
    assert_eq!(show("?with_labels_details=false").by(&world.rae).gives(200).json["labels"], json!(["bug", "ci"]));
    for (person, level) in [(&world.eve, "0"), (&world.gus, "10"), (&world.rae, "20"), (&world.ann, "50")] {
        assert_eq!(show("").by(person).gives(200).header("X-Access-Level"), Some(level), "{}", person.username);
    }
    let visitor = show("?with_labels_details=true").gives(200);
    assert_eq!(visitor.header("X-Access-Level"), Some("0"));
    assert_eq!(visitor.json["labels"][0]["color"], whole["labels"][0]["color"]);
    show("?with_labels_details=maybe")
        .by(&world.rae)
        .refused(400, json!({ "error": "with_labels_details is invalid" }));
}

/// An object with these members.
fn json_with(names: &str, more: &[&str]) -> Value {
    let all = names.split(' ').chain(more.iter().copied());
    Value::Object(all.map(|name| (name.to_owned(), Value::Null)).collect())
}

#[test]
fn an_issue_is_named_by_its_number_in_the_project_and_by_nothing_else() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let secret = made(&world, &world.ann, json!({ "title": "s", "confidential": true }));
    let absent = json!({ "message": "404 Not found" });
    let bad = json!({ "error": "issue_iid is invalid" });
    let rest = [("GET", ""), ("PUT", ""), ("POST", "/move"), ("POST", "/subscribe"), ("GET", "/participants")];
    for (verb, rest) in rest {
        let body = json!({ "title": "x", "to_project_id": world.project.id });
        at(&world, verb, &secret, rest).by(&world.eve).json(body.clone()).refused(404, absent.clone());
        let path = format!("/issues/9999{rest}");
        ask(&world, verb, &path).by(&world.ann).json(body.clone()).refused(404, absent.clone());
        let path = format!("/issues/x{rest}");
        ask(&world, verb, &path).by(&world.ann).json(body).refused(400, bad.clone());
    }
    at(&world, "DELETE", &secret, "").by(&world.eve).refused(404, said("404 Issue Not Found"));
    // its path, in any case of letters
    let path = world.project.path.to_uppercase().replace('/', "%2F");
    let found = spec().ask_v4("GET", format!("/projects/{path}/issues/{}", issue["iid"])).by(&world.ann);
    assert_eq!(found.gives(200).json["id"], issue["id"]);
}

#[test]
fn an_administrator_finds_an_issue_by_its_id() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let path = format!("/issues/{}", issue["id"]);
    spec().ask_v4("GET", &path).refused(401, said("401 Unauthorized"));
    spec().ask_v4("GET", &path).by(&world.ann).refused(403, said("403 Forbidden"));
    let found = spec().ask_v4("GET", &path).by(&world.root).gives(200).json;
    assert_eq!([&found["iid"], &found["references"]["relative"]], [&issue["iid"], &found["references"]["full"]]);
    spec().ask_v4("GET", "/issues/999999999").by(&world.root).refused(404, said("404 Not found"));
}

#[test]
fn anybody_reads_an_open_issue_of_a_public_project() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let secret = made(&world, &world.ann, json!({ "title": "s", "confidential": true }));
    for rest in ["", "/participants", "/time_stats", "/closed_by", "/related_merge_requests", "/award_emoji"] {
        at(&world, "GET", &issue, rest).gives(200);
        at(&world, "GET", &secret, rest).refused(404, said("404 Not found"));
    }
    for rest in ["/links", "/resource_label_events", "/resource_state_events"] {
        at(&world, "GET", &issue, rest).refused(401, said("401 Unauthorized"));
        assert_eq!(at(&world, "GET", &issue, rest).by(&world.eve).gives(200).json, json!([]));
        at(&world, "GET", &secret, rest).by(&world.eve).refused(404, said("404 Not found"));
    }
    at(&world, "PUT", &issue, "").json(json!({ "title": "x" })).refused(401, said("401 Unauthorized"));
    let hidden = World::new(spec(), Visibility::Internal);
    let issue = made(&hidden, &hidden.ann, json!({ "title": "t" }));
    at(&hidden, "GET", &issue, "").refused(404, said("404 Project Not Found"));
}

#[test]
fn what_cannot_be_made_is_told_by_the_names_of_parameters() {
    let world = World::new(spec(), Visibility::Private);
    let refused = |fields: Value, error: &str| {
        ask(&world, "POST", "/issues").by(&world.ann).json(fields).refused(400, json!({ "error": error }))
    };
    refused(json!({}), "title is missing");
    refused(json!({ "title": "t", "confidential": "maybe" }), "confidential is invalid");
    refused(json!({ "title": "t", "confidential": null }), "confidential is empty");
    refused(json!({ "title": "t", "issue_type": "task" }), "issue_type does not have a valid value");
    let told = |fields: Value, message: Value| {
        let refused = json!({ "message": message });
        ask(&world, "POST", "/issues").by(&world.ann).json(fields).refused(400, refused)
    };
    told(json!({ "title": " " }), json!({ "title": ["can't be blank"] }));
    refused(json!({ "title": " ", "confidential": "maybe" }), "confidential is invalid");
    told(json!({ "title": "x".repeat(256) }), json!({ "title": ["is too long (maximum is 255 characters)"] }));
    told(json!({ "title": "t", "assignee_ids": [world.eve.id] }), json!({ "assignee_ids": ["is invalid"] }));
    told(json!({ "title": "t", "iid": 0 }), json!({ "iid": ["is invalid"] }));
    ask(&world, "POST", "/issues").json(json!({})).refused(401, said("401 Unauthorized"));
    ask(&world, "POST", "/issues").by(&world.eve).json(json!({})).refused(404, said("404 Project Not Found"));
}

#[test]
fn labels_come_as_text_or_list_and_assignees_in_either_form() {
    let world = World::new(spec(), Visibility::Private);
    let labels = |fields: Value| made(&world, &world.rae, fields)["labels"].clone();
    assert_eq!(labels(json!({ "title": "t", "labels": "b, a" })), json!(["a", "b"]));
    assert_eq!(labels(json!({ "title": "t", "labels": ["b", ""], "add_labels": "c" })), json!(["b", "c"]));
    let form = [("title", "t"), ("labels[]", "b"), ("assignee_ids[]", &world.bob.id.to_string())];
    let issue = ask(&world, "POST", "/issues").by(&world.rae).form(&form).gives(201).json;
    assert_eq!([&issue["labels"][0], &issue["assignee"]["id"]], [&json!("b"), &json!(world.bob.id)]);
    for nobody in [json!([]), json!([0]), json!(""), json!("0")] {
        edited(&world, &issue, json!({ "assignee_id": world.bob.id }));
        assert_eq!(edited(&world, &issue, json!({ "assignee_ids": nobody }))["assignees"], json!([]), "{nobody}");
    }
    let both = json!({ "assignee_ids": [world.ann.id, world.bob.id], "assignee_id": world.bob.id });
    assert_eq!(edited(&world, &issue, both)["assignees"][0]["id"], world.ann.id);
}

#[test]
fn labels_are_replaced_put_on_and_taken_off() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.rae, json!({ "title": "t", "labels": "a,b" }));
    let labels = |fields: Value| edited(&world, &issue, fields)["labels"].clone();
    assert_eq!(labels(json!({ "add_labels": "c", "remove_labels": ["a", "x"] })), json!(["b", "c"]));
    assert_eq!(labels(json!({ "labels": ["d", "e"], "add_labels": "f", "remove_labels": "d" })), json!(["e", "f"]));
    assert_eq!(labels(json!({ "add_labels": ["g"] })), json!(["e", "f", "g"]));
    assert_eq!(labels(json!({ "labels": [] })), json!([]));
    assert_eq!(labels(json!({ "labels": "a" })), json!(["a"]));
    assert_eq!(labels(json!({ "labels": "" })), json!([]));
    // a guest's are passed over
    let own = made(&world, &world.gus, json!({ "title": "t", "labels": "a" }));
    assert_eq!(own["labels"], json!([]));
    let same = at(&world, "PUT", &own, "").by(&world.gus).json(json!({ "add_labels": "a" })).gives(200);
    assert_eq!(same.json["labels"], json!([]));
    let known = world.get("/labels").by(&world.rae).gives(200).each("name");
    assert_eq!(known, ["a", "b", "c", "e", "f", "g"]);
}

#[test]
fn an_edit_names_at_least_one_field_and_none_blank_that_must_not_be() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let error = "assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, issue_type are missing, at least one parameter must be provided";
    let put = |fields: Value| at(&world, "PUT", &issue, "").by(&world.ann).json(fields);
    put(json!({})).refused(400, json!({ "error": error }));
    put(json!({ "foo": 1 })).refused(400, json!({ "error": error }));
    put(json!({ "title": "", "confidential": null })).refused(400, json!({ "error": "confidential is empty" }));
    put(json!({ "title": "" })).refused(400, json!({ "message": { "title": ["can't be blank"] } }));
    put(json!({ "title": "x", "updated_at": null })).refused(400, json!({ "error": "updated_at is empty" }));
    put(json!({ "state_event": "open" })).refused(400, json!({ "error": "state_event does not have a valid value" }));
    at(&world, "PUT", &issue, "").by(&world.gus).json(json!({})).refused(403, said("403 Forbidden"));
}

#[test]
fn who_closes_an_issue_is_shown_until_it_is_open_again() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let closed = edited(&world, &issue, json!({ "state_event": "close" }));
    assert_eq!([&closed["state"], &closed["closed_by"]["id"]], [&json!("closed"), &json!(world.rae.id)]);
    assert!(closed["closed_at"].is_string());
    let again = at(&world, "PUT", &issue, "").by(&world.ann).json(json!({ "state_event": "close" })).gives(200);
    assert_eq!([&again.json["closed_at"], &again.json["closed_by"]], [&closed["closed_at"], &closed["closed_by"]]);
    let open = edited(&world, &issue, json!({ "state_event": "reopen" }));
    assert_eq!([&open["closed_at"], &open["closed_by"]], [&Value::Null, &Value::Null]);
}

#[test]
fn owners_give_a_number_that_nobody_has() {
    let world = World::new(spec(), Visibility::Private);
    let first = made(&world, &world.ann, json!({ "title": "t", "iid": 7, "labels": "a", "created_at": "2020-01-02" }));
    assert_eq!([&first["iid"], &first["labels"][0]], [&json!(7), &json!("a")]);
    assert_eq!(first["created_at"], "2020-01-02T00:00:00.000Z");
    assert_eq!(made(&world, &world.ann, json!({ "title": "t" }))["iid"], 8);
    assert_eq!(made(&world, &world.ann, json!({ "title": "t", "iid": 3, "labels": "b" }))["labels"][0], "b");
    let taken = json!({ "title": "other", "iid": 7, "labels": "c" });
    ask(&world, "POST", "/issues").by(&world.ann).json(taken).refused(409, said("Duplicated issue"));
    assert_eq!(at(&world, "GET", &first, "").by(&world.ann).gives(200).json["labels"], json!(["a"]));
    assert_eq!(made(&world, &world.rae, json!({ "title": "t", "iid": 70 }))["iid"], 9);
}

#[test]
fn an_issue_is_deleted_by_owners_without_a_word() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.gus, json!({ "title": "t" }));
    at(&world, "DELETE", &issue, "").by(&world.rae).refused(403, said("403 Forbidden"));
    at(&world, "DELETE", &issue, "").by(&world.eve).refused(404, said("404 Project Not Found"));
    // as a client sends it
    at(&world, "DELETE", &issue, "").by(&world.ann).json(json!({})).gives(204);
    at(&world, "DELETE", &issue, "").by(&world.ann).refused(404, said("404 Issue Not Found"));
}

#[test]
fn subscribing_and_unsubscribing_are_posts() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let post = |rest: &str| at(&world, "POST", &issue, rest).by(&world.bob).json(json!({})).send();
    let subscribed = |answer: Answer| (answer.status, answer.json["subscribed"].clone());
    assert_eq!(subscribed(post("/subscribe")), (201, json!(true)));
    assert_eq!(post("/subscribe").status, 304);
    assert_eq!(subscribed(post("/unsubscribe")), (201, json!(false)));
    assert_eq!(post("/unsubscribe").status, 304);
}

#[test]
fn an_issue_moves_and_is_copied() {
    let world = World::new(spec(), Visibility::Private);
    let other = world.sibling(Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t", "labels": "a", "discussion_locked": true }));
    world.comment(&world.ann, &issue, "hello");
    let to = |place: &World| json!({ "to_project_id": place.project.id });
    let post = |rest: &str, body: Value| at(&world, "POST", &issue, rest).by(&world.ann).json(body);
    post("/move", json!({})).refused(400, json!({ "error": "to_project_id is missing" }));
    for far in [json!(999_999_999), json!("1".repeat(30))] {
        post("/move", json!({ "to_project_id": far })).refused(404, said("404 Project Not Found"));
    }
    post("/move", to(&world)).refused(400, said("Cannot move issue to project it originates from!"));
    at(&world, "POST", &issue, "/clone")
        .by(&world.gus)
        .json(to(&world))
        .refused(400, said("Cannot clone issue due to insufficient permissions!"));
    let near = post("/clone", to(&world)).gives(201).json;
    assert_eq!([&near["user_notes_count"], &near["labels"][0], &near["title"]], [&json!(0), &json!("a"), &json!("t")]);
    let mut body = to(&other);
    body["with_notes"] = json!(true);
    let far = post("/clone", body).gives(201).json;
    assert_eq!([&far["user_notes_count"], &far["project_id"]], [&json!(1), &json!(other.project.id)]);
    let untouched = at(&world, "GET", &issue, "").by(&world.ann).gives(200).json;
    assert_eq!([&untouched["state"], &untouched["moved_to_id"]], [&json!("opened"), &Value::Null]);
    let moved = post("/move", to(&other)).gives(201).json;
    assert_eq!([&moved["project_id"], &moved["discussion_locked"]], [&json!(other.project.id), &json!(true)]);
    let old = at(&world, "GET", &issue, "").by(&world.ann).gives(200).json;
    assert_eq!([&old["state"], &old["moved_to_id"]], [&json!("closed"), &moved["id"]]);
    post("/move", to(&other)).refused(400, said("Cannot move issue due to insufficient permissions!"));
}

#[test]
fn participants_are_everybody_who_wrote_or_was_named_once() {
    let world = World::new(spec(), Visibility::Private);
    let text = format!("@{} and @{}", world.rae.username, unique("nobody"));
    let issue = made(&world, &world.ann, json!({ "title": "t", "description": text, "assignee_ids": [world.bob.id] }));
    for _ in 0..3 {
        world.comment(&world.gus, &issue, "hello");
    }
    let mut people: Vec<i64> = [&world.ann, &world.rae, &world.bob, &world.gus].map(|person| person.id).to_vec();
    people.sort_unstable();
    let all = at(&world, "GET", &issue, "/participants").by(&world.ann).gives(200);
    assert_eq!(json!(all.each("id")), json!(people));
    let page = at(&world, "GET", &issue, "/participants?per_page=3").by(&world.ann).gives(200);
    assert_eq!(json!(page.each("id")), json!(people[..3]));
    let page = at(&world, "GET", &issue, "/participants?per_page=3&page=2").by(&world.ann).gives(200);
    assert_eq!((json!(page.each("id")), page.header("X-Next-Page")), (json!(people[3..]), Some("")));
}

#[test]
fn there_are_no_merge_requests() {
    let world = World::new(spec(), Visibility::Public);
    spec().ask_v4("GET", "/merge_requests").refused(401, said("401 Unauthorized"));
    assert_eq!(spec().ask_v4("GET", "/merge_requests").by(&world.eve).gives(200).json, json!([]));
    assert_eq!(ask(&world, "GET", "/merge_requests").gives(200).json, json!([]));
    let group = format!("/groups/{}/merge_requests", world.group);
    assert_eq!(spec().ask_v4("GET", group).gives(200).json, json!([]));
}

#[test]
fn a_reordered_issue_stays_as_it_is() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.gus, json!({ "title": "t" }));
    let reorder = |fields: Value| at(&world, "PUT", &issue, "/reorder").json(fields);
    let fields = json!({ "move_after_id": 1 });
    reorder(fields.clone()).gives(401);
    let missing = "move_after_id, move_before_id are missing, at least one parameter must be provided";
    reorder(json!({ "title": "x" })).by(&world.gus).refused(400, json!({ "error": missing }));
    reorder(json!({ "move_after_id": "x" }))
        .by(&world.gus)
        .refused(400, json!({ "error": "move_after_id is invalid" }));
    reorder(fields.clone()).by(&world.eve).refused(403, json!({ "message": "403 Forbidden" }));
    let absent = json!({ "message": "404 Not found" });
    at(&world, "PUT", &json!({ "iid": 99 }), "/reorder").by(&world.gus).json(fields).refused(404, absent);
    for fields in [json!({ "move_after_id": 1 }), json!({ "move_before_id": 2, "move_after_id": 1 })] {
        let answer = reorder(fields).by(&world.gus).gives(200);
        assert_eq!((&answer.json, answer.header("X-Unread-Parameters")), (&issue, None));
    }
    assert_eq!(at(&world, "GET", &issue, "").by(&world.gus).gives(200).json, issue);
}
