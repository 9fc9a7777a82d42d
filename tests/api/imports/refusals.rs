//! Who may not import, and what is refused.

use super::{KINDS, asking, key, mirrored, one_of_each, record, refused, sent, with};
use crate::support::v4::archived;
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

fn count(world: &World) -> i64 {
    let list = world.v4("GET", "/issues").by(&world.root).gives(200);
    list.json.as_array().unwrap().len() as i64
}

#[test]
fn administrators_alone_import_with_a_token_of_their_own() {
    let world = world();
    let records = [with(record(&world, "issue"), json!({ "assignee": null, "labels": null }))];
    let by = |person: &Person| world.v4("POST", "/import_records").by(person).json(json!({ "records": records }));
    let forbidden = json!({ "message": "403 Forbidden" });
    world.v4("POST", "/import_records").json(json!({ "records": records })).gives(401);
    by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    for person in [&world.gus, &world.rae, &world.bob, &world.ann] {
        by(person).refused(403, forbidden.clone());
    }
    // nor in the name of others, be they administrators
    for name in [&world.ann.username, "root"] {
        by(&world.root).header("SUDO", name).refused(403, forbidden.clone());
    }
    let token = json!({ "name": "x", "scopes": ["api"], "access_level": 40 });
    let token = world.v4("POST", "/access_tokens").by(&world.ann).json(token).gives(201).json["token"].clone();
    by(&Person { token: token.as_str().unwrap().to_owned(), ..world.ann.clone() }).refused(403, forbidden);
    assert_eq!(count(&world), 0);
    by(&world.root).gives(200);
    assert_eq!(count(&world), 1);
    world.v4("POST", "/archive").by(&world.ann).gives(201);
    by(&world.root).refused(403, archived());
}

#[test]
fn a_body_that_is_no_list_of_records_is_refused_whole() {
    let world = world();
    let post = |body: &str| world.v4("POST", "/import_records").by(&world.root).body("application/json", body);
    for body in ["", "[]", "{}", "x", r#"{"records":{}}"#, r#"{"records":[{"title":"\ud800"}]}"#] {
        post(body).gives(400);
    }
    post("x").header("Content-Encoding", "gzip").gives(400);
    assert_eq!(sent(&world, &[]), json!({ "new": 0, "changed": 0, "same": 0, "kept": [], "refused": [] }));
}

#[test]
fn a_request_has_300_records_500_labels_and_1_500_000_bytes_at_most() {
    let world = world();
    let label =
        |number: usize| with(record(&world, "label"), json!({ "key": key(number), "title": number.to_string() }));
    let labels: Vec<Value> = (0..300).map(label).collect();
    asking(&world, &[labels.clone(), vec![label(300)]].concat()).gives(413);
    assert_eq!(sent(&world, &labels)["new"], 300);
    let names = |from: usize, to: usize| json!((from..to).map(|name| name.to_string()).collect::<Vec<_>>());
    let issue = |iid: usize, labels: Value| {
        with(record(&world, "issue"), json!({ "key": key(1000 + iid), "iid": iid, "labels": labels }))
    };
    asking(&world, &[issue(1, names(0, 300)), issue(2, names(0, 201))]).gives(413);
    assert_eq!(sent(&world, &[issue(1, names(0, 300)), issue(2, names(0, 200))])["new"], 2);
    let few = |labels: usize| -> Vec<Value> {
        (0..300).map(|at| issue(10 + at, names(0, usize::from(at < labels)))).collect()
    };
    asking(&world, &few(251)).gives(413);
    assert_eq!(sent(&world, &few(250))["new"], 300);
    let links = |of: usize| {
        json!((0..of).map(|at| json!([at.to_string(), "https://x.example", null, "other"])).collect::<Vec<_>>())
    };
    let release = |links: Value, milestones: Value| {
        with(record(&world, "release"), json!({ "links": links, "milestones": milestones }))
    };
    asking(&world, &vec![release(links(100), json!(null)); 6]).gives(413);
    asking(&world, &vec![release(links(51), names(0, 50)); 5]).gives(413);
    let body = |bytes: usize| {
        let text = json!({ "records": [with(issue(3, json!([])), json!({ "description": "x" }))] }).to_string();
        let rest = bytes - text.len();
        let padded = format!("{}{}", text, " ".repeat(rest));
        world.v4("POST", "/import_records").by(&world.root).body("application/json", padded)
    };
    body(1_500_001).gives(413);
    body(1_500_000).gives(200);
}

