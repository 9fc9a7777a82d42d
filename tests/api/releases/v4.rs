use super::{made, milestone, tagged};
use crate::support::git::sha;
use crate::support::v4::{archived, ask, names};
use crate::support::{Visibility, spec};
use serde_json::{Value, json};

const FIELDS: &str = "_links assets author commit commit_path created_at description evidences name released_at tag_name tag_path upcoming_release";

fn not_found(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn guests_of_a_private_project_see_no_tag_of_a_release() {
    let world = tagged(Visibility::Private);
    let tag = json!({ "tag_name": "v1" });
    let release = made(&world, tag);
    ask(&world, "PUT", "/releases/v1").by(&world.bob).json(json!({ "name": "Secret name" })).gives(200);
    ask(&world, "GET", "/releases/v1").by(&world.gus).gives(403);
    assert_eq!(ask(&world, "GET", "/releases/v1").by(&world.rae).gives(200).json["tag_name"], "v1");
    let list = ask(&world, "GET", "/releases").by(&world.gus).gives(200);
    let seen = &list.json[0];
    assert_eq!(names(seen), "_links assets author created_at description name released_at upcoming_release");
    assert_eq!((&seen["_links"], &seen["assets"]["sources"]), (&json!({}), &json!([])));
    assert!(seen["name"].as_str().unwrap().starts_with("Release-"), "{seen}");
    assert!(!list.text.contains("v1") && !list.text.contains(&sha(1)), "{}", list.text);
    assert_eq!(release["name"], "v1");
}

#[test]
fn a_release_has_the_fields_of_its_tag() {
    let world = tagged(Visibility::Public);
    let fields = json!({ "tag_name": "a/b", "name": "First", "description": "*New* ![a](/uploads/1/a)", "released_at": "2020-01-02T03:04:05Z" });
    let release = made(&world, fields);
    assert_eq!((names(&release).as_str(), &release["evidences"]), (FIELDS, &json!([])));
    assert_eq!(
        [&release["name"], &release["description"], &release["tag_name"]],
        ["First", "*New* ![a](/uploads/1/a)", "a/b"]
    );
    assert_eq!(
        (&release["released_at"], &release["upcoming_release"]),
        (&json!("2020-01-02T03:04:05.000Z"), &json!(false))
    );
    assert_eq!(
        (&release["commit"]["id"], &release["author"]["username"]),
        (&json!(sha(3)), &json!(world.bob.username))
    );
    let path = &world.project.path;
    assert_eq!(release["commit_path"], format!("/{path}/-/commit/{}", sha(3)));
    assert_eq!(release["tag_path"], format!("/{path}/-/tags/a%2Fb"));
    assert!(release["_links"]["self"].as_str().unwrap().ends_with(&format!("{path}/-/releases/a%2Fb")));
    assert!(release["_links"]["edit_url"].is_string());
    let seen = ask(&world, "GET", "/releases/a%2Fb").gives(200).json;
    assert_eq!((&seen["name"], &seen["_links"]["edit_url"]), (&json!("First"), &Value::Null));
    assert_eq!(made(&world, json!({ "tag_name": "v2", "released_at": "2999-01-01" }))["upcoming_release"], true);
    let html = ask(&world, "GET", "/releases/a%2Fb?include_html_description=true").gives(200).json;
    let address = format!("{}/-/project/{}/uploads/1/a", spec().origin, world.project.id);
    let picture = format!("<img src=\"{address}\" alt=\"a\" />");
    assert_eq!(html["description_html"], format!("<p><em>New</em> {picture}</p>"));
    let listed = ask(&world, "GET", "/releases?include_html_description=true").gives(200).json;
    assert_eq!(listed[1]["description_html"], html["description_html"]);
    let tag = ask(&world, "GET", "/repository/tags/a%2Fb").gives(200).json;
    assert_eq!(tag["release"], json!({ "tag_name": "a/b", "description": "*New* ![a](/uploads/1/a)" }));
    assert_eq!(ask(&world, "GET", "/repository/tags/v1").gives(200).json["release"], Value::Null);
}

#[test]
fn a_release_needs_a_tag_of_the_mirror_and_a_tag_has_one_release() {
    let world = tagged(Visibility::Private);
    let refused = |fields: Value, status: u16, answer: Value| {
        ask(&world, "POST", "/releases").by(&world.bob).json(fields).refused(status, answer);
    };
    refused(json!({ "name": "x" }), 400, json!({ "error": "tag_name is missing" }));
    for tag in ["", "HEAD", "a..b", "a b", "-~", "-a", "permalink"] {
        refused(json!({ "tag_name": tag }), 400, json!({ "message": "Tag name invalid" }));
    }
    let text = "Tag v9 is not in the mirror: push it to the git host first";
    refused(json!({ "tag_name": "v9", "ref": "master" }), 422, json!({ "message": text }));
    made(&world, json!({ "tag_name": "v1" }));
    refused(json!({ "tag_name": "v1" }), 409, json!({ "message": "Release already exists" }));
    let both = json!({ "tag_name": "v2", "milestones": ["a"], "milestone_ids": [1] });
    refused(both, 400, json!({ "error": "Cannot specify milestones and milestone_ids at the same time" }));
    let unknown = json!({ "tag_name": "v9", "milestones": ["x", "y"] });
    refused(unknown, 400, json!({ "message": "Milestone(s) not found: x, y" }));
    let unknown = json!({ "tag_name": "v9", "milestone_ids": [70000] });
    refused(unknown, 400, json!({ "message": "Milestone id(s) not found: 70000" }));
}

#[test]
fn a_milestone_of_another_project_is_not_found() {
    let (world, other) = (tagged(Visibility::Private), tagged(Visibility::Private));
    let id = milestone(&other, &other.ann, json!({ "title": "secret" }))["id"].clone();
    for fields in [json!({ "milestone_ids": [id] }), json!({ "milestones": ["secret"] })] {
        let mut fields = fields;
        fields["tag_name"] = json!("v1");
        ask(&world, "POST", "/releases").by(&world.bob).json(fields).gives(400);
    }
}

#[test]
fn a_change_keeps_what_it_does_not_name_and_null_changes_nothing() {
    let world = tagged(Visibility::Private);
    milestone(&world, &world.ann, json!({ "title": "m1", "due_date": "2030-01-01" }));
    milestone(&world, &world.ann, json!({ "title": "m2", "due_date": "2029-01-01" }));
    let made = made(&world, json!({ "tag_name": "v1", "name": "One", "description": "x", "milestones": ["m1", "m2"] }));
    let titles = |release: &Value| -> Vec<String> {
        let milestones = release["milestones"].as_array().cloned().unwrap_or_default();
        milestones.iter().map(|milestone| milestone["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(&made), ["m2", "m1"]);
    assert_eq!(made["milestones"][0]["issue_stats"], json!({ "total": 0, "closed": 0 }));
    let put = |fields: Value| ask(&world, "PUT", "/releases/v1").by(&world.bob).json(fields);
    put(json!({})).refused(400, json!({ "message": "params is empty" }));
    let same = put(json!({ "name": null, "description": null, "milestones": null })).gives(200).json;
    assert_eq!((&same["name"], &same["description"]), (&made["name"], &made["description"]));
    assert_eq!(titles(&same), ["m2", "m1"]);
    let changed = put(json!({ "description": "y", "milestones": ["m1"] })).gives(200).json;
    assert_eq!(
        (&changed["name"], &changed["description"], titles(&changed)),
        (&json!("One"), &json!("y"), vec!["m1".to_owned()])
    );
    for none in [json!([]), json!("")] {
        put(json!({ "milestones": ["m1"] })).gives(200);
        assert_eq!(put(json!({ "milestones": none })).gives(200).json.get("milestones"), None);
    }
    let cleared = put(json!({ "name": "", "description": "" })).gives(200).json;
    assert_eq!((&cleared["name"], &cleared["description"]), (&json!("v1"), &Value::Null));
    let absent = json!({ "message": "Release does not exist" });
    ask(&world, "PUT", "/releases/v2").by(&world.bob).json(json!({ "name": "x" })).refused(404, absent);
}

#[test]
fn a_change_of_a_release_that_changes_nothing_writes_nothing() {
    let world = tagged(Visibility::Private);
    for title in ["m1", "m2"] {
        milestone(&world, &world.ann, json!({ "title": title }));
    }
    let day = "2020-01-02T03:04:05.678Z";
    let fields = json!({ "tag_name": "v1", "name": "One", "description": "x", "milestones": ["m1", "m2"],
        "released_at": day, "assets": { "links": [{ "name": "a", "url": "https://a" }] } });
    let release = made(&world, fields);
    let link = format!("/releases/v1/assets/links/{}", release["assets"]["links"][0]["id"]);
    let put = |path: &str, fields: Value| ask(&world, "PUT", path).by(&world.bob).json(fields).gives(200).json;
    let project = world.project.id;
    let is_in_process = spec().tamper(&format!("update releases set updated_at = 1000 where project_id = {project}"));
    for same in [
        json!({ "name": "One" }),
        json!({ "description": "x", "released_at": day }),
        json!({ "milestones": ["m2", "m1"] }),
        json!({ "name": null }),
    ] {
        assert_eq!(put("/releases/v1", same.clone()), release, "{same}");
    }
    put(&link, json!({ "name": "a" }));
    let untouched =
        || ask(&world, "GET", "/releases?updated_before=1970-01-02").by(&world.bob).gives(200).each("tag_name");
    if !is_in_process {
        return;
    }
    assert_eq!(untouched(), ["v1"]);
    put(&link, json!({ "url": "https://b" }));
    assert_eq!(untouched(), [] as [Value; 0]);
}

#[test]
fn a_deleted_release_is_returned_and_its_tag_stays() {
    let world = tagged(Visibility::Private);
    let link = json!({ "name": "a", "url": "https://a" });
    let release = made(&world, json!({ "tag_name": "v1", "assets": { "links": [link] } }));
    let since = "Thu, 01 Jan 2015 00:00:00 GMT";
    ask(&world, "DELETE", "/releases/v1").by(&world.bob).header("If-Unmodified-Since", since).gives(412);
    assert_eq!(ask(&world, "DELETE", "/releases/v1").by(&world.bob).gives(200).json, release);
    let absent = json!({ "message": "Release does not exist" });
    ask(&world, "DELETE", "/releases/v1").by(&world.bob).refused(404, absent);
    ask(&world, "GET", "/releases/v1").by(&world.bob).refused(404, json!({ "message": "404 Not Found" }));
    ask(&world, "GET", "/repository/tags/v1").by(&world.bob).gives(200);
    made(&world, json!({ "tag_name": "v1" }));
}

#[test]
fn a_release_outlives_its_tag_and_its_commit() {
    let world = tagged(Visibility::Private);
    made(&world, json!({ "tag_name": "v1" }));
    if spec().tamper(&format!("delete from refs where project_id = {} and name = 'refs/tags/v1'", world.project.id)) {
        let release = ask(&world, "GET", "/releases/v1").by(&world.bob).gives(200).json;
        assert_eq!((&release["tag_name"], &release["commit"]["id"]), (&json!("v1"), &json!(sha(1))));
    }
}

#[test]
fn releases_of_an_archived_project_are_only_read() {
    let world = tagged(Visibility::Private);
    let release =
        made(&world, json!({ "tag_name": "v1", "assets": { "links": [{ "name": "a", "url": "https://a" }] } }));
    ask(&world, "POST", "/archive").by(&world.ann).gives(201);
    let links = format!("/releases/v1/assets/links/{}", release["assets"]["links"][0]["id"]);
    for (verb, path) in [
        ("POST", "/releases"),
        ("PUT", "/releases/v1"),
        ("DELETE", "/releases/v1"),
        ("POST", "/releases/v1/assets/links"),
        ("PUT", &links),
        ("DELETE", &links),
    ] {
        let fields = json!({ "tag_name": "v2", "name": "x", "url": "https://x" });
        ask(&world, verb, path).by(&world.ann).json(fields).refused(403, archived());
    }
    ask(&world, "GET", "/releases/v1").by(&world.ann).gives(200);
}

#[test]
fn a_milestone_of_a_release_counts_no_issue_that_the_caller_may_not_see() {
    let world = tagged(Visibility::Public);
    let id = milestone(&world, &world.ann, json!({ "title": "m" }))["id"].clone();
    for confidential in [true, false] {
        let fields = json!({ "title": "x", "milestone_id": id, "confidential": confidential });
        ask(&world, "POST", "/issues").by(&world.ann).json(fields).gives(201);
    }
    made(&world, json!({ "tag_name": "v1", "milestones": ["m"] }));
    let total = |answer: Value| answer["milestones"][0]["issue_stats"]["total"].clone();
    assert_eq!(total(ask(&world, "GET", "/releases/v1").gives(200).json), 1);
    assert_eq!(total(ask(&world, "GET", "/releases/v1").by(&world.gus).gives(200).json), 1);
    assert_eq!(total(ask(&world, "GET", "/releases/v1").by(&world.rae).gives(200).json), 2);
}

#[test]
fn a_refusal_to_publish_has_its_text_twice() {
    let world = tagged(Visibility::Private);
    made(&world, json!({ "tag_name": "v1" }));
    let twice = |text: &str| json!({ "message": text, "error": text });
    let taken = ask(&world, "POST", "/releases").by(&world.bob).json(json!({ "tag_name": "v1" })).gives(409);
    assert_eq!(taken.json, twice("Release already exists"));
    let upload = ask(&world, "POST", "/uploads").by(&world.eve).gives(404);
    assert_eq!(upload.json, twice("404 Project Not Found"));
    let package = ask(&world, "PUT", "/packages/generic/n/1/f").by(&world.gus).gives(403);
    assert_eq!(package.json, twice("403 Forbidden"));
    // not where something is only read or changed
    let read = ask(&world, "GET", "/releases/none").by(&world.bob).gives(404);
    assert_eq!(read.json, not_found("404 Not Found"));
}