#[test]
fn a_record_that_is_wrong_by_itself_is_refused_alone() {
    let world = world();
    mirrored(&world);
    sent(&world, &one_of_each(&world));
    let good = with(record(&world, "issue"), json!({ "key": key(99), "iid": 99 }));
    for (wrong, reason) in [
        (json!(1), "it is no object"),
        (json!({}), "kind: is invalid"),
        (json!({ "kind": "snippet", "key": key(50) }), "kind: is invalid"),
        (json!({ "kind": "label", "title": "x" }), "key: is missing"),
        (with(record(&world, "label"), json!({ "key": "ABCDEF0123456789" })), "key: is invalid"),
    ] {
        refused(&world, wrong, reason);
    }
    let cases: &[(&str, &[(&str, Value)])] = &[
        ("label", &[("title", json!("a,b")), ("title", json!(" ")), ("title", json!("a\u{0}")), ("color", json!("x"))]),
        (
            "milestone",
            &[
                ("title", json!("")),
                ("iid", json!(0)),
                ("iid", json!("3")),
                ("iid", json!(1_i64 << 31)),
                ("state", json!("open")),
                ("start", json!("2020-02-30")),
                ("at", json!("2020-01-01")),
                ("updated_at", json!(1e18)),
            ],
        ),
        (
            "issue",
            &[
                ("iid", json!(1.5)),
                ("iid", json!(-1)),
                ("iid", json!((1_i64 << 53) - 2)),
                ("title", json!(null)),
                ("author", json!(null)),
                ("state", json!("locked")),
                ("confidential", json!("yes")),
                ("due", json!("tomorrow")),
                ("labels", json!("bug")),
                ("labels", json!(["a,b"])),
                ("at", json!(null)),
                ("updated_at", json!(253_402_300_799_999_i64)),
                ("estimate", json!(-1)),
                ("spent", json!(1_i64 << 40)),
                ("description", json!("a\u{0}b")),
            ],
        ),
        ("note", &[("issue", json!(null)), ("body", json!(null)), ("body", json!("\u{0}")), ("system", json!(1))]),
        ("event", &[("event", json!("weight")), ("action", json!("made")), ("commit", json!("HEAD"))]),
        ("award", &[("name", json!("Custom Emoji")), ("note", json!("x")), ("user", json!(0))]),
        ("link", &[("type", json!("is_blocked_by")), ("target", json!(null))]),
        (
            "release",
            &[
                ("tag", json!(null)),
                ("links", json!([["a", "javascript:x", null, "other"]])),
                ("links", json!([["a", "https://x.example", null]])),
                ("links", json!("x")),
                ("milestones", json!([1])),
            ],
        ),
        ("environment", &[("name", json!("")), ("external_url", json!("x")), ("tier", json!("prod"))]),
        (
            "deployment",
            &[
                ("state", json!("pending")),
                ("state", json!("running")),
                ("sha", json!("master")),
                ("job", json!(null)),
                ("user", json!(null)),
            ],
        ),
        (
            "status",
            &[
                ("state", json!("pending")),
                ("state", json!("skipped")),
                ("target_url", json!("x")),
                ("coverage", json!("9")),
            ],
        ),
        ("comment", &[("line", json!(0)), ("line_type", json!("both")), ("note", json!(null))]),
    ];
    assert_eq!(cases.len(), KINDS.len());
    for (at, (kind, fields)) in
        cases.iter().flat_map(|(kind, fields)| fields.iter().map(move |field| (kind, field))).enumerate()
    {
        let (name, value) = fields;
        let wrong = with(with(record(&world, kind), json!({ "key": key(100 + at) })), json!({ *name: value }));
        let good = with(good.clone(), json!({ "key": key(9000 + at), "iid": 100 + at }));
        let answer = sent(&world, &[wrong, good]);
        let reason = if value.is_null() { "is missing" } else { "is invalid" };
        let text = format!("{name}: {reason}");
        let expected = json!({ "new": 1, "changed": 0, "same": 0, "kept": [], "refused": [[0, text]] });
        assert_eq!(answer, expected, "{kind} {name} {value}");
    }
    let long = "x".repeat(256);
    let title = with(record(&world, "issue"), json!({ "title": long }));
    refused(&world, title, "title: is too long (maximum is 255 characters)");
    let dates = with(record(&world, "milestone"), json!({ "start": "2020-01-02", "due": "2020-01-01" }));
    refused(&world, dates, "due: must be greater than start date");
    let body = with(record(&world, "note"), json!({ "body": "\"".repeat(500_000) }));
    refused(&world, body, "body: is too long (maximum is 900000 bytes as JSON)");
    let links: Vec<Value> =
        (0..101).map(|at| json!([format!("{at}"), format!("https://x.example/{at}"), null, "other"])).collect();
    refused(&world, with(record(&world, "release"), json!({ "links": links })), "links: are too many (maximum is 100)");
}

#[test]
fn a_record_that_names_what_is_not_there_is_refused_alone() {
    let world = world();
    mirrored(&world);
    sent(&world, &one_of_each(&world));
    let nobody = 1_i64 << 40;
    let other = "0123456789012345678901234567890123456789";
    for (at, (kind, fields, reason)) in [
        ("issue", json!({ "iid": 20, "author": nobody }), format!("author: there is no user {nobody}")),
        ("issue", json!({ "iid": 20, "assignee": nobody }), format!("assignee: there is no user {nobody}")),
        ("issue", json!({ "iid": 20, "closed_by": nobody }), format!("closed_by: there is no user {nobody}")),
        ("issue", json!({ "iid": 20, "milestone": "v9" }), "milestone: there is none of this title".to_owned()),
        ("note", json!({ "issue": 20 }), "issue: there is no issue 20".to_owned()),
        ("note", json!({ "author": nobody }), format!("author: there is no user {nobody}")),
        ("event", json!({ "issue": 20 }), "issue: there is no issue 20".to_owned()),
        ("event", json!({ "user": nobody }), format!("user: there is no user {nobody}")),
        ("event", json!({ "action": "add" }), "action: is not one of the event".to_owned()),
        ("event", json!({ "event": "label", "title": "bug" }), "action: is not one of the event".to_owned()),
        ("award", json!({ "issue": 20 }), "issue: there is no issue 20".to_owned()),
        ("award", json!({ "note": key(77) }), "note: there is no comment with this key".to_owned()),
        ("award", json!({ "note": key(3) }), "note: there is no comment with this key".to_owned()),
        ("link", json!({ "target": 20 }), "target: there is no issue 20".to_owned()),
        ("link", json!({ "target": 7 }), "target: is the issue itself".to_owned()),
        ("release", json!({ "tag": "v2.0" }), "tag: it is not indexed".to_owned()),
        ("release", json!({ "author": nobody }), format!("author: there is no user {nobody}")),
        ("deployment", json!({ "environment": "qa" }), "environment: there is none of this name".to_owned()),
        ("deployment", json!({ "sha": other }), "sha: the commit is not indexed".to_owned()),
        ("status", json!({ "sha": other }), "sha: the commit is not indexed".to_owned()),
        ("status", json!({ "skipped": true }), "skipped: the state is not canceled".to_owned()),
        ("comment", json!({ "sha": other }), "sha: the commit is not indexed".to_owned()),
        ("comment", json!({ "author": nobody }), format!("author: there is no user {nobody}")),
        ("milestone", json!({ "iid": 9 }), "title: has already been taken".to_owned()),
        ("milestone", json!({ "iid": 3, "title": "v2" }), "iid: 3 is not above 3, the last number".to_owned()),
        ("milestone", json!({ "iid": 305, "title": "v2" }), "iid: 305 leaves out more than 300 numbers".to_owned()),
    ]
    .into_iter()
    .enumerate()
    {
        refused(&world, with(with(record(&world, kind), json!({ "key": key(200 + at) })), fields), &reason);
    }
    // a key is of one record
    let other = with(record(&world, "note"), json!({ "key": key(3) }));
    refused(&world, other, "key: is that of a record of another kind");
    let milestones = with(record(&world, "release"), json!({ "key": key(300), "milestones": ["v1", "v9"] }));
    refused(&world, milestones, "tag: it has another release");
}

#[test]
fn an_issue_that_was_made_here_is_refused_with_all_that_hangs_on_it() {
    let world = world();
    let made = world.v4("POST", "/issues").by(&world.ann).json(json!({ "title": "ours" })).gives(201).json;
    assert_eq!(made["iid"], 1);
    let reason = "1 is an issue that was made here";
    for (kind, name) in [("issue", "iid"), ("note", "issue"), ("event", "issue"), ("award", "issue"), ("link", "issue")]
    {
        refused(&world, with(record(&world, kind), json!({ name: 1, "target": 1 })), reason);
    }
    let kept = world.v4("GET", "/issues/1").by(&world.ann).gives(200).json;
    assert_eq!((&kept["title"], &kept["updated_at"]), (&made["title"], &made["updated_at"]));
    // nor does another import
    sent(&world, &[record(&world, "issue")]);
    refused(&world, with(record(&world, "issue"), json!({ "key": key(5) })), "7 came with another import");
}

#[test]
fn of_two_equal_records_of_a_request_the_second_is_refused() {
    let world = world();
    mirrored(&world);
    sent(&world, &one_of_each(&world));
    for (at, (kind, first, second, reason)) in [
        ("label", json!({ "title": "a" }), json!({ "title": "a" }), "title"),
        ("milestone", json!({ "title": "a", "iid": 4 }), json!({ "title": "b", "iid": 4 }), "iid"),
        ("milestone", json!({ "title": "c", "iid": 5 }), json!({ "title": "c", "iid": 6 }), "title"),
        ("issue", json!({ "iid": 30 }), json!({ "iid": 30 }), "iid"),
        ("award", json!({ "name": "star" }), json!({ "name": "star" }), "issue+note+user+name"),
        ("environment", json!({ "name": "b" }), json!({ "name": "b" }), "name"),
    ]
    .into_iter()
    .enumerate()
    {
        let keyed = |fields: Value, key: String| with(with(record(&world, kind), fields), json!({ "key": key }));
        let answer = sent(&world, &[keyed(first, key(600 + 2 * at)), keyed(second, key(601 + 2 * at))]);
        let text = format!("{reason}: another record of the request has the same");
        assert_eq!((&answer["new"], &answer["refused"]), (&json!(1), &json!([[1, text]])), "{kind}");
    }
    let label = with(record(&world, "label"), json!({ "key": key(500), "title": "z" }));
    let issue = with(record(&world, "issue"), json!({ "key": key(500), "iid": 40 }));
    let answer = sent(&world, &[label, issue]);
    assert_eq!(answer["refused"], json!([[1, "key: another record of the request has the same"]]));
}
